"""What a seat may see of a Hearts table, and the features made of it."""

import numpy as np
from numba.extending import register_jitable

from trick_envs import random
from trick_envs.bits import bit, spread
from trick_envs.bits import count as count_members
from trick_envs.games import hearts
from trick_envs.games.hearts import ALL_POINTS, MAX_SEATS, SUIT_CARDS
from trick_envs.games.table import MOON, NOBODY, OVER, PASS, PLAY, seat_after
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
    relative,
    seat_parts,
    see_frame,
    see_seat,
    spread_wide,
    view_fields,
    write_choice,
    write_frame,
    write_seats,
)
from trick_envs.views.events import (
    TAKES,
    Kind,
    rewrite,
    tell_all,
    tell_apart,
    tell_of,
    vocabulary,
    write_cards,
)
from trick_envs.views.layout import Layout, Part, relative_seats

CARDS = len(hearts.PACK.names)
SUITS = len(SUIT_CARDS)
HEARTS_PHASES = (PASS, PLAY, MOON, OVER)
PHASE_COUNT = len(HEARTS_PHASES)
PHASE_PLACES = places_of(HEARTS_PHASES)
MOST_TRICKS = 17

FIELDS = [
    *view_fields(MAX_SEATS, words=1),
    ("target", np.int32),
    ("pass_cards", np.int8),
    ("omnibus", np.int8),
    ("moon", np.int8),
    ("pass_distance", np.int8),
    ("hand", np.int64),
    ("passed", np.int64),
    ("received", np.int64),
    ("played", np.int64, (MAX_SEATS,)),
    ("taken", np.int64, (MAX_SEATS,)),
    ("not_held", np.int64, (MAX_SEATS,)),
    ("broken", np.int8),
    ("trick_cards", np.int64),  # set of the cards on the table
    ("winner", np.int8),  # seat that is winning the trick on the table, if there is one
    ("winning_card", np.int8),
]


@register_jitable
def see(table, seat, view, seats):
    """Fill ``view`` with all that ``seat`` may know of ``table``.

    Under ``memory="table"`` it sees of passed cards those just picked, of played cards those on the table.
    seats: the table's num_players, for the compiler to know as a constant where it can.
    """
    see_frame(table, seat, view, seats)
    view.pass_distance = table.pass_distance
    view.hand = table.hand[seat]
    view.broken = table.broken
    view.trick_cards = table.trick_cards
    view.winner = relative(table.winner, seat, seats)
    view.winning_card = table.winning_card
    remembered = memory_mask(table)
    view.passed = table.passed[seat] if table.phase == PASS else table.passed[seat] & remembered
    view.received = table.received[seat] & remembered
    other = seat
    for steps in range(seats):
        see_seat(table, other, view, steps, remembered)
        view.played[steps] = table.played[other] & (remembered | table.trick_cards)
        view.taken[steps] = table.taken[other] & remembered
        view.not_held[steps] = table.not_held[other] & remembered
        other = next_seat(other, seats)


