"""A table as a text picture for people, the same way for every game: all cards face up."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Protocol

FACTS = {
    "round": "round",
    "trump": "trump",
    "turned": "turned up",
    "pitcher": "pitcher: seat",
    "broken": "hearts broken",
    "left": "left on the table:",
}
TURNS = {
    "pass": "to pick a card to pass",
    "bid": "to bid",
    "tie": "to give places in the tie",
    "moon": "to say how the moon counts",
}
COLUMNS = {"scores": "score", "bids": "bid", "tricks_won": "tricks", "tiebreakers": "tie-break"}
MISSING = "-"


class Pictured(Protocol):
    """What every table shows; ``FACTS``, ``COLUMNS`` and markers are read where a table has them."""

    game: Any

    @property
    def seat(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def hand_number(self) -> int: ...
    @property
    def dealer(self) -> int: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def winners(self) -> list[int]: ...
    @property
    def trick(self) -> list[tuple[int, str]]: ...
    @property
    def history(self) -> list[tuple[int, int, int]]: ...
    @property
    def trump(self) -> str | None: ...

    def hands(self) -> list[list[str]]: ...


def picture(table: Pictured, seat: int | None = None) -> str:
    """What happens at the table in words, then a line a seat: ``>`` on turn, scores and the like, cards.

    seat: whose cards are face up; ``None`` turns up all.
    """
    return "\n".join([*_headlines(table, seat), *_seat_lines(table, seat)])


def suited(cards: Sequence[str]) -> str:
    """Card names in their order, with a gap between suits.

    >>> suited(["2C", "TC", "QS"])
    '2C TC  QS'
    """
    return "  ".join(" ".join(suit) for _, suit in groupby(cards, key=_suit))


def _suit(card: str) -> str:
    """The suit's letter, which ends a name; a card of no suit stands for itself."""
    return card[-1] if card[-1].isalpha() else card


def _headlines(table: Pictured, face_up: int | None) -> list[str]:
    lines = [f"{table.game.name}, hand {table.hand_number} dealt by seat {table.dealer}: {table.phase}"]
    facts = [fact for name, words in FACTS.items() if (fact := _fact(words, getattr(table, name, None)))]
    if table.phase == "play" and table.trick and table.trump is None and "trump" in table.game.kind.rules.SHOWN:
        facts.append("no trump")
    if facts:
        lines.append(", ".join(facts))
    if table.history and face_up is None:  # it may be a card that was passed
        _, seat, action = table.history[-1]
        lines.append(f"last action: seat {seat} {table.game.action_name(action)}")
    if table.trick:
        lines.append("on the table: " + ", ".join(f"seat {seat} {card}" for seat, card in table.trick))
    return [*lines, _turn(table)]


def _fact(words: str, value: Any) -> str:
    """``words`` with the value, alone for True, nothing for what is not so or not there."""
    if value is None or value is False or value == []:
        return ""
    if value is True:
        return words
    return f"{words} {' '.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"


def _turn(table: Pictured) -> str:
    if table.phase == "over":
        winners = " and ".join(f"seat {seat}" for seat in table.winners)
        cut = ", cut short by max_hands" if table.truncated else ""
        return f"the match is over{cut}; winner: {winners}"
    if table.phase == "play":
        return f"seat {table.seat} {'to play' if table.trick else 'to lead'}"
    return f"seat {table.seat} {TURNS[table.phase]}"


def _seat_lines(table: Pictured, face_up: int | None) -> list[str]:
    """A row a seat under a row of titles, all columns but the cards set flush right."""
    hands = [
        suited(hand) if face_up in (None, seat) else f"{len(hand)} cards" for seat, hand in enumerate(table.hands())
    ]
    seats = [f"{'>' if seat == table.seat else ' '} seat {seat}" for seat in range(len(hands))]
    columns = [["", *seats]]
    for name, title in COLUMNS.items():
        values = getattr(table, name, None)
        if values is not None and any(value is not None for value in values):
            words = getattr(table.game.kind.rules, "BID_WORDS", {}) if name == "bids" else {}
            columns.append([title, *(MISSING if value is None else words.get(value, str(value)) for value in values)])
    columns += _markers(table)
    widths = [max(map(len, column)) for column in columns]
    cards = ["cards", *hands]
    return [
        "  ".join([*map(str.rjust, cells, widths), held]).rstrip() for *cells, held in zip(*columns, cards, strict=True)
    ]


def _markers(table: Pictured) -> list[list[str]]:
    """A column of the places still marked on the board, trick by trick, for the games that have them."""
    places, markers = getattr(table, "placements", None), getattr(table, "markers", None)
    if places is None or markers is None:
        return []
    by_seat = zip(zip(*places, strict=True), zip(*markers, strict=True), strict=True)
    return [
        [
            "places",
            *("".join(str(p) if on else MISSING for p, on in zip(*seat, strict=True)) for seat in by_seat),
        ]
    ]
