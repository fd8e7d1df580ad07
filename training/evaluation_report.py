"""What ``python -m training evaluate`` tells of its rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from training.jobs import fingerprint
from training.measurement import Plan, Row, method, timings, versions
from training.report import (
    PLUS_MINUS,
    Report,
    Section,
    blocks_picture,
    chance,
    enough_decimals,
    intervals_picture,
    labels,
    plain,
    signed,
)
from training.seatings import has_partners
from training.statistics import CONFIDENCE, Interval
from trick_envs import Game

AHEAD = "points ahead a hand"
Labels = Mapping[str, str]


def evaluation_report(command: str, plan: Plan, rows: Sequence[Row], match: bool, seconds: float) -> Report:
    """The report of a measurement whose rows are done and corrected. seconds: of wall time it took."""
    game = plan.game
    what = hands_or_matches(game, match)
    short = labels(list(dict.fromkeys(name for row in rows for name in (row.match.bot, row.match.other))))
    times = timings(game, rows, plan.seed, seconds)
    content = origin(command, plan, match) | {"results": [row.as_json() for row in rows], "timings": times}
    sections = [_strength(rows, short), _scores(rows, short)]
    controlled = _controlled(rows, short)
    sections += [controlled] if controlled.rows else []
    for row in rows:
        sections.append(_telling(row, short))
        sections.append(Section(f"{name_of(row, short)}: deals", figure=blocks_picture(row.values, AHEAD)))
    who = f"{game.name}, {game.num_players} seats{', partners' if has_partners(game) else ''}"
    title = f"{who}, {what}: {plan.deals:,} deals, seed {plan.seed}"
    return Report(title, command, facts(plan, short), content, sections, timing_sections(times, short))


def origin(command: str, plan: Plan, match: bool) -> dict[str, Any]:
    """What the JSON of every measurement begins with: what was measured, how, and with what."""
    return {
        "command": command,
        "game": plan.game.name,
        "options": plan.game.options,
        "match": match,
        "seed": plan.seed,
        "deals": plan.deals,
        "method": method(),
        "versions": versions(),
    }


def facts(plan: Plan, short: Labels) -> dict[str, Any]:
    """What was measured, and with what. short: the bots, with what they are called in tables."""
    return {
        "game": plan.game.name,
        "options": plan.game.options,
        "bots": "; ".join(label if label == name else f"{label}: {fingerprint(name)}" for name, label in short.items()),
        "seed of the deals": plan.seed,
        "deals": plan.deals,
        **versions_by_name(),
        **method(),
    }


def hands_or_matches(game: Game, match: bool) -> str:
    """What was played, in words; hands of different sizes are matches in any case."""
    return "matches" if match or "hand_sizes" in game.options else "single hands"


def versions_by_name() -> dict[str, str]:
    """Versions as facts of a report."""
    return {f"version of {name}": version for name, version in versions().items()}


def name_of(row: Row, short: Labels) -> str:
    """A row in words."""
    return f"{short[row.match.bot]} against {short[row.match.other]}, {row.match.formation}"


def _strength(rows: Sequence[Row], short: Labels) -> Section:
    columns = ["bot", "against", "formation", "ahead", f"{CONFIDENCE:.0%} interval", "p (Holm)"]
    decimals = enough_decimals([row.ahead for row in rows])
    table = [[*_met(row, short), *signed(row.ahead, decimals), chance(row.p_holm)] for row in rows]
    figure = intervals_picture([name_of(row, short) for row in rows], [row.ahead for row in rows], AHEAD)
    return Section("Strength", columns, table, f"Ahead: {AHEAD}, more is better.", figure)


def _met(row: Row, short: Labels) -> list[str]:
    """Who met whom, and how: three cells."""
    return [short[row.match.bot], short[row.match.other], row.match.formation]


def _scores(rows: Sequence[Row], short: Labels) -> Section:
    """Of each row the score, place and win rate of both; the formation where there are several."""
    several = len({row.match.formation for row in rows}) > 1
    columns = ["bot", "against", *(["formation"] if several else []), "who", "score a hand", "place", "win rate"]
    table = []
    for row in rows:
        figures = row.figures()
        for number, who in enumerate(("bot", "others")):
            cells = [plain(figures[name][number], decimals=2) for name in ("score a hand", "place", "win rate")]
            table.append([*_met(row, short)[: 3 if several else 2], who, *cells])
    note = f"Scores are the game's own points; place 1 is the best; {PLUS_MINUS}"
    return Section("Scores, places, wins", columns, table, note)


def _controlled(rows: Sequence[Row], short: Labels) -> Section:
    columns = ["bot and others", "figure", "mean", f"{CONFIDENCE:.0%} interval", "slope", "variance"]
    table = []
    for row in rows:
        for figure, told in row.controlled.items():
            interval = signed(Interval(told.mean, told.low, told.high), decimals=2)
            table.append([name_of(row, short), figure, *interval, f"{told.slope:.2f}", f"{told.variance_ratio:.2f}"])
    note = (
        "Taken off is what the rule bot gets in the same seats of the same deals, times the slope; "
        "variance: what it leaves of 1."
    )
    return Section("With the rule bot's result as control variate", columns, table, note)


def _telling(row: Row, short: Labels) -> Section:
    columns = ["figure", short[row.match.bot], f"others: {short[row.match.other]}"]
    table = [
        [name, *(plain(part) for part in parts)]
        for name, parts in row.figures().items()
        if name not in ("score a hand", "place", "win rate")
    ]
    return Section(f"{name_of(row, short)}: telling figures", columns, table, PLUS_MINUS)


def timing_sections(times: dict[str, Any], short: Labels) -> list[Section]:
    """What ``timings`` gave, as tables."""
    batches = [
        [
            short[told["bot"]],
            f"{told['decisions']:,}",
            f"{told['cpu_seconds']:.2f}",
            f"{told['decisions_per_cpu_second']:,.0f}",
        ]
        for told in times["in_batches"]
    ]
    singles = [
        [short[told["bot"]], f"{told['decisions']:,}", f"{told['p50_ms']:.3f}", f"{told['p95_ms']:.3f}"]
        for told in times["one_at_a_time"]
    ]
    return [
        Section(
            "Decisions in batches",
            ["bot", "decisions", "CPU seconds", "decisions a CPU second"],
            batches,
            "Many tables at a time, forced moves included: means over whole batches.",
        ),
        Section(
            "Decisions one at a time",
            ["bot", "decisions with a choice", "median, ms", "95th percentile, ms"],
            singles,
            f"Wall time. The whole took {times['wall_seconds']:.1f} s on {times['machine']}.",
        ),
    ]
