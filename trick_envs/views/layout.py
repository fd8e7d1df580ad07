"""Layouts: what each entry of an observation means, part by part, with names, bounds and scale."""

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

INT8_MAX = 127
FIRST_PERSON = re.compile(r"\b(I|me|my)\b")


@dataclass(frozen=True)
class Part:
    """A named stretch of an observation.

    kind: ``"set"`` marks every label that applies with 1, ``"choice"`` at most one label along the last axis,
        ``"number"`` holds numbers from ``low`` to ``high``.
    axes: labels along each axis, outermost first; no axis for a single number.
    """

    name: str
    kind: Literal["set", "choice", "number"]
    meaning: str
    axes: tuple[tuple[str, ...], ...] = ()
    low: int = 0
    high: int = 1

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def explain(self, values: np.ndarray) -> Any:
        """The part's values, (size,), in words: labels that apply, or numbers, by the labels of outer axes."""
        return self._explain(values.reshape(self.shape), self.axes)

    def _explain(self, values: np.ndarray, axes: Sequence[tuple[str, ...]]) -> Any:
        if self.kind == "number" and not axes:
            return int(values)
        if self.kind == "set" and len(axes) == 1:
            return [label for label, here in zip(axes[0], values, strict=True) if here]
        if self.kind == "choice" and len(axes) == 1:
            return next((label for label, here in zip(axes[0], values, strict=True) if here), None)
        return {label: self._explain(row, axes[1:]) for label, row in zip(axes[0], values, strict=True)}


@dataclass(frozen=True)
class Layout:
    """An ordered list of parts; the sizes, bounds and scales of the whole are derived from it.

    Observations are int8 arrays of shape (size,) with ``low <= observation <= high``; ``observation * scale``
    lies within −1 … 1.
    """

    parts: tuple[Part, ...]
    slices: dict[str, slice] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        start = 0
        for part in self.parts:
            self.slices[part.name] = slice(start, start + part.size)
            start += part.size

    @cached_property
    def size(self) -> int:
        """Entries in an observation."""
        return sum(part.size for part in self.parts)

    @cached_property
    def low(self) -> np.ndarray:
        """Smallest values, int8 (size,)."""
        return self._per_entry([part.low for part in self.parts], np.int8)

    @cached_property
    def high(self) -> np.ndarray:
        """Largest values, int8 (size,)."""
        return self._per_entry([part.high for part in self.parts], np.int8)

    @cached_property
    def scale(self) -> np.ndarray:
        """Factors that bring an observation to −1 … 1, float32 (size,)."""
        return self._per_entry([1 / max(abs(part.low), abs(part.high)) for part in self.parts], np.float32)

    def _per_entry(self, values: list[Any], dtype: Any) -> np.ndarray:
        entries = np.repeat(np.array(values, dtype), [part.size for part in self.parts])
        entries.setflags(write=False)
        return entries

    def part(self, name: str) -> Part:
        """The part called ``name``; KeyError when there is none."""
        if name not in self.slices:
            raise KeyError(f"no part {name!r}; the parts are {', '.join(self.slices)}")
        return next(part for part in self.parts if part.name == name)

    def split(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """An observation (…, size) as one array (…, *shape) a part."""
        return {
            part.name: observation[..., self.slices[part.name]].reshape(observation.shape[:-1] + part.shape)
            for part in self.parts
        }

    def explain(self, observation: np.ndarray) -> dict[str, Any]:
        """An observation (size,) in words, by part."""
        return {part.name: part.explain(observation[self.slices[part.name]]) for part in self.parts}

    def of_seats(self, labels: tuple[str, ...]) -> "Layout":
        """The layout of seat 0 with seats by their numbers; ``labels`` are those of axes over seats."""
        numbers = tuple(f"seat {seat}" for seat in range(len(labels)))
        return Layout(
            tuple(
                replace(
                    part,
                    axes=tuple(numbers if axis == labels else axis for axis in part.axes),
                    meaning=f"as seat 0 says: {part.meaning}" if FIRST_PERSON.search(part.meaning) else part.meaning,
                )
                for part in self.parts
            )
        )

    def places_in(self, wider: "Layout") -> np.ndarray:
        """Where each entry lies in a layout that has all parts of this one, none of them smaller: int64 (size,)."""
        places = []
        for part in self.parts:
            room = wider.part(part.name)
            inside = np.arange(room.size).reshape(room.shape)[tuple(slice(length) for length in part.shape)]
            places.append(wider.slices[part.name].start + inside.reshape(-1))
        return np.concatenate(places)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of all parts: equal when and only when observations mean the same."""
        return hashlib.sha256(repr(self.parts).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return self.markdown()

    def markdown(self) -> str:
        """The documentation table of this layout."""
        rows = ["| entries | part | shape | values | meaning |", "|---|---|---|---|---|"]
        for part in self.parts:
            where = self.slices[part.name]
            entries = str(where.start) if part.size == 1 else f"{where.start}–{where.stop - 1}"
            shape = " × ".join(map(str, part.shape)) or "1"
            rows.append(f"| {entries} | `{part.name}` | {shape} | {part.low} … {part.high} | {part.meaning} |")
        return "\n".join(rows)


def in_common(layouts: Sequence[Layout]) -> Layout:
    """The smallest layout with room for all of ``layouts``, whose parts must have the same names in the same order.

    A part is as long along each axis, and its bounds are as wide, as the largest of them. ValueError when they differ.
    """
    names = [tuple(layout.slices) for layout in layouts]
    for others in names[1:]:
        if others != names[0]:
            raise ValueError(f"layouts of different parts: {', '.join(sorted({*others} ^ {*names[0]}))} only in some")
    return Layout(tuple(_widest(parts) for parts in zip(*(layout.parts for layout in layouts), strict=True)))


def _widest(parts: Sequence[Part]) -> Part:
    return replace(
        parts[0],
        axes=tuple(max(axes, key=len) for axes in zip(*(part.axes for part in parts), strict=True)),
        low=min(part.low for part in parts),
        high=max(part.high for part in parts),
    )


def relative_seats(num_players: int) -> tuple[str, ...]:
    """Labels of the seats as an observer counts them: itself, then clockwise.

    >>> relative_seats(4)
    ('me', 'left', 'across', 'right')
    >>> relative_seats(5)
    ('me', 'left', 'left+2', 'left+3', 'right')
    """
    if num_players == 4:
        return "me", "left", "across", "right"
    between = (f"left+{steps}" for steps in range(2, num_players - 1))
    return ("me", "left", *between, "right") if num_players > 2 else ("me", "left")
