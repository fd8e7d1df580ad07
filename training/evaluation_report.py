"""What ``python -m training evaluate`` tells of its rows."""

from collections.abc import Sequence
from typing import Any

from training.evaluation import CONFIDENCE
from training.measurement import Plan, Row, method, timings, versions
from training.report import Report, Section, blocks_picture, chance, intervals_picture, plain, signed
from training.seatings import has_partners

AHEAD = "points ahead a hand"


def evaluation_report(command: str, plan: Plan, rows: Sequence[Row], match: bool, seconds: float) -> Report:
    """The report of a measurement whose rows are done and corrected. seconds: of wall time it took."""
    game = plan.game
    what = "matches" if match else "single hands"
    facts = {
        "game": game.name,
        "options": game.options,
        "seed of the deals": plan.seed,
        "deals": plan.deals,
        **{f"version of {name}": version for name, version in versions().items()},
        **method(),
    }
    times = timings(game, rows, plan.seed, seconds)
    content = {
        "command": command,
        "game": game.name,
        "options": game.options,
        "match": match,
        "seed": plan.seed,
        "deals": plan.deals,
        "method": method(),
        "versions": versions(),
        "results": [row.as_json() for row in rows],
        "timings": times,
    }
    sections = [_strength(rows), _scores(rows)]
    controlled = _controlled(rows)
    sections += [controlled] if controlled.rows else []
    for row in rows:
        sections.append(_telling(row))
        sections.append(Section(f"{name_of(row)}: deals", figure=blocks_picture(row.values, AHEAD)))
    title = f"{game.name}, {game.num_players} seats{', partners' if has_partners(game) else ''}, {what}"
    return Report(title, command, facts, content, sections, timing_sections(times))


def name_of(row: Row) -> str:
    """A row in words."""
    return f"{row.match.bot} against {row.match.other}, {row.match.formation}"


def _strength(rows: Sequence[Row]) -> Section:
    columns = ["bot", "against", "formation", "deals", AHEAD, f"{CONFIDENCE:.0%} interval", "p (Holm)"]
    table = []
    for row in rows:
        told = [row.match.bot, row.match.other, row.match.formation, f"{len(row.values):,}"]
        table.append([*told, *signed(row.ahead), chance(row.p_holm)])
    figure = intervals_picture([name_of(row) for row in rows], [row.ahead for row in rows], AHEAD)
    return Section("Strength", columns, table, figure=figure)


def _scores(rows: Sequence[Row]) -> Section:
    """Of each row the score, place and win rate of both."""
    columns = ["bot and others", "score a hand", "place", "win rate"]
    table = []
    for row in rows:
        figures = row.figures()
        for number, holder in enumerate((row.match.bot, row.match.other)):
            role = "bot" if number == 0 else "others"
            cells = [plain(figures[name][number]) for name in ("score a hand", "place", "win rate")]
            table.append([f"{holder} ({role}, {row.match.formation})", *cells])
    return Section(
        "Scores, places, wins", columns, table, note="Scores are the game's own points; place 1 is the best."
    )


def _controlled(rows: Sequence[Row]) -> Section:
    columns = ["bot and others", AHEAD, f"{CONFIDENCE:.0%} interval", "slope", "variance ratio"]
    table = []
    for row in rows:
        if row.controlled:
            told = row.controlled
            interval = signed(told)  # type: ignore[arg-type]
            table.append([name_of(row), *interval, f"{told.slope:.2f}", f"{told.variance_ratio:.2f}"])
    note = "What the rule bot gets in the same seats of the same deals is taken off, times the slope."
    return Section("With the rule bot's score as control variate", columns, table, note)


def _telling(row: Row) -> Section:
    columns = ["figure", row.match.bot, f"others: {row.match.other}"]
    table = [
        [name, *(plain(part) for part in parts)]
        for name, parts in row.figures().items()
        if name not in ("score a hand", "place", "win rate")
    ]
    return Section(f"{name_of(row)}: telling figures", columns, table)


def timing_sections(times: dict[str, Any]) -> list[Section]:
    """What ``timings`` gave, as tables."""
    batches = [
        [
            told["bot"],
            told["against"],
            told["formation"],
            f"{told['decisions']:,}",
            f"{told['cpu_seconds']:.2f}",
            f"{told['decisions_per_cpu_second']:,.0f}",
        ]
        for told in times["in_batches"]
    ]
    singles = [
        [told["bot"], f"{told['decisions']:,}", f"{told['p50_ms']:.3f}", f"{told['p95_ms']:.3f}"]
        for told in times["one_at_a_time"]
    ]
    return [
        Section(
            "Decisions in batches",
            ["bot", "with", "formation", "decisions", "CPU seconds", "decisions a CPU second"],
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
