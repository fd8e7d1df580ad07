"""How a constant of the Rewind rule bot was chosen: ``python -m benchmarks.rewind_bot_sweep DENY 0 0.15 0.5``.

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

from benchmarks.hearts_bot_sweep import interval

PLAY = """
import sys
import numpy as np
from trick_envs.bots import rewind
name, value, deals, seed, seats = sys.argv[1], float(sys.argv[2]), *map(int, sys.argv[3:])
setattr(rewind, name, value)
import trick_envs
from trick_envs import bots
from training.evaluation import deal_seeds, measuring_game, play_rotations
game = measuring_game(trick_envs.make("rewind", num_players=seats))
ahead, hands = play_rotations(game, bots.make("rules", game), bots.make("random", game), deal_seeds(seed, deals))
np.save(sys.stdout.buffer, ahead / hands)
"""


def points_ahead(constant: str, value: float, deals: int, seed: int, seats: int) -> np.ndarray:
    """Points ahead a hand by deal, float64 (deals,), with the constant at ``value``, in a process of its own."""
    with tempfile.TemporaryDirectory() as cache:  # a compiled constant must not reach the ordinary cache
        printed = subprocess.run(
            [sys.executable, "-c", PLAY, constant, *map(str, (value, deals, seed, seats))],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
        ).stdout
    return np.load(io.BytesIO(printed))


def main() -> None:
    from trick_envs.bots import rewind

    parser = argparse.ArgumentParser(prog="python -m benchmarks.rewind_bot_sweep", description=__doc__)
    parser.add_argument("constant", help="a constant of trick_envs/bots/rewind.py")
    parser.add_argument("values", nargs="+", type=float)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, default=4)
    options = parser.parse_args()
    standing = getattr(rewind, options.constant, None)
    if not isinstance(standing, float):
        parser.error(f"{options.constant} is no number in trick_envs/bots/rewind.py")
    console = Console()
    results = {
        value: points_ahead(options.constant, value, options.deals, options.seed, options.seats)
        for value in track(
            sorted({standing, *options.values}), description=options.constant, console=console, transient=True
        )
    }
    title = (
        f"{options.constant}, {options.deals:,} deals among random seats, {options.seats} seats, seed {options.seed}"
    )
    table = Table(title=title)
    for column in ("value", "points ahead a hand", f"more than with {standing}"):
        table.add_column(column, justify="right")
    for value, ahead in results.items():
        table.add_row(str(value), interval(ahead), "" if value == standing else interval(ahead - results[standing]))
    console.print(table)


if __name__ == "__main__":
    main()
