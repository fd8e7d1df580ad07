"""Setback from the deal to the end of the match; rewards; options, decks and actions that are refused."""

import itertools
import re
from collections import namedtuple

import pytest

import trick_envs
from tests.helpers import PACK, RANKS, cards, held, in_order, play

ACTIONS = [*PACK, "pass", "bid 2", "bid 3", "bid 4", "smudge"]
BID_NAMES = {2: "bid 2", 3: "bid 3", 4: "bid 4", 5: "smudge"}
SMUDGE = 5

MATCH_LONG = {"target": 100_000, "max_hands": None}

# ---- card talk

# hands: text by seat; pitcher: the one seat that bids; bid: how much; cards: the whole hand in order of play.
Deal = namedtuple("Deal", "hands pitcher bid cards")


def bidding(deal, bid):
    """The same deal with another bid."""
    return deal._replace(bid=bid)


def turned(deal, places):
    """The same deal with every hand, and the bid, so many places further left."""
    seats = len(deal.hands)
    hands = [deal.hands[(seat - places) % seats] for seat in range(seats)]
    return deal._replace(hands=hands, pitcher=(deal.pitcher + places) % seats)


def swapped(deal, *pairs):
    """The same deal with cards exchanged, pair by pair, wherever they are held and played.

    >>> swapped(Deal(["AS KS"], 0, 2, "KS AS"), "AS 2S").cards
    'KS 2S'
    """

    def swap(text):
        for one, other in map(str.split, pairs):
            text = " ".join({one: other, other: one}.get(card, card) for card in text.split())
        return text

    return deal._replace(hands=[swap(hand) for hand in deal.hands], cards=swap(deal.cards))


def among(deal, seats):
    """A deal for four in which only the first seats take tricks, without the others."""
    left_out = " ".join(deal.hands[seats:]).split()
    return deal._replace(
        hands=deal.hands[:seats], cards=" ".join(card for card in deal.cards.split() if card not in left_out)
    )


def setback_deck(hands, dealer):
    """The pack in the order that deals these hands, three at a time from the dealer's left.

    Short hands are filled up with the lowest cards left, lowest seat first.
    """
    hands = [cards(hand) for hand in hands]
    named = [card for hand in hands for card in hand]
    assert len(named) == len(set(named)), "a card is named twice"
    rest = [card for card in PACK if card not in named]
    for hand in hands:
        while len(hand) < 6:
            hand.append(rest.pop(0))
    order = [hands[(dealer + 1 + place) % len(hands)] for place in range(len(hands))]
    dealt = [card for half in (slice(0, 3), slice(3, None)) for hand in order for card in hand[half]]
    assert len(dealt) == 6 * len(hands), "too many cards for one hand"
    return dealt + rest


def match(*deals, dealer=None, **options):
    """A table that will be dealt these deals; the first by `dealer`, else by the last seat: seat 0 is at its left."""
    seats = len(deals[0].hands)
    dealer = seats - 1 if dealer is None else dealer
    game = trick_envs.make("setback", num_players=seats, **options)
    decks = [setback_deck(deal.hands, (dealer + hand) % seats) for hand, deal in enumerate(deals)]
    return game.table(seed=0, decks=decks, dealer=dealer)


def auction(table, pitcher, bid):
    """One seat bids, the others pass."""
    while table.phase == "bid":
        table.play(BID_NAMES[bid] if table.seat == pitcher else "pass")


def played(*deals, **options):
    """A table at which these deals have been bid and played card by card."""
    table = match(*deals, **options)
    for deal in deals:
        auction(table, deal.pitcher, deal.bid)
        play(table, deal.cards)
    return table


def pitch(*hands, pitcher=0, **options):
    """A table with these hands, seat by seat, at which the pitcher is to lead for a bid of two."""
    table = match(Deal(hands, pitcher, 2, ""), **options)
    auction(table, pitcher, 2)
    return table


def fresh(seats=4, seed=0, dealer=None, **options):
    return trick_envs.make("setback", num_players=seats, **options).table(seed=seed, dealer=dealer)


def bid(table, text):
    """Bids in turn: pass 2 3 4 smudge."""
    for word in text.split():
        table.play(f"bid {word}" if word.isdigit() else word)


def legal(table):
    """What the seat to act may do, as text; bids as in `bid`."""
    return " ".join(ACTIONS[action].removeprefix("bid ") for action in table.legal_actions())


def play_out(table, choose=min):
    """Finish the hand, always with the lowest legal action (or what `choose` picks)."""
    hand = table.hand_number
    while table.hand_number == hand and table.phase != "over":
        table.play(choose(table.legal_actions()))


def face(table):
    """All that the public face shows of a table, to see that nothing has changed."""
    return {
        "phase": (table.phase, table.seat, table.legal_actions(), table.truncated, table.winners),
        "bids": (table.bids, table.pitcher, table.trump),
        "hand": (table.hand_number, table.dealer, table.hands(), table.trick, table.tricks_won),
        "score": (table.scores, list(table.rewards)),
        "history": table.history,
        "saved": table.save(),
    }


# ---- deals with known points, all pitched by seat 0 in spades; seats 2 and 3 take nothing unless it says so

TWO_TWO = Deal(  # High and Game (7 to 1) against Low and Jack
    ["AS 3S 5H 6H 3C 4C", "KS JS 2S 6C 7C 8D", "2C 5C 2D 3D 4D 5D", "2H 3H 4H 7H 6D 7D"],
    0,
    2,
    "AS KS 2D 2H  5H JS 3D 3H  6C 2C 4H 3C  7C 5C 7H 4C  8D 4D 6D 3S  6H 2S 5D 7D",
)
ONE_THREE = swapped(TWO_TWO, "6H TH")  # the ten gives Game to the defenders, 11 to 7
TIED_GAME = swapped(TWO_TWO, "7C KC", "6H KH")  # 7 all: High against Low and Jack
TWO_ONE = swapped(TWO_TWO, "JS 9S")  # no jack: High and Game against Low
THREE_ONE = swapped(TWO_TWO, "JS 3S")  # High, Jack and Game against Low
FOUR = Deal(  # everything, and all six tricks
    ["AS KS QS JS TS 9S", "2S 2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D 7D", "2H 3H 4H 5H 6H 7H"],
    0,
    4,
    "AS 2S 2D 2H  KS 2C 3D 3H  QS 3C 4D 4H  JS 4C 5D 5H  TS 5C 6D 6H  9S 6C 7D 7H",
)
SMUDGED = bidding(FOUR, SMUDGE)
NIL = Deal(  # everything, and all six tricks, to the defenders
    ["2S 2C 3C 4C 5C 6C", "AS KS QS JS TS 9S", "2D 3D 4D 5D 6D 7D", "2H 3H 4H 5H 6H 7H"],
    0,
    2,
    "2S AS 2D 2H  KS 3D 3H 2C  QS 4D 4H 3C  JS 5D 5H 4C  TS 6D 6H 5C  9S 7D 7H 6C",
)
TOGETHER = Deal(  # everything, and all six tricks, the last one to seat 2
    ["AS KS QS JS TS 2H", "2S 2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D AH", "3H 4H 5H 6H 7H 8H"],
    0,
    SMUDGE,
    "AS 2S 2D 3H  KS 2C 3D 4H  QS 3C 4D 5H  JS 4C 5D 6H  TS 5C 6D 7H  2H 6C AH 8H",
)
SPREAD = Deal(  # High and Low to seat 0, Jack to seat 2; card values 4 8 6 0: Game to seat 1, or to seats 0 and 2
    ["AS 2C 3C 2D 3D 4D", "9S KC KH KD 6D 9D", "2S JS 3H 4H 5H 6H", "4S QC QH 5D 7D 8D"],
    0,
    2,
    "AS 9S 2S 4S  2C KC JS QC  3H QH 3C KH  KD 4H 5D 2D  6D 5H 7D 3D  8D 4D 9D 6H",
)


