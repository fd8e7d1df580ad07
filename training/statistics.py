"""Intervals, tests and variance reduction for numbers of which one stands for each block of duplicate deals.

Blocks are independent of each other; what lies within a block is not. So every function takes one value a block.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

CONFIDENCE = 0.99
RESAMPLES = 10_000
DRAWS_AT_ONCE = 10_000_000
FEWEST_BLOCKS = 2
FOLDS = 5


class Interval(NamedTuple):
    """A mean with the bounds of its ``CONFIDENCE`` interval."""

    mean: float
    low: float
    high: float


def mean_interval(values: np.ndarray) -> Interval:
    """The mean of ``values``, float64 (blocks,), with the percentile bootstrap interval (Efron & Tibshirani 1993, 13).

    Values that are all equal have an interval of no width. Raises ValueError for fewer than two blocks.
    """
    check_blocks(len(values))
    mean = float(values.mean())
    if values.std() == 0:
        return Interval(mean, mean, mean)
    bounds = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        batch=max(1, DRAWS_AT_ONCE // len(values)),
        rng=np.random.default_rng(0),
    ).confidence_interval
    return Interval(mean, float(bounds.low), float(bounds.high))


def check_blocks(blocks: int) -> None:
    """ValueError when there are too few blocks for an interval."""
    if blocks < FEWEST_BLOCKS:
        raise ValueError(f"{blocks} deal: an interval takes at least {FEWEST_BLOCKS} deals")


def standard_error(values: np.ndarray) -> float:
    """The standard error of the mean of ``values``, float64 (blocks,)."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def sign_flip_p(values: np.ndarray) -> float:
    """The two-sided p-value of "blocks are symmetric about 0", by flipping signs of blocks (Fisher 1935, 21).

    All 2**blocks flips are counted where they are at most ``RESAMPLES``; otherwise so many are drawn, and the flips
    as they were count among them, so that p is never 0.
    """
    if not values.any():
        return 1.0
    if 2 ** min(len(values), 64) <= RESAMPLES:
        return float(stats.permutation_test((values,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue)
    rng = np.random.default_rng(1)

    def flipped(size: tuple[int, ...]) -> np.ndarray:
        """Sums with signs drawn by lot, in place of samples: one number a resample."""
        words = rng.integers(0, 256, (size[0], -(-len(values) // 8)), np.uint8)
        kept = np.unpackbits(words, axis=1, count=len(values)).astype(float)
        return (2 * (kept @ values) - values.sum())[:, None]

    return float(
        stats.monte_carlo_test(
            np.array([values.sum()]),
            flipped,
            lambda sums, axis: sums.sum(axis=axis),
            vectorized=True,
            n_resamples=RESAMPLES - 1,
            batch=max(1, DRAWS_AT_ONCE // len(values)),
        ).pvalue
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values of several tests made together, corrected so that any false alarm is rare (Holm 1979)."""
    order = np.argsort(p_values, kind="stable")
    factors = len(p_values) - np.arange(len(p_values))
    corrected = np.minimum(1.0, np.maximum.accumulate(np.asarray(p_values, float)[order] * factors))
    result = np.empty(len(p_values))
    result[order] = corrected
    return [float(p) for p in result]


def ratio_interval(numerators: np.ndarray, denominators: np.ndarray) -> Interval | None:
    """The ratio of two sums over blocks, float64 (blocks,) each, with its large-sample interval (Cochran 1977, 6.3).

    None when the denominators are all 0: there was nothing to count.
    """
    total = denominators.sum()
    if total == 0:
        return None
    blocks = len(numerators)
    ratio = numerators.sum() / total
    residuals = numerators - ratio * denominators
    spread = np.sqrt((residuals**2).sum() * blocks / (blocks - 1)) / total
    reach = spread * float(stats.norm.ppf((1 + CONFIDENCE) / 2))
    return Interval(float(ratio), float(ratio - reach), float(ratio + reach))


class Controlled(NamedTuple):
    """A mean after a control variate was taken off.

    variance_ratio: variance of the controlled mean over that of the plain one; below 1 it pays.
    """

    mean: float
    low: float
    high: float
    slope: float
    variance_ratio: float


def control(values: np.ndarray, datum: np.ndarray, others: np.ndarray) -> Controlled:
    """The mean of ``values`` with a control variate taken off (Lavenberg & Welch 1981), by large-sample interval.

    datum: what is known of each block, float64 (blocks,). others: the same of further blocks, which tell its mean.
    The slope taken off a block is fitted on the other folds of blocks, so the controlled mean is unbiased: with m
    the mean of ``others``, a block counts value − slope · (datum − m).
    """
    blocks = len(values)
    fold = np.arange(blocks) % min(FOLDS, blocks)
    slopes = np.array([_slope(values[fold != k], datum[fold != k]) for k in range(fold.max() + 1)])
    slope = float(slopes.mean())
    controlled = values - slopes[fold] * (datum - others.mean())
    mean = float(controlled.mean())
    plain = values.var(ddof=1) / blocks
    left = controlled.var(ddof=1) / blocks + slope**2 * others.var(ddof=1) / len(others)
    reach = float(np.sqrt(left) * stats.norm.ppf((1 + CONFIDENCE) / 2))
    return Controlled(mean, mean - reach, mean + reach, slope, float(left / plain) if plain else 1.0)


def _slope(values: np.ndarray, datum: np.ndarray) -> float:
    """The slope of the least squares line of values over datum, 0 where the datum does not vary."""
    deviations = datum - datum.mean()
    spread = float(deviations @ deviations)
    return float(deviations @ values) / spread if spread > 0 else 0.0
