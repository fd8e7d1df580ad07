"""Measurement: formations, telling figures, jobs that are interrupted, and the command with its reports."""

import json
import os
import re
import signal
import subprocess
import sys
import types
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass

import numpy as np
import pytest

import trick_envs
from tests.checkpoints import chance_checkpoint
from tests.games import DEFAULTS
from training import jobs
from training.__main__ import main
from training.evaluation import BOT, OTHER, deal_seeds, measuring_game, play_blocks
from training.figures import figures_of
from training.jobs import Crew, Store, Workers, do_jobs
from training.matches import places_and_wins, play_matches, settled_records
from training.measurement import Latency, latency
from training.report import enough_decimals, labels, signed
from training.seatings import FORMATIONS, seatings, weights
from training.statistics import Interval
from trick_envs import bots

HEARTS = measuring_game(trick_envs.make("hearts"))
SETBACK = measuring_game(trick_envs.make("setback"))
THREE = measuring_game(trick_envs.make("hearts", num_players=3))


# --- Formations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "formation", "count"),
    [
        (HEARTS, "one", 4),
        (HEARTS, "others", 4),
        (HEARTS, "halves", 6),
        (HEARTS, "mixed", 14),
        (THREE, "mixed", 6),
        (SETBACK, "partners", 2),
    ],
)
def test_formations_treat_all_seats_alike(game, formation, count):
    held = seatings(game, formation)
    scale, _ = weights(held)
    assert len(held) == len(np.unique(held, axis=0)) == count
    assert not scale.sum(axis=0).any(), "a bot against itself must be exactly nothing ahead"
    assert not scale.sum(axis=1).any(), "what one is ahead the other is behind"
    assert held.any(axis=1).all()
    assert not held.all(axis=1).any()


@pytest.mark.parametrize("name", ["random", "rules"])
@pytest.mark.parametrize(
    ("game", "formation"),
    [
        (HEARTS, "one"),
        (HEARTS, "halves"),
        (HEARTS, "mixed"),
        (THREE, "others"),
        (SETBACK, "partners"),
        (SETBACK, "one"),
    ],
)
def test_a_bot_against_itself_is_nothing_ahead_on_every_single_deal(game, formation, name):
    held = seatings(game, formation)
    blocks = play_blocks(game, bots.make(name, game), bots.make(name, game), held, deal_seeds(2, 40))
    for measure in ("ahead", "place_ahead", "win_ahead"):
        assert not blocks[measure].any(), measure


@pytest.mark.parametrize(("formation", "mirror"), [("one", "others"), ("halves", "halves"), ("mixed", "mixed")])
def test_what_one_is_ahead_the_other_is_behind_on_every_deal(formation, mirror):
    rules, chance = (bots.make(name, HEARTS) for name in ("rules", "random"))
    seeds = deal_seeds(3, 30)
    here = play_blocks(HEARTS, rules, chance, seatings(HEARTS, formation), seeds)
    there = play_blocks(HEARTS, chance, rules, seatings(HEARTS, mirror), seeds)
    assert here["ahead"].any()
    for measure in ("ahead", "place_ahead", "win_ahead"):
        np.testing.assert_allclose(here[measure], -there[measure], atol=1e-12)


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_places_and_wins_are_those_of_the_table(case):
    game = measuring_game(case.game)
    chance = bots.make("random", game)
    played = play_matches(game, [chance], np.zeros((20, game.num_players), int), deal_seeds(6, 20))
    sides = len(set(game.sides))
    for row, seed in enumerate(deal_seeds(6, 20).tolist()):
        table = _played_by(game.table(seed), chance)
        winners = {game.sides[seat] for seat in table.winners}
        shares = [1 / len(winners) if game.sides[seat] in winners else 0.0 for seat in range(game.num_players)]
        np.testing.assert_allclose(played.wins[row], shares)
        np.testing.assert_array_equal(played.scores[row], table.scores)
        places = {game.sides[seat]: played.places[row, seat] for seat in range(game.num_players)}
        assert sum(places.values()) == sides * (sides + 1) / 2
        assert all((place == min(places.values())) == (side in winners) for side, place in places.items())


