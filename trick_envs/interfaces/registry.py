"""The names under which ``pettingzoo.make`` and ``gymnasium.make`` find the games."""

import gymnasium
import pettingzoo

from trick_envs.games import GAMES

ENVIRONMENTS = tuple(f"{name}_v{rules.VERSION}" for name, rules in GAMES.items())  # modules


def register_environments() -> None:
    """Register every game. The environments' modules are imported only when one is made.

    With PettingZoo as ``trick_envs/<name>-v<version>`` where it has a registry (from 1.27 on), with Gymnasium as
    ``trick_envs/<Name>-v<version>`` (``RageGlyphs``). Registering again changes nothing.
    """
    _register_with_gymnasium()
    _register_with_pettingzoo()


def gymnasium_id(name: str) -> str:
    """The id of the game called ``name`` in Gymnasium's registry."""
    return f"trick_envs/{name.title().replace('_', '')}-v{GAMES[name].VERSION}"


def _register_with_gymnasium() -> None:
    for name in GAMES:
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(name),
                entry_point="trick_envs.interfaces.gymnasium:SeatEnv",
                vector_entry_point="trick_envs.interfaces.gymnasium:SeatVectorEnv",
                kwargs={"game": name},
            )


def _register_with_pettingzoo() -> None:
    if not hasattr(pettingzoo, "register"):
        return
    for name, rules in GAMES.items():
        env_id = f"trick_envs/{name}-v{rules.VERSION}"
        if env_id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", env_id, entry_point=f"trick_envs.{name}_v{rules.VERSION}:env")
