"""The names under which ``pettingzoo.make`` finds the games."""

import pettingzoo

from trick_envs.games import GAMES

ENVIRONMENTS = tuple(f"{name}_v{rules.VERSION}" for name, rules in GAMES.items())  # modules


def register_environments() -> None:
    """Register every game as ``trick_envs/<name>-v<version>`` where PettingZoo has a registry (from 1.27 on).

    The environments' modules are imported only when one is made. Registering again changes nothing.
    """
    if not hasattr(pettingzoo, "register"):
        return
    for name, rules in GAMES.items():
        env_id = f"trick_envs/{name}-v{rules.VERSION}"
        if env_id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", env_id, entry_point=f"trick_envs.{name}_v{rules.VERSION}:env")
