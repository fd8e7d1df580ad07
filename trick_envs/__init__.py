"""Trick-taking card games for reinforcement learning, on an engine that plays millions of decisions a second."""

from typing import Any

from trick_envs import bots
from trick_envs.engine import Game, IllegalAction, Table, Tables, View, replay
from trick_envs.interfaces.registry import register_environments

__all__ = ["Game", "IllegalAction", "Table", "Tables", "View", "bots", "make", "replay"]
__version__ = "0.1.0"


def make(name: str, /, **options: Any) -> Game:
    """The game called ``name`` (``"hearts"``) with options settled; see the game's ``Options`` for what there is.

    Raises ValueError naming an unknown game or option, the value given and the values allowed.

    >>> make("hearts", num_players=3).num_players
    3
    """
    return Game(name, **options)


register_environments()
