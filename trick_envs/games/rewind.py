"""Rewind for three or four seats. Low score wins.

Source: the Rewind rulebook. In our words, in its order:

Pack       52 cards, 1 to 13 in four suits, of which cassettes are always trump. Three seats leave out one of the
           other suits. Thirteen cards each.
Round I    The dealer's left leads. Follow suit if able. A complete trick is ranked: trumps, then the suit led, then
           all others, each from high to low. Equal cards of other suits tie; the seat that played the last of them
           says who gets which place. Each seat marks its place on the board. The first leads the next trick.
Round II   Each seat takes up its cards again. Whoever was last in the final trick leads. The tricks of Round I are
           now matched in reverse order: a seat that gets the same place as then takes its marker off the board, and
           of those that do the best placed puts it on its tie-break pile.
Score      Two for each marker left on a first place, one for each on another.
Match      One hand, or up to four; the lowest total wins, and of those who share it the larger tie-break pile.
"""

from functools import cache
from typing import Annotated, Literal

import numpy as np
from numba.extending import register_jitable
from pydantic import Field, model_validator

from trick_envs.bits import bit, lowest
from trick_envs.cards import REWIND
from trick_envs.games.options import GameOptions
from trick_envs.games.table import (
    NOBODY,
    OVER,
    PLAY,
    TIE,
    add_to_trick,
    clear_tricks,
    low_score_wins,
    own_side,
    seat_after,
    table_fields,
    win_trick,
)

NAME = "rewind"
VERSION = 0
SEATS = range(3, 5)
MAX_SEATS = SEATS[-1]
PACK = REWIND

# --- Cards and actions -----------------------------------------------------------------------------------------

RANKS = len(PACK.ranks)
SUIT_CARDS = PACK.suit_sets
CASSETTES = SUIT_CARDS[PACK.suits.index("cassettes")]
PLAIN_SUITS = ("records", "films", "photos")
TRICKS = RANKS  # in a round, and cards in a hand

GIVE_PLACE = len(PACK.names)  # the best open place of a tie to myself; one more for each place to my left


def action_names(options: "Options") -> tuple[str, ...]:
    """Names of the actions by id."""
    return (*PACK.names, *(f"place {steps}" for steps in range(options.num_players)))


def pack(options: "Options") -> tuple[int, ...]:
    """The card ids of the pack in play."""
    removed = PACK.suits.index(options.removed_suit) if options.num_players < len(PACK.suits) else None
    return tuple(card for card in range(len(PACK.names)) if card // RANKS != removed)


class Options(GameOptions):
    """The options of Rewind, beside those of every game.

    num_hands: hands in the match, each of two rounds.
    removed_suit: with three seats, the plain suit that is left out.
    """

    num_players: Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])] = 4
    num_hands: Annotated[int, Field(ge=1, le=4)] = 1
    removed_suit: Literal["photos", "records", "films"] = "photos"

    @model_validator(mode="after")
    def _all_suits_for_four(self) -> "Options":
        default = type(self).model_fields["removed_suit"].default
        if self.num_players == len(PACK.suits) and self.removed_suit != default:
            raise ValueError(
                f"removed_suit={self.removed_suit!r}: should be {default!r} with {self.num_players} seats, "
                "who play with all suits"
            )
        return self


UNPLACED = 0  # places are 1 for the first, 2, …

FIELDS = [
    *table_fields(MAX_SEATS, words=1),
    # The match
    ("tiebreakers", np.int8, (MAX_SEATS,)),  # markers in the tie-break pile
    # The hand
    ("round_number", np.int8),  # 1 or 2
    ("dealt", np.int64, (MAX_SEATS,)),
    ("hand", np.int64, (MAX_SEATS,)),
    ("played", np.int64, (MAX_SEATS,)),  # in this round
    # The board: for each trick of Round I a set of ``mark``s
    ("placements", np.int32, (TRICKS,)),  # the places in Round I
    ("markers", np.int32, (TRICKS,)),  # of those, the ones with a marker
    ("cost", np.int8, (MAX_SEATS,)),  # of the markers that Round II has left on the board
    # The trick
    ("led_suit", np.int64),  # all cards of the suit led to the trick on the table
    ("trick_cards", np.int64),  # the cards on the table as a set
    ("places", np.int8, (MAX_SEATS,)),  # of the trick completed last, UNPLACED where a tie is open
    ("open_place", np.int8),  # best place that is open in the tie
]


