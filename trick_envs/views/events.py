"""Events: all that a seat has been allowed to see, in order, as a sequence of tokens.

An observer's sequence is an int16 array, padded with zeros at its end. A token stands for one event: what kind of
event, which seat, counted from the observer, and a card, a bid or the like. Numbers that may be large follow the
event they belong to as digits. The tokens of a game are the same for all numbers of seats.

Nothing is ever taken back: a sequence tells apart any two courses of a match that differ in what the seat has seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from trick_envs.bits import lowest

PADDING = 0
DIGITS = 256  # a number is written in this base: the most significant digit first, which alone counts from −128 up
HALF = DIGITS // 2
MOST_DIGITS = 4  # of an int32
ANY_GAMES_SEATS = 11  # seats that the kinds of every game have room for, so that their tokens are the same everywhere


@dataclass(frozen=True)
class Kind:
    """A kind of event.

    words: the event told to people; ``{who}`` is the seat, ``{value}`` the value.
    values: labels of what is told beside the seat, or none.
    number: whether a number follows in digits, which is the value.
    """

    name: str
    words: str
    values: tuple[str, ...] = ("",)
    number: bool = False

    @property
    def has_seat(self) -> bool:
        return "{who}" in self.words


class Event(NamedTuple):
    """An event: its kind, the seat counted from the observer (or None), and the value (or None)."""

    kind: str
    who: int | None
    value: str | int | None


class Vocabulary:
    """The tokens of a game, kind by kind: token 0 is padding.

    most_seats: seats that a game can have at most, whatever the table.
    """

    def __init__(self, most_seats: int, kinds: Sequence[Kind]):
        self.kinds = tuple(kinds)
        self.most_seats = most_seats
        self._kinds = {kind.name: kind for kind in self.kinds}
        self._first: dict[str, int] = {}
        end = PADDING + 1
        for kind in self.kinds:
            self._first[kind.name] = end
            end += self._size(kind)
        self.size = end

    def _size(self, kind: Kind) -> int:
        return len(kind.values) * self._seats(kind)

    def _seats(self, kind: Kind) -> int:
        """Seats that a kind is told of; 1 for one that tells of none."""
        if not kind.has_seat:
            return 1
        return ANY_GAMES_SEATS if kind in COMMON else self.most_seats

    def first(self, kind: str) -> int:
        """The first token of a kind; those of a seat's values stand together. KeyError when there is none."""
        return self._first[kind]

    def decode(self, tokens: np.ndarray) -> list[Event]:
        """The events of a sequence, integers (any length,), up to the padding.

        Raises ValueError naming the place where a sequence is not one of this vocabulary.
        """
        tokens = np.asarray(tokens)
        if tokens.ndim != 1 or (tokens.size and tokens.dtype.kind not in "iu"):
            raise ValueError(f"tokens of shape {tokens.shape} and dtype {tokens.dtype}: one sequence of integers")
        events: list[Event] = []
        digits: list[int] = []
        for place, token in enumerate(tokens.tolist()):
            if token == PADDING:
                break
            if not 0 < token < self.size:
                raise ValueError(f"place {place}: {token} is no token; they go from 0 to {self.size - 1}")
            kind, event = self._meanings[token]
            if kind.name != NUMBER:
                digits = []
                events.append(event)
            elif events and self._kinds[events[-1].kind].number:
                digits.append(token - self._first[NUMBER])
                events[-1] = events[-1]._replace(value=_number(digits))
            else:
                raise ValueError(f"place {place}: a digit, but no event before it takes a number")
        return events

    @cached_property
    def _meanings(self) -> list[tuple[Kind, Event]]:
        """By token, its kind and the event it stands for, without a number that may follow."""
        padding = Kind("", "padding")
        meanings = [(padding, Event("", None, None))]
        for kind in self.kinds:
            for who in range(self._seats(kind)):
                seat = who if kind.has_seat else None
                meanings += [(kind, Event(kind.name, seat, value or None)) for value in kind.values]
        return meanings

    def words(self, tokens: np.ndarray, seats: Sequence[str]) -> list[str]:
        """The events of a sequence told to people; ``seats`` names the seats from the observer on.

        Raises ValueError as ``decode`` does, and for a seat that has no name.
        """
        events = self.decode(tokens)
        last = max((event.who or 0 for event in events), default=0)
        if last >= len(seats):
            raise ValueError(f"a sequence that tells of seat {last} from the observer; there are {len(seats)} seats")
        return [self._kinds[event.kind].words.format(who=seats[event.who or 0], value=event.value) for event in events]

    def markdown(self) -> str:
        """The documentation table of the vocabulary."""
        rows = ["| tokens | kind | told as | values |", "|---|---|---|---|", "| 0 | | padding | |"]
        for kind, where in self._ranges():
            values = "a number in digits follows" if kind.number else _listed(kind.values)
            rows.append(f"| {where} | `{kind.name}` | {kind.words.format(who='WHO', value='VALUE')} | {values} |")
        return "\n".join(rows)

    def _ranges(self) -> Iterator[tuple[Kind, str]]:
        for kind in self.kinds:
            first, size = self._first[kind.name], self._size(kind)
            yield kind, str(first) if size == 1 else f"{first}–{first + size - 1}"


def _listed(values: tuple[str, ...]) -> str:
    return f"{values[0]} … {values[-1]} ({len(values)})" if len(values) > 8 else ", ".join(values)


