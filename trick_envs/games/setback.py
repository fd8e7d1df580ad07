"""Setback, also called Pitch or High-Low-Jack, for two to four seats. High score wins.

Source: the Norwegian Setback rulebook ("Tilbakeslag": up to four players, as two teams or each alone). In our words,
in its order:

Deal       Six cards a seat, three at a time, from the standard 52, ace high. The rest is out of the hand.
Bidding    One turn a seat, from the dealer's left: two, three, four or smudge, higher than all bids before, or pass.
           The dealer, who speaks last, may take the highest bid over for himself, and must bid if nobody has.
Pitch      The highest bidder leads. The suit of that card is trump.
Play       Follow the suit led, or trump at any time; a seat that has none of the suit led plays what it likes.
           The highest trump takes the trick, or else the highest card of the suit led. The taker leads.
Count      A point each for the highest trump in play, the lowest, the jack, and the most card points in tricks.
           A bid is made with as many points as were bid; a smudge takes all four points and all six tricks and is
           worth five. A side that fails is set back by its bid.
Match      Until a side that makes its own bid stands at the target.
"""

from typing import Annotated, Any, Literal

import numpy as np
from numba.extending import register_jitable
from pydantic import Field, model_validator

from trick_envs.bits import bit, count, highest, lowest
from trick_envs.cards import FRENCH
from trick_envs.games.options import Count, GameOptions
from trick_envs.games.table import (
    BID,
    NOBODY,
    OVER,
    PLAY,
    add_to_trick,
    clear_tricks,
    high_score_wins,
    seat_after,
    table_fields,
    void_suits,
    win_trick,
)

NAME = "setback"
VERSION = 0
SEATS = range(2, 5)
MAX_SEATS = SEATS[-1]
PARTNERSHIP_SEATS = 4
PACK = FRENCH

# --- Actions ---------------------------------------------------------------------------------------------------

BID_PASS = len(PACK.names)
BID_NAMES = ("bid 2", "bid 3", "bid 4", "smudge")
LOWEST_BID = 2
SMUDGE = LOWEST_BID + len(BID_NAMES) - 1  # as a bid it is five points
BIDS = BID_PASS + 1 - LOWEST_BID  # the action of bid b is BIDS + b
PASSED = 0  # as a bid
NOT_BID = -1


def action_names(options: "Options") -> tuple[str, ...]:
    """Names of the actions by id."""
    return (*PACK.names, "pass", *BID_NAMES)


# --- Cards and their points ------------------------------------------------------------------------------------

RANKS = len(PACK.ranks)
SUIT_CARDS = PACK.suit_sets
TENS, JACKS, QUEENS, KINGS, ACES = (PACK.rank(rank) for rank in "TJQKA")
CARDS_EACH = 6
PACKET = 3
ALL_POINTS = 4  # high, low, jack and game


def pack(options: "Options") -> tuple[int, ...]:
    """The card ids of the pack in play."""
    return tuple(range(len(PACK.names)))


GAME_ACES = ("trump", "all")
LOW_TO = ("winner", "holder")


