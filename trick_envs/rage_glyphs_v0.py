"""Rage'n Glyphs for PettingZoo; the options are those of ``trick_envs.games.rage_glyphs.Options``."""

from typing import Any

from trick_envs.interfaces.pettingzoo import TrickEnv, make_env, make_raw_env
from trick_envs.interfaces.wrappers import OrderEnforcing

__all__ = ["env", "raw_env"]


def env(**options: Any) -> OrderEnforcing:
    """Rage'n Glyphs in PettingZoo's usual wrappers: an illegal action ends the match (see ``make_env``)."""
    return make_env("rage_glyphs", **options)


def raw_env(**options: Any) -> TrickEnv:
    """Rage'n Glyphs as a bare environment: an illegal action raises ``IllegalAction`` (see ``make_raw_env``)."""
    return make_raw_env("rage_glyphs", **options)