@pytest.mark.parametrize("deal", [TWO_TWO, FOUR, NIL, TOGETHER, SPREAD])
def test_deals_name_every_card_once_in_hand_and_play(deal):
    assert [len(hand.split()) for hand in deal.hands] == [6] * 4
    assert in_order(cards(" ".join(deal.hands))) == in_order(cards(deal.cards))


# ---- seats and sides


def test_four_seats_as_two_partnerships_by_default():
    game = trick_envs.make("setback")
    assert game.num_players == 4
    assert game.options["partners"] is True


@pytest.mark.parametrize("seats", [2, 3])
def test_two_and_three_seats_play_each_for_itself(seats):
    assert trick_envs.make("setback", num_players=seats).options["partners"] is False
    assert played(among(TWO_TWO, seats)).scores == [2, 2, 0][:seats]


def test_partners_sit_opposite_and_both_show_the_score_of_their_side():
    assert played(THREE_ONE).scores == [3, 1, 3, 1]
    assert played(turned(THREE_ONE, 1)).scores == [1, 3, 1, 3]
    assert played(turned(THREE_ONE, 2)).scores == [3, 1, 3, 1]


def test_four_seats_may_play_each_for_itself():
    assert played(THREE_ONE, partners=False).scores == [3, 1, 0, 0]
    assert played(turned(THREE_ONE, 1), partners=False).scores == [0, 3, 1, 0]


def test_partners_take_points_for_their_side():
    # The jack is won by seat 2, and neither partner alone has as many card values as seat 1.
    assert played(SPREAD).scores == [4, 0, 4, 0]
    assert played(SPREAD, partners=False).scores == [2, 1, 1, 0]


def test_high_score_wins():
    table = played(THREE_ONE, num_hands=1)
    assert (table.scores, table.winners) == ([3, 1, 3, 1], [0, 2])
    table = played(ONE_THREE, num_hands=1)
    assert (table.scores, table.winners) == ([-2, 3, -2, 3], [1, 3])


# ---- the pack and the deal


def test_action_table():
    game = trick_envs.make("setback")
    assert game.num_actions == 57
    assert [game.action_name(action) for action in range(57)] == ACTIONS
    assert [game.action_id(name) for name in ACTIONS] == list(range(57))
    assert list(game.cards) == PACK


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_seat_gets_six_cards_of_the_pack(seats):
    hands = fresh(seats).hands()
    assert [len(hand) for hand in hands] == [6] * seats
    dealt = [card for hand in hands for card in hand]
    assert len(set(dealt)) == 6 * seats
    assert set(dealt) <= set(PACK)


def test_any_card_of_the_pack_may_be_dealt():
    assert {card for seed in range(60) for hand in fresh(seed=seed).hands() for card in hand} == set(PACK)


def test_cards_are_dealt_three_at_a_time_from_the_dealers_left():
    table = trick_envs.make("setback").table(seed=0, decks=[PACK], dealer=1)
    assert held(table, 2) == "2C 3C 4C AC 2D 3D"
    assert held(table, 3) == "5C 6C 7C 4D 5D 6D"
    assert held(table, 0) == "8C 9C TC 7D 8D 9D"
    assert held(table, 1) == "JC QC KC TD JD QD"


@pytest.mark.parametrize("seats", [2, 3])
def test_fewer_seats_are_dealt_three_at_a_time_too(seats):
    hands = trick_envs.make("setback", num_players=seats).table(seed=0, decks=[PACK[::-1]], dealer=0).hands()
    for place in range(seats):
        first, second = 3 * place, 3 * (seats + place)
        expected = PACK[::-1][first : first + 3] + PACK[::-1][second : second + 3]
        assert in_order(hands[(1 + place) % seats]) == in_order(expected)


def test_cards_out_of_the_hand_are_unseen():
    deck = setback_deck(TWO_TWO.hands, 3)
    other_rest = deck[:24] + deck[:23:-1]
    game = trick_envs.make("setback")
    tables = [game.table(seed=0, decks=[one], dealer=3) for one in (deck, other_rest)]
    for table in tables:
        auction(table, 0, 2)
        play(table, "AS KS 2D 2H")
    for seat in range(4):
        assert tables[0].observation(seat).tolist() == tables[1].observation(seat).tolist()


def test_deal_moves_one_seat_to_the_left_each_hand():
    table = fresh(first_dealer=2, **MATCH_LONG)
    seen = []
    for hand in range(5):
        seen.append((table.hand_number, table.dealer, table.seat))  # the dealer's left bids first
        assert table.hand_number == hand
        play_out(table)
    assert seen == [(0, 2, 3), (1, 3, 0), (2, 0, 1), (3, 1, 2), (4, 2, 3)]


def test_second_deck_is_dealt_from_the_next_dealers_left():
    table = trick_envs.make("setback", **MATCH_LONG).table(seed=0, decks=[PACK, PACK[::-1]], dealer=1)
    play_out(table)
    assert table.dealer == 2
    assert held(table, 3) == in_order(PACK[::-1][0:3] + PACK[::-1][12:15])
    assert held(table, 2) == in_order(PACK[::-1][9:12] + PACK[::-1][21:24])


def test_hands_past_the_decks_are_shuffled_as_without_decks():
    game = trick_envs.make("setback", **MATCH_LONG)
    for seed in range(6):
        shuffled, given = game.table(seed=seed), game.table(seed=seed, decks=[PACK])
        assert given.dealer == shuffled.dealer
        play_out(shuffled, max)
        play_out(given)
        assert given.hand_number == 1
        assert given.hands() == shuffled.hands()


def test_first_dealer_none_is_drawn_from_the_seed():
    dealers = [fresh(seed=seed).dealer for seed in range(60)]
    assert set(dealers) == {0, 1, 2, 3}
    assert dealers == [fresh(seed=seed).dealer for seed in range(60)]


# ---- bidding


def test_bidding_goes_once_round_from_the_dealers_left_to_the_dealer():
    table = fresh(dealer=1)
    turns = []
    for word in ["2", "pass", "3", "4"]:
        assert (table.phase, table.pitcher, table.trump) == ("bid", None, None)
        turns.append(table.seat)
        bid(table, word)
    assert turns == [2, 3, 0, 1]
    assert table.phase == "play"


def test_bids_are_shown_by_seat():
    table = fresh(dealer=1)
    assert table.bids == [None, None, None, None]
    seen = []
    for word in ["pass", "2", "4", "smudge"]:
        bid(table, word)
        seen.append(table.bids)
    assert seen == [[None, None, 0, None], [None, None, 0, 2], [4, None, 0, 2], [4, 5, 0, 2]]


@pytest.mark.parametrize(
    ("so_far", "allowed"),
    [
        ("", "pass 2 3 4 smudge"),
        ("pass", "pass 2 3 4 smudge"),
        ("pass pass", "pass 2 3 4 smudge"),
        ("2", "pass 3 4 smudge"),
        ("3", "pass 4 smudge"),
        ("4", "pass smudge"),
        ("smudge", "pass"),
        ("2 pass", "pass 3 4 smudge"),
        ("pass 3", "pass 4 smudge"),
        ("2 3", "pass 4 smudge"),
        ("2 smudge", "pass"),
    ],
)
@pytest.mark.parametrize("dealer_steals", [True, False])
def test_a_bid_is_higher_than_every_bid_so_far_or_the_seat_passes(so_far, allowed, dealer_steals):
    table = fresh(dealer=3, dealer_steals=dealer_steals)
    bid(table, so_far)
    assert legal(table) == allowed


