"""How a constant of the Hearts rule bot was chosen: ``python -m benchmarks.hearts_bot_sweep SHED_LENGTH 20 37 50``.

Each value plays the same deals among random seats; the table shows its points ahead a hand, and how far it is ahead of
the constant as it stands, with 99 % intervals over deals.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy import stats

PLAY = """
import sys
import numpy as np
from trick_envs.bots import hearts
setattr(hearts, sys.argv[1], int(sys.argv[2]))
import trick_envs
from trick_envs import bots
from training.evaluation import deal_seeds, measuring_game, play_rotations
game = measuring_game(trick_envs.make("hearts", first_pass=None))
seeds = deal_seeds(int(sys.argv[4]), int(sys.argv[3]))
ahead, hands = play_rotations(game, bots.make("rules", game), bots.make("random", game), seeds)
np.save(sys.stdout.buffer, ahead / hands)
"""


def points_ahead(constant: str, value: int, deals: int, seed: int) -> np.ndarray:
    """Points ahead a hand by deal, float64 (deals,), with the constant at ``value``, in a process of its own."""
    with tempfile.TemporaryDirectory() as cache:  # a compiled constant must not reach the ordinary cache
        printed = subprocess.run(
            [sys.executable, "-c", PLAY, constant, str(value), str(deals), str(seed)],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
        ).stdout
    return np.load(io.BytesIO(printed))


def interval(values: np.ndarray) -> str:
    low, high = stats.t.interval(0.99, len(values) - 1, values.mean(), stats.sem(values) or 1e-12)
    return f"{values.mean():+.3f}  ({low:+.3f} … {high:+.3f})"


def main() -> None:
    from trick_envs.bots import hearts

    parser = argparse.ArgumentParser(prog="python -m benchmarks.hearts_bot_sweep", description=__doc__)
    parser.add_argument("constant", help="a constant of trick_envs/bots/hearts.py")
    parser.add_argument("values", nargs="+", type=int)
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not isinstance(getattr(hearts, options.constant, None), int):
        parser.error(f"{options.constant} is no number in trick_envs/bots/hearts.py")
    standing = getattr(hearts, options.constant)
    values = sorted({standing, *options.values})
    console = Console()
    results = {
        value: points_ahead(options.constant, value, options.deals, options.seed)
        for value in track(values, description=options.constant, console=console, transient=True)
    }
    table = Table(title=f"{options.constant}, {options.deals:,} deals among random seats, seed {options.seed}")
    for column in ("value", "points ahead a hand", f"more than with {standing}"):
        table.add_column(column, justify="right")
    for value, ahead in results.items():
        table.add_row(str(value), interval(ahead), "" if value == standing else interval(ahead - results[standing]))
    console.print(table)


if __name__ == "__main__":
    main()