def _played_by(table, bot):
    """The table, played to its end as ``bot`` does in a batch."""
    tables = table.game.tables(1, np.array([table.seed], np.uint64))
    while not table.over:
        (action,) = bot.act_batch(tables)
        table.play(int(action))
        if not table.over:
            tables.step(np.array([action]))
    return table


def test_equal_places_are_shared():
    records = np.repeat(HEARTS.table(1).records, 2)
    records["scores"][:, :4] = [[3, 3, 10, 0], [5, 5, 5, 5]]
    places, wins = places_and_wins(HEARTS, records)
    assert places.tolist() == [[2.5, 2.5, 4, 1], [2.5] * 4]
    assert wins.tolist() == [[0, 0, 0, 1], [0.25] * 4]


# --- Telling figures, on hands played by hand ------------------------------------------------------------------


def figures_at_the_end(table, actions):
    """The figures of the hand that the table plays out with these actions (names)."""
    *actions, last = actions
    for action in actions:
        table.play(action)
    before = np.asarray(table.records).copy()
    records = settled_records(before, np.array([table.game.action_id(last)]))
    return {name: [part.tolist()[0] for part in parts] for name, parts in figures_of(table.game, records).items()}


def deck_for(game, hands):
    """A deck from which seat 0 deals the first seats these hands, and the others what is left."""
    pack = [game.cards[card] for card in game.pack]
    places = game.table(0, decks=[pack], dealer=0).hands()
    left = [card for card in pack if not any(card in hand for hand in hands.values())]
    given = {seat: iter(hands.get(seat, ())) for seat in range(game.num_players)}
    deck = []
    for card in pack:
        seat = next((seat for seat, hand in enumerate(places) if card in hand), None)
        deck.append(next(given[seat]) if seat in hands else left.pop(0))
    return deck


def test_a_moon_is_counted_for_the_seat_that_shot_it():
    game = trick_envs.make("hearts", num_hands=1, pass_cards=0)
    clubs = [f"{rank}C" for rank in "23456789TJQKA"]
    table = game.table(0, decks=[deck_for(game, {2: clubs})], dealer=0)
    actions = []
    trial = table.copy()
    while trial.phase != "moon":
        name = game.action_name(trial.legal_actions()[0])
        actions.append(name)
        trial.play(name)
    told = figures_at_the_end(table, [*actions, "moon: add"])
    assert told["moons made a hand"][0] == [0, 0, 1, 0]
    assert told["moons suffered a hand"][0] == [1, 1, 0, 1]
    assert told["points taken a hand"][0] == [0, 0, 26, 0]
    assert told["queens of spades a hand"][0] == [0, 0, 1, 0]


def test_bids_of_setback_are_counted_by_bid_and_a_failed_one_as_set():
    game = trick_envs.make("setback", num_hands=1, num_players=2)
    hands = {1: ["2S", "3S", "4S", "5S", "6S", "7S"], 0: ["AS", "KS", "QS", "JS", "TS", "9S"]}
    table = game.table(0, decks=[deck_for(game, hands)], dealer=0)
    tricks = ["2S", "AS", "KS", "3S", "QS", "4S", "JS", "5S", "TS", "6S", "9S", "7S"]
    told = figures_at_the_end(table, ["bid 3", "pass", *tricks])
    assert told["bids won a hand"] == [[0, 1], [1, 1]]
    assert told["points bid"] == [[0, 3], [0, 1]]
    assert told["set rate"] == [[0, 1], [0, 1]]
    assert told["bid 3: set rate"] == [[0, 1], [0, 1]]
    assert told["bid 2: set rate"] == [[0, 0], [0, 0]]
    assert told["bid 2: won a hand"] == [[0, 0], [1, 1]]


