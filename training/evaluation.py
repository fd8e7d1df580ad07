"""Measurement on duplicate deals: the same cards for everybody, from every seat."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import stats

import trick_envs
from trick_envs import Game
from trick_envs.bots import Bot
from trick_envs.bots import make as make_bot

CONFIDENCE = 0.99
RESAMPLES = 10_000
ROWS = 4096


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
    """``game`` as it is measured: in its own points, single hands or whole matches, other options as they are.

    A match is of as many hands as the options say, or, where that is a single one, as the game has by default. Where
    hands differ in size (``hand_sizes``) all of them are played.
    """
    options = {**game.options, "rewards": "points"}
    if match and options["num_hands"] == 1:
        del options["num_hands"]
    elif not match and "hand_sizes" not in options:
        options["num_hands"] = 1
    return trick_envs.make(game.name, **options)


def deal_seeds(seed: int, deals: int) -> np.ndarray:
    """The seeds of ``deals`` duplicate deals, uint64 (deals,)."""
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
    game = measuring_game(game, match)
    seeds = deal_seeds(seed, deals)
    ahead, hands = [], []
    step = max(1, ROWS // game.num_players)
    for first in range(0, deals, step):
        block = seeds[first : first + step]
        points, played = play_rotations(game, bot, other, block, threads)
        ahead.append(points)
        hands.append(played)
        advance(len(block))
    return _result(bot.name, other.name, np.concatenate(ahead), np.concatenate(hands))


def play_rotations(
    game: Game, bot: Bot, other: Bot, seeds: np.ndarray, threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """The bot on each side in turn, the others the rest: its points ahead, float64 (deals,), and hands, int64 (deals,).

    Both are sums over the rotations of a deal. Sums of whole points are exact, so equal bots are exactly 0 ahead.
    """
    sides = np.array(game.sides)
    own = sides == np.unique(sides)[:, None]
    rotations, seats = own.shape
    partners = seats // rotations
    own = np.tile(own, (len(seeds), 1))
    points, hands = play_out(game, [bot, other], 1 - own.astype(np.int8), np.repeat(seeds, rotations), threads)
    own_points = (points * own).sum(axis=1)
    ahead = seats * own_points - partners * points.sum(axis=1)
    return _by_deal(ahead, rotations) / (partners * (seats - partners)), _by_deal(hands, rotations)


def _by_deal(values: np.ndarray, rotations: int) -> np.ndarray:
    return values.reshape(-1, rotations).sum(axis=1)


def play_out(
    game: Game, bots: Sequence[Bot], holders: np.ndarray, seeds: np.ndarray, threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Play the matches of ``seeds``, uint64 (N,), to their end.

    holders: index of the bot that holds each seat, (N, seats). Returns rewards float64 (N, seats) and hands (N,).
    """
    observe = any(bot.needs_observation for bot in bots)
    tables = game.tables(len(seeds), seeds, observe=observe, threads=threads)
    idle = make_bot("random", game)
    rewards = np.zeros((len(seeds), game.num_players))
    hands = np.zeros(len(seeds), np.int64)
    actions = np.zeros(len(seeds), np.int64)
    playing = np.ones(len(seeds), np.bool_)
    rows = np.arange(len(seeds))
    while playing.any():
        turn = np.where(playing, holders[rows, tables.seat], len(bots))
        for index, bot in enumerate((*bots, idle)):
            chosen = np.flatnonzero(turn == index)
            actions[chosen] = bot.act_batch(tables, chosen)
        hand_numbers = tables.records["hand_number"].copy()
        tables.step(actions)
        rewards[playing] += tables.rewards[playing]
        hands[playing & (tables.done | (tables.records["hand_number"] != hand_numbers))] += 1
        playing &= ~tables.done
    return rewards, hands


def _result(bot: str, against: str, ahead: np.ndarray, hands: np.ndarray) -> Result:
    per_hand = ahead / (hands.sum() / len(hands))
    mean = float(per_hand.mean())
    low = high = mean
    if per_hand.std() > 0:
        interval = stats.bootstrap(
            (per_hand,),
            np.mean,
            n_resamples=RESAMPLES,
            confidence_level=CONFIDENCE,
            method="percentile",
            batch=max(1, 10_000_000 // len(per_hand)),
            rng=np.random.default_rng(0),
        ).confidence_interval
        low, high = float(interval.low), float(interval.high)
    return Result(bot, against, len(ahead), int(hands.sum()), mean, low, high)
