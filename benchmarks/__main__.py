"""Speed of trick_envs beside OpenSpiel's Hearts, and of every game, in one go: ``python -m benchmarks``.

Each row is measured in rounds, ours and the rival's in turn, and shows the medians and the median of the ratios.
"""

import argparse
import functools
import json
import os
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

import trick_envs
from benchmarks import openspiel, ours, search


class Row(NamedTuple):
    """Something measured, and a rival's like."""

    name: str
    ours: Callable[[float], float]
    rival_name: str = ""
    rival: Callable[[float], float] | None = None


ROWS = [
    Row(
        "batch, observation and mask",
        ours.batch,
        "set_from into a buffer, and a mask",
        openspiel.observations,
    ),
    Row(
        "batch, observation and mask",
        ours.batch,
        "the same, stripped to C++",
        openspiel.observations_stripped,
    ),
    Row("batch, observation and mask", ours.batch, "list tensors", openspiel.observation_lists),
    Row(
        "batch, rules only",
        lambda seconds: ours.batch(seconds, observe=False),
        "evaluate_bots, all C++",
        openspiel.rules_in_cpp,
    ),
    Row("playouts, compiled", ours.playouts, "evaluate_bots, all C++", openspiel.rules_in_cpp),
    Row("one table", ours.single_table, "apply_action from Python", openspiel.rules_from_python),
    Row(
        "raw_env(), with last()",
        ours.environment,
        "set_from into a buffer, and a mask",
        openspiel.observations,
    ),
    Row(
        "env(), with last()",
        lambda seconds: ours.environment(seconds, raw=False),
        "set_from into a buffer, and a mask",
        openspiel.observations,
    ),
]

SEARCH_ROWS = [
    Row("ismcts, simulations", search.simulations, "ISMCTSBot, all C++, simulations", openspiel.simulations),
    Row("search, playouts by rule bots", search.playouts, "the same", openspiel.simulations),
]
SOLVED = range(2, 6)  # tricks left in Rewind's Round II


GAMES: list[tuple[str, dict[str, Any]]] = [
    ("hearts", {}),
    ("hearts", {"variant": "cancellation"}),
    ("setback", {}),
    ("rage_glyphs", {}),
    ("rewind", {}),
]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    parser.add_argument("--search", action="store_true", help="only what belongs to search")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    console = Console()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    figures: dict[str, object] = {}

    if cores:
        os.sched_setaffinity(0, {min(cores)})
    if not options.search:
        title = "Hearts, four seats, decisions a second on one core"
        console.print(_measure_rows(title, ROWS, options, figures, console))
        console.print(_measure_games(options, figures, console))
    title = "Hearts, four seats, first real decision of a hand, a second on one core"
    console.print(_measure_rows(title, SEARCH_ROWS, options, figures, console))
    console.print(_measure_solver(figures))
    if cores:
        os.sched_setaffinity(0, cores)

    if not options.search:
        console.print(_measure_others(options, figures))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _measure_rows(
    title: str, rows: list[Row], options: argparse.Namespace, figures: dict[str, object], console: Console
) -> Table:
    """Each row and its rival in turn."""
    table = Table(title=title)
    for column in ("ours", "a second", "OpenSpiel", "a second", "ratio"):
        table.add_column(column, justify="right" if column in ("a second", "ratio") else "left")
    for row in track(rows, description="one core", console=console, transient=True):
        rates, rival_rates = [], []
        for _ in range(options.rounds):
            rates.append(row.ours(options.seconds))
            rival_rates.append(row.rival(options.seconds) if row.rival else float("nan"))
        ratio = statistics.median(rate / rival for rate, rival in zip(rates, rival_rates, strict=True))
        rate, rival_rate = statistics.median(rates), statistics.median(rival_rates)
        table.add_row(row.name, f"{rate:,.0f}", row.rival_name, f"{rival_rate:,.0f}", f"{ratio:.1f}")
        figures[f"{row.name} / {row.rival_name}"] = {"ours": rate, "rival": rival_rate, "ratio": ratio}
    return table


def _measure_solver(figures: dict[str, object]) -> Table:
    """Rewind's second round solved from the lead to a trick on, by tricks left."""
    table = Table(title="Rewind, four seats, Round II solved, 60 hands that the rule bot played up to there")
    for column in ("tricks left", "median ms", "largest ms", "median positions"):
        table.add_column(column, justify="right")
    for left in SOLVED:
        median, largest, positions = search.solver_milliseconds(left)
        table.add_row(str(left), f"{median:.2f}", f"{largest:.2f}", f"{positions:,.0f}")
        figures[f"solver {left}"] = {"median_ms": median, "largest_ms": largest, "positions": positions}
    return table


def _measure_others(options: argparse.Namespace, figures: dict[str, object]) -> Table:
    """What is no rate."""
    others = Table(title="and besides")
    others.add_column("what")
    others.add_column("figure", justify="right")
    threads = _median(
        options.rounds,
        lambda: ours.steps_alone(options.seconds, threads=2) / ours.steps_alone(options.seconds),
    )
    seconds = {
        "import, beside pettingzoo and numba": _median(options.rounds, ours.import_seconds),
        "first step, from the cache": _median(options.rounds, lambda: ours.first_step_seconds(cold=False)),
        "first step, compiling": ours.first_step_seconds(cold=True),
    }
    others.add_row("two threads against one, steps of 16,384 tables", f"{threads:.2f} ×")
    for name, value in seconds.items():
        others.add_row(name, f"{value:.2f} s")
    figures.update(threads=threads, **seconds)
    return others


def _measure_games(options: argparse.Namespace, figures: dict[str, object], console: Console) -> Table:
    """Every game at its default seats, in batches."""
    table = Table(title=f"every game, {ours.TABLES:,} tables, decisions and worlds a second on one core")
    columns = ("features", "events too", "of the match", "rules only", "worlds", "bytes")
    for column in ("game", "seats", *columns):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name, chosen in track(GAMES, description="every game", console=console, transient=True):
        game = trick_envs.make(name, **chosen)
        measure = functools.partial(ours.batch, options.seconds, name, **chosen)
        seen = _median(options.rounds, measure)
        bare = _median(options.rounds, functools.partial(measure, observe=False))
        told, told_all = (
            _median(options.rounds, functools.partial(measure, observation="both", events_of=span))
            for span in ("hand", "match")
        )
        worlds = _median(options.rounds, functools.partial(ours.worlds, options.seconds, name, **chosen))
        label = " ".join([name, *map(str, chosen.values())])
        table.add_row(
            label,
            str(game.num_players),
            *(f"{figure / 1e6:.2f} M" for figure in (seen, told, told_all, bare, worlds)),
            str(game.kind.table.itemsize),
        )
        figures[label] = {
            "features": seen,
            "events_of_hand": told,
            "events_of_match": told_all,
            "rules_only": bare,
            "worlds": worlds,
            "bytes": game.kind.table.itemsize,
        }
    return table


def _median(rounds: int, measure: Callable[[], float]) -> float:
    return statistics.median(measure() for _ in range(rounds))


if __name__ == "__main__":
    main()
