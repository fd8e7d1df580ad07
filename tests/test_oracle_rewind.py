"""The judge judged: the Rewind oracle against tricks and hands worked out on paper."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.oracles.rewind import Card, RewindOracle, card_id, card_name, pack

Hands = list[list[Card]]

# A whole hand: leader, cards in order of play, who is given the best place open in a tie, places by seat.
ROUND_I_ON_PAPER = [
    (0, "8C 4C 5P 7F", None, [1, 2, 4, 3]),
    (0, "7C 6C 3P 6P", None, [1, 2, 4, 3]),
    (0, "9C 10C 2F 7P", None, [2, 1, 4, 3]),
    (1, "8R 4R 9F 2R", None, [3, 1, 2, 4]),
    (1, "6R 10R 8F 3R", None, [3, 2, 1, 4]),
    (2, "11P 8P 11R 7R", None, [3, 4, 1, 2]),
    (2, "2P 13P 1C 1R", None, [1, 4, 3, 2]),
    (0, "12C 13R 13F 3F", 1, [1, 2, 3, 4]),
    (0, "5C 9R 4F 9P", 1, [1, 2, 4, 3]),
    (0, "11C 6F 12P 1F", None, [1, 3, 2, 4]),
    (0, "13C 5R 1P 5F", 3, [1, 3, 4, 2]),
    (0, "2C 11F 10P 10F", 2, [1, 2, 3, 4]),
    (0, "3C 12R 12F 4P", 2, [1, 3, 2, 4]),
]
ROUND_II_ON_PAPER = [
    (3, "5F 3R 6F 12F", None, [4, 2, 1, 3]),
    (2, "2F 8F 3C 11F", None, [1, 2, 4, 3]),
    (0, "2R 7R 10R 7F", None, [3, 2, 1, 4]),
    (2, "4R 3F 11R 5R", None, [1, 2, 3, 4]),
    (0, "8C 6C 10P 9P", None, [1, 2, 3, 4]),
    (0, "9C 4C 12P 4P", None, [1, 2, 3, 4]),
    (0, "13C 10C 13F 6P", None, [1, 2, 3, 4]),
    (0, "11C 9R 4F 9F", 1, [1, 2, 4, 3]),
    (0, "7C 8R 11P 8P", 3, [1, 4, 2, 3]),
    (0, "2C 1R 3P 7P", None, [1, 4, 3, 2]),
    (0, "12C 13R 2P 13P", 3, [1, 3, 4, 2]),
    (0, "1C 6R 1P 1F", 3, [1, 2, 4, 3]),
    (0, "5C 12R 5P 10F", None, [1, 2, 4, 3]),
]
# Who repeats its place in each trick of Round II.
REPEATING_ON_PAPER = ["", "0 1", "", "0 3", "0 1", "0 1 2 3", "0 2", "", "", "", "2", "0 1 2 3", "0 1 2 3"]
POINTS_ON_PAPER = [2 + 2 + 4, 2 + 2 + 6, 2 + 2 + 6, 9]  # first places, then others
PILES_ON_PAPER = [7, 0, 1, 0]


def hands_on_paper() -> Hands:
    hands: Hands = [[] for _ in range(4)]
    for leader, cards, _, _ in ROUND_I_ON_PAPER:
        for place, card in enumerate(cards.split()):
            hands[(leader + place) % 4].append(card)
    return hands


def whole_suits(suits: str) -> Hands:
    """To each seat all the cards of one suit."""
    return [[f"{rank}{suit}" for rank in range(1, 14)] for suit in suits]


def even_hands(num_players: int = 4, suits: str = "CRFP") -> Hands:
    """Seat 0 can be first, seat 1 second and so on in every trick; to each seat the thirteen of one suit."""
    hands: Hands = []
    for seat in range(num_players):
        ranks = range(num_players - seat, 13, num_players)
        hands.append([f"{rank}{suit}" for suit in suits for rank in ranks] + [f"13{suits[seat]}"])
    return hands


def even_tricks(suits: str) -> str:
    """The tricks of these suits, all led by seat 0, in which the seats are placed in their order."""
    num_players = 4
    return " ".join(
        f"{top - seat}{suit}" for suit in suits for top in range(num_players, 13, num_players) for seat in range(4)
    )


def fill(*named: str) -> Hands:
    """The cards named for some seats; hands that are short get the rest in the order of ids, seat by seat."""
    hands = [text.split() for text in named]
    rest = [card for card in pack(len(hands)) if not any(card in hand for hand in hands)]
    for hand in hands:
        while len(hand) < 13:
            hand.append(rest.pop(0))
    return hands


def deck_for(hands: Hands, dealer: int) -> list[Card]:
    """The deck that deals these hands."""
    num_players = len(hands)
    order = [(dealer + 1 + place) % num_players for place in range(num_players)]
    return [hands[seat][turn] for turn in range(13) for seat in order]


def table(hands: Hands, dealer: int | None = None, **options: Any) -> RewindOracle:
    """A match in which every hand is dealt as `hands`; seat 0 leads to the first unless a dealer is named."""
    num_players = len(hands)
    first_dealer = num_players - 1 if dealer is None else dealer
    return RewindOracle(
        num_players=num_players,
        dealer=first_dealer,
        decks=lambda hand_number: deck_for(hands, (first_dealer + hand_number) % num_players),
        **options,
    )


def play(oracle: RewindOracle, cards: str) -> None:
    for card in cards.split():
        oracle.play(card_id(card))


def give(oracle: RewindOracle, receiver: int) -> None:
    """The seat that decides a tie gives the best place to `receiver`."""
    oracle.play(52 + (receiver - oracle.seat) % oracle.num_players)


def legal(oracle: RewindOracle) -> str:
    return " ".join(card_name(action) for action in oracle.legal())


def play_lowest(oracle: RewindOracle) -> None:
    """Everyone does the lowest legal action, to the end of the hand."""
    hand_number = oracle.hand_number
    while oracle.phase != "over" and oracle.hand_number == hand_number:
        oracle.play(oracle.legal()[0])


def play_tricks(oracle: RewindOracle, tricks: list[tuple[int, str, int | None, list[int]]]) -> None:
    for _, cards, receiver, _ in tricks:
        play(oracle, cards)
        if receiver is not None:
            give(oracle, receiver)


def play_hand_on_paper(**options: Any) -> RewindOracle:
    oracle = table(hands_on_paper(), **options)
    play_tricks(oracle, ROUND_I_ON_PAPER)
    play_tricks(oracle, ROUND_II_ON_PAPER)
    return oracle


# The pack and the deal


def test_card_ids() -> None:
    assert [card_id(card) for card in pack(4)] == list(range(52))
    assert [card_name(number) for number in range(52)] == pack(4)
    assert (card_id("1C"), card_id("13C"), card_id("1R"), card_id("7F"), card_id("13P")) == (0, 12, 13, 32, 51)


@pytest.mark.parametrize(("removed_suit", "suits"), [("photos", "CRF"), ("records", "CFP"), ("films", "CRP")])
def test_three_seats_leave_a_suit_out(removed_suit: str, suits: str) -> None:
    three = pack(3, removed_suit)
    assert len(three) == 39
    assert {card[-1] for card in three} == set(suits)
    oracle = table(whole_suits(suits), removed_suit=removed_suit)
    assert oracle.hands() == whole_suits(suits)
    assert oracle.legal() == list(range(13))


def test_the_dealers_left_gets_the_first_card_and_leads() -> None:
    oracle = RewindOracle(num_players=4, dealer=1, decks=lambda _: pack(4))
    assert [hand[0] for hand in oracle.hands()] == ["3C", "4C", "1C", "2C"]
    assert (oracle.phase, oracle.seat, oracle.round, oracle.trump) == ("play", 2, 1, "cassettes")
    assert legal(oracle) == "1C 5C 9C 13C 4R 8R 12R 3F 7F 11F 2P 6P 10P"


def test_a_deck_that_is_not_the_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="not the pack for 3 seats"):
        RewindOracle(num_players=3, dealer=0, decks=lambda _: pack(4))
    with pytest.raises(ValueError, match="not the pack for 3 seats"):
        RewindOracle(num_players=3, dealer=0, decks=lambda _: pack(3), removed_suit="films")


# Tricks


def test_suit_is_followed() -> None:
    oracle = table(fill("5R", "2R 9R 1C 4F 1P 2P 3P 4P 5P 6P 7P 8P 9P", "", ""))
    play(oracle, "5R")
    assert legal(oracle) == "2R 9R"
    with pytest.raises(ValueError, match="not legal for seat 1"):
        play(oracle, "1C")


def test_who_is_void_plays_anything() -> None:
    oracle = table(whole_suits("RFCP"))
    play(oracle, "9R")
    assert legal(oracle) == " ".join(whole_suits("F")[0])


@pytest.mark.parametrize(
    ("hands", "cards", "places"),
    [
        (fill("5R", "11R", "3R", " ".join(whole_suits("C")[0])), "5R 11R 3R 1C", [3, 2, 4, 1]),
        (whole_suits("CRFP"), "1C 13R 12F 11P", [1, 2, 3, 4]),
        (whole_suits("RFCP"), "1R 12F 1C 13P", [2, 4, 1, 3]),
        (whole_suits("RFP") + whole_suits("C"), "1R 12F 13P 1C", [2, 4, 3, 1]),
        (even_hands(), "4C 3C 10C 9C", [3, 4, 1, 2]),
    ],
)
def test_places(hands: Hands, cards: str, places: list[int]) -> None:
    oracle = table(hands)
    play(oracle, cards)
    assert (oracle.phase, oracle.trick) == ("play", [])
    assert oracle.placements[0] == places
    assert oracle.markers[0] == [True] * 4
    first = places.index(1)
    assert (oracle.seat, oracle.takers, oracle.tricks_won[first]) == (first, [first], 1)


@pytest.mark.parametrize(("action", "places"), [(52, [2, 4, 1, 3]), (54, [2, 3, 1, 4])])
def test_two_tied_behind_trump_and_lead(action: int, places: list[int]) -> None:
    oracle = table(whole_suits("RFCP"))
    play(oracle, "9R 12F 2C 12P")
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("tie", 3, [52, 54])
    assert oracle.trick == [(0, "9R"), (1, "12F"), (2, "2C"), (3, "12P")]
    assert (oracle.placements[0], oracle.markers[0], oracle.takers) == ([0] * 4, [False] * 4, [])
    oracle.play(action)
    assert (oracle.placements[0], oracle.trick, oracle.takers, oracle.seat) == (places, [], [2], 2)


@pytest.mark.parametrize(
    ("first", "second", "places"),
    [
        (1, 2, [1, 2, 3, 4]),
        (1, 3, [1, 2, 4, 3]),
        (2, 1, [1, 3, 2, 4]),
        (2, 3, [1, 4, 2, 3]),
        (3, 1, [1, 3, 4, 2]),
        (3, 2, [1, 4, 3, 2]),
    ],
)
def test_three_tied(first: int, second: int, places: list[int]) -> None:
    oracle = table(whole_suits("CRFP"))
    play(oracle, "4C 8R 8F 8P")
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("tie", 3, [52, 54, 55])
    give(oracle, first)
    assert (oracle.phase, oracle.seat, len(oracle.legal())) == ("tie", 3, 2)
    assert oracle.placements[0] == [0] * 4
    with pytest.raises(ValueError, match="not legal"):
        give(oracle, first)
    give(oracle, second)
    assert (oracle.phase, oracle.placements[0], oracle.seat) == ("play", places, 0)


def test_two_tied_around_a_lower_and_a_higher_card() -> None:
    oracle = table(whole_suits("CRFP"))
    play(oracle, "1C 7R 7F 9P")
    assert (oracle.seat, oracle.legal()) == (2, [52, 55])  # seat 2 played last among the tied
    give(oracle, 2)
    assert oracle.placements[0] == [1, 4, 3, 2]
    play(oracle, "2C 6R 5F 6P")
    assert (oracle.seat, oracle.legal()) == (3, [52, 54])
    give(oracle, 1)
    assert oracle.placements[1] == [1, 2, 4, 3]


def test_three_seats_tie() -> None:
    oracle = table(whole_suits("RCF"))
    play(oracle, "8R 8C 8F")
    assert (oracle.phase, oracle.placements[0]) == ("play", [2, 1, 3])
    play(oracle, "4C 5F 5R")
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("tie", 0, [52, 54])
    give(oracle, 2)
    assert oracle.placements[1] == [3, 1, 2]


# The two rounds


def test_hand_on_paper() -> None:
    oracle = table(hands_on_paper())
    for number, (leader, cards, receiver, places) in enumerate(ROUND_I_ON_PAPER):
        assert (oracle.round, oracle.phase, oracle.seat) == (1, "play", leader)
        play(oracle, cards)
        if receiver is not None:
            assert oracle.phase == "tie"
            give(oracle, receiver)
        assert oracle.placements[number] == places
        assert oracle.takers[number] == places.index(1)
    assert oracle.hands() == [sorted(hand, key=card_id) for hand in hands_on_paper()]
    placements = [places for _, _, _, places in ROUND_I_ON_PAPER]

    markers = [[True] * 4 for _ in range(13)]
    for number, (leader, cards, receiver, places) in enumerate(ROUND_II_ON_PAPER):
        assert (oracle.round, oracle.phase, oracle.seat, oracle.markers) == (2, "play", leader, markers)
        play(oracle, cards)
        if receiver is not None:
            assert (oracle.phase, oracle.markers) == ("tie", markers)
            give(oracle, receiver)
        for seat in REPEATING_ON_PAPER[number].split():
            markers[12 - number][int(seat)] = False
        assert oracle.markers == markers
        assert oracle.takers[13 + number] == places.index(1)
        assert oracle.placements == placements
    assert oracle.tricks_won == [20, 2, 4, 0]
    assert (oracle.scores, oracle.tiebreakers) == (POINTS_ON_PAPER, PILES_ON_PAPER)
    assert (oracle.phase, oracle.winners) == ("over", [0])


def test_last_of_the_final_trick_leads_once_its_tie_is_decided() -> None:
    oracle = table(even_hands())
    play(oracle, even_tricks("CRFP") + " 13C 13R 13F 13P")
    assert (oracle.round, oracle.phase, oracle.seat, oracle.hands()) == (1, "tie", 3, [[]] * 4)
    give(oracle, 3)
    give(oracle, 2)
    assert (oracle.round, oracle.phase, oracle.seat, oracle.trick) == (2, "play", 1, [])
    assert oracle.placements[12] == [1, 4, 3, 2]
    assert [len(hand) for hand in oracle.hands()] == [13] * 4
    assert oracle.tricks_won == [13, 0, 0, 0]


def test_best_placed_of_those_that_repeat_takes_the_pile() -> None:
    oracle = table(even_hands())
    play(oracle, even_tricks("CRFP") + " 13C 13R 13F 13P")
    give(oracle, 1)
    give(oracle, 2)
    play(oracle, "1R 4R 7R 10R")  # seat 2 first, 1 second, 0 third, 3 fourth
    assert oracle.markers[12] == [True, False, True, False]
    assert oracle.tiebreakers == [0, 1, 0, 0]


# The end of the match


STRAIGHT = ("1R 4R 3R 2R", "8R 7R 6R 5R 12R 11R 10R 9R")  # all places are repeated
UPSET = ("9R 8R 7R 6R", "12R 11R 10R 5R 4R 3R 2R 1R")  # none is in the first trick of Round II, then all


def play_even_hand(oracle: RewindOracle, records: tuple[str, str], turned: int = 0) -> None:
    """Both rounds with the seats placed in their order but for what the records led to Round II's start bring."""
    first_trick, other_records = records
    trumps = even_tricks("C").split()
    if records == UPSET:  # seat 3 leads once more
        trumps = [trumps[3], *trumps[:3], *trumps[4:]]
    for cards in (even_tricks("CRFP"), " ".join([first_trick, *trumps, even_tricks("FP"), other_records])):
        play(oracle, cards + " 13C 13R 13F 13P")
        give(oracle, (1 + turned) % 4)
        give(oracle, (2 + turned) % 4)


