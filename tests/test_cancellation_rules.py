"""Cancellation, the Hearts of two packs for 6 to 11 seats, from the deal to the end of the match.

What Hearts has in both forms alike, the texts of its errors for example, is in test_hearts_rules.py and
test_hearts_match.py.
"""

import re
from collections import defaultdict, namedtuple

import numpy as np
import pytest

import trick_envs
from tests.helpers import (
    ACTIONS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    PACK,
    SPADES,
    cards,
    face,
    held,
    in_order,
    legal,
    play,
    spell,
)

SEATS = range(6, 12)
TWO_PACKS = [card for card in PACK for _ in range(2)]
EACH = {6: 17, 7: 14, 8: 13, 9: 11, 10: 10, 11: 9}
KITTY = {6: 2, 7: 6, 8: 0, 9: 5, 10: 4, 11: 5}

LONG = {"target": 100_000, "moon": "add"}  # a match that goes on and never asks about a moon

# ---- card talk

Deal = namedtuple("Deal", "hands kitty cards")  # hands by seat as text; the cards of the whole hand in order of play


def cancellation(seats=6, **options):
    return trick_envs.make("hearts", variant="cancellation", num_players=seats, **options)


def fresh(seats=6, seed=0, **options):
    return cancellation(seats, **options).table(seed=seed)


def without(names, taken):
    left = list(names)
    for card in taken:
        left.remove(card)
    return left


def deck_of(hands, dealer, kitty=""):
    """The deck that deals these hands and leaves this kitty.

    Short hands are filled up from the two packs in order, lowest seat first, and the kitty at last.
    """
    seats = len(hands)
    hands = [cards(hand) for hand in hands]
    kitty = cards(kitty)
    rest = without(TWO_PACKS, kitty + [card for hand in hands for card in hand])
    for hand in hands:
        missing = EACH[seats] - len(hand)
        assert missing >= 0, "too many cards for one hand"
        hand += rest[:missing]
        rest = rest[missing:]
    order = [(dealer + 1 + place) % seats for place in range(seats)]
    dealt = [hands[seat][turn] for turn in range(EACH[seats]) for seat in order]
    return [*dealt, *kitty, *rest]


def match(deals, dealer=None, **options):
    """A table that will be dealt these deals, one after another; no passing unless asked for.

    The first deal is by `dealer`, else by the last seat: seat 0 is at its left and leads.
    """
    seats = len(deals[0].hands)
    dealer = seats - 1 if dealer is None else dealer
    decks = [deck_of(one.hands, (dealer + hand) % seats, one.kitty) for hand, one in enumerate(deals)]
    return cancellation(seats, **{"pass_cards": 0, **options}).table(seed=0, decks=decks, dealer=dealer)


def deal(*hands, kitty="", dealer=None, **options):
    """A table with these hands, seat by seat."""
    return match([Deal(hands, kitty, "")], dealer, **options)


def play_out(table, choose=min):
    """Finish the hand, always with the lowest legal action (or what `choose` picks); a moon is left open."""
    assert table.phase in ("pass", "play"), f"no hand to play out in the {table.phase} phase"
    hand = table.hand_number
    for _ in range(104 + 4 * 11):  # the cards to play and the most there are to pass
        if table.hand_number != hand or table.phase not in ("pass", "play"):
            return
        table.play(choose(table.legal_actions()))
    assert table.hand_number != hand or table.phase not in ("pass", "play"), "the hand does not end"


def pass_lowest(table):
    """Every seat passes its lowest cards: who picked what, {seat: [cards]}."""
    picks = defaultdict(list)
    while table.phase == "pass":
        card = ACTIONS[table.legal_actions()[0]]
        picks[table.seat].append(card)
        table.play(card)
    return dict(picks)


def ended(table):
    return table.phase == "over"


def nothing(table):
    """A zero for every seat."""
    return [0] * table.game.num_players


def at(seats, **points):
    """Points by seat, zero for those not named: at(8, seat4=2)."""
    return [points.get(f"seat{seat}", 0) for seat in range(seats)]


