"""Long checks over all processors: a bar for each run, what came up at the end, the first failure stops."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True)
class Task:
    """A part of the run called ``run``, of so many of its units, with the arguments for its work."""

    run: str
    amount: int
    arguments: tuple[Any, ...]


def run(work: Callable[..., Counter[str] | str], tasks: Sequence[Task], processes: int | None) -> int:
    """Do all tasks; the exit status, 1 when one fails.

    work: what came up in a task, or the report of a failure.
    """
    console = Console()
    seen = {name: Counter[str]() for name in dict.fromkeys(task.run for task in tasks)}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(processes) as pool:
        totals = Counter[str]()
        for task in tasks:
            totals[task.run] += task.amount
        bars = {name: progress.add_task(name, total=totals[name]) for name in seen}
        running = {pool.submit(work, *task.arguments): task for task in tasks}
        for done in as_completed(running):
            result = done.result()
            if isinstance(result, str):
                pool.shutdown(cancel_futures=True, wait=False)
                progress.stop()
                console.print(result, style="red", markup=False, highlight=False, soft_wrap=True)
                return 1
            seen[running[done].run].update(result)
            progress.advance(bars[running[done].run], running[done].amount)
    console.print(_summary(seen))
    console.print("No difference.", style="green")
    return 0


def _summary(seen: dict[str, Counter[str]]) -> Table:
    """What came up, a row each, by run."""
    table = Table("", *seen)
    for what in sorted({what for counts in seen.values() for what in counts}):
        table.add_row(what, *(f"{counts[what]:,}" for counts in seen.values()))
    return table
