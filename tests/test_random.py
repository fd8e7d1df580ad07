"""The random streams: SplitMix64 as published, exactly uniform draws, shuffles that stay as they are."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from scipy.stats import chi2

import trick_envs
from trick_envs import random

MODULUS = 2**64
seeds = st.integers(0, MODULUS - 1)

# The first outputs of SplitMix64 for the seed 1234567, as published with many implementations of it.
REFERENCE_SEED = 1234567
REFERENCE = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
SURE = 1e-6  # probability that a fair draw fails a test; the seeds are fixed, so a test fails always or never


@njit
def draws(state, count):
    """The first numbers of a stream."""
    numbers = np.empty(count, np.uint64)
    for k in range(count):
        state, numbers[k] = random.draw(state)
    return numbers


@njit
def draws_below(state, bound, count):
    numbers = np.empty(count, np.int64)
    for k in range(count):
        state, numbers[k] = random.draw_below(state, bound)
    return numbers


@njit
def shuffles(state, size, count):
    """That many shuffles of 0 … size - 1, a row each."""
    decks = np.empty((count, size), np.int8)
    for row in range(count):
        for place in range(size):
            decks[row, place] = place
        state = random.shuffle(decks[row], state)
    return decks


def p_value(counts: np.ndarray) -> float:
    """How likely counts at least as uneven as these are when all are equally likely."""
    expected = counts.sum() / counts.size
    return chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.size - 1)


def splitmix64(state: int) -> tuple[int, int]:
    """The published algorithm in Python's unbounded numbers."""
    state = (state + 0x9E3779B97F4A7C15) % MODULUS
    mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % MODULUS
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) % MODULUS
    return state, mixed ^ (mixed >> 31)


def test_the_published_numbers() -> None:
    assert draws(np.uint64(REFERENCE_SEED), 5).tolist() == REFERENCE


@given(seeds)
def test_a_stream_is_splitmix64(seed: int) -> None:
    state, number = splitmix64(seed)
    assert [int(part) for part in random.draw(np.uint64(seed))] == [state, number]
    assert int(random.mix(np.uint64(state))) == number


@given(seeds, st.integers(1, 2**32 - 1))
def test_draws_below_are_lemires(seed: int, bound: int) -> None:
    """32 random bits times the bound: the upper half counts, unless the lower half is of the surplus."""
    state, number = splitmix64(seed)
    while (number >> 32) * bound % 2**32 < 2**32 % bound:
        state, number = splitmix64(state)
    drawn_state, drawn = random.draw_below(np.uint64(seed), bound)
    assert (int(drawn_state), int(drawn)) == (state, (number >> 32) * bound >> 32)
    assert 0 <= drawn < bound


@pytest.mark.parametrize("bound", [1, 2, 3, 4, 5, 6, 7, 13, 39, 48, 49, 50, 51, 52, 54, 98])
def test_small_draws_are_uniform(bound: int) -> None:
    counts = np.bincount(draws_below(np.uint64(bound), bound, 400_000), minlength=bound)
    assert counts.size == bound
    assert bound == 1 or p_value(counts) > SURE


def test_large_draws_are_uniform_too() -> None:
    """Without rejection every third number below three quarters of the range would come twice as often."""
    bound = 3 * 2**30
    drawn = draws_below(np.uint64(1), bound, 400_000)
    assert p_value(np.bincount(drawn % 3, minlength=3)) > SURE
    assert p_value(np.bincount(drawn * 48 // bound, minlength=48)) > SURE
    biased = (draws(np.uint64(1), 400_000) >> np.uint64(32)).astype(np.int64) * 3 // 4
    assert p_value(np.bincount(biased % 3, minlength=3)) < SURE, "the test could not fail"


def test_all_orders_are_equally_likely() -> None:
    counts = Counter(map(tuple, shuffles(np.uint64(3), 5, 240_000).tolist()))
    assert set(counts) == set(permutations(range(5)))
    assert p_value(np.array(list(counts.values()))) > SURE


def test_every_card_comes_to_every_place() -> None:
    decks = shuffles(np.uint64(4), 52, 60_000)
    for place in range(52):
        assert p_value(np.bincount(decks[:, place], minlength=52)) > SURE
    pairs = decks[:, 0].astype(int) * 52 + decks[:, 51]
    counts = np.bincount(pairs, minlength=52 * 52)
    apart = np.arange(52 * 52) // 52 != np.arange(52 * 52) % 52
    assert counts[~apart].sum() == 0
    assert p_value(counts[apart]) > SURE


def test_deals_of_neighbouring_seeds_and_hands_have_nothing_in_common() -> None:
    """Each card comes to each place as often as by chance, over seeds in a row and over hands in a row."""
    game = trick_envs.make("hearts")
    for decks in (
        [game.deck(seed, 0) for seed in range(6000)],
        [game.deck(1, hand) for hand in range(6000)],
    ):
        for place in (0, 25, 51):
            assert p_value(np.array(list(Counter(deck[place] for deck in decks).values()))) > SURE
        moved = Counter(
            later.index(card) - earlier.index(card)
            for earlier, later in zip(decks[::2], decks[1::2], strict=True)
            for card in ("2C", "QS", "AH")
        )
        assert moved[0] < 3 * 3000 / 52 * 1.5, "neighbours deal alike"


def test_a_shuffle_stays_as_it_is() -> None:
    """Deals are a promise: the same seed deals the same cards in every version."""
    game = trick_envs.make("hearts")
    assert " ".join(game.deck(7)[:13]) == FIRST_OF_SEED_7
    assert " ".join(game.deck(2**64 - 1, 3)[:13]) == FIRST_OF_THE_LAST_SEED


FIRST_OF_SEED_7 = "8H 4C KD 5C 5H 4H 4S TD 6H TC QS AC JD"
FIRST_OF_THE_LAST_SEED = "2C AS QC 4H 6H 2S 6C TS QS 2H KS 7D KD"


@given(seeds, seeds)
def test_streams_of_other_seeds_are_other_streams(one: int, other: int) -> None:
    if one != other:
        for key in (random.MATCH_DRAWS, 0, 1):
            assert random.stream(np.uint64(one), key) != random.stream(np.uint64(other), key)


@given(seeds)
def test_streams_of_a_seed_differ_by_key(seed: int) -> None:
    keys = [random.MATCH_DRAWS, *range(200)]
    assert len({int(random.stream(np.uint64(seed), key)) for key in keys}) == len(keys)


@given(seeds)
def test_next_seeds_do_not_come_round(seed: int) -> None:
    met = [seed]
    for _ in range(50):
        met.append(int(random.next_seed(np.uint64(met[-1]))))
    assert len(set(met)) == len(met)
