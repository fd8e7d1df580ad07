"""Strength of search by budget: ``python -m benchmarks.search_strength hearts search:16 search:64 search:256``.

Each bot plays the same deals from every seat (with partners, from every side) among equal others. The table shows its
points ahead a hand with the 99 % interval and the two-sided p of a t-test over deals, how far it is ahead of the bot in
the row above on the same deals, and the processor time of a decision, forced ones included. With
``--alike-where-known`` all of them choose by playouts where nothing is hidden: in Rewind they differ in Round I alone.
"""

import argparse
import time
from typing import Any

import numpy as np
import yaml
from rich.console import Console
from rich.table import Table
from scipy import stats

import trick_envs
from training.evaluation import deal_seeds, measuring_game, play_rotations
from trick_envs import bots
from trick_envs.bots import Bot
from trick_envs.bots.lookahead import all_known, best_by_playouts


class Timed:
    """A bot, with the processor time and the number of its decisions counted."""

    def __init__(self, bot: Bot):
        self.bot, self.seconds, self.decisions = bot, 0.0, 0
        self.name, self.game, self.needs_observation = bot.name, bot.game, bot.needs_observation

    def act(self, view: trick_envs.engine.View) -> int:
        return self.bot.act(view)

    def act_batch(self, tables: trick_envs.engine.Tables, rows: np.ndarray | None = None) -> np.ndarray:
        start = time.process_time()
        actions = self.bot.act_batch(tables, rows)
        self.seconds += time.process_time() - start
        self.decisions += len(actions)
        return actions


class AlikeWhereKnown:
    """A bot that chooses by playouts of the rule bot where nothing is hidden."""

    def __init__(self, bot: Bot):
        self.bot = bot
        self.name, self.game, self.needs_observation = bot.name, bot.game, bot.needs_observation

    def act(self, view: trick_envs.engine.View) -> int:
        raise NotImplementedError("matches are played in batches here")

    def act_batch(self, tables: trick_envs.engine.Tables, rows: np.ndarray | None = None) -> np.ndarray:
        rows = tables.rows(rows)
        known = all_known(self.game, tables.records, rows)
        actions = np.empty(len(rows), np.int64)
        actions[known] = best_by_playouts(self.game, tables.records, rows[known])
        actions[~known] = self.bot.act_batch(tables, rows[~known])
        return actions


def interval(values: np.ndarray) -> str:
    """Mean, 99 % interval and p-value against 0."""
    error = stats.sem(values) or 1e-12
    low, high = stats.t.interval(0.99, len(values) - 1, values.mean(), error)
    p = 2 * stats.t.sf(abs(values.mean()) / error, len(values) - 1)
    return f"{values.mean():+.2f}  ({low:+.2f} … {high:+.2f})  p = {p:.1e}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search_strength", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("bots", nargs="+", help="such as search:64, ismcts:1000")
    parser.add_argument("--against", default="rules", help="the bot in all other seats")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--alike-where-known", action="store_true", help="playouts choose where nothing is hidden")
    chosen = parser.parse_args()
    try:
        options: dict[str, Any] = {name: yaml.safe_load(value) for name, value in (o.split("=") for o in chosen.option)}
        game = measuring_game(trick_envs.make(chosen.game, **options))
        made = [bots.make(name, game) for name in (chosen.against, *chosen.bots)]
        other, *lineup = [AlikeWhereKnown(bot) for bot in made] if chosen.alike_where_known else made
    except ValueError as error:
        parser.error(str(error))
    seeds = deal_seeds(chosen.seed, chosen.deals)
    table = Table(title=f"{chosen.game} {chosen.option}, {chosen.deals:,} deals against {chosen.against}")
    for column in ("bot", "points ahead a hand", "more than the row above", "ms a decision"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    before = None
    for untimed in lineup:
        play_rotations(game, untimed, other, seeds[:1])  # whatever is to be compiled
        bot = Timed(untimed)
        ahead, hands = play_rotations(game, bot, other, seeds)
        points = ahead / (hands.sum() / len(hands))
        more = "" if before is None else interval(points - before)
        table.add_row(bot.name, interval(points), more, f"{1000 * bot.seconds / bot.decisions:.2f}")
        before = points
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