def test_exact_bids_are_counted_by_hand_size():
    game = trick_envs.make("rage_glyphs", num_players=2, hand_sizes=[2])
    hands = {1: ["14H", "13H"], 0: ["2D", "3D"]}
    pack = [game.cards[card] for card in game.pack]
    deck = ["14H", "2D", "13H", "3D", "5H"]
    for card in deck:
        pack.remove(card)
    table = game.table(0, decks=[deck + pack], dealer=0)
    assert [sorted(hand) for hand in table.hands()] == [sorted(hands[0]), sorted(hands[1])]
    told = figures_at_the_end(table, ["bid 2", "bid 1", "14H", "2D", "13H", "3D"])
    assert told["exact bids"] == [[0, 1], [1, 1]]
    assert told["exact bids, 2 cards"] == [[0, 1], [1, 1]]
    assert told["tricks bid a hand"][0] == [1, 2]
    assert told["tricks taken a hand"][0] == [0, 2]


def test_markers_recovered_are_those_off_the_board():
    game = measuring_game(trick_envs.make("rewind"))
    rules = bots.make("rules", game)
    for seed in range(3):
        table = _played_by(game.table(seed), rules)
        told = figures_at_the_end(game.table(seed), [game.action_name(action) for _, _, action in table.history])
        for place in range(1, 5):
            had = [sum(row[seat] == place for row in table.placements) for seat in range(4)]
            left = [
                sum(
                    row[seat] == place and marks[seat]
                    for row, marks in zip(table.placements, table.markers, strict=True)
                )
                for seat in range(4)
            ]
            got, of = told[f"markers recovered, place {place}"]
            assert of == had
            assert got == [whole - part for whole, part in zip(had, left, strict=True)]
        assert sum(told["markers recovered"][1]) == 4 * 13


def test_all_hands_of_a_match_are_counted_not_only_the_last():
    game = trick_envs.make("rage_glyphs", hand_sizes=[1, 2, 3])
    chance = bots.make("random", game)
    played = play_matches(game, [chance], np.zeros((8, 4), int), deal_seeds(1, 8))
    assert played.hands.tolist() == [3] * 8
    for cards in (1, 2, 3):
        exact, dealt = played.figures[f"exact bids, {cards} card{'s' * (cards > 1)}"]
        assert (dealt == 1).all()
        assert exact.max() <= 1
    assert (played.figures["tricks taken a hand"][0].sum(axis=1) == 6).all()
    np.testing.assert_array_equal(played.points, played.scores)


def test_figures_go_to_who_holds_the_seat():
    rules, chance = (bots.make(name, HEARTS) for name in ("rules", "random"))
    blocks = play_blocks(HEARTS, rules, chance, seatings(HEARTS, "one"), deal_seeds(3, 50))
    taken = blocks["figure: points taken a hand"].sum(axis=0)
    assert taken[:, 0].sum() == 50 * 4 * 26
    assert taken[BOT, 1] == 200
    assert taken[OTHER, 1] == 600
    assert taken[BOT, 0] / taken[BOT, 1] < taken[OTHER, 0] / taken[OTHER, 1]


# --- Jobs ------------------------------------------------------------------------------------------------------


def without_timings(folder):
    """A report in a folder, as far as it must be the same in every run."""
    content = json.loads((folder / "report.json").read_text())
    assert content.pop("timings")
    page = (folder / "report.html").read_text()
    stable, marked, _ = page.partition('<section class="timings">')
    assert marked
    content.pop("command")
    return content, re.sub(r"<p><code>.*?</code></p>", "", stable, count=1)


ARGUMENTS = ["evaluate", "rules", "--against", "random", "--deals", "60", "--formation", "one", "halves"]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert main([*ARGUMENTS, "--out", str(folder)]) == 0
    return folder


def test_the_same_command_gives_the_same_report_byte_for_byte(uninterrupted, tmp_path):
    assert main([*ARGUMENTS, "--out", str(tmp_path)]) == 0
    assert without_timings(tmp_path) == without_timings(uninterrupted)