@pytest.mark.parametrize(
    ("so_far", "allowed", "without_stealing"),
    [
        ("pass pass pass", "2 3 4 smudge", "2 3 4 smudge"),
        ("pass 3 pass", "pass 3 4 smudge", "pass 4 smudge"),
        ("2 pass pass", "pass 2 3 4 smudge", "pass 3 4 smudge"),
        ("2 3 4", "pass 4 smudge", "pass smudge"),
        ("smudge pass pass", "pass smudge", "pass"),
        ("2 3 smudge", "pass smudge", "pass"),
    ],
)
def test_the_dealer_may_steal_and_may_not_pass_when_all_have_passed(so_far, allowed, without_stealing):
    for options, expected in [({}, allowed), ({"dealer_steals": False}, without_stealing)]:
        table = fresh(dealer=3, **options)
        bid(table, so_far)
        assert table.seat == table.dealer
        assert legal(table) == expected


@pytest.mark.parametrize("seats", [2, 3])
def test_bidding_among_fewer_seats(seats):
    table = fresh(seats, dealer=0)
    bid(table, " ".join(["pass"] * (seats - 1)))
    assert (table.seat, legal(table)) == (0, "2 3 4 smudge")
    bid(table, "2")
    assert (table.phase, table.seat, table.pitcher) == ("play", 0, 0)
    table = fresh(seats, dealer=0)
    bid(table, " ".join(["3", "pass"][: seats - 1]))
    assert (table.seat, legal(table)) == (0, "pass 3 4 smudge")
    bid(table, "pass")
    assert (table.seat, table.pitcher) == (1, 1)


@pytest.mark.parametrize(
    ("bids", "pitcher"),
    [
        ("2 pass pass pass", 0),
        ("pass 2 pass pass", 1),
        ("2 3 4 pass", 2),
        ("2 3 pass pass", 1),
        ("smudge pass pass pass", 0),
        ("2 3 4 smudge", 3),
        ("pass pass pass 2", 3),
        ("pass 3 pass 3", 3),
        ("2 3 4 4", 3),
        ("smudge pass pass smudge", 3),
    ],
)
def test_the_highest_bidder_or_the_dealer_who_matched_is_the_pitcher_and_leads(bids, pitcher):
    table = fresh(dealer=3)
    bid(table, bids)
    assert (table.phase, table.pitcher, table.seat) == ("play", pitcher, pitcher)
    amounts = {"pass": 0, "2": 2, "3": 3, "4": 4, "smudge": 5}
    assert table.bids == [amounts[word] for word in bids.split()]


def test_a_forced_pass_is_still_asked_for():
    table = fresh(dealer=3)
    bid(table, "smudge")
    assert (table.phase, table.seat, table.legal_actions()) == ("bid", 1, [52])


def test_a_stolen_bid_is_the_dealers():
    table = match(FOUR, dealer=0)
    bid(table, "smudge pass pass smudge")
    play(table, FOUR.cards)
    assert table.scores == [5, 0, 5, 0]


def test_a_bid_that_was_overbid_costs_nothing():
    table = match(TWO_TWO, dealer=0)
    bid(table, "pass pass 3 4")
    play(table, TWO_TWO.cards)
    assert table.scores == [-4, 2, -4, 2]


def test_bids_pitcher_and_trump_begin_anew_with_the_next_hand():
    table = played(TWO_TWO)
    assert (table.phase, table.hand_number) == ("bid", 1)
    assert (table.bids, table.pitcher, table.trump, table.tricks_won) == ([None] * 4, None, None, [0] * 4)


# ---- trump


@pytest.mark.parametrize(
    ("lead", "trump"), [("4C", "clubs"), ("5D", "diamonds"), ("2S", "spades"), ("AH", "hearts"), ("3C", "clubs")]
)
def test_the_pitcher_leads_any_card_and_its_suit_is_trump(lead, trump):
    table = pitch("3C 4C 5D 2S AH KH", "", "", "")
    assert table.trump is None
    assert legal(table) == "3C 4C 5D 2S KH AH"
    play(table, lead)
    assert table.trump == trump
    assert table.trick == [(0, lead)]


def test_trump_stays_for_the_whole_hand():
    table = match(TWO_TWO)
    auction(table, 0, 2)
    for card in cards(TWO_TWO.cards)[:-1]:
        table.play(card)
        assert table.trump == "spades"


# ---- following and trumping

TRUMPED_OUT = ["4C 5C 6C 7C 8C 9C", "2H 3H 4H 5H 6H 7H"]  # for seats 2 and 3 where they do not matter


def third_trick(seat_one, lead):
    """Seat 1, who has played 3S and 3C, comes second to the third trick; spades are trump."""
    table = pitch(f"AS AC {lead} 9D TD JD", f"3S 3C {seat_one}", *TRUMPED_OUT)
    play(table, "AS 3S 4C 2H  AC 3C 5C 3H")
    assert table.seat == 0
    play(table, lead)
    return table


def test_worked_example_follow_or_trump():
    assert legal(third_trick("KD 2D 4S QC", "7D")) == "2D KD 4S"


def test_worked_example_void_in_the_led_suit():
    assert legal(third_trick("8H 9H 4S QC", "7D")) == "QC 4S 8H 9H"


def test_worked_example_trump_led():
    table = pitch("5S 2C", "4S KD QC 8H 9H TH", *TRUMPED_OUT)
    play(table, "5S")
    assert legal(table) == "4S"


def test_trump_led_later_must_be_followed_with_trump():
    assert legal(third_trick("4S KS KD QC", "5S")) == "4S KS"


def test_void_in_trump_when_trump_is_led():
    assert legal(third_trick("2D KD QC 8H", "5S")) == "QC 2D KD 8H"


def test_void_in_the_led_suit_without_trump():
    assert legal(third_trick("8H 9H KC QC", "7D")) == "QC KC 8H 9H"


def test_following_without_trump():
    assert legal(third_trick("2D KD QC 8H", "7D")) == "2D KD"


def test_a_trump_already_played_need_not_be_beaten_or_followed():
    table = pitch("AS AC 7D", "3S 3C 4S 8H", "5S 4C 6S 9D 2S 8C", TRUMPED_OUT[1])
    play(table, "AS 3S 5S 2H  AC 3C 4C 3H  7D 4S")
    assert legal(table) == "9D 2S 6S"  # not 8C; above or below 4S
    play(table, "2S 4H")
    assert table.seat == 1


def test_the_winner_of_a_trick_may_lead_anything():
    table = pitch("2S 3C", "AS 5D 6D 7C 8H 4S", "", "")
    play(table, "2S AS")
    for _ in range(2):
        table.play(table.legal_actions()[0])
    assert (table.seat, legal(table)) == (1, "7C 5D 6D 4S 8H")


# ---- taking tricks


@pytest.mark.parametrize("pair", list(map("".join, itertools.pairwise(RANKS))))
def test_ranks_rise_from_two_to_ace_in_trumps_and_plain_suits(pair):
    low, high = pair
    for first, second, taker in [(low, high, 1), (high, low, 0)]:
        table = pitch(f"{first}S", f"{second}S")
        play(table, f"{first}S {second}S")
        assert table.seat == taker
        table = pitch(f"AS {first}C", f"2S {second}C")
        play(table, f"AS 2S {first}C {second}C")
        assert table.seat == taker


