"""Thousands of tables played together by compiled loops."""

import copy
import os
import struct
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import prod
from typing import Any

import numpy as np

from trick_envs.engine import loops, worlds
from trick_envs.engine.dispatch import as_records
from trick_envs.engine.game import Game, check_seed
from trick_envs.engine.records import log_bytes, pack_bytes, read_logs, unpack_bytes
from trick_envs.engine.table import IllegalAction, Table

SIZES = struct.Struct("<I?")  # tables, whether events are kept
FEWEST_ROWS_A_THREAD = 256
HEAD_START = 1000  # rows that are done while another thread wakes up
MOST_THREADS = 256
ALIGNMENT = 64


class Tables:
    """A batch of matches of one game, each dealt anew, with a new seed, when it ends.

    Row k plays exactly as ``game.table(seed=tables.seeds[k])`` does, whatever the other rows do. The arrays are
    the tables' own and are overwritten by ``step``: copy what you keep.

    seat         int8 (N,)                seat to act
    legal        int64 (N, words)         its legal actions: action a is bit a % 60 of word a // 60
    ply          int32 (N,)               actions done in the match
    observation  int8 (N, layout.size)    the features that seat sees
    events       int16 (N, most_events)   the events that seat has seen
    action_mask  int8 (N, num_actions)    its legal actions
    rewards      float32 (N, seats)       of the last step
    done         bool (N,)                rows whose match ended in the last step
    truncated    bool (N,)                of those, the rows that ``max_hands`` ended
    scores       int32 (N, seats)         final scores of the rows that are done
    seeds        uint64 (N,)              seed of each row's present match

    Which of ``observation`` and ``events`` are there is for the game's option ``observation`` to say; with
    ``observe=False`` both are left out, and the mask. What is left out has no rows.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seed: int | np.ndarray = 0,
        observe: bool = True,
        threads: int = 1,
    ):
        """``count`` tables seeded from ``seed``, or by an array of a seed for each, uint64 (count,).

        observe: whether to write observations and masks, and to keep events.
        threads: threads that share the rows of a step; the results do not depend on it.
        """
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"count={count!r}: a number of tables from 1 up")
        if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads={threads!r}: a number of threads from 1 to {MOST_THREADS}")
        self.game = game
        self.threads = threads
        self._hold(game.new_records(int(count)), _row_seeds(seed, int(count)), observe)
        self._run(loops.start_rows)
        self._run(loops.show_rows)

    def _hold(self, records: np.ndarray, seeds: np.ndarray, observe: bool) -> None:
        """Take over the table records and seeds of the rows, with all other arrays new."""
        game, count = self.game, len(records)
        self.records = records
        self.seeds = seeds
        self.seat = _zeros((count,), np.int8)
        self.legal = _zeros((count, records["legal"].shape[1]), np.int64)
        self.ply = _zeros((count,), np.int32)
        observed = count if observe else 0
        self.logs = game.new_logs(observed)
        self.observation = _zeros((observed if game.has_features else 0, game.layout.size), np.int8)
        self.events = _zeros((len(self.logs), self.logs.shape[2]), np.int16)
        self.action_mask = _zeros((observed, game.num_actions), np.int8)
        self.rewards = _zeros((count, game.num_players), np.float32)
        self.done = _zeros((count,), np.bool_)
        self.truncated = _zeros((count,), np.bool_)
        self.scores = _zeros((count, game.num_players), np.int32)
        self.batch = loops.Batch(
            self.seat,
            self.legal,
            self.ply,
            self.observation,
            self.action_mask,
            self.rewards,
            self.done,
            self.truncated,
            self.scores,
            self.seeds,
            self.events,
            np.zeros(len(self.events), np.int32),
            self.logs,
        )
        self._scratch = [(game.stock(), game.new_views()) for _ in range(self.threads)]

    def __len__(self) -> int:
        return len(self.records)

    def step(self, actions: np.ndarray) -> None:
        """Do one action in every row: ids, an integer array (N,).

        Raises IllegalAction naming the first row whose action is not legal, with nothing changed.
        """
        actions = self.checked(actions)
        self._run(loops.step_rows, actions)

    def checked(self, actions: np.ndarray) -> np.ndarray:
        """Actions that ``step`` takes, int64 (N,); ValueError or IllegalAction when it does not."""
        actions = np.asarray(actions)
        if actions.shape != self.seat.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions of shape {actions.shape} and dtype {actions.dtype}: an integer for each of {len(self)} rows"
            )
        actions = actions.astype(np.int64, copy=False)
        row = loops.first_illegal(self.legal, actions)
        if row != loops.NO_ROW:
            raise IllegalAction(f"row {row}: {self.table(row).refusal(int(actions[row]))}")
        return actions

    def run(self, policies: Any, hands: int) -> np.ndarray:
        """Play ``hands`` more hands in every row without a Python loop.

        policies: a compiled bot (``bots.make("random" or "rules", game)``) for all seats, or one for each seat.
        Returns the rewards summed over those hands, float64 (N, seats). Matches that end are followed by new ones;
        ``rewards``, ``done``, ``truncated`` and ``scores`` are those of no step afterwards.
        Raises ValueError, nothing changed, for other bots or numbers.
        """
        seats = self.game.num_players
        lineup = list(policies) if isinstance(policies, Sequence) else [policies] * seats
        if len(lineup) != seats or not all(hasattr(policy, "play_hands") for policy in lineup):
            raise ValueError(f"policies={policies!r}: a compiled bot (random, rules), or one for each of {seats} seats")
        if isinstance(hands, bool) or not isinstance(hands, (int, np.integer)) or not 1 <= hands < 2**31:
            raise ValueError(f"hands={hands!r}: a number of hands from 1 up")
        rewards: np.ndarray = lineup[0].play_hands(self, lineup, hands)
        self._show_afresh()
        return rewards

    def _show_afresh(self) -> None:
        """Bring the arrays up to date with records that were changed other than by a step."""
        self.seeds[:] = self.records["seed"]
        for array in (self.rewards, self.done, self.truncated, self.scores):
            array[:] = 0
        self._run(loops.show_rows)

    def _run(self, loop: Callable[..., None], *arguments: Any) -> None:
        """Call a loop over all rows, shared by the threads."""
        self.over_rows(
            lambda first, last, stock, views: loop(first, last, self.records, self.batch, stock, views, *arguments)
        )

    def over_rows(self, work: Callable[[int, int, loops.Stock, np.ndarray], Any]) -> None:
        """Call ``work(first, last, stock, views)`` for stretches of rows that make up all, one on each thread.

        This thread takes more rows, for it begins while the others are still waking up.
        ``stock`` holds a scratch deck, ``views`` is a scratch view record array (1,); no other thread uses them.
        """
        threads = max(1, min(self.threads, (len(self) - HEAD_START) // FEWEST_ROWS_A_THREAD))
        share = (len(self) - HEAD_START) // threads
        bounds = [0, *(len(self) - share * left for left in range(threads - 1, -1, -1))]
        others = [
            shared_threads(threads - 1).submit(work, bounds[part], bounds[part + 1], *self._scratch[part])
            for part in range(1, threads)
        ]
        work(bounds[0], bounds[1], *self._scratch[0])
        for other in others:
            other.result()

    def rows(self, rows: Any = None) -> np.ndarray:
        """Row numbers, int64 (K,), of ``rows``: numbers, a mask bool (N,), or ``None`` for all.

        Raises ValueError for other things and for rows that are not there.
        """
        if rows is None:
            return np.arange(len(self))
        given = np.asarray(rows)
        if given.dtype == np.bool_ and given.shape == (len(self),):
            return np.flatnonzero(given)
        if given.size == 0 and given.ndim == 1:
            return given.astype(np.int64)
        if given.ndim != 1 or given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= len(self):
            raise ValueError(f"rows={rows!r}: numbers from 0 to {len(self) - 1}, or a mask of all rows")
        return given.astype(np.int64, copy=False)

    def state(self, rows: np.ndarray) -> np.ndarray:
        """The whole table as the seat to act would see it with all cards face up: a fresh int8 (K, state size).

        rows: which tables, integers (K,). The first ``layout.size`` entries are the observation.
        """
        rows = self.rows(rows)
        states = np.empty((len(rows), self.game.state_layout.size), np.int8)
        loops.state_rows(self.records, rows, self._scratch[0][1], states)
        return states

    def resample(self, seed: int, seats: np.ndarray | None = None) -> "Tables":
        """Tables in which all that a seat of each row cannot know is drawn afresh, as ``Table.resample`` does.

        seats: for each row the seat, int (N,); by default the seat to act. The arrays of the new tables are those of
        no step. Its rows go on with the seeds they have: deals of later hands stay as they are.
        Raises ValueError for seats that are not at the table.
        """
        chosen = self.seat.copy() if seats is None else np.asarray(seats)
        here = chosen.shape == self.seat.shape and chosen.dtype.kind in "iu"
        if not here or chosen.min() < 0 or chosen.max() >= self.game.num_players:
            raise ValueError(
                f"seats={seats!r}: a seat from 0 to {self.game.num_players - 1} for each of {len(self)} rows"
            )
        twin = self.copy()
        places = self.game.places()
        chosen = chosen.astype(np.int8)
        worlds.resample_rows(twin.records, chosen, np.uint64(check_seed(seed)), places)
        if len(twin.events):
            loops.tell_anew_rows(twin.records, chosen, twin.batch)
        twin._show_afresh()
        return twin

    def table(self, row: int) -> Table:
        """An independent copy of a row's table, as it stands. Its history is not kept in a batch and is empty."""
        row = range(len(self))[row]
        log = self.logs[row].copy() if len(self.events) else None
        return Table.of_record(self.game, self.records[row : row + 1].copy(), log=log)

    def copy(self) -> "Tables":
        """Independent tables in the same positions, with the arrays as they stand."""
        twin = copy.copy(self)
        twin._hold(self.records.copy(), self.seeds.copy(), self._observes)
        for mine, theirs in zip(self.batch, twin.batch, strict=True):
            theirs[:] = mine
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Tables":
        return self.copy()

    @property
    def _observes(self) -> bool:
        return len(self.action_mask) > 0

    def __getstate__(self) -> dict[str, Any]:
        arrays = dict(zip(self.batch._fields, self.batch, strict=True))
        return {
            "game": self.game,
            "threads": self.threads,
            "records": self.records.tobytes(),
            "arrays": arrays,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.game = state["game"]
        self.threads = state["threads"]
        records = as_records(np.frombuffer(bytearray(state["records"]), self.game.kind.table))
        arrays = state["arrays"]
        self._hold(records, arrays["seeds"].copy(), len(arrays["action_mask"]) > 0)
        for name, array in arrays.items():
            getattr(self.batch, name)[:] = array

    def save(self) -> bytes:
        """All tables in compact bytes, for ``load``."""
        sizes = SIZES.pack(len(self), len(self.events) > 0)
        return pack_bytes(self.game, "tables", sizes + self.records.tobytes() + self._log_bytes())

    def _log_bytes(self) -> bytes:
        return log_bytes(self.logs, self.records["told"]) if len(self.events) else b""

    def load(self, saved: bytes) -> None:
        """Bring all rows to where they were when ``save`` made ``saved``; rewards and ends are those of no step.

        Raises ValueError, nothing changed, when it is damaged, of other rules or of another number of tables.
        """
        content = unpack_bytes(self.game, "tables", saved)
        rows, with_log = SIZES.unpack_from(content)
        if (rows, with_log) != (len(self), len(self.events) > 0):
            kept = ("without", "with")
            raise ValueError(
                f"saved were {rows} tables {kept[with_log]} events, these are {len(self)} {kept[len(self.events) > 0]}"
            )
        end = SIZES.size + self.records.nbytes
        self.records[:] = np.frombuffer(content[SIZES.size : end], self.records.dtype)
        if with_log:
            read_logs(self.logs, self.records["told"], content[end:])
        self._show_afresh()

    def __repr__(self) -> str:
        return f"<{len(self)} tables of {self.game!r}>"


def _zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Zeros that begin at a multiple of ``ALIGNMENT`` bytes: JAX shares no other memory."""
    size = prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size].view(dtype).reshape(shape)


def _row_seeds(seed: int | np.ndarray, count: int) -> np.ndarray:
    if isinstance(seed, np.ndarray):
        if seed.shape != (count,) or seed.dtype.kind not in "iu" or (seed < 0).any():
            raise ValueError(f"seeds of shape {seed.shape} and dtype {seed.dtype}: a seed for each of {count} rows")
        return seed.astype(np.uint64)
    return np.random.SeedSequence(check_seed(seed)).generate_state(count, np.uint64)


def shared_threads(workers: int) -> ThreadPoolExecutor:
    """So many threads, the same at each call."""
    return _pool(os.getpid(), workers)


@cache
def _pool(process: int, workers: int) -> ThreadPoolExecutor:
    """The threads of this process: a forked child, which inherits no threads, gets its own."""
    return ThreadPoolExecutor(workers, thread_name_prefix="trick_envs")
