"""What a seat may see of a Rewind table, and the features made of it."""

import numpy as np
from numba.extending import register_jitable

from trick_envs.bits import bit, lowest, spread
from trick_envs.games import rewind
from trick_envs.games.rewind import MAX_SEATS, PACK, RANKS, SUIT_CARDS, TRICKS, UNPLACED
from trick_envs.games.table import OVER, PLAY, TIE, seat_after
from trick_envs.views.common import (
    by_seat,
    card_in_trick,
    collect,
    frame_parts,
    list_places,
    memory_mask,
    next_seat,
    places_of,
    put_in_deck,
    seat_parts,
    see_frame,
    see_seat,
    spread_wide,
    view_fields,
    write_choice,
    write_frame,
    write_seats,
)
from trick_envs.views.events import Kind, retell_nothing, tell_all, tell_nothing, tell_of, vocabulary, write_cards
from trick_envs.views.layout import Layout, Part, relative_seats

CARDS = len(PACK.names)
SUITS = len(SUIT_CARDS)
REWIND_PHASES = (PLAY, TIE, OVER)
PHASE_COUNT = len(REWIND_PHASES)
PHASE_PLACES = places_of(REWIND_PHASES)
ROUNDS = 2
NO_SUIT = -1
MARKS_ROOM = 16  # entries that a trick's set of marks is spread over: enough for four seats and places

FIELDS = [
    *view_fields(MAX_SEATS, words=1),
    ("num_hands", np.int32),
    ("tiebreakers", np.int8, (MAX_SEATS,)),
    ("round_number", np.int8),
    ("hand", np.int64),
    ("played", np.int64, (MAX_SEATS,)),
    ("known", np.int64, (MAX_SEATS,)),  # cards that the seat is known to hold; in Round II those of Round I
    ("markers", np.int32, (TRICKS,)),  # sets of marks, as in a table record
    ("goal", np.int32),  # marks of the trick that is repeated now, none in Round I
    ("cost", np.int8, (MAX_SEATS,)),  # of the markers that the seat has missed in Round II
    ("led_suit", np.int64),
    ("trick_cards", np.int64),
    ("tied", np.int8),  # set of seats that have no place yet in an open tie
    ("open_place", np.int8),
]


@register_jitable
def see(table, seat, view, seats):
    """Fill ``view`` with all that ``seat`` may know of ``table``.

    Under ``memory="table"`` it sees of played cards its own and those on the table, and the markers on the board.
    seats: the table's num_players, for the compiler to know as a constant where it can.
    """
    see_frame(table, seat, view, seats)
    view.round_number = table.round_number
    view.hand = table.hand[seat]
    view.led_suit = table.led_suit if table.trick_size > 0 else 0
    view.trick_cards = table.trick_cards
    view.open_place = table.open_place
    remembered = memory_mask(table)
    hands_known = remembered if table.round_number == ROUNDS else 0
    tied = 0
    other = seat
    for steps in range(seats):
        see_seat(table, other, view, steps, remembered)
        view.tiebreakers[steps] = table.tiebreakers[other]
        view.played[steps] = table.played[other] & (remembered | table.trick_cards)
        view.known[steps] = table.hand[other] & hands_known
        view.cost[steps] = table.cost[other]
        tied |= (table.phase == TIE and table.places[other] == UNPLACED) << steps
        other = next_seat(other, seats)
    view.tied = tied
    view.played[0] = table.played[seat]
    for trick in range(TRICKS):
        view.markers[trick] = turned(table.markers[trick], seat, seats)
    view.goal = 0
    if table.round_number == ROUNDS and table.trick_number < TRICKS:
        view.goal = turned(table.placements[rewind.matched_trick(table)], seat, seats)


@register_jitable
def turned(marks, seat, seats):
    """A trick's set of marks as ``seat`` sees it, who counts as seat 0."""
    shift = seats * seat
    return (marks >> shift) | ((marks & (bit(shift) - 1)) << (seats * seats - shift))


