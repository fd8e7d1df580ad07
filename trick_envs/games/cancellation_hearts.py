"""Cancellation Hearts: Hearts for six to eleven seats with two packs. Low score wins.

As in Hearts (``trick_envs.games.hearts``), except:

Pack       Two packs of 52 shuffled together. All seats get as many cards as come out even; the rest lies face down
           as a kitty, which goes, unseen by the others, to the first seat that wins a trick.
Play       The dealer's left leads to the first trick, which has no rules of its own. Two identical cards in a trick
           cancel each other: neither can take it. When all cards of the suit led are cancelled, the trick stays on
           the table for the taker of the next, to which the same seat leads. What is left at the end of the hand
           goes to nobody.
Count      All points of both packs in one seat are the moon, of 52 points.

Sets of cards with their number are two words: the cards that are in at least once, and those that are in twice.
"""

from typing import Annotated, Literal

import numpy as np
from numba.extending import register_jitable
from pydantic import Field

from trick_envs.bits import bit, count, highest, prefer
from trick_envs.cards import FRENCH
from trick_envs.games import hearts
from trick_envs.games.hearts import (
    ALL_CARDS,
    HEARTS,
    MOON_ADD,
    MOON_SUBTRACT,
    QUEEN_OF_SPADES,
    RANKS,
    SUIT_CARDS,
    action_names,
    begin_match,
    count_points,
    gain,
    match_over,
    most_actions_of,
    passing,
    score_moon,
    score_range,
    side,
    standing,
    take_points,
)
from trick_envs.games.table import (
    MOON,
    NOBODY,
    PASS,
    PLAY,
    add_to_trick,
    clear_tricks,
    seat_after,
    table_fields,
    void_suits,
    win_trick,
)

__all__ = ["action_names", "begin_match", "gain", "match_over", "score_range", "side", "standing"]

NAME = "hearts"
VARIANT = "cancellation"
VERSION = 0
SEATS = range(6, 12)
MAX_SEATS = SEATS[-1]
PACK = FRENCH
PACKS = 2
ONCE, TWICE = range(PACKS)


def pack(options: "Options") -> tuple[int, ...]:
    """The card ids of the pack in play, each twice."""
    return tuple(card for card in range(len(PACK.names)) for _ in range(PACKS))


class Options(hearts.Options):
    """The options of Hearts with seats for two packs."""

    num_players: Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])] = SEATS[0]
    variant: Literal["standard", "cancellation"] = "cancellation"

    @property
    def packs(self) -> int:
        """Packs that are shuffled together."""
        return PACKS


SET = (MAX_SEATS, PACKS)
FIELDS = [
    *table_fields(MAX_SEATS, words=1),
    # The agreed options and the match, as in Hearts
    ("packs", np.int8),
    ("target", np.int32),
    ("pass_cards", np.int8),
    ("first_pass", np.int8),
    ("moon", np.int8),
    ("queen_breaks_hearts", np.int8),
    ("omnibus", np.int8),
    ("pass_shift", np.int8),
    # The hand: sets of cards by seat, ONCE and TWICE
    ("hand", np.int64, SET),  # held; cards picked for passing are held until all have picked
    ("passed", np.int64, SET),
    ("received", np.int64, SET),
    ("played", np.int64, SET),
    ("taken", np.int64, SET),  # won in tricks, with the kitty
    ("points_taken", np.int8, (MAX_SEATS,)),
    ("jacks_taken", np.int8, (MAX_SEATS,)),
    ("not_held", np.int64, (MAX_SEATS,)),  # what the seat's plays have shown that it does not hold
    ("kitty", np.int64, (PACKS,)),
    ("kitty_taker", np.int8),  # seat that won it, NOBODY before
    ("left", np.int64, (PACKS,)),  # cards of cancelled tricks, for the taker of the next
    ("pass_distance", np.int8),
    ("broken", np.int8),
    ("led_suit", np.int64),
    ("trick_cards", np.int64, (PACKS,)),  # the cards of the trick on the table
]


# --- Sets with their number ------------------------------------------------------------------------------------


@register_jitable
def clear(cards):
    cards[ONCE] = 0
    cards[TWICE] = 0


@register_jitable
def add(cards, card):
    cards[TWICE] |= cards[ONCE] & bit(card)
    cards[ONCE] |= bit(card)


@register_jitable
def remove(cards, card):
    cards[ONCE] &= ~bit(card) | cards[TWICE]
    cards[TWICE] &= ~bit(card)


@register_jitable
def add_all(cards, others):
    cards[TWICE] |= others[TWICE] | (cards[ONCE] & others[ONCE])
    cards[ONCE] |= others[ONCE]


@register_jitable
def remove_all(cards, others):
    """Take ``others``, all of which are in, out of ``cards``."""
    cards[ONCE] = remaining(cards, others)
    cards[TWICE] &= ~others[ONCE]


@register_jitable
def remaining(cards, others):
    """The cards of which more are in ``cards`` than in ``others``."""
    return (cards[ONCE] & ~others[ONCE]) | (cards[TWICE] & ~others[TWICE])


# --- The hand --------------------------------------------------------------------------------------------------


