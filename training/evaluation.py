"""Measurement on duplicate deals: the same cards for everybody, from every seat."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import lcm
from typing import Any

import numpy as np

import trick_envs
from training.matches import Played, play_matches
from training.seatings import seatings, usual_formation, weights
from training.statistics import CONFIDENCE, check_blocks, mean_interval
from trick_envs import Game
from trick_envs.bots import Bot

ROWS = 4096
BOT, OTHER = range(2)
Blocks = dict[str, np.ndarray]


@dataclass(frozen=True)
class Result:
    """How far a bot was ahead of a line-up of others.

    ahead: its points a hand minus the mean of the other seats', more is better; low, high: bounds of the
    ``confidence`` interval, by bootstrap over deals.
    """

    bot: str
    against: str
    deals: int
    hands: int
    ahead: float
    low: float
    high: float
    confidence: float = CONFIDENCE

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def measuring_game(game: Game, match: bool = False) -> Game:
    """``game`` as it is measured: in its own points, seen as features, single hands or whole matches.

    A match is of as many hands as the options say, or, where that is a single one, as the game has by default. Where
    hands differ in size (``hand_sizes``) all of them are played.
    """
    options = {**game.options, "rewards": "points", "observation": "features"}
    if match and options["num_hands"] == 1:
        del options["num_hands"]
    elif not match and "hand_sizes" not in options:
        options["num_hands"] = 1
    return trick_envs.make(game.name, **options)


def deal_seeds(seed: int, deals: int) -> np.ndarray:
    """The seeds of ``deals`` duplicate deals, uint64 (deals,); more deals begin with the same."""
    return np.random.SeedSequence(seed).generate_state(deals, np.uint64)


def evaluate(
    game: Game,
    bot: Bot,
    other: Bot,
    deals: int,
    seed: int,
    *,
    match: bool = False,
    threads: int = 1,
    advance: Callable[[int], None] = lambda deals: None,
) -> Result:
    """Play one ``bot`` among ``other``s on duplicate deals from every seat; with partners, from every side.

    The unit of the interval is a deal, with all its rotations. advance: called with the number of deals done.
    """
    check_blocks(deals)
    game = measuring_game(game, match)
    held = seatings(game, usual_formation(game))
    seeds = deal_seeds(seed, deals)
    parts = []
    step = max(1, ROWS // len(held))
    for first in range(0, deals, step):
        some = seeds[first : first + step]
        parts.append(play_blocks(game, bot, other, held, some, threads))
        advance(len(some))
    return result(bot.name, other.name, joined(parts), len(held))


def play_blocks(game: Game, bot: Bot, other: Bot, held: np.ndarray, seeds: np.ndarray, threads: int = 1) -> Blocks:
    """Play each deal of ``seeds``, uint64 (deals,), in all the seatings ``held``, bool (seatings, seats).

    Returns arrays with a row a deal, each the sum over its seatings:

    hands                float64 (deals,)        hands played
    ahead                float64 (deals,)        points of the bot's seats less those of the other's, a seating
    place_ahead, win_ahead                       the same of places (better is more) and of wins, a match
    figure: …            float64 (deals, 2, 2)   by holder (bot, other): numerator, denominator of a figure
    effort               float64 (deals, 2, 2)   by holder: decisions, CPU seconds, shared evenly among the deals

    Sums of whole points are exact, so equal bots are exactly 0 ahead.
    """
    own = np.tile(held, (len(seeds), 1))
    played = play_matches(game, [bot, other], np.where(own, BOT, OTHER), np.repeat(seeds, len(held)), threads)
    scale, unit = weights(held)
    scale = np.tile(scale, (len(seeds), 1))
    whole = lcm(*range(1, game.num_players + 1))  # makes shares of wins whole numbers

    def by_deal(values: np.ndarray) -> np.ndarray:
        return values.reshape(len(seeds), len(held), -1).sum(axis=1)

    def ahead(values: np.ndarray) -> np.ndarray:
        return by_deal((values * scale).sum(axis=1))[:, 0] / unit

    blocks = {
        "hands": by_deal(played.hands.astype(float))[:, 0],
        "ahead": ahead(played.points),
        "place_ahead": ahead(-played.places),
        "win_ahead": ahead(np.rint(played.wins * whole)) / whole,
        "effort": np.tile(np.stack([played.decisions, played.seconds], axis=1) / len(seeds), (len(seeds), 1, 1)),
    }
    for name, (numerators, denominators) in _counted(played).items():
        parts = [[by_deal((part * seats).sum(axis=1)) for part in (numerators, denominators)] for seats in (own, ~own)]
        blocks[f"figure: {name}"] = np.moveaxis(np.array(parts)[..., 0], -1, 0)
    return blocks


def play_rotations(
    game: Game, bot: Bot, other: Bot, seeds: np.ndarray, threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """The bot's points ahead, float64 (deals,), and hands, int64 (deals,), in the usual formation.

    Both are sums over the seatings of a deal.
    """
    held = seatings(game, usual_formation(game))
    blocks = play_blocks(game, bot, other, held, seeds, threads)
    return blocks["ahead"] * len(held), blocks["hands"].astype(np.int64)


def play_out(
    game: Game, bots: Sequence[Bot], holders: np.ndarray, seeds: np.ndarray, threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """The points, float64 (N, seats), and hands, int64 (N,), of matches as ``play_matches`` plays them."""
    played = play_matches(game, bots, holders, seeds, threads)
    return played.points, played.hands


def _counted(played: Played) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """All figures of matches: score, place and wins, and the telling ones of the game."""
    hands = np.broadcast_to(played.hands[:, None], played.points.shape)
    matches = np.ones(played.points.shape)
    return {
        "score a hand": (played.scores, hands),
        "place": (played.places, matches),
        "win rate": (played.wins, matches),
        **played.figures,
    }


def joined(parts: list[Blocks]) -> Blocks:
    """The blocks of all parts in order. A figure that a part has not met counts nothing in it."""
    names = list(dict.fromkeys(name for part in parts for name in part))
    like = {name: next(part[name] for part in parts if name in part) for name in names}
    return {
        name: np.concatenate(
            [part[name] if name in part else np.zeros((len(part["hands"]), *like[name].shape[1:])) for part in parts]
        )
        for name in names
    }


def ahead_a_hand(blocks: Blocks, seatings: int) -> np.ndarray:
    """Points ahead by deal, float64 (deals,), on the scale of a hand: all hands weigh the same."""
    values: np.ndarray = blocks["ahead"] * seatings / blocks["hands"].mean()
    return values


def result(bot: str, against: str, blocks: Blocks, seatings: int) -> Result:
    """How far a bot was ahead in ``blocks`` of so many seatings."""
    values = ahead_a_hand(blocks, seatings)
    hands = int(blocks["hands"].sum())
    return Result(bot, against, len(values), hands, *mean_interval(values))