def layout(options: hearts.Options) -> Layout:
    """The parts of the features; ``features`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards = hearts.PACK.names
    suits = hearts.PACK.suits
    return Layout(
        (
            *frame_parts(options, HEARTS_PHASES, MOST_TRICKS),
            Part("queen_taker", "choice", "seat that took the queen of spades", (seats,)),
            Part("jack_taker", "choice", "seat that took the jack of diamonds, with omnibus", (seats,)),
            Part("pass_to", "choice", "seat that gets the cards I pass; me in a hold hand", (seats,)),
            Part("hand", "set", "cards I hold, those picked for passing included", (cards,)),
            Part("passed", "set", "cards I picked for passing, or passed in this hand", (cards,)),
            Part("received", "set", "cards passed to me in this hand", (cards,)),
            Part("trick", "set", "cards on the table", (cards,)),
            Part("winning_card", "choice", "card that is winning the trick on the table", (cards,)),
            Part("played", "set", "cards played in this hand, by seat", (seats, cards)),
            Part("points", "number", "points of hearts and queen taken in this hand", (seats,), 0, ALL_POINTS),
            *seat_parts(options, suits, MOST_TRICKS),
            Part("broken", "number", "1 when hearts are broken"),
        )
    )


@register_jitable
def features(view, row, seats):
    """Write the features of ``view`` into ``row``, int8 (layout size,); returns where they end.

    seats: the view's num_players.
    """
    queen_taker, jack_taker = NOBODY, NOBODY
    for seat in range(seats):
        queen_taker = seat if view.taken[seat] & hearts.QUEEN_OF_SPADES else queen_taker
        jack_taker = seat if view.taken[seat] & hearts.JACK_OF_DIAMONDS and view.omnibus else jack_taker
    at = write_frame(view, row, 0, seats, PHASE_PLACES, PHASE_COUNT)
    at = write_choice(queen_taker, row, at, seats)
    at = write_choice(jack_taker, row, at, seats)
    at = write_choice(view.pass_distance, row, at, seats)
    at = spread_wide(view.hand, row, at, CARDS)
    at = spread_wide(view.passed, row, at, CARDS)
    at = spread_wide(view.received, row, at, CARDS)
    at = spread_wide(view.trick_cards, row, at, CARDS)
    at = spread_wide(bit(view.winning_card) & view.trick_cards, row, at, CARDS)
    for seat in range(seats):
        at = spread_wide(view.played[seat], row, at, CARDS)
    for seat in range(seats):
        row[at + seat] = hearts.points(view.taken[seat])
    at = write_seats(view, row, at + seats, seats, SUITS)
    row[at] = view.broken
    return at + 1


def hidden_parts(options: hearts.Options) -> tuple[Part, ...]:
    """What a state adds to the features of a seat; ``hidden`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards = hearts.PACK.names
    return (
        Part("hands", "set", "cards held, by seat, those picked for passing included", (seats, cards)),
        Part("passes", "set", "cards picked for passing or passed in this hand, by seat", (seats, cards)),
    )


@register_jitable
def hidden(table, seat, row, start):
    """Write what a state adds to the features of ``seat`` into ``row`` from ``start`` on."""
    at = start
    for steps in range(table.num_players):
        at = spread(table.hand[seat_after(table, seat, steps)], row, at, CARDS)
    for steps in range(table.num_players):
        at = spread(table.passed[seat_after(table, seat, steps)], row, at, CARDS)
    return at


# --- What a view shows people, by name ---------------------------------------------------------------------------

card_on_table = card_in_trick


def names(cards: int) -> list[str]:
    """Card names of a set."""
    return hearts.PACK.listed(int(cards))


SEEN = {
    "hand": lambda view: names(view.hand),
    "pass_to": lambda view: int(view.pass_distance),
    "passed": lambda view: names(view.passed),
    "received": lambda view: names(view.received),
    "played": lambda view: by_seat(view, lambda seat: names(view.played[seat])),
    "taken": lambda view: by_seat(view, lambda seat: names(view.taken[seat])),
    "not_held": lambda view: by_seat(view, lambda seat: names(view.not_held[seat])),
    "broken": lambda view: bool(view.broken),
}


# --- Events ----------------------------------------------------------------------------------------------------

PASSING_AND_MOON = (
    Kind("pass_to", "{who} gets the cards I pass"),
    Kind("picks", "I pick {value} for passing", hearts.PACK.names),
    Kind("picked", "{who} picks a card for passing"),
    Kind("received", "passed to me: {value}", hearts.PACK.names),
    Kind("moon", "{who} shot the moon: {value}", ("subtract", "add")),
)
VOCABULARY = vocabulary(MAX_SEATS, hearts.PACK.names, PASSING_AND_MOON)
DEALT, PLAYS, PASS_TO, PICKS, PICKED, RECEIVED, MOON_COUNTS = (
    VOCABULARY.first(kind) for kind in ("dealt", "plays", "pass_to", "picks", "picked", "received", "moon")
)


def most_told(options: hearts.Options, hand: int) -> int:
    """The most tokens of a hand, beside those that every hand has."""
    return most_told_of(len(hearts.pack(options)), options)


def most_told_of(cards: int, options: hearts.Options) -> int:
    """The same with a pack of so many cards."""
    seats = options.num_players
    tricks = cards // seats
    return tricks + 1 + options.pass_cards * (seats + 1) + cards + tricks + 1


@register_jitable
def tell_dealt(table, observer, log):
    """Write the cards that the observer was dealt in this hand into its sequence; returns where they end."""
    held = (table.hand[observer] | table.played[observer]) & ~table.received[observer]
    return write_cards(log, observer, table.hand_told, DEALT, held | table.passed[observer])


@register_jitable
def tell_open_cards(table, log):
    tell_pass_to(table, log, PASS_TO)


@register_jitable
def tell_pass_to(table, log, first):
    """In a match with passing, which may begin with any direction, tell to whom each seat passes; itself in a hold.

    first: the first token of that kind.
    """
    if table.pass_cards > 0:
        tell_all(table, log, first + int(table.pass_distance))


@register_jitable
def tell_action(table, seat, phase, action, log):
    """Tell all observers what came of the ``action`` that ``seat`` did in ``phase``."""
    if phase == PASS:
        tell_apart(table, log, PICKS + action, PICKED, seat)
        if table.phase != PASS:
            for observer in range(table.num_players):
                write_cards(log, observer, table.told, RECEIVED, table.received[observer])
            table.told += table.pass_cards
    elif phase == PLAY:
        tell_of(table, log, PLAYS, seat, CARDS, action)
        if table.trick_size == 0:
            tell_of(table, log, TAKES, table.leader, 1, 0)
    else:
        tell_of(table, log, MOON_COUNTS, seat, 2, action - hearts.MOON_SUBTRACT)


@register_jitable
def retell(table, observer, log):
    """Put what the observer passes and receives in the table's present hand in place of what it was told."""
    start = table.hand_told
    rewrite(log, observer, start, PICKS, CARDS, table.passed[observer])
    if table.phase != PASS:
        rewrite(log, observer, start, RECEIVED, CARDS, table.received[observer])


# --- Worlds ----------------------------------------------------------------------------------------------------


@register_jitable
def hide(table, seat, places):
    """List the places whose cards ``seat`` cannot see, and what their holders have shown not to hold; how many."""
    count = 0
    for other in range(table.num_players):
        if other != seat:
            places.forbidden[other, 0] = table.not_held[other]
            count = list_places(places, count, other, table.hand[other] & ~known_cards(table, seat, other), 0)
    return count


@register_jitable
def known_cards(table, seat, other):
    """Cards that ``seat`` knows ``other`` to hold: those it passed on, and the card that opens the hand."""
    if table.phase == PASS:
        return 0
    known = table.passed[seat] & table.hand[other] if passes_to(table, seat) == other else 0
    if table.trick_number == 0 and table.trick_size == 0 and table.leader == other:
        known |= bit(hearts.opening_card(table))
    return known


@register_jitable
def passes_to(table, seat):
    """The seat that gets the cards of ``seat``: itself in a hold hand."""
    return seat_after(table, seat, table.pass_distance)


@register_jitable
def reveal(table, seat, places, count, state):
    """Take over the cards dealt afresh, and draw what others may have passed."""
    for other in range(table.num_players):
        if other != seat:
            table.hand[other] = known_cards(table, seat, other) | collect(places, count, other)
    if table.pass_distance == 0:
        return state
    for other in range(table.num_players):
        receiver = passes_to(table, other)
        if table.phase == PASS and other != seat:
            state, table.passed[other] = random.draw_members(
                table.hand[other], count_members(table.passed[other]), state
            )
        elif table.phase != PASS and other != seat and receiver != seat:
            cards = table.hand[receiver] | table.played[receiver]
            state, table.passed[other] = random.draw_members(cards, table.pass_cards, state)
            table.received[receiver] = table.passed[other]
    return state


@register_jitable
def undeal(table, deck):
    """Write the deck that the hand was dealt from, with the cards of each seat in order."""
    for seat in range(table.num_players):
        cards = table.hand[seat] | table.played[seat]
        if table.phase != PASS:
            cards = (cards & ~table.received[seat]) | table.passed[seat]
        put_in_deck(table, seat, cards, deck)
