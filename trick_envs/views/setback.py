"""What a seat may see of a Setback table, and the features made of it."""

import numpy as np
from numba.extending import register_jitable

from trick_envs.bits import bit, lowest, spread
from trick_envs.games import setback
from trick_envs.games.setback import CARDS_EACH, LOWEST_BID, MAX_SEATS, PACKET, PASSED, RANKS, SMUDGE, SUIT_CARDS
from trick_envs.games.table import BID, OVER, PLAY, seat_after
from trick_envs.views.common import (
    by_seat,
    card_in_trick,
    collect,
    frame_parts,
    list_places,
    memory_mask,
    next_seat,
    places_of,
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
    retell_nothing,
    tell_all,
    tell_nothing,
    tell_of,
    vocabulary,
    write_cards,
)
from trick_envs.views.layout import Layout, Part, relative_seats

CARDS = len(setback.PACK.names)
ALL_CARDS = bit(CARDS) - 1
SUITS = len(SUIT_CARDS)
SETBACK_PHASES = (BID, PLAY, OVER)
PHASE_COUNT = len(SETBACK_PHASES)
PHASE_PLACES = places_of(SETBACK_PHASES)
BID_COUNT = SMUDGE - LOWEST_BID + 2
BID_LABELS = ("pass", *setback.BID_NAMES)
NO_SUIT = -1

FIELDS = [
    *view_fields(MAX_SEATS, words=1),
    ("partners", np.int8),
    ("target", np.int32),
    ("all_aces_count", np.int8),
    ("low_to_holder", np.int8),
    ("dealer_steals", np.int8),
    ("must_bid_out", np.int8),
    ("defenders_score_on_set", np.int8),
    ("hand", np.int64),
    ("played", np.int64, (MAX_SEATS,)),
    ("taken", np.int64, (MAX_SEATS,)),
    ("not_held", np.int64, (MAX_SEATS,)),
    ("bids", np.int8, (MAX_SEATS,)),
    ("highest_bid", np.int8),
    ("pitcher", np.int8),  # seat that bids highest so far, NOBODY while none has bid
    ("trump_cards", np.int64),
    ("trick_cards", np.int64),
    ("led_suit", np.int64),
    ("winner", np.int8),  # seat that is winning the trick on the table, if there is one
    ("winning_card", np.int8),
]


@register_jitable
def see(table, seat, view, seats):
    """Fill ``view`` with all that ``seat`` may know of ``table``.

    Under ``memory="table"`` it sees of played cards those on the table; bids stay in mind.
    seats: the table's num_players, for the compiler to know as a constant where it can.
    """
    see_frame(table, seat, view, seats)
    view.hand = table.hand[seat]
    view.highest_bid = table.highest_bid
    view.pitcher = relative(table.pitcher, seat, seats) if table.highest_bid != PASSED else table.pitcher
    view.trump_cards = table.trump_cards
    view.trick_cards = table.trick_cards
    view.led_suit = table.led_suit
    view.winner = relative(table.winner, seat, seats)
    view.winning_card = table.winning_card
    remembered = memory_mask(table)
    other = seat
    for steps in range(seats):
        see_seat(table, other, view, steps, remembered)
        view.bids[steps] = table.bids[other]
        view.played[steps] = table.played[other] & (remembered | table.trick_cards)
        view.taken[steps] = table.taken[other] & remembered
        view.not_held[steps] = table.not_held[other] & remembered
        other = next_seat(other, seats)


