"""Engine and oracle play the same matches; the first difference is told so that it can be replayed.

Compared are, before each action: who is to act in which phase, what is legal, hand number, dealer, scores,
the end of the match, tricks won, takers, the trick on the table, all hands, and what the game shows besides.
"""

import json
from collections import Counter
from random import Random
from typing import Any

import trick_envs
from tests.games import Oracle, UnderTest
from tests.playing import STYLES

COMPARED = (
    "phase",
    "seat",
    "hand_number",
    "dealer",
    "scores",
    "truncated",
    "winners",
    "tricks_won",
    "trick",
)
STACKED = 0.2  # share of matches with stacked decks
MOST_STACKED_HANDS = 3


class Difference(AssertionError):
    """Engine and oracle disagree; the message says where, and how to get there again."""


class Lockstep:
    """One match in both engines.

    The engine's taker of a trick is the seat that has won one trick more. Where the next hand is dealt in the
    same action that cannot be seen, but then the scores tell.
    """

    def __init__(self, under_test: UnderTest, table: trick_envs.Table):
        assert under_test.oracle is not None
        self.table = table
        self.oracle: Oracle = under_test.oracle(table)
        self.attributes = (*COMPARED, *under_test.shown)
        self.compare(hands=True)

    def play(self, action: int, closely: bool) -> None:
        """Do one action in both and compare; the hands, without ``closely``, only between tricks."""
        hand_number, tricks_won = self.table.hand_number, self.table.tricks_won
        tricks = len(self.oracle.takers)
        self.table.play(action)
        self.oracle.play(action)
        if self.table.hand_number == hand_number:
            more = [now - then for now, then in zip(self.table.tricks_won, tricks_won, strict=True)]
            taken_by = [seat for seat, count in enumerate(more) for _ in range(count)]
            if taken_by != self.oracle.takers[tricks:]:
                self._differ("taker", taken_by, self.oracle.takers[tricks:])
        self.compare(closely or not self.oracle.trick)

    def compare(self, hands: bool) -> None:
        """Compare all that both show; ``hands`` take longest."""
        table, oracle = self.table, self.oracle
        for attribute in self.attributes:
            ours, theirs = getattr(table, attribute), getattr(oracle, attribute)
            if ours != theirs:
                self._differ(attribute, ours, theirs)
        if table.legal_actions() != oracle.legal():
            name = table.game.action_name
            self._differ("legal", [*map(name, table.legal_actions())], [*map(name, oracle.legal())])
        if hands and table.hands() != oracle.hands():
            self._differ("hands", table.hands(), oracle.hands())

    def _differ(self, what: str, ours: Any, theirs: Any) -> None:
        last = [
            f"    hand {hand}, seat {seat}: {self.table.game.action_name(action)}"
            for hand, seat, action in self.table.history[-8:]
        ]
        raise Difference(
            "\n".join(
                [
                    f"{what} differs after {len(self.table.history)} actions",
                    f"  engine: {ours}",
                    f"  oracle: {theirs}",
                    f"  {self.table.game!r}",
                    f"  hand {self.table.hand_number}, phase {self.table.phase}, seat {self.table.seat}",
                    "  last actions:",
                    *last,
                    "  hands in the engine:",
                    *(f"    seat {seat}: {' '.join(hand)}" for seat, hand in enumerate(self.table.hands())),
                    "  trick_envs.replay of this record leads there:",
                    f"  {json.dumps(self.table.record())}",
                ]
            )
        )


def random_game(under_test: UnderTest, seats: int, rng: Random) -> trick_envs.Game:
    """The game with each option at its default or, as often, at any of its values."""
    options = {
        name: rng.choice(values) if rng.random() < 0.5 else values[0] for name, values in under_test.values.items()
    }
    return under_test.make(seats, **options)


def play_match(under_test: UnderTest, game: trick_envs.Game, rng: Random, closely: bool) -> Counter[str]:
    """One match with random styles of play, some with stacked decks; counts what came up in it.

    closely: compare the hands before each action.
    """
    seats = range(game.num_players)
    names = list(STYLES) if rng.random() < 0.5 else ["random"]
    styles = [STYLES[rng.choice(names)] for _ in seats]
    decks = None
    dealer = rng.choice([None, *seats])
    if under_test.stacked and rng.random() < STACKED:
        dealer = rng.choice(seats)
        decks = [
            under_test.stacked(game, (dealer + hand) % game.num_players, rng) for hand in range(MOST_STACKED_HANDS)
        ]
        styles = [STYLES["high"] if rng.random() < 0.5 else STYLES["low"] for _ in seats]
    both = Lockstep(under_test, game.table(rng.getrandbits(64), decks, dealer))
    table = both.table
    seen: Counter[str] = Counter()
    while not table.over:
        seen[f"actions in the {table.phase} phase"] += 1
        action = styles[table.seat](table.legal_actions(), rng)
        both.play(action, closely)
        seen["hands"] += table.hand_over
    seen["matches"] = 1
    seen["matches with stacked decks"] = decks is not None
    seen["truncated matches"] = table.truncated
    seen["shared wins"] = len(table.winners) > 1
    return seen


def play_hands(
    under_test: UnderTest, seats: int, amount: int, seed: int | str, closely: bool = False, unit: str = "hands"
) -> Counter[str]:
    """Matches under random options until at least so many hands, or what the ``unit`` is, have been compared."""
    rng = Random(seed)
    seen: Counter[str] = Counter()
    while seen[unit] < amount:
        seen.update(play_match(under_test, random_game(under_test, seats, rng), rng, closely))
    return seen