@pytest.mark.parametrize(
    ("trick", "taker"),
    [
        ("5C 9C AD 7C", 1),  # the highest card of the led suit, not of another suit
        ("5C AD KH QD", 0),
        ("5C 9C 2S KC", 2),  # any trump before the led suit
        ("AC 2S 3S KC", 2),  # the highest trump
        ("AC 3S KC 2S", 1),
        ("2S 3S AC 4S", 3),  # trump led
        ("9S AC 2S AD", 0),
    ],
)
def test_who_takes_a_trick_leads_the_next(trick, taker):
    fill = ["2H 3H 2D 3D", "4H 5H 4D 5D", "6H 7H 6D 7D", "8H 9H 8D 9D"]  # no clubs, no spades
    first = ["JS", "TS", "8S", "7S"]
    table = pitch(*map(" ".join, zip(first, trick.split(), fill, strict=True)))
    play(table, " ".join(first))
    assert (table.trump, table.seat) == ("spades", 0)
    play(table, trick)
    assert table.seat == taker
    assert table.tricks_won == [1 + (taker == 0), *[int(taker == seat) for seat in (1, 2, 3)]]
    assert table.trick == []


def test_play_goes_clockwise_from_the_leader():
    table = match(turned(TWO_TWO, 2))
    auction(table, 2, 2)
    turns = []
    for card in cards("AS KS 2D"):
        turns.append(table.seat)
        table.play(card)
    assert turns == [2, 3, 0]
    assert table.trick == [(2, "AS"), (3, "KS"), (0, "2D")]
    play(table, "2H")
    assert (table.seat, table.trick) == (2, [])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_six_tricks_are_played(seats):
    deal = among(TWO_TWO, seats)
    table = match(deal, num_hands=1)
    auction(table, 0, 2)
    played_cards = cards(deal.cards)
    for trick in range(6):
        assert [len(hand) for hand in table.hands()] == [6 - trick] * seats
        assert sum(table.tricks_won) == trick
        for card in played_cards[trick * seats : (trick + 1) * seats]:
            assert card in table.hands()[table.seat]
            table.play(card)
    assert table.phase == "over"
    assert table.tricks_won == [2, 4, 0, 0][:seats]


def test_a_forced_card_is_still_asked_for():
    table = match(TWO_TWO)
    auction(table, 0, 2)
    play(table, " ".join(cards(TWO_TWO.cards)[:-1]))
    assert (table.seat, legal(table), table.scores) == (3, "7D", [0, 0, 0, 0])


def test_history_tells_hand_seat_and_action():
    table = match(TWO_TWO, dealer=1)
    bid(table, "pass pass 2 pass")
    play(table, "AS KS")
    actions = [52, 52, 53, 52, PACK.index("AS"), PACK.index("KS")]
    assert table.history == list(zip([0] * 6, [2, 3, 0, 1, 0, 1], actions, strict=True))


# ---- the points of a hand


def test_a_hand_is_scored_when_its_last_card_is_played():
    table = match(TWO_TWO)
    auction(table, 0, 2)
    for card in cards(TWO_TWO.cards)[:-1]:
        table.play(card)
        assert (table.scores, table.hand_number) == ([0, 0, 0, 0], 0)
    table.play("7D")
    assert (table.scores, table.hand_number, table.dealer) == ([2, 2, 2, 2], 1, 0)


def test_scores_add_up_over_the_hands():
    table = played(TWO_TWO, turned(THREE_ONE, 1), bidding(ONE_THREE, 4), FOUR)
    assert table.scores == [2 + 1 - 4 + 4, 2 + 3 + 3 + 0] * 2


# High


def test_high_is_the_highest_trump_dealt_even_if_it_is_no_ace():
    deal = swapped(TWO_ONE, "AS QS", "KS 7S", "9S 8S")  # trumps Q 3 against 8 7 2; Game 2 to 0
    assert played(deal).scores == [2, 1, 2, 1]


def test_high_to_the_defenders():
    deal = swapped(TWO_ONE, "AS KS")  # now seat 1 has the ace, and with it takes the first trick
    deal = deal._replace(cards="KS AS 2D 2H  6C 2C 3H 3C  7C 5C 4H 4C  8D 3D 6D 3S  5H 9S 4D 7H  2S 5D 7D 6H")
    # Seat 1 wins Low and Game too.
    assert played(deal).scores == [-2, 3, -2, 3]


# Low


def test_low_is_the_lowest_trump_dealt_even_if_it_is_no_two():
    deal = swapped(TWO_ONE, "2S 5S", "3S 4S")  # 4 is the lowest, and the pitcher trumps with it
    assert played(deal).scores == [3, 0, 3, 0]


def test_low_goes_to_who_wins_the_trick_it_falls_in():
    assert played(FOUR).scores == [4, 0, 4, 0]  # seat 1 was dealt the 2S
    assert played(FOUR, low_to="winner").scores == [4, 0, 4, 0]


def test_low_to_holder():
    assert played(bidding(FOUR, 3), low_to="holder").scores == [3, 1, 3, 1]
    assert played(FOUR, low_to="holder").scores == [-4, 1, -4, 1]
    assert played(TWO_TWO, low_to="holder").scores == [2, 2, 2, 2]  # dealt to seat 1 and won by it
    assert played(NIL, low_to="holder").scores == [-2, 3, -2, 3]  # a pitcher's bid is beyond its one point


def test_low_dealt_to_the_partner():
    deal = swapped(FOUR, "2S 2D")  # seat 2 holds the 2S and drops it on the first trick
    assert played(deal, low_to="holder").scores == [4, 0, 4, 0]
    assert played(deal, low_to="holder", partners=False).scores == [-4, 0, 1, 0]
    assert played(deal, low_to="winner", partners=False).scores == [4, 0, 0, 0]


# Jack


def test_no_jack_no_point():
    assert played(TWO_ONE).scores == [2, 1, 2, 1]  # 9S for JS


def test_the_jack_of_another_suit_is_no_jack():
    deal = swapped(TWO_ONE, "6H JH", "7C JC", "8D JD")
    assert played(deal).scores == [2, 1, 2, 1]


def test_a_lone_trump_is_high_low_and_jack():
    deal = Deal(
        ["JS 2C 3C 4C 5C 6C", "7C 8C 9C TC KC AC", "2D 3D 4D 5D 6D 7D", "2H 3H 4H 5H 6H 7H"],
        0,
        3,
        "JS 7C 2D 2H  2C 8C 3D 3H  9C 4D 4H 3C  TC 5D 5H 4C  KC 6D 6H 5C  AC 7D 7H 6C",
    )
    assert played(deal).scores == [3, 1, 3, 1]  # Game 13 to 1


def test_a_lone_trump_is_high_and_low():
    deal = Deal(
        ["9S 2C 3C 4C 5C 6C", "7C 8C 9C JC KC AC", "2D 3D 4D 5D 6D 7D", "2H 3H 4H 5H 6H 7H"],
        0,
        2,
        "9S 7C 2D 2H  2C 8C 3D 3H  9C 4D 4H 3C  JC 5D 5H 4C  KC 6D 6H 5C  AC 7D 7H 6C",
    )
    assert played(deal).scores == [2, 1, 2, 1]


# Game


