"""Intervals, tests and variance reduction against what is known or reckoned by hand."""

import numpy as np
import pytest

from training.statistics import (
    control,
    holm,
    mean_interval,
    ratio_interval,
    sign_flip_p,
    standard_error,
)

SIMULATIONS = 150
BLOCKS = 60
FEWEST_COVERING = 142  # of 150 at 99 %: fewer would come up once in 10,000 test runs if coverage were 98.5 %


def test_intervals_of_a_mean_cover_a_known_truth_and_are_as_wide_as_theory_says():
    rng = np.random.default_rng(5)
    intervals = [mean_interval(rng.exponential(2.0, BLOCKS)) for _ in range(SIMULATIONS)]
    covering = sum(low <= 2.0 <= high for _, low, high in intervals)
    assert covering >= FEWEST_COVERING - 6  # skewed numbers: the percentile interval is a little short
    widths = [high - low for _, low, high in intervals]
    assert np.mean(widths) == pytest.approx(2 * 2.576 * 2.0 / np.sqrt(BLOCKS), rel=0.1)


def test_equal_values_have_an_interval_of_no_width():
    assert mean_interval(np.zeros(9)) == (0.0, 0.0, 0.0)
    assert sign_flip_p(np.zeros(9)) == 1.0


def test_one_deal_is_not_enough():
    with pytest.raises(ValueError, match="at least 2 deals"):
        mean_interval(np.ones(1))


def test_standard_error_by_hand():
    assert standard_error(np.array([1.0, 3.0])) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("values", "p"),
    [
        ([1.0, 2.0, 3.0], 2 / 8),  # only +++ and --- are as far from 0
        ([3.0, -1.0, 2.0], 4 / 8),  # sums are 6, 4, 2 and 0 to either side; ours is 4
    ],
)
def test_sign_flips_by_hand(values, p):
    assert sign_flip_p(np.array(values)) == pytest.approx(p)


def test_drawn_sign_flips_come_close_to_all_of_them():
    values = np.random.default_rng(3).normal(0.7, 1.0, 14)
    assert 2 ** len(values) > 10_000
    signs = 1 - 2 * ((np.arange(2**14)[:, None] >> np.arange(14)) & 1)
    exact = (np.abs(signs @ values) >= abs(values.sum()) - 1e-12).mean()
    assert sign_flip_p(values) == pytest.approx(exact, abs=0.015)
    assert 0.01 < exact < 0.5


def test_a_p_value_is_never_nothing():
    assert sign_flip_p(np.full(500, 1.0)) == pytest.approx(2 / 10_000)


def test_p_values_of_no_difference_are_even():
    rng = np.random.default_rng(8)
    p_values = [sign_flip_p(rng.normal(0, 1, 20)) for _ in range(40)]
    assert 0.3 < np.mean(p_values) < 0.7


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([0.2]) == pytest.approx([0.2])


def test_a_ratio_by_hand():
    numerators, denominators = np.array([1.0, 3.0]), np.array([2.0, 2.0])
    # residuals -1 and 1: their spread over two blocks is sqrt(2 * 2 / 1), over the sum of denominators
    ratio, low, high = ratio_interval(numerators, denominators)
    assert ratio == 1.0
    assert high - ratio == pytest.approx(2.5758 * 2 / 4, rel=1e-4)
    assert ratio - low == pytest.approx(high - ratio)


def test_a_ratio_of_nothing_is_none():
    assert ratio_interval(np.zeros(3), np.zeros(3)) is None


def test_intervals_of_ratios_cover_a_known_truth():
    rng = np.random.default_rng(11)
    covering = 0
    for _ in range(SIMULATIONS):
        tried = rng.integers(1, 9, BLOCKS).astype(float)
        _, low, high = ratio_interval(rng.binomial(tried.astype(int), 0.3).astype(float), tried)
        covering += low <= 0.3 <= high
    assert covering >= FEWEST_COVERING


def test_a_control_variate_takes_off_what_it_explains_and_stays_unbiased():
    rng = np.random.default_rng(13)
    covering, ratios, means = 0, [], []
    for _ in range(SIMULATIONS):
        datum, others = rng.normal(3.0, 1.0, BLOCKS), rng.normal(3.0, 1.0, 4 * BLOCKS)
        values = 1.0 + 2.0 * (datum - 3.0) + rng.normal(0.0, 1.0, BLOCKS)
        told = control(values, datum, others)
        covering += told.low <= 1.0 <= told.high
        ratios.append(told.variance_ratio)
        means.append(told.mean)
    assert covering >= FEWEST_COVERING - 3
    # left are 1 of 5 parts of the variance, and a quarter of the other 4 for the mean of the datum
    assert np.mean(ratios) == pytest.approx((1 + 4 / 4) / 5, rel=0.1)
    assert np.mean(means) == pytest.approx(1.0, abs=0.05)


def test_a_datum_that_does_not_vary_changes_nothing():
    values = np.array([1.0, 2.0, 4.0])
    told = control(values, np.ones(3), np.ones(5))
    assert told.mean == pytest.approx(values.mean())
    assert (told.slope, told.variance_ratio) == (0.0, 1.0)