def test_equal_scores_go_to_the_larger_pile() -> None:
    oracle = table(even_hands())
    play_even_hand(oracle, STRAIGHT)
    assert (oracle.scores, oracle.tiebreakers) == ([0, 0, 0, 0], [13, 0, 0, 0])
    assert oracle.winners == [0]


def test_equal_scores_and_piles_share_the_win() -> None:
    oracle = table(even_hands())
    play_even_hand(oracle, UPSET)
    assert (oracle.scores, oracle.tiebreakers) == ([2, 1, 1, 1], [12, 0, 0, 0])
    assert oracle.winners == [1, 2, 3]


def test_scores_and_piles_are_summed_over_the_hands() -> None:
    hands = even_hands()
    decks = [deck_for(hands, 3), deck_for([hands[3], *hands[:3]], 0)]  # the second hand is seat 1's to lead
    oracle = RewindOracle(num_players=4, dealer=3, decks=decks.__getitem__, num_hands=2)
    play_even_hand(oracle, STRAIGHT)
    assert (oracle.scores, oracle.tiebreakers) == ([0, 0, 0, 0], [13, 0, 0, 0])
    play_even_hand(oracle, UPSET, turned=1)
    assert (oracle.scores, oracle.tiebreakers) == ([1, 2, 1, 1], [13, 12, 0, 0])
    assert oracle.winners == [0]

    oracle = RewindOracle(num_players=4, dealer=3, decks=decks.__getitem__, num_hands=2)
    play_even_hand(oracle, UPSET)
    play_even_hand(oracle, UPSET, turned=1)
    assert (oracle.scores, oracle.tiebreakers) == ([3, 3, 2, 2], [12, 12, 0, 0])
    assert oracle.winners == [2, 3]


