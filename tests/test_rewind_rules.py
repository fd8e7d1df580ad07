"""Rewind from the pack to the end of the match; rewards; options, decks and actions that are refused."""

import re
from collections import namedtuple

import pytest

import trick_envs

# ---- card talk

SUITS = "CRFP"  # in the order of the ids; C is trump
PACK = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 14)]
SUITS_OF_THREE = {"photos": "CRF", "records": "CFP", "films": "CRP"}  # by the suit left out

# Hands by seat as text, and the whole hand in order of play, "+2" where a tie's best place goes 2 to the left.
Deal = namedtuple("Deal", "hands plays")


def cards(text):
    """Card names from text, runs of a suit written short.

    >>> cards("9R 11-13C")
    ['9R', '11C', '12C', '13C']
    """
    names = []
    for token in text.split():
        low, _, high = token[:-1].partition("-")
        names += [f"{rank}{token[-1]}" for rank in range(int(low), int(high or low) + 1)]
    return names


def spell(names):
    """Card names as text in the order of their ids."""
    return " ".join(sorted(names, key=PACK.index))


def pack(seats, removed_suit="photos"):
    """The cards that so many seats play with, in the order of their ids."""
    suits = SUITS_OF_THREE[removed_suit] if seats == 3 else SUITS
    return [card for card in PACK if card[-1] in suits]


def whole_hands(hands, whole_pack):
    """Hands (text by seat) as lists of cards; short ones are filled up from the pack, lowest seat first."""
    hands = [cards(hand) for hand in hands]
    named = [card for hand in hands for card in hand]
    assert len(named) == len(set(named)), "a card is named twice"
    assert set(named) <= set(whole_pack), "a card is not in the pack"
    rest = [card for card in whole_pack if card not in named]
    for hand in hands:
        assert len(hand) <= 13, "too many cards for one hand"
        missing = 13 - len(hand)
        hand += rest[:missing]
        rest = rest[missing:]
    return hands


