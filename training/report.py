"""Tables to read and pictures to look at."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from training.evaluation import CONFIDENCE, Result


def result_table(title: str, results: Sequence[Result]) -> Table:
    """Results as a table for the terminal."""
    table = Table(title=title)
    table.add_column("bot")
    table.add_column("against")
    table.add_column("deals", justify="right")
    table.add_column("points ahead a hand", justify="right")
    table.add_column(f"{CONFIDENCE:.0%} interval", justify="right")
    for result in results:
        table.add_row(
            result.bot,
            result.against,
            f"{result.deals:,}",
            f"{result.ahead:+.3f}",
            f"{result.low:+.3f} … {result.high:+.3f}",
        )
    return table


def draw_curve(file: Path, title: str, curve: Sequence[dict[str, Any]]) -> None:
    """A picture of the points ahead a hand over the time of learning, with intervals, one line a line-up."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    minutes = [point["seconds"] / 60 for point in curve]
    for against in curve[0]["results"]:
        results = [point["results"][against] for point in curve]
        axes.plot(minutes, [result["ahead"] for result in results], label=f"against {against}")
        axes.fill_between(
            minutes, [result["low"] for result in results], [result["high"] for result in results], alpha=0.2
        )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(title=title, xlabel="minutes of learning", ylabel=f"points ahead a hand, {CONFIDENCE:.0%} interval")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(file, dpi=130)
