"""Sets as bits: against Python's own sets, compiled and plain."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from trick_envs import bits

members = st.integers(0, bits.WORD - 1)
sets = st.frozensets(members)
some = st.frozensets(members, min_size=1)
SPREADS = (1, 4, 8, 13, 17, 32, 52, 60, 64)


def as_bits(of: frozenset[int]) -> int:
    return sum(1 << member for member in of)


def both(function: Callable[..., Any]) -> Any:
    """The function as plain Python and compiled, the compiled one being given an int64."""
    names = ", ".join(inspect.signature(function).parameters)
    wrapper: dict[str, Any] = {}
    exec(f"def call({names}):\n    return function({names})", {"function": function}, wrapper)
    return pytest.mark.parametrize("call", [function, njit(wrapper["call"])], ids=["plain", "compiled"])


@both(bits.bit)
@given(member=members)
def test_bit(call: Any, member: int) -> None:
    assert call(member) == as_bits(frozenset([member]))
    assert call(np.int8(member)) == 1 << member


@both(bits.prefer)
@given(wish=sets, fallback=sets)
def test_prefer(call: Any, wish: frozenset[int], fallback: frozenset[int]) -> None:
    assert call(as_bits(wish), as_bits(fallback)) == as_bits(wish or fallback)


@both(bits.count)
@given(of=sets)
def test_count(call: Any, of: frozenset[int]) -> None:
    assert call(as_bits(of)) == len(of)
    assert call(np.int64(as_bits(of))) == len(of)


@both(bits.lowest)
@given(of=some)
def test_lowest(call: Any, of: frozenset[int]) -> None:
    assert call(as_bits(of)) == min(of)
    assert call(np.int64(as_bits(of))) == min(of)


@both(bits.highest)
@given(of=some)
def test_highest(call: Any, of: frozenset[int]) -> None:
    assert call(as_bits(of)) == max(of)
    assert call(np.int64(as_bits(of))) == max(of)


@both(bits.nth)
@given(of=some, data=st.data())
def test_nth(call: Any, of: frozenset[int], data: st.DataObject) -> None:
    k = data.draw(st.integers(0, len(of) - 1))
    assert call(as_bits(of), k) == sorted(of)[k]


def spread_by(size: int) -> Any:
    """``spread`` compiled for a constant size, which is written with vector instructions."""
    return njit(lambda members, row, start: bits.spread(members, row, start, size))


COMPILED_SPREADS = {size: spread_by(size) for size in SPREADS}


@pytest.mark.parametrize("size", SPREADS)
@given(of=sets, start=st.integers(0, 9), poison=st.integers(-128, 127))
def test_spread(size: int, of: frozenset[int], start: int, poison: int) -> None:
    plain, compiled = (np.full(90, poison, np.int8) for _ in range(2))
    end = start + size
    assert bits.spread(as_bits(of), plain, start, size) == end
    assert COMPILED_SPREADS[size](as_bits(of), compiled, start) == end
    assert plain[start:end].tolist() == [int(member in of) for member in range(size)]
    assert (plain[:start] == poison).all()
    assert (plain[end:] == poison).all(), "written past the end"
    assert plain.tobytes() == compiled.tobytes()


def test_the_largest_set_is_positive() -> None:
    """A full word must not meet the sign bit, in shifts either."""
    full = (1 << bits.WORD) - 1
    assert np.int64(full) > 0
    assert bits.count(full) == bits.WORD == bits.highest(full) + 1
