"""Suits as a policy sees them with ``trump_first``: the trump suit and the first one change places.

What suit is trump makes no other difference, so a network that always finds trump in the same place learns once what it
would otherwise learn for every suit.
"""

import numpy as np

from trick_envs.engine import Game
from trick_envs.views.layout import Layout

TRUMP = "trump"  # the part of a layout that says which suit is


class TrumpFirst:
    """Exchanges the suits in rows of a layout of a game, and in its actions. Doing it twice changes nothing.

    Raises ValueError for a game in which no suit becomes trump.
    """

    def __init__(self, game: Game, layout: Layout):
        if TRUMP not in layout.slices:
            raise ValueError(f"trump_first: in {game.name} no suit becomes trump")
        self._trump = layout.slices[TRUMP]
        suits = layout.part(TRUMP).axes[0]
        suited = [card for card in game.cards if card[-1] == game.cards[0][-1]]
        cards = game.cards[: len(suits) * len(suited)]
        self._entries = np.array([_places(layout, suits, cards, suit) for suit in range(len(suits) + 1)])
        self._actions = np.tile(np.arange(game.num_actions), (len(suits) + 1, 1))
        self._actions[:, : len(cards)] = [_exchanged(len(cards), len(suits), suit) for suit in range(len(suits) + 1)]

    def trumps(self, seen: np.ndarray) -> np.ndarray:
        """The trump suit of each row (N, …) of the layout, or the number of suits where there is none: int64 (N,)."""
        marks = seen[:, self._trump]
        return np.where(marks.any(axis=1), marks.argmax(axis=1), marks.shape[1])

    def entries(self, trumps: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Rows (N, K) of the first K entries of the layout, with the suits exchanged."""
        return _rearranged(trumps, rows, self._entries)

    def actions(self, trumps: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Rows (N, actions), a column an action, with the suits exchanged."""
        return _rearranged(trumps, rows, self._actions)

    def action_ids(self, trumps: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Actions (N,) with the suits exchanged."""
        exchanged: np.ndarray = self._actions[trumps, actions]
        return exchanged


def _rearranged(trumps: np.ndarray, rows: np.ndarray, orders: np.ndarray) -> np.ndarray:
    width = rows.shape[1]
    rearranged = rows.copy()
    for trump in range(1, len(orders) - 1):  # the first suit and none leave all as it is
        chosen = np.flatnonzero(trumps == trump)
        if len(chosen):
            rearranged[chosen] = rows[chosen][:, orders[trump][:width]]
    return rearranged


def _exchanged(length: int, suits: int, suit: int) -> np.ndarray:
    """Numbers from 0 in ``suits`` equal stretches, the first exchanged with stretch ``suit`` if there is that one."""
    stretches = np.arange(length).reshape(suits, -1)
    if suit < suits:
        stretches[[0, suit]] = stretches[[suit, 0]]
    return stretches.reshape(-1)


def _places(layout: Layout, suits: tuple[str, ...], cards: tuple[str, ...], suit: int) -> np.ndarray:
    """From where each entry comes when ``suit`` and the first are exchanged, int64 (layout size,)."""
    places = []
    for part in layout.parts:
        inside = np.arange(part.size).reshape(part.shape)
        for axis, labels in enumerate(part.axes):
            if labels in (suits, cards):
                inside = inside.take(_exchanged(len(labels), len(suits), suit), axis)
        places.append(layout.slices[part.name].start + inside.reshape(-1))
    return np.concatenate(places)
