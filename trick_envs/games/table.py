"""What every table has, whatever is played at it: the common part of the table record and the phases.

A table is one record (a NumPy structured scalar, or a Numba record in compiled code): the agreed options first,
then the state of the match. The fields named here are written by the engine (``trick_envs.engine``) and by the
rule files; a game adds the fields of its own. Seats are numbered clockwise from 0.
"""

from typing import Any, Literal, get_args

import numpy as np
from numba.extending import register_jitable

PHASES = ("pass", "bid", "play", "tie", "moon", "over")
PASS, BID, PLAY, TIE, MOON, OVER = range(len(PHASES))

RewardScheme = Literal["points", "relative", "placement"]
Memory = Literal["perfect", "table"]
Encoding = Literal["features", "events", "both"]
EventSpan = Literal["match", "hand"]
REWARD_SCHEMES = get_args(RewardScheme)
MEMORIES = get_args(Memory)
EVENT_SPANS = get_args(EventSpan)
POINTS, RELATIVE, PLACEMENT = range(len(REWARD_SCHEMES))
PERFECT, IN_VIEW = range(len(MEMORIES))
OF_MATCH, OF_HAND = range(len(EVENT_SPANS))

DEALING = len(PHASES)  # never seen from outside: a hand is settled and the next is to be dealt

NOBODY = -1
UNLIMITED = 0
DRAWN = -1


def table_fields(max_seats: int, words: int) -> list[Any]:
    """The fields that every table record begins with.

    max_seats: seats the record has room for.
    words: int64 words of ``trick_envs.bits.WORD`` bits that hold a set of the game's actions.
    """
    return [
        # The agreed options
        ("num_players", np.int8),
        ("num_hands", np.int32),  # hands in the match, UNLIMITED when the rules alone end it
        ("max_hands", np.int32),  # safety cap, UNLIMITED when there is none
        ("first_dealer", np.int8),  # seat, or DRAWN from the seed
        ("reward_scheme", np.int8),  # index into REWARD_SCHEMES
        ("memory", np.int8),  # index into MEMORIES
        ("events_of", np.int8),  # index into EVENT_SPANS
        ("score_shift", np.int8),  # scores are seen in units of 2 to this power
        # The match
        ("seed", np.uint64),
        ("ply", np.int32),  # actions done in the match
        ("told", np.int32),  # events in the log, see trick_envs.views.events
        ("hand_told", np.int32),  # where in the log the cards dealt in the present hand begin
        ("hand_number", np.int32),  # 0-based
        ("dealer", np.int8),
        ("phase", np.int8),  # index into PHASES; OVER when the match is
        ("truncated", np.int8),  # 1 when max_hands ended the match
        ("seat", np.int8),  # seat to act, NOBODY when the match is over
        ("legal", np.int64, (words,)),  # set of legal actions: action a is bit a % WORD of word a // WORD
        ("scores", np.int32, (max_seats,)),  # of the settled hands, in the game's points
        ("hand_scores", np.int32, (max_seats,)),  # of the hand last settled
        ("settled", np.int8),  # 1 when the last action settled a hand: rewards are zero otherwise
        ("rewards", np.float32, (max_seats,)),  # of the last action
        # The hand
        ("tricks_won", np.int8, (max_seats,)),
        ("voids", np.int8, (max_seats,)),  # set of suits that the seat's plays have shown it to be out of
        ("trick_number", np.int8),  # tricks completed
        ("leader", np.int8),  # seat that led, or is to lead, the trick on the table
        ("trick", np.int8, (max_seats,)),  # cards on the table in order of play, valid up to trick_size
        ("trick_size", np.int8),
    ]


@register_jitable
def seat_after(table, seat, steps):
    """The seat ``steps`` (0 … num_players) places to the left of ``seat``."""
    seat = seat + steps
    return seat if seat < table.num_players else seat - table.num_players


# --- Tricks ----------------------------------------------------------------------------------------------------


@register_jitable
def clear_tricks(table):
    """A new hand: no trick has been played."""
    for seat in range(table.num_players):
        table.tricks_won[seat] = 0
        table.voids[seat] = 0
        table.trick[seat] = 0
    table.trick_number = 0
    table.trick_size = 0
    table.leader = 0


@register_jitable
def add_to_trick(table, card):
    """The seat to act puts ``card`` on the table and the next seat is to act; True when the trick is complete."""
    table.trick[table.trick_size] = card
    table.trick_size += 1
    table.seat = seat_after(table, table.seat, 1)
    return table.trick_size == table.num_players


@register_jitable
def win_trick(table, taker):
    """The trick goes from the table to its taker, who leads the next."""
    table.tricks_won[taker] += 1
    table.trick_number += 1
    table.trick_size = 0
    table.leader = taker
    table.seat = taker


@register_jitable
def void_suits(not_held, suit_cards):
    """The set of suits, numbered as in the tuple of sets ``suit_cards``, of which ``not_held`` has all cards."""
    suits = 0
    for suit in range(len(suit_cards)):
        suits |= (suit_cards[suit] & ~not_held == 0) << suit
    return suits


# --- Sides and scores ------------------------------------------------------------------------------------------


@register_jitable
def own_side(table, seat):
    """The side that a seat plays for: its own."""
    return seat


@register_jitable
def low_score_wins(table, points):
    """A change of score, signed so that more is better."""
    return -points


@register_jitable
def high_score_wins(table, points):
    """A change of score, signed so that more is better."""
    return points
