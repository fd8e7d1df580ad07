"""The line that ``train`` shows while it learns."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from training.report import labels

WIDEST_POINTS = -99.99
LONGEST_SECONDS = 5999.0
GAP = 1


class TimeLeft(TimeRemainingColumn):
    """The time left, with the word behind it."""

    def render(self, task: Task) -> Text:
        return super().render(task).append(" left")


def strength(point: dict[str, Any]) -> str:
    """What a point of the learning curve measured, and after how long."""
    return _strength({against: told["ahead"] for against, told in point["results"].items()}, point["seconds"])


def _strength(ahead: dict[str, float], seconds: float) -> str:
    short = labels(list(ahead))
    minutes, rest = divmod(round(seconds), 60)
    told = ", ".join(f"{short[against]} {points:+.2f}" for against, points in ahead.items())
    return f"against {told} after {minutes}:{rest:02}"


def learning_progress(console: Console, game: str, against: Sequence[str]) -> Progress:
    """The line, with as many columns as the terminal has room for, each whole; ``game`` is its description.

    against: line-ups that the shown strength is told of.
    """
    whole_strength = len(_strength(dict.fromkeys(against, WIDEST_POINTS), LONGEST_SECONDS))
    # by place: how soon a column is wanted, its width, the column
    columns: list[tuple[int, int, ProgressColumn]] = [
        (0, len(game), _text("[bold]{task.description}")),
        (5, 20, BarColumn(bar_width=20)),
        (1, len("100 %"), _text("{task.percentage:>3.0f} %")),
        (6, len("0:00:00"), TimeElapsedColumn()),
        (2, len("0:00:00 left"), TimeLeft(table_column=Column(no_wrap=True))),
        (4, len("100,000 decisions/s"), _text("{task.fields[rate]}")),
        (3, whole_strength, _text("{task.fields[strength]}")),
    ]
    shown, room = set(), console.width
    for wanted, width, _ in sorted(columns, key=lambda entry: entry[0]):
        if width + GAP <= room:
            shown.add(wanted)
            room -= width + GAP
    return Progress(*(column for wanted, _, column in columns if wanted in shown), console=console)


def _text(template: str) -> TextColumn:
    return TextColumn(template, table_column=Column(no_wrap=True))
