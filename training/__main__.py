"""The command line: ``python -m training train | evaluate | tournament | exploit | nashconv | play``."""

import argparse
import io
import json
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

MISSING = "this command needs pip install -e '.[train]'"

try:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    import trick_envs
    from training.bot_names import check_bot_name
    from training.evaluation import measuring_game
    from training.jobs import Workers, cores
    from training.seatings import FORMATIONS
    from trick_envs import Game, bots
    from trick_envs.bots.policy import read_checkpoint
    from trick_envs.games import GAMES
except ModuleNotFoundError as error:
    print(f"error: {error}; {MISSING}", file=sys.stderr)
    sys.exit(2)

if TYPE_CHECKING:
    from training.report import Report

INTERRUPTED = 130
DESCRIPTION = "Policies by self-play, honest measurement of bots, and games in the terminal."
A_GAME = f"one of {', '.join(GAMES)}"
A_BOT = "random, rules, search:128, ismcts:1000, or the folder of a checkpoint"
LINE_UPS = "line-ups to meet: each bot in all other seats (default: random rules)"


def main(arguments: list[str] | None = None) -> int:
    """Run a command; its exit status. Bad input ends in one line on stderr and status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our signs gets question marks
    options = _parser().parse_args(arguments)
    options.told = f"python -m training {shlex.join(sys.argv[1:] if arguments is None else arguments)}"
    try:
        status: int = options.command(options)
    except ModuleNotFoundError as error:
        print(f"error: {error}; {MISSING}", file=sys.stderr)
        return 2
    except (ValueError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except MemoryError as error:
        print(f"error: not enough memory: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training", description=DESCRIPTION)
    commands = parser.add_subparsers(title="commands", required=True)

    train = commands.add_parser("train", help="train a policy by self-play and measure it")
    train.add_argument("config", type=Path, help="a YAML file, such as configs/hearts_quick.yaml")
    train.add_argument("--out", type=Path, help="the run's folder (default: runs/<name of the config>, numbered)")
    train.add_argument("--resume", action="store_true", help="go on with the run in --out, or the latest one")
    train.set_defaults(command=_train)

    evaluate = commands.add_parser("evaluate", help="measure a policy or bot against others on duplicate deals")
    evaluate.add_argument("bot", help=A_BOT)
    evaluate.add_argument("--against", nargs="+", default=["random", "rules"], metavar="BOT", help=LINE_UPS)
    evaluate.add_argument(
        "--formation",
        nargs="+",
        choices=FORMATIONS,
        help="who sits where: one bot among the others, one of the others among the bot, a side of partners each, "
        "half the seats each, or every mixture (default: one, or partners where there are)",
    )
    evaluate.add_argument("--match", action="store_true", help="whole matches instead of single hands")
    _add_game(evaluate)
    _add_measuring(evaluate, deals=2000)
    _add_ray(evaluate)
    evaluate.set_defaults(command=_evaluate)

    tournament = commands.add_parser("tournament", help="every bot among every other: cross-table and league table")
    tournament.add_argument("game", help=A_GAME)
    tournament.add_argument("bots", nargs="+", metavar="BOT", help=A_BOT)
    tournament.add_argument("--match", action="store_true", help="whole matches instead of single hands")
    _add_options(tournament)
    _add_measuring(tournament, deals=1000)
    _add_ray(tournament)
    tournament.set_defaults(command=_tournament)

    exploit = commands.add_parser("exploit", help="train an answer to a bot in one seat: how far it can be beaten")
    exploit.add_argument("bot", help=A_BOT)
    budget = exploit.add_mutually_exclusive_group()
    budget.add_argument("--minutes", type=_positive, help="how long to train (default 5)")
    budget.add_argument("--decisions", type=_count, help="how long to train, in decisions, rounded up to whole updates")
    exploit.add_argument("--train-seed", type=_small_seed, default=0, help="of the training (default: %(default)s)")
    _add_game(exploit)
    _add_measuring(exploit, deals=4000, out="the run's folder, which it goes on with (default: runs/exploit_<bot>)")
    exploit.set_defaults(command=_exploit)

    nashconv = commands.add_parser("nashconv", help="exact NashConv of bots on a small game for two")
    nashconv.add_argument("game", choices=("rage_glyphs", "setback"))
    nashconv.add_argument("bots", nargs="+", metavar="BOT", help=A_BOT)
    nashconv.add_argument("--cards", type=_count, default=2, help="cards a hand that are played (default 2)")
    _add_files(nashconv)
    nashconv.set_defaults(command=_nashconv)

    card = commands.add_parser("card", help="write the model card of a checkpoint from measurements of it")
    card.add_argument("checkpoint", type=Path, help="its folder")
    card.add_argument("measurements", nargs="+", type=Path, metavar="JSON", help="files that evaluate --json wrote")
    card.add_argument("--limits", required=True, metavar="TEXT", help="what the reader is to be warned of")
    card.set_defaults(command=_card)

    play = commands.add_parser("play", help="play against bots in the terminal")
    play.add_argument("game", help=A_GAME)
    play.add_argument("--opponents", default="rules", metavar="BOT", help=f"{A_BOT} (default: %(default)s)")
    play.add_argument("--seat", type=int, default=0, help="your seat, counted from 0 (default: %(default)s)")
    play.add_argument("--seed", type=_natural, help="of the shuffles (default: from the system)")
    play.add_argument("--record", type=Path, metavar="FILE", help="write the match there, for trick_envs.replay")
    _add_options(play)
    play.set_defaults(command=_play)
    return parser


def _add_measuring(
    parser: argparse.ArgumentParser, deals: int, out: str = "keep finished deals there and go on with them"
) -> None:
    what = "duplicate deals, each played in all seatings (default: %(default)s)"
    parser.add_argument("--deals", type=_count, default=deals, help=what)
    parser.add_argument("--seed", type=_natural, default=2**32, help="of the deals (default: %(default)s)")
    parser.add_argument("--processes", type=_count, help="how many play at the same time (default: one a core)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=out)
    _add_files(parser)


def _add_ray(parser: argparse.ArgumentParser) -> None:
    what = "play on a Ray cluster: the one with its head there, or the one this machine is in, or one for this command"
    parser.add_argument("--ray", nargs="?", const="", metavar="ADDRESS", help=what)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report there as one page")


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", help=f"{A_GAME} (default: that of the checkpoint, or hearts)")
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="an option of the game, VALUE as in JSON; may be repeated",
    )


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _natural(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 2**64 - 1")
    return int(text)


def _small_seed(text: str) -> int:
    if _natural(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 2**32 - 1")
    return int(text)


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return number


def _train(options: argparse.Namespace) -> int:
    from training.config import read_config
    from training.run import Run, free_folder, latest_folder

    console = Console()
    base = Path("runs") / options.config.stem
    if options.resume:
        folder = options.out or latest_folder(base)
        run = Run.resume(folder)
    else:
        folder = options.out or free_folder(base)
        run = Run.begin(folder, read_config(options.config))
    try:
        run.learn(console)
    except KeyboardInterrupt:
        again = f"python -m training train {options.config} --out {folder} --resume"
        console.print(f"interrupted and saved; go on with: {again}", soft_wrap=True)
        return INTERRUPTED
    run.report(console)
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    from training.evaluation_report import evaluation_report
    from training.jobs import Crew, Store
    from training.measurement import Match, Plan, correct
    from training.seatings import seatings, usual_formation

    console = Console()
    _check_files(options)
    start = time.perf_counter()
    game = measuring_game(_game_of(options, [options.bot, *options.against]), options.match)
    formations = options.formation or [usual_formation(game)]
    for formation in formations:
        seatings(game, formation)
    names = [options.bot, *options.against]
    Crew.of(game, names)
    matches = [
        Match(options.bot, other, formation, f"{number}-{formation}")
        for number, other in enumerate(options.against)
        for formation in formations
    ]
    rows = []
    with _workers(options, names) as workers, _progress(console) as progress, _going_on(options):
        plan = Plan(game, options.deals, options.seed, workers)
        store = Store(options.out, plan.manifest("evaluate", names))
        tasks = [progress.add_task(f"{m.bot} against {m.other}, {m.formation}", total=options.deals) for m in matches]
        for match, task in zip(matches, tasks, strict=True):
            row = plan.play(match, store, lambda deals, task=task: progress.advance(task, deals))  # type: ignore[misc]
            row.controlled = plan.control(row, store)
            rows.append(row)
    correct(rows)
    report = evaluation_report(options.told, plan, rows, options.match, time.perf_counter() - start)
    _publish(report, options, console)
    return 0


def _tournament(options: argparse.Namespace) -> int:
    from training.jobs import Crew, Store
    from training.measurement import Plan
    from training.tournament import Tournament

    console = Console()
    _check_files(options)
    start = time.perf_counter()
    game = measuring_game(_game_of(options, options.bots), options.match)
    Crew.of(game, options.bots)
    with _workers(options, options.bots) as workers, _progress(console) as progress, _going_on(options):
        tournament = Tournament(Plan(game, options.deals, options.seed, workers), tuple(options.bots))
        store = Store(options.out, tournament.plan.manifest("tournament", options.bots))
        task = progress.add_task("tournament", total=tournament.deals)
        rows, league = tournament.play(store, lambda deals: progress.advance(task, deals))
    seconds = time.perf_counter() - start
    _publish(tournament.report(options.told, rows, league, options.match, seconds), options, console)
    return 0


def _exploit(options: argparse.Namespace) -> int:
    from training.exploit import exploit_config, exploit_report
    from training.jobs import Store
    from training.measurement import Match, Plan, correct
    from training.report import labels
    from training.run import Run, free_folder
    from training.seatings import usual_formation

    console = Console()
    _check_files(options)
    start = time.perf_counter()
    game = _game_of(options, [options.bot])
    budget = {"decisions": options.decisions} if options.decisions else {"minutes": options.minutes or 5.0}
    config = exploit_config(game, options.bot, budget, options.train_seed)
    folder = options.out or free_folder(Path("runs") / f"exploit_{labels([options.bot])[options.bot]}")
    options.out = folder
    run = Run.begin_or_resume(folder, config)
    try:
        run.learn(console)
    except KeyboardInterrupt:
        console.print(f"interrupted and saved; go on with the same command and --out {folder}", soft_wrap=True)
        return INTERRUPTED
    response = str(run.checkpoint)
    game = measuring_game(game)
    match = Match(response, options.bot, usual_formation(game), "response")
    with Workers(options.processes or cores()) as workers, _progress(console) as progress, _going_on(options):
        plan = Plan(game, options.deals, options.seed, workers)
        store = Store(folder / "measurement", plan.manifest("exploit", [options.bot, response]))
        task = progress.add_task("measuring the response", total=options.deals)
        row = plan.play(match, store, lambda deals: progress.advance(task, deals))
    correct([row])
    _publish(exploit_report(options.told, plan, row, run, time.perf_counter() - start), options, console)
    return 0


def _nashconv(options: argparse.Namespace) -> int:
    from training.nashconv import SMALL_GAMES, Tree, nash_conv, nashconv_report, strategy_of

    console = Console()
    _check_files(options)
    small = SMALL_GAMES[options.game](options.cards)
    for name in options.bots:
        check_bot_name(name)
        bots.make(name, small.game)
    with console.status("enumerating the game"):
        tree = Tree.of(small)
        results = [nash_conv(tree, strategy_of(tree, small.game, name), name) for name in options.bots]
    report = nashconv_report(options.told, small, tree, results)
    report.show(console)
    report.write(options.json, options.html)
    return 0


def _card(options: argparse.Namespace) -> int:
    from training.card import CARD_FILE, card, read_measurement

    told = card(options.checkpoint, [read_measurement(file) for file in options.measurements], options.limits)
    (options.checkpoint / CARD_FILE).write_text(told, encoding="utf-8")
    print(options.checkpoint / CARD_FILE)
    return 0


def _workers(options: argparse.Namespace, names: Sequence[str]) -> Workers:
    """Those of this machine, or of the cluster that the options name."""
    if options.ray is None:
        return Workers(options.processes or cores())
    from training.cluster import Cluster

    cluster = Cluster(options.ray, options.processes, names)
    return Workers(cluster.count, cluster)


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


@contextmanager
def _going_on(options: argparse.Namespace) -> Iterator[None]:
    """Say, when interrupted, whether the work goes on from where it was."""
    try:
        yield
    except KeyboardInterrupt:
        if options.out:
            print(f"interrupted; what is finished is kept in {options.out}: the same command goes on", file=sys.stderr)
        raise


def _publish(report: "Report", options: argparse.Namespace, console: Console) -> None:
    """Show the report and write it where the options say."""
    report.show(console)
    report.write(options.json, options.html)
    if options.out:
        report.write(options.out / "report.json", options.out / "report.html")
        console.print(f"report  {options.out / 'report.html'}")


def _check_files(options: argparse.Namespace) -> None:
    """ValueError now rather than when there is something to lose."""
    _check_writable(options.json)
    _check_writable(options.html)


def _check_writable(file: Path | None) -> None:
    """ValueError now rather than when there is something to lose."""
    if file is not None:
        try:
            with file.open("a", encoding="utf-8"):
                pass
        except OSError as error:
            raise ValueError(f"cannot write {file}: {error.strerror}") from None


def _game_of(options: argparse.Namespace, names: list[str]) -> Game:
    """The game that the options name, or else that of the first checkpoint among ``names``, or Hearts.

    Options that are not given are those of the first checkpoint for that game.
    """
    given = dict(options.option)
    for name in names:
        check_bot_name(name)
    for name in names:
        if name and Path(name).is_dir():
            facts, _ = read_checkpoint(Path(name))
            if options.game in (None, facts["game"]):
                return trick_envs.make(facts["game"], **{**facts["options"], **given})
    return trick_envs.make(options.game or "hearts", **given)


def _play(options: argparse.Namespace) -> int:
    from training.play import play_match, told_game

    _check_writable(options.record)
    check_bot_name(options.opponents)
    game = trick_envs.make(options.game, **dict(options.option))
    table = told_game(game).table(options.seed)
    play_match(table, options.seat, bots.make(options.opponents, game), ask=input, tell=print)
    if options.record:
        played = game.table(table.seed, actions=[action for _, _, action in table.history])
        options.record.write_text(json.dumps(played.record()) + "\n", encoding="utf-8")
        print(f"record  {options.record}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
