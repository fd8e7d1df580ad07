"""The long run of engine against oracle: ``python -m tests.long_oracle --hands 100000`` or ``--matches 50000``.

Plays so many hands at each number of seats, or so many matches of each game, spread over its numbers of seats, under
random options and styles of play, on all processors, and ends with what came up. The first difference ends it with
a report and exit status 1.
"""

import argparse
import os
import sys
from collections import Counter

from tests.games import GAMES
from tests.lockstep import Difference, play_hands
from tests.long_run import Task, run

A_TASK = {"hands": 250, "matches": 50}


def play_task(game: int, seats: int, amount: int, seed: str, unit: str) -> Counter[str] | str:
    """What came up in a task's hands or matches, or the report of a difference."""
    try:
        return play_hands(GAMES[game], seats, amount, seed, unit=unit)
    except Difference as difference:
        return str(difference)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long_oracle", description=__doc__.partition("\n")[0])
    amounts = parser.add_mutually_exclusive_group(required=True)
    amounts.add_argument("--hands", type=int, help="hands at each number of seats")
    amounts.add_argument("--matches", type=int, help="matches of each game")
    names = list(dict.fromkeys(game.name for game in GAMES if game.oracle))
    parser.add_argument("--game", choices=names, help="only this game")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--seed", type=int, default=0, help="the run with the same seed plays the same")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    chosen = parser.parse_args()
    unit = "matches" if chosen.matches else "hands"
    runs = [
        (number, seats)
        for number, game in enumerate(GAMES)
        for seats in game.seats
        if game.oracle and chosen.game in (None, game.name) and chosen.seats in (None, seats)
    ]
    for number, seats in runs:  # compiles, so that the processes need not
        play_task(number, seats, 1, "", unit)
    lines = Counter(GAMES[number].name for number, _ in runs)
    tasks = []
    for number, seats in runs:
        name = GAMES[number].name
        amount = chosen.hands if chosen.hands else -(-chosen.matches // lines[name])
        for first in range(0, amount, A_TASK[unit]):
            size = min(A_TASK[unit], amount - first)
            seed = f"{chosen.seed} {(number, seats)} {first}"
            tasks.append(Task(f"{name} {seats}", size, (number, seats, size, seed, unit)))
    return run(play_task, tasks, chosen.processes)


if __name__ == "__main__":
    sys.exit(main())
