"""Every game as a PettingZoo AEC environment: one class that drives ``Game`` and ``Table`` and knows no rule.

An episode is one match. Agents are ``player_0``, ``player_1`` … by seat.
"""

import copy
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo.utils import AECEnv

from trick_envs.engine import Game, Table
from trick_envs.interfaces.shared import (
    MASK_PLACES,
    RENDER_MODES,
    MaskPlace,
    RenderMode,
    box,
    check_choice,
    check_reward,
    observation_space,
)
from trick_envs.interfaces.wrappers import AssertOutOfBounds, OrderEnforcing, TerminateIllegal
from trick_envs.views.layout import Layout
from trick_envs.views.text import picture


def make_raw_env(
    name: str, /, *, render_mode: RenderMode | None = None, mask: MaskPlace = "observation", **options: Any
) -> "TrickEnv":
    """The bare environment of the game called ``name``; an illegal action raises ``IllegalAction``.

    Raises ValueError naming a wrong option, the value given and the values allowed.
    """
    return TrickEnv(Game(name, **options), render_mode, mask)


def make_env(name: str, /, *, illegal_reward: float = -1, **options: Any) -> OrderEnforcing:
    """The environment of ``make_raw_env`` in the wrappers of PettingZoo's classic games.

    An illegal action ends the match with ``illegal_reward`` for its agent and 0 for the others; an action
    outside the action space and a call before ``reset`` raise AssertionError.
    """
    check_reward("illegal_reward", illegal_reward)
    env = TerminateIllegal(make_raw_env(name, **options), illegal_reward)
    return OrderEnforcing(AssertOutOfBounds(env))


class TrickEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game as a bare AEC environment; an episode is one match.

    game: rules and options; ``num_players`` agents.
    render_mode: ``"ansi"`` makes ``render`` return a text, ``"human"`` prints it after every reset and step.
    mask: ``"observation"`` puts the action mask beside the observation, ``"info"`` into ``infos``.

    Attributes beyond PettingZoo's, all of which work through wrappers:

    game: the ``Game`` that is played.
    table: the ``Table`` of the match, from the first reset on; to look at, it is ``step`` that plays.
    layout: what the entries of an observation mean.
    state_space: Box of ``state()``, int8 (state layout size,).
    hand_over: whether the last step settled a hand.
    match_over: whether the match is over; ``agents`` empties only then, as each of them steps ``None``.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (PettingZoo's name and shape)
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    table: Table

    def __init__(self, game: Game, render_mode: RenderMode | None = None, mask: MaskPlace = "observation"):
        super().__init__()
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        check_choice("mask", mask, MASK_PLACES)
        self.game = game
        self.metadata = copy.deepcopy(type(self).metadata) | {"name": f"{game.name}_v{game.version}"}
        self.render_mode = render_mode
        self.hand_over = False
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._mask_in_info = mask == "info"
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space(game, mask))
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(game.num_actions))
        self.state_space = box(game.state_layout)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Space of what ``observe`` gives: the same object at each call and for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Discrete space of the game's actions: the same object at each call and for every agent."""
        return self.action_spaces[agent]

    @property
    def layout(self) -> Layout:
        """What the entries of an observation mean."""
        return self.game.layout

    # --- The match ------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match.

        seed: 0 … 2**64 − 1, seed of the table; ``None`` goes on from the seed of the last match, and the very
            first time takes one from the system.
        options: ``"decks"``, ``"dealer"`` and ``"actions"`` as in ``Game.table``; other keys are ignored.
        Raises ValueError, the match in progress unchanged, when the seed or an option is malformed.
        """
        if options is not None and not isinstance(options, Mapping):
            raise ValueError(f"options={options!r}: a dict, or None")
        options = options or {}
        if seed is None and hasattr(self, "table"):
            seed = self.table.next_seed()
        table = self.game.table(seed, options.get("decks"), options.get("dealer"), options.get("actions", ()))
        if table.over:
            raise ValueError(f"the {len(table.history)} actions to begin with end the match")
        self.table = table
        self.agents = self.possible_agents.copy()
        self.agent_selection = self.agents[self.table.seat]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.hand_over = False
        if self._mask_in_info:
            self._tell_masks(self.agents)
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Do ``action`` (an id, or a name) for ``agent_selection``; ``None`` when that seat's match is over.

        Raises IllegalAction (a ValueError), nothing changed, when the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        table.play(action)
        self._cumulative_rewards[agent] = 0.0
        hand_over = table.hand_over
        if hand_over:
            self.rewards = dict(zip(self.agents, table.rewards, strict=True))
            self._accumulate_rewards()
        elif self.hand_over:
            self._clear_rewards()
        if table.over:
            self._end_match()
        else:
            self.agent_selection = self.agents[table.seat]
            if self._mask_in_info:
                self._tell_masks((agent, self.agent_selection))
        self.hand_over = hand_over
        if self.render_mode == "human":
            self.render()

    def _end_match(self) -> None:
        endings = self.truncations if self.table.truncated else self.terminations
        for agent in self.agents:
            endings[agent] = True
        self._deads_step_first()

    def _deads_step_first(self) -> str:
        """PettingZoo's, which ``TerminateIllegalWrapper`` also calls when it ends the match and no hand."""
        self.hand_over = False
        if self._mask_in_info:
            self._tell_masks(self.agents)
        first: str = super()._deads_step_first()
        return first

    def _was_dead_step(self, action: None) -> None:
        super()._was_dead_step(action)
        self.hand_over = False

    @property
    def match_over(self) -> bool:
        """Whether the match is over, be it by an illegal action."""
        return any(self.terminations.values()) or any(self.truncations.values()) or not self.agents

    # --- What is seen ---------------------------------------------------------------------------------------

    def observe(self, agent: str) -> Any:
        """What ``agent`` sees, as fresh arrays, at any time after the first reset.

        A dict of ``"observation"`` and ``"action_mask"``, int8 (num_actions,), which is all zeros off turn and after
        the end; with ``mask="info"`` the observation alone. The observation is int8 (layout size,), or what
        ``Table.observation`` has instead under the option ``observation``.
        """
        seat = self._seats[agent]
        observation, mask = self.table.observe(seat)
        if self.game.has_events:
            observation = self.table.observation(seat)
        if self._mask_in_info:
            return observation
        if self.terminations.get(agent, True):
            mask[:] = 0
        return {"observation": observation, "action_mask": mask}

    def state(self) -> np.ndarray:
        """The whole table, int8 (state layout size,), in ``state_space``: ``Table.state`` of no seat."""
        return self.table.state()

    def render(self) -> str | None:
        """A text picture of the table, all cards face up: ``"ansi"`` returns it, ``"human"`` prints it.

        Without a render mode there is a warning and None.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode shows nothing; make the environment with one")
            return None
        text = picture(self.table)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def clone(self) -> "TrickEnv":
        """A bare environment in the same position that goes on independently; wrappers stay behind."""
        return copy.deepcopy(self)

    def _tell_masks(self, agents: Any) -> None:
        """Put fresh masks into the infos of ``agents``."""
        for agent in agents:
            dead = self.terminations[agent] or self.truncations[agent]
            seat = self._seats[agent]
            mask = np.zeros(self.game.num_actions, np.int8) if dead else self.table.action_mask(seat)
            self.infos[agent] = {"action_mask": mask}
