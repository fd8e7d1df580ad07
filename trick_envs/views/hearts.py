"""What a seat may see of a Hearts table, and the features made of it.

``see`` fills a view record with what one seat may know; all that observes or decides for a seat gets that record
and no table, so there is no way from it to a hidden card. Seats in a view are relative: 0 is the observer, 1 its
left neighbour, and so on.
"""

import numpy as np
from numba.extending import register_jitable

from trick_envs.bits import bit, spread
from trick_envs.games import hearts
from trick_envs.games.hearts import ALL_POINTS, MAX_SEATS, SUIT_CARDS
from trick_envs.games.table import IN_VIEW, MOON, NOBODY, OVER, PASS, PHASES, PLAY, seat_after
from trick_envs.views.layout import INT8_MAX, Layout, Part, relative_seats

CARDS = len(hearts.PACK.names)
SUITS = len(SUIT_CARDS)
HEARTS_PHASES = (PASS, PLAY, MOON, OVER)
HEARTS_PHASE_COUNT = len(HEARTS_PHASES)
HEARTS_PHASE = tuple(HEARTS_PHASES.index(phase) if phase in HEARTS_PHASES else 0 for phase in range(len(PHASES)))
MOST_TRICKS = 17
NOTHING, EVERYTHING = 0, -1  # as masks of sets
CARD_ROOM = 64  # entries that a set of cards is spread over: one vector
ROOM = 8  # entries that a set of seats is spread over, at least MAX_SEATS

FIELDS = [
    ("num_players", np.int8),
    ("target", np.int32),
    ("pass_cards", np.int8),
    ("omnibus", np.int8),
    ("moon", np.int8),
    ("hand_number", np.int32),
    ("scores", np.int32, (MAX_SEATS,)),
    ("phase", np.int8),
    ("dealer", np.int8),
    ("seat", np.int8),  # seat to act, NOBODY when the match is over
    ("legal", np.int64, (1,)),  # set of legal actions as in a table record, empty off turn
    ("pass_distance", np.int8),
    ("hand", np.int64),
    ("passed", np.int64),
    ("received", np.int64),
    ("played", np.int64, (MAX_SEATS,)),
    ("taken", np.int64, (MAX_SEATS,)),
    ("not_held", np.int64, (MAX_SEATS,)),
    ("tricks_won", np.int8, (MAX_SEATS,)),
    ("trick_number", np.int8),
    ("broken", np.int8),
    ("leader", np.int8),  # seat that led, or is to lead, the trick on the table, NOBODY while passing
    ("trick_cards", np.int64),  # set of the cards on the table
    ("trick_size", np.int8),
    ("winner", np.int8),  # seat that is winning the trick on the table, if there is one
    ("winning_card", np.int8),
]


@register_jitable
def see(table, seat, view, seats):
    """Fill ``view`` with all that ``seat`` may know of ``table``.

    Under ``memory="table"`` it sees of passed cards those just picked, of played cards those on the table.
    seats: the table's num_players, for the compiler to know as a constant where it can.
    """
    view.num_players = seats
    view.target = table.target
    view.pass_cards = table.pass_cards
    view.omnibus = table.omnibus
    view.moon = table.moon
    view.hand_number = table.hand_number
    view.phase = table.phase
    view.dealer = relative(table.dealer, seat, seats)
    view.seat = relative(table.seat, seat, seats) if table.seat != NOBODY else NOBODY
    view.legal[0] = table.legal[0] if table.seat == seat else 0
    view.pass_distance = table.pass_distance
    view.hand = table.hand[seat]
    view.trick_number = table.trick_number
    view.broken = table.broken
    view.leader = relative(table.leader, seat, seats) if table.phase != PASS else NOBODY
    view.trick_size = table.trick_size
    view.trick_cards = table.trick_cards
    view.winner = relative(table.winner, seat, seats)
    view.winning_card = table.winning_card
    remembered = NOTHING if table.memory == IN_VIEW else EVERYTHING
    view.passed = table.passed[seat] if table.phase == PASS else table.passed[seat] & remembered
    view.received = table.received[seat] & remembered
    other = seat
    for steps in range(seats):
        view.scores[steps] = table.scores[other]
        view.tricks_won[steps] = table.tricks_won[other]
        view.played[steps] = table.played[other] & (remembered | table.trick_cards)
        view.taken[steps] = table.taken[other] & remembered
        view.not_held[steps] = table.not_held[other] & remembered
        other = other + 1 if other + 1 < seats else 0


@register_jitable
def relative(seat, observer, seats):
    """How many places ``seat`` is to the left of ``observer``; no branch, for processors could not foresee it."""
    return seat - observer + (seat < observer) * seats


@register_jitable
def score_unit(target):
    """Points that one step of a score in the features stands for: 1 for a target up to 100."""
    return 1 + (target - 1) // 100


