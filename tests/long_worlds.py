"""The long run over worlds: ``python -m tests.long_worlds --positions 10000``.

At so many positions of each game, spread over its numbers of seats and both kinds of memory, from random play and play
by the rule bots, all that a seat cannot see is dealt afresh: the world must replay legally from its own start, and
leave what the seat sees – features, events, mask, text, view – and what every bot chooses the same, bit for bit.
"""

import argparse
import os
import sys
from collections import Counter
from random import Random

import trick_envs
from tests.games import GAMES
from tests.long_run import Task, run
from tests.playing import random_action
from tests.test_views import all_seen, choices
from trick_envs import bots
from trick_envs.views.text import picture

A_TASK = 50
MOST_APART = 25  # actions between two positions
MEMORIES = ("perfect", "table")
SEARCHING = ("search:2", "ismcts:4")


def check_positions(line: int, seats: int, memory: str, count: int, seed: str) -> Counter[str] | str:
    """What came up in so many positions, or the report of a difference."""
    rng = Random(seed)
    under_test = GAMES[line]
    game = under_test.make(seats, observation="both", memory=memory)
    seen: Counter[str] = Counter()
    while seen["positions"] < count:
        table = game.table(seed=rng.getrandbits(64))
        by_rules = rng.random() < 0.5
        while not table.over and seen["positions"] < count:
            for _ in range(rng.randint(1, MOST_APART)):
                if not table.over:
                    play_on(table, by_rules and rng.random() < 0.9, rng)
            seat = rng.randrange(seats)
            difference = compare(table, seat, rng.getrandbits(64))
            if difference:
                return f"{game!r}, seat {seat}: {difference}\n{table.record()}"
            seen.update(["positions", f"{table.phase} phase", "by rule bots" if by_rules else "by chance"])
            seen["last hands"] += table.hand_number > 0
    return seen


def play_on(table: trick_envs.Table, by_rules: bool, rng: Random) -> None:
    """The next action, by the rule bot or by chance."""
    bot = bots.make("rules", table.game) if by_rules else None
    table.play(bot.act(table.view(table.seat)) if bot else random_action(table, rng))


def compare(table: trick_envs.Table, seat: int, seed: int) -> str | None:
    """What a world of the seat does wrong, or None."""
    world = table.resample(seat, seed)
    again = trick_envs.replay(world.record())
    if again.records.tobytes() != world.records.tobytes():
        return "the world does not replay to itself"
    ours, theirs = (
        all_seen(one, seat) | {"text": picture(one, seat), "searched": choices(one.view(seat), SEARCHING)}
        for one in (table, world)
    )
    return next((f"{name} differs in the world of seed {seed}" for name in ours if ours[name] != theirs[name]), None)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long_worlds", description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, required=True, help="positions of each game")
    names = list(dict.fromkeys(game.name for game in GAMES))
    parser.add_argument("--game", choices=names, help="only this game")
    parser.add_argument("--seed", type=int, default=0, help="the run with the same seed checks the same")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    chosen = parser.parse_args()
    runs = [
        (line, seats, memory)
        for line, under_test in enumerate(GAMES)
        for seats in under_test.seats
        for memory in MEMORIES
        if chosen.game in (None, under_test.name)
    ]
    kinds = Counter(GAMES[line].make(seats).kind.name for line, seats, _ in runs)
    tasks = []
    for line, seats, memory in runs:
        check_positions(line, seats, memory, 1, "")  # compiles, so that the processes need not
        kind = GAMES[line].make(seats).kind.name
        amount = -(-chosen.positions // kinds[kind])
        for first in range(0, amount, A_TASK):
            size = min(A_TASK, amount - first)
            seed = f"{chosen.seed} {line} {seats} {memory} {first}"
            tasks.append(Task(kind, size, (line, seats, memory, size, seed)))
    return run(check_positions, tasks, chosen.processes)


if __name__ == "__main__":
    sys.exit(main())
