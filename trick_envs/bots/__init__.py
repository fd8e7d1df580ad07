"""Bots: they get what a seat may know, a ``View``, and no table."""

from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

import numpy as np

from trick_envs.bots.compiled import CompiledBot
from trick_envs.bots.loops import COMPILED_BOTS
from trick_envs.bots.policy import PolicyBot
from trick_envs.bots.search import SEARCH_BOTS
from trick_envs.bots.search import make as make_search
from trick_envs.engine import Game, Tables, View
from trick_envs.engine.game import check_seed


class Bot(Protocol):
    """What every bot can do."""

    name: str
    game: Game
    needs_observation: bool  # of ``Tables`` in ``act_batch``

    def act(self, view: View) -> int:
        """The id of the action it chooses, for the observer of ``view``, who is on turn."""

    def act_batch(self, tables: Tables, rows: np.ndarray | None = None) -> np.ndarray:
        """The ids of the actions it chooses in ``rows`` (all when ``None``) of ``tables``: int64 (rows,)."""


def make(name: str | Path, game: Game, seed: int = 0) -> Bot:
    """The bot called ``"random"``, ``"rules"``, ``"search"`` or ``"ismcts"``, or that of a checkpoint folder's path.

    A search has its budget for a decision behind a colon: ``"search:128"`` samples 128 worlds, ``"ismcts:1000"`` does
    1,000 simulations, ``"search:50ms"`` goes on for 50 milliseconds. ``"search:128:checkpoints/hearts"`` is led by the
    policy of a checkpoint folder.
    seed: of the numbers that the bot draws, if it draws any.
    Raises ValueError when there is no such bot or budget, or the checkpoint does not fit the game.
    """
    if name in COMPILED_BOTS:
        return CompiledBot(str(name), game, check_seed(seed))
    if isinstance(name, str) and name.partition(":")[0] in SEARCH_BOTS:
        return make_search(name, game, check_seed(seed))
    if str(name) and isinstance(name, (str, Path)) and Path(name).is_dir():
        return PolicyBot.load(Path(name), game)
    known = [*COMPILED_BOTS, *SEARCH_BOTS]
    if "/" in str(name) or isinstance(name, Path):
        raise ValueError(f"no checkpoint: there is no folder {str(name)!r}")
    like = get_close_matches(str(name), known, 1)
    hint = f"; did you mean {like[0]!r}?" if like else ""
    raise ValueError(f"no bot {str(name)!r}: {', '.join(known)}, or the folder of a checkpoint{hint}")