def struggle(outcomes, leader=0, rival=4, seats=8, kitty="", others=None):
    """A deal for a leader and a rival that hold all the clubs; nobody else can win a trick.

    An outcome a trick: the leader wins (L), the rival (R) or nobody (x). The others, in order of seats, discard
    their cards in the order given; of the pack in order if none are given. Clubs in the kitty must be pairs.
    """
    clubs = [card for card in TWO_PACKS if card[1] == "C" and card not in cards(kitty)]
    both = outcomes.count("x")
    same, contested = clubs[: 2 * both : 2], clubs[2 * both :]
    low, high = contested[: len(contested) // 2], contested[len(contested) // 2 :]
    hands = [[] for _ in range(seats)]
    for outcome in outcomes:
        lower, higher = (same[0], same.pop(0)) if outcome == "x" else (low.pop(0), high.pop(0))
        hands[leader].append(higher if outcome == "L" else lower)
        hands[rival].append(lower if outcome == "L" else higher)
    if others is None:
        rest = without(TWO_PACKS, cards(kitty) + clubs)
        others = [" ".join(rest[first : first + len(outcomes)]) for first in range(0, len(rest), len(outcomes))]
    for seat, discards in zip((seat for seat in range(seats) if seat not in (leader, rival)), others, strict=True):
        hands[seat] = cards(discards)
    on_lead, plays = leader, []
    for trick, outcome in enumerate(outcomes):
        plays += [hands[(on_lead + place) % seats][trick] for place in range(seats)]
        on_lead = {"L": leader, "R": rival, "x": on_lead}[outcome]
    return Deal([" ".join(hand) for hand in hands], kitty, " ".join(plays))


def played(*struggles, seats=8, **options):
    """A table at which these struggles were played, every moon added to the others.

    Each is (outcomes, rival) or only the outcomes, with seat 4 for rival; seat 0 leads to the first hand, seat 1 to
    the second.
    """
    struggles = [(one, 4) if isinstance(one, str) else one for one in struggles]
    deals = [struggle(outcomes, hand % seats, rival, seats) for hand, (outcomes, rival) in enumerate(struggles)]
    table = match(deals, **options)
    for one in deals:
        play(table, one.cards)
        if table.phase == "moon":
            table.play("moon: add")
    return table


# With eight seats each trick of a struggle has two hearts; a jack of diamonds falls in the sixth trick and in the
# seventh, a queen of spades in the eighth and in the ninth.
SPLIT = "LLLLLLLLRRRRR"  # 16 hearts and a queen, 10 hearts and a queen
LEADER, RIVAL = 29, 23
MOON = "RRRRRRRRRRRRR"  # all to the rival
NOBODY = "xxxxxxxxxxxxx"

# A suit a seat, twice: only seats 0 and 4 can follow the clubs that are led.
SUITS = [CLUBS, DIAMONDS, SPADES, HEARTS] * 2

# Eleven seats, worked out on paper: leader, cards in order of play, winner.
HAND_ON_PAPER = [
    (0, "5D 5D 4D AH 9D 6D 9D KD 4D KD 6D", None),  # 1 point stays on the table
    (0, "AS JS 9H AS 3S 2S 4H 6S 3S 8S 8S", 1),  # 2, the 1 on the table and the 1 of the kitty
    (1, "2C QC 9C AD AC AC 2C QC 9C 5C 5C", None),
    (1, "8D 8D 6C QD TD AD 7D JD 6H 7D QH", 6),  # 2, and a jack of diamonds
    (6, "4C 3C KC 8C TD JS 7C 6C 7C 6S KC", 9),
    (9, "2H KH QH 5H KH 3H 8H 2H 5H 6H 3H", 0),  # 11
    (0, "QS 9S TC 5S 2S QS 2D KS 8H 5S 9S", 7),  # both queens of spades: 26, and 1
    (7, "JH 9H KS TH 4S 3D JH 4C 3D 7H 7H", 10),  # 6
    (10, "TS 7S QD 4H TC TS JD TH 3C 8C 7S", None),  # 2 and a jack of diamonds left over
]
KITTY_ON_PAPER = "AH 4S JC JC 2D"
POINTS_ON_PAPER = [11, 4, 0, 0, 0, 0, 2, 27, 0, 0, 6]
TRICKS_ON_PAPER = [1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1]


def hands_on_paper():
    hands = [[] for _ in range(11)]
    for leader, trick, _ in HAND_ON_PAPER:
        for place, card in enumerate(trick.split()):
            hands[(leader + place) % 11].append(card)
    return [" ".join(hand) for hand in hands]


def clubs_on_top(seats):
    """Seat 0 holds the highest clubs: when all play their lowest card, or all their highest, it wins every trick."""
    clubs = [card for card in TWO_PACKS if card[1] == "C"]
    return [" ".join(clubs[-EACH[seats] :]), *[""] * (seats - 1)]


# ---- the packs and the deal


@pytest.mark.parametrize("seats", SEATS)
def test_as_many_cards_as_come_out_even_are_dealt(seats):
    hands = fresh(seats).hands()
    assert [len(hand) for hand in hands] == [EACH[seats]] * seats
    left_over = TWO_PACKS[:]
    for hand in hands:
        left_over = without(left_over, hand)  # no card more than twice
    assert len(left_over) == KITTY[seats]


def test_six_seats_by_default():
    assert trick_envs.make("hearts", variant="cancellation").num_players == 6


def test_actions_and_cards_are_those_of_one_pack():
    game = cancellation()
    assert game.num_actions == 54
    assert [game.action_name(action) for action in range(54)] == ACTIONS
    assert [game.action_id(name) for name in ACTIONS] == list(range(54))
    assert list(game.cards) == PACK


@pytest.mark.parametrize("seats", SEATS)
def test_cards_go_round_one_at_a_time_from_the_dealers_left_and_the_last_are_the_kitty(seats):
    deck = TWO_PACKS[::-1]
    dealer = seats - 2
    hands = cancellation(seats).table(decks=[deck], dealer=dealer).hands()
    dealt = deck[: seats * EACH[seats]]
    for place in range(seats):
        assert hands[(dealer + 1 + place) % seats] == in_order(dealt[place::seats]).split()


def test_a_card_held_twice_is_shown_twice_by_card_id():
    table = deal("AH QS 2C AH 9D 2C QS 55C", *[""] * 10)
    assert table.hands()[0] == ["2C", "2C", "5C", "5C", "9D", "QS", "QS", "AH", "AH"]


def test_the_packs_are_shuffled_together():
    """Some seat holds a card twice, and some card's copies are in two hands."""
    hands = fresh(8, seed=3).hands()
    assert any(len(set(hand)) < len(hand) for hand in hands)
    assert any(sum(card in hand for hand in hands) == 2 for card in PACK)


def test_the_deal_moves_one_seat_to_the_left():
    table = fresh(7, first_dealer=5, **LONG)
    turns = []
    for hand in range(4):
        assert table.hand_number == hand
        turns.append((table.dealer, table.seat))
        play_out(table)
    assert turns == [(5, 6), (6, 0), (0, 1), (1, 2)]


def test_second_deck_is_dealt_from_the_next_dealers_left():
    table = cancellation(pass_cards=0, **LONG).table(seed=0, decks=[TWO_PACKS, TWO_PACKS[::-1]], dealer=1)
    play_out(table)
    dealt = TWO_PACKS[::-1][:102]
    assert (table.hand_number, table.dealer) == (1, 2)
    assert held(table, 3) == in_order(dealt[0::6])
    assert held(table, 2) == in_order(dealt[5::6])


def test_dealer_and_deal_come_from_the_seed():
    assert {fresh(11, seed=seed).dealer for seed in range(150)} == set(range(11))
    assert fresh(seed=5).hands() == fresh(seed=5).hands()
    assert fresh(seed=5, first_dealer=0).hands() != fresh(seed=6, first_dealer=0).hands()


def test_play_does_not_change_later_deals():
    low, high = fresh(seed=11, **LONG), fresh(seed=11, **LONG)
    for _ in range(2):
        play_out(low, min)
        play_out(high, max)
        assert low.history != high.history
        assert low.hands() == high.hands()


def test_decks_change_neither_dealer_nor_later_deals():
    game = cancellation(9, **LONG)
    for seed in range(4):
        shuffled, given = game.table(seed=seed), game.table(seed=seed, decks=[TWO_PACKS])
        assert given.dealer == shuffled.dealer
        play_out(shuffled)
        play_out(given)
        assert given.hands() == shuffled.hands()


# ---- passing


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("pass_cards", [1, 2, 3, 4])
def test_pass_cards_says_how_many_each_seat_passes(seats, pass_cards):
    table = deal(*[""] * seats, pass_cards=pass_cards)
    before = table.hands()
    picks = pass_lowest(table)
    assert [(seat, len(picked)) for seat, picked in picks.items()] == [(seat, pass_cards) for seat in range(seats)]
    for seat, hand in enumerate(table.hands()):
        assert hand == in_order(without(before[seat], picks[seat]) + picks[(seat - 1) % seats]).split()


def test_three_cards_are_passed_by_default():
    assert {len(picked) for picked in pass_lowest(fresh()).values()} == {3}


@pytest.mark.parametrize("seats", SEATS)
def test_pass_cards_0_never_passes(seats):
    table = fresh(seats, pass_cards=0, **LONG)
    for hand in range(3):
        assert (table.hand_number, table.phase) == (hand, "play")
        play_out(table)


def test_each_seat_picks_all_its_cards_from_the_dealers_left():
    table = deal(*[""] * 6, dealer=3, pass_cards=2, first_pass=1)
    turns = []
    while table.phase == "pass":
        turns.append(table.seat)
        table.play(table.legal_actions()[-1])
    assert turns == [4, 4, 5, 5, 0, 0, 1, 1, 2, 2, 3, 3]
    assert (table.phase, table.seat) == ("play", 4)


def test_a_card_held_twice_can_be_picked_twice():
    table = deal("22C 3C 44D 5S QQS AH", *[""] * 10, pass_cards=4)  # and a 3C
    assert legal(table) == "2C 3C 4D 5S QS AH"
    play(table, "QS")
    assert legal(table) == "2C 3C 4D 5S QS AH"
    play(table, "QS")
    assert legal(table) == "2C 3C 4D 5S AH"
    play(table, "5S")
    assert legal(table) == "2C 3C 4D AH"
    play(table, "AH")
    assert table.seat == 1


def test_a_card_held_twice_can_be_passed_once():
    table = deal("KKC", *[""] * 5, pass_cards=1)
    play(table, "KC")
    pass_lowest(table)
    assert [table.hands()[seat].count("KC") for seat in range(6)] == [1, 1, 0, 0, 0, 0]


def test_both_copies_passed_are_held_by_the_receiver():
    table = deal("KKC", *[""] * 5, pass_cards=2)
    play(table, "KC KC")
    pass_lowest(table)
    assert [table.hands()[seat].count("KC") for seat in range(6)] == [0, 2, 0, 0, 0, 0]


def test_a_copy_received_joins_the_copy_held():
    table = deal("KC", "KC", *[""] * 4, pass_cards=1)
    play(table, "KC")
    pass_lowest(table)
    assert [table.hands()[seat].count("KC") for seat in range(6)] == [0, 2, 0, 0, 0, 0]


def test_a_seat_may_pass_a_card_and_receive_its_copy():
    table = deal("KC", "KC", *[""] * 4, pass_cards=1)
    play(table, "KC KC")
    pass_lowest(table)
    assert [table.hands()[seat].count("KC") for seat in range(6)] == [0, 1, 1, 0, 0, 0]


def test_picked_cards_are_held_until_all_have_passed():
    table = deal(*SUITS, pass_cards=3)
    play(table, "234C 234D 234S 234H 567C 567D 567S 56H")
    assert [held(table, seat) for seat in range(8)] == [spell(suit) for suit in SUITS]
    play(table, "7H")
    assert held(table, 0) == spell("56789TJQKAC 567H")
    assert held(table, 4) == spell("23489TJQKAC 234H")
    assert held(table, 1) == spell("234C 56789TJQKAD")


def test_nobody_can_pass_on_what_is_passed_to_it():
    table = deal(*SUITS, pass_cards=3)
    for suit in SUITS:
        assert legal(table) == spell(suit)
        play(table, " ".join(cards(suit)[:3]))


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(("first_pass", "places"), [(0, 1), (1, -1), (2, 1), (3, -1), (8, 1), (101, -1)])
def test_cards_go_left_or_right_by_first_pass(seats, first_pass, places):
    table = deal("KKC", *[""] * (seats - 1), pass_cards=2, first_pass=first_pass)
    play(table, "KKC")
    pass_lowest(table)
    assert table.hands()[places % seats].count("KC") == 2


def passes_to_the_left(table):
    """Plays the passing phase: whether the cards went to the left; they are known by the change of the hands."""
    seats = table.game.num_players
    before = table.hands()
    picks = pass_lowest(table)
    expected = {
        places: [
            in_order(without(before[seat], picks[seat]) + picks[(seat - places) % seats]).split()
            for seat in range(seats)
        ]
        for places in (1, -1)
    }
    assert expected[1] != expected[-1]
    assert table.hands() in expected.values()
    return table.hands() == expected[1]


@pytest.mark.parametrize("seats", SEATS)
def test_left_and_right_alternate_by_hand(seats):
    table = fresh(seats, **LONG)
    found = []
    for _ in range(4):
        found.append(passes_to_the_left(table))
        play_out(table)
    assert found == [True, False, True, False]


def test_rotation_goes_on_from_first_pass():
    table = fresh(first_pass=1, **LONG)
    found = []
    for _ in range(3):
        found.append(passes_to_the_left(table))
        play_out(table)
    assert found == [False, True, False]


def test_first_pass_none_is_drawn_from_the_seed():
    drawn = [passes_to_the_left(fresh(seed=seed, first_pass=None)) for seed in range(30)]
    assert set(drawn) == {True, False}
    assert drawn == [passes_to_the_left(fresh(seed=seed, first_pass=None)) for seed in range(30)]


def test_a_heart_or_queen_passed_breaks_nothing():
    table = deal(*SUITS, pass_cards=1)
    play(table, "2C 2D QS 2H 2C 2D QS 2H")
    assert (table.phase, table.seat, table.broken) == ("play", 0, False)
    assert legal(table) == spell(CLUBS[1:])  # but not its 2H


# ---- the lead


@pytest.mark.parametrize("seats", SEATS)
def test_the_dealers_left_leads_to_the_first_trick(seats):
    for dealer in range(seats):
        table = deal(*[""] * seats, dealer=dealer)
        assert (table.phase, table.seat) == ("play", (dealer + 1) % seats)


@pytest.mark.parametrize(
    ("hand", "may_lead"),
    [
        ("5D 77S QQS 33H AAH", "5D 7S QS"),  # the worked example, each card but one twice
        ("2C 2C 3C 4D 5D 6S QS 2H AH", "2C 3C 4D 5D 6S QS"),  # 2C need not be led
        ("QQS 345678H AH", "QS"),
        ("QS 3344556H AH", "QS"),
        ("22334455H AH", "2H 3H 4H 5H AH"),
        ("2C 33445566H", "2C"),
    ],
)
@pytest.mark.parametrize("queen_breaks_hearts", [True, False])
def test_leads_while_hearts_are_unbroken(hand, may_lead, queen_breaks_hearts):
    table = deal(hand, *[""] * 10, queen_breaks_hearts=queen_breaks_hearts)
    assert (table.seat, table.broken) == (0, False)
    assert legal(table) == may_lead


def test_the_queen_may_be_led_to_the_first_trick():
    table = deal("QS", *[""] * 5)
    table.play("QS")
    assert table.trick == [(0, "QS")]


def test_a_heart_led_of_necessity_breaks_hearts():
    table = deal("22334455H AH", *[""] * 10)
    play(table, "2H")
    assert table.broken is True


# Seat 0 leads AD, seat 1 has no diamonds, all others follow; seat 0 wins and leads again.
FOLLOWERS = cards("2D 2D 3D 3D 4D 4D 5D 5D 6D")


def diamonds_once(discards, discard, **options):
    """Eleven seats at the second trick; seat 1 has discarded to the first."""
    table = deal("AD 4C 33H QQKKH AH", discards, *FOLLOWERS, **options)
    play(table, " ".join(["AD", discard, *FOLLOWERS]))
    assert table.seat == 0
    return table


def test_a_heart_discarded_breaks_hearts():
    table = diamonds_once("2346789TC 2H", "2H")
    assert table.broken is True
    assert legal(table) == "4C 3H QH KH AH"


def test_hearts_stay_unbroken_while_no_point_is_played():
    table = diamonds_once("2346789TC 2H", "2C")
    assert table.broken is False
    assert legal(table) == "4C"


@pytest.mark.parametrize(("queen_breaks_hearts", "may_lead"), [(True, "4C 3H QH KH AH"), (False, "4C")])
def test_queen_discarded(queen_breaks_hearts, may_lead):
    table = diamonds_once("2346789TC QS", "QS", queen_breaks_hearts=queen_breaks_hearts)
    assert table.broken is queen_breaks_hearts
    assert legal(table) == may_lead


def test_queen_breaks_hearts_by_default():
    assert diamonds_once("2346789TC QS", "QS").broken is True


def test_a_heart_still_breaks_where_the_queen_does_not():
    assert diamonds_once("2346789TC 2H", "2H", queen_breaks_hearts=False).broken is True


@pytest.mark.parametrize(("queen_breaks_hearts", "may_lead"), [(True, "4C 3H 6H 7H 8H 9H TH KH AH"), (False, "4C")])
def test_queens_that_cancel_each_other_break_hearts_all_the_same(queen_breaks_hearts, may_lead):
    trick = cards("QS QS 2S 2S 3S 3S 4S 4S 5S 5S")
    table = deal("QS 4C 36789TKAH", *trick[1:], queen_breaks_hearts=queen_breaks_hearts)
    play(table, " ".join(trick))
    assert (table.seat, table.tricks_won, table.broken) == (0, [0] * 10, queen_breaks_hearts)
    assert legal(table) == may_lead


def test_a_new_hand_begins_unbroken():
    table = played(SPLIT)
    assert (table.hand_number, table.broken) == (1, False)


# ---- the first trick bars nothing


def test_points_may_be_discarded_to_the_first_trick():
    table = deal(*SUITS)
    play(table, "2C 2D")
    assert legal(table) == spell(SPADES)  # the queen among them
    play(table, "QS")
    assert legal(table) == spell(HEARTS)


def test_worked_example_discards_of_the_first_trick():
    """Where Hearts would have 6D be discarded alone, any card may be."""
    table = deal("2C", "QS 4499H 6D 23D 3H", *[""] * 9)
    play(table, "2C")
    assert legal(table) == "2D 3D 6D QS 3H 4H 9H"


def test_a_first_trick_may_be_led_with_any_suit():
    for lead in ["3C", "AD", "KS"]:
        table = deal("2C 3C AD KS", *[""] * 5)
        table.play(lead)
        assert table.trick == [(0, lead)]


# ---- following suit


def test_suit_is_followed_when_held():
    table = deal("2C", "44KKC QS 5D 3AAH", *[""] * 9)
    play(table, "2C")
    assert legal(table) == "4C KC"


def test_who_cannot_follow_plays_anything():
    table = deal("2C", "44D QQS 24KKH 5D", *[""] * 9)
    play(table, "2C")
    assert legal(table) == "4D 5D QS 2H 4H KH"


def test_led_hearts_are_followed_with_hearts():
    table = deal("22335566H AH", "44TH 4S QS 2345D", *[""] * 9)
    play(table, "2H")
    assert legal(table) == "4H TH"


def test_one_copy_played_leaves_the_other_in_the_hand():
    table = deal("99C 4D 5D 6D 7D 8D 9D TD", *[""] * 10)
    play(table, "9C")
    assert held(table, 0) == spell("9C 456789TD")


# ---- cancelling


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("2C 3C 4C 5C 6C 7C", 5),
        ("AC KC QC JC TC 9C", 0),
        ("AC 3C AC 5C 6C 7C", 5),  # the leader's ace and another
        ("2C AC AC KC QC JC", 3),  # two of the others
        ("7C 2C AC AC KC KC", 0),  # two pairs above it
        ("5C 2C 2C 3C 3C 4C", 0),  # two pairs below it
        ("3C 3C 2C AC 4C AC", 4),
        ("AC AC KC KC 3C 2C", 4),
        ("AC AC KC KC QC QC", None),
        ("3C AC AC 2C 2C 3C", None),
        ("2C 3C 4C 4C 3C 2C", None),
    ],
)
def test_two_identical_cards_cancel_each_other(trick, winner):
    table = deal(*trick.split())
    play(table, trick)
    assert table.tricks_won == [int(seat == winner) for seat in range(6)]
    assert (table.seat, table.trick) == (winner or 0, [])


