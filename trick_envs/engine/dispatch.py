"""Functions that mean another thing for each kind of record: ``legal(table)`` runs the rules of the table's game.

The compiled loops are written once and name these functions. Numba resolves them by the type of the record, so
the loops stay in Numba's cache and the rules are inlined; uncompiled, the same names look the record's kind up.

A record's kind is told by a field of no width, named ``<kind>_<fingerprint>``. The fingerprint is taken
of all sources that are compiled, so a change in any of them changes the record's type: Numba, which looks only at
the loop's own file, then compiles afresh instead of running the old rules from its cache.
"""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import overload

COMPILED_ROOMS = (".", "games", "views", "engine", "bots")
_MODULES: dict[str, tuple[ModuleType, ...]] = {}


def source_fingerprint(package: Path) -> str:
    """A short hash of the sources of ``package`` (its folder) that are compiled."""
    digest = hashlib.sha256()
    for room in COMPILED_ROOMS:
        for source in sorted((package / room).glob("*.py")):
            digest.update(source.name.encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


FINGERPRINT = source_fingerprint(Path(__file__).parents[1])


def _stable_name(record: types.Record) -> tuple[str, tuple[int, ...]]:
    """What a record type is called in the symbols of compiled code: by its fields.

    Numba calls it by a number counted up in each process. Code that two processes have compiled and cached can then
    hold two functions of one name for different records, and a third process that loads both runs the wrong one.
    """
    return "Record", (int.from_bytes(hashlib.sha256(str(record).encode()).digest()[:7], "big"),)


types.Record.mangling_args = property(_stable_name)


def as_records(array: np.ndarray) -> np.ndarray:
    """An array of records as the loops take it: uncompiled, with fields as attributes."""
    return array.view(np.recarray) if numba.config.DISABLE_JIT else array


def record_type(kind: str, fields: list[Any], *modules: ModuleType) -> np.dtype:
    """The dtype of the records of ``kind``, whose functions are those of ``modules``."""
    _MODULES[kind] = modules
    return _without_gaps(np.dtype([(f"{kind}_{FINGERPRINT}", np.uint8, (0,)), *fields], align=True))


def _without_gaps(record: np.dtype) -> np.dtype:
    """The same record with fields in its gaps: NumPy copies fields only, so gaps would hold chance bytes."""
    fields: list[Any] = []
    end = 0
    assert record.fields is not None
    for name, (kind, start, *_) in record.fields.items():
        if start > end:
            fields.append((f"gap_{end}", np.uint8, (start - end,)))
        fields.append((name, kind))
        end = start + kind.itemsize
    if record.itemsize > end:
        fields.append((f"gap_{end}", np.uint8, (record.itemsize - end,)))
    return np.dtype(fields, align=True)


def provide(kind: str, module: ModuleType) -> None:
    """Add the functions of ``module`` to those of the records of ``kind``."""
    if module not in _MODULES[kind]:
        _MODULES[kind] = (*_MODULES[kind], module)


def _implementation(fields: Iterable[str], function: str) -> Callable[..., Any]:
    """The ``function`` of the kind of record that has ``fields``, in whatever order Numba lists them."""
    kind = next(field for field in fields if field.endswith(FINGERPRINT)).removesuffix(f"_{FINGERPRINT}")
    for module in _MODULES[kind]:
        if hasattr(module, function):
            return getattr(module, function)
    raise NotImplementedError(f"{function}() is not defined for {kind}")


def by_record(function: str, inline: str = "never") -> Callable[..., Any]:
    """A function that calls the ``function`` of the module that its first argument, a record, belongs to.

    inline: Numba's inlining, ``"always"`` where constant arguments should reach into the function.
    """

    def call(record: Any, *arguments: Any) -> Any:
        return _implementation(record.dtype.names, function)(record, *arguments)

    call.__name__ = function

    @overload(call, strict=False, inline=inline)
    def resolve(record: Any, *arguments: Any) -> Callable[..., Any]:
        return _implementation(record.fields, function)

    return call


# The rules of a game, on its table record
begin_match = by_record("begin_match")
deal = by_record("deal")
legal = by_record("legal")
play = by_record("play")
match_over = by_record("match_over")
standing = by_record("standing")
side = by_record("side")
gain = by_record("gain")

# What a seat sees: see(table, seat, view) on a table record, features(view, row) on a view record
see = by_record("see", inline="always")
features = by_record("features", inline="always")
hidden = by_record("hidden")  # hidden(table, seat, row, start): what the seat cannot see

# Worlds that a seat may take for the real one (``trick_envs.engine.worlds``)
hide = by_record("hide")  # hide(table, seat, places): list the places it cannot see; how many
reveal = by_record("reveal")  # reveal(table, seat, places, count, state): take over their cards; the stream's state
undeal = by_record("undeal")  # undeal(table, deck): write the deck that the hand was dealt from

# Events that a seat sees (``trick_envs.views.events``)
tell_dealt = by_record("tell_dealt")  # tell_dealt(table, observer, log): the cards dealt to it
tell_open_cards = by_record("tell_open_cards")  # tell_open_cards(table, log): what else is seen when a hand begins
tell_action = by_record("tell_action")  # tell_action(table, seat, phase, action, log): what came of an action
retell = by_record("retell")  # retell(table, observer, log): what it alone was told since, of the present hand