class Options(GameOptions):
    """The options of Setback, beside those of every game.

    partners: seats 0 and 2 play against 1 and 3; by default so with four seats.
    target: score at which a side that makes its bid wins.
    game_aces: whether only the ace of trumps or all aces count four card points.
    low_to: the lowest trump counts for the side that wins it or for the side that was dealt it.
    dealer_steals: the dealer may take over the highest bid.
    must_bid_out: whether only a side that makes its bid can win the match; otherwise any side at the target does.
    defenders_score_on_set: the other sides score their points when the bid fails.
    """

    num_players: Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])] = 4
    max_hands: Count | None = 50
    partners: bool = True
    target: Count = 21
    game_aces: Literal["trump", "all"] = "trump"
    low_to: Literal["winner", "holder"] = "winner"
    dealer_steals: bool = True
    must_bid_out: bool = True
    defenders_score_on_set: bool = True

    @model_validator(mode="before")
    @classmethod
    def _partners_by_default(cls, given: dict[str, Any]) -> dict[str, Any]:
        return {"partners": given.get("num_players", PARTNERSHIP_SEATS) == PARTNERSHIP_SEATS} | given

    @model_validator(mode="after")
    def _partners_are_two(self) -> "Options":
        if self.partners and self.num_players != PARTNERSHIP_SEATS:
            raise ValueError(f"partners={self.partners}: should be False with {self.num_players} seats")
        return self

    @property
    def usual_score(self) -> int:
        """Scores rarely lie further from 0."""
        return self.target

    def write(self, table: np.void) -> None:
        super().write(table)
        table["partners"] = self.partners
        table["target"] = self.target
        table["all_aces_count"] = self.game_aces == "all"
        table["low_to_holder"] = self.low_to == "holder"
        table["dealer_steals"] = self.dealer_steals
        table["must_bid_out"] = self.must_bid_out
        table["defenders_score_on_set"] = self.defenders_score_on_set


FIELDS = [
    *table_fields(MAX_SEATS, words=1),
    # The agreed options
    ("partners", np.int8),
    ("target", np.int32),
    ("all_aces_count", np.int8),
    ("low_to_holder", np.int8),
    ("dealer_steals", np.int8),
    ("must_bid_out", np.int8),
    ("defenders_score_on_set", np.int8),
    # The hand: sets of cards by seat
    ("hand", np.int64, (MAX_SEATS,)),
    ("played", np.int64, (MAX_SEATS,)),
    ("taken", np.int64, (MAX_SEATS,)),  # won in tricks
    ("not_held", np.int64, (MAX_SEATS,)),  # what the seat's plays have shown that it does not hold
    ("bids", np.int8, (MAX_SEATS,)),  # NOT_BID, PASSED, or points bid, a smudge being five
    ("highest_bid", np.int8),  # PASSED while nobody has bid
    ("pitcher", np.int8),  # seat that bids highest so far, NOBODY while none has bid
    ("made", np.int8),  # 1 when the hand is over and the bid was made
    ("points", np.int8, (MAX_SEATS,)),  # of the hand when it is over, by side
    ("trump_cards", np.int64),  # all cards of the trump suit, none before the pitch
    ("led_suit", np.int64),  # all cards of the suit led to the trick on the table
    ("trick_cards", np.int64),  # the cards on the table as a set
    ("winner", np.int8),  # seat that is winning the trick on the table
    ("winning_card", np.int8),
]


# --- The hand, in the order of the rulebook --------------------------------------------------------------------


@register_jitable
def begin_match(table, draw):
    """Nothing is settled by lot but the dealer."""


