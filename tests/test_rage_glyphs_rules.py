"""Rage'n Glyphs through the public face: pack, trump, bidding, tricks, jokers, scores, the match, options."""

import re
from collections import Counter, namedtuple

import pytest

import trick_envs

# ---- card talk

SUITS = {"M": "mushrooms", "H": "hearts", "D": "diamonds", "C": "clovers", "X": "crosses", "N": "horns"}
KINDS = [*(f"{rank}{suit}" for suit in SUITS for rank in range(15)), "J2", "J4"]
PACK = [*KINDS, *["J2", "J4"] * 3]
LARGEST_HAND = {2: 47, 3: 31, 4: 23, 5: 18, 6: 15, 7: 13, 8: 11, 9: 10, 10: 9}
UNDEALT = {2: 4, 3: 5, 4: 6, 5: 8, 6: 8, 7: 7, 8: 10, 9: 8, 10: 8}  # in the last hand

# Hands by seat, the beginning of the pile, the bids from the dealer's left, the whole hand in order of play.
Deal = namedtuple("Deal", "hands pile bids cards", defaults=[None, None])


def spell(names):
    """Card names as text, in order of their ids."""
    return " ".join(sorted(names, key=KINDS.index))


def whole_hands(hands, pile, size):
    """Hands (text by seat) as lists of cards; short ones are filled up with what is not named, jokers last."""
    hands = [hand.split() for hand in hands]
    named = Counter([*pile, *(card for hand in hands for card in hand)])
    assert named <= Counter(PACK), "a card is named too often or is not in the pack"
    rest = list((Counter(PACK) - named).elements())
    for hand in hands:
        assert len(hand) <= size, "too many cards for one hand"
        missing = size - len(hand)
        hand += rest[:missing]
        rest = rest[missing:]
    return hands


