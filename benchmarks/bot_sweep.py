"""How a constant of a rule bot was chosen: ``python -m benchmarks.bot_sweep hearts SHED_LENGTH 20 37 50``.

The bot with each value sits among random seats and among bots as they stand, on the same deals; the table shows how
many points a hand it is ahead, and how many more than the bot as it stands, with 99 % intervals over deals. An entry of
a tuple is named by its place: ``BID_TRUMP[0]``. A constant that others are made of on import cannot be swept.
"""

import argparse
import importlib.util
import re
from types import ModuleType
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy import stats

import trick_envs
from training.__main__ import _option
from training.evaluation import ahead_a_hand, deal_seeds, measuring_game, play_blocks
from training.seatings import seatings, usual_formation
from trick_envs import Game, Tables, bots
from trick_envs.bots.compiled import RULE_BOTS
from trick_envs.engine.loops import see
from trick_envs.games import GAMES

CONFIDENCE = 0.99
NAME = re.compile(r"(\w+)(?:\[(\d+)\])?")


class Variant:
    """The rule bot with a constant changed: a copy of its module, compiled anew and kept out of every cache."""

    needs_observation = False

    def __init__(self, game: Game, constant: str, value: float):
        self.name = f"{constant}={value}"
        self.game = game
        rules = changed_module(RULE_BOTS[game.kind.name], constant, value).rules

        @numba.njit
        def act_rows(tables: Any, rows: Any, views: Any, actions: Any) -> None:
            for k in range(len(rows)):
                table = tables[rows[k]]
                see(table, table.seat, views[0], table.num_players)
                actions[k] = rules(views[0])

        self._act_rows = act_rows

    def act_batch(self, tables: Tables, rows: np.ndarray) -> np.ndarray:
        actions = np.empty(len(rows), np.int64)
        self._act_rows(tables.records, rows, tables.game.new_views(), actions)
        return actions


def value_of(module: ModuleType, constant: str) -> float:
    """The constant as it stands; ValueError when there is no such number."""
    match = NAME.fullmatch(constant)
    value = getattr(module, match[1], None) if match else None
    if match and match[2] is not None:
        value = value[int(match[2])] if isinstance(value, tuple) and int(match[2]) < len(value) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{constant} is no number in {module.__file__}")
    return value


def changed_module(module: ModuleType, constant: str, value: float) -> ModuleType:
    """A copy of a module with a constant at ``value``, a whole number where it is one."""
    standing = value_of(module, constant)
    name, place = NAME.fullmatch(constant).groups()  # type: ignore[union-attr]
    spec = importlib.util.spec_from_file_location(f"{module.__name__}_{name}", module.__file__)
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    changed = type(standing)(value)
    entries = getattr(copy, name)
    setattr(copy, name, changed if place is None else (*entries[: int(place)], changed, *entries[int(place) + 1 :]))
    return copy


def points_ahead(game: Game, bot: Any, other: Any, seeds: np.ndarray) -> np.ndarray:
    """By deal, how many points a hand the bot is ahead of the others, float64 (deals,)."""
    held = seatings(game, usual_formation(game))
    return ahead_a_hand(play_blocks(game, bot, other, held, seeds), len(held))


def interval(values: np.ndarray) -> str:
    low, high = stats.t.interval(CONFIDENCE, len(values) - 1, values.mean(), stats.sem(values) or 1e-12)
    return f"{values.mean():+.3f}  ({low:+.3f} … {high:+.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bot_sweep", description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("constant", help="a constant of trick_envs/bots/GAME.py")
    parser.add_argument("values", nargs="+", type=float)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--option", action="append", default=[], type=_option, metavar="NAME=VALUE")
    options = parser.parse_args()
    try:
        game = measuring_game(trick_envs.make(options.game, **dict(options.option)))
        standing = value_of(RULE_BOTS[game.kind.name], options.constant)
    except ValueError as error:
        parser.error(str(error))
    seeds = deal_seeds(options.seed, options.deals)
    rivals = [bots.make(name, game) for name in ("random", "rules")]
    console = Console()
    table = Table(title=f"{options.constant} of {game.name}, {options.deals:,} deals, seed {options.seed}")
    for column in ("value", "ahead of random seats", f"more than with {standing}", "ahead of rules as they stand"):
        table.add_column(column, justify="right")
    before = points_ahead(game, rivals[1], rivals[0], seeds)
    for value in track(sorted({standing, *options.values}), description="values", console=console, transient=True):
        variant = Variant(game, options.constant, value)
        among_random, among_rules = (points_ahead(game, variant, rival, seeds) for rival in rivals)
        table.add_row(str(value), interval(among_random), interval(among_random - before), interval(among_rules))
    console.print(table)


if __name__ == "__main__":
    main()