@pytest.mark.parametrize("suit", "CDS")
def test_cards_cancel_in_every_suit(suit):
    trick = [rank + suit for rank in "QAKA24"]
    table = deal(*trick)
    play(table, " ".join(trick))
    assert table.seat == 2


def test_hearts_cancel_too():
    trick = cards("AH AH 4H KH KH QH 7H 7H 8H 8H 9H")
    table = deal("22335566H AH", *trick[1:])
    play(table, " ".join(trick))
    assert (table.seat, table.tricks_won) == (5, at(11, seat5=1))


@pytest.mark.parametrize("seats", SEATS)
def test_the_third_highest_wins_where_the_aces_cancel(seats):
    trick = cards("AAKQJT98765C")[:seats]
    table = deal(*trick)
    play(table, " ".join(trick))
    assert (table.seat, table.tricks_won) == (2, at(seats, seat2=1))


@pytest.mark.parametrize("seats", [6, 8, 10])
def test_all_cancelled_at_other_seat_counts(seats):
    trick = cards("AAKKQQJJTTC")[:seats]
    table = deal(*trick)
    play(table, " ".join(trick))
    assert (table.seat, table.tricks_won) == (0, [0] * seats)


@pytest.mark.parametrize("pair", ["23", "34", "45", "56", "67", "78", "89", "9T", "TJ", "JQ", "QK", "KA"])
def test_ranks_rise_from_two_to_ace(pair):
    one, another, *_ = [rank + "C" for rank in CLUBS[:-1] if rank not in pair]
    low, high = (rank + "C" for rank in pair)
    for last, winner in [([low, high], 5), ([high, low], 4)]:
        trick = [one, one, another, another, *last]
        table = deal(*trick)
        play(table, " ".join(trick))
        assert table.seat == winner


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("3C AD AS AH 2C KD KS KH", 0),  # higher discards
        ("2C AD AS AH 3C AD AS AH", 4),  # discards that are cancelled
        ("2C AD AS AH 2C KD KS KH", None),  # single discards do not win
        ("AC 2D 2S 2H AC 2D 2S 2H", None),
    ],
)
def test_discards_win_nothing(trick, winner):
    table = deal(*SUITS)
    play(table, trick)
    assert table.seat == (winner or 0)
    assert table.tricks_won == [int(seat == winner) for seat in range(8)]


