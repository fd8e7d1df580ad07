"""In what order a policy sees suits that only their names tell apart.

A network that always finds trump, or its longest suit, in the same place learns once what it would otherwise learn for
every suit.
"""

from typing import Literal, get_args

import numpy as np

from trick_envs.engine import Game
from trick_envs.engine.loops import loop
from trick_envs.views.layout import Layout

Suits = Literal["as_named", "trump_first", "by_length"]
HOW = get_args(Suits)
TRUMP, HAND = "trump", "hand"  # parts of a layout
# Suits that could change names without changing a game. In Rewind the first is always trump.
INTERCHANGEABLE = {"setback": range(4), "rage_glyphs": range(6), "rewind": range(1, 4)}


class SuitOrder:
    """Puts the suits in rows of a layout of a game, and in its actions, into another order, row by row.

    how: ``trump_first`` exchanges trump and the first suit, where there is trump; ``by_length`` puts trump first and
        then the longest suit in hand, of equally long ones that with the higher cards.
    An order is an array of suits, the first one first: int64 (N, suits) for N rows.
    Raises ValueError for a game whose suits cannot change places so.
    """

    def __init__(self, game: Game, layout: Layout, how: str):
        if game.name not in INTERCHANGEABLE or (how == "trump_first" and TRUMP not in layout.slices):
            raise ValueError(f"suits={how!r}: not in {game.name}, where suits differ by more than trump")
        self._how = how
        self._free = np.array(INTERCHANGEABLE[game.name])
        names, cards = game.layout.part("voids").axes[-1], game.layout.part(HAND).axes[0]  # as they label axes
        self._suits = len(names)
        self._ranks = len(cards) // len(names)
        self._trump = layout.slices.get(TRUMP, slice(0))
        self._hand = layout.slices[HAND]
        self._stretches = _stretches(layout, names, cards)

    def of(self, seen: np.ndarray) -> np.ndarray:
        """The order for each row (N, …) of the layout."""
        trump = seen[:, self._trump]
        orders = np.tile(np.arange(self._suits), (len(seen), 1))
        if self._how == "by_length":
            orders[:, self._free] = self._free[np.argsort(-self._lengths(seen, trump), axis=1, kind="stable")]
        else:
            rows = np.flatnonzero(trump.any(axis=1))
            first = trump[rows].argmax(axis=1)
            orders[rows, first] = 0
            orders[rows, 0] = first
        return orders

    def _lengths(self, seen: np.ndarray, trump: np.ndarray) -> np.ndarray:
        """What the free suits are ordered by, int64 (N, free suits)."""
        hands = seen[:, self._hand].reshape(len(seen), self._suits, self._ranks)[:, self._free].astype(np.int64)
        lengths = (hands.sum(axis=2) << self._ranks) + (hands << np.arange(self._ranks)).sum(axis=2)
        if trump.size:
            lengths += trump[:, self._free].astype(np.int64) << (2 * self._ranks)
        return lengths

    def entries(self, orders: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Rows (N, K) of the first K entries of the layout, with the suits in order."""
        ordered = rows.copy()
        order_rows(rows, orders, self._stretches, ordered)
        return ordered

    def actions(self, orders: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Rows (N, actions), a column an action, with the suits in order."""
        cards = self._suits * self._ranks
        by_suit = rows[:, :cards].reshape(len(rows), self._suits, self._ranks)
        ordered = rows.copy()
        ordered[:, :cards] = by_suit[np.arange(len(rows))[:, None], orders].reshape(len(rows), cards)
        return ordered

    def ids(self, orders: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Actions (N,) as they are called with the suits in order. By ``back(orders)``: what those really are."""
        suits, ranks = np.divmod(actions, self._ranks)
        places = np.take_along_axis(back(orders), np.minimum(suits, self._suits - 1)[:, None], axis=1)[:, 0]
        called: np.ndarray = np.where(suits < self._suits, places * self._ranks + ranks, actions)
        return called


def back(orders: np.ndarray) -> np.ndarray:
    """The orders that undo ``orders``."""
    return np.argsort(orders, axis=1)


def _stretches(layout: Layout, names: tuple[str, ...], cards: tuple[str, ...]) -> np.ndarray:
    """Where a layout speaks of suits: from which entry to which, and the lengths before and within suits, (S, 4)."""
    stretches = []
    for part in layout.parts:
        for axis, labels in enumerate(part.axes):
            if labels in (names, cards):
                before = int(np.prod(part.shape[:axis]))
                where = layout.slices[part.name]
                stretches.append((where.start, where.stop, before, part.size // (before * len(names))))
    return np.array(stretches)


@loop
def order_rows(rows, orders, stretches, ordered):
    """Write the stretches of ``rows``, int8 (N, K), that end within K, into ``ordered`` with the suits in order."""
    suits = orders.shape[1]
    for row in range(len(rows)):
        for stretch in range(len(stretches)):
            start, stop, before, within = stretches[stretch]
            if stop > rows.shape[1]:
                continue
            for first in range(start, start + before * suits * within, suits * within):
                for suit in range(suits):
                    to, taken = first + suit * within, first + orders[row, suit] * within
                    for place in range(within):
                        ordered[row, to + place] = rows[row, taken + place]
