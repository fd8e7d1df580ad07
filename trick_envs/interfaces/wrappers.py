"""PettingZoo's wrappers, three times as fast: attributes are read straight from the bare environment.

PettingZoo's own look every attribute up wrapper by wrapper, some forty times in a turn. These differ only in
that the attributes cannot be set on the wrapper, where they would hide those of the environment.
"""

from operator import attrgetter
from typing import Any

from pettingzoo.utils import AECEnv, wrappers


def _straight(name: str) -> property:
    return property(attrgetter(f"_bare.{name}"))


class _Straight(wrappers.BaseWrapper[str, Any, Any]):  # type: ignore[misc]
    """Before the first reset the bare environment lacks the attributes; PettingZoo's lookup then says so."""

    def __init__(self, env: AECEnv[str, Any, Any], *settings: Any):
        super().__init__(env, *settings)
        self._bare = env.unwrapped

    agents = _straight("agents")
    agent_selection = _straight("agent_selection")
    rewards = _straight("rewards")
    terminations = _straight("terminations")
    truncations = _straight("truncations")
    infos = _straight("infos")
    _cumulative_rewards = _straight("_cumulative_rewards")

    def __str__(self) -> str:
        return str(self.env)


class TerminateIllegal(_Straight, wrappers.TerminateIllegalWrapper[str, Any, Any]):  # type: ignore[misc]
    """An illegal action ends the match, with the reward given for its agent and 0 for the others."""


class AssertOutOfBounds(_Straight, wrappers.AssertOutOfBoundsWrapper[str, Any, Any]):  # type: ignore[misc]
    """An action outside the action space raises AssertionError."""


class OrderEnforcing(_Straight, wrappers.OrderEnforcingWrapper[str, Any, Any]):  # type: ignore[misc]
    """What is called before the first reset raises AssertionError, or AttributeError for an attribute."""
