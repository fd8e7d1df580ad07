"""Trick-taking card games for reinforcement learning, on an engine that plays millions of decisions a second."""

from importlib import import_module
from types import ModuleType
from typing import Any

from trick_envs import bots
from trick_envs.engine import Game, IllegalAction, Table, Tables, View, replay
from trick_envs.interfaces.registry import ENVIRONMENTS, register_environments

__all__ = ["Game", "IllegalAction", "Table", "Tables", "View", "bots", "make", "replay"]
__version__ = "0.1.0"


def __getattr__(name: str) -> ModuleType:
    """The modules of the environments, ``trick_envs.hearts_v0`` and so on, imported when they are asked for."""
    if name in ENVIRONMENTS:
        return import_module(f"trick_envs.{name}")
    raise AttributeError(f"module 'trick_envs' has no attribute {name!r}")


def make(name: str, /, **options: Any) -> Game:
    """The game called ``name`` (``"hearts"``) with options settled; see the game's ``Options`` for what there is.

    Raises ValueError naming an unknown game or option, the value given and the values allowed.

    >>> make("hearts", num_players=3).num_players
    3
    """
    return Game(name, **options)


register_environments()
