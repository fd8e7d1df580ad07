"""Bots that run in compiled loops: random and rules."""

from collections.abc import Sequence

import numpy as np

from trick_envs.bots import cancellation_hearts, hearts, loops, rage_glyphs, rewind, setback
from trick_envs.bots.checks import check_game, check_tables, check_view
from trick_envs.engine import Game, Tables, View
from trick_envs.engine.dispatch import provide
from trick_envs.engine.kinds import KINDS

RULE_BOTS = {
    "hearts": hearts,
    "cancellation_hearts": cancellation_hearts,
    "setback": setback,
    "rage_glyphs": rage_glyphs,
    "rewind": rewind,
}
for _kind in KINDS.values():
    provide(f"{_kind.name}_view", RULE_BOTS[_kind.name])


class CompiledBot:
    """The random bot or a game's rule bot.

    Its choices in a batch depend on its seed, the seed of the table and the actions so far, and on nothing else.
    """

    needs_observation = False

    def __init__(self, name: str, game: Game, seed: int = 0):
        self.name = name
        self.game = game
        self.seed = seed
        self.index = loops.COMPILED_BOTS.index(name)
        self._numbers = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """The id of the action it chooses, for the observer of ``view``, who is on turn."""
        check_view(self.game, view)
        number = self._numbers.integers(2**64, dtype=np.uint64)
        return int(loops.act_one(view.record, self.index, number))

    def act_batch(self, tables: Tables, rows: np.ndarray | None = None) -> np.ndarray:
        """The ids of the actions it chooses in ``rows`` (all when ``None``) of ``tables``: int64 (rows,)."""
        check_tables(self.game, tables)
        rows = tables.rows(rows)
        actions = np.empty(len(rows), np.int64)
        if self.index == loops.RANDOM:
            loops.random_rows(tables.legal, tables.seeds, tables.ply, rows, np.uint64(self.seed), actions)
        else:
            views = self.game.new_views()
            loops.act_rows(tables.records, rows, views, self.index, np.uint64(self.seed), actions)
        return actions

    @staticmethod
    def play_hands(tables: Tables, bots: "Sequence[CompiledBot]", hands: int) -> np.ndarray:
        """Play ``hands`` more hands in every row, ``bots`` by seat, in one compiled loop; see ``Tables.run``."""
        for bot in bots:
            check_game(bot.game, tables.game)
        rewards = np.zeros((len(tables), tables.game.num_players))
        indices = np.array([bot.index for bot in bots])
        seeds = np.array([bot.seed for bot in bots], np.uint64)
        tables.over_rows(
            lambda first, last, stock, views: loops.play_hands(
                first, last, tables.records, tables.batch, stock, views, indices, seeds, hands, rewards
            )
        )
        return rewards

    def __repr__(self) -> str:
        return f"<{self.name} bot for {self.game.name}>"