@pytest.mark.parametrize(
    ("third", "fourth", "last", "scores"),
    [  # seat 1 wins these with the jack of trumps, 1; seat 0 has ace and king of trumps, 4 + 3
        ("8C", "7C", "9H", [2, 2]),  # 1
        ("QC", "JC", "QH", [2, 2]),  # 6
        ("KC", "QC", "9H", [2, 2]),  # 6
        ("KC", "AC", "QH", [2, 2]),  # 6: the ace of clubs counts nothing
        ("KC", "9C", "KH", [-2, 2]),  # 7: a tie
        ("KC", "JC", "QH", [-2, 2]),
        ("KC", "QC", "JH", [-2, 2]),
        ("KC", "QC", "QH", [-2, 3]),  # 8
        ("7C", "TC", "6H", [-2, 3]),  # 11
    ],
)
def test_values_for_game(third, fourth, last, scores):
    assert played(swapped(TWO_TWO, f"6C {third}", f"7C {fourth}", f"6H {last}")).scores == scores * 2


@pytest.mark.parametrize(
    ("fifth", "scores"), [("KD JD", [-2, 2]), ("KD 4D", [-2, 3]), ("KD QD", [2, 2]), ("TD 4D", [2, 2])]
)
def test_a_ten_counts_ten_for_game(fifth, scores):
    """Seat 1 has JS and TC, 11; seat 0 has AS and KS and what falls to its trump in the fifth trick."""
    one, other = fifth.split()
    deal = swapped(TWO_TWO, "7C TC", f"6D {one}", *([f"4D {other}"] if other != "4D" else []))
    assert played(deal).scores == scores * 2


def test_sides_that_tie_for_game_leave_it_to_nobody():
    deal = swapped(SPREAD, "KD JD")  # 4 6 6 0: the pitcher does not get it either
    assert played(deal, partners=False).scores == [2, 0, 1, 0]
    assert played(deal).scores == [4, 0, 4, 0]  # 10 to 6


def test_a_tie_below_the_highest_leaves_game_to_the_highest():
    deal = swapped(SPREAD, "QC 8C")  # 4 8 4 0
    assert played(deal, partners=False).scores == [2, 1, 1, 0]


def test_nothing_of_value_won_is_a_tie():
    deal = swapped(TWO_ONE, "AS 8S", "KS 7S")  # trumps 8 3 against 7 9 2: no card counts
    # The nine is High: seat 1 wins High and Low, nobody Game.
    assert played(deal).scores == [-2, 2, -2, 2]


def test_game_aces():
    deal = swapped(TWO_TWO, "7C AC", "6H AH")  # to seat 1: 1, or 9 with its two aces; seat 0 has 7
    assert played(deal).scores == [2, 2, 2, 2]
    assert played(deal, game_aces="trump").scores == [2, 2, 2, 2]
    assert played(deal, game_aces="all").scores == [-2, 3, -2, 3]


def test_game_aces_all_counts_an_ace_as_four():
    for option, scores in [("all", [-2, 2]), ("trump", [2, 2])]:
        deal = swapped(TWO_TWO, "7C AC", "6H QH")  # 1 + 4 + 2 = 7: a tie, or 3
        assert played(deal, game_aces=option).scores == scores * 2


@pytest.mark.parametrize("game_aces", ["trump", "all"])
def test_the_ace_of_trumps_counts_four_either_way(game_aces):
    tie = swapped(TWO_TWO, "7C KC", "6H KH")
    assert played(tie, game_aces=game_aces).scores == [-2, 2, -2, 2]


# ---- making the bid, or not


def test_worked_example_bid_three_with_a_tied_game():
    deal = Deal(  # card values 14 all: AH TH against TC KD JD
        ["AH 2C 3C 4C 2D 3D", "TH AC 5C KD 4D 3S", "4H 6C 7C 8C 5D 6D", "2S TC 9C JD 7D 4S"],
        0,
        3,
        "AH TH 4H 2S  2C AC 6C TC  KD 5D JD 2D  3S 7C 4S 3C  9C 4C 5C 8C  7D 3D 4D 6D",
    )
    table = played(deal, num_hands=1)
    assert table.trump == "hearts"
    assert table.tricks_won == [1, 2, 0, 3]
    assert table.scores == [-3, 0, -3, 0]
    assert played(bidding(deal, 2)).scores == [2, 0, 2, 0]


@pytest.mark.parametrize(
    ("deal", "amount", "scores"),
    [
        (TWO_TWO, 2, [2, 2]),  # exactly made
        (TWO_TWO, 3, [-3, 2]),
        (TWO_TWO, 4, [-4, 2]),
        (TWO_TWO, SMUDGE, [-5, 2]),
        (THREE_ONE, 2, [3, 1]),  # more than bid
        (THREE_ONE, 3, [3, 1]),
        (THREE_ONE, 4, [-4, 1]),
        (THREE_ONE, SMUDGE, [-5, 1]),
        (FOUR, 2, [4, 0]),  # all tricks without the smudge bid
        (FOUR, 3, [4, 0]),
        (FOUR, 4, [4, 0]),
        (FOUR, SMUDGE, [5, 0]),
        (TWO_ONE, 2, [2, 1]),
        (ONE_THREE, 2, [-2, 3]),
        (ONE_THREE, 4, [-4, 3]),
        (TIED_GAME, 2, [-2, 2]),
        (NIL, 2, [-2, 4]),
        (NIL, SMUDGE, [-5, 4]),  # six tricks of the defenders score four
        (TOGETHER, SMUDGE, [5, 0]),
        (SPREAD, 4, [4, 0]),
        (SPREAD, SMUDGE, [-5, 0]),  # all points but not all tricks
        (swapped(FOUR, "JS 8S"), 3, [3, 0]),
        (swapped(FOUR, "JS 8S"), SMUDGE, [-5, 0]),  # all tricks but no jack
    ],
)
def test_a_bid_is_made_or_costs_its_amount(deal, amount, scores):
    assert played(bidding(deal, amount)).scores == scores * 2


def test_a_smudge_takes_every_trick_oneself_without_partners():
    assert played(TOGETHER, partners=False).scores == [-5, 0, 0, 0]
    assert played(bidding(TOGETHER, 4), partners=False).scores == [4, 0, 0, 0]
    assert played(SMUDGED, partners=False).scores == [5, 0, 0, 0]


def test_a_smudge_needs_the_low_as_the_option_gives_it():
    assert played(SMUDGED, low_to="holder").scores == [-5, 1, -5, 1]
    own_low = swapped(SMUDGED, "9S 2S")
    assert played(own_low, low_to="holder").scores == [5, 0, 5, 0]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_smudge_among_fewer_seats(seats):
    assert played(among(SMUDGED, seats)).scores == [5, 0, 0][:seats]


@pytest.mark.parametrize(
    ("deal", "scores", "without"),
    [
        (ONE_THREE, [-2, 3], [-2, 0]),
        (NIL, [-2, 4], [-2, 0]),
        (bidding(TWO_TWO, SMUDGE), [-5, 2], [-5, 0]),
        (TWO_TWO, [2, 2], [2, 2]),  # a bid that is made
        (THREE_ONE, [3, 1], [3, 1]),
    ],
)
def test_defenders_score_on_set(deal, scores, without):
    assert played(deal).scores == scores * 2
    assert played(deal, defenders_score_on_set=True).scores == scores * 2
    assert played(deal, defenders_score_on_set=False).scores == without * 2


def test_every_other_side_scores_what_it_made():
    assert played(SPREAD, partners=False).scores == [2, 1, 1, 0]
    assert played(bidding(SPREAD, 3), partners=False).scores == [-3, 1, 1, 0]
    assert played(bidding(SPREAD, 3), partners=False, defenders_score_on_set=False).scores == [-3, 0, 0, 0]


# ---- the end of the match