def layout(options: setback.Options) -> Layout:
    """The parts of the features; ``features`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards = setback.PACK.names
    suits = setback.PACK.suits
    return Layout(
        (
            *frame_parts(options, SETBACK_PHASES, CARDS_EACH),
            Part("pitcher", "choice", "seat that bids highest so far, and is to lead", (seats,)),
            Part("trump", "choice", "trump suit, none before the first lead", (suits,)),
            Part("bids", "choice", "what the seat has bid, none before it has", (seats, BID_LABELS)),
            Part("hand", "set", "cards I hold", (cards,)),
            Part("trick", "set", "cards on the table", (cards,)),
            Part("winning_card", "choice", "card that is winning the trick on the table", (cards,)),
            Part("played", "set", "cards played in this hand, by seat", (seats, cards)),
            Part("taken", "set", "cards taken in tricks, by seat", (seats, cards)),
            *seat_parts(options, suits, CARDS_EACH),
        )
    )


@register_jitable
def features(view, row, seats):
    """Write the features of ``view`` into ``row``, int8 (layout size,); returns where they end.

    seats: the view's num_players.
    """
    at = write_frame(view, row, 0, seats, PHASE_PLACES, PHASE_COUNT)
    at = write_choice(view.pitcher, row, at, seats)
    at = write_choice(lowest(view.trump_cards) // RANKS if view.trump_cards else NO_SUIT, row, at, SUITS)
    for seat in range(seats):
        at = write_choice(bid_place(view.bids[seat]), row, at, BID_COUNT)
    at = spread_wide(view.hand, row, at, CARDS)
    at = spread_wide(view.trick_cards, row, at, CARDS)
    at = spread_wide(bit(view.winning_card) & view.trick_cards, row, at, CARDS)
    for seat in range(seats):
        at = spread_wide(view.played[seat], row, at, CARDS)
    for seat in range(seats):
        at = spread(view.taken[seat], row, at, CARDS)
    return write_seats(view, row, at, seats, SUITS)


@register_jitable
def bid_place(bid):
    """The place of a bid among ``BID_LABELS``, −1 before it is made."""
    return bid if bid <= PASSED else bid - LOWEST_BID + 1


def hidden_parts(options: setback.Options) -> tuple[Part, ...]:
    """What a state adds to the features of a seat; ``hidden`` writes them in this order."""
    seats = relative_seats(options.num_players)
    return (Part("hands", "set", "cards held, by seat", (seats, setback.PACK.names)),)


@register_jitable
def hidden(table, seat, row, start):
    """Write what a state adds to the features of ``seat`` into ``row`` from ``start`` on."""
    at = start
    for steps in range(table.num_players):
        at = spread(table.hand[seat_after(table, seat, steps)], row, at, CARDS)
    return at


# --- What a view shows people, by name ---------------------------------------------------------------------------

card_on_table = card_in_trick


def names(cards: int) -> list[str]:
    """Card names of a set."""
    return setback.PACK.listed(int(cards))


SEEN = {
    "hand": lambda view: names(view.hand),
    "bids": lambda view: setback.bids_so_far(view),
    "pitcher": lambda view: None if view.phase == BID else int(view.pitcher),
    "trump": setback.SHOWN["trump"],
    "played": lambda view: by_seat(view, lambda seat: names(view.played[seat])),
    "taken": lambda view: by_seat(view, lambda seat: names(view.taken[seat])),
    "not_held": lambda view: by_seat(view, lambda seat: names(view.not_held[seat])),
}


# --- Events ----------------------------------------------------------------------------------------------------

VOCABULARY = vocabulary(
    MAX_SEATS,
    setback.PACK.names,
    (
        Kind("bids", "{who} bids: {value}", BID_LABELS),
        Kind("trump", "trump is {value}", setback.PACK.suits),
    ),
)
DEALT, PLAYS, BIDS_TOLD, TRUMP = (VOCABULARY.first(kind) for kind in ("dealt", "plays", "bids", "trump"))


def most_told(options: setback.Options, hand: int) -> int:
    """The most tokens of a hand, beside those that every hand has."""
    return CARDS_EACH + options.num_players + 1 + CARDS_EACH * options.num_players + CARDS_EACH


@register_jitable
def tell_dealt(table, observer, log):
    """Write the cards that the observer was dealt in this hand into its sequence; returns where they end."""
    return write_cards(log, observer, table.hand_told, DEALT, table.hand[observer] | table.played[observer])


tell_open_cards = tell_nothing
retell = retell_nothing


@register_jitable
def tell_action(table, seat, phase, action, log):
    """Tell all observers what came of the ``action`` that ``seat`` did in ``phase``."""
    if phase == BID:
        tell_of(table, log, BIDS_TOLD, seat, BID_COUNT, bid_place(table.bids[seat]))
    else:
        tell_of(table, log, PLAYS, seat, CARDS, action)
        if table.trick_number == 0 and table.trick_size == 1:
            tell_all(table, log, TRUMP + action // RANKS)
        if table.trick_size == 0:
            tell_of(table, log, TAKES, table.leader, 1, 0)


# --- Worlds ----------------------------------------------------------------------------------------------------


@register_jitable
def hide(table, seat, places):
    """List the places whose cards ``seat`` cannot see, the undealt ones as the stock's; how many."""
    count, seen = 0, 0
    for other in range(table.num_players):
        seen |= table.hand[other] | table.played[other]
        if other != seat:
            places.forbidden[other, 0] = table.not_held[other]
            count = list_places(places, count, other, table.hand[other], 0)
    return list_places(places, count, table.num_players, ALL_CARDS & ~seen, 0)


@register_jitable
def reveal(table, seat, places, count, state):
    """Take over the cards dealt afresh."""
    for other in range(table.num_players):
        if other != seat:
            table.hand[other] = collect(places, count, other)
    return state


@register_jitable
def undeal(table, deck):
    """Write the deck that the hand was dealt from, with the cards of each seat and the rest in order."""
    rest = ALL_CARDS
    for seat in range(table.num_players):
        cards = table.hand[seat] | table.played[seat]
        rest &= ~cards
        turn = relative(seat, seat_after(table, table.dealer, 1), table.num_players)
        for card in range(CARDS_EACH):
            packet = card // PACKET * table.num_players + turn
            deck[packet * PACKET + card % PACKET] = lowest(cards)
            cards &= cards - 1
    place = CARDS_EACH * table.num_players
    while rest:
        deck[place] = lowest(rest)
        rest &= rest - 1
        place += 1
