"""What one seat may know: all that a bot, or a person at a table, is given."""

from typing import TYPE_CHECKING, Any

import numpy as np

from trick_envs.bits import listed
from trick_envs.engine import loops, worlds
from trick_envs.engine.game import Game, check_seed
from trick_envs.games.table import NOBODY, PHASES

if TYPE_CHECKING:
    from trick_envs.engine.tables import Tables


class View:
    """What one seat of a table may know at a moment; there is no way from it to a hidden card.

    ``record`` is the game's view record, an array (1,) with the fields listed in ``trick_envs.views``; seats in it
    are relative to the observer, who is 0.
    """

    def __init__(self, game: Game, record: np.ndarray, world: np.ndarray, seat: int):
        """``world``: table records (1,), in which nothing is left of what is hidden; ``seat``: the observer's."""
        self.game = game
        self.record = record
        self._world = world
        self._seat = seat

    @property
    def on_turn(self) -> bool:
        """Whether the observer is to act."""
        return bool(self.record["seat"][0] == 0)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.record["seat"][0] == NOBODY)

    @property
    def phase(self) -> str:
        """Phase of the hand, as in ``Table.phase``."""
        return PHASES[self.record["phase"][0]]

    def worlds(self, count: int, seed: int = 0) -> "Tables":
        """``count`` tables that the observer may take for the real one, all consistent deals equally likely.

        They are a function of what the observer has seen and of ``seed``; see ``Table.resample``. Later hands are
        dealt from seeds of their own. Raises ValueError for a count or a seed that is none.
        """
        tables = self.game.tables(count, seed, observe=False)
        seeds = tables.seeds.copy()
        tables.records[:] = self._world[0]
        tables.records["seed"] = seeds
        seats = np.full(count, self._seat, np.int8)
        worlds.resample_rows(tables.records, seats, np.uint64(check_seed(seed)), self.game.places())
        tables._show_afresh()
        return tables

    def legal_actions(self) -> list[int]:
        """Ascending ids of what the observer may do, empty off turn."""
        return listed(self.record["legal"][0].tolist())

    @property
    def observation(self) -> np.ndarray:
        """The features, int8 (layout size,): a fresh array."""
        row = np.empty(self.game.layout.size, np.int8)
        loops.features_one(self.record, row)
        return row

    @property
    def action_mask(self) -> np.ndarray:
        """1 for each legal action, int8 (num_actions,), zeros off turn: a fresh array."""
        mask = np.zeros(self.game.num_actions, np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def explain(self) -> dict[str, Any]:
        """The observation in words, by the parts of the layout."""
        return self.game.layout.explain(self.observation)
