"""Steps a second of Hearts in another library's loop, beside another game: ``python -m benchmarks.libraries NAME``.

Both are measured in turn, in rounds, on one core; shown are the medians and the median of the ratios.
"""

import argparse
import statistics
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.ours import rate

STEPS = 520  # ten hands of four seats
ROWS = 64
AGAINST_RANDOM: dict[str, Any] = {"opponents": "random", "num_hands": 1}


class Loops(NamedTuple):
    """A loop of a library on Hearts and on another game; each call plays some steps and returns how many."""

    ours: Callable[[], int]
    rival_name: str
    rival: Callable[[], int]


def gymnasium() -> Loops:
    """Steps and resets of ``gymnasium.make``, against random seats, and of CartPole."""
    import gymnasium

    def stepping(env: Any, choose: Callable[[], int]) -> Callable[[], int]:
        env.reset(seed=0)

        def play() -> int:
            for _ in range(STEPS):
                _, _, terminated, truncated, _ = env.step(choose())
                if terminated or truncated:
                    env.reset()
            return STEPS

        return play

    hearts = gymnasium.make("trick_envs/Hearts-v0", **AGAINST_RANDOM)
    ours = stepping(hearts, lambda: int(hearts.unwrapped.action_masks().argmax()))
    return Loops(ours, "CartPole", stepping(gymnasium.make("CartPole-v1"), lambda: 0))


def gymnasium_vector() -> Loops:
    """Steps of ``ROWS`` rows from ``gymnasium.make_vec``, and of CartPole's own vector environment."""
    import gymnasium

    hearts = gymnasium.make_vec("trick_envs/Hearts-v0", ROWS, **AGAINST_RANDOM)
    carts = gymnasium.make_vec("CartPole-v1", ROWS, vectorization_mode="vector_entry_point")
    return Loops(_rows_of(hearts, hearts.unwrapped.action_masks), "CartPole", _rows_of(carts))


def stable_baselines3() -> Loops:
    """Steps of ``ROWS`` rows of ``SeatVecEnv``, and of CartPole in SB3's DummyVecEnv."""
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv

    from trick_envs.interfaces.sb3 import SeatVecEnv

    hearts = SeatVecEnv("hearts", ROWS, **AGAINST_RANDOM)
    carts = DummyVecEnv([lambda: gymnasium.make("CartPole-v1")] * ROWS)
    return Loops(_rows_of(hearts, hearts.action_masks), "CartPole", _rows_of(carts))


def _rows_of(envs: Any, masks: Callable[[], np.ndarray] | None = None) -> Callable[[], int]:
    """Steps of a vector environment of either kind, each counted once a row."""
    envs.reset()

    def play() -> int:
        for _ in range(STEPS // ROWS):
            envs.step(np.zeros(ROWS, np.int64) if masks is None else masks().argmax(axis=1))
        return STEPS // ROWS * ROWS

    return play


LIBRARIES: dict[str, Callable[[], Loops]] = {
    "gymnasium": gymnasium,
    "gymnasium_vector": gymnasium_vector,
    "stable_baselines3": stable_baselines3,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries", description=__doc__)
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    loops = LIBRARIES[options.library]()
    ours, rival = [], []
    for _ in range(options.rounds):
        ours.append(rate(loops.ours, options.seconds))
        rival.append(rate(loops.rival, options.seconds))
    ratio = statistics.median(one / other for one, other in zip(ours, rival, strict=True))
    table = Table(title=f"{options.library}, steps a second")
    for column in ("Hearts", loops.rival_name, "ratio"):
        table.add_column(column, justify="right")
    table.add_row(f"{statistics.median(ours):,.0f}", f"{statistics.median(rival):,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