# --- The deal --------------------------------------------------------------------------------------------------


@register_jitable
def begin_match(table, draw):
    """Nothing is settled by lot but the dealer."""
    for seat in range(table.num_players):
        table.tiebreakers[seat] = 0


@register_jitable
def deal(table, deck):
    """Deal ``deck`` (card ids in the order they come off the pack) one at a time from the dealer's left."""
    clear_tricks(table)
    for seat in range(table.num_players):
        table.dealt[seat] = 0
        table.cost[seat] = 0
        table.places[seat] = UNPLACED
    for trick in range(TRICKS):
        table.placements[trick] = 0
        table.markers[trick] = 0
    seat = table.dealer
    for card in deck:
        seat = seat_after(table, seat, 1)
        table.dealt[seat] |= bit(card)
    begin_round(table, 1, seat_after(table, table.dealer, 1))


@register_jitable
def begin_round(table, number, leader):
    """Each seat holds all its cards."""
    table.round_number = number
    table.trick_number = 0
    table.trick_cards = 0
    table.led_suit = 0
    table.open_place = UNPLACED
    for seat in range(table.num_players):
        table.hand[seat] = table.dealt[seat]
        table.played[seat] = 0
        table.voids[seat] = 0
    table.leader = leader
    table.seat = leader
    table.phase = PLAY


# --- Actions ---------------------------------------------------------------------------------------------------


@register_jitable
def legal(table):
    """The set of legal actions, as a tuple of words."""
    if table.phase == PLAY:
        return (playable(table, table.hand[table.seat]),)
    if table.phase == TIE:
        return (seats_to_place(table),)
    return (0,)


@register_jitable
def play(table, action):
    """Do a legal action. Leaves the phase OVER when the hand is, with ``hand_scores`` filled in."""
    if table.phase == PLAY:
        play_card(table, action)
    else:
        give_place(table, seat_after(table, table.seat, action - GIVE_PLACE))


@register_jitable
def playable(table, hand):
    """The cards of ``hand`` that the seat to act may play."""
    if table.trick_size > 0 and hand & table.led_suit:
        return hand & table.led_suit
    return hand


