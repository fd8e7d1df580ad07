"""How a constant of the Setback rule bot was chosen: ``python -m benchmarks.setback_bot_sweep KEEP_JACK 0.5 0.95 1.2``.

The bot with each value plays duplicate deals against the bot as it stands, from all seats both ways round; the table
shows how many points a hand it is ahead, with 99 % intervals over deals. Random seats, who overbid, would tell little.
"""

import argparse
import importlib.util
from types import ModuleType

import numba
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy import stats

import trick_envs
from training.evaluation import deal_seeds, measuring_game, play_out
from trick_envs import Game, Tables
from trick_envs.bots import setback
from trick_envs.engine.loops import see

SETTINGS = {"4 as partners": (4, True), "2": (2, False), "3": (3, False), "4": (4, False)}


class Variant:
    """The rule bot with a constant changed: a copy of its module, compiled anew and kept out of every cache."""

    needs_observation = False

    def __init__(self, constant: str, value: float):
        self.name = f"{constant}={value}"
        rules = changed_module(constant, value).rules

        @numba.njit
        def act_rows(tables, rows, views, actions):
            for k in range(len(rows)):
                table = tables[rows[k]]
                see(table, table.seat, views[0], table.num_players)
                actions[k] = rules(views[0])

        self._act_rows = act_rows

    def act_batch(self, tables: Tables, rows: np.ndarray) -> np.ndarray:
        actions = np.empty(len(rows), np.int64)
        self._act_rows(tables.records, rows, tables.game.new_views(), actions)
        return actions


def changed_module(constant: str, value: float) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"setback_{constant}_{value}".replace(".", "_"), setback.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    setattr(module, constant, value)
    return module


def points_ahead(game: Game, variant: Variant, standing: Variant, seeds: np.ndarray) -> np.ndarray:
    """By deal, how many points a hand the variant is ahead, float64 (deals,)."""
    seats = game.num_players
    if game.options["partners"]:
        lineups = [[0, 1, 0, 1], [1, 0, 1, 0]]
    else:
        alone = 1 - np.eye(seats, dtype=np.int8)
        lineups = [*alone, *(1 - alone)]
    ahead = np.zeros(len(seeds))
    for lineup in np.array(lineups, np.int8):
        points, _ = play_out(game, [variant, standing], np.tile(lineup, (len(seeds), 1)), seeds)
        ahead += points[:, lineup == 0].mean(axis=1) - points[:, lineup == 1].mean(axis=1)
    return ahead / len(lineups)


def interval(values: np.ndarray) -> str:
    low, high = stats.t.interval(0.99, len(values) - 1, values.mean(), stats.sem(values) or 1e-12)
    return f"{values.mean():+.3f}  ({low:+.3f} … {high:+.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.setback_bot_sweep", description=__doc__)
    parser.add_argument("constant", help="a constant of trick_envs/bots/setback.py")
    parser.add_argument("values", nargs="+", type=float)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    now = getattr(setback, options.constant, None)
    if not isinstance(now, float):
        parser.error(f"{options.constant} is no number with a point in trick_envs/bots/setback.py")
    standing = Variant(options.constant, now)
    seeds = deal_seeds(options.seed, options.deals)
    console = Console()
    table = Table(title=f"{options.constant} against {now} as it stands, {options.deals:,} deals, points a hand ahead")
    for column in ("value", *SETTINGS):
        table.add_column(column, justify="right")
    for value in track(options.values, description=options.constant, console=console, transient=True):
        variant = Variant(options.constant, value)
        results = []
        for seats, partners in SETTINGS.values():
            game = measuring_game(trick_envs.make("setback", num_players=seats, partners=partners))
            results.append(interval(points_ahead(game, variant, standing, seeds)))
        table.add_row(str(value), *results)
    console.print(table)


if __name__ == "__main__":
    main()
