"""Who sits where: the seatings of two bots in which every deal is played.

A seating says for each seat whether the bot that is measured holds it (True) or the other. A formation is a list of
seatings that treats all seats alike, so that a bot against itself is exactly nothing ahead.
"""

from collections.abc import Callable
from itertools import combinations
from math import lcm

import numpy as np

from trick_envs import Game

MOST_MIXED_SEATS = 6


def one(game: Game) -> np.ndarray:
    """The bot in one seat, the other in all the rest."""
    return np.eye(game.num_players, dtype=np.bool_)


def others(game: Game) -> np.ndarray:
    """The other in one seat, the bot in all the rest."""
    return ~one(game)


def partners(game: Game) -> np.ndarray:
    """The bot in all seats of one side, the other in the rest."""
    sides = np.array(game.sides)
    if not has_partners(game):
        raise ValueError(f"formation 'partners': {game.name} with {game.num_players} seats has no partners")
    return np.unique(sides)[:, None] == sides


def halves(game: Game) -> np.ndarray:
    """Half the seats each, in every way."""
    seats = game.num_players
    if seats % 2:
        raise ValueError(f"formation 'halves': takes an even number of seats, not {seats}")
    return _holding(seats, seats // 2)


def mixed(game: Game) -> np.ndarray:
    """Every seating in which both bots sit (Sturtevant's: 14 with four seats)."""
    seats = game.num_players
    if seats > MOST_MIXED_SEATS:
        raise ValueError(f"formation 'mixed': takes at most {MOST_MIXED_SEATS} seats, not {seats}")
    return np.concatenate([_holding(seats, count) for count in range(1, seats)])


def _holding(seats: int, count: int) -> np.ndarray:
    """All seatings in which the bot holds ``count`` seats."""
    held = [np.isin(np.arange(seats), chosen) for chosen in combinations(range(seats), count)]
    return np.array(held)


FORMATIONS: dict[str, Callable[[Game], np.ndarray]] = {
    "one": one,
    "others": others,
    "partners": partners,
    "halves": halves,
    "mixed": mixed,
}


def has_partners(game: Game) -> bool:
    """Whether some seats of the game play for one side."""
    return len(set(game.sides)) < game.num_players


def usual_formation(game: Game) -> str:
    """The formation that measures a bot by itself: one seat, or one side where there are partners."""
    return "partners" if has_partners(game) else "one"


def seatings(game: Game, formation: str) -> np.ndarray:
    """The seatings of a formation, bool (seatings, seats); ValueError when it is unknown or not for this game."""
    if formation not in FORMATIONS:
        raise ValueError(f"formation {formation!r}: one of {', '.join(FORMATIONS)}")
    return FORMATIONS[formation](game)


def weights(held: np.ndarray) -> tuple[np.ndarray, int]:
    """Whole numbers, int64 (seatings, seats), and what to divide by, that turn points into points ahead.

    held: seatings, bool (seatings, seats). The sum of points times weights over a block, divided, is the mean over
    seatings of what the bot's seats have on average more than the other's. Whole numbers keep sums exact.
    """
    counts, seats = held.sum(axis=1), held.shape[1]
    unit = lcm(*(lcm(int(count), int(seats - count)) for count in counts))
    own, other = unit // counts[:, None], -(unit // (seats - counts))[:, None]
    return np.where(held, own, other), unit * len(held)
