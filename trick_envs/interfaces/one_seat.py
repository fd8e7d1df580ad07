"""One seat of each of many tables, played from outside against bots: what the single-agent environments stand on."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from trick_envs import bots
from trick_envs.bots import Bot
from trick_envs.bots import loops as bot_loops
from trick_envs.bots.checks import check_game
from trick_envs.bots.compiled import CompiledBot
from trick_envs.bots.loops import OUTSIDE, OneSeat
from trick_envs.engine import Game, IllegalAction, Table, Tables, loops
from trick_envs.engine.game import check_seed
from trick_envs.engine.loops import NO_ACTION, NO_ROW

FIRST_SEEDS = 2**63 - 1  # what draws the seed of an unseeded first match draws it below this
Opponents = str | Path | Bot | Sequence[str | Path | Bot]


def settled(game: str | Game, options: dict[str, Any]) -> Game:
    """The game called ``game`` with ``options``, or ``game`` as it is; ValueError for both at once."""
    if not isinstance(game, Game):
        return Game(game, **options)
    if options:
        raise ValueError(f"{', '.join(options)}: the options of {game!r} are settled already")
    return game


class SeatTables:
    """A batch of matches of one game; in each, one seat is played from outside and bots hold the others.

    ``step`` makes one choice in every row, and the others play on until the next one: no row waits. A row whose match
    ends goes on with a new one, seeded as in ``Tables``, at once. A match that ends without a choice of its seat is
    passed over. The arrays are overwritten by ``step``.

    tables                    Tables of N rows: ``observation``, ``events``, ``action_mask`` of the seats to choose
    seats      int64 (N,)     the seat of the row's present match
    rewards    float64 (N,)   what the seat was paid by its last choice and all that followed up to its next choice, or
                              to the end of the match; the first of a match has what was paid before it as well
    done       bool (N,)      rows whose match ended in the last step; what is seen there is of the next match
    truncated  bool (N,)      of those, the rows that ``max_hands`` ended
    begun      bool           whether ``begin`` has been called
    """

    tables: Tables

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        opponents: Opponents = "rules",
        seat: int | None = None,
        skip_forced: bool = False,
        threads: int = 1,
    ):
        """``count`` rows; ``begin`` deals.

        opponents: a bot, or its name for ``bots.make``, for all other seats; or one for each, from the left of the
            seat on.
        seat: the seat played from outside, 0 … num_players − 1; ``None`` draws it anew for each match, by its seed.
        skip_forced: whether a forced move of the seat is made without asking.
        threads: threads that share the rows.
        Raises ValueError naming what is wrong.
        """
        seats = range(game.num_players)
        if seat is not None and (isinstance(seat, bool) or seat not in seats):
            raise ValueError(f"seat={seat!r}: a seat from 0 to {seats[-1]}, or None to draw it for each match")
        if not isinstance(skip_forced, bool):
            raise ValueError(f"skip_forced={skip_forced!r}: should be True or False")
        self.game = game
        self.count = count
        self.threads = threads
        self.seat = seat
        self.skip_forced = skip_forced
        self.begun = False
        self._lineup = _lineup(game, opponents)
        self._outside = [bot for bot in dict.fromkeys(self._lineup) if not isinstance(bot, CompiledBot)]
        self._views = game.new_views()
        self._unused_mask = np.empty(game.num_actions, np.int8)
        self.tables = game.tables(count, threads=threads)
        self._hold()

    def begin(self, seeds: Sequence[int | None], numbers: np.random.Generator) -> None:
        """Begin new matches in all rows, of ``seeds``: one a row, 0 … 2**64 − 1.

        ``None`` goes on from the row's last match, and draws the very first one's seed from ``numbers``.
        Raises ValueError, nothing changed, when a seed is none or their number is wrong.
        """
        if len(seeds) != self.count:
            raise ValueError(f"seed={seeds!r}: a seed for each of {self.count} rows")
        following = self._next_seeds() if self.begun else numbers.integers(FIRST_SEEDS, size=self.count).tolist()
        chosen = [after if seed is None else check_seed(seed) for seed, after in zip(seeds, following, strict=True)]
        self.tables = self.game.tables(self.count, np.array(chosen, np.uint64), threads=self.threads)
        self._hold()
        self._play_on(np.full(self.count, NO_ACTION))
        self.begun = True

    def _next_seeds(self) -> list[int]:
        records = self.tables.records
        return [int(loops.next_seed_one(records[row : row + 1])) for row in range(self.count)]

    def _hold(self) -> None:
        """Take new arrays for the present tables."""
        tables, count = self.tables, self.count
        compiled = [bot if isinstance(bot, CompiledBot) else None for bot in self._lineup]
        self._one = OneSeat(
            seats=np.full(count, self.seat or 0, np.int64),
            drawn=np.array([self.seat is None]),
            skips=np.array([self.skip_forced]),
            bots=np.array([OUTSIDE, *(OUTSIDE if bot is None else bot.index for bot in compiled)]),
            bot_seeds=np.array([0, *(0 if bot is None else bot.seed for bot in compiled)], np.uint64),
            decided=np.zeros(count, np.bool_),
            owed=np.zeros(count),
            rewards=np.zeros(count),
            done=np.zeros(count, np.bool_),
            truncated=np.zeros(count, np.bool_),
            ended=self.game.new_records(count),
            ended_seats=np.zeros(count, np.int64),
            ended_events=np.zeros_like(tables.events),
        )
        self.seats, self.rewards = self._one.seats, self._one.rewards
        self.done, self.truncated = self._one.done, self._one.truncated

    def step(self, actions: np.ndarray) -> None:
        """Make a choice in every row: ids, an integer array (N,).

        Raises IllegalAction naming the first row whose action is not legal, with nothing changed.
        """
        actions = self.tables.checked(actions)
        self.done[:] = False
        self.truncated[:] = False
        self._one.decided[:] = True
        self._play_on(actions)
        going_on = ~self.done
        self.rewards[going_on] = self._one.owed[going_on]
        self._one.owed[going_on] = 0

    def _play_on(self, actions: np.ndarray) -> None:
        """Do the actions, NO_ACTION for none, and let the others play until each row's seat is to choose."""
        going = np.ones(self.count, np.bool_)
        while going.any():
            self.tables.over_rows(partial(self._play_rows, going, actions))
            if not self._outside:
                return
            places = (self.tables.seat - self.seats) % self.game.num_players
            going = places != 0
            actions = self._chosen(places)

    def _play_rows(
        self, going: np.ndarray, actions: np.ndarray, first: int, last: int, stock: loops.Stock, views: np.ndarray
    ) -> None:
        tables = self.tables
        bot_loops.play_to_choice(first, last, tables.records, tables.batch, stock, views, going, actions, self._one)
        loops.show_rows(first, last, tables.records, tables.batch, stock, views)

    def _chosen(self, places: np.ndarray) -> np.ndarray:
        """What bots that are not compiled choose, int64 (N,), NO_ACTION where the seat itself is to choose.

        places: which seat to the left of it is on turn, (N,).
        """
        actions = np.full(self.count, NO_ACTION)
        for bot in self._outside:
            held = [place for place, holder in enumerate(self._lineup, 1) if holder is bot]
            rows = np.flatnonzero(np.isin(places, held))
            if len(rows):
                actions[rows] = bot.act_batch(self.tables, rows)
                wrong = loops.first_illegal(self.tables.legal[rows], actions[rows])
                if wrong != NO_ROW:
                    row = rows[wrong]
                    raise IllegalAction(f"{bot.name}: {self.tables.table(row).refusal(int(actions[row]))}")
        return actions

    def observation(self) -> Any:
        """What the seats see, fresh arrays (N, …) in the form of ``Table.observation``."""
        return self._in_form(self.tables.observation.copy(), self.tables.events.copy())

    def ended_observation(self, row: int) -> Any:
        """What the seat of a row saw as its last match ended, fresh, in the form of ``Table.observation``."""
        features = np.empty(self.game.layout.size, np.int8)
        loops.observe_one(
            self._one.ended[row : row + 1], self._one.ended_seats[row], self._views, features, self._unused_mask
        )
        return self._in_form(features, self._one.ended_events[row].copy() if self.game.has_events else features)

    def _in_form(self, features: np.ndarray, events: np.ndarray) -> Any:
        if not self.game.has_events:
            return features
        return {"features": features, "events": events} if self.game.has_features else events

    def ended_table(self, row: int) -> Table:
        """The table as the row's last match ended, without its history and events."""
        return Table.of_record(self.game, self._one.ended[row : row + 1].copy())


def _lineup(game: Game, opponents: Opponents) -> list[Bot]:
    """The bot of each seat to the left of the one played from outside."""
    others = game.num_players - 1
    several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    named: list[Any] = list(opponents) if several else [opponents] * others  # type: ignore[arg-type]
    if len(named) != others:
        raise ValueError(f"opponents={opponents!r}: a bot for all other seats, or one for each of {others}")
    made = {name: bots.make(name, game) for name in dict.fromkeys(named) if isinstance(name, (str, Path))}
    lineup = [made[bot] if isinstance(bot, (str, Path)) else bot for bot in named]
    for bot in lineup:
        if not (hasattr(bot, "act_batch") and hasattr(bot, "game")):
            raise ValueError(f"opponents={opponents!r}: {bot!r} is no bot and no name of one")
        check_game(bot.game, game)
    return lineup
