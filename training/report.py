"""Tables to read and pictures to look at."""

import base64
import io
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from training.evaluation import Result
from training.statistics import CONFIDENCE, Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TEMPLATE = "report.html.jinja"
POINTS_OF_RUNNING_MEAN = 60
NUMBER = re.compile(r"([-+]|< )?\d|–?$")  # how a cell with figures begins; or there is nothing to tell
NARROW = 0.05  # an interval that takes three decimals
PLUS_MINUS = f"± is half of a {CONFIDENCE:.0%} interval."


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


# --- Reports: the same on the terminal and as a page -----------------------------------------------------------


@dataclass
class Section:
    """A table or a picture with its heading; cells are as they are shown."""

    heading: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    note: str = ""
    figure: "Figure | None" = None


@dataclass
class Report:
    """What a command has to tell.

    facts: settings and versions by name. timings: sections of what differs from run to run.
    content: all of it as numbers, JSON-able, with ``"timings"`` apart.
    """

    title: str
    command: str
    facts: Mapping[str, Any]
    content: dict[str, Any]
    sections: list[Section] = field(default_factory=list)
    timings: list[Section] = field(default_factory=list)

    def show(self, console: Console) -> None:
        """Print the tables."""
        console.print(f"[bold]{self.title}[/]")
        for section in (*self.sections, *self.timings):
            if section.rows:
                console.print()
                console.print(_terminal_table(section))

    def write(self, json_file: Path | None, html_file: Path | None) -> None:
        """Write the numbers as JSON and the page as HTML, where a file is given."""
        if json_file is not None:
            json_file.write_text(json.dumps(self.content, indent=2) + "\n", encoding="utf-8")
        if html_file is not None:
            html_file.write_text(self.as_html(), encoding="utf-8")

    def as_html(self) -> str:
        """The page, with its pictures in it."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        return environment.get_template(TEMPLATE).render(report=self, picture=_picture)


def _terminal_table(section: Section) -> Table:
    table = Table(
        title=section.heading,
        caption=section.note or None,
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for place, name in enumerate(section.columns):
        numbers = place > 0 and all(NUMBER.match(row[place]) for row in section.rows)
        table.add_column(name, justify="right" if numbers else "left", no_wrap=numbers, overflow="fold")
    for row in section.rows:
        table.add_row(*row)
    return table


def _picture(figure: "Figure") -> str:
    """A figure as the address of an image that holds itself; the same figure gives the same address."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=110, metadata={"Software": None})
    return f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"


def labels(names: Sequence[str]) -> dict[str, str]:
    """Short names for tables: a checkpoint goes by its run's folder, where that tells it from all others."""
    short = {}
    for name in names:
        path = Path(name)
        short[name] = name if len(path.parts) < 2 else path.parent.name if path.name == "checkpoint" else path.name
    counts = Counter(short.values())
    return {name: label if label and counts[label] == 1 else name for name, label in short.items()}


def signed(interval: Interval, decimals: int = 3) -> tuple[str, str]:
    """A difference and its interval."""
    mean, low, high = (f"{number:+.{decimals}f}" for number in interval)
    return mean, f"{low} … {high}"


def enough_decimals(intervals: Sequence[Interval]) -> int:
    """Decimals that tell the bounds of intervals apart: 2, or 3 where one is narrow."""
    return 3 if any(0 < interval.high - interval.low < NARROW for interval in intervals) else 2


def plain(interval: Interval | None, decimals: int = 3) -> str:
    """A figure and half the width of its interval, a dash when there was nothing to count."""
    if interval is None:
        return "–"
    return f"{interval.mean:.{decimals}f} ± {(interval.high - interval.low) / 2:.{decimals}f}"


def chance(p: float) -> str:
    """A p-value."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


# --- Pictures --------------------------------------------------------------------------------------------------


def intervals_picture(names: Sequence[str], intervals: Sequence[Interval], label: str) -> "Figure":
    """Intervals below each other, with a line at 0."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1.2 + 0.4 * len(names)), layout="constrained")
    axes = figure.subplots()
    for place, interval in enumerate(intervals):
        axes.plot([interval.low, interval.high], [place, place], color="C0")
        axes.plot([interval.mean], [place], "o", color="C0")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set(xlabel=f"{label}, {CONFIDENCE:.0%} interval")
    axes.grid(axis="x", alpha=0.3)
    return figure


def blocks_picture(values: np.ndarray, label: str) -> "Figure":
    """How the values of deals are spread, and how their mean settled as deals came in."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.2), layout="constrained")
    spread, settling = figure.subplots(1, 2)
    spread.hist(values, bins=40, color="C0")
    spread.axvline(values.mean(), color="black", linewidth=0.8)
    spread.set(xlabel=label, ylabel="deals", title="spread over deals")
    deals = np.unique(np.linspace(2, len(values), POINTS_OF_RUNNING_MEAN).astype(int))
    means = np.array([values[:count].mean() for count in deals])
    errors = np.array([values[:count].std(ddof=1) / np.sqrt(count) for count in deals])
    settling.plot(deals, means)
    settling.fill_between(deals, means - 2.576 * errors, means + 2.576 * errors, alpha=0.2)
    settling.axhline(0, color="black", linewidth=0.8)
    settling.set(xlabel="deals", ylabel=label, title="mean of the first deals")
    return figure


def heat_map(names: Sequence[str], means: np.ndarray, label: str) -> "Figure":
    """A cross-table in colours. means: float64 (bots, bots), NaN on the diagonal."""
    from matplotlib.figure import Figure

    side = 2.5 + 0.9 * len(names)
    figure = Figure(figsize=(side + 1, side), layout="constrained")
    axes = figure.subplots()
    reach = float(np.nanmax(np.abs(means))) or 1.0
    image = axes.imshow(means, cmap="RdBu", vmin=-reach, vmax=reach)
    for row, column in zip(*np.nonzero(~np.isnan(means)), strict=True):
        colour = "white" if abs(means[row, column]) > 0.7 * reach else "black"
        axes.text(column, row, f"{means[row, column]:+.2f}", ha="center", va="center", color=colour)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="among", ylabel="bot")
    figure.colorbar(image, label=label, shrink=0.8)
    return figure
