"""Packs of cards: suits, ranks, names and numbers, once for all games."""

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Pack:
    """Suited cards numbered suit by suit, low to high: ``card = len(ranks) * suit + rank``.

    suits: full names in the order of the numbering; the first letter, upper case, names the suit of a card.
    ranks: names from low to high.
    """

    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._ids.update({name: card for card, name in enumerate(self.names)})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Card names by card id."""
        return tuple(rank + suit[0].upper() for suit in self.suits for rank in self.ranks)

    def card(self, name: str) -> int:
        """The id of the card called ``name``; ``ValueError`` when there is none.

        >>> FRENCH.card("QS")
        36
        """
        if name not in self._ids:
            raise ValueError(f"{name!r} is not a card of this pack: {self.names[0]} … {self.names[-1]}")
        return self._ids[name]

    def suit(self, suit: str) -> int:
        """The bit set of all cards of a suit, named in full."""
        size = len(self.ranks)
        return ((1 << size) - 1) << (size * self.suits.index(suit))

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
)
