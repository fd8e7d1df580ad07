"""The judge judged: the oracle of Rage'n Glyphs against hands worked out on paper."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.oracles.rage_glyphs import FIRST_BID, KINDS, Card, RageGlyphsOracle, card_id, largest_hand, next_lower, pack

# A whole hand: leader, cards in order of play, taker, trump after the trick.
HAND_ON_PAPER = [
    (1, "5C 14C 6C 14N", 2, "diamonds"),
    (2, "J4 3D 9D 14M", 0, None),  # 3D sets the suit
    (0, "2N 3N 0D 13N", 3, None),
    (3, "J2 J4 1N J2", 1, "hearts"),  # diamonds, none, hearts; nobody has played a heart
    (1, "3X 2D 8H 12X", 3, "hearts"),
]
PILE_ON_PAPER = "J4 5D 6D J2 7H 1X"
TURNED_ON_PAPER = ["J4", "5D", "6D", "J2", "7H"]


def deck_for(hands: list[str], pile: str, dealer: int) -> list[Card]:
    """The deck that deals these hands and leaves a pile that begins so; what is not named lies below."""
    seats = len(hands)
    dealt = [hand.split() for hand in hands]
    order = [(dealer + 1 + place) % seats for place in range(seats)]
    named = [dealt[seat][turn] for turn in range(len(dealt[0])) for seat in order] + pile.split()
    rest = Counter(pack()) - Counter(named)
    return [*named, *rest.elements()]


def table(hands: list[str], pile: str, dealer: int | None = None, **options: Any) -> RageGlyphsOracle:
    """A match in which every hand is dealt as `hands`; unless told, two hands, seat 0 leading the first."""
    seats = len(hands)
    first_dealer = seats - 1 if dealer is None else dealer
    size = len(hands[0].split())
    return RageGlyphsOracle(
        num_players=seats,
        dealer=first_dealer,
        decks=lambda hand_number: deck_for(hands, pile, (first_dealer + hand_number) % seats),
        **{"hand_sizes": [size, size], **options},
    )


def bid(oracle: RageGlyphsOracle, bids: str) -> None:
    for number in bids.split():
        oracle.play(FIRST_BID + int(number))


def play(oracle: RageGlyphsOracle, cards: str) -> None:
    for card in cards.split():
        oracle.play(card_id(card))


def dealt(hands: list[str], pile: str, **options: Any) -> RageGlyphsOracle:
    """A table at the first lead, every seat having bid nothing."""
    oracle = table(hands, pile, **options)
    bid(oracle, "0 " * len(hands))
    return oracle


def legal(oracle: RageGlyphsOracle) -> str:
    return " ".join(KINDS[action] for action in oracle.legal())


def bids_allowed(oracle: RageGlyphsOracle) -> list[int]:
    return [action - FIRST_BID for action in oracle.legal()]


# The pack and the deal


def test_pack() -> None:
    assert len(pack()) == 98
    assert Counter(pack()) == Counter({card: 4 if card in ("J2", "J4") else 1 for card in KINDS})


@pytest.mark.parametrize(
    ("card", "number"),
    [("0M", 0), ("14M", 14), ("0H", 15), ("7D", 37), ("3C", 48), ("7X", 67), ("0N", 75), ("14N", 89), ("J2", 90)],
)
def test_card_ids(card: Card, number: int) -> None:
    assert card_id(card) == number
    assert KINDS[number] == card


def test_bids_come_after_the_cards() -> None:
    assert (card_id("J4"), FIRST_BID) == (91, 92)


@pytest.mark.parametrize(
    ("seats", "size", "undealt"),
    [(10, 9, 8), (3, 31, 5), (9, 10, 8), (4, 23, 6), (2, 47, 4)],
)
def test_largest_hand(seats: int, size: int, undealt: int) -> None:
    assert largest_hand(seats) == size
    oracle = RageGlyphsOracle(num_players=seats, dealer=0, decks=lambda _: pack(), hand_sizes=[size])
    assert [len(hand) for hand in oracle.hands()] == [size] * seats
    assert len(oracle.pile) + len(oracle.turned) == undealt


def test_the_dealers_left_gets_the_first_card_and_the_pile_the_rest() -> None:
    oracle = RageGlyphsOracle(num_players=3, dealer=1, decks=lambda _: pack(), hand_sizes=[2])
    assert oracle.hands() == [["1M", "4M"], ["2M", "5M"], ["0M", "3M"]]
    assert (oracle.turned, oracle.trump) == (["6M"], "mushrooms")


def test_a_deck_that_is_not_the_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="not the pack"):
        RageGlyphsOracle(num_players=4, dealer=0, decks=lambda _: pack()[1:])


def test_hands_are_sorted_with_every_joker() -> None:
    oracle = table(["J4 3N J2 9M J2", "1M 2M 3M 4M 5M"], "0C")
    assert oracle.hands()[0] == ["9M", "3N", "J2", "J2", "J4"]


# The first trump


@pytest.mark.parametrize(
    ("pile", "trump", "turned"),
    [
        ("3C 4D", "clovers", "3C"),
        ("J2 J4 J4 9X 4D", "crosses", "J2 J4 J4 9X"),
        ("0N", "horns", "0N"),
        ("14M", "mushrooms", "14M"),
    ],
)
def test_the_first_suited_card_is_trump(pile: str, trump: str, turned: str) -> None:
    oracle = table(["1H", "2H", "3H"], pile)
    assert (oracle.trump, " ".join(oracle.turned)) == (trump, turned)


def suited_hands(seats: int, pile: str) -> list[str]:
    """Largest hands of all that is not in the pile, in order of the pack, a whole hand a seat."""
    left = list((Counter(pack()) - Counter(pile.split())).elements())
    size = largest_hand(seats)
    return [" ".join(left[seat * size : (seat + 1) * size]) for seat in range(seats)]


@pytest.mark.parametrize(("seats", "pile"), [(10, "J2 J4 J2 J4 J2 J4 J2 J4"), (2, "J4 J4 J4 J2")])
def test_a_pile_of_jokers_makes_hearts_trump(seats: int, pile: str) -> None:
    oracle = table(suited_hands(seats, pile), pile)
    assert (oracle.trump, oracle.turned, oracle.pile) == ("hearts", pile.split(), [])


# Bidding


def test_bids_go_round_from_the_dealers_left() -> None:
    oracle = table(["1H 2H 3H", "1D 2D 3D", "1C 2C 3C"], "0N", dealer=1)
    assert (oracle.phase, oracle.seat, oracle.bids) == ("bid", 2, [None, None, None])
    assert oracle.legal() == [92, 93, 94, 95]
    bid(oracle, "3")
    assert (oracle.seat, oracle.bids) == (0, [None, None, 3])
    bid(oracle, "0 2")
    assert (oracle.phase, oracle.seat, oracle.bids) == ("play", 2, [0, 2, 3])


@pytest.mark.parametrize(
    ("before", "allowed"),
    [("0 0", [0, 1, 2]), ("1 2", [1, 2, 3]), ("2 0", [0, 2, 3]), ("3 1", [0, 1, 2, 3])],
)
def test_the_hook_binds_the_dealer(before: str, allowed: list[int]) -> None:
    for hook in (False, True):
        oracle = table(["1H 2H 3H", "1D 2D 3D", "1C 2C 3C"], "0N", hook=hook)
        bid(oracle, before)
        assert bids_allowed(oracle) == (allowed if hook else [0, 1, 2, 3])


def test_the_hook_binds_nobody_else() -> None:
    oracle = table(["1H 2H 3H", "1D 2D 3D", "1C 2C 3C"], "0N", hook=True)
    bid(oracle, "3")
    assert bids_allowed(oracle) == [0, 1, 2, 3]


# Tricks


@pytest.mark.parametrize(
    ("trick", "pile", "taker"),
    [
        ("J4 3D 9D 14M", "5M", 2),  # the page's first: trump gone, the led suit is the first suited card's
        ("5X 9X J2 2D", "4D 0X", 1),  # the page's second: the led suit has become trump
        ("5X 14N 9X J2", "4D 3N", 1),  # judged with the last trump: the horn was a discard when it was played
        ("5X 2M 9X J4", "4M", 2),  # the trump card is one no more
        ("5D 2M 7M 14D", "4M", 2),  # highest trump
        ("0D 14M 14H 14N", "4C", 0),  # no other suit wins
        ("2C 13C 14C 1C", "4C", 2),
        ("J2 J2 J4 0N", "4C 5D 6H", 3),  # a joker never wins
        ("0N J4 J4 J2", "4C 5D", 0),
        ("J4 J2 J2 J4", "4C", 0),  # but the first of nothing but jokers
        ("J2 J2 0N 14M", "4C 5D 6M", 3),  # a trump beats the led suit after jokers too
    ],
)
def test_taker(trick: str, pile: str, taker: int) -> None:
    cards = trick.split()
    hands = [f"{card} {filler}" for card, filler in zip(cards, ["1H", "2H", "3H", "4H"], strict=True)]
    oracle = dealt(hands, pile)
    play(oracle, trick)
    assert oracle.takers == [taker]
    assert (oracle.seat, oracle.trick) == (taker, [])
    assert oracle.tricks_won == [int(seat == taker) for seat in range(4)]


def test_hand_on_paper() -> None:
    hands: list[list[Card]] = [[] for _ in range(4)]
    for leader, cards, _, _ in HAND_ON_PAPER:
        for place, card in enumerate(cards.split()):
            hands[(leader + place) % 4].append(card)
    oracle = table([" ".join(hand) for hand in hands], PILE_ON_PAPER, dealer=0)
    assert (oracle.trump, oracle.turned) == ("diamonds", ["J4", "5D"])
    bid(oracle, "1 1 2 2")  # seats 1, 2, 3, 0
    for leader, cards, taker, trump in HAND_ON_PAPER[:-1]:
        for place, card in enumerate(cards.split()):
            assert oracle.seat == (leader + place) % 4
            play(oracle, card)
        assert (oracle.takers[-1], oracle.trump, oracle.trick) == (taker, trump, [])
    assert oracle.turned == TURNED_ON_PAPER
    play(oracle, HAND_ON_PAPER[-1][1])
    assert oracle.takers == [2, 0, 3, 1, 3]
    assert oracle.scores == [1, 11, 11, 12]
    assert (oracle.phase, oracle.hand_number, oracle.dealer, oracle.seat) == ("bid", 1, 1, 2)
    assert (oracle.trump, oracle.turned) == ("diamonds", ["J4", "5D"])
    assert (oracle.bids, oracle.tricks_won) == ([None] * 4, [0] * 4)


@pytest.mark.parametrize(
    ("before", "held", "may_play"),
    [
        ("5D", "3D 9D 14M J2", "3D 9D"),
        ("5D", "3C 14M 0N J4", "14M 3C 0N J4"),
        ("J4", "3D 9D 14M J2", "14M 3D 9D J2"),
        ("J4 5C", "3D 9D 2C J2", "2C"),
        ("J2 J4", "3D J2 J2 J4", "3D J2 J4"),
        ("J2 J4 1H", "3H 9H 14M J2", "3H 9H"),
        ("1H J4 J2", "3H 9H 14M J2", "3H 9H"),
    ],
)
def test_following(before: str, held: str, may_play: str) -> None:
    cards = before.split()
    fillers = [f"{rank}X" for rank in range(12)]
    hands = [" ".join([card, *fillers[3 * seat : 3 * seat + 3]]) for seat, card in enumerate(cards)]
    oracle = dealt([*hands, held, "5N 6N 7N 8N"], "0M")
    play(oracle, before)
    assert legal(oracle) == may_play


def test_anything_may_be_led() -> None:
    oracle = dealt(["J2 J2 J4 5M 0N", "1H 2H 3H 4H 5H"], "0M")
    assert legal(oracle) == "5M 0N J2 J4"


def test_a_card_that_does_not_follow_is_refused() -> None:
    oracle = dealt(["5D 1H", "3D J2", "4D 2H"], "0M")
    play(oracle, "5D")
    with pytest.raises(ValueError, match="not legal for seat 1 in phase play"):
        play(oracle, "J2")
    assert (oracle.trump, oracle.trick) == ("mushrooms", [(0, "5D")])


# Jokers


@pytest.mark.parametrize(
    ("pile", "jokers", "trumps", "opened"),
    [
        ("7H 4H J4 12N", "J2", ["horns"], 4),  # the page's fourth
        ("7H 4C 5D", "J2 J2", ["clovers", "diamonds"], 3),
        ("7H 4C 5C J2 3H", "J2 J2", ["clovers", "hearts"], 5),  # back to where it was
        ("7H 4C", "J4", [None], 1),
        ("7H 4H 4C", "J4 J2", [None, "hearts"], 2),  # from no trump any suit serves
        ("7H J4 4C 4H", "J4 J2 J2", [None, "clovers", "hearts"], 4),
        ("7H 4C", "J4 J4", [None, None], 1),
    ],
)
def test_jokers(pile: str, jokers: str, trumps: list[str | None], opened: int) -> None:
    played = jokers.split()
    fillers = ["1X", "2X", "3X"]
    oracle = dealt([f"{joker} {filler}" for joker, filler in zip(played, fillers, strict=False)] + ["4X 5X"], pile)
    for joker, trump in zip(played, trumps, strict=True):
        play(oracle, joker)
        assert oracle.trump == trump
    assert oracle.turned == pile.split()[:opened]


@pytest.mark.parametrize(
    ("pile", "jokers", "trumps"),
    [
        ("4H J4 5H 6H", "J2 J2 J2 J2", ["diamonds", "clovers", "crosses", "horns"]),
        ("4N 5N 6N 7N", "J2 J2", ["mushrooms", "hearts"]),
        ("4N 5M 6M 7M", "J2 J2", ["mushrooms", "hearts"]),  # runs out among mushrooms
        ("J2 J4 J4 J2", "J2 J2", ["diamonds", "clovers"]),  # empty from the start, under hearts
        ("4X 5X 6X 7X", "J2 J4 J2", ["horns", None, "mushrooms"]),  # the last that was trump is horns
        ("4C J4 J4 J4", "J4 J2 J2", [None, "crosses", "horns"]),  # no suit comes up, none is trump
        ("J4 J4 J4 J2", "J4 J2", [None, "diamonds"]),
    ],
)
def test_the_pile_runs_out(pile: str, jokers: str, trumps: list[str | None]) -> None:
    """Two seats with the largest hands, who play nothing but jokers."""
    used = jokers.split()
    left = list((Counter(pack()) - Counter(pile.split()) - Counter(used)).elements())
    hands: list[list[Card]] = [used[0::2], used[1::2]]
    for hand in hands:
        missing = 47 - len(hand)
        hand += left[:missing]
        left = left[missing:]
    oracle = dealt([" ".join(hand) for hand in hands], pile)
    for joker, trump in zip(used, trumps, strict=True):
        play(oracle, joker)
        assert oracle.trump == trump
    assert (oracle.turned, oracle.pile) == (pile.split(), [])


@pytest.mark.parametrize(
    ("trump", "lower"),
    [
        ("mushrooms", "hearts"),
        ("hearts", "diamonds"),
        ("diamonds", "clovers"),
        ("clovers", "crosses"),
        ("crosses", "horns"),
        ("horns", "mushrooms"),
    ],
)
def test_next_lower(trump: str, lower: str) -> None:
    assert next_lower(trump) == lower


# Scoring

# Seat 0 wins two tricks, seat 1 none, seat 2 three.
FIVE_TRICKS = ["14M 13M 0D 1D 2D", "0M 1M 3D 4D 5D", "2M 3M 12D 13D 14D"]
FIVE_PLAYED = "14M 0M 2M  13M 1M 3M  0D 3D 14D  13D 1D 4D  12D 2D 5D"


def five_tricks(bids: str, **options: Any) -> RageGlyphsOracle:
    oracle = table(FIVE_TRICKS, "0N", **options)
    bid(oracle, bids)
    play(oracle, FIVE_PLAYED)
    return oracle


@pytest.mark.parametrize(
    ("bids", "options", "scores"),
    [
        ("2 0 1", {}, [12, 10, 3]),  # the page's fifth
        ("2 0 3", {}, [12, 10, 13]),
        ("0 1 5", {}, [2, 0, 3]),
        ("2 0 1", {"exact_bonus": 7}, [9, 7, 3]),
        ("2 0 1", {"exact_bonus": 0}, [2, 0, 3]),
        ("2 0 1", {"zero_bonus": 5}, [12, 5, 3]),
        ("2 0 1", {"zero_bonus": 0}, [12, 0, 3]),
        ("2 0 1", {"miss_penalty": 5}, [12, 10, -2]),
        ("1 1 1", {"miss_penalty": 5}, [-3, -5, -2]),
        ("2 0 1", {"exact_bonus": 6, "zero_bonus": 4, "miss_penalty": 1}, [8, 4, 2]),
    ],
)
def test_scores(bids: str, options: dict[str, int], scores: list[int]) -> None:
    assert five_tricks(bids, **options).scores == scores


# The end of the match


def assert_over(oracle: RageGlyphsOracle, scores: list[int], winners: list[int], truncated: bool) -> None:
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("over", -1, [])
    assert (oracle.scores, oracle.winners, oracle.truncated) == (scores, winners, truncated)
    assert (oracle.hand_number, oracle.dealer, oracle.takers) == (0, 2, [0, 0, 2, 2, 2])
    assert (oracle.tricks_won, oracle.hands(), oracle.trick) == ([2, 0, 3], [[], [], []], [])  # the board stays
    assert (oracle.trump, oracle.turned) == ("horns", ["0N"])
    assert None not in oracle.bids
    with pytest.raises(ValueError):
        oracle.play(0)


@pytest.mark.parametrize(
    ("bids", "scores", "winners"),
    [("2 0 1", [12, 10, 3], [0]), ("0 0 3", [2, 10, 13], [2]), ("0 0 0", [2, 10, 3], [1])],
)
def test_the_last_hand_ends_the_match(bids: str, scores: list[int], winners: list[int]) -> None:
    assert_over(five_tricks(bids, hand_sizes=[5]), scores, winners, truncated=False)


def test_equal_totals_share_the_win() -> None:
    assert_over(five_tricks("2 0 1", hand_sizes=[5], zero_bonus=12), [12, 12, 3], [0, 1], truncated=False)


def test_num_hands_cuts_the_match_short() -> None:
    assert_over(five_tricks("2 0 1", num_hands=1), [12, 10, 3], [0], truncated=False)


def test_max_hands_truncates() -> None:
    assert_over(five_tricks("2 0 1", max_hands=1), [12, 10, 3], [0], truncated=True)


@pytest.mark.parametrize("rule", [{"num_hands": 1}, {"hand_sizes": [5]}])
def test_a_rule_that_ends_the_match_in_the_last_hand_terminates(rule: dict[str, Any]) -> None:
    assert_over(five_tricks("2 0 1", max_hands=1, **rule), [12, 10, 3], [0], truncated=False)


def test_hand_sizes_are_followed() -> None:
    decks = {0: pack(), 1: pack()[::-1], 2: pack()}
    oracle = RageGlyphsOracle(num_players=2, dealer=0, decks=decks.__getitem__, hand_sizes=[2, 1, 3])
    seen = []
    while oracle.phase != "over":
        if oracle.phase == "bid" and oracle.bids == [None, None]:
            seen.append((oracle.dealer, [len(hand) for hand in oracle.hands()], bids_allowed(oracle)))
        oracle.play(oracle.legal()[0])
    assert seen == [(0, [2, 2], [0, 1, 2]), (1, [1, 1], [0, 1]), (0, [3, 3], [0, 1, 2, 3])]


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_random_matches_keep_their_cards_and_points(seats: int) -> None:
    chance = random.Random(seats)

    def shuffled(hand_number: int) -> list[Card]:
        deck = pack()
        random.Random(hand_number).shuffle(deck)
        return deck

    sizes = None if seats == 10 else [1, 4, largest_hand(seats), 2]
    oracle = RageGlyphsOracle(num_players=seats, dealer=1, decks=shuffled, hand_sizes=sizes)
    in_order = list(range(1, 10)) if sizes is None else sizes
    totals = [0] * seats
    for hand_number, size in enumerate(in_order):
        assert (oracle.hand_number, oracle.dealer) == (hand_number, (1 + hand_number) % seats)
        assert [len(hand) for hand in oracle.hands()] == [size] * seats
        played: list[Card] = []
        for _ in range(seats * (size + 1)):
            assert oracle.hand_number == hand_number
            action = chance.choice(oracle.legal())
            bids = list(oracle.bids)
            oracle.play(action)
            played += [KINDS[action]] if action < FIRST_BID else []
        takers = Counter(oracle.takers[-size:])
        for seat in range(seats):
            totals[seat] += takers[seat] + 10 * (takers[seat] == bids[seat])
        assert oracle.scores == totals
        assert not Counter(played) - Counter(shuffled(hand_number)[: seats * size])
    assert oracle.phase == "over"
    assert len(oracle.takers) == sum(in_order)
    assert oracle.winners == [seat for seat in range(seats) if totals[seat] == max(totals)]