@register_jitable
def deal(table, deck):
    """Deal ``deck`` (card ids) one at a time from the dealer's left as far as it comes out even; the rest is kitty."""
    clear_tricks(table)
    for seat in range(table.num_players):
        clear(table.hand[seat])
        clear(table.passed[seat])
        clear(table.received[seat])
        clear(table.played[seat])
        clear(table.taken[seat])
        table.points_taken[seat] = 0
        table.jacks_taken[seat] = 0
        table.not_held[seat] = 0
    clear(table.kitty)
    clear(table.left)
    clear(table.trick_cards)
    table.kitty_taker = NOBODY
    table.led_suit = 0
    table.broken = 0
    dealt = len(deck) - len(deck) % table.num_players
    seat = table.dealer
    for place in range(dealt):
        seat = seat_after(table, seat, 1)
        add(table.hand[seat], deck[place])
    for place in range(dealt, len(deck)):
        add(table.kitty, deck[place])
    table.pass_distance = passing(table)
    table.phase = PASS if table.pass_distance > 0 else PLAY
    table.leader = seat_after(table, table.dealer, 1)
    table.seat = table.leader


@register_jitable
def legal(table):
    """The set of legal actions, as a tuple of words."""
    if table.phase == PASS:
        return (remaining(table.hand[table.seat], table.passed[table.seat]),)
    if table.phase == PLAY:
        return (playable(table, table.hand[table.seat, ONCE]),)
    if table.phase == MOON:
        return (bit(MOON_SUBTRACT) | bit(MOON_ADD),)
    return (0,)


@register_jitable
def play(table, action):
    """Do a legal action. Leaves the phase OVER when the hand is, with ``hand_scores`` filled in."""
    if table.phase == PASS:
        pick_for_passing(table, action)
    elif table.phase == PLAY:
        play_card(table, action)
    else:
        score_moon(table, table.seat, action == MOON_ADD)


@register_jitable
def pick_for_passing(table, card):
    """A seat picks all its cards before the next one does, beginning at the dealer's left."""
    seat = table.seat
    passed = table.passed[seat]
    add(passed, card)
    if count(passed[ONCE]) + count(passed[TWICE]) < table.pass_cards:
        return
    table.seat = seat_after(table, seat, 1)
    if seat == table.dealer:
        exchange_passed_cards(table)
        table.phase = PLAY


@register_jitable
def exchange_passed_cards(table):
    for seat in range(table.num_players):
        remove_all(table.hand[seat], table.passed[seat])
    for seat in range(table.num_players):
        receiver = seat_after(table, seat, table.pass_distance)
        add_all(table.received[receiver], table.passed[seat])
        add_all(table.hand[receiver], table.passed[seat])


@register_jitable
def playable(table, hand):
    """The cards of ``hand`` that the seat to act may play."""
    if table.trick_size == 0:
        return hand if table.broken else prefer(hand & ~HEARTS, hand)
    return prefer(hand & table.led_suit, hand)


@register_jitable
def play_card(table, card):
    seat = table.seat
    if table.trick_size == 0:
        table.led_suit = SUIT_CARDS[card // RANKS]
        if bit(card) & HEARTS and not table.broken:
            table.not_held[seat] |= ALL_CARDS & ~HEARTS
    elif bit(card) & table.led_suit == 0:
        table.not_held[seat] |= table.led_suit
    table.voids[seat] = void_suits(table.not_held[seat], SUIT_CARDS)
    remove(table.hand[seat], card)
    add(table.played[seat], card)
    add(table.trick_cards, card)
    if bit(card) & HEARTS or (table.queen_breaks_hearts and bit(card) & QUEEN_OF_SPADES):
        table.broken = 1
    if add_to_trick(table, card):
        end_trick(table)


@register_jitable
def end_trick(table):
    """The highest card of the led suit that is not cancelled takes the trick; without one it stays on the table."""
    last_trick = table.hand[table.leader, ONCE] == 0
    uncancelled = table.trick_cards[ONCE] & ~table.trick_cards[TWICE] & table.led_suit
    if uncancelled:
        take_trick(table, seat_that_played(table, highest(uncancelled)))
    else:
        add_all(table.left, table.trick_cards)
        table.trick_number += 1
        table.trick_size = 0
        table.seat = table.leader
    clear(table.trick_cards)
    if last_trick:
        count_points(table)


@register_jitable
def seat_that_played(table, card):
    """Who played ``card``, which is in the trick once."""
    place = 0
    while table.trick[place] != card:
        place += 1
    return seat_after(table, table.leader, place)


@register_jitable
def take_trick(table, taker):
    """The trick, with what earlier ones left on the table, and the kitty if nobody has won a trick before."""
    take_cards(table, taker, table.trick_cards)
    take_cards(table, taker, table.left)
    clear(table.left)
    if table.kitty_taker == NOBODY:
        table.kitty_taker = taker
        take_cards(table, taker, table.kitty)
    win_trick(table, taker)


@register_jitable
def take_cards(table, taker, cards):
    add_all(table.taken[taker], cards)
    take_points(table, taker, cards[ONCE])
    take_points(table, taker, cards[TWICE])


# --- What people and tests look at -----------------------------------------------------------------------------


def hands(table: np.record) -> list[list[str]]:
    """By seat, the names of the cards now held, in order; a card that is held twice is there twice."""
    return [names(table.hand[seat].tolist()) for seat in range(table.num_players)]


def names(cards: list[int]) -> list[str]:
    """Card names of a set with its number; one that is there twice comes twice."""
    return [name for card, name in enumerate(PACK.names) for copies in cards if copies >> card & 1]


DRAWN_ONCE = hearts.DRAWN_ONCE


def most_actions(options: "Options", hand: int) -> int:
    """The most actions of a hand: cards picked and played, and the choice of a moon."""
    return most_actions_of(len(pack(options)), options)


SHOWN = hearts.SHOWN | {"left": lambda table: names(table.left.tolist())}
