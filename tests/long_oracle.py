"""The long run of engine against oracle: ``python -m tests.long_oracle --hands 100000`` or ``--matches 50000``.

Plays so many hands at each number of seats, or so many matches of each game, spread over its numbers of seats, under
random options and styles of play, on all processors, and ends with what came up. The first difference ends it with
a report and exit status 1.
"""

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from tests.games import GAMES
from tests.lockstep import Difference, play_hands

A_TASK = {"hands": 250, "matches": 50}


def play_task(game: int, seats: int, amount: int, seed: str, unit: str) -> Counter[str] | str:
    """What came up in a task's hands or matches, or the report of a difference."""
    try:
        return play_hands(GAMES[game], seats, amount, seed, unit=unit)
    except Difference as difference:
        return str(difference)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long_oracle", description=__doc__.partition("\n")[0])
    amounts = parser.add_mutually_exclusive_group(required=True)
    amounts.add_argument("--hands", type=int, help="hands at each number of seats")
    amounts.add_argument("--matches", type=int, help="matches of each game")
    names = list(dict.fromkeys(game.name for game in GAMES if game.oracle))
    parser.add_argument("--game", choices=names, help="only this game")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--seed", type=int, default=0, help="the run with the same seed plays the same")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    chosen = parser.parse_args()
    console = Console()
    unit = "matches" if chosen.matches else "hands"
    runs = [
        (number, seats)
        for number, game in enumerate(GAMES)
        for seats in game.seats
        if game.oracle and chosen.game in (None, game.name) and chosen.seats in (None, seats)
    ]
    for number, seats in runs:  # compiles, so that the processes need not
        play_task(number, seats, 1, "", unit)
    lines = Counter(GAMES[number].name for number, _ in runs)
    amount = {run: chosen.hands if chosen.hands else -(-chosen.matches // lines[GAMES[run[0]].name]) for run in runs}
    seen: dict[tuple[int, int], Counter[str]] = {run: Counter() for run in runs}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(chosen.processes) as pool:
        bars = {
            (number, seats): progress.add_task(f"{GAMES[number].name} {seats}", total=amount[number, seats])
            for number, seats in runs
        }
        tasks = {
            pool.submit(
                play_task,
                *run,
                min(A_TASK[unit], amount[run] - first),
                f"{chosen.seed} {run} {first}",
                unit,
            ): run
            for run in runs
            for first in range(0, amount[run], A_TASK[unit])
        }
        for task in as_completed(tasks):
            result = task.result()
            if isinstance(result, str):
                pool.shutdown(cancel_futures=True, wait=False)
                progress.stop()
                console.print(result, style="red", markup=False, highlight=False, soft_wrap=True)
                return 1
            run = tasks[task]
            seen[run].update(result)
            progress.update(bars[run], completed=min(amount[run], seen[run][unit]))
    console.print(summary(seen))
    console.print("No difference.", style="green")
    return 0


def summary(seen: dict[tuple[int, int], Counter[str]]) -> Table:
    """What came up, a row each, by game and seats."""
    table = Table("", *(f"{GAMES[number].name} {seats}" for number, seats in seen))
    for what in sorted({what for counts in seen.values() for what in counts}):
        table.add_row(what, *(f"{counts[what]:,}" for counts in seen.values()))
    return table


if __name__ == "__main__":
    sys.exit(main())
