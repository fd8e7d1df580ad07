"""A round robin of bots and checkpoints: a cross-table with intervals, and a league table.

The cross-table is what to decide by. The league table is for an overview: OpenSkill's Plackett-Luce ratings (Weng & Lin
2011; Joshy 2024) from the finishing orders of matches in which all bots sit together, as many as there are sides.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from training.evaluation import deal_seeds
from training.evaluation_report import AHEAD, Labels, facts, hands_or_matches, origin, timing_sections
from training.jobs import Arrays, Crew, Store, do_jobs
from training.matches import play_matches
from training.measurement import BOT_SEED, Match, Plan, Row, correct, timings
from training.report import Report, Section, chance, heat_map, labels, signed
from training.seatings import has_partners, usual_formation
from training.statistics import CONFIDENCE
from trick_envs import Game, bots

CLEAR = 0.01  # corrected p below which a cell of the cross-table is marked
League = dict[str, "Standing"]


@dataclass(frozen=True)
class Standing:
    """A bot in the league table. mu, sigma: its rating and how unsure that is. place: mean place among the bots."""

    mu: float
    sigma: float
    place: float
    matches: int


@dataclass(frozen=True)
class LeagueStretch:
    """A stretch of deals that all bots play together, seats drawn by lot, in all rotations."""

    game: Game
    names: tuple[str, ...]
    seed: int
    first: int
    last: int
    key: str

    @property
    def deals(self) -> int:
        return self.last - self.first

    def play(self) -> Arrays:
        """``places``: float64 (matches, bots), the mean place of each bot's seats, NaN for a bot that sat out."""
        made = [bots.make(name, self.game, BOT_SEED) for name in self.names]
        drawn = [league_seatings(self.game, len(made), self.seed, deal) for deal in range(self.first, self.last)]
        holders = np.concatenate(drawn)
        seeds = np.repeat(deal_seeds(self.seed, self.last)[self.first :], len(drawn[0]))
        places = play_matches(self.game, made, holders, seeds).places
        held = holders[:, :, None] == np.arange(len(made))
        counts = held.sum(axis=1)
        totals = (places[:, :, None] * held).sum(axis=1)
        return {"places": np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)}