def test_no_suit_is_trumps():
    assert fresh().trump is None


def test_play_goes_clockwise_from_the_leader():
    trick = cards("3C 4C 2C 5C 9C 9C")
    table = deal(*trick, dealer=3)
    order = [4, 5, 0, 1, 2, 3]
    for place, seat in enumerate(order):
        assert table.seat == seat
        assert table.trick == [(seat, trick[seat]) for seat in order[:place]]
        table.play(trick[seat])
    assert (table.seat, table.trick) == (3, [])  # 5C: the nines of seats 4 and 5 cancel


def test_the_same_leader_leads_again_when_all_is_cancelled():
    table = deal(*SUITS, dealer=3)
    play(table, "2C 2D 2S 2H 2C 2D 2S 2H")
    assert (table.seat, table.trick, table.tricks_won) == (4, [], [0] * 8)
    assert [len(hand) for hand in table.hands()] == [12] * 8
    play(table, "3C")
    assert table.trick == [(4, "3C")]  # without the cards of the cancelled trick


def test_a_seat_that_leads_again_may_not_lead_unbroken_hearts():
    trick = cards("2C 2C 3C 3C 4C 4C")
    table = deal("2C 6D 7S AH", *trick[1:])
    play(table, " ".join(trick))
    assert (table.seat, table.broken) == (0, False)
    assert "AH" in held(table, 0).split()
    assert "AH" not in legal(table).split()


def test_a_heart_discarded_to_a_cancelled_trick_breaks_hearts():
    table = deal("23456789TJC 2H", "", "", "", "23456789QKAC", *[""] * 4, kitty="TJQKAC")
    assert "2H" not in legal(table).split()
    for _ in range(9):
        table.play(table.legal_actions()[0])
    assert (table.seat, table.tricks_won, table.broken) == (0, [0] * 9, True)
    assert legal(table) == spell("3456789TJC 2H")


@pytest.mark.parametrize("outcomes", ["xL", "xR", "xxL", "xxR", "xxxxxR"])
def test_cancelled_tricks_go_to_the_winner_of_the_next_as_one_trick_won(outcomes):
    tricks = len(outcomes)
    one = struggle(outcomes + "LR" + "x" * (11 - tricks))
    table = match([one], num_hands=1)
    winner = {"L": "seat0", "R": "seat4"}[outcomes[-1]]
    plays = cards(one.cards)
    play(table, " ".join(plays[: 8 * (tricks - 1)]))
    assert (table.tricks_won, table.seat) == ([0] * 8, 0)
    play(table, " ".join(plays[8 * (tricks - 1) : 8 * tricks]))
    assert table.tricks_won == at(8, **{winner: 1})
    assert table.seat == int(winner[-1])


@pytest.mark.parametrize(
    ("outcomes", "leader", "rival"),
    [
        ("xLRxxxxxxxxxx", 4, 2),
        ("xRLxxxxxxxxxx", 2, 4),
        ("xxRLxxxxxxxxx", 2, 6),
        ("RxxxxxxLxxxxx", 14 + 13, 2),  # a queen in the eighth trick
        ("RxxxxxxxLxxxx", 16 + 26, 2),  # both queens
        ("LRxxxxxxxLRxx", 2 + 16 + 26, 4),
    ],
)
def test_cards_of_cancelled_tricks_count_for_who_wins_them(outcomes, leader, rival):
    assert played(outcomes).scores == at(8, seat0=leader, seat4=rival)


def test_a_cancelled_trick_goes_to_who_wins_next_whoever_led():
    """The rival wins a trick and leads one that is cancelled; the leader of the hand wins it with the next."""
    assert played("RxLxxxxxxxxxx").scores == at(8, seat0=4, seat4=2)


def test_cards_left_over_at_the_end_of_the_hand_go_to_nobody():
    table = played("LRxxxxxxxxxxx", num_hands=1)  # 22 hearts and both queens are left over
    assert table.scores == at(8, seat0=2, seat4=2)
    assert table.tricks_won == at(8, seat0=1, seat4=1)
    table = played("LLLLLRRRRRRRx", num_hands=1)
    assert table.scores == at(8, seat0=10, seat4=14 + 26)


def test_nobody_may_win_a_trick_in_a_whole_hand():
    table = played(NOBODY, num_hands=1)
    assert (table.phase, table.scores, table.tricks_won) == ("over", [0] * 8, [0] * 8)
    assert table.hands() == [[]] * 8


def test_cards_left_over_do_not_go_on_to_the_next_hand():
    table = played(NOBODY, SPLIT, NOBODY)
    assert table.scores == at(8, seat1=LEADER, seat4=RIVAL)
    assert (table.hand_number, table.dealer, table.seat) == (3, 2, 3)


def test_the_next_hand_is_led_by_its_dealers_left_whoever_won_last():
    table = played("LLLLLLLLRRRRR")
    assert (table.hand_number, table.dealer, table.seat) == (1, 0, 1)


# ---- the kitty


def nine(outcomes, fifth, **options):
    """A hand of nine seats, played, with four low clubs and this card in the kitty.

    Each of the first seven tricks has two hearts; a queen of spades falls in the third, the other in the kitty or
    in the next trick but for a jack of diamonds in the kitty: then the queens fall in the second and third.
    """
    one = struggle(outcomes, seats=9, kitty=f"2233C {fifth}")
    table = match([one], **{"num_hands": 1, "moon": "subtract", **options})
    play(table, one.cards)
    return table


