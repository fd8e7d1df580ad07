"""The judge judged: the Cancellation oracle against hands worked out on paper."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.oracles.cancellation import ADD, CARDS, SUBTRACT, CancellationOracle
from tests.oracles.hearts import RANKS, Card, card_id, card_name

Hands = list[list[Card]]

# A whole hand of eleven seats: leader, cards in order of play, winner.
HAND_ON_PAPER = [
    (0, "5D 5D 4D AH 9D 6D 9D KD 4D KD 6D", None),  # 1 point stays on the table
    (0, "AS JS 9H AS 3S 2S 4H 6S 3S 8S 8S", 1),  # 2, the 1 on the table and the 1 of the kitty
    (1, "2C QC 9C AD AC AC 2C QC 9C 5C 5C", None),
    (1, "8D 8D 6C QD TD AD 7D JD 6H 7D QH", 6),  # 2, and a jack of diamonds
    (6, "4C 3C KC 8C TD JS 7C 6C 7C 6S KC", 9),
    (9, "2H KH QH 5H KH 3H 8H 2H 5H 6H 3H", 0),  # 11
    (0, "QS 9S TC 5S 2S QS 2D KS 8H 5S 9S", 7),  # both Black Marias: 26, and 1
    (7, "JH 9H KS TH 4S 3D JH 4C 3D 7H 7H", 10),  # 6
    (10, "TS 7S QD 4H TC TS JD TH 3C 8C 7S", None),  # 2 and a jack of diamonds left over
]
KITTY_ON_PAPER = "AH 4S JC JC 2D"
POINTS_ON_PAPER = [11, 4, 0, 0, 0, 0, 2, 27, 0, 0, 6]
TRICKS_ON_PAPER = [1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1]

# Eight seats with a suit each: only seats 0 and 4 follow the clubs that are led, and only they win tricks.
SUITS = [" ".join(rank + suit for rank in RANKS) for suit in "CDSHCDSH"]

# Seat 0 has the higher clubs and wins every trick, the lowest legal cards being played.
CLUBS = [rank + "C" for rank in RANKS for _ in range(2)]
SURE_MOON = [" ".join(CLUBS[13:]), *SUITS[1:4], " ".join(CLUBS[:13]), *SUITS[5:]]


def hands_on_paper() -> list[str]:
    hands: Hands = [[] for _ in range(11)]
    for leader, cards, _ in HAND_ON_PAPER:
        for place, card in enumerate(cards.split()):
            hands[(leader + place) % 11].append(card)
    return [" ".join(hand) for hand in hands]


def deck_for(named: list[str], dealer: int, kitty: str = "") -> list[Card]:
    """The deck that deals these hands; hands and kitty that are short are filled up in the order of the ids."""
    num_players = len(named)
    hands = [cards.split() for cards in named]
    left_over = kitty.split()
    rest = list(CARDS)
    for card in [*left_over, *(card for hand in hands for card in hand)]:
        rest.remove(card)
    for hand in hands:
        while len(hand) < 104 // num_players:
            hand.append(rest.pop(0))
    order = [(dealer + 1 + place) % num_players for place in range(num_players)]
    return [hands[seat][turn] for turn in range(len(hands[0])) for seat in order] + left_over + rest


def table(hands: list[str], kitty: str = "", dealer: int | None = None, **options: Any) -> CancellationOracle:
    """A match without passing in which every hand is dealt as `hands`; seat 0 leads to the first one."""
    num_players = len(hands)
    first_dealer = num_players - 1 if dealer is None else dealer
    return CancellationOracle(
        num_players=num_players,
        dealer=first_dealer,
        decks=lambda hand_number: deck_for(hands, (first_dealer + hand_number) % num_players, kitty),
        **{"pass_cards": 0, **options},
    )


def play(oracle: CancellationOracle, cards: str) -> None:
    for card in cards.split():
        oracle.play(card_id(card))


def legal(oracle: CancellationOracle) -> str:
    return " ".join(card_name(action) for action in oracle.legal())


def spell(ranks: str, suit: str) -> str:
    return " ".join(rank + suit for rank in ranks)


def play_lowest_to_end_of_tricks(oracle: CancellationOracle) -> None:
    """Everyone plays the legal card with the lowest id, to the end of the hand."""
    hand_number = oracle.hand_number
    while oracle.phase == "play" and oracle.hand_number == hand_number:
        oracle.play(oracle.legal()[0])


def pick_lowest(oracle: CancellationOracle) -> None:
    while oracle.phase == "pass":
        oracle.play(oracle.legal()[0])


def play_hand_on_paper(scores_before: list[int] | None = None, **options: Any) -> CancellationOracle:
    oracle = table(hands_on_paper(), KITTY_ON_PAPER, **options)
    if scores_before is not None:
        oracle.scores = list(scores_before)
    for _, cards, _ in HAND_ON_PAPER:
        play(oracle, cards)
    return oracle


def copy_the_leader(oracle: CancellationOracle, tricks: int) -> None:
    """Tricks of SUITS in which seat 4 plays the very club that seat 0 leads, so that both are cancelled."""
    for _ in range(tricks):
        assert oracle.trick == []
        led = oracle.legal()[0]
        for _ in range(oracle.num_players):
            oracle.play(led if led in oracle.legal() else oracle.legal()[0])


# The packs and the deal


@pytest.mark.parametrize(
    ("num_players", "each", "kitty"), [(6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)]
)
def test_packs_deal_and_kitty(num_players: int, each: int, kitty: int) -> None:
    assert len(CARDS) == 104
    oracle = table([""] * num_players, dealer=0)
    assert [len(hand) for hand in oracle.hands()] == [each] * num_players
    assert len(oracle.kitty) == kitty


@pytest.mark.parametrize("num_players", [3, 4, 5, 12])
def test_seat_counts_that_cannot_play(num_players: int) -> None:
    with pytest.raises(ValueError, match=f"{num_players} seats"):
        CancellationOracle(num_players=num_players, dealer=0, decks=lambda _: CARDS)


def test_the_dealers_left_gets_the_first_card_and_the_last_are_the_kitty() -> None:
    oracle = CancellationOracle(num_players=6, dealer=1, decks=lambda _: CARDS)
    assert [hand[:2] for hand in oracle.hands()] == [
        ["4C", "7C"],
        ["4C", "7C"],
        ["2C", "5C"],
        ["2C", "5C"],
        ["3C", "6C"],
        ["3C", "6C"],
    ]
    assert oracle.kitty == ["AH", "AH"]


@pytest.mark.parametrize("deck", [CARDS[:-1], CARDS[:52], ["2C", *CARDS[:-1]]])
def test_a_deck_that_is_not_two_packs_is_refused(deck: list[Card]) -> None:
    with pytest.raises(ValueError, match="not two packs"):
        CancellationOracle(num_players=6, dealer=0, decks=lambda _: deck)


def test_cards_held_twice_are_shown_twice_in_order() -> None:
    oracle = table(["AH QS 2C AH 9D 2C QS 5C 5C", *[""] * 10])
    assert oracle.hands()[0] == ["2C", "2C", "5C", "5C", "9D", "QS", "QS", "AH", "AH"]


# Passing


def test_a_card_held_twice_may_be_picked_twice() -> None:
    oracle = table(["2C 2C 3C 4C 4D 5D 6D 2S 3S", *[""] * 10], pass_cards=3)
    dealt = oracle.hands()
    assert (oracle.phase, oracle.seat) == ("pass", 0)
    assert legal(oracle) == "2C 3C 4C 4D 5D 6D 2S 3S"
    play(oracle, "2C")
    assert legal(oracle) == "2C 3C 4C 4D 5D 6D 2S 3S"
    play(oracle, "2C")
    assert legal(oracle) == "3C 4C 4D 5D 6D 2S 3S"
    play(oracle, "4C")
    assert oracle.seat == 1
    assert oracle.hands() == dealt

    pick_lowest(oracle)
    assert oracle.hands()[1].count("2C") == 2
    assert "2C" not in oracle.hands()[0]
    assert [len(hand) for hand in oracle.hands()] == [9] * 11
    assert (oracle.phase, oracle.seat) == ("play", 0)


def test_one_copy_of_two_may_be_passed() -> None:
    oracle = table(["KC KC AC"] + [""] * 5, pass_cards=1)
    play(oracle, "KC")
    pick_lowest(oracle)
    assert oracle.hands()[0].count("KC") == 1
    assert oracle.hands()[1].count("KC") == 1


@pytest.mark.parametrize("num_players", range(6, 12))
def test_direction_of_the_pass(num_players: int) -> None:
    """To whom seat 0 passes its two kings of clubs."""
    for first_pass, receiver in enumerate([1, num_players - 1, 1, num_players - 1]):
        oracle = table(["KC KC"] + [""] * (num_players - 1), pass_cards=2, first_pass=first_pass)
        play(oracle, "KC KC")
        pick_lowest(oracle)
        assert oracle.hands()[receiver].count("KC") == 2


def test_the_rotation_goes_on_by_hand_number() -> None:
    oracle = table([""] * 6, pass_cards=4, moon="subtract")
    seen: list[tuple[int, int, int, int]] = []
    while len(seen) < 3:
        seen.append((oracle.hand_number, oracle.dealer, oracle.seat, oracle.passing_distance()))
        pick_lowest(oracle)
        play_lowest_to_end_of_tricks(oracle)
    assert seen == [(0, 5, 0, 1), (1, 0, 1, -1), (2, 1, 2, 1)]


# Leading and following


@pytest.mark.parametrize(
    ("hand", "may_lead"),
    [
        ("4C 5D 5D 7S QS 3H 3H 4H AH", "4C 5D 7S QS"),  # no lowest club to open with
        ("QS QS 3H 3H 4H 5H 6H 7H AH", "QS"),
        ("2H 2H 3H 3H 4H 5H 6H 7H AH", "2H 3H 4H 5H 6H 7H AH"),
    ],
)
def test_the_dealers_left_leads_what_the_rules_of_leading_allow(hand: str, may_lead: str) -> None:
    oracle = table([hand, *[""] * 10])
    assert (oracle.phase, oracle.seat) == ("play", 0)
    assert legal(oracle) == may_lead


def test_nothing_is_barred_on_the_first_trick() -> None:
    oracle = table(SUITS)
    play(oracle, "2C 2D")
    assert legal(oracle) == SUITS[2]  # the queen among them
    play(oracle, "QS")
    assert legal(oracle) == SUITS[3]


def test_suit_is_followed() -> None:
    oracle = table(SUITS)
    play(oracle, "2C 2D 2S 2H")
    assert legal(oracle) == SUITS[4]
    with pytest.raises(ValueError, match="not legal for seat 4"):
        play(oracle, "2D")


def test_hearts_broken_in_a_cancelled_trick_may_be_led() -> None:
    leader, rival = spell("23456789TJ", "C") + " 2H", spell("23456789QKA", "C")
    oracle = table([leader, "", "", "", rival, "", "", "", ""], spell("TJQKA", "C"))
    assert legal(oracle) == spell("23456789TJ", "C")
    copy_the_leader(oracle, 1)
    assert (oracle.seat, oracle.takers, oracle.broken) == (0, [], True)
    assert legal(oracle) == spell("3456789TJ", "C") + " 2H"


@pytest.mark.parametrize("queen_breaks_hearts", [True, False])
def test_the_queen_breaks_hearts_by_default(queen_breaks_hearts: bool) -> None:
    oracle = table(SUITS, queen_breaks_hearts=queen_breaks_hearts)
    play(oracle, "2C 2D QS")
    assert oracle.broken == queen_breaks_hearts
    play(oracle, "2H")
    assert oracle.broken


# Tricks


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("2C 3C 4C 5C 6C 7C", 5),
        ("AC 3C AC 5C 6C 7C", 5),  # the aces cancel
        ("7C 2C AC AC KC KC", 0),  # two pairs
        ("2C 2C 3C 3C 4C 5C", 5),
        ("5C 2C 2C 3C 3C 4C", 0),
        ("AC AC KC KC 2C 3C", 5),
        ("3C AC AC 2C 2C 3C", None),
        ("2C 3C 4C 4C 3C 2C", None),
    ],
)
def test_identical_cards_cancel(trick: str, winner: int | None) -> None:
    oracle = table(trick.split())
    play(oracle, trick)
    assert oracle.takers == ([] if winner is None else [winner])
    assert oracle.tricks_won == [int(seat == winner) for seat in range(6)]
    assert (oracle.trick, oracle.seat) == ([], winner or 0)


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("2C AD AS AH 2C KD AS KH", None), ("2C AD AS AH 3C AD AS AH", 4), ("3C AD AS AH 2C KD KS KH", 0)],
)
def test_discards_win_nothing_and_may_cancel_idly(trick: str, winner: int | None) -> None:
    oracle = table(SUITS)
    play(oracle, trick)
    assert oracle.takers == ([] if winner is None else [winner])
    assert oracle.seat == (winner or 0)


def test_a_cancelled_trick_goes_to_the_winner_of_the_next() -> None:
    oracle = table(SUITS, num_hands=1)
    copy_the_leader(oracle, 2)
    assert (oracle.seat, oracle.trick, oracle.tricks_won, oracle.takers) == (0, [], [0] * 8, [])
    play(oracle, "4C 4D 4S 4H 5C 5D 5S 5H")
    assert (oracle.seat, oracle.tricks_won, oracle.takers) == (4, [0, 0, 0, 0, 1, 0, 0, 0], [4])
    assert oracle.points_taken(4) == 6


def test_nobody_wins_anything() -> None:
    oracle = table(SUITS, num_hands=1)
    copy_the_leader(oracle, 13)
    assert (oracle.phase, oracle.takers, oracle.tricks_won, oracle.scores) == ("over", [], [0] * 8, [0] * 8)
    assert oracle.winners == list(range(8))


def test_cards_left_over_count_for_nobody() -> None:
    oracle = table(SUITS, num_hands=1)
    play(oracle, "2C 2D 2S 2H 3C QD QS QH  2C 3D 3S 3H 3C QD QS KH")
    assert (oracle.takers, oracle.seat) == ([4, 0], 0)
    copy_the_leader(oracle, 11)
    assert (oracle.phase, oracle.takers) == ("over", [4, 0])
    assert oracle.scores == [15, 0, 0, 0, 15, 0, 0, 0]  # twenty-two hearts are left over


def test_the_kitty_goes_to_the_first_winner_and_breaks_nothing() -> None:
    followers = ["2C", "2C", "3C", "3C", "4C", "4C", "5C", "5C", "6C", "6C"]
    oracle = table(["AC 4D 5H 6H 7H 8H 9H TH JH", *followers], "AH AH QS QS KH")
    play(oracle, " ".join(["AC", *followers]))
    assert (oracle.takers, oracle.broken, oracle.points_taken(0)) == ([0], False, 29)
    assert oracle.kitty == []
    assert legal(oracle) == "4D"


def test_the_kitty_waits_while_tricks_are_cancelled() -> None:
    oracle = table(hands_on_paper(), KITTY_ON_PAPER)
    play(oracle, HAND_ON_PAPER[0][1])
    assert oracle.kitty == KITTY_ON_PAPER.split()
    assert [oracle.points_taken(seat) for seat in range(11)] == [0] * 11
    play(oracle, HAND_ON_PAPER[1][1])
    assert oracle.points_taken(1) == 4


# Scoring


def test_hand_on_paper() -> None:
    oracle = table(hands_on_paper(), KITTY_ON_PAPER, num_hands=1)
    takers: list[int] = []
    for leader, cards, winner in HAND_ON_PAPER:
        for place, card in enumerate(cards.split()):
            assert oracle.seat == (leader + place) % 11
            assert oracle.trick == [((leader + i) % 11, before) for i, before in enumerate(cards.split()[:place])]
            play(oracle, card)
        takers += [] if winner is None else [winner]
        assert (oracle.trick, oracle.takers) == ([], takers)
    assert oracle.tricks_won == TRICKS_ON_PAPER
    assert oracle.scores == POINTS_ON_PAPER


def test_each_jack_of_diamonds_counts_for_its_winner() -> None:
    scores = list(POINTS_ON_PAPER)
    scores[6] -= 10  # the other jack is left over
    assert play_hand_on_paper(omnibus=True, num_hands=1).scores == scores
    oracle = table(SURE_MOON, omnibus=True, moon="add", num_hands=1)
    play_lowest_to_end_of_tricks(oracle)
    assert oracle.scores == [-20, *[52] * 7]


@pytest.mark.parametrize(
    ("moon", "choice", "shooter", "others"),
    [
        ("choose", ADD, 40, 92),
        ("choose", SUBTRACT, -12, 40),
        ("add", None, 40, 92),
        ("subtract", None, -12, 40),
    ],
)
def test_moon(moon: str, choice: int | None, shooter: int, others: int) -> None:
    oracle = table(SURE_MOON, moon=moon)
    oracle.scores = [40] * 8
    play_lowest_to_end_of_tricks(oracle)
    if choice is not None:
        assert (oracle.phase, oracle.seat, oracle.legal()) == ("moon", 0, [52, 53])
        assert oracle.scores == [40] * 8
        assert (oracle.tricks_won, oracle.hand_number) == ([13, *[0] * 7], 0)
        oracle.play(choice)
    assert oracle.scores == [shooter, *[others] * 7]
    assert (oracle.phase, oracle.hand_number, oracle.tricks_won) == ("play", 1, [0] * 8)


def test_the_kitty_belongs_to_the_moon() -> None:
    oracle = table([" ".join(CLUBS[9:]), *[""] * 5], "7H QS")
    play_lowest_to_end_of_tricks(oracle)
    assert oracle.takers == [0] * 17
    assert (oracle.phase, oracle.seat) == ("moon", 0)


@pytest.mark.parametrize(("missing", "points"), [("4H", 51), ("QS", 39)])
def test_one_of_two_copies_missing_is_no_moon(missing: Card, points: int) -> None:
    oracle = table(SUITS)
    oracle.won[3] = [*CARDS]
    assert (oracle.shooter(), oracle.points_taken(3)) == (3, 52)
    oracle.won[3].remove(missing)
    assert (oracle.shooter(), oracle.points_taken(3)) == (None, points)


# The end of the match


def assert_over(oracle: CancellationOracle, scores: list[int], winners: list[int], truncated: bool) -> None:
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("over", -1, [])
    assert (oracle.scores, oracle.winners, oracle.truncated) == (scores, winners, truncated)
    assert (oracle.hand_number, oracle.dealer, oracle.broken) == (0, 10, True)  # the board stays
    assert (oracle.tricks_won, oracle.hands()) == (TRICKS_ON_PAPER, [[] for _ in range(11)])
    with pytest.raises(ValueError):
        oracle.play(0)


@pytest.mark.parametrize(
    ("scores_after", "winners"),
    [
        ([99, 101, 60, 70, 70, 70, 70, 101, 70, 70, 70], [2]),
        ([100, 60, 60, 86, 86, 86, 86, 86, 86, 86, 86], [1, 2]),
        ([60, 60, 60, 60, 60, 60, 60, 100, 60, 60, 60], [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]),
    ],
)
def test_target_ends_the_match(scores_after: list[int], winners: list[int]) -> None:
    before = [after - points for after, points in zip(scores_after, POINTS_ON_PAPER, strict=True)]
    assert max(before) < 100
    assert_over(play_hand_on_paper(before), scores_after, winners, truncated=False)


def test_below_the_target_the_match_goes_on() -> None:
    oracle = play_hand_on_paper([99 - points for points in POINTS_ON_PAPER])
    assert (oracle.scores, oracle.winners, oracle.truncated) == ([99] * 11, [], False)
    assert (oracle.phase, oracle.hand_number, oracle.dealer, oracle.seat) == ("play", 1, 0, 1)
    assert (oracle.broken, len(oracle.takers)) == (False, 6)
    assert (oracle.kitty, oracle.cancelled_tricks) == (KITTY_ON_PAPER.split(), [])  # nothing of the hand before


def test_num_hands_ends_the_match() -> None:
    assert_over(play_hand_on_paper(num_hands=1), POINTS_ON_PAPER, [2, 3, 4, 5, 8, 9], truncated=False)


def test_max_hands_truncates() -> None:
    assert_over(play_hand_on_paper(max_hands=1), POINTS_ON_PAPER, [2, 3, 4, 5, 8, 9], truncated=True)


@pytest.mark.parametrize("rule", [{"num_hands": 1}, {"target": 27}])
def test_a_rule_that_ends_the_match_in_the_last_hand_terminates(rule: dict[str, Any]) -> None:
    oracle = play_hand_on_paper(max_hands=1, **rule)
    assert_over(oracle, POINTS_ON_PAPER, [2, 3, 4, 5, 8, 9], truncated=False)


@pytest.mark.parametrize(("choice", "phase", "winners"), [(ADD, "over", [0]), (SUBTRACT, "play", [])])
def test_the_moon_can_end_the_match(choice: int, phase: str, winners: list[int]) -> None:
    oracle = table(SURE_MOON)
    oracle.scores = [20, *[48] * 7]
    play_lowest_to_end_of_tricks(oracle)
    oracle.play(choice)
    assert (oracle.phase, oracle.winners) == (phase, winners)
    assert oracle.scores == ([20, *[100] * 7] if choice == ADD else [-32, *[48] * 7])


@pytest.mark.parametrize("num_players", range(6, 12))
def test_random_matches_keep_their_cards_and_points(num_players: int) -> None:
    chance = random.Random(num_players)

    def shuffled(hand_number: int) -> list[Card]:
        deck = list(CARDS)
        random.Random(f"{num_players} {hand_number}").shuffle(deck)
        return deck

    oracle = CancellationOracle(num_players=num_players, dealer=1, decks=shuffled, max_hands=None, target=60)
    points_lost = 0
    while oracle.phase != "over":
        hand_number, before = oracle.hand_number, sum(oracle.scores)
        on_table = [*oracle.cancelled_tricks, *oracle.kitty, *(card for _, card in oracle.trick)]
        places = [on_table, *oracle.held, *oracle.won]
        assert sorted(card for place in places for card in place) == sorted(CARDS)
        oracle.play(chance.choice(oracle.legal()))
        if oracle.hand_number != hand_number or oracle.phase == "over":
            settled = sum(oracle.scores) - before
            assert 0 <= settled <= 52
            points_lost += 52 - settled
    assert sum(oracle.scores) == 52 * (oracle.hand_number + 1) - points_lost
    assert len(oracle.takers) <= (oracle.hand_number + 1) * (104 // num_players)
    assert max(oracle.scores) >= 60
    assert not oracle.truncated