def assert_over(oracle: RewindOracle, hand_number: int, truncated: bool) -> None:
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("over", -1, [])
    assert (oracle.hand_number, oracle.truncated, oracle.round) == (hand_number, truncated, 2)
    assert (oracle.hands(), oracle.trick, sum(oracle.tricks_won)) == ([[]] * 4, [], 26)
    with pytest.raises(ValueError):
        oracle.play(0)


def test_one_hand_by_default() -> None:
    oracle = play_hand_on_paper()
    assert_over(oracle, 0, truncated=False)
    assert oracle.dealer == 3


def test_the_next_hand() -> None:
    oracle = play_hand_on_paper(num_hands=2)
    assert (oracle.phase, oracle.hand_number, oracle.dealer, oracle.seat, oracle.round) == ("play", 1, 0, 1, 1)
    assert (oracle.placements, oracle.markers) == ([[0] * 4] * 13, [[False] * 4] * 13)
    assert (oracle.tricks_won, len(oracle.takers), oracle.winners) == ([0] * 4, 26, [])
    assert (oracle.scores, oracle.tiebreakers) == (POINTS_ON_PAPER, PILES_ON_PAPER)


@pytest.mark.parametrize("num_hands", [1, 2, 3, 4])
def test_num_hands_ends_the_match(num_hands: int) -> None:
    oracle = table(even_hands(), num_hands=num_hands, max_hands=4)
    for hand_number in range(num_hands):
        assert (oracle.hand_number, oracle.dealer) == (hand_number, (3 + hand_number) % 4)
        play_lowest(oracle)
    assert_over(oracle, num_hands - 1, truncated=False)


