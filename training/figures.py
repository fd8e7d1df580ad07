"""Telling figures: what a game's players would ask after a hand, read from the table of a hand just settled.

One function a game. It gets table records (hands,) in which the hand is settled and the next is not dealt, and the
number of seats. It returns, by the name of the figure, numerators and denominators float64 (hands, seats): the figure
of a bot is the sum of the numerators of its seats over that of the denominators.
"""

from collections.abc import Callable

import numpy as np

from trick_envs import Game
from trick_envs.games import hearts as hearts_rules
from trick_envs.games import setback as setback_rules

Figures = dict[str, tuple[np.ndarray, np.ndarray]]


def hearts(records: np.ndarray, seats: int) -> Figures:
    """Points before moons are settled, moons, and the queen of spades; also of Cancellation Hearts."""
    taken = records["points_taken"][:, :seats].astype(float)
    each = np.ones_like(taken)
    moon = taken == hearts_rules.ALL_POINTS * records["packs"][:, None].astype(int)
    queens = (records["taken"][:, :seats].reshape(len(records), seats, -1) & hearts_rules.QUEEN_OF_SPADES) != 0
    return {
        "points taken a hand": (taken, each),
        "moons made a hand": (moon.astype(float), each),
        "moons suffered a hand": (moon.any(axis=1)[:, None] & ~moon, each),
        "queens of spades a hand": (queens.sum(axis=2).astype(float), each),
    }


def setback(records: np.ndarray, seats: int) -> Figures:
    """How often a seat wins the bidding, and how often its bid is set, by bid."""
    pitched = records["pitcher"][:, None] == np.arange(seats)
    failed = (records["made"] == 0)[:, None]
    bids = records["highest_bid"][:, None].astype(int)
    each = np.ones(pitched.shape)
    figures: Figures = {
        "bids won a hand": (pitched, each),
        "points bid": (pitched * bids, pitched),
        "set rate": (pitched & failed, pitched),
    }
    for bid in range(setback_rules.LOWEST_BID, setback_rules.SMUDGE + 1):
        name = setback_rules.BID_NAMES[bid - setback_rules.LOWEST_BID]
        at_this = pitched & (bids == bid)
        figures[f"{name}: won a hand"] = (at_this, each)
        figures[f"{name}: set rate"] = (at_this & failed, at_this)
    return figures


def rage_glyphs(records: np.ndarray, seats: int) -> Figures:
    """Bids that came out exactly, by hand size, and tricks bid and taken."""
    bids, tricks = (records[field][:, :seats].astype(int) for field in ("bids", "tricks_won"))
    exact = bids == tricks
    each = np.ones(exact.shape)
    size = records["hand_size"].astype(int)
    figures: Figures = {
        "exact bids": (exact, each),
        "tricks bid a hand": (bids, each),
        "tricks taken a hand": (tricks, each),
    }
    for cards in np.unique(size):
        dealt = np.broadcast_to((size == cards)[:, None], exact.shape)
        figures[f"exact bids, {cards} card{'s' if cards > 1 else ''}"] = (exact & dealt, dealt)
    return figures


def rewind(records: np.ndarray, seats: int) -> Figures:
    """Markers recovered in Round II, by the place they lay on; one on a first place costs two when it stays."""
    placed, left = (records[field].astype(np.int64)[:, :, None, None] for field in ("placements", "markers"))
    marks = 1 << (seats * np.arange(seats)[:, None] + np.arange(seats))  # by seat and place
    had = (placed & marks != 0).sum(axis=1)
    kept = (left & marks != 0).sum(axis=1)
    figures: Figures = {"markers recovered": ((had - kept).sum(axis=2), had.sum(axis=2))}
    for place in range(seats):
        figures[f"markers recovered, place {place + 1}"] = (had[:, :, place] - kept[:, :, place], had[:, :, place])
    return figures


FIGURES: dict[str, Callable[[np.ndarray, int], Figures]] = {
    "hearts": hearts,
    "setback": setback,
    "rage_glyphs": rage_glyphs,
    "rewind": rewind,
}


def figures_of(game: Game, records: np.ndarray) -> Figures:
    """The telling figures of hands just settled; none for a game that has no function here."""
    count = FIGURES.get(game.name)
    return count(np.asarray(records), game.num_players) if count else {}
