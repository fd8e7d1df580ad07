"""Steps a second of Hearts in another library's loop, beside another game: ``python -m benchmarks.libraries NAME``.

Both are measured in turn, in rounds, on one core; shown are the medians and the median of the ratios.
"""

import argparse
import random
import statistics
import warnings
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.ours import rate


class Loops(NamedTuple):
    """A loop of a library on Hearts and on another game; each call plays some steps and returns how many."""

    ours: Callable[[], int]
    rival_name: str
    rival: Callable[[], int]


def openspiel(rival: str = "python_liars_poker") -> Loops:
    """Random matches through ``pyspiel``, chance included, beside a card game of OpenSpiel's own in Python."""
    import open_spiel.python.games  # noqa: F401  (registers the games)
    import pyspiel

    import trick_envs.interfaces.openspiel  # noqa: F401  (registers the games)

    uniform = random.Random(0).random

    def playing(name: str) -> Callable[[], int]:
        game = pyspiel.load_game(name)

        def play() -> int:
            state = game.new_initial_state()
            while legal := state.legal_actions():
                state.apply_action(legal[int(uniform() * len(legal))])
            return state.move_number()

        return play

    return Loops(playing("trick_envs_hearts"), rival, playing(rival))


def openspiel_hearts() -> Loops:
    """The same beside OpenSpiel's Hearts, which is C++."""
    return openspiel("hearts")


LIBRARIES: dict[str, Callable[[], Loops]] = {
    "openspiel": openspiel,
    "openspiel_hearts": openspiel_hearts,
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