def test_the_kitty_goes_to_the_winner_of_the_first_trick_and_counts():
    assert nine("LRRRRRRRRRR", "QS").scores == at(9, seat0=2 + 13, seat4=24 + 13)
    assert nine("RLLLLLLLLLL", "QS").scores == at(9, seat4=2 + 13, seat0=24 + 13)
    assert nine("LRRRRRRRRRR", "AH").scores == at(9, seat0=2 + 1, seat4=23 + 26)


@pytest.mark.parametrize("fifth", ["AH", "QS"])
def test_a_kitty_is_counted_once_and_for_one_seat(fifth):
    for outcomes in ["LLLLLRRRRRR", "RLRLRLRLRLR", "xLRLRLRLRLR"]:
        assert sum(nine(outcomes, fifth).scores) == 52


def test_the_kitty_waits_for_the_first_trick_that_is_won():
    assert nine("xxRLLLLLLLL", "QS").scores == at(9, seat4=6 + 26, seat0=20)
    assert nine("xRLLLLLLLLL", "QS").scores == at(9, seat4=4 + 13, seat0=22 + 13)


def test_the_kitty_goes_to_nobody_when_nobody_wins_a_trick():
    for fifth in ["QS", "AH"]:
        assert nine("x" * 11, fifth).scores == [0] * 9


def test_the_kitty_is_no_trick_of_its_own():
    table = nine("LRRRRRRRRRR", "QS")
    assert table.tricks_won == at(9, seat0=1, seat4=10)


@pytest.mark.parametrize("kitty", ["AAKKH QS", "QQS 2C 3C TC"])
def test_the_kitty_breaks_no_hearts(kitty):
    table = deal("AD 4C 335566H 7H", "55667788C 9C", *FOLLOWERS, kitty=kitty)
    play(table, " ".join(["AD", "9C", *FOLLOWERS]))
    assert (table.seat, table.tricks_won, table.broken) == (0, at(11, seat0=1), False)
    assert legal(table) == "4C"


def test_the_kitty_is_seen_by_who_wins_it_and_by_nobody_else():
    """Two deals that differ in the kitty and in what seat 3 holds for it."""
    trick = cards("AC 2C 3C 4C 5C 6C")
    one = deal("AC", "2C", "3C", "4C KD", "5C", "6C", kitty="QS AH")
    other = deal("AC", "2C", "3C", "4C QS", "5C", "6C", kitty="KD AH")
    assert [seat for seat in range(6) if one.hands()[seat] != other.hands()[seat]] == [3]

    def seen_alike():
        return [seat for seat in range(6) if np.array_equal(one.observation(seat), other.observation(seat))]

    for card in trick[:-1]:
        one.play(card)
        other.play(card)
        assert seen_alike() == [0, 1, 2, 4, 5]
    one.play(trick[-1])
    other.play(trick[-1])
    assert seen_alike() == [1, 2, 4, 5]


# ---- counting a hand


def test_hand_on_paper():
    table = match([Deal(hands_on_paper(), KITTY_ON_PAPER, "")], num_hands=1)
    tricks_won = [0] * 11
    for leader, trick, winner in HAND_ON_PAPER:
        for place, card in enumerate(trick.split()):
            assert table.seat == (leader + place) % 11
            assert table.trick == [((leader + i) % 11, before) for i, before in enumerate(trick.split()[:place])]
            table.play(card)
        assert table.trick == []
        if winner is not None:
            tricks_won[winner] += 1
        assert table.tricks_won == tricks_won
    assert tricks_won == TRICKS_ON_PAPER
    assert table.scores == POINTS_ON_PAPER
    assert table.winners == [2, 3, 4, 5, 8, 9]


def test_hand_on_paper_with_the_jacks_of_diamonds():
    table = match([Deal(hands_on_paper(), KITTY_ON_PAPER, "")], num_hands=1, omnibus=True)
    for _, trick, _ in HAND_ON_PAPER:
        play(table, trick)
    assert table.scores == [11, 4, 0, 0, 0, 0, 2 - 10, 27, 0, 0, 6]  # the other jack is left over
    assert table.winners == [6]


def test_a_heart_counts_one_and_each_queen_thirteen():
    assert played(SPLIT).scores == at(8, seat0=16 + 13, seat4=10 + 13)


def test_scores_add_up_over_the_hands():
    assert played(SPLIT, SPLIT, (SPLIT, 1)).scores == at(8, seat0=29, seat1=29 + 23, seat2=29, seat4=2 * 23)


def test_a_hand_is_counted_when_its_last_card_is_played():
    one = struggle(SPLIT)
    table = match([one])
    for card in cards(one.cards)[:-1]:
        table.play(card)
        assert (table.scores, table.hand_number) == ([0] * 8, 0)
    table.play(cards(one.cards)[-1])
    assert (table.scores, table.hand_number) == (at(8, seat0=29, seat4=23), 1)


def test_each_jack_of_diamonds_takes_ten_points_off():
    assert played(SPLIT, omnibus=True).scores == at(8, seat0=LEADER - 20, seat4=RIVAL)
    assert played("LLLLLLRRRRRRR", omnibus=True).scores == at(8, seat0=12 - 10, seat4=14 + 26 - 10)
    assert played("LLLLxRxRRRRRR", omnibus=True).scores == at(8, seat0=8, seat4=18 + 26 - 20)


def test_jacks_left_over_count_for_nobody():
    assert played("LRLRLxxxxxxxx", omnibus=True).scores == at(8, seat0=6, seat4=4)


def test_jacks_count_nothing_without_omnibus():
    assert played("LLLLLLRRRRRRR").scores == at(8, seat0=12, seat4=14 + 26)


def test_a_jack_in_the_kitty_counts_for_who_wins_it():
    for omnibus, jack in [(True, 10), (False, 0)]:
        scores = nine("LRRRRRRRRRR", "JD", omnibus=omnibus).scores
        assert scores == at(9, seat0=2 - jack, seat4=24 + 26 - jack)


def test_scores_may_fall_below_zero_by_jacks():
    assert played("RRRRRLLRRRRRR", omnibus=True).scores == at(8, seat0=4 - 20, seat4=22 + 26)


# ---- the moon


def shoot(outcomes=MOON, **options):
    """A table at which the cards of one hand have been played; seat 4 shoots the moon."""
    one = struggle(outcomes)
    table = match([one], **options)
    play(table, one.cards)
    return table


def test_who_takes_every_heart_and_both_queens_chooses():
    table = shoot()
    assert (table.phase, table.seat, table.legal_actions()) == ("moon", 4, [52, 53])
    assert (table.hand_number, table.scores, table.tricks_won) == (0, [0] * 8, at(8, seat4=13))
    assert (table.hands(), table.trick) == ([[]] * 8, [])


@pytest.mark.parametrize(("choice", "shooter", "others"), [("moon: add", 0, 52), ("moon: subtract", -52, 0)])
def test_a_moon_of_two_packs_is_worth_52(choice, shooter, others):
    table = shoot()
    table.play(choice)
    assert table.scores == [shooter if seat == 4 else others for seat in range(8)]
    assert (table.hand_number, table.phase, table.seat) == (1, "play", 1)


@pytest.mark.parametrize(("action", "shooter", "others"), [(53, 0, 52), (52, -52, 0)])
def test_a_moon_may_be_settled_by_id(action, shooter, others):
    table = shoot()
    table.play(action)
    assert table.scores == [shooter if seat == 4 else others for seat in range(8)]


@pytest.mark.parametrize(("moon", "shooter", "others"), [("add", 0, 52), ("subtract", -52, 0)])
def test_no_choice_where_an_option_settles_the_moon(moon, shooter, others):
    table = shoot(moon=moon)
    assert (table.hand_number, table.phase) == (1, "play")
    assert table.scores == [shooter if seat == 4 else others for seat in range(8)]


@pytest.mark.parametrize(
    ("choice", "change"), [("moon: add", [52] * 4 + [0] + [52] * 3), ("moon: subtract", [0] * 4 + [-52] + [0] * 3)]
)
def test_a_moon_changes_the_scores_there_were(choice, change):
    first, second = struggle(SPLIT), struggle(MOON, leader=1)
    table = match([first, second])
    play(table, first.cards)
    play(table, second.cards)
    before = at(8, seat0=29, seat4=23)
    assert (table.phase, table.scores) == ("moon", before)
    table.play(choice)
    assert table.scores == [old + more for old, more in zip(before, change, strict=True)]


