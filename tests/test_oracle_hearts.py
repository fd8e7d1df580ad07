"""The judge judged: the Hearts oracle against hands worked out on paper."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.oracles.hearts import ADD, SUBTRACT, Card, HeartsOracle, card_id, card_name, pack

Hands = list[list[Card]]

# A whole hand: leader, cards in order of play, taker.
HAND_ON_PAPER = [
    (1, "2C KC AC QC", 3),
    (3, "TS AS 9S KS", 0),
    (0, "JS 6S QS 4S", 2),  # Black Maria: 13
    (2, "QH KH JH AH", 1),  # 4
    (1, "6H 9H TH 7H", 3),  # 4
    (3, "5H 8S 3H 8H", 2),  # 3
    (2, "2S 4H 7S 5S", 0),  # 1
    (0, "3S AD JD 2H", 0),  # 1, and the jack of diamonds
    (0, "QD 6D TD KD", 3),
    (3, "9D 8D 2D 6C", 3),
    (3, "7D 4D 9C 5C", 3),
    (3, "5D JC 8C 4C", 3),
    (3, "3D TC 7C 3C", 3),
]
POINTS_ON_PAPER = [2, 4, 16, 4]


def hands_on_paper() -> Hands:
    hands: Hands = [[] for _ in range(4)]
    for leader, cards, _ in HAND_ON_PAPER:
        for place, card in enumerate(cards.split()):
            hands[(leader + place) % 4].append(card)
    return hands


def spread(num_players: int, held: dict[int, str]) -> Hands:
    """The cards named for some seats; all others in order of their ids, a card a seat in turn."""
    hands = [held.get(seat, "").split() for seat in range(num_players)]
    named = [card for hand in hands for card in hand]
    size = len(pack(num_players)) // num_players
    seat = 0
    for card in pack(num_players):
        if card in named:
            continue
        while len(hands[seat]) == size:
            seat = (seat + 1) % num_players
        hands[seat].append(card)
        seat = (seat + 1) % num_players
    return hands


def deck_for(hands: Hands, dealer: int) -> list[Card]:
    """The deck that deals these hands."""
    num_players = len(hands)
    order = [(dealer + 1 + place) % num_players for place in range(num_players)]
    return [hands[seat][turn] for turn in range(len(hands[0])) for seat in order]


def table(hands: Hands, dealer: int = 3, **options: Any) -> HeartsOracle:
    """A match without passing in which every hand is dealt as `hands`."""
    num_players = len(hands)
    return HeartsOracle(
        num_players=num_players,
        dealer=dealer,
        decks=lambda hand_number: deck_for(hands, (dealer + hand_number) % num_players),
        **{"pass_cards": 0, **options},
    )


def play(oracle: HeartsOracle, cards: str) -> None:
    for card in cards.split():
        oracle.play(card_id(card))


def legal(oracle: HeartsOracle) -> str:
    return " ".join(card_name(action) for action in oracle.legal())


def play_hand_on_paper(scores_before: list[int] | None = None, **options: Any) -> HeartsOracle:
    oracle = table(hands_on_paper(), **options)
    if scores_before is not None:
        oracle.scores = list(scores_before)
    for _, cards, _ in HAND_ON_PAPER:
        play(oracle, cards)
    return oracle


def play_lowest_to_end_of_tricks(oracle: HeartsOracle) -> None:
    """Everyone plays the legal card with the lowest id, to the end of the hand."""
    hand_number = oracle.hand_number
    while oracle.phase == "play" and oracle.hand_number == hand_number:
        oracle.play(oracle.legal()[0])


def pick_lowest(oracle: HeartsOracle) -> None:
    while oracle.phase == "pass":
        oracle.play(oracle.legal()[0])


# The pack and the deal


@pytest.mark.parametrize(
    ("num_players", "cards", "each", "opening"),
    [(3, 51, 17, "2C"), (4, 52, 13, "2C"), (5, 50, 10, "3C"), (6, 48, 8, "2C"), (7, 49, 7, "2C")],
)
def test_pack_deal_and_opening(num_players: int, cards: int, each: int, opening: Card) -> None:
    assert len(pack(num_players)) == cards
    oracle = table(spread(num_players, {}), dealer=0)
    assert [len(hand) for hand in oracle.hands()] == [each] * num_players
    assert opening in oracle.hands()[oracle.seat]
    assert legal(oracle) == opening


def test_card_ids() -> None:
    assert [card_id(card) for card in pack(4)] == list(range(52))
    assert [card_name(number) for number in range(52)] == pack(4)
    assert (card_id("2C"), card_id("2D"), card_id("QS"), card_id("AH")) == (0, 13, 36, 51)


def test_the_dealers_left_gets_the_first_card() -> None:
    oracle = HeartsOracle(num_players=4, dealer=1, decks=lambda _: pack(4))
    assert [hand[0] for hand in oracle.hands()] == ["4C", "5C", "2C", "3C"]


def test_a_deck_that_is_not_the_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="not the pack for 3 seats"):
        HeartsOracle(num_players=3, dealer=0, decks=lambda _: pack(4))


# Passing


def test_picked_cards_stay_until_all_have_passed() -> None:
    hands = spread(4, {1: "2C 3C 4C 2D 3D 4D 2S 3S 4S 2H 3H 4H 5H"})
    oracle = table(hands, dealer=0, pass_cards=3)
    dealt = oracle.hands()
    assert (oracle.phase, oracle.seat) == ("pass", 1)

    play(oracle, "2C 5H")
    assert oracle.seat == 1
    assert legal(oracle) == "3C 4C 2D 3D 4D 2S 3S 4S 2H 3H 4H"
    play(oracle, "2D")
    assert oracle.seat == 2
    assert oracle.hands() == dealt

    pick_lowest(oracle)
    assert oracle.hands()[1][:2] == ["3C", "4C"]
    assert {"2C", "5H", "2D"} < set(oracle.hands()[2])
    assert [len(hand) for hand in oracle.hands()] == [13] * 4
    assert (oracle.phase, oracle.seat, legal(oracle)) == ("play", 2, "2C")  # the holder after passing


@pytest.mark.parametrize(("num_players", "receivers"), [(4, [1, 3, 2, 0, 1]), (3, [1, 2, 1]), (5, [1, 4, 1])])
def test_direction_of_the_pass(num_players: int, receivers: list[int]) -> None:
    """To whom seat 0 passes, by hand number."""
    for first_pass, receiver in enumerate(receivers):
        oracle = table(spread(num_players, {}), dealer=0, pass_cards=4, first_pass=first_pass)
        passed = oracle.hands()[0][:4]
        assert oracle.phase == ("play" if receiver == 0 else "pass")
        pick_lowest(oracle)
        assert set(passed) <= set(oracle.hands()[receiver])


def test_the_rotation_goes_on_by_hand_number() -> None:
    oracle = table(hands_on_paper(), first_pass=2, pass_cards=1)  # across, hold, left
    seen: list[tuple[int, int, str, int]] = []
    while len(seen) < 3:
        seen.append((oracle.hand_number, oracle.dealer, oracle.phase, oracle.passing_distance()))
        pick_lowest(oracle)
        play_lowest_to_end_of_tricks(oracle)
    assert seen == [(0, 3, "pass", 2), (1, 0, "play", 0), (2, 1, "pass", 1)]


# Tricks


def lead_after_eight_rounds_of_clubs(rest: str, **options: Any) -> HeartsOracle:
    """Seat 1 has won eight tricks with clubs, hearts are unbroken, and it leads from `rest`."""
    oracle = table(spread(4, {1: "7C 8C 9C TC JC QC KC AC " + rest}), **options)
    while oracle.tricks_won[1] < 8:
        choices = oracle.legal()
        clubs = [action for action in choices if card_name(action)[1] == "C"]
        oracle.play(clubs[-1] if oracle.seat == 1 else choices[0])
    assert oracle.takers == [1] * 8
    assert (oracle.seat, oracle.trick, oracle.broken) == (1, [], False)
    return oracle


@pytest.mark.parametrize(
    ("rest", "may_lead"),
    [
        ("5D 7S QS 3H AH", "5D 7S QS"),
        ("QS 3H 4H 5H AH", "QS"),
        ("3H 4H 5H 6H AH", "3H 4H 5H 6H AH"),
    ],
)
def test_lead_with_hearts_unbroken(rest: str, may_lead: str) -> None:
    assert legal(lead_after_eight_rounds_of_clubs(rest)) == may_lead


@pytest.mark.parametrize("queen_breaks_hearts", [True, False])
def test_the_queen_breaks_hearts_by_default(queen_breaks_hearts: bool) -> None:
    oracle = lead_after_eight_rounds_of_clubs("5D 7S QS 3H AH", queen_breaks_hearts=queen_breaks_hearts)
    play(oracle, "QS")
    assert oracle.broken == queen_breaks_hearts
    assert oracle.trick == [(1, "QS")]


@pytest.mark.parametrize("queen_breaks_hearts", [True, False])
def test_a_heart_breaks_hearts(queen_breaks_hearts: bool) -> None:
    oracle = lead_after_eight_rounds_of_clubs("3H 4H 5H 6H AH", queen_breaks_hearts=queen_breaks_hearts)
    play(oracle, "3H")
    assert oracle.broken


def test_broken_hearts_may_be_led() -> None:
    oracle = table(hands_on_paper())
    play(oracle, "2C KC AC QC  TS AS 9S KS")
    assert legal(oracle) == "TC JC 4D 8D QD 3S 7S 8S JS"  # not JH, not 7H
    play(oracle, "JS 6S QS 4S")
    assert oracle.seat == 2
    assert legal(oracle) == "3C 4C 5C 6C TD JD 2S 8H 9H QH"


@pytest.mark.parametrize(
    ("held", "may_discard"),
    [
        ("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"),
        ("6D QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH", "6D"),
    ],
)
def test_discard_on_the_first_trick(held: str, may_discard: str) -> None:
    oracle = table(spread(4, {0: "2C 2D 3D 4D 5D 7D 8D 9D TD JD QD KD AD", 2: held}))
    play(oracle, "2C")
    oracle.play(oracle.legal()[0])
    assert oracle.seat == 2
    assert legal(oracle) == may_discard


def test_suit_is_followed() -> None:
    oracle = table(hands_on_paper())
    play(oracle, "2C")
    assert legal(oracle) == "3C 4C 5C 6C KC"
    with pytest.raises(ValueError, match="not legal for seat 2"):
        play(oracle, "QS")


# Scoring


def test_hand_on_paper() -> None:
    oracle = table(hands_on_paper(), num_hands=1)
    for number, (leader, cards, taker) in enumerate(HAND_ON_PAPER):
        assert oracle.seat == leader
        for place, card in enumerate(cards.split()):
            assert oracle.seat == (leader + place) % 4
            play(oracle, card)
        assert oracle.trick == []
        assert oracle.takers[number] == taker
    assert oracle.tricks_won == [3, 1, 2, 7]
    assert oracle.scores == POINTS_ON_PAPER


@pytest.mark.parametrize(
    ("moon", "choice", "scores"),
    [
        ("choose", ADD, [66, 40, 66, 66]),
        ("choose", SUBTRACT, [40, 14, 40, 40]),
        ("add", None, [66, 40, 66, 66]),
        ("subtract", None, [40, 14, 40, 40]),
    ],
)
def test_moon(moon: str, choice: int | None, scores: list[int]) -> None:
    oracle = table(spread(4, {1: "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"}), moon=moon)
    oracle.scores = [40, 40, 40, 40]
    play_lowest_to_end_of_tricks(oracle)
    if choice is not None:
        assert (oracle.phase, oracle.seat, oracle.legal()) == ("moon", 1, [52, 53])
        assert oracle.scores == [40, 40, 40, 40]
        assert (oracle.tricks_won, oracle.hand_number) == ([0, 13, 0, 0], 0)
        oracle.play(choice)
    assert oracle.scores == scores
    assert (oracle.phase, oracle.hand_number, oracle.tricks_won) == ("play", 1, [0, 0, 0, 0])


def test_moon_without_every_trick() -> None:
    hands = spread(4, {1: "3C 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", 2: "AC 2S", 0: "2C"})
    oracle = table(hands)
    play(oracle, "2C 3C AC")
    oracle.play(oracle.legal()[0])
    play(oracle, "2S")
    while oracle.phase == "play":
        oracle.play(oracle.legal()[0])
    assert oracle.tricks_won == [0, 12, 1, 0]
    assert (oracle.phase, oracle.seat) == ("moon", 1)


def test_hearts_without_the_queen_are_no_moon() -> None:
    hands = spread(4, {0: "2C", 1: "3C 3S 4S 5S 6S 7S 8S 9S TS JS KS AS AH", 2: "AC 2S QS"})
    oracle = table(hands, num_hands=1)
    play(oracle, "2C 3C AC")
    oracle.play(oracle.legal()[0])
    play(oracle, "QS")
    for _ in range(3):
        oracle.play(oracle.legal()[0])
    assert oracle.takers == [2, 2]  # seat 1 ducked with 3S
    play(oracle, "2S")
    play_lowest_to_end_of_tricks(oracle)
    assert oracle.tricks_won == [0, 11, 2, 0]
    assert (oracle.phase, oracle.scores) == ("over", [0, 13, 13, 0])


def test_the_queen_without_all_hearts_is_no_moon() -> None:
    hands = spread(4, {0: "2C", 1: "3C 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H", 2: "AC 2S", 3: "3S AH"})
    oracle = table(hands, num_hands=1)
    play(oracle, "2C 3C AC")
    oracle.play(oracle.legal()[0])
    play(oracle, "2S")
    play_lowest_to_end_of_tricks(oracle)  # the last trick: 2H is led, three higher hearts fall
    assert oracle.tricks_won == [0, 11, 1, 1]
    assert (oracle.phase, oracle.scores) == ("over", [0, 22, 0, 4])


def test_omnibus() -> None:
    assert play_hand_on_paper(omnibus=True, num_hands=1).scores == [2 - 10, 4, 16, 4]


def test_omnibus_in_a_moon_hand() -> None:
    hands = spread(4, {1: "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"})
    oracle = table(hands, omnibus=True, moon="add", num_hands=1)
    play_lowest_to_end_of_tricks(oracle)
    assert oracle.scores == [26, -10, 26, 26]


# The end of the match


def assert_over(oracle: HeartsOracle, scores: list[int], winners: list[int], truncated: bool) -> None:
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("over", -1, [])
    assert (oracle.scores, oracle.winners, oracle.truncated) == (scores, winners, truncated)
    assert (oracle.hand_number, oracle.dealer, oracle.broken) == (0, 3, True)  # the board stays
    assert (oracle.tricks_won, oracle.hands()) == ([3, 1, 2, 7], [[], [], [], []])
    with pytest.raises(ValueError):
        oracle.play(0)


@pytest.mark.parametrize(
    ("scores_after", "winners"),
    [([99, 101, 101, 60], [3]), ([100, 60, 60, 86], [1, 2]), ([60, 60, 100, 60], [0, 1, 3])],
)
def test_target_ends_the_match(scores_after: list[int], winners: list[int]) -> None:
    before = [after - points for after, points in zip(scores_after, POINTS_ON_PAPER, strict=True)]
    assert max(before) < 100
    assert_over(play_hand_on_paper(before), scores_after, winners, truncated=False)


def test_below_the_target_the_match_goes_on() -> None:
    oracle = play_hand_on_paper([97, 95, 83, 95])
    assert (oracle.scores, oracle.winners, oracle.truncated) == ([99, 99, 99, 99], [], False)
    assert (oracle.phase, oracle.hand_number, oracle.dealer, oracle.broken) == ("play", 1, 0, False)
    assert len(oracle.takers) == 13


def test_num_hands_ends_the_match() -> None:
    assert_over(play_hand_on_paper(num_hands=1), POINTS_ON_PAPER, [0], truncated=False)


def test_max_hands_truncates() -> None:
    assert_over(play_hand_on_paper(max_hands=1), POINTS_ON_PAPER, [0], truncated=True)


@pytest.mark.parametrize("rule", [{"num_hands": 1}, {"target": 16}])
def test_a_rule_that_ends_the_match_in_the_last_hand_terminates(rule: dict[str, Any]) -> None:
    assert_over(play_hand_on_paper(max_hands=1, **rule), POINTS_ON_PAPER, [0], truncated=False)


def test_the_jack_can_save_a_match_from_its_end() -> None:
    oracle = play_hand_on_paper([99, 0, 0, 0], omnibus=True)
    assert (oracle.phase, oracle.scores) == ("play", [91, 4, 16, 4])


@pytest.mark.parametrize(("choice", "phase", "winners"), [(ADD, "over", [1]), (SUBTRACT, "play", [])])
def test_the_moon_can_end_the_match(choice: int, phase: str, winners: list[int]) -> None:
    oracle = table(spread(4, {1: "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"}))
    oracle.scores = [95, 20, 95, 95]
    play_lowest_to_end_of_tricks(oracle)
    oracle.play(choice)
    assert (oracle.phase, oracle.winners) == (phase, winners)
    assert oracle.scores == ([121, 20, 121, 121] if choice == ADD else [95, -6, 95, 95])


@pytest.mark.parametrize("num_players", [3, 4, 5, 6, 7])
def test_random_matches_keep_their_cards_and_points(num_players: int) -> None:
    chance = random.Random(num_players)

    def shuffled(hand_number: int) -> list[Card]:
        deck = pack(num_players)
        random.Random(hand_number).shuffle(deck)
        return deck

    oracle = HeartsOracle(num_players=num_players, dealer=1, decks=shuffled, max_hands=None, moon="subtract")
    moons = 0
    while oracle.phase != "over":
        hand_number, before = oracle.hand_number, sum(oracle.scores)
        oracle.play(chance.choice(oracle.legal()))
        if oracle.hand_number == hand_number and oracle.phase != "over":
            places = [*oracle.hands(), *oracle.won, [card for _, card in oracle.trick]]
            assert sorted(card for place in places for card in place) == sorted(pack(num_players))
            assert sum(oracle.scores) == before
        else:
            assert abs(sum(oracle.scores) - before) == 26
            moons += sum(oracle.scores) < before
    hands_played = oracle.hand_number + 1
    assert sum(oracle.scores) == 26 * (hands_played - 2 * moons)
    assert len(oracle.takers) == hands_played * (len(pack(num_players)) // num_players)
    assert max(oracle.scores) >= 100
    assert not oracle.truncated