def layout(options: rewind.Options) -> Layout:
    """The parts of the features; ``features`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards, suits = PACK.names, PACK.suits
    places = tuple(map(str, range(1, options.num_players + 1)))
    places_given = places[1:-1]  # nobody ties for the first, and the last is left over
    tricks = tuple(f"trick {trick}" for trick in range(1, TRICKS + 1))
    most_cost = 2 * TRICKS
    most_tricks = ROUNDS * TRICKS
    most_tiebreakers = TRICKS * options.num_hands
    return Layout(
        (
            *frame_parts(options, REWIND_PHASES, TRICKS),
            Part("led_suit", "choice", "suit to be followed", (suits,)),
            Part("open_place", "choice", "place to be given in the open tie", (places_given,)),
            Part("tied", "set", "seats without a place in the open tie", (seats,)),
            Part("hand", "set", "cards I hold in this round", (cards,)),
            Part("trick", "set", "cards on the table", (cards,)),
            Part("played", "set", "cards played in this round, by seat", (seats, cards)),
            Part("known", "set", "cards that the seat is known to hold, in Round II", (seats, cards)),
            Part("markers", "choice", "place of the marker on the board, by trick of Round I", (tricks, seats, places)),
            Part("goal", "choice", "place that the seat is to repeat in this trick, in Round II", (seats, places)),
            Part("cost", "number", "points of markers missed in Round II", (seats,), 0, most_cost),
            Part("tiebreakers", "number", "markers in the tie-break pile", (seats,), 0, most_tiebreakers),
            *seat_parts(options, suits, most_tricks),
            Part("round", "number", "round of the hand", (), 0, ROUNDS),
        )
    )


@register_jitable
def features(view, row, seats):
    """Write the features of ``view`` into ``row``, int8 (layout size,); returns where they end.

    seats: the view's num_players.
    """
    at = write_frame(view, row, 0, seats, PHASE_PLACES, PHASE_COUNT)
    at = write_choice(lowest(view.led_suit) // RANKS if view.led_suit else NO_SUIT, row, at, SUITS)
    at = write_choice(max(-1, view.open_place - 2), row, at, seats - 2)
    spread(int(view.tied), row, at, MARKS_ROOM)
    at = spread_wide(view.hand, row, at + seats, CARDS)
    at = spread_wide(view.trick_cards, row, at, CARDS)
    for seat in range(seats):
        at = spread_wide(view.played[seat], row, at, CARDS)
    for seat in range(seats):
        at = spread_wide(view.known[seat], row, at, CARDS)
    for trick in range(TRICKS):
        spread(int(view.markers[trick]), row, at, MARKS_ROOM)
        at += seats * seats
    spread(int(view.goal), row, at, MARKS_ROOM)
    at += seats * seats
    for seat in range(seats):
        row[at + seat] = view.cost[seat]
        row[at + seats + seat] = view.tiebreakers[seat]
    at = write_seats(view, row, at + 2 * seats, seats, SUITS)
    row[at] = view.round_number
    return at + 1


def hidden_parts(options: rewind.Options) -> tuple[Part, ...]:
    """What a state adds to the features of a seat; ``hidden`` writes them in this order."""
    seats = relative_seats(options.num_players)
    return (
        Part("hands", "set", "cards held, by seat", (seats, PACK.names)),
        Part("dealt", "set", "cards dealt, by seat", (seats, PACK.names)),
    )


@register_jitable
def hidden(table, seat, row, start):
    """Write what a state adds to the features of ``seat`` into ``row`` from ``start`` on."""
    at = start
    for steps in range(table.num_players):
        at = spread(table.hand[seat_after(table, seat, steps)], row, at, CARDS)
    for steps in range(table.num_players):
        at = spread(table.dealt[seat_after(table, seat, steps)], row, at, CARDS)
    return at


# --- What a view shows people, by name ---------------------------------------------------------------------------

card_on_table = card_in_trick


def names(cards: int) -> list[str]:
    """Card names of a set."""
    return PACK.listed(int(cards))


def places_marked(view: np.record, marks: int) -> list[int | None]:
    """By seat, the place in a set of marks, from 1 on; None where there is none."""
    return [place or None for place in rewind.marked(int(view.num_players), int(marks))]


SEEN = {
    "hand": lambda view: names(view.hand),
    "round": lambda view: int(view.round_number),
    "markers": lambda view: [places_marked(view, marks) for marks in view.markers],
    "goal": lambda view: places_marked(view, view.goal),
    "cost": lambda view: by_seat(view, lambda seat: int(view.cost[seat])),
    "tiebreakers": lambda view: by_seat(view, lambda seat: int(view.tiebreakers[seat])),
    "tied": lambda view: [seat for seat in range(view.num_players) if view.tied >> seat & 1],
    "played": lambda view: by_seat(view, lambda seat: names(view.played[seat])),
    "known": lambda view: by_seat(view, lambda seat: names(view.known[seat])),
}


# --- Events ----------------------------------------------------------------------------------------------------

STEPS_LEFT = tuple(map(str, range(MAX_SEATS)))
PLACES = tuple(map(str, range(1, MAX_SEATS + 1)))
VOCABULARY = vocabulary(
    MAX_SEATS,
    PACK.names,
    (
        Kind(
            "gives",
            "{who} gives the best open place to the seat {value} to its left",
            tuple(map(str, range(MAX_SEATS))),
        ),
        Kind("place", "{who} is at place {value}", tuple(map(str, range(1, MAX_SEATS + 1)))),
        Kind("marker", "{who} takes back its marker"),
        Kind("tie_break", "{who} adds a marker to its tie-break pile"),
        Kind("round", "Round II begins"),
    ),
)
DEALT, PLAYS, GIVES, PLACE, MARKER, TIE_BREAK, SECOND_ROUND = (
    VOCABULARY.first(kind) for kind in ("dealt", "plays", "gives", "place", "marker", "tie_break", "round")
)


def most_told(options: rewind.Options, hand: int) -> int:
    """The most tokens of a hand, beside those that every hand has."""
    seats = options.num_players
    trick = seats + (seats - 1) + seats  # cards, places given in ties, places
    return TRICKS + ROUNDS * TRICKS * trick + 1 + TRICKS * (seats + 1)


@register_jitable
def tell_dealt(table, observer, log):
    """Write the cards that the observer was dealt in this hand into its sequence; returns where they end."""
    return write_cards(log, observer, table.hand_told, DEALT, table.dealt[observer])


tell_open_cards = tell_nothing
retell = retell_nothing


@register_jitable
def tell_action(table, seat, phase, action, log):
    """Tell all observers what came of the ``action`` that ``seat`` did in ``phase``."""
    if phase == PLAY:
        tell_of(table, log, PLAYS, seat, CARDS, action)
    else:
        tell_of(table, log, GIVES, seat, MAX_SEATS, action - rewind.GIVE_PLACE)
    if table.trick_size == 0:
        tell_places(table, log)


@register_jitable
def tell_places(table, log):
    """The places of the trick just decided, and the markers that come off the board in Round II."""
    for place in range(1, table.num_players + 1):
        tell_of(table, log, PLACE, rewind.seat_at(table, place), MAX_SEATS, place - 1)
    if table.trick_number == 0:
        tell_all(table, log, SECOND_ROUND)
    elif table.round_number == ROUNDS:
        repeated = table.placements[rewind.matched_trick(table) + 1]  # the next trick has begun
        adds_to_pile = True
        for place in range(1, table.num_players + 1):
            seat = rewind.seat_at(table, place)
            if repeated & rewind.mark(table, seat, place):
                tell_of(table, log, MARKER, seat, 1, 0)
                if adds_to_pile:
                    tell_of(table, log, TIE_BREAK, seat, 1, 0)
                adds_to_pile = False


# --- Worlds ----------------------------------------------------------------------------------------------------


@register_jitable
def hide(table, seat, places):
    """List the places whose cards ``seat`` cannot see: others' hands in Round I, nothing in Round II; how many."""
    count = 0
    if table.round_number == ROUNDS:
        return count
    for other in range(table.num_players):
        if other != seat:
            for suit in range(SUITS):
                if (table.voids[other] >> suit) & 1:
                    places.forbidden[other, 0] |= SUIT_CARDS[suit]
            count = list_places(places, count, other, table.hand[other], 0)
    return count


@register_jitable
def reveal(table, seat, places, count, state):
    """Take over the cards dealt afresh."""
    if table.round_number != ROUNDS:
        for other in range(table.num_players):
            if other != seat:
                table.hand[other] = collect(places, count, other)
                table.dealt[other] = table.hand[other] | table.played[other]
    return state


@register_jitable
def undeal(table, deck):
    """Write the deck that the hand was dealt from, with the cards of each seat in order."""
    for seat in range(table.num_players):
        put_in_deck(table, seat, table.dealt[seat], deck)
