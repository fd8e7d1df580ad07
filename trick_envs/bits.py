"""Sets of small numbers as bits of an int64: bit k is set when k is in the set.

Sets hold at most ``WORD`` = 60 members, so a set is never negative and shifts never meet the sign bit.
Every function here runs compiled (as one or a few machine instructions) and as plain Python.
"""

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.extending import intrinsic, overload, register_jitable

WORD = 60
DEPOSITS_BITS = get_host_cpu_features().get("bmi2", False)


@register_jitable
def bit(member):
    """The set that holds just ``member`` (0 … 59).

    >>> bit(3)
    8
    """
    return 1 << int(member)


@register_jitable
def prefer(wish, fallback):
    """``wish`` unless it is empty: the idiom of "if you are able, else".

    >>> prefer(0b0100, 0b1111), prefer(0, 0b1111)
    (4, 15)
    """
    return wish if wish != 0 else fallback


def count(members):
    """How many members the set has.

    >>> count(0b1011)
    3
    """
    return int(members).bit_count()


def lowest(members):
    """The smallest member of a set that is not empty.

    >>> lowest(0b1010)
    1
    """
    return (int(members) & -int(members)).bit_length() - 1


def highest(members):
    """The largest member of a set that is not empty.

    >>> highest(0b1010)
    3
    """
    return int(members).bit_length() - 1


def nth(members, k):
    """The k-th smallest member, counted from 0; the set has more than ``k`` members.

    A search by halves without branches, for a processor cannot foresee where a random member lies; compiled for one
    that deposits bits (BMI2), one such instruction.

    >>> nth(0b11010, 2)
    4
    """
    start = 0
    for width in (32, 16, 8, 4, 2, 1):
        lower_half = count((members >> start) & ((1 << width) - 1))
        above = k >= lower_half
        k -= lower_half * above
        start += width * above
    return start


def listed(words: list[int]) -> list[int]:
    """The ascending members of a set held in several words, ints of ``WORD`` bits each: a list, for people.

    >>> listed([0b101, 0b10])
    [0, 2, 61]
    """
    members: list[int] = []
    for word, left in enumerate(words):
        while left:
            smallest = left & -left
            members.append(WORD * word + smallest.bit_length() - 1)
            left ^= smallest
    return members


def spread(members, row, start, size):
    """Write the set into ``row[start : start + size]`` as zeros and ones, one entry a member.

    ``row`` is an int8 array (D,). Returns ``start + size``, where the next part begins.

    >>> import numpy as np
    >>> row = np.zeros(5, np.int8)
    >>> spread(0b101, row, 1, 3), row.tolist()
    (4, [0, 1, 0, 1, 0])
    """
    for k in range(size):
        row[start + k] = (int(members) >> k) & 1
    return start + size


@intrinsic
def _population(typingctx, members):
    def emit(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), emit


@intrinsic
def _trailing_zeros(typingctx, members):
    def emit(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@intrinsic
def _leading_zeros(typingctx, members):
    def emit(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@intrinsic
def _deposit(typingctx, bits, places):
    """The lowest of ``bits``, one after the other, at the ``places`` that are set: x86's PDEP."""

    def emit(context, builder, signature, arguments):
        word = ir.IntType(64)
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
        return builder.call(deposit, arguments)

    return types.int64(types.int64, types.int64), emit


@intrinsic(prefer_literal=True)
def _spread(typingctx, members, row, start, size):
    """Store ``size`` bits as bytes with vector instructions: a bit mask widened to bytes."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    width = size.literal_value

    def emit(context, builder, signature, arguments):
        members, row, start, _ = arguments
        lanes = builder.bitcast(members, ir.VectorType(ir.IntType(1), 64))
        as_bytes = builder.zext(lanes, ir.VectorType(ir.IntType(8), 64))
        first = ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(width)))
        kept = builder.shuffle_vector(as_bytes, ir.Constant(as_bytes.type, ir.Undefined), first)
        data = context.make_array(signature.args[1])(context, builder, row).data
        target = builder.gep(data, [start])
        builder.store(kept, builder.bitcast(target, kept.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(types.int64, row, types.intp, size), emit


@overload(count)
def _count(members):
    return lambda members: _population(members)


@overload(lowest)
def _lowest(members):
    return lambda members: _trailing_zeros(members)


@overload(highest)
def _highest(members):
    return lambda members: 63 - _leading_zeros(members)


@overload(nth)
def _nth(members, k):
    if DEPOSITS_BITS:
        return lambda members, k: lowest(_deposit(1 << k, members))
    return nth


@overload(spread, prefer_literal=True)
def _spread_bits(members, row, start, size):
    if not isinstance(size, types.IntegerLiteral):
        return None

    def write(members, row, start, size):
        _spread(members, row, start, size)
        return start + size

    return write
