"""A measurement: bots against line-ups in several formations, with all that a report tells of it."""

import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

import numba
import numpy as np
import scipy

import trick_envs
from training.evaluation import BOT, OTHER, Blocks, Result, ahead_a_hand, deal_seeds, joined, play_blocks
from training.jobs import Arrays, Crew, Store, Workers, cores, do_jobs, fingerprint
from training.seatings import seatings
from training.statistics import (
    CONFIDENCE,
    RESAMPLES,
    Controlled,
    Interval,
    check_blocks,
    control,
    holm,
    mean_interval,
    ratio_interval,
    sign_flip_p,
    standard_error,
)
from trick_envs import Game, bots
from trick_envs.bots.compiled import CompiledBot
from trick_envs.engine.dispatch import FINGERPRINT

BOT_SEED = 0  # of all bots: the same on both sides
REFERENCE = "rules"
MORE_DATUM_DEALS = 4  # times the deals of the measurement, for the mean of the control variate
MOST_DATUM_DEALS = 20_000
WARMING_PLIES = 8
TIMED_DECISIONS = 200
TIMED_SECONDS = 3.0


@dataclass(frozen=True)
class Blockwise:
    """A stretch of duplicate deals in one formation."""

    game: Game
    bot: str
    other: str
    formation: str
    seed: int
    first: int
    last: int
    key: str

    @property
    def deals(self) -> int:
        return self.last - self.first

    def play(self) -> Arrays:
        """The blocks of ``play_blocks``, played by bots that are made for this job alone."""
        for name in (self.bot, self.other):
            warm_up(self.game, name)
        made = [bots.make(name, self.game, BOT_SEED) for name in (self.bot, self.other)]
        seeds = deal_seeds(self.seed, self.last)[self.first :]
        return play_blocks(self.game, made[BOT], made[OTHER], seatings(self.game, self.formation), seeds)


@cache
def warm_up(game: Game, name: str) -> None:
    """Let this process load what the bot needs, once, so that it is not timed: ask it now and then in a match."""
    bot, chance = bots.make(name, game, BOT_SEED), bots.make("random", game)
    tables = game.tables(1, observe=bot.needs_observation)
    done = False
    while not done:
        if tables.ply[0] % WARMING_PLIES == 0:
            bot.act_batch(tables)
        tables.step(chance.act_batch(tables))
        done = bool(tables.done[0])


@dataclass(frozen=True)
class Match:
    """One row of a measurement: a bot against another in a formation. key: a name for its files."""

    bot: str
    other: str
    formation: str
    key: str


@dataclass
class Row:
    """What a match of bots came to. p_holm: corrected over all rows of the table."""

    match: Match
    seatings: int
    blocks: Blocks
    p: float
    p_holm: float = 1.0
    controlled: dict[str, Controlled] = field(default_factory=dict)
    ahead: Interval = field(init=False)

    def __post_init__(self) -> None:
        self.ahead = mean_interval(self.values)

    @property
    def values(self) -> np.ndarray:
        """Points ahead a hand by deal."""
        return ahead_a_hand(self.blocks, self.seatings)

    @property
    def scores(self) -> np.ndarray:
        """The bot's score a hand by deal."""
        return score_a_hand(self.blocks)

    def figures(self) -> dict[str, list[Interval | None]]:
        """Figures by name: that of the bot and that of the other, None where there was nothing to count."""
        return {
            name.removeprefix("figure: "): [ratio_interval(*part[:, holder].T) for holder in (BOT, OTHER)]
            for name, part in self.blocks.items()
            if name.startswith("figure: ")
        }

    def as_json(self) -> dict[str, Any]:
        """All but times, JSON-able."""
        told = Result(self.match.bot, self.match.other, len(self.values), int(self.blocks["hands"].sum()), *self.ahead)
        place, wins = (mean_interval(self.blocks[name]) for name in ("place_ahead", "win_ahead"))
        return {
            **told.as_json(),
            "formation": self.match.formation,
            "seatings": self.seatings,
            "standard_error": standard_error(self.values),
            "p": self.p,
            "p_holm": self.p_holm,
            "place_ahead": place._asdict(),
            "win_rate_ahead": wins._asdict(),
            "controlled": {name: told._asdict() for name, told in self.controlled.items()},
            "figures": {
                name: {side: part and part._asdict() for side, part in zip(("bot", "others"), parts, strict=True)}
                for name, parts in self.figures().items()
            },
        }


