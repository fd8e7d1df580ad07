"""Hearts from the pack to the last trick; counting and the match are in test_hearts_match.py."""

import numpy as np
import pytest

import trick_envs
from tests.helpers import (
    ACTIONS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    PACK,
    REMOVED,
    SPADES,
    SUITS,
    SURE_MOON,
    cards,
    deal,
    face,
    hearts_pack,
    held,
    in_order,
    lead_to_trick_nine,
    legal,
    match,
    pass_direction,
    pass_lowest,
    play,
    play_out,
    spell,
)

LONG = {"target": 100_000, "moon": "add"}  # a match that goes on and never asks about a moon


def fresh(seats=4, seed=0, **options):
    return trick_envs.make("hearts", num_players=seats, **options).table(seed=seed)


# ---- the pack and the deal


@pytest.mark.parametrize(("seats", "each"), [(3, 17), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_pack_without_the_removed_cards_is_dealt_out(seats, each):
    hands = fresh(seats).hands()
    assert [len(hand) for hand in hands] == [each] * seats
    dealt = [card for hand in hands for card in hand]
    assert in_order(dealt) == in_order(card for card in PACK if card not in REMOVED[seats].split())


def test_four_seats_by_default():
    assert trick_envs.make("hearts").num_players == 4


def test_action_table():
    game = trick_envs.make("hearts")
    assert game.num_actions == 54
    assert [game.action_name(action) for action in range(54)] == ACTIONS
    assert [game.action_id(name) for name in ACTIONS] == list(range(54))
    assert list(game.cards) == PACK
    assert game.cards[36] == "QS"


def test_first_card_goes_to_the_dealers_left():
    table = trick_envs.make("hearts").table(decks=[PACK], dealer=1)
    assert held(table, 2) == "2C 6C TC AC 5D 9D KD 4S 8S QS 3H 7H JH"
    assert held(table, 3) == "3C 7C JC 2D 6D TD AD 5S 9S KS 4H 8H QH"
    assert held(table, 1) == "5C 9C KC 4D 8D QD 3S 7S JS 2H 6H TH AH"


@pytest.mark.parametrize("seats", [3, 5, 6, 7])
def test_cards_go_round_one_at_a_time(seats):
    deck = hearts_pack(seats)[::-1]
    dealer = seats - 2
    hands = trick_envs.make("hearts", num_players=seats).table(decks=[deck], dealer=dealer).hands()
    for seat in range(seats):
        assert in_order(hands[(dealer + 1 + seat) % seats]) == in_order(deck[seat::seats])


def test_deal_moves_one_seat_to_the_left_each_hand():
    table = fresh(first_dealer=2, **LONG)
    dealers = []
    for hand in range(5):
        assert table.hand_number == hand
        dealers.append(table.dealer)
        play_out(table)
    assert dealers == [2, 3, 0, 1, 2]


def test_second_deck_is_dealt_from_the_next_dealers_left():
    table = trick_envs.make("hearts", pass_cards=0, **LONG).table(seed=0, decks=[PACK, PACK[::-1]], dealer=1)
    play_out(table)
    assert held(table, 3) == in_order(PACK[::-1][0::4])
    assert held(table, 2) == in_order(PACK[::-1][3::4])


def test_first_dealer_none_is_drawn_from_the_seed():
    dealers = [fresh(seed=seed).dealer for seed in range(60)]
    assert set(dealers) == {0, 1, 2, 3}
    assert dealers == [fresh(seed=seed).dealer for seed in range(60)]


@pytest.mark.parametrize("dealer", range(4))
def test_first_dealer_deals_whatever_the_seed(dealer):
    assert {fresh(seed=seed, first_dealer=dealer).dealer for seed in range(10)} == {dealer}


def test_same_seed_same_deal_and_another_seed_another():
    assert fresh(seed=5).hands() == fresh(seed=5).hands()
    assert fresh(seed=5, first_dealer=0).hands() != fresh(seed=6, first_dealer=0).hands()


def test_each_hand_is_dealt_anew():
    table = fresh(seed=5, first_dealer=0, **LONG)
    deals = []
    for _ in range(3):
        deals.append(str(sorted(map(in_order, table.hands()))))
        play_out(table)
    assert len(set(deals)) == 3


def test_play_does_not_change_later_deals():
    low, high = fresh(seed=11, **LONG), fresh(seed=11, **LONG)
    for _ in range(2):
        play_out(low, min)
        play_out(high, max)
        assert low.history != high.history
        assert [held(low, seat) for seat in range(4)] == [held(high, seat) for seat in range(4)]


def test_decks_change_neither_dealer_nor_later_deals():
    game = trick_envs.make("hearts", **LONG)
    for seed in range(8):
        shuffled, given = game.table(seed=seed), game.table(seed=seed, decks=[PACK])
        assert given.dealer == shuffled.dealer
        play_out(shuffled)
        play_out(given)
        assert given.hands() == shuffled.hands()


# ---- passing


def passing(seats=4, first_pass=0, pass_cards=3):
    """A table in the passing phase, seat 0 at the dealer's left; with four seats a suit each."""
    hands = SUITS if seats == 4 else [""] * seats
    return deal(*hands, pass_cards=pass_cards, first_pass=first_pass)


def test_each_seat_picks_its_three_from_the_dealers_left():
    table = deal(*SUITS, dealer=1, pass_cards=3)
    turns = []
    for _ in range(12):
        turns.append(table.seat)
        table.play(table.legal_actions()[-1])
    assert turns == [2, 2, 2, 3, 3, 3, 0, 0, 0, 1, 1, 1]
    assert table.phase == "play"


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("pass_cards", [1, 2, 3, 4])
def test_pass_cards_says_how_many_each_seat_passes(seats, pass_cards):
    table = passing(seats, pass_cards=pass_cards)
    before = [set(hand) for hand in table.hands()]
    picks = pass_lowest(table)
    assert [(seat, len(picked)) for seat, picked in picks.items()] == [(seat, pass_cards) for seat in range(seats)]
    for seat, hand in enumerate(table.hands()):
        assert set(hand) == (before[seat] - set(picks[seat])) | set(picks[(seat - 1) % seats])


def test_three_cards_are_passed_by_default():
    assert len(pass_lowest(fresh())[0]) == 3


def test_pass_cards_0_never_passes():
    table = fresh(pass_cards=0, **LONG)
    for hand in range(4):
        assert (table.hand_number, table.phase) == (hand, "play")
        play_out(table)


def test_any_card_of_the_hand_may_be_passed():
    assert legal(passing()) == spell(CLUBS)


def test_a_picked_card_cannot_be_picked_again():
    table = passing()
    play(table, "5C")
    assert table.seat == 0
    assert legal(table) == spell("2346789TJQKAC")
    play(table, "AC")
    assert legal(table) == spell("2346789TJQKC")


def test_picked_cards_are_held_until_all_have_passed():
    table = passing()
    play(table, "2C 3C 4C  2D 3D 4D  2S 3S 4S  2H 3H")
    assert [held(table, seat) for seat in range(4)] == [spell(suit) for suit in SUITS]
    play(table, "4H")
    assert [held(table, seat) for seat in range(4)] == [
        spell("56789TJQKAC 234H"),
        spell("56789TJQKAD 234C"),
        spell("56789TJQKAS 234D"),
        spell("56789TJQKAH 234S"),
    ]


@pytest.mark.parametrize("first_pass", [0, 1, 2])
def test_nobody_can_pass_on_what_is_passed_to_it(first_pass):
    table = passing(first_pass=first_pass)
    for suit in SUITS:
        assert legal(table) == spell(suit)
        play(table, " ".join(cards(suit)[:3]))


@pytest.mark.parametrize(
    ("first_pass", "receivers"),
    [
        (0, [1, 2, 3, 0]),
        (1, [3, 0, 1, 2]),
        (2, [2, 3, 0, 1]),
        (4, [1, 2, 3, 0]),
        (9, [3, 0, 1, 2]),
        (6, [2, 3, 0, 1]),
    ],
)
def test_four_seats_pass_left_right_across(first_pass, receivers):
    table = passing(first_pass=first_pass)
    play(table, "JC QC KC  JD QD KD  JS QS KS  JH QH KH")
    for suit, receiver in zip("CDSH", receivers, strict=True):
        assert {"J" + suit, "Q" + suit, "K" + suit} < set(table.hands()[receiver])


@pytest.mark.parametrize("first_pass", [3, 7])
def test_no_passing_phase_in_a_hold_hand(first_pass):
    table = passing(first_pass=first_pass)
    assert table.phase == "play"
    assert [held(table, seat) for seat in range(4)] == [spell(suit) for suit in SUITS]
    assert legal(table) == "2C"


@pytest.mark.parametrize("seats", [3, 5, 6, 7])
@pytest.mark.parametrize(("first_pass", "places"), [(0, 1), (1, -1), (2, 1), (3, -1), (8, 1)])
def test_other_seat_counts_pass_left_and_right_only(seats, first_pass, places):
    assert pass_direction(passing(seats, first_pass)) == places % seats


def directions(table, hands):
    found = []
    for _ in range(hands):
        found.append(pass_direction(table))
        play_out(table)
    return found


def test_four_seats_rotate_left_right_across_hold():
    assert directions(fresh(**LONG), 6) == [1, 3, 2, 0, 1, 3]


@pytest.mark.parametrize("seats", [3, 5, 6, 7])
def test_other_seat_counts_alternate(seats):
    assert directions(fresh(seats, **LONG), 5) == [1, seats - 1, 1, seats - 1, 1]


def test_rotation_goes_on_from_first_pass():
    assert directions(fresh(first_pass=2, **LONG), 4) == [2, 0, 1, 3]


def test_first_pass_none_is_drawn_from_the_seed():
    drawn = [pass_direction(fresh(seed=seed, first_pass=None)) for seed in range(60)]
    assert set(drawn) == {0, 1, 2, 3}
    assert drawn == [pass_direction(fresh(seed=seed, first_pass=None)) for seed in range(60)]
    assert {pass_direction(fresh(5, seed=seed, first_pass=None)) for seed in range(30)} == {1, 4}


@pytest.mark.parametrize("seed", range(8))
def test_first_pass_none_still_rotates(seed):
    first, *later = directions(fresh(seed=seed, first_pass=None, **LONG), 4)
    rotation = [1, 3, 2, 0] * 2
    start = rotation.index(first)
    assert later == rotation[start + 1 : start + 4]


def test_passing_order_is_clockwise_whatever_the_direction():
    table = deal(*SUITS, dealer=0, pass_cards=1, first_pass=1)
    assert list(pass_lowest(table)) == [1, 2, 3, 0]


def test_a_heart_or_the_queen_passed_does_not_break_hearts():
    table = passing()
    play(table, "2C AC KC  2D 3D 4D  2S 3S QS  2H 3H 4H")
    assert table.broken is False
    play(table, "2C 4S 2S 5C")
    assert table.seat == 0
    assert legal(table) == spell("346789TJQC")  # but not its 2H 3H 4H


# ---- the first trick


@pytest.mark.parametrize(("seats", "lowest"), [(3, "2C"), (4, "2C"), (5, "3C"), (6, "2C"), (7, "2C")])
def test_holder_of_the_lowest_club_leads_it(seats, lowest):
    leaders = set()
    for seed in range(80):
        table = fresh(seats, seed, pass_cards=0)
        assert lowest in table.hands()[table.seat]
        assert legal(table) == lowest
        leaders.add(table.seat)
    assert leaders == set(range(seats))


@pytest.mark.parametrize(("first_pass", "leader"), [(0, 1), (1, 3), (2, 2)])
def test_who_is_passed_the_two_of_clubs_leads_it(first_pass, leader):
    table = passing(first_pass=first_pass)
    pass_lowest(table)
    assert table.seat == leader
    assert legal(table) == "2C"


def test_second_hand_opens_with_the_lowest_club_too():
    table = match([SUITS, [SPADES, HEARTS, CLUBS, DIAMONDS]], **LONG)
    play_out(table)
    assert (table.hand_number, table.seat, legal(table)) == (1, 2, "2C")


def test_first_trick_bars_hearts_and_the_queen():
    table = deal("2C", "QS 6D 23456789TJQH", "", "")
    play(table, "2C")
    assert legal(table) == "6D"


def test_first_trick_bars_them_from_the_last_seat_too():
    table = deal("3AC", "4C", "QS 678D 23456789TH", "2C")
    play(table, "2C 3C 4C")
    assert legal(table) == "6D 7D 8D"


def test_first_trick_allows_anything_to_who_holds_nothing_else():
    table = deal("2C", "QS 23456789TJQKH", "", "")
    play(table, "2C")
    assert legal(table) == spell("QS 23456789TJQKH")


def test_first_trick_allows_hearts_to_who_holds_only_hearts():
    table = deal("2C", HEARTS, "", "")
    play(table, "2C")
    assert legal(table) == spell(HEARTS)


def test_first_trick_bars_no_spade_but_the_queen():
    table = deal("2C", SPADES, "", "")
    play(table, "2C")
    assert legal(table) == spell("23456789TJKAS")


def test_first_trick_is_followed_with_clubs():
    table = deal("2C", "9KC QS 23456789TJH", "", "")
    play(table, "2C")
    assert legal(table) == "9C KC"


def test_second_trick_bars_nothing():
    table = deal(*SUITS)
    play(table, "2C 2D 2S 2H  3C AD")
    assert legal(table) == spell("3456789TJQKAS")  # the queen among them


def test_second_trick_allows_a_heart_though_hearts_are_unbroken():
    table = deal(CLUBS, "23D 23456789TJQH", DIAMONDS[2:], "")
    play(table, "2C 2D 4D 5S  3C")
    assert table.broken is False
    assert legal(table) == spell("3D 23456789TJQH")


@pytest.mark.parametrize("seats", [3, 5, 6, 7])
def test_first_trick_ban_holds_for_every_seat_count(seats):
    lead = "3C" if seats == 5 else "2C"
    size = len(hearts_pack(seats)) // seats
    others = {3: "456789TJKAS", 5: "", 6: "", 7: ""}[seats]  # a hand of seventeen is not all hearts
    points = "QS " + HEARTS[: size - 2 - len(cards(others))] + "H"
    table = deal(lead, f"9D {points} {others}", *[""] * (seats - 2))
    play(table, lead)
    assert legal(table) == spell(f"9D {others}")


def test_heart_on_the_first_trick_breaks_hearts():
    table = deal("23AC", HEARTS, "4C", "5C")
    play(table, "2C 7H")
    assert table.broken is True
    play(table, "4C 5C")
    assert table.seat == 3


# ---- breaking hearts


def test_worked_example_trick_two_lead():
    table = deal("2C", "AC 5D 7S QS 3AH 6789TJQD", "3C", "4C")
    play(table, "2C AC 3C 4C")
    assert table.seat == 1
    assert legal(table) == spell("5D 7S QS 6789TJQD")


@pytest.mark.parametrize("queen_breaks_hearts", [True, False])
@pytest.mark.parametrize(
    ("holds", "may_lead"),
    [
        ("5D 7S QS 3H AH", "5D 7S QS"),
        ("7S KS AS TS 2H", "7S TS KS AS"),
        ("2H 5H 9H KH AH", "2H 5H 9H KH AH"),
        ("QS 2H 3H KH AH", "QS"),
        ("5D 2H 3H KH AH", "5D"),
    ],
)
def test_leads_while_hearts_are_unbroken(holds, may_lead, queen_breaks_hearts):
    table = lead_to_trick_nine(holds, queen_breaks_hearts=queen_breaks_hearts)
    assert (table.seat, table.broken) == (0, False)
    assert held(table, 0) == spell(holds)
    assert legal(table) == may_lead


def test_a_heart_discarded_breaks_hearts():
    table = lead_to_trick_nine("5D 7S QS 3H AH", "2H")
    play(table, "5D")
    assert table.broken is False
    play(table, "2H")
    assert table.broken is True


def test_hearts_may_be_led_once_broken():
    table = lead_to_trick_nine("5D 7S QS 3H AH", "4S 2H", "8S", "KS")
    play(table, "5D 2H 8S KS")
    assert (table.seat, legal(table)) == (0, "7S QS 3H AH")


def test_hearts_stay_unbroken_while_no_point_is_played():
    table = lead_to_trick_nine("5D 7S QS 3H AH", "4S", "8S", "KS")
    play(table, "5D 4S 8S KS")
    assert (table.seat, table.broken, legal(table)) == (0, False, "7S QS")


@pytest.mark.parametrize(("queen_breaks_hearts", "may_lead"), [(True, "4S 3H KH AH"), (False, "4S")])
def test_queen_discarded(queen_breaks_hearts, may_lead):
    table = lead_to_trick_nine("5D 4S 3KAH", "QS", "8S", "KS", queen_breaks_hearts=queen_breaks_hearts)
    play(table, "5D QS 8S KS")
    assert table.seat == 0
    assert table.broken is queen_breaks_hearts
    assert legal(table) == may_lead


@pytest.mark.parametrize(("queen_breaks_hearts", "may_lead"), [(True, "5D 2H 3H AH"), (False, "5D")])
def test_queen_led(queen_breaks_hearts, may_lead):
    table = lead_to_trick_nine("5D QS 23AH", "4KS", "8AS", "7S", queen_breaks_hearts=queen_breaks_hearts)
    play(table, "QS 4S 8S 7S")
    assert table.seat == 0
    assert table.broken is queen_breaks_hearts
    assert legal(table) == may_lead


def test_queen_breaks_hearts_by_default():
    table = lead_to_trick_nine("5D QS 23AH")
    play(table, "QS")
    assert table.broken is True


def test_a_heart_still_breaks_where_the_queen_does_not():
    table = lead_to_trick_nine("5D 7S 3KAH", "QS 2H", "8S", "KS", queen_breaks_hearts=False)
    play(table, "5D 2H 8S KS")
    assert table.broken is True
    assert legal(table) == "7S 3H KH AH"


def test_hearts_alone_are_led_after_the_queen_that_did_not_break_them():
    table = lead_to_trick_nine("QS 2345H", "4KS", "8AS", "7S", queen_breaks_hearts=False)
    play(table, "QS 4S 8S 7S")
    assert table.broken is False
    assert (table.seat, legal(table)) == (0, "2H 3H 4H 5H")


def test_a_heart_led_of_necessity_breaks_hearts():
    table = lead_to_trick_nine("2359TH", "478S 7AH", "4H", "6H")
    play(table, "2H")
    assert table.broken is True
    play(table, "AH 4H 6H")
    assert table.seat == 1
    assert legal(table) == "4S 7S 8S 7H"


def test_queen_may_be_led_to_the_second_trick():
    table = deal("2C", "AC QS 23456789TJQH", "3C", "4C")
    play(table, "2C AC 3C 4C")
    assert legal(table) == "QS"
    table.play("QS")
    assert table.trick == [(1, "QS")]


def test_a_new_hand_begins_unbroken():
    table = match([SUITS, ["2C", "AC 4D 23456789TJQH", "3C", "4C"]], **LONG)
    play_out(table)
    assert (table.hand_number, table.broken) == (1, False)
    play(table, "2C AC 3C 4C")
    assert legal(table) == "4D"


def test_hearts_broken_stay_broken_through_the_hand():
    table = lead_to_trick_nine("5D 7S QS 3H AH", "4AS 26KH", "8S 4H", "KS 5H")
    play(table, "5D 2H 8S KS  7S AS 4H 5H")
    assert (table.seat, table.broken) == (1, True)
    assert legal(table) == "4S 6H KH"


# ---- following suit and taking tricks


def test_suit_is_followed_when_held():
    table = lead_to_trick_nine("5D 7S QS 3H AH", "4KS 24KH")
    play(table, "7S")
    assert legal(table) == "4S KS"


def test_led_hearts_are_followed_with_hearts():
    table = lead_to_trick_nine("2359TH", "47S 4AH QS")
    play(table, "2H")
    assert legal(table) == "4H AH"


def test_nobody_must_take_or_beat_a_trick():
    table = deal("2C", "3AC", "4KC", "5QC")
    play(table, "2C 3C")
    assert {"4C", "KC"} <= set(legal(table).split())


def test_who_cannot_follow_plays_anything():
    table = lead_to_trick_nine("5D 7S 5H 3H AH", "4S QS 24KH")
    play(table, "5D")
    assert legal(table) == "4S QS 2H 4H KH"


def test_discards_of_higher_rank_take_nothing():
    table = lead_to_trick_nine("5D 4S 235H", "AS", "KS", "AH")
    play(table, "5D AS KS AH")
    assert (table.seat, table.tricks_won) == (0, [9, 0, 0, 0])


@pytest.mark.parametrize(
    ("trick", "taker"), [("2C 5C KC 3C", 2), ("2C AC KC QC", 1), ("2C 3C 4C 5C", 3), ("2C TC 9C 8C", 1)]
)
def test_highest_of_the_led_suit_takes_the_trick_and_leads(trick, taker):
    table = deal(*trick.split())
    play(table, trick)
    assert table.seat == taker
    assert table.tricks_won == [int(seat == taker) for seat in range(4)]
    assert table.trick == []


@pytest.mark.parametrize("pair", ["34", "45", "56", "67", "78", "89", "9T", "TJ", "JQ", "QK", "KA"])
def test_ranks_rise_from_two_to_ace(pair):
    low, high = pair
    for second, third, taker in [(low, high, 2), (high, low, 1)]:
        table = deal("2C", f"{second}C", f"{third}C", DIAMONDS)
        play(table, f"2C {second}C {third}C 2D")
        assert table.seat == taker


def test_spades_are_no_trumps_when_hearts_are_led():
    table = lead_to_trick_nine("2359TH", "AKQ87S", "4S 4678H", "")
    play(table, "2H AS 4H")
    assert table.trump is None
    table.play(table.legal_actions()[-1])
    assert table.tricks_won[1] == 0


def test_play_goes_clockwise_from_the_leader():
    table = deal("3C", "4C", "2C", "5C", dealer=0)
    turns = [table.seat]
    for card in ["2C", "5C", "3C"]:
        table.play(card)
        turns.append(table.seat)
    assert turns == [2, 3, 0, 1]
    assert table.trick == [(2, "2C"), (3, "5C"), (0, "3C")]
    table.play("4C")
    assert (table.seat, table.trick) == (3, [])


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_a_trick_has_a_card_of_every_seat_and_the_hand_all_cards(seats):
    table = deal(*SURE_MOON[seats], moon="add", num_hands=1)
    size = len(hearts_pack(seats)) // seats
    for left in range(size - 1, 0, -1):
        for _ in range(seats):
            table.play(table.legal_actions()[0])
        assert table.trick == []
        assert [len(hand) for hand in table.hands()] == [left] * seats
    play_out(table)
    assert table.phase == "over"
    assert table.tricks_won == [0, size] + [0] * (seats - 2)


def test_card_played_leaves_the_hand():
    table = deal(*SUITS)
    play(table, "2C 8D")
    assert held(table, 0) == spell(CLUBS[1:])
    assert held(table, 1) == spell("2345679TJQKAD")


def test_a_forced_card_is_still_asked_for():
    table = deal("2C", "QC", "KC", "3C")
    assert (table.seat, legal(table)) == (0, "2C")
    assert table.history == []


def test_history_tells_hand_seat_and_action():
    table = deal(*SUITS, pass_cards=1)
    play(table, "AC AD AS AH  2C AC 2S")
    ids = [PACK.index(card) for card in cards("AC AD AS AH  2C AC 2S")]
    assert table.history == list(zip([0] * 7, [0, 1, 2, 3, 0, 1, 2], ids, strict=True))


# ---- illegal actions


def illegal(table, action):
    """Try an illegal action; its message, the table being unchanged."""
    before = face(table)
    with pytest.raises(trick_envs.IllegalAction) as refused:
        table.play(action)
    assert face(table) == before
    return str(refused.value)


def test_illegal_action_is_a_value_error():
    assert issubclass(trick_envs.IllegalAction, ValueError)


def test_illegal_card_names_seat_action_phase_and_what_is_legal():
    table = deal("2C", "3C", "49C QS 23456789TJH", "5C")
    play(table, "2C 3C")
    message = illegal(table, "QS")
    for part in ["QS", "seat 2", "play", "4C", "9C"]:
        assert part in message
    assert "2H" not in message  # held, but not legal
    assert "QS" in illegal(table, PACK.index("QS"))


def test_illegal_pick_names_seat_action_phase_and_what_is_legal():
    table = passing()
    play(table, "2C 3C 4C 2D")
    message = illegal(table, "2D")
    for part in ["2D", "seat 1", "pass", *cards("3456789TJQKAD")]:
        assert part in message


def test_illegal_in_the_moon_phase():
    table = deal(*SUITS)
    play_out(table)
    message = illegal(table, "2C")
    for part in ["2C", "seat 0", "moon", "moon: subtract", "moon: add"]:
        assert part in message


def test_cards_that_are_not_held_are_illegal():
    table = deal(*SUITS)
    play(table, "2C")
    for card in ["2C", "2S", "AH"]:  # played, and other seats'
        illegal(table, card)


def test_unbroken_hearts_are_illegal_to_lead():
    illegal(lead_to_trick_nine("5D 7S QS 3H AH"), "3H")


@pytest.mark.parametrize("action", ["moon: add", "moon: subtract", 52, 53])
def test_moon_actions_are_illegal_outside_the_moon_phase(action):
    illegal(deal(*SUITS), action)
    illegal(passing(), action)


@pytest.mark.parametrize("action", [-1, 54, 10**9, "1C", "pass", "", "2C 3C"])
def test_what_is_no_action_at_all_is_illegal(action):
    table = deal(*SUITS)
    message = illegal(table, action)
    assert str(action) in message
    assert "2C" in message


def test_nothing_is_legal_after_the_match():
    table = deal(*SUITS, num_hands=1, moon="add")
    play_out(table)
    assert table.legal_actions() == []
    for action in ["2C", 0, "moon: add"]:
        assert "over" in illegal(table, action)


def test_play_goes_on_after_an_illegal_action():
    table = deal(*SUITS)
    illegal(table, "3C")
    play(table, "2C 2D 2S 2H")
    assert table.tricks_won == [1, 0, 0, 0]


def test_ids_may_be_numpy_integers():
    table = deal(*SUITS)
    table.play(np.int64(0))
    assert table.trick == [(0, "2C")]
