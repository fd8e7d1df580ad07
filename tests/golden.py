"""Goldens: matches written down to be read, one file a game, variant and number of seats, as text without tensors.

``python -m tests.golden`` writes them all. A trace that differs from its file means that play has changed for
the same seed: the game then needs a new ``VERSION``, a line in its version history, and new files.
"""

from pathlib import Path
from random import Random

import numpy as np

import trick_envs
from tests.games import DEFAULTS, Case
from tests.playing import random_action

FOLDER = Path(__file__).with_name("golden")
HANDS = 4
SEED = 1


def file_of(case: Case) -> Path:
    game = case.game
    variant = "" if game.kind.name == game.name else f"-{game.options['variant']}"
    return FOLDER / f"{game.name}{variant}-v{game.version}-{game.num_players}.txt"


# Of several lines of values for the same game and seats the first is written down.
CASES = list({file_of(case): case for case in reversed(DEFAULTS)}.values())[::-1]


def trace(case: Case) -> str:
    """A match of ``HANDS`` hands under the default options, in words."""
    options = {name: case.game.options[name] for name in ("num_players", "variant") if name in case.game.options}
    game = trick_envs.make(case.game.name, num_hands=HANDS, **options)
    table = game.table(seed=SEED)
    rng = Random(SEED)
    lines = [
        f"{game.name} version {game.version}, {game.num_players} seats, seed {SEED}",
        f"observation layout {game.layout.fingerprint}",
    ]
    dealt = None
    while not table.over:
        if table.hand_number != dealt:
            dealt = table.hand_number
            lines += ["", f"hand {dealt}, dealer {table.dealer}"]
            lines += [f"  seat {seat} holds {' '.join(hand)}" for seat, hand in enumerate(table.hands())]
        lines += action_lines(table, random_action(table, rng))
    lines += ["", f"winners {table.winners}"]
    return "\n".join(lines) + "\n"


def action_lines(table: trick_envs.Table, action: int) -> list[str]:
    """Do an action; what there is to say about it and what came of it."""
    name = table.game.action_name
    legal = " ".join(map(name, table.legal_actions()))
    lines = [f"  {table.phase} seat {table.seat}: {name(action)} of {legal}"]
    before = table.tricks_won
    after = tricks_won_after(table, action)
    for seat in range(table.game.num_players):
        if after[seat] != before[seat]:
            lines.append(f"    trick {sum(after)} to seat {seat}")
    scores = table.scores
    table.play(action)
    if table.hand_over:
        points = [now - then for now, then in zip(table.scores, scores, strict=True)]
        lines.append(f"  points {points}, scores {table.scores}, rewards {table.rewards}")
    return lines


def tricks_won_after(table: trick_envs.Table, action: int) -> list[int]:
    """Tricks won when an action has been done, before another hand is dealt: by the bare rules."""
    record = table.records.copy().view(np.recarray)[0]
    table.game.kind.rules.play(record, action)
    return record.tricks_won[: table.game.num_players].tolist()


def main() -> None:
    for case in CASES:
        file_of(case).write_text(trace(case))


if __name__ == "__main__":
    main()
