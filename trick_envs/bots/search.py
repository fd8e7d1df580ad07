"""Bots that look ahead in sampled worlds: ``search`` and ``ismcts``.

They know what their seat has seen, and sample the rest: the worlds are a function of that and of their seed, so a
choice does not change when hidden cards change places.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trick_envs.bits import listed
from trick_envs.bots import absent, loops, race, rewind_endgame, solver, tree
from trick_envs.bots.budget import Budget
from trick_envs.bots.checks import check_tables, check_view
from trick_envs.bots.policy import PolicyBot
from trick_envs.bots.race import Desk, Race
from trick_envs.bots.threads import in_threads, usable_cores
from trick_envs.engine import Game, Tables, View
from trick_envs.engine.dispatch import provide
from trick_envs.engine.kinds import KINDS
from trick_envs.engine.loops import state_rows
from trick_envs.games.table import PASS

ENDGAMES = {"rewind": rewind_endgame}
for _kind in KINDS.values():
    provide(_kind.name, ENDGAMES.get(_kind.name, absent))

MOST_WORLDS = 1 << 16  # of one decision
MOST_TIMES = 4  # the worlds of the budget, where few candidates are left to share its playouts
MOST_NODES = 1 << 18
SIMULATIONS_A_WORLD = 8  # of the tree that takes the place of the race where nothing is hidden
SIMULATIONS_AT_ONCE = 64  # between two looks at the clock
DROP = 2.0  # paired standard errors behind the leader at which a candidate drops out
# Paired standard errors by which a candidate must lead the rule bot's choice to be played. More where cards are passed:
# there are so many candidates, and so near to each other, that some lead by chance.
MARGIN, PASS_MARGIN = 1.0, 2.5
MOST_GUIDED = 5  # candidates that a policy proposes


class WorldsBot:
    """What both bots have in common: views and batches, threads and budgets.

    budget: for one decision. seed: of the worlds. threads: that share the work; choices do not depend on them.
    """

    needs_observation = False
    rounds = "rounds"
    usual_budget = "1"

    def __init__(self, name: str, game: Game, budget: Budget, seed: int = 0, threads: int | None = None):
        self.name = name
        self.game = game
        self.budget = budget
        self.seed = seed
        self.threads = threads or usable_cores()
        self._room = threading.local()

    def act(self, view: View) -> int:
        """The id of the action it chooses, for the observer of ``view``, who is on turn."""
        check_view(self.game, view)
        return self._choose(view._world, 0, self.threads)

    def act_batch(self, tables: Tables, rows: np.ndarray | None = None) -> np.ndarray:
        """The ids of the actions it chooses in ``rows`` (all when ``None``) of ``tables``: int64 (rows,)."""
        check_tables(self.game, tables)
        rows = tables.rows(rows)
        actions = np.empty(len(rows), np.int64)

        def work(part: int) -> None:
            for k in range(part, len(rows), self.threads):
                actions[k] = self._choose(tables.records, rows[k], 1)

        in_threads(work, self.threads)
        return actions

    def _choose(self, tables: np.ndarray, row: int, threads: int) -> int:
        """What it does at ``tables[row]``, a table record of which it uses what the seat on turn can see."""
        legal = listed(tables["legal"][row].tolist())
        return legal[0] if len(legal) == 1 else self._decide(tables, row, legal, threads)

    def _decide(self, tables: np.ndarray, row: int, legal: Sequence[int], threads: int) -> int:
        raise NotImplementedError

    def _held(self, name: str, make: Callable[[], Any]) -> Any:
        """Something big that each thread makes once."""
        if not hasattr(self._room, name):
            setattr(self._room, name, make())
        return getattr(self._room, name)

    def _desk(self) -> Desk:
        game = self.game
        return self._held("desk", lambda: Desk(game.new_records(2), game.places()))

    def _search_tree(self, tables: np.ndarray, row: int, views: np.ndarray | None, simulations: int) -> int:
        """The most visited action of a tree; ``simulations`` of it are one round of the budget."""
        words = tables["legal"].shape[1]
        rounds = self.budget.rounds if self.budget.fixed else MOST_NODES
        nodes = min(MOST_NODES, rounds * simulations) + 1
        grown, desk = self._held("tree", lambda: tree.room(nodes, words)), self._desk()
        key = np.uint64(race.key_of(tables, row, np.uint64(self.seed)))
        tree.plant(grown)
        clock, done = self.budget.clock(), 0
        while (more := clock.rounds_left(SIMULATIONS_AT_ONCE)) > 0:
            tree.grow(tables, row, simulations * done, simulations * (done + more), key, grown, desk, views)
            done += more
        return int(tree.most_visited(grown))

    def __repr__(self) -> str:
        return f"<{self.name} bot for {self.game.name}>"


class IsmctsBot(WorldsBot):
    """Single-observer information set Monte Carlo tree search with random playouts."""

    rounds = "simulations"
    usual_budget = "1000"

    def _decide(self, tables: np.ndarray, row: int, legal: Sequence[int], threads: int) -> int:
        return self._search_tree(tables, row, None, 1)


class SearchBot(WorldsBot):
    """The strong one: candidates race through the same sampled worlds, the rule bot in all seats.

    What is saved on candidates that drop out goes to those still in: ``rounds`` worlds for each candidate on average,
    ``MOST_TIMES`` as many at most. It does what the rule bot does unless another action is clearly ahead. Where
    nothing is hidden it searches a tree instead, and near the end it solves the hand, if the game says how.
    """

    rounds = "worlds"
    usual_budget = "128"

    def _decide(self, tables: np.ndarray, row: int, legal: Sequence[int], threads: int) -> int:
        if race.places_hidden(tables, row, self._desk()):
            return self._race(tables, row, legal, threads)
        if solver.can_be_solved(tables, row):
            return int(solver.solve(tables, row, self._solver()))
        return self._search_tree(tables, row, self._views(), SIMULATIONS_A_WORLD)

    def _views(self) -> np.ndarray:
        """Room for the views of the rule bot."""
        views: np.ndarray = self._held("views", self.game.new_views)
        return views

    def _solver(self) -> solver.Solver:
        game = self.game
        return self._held("solver", lambda: solver.room(game.new_records(solver.DEPTH), game.num_players))

    def _candidates(self, tables: np.ndarray, row: int, legal: Sequence[int]) -> tuple[Sequence[int], int]:
        """The actions to compare, and the index of the one to take unless another is clearly better."""
        return legal, legal.index(self._ruled(tables, row))

    def _race(self, tables: np.ndarray, row: int, legal: Sequence[int], threads: int) -> int:
        candidates, default = self._candidates(tables, row, legal)
        if len(candidates) == 1:
            return candidates[0]
        most_worlds = min(MOST_WORLDS, MOST_TIMES * self.budget.rounds) if self.budget.fixed else MOST_WORLDS
        values = self._held("values", lambda: np.empty((most_worlds, self.game.num_actions), np.float32))
        field = Race(np.array(candidates), np.ones(len(candidates), np.bool_), values)
        key = np.uint64(race.key_of(tables, row, np.uint64(self.seed)))
        clock, done, left = self.budget.clock(len(candidates)), 0, len(candidates)
        while left > 1 and (more := clock.rounds_left(min(self._batch(done), most_worlds - done), left)) > 0:
            self._run(tables, row, done, done + more, key, field, threads)
            done += more
            left = race.drop_behind(field, done, default, DROP)
        margin = PASS_MARGIN if tables["phase"][row] == PASS else MARGIN
        return int(race.winner(field, done, default, margin))

    def _batch(self, done: int) -> int:
        """Worlds until the next look at the standings, or the clock: as many as there were, within limits."""
        return min(max(race.FIRST_WORLDS, done), race.MOST_AT_ONCE) if self.budget.fixed else race.FIRST_WORLDS

    def _run(
        self, tables: np.ndarray, row: int, first: int, last: int, key: np.uint64, field: Race, threads: int
    ) -> None:
        """Run the worlds numbered from ``first`` to before ``last``, shared by the threads."""
        bounds = [first + (last - first) * part // threads for part in range(threads + 1)]

        def work(part: int) -> None:
            start, end = bounds[part : part + 2]
            race.run_worlds(tables, row, start, end, key, field, self._desk(), self._views())

        in_threads(work, threads)

    def _ruled(self, tables: np.ndarray, row: int) -> int:
        """What the rule bot would do."""
        actions = np.empty(1, np.int64)
        loops.act_rows(tables, np.array([row]), self._views(), loops.RULES, np.uint64(0), actions)
        return int(actions[0])


class GuidedSearchBot(SearchBot):
    """A search led by a policy: its likeliest actions are the candidates, and the first of them is the one to beat.

    Playouts are those of the rule bot. Where nothing is hidden it does what ``SearchBot`` does.
    policy: a ``PolicyBot`` for the game.
    """

    def __init__(self, name: str, game: Game, budget: Budget, policy: PolicyBot, seed: int = 0):
        super().__init__(name, game, budget, seed)
        self.policy = policy

    def _candidates(self, tables: np.ndarray, row: int, legal: Sequence[int]) -> tuple[Sequence[int], int]:
        states = np.empty((1, self.game.state_layout.size), np.int8)
        state_rows(tables, np.array([row]), self._views(), states)
        logits = self.policy.logits(states[:, : self.game.layout.size])[0]
        return sorted(legal, key=lambda action: -logits[action])[:MOST_GUIDED], 0


SEARCH_BOTS = {"search": SearchBot, "ismcts": IsmctsBot}


def make(name: str, game: Game, seed: int) -> WorldsBot:
    """The bot called ``search`` or ``ismcts``, with a budget behind a colon if it is not to have its usual one.

    Behind another colon a search may have the folder of a checkpoint to be guided by.
    Raises ValueError for a budget that is none, or a checkpoint that is none or does not fit.
    """
    method, *rest = name.split(":", 2)
    kind = SEARCH_BOTS[method]
    try:
        budget = Budget.parse(rest[0] if rest else kind.usual_budget, kind.rounds)
        if len(rest) < 2:
            return kind(name, game, budget, seed)
        if kind is not SearchBot:
            raise ValueError(f"{method} is not guided by a policy; search is")
        return GuidedSearchBot(name, game, budget, PolicyBot.load(Path(rest[1]), game), seed)
    except ValueError as error:
        raise ValueError(f"bot {name!r}: {error}") from None


def guide_of(name: str) -> str | None:
    """The folder of the checkpoint that the bot called ``name`` is guided by, if it is a search and has one."""
    method, *rest = name.split(":", 2)
    return rest[1] if method in SEARCH_BOTS and len(rest) == 2 else None
