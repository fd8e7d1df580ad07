"""What a seat may see of a Rage'n Glyphs table, and the features made of it."""

import numpy as np
from numba.extending import register_jitable

from trick_envs.bits import WORD, bit, spread
from trick_envs.games import rage_glyphs
from trick_envs.games.rage_glyphs import (
    JOKER_KINDS,
    JOKERS,
    JOKERS_OF_A_KIND,
    MAX_SEATS,
    NO_SUIT,
    NOT_BID,
    PACK,
    RANK_BITS,
    RANKS,
    SUITS,
    WORDS,
    add_card,
    most_cards,
)
from trick_envs.games.table import BID, IN_VIEW, NOBODY, OVER, PLAY, seat_after
from trick_envs.views.common import (
    by_seat,
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
from trick_envs.views.events import TAKES, Kind, retell_nothing, tell_all, tell_of, vocabulary
from trick_envs.views.layout import Layout, Part, relative_seats

SECOND_WORD = JOKERS - WORD  # suited cards in the second word of a set
RAGE_PHASES = (BID, PLAY, OVER)
PHASE_COUNT = len(RAGE_PHASES)
PHASE_PLACES = places_of(RAGE_PHASES)

FIELDS = [
    *view_fields(MAX_SEATS, words=3),
    ("exact_bonus", np.int32),
    ("zero_bonus", np.int32),
    ("miss_penalty", np.int32),
    ("hook", np.int8),
    ("hand_size", np.int8),
    ("hands_left", np.int8),  # in the match, after this one
    ("turned", np.int64, (WORDS,)),
    ("turned_jokers", np.int8, (JOKER_KINDS,)),
    ("trump", np.int8),
    ("last_trump", np.int8),
    ("bids", np.int8, (MAX_SEATS,)),
    ("hand", np.int64, (WORDS,)),
    ("jokers", np.int8, (JOKER_KINDS,)),
    ("played", np.int64, (MAX_SEATS, WORDS)),
    ("jokers_played", np.int8, (MAX_SEATS, JOKER_KINDS)),
    ("trick", np.int8, (MAX_SEATS,)),  # card on the table of each seat, NO_CARD before
    ("led_suit", np.int8),
    ("winner", np.int8),  # seat that is winning the trick on the table, if there is one
]
NO_CARD = -1


@register_jitable
def see(table, seat, view, seats):
    """Fill ``view`` with all that ``seat`` may know of ``table``.

    Under ``memory="table"`` it sees of played cards those on the table; turned cards lie open.
    seats: the table's num_players, for the compiler to know as a constant where it can.
    """
    see_frame(table, seat, view, seats)
    view.hand_size = table.hand_size
    view.hands_left = table.num_hands - 1 - table.hand_number
    view.trump = table.trump
    view.last_trump = table.last_trump
    view.led_suit = table.led_suit
    view.winner = relative(table.winner, seat, seats)
    for word in range(WORDS):
        view.turned[word] = table.turned[word]
        view.hand[word] = table.hand[seat, word]
    for kind in range(JOKER_KINDS):
        view.turned_jokers[kind] = table.turned_jokers[kind]
        view.jokers[kind] = table.jokers[seat, kind]
    remembered = memory_mask(table)
    other = seat
    for steps in range(seats):
        see_seat(table, other, view, steps, remembered)
        view.trick[steps] = NO_CARD
        view.bids[steps] = table.bids[other]
        for word in range(WORDS):
            view.played[steps, word] = table.played[other, word] & remembered
        for kind in range(JOKER_KINDS):
            view.jokers_played[steps, kind] = table.jokers_played[other, kind] & remembered
        other = next_seat(other, seats)
    other = relative(table.leader, seat, seats)
    for place in range(table.trick_size):
        view.trick[other] = table.trick[place]
        if table.memory == IN_VIEW:
            add_card(view.played[other], view.jokers_played[other], table.trick[place])
        other = next_seat(other, seats)


def layout(options: rage_glyphs.Options) -> Layout:
    """The parts of the features; ``features`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards = PACK.names[:JOKERS]
    suits = PACK.suits
    jokers = PACK.suitless
    most = most_cards(options.num_players)
    return Layout(
        (
            *frame_parts(options, RAGE_PHASES, most),
            Part("winner", "choice", "seat that is winning the trick on the table, as trump now stands", (seats,)),
            Part("led_suit", "choice", "suit to be followed", (suits,)),
            Part("trump", "choice", "trump suit", (suits,)),
            Part("hand", "set", "suited cards I hold", (cards,)),
            Part("jokers", "number", "jokers I hold", (jokers,), 0, JOKERS_OF_A_KIND),
            Part("trick", "set", "suited cards on the table", (cards,)),
            Part("trick_jokers", "choice", "joker on the table, by seat", (seats, jokers)),
            Part("turned", "set", "open suited cards of the pile", (cards,)),
            Part("turned_jokers", "number", "open jokers of the pile", (jokers,), 0, JOKERS_OF_A_KIND),
            Part("played", "set", "suited cards played in this hand, by seat", (seats, cards)),
            Part("jokers_played", "number", "jokers played, by seat", (seats, jokers), 0, JOKERS_OF_A_KIND),
            Part("has_bid", "set", "seats that have bid", (seats,)),
            Part("bids", "number", "tricks bid", (seats,), 0, most),
            Part("hand_size", "number", "tricks in this hand", (), 0, most),
            Part("hands_left", "number", "hands after this one", (), 0, rage_glyphs.MOST_HANDS - 1),
            *seat_parts(options, suits, most),
        )
    )


@register_jitable
def features(view, row, seats):
    """Write the features of ``view`` into ``row``, int8 (layout size,); returns where they end.

    seats: the view's num_players.
    """
    at = write_frame(view, row, 0, seats, PHASE_PLACES, PHASE_COUNT)
    at = write_choice(view.winner if view.trick_size else NOBODY, row, at, seats)
    at = write_choice(view.led_suit, row, at, SUITS)
    at = write_choice(view.trump, row, at, SUITS)
    at = write_cards(view.hand, row, at)
    for kind in range(JOKER_KINDS):
        row[at + kind] = view.jokers[kind]
    at = write_trick(view, row, at + JOKER_KINDS, seats)
    at = write_cards(view.turned, row, at)
    for kind in range(JOKER_KINDS):
        row[at + kind] = view.turned_jokers[kind]
    at += JOKER_KINDS
    for seat in range(seats):
        at = write_cards(view.played[seat], row, at)
    for seat in range(seats):
        for kind in range(JOKER_KINDS):
            row[at + kind] = view.jokers_played[seat, kind]
        at += JOKER_KINDS
    for seat in range(seats):
        row[at + seat] = view.bids[seat] != NOT_BID
        row[at + seats + seat] = max(0, view.bids[seat])
    at += 2 * seats
    row[at] = view.hand_size
    row[at + 1] = view.hands_left
    return write_seats(view, row, at + 2, seats, SUITS)


@register_jitable
def write_cards(cards, row, at):
    """Write a set of suited cards in two words; returns where it ends."""
    at = spread_wide(cards[0], row, at, WORD)
    return spread(cards[1], row, at, SECOND_WORD)


@register_jitable
def write_trick(view, row, at, seats):
    """Write the suited cards on the table as a set and the jokers by seat; returns where they end."""
    first, second = 0, 0
    jokers = at + JOKERS
    for seat in range(seats):
        card = view.trick[seat]
        if 0 <= card < WORD:
            first |= bit(card)
        elif WORD <= card < JOKERS:
            second |= bit(card - WORD)
    spread_wide(first, row, at, WORD)
    spread(second, row, at + WORD, SECOND_WORD)
    for seat in range(seats):
        for kind in range(JOKER_KINDS):
            row[jokers + kind] = view.trick[seat] == JOKERS + kind
        jokers += JOKER_KINDS
    return jokers


def hidden_parts(options: rage_glyphs.Options) -> tuple[Part, ...]:
    """What a state adds to the features of a seat; ``hidden`` writes them in this order."""
    seats = relative_seats(options.num_players)
    return (
        Part("hands", "set", "suited cards held, by seat", (seats, PACK.names[:JOKERS])),
        Part("jokers_held", "number", "jokers held, by seat", (seats, PACK.suitless), 0, JOKERS_OF_A_KIND),
        Part(
            "pile",
            "number",
            "card ids of the pile, in the order they will be turned, from 1; 0 past its end",
            (tuple(map(str, range(rage_glyphs.PACK_SIZE))),),
            0,
            rage_glyphs.KINDS,
        ),
    )


@register_jitable
def hidden(table, seat, row, start):
    """Write what a state adds to the features of ``seat`` into ``row`` from ``start`` on."""
    at = start
    for steps in range(table.num_players):
        other = seat_after(table, seat, steps)
        at = spread(table.hand[other, 0], row, at, WORD)
        at = spread(table.hand[other, 1], row, at, SECOND_WORD)
    for steps in range(table.num_players):
        other = seat_after(table, seat, steps)
        for kind in range(JOKER_KINDS):
            row[at + kind] = table.jokers[other, kind]
        at += JOKER_KINDS
    for place in range(rage_glyphs.PACK_SIZE):
        coming = int(table.next_in_pile) + place
        row[at + place] = table.deck[coming] + 1 if coming < rage_glyphs.PACK_SIZE else 0
    return at + rage_glyphs.PACK_SIZE


# --- What a view shows people, by name ---------------------------------------------------------------------------


def card_on_table(view: np.record, seat: int) -> int:
    """The card of a seat that has played to the trick on the table."""
    return int(view.trick[seat])


SEEN = {
    "hand": lambda view: rage_glyphs.held(view.hand, view.jokers),
    "hand_size": lambda view: int(view.hand_size),
    "hands_left": lambda view: int(view.hands_left),
    "bids": rage_glyphs.bids_so_far,
    "trump": rage_glyphs.SHOWN["trump"],
    "turned": lambda view: rage_glyphs.held(view.turned, view.turned_jokers),
    "played": lambda view: by_seat(view, lambda seat: rage_glyphs.held(view.played[seat], view.jokers_played[seat])),
}


# --- Events ----------------------------------------------------------------------------------------------------

BID_VALUES = tuple(str(bid) for bid in range(most_cards(rage_glyphs.SEATS[0]) + 1))
BID_VALUE_COUNT = len(BID_VALUES)
VOCABULARY = vocabulary(
    MAX_SEATS,
    PACK.names,
    (
        Kind("turned", "{value} is turned up", PACK.names),
        Kind("trump", "trump is {value}", (*PACK.suits, "nothing")),
        Kind("bids", "{who} bids {value}", BID_VALUES),
    ),
)
DEALT, PLAYS, TURNED, TRUMP, BIDS_TOLD = (
    VOCABULARY.first(kind) for kind in ("dealt", "plays", "turned", "trump", "bids")
)


def most_told(options: rage_glyphs.Options, hand: int) -> int:
    """The most tokens of a hand, beside those that every hand has."""
    cards, seats = options.hand_sizes[hand], options.num_players
    most_turned = rage_glyphs.PACK_SIZE - cards * seats
    trumps = 1 + min(JOKER_KINDS * JOKERS_OF_A_KIND, cards * seats)
    return cards + most_turned + trumps + seats + cards * seats + cards


@register_jitable
def tell_dealt(table, observer, log):
    """Write the cards that the observer was dealt in this hand into its sequence; returns where they end."""
    place = table.hand_told
    for card in range(rage_glyphs.KINDS):
        for _ in range(copies_dealt(table, observer, card)):
            log[observer, place] = DEALT + card
            place += 1
    return place


@register_jitable
def tell_open_cards(table, log):
    """The cards just turned up from the pile, and the trump suit they make."""
    for place in range(table.turned_from, table.next_in_pile):
        tell_all(table, log, TURNED + int(table.deck[place]))
    tell_all(table, log, TRUMP + (int(table.trump) if table.trump != NO_SUIT else SUITS))


retell = retell_nothing


@register_jitable
def tell_action(table, seat, phase, action, log):
    """Tell all observers what came of the ``action`` that ``seat`` did in ``phase``."""
    if phase == BID:
        tell_of(table, log, BIDS_TOLD, seat, BID_VALUE_COUNT, table.bids[seat])
    else:
        tell_of(table, log, PLAYS, seat, rage_glyphs.KINDS, action)
        if action == JOKERS + rage_glyphs.ABOLISH:
            tell_all(table, log, TRUMP + SUITS)
        elif action >= JOKERS:
            tell_open_cards(table, log)
        if table.trick_size == 0:
            tell_of(table, log, TAKES, table.leader, 1, 0)


# --- Worlds ----------------------------------------------------------------------------------------------------


@register_jitable
def hide(table, seat, places):
    """List the places whose cards ``seat`` cannot see, the face-down pile as the stock's; how many."""
    count = 0
    for other in range(table.num_players):
        if other != seat:
            forbid_voids(table, other, places)
            count = list_places(places, count, other, table.hand[other, 0], 0)
            count = list_places(places, count, other, table.hand[other, 1], WORD)
            for kind in range(JOKER_KINDS):
                for _ in range(table.jokers[other, kind]):
                    count = list_places(places, count, other, 1, JOKERS + kind)
    for coming in range(int(table.next_in_pile), rage_glyphs.PACK_SIZE):
        count = list_places(places, count, table.num_players, 1, table.deck[coming])
    return count


@register_jitable
def forbid_voids(table, seat, places):
    """Note that the seat holds no card of the suits it is out of."""
    for suit in range(SUITS):
        if (table.voids[seat] >> suit) & 1:
            first = suit * RANKS
            places.forbidden[seat, first // WORD] |= RANK_BITS << (first % WORD)


@register_jitable
def reveal(table, seat, places, count, state):
    """Take over the cards dealt afresh."""
    for other in range(table.num_players):
        if other != seat:
            for word in range(WORDS):
                table.hand[other, word] = 0
            for kind in range(JOKER_KINDS):
                table.jokers[other, kind] = 0
    coming = int(table.next_in_pile)
    for place in range(count):
        holder = places.holders[place]
        if holder < table.num_players:
            add_card(table.hand[holder], table.jokers[holder], places.cards[place])
        else:
            table.deck[coming] = places.cards[place]
            coming += 1
    undeal(table, table.deck)
    return state


@register_jitable
def undeal(table, deck):
    """Write the deck that the hand was dealt from, with the cards of each seat in order."""
    for seat in range(table.num_players):
        turn = relative(seat, seat_after(table, table.dealer, 1), table.num_players)
        place = turn
        for card in range(rage_glyphs.KINDS):
            for _ in range(copies_dealt(table, seat, card)):
                deck[place] = card
                place += table.num_players
    for place in range(table.hand_size * table.num_players, rage_glyphs.PACK_SIZE):
        deck[place] = table.deck[place]


@register_jitable
def copies_dealt(table, seat, card):
    """How many copies of a card the seat was dealt: those it holds or has played."""
    if card >= JOKERS:
        return table.jokers[seat, card - JOKERS] + table.jokers_played[seat, card - JOKERS]
    suited = table.hand[seat, card // WORD] | table.played[seat, card // WORD]
    return (suited >> (card % WORD)) & 1