@register_jitable
def play_card(table, card):
    seat = table.seat
    if table.trick_size == 0:
        table.led_suit = SUIT_CARDS[card // RANKS]
    if bit(card) & table.led_suit == 0:
        table.voids[seat] |= bit(lowest(table.led_suit) // RANKS)
    table.hand[seat] &= ~bit(card)
    table.played[seat] |= bit(card)
    table.trick_cards |= bit(card)
    if add_to_trick(table, card):
        rank_trick(table)


# --- Places ----------------------------------------------------------------------------------------------------


@register_jitable
def rank_trick(table):
    """Place the seats of the complete trick; of seats that tie, the one that played last is asked."""
    decider = -1
    for place in range(table.num_players):
        seat = seat_after(table, table.leader, place)
        strength = strength_of(table, table.trick[place])
        better, equal = 0, 0
        for other in range(table.num_players):
            other_strength = strength_of(table, table.trick[other])
            better += other_strength > strength
            equal += other_strength == strength
        table.places[seat] = 1 + better if equal == 1 else UNPLACED
        if equal > 1:
            decider = seat
            table.open_place = 1 + better
    if decider >= 0:
        table.phase = TIE
        table.seat = decider
    else:
        mark_trick(table)


@register_jitable
def strength_of(table, card):
    """Comparable within a trick: trumps above the suit led above all others, each by rank."""
    rank = card % RANKS
    if bit(card) & CASSETTES:
        return 2 * RANKS + rank
    return RANKS + rank if bit(card) & table.led_suit else rank


@register_jitable
def seats_to_place(table):
    """The actions that give a seat of the tie, which has no place yet, the best place that is open."""
    actions = 0
    for steps in range(table.num_players):
        if table.places[seat_after(table, table.seat, steps)] == UNPLACED:
            actions |= bit(GIVE_PLACE + steps)
    return actions


@register_jitable
def give_place(table, receiver):
    """The seat gets the best open place; the last seat of the tie gets the place that is left."""
    table.places[receiver] = table.open_place
    table.open_place += 1
    unplaced, last = 0, 0
    for seat in range(table.num_players):
        if table.places[seat] == UNPLACED:
            unplaced += 1
            last = seat
    if unplaced == 1:
        table.places[last] = table.open_place
        mark_trick(table)


@register_jitable
def mark_trick(table):
    """The trick is decided: markers go on the board, or come off it in Round II."""
    table.phase = PLAY
    first, last = seat_at(table, 1), seat_at(table, table.num_players)
    if table.round_number == 1:
        set_markers(table)
    else:
        take_markers(table)
    table.trick_cards = 0
    table.open_place = UNPLACED
    win_trick(table, first)
    if table.trick_number == TRICKS:
        if table.round_number == 1:
            begin_round(table, 2, last)
        else:
            score_hand(table)
            table.phase = OVER


@register_jitable
def seat_at(table, place):
    """The seat that got the place in the trick just decided."""
    found = 0
    for seat in range(table.num_players):
        if table.places[seat] == place:
            found = seat
    return found


@register_jitable
def mark(table, seat, place):
    """The seat's mark on a place of the board, as a set of one."""
    return bit(table.num_players * seat + place - 1)


@register_jitable
def set_markers(table):
    """Each seat marks its place."""
    trick = table.trick_number
    for seat in range(table.num_players):
        table.placements[trick] |= mark(table, seat, table.places[seat])
    table.markers[trick] = table.placements[trick]


@register_jitable
def take_markers(table):
    """Seats with the same place as in Round I take their marker; the best placed adds it to its tie-break pile."""
    trick = matched_trick(table)
    best = NOBODY
    for place in range(table.num_players, 0, -1):
        seat = seat_at(table, place)
        if table.placements[trick] & mark(table, seat, place):
            table.markers[trick] &= ~mark(table, seat, place)
            best = seat
        else:
            table.cost[seat] += marker_cost(table, trick, seat)
    if best != NOBODY:
        table.tiebreakers[best] += 1


@register_jitable
def marker_cost(table, trick, seat):
    """A marker left on a first place costs two, on any other place one."""
    return 2 if table.markers[trick] & mark(table, seat, 1) else 1


@register_jitable
def matched_trick(table):
    """The trick of Round I, counted from 0, that the present trick of Round II repeats."""
    return TRICKS - 1 - table.trick_number


@register_jitable
def score_hand(table):
    for seat in range(table.num_players):
        table.hand_scores[seat] = table.cost[seat]


# --- The match -------------------------------------------------------------------------------------------------

gain = low_score_wins
side = own_side


@register_jitable
def match_over(table):
    """The agreed number of hands ends the match, whatever the scores are."""
    return False


MOST_TIEBREAKERS = 128  # more than a match has tricks in Round II


@register_jitable
def standing(table, seat):
    """How well the seat stands: the higher the better, equal for those who share a place."""
    return table.tiebreakers[seat] - MOST_TIEBREAKERS * table.scores[seat]


DRAWN_ONCE: tuple[str, ...] = ()  # fields that ``begin_match`` settles by lot


def most_actions(options: "Options", hand: int) -> int:
    """The most actions of a hand, of two rounds: cards played, and places given in ties of all who did not lead."""
    return 2 * TRICKS * (options.num_players + options.num_players - 2)


def score_range(options: "Options", hand: int) -> tuple[int, int]:
    """No score of a hand lies outside: every marker left on a first place costs two."""
    return 0, 2 * TRICKS


# --- What people and tests look at -----------------------------------------------------------------------------


def hands(table: np.record) -> list[list[str]]:
    """By seat, the names of the cards still to be played in this round."""
    return [PACK.listed(int(table.hand[seat])) for seat in range(table.num_players)]


def _places(table: np.record, marks: np.ndarray) -> list[list[int]]:
    """By trick and seat, the place that is marked, UNPLACED where none is."""
    return [list(marked(int(table.num_players), trick)) for trick in marks.tolist()]


@cache
def marked(seats: int, marks: int) -> tuple[int, ...]:
    """By seat, the place in a set of marks."""
    places = (marks >> (seats * seat) & ((1 << seats) - 1) for seat in range(seats))
    return tuple(place.bit_length() for place in places)


SHOWN = {
    "round": lambda table: int(table.round_number),
    "trump": lambda table: PACK.suits[SUIT_CARDS.index(CASSETTES)],
    "placements": lambda table: _places(table, table.placements),
    "markers": lambda table: [[place != UNPLACED for place in places] for places in _places(table, table.markers)],
    "tiebreakers": lambda table: table.tiebreakers[: table.num_players].tolist(),
}