@pytest.mark.parametrize(("num_hands", "truncated"), [(2, True), (1, False)])
def test_max_hands(num_hands: int, truncated: bool) -> None:
    oracle = play_hand_on_paper(num_hands=num_hands, max_hands=1)
    assert_over(oracle, 0, truncated)
    assert (oracle.scores, oracle.winners) == (POINTS_ON_PAPER, [0])


@pytest.mark.parametrize("num_players", [3, 4])
def test_random_matches_keep_their_cards_and_markers(num_players: int) -> None:
    chance = random.Random(num_players)

    def shuffled(hand_number: int) -> list[Card]:
        deck = pack(num_players)
        random.Random(hand_number).shuffle(deck)
        return deck

    oracle = RewindOracle(num_players=num_players, dealer=1, decks=shuffled, num_hands=4)
    while oracle.phase != "over":
        hand_number, before, markers = oracle.hand_number, list(oracle.scores), list(map(list, oracle.markers))
        oracle.play(chance.choice(oracle.legal()))
        placed = [sorted(places) for places in oracle.placements if any(places)]
        assert placed == [list(range(1, num_players + 1))] * len(placed)
        if oracle.phase != "over" and oracle.hand_number == hand_number:
            assert oracle.scores == before
            assert len(placed) == (oracle.tricks_of_round if oracle.round == 1 else 13)
            changed = sum(then != now for then, now in zip(markers, oracle.markers, strict=True))
            assert changed <= 1
    assert len(oracle.takers) == 4 * 26
    assert sum(oracle.tiebreakers) <= 4 * 13
    assert all(0 <= score <= 2 * 4 * 13 for score in oracle.scores)