def assert_over(table, winners, hand_number, truncated=False):
    assert (table.phase, table.seat, table.legal_actions()) == ("over", -1, [])
    assert (table.winners, table.hand_number, table.truncated) == (winners, hand_number, truncated)


def assert_goes_on(table, hand_number):
    assert (table.phase, table.hand_number) == ("bid", hand_number)
    assert (table.winners, table.truncated) == ([], False)


A_AT_TWENTY = [SMUDGED] * 4
B_AT_TWENTY = [turned(SMUDGED, 1)] * 4


def test_worked_example_bidding_side_at_twenty():
    table = played(*A_AT_TWENTY)
    assert table.scores == [20, 0, 20, 0]
    assert_goes_on(table, 4)
    table = played(*A_AT_TWENTY, TWO_TWO)
    assert table.scores == [22, 2, 22, 2]
    assert_over(table, winners=[0, 2], hand_number=4)


def test_worked_example_defenders_at_twenty():
    table = played(*B_AT_TWENTY, TWO_ONE)
    assert table.scores == [2, 21, 2, 21]
    assert_goes_on(table, 5)
    table = played(*B_AT_TWENTY, TWO_ONE, turned(TWO_TWO, 1))
    assert table.scores == [4, 23, 4, 23]
    assert_over(table, winners=[1, 3], hand_number=5)


def test_exactly_twenty_one_is_enough():
    table = played(*[SMUDGED] * 3, FOUR, TWO_TWO)
    assert table.scores == [21, 2, 21, 2]
    assert_over(table, winners=[0, 2], hand_number=4)


def test_target_is_the_score_that_ends_the_match():
    assert_over(played(TWO_TWO, target=1), winners=[0, 2], hand_number=0)
    assert_over(played(TWO_TWO, target=2), winners=[0, 2], hand_number=0)
    assert_goes_on(played(TWO_TWO, target=3), 1)
    assert_over(played(TWO_TWO, FOUR, target=6), winners=[0, 2], hand_number=1)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_match_ends_at_the_target_among_fewer_seats(seats):
    table = played(*[among(SMUDGED, seats)] * 5)
    assert table.scores == [25, 0, 0][:seats]
    assert_over(table, winners=[0], hand_number=4)


def test_either_partner_may_bid_out():
    table = played(TWO_TWO, turned(TWO_TWO, 2), target=4)
    assert_over(table, winners=[0, 2], hand_number=1)


def test_a_failed_bid_ends_nothing_though_the_side_stands_at_the_target():
    table = played(bidding(NIL, 4), turned(TIED_GAME, 1), target=2)
    assert table.scores == [-2, 2, -2, 2]
    assert_goes_on(table, 2)


def test_the_side_that_bids_out_wins_whatever_the_others_have():
    table = played(NIL, FOUR, target=2)
    assert table.scores == [2, 4, 2, 4]
    assert_over(table, winners=[0, 2], hand_number=1)


def test_the_side_that_bids_out_wins_alone_at_equal_scores():
    table = played(TWO_TWO, target=2)
    assert table.scores == [2, 2, 2, 2]
    assert_over(table, winners=[0, 2], hand_number=0)


def test_without_partners_only_the_bidder_bids_out():
    table = played(SPREAD, target=1, partners=False)
    assert table.scores == [2, 1, 1, 0]
    assert_over(table, winners=[0], hand_number=0)


# must_bid_out=False


def test_any_side_at_the_target_may_end_the_match():
    assert_goes_on(played(NIL, target=4), 1)
    table = played(NIL, target=4, must_bid_out=False)
    assert table.scores == [-2, 4, -2, 4]
    assert_over(table, winners=[1, 3], hand_number=0)
    assert_goes_on(played(NIL, target=5, must_bid_out=False), 1)


def test_defenders_at_twenty_may_end_the_match():
    table = played(*B_AT_TWENTY, TWO_ONE, must_bid_out=False)
    assert table.scores == [2, 21, 2, 21]
    assert_over(table, winners=[1, 3], hand_number=4)


def test_bidders_end_the_match_at_the_target_too():
    assert_over(played(*A_AT_TWENTY, TWO_TWO, must_bid_out=False), winners=[0, 2], hand_number=4)


def test_the_bidding_side_at_the_target_is_looked_at_first():
    table = played(TWO_TWO, target=2, must_bid_out=False)
    assert table.scores == [2, 2, 2, 2]
    assert_over(table, winners=[0, 2], hand_number=0)
    table = played(turned(TWO_ONE, 1), TWO_TWO, target=3, must_bid_out=False)
    assert table.scores == [3, 4, 3, 4]
    assert_over(table, winners=[0, 2], hand_number=1)


def test_the_higher_score_wins_where_the_bidding_side_is_below_the_target():
    # Seat 0 fails twice; the first hand gives 1 to seats 1 and 2, the second 3 to seat 1.
    table = played(bidding(SPREAD, 4), bidding(ONE_THREE, 4), target=2, must_bid_out=False, partners=False)
    assert table.scores == [-8, 4, 1, 0]
    assert_over(table, winners=[1], hand_number=1)


def test_the_higher_of_two_defenders_at_the_target_wins():
    table = played(bidding(SPREAD, 4), target=1, must_bid_out=False, partners=False, low_to="holder")
    assert table.scores == [-4, 1, 2, 0]  # Low was dealt to seat 2
    assert_over(table, winners=[2], hand_number=0)


def test_equal_defenders_at_the_target_share_the_win():
    table = played(bidding(SPREAD, 4), target=1, must_bid_out=False, partners=False)
    assert table.scores == [-4, 1, 1, 0]
    assert_over(table, winners=[1, 2], hand_number=0)
    assert_goes_on(played(bidding(SPREAD, 4), target=1, partners=False), 1)


# num_hands and max_hands


def test_num_hands_ends_the_match_highest_score_first():
    assert_goes_on(played(THREE_ONE, num_hands=2), 1)
    table = played(THREE_ONE, turned(FOUR, 1), num_hands=2)
    assert table.scores == [3, 5, 3, 5]
    assert_over(table, winners=[1, 3], hand_number=1)


def test_max_hands_truncates_as_the_scores_stand():
    assert_goes_on(played(THREE_ONE, max_hands=2), 1)
    table = played(THREE_ONE, turned(FOUR, 1), max_hands=2)
    assert table.scores == [3, 5, 3, 5]
    assert_over(table, winners=[1, 3], hand_number=1, truncated=True)


@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
def test_equal_scores_share_the_win(end):
    table = played(TWO_TWO, **{end: 1})
    assert_over(table, winners=[0, 1, 2, 3], hand_number=0, truncated=end == "max_hands")
    table = played(bidding(SPREAD, 4), partners=False, **{end: 1})
    assert_over(table, winners=[1, 2], hand_number=0, truncated=end == "max_hands")


@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
def test_defenders_at_the_target_win_by_score_when_the_hands_are_played(end):
    table = played(NIL, target=4, **{end: 1})
    assert_over(table, winners=[1, 3], hand_number=0, truncated=end == "max_hands")


@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
def test_bidding_out_in_the_last_hand_wins_and_terminates(end):
    table = played(NIL, FOUR, target=2, **{end: 2})
    assert table.scores == [2, 4, 2, 4]
    assert_over(table, winners=[0, 2], hand_number=1, truncated=False)


@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
def test_a_failed_bid_at_the_target_is_no_bidding_out_in_the_last_hand(end):
    # Side 1 and 3 stands at the target of 2 but has failed: the scores alone count.
    table = played(NIL, turned(NIL, 1), target=2, **{end: 2})
    assert table.scores == [2, 2, 2, 2]
    assert_over(table, winners=[0, 1, 2, 3], hand_number=1, truncated=end == "max_hands")


