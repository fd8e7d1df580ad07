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
from tests.oracles.cancellation import CancellationOracle
from tests.oracles.hearts import HeartsOracle
from tests.oracles.rage_glyphs import RageGlyphsOracle
from tests.oracles.rewind import RewindOracle
from tests.oracles.setback import SetbackOracle


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
    most_actions: how many actions a hand of a game can take, from (game, hand number).
    oracle: begins the oracle's match of an engine's table, or None when there is no oracle.
    shown: what the oracle and the table show beyond what they do in every game.
    stacked: makes a deck that leads to what chance seldom does, from (game, dealer, random numbers).
    side: the side that a seat of a game plays for, where that is not its own.
    standings: how well the seats of a table stand, the higher the better, where more than the scores counts.
    unbounded: whether matches may go on for ever when no option ends them.
    """

    name: str
    seats: Sequence[int]
    values: Mapping[str, Sequence[Any]]
    low_wins: bool
    most_hands: int
    most_actions: Callable[[trick_envs.Game, int], int]
    oracle: Callable[[trick_envs.Table], Oracle] | None = None
    shown: Sequence[str] = ()
    stacked: Callable[[trick_envs.Game, int, Random], list[str]] | None = None
    side: Callable[[trick_envs.Game, int], int] = lambda game, seat: seat
    standings: Callable[[trick_envs.Table], list[float]] | None = None
    unbounded: bool = False

    def make(self, num_players: int, **options: Any) -> trick_envs.Game:
        """The game with these options, and the first of the values for all others.

        Where nothing bounds the match, events are of the hand.
        """
        settled = {name: values[0] for name, values in self.values.items()} | options
        if settled["max_hands"] is settled["num_hands"] is None and self.unbounded:
            settled["events_of"] = "hand"
        return trick_envs.make(self.name, num_players=num_players, **settled)

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
        usual = self.under_test.make(self.game.num_players).options
        variant = "" if self.game.kind.name == self.game.name else f"-{self.game.options['variant']}"
        options = [f"{name}={value}" for name, value in self.game.options.items() if value != usual[name]]
        return "-".join([f"{self.game.name}{self.game.num_players}{variant}", *options])


ENGINES_OWN = ("first_dealer", "rewards", "observation", "events_of", "memory")


def rules_options(game: trick_envs.Game) -> dict[str, Any]:
    """The options that an oracle takes: those that are rules."""
    return {name: value for name, value in game.options.items() if name not in ENGINES_OWN}


def hearts_oracle(table: trick_envs.Table) -> HeartsOracle | CancellationOracle:
    """The oracle's match of ``table``, which has just been dealt its first hand."""
    options = rules_options(table.game) | {"first_pass": int(table.records["pass_shift"][0])}
    oracle = CancellationOracle if options.pop("variant") == "cancellation" else HeartsOracle
    return oracle(dealer=table.dealer, decks=lambda hand: playing.deck_of(table, hand), **options)


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


def most_hearts_actions(game: trick_envs.Game, hand: int) -> int:
    """Every card that is dealt, what all seats pass, and the moon."""
    seats = game.num_players
    return len(game.pack) - len(game.pack) % seats + game.options["pass_cards"] * seats + 1


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
    "observation": ["features", "both", "events"],
    "events_of": ["match", "hand"],
    "variant": ["standard"],
}

CANCELLATION_VALUES = {**HEARTS_VALUES, "first_dealer": [None, 0, 5], "variant": ["cancellation"]}