def layout(options: hearts.Options) -> Layout:
    """The parts of the features; ``features`` writes them in this order."""
    seats = relative_seats(options.num_players)
    cards = hearts.PACK.names
    suits = hearts.PACK.suits
    phases = tuple(PHASES[phase] for phase in HEARTS_PHASES)
    unit = score_unit(options.target)
    return Layout(
        (
            Part("hand", "set", "cards I hold, those picked for passing included", (cards,)),
            Part("passed", "set", "cards I picked for passing, or passed in this hand", (cards,)),
            Part("received", "set", "cards passed to me in this hand", (cards,)),
            Part("trick", "set", "cards on the table", (cards,)),
            Part("winning_card", "choice", "card that is winning the trick on the table", (cards,)),
            Part("played", "set", "cards played in this hand, by seat", (seats, cards)),
            Part("voids", "set", "suits the seat has shown to be out of", (seats, suits)),
            Part("points", "number", "points of hearts and queen taken in this hand", (seats,), 0, ALL_POINTS),
            Part("tricks_won", "number", "tricks taken in this hand", (seats,), 0, MOST_TRICKS),
            Part(
                "scores",
                "number",
                f"score in units of {unit}, cut off at ±127",
                (seats,),
                -INT8_MAX,
                INT8_MAX,
            ),
            Part("queen_taker", "choice", "seat that took the queen of spades", (seats,)),
            Part("jack_taker", "choice", "seat that took the jack of diamonds, with omnibus", (seats,)),
            Part("leader", "choice", "seat that led, or is to lead, the trick; none while passing", (seats,)),
            Part("dealer", "choice", "seat that dealt", (seats,)),
            Part("to_act", "choice", "seat to act, none after the end", (seats,)),
            Part("pass_to", "choice", "seat that gets the cards I pass; me in a hold hand", (seats,)),
            Part("phase", "choice", "phase of the hand", (phases,)),
            Part("broken", "number", "1 when hearts are broken"),
            Part("trick_number", "number", "tricks completed in this hand", (), 0, MOST_TRICKS),
            Part("hand_number", "number", "hands completed, cut off at 127", (), 0, INT8_MAX),
        )
    )


@register_jitable
def features(view, row, seats):
    """Write the features of ``view`` into ``row``, int8 (layout size,); returns where they end.

    Sets are spread wider than their parts, over whole vectors: what goes past a part is overwritten by the next
    ones, and the numbers at the end are written one by one. seats: the view's num_players.
    """
    at = spread_cards(view.hand, row, 0)
    at = spread_cards(view.passed, row, at)
    at = spread_cards(view.received, row, at)
    at = spread_cards(view.trick_cards, row, at)
    at = spread_cards(bit(view.winning_card) & view.trick_cards, row, at)
    for seat in range(seats):
        at = spread_cards(view.played[seat], row, at)
    unit = score_unit(view.target)
    queen_taker, jack_taker = 0, 0
    for seat in range(seats):
        spread(void_suits(view, seat), row, at + SUITS * seat, SUITS)
        numbers = at + SUITS * seats + seat
        row[numbers] = hearts.points(view.taken[seat])
        row[numbers + seats] = view.tricks_won[seat]
        score = view.scores[seat] if unit == 1 else view.scores[seat] // unit
        row[numbers + 2 * seats] = max(-INT8_MAX, min(INT8_MAX, score))
        queen_taker |= (view.taken[seat] & hearts.QUEEN_OF_SPADES != 0) << seat
        jack_taker |= (view.taken[seat] & hearts.JACK_OF_DIAMONDS != 0) << seat
    at += (SUITS + 3) * seats
    spread(queen_taker, row, at, ROOM)
    spread(jack_taker * view.omnibus, row, at + seats, ROOM)
    spread(seat_set(view.leader), row, at + 2 * seats, ROOM)
    spread(seat_set(view.dealer), row, at + 3 * seats, ROOM)
    spread(seat_set(view.seat), row, at + 4 * seats, ROOM)
    spread(seat_set(view.pass_distance), row, at + 5 * seats, ROOM)
    at = spread(bit(HEARTS_PHASE[view.phase]), row, at + 6 * seats, HEARTS_PHASE_COUNT)
    row[at] = view.broken
    row[at + 1] = view.trick_number
    row[at + 2] = min(INT8_MAX, view.hand_number)
    return at + 3


@register_jitable
def spread_cards(cards, row, start):
    """Write a set of cards; like ``ROOM``, the ``CARD_ROOM`` it is spread over goes past the part."""
    spread(cards, row, start, CARD_ROOM)
    return start + CARDS


@register_jitable
def seat_set(seat):
    """The set of just that seat, empty for NOBODY (−1); without a branch."""
    return (1 << (seat + 1)) >> 1


@register_jitable
def void_suits(view, seat):
    """The set of suits that the seat has shown to be out of."""
    suits = 0
    for suit in range(SUITS):
        suits |= (SUIT_CARDS[suit] & ~view.not_held[seat] == 0) << suit
    return suits


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