def test_num_hands_in_the_hand_that_reaches_max_hands_terminates():
    assert_over(played(THREE_ONE, num_hands=1, max_hands=1), winners=[0, 2], hand_number=0, truncated=False)


def test_max_hands_before_num_hands_truncates():
    assert_over(played(THREE_ONE, num_hands=2, max_hands=1), winners=[0, 2], hand_number=0, truncated=True)


def test_any_side_at_the_target_in_the_hand_that_reaches_max_hands_terminates():
    table = played(NIL, target=4, must_bid_out=False, max_hands=1)
    assert_over(table, winners=[1, 3], hand_number=0, truncated=False)


def test_the_target_may_end_the_match_before_num_hands():
    assert_over(played(TWO_TWO, num_hands=5, target=2), winners=[0, 2], hand_number=0)


def test_max_hands_is_50_by_default():
    table = fresh(target=100_000)
    for hand in range(50):
        assert (table.hand_number, table.phase) == (hand, "bid")
        play_out(table)
    assert (table.phase, table.truncated, table.hand_number) == ("over", True, 49)


def test_max_hands_none_sets_no_cap():
    table = fresh(num_hands=52, **MATCH_LONG)
    for hand in range(52):
        assert (table.hand_number, table.phase) == (hand, "bid")
        play_out(table)
    assert (table.phase, table.truncated, table.hand_number) == ("over", False, 51)


def test_the_board_stays_after_the_end():
    table = played(TWO_TWO, num_hands=1)
    assert (table.dealer, table.hands(), table.trick) == (3, [[], [], [], []], [])
    assert (table.tricks_won, table.bids, table.pitcher, table.trump) == ([2, 4, 0, 0], [2, 0, 0, 0], 0, "spades")


# ---- rewards


def rewards(table):
    return pytest.approx(list(table.rewards))


def test_rewards_are_zero_until_the_hand_is_settled():
    table = match(THREE_ONE, THREE_ONE)
    assert rewards(table) == [0, 0, 0, 0]
    for action in ["bid 2", "pass", "pass", "pass", *cards(THREE_ONE.cards)[:-1]]:
        table.play(action)
        assert rewards(table) == [0, 0, 0, 0]
    play(table, cards(THREE_ONE.cards)[-1])
    assert rewards(table) == [3, 1, 3, 1]
    table.play("pass")
    assert rewards(table) == [0, 0, 0, 0]


def test_points_are_the_change_of_the_score():
    assert rewards(played(FOUR, ONE_THREE)) == [-2, 3, -2, 3]
    assert rewards(played(SPREAD, partners=False)) == [2, 1, 1, 0]


@pytest.mark.parametrize("end", [{}, {"num_hands": 1}, {"max_hands": 1}, {"target": 2}])
def test_points_are_given_however_the_hand_ends_the_match(end):
    assert rewards(played(THREE_ONE, **end)) == [3, 1, 3, 1]


def test_relative_between_two_sides_is_the_difference():
    assert rewards(played(THREE_ONE, rewards="relative")) == [2, -2, 2, -2]
    assert rewards(played(THREE_ONE, NIL, rewards="relative")) == [-6, 6, -6, 6]
    assert rewards(played(among(THREE_ONE, 2), rewards="relative")) == [2, -2]


def test_relative_is_own_points_less_the_mean_of_the_other_sides():
    expected = [2 - 2 / 3, 1 - 3 / 3, 1 - 3 / 3, 0 - 4 / 3]
    assert rewards(played(SPREAD, partners=False, rewards="relative")) == expected
    assert rewards(played(among(THREE_ONE, 3), rewards="relative")) == [3 - 1 / 2, 1 - 3 / 2, 0 - 4 / 2]


def test_placement_comes_only_at_the_end():
    table = match(THREE_ONE, THREE_ONE, rewards="placement", num_hands=2)
    for _ in range(2):
        auction(table, 0, 2)
        for card in cards(THREE_ONE.cards):
            assert rewards(table) == [0, 0, 0, 0]
            table.play(card)
    assert rewards(table) == [1, -1, 1, -1]


@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
@pytest.mark.parametrize(
    ("deals", "options", "scores", "expected"),
    [
        ([THREE_ONE], {}, [3, 1, 3, 1], [1, -1, 1, -1]),
        ([NIL], {}, [-2, 4, -2, 4], [-1, 1, -1, 1]),
        ([TWO_TWO], {}, [2, 2, 2, 2], [0, 0, 0, 0]),
        ([SPREAD], {"partners": False}, [2, 1, 1, 0], [1, 0, 0, -1]),
        ([bidding(SPREAD, 4)], {"partners": False}, [-4, 1, 1, 0], [-1, 2 / 3, 2 / 3, -1 / 3]),
        ([THREE_ONE], {"partners": False}, [3, 1, 0, 0], [1, 1 / 3, -2 / 3, -2 / 3]),
        ([among(THREE_ONE, 3)], {}, [3, 1, 0], [1, 0, -1]),
        ([among(TWO_TWO, 3)], {}, [2, 2, 0], [0.5, 0.5, -1]),
        ([among(NIL, 2)], {}, [-2, 4], [-1, 1]),
    ],
)
def test_placement_by_score_shares_ties(deals, options, scores, expected, end):
    table = played(*deals, rewards="placement", **{end: len(deals)}, **options)
    assert table.scores == scores
    assert rewards(table) == expected


def test_placement_puts_the_side_that_bid_out_first_and_the_others_by_score():
    assert rewards(played(NIL, FOUR, target=2, rewards="placement")) == [1, -1, 1, -1]
    # Seat 0 bids out with 2 points, seat 1 has 4: first and second; seats 2 and 3 share the last places.
    table = played(NIL, FOUR, target=2, partners=False, rewards="placement")
    assert table.scores == [2, 4, 0, 0]
    assert rewards(table) == [1, 1 / 3, -2 / 3, -2 / 3]
    # Seats 1 and 2 share the places behind it.
    assert rewards(played(SPREAD, target=2, partners=False, rewards="placement")) == [1, 0, 0, -1]
    # Alone in the first place at equal scores.
    assert rewards(played(TWO_TWO, target=2, rewards="placement")) == [1, -1, 1, -1]


def test_placement_without_bidding_out():
    options = {"must_bid_out": False, "rewards": "placement"}
    assert rewards(played(NIL, target=4, **options)) == [-1, 1, -1, 1]
    assert rewards(played(turned(TWO_ONE, 1), TWO_TWO, target=3, **options)) == [1, -1, 1, -1]
    table = played(bidding(SPREAD, 4), target=1, partners=False, **options)
    assert table.scores == [-4, 1, 1, 0]
    assert rewards(table) == [-1, 2 / 3, 2 / 3, -1 / 3]


# ---- options


def test_options_tell_every_default():
    options = trick_envs.make("setback").options
    defaults = {
        "partners": True,
        "target": 21,
        "game_aces": "trump",
        "low_to": "winner",
        "dealer_steals": True,
        "must_bid_out": True,
        "defenders_score_on_set": True,
        "num_hands": None,
        "max_hands": 50,
        "first_dealer": None,
        "rewards": "points",
        "observation": "features",
        "memory": "perfect",
    }
    assert {name: options[name] for name in defaults} == defaults


def test_options_tell_what_was_given():
    given = {
        "partners": False,
        "target": 11,
        "game_aces": "all",
        "low_to": "holder",
        "dealer_steals": False,
        "must_bid_out": False,
        "defenders_score_on_set": False,
        "num_hands": 7,
        "max_hands": None,
    }
    options = trick_envs.make("setback", **given).options
    assert {name: options[name] for name in given} == given


