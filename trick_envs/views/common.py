"""What the views of all games have in common: the table's frame, and how sets of cards and seats are written.

``see`` of a game fills a view record with what one seat may know (the options are in it from the start); all that
observes or decides for a seat gets that record and no table, so there is no way from it to a hidden card. Seats in a
view are relative: 0 is the observer, 1 its left neighbour, and so on.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import register_jitable

from trick_envs.bits import bit, lowest, spread
from trick_envs.games.options import GameOptions
from trick_envs.games.table import BID, IN_VIEW, NOBODY, PASS, PHASES
from trick_envs.views.layout import INT8_MAX, Part, relative_seats

# Entries that are written at once. What goes past a part is overwritten by the next ones, so layouts end with numbers.
CARD_ROOM = 64  # for a set of at most 60 cards: one vector
CHOICE_ROOM = 16  # for one of at most so many
PLACE_BITS = 4
LARGEST_PLACE = (1 << PLACE_BITS) - 1
NOTHING, EVERYTHING = 0, -1  # as masks of sets


def view_fields(max_seats: int, words: int) -> list[Any]:
    """The fields that every view record begins with, filled by ``see_frame``; room as in ``table_fields``."""
    return [
        ("num_players", np.int8),
        ("hand_number", np.int32),
        ("score_shift", np.int8),
        ("scores", np.int32, (max_seats,)),
        ("phase", np.int8),
        ("dealer", np.int8),
        ("seat", np.int8),  # seat to act, NOBODY when the match is over
        ("legal", np.int64, (words,)),  # set of legal actions as in a table record, empty off turn
        ("tricks_won", np.int8, (max_seats,)),
        ("voids", np.int8, (max_seats,)),  # set of suits that the seat has shown to be out of
        ("trick_number", np.int8),
        ("leader", np.int8),  # seat that led, or is to lead, the trick on the table, NOBODY before play
        ("trick_size", np.int8),
    ]


@register_jitable
def see_frame(table, seat, view, seats):
    """Fill in what is in sight at every table, whatever is played; ``see_seat`` adds what each seat shows."""
    view.hand_number = table.hand_number
    view.phase = table.phase
    view.dealer = relative(table.dealer, seat, seats)
    view.seat = relative(table.seat, seat, seats) if table.seat != NOBODY else NOBODY
    on_turn = table.seat == seat
    for word in range(len(table.legal)):
        view.legal[word] = table.legal[word] * on_turn
    view.trick_number = table.trick_number
    view.trick_size = table.trick_size
    view.leader = relative(table.leader, seat, seats) if table.phase != PASS and table.phase != BID else NOBODY


@register_jitable
def see_seat(table, other, view, steps, remembered):
    """Fill in what is in sight of seat ``other``, ``steps`` places to the left of the observer."""
    view.scores[steps] = table.scores[other]
    view.tricks_won[steps] = table.tricks_won[other]
    view.voids[steps] = table.voids[other] & remembered


@register_jitable
def memory_mask(table):
    """A mask of sets that are remembered: everything, or nothing under ``memory="table"``."""
    return NOTHING if table.memory == IN_VIEW else EVERYTHING


@register_jitable
def relative(seat, observer, seats):
    """How many places ``seat`` is to the left of ``observer``; no branch, for processors could not foresee it."""
    return seat - observer + (seat < observer) * seats


@register_jitable
def next_seat(seat, seats):
    """The seat to the left."""
    return seat + 1 if seat + 1 < seats else 0


def by_seat(view: np.record, value: Callable[[int], Any]) -> list[Any]:
    """A value for each seat of a view, from the observer on."""
    return [value(seat) for seat in range(view.num_players)]


def card_in_trick(view: np.record, seat: int) -> int:
    """The card of a seat that has played to the trick on the table, where a card is there once."""
    return lowest(int(view.played[seat] & view.trick_cards))


# --- The parts that every layout has ---------------------------------------------------------------------------


def seat_parts(options: GameOptions, suits: tuple[str, ...], most_tricks: int) -> tuple[Part, ...]:
    """Voids, tricks and scores by seat; ``write_seats`` writes them."""
    seats = relative_seats(options.num_players)
    unit = 1 << options.score_shift
    return (
        Part("voids", "set", "suits the seat has shown to be out of", (seats, suits)),
        Part("tricks_won", "number", "tricks taken in this hand", (seats,), 0, most_tricks),
        Part("scores", "number", f"score in units of {unit}, cut off at ±127", (seats,), -INT8_MAX, INT8_MAX),
    )


@register_jitable
def write_seats(view, row, at, seats, suits):
    """Write ``seat_parts`` of a game with so many ``suits``; returns where they end."""
    for seat in range(seats):
        spread(int(view.voids[seat]), row, at, suits)
        at += suits
    for seat in range(seats):
        row[at + seat] = view.tricks_won[seat]
        row[at + seats + seat] = max(-INT8_MAX, min(INT8_MAX, view.scores[seat] >> view.score_shift))
    return at + 2 * seats


def frame_parts(options: GameOptions, phases: tuple[int, ...], most_tricks: int) -> tuple[Part, ...]:
    """Whose turn it is and where in the match; ``write_frame`` writes them."""
    seats = relative_seats(options.num_players)
    return (
        Part("leader", "choice", "seat that led, or is to lead, the trick; none before play", (seats,)),
        Part("dealer", "choice", "seat that dealt", (seats,)),
        Part("to_act", "choice", "seat to act, none after the end", (seats,)),
        Part("phase", "choice", "phase of the hand", (tuple(PHASES[phase] for phase in phases),)),
        Part("trick_number", "number", "tricks completed in this hand", (), 0, most_tricks),
        Part("hand_number", "number", "hands completed, cut off at 127", (), 0, INT8_MAX),
    )


@register_jitable
def write_frame(view, row, at, seats, phase_places, phases):
    """Write ``frame_parts``; returns where they end.

    phase_places: of ``places_of``. phases: how many of them the game has.
    """
    at = write_choice(view.leader, row, at, seats)
    at = write_choice(view.dealer, row, at, seats)
    at = write_choice(view.seat, row, at, seats)
    at = write_choice(phase_places >> (PLACE_BITS * int(view.phase)) & LARGEST_PLACE, row, at, phases)
    row[at] = view.trick_number
    row[at + 1] = min(INT8_MAX, view.hand_number)
    return at + 2


def places_of(phases: tuple[int, ...]) -> int:
    """By phase its place among ``phases``, in ``PLACE_BITS`` bits each: a table that needs no memory."""
    return sum(place << (PLACE_BITS * phase) for place, phase in enumerate(phases))


@register_jitable
def write_choice(chosen, row, at, size):
    """Write ``size`` entries of which that of ``chosen`` is 1, none for −1; returns where they end.

    It is spread over ``CHOICE_ROOM`` entries: what goes past the part is overwritten by the next ones.
    """
    spread((1 << (int(chosen) + 1)) >> 1, row, at, CHOICE_ROOM)
    return at + size


@register_jitable
def spread_wide(cards, row, at, size):
    """Write a set of ``size`` cards over ``CARD_ROOM`` entries: what goes past it is overwritten by the next part."""
    spread(cards, row, at, CARD_ROOM)
    return at + size


# --- Places that a seat cannot see (``trick_envs.engine.worlds.Places``) ----------------------------------------


@register_jitable
def list_places(places, start, holder, cards, offset):
    """List a place of ``holder`` for each card of a set, whose member k is card ``offset + k``; how many there are."""
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        places.cards[start] = offset + card
        places.holders[start] = holder
        start += 1
    return start


@register_jitable
def collect(places, count, holder):
    """The set of the cards below ``WORD`` that lie in the places of ``holder``."""
    cards = 0
    for place in range(count):
        if places.holders[place] == holder:
            cards |= bit(places.cards[place])
    return cards


@register_jitable
def put_in_deck(table, seat, cards, deck):
    """Put a set of cards where ``seat`` is dealt them, one at a time from the dealer's left."""
    place = relative(seat, table.dealer, table.num_players)
    place = (place if place > 0 else place + table.num_players) - 1
    while cards:
        deck[place] = lowest(cards)
        cards &= cards - 1
        place += table.num_players