def test_the_leader_may_shoot_too():
    table = shoot("LLLLLLLLLLLLL")
    assert (table.phase, table.seat) == ("moon", 0)


@pytest.mark.parametrize("outcomes", ["xRRRRRRRRRRRR", "RxxxxRRRxRRRR", "xxxxxxxxxxxRR"])
def test_tricks_won_late_belong_to_the_moon(outcomes):
    table = shoot(outcomes)
    assert (table.phase, table.seat) == ("moon", 4)
    assert table.tricks_won == at(8, seat4=outcomes.count("R"))


def test_hearts_left_over_spoil_the_moon():
    table = shoot("RRRRRRRRRRRRx")
    assert (table.hand_number, table.phase) == (1, "play")
    assert table.scores == at(8, seat4=24 + 26)


# Discards for a first trick with hearts or without: who holds diamonds and a heart, who hearts and a diamond.
HEART_LAST, DIAMOND_FIRST = "3456789TJQKAD 2H", "2D 3456789TJQKAH"
QUEEN_FIRST = "Q23456789TJKAS"
ONE_HEART_FIRST = [HEART_LAST, DIAMONDS, SPADES, SPADES, DIAMOND_FIRST, HEARTS]
ONLY_A_QUEEN_FIRST = [HEART_LAST, HEART_LAST, QUEEN_FIRST, SPADES, DIAMOND_FIRST, DIAMOND_FIRST]
NO_POINT_FIRST = [HEART_LAST, HEART_LAST, SPADES, SPADES, DIAMOND_FIRST, DIAMOND_FIRST]


@pytest.mark.parametrize(("discards", "leader", "rival"), [(ONE_HEART_FIRST, 1, 51), (ONLY_A_QUEEN_FIRST, 13, 39)])
def test_one_heart_or_one_queen_elsewhere_spoils_the_moon(discards, leader, rival):
    one = struggle("LRRRRRRRRRRRR", others=discards)
    table = match([one])
    play(table, one.cards)
    assert (table.hand_number, table.phase) == (1, "play")
    assert table.scores == at(8, seat0=leader, seat4=rival)


def test_a_moon_needs_no_trick_without_points():
    one = struggle("LRRRRRRRRRRRR", others=NO_POINT_FIRST)
    table = match([one])
    play(table, one.cards)
    assert (table.phase, table.seat, table.tricks_won) == ("moon", 4, at(8, seat0=1, seat4=12))


def test_a_pointless_trick_left_over_spoils_no_moon():
    heart_first, diamond_last = "2H 3456789TJQKAD", "3456789TJQKAH 2D"
    one = struggle("RRRRRRRRRRRRx", others=[heart_first, heart_first, SPADES, SPADES, diamond_last, diamond_last])
    table = match([one])
    play(table, one.cards)
    assert (table.phase, table.seat, table.tricks_won) == ("moon", 4, at(8, seat4=12))


@pytest.mark.parametrize("fifth", ["AH", "QS"])
def test_the_kitty_belongs_to_the_moon(fifth):
    table = nine("R" * 11, fifth, moon="choose")
    assert (table.phase, table.seat) == ("moon", 4)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("choose", [min, max])
def test_a_moon_at_every_seat_count(seats, choose):
    table = deal(*clubs_on_top(seats))
    play_out(table, choose)
    assert (table.phase, table.seat, table.tricks_won) == ("moon", 0, at(seats, seat0=EACH[seats]))
    added = table.copy()
    table.play("moon: subtract")
    added.play("moon: add")
    assert table.scores == at(seats, seat0=-52)
    assert added.scores == [0] + [52] * (seats - 1)


@pytest.mark.parametrize(("choice", "shooter", "others"), [("moon: add", -20, 52), ("moon: subtract", -72, 0)])
def test_jacks_count_in_a_moon_hand_too(choice, shooter, others):
    table = shoot(omnibus=True)
    assert table.phase == "moon"
    table.play(choice)
    assert table.scores == [shooter if seat == 4 else others for seat in range(8)]


def test_the_moon_is_hearts_and_queens_without_the_jacks():
    """The first trick has no heart, but a jack of diamonds."""
    jack_first = HEART_LAST.replace("3456789TJQKAD", "J3456789TQKAD")
    one = struggle("LRRRRRRRRRRRR", others=[jack_first, HEART_LAST, SPADES, SPADES, DIAMOND_FIRST, DIAMOND_FIRST])
    table = match([one], omnibus=True, moon="add")
    play(table, one.cards)
    assert table.scores == [52 - 10, 52, 52, 52, -10, 52, 52, 52]


# ---- the end of the match


def assert_over(table, winners, hand_number, truncated=False):
    assert (table.phase, table.seat, table.legal_actions()) == ("over", -1, [])
    assert (table.winners, table.truncated, table.hand_number) == (winners, truncated, hand_number)


@pytest.mark.parametrize(("target", "over"), [(28, True), (29, True), (30, False)])
def test_the_match_ends_with_the_hand_in_which_the_target_is_reached(target, over):
    table = played(SPLIT, target=target)
    assert ended(table) is over
    if over:
        assert_over(table, winners=[1, 2, 3, 5, 6, 7], hand_number=0)
    else:
        assert (table.hand_number, table.winners, table.truncated) == (1, [], False)


def test_the_match_does_not_end_in_mid_hand():
    one = struggle(SPLIT)
    table = match([one], target=1)
    play(table, " ".join(cards(one.cards)[:-1]))
    assert not ended(table)
    assert table.winners == []


def test_target_is_100_by_default():
    assert not ended(played(MOON))
    table = played(MOON, MOON)
    assert table.scores == [104] * 4 + [0] + [104] * 3
    assert_over(table, winners=[4], hand_number=1)


def test_a_hand_without_points_reaches_no_target():
    table = played(NOBODY, target=1)
    assert not ended(table)


def test_worked_example_lowest_wins_alone_once_another_is_over_the_target():
    table = played(MOON, SPLIT, (SPLIT, 0), target=100)
    assert table.scores == [52 + 23, 52 + 29, 52 + 29, 52, 23, 52, 52, 52]
    assert not ended(table)
    table = played(MOON, SPLIT, (SPLIT, 1))
    assert table.scores == [52, 52 + 29 + 23, 52 + 29, 52, 23, 52, 52, 52]
    assert_over(table, winners=[4], hand_number=2)


def test_worked_example_equal_lowest_scores_share_the_win():
    table = played(MOON, (MOON, 5))
    assert table.scores == [104] * 4 + [52, 52] + [104] * 2
    assert_over(table, winners=[4, 5], hand_number=1)


def test_lowest_below_zero_wins():
    table = played(SPLIT, MOON, moon="subtract", num_hands=2)
    assert table.scores == at(8, seat0=29, seat4=23 - 52)
    assert_over(table, winners=[4], hand_number=1)


def test_all_may_share_the_win():
    assert_over(played(NOBODY, NOBODY, num_hands=2), winners=list(range(8)), hand_number=1)


@pytest.mark.parametrize(("choice", "over"), [("moon: add", True), ("moon: subtract", False)])
def test_the_moon_choice_may_end_the_match_or_keep_it_going(choice, over):
    table = shoot(target=52)
    assert (table.phase, table.winners) == ("moon", [])
    table.play(choice)
    assert ended(table) is over
    assert table.hand_number == (0 if over else 1)
    assert table.winners == ([4] if over else [])


def test_the_jacks_can_keep_a_match_going():
    assert ended(played("LLLLLLLRRRRRR", target=38))  # 14 and 38
    assert not ended(played("RRRRRRRRRRRRx", target=31, omnibus=True))  # 50 less 20
    assert ended(played("RRRRRRRRRRRRx", target=30, omnibus=True))


def test_num_hands_ends_the_match():
    assert not ended(played(SPLIT, num_hands=2))
    table = played(SPLIT, SPLIT, num_hands=2)
    assert table.scores == at(8, seat0=29, seat1=29, seat4=46)
    assert_over(table, winners=[2, 3, 5, 6, 7], hand_number=1)