def test_an_interrupted_measurement_goes_on_to_the_very_report_of_an_uninterrupted_one(
    uninterrupted, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(jobs, "ROWS", 40)
    save, saved = Store.save, []

    def save_and_press_ctrl_c(self, key, arrays):
        save(self, key, arrays)
        saved.append(key)
        if len(saved) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", save_and_press_ctrl_c)
        assert main([*ARGUMENTS, "--out", str(tmp_path), "--processes", "1"]) == 130
    assert "the same command goes on" in capsys.readouterr().err
    assert 2 <= len(saved) < 12
    assert not (tmp_path / "report.json").exists()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", lambda self, key, arrays: again.append(key) or save(self, key, arrays))
        again: list[str] = []
        assert main([*ARGUMENTS, "--out", str(tmp_path)]) == 0
    assert again
    assert not set(again) & set(saved), "what is finished is not played again"
    assert without_timings(tmp_path) == without_timings(uninterrupted)


def test_a_damaged_part_is_played_again(uninterrupted, tmp_path):
    assert main([*ARGUMENTS, "--out", str(tmp_path)]) == 0
    part = next((tmp_path / "parts").iterdir())
    part.write_bytes(part.read_bytes()[:-30])
    assert main([*ARGUMENTS, "--out", str(tmp_path)]) == 0
    assert without_timings(tmp_path) == without_timings(uninterrupted)


def test_a_folder_of_another_measurement_is_refused(uninterrupted, capsys):
    before = (uninterrupted / "report.json").read_bytes()
    assert main([*ARGUMENTS, "--seed", "5", "--out", str(uninterrupted)]) == 2
    assert "seed is 4294967296 there, 5 here" in capsys.readouterr().err
    assert (uninterrupted / "report.json").read_bytes() == before


def test_processes_do_not_change_what_a_policy_comes_to(tmp_path):
    game = trick_envs.make("rage_glyphs", num_players=2, hand_sizes=[1, 2])
    policy = chance_checkpoint(tmp_path / "policy", game)
    reports = []
    for processes in ("1", "2"):
        out = tmp_path / processes
        arguments = ["evaluate", str(policy), "--against", "rules", "random", "--deals", "600", "--out", str(out)]
        assert main([*arguments, "--processes", processes]) == 0
        assert len(list((out / "parts").glob("0-one-*"))) > 1
        reports.append(without_timings(out))
    assert reports[0] == reports[1]
    controlled = [row["controlled"] for row in reports[0][0]["results"]]
    assert list(controlled[0]) == ["score a hand"], "against the rule bot the datum of points ahead is always 0"
    assert list(controlled[1]) == ["score a hand", "points ahead a hand"]
    for row in reports[0][0]["results"]:
        plain, told = row["figures"]["score a hand"]["bot"], row["controlled"]["score a hand"]
        assert 0 < told["variance_ratio"] < 1
        assert told["low"] < plain["mean"] < told["high"]


class _Slow:
    """A bot that nothing is known of but that it takes its time."""

    name = "slow"


def test_slow_bots_get_few_deals_a_job(monkeypatch):
    make = bots.make
    monkeypatch.setattr(bots, "make", lambda name, game, seed=0: _Slow() if name == "slow" else make(name, game, seed))
    slow, fast = (Crew.of(HEARTS, [name, "rules"]) for name in ("slow", "random"))
    assert (slow.slow, fast.slow) == (True, False)
    assert (slow.threads, fast.threads) == (False, True)
    assert list(slow.chunks(0, 10, 4)) == [(0, 4), (4, 8), (8, 10)]
    assert list(fast.chunks(0, 10, 4)) == [(0, 10)]
    assert list(slow.chunks(0, 2, 99)) == [(0, 1), (1, 2)]


@dataclass
class _Work:
    key: str
    deals: int = 1
    ends: type[BaseException] | None = None

    def play(self):
        if self.ends:
            raise self.ends("died")
        return {"done": np.array([int(self.key)])}


def test_jobs_come_back_in_their_order_and_are_told_of():
    told = []
    with Workers(2) as workers:
        done = do_jobs([_Work(str(k)) for k in range(9)], Crew(True, 1), workers, Store(None, {}), told.append)
    assert [int(part["done"][0]) for part in done] == list(range(9))
    assert told == [1] * 9


def test_a_process_that_dies_is_told_of():
    with Workers(1) as workers, pytest.raises(OSError, match="has died"):
        do_jobs([_Work("0", ends=BrokenExecutor)], Crew(True, 1), workers, Store(None, {}))


def test_what_is_finished_before_something_breaks_is_kept(tmp_path):
    store = Store(tmp_path, {})
    with Workers(1) as workers, pytest.raises(ZeroDivisionError):
        do_jobs([_Work("0"), _Work("1", ends=ZeroDivisionError)], Crew(True, 1), workers, store)
    assert store.load("0")["done"] == [0]
    assert store.load("1") is None


def test_a_second_ctrl_c_does_not_wait():
    def press_twice(self):
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)

    with Workers(1) as workers, pytest.raises(KeyboardInterrupt):
        do_jobs([_Work("0"), _Work("1")], Crew(True, 1), workers, Store(None, {}), press_twice)