@dataclass(frozen=True)
class Plan:
    """What is to be measured, and by which workers. game: as by ``measuring_game``."""

    game: Game
    deals: int
    seed: int
    workers: Workers

    def manifest(self, what: str, names: Sequence[str]) -> dict[str, Any]:
        """What a folder of finished deals is for: not how many deals, which may grow."""
        return {
            "what": what,
            "game": self.game.name,
            "options": self.game.options,
            "seed": self.seed,
            "bots": [fingerprint(name) for name in names],
            "versions": versions(),
        }

    def play(self, match: Match, store: Store, advance: Callable[[int], None] = lambda deals: None) -> Row:
        """Play a match of bots, or go on with it."""
        check_blocks(self.deals)
        count = len(seatings(self.game, match.formation))
        blocks = self._blocks(match, match.bot, match.other, "", 0, self.deals, store, advance)
        return Row(match, count, blocks, sign_flip_p(blocks["ahead"]))

    def _blocks(
        self,
        match: Match,
        bot: str,
        other: str,
        kind: str,
        first: int,
        last: int,
        store: Store,
        advance: Callable[[int], None],
    ) -> Blocks:
        crew = Crew.of(self.game, [bot, other])
        chunks = crew.chunks(first, last, len(seatings(self.game, match.formation)))
        jobs = [
            Blockwise(self.game, bot, other, match.formation, self.seed, start, end, f"{match.key}{kind}-{start}-{end}")
            for start, end in chunks
        ]
        return joined(do_jobs(jobs, crew, self.workers, store, advance))

    def control(self, row: Row, store: Store) -> dict[str, Controlled]:
        """Figures of the bot with the datum taken off: what the reference bot gets in its seats of the same deals.

        The reference bot plays among the same others, or among its equals where the others are slow; the datum's mean
        is known from further deals. Points ahead have none where it plays among its equals: over all seatings of a
        deal it is exactly 0. There is nothing for the reference bot itself.
        """
        match = row.match
        if match.bot == REFERENCE or not row.blocks["ahead"].any():
            return {}
        compiled = isinstance(bots.make(match.other, self.game), CompiledBot)
        other = match.other if compiled else REFERENCE
        more = min(MORE_DATUM_DEALS * self.deals, max(MOST_DATUM_DEALS, self.deals))
        blocks = self._blocks(match, REFERENCE, other, "-datum", 0, self.deals + more, store, lambda deals: None)
        datums = {"score a hand": (row.scores, score_a_hand(blocks))}
        if other != REFERENCE:
            datums["points ahead a hand"] = (row.values, ahead_a_hand(blocks, row.seatings))
        return {
            name: control(values, datum[: self.deals], datum[self.deals :]) for name, (values, datum) in datums.items()
        }


def score_a_hand(blocks: Blocks) -> np.ndarray:
    """The bot's score by deal, float64 (deals,), on the scale of a hand."""
    score, hands = blocks["figure: score a hand"][:, BOT].T
    return score / hands.mean()


def correct(rows: Sequence[Row]) -> None:
    """Fill ``p_holm`` of all rows of a table."""
    for row, p in zip(rows, holm([row.p for row in rows]), strict=True):
        row.p_holm = p


def versions() -> dict[str, str]:
    """The versions that a figure depends on; ``rules`` is a hash of the sources that are compiled."""
    return {
        "trick_envs": trick_envs.__version__,
        "rules": FINGERPRINT,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "scipy": scipy.__version__,
    }


def method() -> dict[str, Any]:
    """How intervals and p-values were made."""
    return {
        "unit": "a deal, with all its seatings",
        "confidence": CONFIDENCE,
        "interval": f"percentile bootstrap over deals, {RESAMPLES:,} resamples; of figures, ratio estimate",
        "p": f"two-sided, sign flips over deals, {RESAMPLES:,}",
        "p_holm": "Holm's correction over the rows of the table",
    }


@dataclass(frozen=True)
class Latency:
    """How long single decisions with a choice took, asked one at a time: milliseconds of wall time."""

    bot: str
    decisions: int
    p50_ms: float
    p95_ms: float


def latency(game: Game, name: str, seed: int) -> Latency:
    """Time the bot in all seats of matches, by ``act``, decision by decision."""
    bot = bots.make(name, game, BOT_SEED)
    first = game.table(seed)
    bot.act(first.view(first.seat))  # loads what is compiled
    spent: list[float] = []
    seeds = iter(deal_seeds(seed, TIMED_DECISIONS).tolist())
    deadline = time.perf_counter() + TIMED_SECONDS
    while len(spent) < TIMED_DECISIONS and (not spent or time.perf_counter() < deadline):
        table = game.table(next(seeds))
        while not table.over and len(spent) < TIMED_DECISIONS and (not spent or time.perf_counter() < deadline):
            view = table.view(table.seat)
            start = time.perf_counter()
            action = bot.act(view)
            if len(view.legal_actions()) > 1:
                spent.append(1000 * (time.perf_counter() - start))
            table.play(action)
    return Latency(name, len(spent), *(float(np.percentile(spent, share)) for share in (50, 95)))


def timings(game: Game, rows: Sequence[Row], seed: int, seconds: float) -> dict[str, Any]:
    """All that differs from run to run: how long things took, and on what."""
    efforts: dict[str, np.ndarray] = {}
    for row in rows:
        spent = row.blocks["effort"].sum(axis=0)
        for name, part in zip((row.match.bot, row.match.other), spent, strict=True):
            efforts[name] = efforts.get(name, 0) + part
    return {
        "wall_seconds": seconds,
        "machine": f"{platform.machine()}, {cores()} cores, {platform.system()}",
        "in_batches": [
            {
                "bot": name,
                "decisions": round(decisions),
                "cpu_seconds": cpu,
                "decisions_per_cpu_second": decisions / cpu if cpu else 0.0,
            }
            for name, (decisions, cpu) in efforts.items()
        ],
        "one_at_a_time": [asdict(latency(game, name, seed)) for name in efforts],
    }