@register_jitable
def deal(table, deck):
    """Deal six cards a seat, three at a time from the dealer's left; ``deck`` has card ids."""
    clear_tricks(table)
    for seat in range(table.num_players):
        table.hand[seat] = 0
        table.played[seat] = 0
        table.taken[seat] = 0
        table.not_held[seat] = 0
        table.bids[seat] = NOT_BID
        table.points[seat] = 0
    table.highest_bid = PASSED
    table.pitcher = NOBODY
    table.made = 0
    table.trump_cards = 0
    table.led_suit = 0
    table.trick_cards = 0
    table.winner = 0
    table.winning_card = 0
    for place in range(CARDS_EACH * table.num_players):
        seat = seat_after(table, table.dealer, 1 + place // PACKET % table.num_players)
        table.hand[seat] |= bit(deck[place])
    table.phase = BID
    table.seat = seat_after(table, table.dealer, 1)


@register_jitable
def legal(table):
    """The set of legal actions, as a tuple of words."""
    if table.phase == BID:
        return (biddable(table),)
    if table.phase == PLAY:
        return (playable(table, table.hand[table.seat]),)
    return (0,)


@register_jitable
def play(table, action):
    """Do a legal action. Leaves the phase OVER when the hand is, with ``hand_scores`` filled in."""
    if table.phase == BID:
        bid(table, PASSED if action == BID_PASS else action - BIDS)
    else:
        play_card(table, action)


@register_jitable
def biddable(table):
    """What the seat to act may bid."""
    dealer_speaks = table.seat == table.dealer
    lowest_bid = max(LOWEST_BID, int(table.highest_bid) + 1)
    if dealer_speaks and table.dealer_steals and table.highest_bid != PASSED:
        lowest_bid = int(table.highest_bid)
    bids = bit(BIDS + SMUDGE + 1) - bit(BIDS + lowest_bid)
    if dealer_speaks and table.highest_bid == PASSED:
        return bids
    return bids | bit(BID_PASS)


@register_jitable
def bid(table, points):
    """A seat bids so many points or passes; after the dealer the highest bidder leads."""
    table.bids[table.seat] = points
    if points != PASSED:
        table.highest_bid = points
        table.pitcher = table.seat
    if table.seat != table.dealer:
        table.seat = seat_after(table, table.seat, 1)
    else:
        table.phase = PLAY
        table.leader = table.pitcher
        table.seat = table.pitcher


@register_jitable
def playable(table, hand):
    """The cards of ``hand`` that the seat to act may play."""
    if table.trick_size == 0 or hand & table.led_suit == 0:
        return hand
    return hand & (table.led_suit | table.trump_cards)


@register_jitable
def play_card(table, card):
    seat = table.seat
    suit = SUIT_CARDS[card // RANKS]
    if table.trump_cards == 0:
        table.trump_cards = suit
    if table.trick_size == 0:
        table.led_suit = suit
        table.winning_card = card
        table.winner = seat
    elif beats(table, card, suit):
        table.winning_card = card
        table.winner = seat
    if bit(card) & (table.led_suit | table.trump_cards) == 0:
        table.not_held[seat] |= table.led_suit
        table.voids[seat] = void_suits(table.not_held[seat], SUIT_CARDS)
    table.hand[seat] &= ~bit(card)
    table.played[seat] |= bit(card)
    table.trick_cards |= bit(card)
    if add_to_trick(table, card):
        take_trick(table)


@register_jitable
def beats(table, card, suit):
    """Whether ``card`` of ``suit`` beats the card that is winning the trick."""
    if bit(table.winning_card) & suit:
        return card > table.winning_card
    return suit == table.trump_cards


@register_jitable
def take_trick(table):
    taker = table.winner
    table.taken[taker] |= table.trick_cards
    table.trick_cards = 0
    win_trick(table, taker)
    if table.trick_number == CARDS_EACH:
        count_points(table)
        score_hand(table)
        table.phase = OVER


@register_jitable
def count_points(table):
    """The points of the hand, by side: high, low, jack and game."""
    trumps = table.trump_cards & in_play(table)
    table.points[side(table, seat_with(table.taken, bit(highest(trumps))))] += 1
    low = bit(lowest(trumps))
    table.points[side(table, seat_with(table.played if table.low_to_holder else table.taken, low))] += 1
    jack = trumps & JACKS
    if jack:
        table.points[side(table, seat_with(table.taken, jack))] += 1
    winning_side = side_with_most_card_points(table)
    if winning_side != NOBODY:
        table.points[winning_side] += 1


@register_jitable
def in_play(table):
    """The cards that were dealt to somebody, all of which have been played."""
    cards = 0
    for seat in range(table.num_players):
        cards |= table.played[seat]
    return cards


@register_jitable
def seat_with(cards, card):
    """The seat of whose set among ``cards`` the set ``card`` is a part; it is in one of them."""
    seat = 0
    while cards[seat] & card == 0:
        seat += 1
    return seat


@register_jitable
def side_with_most_card_points(table):
    """The side that has won the highest total of card points, NOBODY when there is a tie."""
    best, winning_side = -1, NOBODY
    for first_seat in range(table.num_players):
        if side(table, first_seat) == first_seat:
            total = 0
            for seat in range(table.num_players):
                if side(table, seat) == first_seat:
                    total += card_points(table, table.taken[seat])
            if total == best:
                winning_side = NOBODY
            elif total > best:
                best, winning_side = total, first_seat
    return winning_side


@register_jitable
def card_points(table, cards):
    """What ``cards`` count for Game: ten 10, ace of trumps (or any) 4, king 3, queen 2, jack 1."""
    aces = ACES if table.all_aces_count else ACES & table.trump_cards
    return (
        10 * count(cards & TENS)
        + 4 * count(cards & aces)
        + 3 * count(cards & KINGS)
        + 2 * count(cards & QUEENS)
        + count(cards & JACKS)
    )


@register_jitable
def score_hand(table):
    """The bidding side scores its points or is set back by its bid; the others score theirs."""
    bidders = side(table, table.pitcher)
    tricks = 0
    for seat in range(table.num_players):
        if side(table, seat) == bidders:
            tricks += table.tricks_won[seat]
    worth = table.points[bidders]
    if table.highest_bid == SMUDGE and worth == ALL_POINTS and tricks == CARDS_EACH:
        worth = SMUDGE
    table.made = worth >= table.highest_bid
    for seat in range(table.num_players):
        if side(table, seat) == bidders:
            table.hand_scores[seat] = worth if table.made else -table.highest_bid
        elif table.made or table.defenders_score_on_set:
            table.hand_scores[seat] = table.points[side(table, seat)]
        else:
            table.hand_scores[seat] = 0


# --- The match -------------------------------------------------------------------------------------------------

gain = high_score_wins


@register_jitable
def match_over(table):
    """Whether the scores, with the hand just settled, end the match."""
    if not table.must_bid_out:
        for seat in range(table.num_players):
            if table.scores[seat] >= table.target:
                return True
    return bid_out(table, table.pitcher)


@register_jitable
def bid_out(table, seat):
    """Whether the seat's side has made its bid in the last hand and stands at the target."""
    bidders = side(table, seat) == side(table, table.pitcher)
    return bidders and table.made == 1 and table.scores[seat] >= table.target


@register_jitable
def standing(table, seat):
    """How well the seat stands: the higher the better, equal for those who share a place."""
    return LARGEST_SCORE if bid_out(table, seat) else table.scores[seat]


LARGEST_SCORE = 2**30  # above any that a match can reach


@register_jitable
def side(table, seat):
    """The side that the seat plays for: the lowest seat of its partnership, or its own."""
    return seat % 2 if table.partners else seat


DRAWN_ONCE: tuple[str, ...] = ()  # fields that ``begin_match`` settles by lot


def most_actions(options: "Options", hand: int) -> int:
    """The most actions of a hand: bids and cards played."""
    return options.num_players * (1 + CARDS_EACH)


def score_range(options: "Options", hand: int) -> tuple[int, int]:
    """No score of a hand lies outside."""
    return -SMUDGE, SMUDGE


# --- What people and tests look at -----------------------------------------------------------------------------


def hands(table: np.record) -> list[list[str]]:
    """By seat, the names of the cards now held."""
    return [PACK.listed(int(table.hand[seat])) for seat in range(table.num_players)]


def bids_so_far(table: np.record) -> list[int | None]:
    """By seat, None before a bid, 0 for a pass, 5 for a smudge."""
    bids = (int(bid) for bid in table.bids[: table.num_players])
    return [None if bid == NOT_BID else bid for bid in bids]


BID_WORDS = {PASSED: "pass", SMUDGE: "smudge"}

SHOWN = {
    "bids": bids_so_far,
    "pitcher": lambda table: None if table.phase == BID else int(table.pitcher),
    "trump": lambda table: PACK.suits[SUIT_CARDS.index(int(table.trump_cards))] if table.trump_cards else None,
}
