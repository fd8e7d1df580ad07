"""Speed of search on one core: simulations and playouts in Hearts, and the solver of Rewind's second round.

Hearts is measured at the first real decision of a hand without passing: the seat after the two of clubs was led. A
simulation is one of information set Monte Carlo tree search with a random playout; a playout is one of a candidate in
a sampled world with the rule bot in all seats, the sampling of the worlds included.
"""

import itertools
import statistics
import time

import numpy as np

import trick_envs
from benchmarks.ours import rate
from trick_envs import bots
from trick_envs.bots import race, search, solver

POSITIONS = 8
SIMULATIONS = 1000  # of one decision
WORLDS = 250


def first_decisions(game: trick_envs.Game) -> list[trick_envs.Table]:
    """Tables at which the first seat with a choice is to act."""
    tables = []
    for seed in range(POSITIONS):
        table = game.table(seed=seed)
        while len(table.legal_actions()) == 1:
            table.play(table.legal_actions()[0])
        tables.append(table)
    return tables


def simulations(seconds: float = 2.0) -> float:
    """Simulations a second of ``ismcts``."""
    game = trick_envs.make("hearts", pass_cards=0)
    bot = bots.make(f"ismcts:{SIMULATIONS}", game)
    views = itertools.cycle([table.view(table.seat) for table in first_decisions(game)])

    def decide() -> int:
        bot.act(next(views))
        return SIMULATIONS

    return rate(decide, seconds)


def playouts(seconds: float = 2.0) -> float:
    """Playouts a second of ``search``, on one thread."""
    game = trick_envs.make("hearts", pass_cards=0)
    bot = search.make("search", game, seed=0)
    tables = itertools.cycle(first_decisions(game))
    desk, views = bot._desk(), game.new_views()

    def run() -> int:
        table = next(tables)
        actions = np.array(table.legal_actions())
        values = np.empty((WORLDS, game.num_actions), np.float32)
        field = race.Race(actions, np.ones(len(actions), np.bool_), values)
        race.run_worlds(table.records, 0, 0, WORLDS, np.uint64(1), field, desk, views)
        return WORLDS * len(actions)

    return rate(run, seconds)


def solver_milliseconds(left: int, seats: int = 4, positions: int = 60) -> tuple[float, float, float]:
    """Median and largest milliseconds, and median positions looked at, with so many tricks of Round II left.

    The rule bot plays up to there, in hands of different seeds, and the leader of the trick is to act.
    """
    game = trick_envs.make("rewind", num_players=seats)
    rules = bots.make("rules", game)
    bot = search.SearchBot("search", game, search.Budget(rounds=1))
    work = bot._solver()
    milliseconds, nodes = [], []
    for seed in range(positions + 1):
        table = game.table(seed=seed)
        while table.round == 1 or table.trick or len(table.hands()[table.seat]) > left:
            table.play(rules.act(table.view(table.seat)))
        start = time.perf_counter()
        solver.solve(table.records, 0, work)
        milliseconds.append(1000 * (time.perf_counter() - start))
        nodes.append(int(work.nodes[0]))
    return statistics.median(milliseconds[1:]), max(milliseconds[1:]), statistics.median(nodes[1:])
