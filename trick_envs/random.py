"""Random numbers that belong to a table: SplitMix64 with Lemire's bounded draw, keyed by (seed, hand number).

SplitMix64: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
Bounded draw: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
"""

import numba
import numpy as np

from trick_envs import bits

# Uncompiled, NumPy warns of what is meant here: arithmetic modulo 2**64.
compiled = np.errstate(over="ignore") if numba.config.DISABLE_JIT else numba.njit(_nrt=False)

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
LOW_32 = np.uint64(0xFFFFFFFF)
BITS_32 = np.uint64(32)
BITS_27 = np.uint64(27)
BITS_30 = np.uint64(30)
BITS_31 = np.uint64(31)
ONE = np.uint64(1)

MATCH_DRAWS = np.uint64(2**64 - 1)  # stands for the hand number in the stream of what is drawn once a match


@compiled
def mix(number):
    """SplitMix64's finalizer: a bijection of the uint64 that looks random."""
    number = (number ^ (number >> BITS_30)) * MIX_1
    number = (number ^ (number >> BITS_27)) * MIX_2
    return number ^ (number >> BITS_31)


@compiled
def stream(seed, key):
    """The start of the stream that belongs to (seed, key): uint64, int -> uint64."""
    return mix(np.uint64(seed) ^ mix(np.uint64(key) * GOLDEN_GAMMA + ONE))


@compiled
def draw(state):
    """The next (state, uint64) of a stream."""
    state = state + GOLDEN_GAMMA
    return state, mix(state)


@compiled
def nth_state(state, count):
    """The state of a stream after ``count`` draws: uint64, int -> uint64."""
    return state + np.uint64(count) * GOLDEN_GAMMA


@compiled
def draw_below(state, bound):
    """The next (state, int64 in 0 … bound − 1) of a stream, exactly uniform; bound < 2**32."""
    limit = np.uint64(bound)
    state, number = draw(state)
    product = (number >> BITS_32) * limit
    if (product & LOW_32) < limit:
        threshold = ((ONE << BITS_32) - limit) % limit
        while (product & LOW_32) < threshold:
            state, number = draw(state)
            product = (number >> BITS_32) * limit
    return state, np.int64(product >> BITS_32)


@compiled
def shuffle(deck, state):
    """Shuffle ``deck`` in place, last place first (Fisher–Yates); returns the stream's new state."""
    for last in range(len(deck) - 1, 0, -1):
        state, other = draw_below(state, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return state


@compiled
def next_seed(seed):
    """The seed of the match that follows in the same row of a batch."""
    return mix(np.uint64(seed) + GOLDEN_GAMMA)


@compiled
def draw_members(members, count, state):
    """``count`` different members of a set, int64, all choices equally likely: (state, set)."""
    drawn = 0
    for _ in range(count):
        state, k = draw_below(state, bits.count(members))
        member = bits.bit(bits.nth(members, k))
        members &= ~member
        drawn |= member
    return state, drawn
