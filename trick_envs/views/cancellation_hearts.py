"""What a seat may see of a table of Cancellation Hearts, and the features made of it."""

import numpy as np
from numba.extending import register_jitable

from trick_envs import random
from trick_envs.bits import bit, highest, nth, spread
from trick_envs.bits import count as count_members
from trick_envs.games import cancellation_hearts
from trick_envs.games.cancellation_hearts import (
    MAX_SEATS,
    ONCE,
    PACKS,
    TWICE,
    add,
    add_all,
    clear,
    remaining,
    remove_all,
)
from trick_envs.games.hearts import (
    ALL_POINTS,
    JACK_OF_DIAMONDS,
    MOON_SUBTRACT,
    QUEEN_OF_SPADES,
    points,
    take_points,
)
from trick_envs.games.table import IN_VIEW, PASS, PLAY, seat_after
from trick_envs.views.common import (
    by_seat,
    frame_parts,
    list_places,
    memory_mask,
    next_seat,
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
from trick_envs.views.hearts import (
    CARDS,
    HEARTS_PHASES,
    MOST_TRICKS,
    PASSING_AND_MOON,
    PHASE_COUNT,
    PHASE_PLACES,
    SUITS,
    most_told_of,
    passes_to,
    tell_pass_to,
)
from trick_envs.views.layout import Layout, Part, relative_seats

COPIES = ("once", "twice")
NO_CARD = -1

FIELDS = [
    *view_fields(MAX_SEATS, words=1),
    ("target", np.int32),
    ("pass_cards", np.int8),
    ("omnibus", np.int8),
    ("moon", np.int8),
    ("pass_distance", np.int8),
    # Sets of cards, ONCE and TWICE
    ("hand", np.int64, (PACKS,)),
    ("passed", np.int64, (PACKS,)),
    ("received", np.int64, (PACKS,)),
    ("kitty", np.int64, (PACKS,)),  # none for a seat that did not win it
    ("left", np.int64, (PACKS,)),
    ("played", np.int64, (MAX_SEATS, PACKS)),
    ("taken", np.int64, (MAX_SEATS, PACKS)),  # in tricks; the kitty is known to its taker alone
    ("not_held", np.int64, (MAX_SEATS,)),
    ("kitty_taker", np.int8),  # NOBODY before
    ("broken", np.int8),
    ("trick", np.int8, (MAX_SEATS,)),  # card on the table of each seat, NO_CARD before
    ("winning_card", np.int8),  # as the trick on the table stands, NO_CARD when all are cancelled
]


@register_jitable
def see(table, seat, view, seats):
    """Fill ``view`` with all that ``seat`` may know of ``table``.

    Under ``memory="table"`` it sees of passed cards those just picked, of played cards those on the table.
    seats: the table's num_players.
    """
    see_frame(table, seat, view, seats)
    view.pass_distance = table.pass_distance
    view.broken = table.broken
    view.kitty_taker = relative(table.kitty_taker, seat, seats) if table.kitty_taker >= 0 else table.kitty_taker
    uncancelled = table.trick_cards[ONCE] & ~table.trick_cards[TWICE] & table.led_suit
    view.winning_card = highest(uncancelled) if uncancelled else NO_CARD
    remembered = memory_mask(table)
    picking = -1 if table.phase == PASS else remembered
    has_kitty = remembered if table.kitty_taker == seat else 0
    for copies in range(PACKS):
        view.hand[copies] = table.hand[seat, copies]
        view.passed[copies] = table.passed[seat, copies] & picking
        view.received[copies] = table.received[seat, copies] & remembered
        view.kitty[copies] = table.kitty[copies] & has_kitty
        view.left[copies] = table.left[copies]
    other = seat
    for steps in range(seats):
        see_seat(table, other, view, steps, remembered)
        view.not_held[steps] = table.not_held[other] & remembered
        view.trick[steps] = NO_CARD
        for copies in range(PACKS):
            view.played[steps, copies] = table.played[other, copies] & remembered
            view.taken[steps, copies] = taken_in_tricks(table, other, seat, copies) & remembered
        other = next_seat(other, seats)
    other = relative(table.leader, seat, seats)
    for place in range(table.trick_size):
        view.trick[other] = table.trick[place]
        if table.memory == IN_VIEW:
            add(view.played[other], table.trick[place])
        other = next_seat(other, seats)


@register_jitable
def taken_in_tricks(table, taker, observer, copies):
    """What a seat has taken as the observer knows it: of another seat's, without the kitty."""
    taken = table.taken[taker, copies]
    if table.kitty_taker != taker or taker == observer:
        return taken
    return remaining(table.taken[taker], table.kitty) if copies == ONCE else taken & ~table.kitty[ONCE]


def layout(options: cancellation_hearts.Options) -> Layout:
    """The parts of the features; ``features`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards = cancellation_hearts.PACK.names
    suits = cancellation_hearts.PACK.suits
    return Layout(
        (
            *frame_parts(options, HEARTS_PHASES, MOST_TRICKS),
            Part("kitty_taker", "choice", "seat that won the kitty", (seats,)),
            Part("pass_to", "choice", "seat that gets the cards I pass; me in a hold hand", (seats,)),
            Part("hand", "set", "cards I hold, those picked for passing included", (COPIES, cards)),
            Part("passed", "set", "cards I picked for passing, or passed in this hand", (COPIES, cards)),
            Part("received", "set", "cards passed to me in this hand", (COPIES, cards)),
            Part("kitty", "set", "cards of the kitty that I won", (COPIES, cards)),
            Part("left", "set", "cards left on the table by cancelled tricks", (COPIES, cards)),
            Part("trick", "choice", "card on the table, by seat", (seats, cards)),
            Part("winning_card", "choice", "card that is winning the trick on the table", (cards,)),
            Part("played", "set", "cards played in this hand, by seat", (seats, COPIES, cards)),
            Part("points", "number", "points taken in this hand, as far as I know", (seats,), 0, PACKS * ALL_POINTS),
            Part("queens", "number", "queens of spades taken, as far as I know", (seats,), 0, PACKS),
            Part("jacks", "number", "jacks of diamonds taken, as far as I know, with omnibus", (seats,), 0, PACKS),
            *seat_parts(options, suits, MOST_TRICKS),
            Part("broken", "number", "1 when hearts are broken"),
        )
    )


@register_jitable
def features(view, row, seats):
    """Write the features of ``view`` into ``row``, int8 (layout size,); returns where they end.

    seats: the view's num_players.
    """
    at = write_frame(view, row, 0, seats, PHASE_PLACES, PHASE_COUNT)
    at = write_choice(view.kitty_taker, row, at, seats)
    at = write_choice(view.pass_distance, row, at, seats)
    at = write_copies(view.hand, row, at)
    at = write_copies(view.passed, row, at)
    at = write_copies(view.received, row, at)
    at = write_copies(view.kitty, row, at)
    at = write_copies(view.left, row, at)
    for seat in range(seats):
        at = write_card(view.trick[seat], row, at)
    at = write_card(view.winning_card, row, at)
    for seat in range(seats):
        at = write_copies(view.played[seat], row, at)
    for seat in range(seats):
        taken = view.taken[seat]
        row[at + seat] = points(taken[ONCE]) + points(taken[TWICE])
        row[at + seats + seat] = copies_of(taken, QUEEN_OF_SPADES)
        row[at + 2 * seats + seat] = copies_of(taken, JACK_OF_DIAMONDS) * view.omnibus
    at = write_seats(view, row, at + 3 * seats, seats, SUITS)
    row[at] = view.broken
    return at + 1


@register_jitable
def write_copies(cards, row, at):
    """Write a set of cards with their number; returns where it ends."""
    at = spread_wide(cards[ONCE], row, at, CARDS)
    return spread_wide(cards[TWICE], row, at, CARDS)


@register_jitable
def write_card(card, row, at):
    """Write the set of one card, empty for NO_CARD; returns where it ends."""
    return spread_wide((1 << (int(card) + 1)) >> 1, row, at, CARDS)


@register_jitable
def copies_of(cards, card):
    """How many copies of the set of one ``card`` are in."""
    return count_members(cards[ONCE] & card) + count_members(cards[TWICE] & card)


def hidden_parts(options: cancellation_hearts.Options) -> tuple[Part, ...]:
    """What a state adds to the features of a seat; ``hidden`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards = cancellation_hearts.PACK.names
    return (
        Part("hands", "set", "cards held, by seat, those picked for passing included", (seats, COPIES, cards)),
        Part("passes", "set", "cards picked for passing or passed in this hand, by seat", (seats, COPIES, cards)),
        Part("hidden_kitty", "set", "cards of the kitty", (COPIES, cards)),
    )


@register_jitable
def hidden(table, seat, row, start):
    """Write what a state adds to the features of ``seat`` into ``row`` from ``start`` on."""
    at = start
    for steps in range(table.num_players):
        at = write_state_copies(table.hand[seat_after(table, seat, steps)], row, at)
    for steps in range(table.num_players):
        at = write_state_copies(table.passed[seat_after(table, seat, steps)], row, at)
    return write_state_copies(table.kitty, row, at)


@register_jitable
def write_state_copies(cards, row, at):
    """As ``write_copies``, but nothing past its end, where the state may end too."""
    at = spread(cards[ONCE], row, at, CARDS)
    return spread(cards[TWICE], row, at, CARDS)


# --- What a view shows people, by name ---------------------------------------------------------------------------


def card_on_table(view: np.record, seat: int) -> int:
    """The card of a seat that has played to the trick on the table."""
    return int(view.trick[seat])


def names(cards: np.ndarray) -> list[str]:
    """Card names; one that is there twice comes twice."""
    return cancellation_hearts.names(cards.tolist())


SEEN = {
    "hand": lambda view: names(view.hand),
    "pass_to": lambda view: int(view.pass_distance),
    "passed": lambda view: names(view.passed),
    "received": lambda view: names(view.received),
    "kitty": lambda view: names(view.kitty),
    "kitty_taker": lambda view: None if view.kitty_taker < 0 else int(view.kitty_taker),
    "left": lambda view: names(view.left),
    "played": lambda view: by_seat(view, lambda seat: names(view.played[seat])),
    "taken": lambda view: by_seat(view, lambda seat: names(view.taken[seat])),
    "not_held": lambda view: by_seat(view, lambda seat: cancellation_hearts.PACK.listed(int(view.not_held[seat]))),
    "broken": lambda view: bool(view.broken),
}


# --- Events ----------------------------------------------------------------------------------------------------

VOCABULARY = vocabulary(
    MAX_SEATS,
    cancellation_hearts.PACK.names,
    (
        *PASSING_AND_MOON,
        Kind("stays", "the trick is cancelled and stays on the table"),
        Kind("kitty", "in the kitty that I won: {value}", cancellation_hearts.PACK.names),
        Kind("kitty_to", "{who} gets a card of the kitty"),
    ),
)
DEALT, PLAYS, PASS_TO, PICKS, PICKED, RECEIVED, MOON_COUNTS, STAYS, KITTY, KITTY_TO = (
    VOCABULARY.first(kind)
    for kind in ("dealt", "plays", "pass_to", "picks", "picked", "received", "moon", "stays", "kitty", "kitty_to")
)


def most_told(options: cancellation_hearts.Options, hand: int) -> int:
    """The most tokens of a hand, beside those that every hand has."""
    return most_told_of(len(cancellation_hearts.pack(options)), options)


@register_jitable
def tell_dealt(table, observer, log):
    """Write the cards that the observer was dealt in this hand into its sequence; returns where they end."""
    place = table.hand_told
    for card in range(CARDS):
        for _ in range(copies_dealt(table, observer, card)):
            log[observer, place] = DEALT + card
            place += 1
    return place


@register_jitable
def tell_open_cards(table, log):
    tell_pass_to(table, log, PASS_TO)


@register_jitable
def tell_action(table, seat, phase, action, log):
    """Tell all observers what came of the ``action`` that ``seat`` did in ``phase``."""
    if phase == PASS:
        tell_apart(table, log, PICKS + action, PICKED, seat)
        if table.phase != PASS:
            for observer in range(table.num_players):
                received = table.received[observer]
                place = write_cards(log, observer, table.told, RECEIVED, received[ONCE])
                write_cards(log, observer, place, RECEIVED, received[TWICE])
            table.told += table.pass_cards
    elif phase == PLAY:
        tell_of(table, log, PLAYS, seat, CARDS, action)
        if table.trick_size == 0:
            tell_trick(table, log)
    else:
        tell_of(table, log, MOON_COUNTS, seat, 2, action - MOON_SUBTRACT)


@register_jitable
def tell_trick(table, log):
    """What became of the trick just completed; the first seat to take one sees the kitty."""
    if table.left[ONCE]:
        tell_all(table, log, STAYS)
        return
    tell_of(table, log, TAKES, table.leader, 1, 0)
    taken = 0
    for seat in range(table.num_players):
        taken += table.tricks_won[seat]
    if taken == 1:
        for card in range(CARDS):
            for _ in range(copies_of(table.kitty, bit(card))):
                tell_apart(table, log, KITTY + card, KITTY_TO, table.leader)


@register_jitable
def retell(table, observer, log):
    """Put what the observer alone knows of the table's present hand in place of what it was told."""
    rewrite_copies(log, observer, table.hand_told, PICKS, table.passed[observer])
    if table.phase != PASS:
        rewrite_copies(log, observer, table.hand_told, RECEIVED, table.received[observer])
    if table.kitty_taker == observer:
        rewrite_copies(log, observer, table.hand_told, KITTY, table.kitty)


@register_jitable
def rewrite_copies(log, observer, start, first, cards):
    """As ``rewrite`` does, with cards that there may be two of."""
    place = rewrite(log, observer, start, first, CARDS, cards[ONCE])
    rewrite(log, observer, place, first, CARDS, cards[TWICE])


# --- Worlds ----------------------------------------------------------------------------------------------------


@register_jitable
def hide(table, seat, places):
    """List the places whose cards ``seat`` cannot see, the kitty as the stock's; how many."""
    count = 0
    for other in range(table.num_players):
        if other != seat:
            places.forbidden[other, 0] = table.not_held[other]
            hand = table.hand[other]
            for copies in range(PACKS):
                hidden = hand[copies]
                if table.phase != PASS and passes_to(table, seat) == other:
                    hidden = unknown_copies(table, seat, other, copies)
                count = list_places(places, count, other, hidden, 0)
    if table.kitty_taker != seat:
        for copies in range(PACKS):
            count = list_places(places, count, table.num_players, table.kitty[copies], 0)
    return count


@register_jitable
def known_copies(table, seat, receiver, copies):
    """Of the cards that ``seat`` passed, those that the receiver must still hold: it has played fewer copies."""
    passed, played = table.passed[seat], table.played[receiver]
    if copies == ONCE:
        return remaining(passed, played)
    return passed[TWICE] & ~played[ONCE]


@register_jitable
def unknown_copies(table, seat, receiver, copies):
    """The cards of which the receiver holds more copies than ``seat`` knows of: by one, or by two."""
    hand = table.hand[receiver]
    known_once = known_copies(table, seat, receiver, ONCE)
    known_twice = known_copies(table, seat, receiver, TWICE)
    if copies == ONCE:
        return (hand[ONCE] & ~known_once) | (hand[TWICE] & ~known_twice)
    return hand[TWICE] & ~known_once


@register_jitable
def reveal(table, seat, places, count, state):
    """Take over the cards dealt afresh, and draw what others may have passed."""
    reveal_kitty(table, seat, places, count)
    for other in range(table.num_players):
        if other != seat:
            known_once, known_twice = 0, 0
            if table.phase != PASS and passes_to(table, seat) == other:
                known_once = known_copies(table, seat, other, ONCE)
                known_twice = known_copies(table, seat, other, TWICE)
            table.hand[other, ONCE] = known_once
            table.hand[other, TWICE] = known_twice
    for place in range(count):
        if places.holders[place] < table.num_players:
            add(table.hand[places.holders[place]], places.cards[place])
    if table.pass_distance == 0:
        return state
    for other in range(table.num_players):
        receiver = passes_to(table, other)
        if table.phase == PASS and other != seat:
            picks = copies_in(table.passed[other])
            clear(table.passed[other])
            state = draw_copies(table.hand[other], table.played[other], table.passed[other], picks, state)
        elif table.phase != PASS and other != seat and receiver != seat:
            clear(table.passed[other])
            state = draw_copies(
                table.hand[receiver], table.played[receiver], table.passed[other], table.pass_cards, state
            )
            table.received[receiver, ONCE] = table.passed[other, ONCE]
            table.received[receiver, TWICE] = table.passed[other, TWICE]
    return state


@register_jitable
def reveal_kitty(table, seat, places, count):
    """The kitty's new cards, also in what its taker has taken."""
    if table.kitty_taker == seat:
        return
    if table.kitty_taker >= 0:
        remove_all(table.taken[table.kitty_taker], table.kitty)
    clear(table.kitty)
    for place in range(count):
        if places.holders[place] == table.num_players:
            add(table.kitty, places.cards[place])
    taker = table.kitty_taker
    if taker >= 0:
        add_all(table.taken[taker], table.kitty)
        table.points_taken[taker] = 0
        table.jacks_taken[taker] = 0
        for copies in range(PACKS):
            take_points(table, taker, table.taken[taker, copies])


@register_jitable
def copies_in(cards):
    """How many cards there are."""
    return count_members(cards[ONCE]) + count_members(cards[TWICE])


@register_jitable
def draw_copies(hand, played, drawn, number, state):
    """Draw so many of the cards in hand and played into ``drawn``, which is empty; the stream's state."""
    for _ in range(number):
        left_once, left_twice = copies_left(hand, played, drawn)
        state, k = random.draw_below(state, count_members(left_once) + count_members(left_twice))
        once = count_members(left_once)
        add(drawn, nth(left_once, k) if k < once else nth(left_twice, k - once))
    return state


@register_jitable
def copies_left(hand, played, drawn):
    """The cards in hand and played of which at least one, and two, copies are not drawn."""
    held_once = hand[ONCE] | played[ONCE]
    held_twice = hand[TWICE] | played[TWICE] | (hand[ONCE] & played[ONCE])
    once = (held_once & ~drawn[ONCE]) | (held_twice & ~drawn[TWICE])
    return once, held_twice & ~drawn[ONCE]


@register_jitable
def undeal(table, deck):
    """Write the deck that the hand was dealt from, with the cards of each seat in order and the kitty last."""
    for seat in range(table.num_players):
        place = relative(seat, seat_after(table, table.dealer, 1), table.num_players)
        for card in range(CARDS):
            for _ in range(copies_dealt(table, seat, card)):
                deck[place] = card
                place += table.num_players
    place = len(deck) - len(deck) % table.num_players
    for card in range(CARDS):
        for _ in range(copies_of(table.kitty, bit(card))):
            deck[place] = card
            place += 1


@register_jitable
def copies_dealt(table, seat, card):
    """How many copies of a card the seat was dealt."""
    one = bit(card)
    copies = copies_of(table.hand[seat], one) + copies_of(table.played[seat], one)
    if table.phase == PASS:
        return copies
    return copies - copies_of(table.received[seat], one) + copies_of(table.passed[seat], one)
