"""What the interfaces have in common: spaces, and options that belong to the environment rather than the game."""

from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces

from trick_envs.engine import Game
from trick_envs.views.layout import Layout

RenderMode = Literal["ansi", "human"]
MaskPlace = Literal["observation", "info"]
RENDER_MODES = get_args(RenderMode)
MASK_PLACES = get_args(MaskPlace)


def check_choice(option: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """ValueError naming the option and what is allowed unless ``value`` is one of ``allowed``."""
    if value not in allowed:
        raise ValueError(f"{option}={value!r}: should be {', '.join(map(repr, allowed))}")


def check_reward(option: str, value: Any) -> None:
    """ValueError naming the option unless ``value`` is a number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{option}={value!r}: should be a number")


def observation_space(game: Game, mask: MaskPlace = "info") -> spaces.Space[Any]:
    """Space of ``Table.observation``, or with the mask beside it in a Dict."""
    observation = _observation_space(game)
    if mask == "info":
        return observation
    return spaces.Dict({"observation": observation, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)})


def _observation_space(game: Game) -> spaces.Space[Any]:
    features: spaces.Space[Any] = box(game.layout)
    if not game.has_events:
        return features
    events = spaces.Box(0, game.vocabulary.size - 1, (game.most_events,), np.int16)
    return spaces.Dict({"features": features, "events": events}) if game.has_features else events


def box(layout: Layout) -> spaces.Box:
    """Space of the arrays that a layout describes, int8 (layout size,)."""
    return spaces.Box(layout.low, layout.high, dtype=np.int8)
