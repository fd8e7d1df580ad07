"""Packs of cards: suits, ranks, names and numbers, once for all games."""

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Pack:
    """Suited cards numbered suit by suit, low to high: ``card = len(ranks) * suit + rank``; then cards of no suit.

    suits: full names in the order of the numbering.
    ranks: names from low to high.
    letters: the letter of each suit in the names of its cards.
    suitless: names of the cards that have no suit.
    """

    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    letters: str
    suitless: tuple[str, ...] = ()
    _ids: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._ids.update({name: card for card, name in enumerate(self.names)})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Card names by card id."""
        return (*(rank + letter for letter in self.letters for rank in self.ranks), *self.suitless)

    def card(self, name: str) -> int:
        """The id of the card called ``name``; ``ValueError`` when there is none.

        >>> FRENCH.card("QS")
        36
        """
        if name not in self._ids:
            raise ValueError(f"{name!r} is not a card of this pack: {self.names[0]} … {self.names[-1]}")
        return self._ids[name]

    @cached_property
    def suit_sets(self) -> tuple[int, ...]:
        """The bit set of all cards of each suit."""
        size = len(self.ranks)
        return tuple(((1 << size) - 1) << (size * suit) for suit in range(len(self.suits)))

    def rank(self, rank: str) -> int:
        """The bit set of the cards of a rank.

        >>> FRENCH.listed(FRENCH.rank("Q"))
        ['QC', 'QD', 'QS', 'QH']
        """
        return self.set(" ".join(rank + letter for letter in self.letters))

    def set(self, names: str) -> int:
        """The bit set of the cards named, separated by blanks.

        >>> FRENCH.set("2C 4C")
        5
        """
        cards = 0
        for name in names.split():
            cards |= 1 << self.card(name)
        return cards

    def listed(self, cards: int) -> list[str]:
        """The names of the cards in a bit set, by ascending id.

        >>> FRENCH.listed(FRENCH.set("QS 2C"))
        ['2C', 'QS']
        """
        return [name for card, name in enumerate(self.names) if cards >> card & 1]


FRENCH = Pack(
    suits=("clubs", "diamonds", "spades", "hearts"),
    ranks=("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"),
    letters="CDSH",
)
GLYPH = Pack(
    suits=("mushrooms", "hearts", "diamonds", "clovers", "crosses", "horns"),
    ranks=tuple(map(str, range(15))),
    letters="MHDCXN",
    suitless=("J2", "J4"),
)
REWIND = Pack(
    suits=("cassettes", "records", "films", "photos"),
    ranks=tuple(map(str, range(1, 14))),
    letters="CRFP",
)