def deck_of(hands, dealer, whole_pack):
    """The order of the pack in which dealing one at a time from the dealer's left gives these hands."""
    hands = whole_hands(hands, whole_pack)
    seats = len(hands)
    return [hands[(dealer + 1 + i) % seats][i // seats] for i in range(len(whole_pack))]


def match(deals, dealer=None, **options):
    """A table that will be dealt these hands, one deal after another.

    The first deal is by `dealer`, else by the last seat: seat 0 leads.
    """
    seats = len(deals[0])
    dealer = seats - 1 if dealer is None else dealer
    game = trick_envs.make("rewind", num_players=seats, **options)
    whole_pack = pack(seats, options.get("removed_suit", "photos"))
    decks = [deck_of(hands, (dealer + k) % seats, whole_pack) for k, hands in enumerate(deals)]
    return game.table(seed=0, decks=decks, dealer=dealer)


def deal(*hands, dealer=None, **options):
    """A table with these hands, seat by seat."""
    return match([hands], dealer, **options)


def play(table, text):
    for token in text.split():
        table.play(f"place {token[1:]}" if token.startswith("+") else token)


def give(table, seat):
    """Who decides a tie gives its best open place to `seat`."""
    table.play(f"place {(seat - table.seat) % len(table.hands())}")


def legal(table):
    """What the seat to act may do, as text; "+2" is to give a place 2 to the left."""
    return " ".join(PACK[action] if action < 52 else f"+{action - 52}" for action in table.legal_actions())


def held(table, seat):
    return spell(table.hands()[seat])


def play_out(table, choose=min):
    """Finish the hand, always with the lowest legal action (or what `choose` picks)."""
    hand = table.hand_number
    for _ in range(200):  # a hand has 104 cards to play and at most 26 ties of two places to give
        if table.hand_number != hand or table.phase == "over":
            return
        table.play(choose(table.legal_actions()))
    raise AssertionError("the hand does not end")


def face(table):
    """All that the public face shows of a table, to see that nothing has changed."""
    return {
        "phase": (table.phase, table.seat, table.legal_actions(), table.truncated, table.winners),
        "hand": (table.hand_number, table.dealer, table.round, table.hands(), table.trick, table.tricks_won),
        "board": (table.placements, table.markers, table.tiebreakers),
        "score": (table.scores, list(table.rewards)),
        "history": table.history,
        "saved": table.save(),
    }


# ---- deals

# A suit to each seat: nobody can ever follow, and seat 0 is first in every trick.
SUIT_EACH = ["1-13C", "1-13R", "1-13F", "1-13P"]


# Seat 0 leads records, seat 2 trumps, and the cards of the others are neither.
TIE_OF_TWO = ["1-13R", "1-13F", "1-13C", "1-13P"]


def even_hands(suits):
    """A seat for each suit, which holds its thirteen; seat 0 can be first, seat 1 second and so on in any trick."""
    seats = len(suits)
    return [
        " ".join(f"{top - seat}{suit}" for suit in suits for top in range(seats, 13, seats)) + f" 13{suits[seat]}"
        for seat in range(seats)
    ]


def even_tricks(suits, seats=4):
    """The tricks of these suits led by seat 0, everyone following, the seats placed in their order."""
    return " ".join(f"{top - seat}{suit}" for suit in suits for top in range(seats, 13, seats) for seat in range(seats))


EVEN = even_hands(SUITS)
EVEN_ROUND = even_tricks(SUITS) + " 13C 13R 13F 13P"  # and a tie of seats 1, 2 and 3 in the final trick
IN_ORDER = "+2 +3"  # seat 3 gives second place to seat 1, third to seat 2 and keeps the fourth
FIRST_ROUND = f"{EVEN_ROUND} {IN_ORDER}"  # seat 3 is to lead to Round II

# Every place is repeated: scores 0 0 0 0, piles 13 0 0 0.
STRAIGHT = Deal(
    EVEN,
    f"""{FIRST_ROUND}  1R 4R 3R 2R  8R 7R 6R 5R  12R 11R 10R 9R
        {even_tricks("CFP")}  13C 13R 13F 13P {IN_ORDER}""",
)
# Nobody repeats its place in the first trick of Round II, everybody does afterwards: 2 1 1 1, piles 12 0 0 0.
UPSET = Deal(
    EVEN,
    f"""{FIRST_ROUND}  9R 8R 7R 6R  1C 4C 3C 2C  8C 7C 6C 5C  12C 11C 10C 9C
        {even_tricks("FP")}  12R 11R 10R 5R  4R 3R 2R 1R  13C 13R 13F 13P {IN_ORDER}""",
)
# Seats 1 and 3 repeat in the first trick, all in the next ten, nobody in the twelfth; in the thirteenth seat 0
# does, and seat 2, which decides a tie with seat 1, if it keeps third place: 4 2 2 2, piles 11 1 0 0.
MIXED_UP_TO_THE_TIE = f"""{FIRST_ROUND}  1R 4R 7R 10R  2C 1C 4C 3C  8C 7C 6C 5C  12C 11C 10C 9C
    {even_tricks("FP")}  12R 11R 6R 5R  8R 3R 2R 9R  13P 13C 13R 13F"""
MIXED = Deal(EVEN, f"{MIXED_UP_TO_THE_TIE} +0")
MIXED_GIVEN_AWAY = Deal(EVEN, f"{MIXED_UP_TO_THE_TIE} +3")  # 4 2 3 2


def upset_of_three(removed_suit="photos"):
    """As UPSET, for three seats: scores 2 1 1, piles 12 0 0."""
    suits = SUITS_OF_THREE[removed_suit]
    trump, led, other = suits
    rest_of_trump = " ".join(even_tricks(trump, 3).split()[3:])
    return Deal(
        even_hands(suits),
        f"""{even_tricks(suits, 3)}  13{trump} 13{led} 13{other} +2
            10{led} 9{led} 8{led}  1{trump} 3{trump} 2{trump} {rest_of_trump}  {even_tricks(other, 3)}
            3{led} 2{led} 1{led}  6{led} 5{led} 4{led}  12{led} 11{led} 7{led}  13{trump} 13{led} 13{other} +2""",
    )


def turned(one, places):
    """The same deal with every hand so many places further left."""
    seats = len(one.hands)
    return Deal([one.hands[(seat - places) % seats] for seat in range(seats)], one.plays)


def played(*deals, **options):
    """A table at which these deals have been played; each hand is led to from one seat further left."""
    table = match([one.hands for one in deals], **options)
    for one in deals:
        play(table, one.plays)
    return table


def fresh(seats=4, seed=0, **options):
    return trick_envs.make("rewind", num_players=seats, **options).table(seed=seed)


def one_hot(seats, seat):
    return [int(other == seat) for other in range(seats)]


# ---- the pack and the deal


def test_four_seats_by_default():
    assert trick_envs.make("rewind").num_players == 4


def test_four_seats_get_the_whole_pack():
    hands = fresh().hands()
    assert [len(hand) for hand in hands] == [13] * 4
    assert sorted(card for hand in hands for card in hand) == sorted(PACK)


@pytest.mark.parametrize("removed_suit", ["photos", "records", "films"])
def test_three_seats_leave_one_plain_suit_out(removed_suit):
    hands = fresh(3, removed_suit=removed_suit).hands()
    assert [len(hand) for hand in hands] == [13] * 3
    assert sorted(card for hand in hands for card in hand) == sorted(pack(3, removed_suit))


def test_three_seats_leave_photos_out_by_default():
    assert {card[-1] for hand in fresh(3).hands() for card in hand} == set("CRF")


@pytest.mark.parametrize("seats", [3, 4])
def test_action_table(seats):
    game = trick_envs.make("rewind", num_players=seats)
    names = PACK + [f"place {places}" for places in range(seats)]
    assert game.num_actions == len(names) == 52 + seats
    assert [game.action_name(action) for action in range(52 + seats)] == names
    assert [game.action_id(name) for name in names] == list(range(52 + seats))


def test_card_ids():
    game = trick_envs.make("rewind")
    assert list(game.cards) == PACK
    ids = {"1C": 0, "13C": 12, "1R": 13, "7R": 19, "1F": 26, "13F": 38, "1P": 39, "13P": 51}
    assert {name: game.action_id(name) for name in ids} == ids


@pytest.mark.parametrize(("removed_suit", "card", "number"), [("records", "5F", 30), ("films", "5P", 43)])
def test_cards_keep_their_ids_without_a_suit(removed_suit, card, number):
    table = deal(*even_hands(SUITS_OF_THREE[removed_suit]), removed_suit=removed_suit)
    play(table, f"3{card[-1]} {card} 1{card[-1]}")
    assert table.history[1] == (0, 1, number)


def test_first_card_goes_to_the_dealers_left():
    table = trick_envs.make("rewind").table(seed=0, decks=[PACK], dealer=1)
    assert held(table, 2) == "1C 5C 9C 13C 4R 8R 12R 3F 7F 11F 2P 6P 10P"
    assert held(table, 3) == "2C 6C 10C 1R 5R 9R 13R 4F 8F 12F 3P 7P 11P"
    assert held(table, 1) == "4C 8C 12C 3R 7R 11R 2F 6F 10F 1P 5P 9P 13P"


def test_cards_go_round_one_at_a_time_among_three():
    deck = pack(3)[::-1]
    hands = trick_envs.make("rewind", num_players=3).table(seed=0, decks=[deck], dealer=0).hands()
    assert [spell(hand) for hand in hands] == [spell(deck[2::3]), spell(deck[0::3]), spell(deck[1::3])]


def test_deal_moves_one_seat_to_the_left_each_hand():
    table = fresh(first_dealer=2, num_hands=4)
    dealers = []
    for hand in range(4):
        assert (table.hand_number, table.seat) == (hand, (table.dealer + 1) % 4)
        dealers.append(table.dealer)
        play_out(table)
    assert dealers == [2, 3, 0, 1]


def test_second_deck_is_dealt_from_the_next_dealers_left():
    table = trick_envs.make("rewind", num_hands=2).table(seed=0, decks=[PACK, PACK[::-1]], dealer=1)
    play_out(table)
    assert held(table, 3) == spell(PACK[::-1][0::4])
    assert held(table, 2) == spell(PACK[::-1][3::4])


def test_each_hand_is_dealt_anew_and_play_does_not_change_later_deals():
    low, high = fresh(seed=11, num_hands=3), fresh(seed=11, num_hands=3)
    deals = [low.hands()]
    for _ in range(2):
        play_out(low, min)
        play_out(high, max)
        assert low.history != high.history
        assert low.hands() == high.hands()
        deals.append(low.hands())
    assert len({str(sorted(hands)) for hands in deals}) == 3


def test_decks_change_neither_dealer_nor_later_deals():
    game = trick_envs.make("rewind", num_hands=2)
    for seed in range(6):
        shuffled, given = game.table(seed=seed), game.table(seed=seed, decks=[PACK])
        assert given.dealer == shuffled.dealer
        play_out(shuffled)
        play_out(given)
        assert given.hands() == shuffled.hands()


# ---- leading and following


@pytest.mark.parametrize("dealer", range(4))
def test_the_dealers_left_leads_anything(dealer):
    table = trick_envs.make("rewind").table(seed=3, dealer=dealer)
    assert (table.phase, table.round, table.seat) == ("play", 1, (dealer + 1) % 4)
    assert legal(table) == held(table, table.seat)


def test_trump_is_always_cassettes():
    table = deal(*SUIT_EACH)
    assert table.trump == "cassettes"
    play(table, "1C 1R 2F 3P")
    assert table.trump == "cassettes"
    assert played(UPSET).trump == "cassettes"


def test_suit_is_followed_if_held():
    table = deal("5R", "2R 9R 13C 4F 1-9P", "", "")
    play(table, "5R")
    assert legal(table) == "2R 9R"


def test_trumps_are_followed_too():
    table = deal("5C", "2C 9C 1-11R", "", "")
    play(table, "5C")
    assert legal(table) == "2C 9C"


def test_who_cannot_follow_plays_anything():
    table = deal("5R", "2C 9C 1-6F 1-5P", "", "")
    play(table, "5R")
    assert legal(table) == "2C 9C 1F 2F 3F 4F 5F 6F 1P 2P 3P 4P 5P"


def test_nobody_must_trump_or_beat():
    table = deal(*EVEN)
    play(table, "4R")
    assert legal(table) == "3R 7R 11R 13R"


def test_the_led_suit_counts_not_the_suit_played_last():
    table = deal("5R", "1-13C", "3R 1-12F", "4R")
    play(table, "5R 1C")
    assert legal(table) == "3R"


def test_play_goes_clockwise_from_the_leader():
    table = deal(*SUIT_EACH, dealer=1)
    turns = [table.seat]
    for card in ["1F", "2P", "3C"]:
        table.play(card)
        turns.append(table.seat)
    assert turns == [2, 3, 0, 1]
    assert table.trick == [(2, "1F"), (3, "2P"), (0, "3C")]
    table.play("4R")
    assert (table.seat, table.trick) == (0, [])


def test_card_played_leaves_the_hand():
    table = deal(*SUIT_EACH)
    play(table, "2C 8R")
    assert held(table, 0) == spell(cards("1C 3-13C"))
    assert held(table, 1) == spell(cards("1-7R 9-13R"))


def test_a_forced_card_is_still_asked_for():
    table = deal("5R", "2R 1-12F", "", "")
    play(table, "5R")
    assert (table.seat, legal(table)) == (1, "2R")
    assert len(table.history) == 1


def test_history_tells_hand_seat_and_action():
    table = deal(*SUIT_EACH)
    play(table, "1C 5R 5F 7P +3 3C")
    assert table.history == [(0, 0, 0), (0, 1, 17), (0, 2, 30), (0, 3, 45), (0, 2, 55), (0, 0, 2)]


# ---- places in a trick


@pytest.mark.parametrize(
    ("hands", "trick", "places"),
    [
        (["5R", "11R", "3R", "1-13C"], "5R 11R 3R 1C", [3, 2, 4, 1]),  # the page's
        (EVEN, "4C 3C 2C 1C", [1, 2, 3, 4]),
        (EVEN, "4P 7P 10P 13P", [4, 3, 2, 1]),
        (SUIT_EACH, "1C 13R 12F 11P", [1, 2, 3, 4]),
        (SUIT_EACH, "1C 11R 13F 12P", [1, 4, 2, 3]),
        (["1-13R", "1-13F", "1-13C", "1-13P"], "1R 12F 1C 13P", [2, 4, 1, 3]),
        (["1-13R", "1-13F", "1-13P", "1-13C"], "1R 2F 13P 1C", [2, 4, 3, 1]),
        (["7R", "1-6C", "7-12C", "2R"], "7R 1C 12C 2R", [3, 2, 1, 4]),
        (["7R", "7-13C", "1-6C", "2R"], "7R 13C 6C 2R", [3, 1, 2, 4]),
        (["1-13R", "1-13F", "1-13P", "1-13C"], "8R 8F 7P 8C", [2, 3, 4, 1]),  # level in rank alone is no tie
    ],
)
def test_trumps_come_first_then_the_led_suit_then_all_others_each_by_rank(hands, trick, places):
    table = deal(*hands)
    play(table, trick)
    first = places.index(1)
    assert table.placements == [places] + [[0] * 4] * 12
    assert table.markers == [[True] * 4] + [[False] * 4] * 12
    assert (table.phase, table.seat, table.trick, table.round) == ("play", first, [], 1)
    assert table.tricks_won == one_hot(4, first)


@pytest.mark.parametrize("low", range(1, 13))
@pytest.mark.parametrize("suit", "CR")
def test_ranks_rise_from_one_to_thirteen(suit, low):
    table = deal(f"{low}{suit}", f"{low + 1}{suit}", "1-13F", "1-13P")
    play(table, f"{low}{suit} {low + 1}{suit} 1F 2P")
    assert table.placements[0] == [2, 1, 4, 3]


@pytest.mark.parametrize("low", range(1, 13))
def test_ranks_rise_among_cards_of_other_suits_too(low):
    table = deal(*TIE_OF_TWO)
    play(table, f"1R {low}F 1C {low + 1}P")
    assert table.placements[0] == [2, 4, 1, 3]


def test_the_first_leads_the_next_trick():
    table = deal(*EVEN)
    leaders = [table.seat]
    for trick in ["4R 3R 2R 9R", "1F 4F 3F 10F", "2P 1P 4P 11P"]:
        play(table, trick)
        leaders.append(table.seat)
    assert leaders == [0, 3, 2, 1]
    assert table.placements[:4] == [[2, 3, 4, 1], [2, 3, 1, 4], [2, 1, 3, 4], [0] * 4]
    assert table.tricks_won == [0, 1, 1, 1]


def test_three_seats_have_three_places():
    table = deal("5R", "11R", "3R")
    play(table, "5R 11R 3R")
    assert table.placements == [[2, 1, 3]] + [[0] * 3] * 12
    assert table.markers == [[True] * 3] + [[False] * 3] * 12
    assert table.seat == 1


# ---- ties


def test_worked_example_two_tied_for_third_and_fourth():
    table = deal(*TIE_OF_TWO)
    play(table, "9R 12F 2C 12P")
    assert (table.phase, table.seat) == ("tie", 3)
    assert table.legal_actions() == [52, 54]
    assert legal(table) == "+0 +2"


@pytest.mark.parametrize(("action", "places"), [("place 0", [2, 4, 1, 3]), ("place 2", [2, 3, 1, 4])])
def test_one_action_places_two_that_are_tied(action, places):
    table = deal(*TIE_OF_TWO)
    play(table, "9R 12F 2C 12P")
    table.play(action)
    assert table.placements[0] == places
    assert (table.phase, table.seat, table.trick) == ("play", 2, [])  # who was first leads


def test_worked_example_three_tied():
    table = deal(*SUIT_EACH)
    play(table, "4C 8R 8F 8P")
    assert (table.phase, table.seat, legal(table)) == ("tie", 3, "+0 +2 +3")
    give(table, 2)
    assert (table.phase, table.seat, legal(table)) == ("tie", 3, "+0 +2")
    give(table, 3)
    assert table.placements[0] == [1, 4, 2, 3]
    assert (table.phase, table.seat) == ("play", 0)


@pytest.mark.parametrize(
    ("actions", "places"),
    [
        ([54, 55], [1, 2, 3, 4]),
        ([54, 52], [1, 2, 4, 3]),
        ([55, 54], [1, 3, 2, 4]),
        ([52, 54], [1, 3, 4, 2]),
        ([55, 52], [1, 4, 2, 3]),
        ([52, 55], [1, 4, 3, 2]),
    ],
)
def test_two_actions_place_three_that_are_tied(actions, places):
    table = deal(*SUIT_EACH)
    play(table, "4C 8R 8F 8P")
    for action in actions:
        table.play(action)
    assert table.placements[0] == places
    assert table.phase == "play"


@pytest.mark.parametrize(
    ("trick", "decider", "choices", "given", "places"),
    [
        ("1C 7R 7F 9P", 2, "+0 +3", 1, [1, 3, 4, 2]),
        ("1C 7R 7F 9P", 2, "+0 +3", 2, [1, 4, 3, 2]),
        ("1C 7R 7F 5P", 2, "+0 +3", 2, [1, 3, 2, 4]),
        ("1C 7R 9F 7P", 3, "+0 +2", 3, [1, 4, 2, 3]),
        ("1C 7R 5F 7P", 3, "+0 +2", 3, [1, 3, 4, 2]),
        ("1C 9R 7F 7P", 3, "+0 +3", 2, [1, 2, 3, 4]),
        ("1C 5R 7F 7P", 3, "+0 +3", 3, [1, 4, 3, 2]),
    ],
)
def test_the_last_of_the_tied_to_play_decides(trick, decider, choices, given, places):
    table = deal(*SUIT_EACH)
    play(table, trick)
    assert (table.phase, table.seat, legal(table)) == ("tie", decider, choices)
    give(table, given)
    assert table.placements[0] == places


@pytest.mark.parametrize(
    ("leader", "suits", "trick", "decider", "choices"),
    [
        (1, "RFCP", "3F 2C 10P 10R", 0, "+0 +3"),
        (2, "RFCP", "3C 2P 10R 10F", 1, "+0 +3"),
        (3, "RCFP", "3P 10R 2C 10F", 2, "+0 +2"),
    ],
)
def test_last_to_play_is_reckoned_from_the_leader(leader, suits, trick, decider, choices):
    table = deal(*(f"1-13{suit}" for suit in suits), dealer=leader - 1)
    play(table, trick)
    assert (table.phase, table.seat, legal(table)) == ("tie", decider, choices)


def test_nothing_is_placed_while_a_tie_is_open():
    table = deal(*SUIT_EACH)
    play(table, "4C 8R 8F 8P")
    before = (table.placements, table.markers, table.tricks_won, table.hands())
    for _ in range(2):
        assert table.trick == [(0, "4C"), (1, "8R"), (2, "8F"), (3, "8P")]
        assert (table.placements, table.markers, table.tricks_won, table.hands()) == before
        assert before[:3] == ([[0] * 4] * 13, [[False] * 4] * 13, [0] * 4)
        table.play(table.legal_actions()[0])
    assert table.trick == []
    assert table.placements[0] == [1, 3, 4, 2]
    assert table.markers[0] == [True] * 4
    assert table.tricks_won == [1, 0, 0, 0]


def test_two_of_three_seats_tie():
    table = deal("1-13C", "1-13R", "1-13F")
    play(table, "4C 5R 5F")
    assert (table.phase, table.seat, table.legal_actions()) == ("tie", 2, [52, 54])
    table.play(54)
    assert table.placements[0] == [1, 2, 3]
    play(table, "5C 6R 6F")
    table.play("place 0")
    assert table.placements[1] == [1, 3, 2]


@pytest.mark.parametrize("removed_suit", ["photos", "records", "films"])
def test_three_seats_tie_in_whatever_suits_there_are(removed_suit):
    suits = SUITS_OF_THREE[removed_suit]
    table = deal(*(f"1-13{suit}" for suit in suits), removed_suit=removed_suit)
    play(table, f"13C 1{suits[1]} 1{suits[2]}")
    assert (table.phase, table.seat) == ("tie", 2)


# ---- Round II


def test_every_seat_has_its_cards_again():
    table = deal(*EVEN)
    dealt = table.hands()
    play(table, FIRST_ROUND)
    assert (table.round, table.phase, table.trick) == (2, "play", [])
    assert table.hands() == dealt


def test_round_one_lasts_until_the_tie_in_its_final_trick_is_decided():
    table = deal(*EVEN)
    play(table, EVEN_ROUND)
    for choice in IN_ORDER.split():
        assert (table.round, table.phase, table.seat) == (1, "tie", 3)
        assert table.hands() == [[], [], [], []]
        assert table.trick == [(0, "13C"), (1, "13R"), (2, "13F"), (3, "13P")]
        assert (table.placements[12], sum(table.tricks_won)) == ([0] * 4, 12)
        play(table, choice)
    assert (table.round, table.placements[12], sum(table.tricks_won)) == (2, [1, 2, 3, 4], 13)


@pytest.mark.parametrize(("order", "leader"), [("+2 +3", 3), ("+2 +0", 2), ("+3 +0", 1), ("+0 +2", 2)])
def test_last_in_the_final_trick_of_round_one_leads(order, leader):
    table = deal(*EVEN)
    play(table, f"{EVEN_ROUND} {order}")
    assert (table.round, table.seat) == (2, leader)
    assert legal(table) == held(table, leader)


def test_last_in_the_final_trick_leads_without_a_tie_too():
    table = deal(*SUIT_EACH)
    play(table, " ".join(f"{rank}C {rank}R {rank % 13 + 1}F {(rank + 1) % 13 + 1}P" for rank in range(1, 14)))
    assert table.placements[12] == [1, 2, 4, 3]  # 13C 13R 1F 2P
    assert (table.round, table.seat) == (2, 2)
    assert table.markers == [[True] * 4] * 13


def test_same_play_in_round_two():
    table = deal(*EVEN)
    play(table, FIRST_ROUND)
    play(table, "9R")
    assert (table.seat, legal(table)) == (0, "4R 8R 12R")
    play(table, "8R 7R 10R")
    assert (table.seat, table.trick) == (2, [])
    assert held(table, 2) == spell(cards("2C 6C 10C 2R 6R 2F 6F 10F 13F 2P 6P 10P"))
    assert table.tricks_won == [13, 0, 1, 0]


# Places by seat in Round I are 1 4 3 2 in the first four tricks, 1 3 2 4 in the next four, then 1 2 4 3.
CHANGING = [f"{rank}C {rank}R {(rank + 4) % 13 + 1}F {(rank + 8) % 13 + 1}P" for rank in range(1, 14)]
CHANGING_PLACES = [[1, 4, 3, 2]] * 4 + [[1, 3, 2, 4]] * 4 + [[1, 2, 4, 3]] * 5


def changing_round_two(tricks):
    """Round I as CHANGING, then these tricks of it; seat 2, last at the end, leads to the first of them."""
    first, *rest = tricks
    return f"{' '.join(CHANGING)}  {' '.join(first.split()[2:] + first.split()[:2])}  {' '.join(rest)}"


def test_last_trick_of_round_one_is_matched_first():
    table = deal(*SUIT_EACH)
    play(table, changing_round_two(CHANGING[::-1]))
    assert table.placements == CHANGING_PLACES
    # Seat 2, which leads its suit, is second of necessity; from then on all places are repeated.
    assert table.markers == [[False] * 4] * 12 + [[False, True, True, True]]
    assert table.scores == [0, 1, 1, 1]


def test_round_two_does_not_run_forwards():
    table = deal(*SUIT_EACH)
    play(table, changing_round_two(CHANGING))
    assert table.placements == CHANGING_PLACES
    # Only tricks 6, 7 and 8 meet tricks with the same places; in the first, seat 3 too is third once more.
    first_off, all_off = [False, True, True, True], [False] * 4
    assert table.markers == [first_off] * 5 + [all_off] * 3 + [first_off] * 4 + [[False, True, True, False]]
    assert table.scores == [0, 10, 10, 9]


def test_markers_come_off_trick_by_trick_from_the_end():
    table = deal(*SUIT_EACH)
    tokens = changing_round_two(CHANGING[::-1]).split()
    play(table, " ".join(tokens[:56]))
    assert table.markers == [[True] * 4] * 12 + [[False, True, True, True]]
    for row in range(11, 0, -1):
        play(table, " ".join(tokens[4 * (25 - row) : 4 * (26 - row)]))
        assert table.markers == [[True] * 4] * row + [[False] * 4] * (12 - row) + [[False, True, True, True]]


def test_worked_example_two_seats_repeat_and_the_better_placed_takes_the_pile():
    table = deal(*EVEN)
    play(table, FIRST_ROUND)
    assert table.placements[12] == [1, 2, 3, 4]
    play(table, "1R 4R 7R 10R")  # seat 2 first, 1 second, 0 third, 3 fourth
    assert table.markers == [[True] * 4] * 12 + [[True, False, True, False]]
    assert table.tiebreakers == [0, 1, 0, 0]
    assert table.placements[12] == [1, 2, 3, 4]  # Round I's places stay


@pytest.mark.parametrize(
    ("trick", "places", "pile"),
    [
        ("1R 4R 3R 2R", [1, 2, 3, 4], [1, 0, 0, 0]),
        ("1R 4R 3R 6R", [2, 3, 1, 4], [0, 0, 0, 1]),
        ("5R 8R 3R 2R", [1, 3, 4, 2], [1, 0, 0, 0]),
        ("5R 4R 7R 2R", [3, 1, 4, 2], [0, 0, 0, 0]),
        ("9R 4R 3R 6R", [3, 4, 2, 1], [0, 0, 0, 0]),
        ("9R 8R 7R 6R", [2, 3, 4, 1], [0, 0, 0, 0]),
        ("5R 4R 7R 6R", [4, 1, 2, 3], [0, 0, 0, 0]),
        ("9R 4R 11R 6R", [4, 1, 3, 2], [0, 0, 1, 0]),
    ],
)
def test_who_repeats_its_place_takes_its_marker_off_and_only_the_best_placed_has_it(trick, places, pile):
    table = deal(*EVEN)
    play(table, FIRST_ROUND)
    play(table, trick)
    assert table.seat == places.index(1)
    assert table.markers == [[True] * 4] * 12 + [[place != seat + 1 for seat, place in enumerate(places)]]
    assert table.tiebreakers == pile


def test_ties_in_round_two_are_decided_alike_and_matter_for_the_markers():
    for choice, markers in [("+0", [False, True, False, True]), ("+3", [False, True, True, True])]:
        table = deal(*EVEN)
        play(table, MIXED_UP_TO_THE_TIE)
        assert (table.phase, table.seat, legal(table), table.round) == ("tie", 2, "+0 +3", 2)
        assert table.markers[0] == [True] * 4
        assert table.trick == [(3, "13P"), (0, "13C"), (1, "13R"), (2, "13F")]
        assert (table.tiebreakers, sum(table.tricks_won)) == ([10, 1, 0, 0], 25)
        play(table, choice)
        assert table.markers[0] == markers
        assert (table.tiebreakers, sum(table.tricks_won)) == ([11, 1, 0, 0], 26)


def test_tricks_won_are_first_places_in_both_rounds():
    assert played(UPSET).tricks_won == [25, 0, 0, 1]
    assert played(MIXED).tricks_won == [24, 0, 1, 1]


# ---- counting a hand


def test_markers_left_on_a_first_place_cost_two_and_others_one():
    assert played(UPSET).scores == [2, 1, 1, 1]
    assert played(MIXED).scores == [4, 2, 2, 2]
    assert played(MIXED_GIVEN_AWAY).scores == [4, 2, 3, 2]


def test_markers_taken_off_cost_nothing():
    table = played(STRAIGHT)
    assert table.markers == [[False] * 4] * 13
    assert table.scores == [0, 0, 0, 0]
    assert table.tiebreakers == [13, 0, 0, 0]


@pytest.mark.parametrize("deal_", [STRAIGHT, UPSET, MIXED])
def test_the_hand_is_counted_when_its_last_trick_is_decided(deal_):
    table = match([deal_.hands])
    *others, last = deal_.plays.split()
    for token in others:
        play(table, token)
        assert (table.scores, table.phase == "over") == ([0, 0, 0, 0], False)
    play(table, last)
    assert table.phase == "over"


@pytest.mark.parametrize("removed_suit", ["photos", "records", "films"])
def test_three_seats_play_and_count_alike(removed_suit):
    table = played(upset_of_three(removed_suit), removed_suit=removed_suit)
    assert table.placements == [[1, 2, 3]] * 13
    assert table.markers == [[False] * 3] * 12 + [[True] * 3]
    assert (table.scores, table.tiebreakers, table.winners) == ([2, 1, 1], [12, 0, 0], [1, 2])
    assert table.tricks_won == [25, 0, 1]


# ---- the end of the match


def assert_over(table, winners, hand_number=0, truncated=False):
    assert (table.phase, table.seat, table.legal_actions()) == ("over", -1, [])
    assert table.winners == winners
    assert table.hand_number == hand_number
    assert table.truncated is truncated


def test_one_hand_by_default():
    assert_over(played(MIXED), winners=[1])


def test_lowest_total_wins_however_large_another_pile():
    table = played(UPSET)
    assert (table.scores, table.tiebreakers) == ([2, 1, 1, 1], [12, 0, 0, 0])
    assert_over(table, winners=[1, 2, 3])


def test_equal_totals_go_to_the_larger_pile():
    table = played(MIXED)
    assert (table.scores, table.tiebreakers) == ([4, 2, 2, 2], [11, 1, 0, 0])
    assert_over(table, winners=[1])
    table = played(STRAIGHT)
    assert (table.scores, table.tiebreakers) == ([0, 0, 0, 0], [13, 0, 0, 0])
    assert_over(table, winners=[0])


def test_lowest_total_alone_wins():
    table = played(UPSET, turned(UPSET, 1), turned(UPSET, 2), num_hands=3)
    assert (table.scores, table.tiebreakers) == ([4, 4, 4, 3], [12, 12, 12, 0])
    assert_over(table, winners=[3], hand_number=2)


def test_scores_and_piles_are_summed_over_the_hands():
    table = played(STRAIGHT, turned(STRAIGHT, 1), turned(MIXED, 2), num_hands=3)
    assert table.scores == [2, 2, 4, 2]
    assert table.tiebreakers == [13, 13, 11, 1]
    assert_over(table, winners=[0, 1], hand_number=2)


def test_equal_totals_and_piles_share_the_win():
    table = played(STRAIGHT, turned(STRAIGHT, 1), num_hands=2)
    assert (table.scores, table.tiebreakers) == ([0, 0, 0, 0], [13, 13, 0, 0])
    assert_over(table, winners=[0, 1], hand_number=1)


def test_all_may_share_the_win():
    table = played(*[turned(UPSET, places) for places in range(4)], num_hands=4)
    assert (table.scores, table.tiebreakers) == ([5, 5, 5, 5], [12, 12, 12, 12])
    assert_over(table, winners=[0, 1, 2, 3], hand_number=3)


@pytest.mark.parametrize("num_hands", [1, 2, 3, 4])
def test_num_hands_is_the_length_of_the_match(num_hands):
    table = fresh(seed=num_hands, num_hands=num_hands)
    for hand in range(num_hands):
        assert (table.hand_number, table.phase == "over", table.winners) == (hand, False, [])
        play_out(table)
    assert (table.phase, table.seat, table.hand_number) == ("over", -1, num_hands - 1)
    assert table.truncated is False
    assert table.winners


def test_the_next_hand_begins_with_an_empty_board():
    table = played(MIXED, num_hands=2)
    assert (table.phase, table.round, table.hand_number, table.dealer, table.seat) == ("play", 1, 1, 0, 1)
    assert table.placements == [[0] * 4] * 13
    assert table.markers == [[False] * 4] * 13
    assert (table.tricks_won, table.trick) == ([0] * 4, [])
    assert (table.scores, table.tiebreakers) == ([4, 2, 2, 2], [11, 1, 0, 0])
    assert (table.winners, table.truncated) == ([], False)
    assert [len(hand) for hand in table.hands()] == [13] * 4


def test_the_board_stays_after_the_end():
    table = played(MIXED)
    assert table.placements == [[1, 2, 3, 4]] * 13
    assert table.markers == (
        [[False, True, False, True], [True] * 4] + [[False] * 4] * 10 + [[True, False, True, False]]
    )
    assert (table.round, table.dealer, table.trick) == (2, 3, [])
    assert table.hands() == [[], [], [], []]
    assert sum(table.tricks_won) == 26


def test_max_hands_truncates_as_the_scores_stand():
    table = played(MIXED, num_hands=3, max_hands=2)
    assert table.phase == "play"
    table = played(MIXED, turned(UPSET, 1), num_hands=3, max_hands=2)
    assert (table.scores, table.tiebreakers) == ([5, 4, 3, 3], [11, 13, 0, 0])
    assert_over(table, winners=[2, 3], hand_number=1, truncated=True)


def test_max_hands_uses_the_piles_too():
    assert_over(played(MIXED, num_hands=2, max_hands=1), winners=[1], truncated=True)


def test_num_hands_in_the_hand_that_reaches_max_hands_terminates():
    assert_over(played(MIXED, num_hands=1, max_hands=1), winners=[1], truncated=False)


def test_num_hands_before_max_hands_terminates():
    assert_over(played(MIXED, num_hands=1, max_hands=2), winners=[1], truncated=False)


# ---- rewards


def rewards(table):
    return pytest.approx(list(table.rewards))


@pytest.mark.parametrize(("scheme", "last"), [("points", [-4, -2, -2, -2]), ("placement", [-1, 1, 0, 0])])
def test_rewards_are_zero_until_the_hand_is_settled(scheme, last):
    table = match([MIXED.hands], rewards=scheme)
    assert rewards(table) == [0, 0, 0, 0]
    *others, final = MIXED.plays.split()
    for token in others:
        play(table, token)
        assert rewards(table) == [0, 0, 0, 0]
    play(table, final)
    assert rewards(table) == last


@pytest.mark.parametrize("end", [{}, {"num_hands": 2}, {"num_hands": 2, "max_hands": 1}])
def test_points_are_the_hands_cost_taken_off_without_the_piles(end):
    assert rewards(played(MIXED, **end)) == [-4, -2, -2, -2]


def test_points_are_of_the_hand_not_of_the_match():
    table = played(MIXED, turned(UPSET, 1), num_hands=3)
    assert rewards(table) == [-1, -2, -1, -1]
    table.play(table.legal_actions()[0])
    assert rewards(table) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("deal_", "expected"),
    [
        (STRAIGHT, [0, 0, 0, 0]),
        (UPSET, [-1, 1 / 3, 1 / 3, 1 / 3]),
        (MIXED_GIVEN_AWAY, [-4 + 7 / 3, -2 + 9 / 3, -3 + 8 / 3, -2 + 9 / 3]),
        (upset_of_three(), [-1, 1 / 2, 1 / 2]),
    ],
)
def test_relative_is_own_points_less_the_mean_of_the_others(deal_, expected):
    assert rewards(played(deal_, rewards="relative")) == expected


@pytest.mark.parametrize(
    ("deals", "expected"),
    [
        ([STRAIGHT], [1, -1 / 3, -1 / 3, -1 / 3]),  # only the piles tell them apart
        ([UPSET], [-1, 1 / 3, 1 / 3, 1 / 3]),
        ([MIXED], [-1, 1, 0, 0]),
        ([MIXED_GIVEN_AWAY], [-1, 1, -1 / 3, 1 / 3]),  # 4 2 3 2, piles 11 1 0 0
        ([STRAIGHT, turned(STRAIGHT, 1)], [2 / 3, 2 / 3, -2 / 3, -2 / 3]),
        ([STRAIGHT, turned(MIXED, 1)], [1, -1, 1 / 3, -1 / 3]),  # 2 4 2 2, piles 13 11 1 0
        ([turned(UPSET, places) for places in range(4)], [0, 0, 0, 0]),
        ([upset_of_three()], [-1, 1 / 2, 1 / 2]),
    ],
)
def test_placement_goes_by_score_then_pile_and_shares_what_is_level(deals, expected):
    assert rewards(played(*deals, rewards="placement", num_hands=len(deals))) == expected


def test_placement_comes_only_at_the_end_of_the_match():
    table = played(MIXED, rewards="placement", num_hands=2)
    assert rewards(table) == [0, 0, 0, 0]
    play_out(table)
    assert sum(table.rewards) == pytest.approx(0)
    assert max(table.rewards) > 0


def test_placement_is_given_to_a_truncated_match_too():
    table = played(MIXED, rewards="placement", num_hands=2, max_hands=1)
    assert table.truncated is True
    assert rewards(table) == [-1, 1, 0, 0]


# ---- memory


def observed_by_seat_0(memory, swap, plays):
    """What seat 0 sees after these plays; with `swap` seats 2 and 3 have each other's suits, the ranks alike."""
    hands = ["1-13C", "1-13R", "1-13P", "1-13F"] if swap else SUIT_EACH
    table = deal(*hands, memory=memory)
    play(table, plays.translate(str.maketrans("FP", "PF")) if swap else plays)
    return table.observation(0).tolist()


@pytest.mark.parametrize("plays", ["1C 2R 3F 4P", " ".join(CHANGING)])
def test_memory_table_shows_of_others_past_cards_only_their_places(plays):
    assert observed_by_seat_0("table", False, plays) == observed_by_seat_0("table", True, plays)
    assert observed_by_seat_0("perfect", False, plays) != observed_by_seat_0("perfect", True, plays)


@pytest.mark.parametrize("memory", ["perfect", "table"])
def test_the_trick_on_the_table_is_seen_whatever_the_memory(memory):
    plays = "1C 2R 3F 4P  2C 3R 4F"
    assert observed_by_seat_0(memory, False, plays) != observed_by_seat_0(memory, True, plays)


@pytest.mark.parametrize("memory", ["perfect", "table"])
def test_own_past_cards_are_seen_whatever_the_memory(memory):
    """Seat 0 has played 1F or 1P; what it holds, the places and what the others played are alike."""
    one = deal("1F 2-13C", "1-13R", "1C 2-13F", "1-13P", dealer=0, memory=memory)
    other = deal("1P 2-13C", "1-13R", "1C 2-13F", "1F 2-13P", dealer=0, memory=memory)
    play(one, "5R 9F 8P 1F")
    play(other, "5R 9F 8P 1P")
    assert (one.placements, one.hands()[0]) == (other.placements, other.hands()[0])
    assert one.observation(0).tolist() != other.observation(0).tolist()


@pytest.mark.parametrize("memory", ["perfect", "table"])
def test_places_on_the_board_are_seen_whatever_the_memory(memory):
    one, other = deal(*SUIT_EACH, memory=memory), deal(*SUIT_EACH, memory=memory)
    play(one, "1C 2R 3F 3P +0")
    play(other, "1C 2R 3F 3P +3")
    assert one.placements != other.placements
    for seat in range(4):
        assert one.observation(seat).tolist() != other.observation(seat).tolist()


# ---- illegal actions


def illegal(table, action):
    """Try an illegal action; its message, the table being unchanged."""
    before = face(table)
    with pytest.raises(trick_envs.IllegalAction) as refused:
        table.play(action)
    assert face(table) == before
    return str(refused.value)


def test_illegal_card_names_seat_action_phase_and_what_is_legal():
    table = deal("5R", "2R 9R 13C 4F 1-9P", "", "")
    play(table, "5R")
    message = illegal(table, "13C")
    for part in ["13C", "seat 1", "play", "2R", "9R"]:
        assert part in message


def test_illegal_place_names_seat_action_phase_and_what_is_legal():
    table = deal(*TIE_OF_TWO)
    play(table, "9R 12F 2C 12P")
    message = illegal(table, "place 1")
    for part in ["place 1", "seat 3", "tie", "place 0", "place 2"]:
        assert part in message


@pytest.mark.parametrize("action", ["1C", "3P", "place 1", "place 3", 51, 53, 55, 56, -1, 0])
def test_only_the_tied_are_given_places(action):
    table = deal(*TIE_OF_TWO)
    play(table, "9R 12F 2C 12P")
    illegal(table, action)


@pytest.mark.parametrize("first", [52, 54, 55])
def test_nobody_is_given_two_places(first):
    table = deal(*SUIT_EACH)
    play(table, "4C 8R 8F 8P")
    table.play(first)
    illegal(table, first)
    illegal(table, "place 1")


@pytest.mark.parametrize("action", ["place 0", "place 1", 54, 55, 56, -1, "2R", "no card"])
def test_what_is_refused_outside_a_tie(action):
    table = deal(*SUIT_EACH)
    illegal(table, action)


def test_a_card_cannot_be_played_twice_in_a_round_but_can_in_the_next():
    table = deal(*EVEN)
    play(table, "4R 3R 2R 1R")
    illegal(table, "4R")
    play(table, " ".join(FIRST_ROUND.split()[:12]) + " 8R 7R 6R 5R 12R 11R 10R 9R")
    play(table, f"{even_tricks('FP')} 13C 13R 13F 13P {IN_ORDER} 1R 4R")
    assert table.trick == [(3, "1R"), (0, "4R")]
    illegal(table, "4R")


def test_nothing_is_legal_after_the_end():
    table = played(MIXED)
    for action in [0, 52, "1C", "place 0"]:
        illegal(table, action)


# ---- options


def test_options_tell_every_default():
    options = trick_envs.make("rewind").options
    defaults = {
        "num_hands": 1,
        "max_hands": None,
        "removed_suit": "photos",
        "first_dealer": None,
        "rewards": "points",
        "observation": "features",
        "memory": "perfect",
    }
    assert {name: options[name] for name in defaults} == defaults


def test_options_tell_what_was_given():
    given = {"num_hands": 4, "max_hands": 3, "removed_suit": "films", "first_dealer": 2, "rewards": "placement"}
    options = trick_envs.make("rewind", num_players=3, **given).options
    assert {name: options[name] for name in given} == given


def refused(**options):
    with pytest.raises(ValueError, match="|".join(options)) as error:
        trick_envs.make("rewind", **options)
    return str(error.value)


def test_unknown_option_is_refused():
    message = refused(removed_suits="films")
    for part in ["removed_suits", "'films'", "num_hands"]:  # the option, the value, what there is instead
        assert part in message


@pytest.mark.parametrize("seats", [0, 1, 2, 5, 6, -4])
def test_seat_count_that_rewind_does_not_have_is_refused(seats):
    message = refused(num_players=seats)
    for part in ["num_players", str(seats), "3", "4"]:
        assert re.search(rf"(?<!\w){part}(?!\w)", message), message


@pytest.mark.parametrize(
    ("seats", "option", "values", "allowed"),
    [
        (4, "num_players", ["4", 4.0, None, True], ["3", "4"]),
        (4, "num_hands", [0, 5, -1, 1.0, "2", None, True], ["1", "4"]),
        (3, "num_hands", [0, 5, None], ["1", "4"]),
        (4, "max_hands", [0, -1, 2.5, "99"], ["1", "None"]),
        (3, "removed_suit", ["cassettes", "Photos", "P", 0, None], ["photos", "records", "films"]),
        (4, "removed_suit", ["records", "films", "cassettes", None], ["photos"]),
        (4, "first_dealer", [4, -1, "2", 1.5], ["0", "3", "None"]),
        (3, "first_dealer", [3, -1], ["0", "2", "None"]),
        (4, "rewards", ["score", 1, None], ["points", "relative", "placement"]),
        (4, "observation", ["pixels", None], ["features"]),
        (4, "memory", ["none", None], ["perfect", "table"]),
    ],
)
def test_option_of_wrong_kind_or_range_is_refused_with_the_values_allowed(seats, option, values, allowed):
    for value in values:
        message = refused(**{"num_players": seats, option: value})
        assert option in message
        assert repr(value) in message
        rest = message.replace(repr(value), "", 1)
        for part in allowed:
            assert re.search(rf"\b({part})\b", rest), message


def test_four_seats_take_the_default_removed_suit():
    assert trick_envs.make("rewind", num_players=4, removed_suit="photos").num_players == 4


# ---- decks and dealers that are refused


def refused_deck(*decks, seats=4, **options):
    game = trick_envs.make("rewind", num_players=seats, **options)
    with pytest.raises(ValueError, match=r".") as error:
        game.table(seed=0, decks=list(decks))
    return str(error.value)


@pytest.mark.parametrize("wrong", ["14C", "0R", "2S", "", "C7", "2c"])
def test_deck_with_a_card_that_does_not_exist_is_refused(wrong):
    assert repr(wrong)[1:-1] in refused_deck([wrong, *PACK[1:]])


def test_deck_with_a_missing_card_is_refused():
    assert "7R" in refused_deck([card for card in PACK if card != "7R"])


def test_deck_with_a_double_card_is_refused():
    assert "13F" in refused_deck([*PACK, "13F"])


@pytest.mark.parametrize("removed_suit", ["photos", "records", "films"])
def test_deck_of_three_seats_is_the_pack_without_the_removed_suit(removed_suit):
    removed = removed_suit[0].upper()
    message = refused_deck([*pack(3, removed_suit), f"9{removed}"], seats=3, removed_suit=removed_suit)
    assert f"9{removed}" in message
    message = refused_deck(PACK, seats=3, removed_suit=removed_suit)
    assert re.search(rf"\d{removed}", message)
    game = trick_envs.make("rewind", num_players=3, removed_suit=removed_suit)
    table = game.table(seed=0, decks=[pack(3, removed_suit)], dealer=2)
    assert spell(table.hands()[0]) == spell(pack(3, removed_suit)[0::3])


def test_later_decks_are_looked_at_beforehand_too():
    assert "13P" in refused_deck(PACK, PACK[:-1], num_hands=2)


@pytest.mark.parametrize("dealer", [4, -1, "0"])
def test_dealer_that_is_no_seat_is_refused(dealer):
    with pytest.raises(ValueError, match=re.escape(str(dealer))):
        trick_envs.make("rewind").table(seed=0, dealer=dealer)