def refused(**options):
    with pytest.raises(ValueError, match="|".join(options)) as error:
        trick_envs.make("setback", **options)
    return str(error.value)


def test_unknown_option_is_refused():
    message = refused(low_two="winner")
    for part in ["low_two", "'winner'", "low_to,"]:  # the option, the value, what there is instead
        assert part in message


@pytest.mark.parametrize("seats", [0, 1, 5, 6, -4])
def test_seat_count_that_setback_does_not_have_is_refused(seats):
    message = refused(num_players=seats)
    for part in ["num_players", str(seats), "2", "4"]:
        assert re.search(rf"(?<!\w){part}(?!\w)", message), message


@pytest.mark.parametrize("seats", [2, 3])
def test_partners_among_two_or_three_seats_are_refused(seats):
    with pytest.raises(ValueError) as error:
        trick_envs.make("setback", num_players=seats, partners=True)
    for part in ["partners", "True", "False"]:  # the option, the value, what is allowed
        assert part in str(error.value)
    assert trick_envs.make("setback", num_players=seats, partners=False).options["partners"] is False


@pytest.mark.parametrize(
    ("option", "values", "allowed"),
    [
        ("num_players", ["4", 4.0, None, True], ["2", "4"]),
        ("partners", ["yes", 1, 2], ["bool(ean)?|True or False"]),
        ("target", [0, -21, "21", 20.5, None, True], ["1"]),
        ("game_aces", ["none", "ALL", True, None], ["trump", "all"]),
        ("low_to", ["dealt", True, None], ["winner", "holder"]),
        ("dealer_steals", ["no", 1, None], ["bool(ean)?|True or False"]),
        ("must_bid_out", ["no", 0, None], ["bool(ean)?|True or False"]),
        ("defenders_score_on_set", ["yes", 1, None], ["bool(ean)?|True or False"]),
        ("num_hands", [0, -1, 2.5, "7"], ["1", "None"]),
        ("max_hands", [0, -1, 2.5, "50"], ["1", "None"]),
        ("first_dealer", [4, -1, "2", 1.5], ["0", "3", "None"]),
        ("rewards", ["score", 1, None], ["points", "relative", "placement"]),
        ("observation", ["pixels", None], ["features"]),
        ("memory", ["none", None], ["perfect", "table"]),
    ],
)
def test_option_of_wrong_kind_or_range_is_refused_with_the_values_allowed(option, values, allowed):
    for value in values:
        message = refused(**{option: value})
        assert option in message
        assert repr(value) in message
        rest = message.replace(repr(value), "", 1)
        for part in allowed:
            assert re.search(rf"\b({part})\b", rest), message


def test_options_of_other_games_are_unknown():
    for option in ["pass_cards", "moon", "omnibus"]:
        assert option in refused(**{option: 1})


def test_first_dealer_goes_with_the_seat_count():
    assert fresh(2, first_dealer=1).dealer == 1
    assert "first_dealer" in refused(num_players=2, first_dealer=2)


# ---- decks and dealers that are refused


def refused_deck(*decks, seats=4):
    game = trick_envs.make("setback", num_players=seats)
    with pytest.raises(ValueError) as error:
        game.table(seed=0, decks=list(decks))
    return str(error.value)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_deck_names_the_whole_pack_whatever_the_seats(seats):
    game = trick_envs.make("setback", num_players=seats)
    assert game.table(seed=0, decks=[PACK]).hand_number == 0
    assert "AH" in refused_deck(PACK[: 6 * seats], seats=seats)


@pytest.mark.parametrize("wrong", ["1C", "10C", "2X", "JOKER", "2c"])
def test_a_deck_with_a_card_that_does_not_exist_is_refused(wrong):
    assert wrong in refused_deck([wrong, *PACK[1:]])


def test_a_deck_with_a_missing_or_double_card_is_refused():
    assert "QS" in refused_deck([card for card in PACK if card != "QS"])
    assert "KC" in refused_deck([*PACK, "KC"])
    assert "AH" in refused_deck(PACK, PACK[:-1])


@pytest.mark.parametrize("dealer", [4, -1, "0"])
def test_a_dealer_that_is_no_seat_is_refused(dealer):
    with pytest.raises(ValueError, match=re.escape(str(dealer))):
        trick_envs.make("setback").table(seed=0, dealer=dealer)


# ---- illegal actions


def illegal(table, action):
    """Try an illegal action; its message, the table being unchanged."""
    before = face(table)
    with pytest.raises(trick_envs.IllegalAction) as refusal:
        table.play(action)
    assert face(table) == before
    return str(refusal.value)


def test_illegal_bid_names_seat_action_phase_and_what_is_legal():
    table = fresh(dealer=3)
    bid(table, "2 3")
    message = illegal(table, "bid 2")
    for part in ["bid 2", "seat 2", "bid phase", "pass", "bid 4", "smudge"]:
        assert part in message
    assert "bid 3" not in message
    for action in ["bid 3", 53, 54]:
        illegal(table, action)


def test_a_pass_of_the_dealer_is_illegal_when_all_have_passed():
    table = fresh(dealer=3)
    bid(table, "pass pass pass")
    message = illegal(table, "pass")
    for part in ["seat 3", "bid 2", "bid 3", "bid 4", "smudge"]:
        assert part in message
    illegal(table, 52)


@pytest.mark.parametrize("dealer_steals", [True, False])
def test_only_the_dealer_steals(dealer_steals):
    table = fresh(dealer=3, dealer_steals=dealer_steals)
    bid(table, "3")
    illegal(table, "bid 3")
    bid(table, "pass pass")
    if not dealer_steals:
        illegal(table, "bid 3")
    illegal(table, "bid 2")


def test_cards_are_illegal_while_bidding():
    table = match(TWO_TWO)
    for card in ["5H", "AS", PACK.index("AS")]:
        illegal(table, card)


@pytest.mark.parametrize("action", ["pass", "bid 2", "bid 4", "smudge", 52, 53, 56])
def test_bids_are_illegal_after_bidding(action):
    illegal(pitch(*TWO_TWO.hands), action)


def test_illegal_card_names_seat_action_phase_and_what_is_legal():
    table = third_trick("KD 2D 4S QC", "7D")
    message = illegal(table, "QC")
    for part in ["QC", "seat 1", "play phase", "2D", "KD", "4S"]:
        assert part in message
    assert "QC" in illegal(table, PACK.index("QC"))


def test_a_plain_card_is_illegal_on_a_trump_lead():
    table = pitch("5S 2C", "4S KD QC 8H 9H TH", *TRUMPED_OUT)
    play(table, "5S")
    for card in ["KD", "QC", "8H"]:
        illegal(table, card)


def test_cards_that_are_not_held_are_illegal():
    table = pitch(*TWO_TWO.hands)
    play(table, "AS")
    for card in ["AS", "3S", "2D", "AH"]:  # played, other seats', and out of the hand
        illegal(table, card)


@pytest.mark.parametrize("action", [-1, 57, 10**9, "1C", "bid 1", "bid 5", "bid two", ""])
def test_what_is_no_action_at_all_is_illegal(action):
    for table in [match(TWO_TWO), pitch(*TWO_TWO.hands)]:
        assert str(action) in illegal(table, action)


def test_nothing_is_legal_after_the_match():
    table = played(TWO_TWO, num_hands=1)
    assert table.legal_actions() == []
    for action in ["AS", "pass", "bid 2", 0, 56]:
        assert "over" in illegal(table, action)
