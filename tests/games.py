"""The games under test: a line a game, from which the contract, the oracle, the goldens and the rest are run.

A game whose options depend on the number of seats gets a line for each group of seats.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

import trick_envs
from tests import playing
from tests.oracles.hearts import HeartsOracle


class Oracle(Protocol):
    """What a slow second engine shows of its match, by the names that a Table has for it.

    ``takers`` lists who took each trick of the match.
    """

    phase: str
    seat: int
    hand_number: int
    dealer: int
    scores: list[int]
    winners: list[int]
    truncated: bool
    tricks_won: list[int]
    takers: list[int]
    trick: list[tuple[int, str]]

    def hands(self) -> list[list[str]]: ...
    def legal(self) -> list[int]: ...
    def play(self, action_id: int) -> None: ...


@dataclass(frozen=True)
class UnderTest:
    """A game as the tests know it.

    values: for each option but num_players the values to try, the default first. Contract tests run under
        combinations in which every two values of two options meet.
    low_wins: whether the lowest score wins.
    most_hands: every match under ``values`` ends within so many hands.
    oracle: begins the oracle's match of an engine's table, or None when there is no oracle.
    shown: what the oracle and the table show beyond what they do in every game.
    stacked: makes a deck that leads to what chance seldom does, from (game, dealer, random numbers).
    side: the side that a seat of a game plays for, where that is not its own.
    standings: how well the seats of a table stand, the higher the better, where more than the scores counts.
    """

    name: str
    seats: Sequence[int]
    values: Mapping[str, Sequence[Any]]
    low_wins: bool
    most_hands: int
    oracle: Callable[[trick_envs.Table], Oracle] | None = None
    shown: Sequence[str] = ()
    stacked: Callable[[trick_envs.Game, int, Random], list[str]] | None = None
    side: Callable[[trick_envs.Game, int], int] = lambda game, seat: seat
    standings: Callable[[trick_envs.Table], list[float]] | None = None

    def make(self, num_players: int, **options: Any) -> trick_envs.Game:
        return trick_envs.make(self.name, num_players=num_players, **options)

    @property
    def better(self) -> int:
        """What a change of score is multiplied by so that more is better."""
        return -1 if self.low_wins else 1

    def standing(self, table: trick_envs.Table) -> list[float]:
        """How well the seats stand, the higher the better."""
        if self.standings:
            return self.standings(table)
        return [self.better * score for score in table.scores]


@dataclass(frozen=True)
class Case:
    """A game with options settled."""

    under_test: UnderTest
    game: trick_envs.Game

    def __str__(self) -> str:
        """The seats, and the options that are not the default."""
        values = self.under_test.values
        options = [
            f"{name}={value}"
            for name, value in self.game.options.items()
            if name in values and value != values[name][0]
        ]
        return "-".join([f"{self.game.name}{self.game.num_players}", *options])


def hearts_oracle(table: trick_envs.Table) -> HeartsOracle:
    """The oracle's match of ``table``, which has just been dealt its first hand."""
    game = table.game
    engines_own = ("first_dealer", "rewards", "observation", "memory", "variant", "first_pass")
    options = {name: value for name, value in game.options.items() if name not in engines_own}
    return HeartsOracle(
        dealer=table.dealer,
        decks=lambda hand: playing.deck_of(table, hand),
        first_pass=int(table.records["pass_shift"][0]),
        **options,
    )


def hearts_for_a_moon(game: trick_envs.Game, dealer: int, rng: Random) -> list[str]:
    """A deck that gives most of the high cards to one seat, which may shoot the moon."""
    deck = game.deck(rng.getrandbits(64))
    by_height = sorted(deck, key=lambda card: "23456789TJQKA".index(card[0]) + rng.random() * 4)
    seats = game.num_players
    each = len(deck) // seats
    shooter = rng.randrange(seats)
    hands = [by_height[seat * each : (seat + 1) * each] for seat in range(seats - 1)]
    hands.insert(shooter, by_height[-each:])
    return [hands[(dealer + 1 + place) % seats][place // seats] for place in range(len(deck))]


HEARTS_VALUES = {
    "target": [100, 1, 250],
    "pass_cards": [3, 0, 1, 2, 4],
    "first_pass": [0, 1, 2, 3, None],
    "moon": ["choose", "add", "subtract"],
    "queen_breaks_hearts": [True, False],
    "omnibus": [False, True],
    "num_hands": [None, 1, 3],
    "max_hands": [100, 1, 2, None],
    "first_dealer": [None, 0, 2],
    "rewards": ["points", "relative", "placement"],
    "memory": ["perfect", "table"],
    "observation": ["features"],
    "variant": ["standard"],
}

GAMES = [
    UnderTest("hearts", range(3, 8), HEARTS_VALUES, True, 200, hearts_oracle, ["broken"], hearts_for_a_moon),
]


def pairwise(values: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Settings of all options in which every two values of two options meet at least once.

    >>> pairwise({"a": [1, 2], "b": [3, 4], "c": [5, 6]})  # 4 instead of 8
    [{'a': 1, 'b': 3, 'c': 5}, {'a': 1, 'b': 4, 'c': 6}, {'a': 2, 'b': 3, 'c': 6}, {'a': 2, 'b': 4, 'c': 5}]
    """
    places = list(itertools.combinations(values, 2))
    unmet = {(a, i, b, j): None for a, b in places for i in range(len(values[a])) for j in range(len(values[b]))}
    settings = []
    while unmet:
        a, i, b, j = next(iter(unmet))
        chosen = {a: i, b: j}
        for option in values:
            if option not in chosen:
                chosen[option] = max(
                    range(len(values[option])),
                    key=lambda k: sum(pair in unmet for pair in _pairs_with(chosen, option, k, values)),
                )
        for a, b in places:
            unmet.pop((a, chosen[a], b, chosen[b]), None)
        settings.append({option: values[option][chosen[option]] for option in values})
    return settings


def _pairs_with(
    chosen: Mapping[str, int], option: str, value: int, order: Mapping[str, Any]
) -> list[tuple[str, int, str, int]]:
    """The pairs that ``option`` with its value makes with those chosen already."""
    options = list(order)
    return [
        (option, value, other, i) if options.index(option) < options.index(other) else (other, i, option, value)
        for other, i in chosen.items()
    ]


def cases(under_test: UnderTest) -> list[Case]:
    """The game with its defaults at every number of seats, and under options that meet pairwise."""
    defaults = [under_test.make(seats) for seats in under_test.seats]
    settings = pairwise({"num_players": under_test.seats, **under_test.values})
    games = dict.fromkeys([*defaults, *(under_test.make(**options) for options in settings)])
    return [Case(under_test, game) for game in games]


CASES = [case for under_test in GAMES for case in cases(under_test)]
DEFAULTS = [Case(under_test, under_test.make(seats)) for under_test in GAMES for seats in under_test.seats]