def _number(digits: Sequence[int]) -> int:
    """The number that the digits written by ``tell_number`` stand for."""
    number = digits[0] - HALF
    for digit in digits[1:]:
        number = number * DIGITS + digit
    return number


# --- The kinds that every game has, with the same tokens ---------------------------------------------------------

NUMBER = "digit"
COMMON = (
    Kind("match_over", "the match is over"),
    Kind("cut_short", "the match is cut short"),
    Kind(NUMBER, "digit {value}", tuple(map(str, range(DIGITS)))),
    Kind("deals", "{who} deals"),
    Kind("score", "{who} stands at {value}", number=True),
    Kind("hand_score", "{who} scores {value}", number=True),
    Kind("takes", "{who} takes the trick"),
)


def vocabulary(most_seats: int, cards: Sequence[str], kinds: Sequence[Kind]) -> Vocabulary:
    """The vocabulary of a game: what every game has, dealt and played ``cards``, and its own kinds."""
    own = (Kind("dealt", "dealt to me: {value}", tuple(cards)), Kind("plays", "{who} plays {value}", tuple(cards)))
    return Vocabulary(most_seats, (*COMMON, *own, *kinds))


_COMMON_TOKENS = Vocabulary(0, COMMON)
MATCH_OVER, CUT_SHORT, FIRST_DIGIT, DEALS, SCORE, HAND_SCORE, TAKES = (
    _COMMON_TOKENS.first(kind.name) for kind in COMMON
)


# --- Telling, in compiled loops ---------------------------------------------------------------------------------
#
# The log of a table is an array of tokens, int16 (seats, most events): the sequence of each observer. All are of the
# same length, ``table.told``: where one seat sees a card, the others see that there was one.


def new_log(rows: int, seats: int, most_events: int) -> np.ndarray:
    """Logs of tables at which nothing has happened, int16 (rows, seats, most events)."""
    return np.zeros((rows, seats, most_events), np.int16)


@register_jitable
def tell_all(table, log, token):
    """Everybody sees something that no seat did."""
    for observer in range(table.num_players):
        log[observer, table.told] = token
    table.told += 1


@register_jitable
def tell_of(table, log, first, seat, values, value):
    """Everybody sees what ``seat`` does.

    first, values: first token of the kind of event, and how many values it has. value: which of them.
    """
    for observer in range(table.num_players):
        log[observer, table.told] = first + values * seat_from(table, observer, seat) + int(value)
    table.told += 1


@register_jitable
def tell_apart(table, log, own, others, seat):
    """A seat sees something of which the others see only that there was something.

    own: token for the seat. others: first token of the kind that the others see, which has no value but the seat.
    """
    for observer in range(table.num_players):
        log[observer, table.told] = own if observer == seat else others + seat_from(table, observer, seat)
    table.told += 1


@register_jitable
def seat_from(table, observer, seat):
    """How many places ``seat`` is to the left of the observer."""
    return int(seat) - observer + (seat < observer) * int(table.num_players)


@register_jitable
def write_cards(log, observer, place, first, cards):
    """Write the cards of a set, in order, from ``place`` of a sequence on; returns where they end."""
    while cards:
        log[observer, place] = first + lowest(cards)
        cards &= cards - 1
        place += 1
    return place


@register_jitable
def tell_number(table, log, number):
    """Everybody sees a number, which belongs to what was told before."""
    number = int(number)
    digits = 1
    smallest = -HALF
    while number < smallest or number >= -smallest:
        digits += 1
        smallest *= DIGITS
    for place in range(digits - 1, -1, -1):
        digit = number >> (8 * place)
        digit = digit + HALF if place == digits - 1 else digit & (DIGITS - 1)
        tell_all(table, log, FIRST_DIGIT + digit)


@register_jitable
def tell_hand(table, log):
    """A hand begins: who deals, and how the seats stand."""
    tell_of(table, log, DEALS, table.dealer, 1, 0)
    if table.hand_number > 0:
        for seat in range(table.num_players):
            tell_of(table, log, SCORE, seat, 1, 0)
            tell_number(table, log, table.scores[seat])


@register_jitable
def tell_settled(table, log, over):
    """A hand is settled, and perhaps the match with it."""
    for seat in range(table.num_players):
        tell_of(table, log, HAND_SCORE, seat, 1, 0)
        tell_number(table, log, table.hand_scores[seat])
    if over:
        tell_all(table, log, CUT_SHORT if table.truncated else MATCH_OVER)


def most_of_frame(seats: int, hands: int) -> int:
    """The most tokens that ``tell_hand`` and ``tell_settled`` write."""
    return hands * (1 + 2 * seats * (1 + MOST_DIGITS)) + 1


@register_jitable
def rewrite(log, observer, place, first, size, cards):
    """Put the cards of a set, in order, where the observer was told cards with the ``size`` tokens from ``first`` on.

    place: where in the sequence to begin, which has as many of these tokens from there on; returns where it ended.
    """
    while cards:
        if first <= log[observer, place] < first + size:
            log[observer, place] = first + lowest(cards)
            cards &= cards - 1
        place += 1
    return place


@register_jitable
def forget(table, log):
    """A new match: nothing has been told."""
    for observer in range(table.num_players):
        for place in range(table.told):
            log[observer, place] = PADDING
    table.told = 0


@register_jitable
def tell_nothing(table, log):
    """For a game that shows no more than the cards dealt when it begins a hand."""


@register_jitable
def retell_nothing(table, observer, log):
    """For a game in which the cards dealt are all that an observer alone is told of a hand."""