def test_target_may_end_the_match_before_num_hands():
    assert_over(played(SPLIT, num_hands=5, target=29), winners=[1, 2, 3, 5, 6, 7], hand_number=0)


@pytest.mark.parametrize("cap", ["num_hands", "max_hands"])
def test_the_end_waits_for_the_moon_choice(cap):
    table = shoot(**{cap: 1})
    assert (table.phase, table.winners, table.truncated) == ("moon", [], False)
    table.play("moon: add")
    assert_over(table, winners=[4], hand_number=0, truncated=cap == "max_hands")


def test_max_hands_truncates_as_the_scores_stand():
    assert not ended(played(SPLIT, max_hands=2))
    table = played(SPLIT, SPLIT, max_hands=2)
    assert table.scores == at(8, seat0=29, seat1=29, seat4=46)
    assert_over(table, winners=[2, 3, 5, 6, 7], hand_number=1, truncated=True)


def test_max_hands_before_num_hands_truncates():
    assert_over(played(NOBODY, num_hands=2, max_hands=1), winners=list(range(8)), hand_number=0, truncated=True)


@pytest.mark.parametrize(
    ("end", "truncated"), [({"target": 29}, False), ({"target": 30}, True), ({"num_hands": 1}, False)]
)
def test_a_rule_that_ends_the_match_in_the_last_hand_terminates(end, truncated):
    table = played(SPLIT, max_hands=1, **end)
    assert_over(table, winners=[1, 2, 3, 5, 6, 7], hand_number=0, truncated=truncated)


def test_max_hands_is_100_by_default():
    table = fresh(11, seed=1, pass_cards=0, **LONG)
    for hand in range(100):
        assert (table.hand_number, ended(table)) == (hand, False)
        play_out(table)
    assert table.truncated is True
    assert (table.seat, table.hand_number) == (-1, 99)


def test_max_hands_none_sets_no_cap():
    table = fresh(11, seed=1, pass_cards=0, max_hands=None, num_hands=102, **LONG)
    for hand in range(102):
        assert (table.hand_number, ended(table)) == (hand, False)
        play_out(table)
    assert (table.phase, table.truncated, table.hand_number) == ("over", False, 101)


def test_the_board_stays_after_the_end():
    table = played(SPLIT, num_hands=1)
    assert (table.dealer, table.hands(), table.trick) == (7, [[]] * 8, [])
    assert (table.tricks_won, table.broken) == (at(8, seat0=8, seat4=5), True)


@pytest.mark.parametrize("target", [1, 50, 1000])
@pytest.mark.parametrize("seats", SEATS)
def test_any_positive_target_is_taken(seats, target):
    table = fresh(seats, seed=2, target=target, pass_cards=0, moon="add")
    while not ended(table):
        assert max(table.scores) < target
        play_out(table)
    assert max(table.scores) >= target or table.truncated
    assert table.winners == [seat for seat in range(seats) if table.scores[seat] == min(table.scores)]


# ---- rewards


def rewards(table):
    return pytest.approx(list(table.rewards))


def test_points_are_given_when_the_hand_is_settled():
    one = struggle(SPLIT)
    table = match([one])
    assert rewards(table) == nothing(table)
    for card in cards(one.cards)[:-1]:
        table.play(card)
        assert rewards(table) == nothing(table)
    table.play(cards(one.cards)[-1])
    assert rewards(table) == at(8, seat0=-29, seat4=-23)
    table.play(table.legal_actions()[0])
    assert rewards(table) == nothing(table)


def test_points_are_the_change_of_the_score():
    assert rewards(played(SPLIT, SPLIT)) == at(8, seat1=-29, seat4=-23)


@pytest.mark.parametrize(
    ("choice", "expected"), [("moon: add", [-52] * 4 + [0] + [-52] * 3), ("moon: subtract", at(8, seat4=52))]
)
def test_points_of_a_moon_come_with_the_choice(choice, expected):
    table = shoot()
    assert rewards(table) == nothing(table)
    table.play(choice)
    assert rewards(table) == expected


def test_points_of_the_jacks_are_a_gain():
    assert rewards(played(SPLIT, omnibus=True)) == at(8, seat0=20 - 29, seat4=-23)


def test_points_left_over_are_nobodys_reward():
    assert rewards(played(NOBODY)) == [0] * 8


@pytest.mark.parametrize("end", [{}, {"num_hands": 1}, {"max_hands": 1}, {"target": 29}])
def test_points_are_given_however_the_hand_ends_the_match(end):
    assert rewards(played(SPLIT, **end)) == at(8, seat0=-29, seat4=-23)


def test_relative_is_own_points_less_the_mean_of_the_others():
    leader, rival, rest = -29 + 23 / 7, -23 + 29 / 7, 52 / 7
    expected = [leader, rest, rest, rest, rival, rest, rest, rest]
    assert rewards(played(SPLIT, rewards="relative")) == expected
    assert sum(expected) == pytest.approx(0)


def test_relative_is_of_the_hand_not_of_the_match():
    leader, rival, rest = -29 + 23 / 7, -23 + 29 / 7, 52 / 7
    assert rewards(played(MOON, SPLIT, rewards="relative")) == [rest, leader, rest, rest, rival, rest, rest, rest]


@pytest.mark.parametrize("seats", SEATS)
def test_relative_moon_at_every_seat_count(seats):
    table = deal(*clubs_on_top(seats), rewards="relative")
    play_out(table)
    assert rewards(table) == [0] * seats
    table.play("moon: subtract")
    assert rewards(table) == [52] + [-52 / (seats - 1)] * (seats - 1)


def test_placement_comes_only_at_the_end():
    deals = [struggle(SPLIT), struggle(SPLIT, leader=1)]
    table = match(deals, rewards="placement", num_hands=2)
    plays = cards(deals[0].cards) + cards(deals[1].cards)
    for card in plays[:-1]:
        table.play(card)
        assert rewards(table) == [0] * 8
    table.play(plays[-1])
    assert table.scores == at(8, seat0=29, seat1=29, seat4=46)
    assert rewards(table) == [-4 / 7, -4 / 7, 3 / 7, 3 / 7, -1, 3 / 7, 3 / 7, 3 / 7]


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        ([SPLIT], [-1, 2 / 7, 2 / 7, 2 / 7, -5 / 7, 2 / 7, 2 / 7, 2 / 7]),
        ([MOON], [-1 / 7, -1 / 7, -1 / 7, -1 / 7, 1, -1 / 7, -1 / 7, -1 / 7]),
        ([MOON, (MOON, 5)], [-2 / 7, -2 / 7, -2 / 7, -2 / 7, 6 / 7, 6 / 7, -2 / 7, -2 / 7]),
        ([NOBODY], [0] * 8),
    ],
)
@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
def test_placement_shares_ties(hands, expected, end):
    table = played(*hands, rewards="placement", **{end: len(hands)})
    assert table.truncated is (end == "max_hands" and max(table.scores) < 100)
    assert rewards(table) == expected


@pytest.mark.parametrize("seats", SEATS)
def test_placement_at_every_seat_count(seats):
    table = deal(*clubs_on_top(seats), moon="add", target=52, rewards="placement")
    play_out(table)
    assert rewards(table) == [1] + [-1 / (seats - 1)] * (seats - 1)


# ---- options


def test_options_tell_every_default():
    options = cancellation().options
    defaults = {
        "variant": "cancellation",
        "target": 100,
        "pass_cards": 3,
        "first_pass": 0,
        "moon": "choose",
        "queen_breaks_hearts": True,
        "omnibus": False,
        "num_hands": None,
        "max_hands": 100,
        "first_dealer": None,
        "rewards": "points",
        "observation": "features",
        "memory": "perfect",
    }
    assert {name: options[name] for name in defaults} == defaults


def test_the_standard_variant_is_still_the_default():
    game = trick_envs.make("hearts")
    assert (game.options["variant"], game.num_players) == ("standard", 4)
    six = trick_envs.make("hearts", num_players=6)
    assert [len(hand) for hand in six.table(seed=0).hands()] == [8] * 6


