"""The rules: one file a game, in the order of its rulebook; a variant with other cards has a file of its own."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from trick_envs.games import cancellation_hearts, hearts, rage_glyphs, rewind, setback

GAMES = {game.NAME: game for game in (hearts, setback, rage_glyphs, rewind)}
VARIANTS = {(game.NAME, game.VARIANT): game for game in (cancellation_hearts,)}


def rules_of(name: str, options: Mapping[str, Any]) -> ModuleType:
    """The rules of the game called ``name``, which must be one of ``GAMES``, under options not yet checked."""
    variant = options.get("variant")
    return VARIANTS.get((name, variant), GAMES[name]) if isinstance(variant, str) else GAMES[name]