def for_cancellation(game: trick_envs.Game, dealer: int, rng: Random) -> list[str]:
    """A deck for a sure moon, for one that is likely, or for tricks that are cancelled whole.

    A sure moon: the dealer's left has the highest cards of a suit, which win every trick unless cards are passed.
    Cancelled tricks: seats are dealt in twins with the very same hand, mostly of one suit.
    """
    seats = game.num_players
    each = 104 // seats
    deck = game.deck(rng.getrandbits(64))
    suits = rng.sample("CDSH", 4)
    by_suit = sorted(deck, key=lambda card: (suits.index(card[1]), "23456789TJQKA".index(card[0])))
    shape = rng.choice(["moon", "height", "twins"])
    if shape == "twins":
        pairs = seats // 2
        singles = by_suit[::2]
        dealt = singles[: pairs * each]
        hands = [dealt[first : first + each] for first in range(0, len(dealt), each)] * 2
        rest = [card for card in singles[pairs * each :] for _ in range(2)]
        rng.shuffle(rest)
    elif shape == "moon":
        first_suit = by_suit[:26]
        hands = [first_suit[-each:]]
        rest = first_suit[:-each] + [card for card in deck if card[1] != suits[0]]
    else:
        by_height = sorted(deck, key=lambda card: -"23456789TJQKA".index(card[0]) - rng.random() * 3)
        hands, rest = [by_height[:each]], by_height[each:]
        rng.shuffle(rest)
    while len(hands) < seats:
        hands.append(rest[:each])
        rest = rest[each:]
    return [hands[place % seats][place // seats] for place in range(seats * each)] + rest


# --- Setback


def setback_oracle(table: trick_envs.Table) -> SetbackOracle:
    """The oracle's match of ``table``, from its first hand on."""
    game = table.game
    return SetbackOracle(
        dealer=(table.dealer - table.hand_number) % game.num_players,
        decks=lambda hand: playing.deck_of(table, hand),
        **rules_options(game),
    )


def setback_standings(table: trick_envs.Table) -> list[float]:
    """The oracle's, to which the match is played again: the scores do not tell who bid out."""
    oracle = setback_oracle(table)
    for _, _, action in table.history:
        oracle.play(action)
    return oracle.standings()


def setback_for_a_smudge(game: trick_envs.Game, dealer: int, rng: Random) -> list[str]:
    """A deck of few honours: one suit's are held by the first or the last to bid, or nobody holds any."""
    by_worth = sorted(game.deck(rng.getrandbits(64)), key=lambda card: card[0] in "TJQKA")
    if rng.random() < 0.2:
        return by_worth
    suit = rng.choice("CDSH")
    strong = [rank + suit for rank in rng.choice(["AKQJT9", "AKQJT2", "AKQT98"])]
    deck = [card for card in by_worth if card not in strong]
    place = rng.choice([0, game.num_players - 1])
    for turn in range(2):
        first = 3 * (turn * game.num_players + place)
        deck[first:first] = strong[3 * turn : 3 * turn + 3]
    return deck


def most_setback_actions(game: trick_envs.Game, hand: int) -> int:
    """A bid and six cards from each seat."""
    return 7 * game.num_players


def setback_side(game: trick_envs.Game, seat: int) -> int:
    return seat % 2 if game.options["partners"] else seat


SETBACK_VALUES = {
    "partners": [True, False],
    "target": [21, 1, 5],
    "game_aces": ["trump", "all"],
    "low_to": ["winner", "holder"],
    "dealer_steals": [True, False],
    "must_bid_out": [True, False],
    "defenders_score_on_set": [True, False],
    "num_hands": [None, 1, 3],
    "max_hands": [50, 1, 2],  # without a cap random play might never end
    "first_dealer": [None, 0, 1],
    "rewards": ["points", "relative", "placement"],
    "memory": ["perfect", "table"],
    "observation": ["features", "both", "events"],
    "events_of": ["match", "hand"],
}
SETBACK_ALONE = {**SETBACK_VALUES, "partners": [False]}


# --- Rage'n Glyphs


def rage_glyphs_oracle(table: trick_envs.Table) -> RageGlyphsOracle:
    """The oracle's match of ``table``, which has just been dealt its first hand."""
    return RageGlyphsOracle(
        dealer=table.dealer, decks=lambda hand: playing.deck_of(table, hand), **rules_options(table.game)
    )


def rage_glyphs_for_jokers(game: trick_envs.Game, dealer: int, rng: Random) -> list[str]:
    """A deck with its jokers together: dealt first, first of a pile, or last; often with a suit at the pack's end."""
    suited = [card for card in game.deck(rng.getrandbits(64)) if card not in ("J2", "J4")]
    jokers = ["J2", "J4"] * 4
    rng.shuffle(jokers)
    if rng.random() < 0.5:
        last_suit = rng.choice("MHDCXN")
        suited.sort(key=lambda card: card[-1] == last_suit)
    dealt = game.num_players * game.options["hand_sizes"][0]
    above = rng.choice([0, 0, dealt, len(suited)])
    return suited[:above] + jokers + suited[above:]


def most_rage_glyphs_actions(game: trick_envs.Game, hand: int) -> int:
    """A bid and the hand's cards from each seat."""
    return (1 + game.options["hand_sizes"][hand]) * game.num_players


RAGE_GLYPHS_VALUES = {
    "hand_sizes": [None, (1, 2), (9, 9, 1)],
    "exact_bonus": [10, 0, 3],
    "zero_bonus": [None, 5, 0],
    "miss_penalty": [0, 5],
    "hook": [False, True],
    "num_hands": [None, 1, 2],
    "max_hands": [None, 1, 2],
    "first_dealer": [None, 0, 1],
    "rewards": ["points", "relative", "placement"],
    "memory": ["perfect", "table"],
    "observation": ["features", "both", "events"],
    "events_of": ["match", "hand"],
}
# Two and three seats: matches of 47 and 31 hands are too few for shared wins, so short ones come first.
RAGE_GLYPHS_FEW = {**RAGE_GLYPHS_VALUES, "hand_sizes": [(2, 2), None, (31, 31)]}
# The largest hands: the pile runs out.
RAGE_GLYPHS_FULL = {**RAGE_GLYPHS_VALUES, "hand_sizes": [(23, 23), (23, 1)]}


# --- Rewind


def rewind_oracle(table: trick_envs.Table) -> RewindOracle:
    """The oracle's match of ``table``, which has just been dealt its first hand."""
    return RewindOracle(
        dealer=table.dealer, decks=lambda hand: playing.deck_of(table, hand), **rules_options(table.game)
    )


def rewind_for_ties(game: trick_envs.Game, dealer: int, rng: Random) -> list[str]:
    """A deck that gives each seat most of a suit, so that few can follow and many cards are tied."""
    deck = game.deck(rng.getrandbits(64))
    suits = list(dict.fromkeys(card[-1] for card in deck))
    mixed = rng.random() * 2
    by_suit = sorted(deck, key=lambda card: suits.index(card[-1]) + rng.random() * (1 + mixed))
    seats = game.num_players
    return [by_suit[(dealer + 1 + place) % seats * 13 + place // seats] for place in range(len(deck))]


def most_rewind_actions(game: trick_envs.Game, hand: int) -> int:
    """Thirteen tricks in each of two rounds, in which seats can tie that do not follow: all but the leader."""
    places_given = game.num_players - 2
    return 2 * 13 * (game.num_players + places_given)


def rewind_standings(table: trick_envs.Table) -> list[float]:
    """The lower score first, then the larger tie-break pile, which holds 52 at most."""
    return [pile - 100 * score for score, pile in zip(table.scores, table.tiebreakers, strict=True)]


REWIND_VALUES = {
    "num_hands": [1, 2, 3, 4],
    "max_hands": [None, 1, 2],
    "removed_suit": ["photos"],  # among four the only value
    "first_dealer": [None, 0, 2],
    "rewards": ["points", "relative", "placement"],
    "memory": ["perfect", "table"],
    "observation": ["features", "both", "events"],
    "events_of": ["match", "hand"],
}
REWIND_OF_THREE = {**REWIND_VALUES, "removed_suit": ["photos", "records", "films"]}
REWIND_SHOWN = ["placements", "markers", "tiebreakers", "round", "trump"]


GAMES = [
    *(
        UnderTest(
            "hearts",
            seats,
            values,
            low_wins=True,
            most_hands=200,
            most_actions=most_hearts_actions,
            oracle=hearts_oracle,
            unbounded=True,
            shown=["broken"],
            stacked=stacked,
        )
        for seats, values, stacked in [
            (range(3, 8), HEARTS_VALUES, hearts_for_a_moon),
            (range(6, 12), CANCELLATION_VALUES, for_cancellation),
        ]
    ),
    *(
        UnderTest(
            "setback",
            seats,
            values,
            low_wins=False,
            most_hands=50,
            most_actions=most_setback_actions,
            oracle=setback_oracle,
            unbounded=True,
            shown=["bids", "pitcher", "trump"],
            stacked=setback_for_a_smudge,
            side=setback_side,
            standings=setback_standings,
        )
        for seats, values in [([4], SETBACK_VALUES), ([2, 3], SETBACK_ALONE)]
    ),
    *(
        UnderTest(
            "rage_glyphs",
            seats,
            values,
            low_wins=False,
            most_hands=most_hands,
            most_actions=most_rage_glyphs_actions,
            oracle=rage_glyphs_oracle,
            shown=["bids", "trump", "turned"],
            stacked=rage_glyphs_for_jokers,
        )
        for seats, values, most_hands in [
            (range(4, 11), RAGE_GLYPHS_VALUES, 23),
            (range(2, 4), RAGE_GLYPHS_FEW, 47),
            ([4], RAGE_GLYPHS_FULL, 2),
        ]
    ),
    *(
        UnderTest(
            "rewind",
            seats,
            values,
            low_wins=True,
            most_hands=4,
            most_actions=most_rewind_actions,
            oracle=rewind_oracle,
            shown=REWIND_SHOWN,
            stacked=rewind_for_ties,
            standings=rewind_standings,
        )
        for seats, values in [([4], REWIND_VALUES), ([3], REWIND_OF_THREE)]
    ),
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

# For tests that take long: the defaults at every number of seats, and some of the other cases.
SAMPLE = [*DEFAULTS, *[case for case in CASES if case not in DEFAULTS][::5]]