def deck_for(hands, pile, dealer, size):
    """The deck that deals these hands and leaves a pile that begins so."""
    pile = pile.split()
    hands = whole_hands(hands, pile, size)
    seats = len(hands)
    named = [hands[(dealer + 1 + place) % seats][place // seats] for place in range(size * seats)] + pile
    return named + list((Counter(PACK) - Counter(named)).elements())


def match(*deals, dealer=None, **options):
    """A table that will be dealt these deals, one after another, and whose match has no other hands.

    The first deal is by `dealer`, else by the last seat: seat 0 is at its left.
    """
    seats = len(deals[0].hands)
    dealer = seats - 1 if dealer is None else dealer
    sizes = options.setdefault("hand_sizes", [max(len(hand.split()) for hand in one.hands) for one in deals])
    game = trick_envs.make("rage_glyphs", num_players=seats, **options)
    decks = [deck_for(one.hands, one.pile, (dealer + k) % seats, sizes[k]) for k, one in enumerate(deals)]
    return game.table(seed=0, decks=decks, dealer=dealer)


def bid(table, bids):
    for number in bids.split():
        table.play(f"bid {number}")


def bid_nothing(table):
    while table.phase == "bid":
        table.play("bid 0")


def play(table, text):
    for card in text.split():
        table.play(card)


def deal(*hands, pile, bids=None, **options):
    """A table at the first lead of a match of one hand; no trick bid unless told."""
    table = match(Deal(hands, pile), **options)
    if bids:
        bid(table, bids)
    else:
        bid_nothing(table)
    assert table.phase == "play"
    return table


def played(*deals, **options):
    """A table at which these deals have been bid and played card by card."""
    table = match(*deals, **options)
    for one in deals:
        bid(table, one.bids)
        play(table, one.cards)
    return table


def play_out(table):
    """Finish the hand with the lowest legal actions: nobody bids a trick unless it must."""
    hand = table.hand_number
    while table.phase != "over" and table.hand_number == hand:
        table.play(table.legal_actions()[0])


def legal(table):
    """What the seat to act may do, as text; of bids the numbers."""
    return " ".join(KINDS[action] if action < 92 else str(action - 92) for action in table.legal_actions())


def fresh(seats=4, seed=0, **options):
    return trick_envs.make("rage_glyphs", num_players=seats, **options).table(seed=seed)


def face(table):
    """All that the public face shows of a table, to see that nothing has changed."""
    return {
        "phase": (table.phase, table.seat, table.legal_actions(), table.truncated, table.winners),
        "hand": (table.hand_number, table.dealer, table.hands(), table.trick, table.tricks_won, table.bids),
        "trump": (table.trump, table.turned),
        "score": (table.scores, list(table.rewards)),
        "history": table.history,
        "saved": table.save(),
    }


def turned_seats(one, places):
    """The same deal with every hand so many places further left."""
    seats = len(one.hands)
    return one._replace(hands=[one.hands[(seat - places) % seats] for seat in range(seats)])


# Seat 0 bids two and wins two, seat 1 none and none, seat 2 one and three.
FIVE = Deal(
    ["14M 13M 0D 1D 2D", "0M 1M 3D 4D 5D", "2M 3M 12D 13D 14D"],
    "0N",
    "2 0 1",
    "14M 0M 2M  13M 1M 3M  0D 3D 14D  13D 1D 4D  12D 2D 5D",
)
THREE_EACH_ONE = Deal(
    ["14M 0D 0H", "0M 14D 1H", "1M 1D 14H"], "0N", "1 1 1", "14M 0M 1M  0D 14D 1D  1H 14H 0H"
)  # everyone wins one trick, as bid


# ---- the pack and the table of actions


def test_kinds_of_cards_by_id():
    cards = list(trick_envs.make("rage_glyphs").cards)
    assert cards == KINDS
    assert " ".join(cards[number] for number in (0, 14, 15, 67, 75, 89, 90, 91)) == "0M 14M 0H 7X 0N 14N J2 J4"


@pytest.mark.parametrize("seats", LARGEST_HAND)
def test_action_table(seats):
    game = trick_envs.make("rage_glyphs", num_players=seats)
    names = [*KINDS, *(f"bid {number}" for number in range(LARGEST_HAND[seats] + 1))]
    assert game.num_actions == 92 + LARGEST_HAND[seats] + 1
    assert [game.action_name(action) for action in range(game.num_actions)] == names
    assert [game.action_id(name) for name in names] == list(range(game.num_actions))


def test_the_action_table_goes_by_the_seats_not_by_the_hand_sizes():
    assert trick_envs.make("rage_glyphs", hand_sizes=[1, 2]).num_actions == 92 + 23 + 1


def test_four_seats_by_default():
    game = trick_envs.make("rage_glyphs")
    assert (game.name, game.num_players) == ("rage_glyphs", 4)


def test_the_whole_pack_is_shuffled():
    seen = set()
    for seed in range(12):
        table = fresh(10, seed, hand_sizes=[9])
        dealt = [card for hand in table.hands() for card in hand]
        assert Counter(dealt + table.turned) <= Counter(PACK)
        seen.update(dealt)
    assert seen == set(KINDS)


def test_jokers_of_a_kind_are_one_action_but_are_held_singly():
    table = deal("J2 J4 J2 5M J2", "1H 2H 3H 4H 5H", pile="0C 1D 2C")
    assert table.hands()[0] == ["5M", "J2", "J2", "J2", "J4"]
    assert table.legal_actions() == [5, 90, 91]
    play(table, "J2 1H")
    assert table.hands()[0] == ["5M", "J2", "J2", "J4"]
    assert table.seat == 1


@pytest.mark.parametrize("rank", range(14))
def test_ranks_rise_from_0_to_14(rank):
    low, high = f"{rank}D", f"{rank + 1}D"
    for first, second, tricks in [(low, high, [0, 1]), (high, low, [1, 0])]:
        table = deal(first, second, pile="0N")
        play(table, f"{first} {second}")
        assert table.tricks_won == tricks


# ---- the deal


@pytest.mark.parametrize("seats", LARGEST_HAND)
def test_hands_grow_by_a_card_to_the_largest(seats):
    table = fresh(seats, seed=3, first_dealer=1)
    sizes, dealers = [], []
    while table.phase != "over":
        sizes.append(sorted(len(hand) for hand in table.hands()))
        dealers.append(table.dealer)
        assert table.hand_number == len(sizes) - 1
        play_out(table)
    assert sizes == [[size] * seats for size in range(1, LARGEST_HAND[seats] + 1)]
    assert dealers == [(1 + hand) % seats for hand in range(len(sizes))]
    assert table.truncated is False


@pytest.mark.parametrize("seats", LARGEST_HAND)
def test_what_is_left_of_the_pack_in_the_last_hand(seats):
    """A J2 under trump horns turns up the whole pile, which holds nothing but horns: its size is seen."""
    size = LARGEST_HAND[seats]
    assert 98 - seats * size == UNDEALT[seats]
    pile = " ".join(f"{rank}N" for rank in range(UNDEALT[seats]))
    table = deal("J2", *[""] * (seats - 1), pile=pile, hand_sizes=[size])
    assert [len(hand) for hand in table.hands()] == [size] * seats
    play(table, "J2")
    assert table.turned == pile.split()
    assert table.trump == "mushrooms"


def test_cards_go_round_one_at_a_time_from_the_dealers_left():
    deck = [card for card in reversed(KINDS) if card[0] != "J"] + ["J2", "J4"] * 4
    table = trick_envs.make("rage_glyphs", num_players=3, hand_sizes=[3]).table(seed=0, decks=[deck], dealer=0)
    assert [spell(hand) for hand in table.hands()] == ["6N 9N 12N", "8N 11N 14N", "7N 10N 13N"]
    assert table.turned == ["5N"]


def test_later_decks_are_dealt_from_the_next_dealers_left():
    deck = [card for card in KINDS if card[0] != "J"] + ["J2", "J4"] * 4
    game = trick_envs.make("rage_glyphs", num_players=3)
    table = game.table(seed=0, decks=[deck, deck[::-1], deck], dealer=1)
    assert (table.hands(), table.turned) == ([["1M"], ["2M"], ["0M"]], ["3M"])
    play_out(table)
    assert table.hands() == [["J2", "J4"], ["J2", "J4"], ["J2", "J4"]]
    assert table.turned == ["J4", "J2", "14N"]
    play_out(table)
    assert table.hands()[1] == ["0M", "3M", "6M"]
    assert table.turned == ["9M"]


def test_hands_past_the_decks_are_as_without_decks():
    game = trick_envs.make("rage_glyphs")
    for seed in range(6):
        shuffled, given = game.table(seed=seed), game.table(seed=seed, decks=[PACK])
        assert given.dealer == shuffled.dealer
        play_out(shuffled)
        play_out(given)
        assert (given.hands(), given.turned) == (shuffled.hands(), shuffled.turned)


def test_play_does_not_change_later_deals():
    low, high = fresh(seed=11), fresh(seed=11)
    while low.hand_number < 5:
        low.play(low.legal_actions()[0])
    while high.hand_number < 5:
        high.play(high.legal_actions()[-1])
    assert low.history != high.history
    assert (low.hands(), low.turned, low.dealer) == (high.hands(), high.turned, high.dealer)


def test_first_dealer_none_is_drawn_from_the_seed():
    assert {fresh(seed=seed).dealer for seed in range(60)} == {0, 1, 2, 3}


@pytest.mark.parametrize("dealer", range(4))
def test_first_dealer_deals_whatever_the_seed(dealer):
    assert {fresh(seed=seed, first_dealer=dealer).dealer for seed in range(8)} == {dealer}


# ---- the first trump


@pytest.mark.parametrize("letter", SUITS)
def test_the_first_card_of_the_pile_is_turned_and_makes_trump(letter):
    hands = ["1M", "1H", "1D"]
    table = match(Deal(hands, f"7{letter} 8H 9N"))
    assert (table.phase, table.turned, table.trump) == ("bid", [f"7{letter}"], SUITS[letter])


def test_jokers_are_passed_over():
    table = match(Deal(["1M", "1H"], "J2 J4 J4 9X 8D"))
    assert (table.turned, table.trump) == (["J2", "J4", "J4", "9X"], "crosses")


@pytest.mark.parametrize(
    ("seats", "pile"),
    [(2, "J4 J2 J4 J4"), (3, "J4 J2 J4 J4 J2"), (4, "J4 J2 J4 J4 J2 J2"), (10, "J2 J4 J2 J4 J2 J4 J2 J4")],
)
def test_a_pile_of_nothing_but_jokers_makes_hearts_trump(seats, pile):
    table = match(Deal([""] * seats, pile), hand_sizes=[LARGEST_HAND[seats]])
    assert (table.turned, table.trump) == (pile.split(), "hearts")


def test_the_last_card_of_the_pile_may_make_trump():
    table = match(Deal(["", ""], "J4 J2 J4 3C"), hand_sizes=[47])
    assert (table.turned, table.trump) == (["J4", "J2", "J4", "3C"], "clovers")


# ---- bidding


def test_bids_go_round_once_from_the_dealers_left():
    table = match(Deal(["1H 2H 3H", "1D 2D 3D", "1C 2C 3C", "1X 2X 3X"], "0N"), dealer=1)
    turns = []
    for number in [3, 0, 2, 1]:
        assert table.phase == "bid"
        turns.append(table.seat)
        table.play(f"bid {number}")
    assert turns == [2, 3, 0, 1]
    assert (table.phase, table.seat) == ("play", 2)
    assert table.bids == [2, 1, 3, 0]


def test_a_bid_is_seen_at_once():
    table = match(Deal(["1H 2H", "1D 2D", "1C 2C"], "0N"))
    assert table.bids == [None, None, None]
    bid(table, "2")
    assert table.bids == [2, None, None]
    bid(table, "0")
    assert table.bids == [2, 0, None]
    assert (table.trick, table.tricks_won) == ([], [0, 0, 0])


@pytest.mark.parametrize("size", [1, 2, 7, 23])
def test_any_number_of_tricks_of_the_hand_may_be_bid(size):
    table = fresh(hand_sizes=[size])
    for number in (size, 0, size, 0):
        assert table.legal_actions() == [92 + tricks for tricks in range(size + 1)]
        table.play(f"bid {number}")
    assert table.phase == "play"


def test_bids_stay_on_the_board_during_play():
    table = deal(*FIVE.hands, pile="0N", bids="2 0 1")
    play(table, "14M 0M 2M")
    assert table.bids == [2, 0, 1]


@pytest.mark.parametrize(
    ("before", "allowed"), [("0 0", "0 1 2"), ("1 0", "0 1 3"), ("1 2", "1 2 3"), ("3 0", "1 2 3"), ("2 2", "0 1 2 3")]
)
def test_hook(before, allowed):
    for hook in (True, False):
        table = match(Deal(["1H 2H 3H", "1D 2D 3D", "1C 2C 3C"], "0N"), hook=hook)
        bid(table, before)
        assert table.seat == table.dealer
        assert legal(table) == (allowed if hook else "0 1 2 3")


def test_hook_binds_the_dealer_alone():
    table = match(Deal(["1H 2H 3H", "1D 2D 3D", "1C 2C 3C"], "0N"), hook=True, dealer=0)
    assert legal(table) == "0 1 2 3"
    bid(table, "3")
    assert (table.seat, legal(table)) == (2, "0 1 2 3")
    bid(table, "0")
    assert (table.seat, legal(table)) == (0, "1 2 3")


def test_hook_moves_with_the_deal():
    table = match(FIVE, turned_seats(FIVE, 1), hook=True)
    bid(table, FIVE.bids)
    play(table, FIVE.cards)
    bid(table, "5 0")
    assert (table.seat, table.dealer, legal(table)) == (0, 0, "1 2 3 4 5")


def test_no_hook_by_default():
    table = match(Deal(["1H", "1D"], "0N"))
    bid(table, "1")
    assert legal(table) == "0 1"


# ---- leading and following


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_dealers_left_leads_the_first_trick(dealer):
    table = match(Deal(["1H", "1D", "1C"], "0N"), dealer=dealer)
    bid_nothing(table)
    assert table.seat == (dealer + 1) % 3


def test_play_goes_clockwise_and_the_winner_leads():
    table = deal("5D 1H 2H", "9D 3H 4H", "14D 5H 6H", "2D 7H 8H", pile="0N", dealer=0)
    turns = []
    for card in ["9D", "14D", "2D"]:
        turns.append(table.seat)
        table.play(card)
    assert turns == [1, 2, 3]
    assert table.trick == [(1, "9D"), (2, "14D"), (3, "2D")]
    table.play("5D")
    assert (table.seat, table.trick, table.tricks_won) == (2, [], [0, 0, 1, 0])
    play(table, "6H 8H 2H 4H")
    assert table.seat == 3


@pytest.mark.parametrize("held", ["5M 0N J2 J4", "J2 J4", "14M 13M 7M"])
def test_anything_may_be_led(held):
    table = deal(held, *["1D 2D 3D 4D", "5D 6D 7D 8D"], pile="0M")
    dealt = table.hands()[0]
    assert set(held.split()) <= set(dealt)
    assert legal(table) == spell(set(dealt))


@pytest.mark.parametrize(
    ("before", "held", "may_play"),
    [
        ("5D", "3D 9D 14M J2", "3D 9D"),  # holding the suit, neither trump nor joker
        ("5D", "3C 14M 0N J4", "14M 3C 0N J4"),  # void: anything
        ("5D", "J2 J2 J4 J4", "J2 J4"),
        ("5M", "3M 9D 0N J2", "3M"),  # trump led
        ("5D 6C", "3D 9C 14M J2", "3D"),  # the led suit is the first, not the last
        ("J4", "3D 9D 14M J2", "14M 3D 9D J2"),  # not set yet
        ("J2", "3D 9D 14M J2", "14M 3D 9D J2"),
        ("J2 J4", "3D 9D 14M J2", "14M 3D 9D J2"),
        ("J4 5C", "3D 9D 2C J2", "2C"),  # set by the first suited card
        ("J4 5C", "3D 9D 2N J2", "3D 9D 2N J2"),
        ("J4 5C 6N", "3N 9D 2C J2", "2C"),
        ("J2 J4 1H", "3H 9H 14M J2", "3H 9H"),
        ("1H J4 J2", "3H 9H 14M J2", "3H 9H"),  # jokers in between change nothing
        ("J2 1H J2", "3H 9M 14M J2", "3H"),
    ],
)
def test_following(before, held, may_play):
    cards = before.split()
    fillers = [f"{rank}X" for rank in range(12)]
    hands = [" ".join([card, *fillers[3 * seat : 3 * seat + 3]]) for seat, card in enumerate(cards)]
    table = deal(*hands, held, "5N 7N 8N 9N", pile="0M 12X 8C")
    play(table, before)
    assert table.seat == len(cards)
    assert legal(table) == may_play


def test_a_new_trump_need_not_be_played_nor_changes_the_led_suit():
    table = deal("5D 0N", "J2 1N", "4C 6D", "9C 2N", pile="0M 3C")
    play(table, "5D J2")
    assert table.trump == "clovers"
    assert legal(table) == "6D"
    play(table, "6D")
    assert legal(table) == "9C 2N"


def test_the_led_suit_is_forgotten_after_the_trick():
    table = deal("5D 0N", "9D 1C", "3D 2C", pile="0M")
    play(table, "5D 9D 3D")
    assert (table.seat, legal(table)) == (1, "1C")
    play(table, "1C")
    assert legal(table) == "2C"


def test_a_forced_action_is_still_asked_for():
    table = deal("5D", "9D", pile="0M")
    assert (table.seat, legal(table)) == (0, "5D")
    assert table.history == [(0, 0, 92), (0, 1, 92)]


def test_history_tells_hand_seat_and_action():
    table = match(Deal(["5D", "J4"], "0M"), Deal(["1M 2M", "3M 4M"], "0N"), dealer=0)
    bid(table, "1 0")
    play(table, "J4 5D")
    bid(table, "2")
    assert table.history == [(0, 1, 93), (0, 0, 92), (0, 1, 91), (0, 0, 35), (1, 0, 94)]


def test_a_card_played_leaves_the_hand():
    table = deal("5D 0N J2", "9D 1C 1M", pile="0M")
    play(table, "5D")
    assert table.hands() == [["0N", "J2"], ["1M", "9D", "1C"]]


# ---- who wins a trick


@pytest.mark.parametrize(
    ("trick", "pile", "taker"),
    [
        ("5D 9D 3D 7D", "0M", 1),  # the highest of the led suit
        ("0D 14M 14H 14N", "4C", 0),  # no other suit, however high
        ("14D 2M 14H 14N", "4M", 1),  # trump
        ("5D 2M 7M 14D", "4M", 2),  # the highest trump
        ("2C 13C 14C 1C", "4C", 2),  # trump led
        ("J4 3D 9D 14M", "5M", 2),  # worked example
        ("5X 9X J2 2D", "4D 0X", 1),  # worked example
        ("5X 14N 9X J2", "4D 3N", 1),  # the last card makes an earlier discard a trump
        ("5X 2M 9X J4", "4M", 2),  # the last card makes an earlier trump a discard
        ("5X 2M 9X J2", "4M 7C", 2),
        ("J2 5X 14M 9N", "4M 7N", 3),
        ("J4 J2 5X 2C", "4M 7C", 3),  # trump is back
        ("J2 J4 5X 2C", "4M 7C", 2),  # trump is gone
    ],
)
def test_the_trick_is_judged_when_complete(trick, pile, taker):
    table = deal(*trick.split(), pile=pile)
    play(table, trick)
    assert table.tricks_won == [int(seat == taker) for seat in range(4)]


@pytest.mark.parametrize(
    ("trick", "taker"),
    [
        ("J2 J2 J4 0N", 3),
        ("0N J4 J4 J2", 0),
        ("J4 0N J2 J2", 1),
        ("J4 J4 0N 1M", 2),
        ("J4 J4 J4 J4", 0),
        ("J2 J2 J2 J2", 0),
        ("J4 J2 J4 J2", 0),
    ],
)
@pytest.mark.parametrize("dealer", range(4))
def test_a_joker_wins_only_among_jokers_and_then_the_first(trick, taker, dealer):
    cards = trick.split()
    table = deal(*[cards[(seat - dealer - 1) % 4] for seat in range(4)], pile="4C 5D 6H 7X 8D", dealer=dealer)
    play(table, trick)
    assert table.tricks_won == [int(seat == (dealer + 1 + taker) % 4) for seat in range(4)]


def test_the_first_joker_of_a_trick_of_jokers_leads_the_next():
    table = deal("J4 1D", "J2 2D", "J2 3D", pile="4C 5D 6H", dealer=0)
    play(table, "J2 J2 J4")
    assert (table.seat, table.tricks_won) == (1, [0, 1, 0])


# ---- jokers and trump


def test_a_two_dot_joker_changes_trump_at_once():
    table = deal("5X", "J2", "9X", pile="4D 0C")
    play(table, "5X")
    assert table.trump == "diamonds"
    play(table, "J2")
    assert (table.trump, table.trick) == ("clovers", [(0, "5X"), (1, "J2")])


def test_a_four_dot_joker_abolishes_trump_at_once():
    table = deal("5X", "J4", "9X", pile="4D 0C")
    play(table, "5X J4")
    assert (table.trump, table.trick) == (None, [(0, "5X"), (1, "J4")])
    assert table.turned == ["4D"]


@pytest.mark.parametrize(
    ("pile", "jokers", "trumps", "opened"),
    [
        ("7H 4H J4 12N 3C", "J2", ["horns"], 4),  # worked example
        ("7H 4C 5D", "J2 J2", ["clovers", "diamonds"], 3),
        ("7H 4C 5C J2 3H 2M", "J2 J2", ["clovers", "hearts"], 5),  # hearts again
        ("7H J2 J4 4C 3D", "J2", ["clovers"], 4),
        ("7H 4C", "J4 J4", [None, None], 1),
        ("7H 4H 4C", "J4 J2", [None, "hearts"], 2),  # with no trump the suit that was it serves too
        ("7H J4 4C 4H", "J4 J2 J2", [None, "clovers", "hearts"], 4),
        ("7H 4C 3C 2D", "J2 J4 J2", ["clovers", None, "clovers"], 3),
        ("7H 4C 3C 2D", "J2 J4 J4", ["clovers", None, None], 2),
    ],
)
def test_what_jokers_make_of_trump_and_turn_up(pile, jokers, trumps, opened):
    seats = [f"{joker} {rank}X" for rank, joker in enumerate(jokers.split())]
    table = deal(*seats, "7X 8X", pile=pile)
    for joker, trump in zip(jokers.split(), trumps, strict=True):
        table.play(joker)
        assert table.trump == trump
    assert table.turned == pile.split()[:opened]


@pytest.mark.parametrize(
    ("pile", "jokers", "trumps"),
    [
        ("4M 5M 6M 7M", "J2", ["hearts"]),
        ("4H J4 5H 6H", "J2", ["diamonds"]),  # jokers are no other suit
        ("4D 5D 6D 7D", "J2", ["clovers"]),
        ("4C 5C 6C 7C", "J2", ["crosses"]),
        ("4X 5X J2 7X", "J2", ["horns"]),
        ("4N 5N 6N 7N", "J2", ["mushrooms"]),
        ("4H 5H 6H 7H", "J2 J2 J2 J2", ["diamonds", "clovers", "crosses", "horns"]),  # empty from the second on
        ("4H 5H 6H 7D", "J2 J2", ["diamonds", "clovers"]),  # the last card of the pile serves
        ("4N 5M 6M 7M", "J2 J2", ["mushrooms", "hearts"]),
        ("J2 J4 J4 J2", "J2 J2", ["diamonds", "clovers"]),  # hearts for want of a suit, and no pile left
        ("4X 5X 6X 7X", "J2 J4 J2", ["horns", None, "mushrooms"]),  # the last that was trump is horns
        ("4C J4 J4 J4", "J4 J2 J2", [None, "crosses", "horns"]),  # none is trump and none comes up
        ("4C J4 J4 9C", "J4 J2 J2", [None, "clovers", "crosses"]),
        ("J4 J4 J4 J2", "J4 J2", [None, "diamonds"]),
    ],
)
def test_the_pile_runs_out(pile, jokers, trumps):
    """Two seats with the largest hands, so that the pile has four cards; they play jokers in turn."""
    cards = jokers.split()
    table = deal(" ".join(cards[0::2]), " ".join(cards[1::2]), pile=pile, hand_sizes=[47])
    for joker, trump in zip(cards, trumps, strict=True):
        table.play(joker)
        assert table.trump == trump
    assert table.turned == pile.split()


def test_an_empty_pile_stays_as_it_lies():
    table = deal("J2 J2", "J2 J2", pile="4H 5H 6H 7H", hand_sizes=[47])
    play(table, "J2")
    for _ in range(3):
        assert table.turned == ["4H", "5H", "6H", "7H"]
        table.play("J2")


def test_a_new_trump_holds_in_later_tricks():
    table = deal("J2 5D 7D", "1D 2C 3X", "2D 6X 4H", pile="4M 0C")
    play(table, "J2 1D 2D")
    assert table.seat == 2
    play(table, "6X 5D 3X")
    assert (table.seat, table.trump) == (2, "clovers")
    play(table, "4H 7D 2C")
    assert table.tricks_won == [0, 1, 2]


def test_no_trump_holds_in_later_tricks():
    table = deal("J4 5M 7M", "1D 2C 3X", "2D 6X 4H", pile="4M 0C")
    play(table, "J4 1D 2D")
    play(table, "6X 5M 3X")
    assert (table.seat, table.trump) == (2, None)
    play(table, "4H 7M 2C")
    assert table.tricks_won == [0, 0, 3]


@pytest.mark.parametrize("joker", ["J2", "J4"])
def test_a_joker_holds_only_until_the_hand_ends(joker):
    table = match(Deal([joker, "1D"], "4M 0C"), Deal(["5D 6D", "7D 8D"], "3H 4C"))
    bid_nothing(table)
    play(table, f"{joker} 1D")
    assert (table.hand_number, table.trump, table.turned) == (1, "hearts", ["3H"])


# ---- scores


def test_worked_example_of_scores():
    assert played(FIVE).scores == [12, 10, 3]


@pytest.mark.parametrize(
    ("bids", "options", "scores"),
    [
        ("2 0 1", {}, [12, 10, 3]),
        ("2 0 3", {}, [12, 10, 13]),
        ("0 1 5", {}, [2, 0, 3]),
        ("2 0 1", {"exact_bonus": 10, "zero_bonus": 10, "miss_penalty": 0}, [12, 10, 3]),
        ("2 0 1", {"exact_bonus": 7}, [9, 7, 3]),  # an exact zero like any other
        ("2 0 1", {"exact_bonus": 0}, [2, 0, 3]),
        ("2 0 1", {"exact_bonus": 7, "zero_bonus": None}, [9, 7, 3]),
        ("2 0 1", {"zero_bonus": 5}, [12, 5, 3]),
        ("2 0 1", {"zero_bonus": 0}, [12, 0, 3]),
        ("2 0 1", {"exact_bonus": 0, "zero_bonus": 5}, [2, 5, 3]),
        ("2 1 1", {"zero_bonus": 5}, [12, 0, 3]),  # no trick won, but one bid
        ("0 0 1", {"zero_bonus": 5}, [2, 5, 3]),  # none bid, but two won
        ("2 0 1", {"miss_penalty": 5}, [12, 10, -2]),
        ("1 1 1", {"miss_penalty": 5}, [-3, -5, -2]),
        ("2 0 3", {"miss_penalty": 5}, [12, 10, 13]),
        ("2 0 1", {"zero_bonus": 5, "miss_penalty": 5}, [12, 5, -2]),
        ("2 0 1", {"exact_bonus": 60, "zero_bonus": 40, "miss_penalty": 30}, [62, 40, -27]),
    ],
)
def test_scores(bids, options, scores):
    assert played(FIVE._replace(bids=bids), **options).scores == scores


def test_scores_come_when_the_last_card_is_played():
    table = match(FIVE, FIVE)
    bid(table, FIVE.bids)
    for card in FIVE.cards.split()[:-1]:
        table.play(card)
        assert (table.scores, table.hand_number, table.phase) == ([0, 0, 0], 0, "play")
    table.play("5D")
    assert (table.scores, table.hand_number, table.phase) == ([12, 10, 3], 1, "bid")
    assert (table.bids, table.tricks_won, table.trick) == ([None] * 3, [0] * 3, [])


def test_scores_add_up_over_the_hands():
    assert played(FIVE, turned_seats(FIVE, 1)).scores == [12 + 3, 10 + 12, 3 + 10]


def test_scores_may_fall_below_zero():
    table = played(FIVE._replace(bids="1 1 1"), turned_seats(FIVE, 1)._replace(bids="1 1 1"), miss_penalty=5)
    assert table.scores == [-3 - 2, -5 - 3, -2 - 5]
    assert table.winners == [0]


# ---- the end of the match


def assert_over(table, scores, winners, hand_number, truncated=False):
    assert (table.phase, table.seat, table.legal_actions()) == ("over", -1, [])
    assert (table.scores, table.winners, table.truncated) == (scores, winners, truncated)
    assert table.hand_number == hand_number


def assert_goes_on(table):
    assert (table.phase, table.winners, table.truncated) == ("bid", [], False)


def test_the_match_ends_after_the_last_hand():
    assert_goes_on(played(FIVE, hand_sizes=[5, 5]))
    assert_over(played(FIVE, turned_seats(FIVE, 1)), [15, 22, 13], [1], 1)


def test_one_hand_may_be_a_match():
    assert_over(played(FIVE), [12, 10, 3], [0], 0)


def test_equal_totals_share_the_win():
    assert_over(played(FIVE, zero_bonus=12), [12, 12, 3], [0, 1], 0)
    all_bid_nothing = Deal(["14M", "0M", "1M"], "0N", "0 0 0", "14M 0M 1M")
    assert_over(played(all_bid_nothing), [1, 10, 10], [1, 2], 0)


def test_all_may_share_the_win():
    assert_over(played(THREE_EACH_ONE), [11, 11, 11], [0, 1, 2], 0)
    rounds = [turned_seats(FIVE, places) for places in range(3)]
    assert_over(played(*rounds), [25, 25, 25], [0, 1, 2], 2)


def test_the_board_stays_after_the_end():
    table = played(FIVE, turned_seats(FIVE, 1))
    assert table.dealer == 0
    assert (table.bids, table.tricks_won) == ([1, 2, 0], [3, 2, 0])
    assert (table.trump, table.turned, table.trick) == ("horns", ["0N"], [])
    assert table.hands() == [[], [], []]


def test_num_hands_cuts_the_match_short():
    assert_over(played(FIVE, hand_sizes=[5, 5, 1], num_hands=1), [12, 10, 3], [0], 0)
    assert_goes_on(played(FIVE, hand_sizes=[5, 5, 1], num_hands=2))
    assert_over(played(FIVE, turned_seats(FIVE, 1), hand_sizes=[5, 5, 1], num_hands=2), [15, 22, 13], [1], 1)


@pytest.mark.parametrize("num_hands", [1, 2, 9])
def test_num_hands_of_growing_hands(num_hands):
    table = fresh(10, num_hands=num_hands)
    for size in range(1, num_hands + 1):
        assert [len(hand) for hand in table.hands()] == [size] * 10
        play_out(table)
    assert (table.phase, table.hand_number, table.truncated) == ("over", num_hands - 1, False)


def test_max_hands_truncates_as_the_scores_stand():
    assert_over(played(FIVE, hand_sizes=[5, 5, 1], max_hands=1), [12, 10, 3], [0], 0, truncated=True)
    assert_goes_on(played(FIVE, hand_sizes=[5, 5, 1], max_hands=2))
    assert_over(
        played(FIVE, turned_seats(FIVE, 1), hand_sizes=[5, 5, 1], max_hands=2), [15, 22, 13], [1], 1, truncated=True
    )


def test_max_hands_shares_the_win_too():
    assert_over(played(THREE_EACH_ONE, hand_sizes=[3, 1], max_hands=1), [11, 11, 11], [0, 1, 2], 0, truncated=True)


def test_max_hands_before_num_hands_truncates():
    assert_over(played(FIVE, hand_sizes=[5, 5, 1], num_hands=2, max_hands=1), [12, 10, 3], [0], 0, truncated=True)


@pytest.mark.parametrize("end", [{"hand_sizes": [5, 1], "num_hands": 1}, {"hand_sizes": [5]}])
def test_an_agreed_end_in_the_hand_that_reaches_max_hands_terminates(end):
    assert_over(played(FIVE, max_hands=1, **end), [12, 10, 3], [0], 0, truncated=False)


def test_max_hands_may_lie_beyond_the_match():
    assert_over(played(FIVE, max_hands=1000), [12, 10, 3], [0], 0)


@pytest.mark.parametrize("sizes", [[3, 1, 2], (2, 2), [23, 1], [1]])
def test_hand_sizes_are_followed(sizes):
    table = fresh(hand_sizes=sizes)
    seen = []
    while table.phase != "over":
        assert {len(hand) for hand in table.hands()} == {len(table.legal_actions()) - 1}
        seen.append(len(table.hands()[0]))
        play_out(table)
    assert seen == list(sizes)
    assert table.truncated is False


# ---- rewards


def rewards(table):
    return pytest.approx(list(table.rewards))


def test_rewards_are_zero_until_the_hand_is_settled():
    table = match(FIVE, turned_seats(FIVE, 1))
    assert rewards(table) == [0, 0, 0]
    bid(table, FIVE.bids)
    for card in FIVE.cards.split()[:-1]:
        assert rewards(table) == [0, 0, 0]
        table.play(card)
    table.play(FIVE.cards.split()[-1])
    assert rewards(table) == [12, 10, 3]
    table.play("bid 0")
    assert rewards(table) == [0, 0, 0]


def test_points_are_the_change_of_the_score():
    assert rewards(played(FIVE, turned_seats(FIVE, 1))) == [3, 12, 10]
    assert rewards(played(FIVE, miss_penalty=5)) == [12, 10, -2]


@pytest.mark.parametrize("end", [{}, {"max_hands": 1}, {"hand_sizes": [5, 1]}, {"hand_sizes": [5, 1], "max_hands": 1}])
def test_points_are_given_however_the_match_goes_on_or_ends(end):
    assert rewards(played(FIVE, **end)) == [12, 10, 3]


def test_relative_is_own_points_less_the_mean_of_the_others():
    table = played(FIVE, rewards="relative")
    assert rewards(table) == [12 - 6.5, 10 - 7.5, 3 - 11]
    table = played(FIVE, turned_seats(FIVE, 1), rewards="relative")  # of the hand, not of the match
    assert rewards(table) == [3 - 11, 12 - 6.5, 10 - 7.5]
    assert table.scores == [15, 22, 13]


def test_placement_comes_only_at_the_end():
    table = match(FIVE, turned_seats(FIVE, 1), rewards="placement")
    for _ in range(2):
        bid(table, FIVE.bids)
        for card in FIVE.cards.split():
            assert rewards(table) == [0, 0, 0]
            table.play(card)
    assert rewards(table) == [0, 1, -1]  # of the match: of the last hand it would be -1 1 0


@pytest.mark.parametrize("end", [{}, {"max_hands": 1}])
@pytest.mark.parametrize(
    ("deal_", "options", "expected"),
    [
        (FIVE, {}, [1, 0, -1]),
        (FIVE, {"zero_bonus": 12}, [0.5, 0.5, -1]),
        (FIVE, {"zero_bonus": 3}, [1, -0.5, -0.5]),
        (THREE_EACH_ONE, {}, [0, 0, 0]),
    ],
)
def test_placement_shares_ties(deal_, options, expected, end):
    sizes = [len(deal_.hands[0].split())] + [1] * bool(end)
    table = played(deal_, rewards="placement", hand_sizes=sizes, **options, **end)
    assert table.truncated is bool(end)
    assert rewards(table) == expected


def test_placement_of_two_seats():
    assert rewards(played(Deal(["1D", "2D"], "0N", "0 1", "1D 2D"), rewards="placement")) == [-1, 1]  # 10 to 11


# ---- illegal actions


def illegal(table, action):
    """Try an illegal action; its message, the table being unchanged."""
    before = face(table)
    with pytest.raises(trick_envs.IllegalAction) as refused:
        table.play(action)
    assert face(table) == before
    return str(refused.value)


def test_illegal_card_names_seat_action_phase_and_what_is_legal():
    table = deal("5D 1H", "3D J2", "4D 2H", pile="0M 7C")
    play(table, "5D")
    message = illegal(table, "J2")
    for part in ["J2", "seat 1", "play", "3D"]:
        assert part in message
    assert "J2" in illegal(table, 90)


def test_illegal_bid_names_seat_action_phase_and_what_is_legal():
    table = match(Deal(["5D 1H", "3D J2", "4D 2H"], "0M"))
    message = illegal(table, "bid 3")
    for part in ["bid 3", "seat 0", "bid 0", "bid 1", "bid 2"]:
        assert part in message
    assert "bid 3" in illegal(table, 95)


def test_what_the_hook_forbids_is_illegal():
    table = match(Deal(["5D 1H", "3D J2", "4D 2H"], "0M"), hook=True)
    bid(table, "1 0")
    assert "bid 1" in illegal(table, "bid 1")
    bid(table, "2")
    assert table.phase == "play"


@pytest.mark.parametrize("action", ["5D", "J2", 35, 90])
def test_no_card_is_played_before_the_bidding_is_over(action):
    table = match(Deal(["5D J2", "3D 1C", "4D 2H"], "0M"))
    illegal(table, action)
    bid(table, "0 0")
    illegal(table, action)


@pytest.mark.parametrize("action", ["bid 0", "bid 1", 92])
def test_no_bid_after_the_bidding(action):
    table = deal("5D 1H", "3D J2", "4D 2H", pile="0M")
    illegal(table, action)


def test_cards_that_are_not_held_are_illegal():
    table = deal("5D 1H", "3D J2", "4D 2H", pile="0M")
    for card in ["3D", "J2", "J4", "0M", "14N"]:
        illegal(table, card)
    play(table, "5D 3D 4D")
    for card in ["5D", "4D"]:
        illegal(table, card)


@pytest.mark.parametrize("action", [-1, 92 + 31 + 1, 10**9, "15M", "1Z", "J3", "bid", "bid 32", "bid -1", "", "5D 1H"])
def test_what_is_no_action_at_all_is_illegal(action):
    table = deal("5D 1H", "3D J2", "4D 2H", pile="0M")
    message = illegal(table, action)
    assert str(action) in message
    assert "5D" in message


def test_nothing_is_legal_after_the_match():
    table = played(FIVE)
    for action in ["14M", 0, "bid 0", "J2"]:
        assert "over" in illegal(table, action)


def test_play_goes_on_after_an_illegal_action():
    table = deal("5D 1H", "3D J2", "4D 2H", pile="0M")
    play(table, "5D")
    illegal(table, "J2")
    play(table, "3D 4D")
    assert (table.trump, table.tricks_won) == ("mushrooms", [1, 0, 0])


# ---- options


def test_options_tell_every_default():
    options = trick_envs.make("rage_glyphs").options
    defaults = {
        "exact_bonus": 10,
        "miss_penalty": 0,
        "hook": False,
        "num_players": 4,
        "num_hands": None,
        "max_hands": None,
        "first_dealer": None,
        "rewards": "points",
        "observation": "features",
        "memory": "perfect",
    }
    assert {name: options.get(name, "missing") for name in defaults} == defaults
    assert {"hand_sizes", "zero_bonus"} < set(options)


def test_none_stands_for_growing_hands_and_for_the_exact_bonus():
    default = trick_envs.make("rage_glyphs", exact_bonus=7)
    assert trick_envs.make("rage_glyphs", exact_bonus=7, hand_sizes=None, zero_bonus=None) == default
    assert trick_envs.make("rage_glyphs", exact_bonus=7, zero_bonus=5) != default


def test_options_tell_what_was_given():
    given = {"exact_bonus": 20, "zero_bonus": 5, "miss_penalty": 5, "hook": True, "num_hands": 2, "max_hands": 7}
    options = trick_envs.make("rage_glyphs", num_players=6, hand_sizes=[3, 15], **given).options
    assert {name: options[name] for name in given} == given
    assert list(options["hand_sizes"]) == [3, 15]


def test_a_list_and_a_tuple_of_sizes_are_the_same():
    as_list = trick_envs.make("rage_glyphs", hand_sizes=[2, 1])
    as_tuple = trick_envs.make("rage_glyphs", hand_sizes=(2, 1))
    assert as_list == as_tuple
    assert hash(as_list) == hash(as_tuple)
    assert as_list != trick_envs.make("rage_glyphs", hand_sizes=[1, 2])


def test_a_match_may_have_128_hands():
    table = fresh(2, hand_sizes=[1] * 128)
    for hand in range(128):
        assert (table.hand_number, table.phase) == (hand, "bid")
        play_out(table)
    assert table.phase == "over"


def refused(**options):
    with pytest.raises(ValueError, match="|".join(options)) as error:
        trick_envs.make("rage_glyphs", **options)
    return str(error.value)


def test_unknown_option_is_refused():
    message = refused(hok=True)
    for part in ["hok", "True", "hook"]:  # the option, the value, what there is instead
        assert part in message


@pytest.mark.parametrize("seats", [0, 1, 11, -4])
def test_seat_count_that_the_game_does_not_have_is_refused(seats):
    message = refused(num_players=seats)
    for part in ["num_players", str(seats), "2", "10"]:
        assert re.search(rf"(?<!\w){part}(?!\w)", message), message


@pytest.mark.parametrize(
    ("option", "values", "allowed"),
    [
        ("num_players", ["4", 4.0, None, True], ["2", "10"]),
        ("exact_bonus", [-1, "10", 2.5, None, True], ["0"]),
        ("zero_bonus", ["5", 2.5, True], ["None"]),
        ("miss_penalty", [-1, "5", 2.5, None, True], ["0"]),
        ("hook", ["yes", 1, None], ["bool(ean)?|True or False"]),
        ("hand_sizes", [5, "abc", 2.5, True], ["23"]),
        ("num_hands", [0, -1, 2.5, "7", True], ["1", "None"]),
        ("max_hands", [0, -1, 2.5, "99", True], ["1", "None"]),
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


@pytest.mark.parametrize(
    ("seats", "sizes", "wrong"),
    [
        (4, [24], "24"),
        (4, [1, 2, 24, 3], "24"),
        (4, [0], "0"),
        (4, [5, -1], "-1"),
        (10, [9, 10], "10"),
        (2, [48], "48"),
        (4, ["2"], "'2'"),
        (4, [2.0], "2.0"),
        (4, [None], "None"),
        (4, [], r"\[\]|\(\)"),
    ],
)
def test_hand_sizes_that_cannot_be_dealt_are_refused(seats, sizes, wrong):
    message = refused(num_players=seats, hand_sizes=sizes)
    assert "hand_sizes" in message
    assert re.search(wrong, message), message
    assert re.search(rf"\b{LARGEST_HAND[seats]}\b", message), message


@pytest.mark.parametrize("seats", LARGEST_HAND)
def test_the_largest_hand_is_allowed_and_no_larger(seats):
    assert {len(hand) for hand in fresh(seats, hand_sizes=[LARGEST_HAND[seats]]).hands()} == {LARGEST_HAND[seats]}
    refused(num_players=seats, hand_sizes=[LARGEST_HAND[seats] + 1])


def test_more_than_128_hands_are_refused():
    message = refused(hand_sizes=[1] * 129)
    assert "hand_sizes" in message
    assert "128" in message


@pytest.mark.parametrize("seats", LARGEST_HAND)
def test_num_hands_may_not_exceed_the_growing_hands(seats):
    most = LARGEST_HAND[seats]
    assert trick_envs.make("rage_glyphs", num_players=seats, num_hands=most).options["num_hands"] == most
    with pytest.raises(ValueError, match="num_hands") as error:
        trick_envs.make("rage_glyphs", num_players=seats, num_hands=most + 1)
    for part in [str(most), str(most + 1)]:
        assert re.search(rf"\b{part}\b", str(error.value))


def test_num_hands_may_not_exceed_the_hand_sizes():
    assert trick_envs.make("rage_glyphs", hand_sizes=[4, 4], num_hands=2).options["num_hands"] == 2
    with pytest.raises(ValueError, match="num_hands") as error:
        trick_envs.make("rage_glyphs", hand_sizes=[4, 4], num_hands=3)
    for part in ["2", "3"]:
        assert re.search(rf"\b{part}\b", str(error.value))


@pytest.mark.parametrize("option", ["exact_bonus", "zero_bonus", "miss_penalty"])
@pytest.mark.parametrize("value", [0, 1, 5, 100])
def test_bonuses_and_penalty_take_any_number_from_0(option, value):
    scores = played(FIVE, **{option: value}).scores
    expected = {"exact_bonus": [2 + value, value, 3], "zero_bonus": [12, value, 3], "miss_penalty": [12, 10, 3 - value]}
    assert scores == expected[option]


# ---- decks and dealers that are refused


def refused_deck(*decks):
    with pytest.raises(ValueError, match=r".") as error:
        trick_envs.make("rage_glyphs").table(seed=0, decks=list(decks))
    return str(error.value)


@pytest.mark.parametrize("wrong", ["15M", "7Z", "J3", "2x", "QS"])
def test_deck_with_a_card_that_does_not_exist_is_refused(wrong):
    assert repr(wrong)[1:-1] in refused_deck([wrong, *PACK[1:]])


@pytest.mark.parametrize("card", ["0M", "14N", "J2", "J4"])
def test_deck_with_a_missing_card_is_refused(card):
    deck = list(PACK)
    deck.remove(card)
    assert card in refused_deck(deck)


@pytest.mark.parametrize("card", ["0M", "14N", "J2", "J4"])
def test_deck_with_a_card_too_many_is_refused(card):
    assert card in refused_deck([*PACK, card])


@pytest.mark.parametrize(("there", "missing"), [("0M", "7X"), ("J2", "J4"), ("J4", "0N"), ("3C", "J2")])
def test_deck_with_one_card_in_place_of_another_is_refused(there, missing):
    deck = list(PACK)
    deck[deck.index(missing)] = there
    message = refused_deck(deck)
    assert there in message or missing in message


def test_later_decks_are_looked_at_beforehand_too():
    assert "0M" in refused_deck(PACK, PACK[1:])


@pytest.mark.parametrize("dealer", [4, -1, "0"])
def test_dealer_that_is_no_seat_is_refused(dealer):
    with pytest.raises(ValueError, match=re.escape(str(dealer))):
        trick_envs.make("rage_glyphs").table(seed=0, dealer=dealer)