def refused(**options):
    with pytest.raises(ValueError, match="|".join(options)) as error:
        trick_envs.make("hearts", **options)
    return str(error.value)


@pytest.mark.parametrize("seats", [-6, 0, 1, 2, 3, 4, 5, 12, 13, 104])
def test_seat_count_that_cancellation_does_not_have_is_refused(seats):
    message = refused(num_players=seats, variant="cancellation")
    for part in ["num_players", str(seats), "6", "11"]:
        assert re.search(rf"(?<![\w-]){part}(?!\w)", message), message


@pytest.mark.parametrize("seats", [8, 9, 10, 11])
def test_seat_count_of_cancellation_is_refused_without_it(seats):
    for options in [{}, {"variant": "standard"}]:
        message = refused(num_players=seats, **options)
        for part in ["num_players", str(seats), "3", "7"]:
            assert re.search(rf"(?<!\w){part}(?!\w)", message), message


@pytest.mark.parametrize("variant", ["Cancellation", "cancelation", "", "omnibus", 2, True, None])
def test_no_other_variant(variant):
    message = refused(variant=variant)
    assert repr(variant) in message
    for part in ["variant", "standard", "cancellation"]:
        assert part in message.replace(repr(variant), "", 1)


@pytest.mark.parametrize(
    ("option", "values", "allowed"),
    [
        ("num_players", ["6", 6.0, None, True], ["6", "11"]),
        ("target", [0, -100, "100", 99.5, None, True], ["1"]),
        ("pass_cards", [5, -1, "3", 2.0, None], ["0", "4"]),
        ("first_pass", [-1, "left", 1.5], ["0", "None"]),
        ("moon", ["ask", "ADD", 52, None], ["choose", "add", "subtract"]),
        ("queen_breaks_hearts", ["yes", 1, None], ["bool(ean)?|True or False"]),
        ("omnibus", ["JD", 0, None], ["bool(ean)?|True or False"]),
        ("num_hands", [0, -1, 2.5, "7"], ["1", "None"]),
        ("max_hands", [0, -1, 2.5, "99"], ["1", "None"]),
        ("first_dealer", [6, -1, "2", 1.5], ["0", "5", "None"]),
        ("rewards", ["score", 1, None], ["points", "relative", "placement"]),
        ("observation", ["pixels", None], ["features"]),
        ("memory", ["none", None], ["perfect", "table"]),
    ],
)
def test_option_of_wrong_kind_or_range_is_refused_with_the_values_allowed(option, values, allowed):
    for value in values:
        with pytest.raises(ValueError) as error:
            trick_envs.make("hearts", **{"variant": "cancellation", option: value})
        message = str(error.value)
        assert option in message
        assert repr(value) in message
        rest = message.replace(repr(value), "", 1)
        for part in allowed:
            assert re.search(rf"\b({part})\b", rest), message


def test_unknown_option_is_refused():
    with pytest.raises(ValueError, match="kitty") as error:
        cancellation(kitty=2)
    assert "2" in str(error.value)


def test_first_dealer_goes_with_the_seat_count():
    assert fresh(11, first_dealer=10).dealer == 10
    with pytest.raises(ValueError, match="first_dealer"):
        cancellation(7, first_dealer=7)


# ---- decks and dealers that are refused


def refused_deck(*decks, seats=6):
    game = cancellation(seats)
    with pytest.raises(ValueError) as error:
        game.table(seed=0, decks=list(decks))
    return str(error.value)


@pytest.mark.parametrize("wrong", ["1C", "10C", "2X", "JOKER", "2c"])
def test_deck_with_a_card_that_does_not_exist_is_refused(wrong):
    assert wrong in refused_deck([wrong, *TWO_PACKS[1:]])


def test_deck_with_one_copy_only_is_refused():
    assert "QS" in refused_deck(without(TWO_PACKS, ["QS"]))


def test_deck_with_a_third_copy_is_refused():
    assert "KC" in refused_deck([*TWO_PACKS, "KC"])


def test_deck_with_a_third_copy_in_place_of_another_card_is_refused():
    message = refused_deck(without([*TWO_PACKS, "KC"], ["QS"]))
    assert "KC" in message or "QS" in message


def test_deck_of_one_pack_is_refused():
    assert refused_deck(PACK)


def test_later_decks_are_looked_at_beforehand_too():
    assert "AH" in refused_deck(TWO_PACKS, TWO_PACKS[:-1])


@pytest.mark.parametrize("seats", SEATS)
def test_deck_of_two_packs_is_taken(seats):
    assert cancellation(seats).table(seed=0, decks=[TWO_PACKS]).hand_number == 0


@pytest.mark.parametrize("dealer", [6, -1, "0"])
def test_dealer_that_is_no_seat_is_refused(dealer):
    with pytest.raises(ValueError, match=re.escape(str(dealer))):
        cancellation().table(seed=0, dealer=dealer)


# ---- illegal actions


def illegal(table, action):
    """Try an illegal action; its message, the table being unchanged."""
    before = face(table)
    with pytest.raises(trick_envs.IllegalAction) as error:
        table.play(action)
    assert face(table) == before
    return str(error.value)


def test_a_card_held_once_cannot_be_picked_twice():
    table = deal("2C 34455667C", *[""] * 10, pass_cards=3)
    play(table, "3C")
    message = illegal(table, "3C")
    for part in ["3C", "seat 0", "pass", "2C", "4C", "7C"]:
        assert part in message


def test_a_card_held_twice_cannot_be_picked_three_times():
    table = deal("22C 344556C 7C", *[""] * 10, pass_cards=3)
    play(table, "2C 2C")
    assert "2C" in illegal(table, "2C")


def test_a_card_that_is_not_held_cannot_be_picked():
    illegal(deal(*SUITS, pass_cards=3), "2D")


def test_suit_must_be_followed():
    table = deal(*SUITS)
    play(table, "2C 2D 2S 2H")
    for card in ["2H", "AS", "QS"]:
        illegal(table, card)
    play(table, "2C")


def test_illegal_discard_names_seat_action_phase_and_what_is_legal():
    table = deal("2C", "44KKC QS 5D 3AAH", *[""] * 9)
    play(table, "2C")
    message = illegal(table, "QS")
    for part in ["QS", "seat 1", "play", "4C", "KC"]:
        assert part in message
    assert "3H" not in message  # held, but not legal


def test_unbroken_hearts_are_illegal_to_lead():
    table = deal("5D 77S QQS 33H AAH", *[""] * 10)
    illegal(table, "3H")
    illegal(table, "AH")


def test_a_card_played_twice_cannot_be_played_again():
    table = deal(*SUITS)
    play(table, "2C 2D 2S 2H 2C 2D 2S 2H")
    illegal(table, "2C")


@pytest.mark.parametrize("action", ["moon: add", "moon: subtract", 52, 53])
def test_moon_actions_are_illegal_outside_the_moon_phase(action):
    illegal(deal(*SUITS), action)
    illegal(deal(*SUITS, pass_cards=3), action)


@pytest.mark.parametrize("action", [-1, 54, 103, 10**9, "1C", "pass", "", "2C 2C"])
def test_what_is_no_action_at_all_is_illegal(action):
    assert str(action) in illegal(deal(*SUITS), action)


def test_only_the_choice_is_legal_in_the_moon_phase():
    message = illegal(shoot(), "2C")
    for part in ["2C", "seat 4", "moon", "moon: subtract", "moon: add"]:
        assert part in message


def test_nothing_is_legal_after_the_match():
    table = played(SPLIT, num_hands=1)
    for action in ["2C", 0, "moon: add"]:
        assert "over" in illegal(table, action)


# ---- history


def test_history_tells_hand_seat_and_action():
    table = deal(*SUITS, pass_cards=1)
    plays = "AC AD AS AH AC AD AS AH  2C AC AD"
    play(table, plays)
    ids = [PACK.index(card) for card in cards(plays)]
    assert table.history == list(zip([0] * 11, [*range(8), 0, 1, 2], ids, strict=True))


def test_a_record_of_a_hand_with_cancelled_tricks_is_replayed():
    table = played("LRxxxxxxxLRxx", num_hands=1)
    again = trick_envs.replay(table.record())
    assert (again.scores, again.history, again.tricks_won) == (table.scores, table.history, table.tricks_won)