# --- The command -----------------------------------------------------------------------------------------------


def test_the_page_needs_nothing_from_elsewhere(uninterrupted):
    page = (uninterrupted / "report.html").read_text()
    assert len(re.findall(r'src="data:image/png;base64,', page)) == len(re.findall(r"src=", page)) == 3
    assert not re.search(r"https?:|<script|<link|@import|url\(", page)
    assert "python -m training evaluate rules" in page
    for told in ("seed of the deals", "version of scipy", "pass_cards", "queens of spades"):
        assert told in page


def test_the_numbers_are_all_there(uninterrupted):
    content = json.loads((uninterrupted / "report.json").read_text())
    assert [row["formation"] for row in content["results"]] == ["one", "halves"]
    for row in content["results"]:
        assert row["low"] < row["ahead"] < row["high"]
        assert row["p"] <= row["p_holm"] < 0.01
        assert row["figures"]["win rate"]["bot"]["mean"] > row["figures"]["win rate"]["others"]["mean"]
        assert row["figures"]["place"]["bot"]["mean"] < row["figures"]["place"]["others"]["mean"]
    for told in content["timings"]["in_batches"]:
        assert told["decisions"] > 0
        assert told["decisions_per_cpu_second"] > 0
    assert [told["bot"] for told in content["timings"]["one_at_a_time"]] == ["rules", "random"]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ([], "--ray needs Ray, which pip install -e '.[rllib]' brings"),
        (["nowhere"], "--ray nowhere: should be HOST:PORT"),
        (["127.0.0.1:1"], "--ray 127.0.0.1:1: no Ray cluster answers there"),
    ],
)
def test_what_is_wrong_with_ray_is_told(address, told, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", types.ModuleType("ray") if address else None)
    assert main(["evaluate", "rules", "--against", "random", "--deals", "9", "--ray", *address]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {told}")
    assert error.count("\n") == 1


def test_equal_bots_print_exactly_nothing(capsys):
    assert main(["evaluate", "random", "--against", "random", "--deals", "30", "--game", "setback"]) == 0
    shown = capsys.readouterr().out
    assert "+0.00 … +0.00" in shown
    assert "1.000" in shown


def test_tables_on_a_narrow_terminal_tell_who_met_whom(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["evaluate", "random", "--against", "random", "rules", "--deals", "30"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    shown = [line.split() for line in lines]
    scores = shown[shown.index(["Scores,", "places,", "wins"]) :]
    assert scores[2] == ["bot", "against", "who", "score", "a", "hand", "place", "win", "rate"]
    assert [row[:3] for row in scores[4:8]] == [
        [bot, other, who] for bot, other in (("random", "random"), ("random", "rules")) for who in ("bot", "others")
    ]
    assert "± is half of a 99% interval." in " ".join(word for line in shown for word in line)
    strength = shown[shown.index(["Strength"]) :]
    assert strength[2] == ["bot", "against", "formation", "ahead", "99%", "interval", "p", "(Holm)"]
    assert len(strength[4]) == len(strength[5]) - 1 == 8  # mean, low … high and p on one line; the second p is "< …"


def test_formations_are_told_apart(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["evaluate", "random", "--against", "rules", "--deals", "4", "--formation", "one", "halves"]) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    scores = shown[shown.index(["Scores,", "places,", "wins"]) :]
    assert [row[2] for row in scores[4:8]] == ["one", "one", "halves", "halves"]


def test_narrow_intervals_get_a_decimal_more():
    assert enough_decimals([Interval(1.0, 0.9, 1.1), Interval(0.0, 0.0, 0.0)]) == 2
    assert enough_decimals([Interval(1.0, 0.9, 1.1), Interval(0.004, 0.001, 0.007)]) == 3
    assert signed(Interval(0.004, 0.001, 0.007), 3) == ("+0.004", "+0.001 … +0.007")


def test_the_folder_of_a_run_is_led_to_its_checkpoint(tmp_path, capsys):
    checkpoint = chance_checkpoint(tmp_path / "run" / "checkpoint", HEARTS)
    assert main(["evaluate", str(checkpoint.parent)]) == 2
    assert f"its checkpoint is {checkpoint}" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "train", "evaluate", "tournament", "exploit", "nashconv", "play"])
def test_help_has_no_markup(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([*command.split(), "--help"])
    assert "`" not in capsys.readouterr().out


def test_help_tells_defaults_and_games(capsys):
    told = {}
    for command in ("evaluate", "exploit", "play"):
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        told[command] = " ".join(capsys.readouterr().out.split())
    for default in ("2000", "4294967296", "random rules"):
        assert f"(default: {default})" in told["evaluate"]
    assert "--game GAME one of hearts, setback, rage_glyphs, rewind" in told["evaluate"]
    assert "may be repeated" in told["evaluate"]
    assert "runs/exploit_<bot>" in told["exploit"]
    assert "rounded up to whole updates" in told["exploit"]
    assert "counted from 0 (default: 0)" in told["play"]


@pytest.mark.parametrize(
    ("missing", "command"), [("rich", ["--help"]), ("yaml", ["train", "configs/hearts_quick.yaml"])]
)
def test_without_its_libraries_a_command_says_what_to_install(missing, command):
    code = f"import sys, runpy; sys.modules[{missing!r}] = None; runpy.run_module('training', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "pip install -e '.[train]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_single_decisions_are_timed():
    told = latency(HEARTS, "rules", 1)
    assert isinstance(told, Latency)
    assert 0 < told.p50_ms <= told.p95_ms
    assert told.decisions > 0


def test_checkpoints_go_by_short_names_where_these_are_clear():
    assert labels(["rules", "runs/a/checkpoint", "runs/b"]) == {
        "rules": "rules",
        "runs/a/checkpoint": "a",
        "runs/b": "b",
    }
    assert labels(["x/a/checkpoint", "y/a"]) == {"x/a/checkpoint": "x/a/checkpoint", "y/a": "y/a"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["evaluate", "rules", "--formation", "partners"], "has no partners"),
        (["evaluate", "rules", "--formation", "halves", "--option", "num_players=5"], "even number of seats, not 5"),
        (["evaluate", "rules", "--formation", "mixed", "--option", "num_players=7"], "at most 6 seats"),
        (["evaluate", "rules", "--deals", "1"], "at least 2 deals"),
        (["evaluate", "rules", "--json", "/nowhere/file.json"], "cannot write /nowhere/file.json: "),
        (["evaluate", "rules", "--html", "/nowhere/file.html"], "cannot write /nowhere/file.html: "),
        (["evaluate", "rules", "--out", __file__], "test_evaluation.py"),
        (["evaluate", "nobody", "--out", "/nowhere/folder"], "nobody"),
        (["evaluate", "runs/nowhere"], "'runs/nowhere': no such folder"),
        (["evaluate", "rules", "--against", "runs/nowhere/checkpoint"], "no such folder"),
        (["play", "hearts", "--opponents", "runs/nowhere"], "no such folder"),
        (["nashconv", "setback", "runs/nowhere"], "no such folder"),
    ],
)
def test_a_wrong_command_ends_in_one_line(arguments, told, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("formation", FORMATIONS)
def test_every_formation_is_one_of_the_command(formation, capsys):
    game = ["--game", "setback"] if formation == "partners" else []
    assert main(["evaluate", "rules", "--against", "random", "--deals", "2", "--formation", formation, *game]) == 0
    assert formation in capsys.readouterr().out
