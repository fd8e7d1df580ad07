"""Setback (Pitch) for PettingZoo; the options are those of ``trick_envs.games.setback.Options``."""

from typing import Any

from trick_envs.interfaces.pettingzoo import TrickEnv, make_env, make_raw_env
from trick_envs.interfaces.wrappers import OrderEnforcing

__all__ = ["env", "raw_env"]


def env(**options: Any) -> OrderEnforcing:
    """Setback in PettingZoo's usual wrappers: an illegal action ends the match (see ``make_env``)."""
    return make_env("setback", **options)


def raw_env(**options: Any) -> TrickEnv:
    """Setback as a bare environment: an illegal action raises ``IllegalAction`` (see ``make_raw_env``)."""
    return make_raw_env("setback", **options)
