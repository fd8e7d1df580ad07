"""Engine and OpenSpiel play the same four-seat hands of Hearts, under options that mean the same in both."""

import json
from collections import Counter
from random import Random

import trick_envs
from tests.lockstep import Difference
from tests.openspiel_hearts import PASS_ROTATION, SEATS, OpenSpielHearts
from tests.playing import STYLES

SHARED_VALUES = {
    "pass_cards": [3, 0],
    "first_pass": [0, 1, 2, 3],
    "moon": ["choose", "add", "subtract"],
    "queen_breaks_hearts": [True, False],
    "omnibus": [False, True],
}


def play_hands(hands: int, seed: int | str) -> Counter[str]:
    """Matches under random options, compared hand by hand until there are so many; counts what came up."""
    rng = Random(seed)
    seen: Counter[str] = Counter()
    while seen["hands"] < hands:
        options = {name: rng.choice(values) for name, values in SHARED_VALUES.items()}
        table = trick_envs.make("hearts", num_players=SEATS, target=10_000, **options).table(rng.getrandbits(64))
        for _ in range(min(8, hands - seen["hands"])):
            names = list(STYLES) if rng.random() < 0.5 else ["random"]
            seen.update(play_hand(table, [rng.choice(names) for _ in range(SEATS)], rng))
            seen["hands"] += 1
    return seen


def play_hand(table: trick_envs.Table, styles: list[str], rng: Random) -> Counter[str]:
    """One hand, from its deal, in both."""
    options = table.game.options
    direction = PASS_ROTATION[(table.hand_number + options["first_pass"]) % len(PASS_ROTATION)]
    rival = OpenSpielHearts(
        table.hands(),
        direction if options["pass_cards"] else None,
        first_seat=(table.dealer + 1) % SEATS,
        queen_breaks_hearts=options["queen_breaks_hearts"],
        omnibus=options["omnibus"],
    )
    seen: Counter[str] = Counter()
    hand_number, scores = table.hand_number, table.scores
    while table.hand_number == hand_number and table.phase != "moon":
        for what, ours, theirs in (
            ("phase", table.phase, rival.phase),
            ("seat", table.seat, rival.seat),
            ("legal", table.legal_actions(), rival.legal_actions()),
        ):
            if ours != theirs:
                _differ(table, what, ours, theirs)
        seen[f"actions in the {table.phase} phase"] += 1
        action = STYLES[styles[table.seat]](table.legal_actions(), rng)
        rival.play(action)
        table.play(action)
    if not rival.over:
        _differ(table, "end of the hand", True, False)
    moon = options["moon"]
    if table.phase == "moon":
        seen["actions in the moon phase"] += 1
        table.play(rng.choice(table.legal_actions()))
        moon = table.game.action_name(table.history[-1][2]).removeprefix("moon: ")
    points = [now - then for now, then in zip(table.scores, scores, strict=True)]
    theirs = rival.points("add" if moon == "choose" else moon)
    if points != theirs:
        _differ(table, "points", points, theirs)
    return seen


def _differ(table: trick_envs.Table, what: str, ours: object, theirs: object) -> None:
    raise Difference(
        f"{what} differs after {len(table.history)} actions\n  engine: {ours}\n  OpenSpiel: {theirs}\n"
        f"  trick_envs.replay of this record leads there:\n  {json.dumps(table.record())}"
    )