def league_seatings(game: Game, count: int, seed: int, deal: int) -> np.ndarray:
    """Which of ``count`` bots holds each seat, int64 (rotations, seats): one to a side, drawn by lot for the deal.

    Where there are fewer bots than sides, each holds as many sides as any other, or one more.
    """
    _, side_of_seat = np.unique(game.sides, return_inverse=True)
    sides = int(side_of_seat.max()) + 1
    rng = np.random.default_rng([seed, deal])
    rounds = [rng.permutation(count) for _ in range(-(-sides // count))]
    drawn = rng.permutation(np.concatenate(rounds)[:sides])
    return np.array([np.roll(drawn, shift)[side_of_seat] for shift in range(sides)])


def rate(names: Sequence[str], places: np.ndarray) -> League:
    """Ratings after matches in their order. places: float64 (matches, bots), NaN for who did not play."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating(name=name) for name in names]
    for match in places:
        entrants = np.flatnonzero(~np.isnan(match))
        if len(entrants) > 1:
            teams = model.rate([[ratings[bot]] for bot in entrants], ranks=match[entrants].tolist())
            for bot, (rating,) in zip(entrants, teams, strict=True):
                ratings[bot] = rating
    return {
        name: Standing(rating.mu, rating.sigma, float(np.nanmean(own)), int((~np.isnan(own)).sum()))
        for name, rating, own in zip(names, ratings, places.T, strict=True)
    }


@dataclass(frozen=True)
class Tournament:
    """What is played: each bot among each other's equals, and all together. A pair of partners is played once."""

    plan: Plan
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.names) < 2 or len(set(self.names)) < len(self.names):
            raise ValueError(f"bots {', '.join(self.names)}: a tournament takes two or more different ones")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Who meets whom: (bot, other)."""
        both_ways = list(permutations(self.names, 2))
        order = self.names.index
        return [pair for pair in both_ways if order(pair[0]) < order(pair[1])] if self._mirrored else both_ways

    @property
    def _mirrored(self) -> bool:
        """Whether (a, b) says all about (b, a): where each holds half the seats."""
        return has_partners(self.plan.game)

    def play(self, store: Store, advance: Callable[[int], None] = lambda deals: None) -> tuple[list[Row], League]:
        """All rows of the cross-table, corrected, and the league. advance: called with deals done."""
        formation = usual_formation(self.plan.game)
        order = self.names.index
        matches = [Match(a, b, formation, f"{order(a)}-{order(b)}") for a, b in self.pairs]
        rows = [self.plan.play(match, store, advance) for match in matches]
        correct(rows)
        return rows, rate(self.names, self._places(store, advance))

    @property
    def deals(self) -> int:
        """Deals of all pairs and the league, for the progress bar."""
        return self.plan.deals * (len(self.pairs) + 1)

    def _places(self, store: Store, advance: Callable[[int], None]) -> np.ndarray:
        plan = self.plan
        crew = Crew.of(plan.game, self.names)
        jobs = [
            LeagueStretch(plan.game, self.names, plan.seed, first, last, f"league-{first}-{last}")
            for first, last in crew.chunks(0, plan.deals, len(set(plan.game.sides)))
        ]
        done = do_jobs(jobs, crew, plan.workers, store, advance)
        return np.concatenate([part["places"] for part in done])

    def means(self, rows: Sequence[Row]) -> np.ndarray:
        """Points ahead of the bot of each line among each column's, float64 (bots, bots), NaN on the diagonal."""
        table = np.full((len(self.names), len(self.names)), np.nan)
        for row in rows:
            bot, other = self.names.index(row.match.bot), self.names.index(row.match.other)
            table[bot, other] = row.ahead.mean
            if self._mirrored:
                table[other, bot] = -row.ahead.mean
        return table

    def report(self, command: str, rows: Sequence[Row], league: League, match: bool, seconds: float) -> Report:
        """The report of a tournament that is played."""
        plan, game = self.plan, self.plan.game
        times = timings(game, rows, plan.seed, seconds)
        short = labels(self.names)
        content = origin(command, plan, match) | {
            "bots": list(self.names),
            "results": [row.as_json() for row in rows],
            "league": {name: vars(standing) for name, standing in league.items()},
            "timings": times,
        }
        sections = [self._cross_table(rows, short), _pairs_table(rows, short), _league_table(league, short)]
        what = hands_or_matches(game, match)
        title = f"{game.name}, {game.num_players} seats, {what}: tournament of {len(self.names)} bots"
        return Report(title, command, facts(plan, short), content, sections, timing_sections(times, short))

    def _cross_table(self, rows: Sequence[Row], short: Labels) -> Section:
        cells = {(row.match.bot, row.match.other): _cell(row, 1) for row in rows}
        if self._mirrored:
            cells |= {(row.match.other, row.match.bot): _cell(row, -1) for row in rows}
        table = [[short[bot], *(cells.get((bot, other), "") for other in self.names)] for bot in self.names]
        note = (
            f"{AHEAD} of the bot of the line, among those of the column; ± is half a {CONFIDENCE:.0%} interval; "
            f"* where p (Holm) < {CLEAR}."
        )
        names = [short[name] for name in self.names]
        return Section("Cross-table", ["", *names], table, note, heat_map(names, self.means(rows), AHEAD))


def _cell(row: Row, sign: int) -> str:
    mark = "*" if row.p_holm < CLEAR else ""
    return f"{sign * row.ahead.mean:+.2f} ± {(row.ahead.high - row.ahead.low) / 2:.2f}{mark}"


def _pairs_table(rows: Sequence[Row], short: Labels) -> Section:
    columns = ["bot", "among", AHEAD, f"{CONFIDENCE:.0%} interval", "p (Holm)"]
    table = [[short[row.match.bot], short[row.match.other], *signed(row.ahead), chance(row.p_holm)] for row in rows]
    return Section("Pairs", columns, table)


def _league_table(league: League, short: Labels) -> Section:
    order = sorted(league.items(), key=lambda entry: -entry[1].mu)
    table = [
        [short[name], f"{told.mu:.2f}", f"{told.sigma:.2f}", f"{told.place:.3f}", f"{told.matches:,}"]
        for name, told in order
    ]
    note = "Plackett-Luce ratings of matches in which all sit together; they take no account of how clear a win is."
    return Section("League", ["bot", "rating", "± (sigma)", "mean place", "matches"], table, note)
