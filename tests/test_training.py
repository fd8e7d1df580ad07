"""Runs, checkpoints, measurement and the command line, end to end on small numbers."""

import io
import json
import os
import re
import shlex
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from rich.console import Console

import trick_envs
from tests.checkpoints import chance_checkpoint
from tests.games import DEFAULTS
from training.__main__ import main
from training.checkpoint import whole_folder
from training.config import ConfigError, check_config
from training.evaluation import deal_seeds, evaluate, measuring_game, play_out, play_rotations
from training.learning_progress import learning_progress, strength
from training.run import Run, free_folder, latest_folder
from trick_envs import bots
from trick_envs.bots.policy import CheckpointError, PolicyBot

TINY = {
    "game": "hearts",
    "options": {"num_hands": 1, "first_pass": None, "rewards": "relative"},
    "decisions": 1500,
    "tables": 16,
    "threads": 1,
    "hidden": [8],
    "learning": {"decisions_per_update": 300, "batch_size": 128, "epochs": 1},
    "opponents": {"snapshots": 0.2, "rules": 0.1, "random": 0.1, "snapshot_every": 2, "snapshots_kept": 2},
    "measuring": {"against": ["random"], "deals": 8, "curve_deals": 4, "curve_every": 1000},
}
QUIET = Console(quiet=True)


@pytest.fixture
def config_file(tmp_path):
    file = tmp_path / "tiny.yaml"
    file.write_text(yaml.safe_dump(TINY))
    return file


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """The checkpoint of a tiny finished run."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    run = Run.begin(folder, check_config(TINY, "TINY"))
    run.learn(QUIET)
    return folder / "checkpoint"


@pytest.fixture
def damaged(checkpoint, tmp_path):
    """A copy of the checkpoint to do damage to."""
    return shutil.copytree(checkpoint, tmp_path / "checkpoint")


# --- Runs ------------------------------------------------------------------------------------------------------


def test_the_command_trains_measures_and_leaves_checkpoint_table_and_picture(config_file, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["train", str(config_file), "--out", str(out)]) == 0
    assert "points ahead a hand" in capsys.readouterr().out
    results = json.loads((out / "results.json").read_text())
    assert results["results"][0]["against"] == "random"
    assert results["run"]["decisions"] >= 1500
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert any((out / "tensorboard").iterdir())
    assert bots.make(out / "checkpoint", trick_envs.make(TINY["game"], **TINY["options"])).name


def test_an_interrupted_run_goes_on_to_the_very_weights_of_an_uninterrupted_one(tmp_path, monkeypatch):
    config = check_config(TINY, "TINY")
    whole = Run.begin(tmp_path / "whole", config)
    whole.learn(QUIET)

    broken = Run.begin(tmp_path / "broken", config)
    collect, collected = broken.learner.collect, []

    def press_ctrl_c_in_the_second_update():
        collected.append(1)
        if len(collected) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        collect()

    broken.learner.collect = press_ctrl_c_in_the_second_update
    with pytest.raises(KeyboardInterrupt):
        broken.learn(QUIET)
    resumed = Run.resume(tmp_path / "broken")
    assert 0 < resumed.progress < 1
    resumed.learn(QUIET)

    assert resumed.learner.num_timesteps == whole.learner.num_timesteps
    for name, value in whole.learner.policy.state_dict().items():
        assert torch.equal(value, resumed.learner.policy.state_dict()[name]), name


def test_ctrl_c_saves_says_how_to_go_on_and_resume_does(config_file, tmp_path, capsys, monkeypatch):
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr("training.selfplay.SelfPlayPPO.train", _press_ctrl_c)
        assert main(["train", str(config_file), "--out", str(out)]) == 130
    assert "--resume" in capsys.readouterr().out
    assert main(["train", str(config_file), "--out", str(out), "--resume"]) == 0
    assert (out / "results.json").exists()


def _press_ctrl_c(self):
    os.kill(os.getpid(), signal.SIGINT)


def test_a_second_ctrl_c_does_not_wait_and_what_was_saved_goes_on(config_file, tmp_path, capsys, monkeypatch):
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr("training.selfplay.SelfPlayPPO.collect", _interrupt)
        assert main(["train", str(config_file), "--out", str(out)]) == 130
    assert main(["train", str(config_file), "--out", str(out), "--resume"]) == 0


def _interrupt(self):
    raise KeyboardInterrupt


def test_a_run_that_diverges_says_so_and_keeps_what_was_saved(tmp_path, capsys):
    file = tmp_path / "wild.yaml"
    wild = {**TINY["learning"], "learning_rate": {"start": 0.001, "end": 1.0e30}}
    file.write_text(yaml.safe_dump({**TINY, "learning": wild}))
    out = tmp_path / "run"
    assert main(["train", str(file), "--out", str(out)]) == 2
    assert "diverged" in capsys.readouterr().err
    assert bots.make(out / "checkpoint", trick_envs.make(TINY["game"], **TINY["options"])).name


def test_a_folder_that_holds_a_run_is_not_overwritten(config_file, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["train", str(config_file), "--out", str(out)]) == 0
    before = (out / "results.json").read_bytes()
    assert main(["train", str(config_file), "--out", str(out)]) == 2
    assert "already holds a run" in capsys.readouterr().err
    assert (out / "results.json").read_bytes() == before


def test_runs_are_numbered_and_the_latest_that_was_saved_goes_on(tmp_path):
    base = tmp_path / "hearts"
    assert free_folder(base) == base
    (base / "state").mkdir(parents=True)
    assert free_folder(base).name == "hearts-2"
    assert latest_folder(base) == base
    free_folder(base).mkdir()
    assert latest_folder(base) == base
    (tmp_path / "hearts-2" / "state").mkdir()
    assert latest_folder(base).name == "hearts-2"
    with pytest.raises(ConfigError, match="no run"):
        latest_folder(tmp_path / "other")


@pytest.mark.parametrize("file", ["state.safetensors", "state.json", "tables-0.bin"])
def test_a_damaged_state_is_refused(config_file, tmp_path, capsys, file):
    out = tmp_path / "run"
    assert main(["train", str(config_file), "--out", str(out)]) == 0
    (out / "state" / file).write_bytes((out / "state" / file).read_bytes()[:-9])
    assert main(["train", str(config_file), "--out", str(out), "--resume"]) == 2
    assert "damaged" in capsys.readouterr().err


def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path):
    folder = tmp_path / "checkpoint"
    with whole_folder(folder) as fresh:
        (fresh / "a").write_text("old")
    with pytest.raises(OSError, match="full"):
        _write_until_the_disk_is_full(folder)
    assert (folder / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint"]


def _write_until_the_disk_is_full(folder):
    with whole_folder(folder) as fresh:
        (fresh / "a").write_text("new")
        raise OSError("the disk is full")


# --- The line of progress ---------------------------------------------------------------------------------------

POINT = {"seconds": 150.4, "results": {"random": {"ahead": 6.834}, "rules": {"ahead": -12.5}}}


def shown_progress(width: int) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    progress = learning_progress(console, "rage_glyphs", ["random", "rules"])
    progress.add_task("rage_glyphs", total=1000, completed=1000, rate="12,345 decisions/s", strength=strength(POINT))
    (line,) = console.render_lines(progress.get_renderable(), pad=False)
    return "".join(segment.text for segment in line).rstrip()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 160])
def test_columns_of_progress_are_whole_or_not_there(width):
    line = shown_progress(width)
    assert len(line) <= width
    assert re.match(r"rage_glyphs [━╸╺ ]*100 % ", line)
    told = "against random +6.83, rules -12.50 after 2:30"
    assert (told in line) == (width >= 80)
    rest = re.sub(r"[━╸╺]+", "", line).removeprefix("rage_glyphs").replace(told, "").replace(" 12,345 decisions/s", "")
    assert re.fullmatch(r" +100 % (0:00:00 )?-:--:-- left *", rest)


# --- Configurations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"gmae": "hearts"},
            r"gmae: no such key; did you mean game\? keys allowed here: game, options, other_tables, ",
        ),
        ({"learning": {"epoch": 2}}, r"learning.epoch: .*did you mean epochs\? .*: lookahead, holders_play_on, "),
        ({"learning": {"entropy": {"start": 1, "end": 0, "x": 0}}}, r"entropy.x: no such key; keys .*: start, end$"),
        ({"start_from": "runs/nowhere"}, "'runs/nowhere': no such folder"),
        ({"game": "poker"}, "poker"),
        ({"options": {"target": 0}}, "target"),
        ({"decisions": None}, "minutes or decisions"),
        ({"minutes": 1}, "minutes or decisions"),
        ({"tables": 0}, "tables"),
        ({"hidden": [0]}, "hidden"),
        ({"learning": {"epochs": "many"}}, "learning.epochs"),
        ({"learning": {"entropy": {"start": -1, "end": 0}}}, "learning.entropy"),
        ({"opponents": {"rules": 0.9, "random": 0.9}}, "at most 1"),
    ],
)
def test_a_wrong_configuration_names_the_key(change, told):
    with pytest.raises(ConfigError, match=told):
        check_config({**TINY, **change}, "TINY")


@pytest.mark.parametrize(
    ("content", "told"),
    [("game: [hearts", "not YAML"), ("- game", "mapping"), ("", "mapping"), ("\x00", "not YAML")],
)
def test_an_unreadable_configuration_ends_in_one_line(tmp_path, capsys, content, told):
    file = tmp_path / "bad.yaml"
    file.write_text(content)
    assert main(["train", str(file), "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert "bad.yaml" in error
    assert told in error
    assert "Traceback" not in error
    assert not (tmp_path / "run").exists()


def test_a_missing_configuration_ends_in_one_line(tmp_path, capsys):
    assert main(["train", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err


def test_configurations_that_are_shipped_are_right(pytestconfig):
    files = sorted((pytestconfig.rootpath / "configs").glob("*.yaml"))
    assert files
    for file in files:
        content = yaml.safe_load(file.read_text())
        if start := content.pop("start_from", None):  # of a run that is to be done first
            assert (file.parent / Path(start).parent.with_suffix(".yaml").name).is_file()
        assert check_config(content, str(file)).game in file.stem


# --- Checkpoints -----------------------------------------------------------------------------------------------


def test_a_bot_from_a_checkpoint_does_what_the_network_does(checkpoint):
    run = Run.resume(checkpoint.parent)
    (game,) = run.learner.inputs.games
    loaded = bots.make(checkpoint, game)
    tables = game.tables(512, seed=3)
    random_bot = bots.make("random", game)
    for _ in range(60):
        with torch.no_grad():
            logits = run.learner.average.module(torch.from_numpy(tables.observation * game.layout.scale))
        chosen = logits.masked_fill(torch.from_numpy(tables.action_mask) == 0, -torch.inf).argmax(dim=1)
        np.testing.assert_array_equal(loaded.act_batch(tables), chosen.numpy())
        tables.step(random_bot.act_batch(tables))


def test_a_bot_does_alone_what_it_does_in_a_batch(checkpoint):
    game = trick_envs.make(TINY["game"], **TINY["options"])
    bot = bots.make(checkpoint, game)
    tables = game.tables(4, seed=5)
    for _ in range(64):
        actions = bot.act_batch(tables)
        for row in range(len(tables)):
            table = tables.table(row)
            assert bot.act(table.view(table.seat)) == actions[row]
        tables.step(actions)


def test_a_checkpoint_is_for_its_layout_and_says_what_differs(checkpoint):
    with pytest.raises(CheckpointError, match="num_players is 4 there, 3 here"):
        bots.make(checkpoint, trick_envs.make("hearts", num_players=3))
    with pytest.raises(CheckpointError, match="target is 100 there, 500 here"):
        bots.make(checkpoint, trick_envs.make("hearts", target=500))


def test_a_checkpoint_serves_matches_too(checkpoint):
    assert bots.make(checkpoint, trick_envs.make("hearts")).game.options["num_hands"] is None


def test_a_cut_off_checkpoint_is_refused(damaged):
    file = damaged / "policy.safetensors"
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(CheckpointError, match="damaged"):
        PolicyBot.load(damaged, trick_envs.make("hearts"))


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": 99}'])
def test_facts_that_cannot_be_read_are_refused(damaged, content):
    (damaged / "policy.json").write_text(content)
    with pytest.raises(CheckpointError, match=r"policy\.json"):
        PolicyBot.load(damaged, trick_envs.make("hearts"))


@pytest.mark.parametrize("file", ["policy.json", "policy.safetensors"])
def test_a_missing_file_is_named(damaged, file):
    (damaged / file).unlink()
    with pytest.raises(CheckpointError, match=file):
        PolicyBot.load(damaged, trick_envs.make("hearts"))


def test_arrays_that_do_not_fit_are_refused(damaged):
    from safetensors.numpy import load_file, save_file

    arrays = load_file(damaged / "policy.safetensors")
    wrong = [
        {**arrays, "layers.0.weight": arrays["layers.0.weight"][:, 1:].copy()},
        {**arrays, "layers.1.bias": arrays["layers.1.bias"][1:].copy()},
        {name: array for name, array in arrays.items() if not name.startswith("layers.1")},
        {**arrays, "layers.0.bias": arrays["layers.0.bias"] * np.float32("nan")},
        {},
    ]
    for content in wrong:
        save_file(content, damaged / "policy.safetensors")
        with pytest.raises(CheckpointError, match="layer"):
            PolicyBot.load(damaged, trick_envs.make("hearts"))


def test_there_is_no_such_bot():
    with pytest.raises(ValueError, match=r"no bot 'stockfish'.*random, rules"):
        bots.make("stockfish", trick_envs.make("hearts"))


# --- Measurement -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(name, case, id=f"{case}-{name}") for case in DEFAULTS for name in ("random", "rules")],
)
def test_equal_bots_are_exactly_nothing_ahead(name, case):
    game = case.game
    result = evaluate(game, bots.make(name, game), bots.make(name, game), deals=30, seed=1)
    assert (result.ahead, result.low, result.high) == (0.0, 0.0, 0.0)


def test_a_policy_against_itself_is_exactly_nothing_ahead(checkpoint):
    game = measuring_game(trick_envs.make(TINY["game"], **TINY["options"]))
    result = evaluate(game, bots.make(checkpoint, game), bots.make(checkpoint, game), deals=30, seed=1)
    assert (result.ahead, result.low, result.high) == (0.0, 0.0, 0.0)


def test_each_rotation_plays_the_same_cards():
    game = measuring_game(trick_envs.make("hearts"))
    seeds = deal_seeds(4, 3)
    seen = []
    tables_of = game.tables

    class Watching(trick_envs.Game):
        def tables(self, *arguments, **named):
            tables = tables_of(*arguments, **named)
            seen.extend(tables.table(row).hands() for row in range(len(tables)))
            return tables

    watching = Watching("hearts", **game.options)
    play_rotations(watching, bots.make("rules", game), bots.make("random", game), seeds)
    assert len(seen) == 12
    for deal in range(3):
        assert all(hands == seen[4 * deal] for hands in seen[4 * deal : 4 * deal + 4])
    assert seen[0] != seen[4]


def test_points_ahead_are_those_of_the_tables():
    game = measuring_game(trick_envs.make("hearts", moon="add"))
    rules, chance = bots.make("rules", game), bots.make("random", game)
    seeds = deal_seeds(9, 5)
    ahead, hands = play_rotations(game, rules, chance, seeds)
    for deal, seed in enumerate(seeds):
        total = 0.0
        for own_seat in range(4):
            holders = np.array([[0 if seat == own_seat else 1 for seat in range(4)]])
            rewards, _ = play_out(game, [rules, chance], holders, np.array([seed]))
            others = [rewards[0, seat] for seat in range(4) if seat != own_seat]
            total += rewards[0, own_seat] - sum(others) / 3
        assert ahead[deal] == pytest.approx(total)
        assert hands[deal] == 4


def test_matches_are_measured_a_hand():
    game = trick_envs.make("hearts", target=30)
    chance = bots.make("random", game)
    result = evaluate(game, bots.make("rules", game), chance, deals=4, seed=2, match=True)
    assert result.hands > 4 * 4
    assert result.low <= result.ahead <= result.high


def test_the_seed_fixes_the_report():
    game = trick_envs.make("hearts")
    rules, chance = bots.make("rules", game), bots.make("random", game)
    assert evaluate(game, rules, chance, 40, seed=3) == evaluate(game, rules, chance, 40, seed=3)
    assert evaluate(game, rules, chance, 40, seed=3) != evaluate(game, rules, chance, 40, seed=4)


def test_the_command_evaluates(checkpoint, tmp_path, capsys):
    file = tmp_path / "table.json"
    arguments = [
        "evaluate",
        str(checkpoint),
        "--against",
        "random",
        "rules",
        "--deals",
        "10",
        "--json",
        str(file),
    ]
    assert main(arguments) == 0
    assert "99% interval" in capsys.readouterr().out
    assert [result["against"] for result in json.loads(file.read_text())["results"]] == ["random", "rules"]


def test_a_model_card_tells_what_was_trained_and_measured(checkpoint, tmp_path, capsys):
    folder = shutil.copytree(checkpoint, tmp_path / "tiny")
    measured = tmp_path / "measured.json"
    arguments = ["evaluate", str(folder), "--against", "random", "--deals", "12", "--json", str(measured)]
    assert main(arguments) == 0
    assert main(["card", str(folder), str(measured), "--limits", "It is tiny."]) == 0
    card = (folder / "README.md").read_text(encoding="utf-8")
    (result,) = json.loads(measured.read_text())["results"]
    for told in (
        "trained policy",
        "- 4 seats",
        "527 × 8 × 54",
        "reward_scale: 0.1",
        "first_pass: null",
        shlex.join(arguments),
        f"| random | one | 12 | {result['ahead']:+.1f}"[:-1],
        "| moons made a hand | random |",
        "It is tiny.",
    ):
        assert told in card, told
    (line,) = [line for line in card.splitlines() if line.startswith("| decisions |")]
    assert int(line.split()[3].replace(",", "")) >= TINY["decisions"]


def test_a_card_of_a_checkpoint_that_does_not_say_how_it_was_trained_is_refused(tmp_path, capsys):
    folder = chance_checkpoint(tmp_path / "policy", trick_envs.make("hearts"))
    measured = tmp_path / "measured.json"
    measured.write_text(json.dumps({"command": "", "game": "hearts", "options": {}, "results": []}))
    assert main(["card", str(folder), str(measured), "--limits", "x"]) == 2
    assert "does not say how it was trained: no command, decisions, " in capsys.readouterr().err


def test_a_card_of_another_checkpoint_or_of_no_measurement_is_refused(checkpoint, tmp_path, capsys):
    measured = tmp_path / "measured.json"
    assert main(["evaluate", "rules", "--against", "random", "--deals", "12", "--json", str(measured)]) == 0
    assert main(["card", str(checkpoint), str(measured), "--limits", "x"]) == 2
    assert "measured rules, not" in capsys.readouterr().err
    measured.write_text("[]")
    assert main(["card", str(checkpoint), str(measured), "--limits", "x"]) == 2
    assert "is not a measurement" in capsys.readouterr().err
    assert not (checkpoint / "README.md").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "nobody"],
        ["evaluate", "random", "--against", "nobody"],
        ["evaluate", "random", "--game", "poker"],
        ["evaluate", "random", "--option", "target=0"],
    ],
)
def test_a_wrong_command_ends_in_one_line(arguments, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["evaluate", "random", "--deals", "0"], ["evaluate", "random", "--option", "x"]]
)
def test_a_command_that_cannot_be_read_shows_usage(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_every_game_can_be_measured_by_hands_and_by_matches(case):
    by_hand, by_match = (measuring_game(case.game, match) for match in (False, True))
    assert by_match.options["num_hands"] == case.game.options["num_hands"]
    if "hand_sizes" in case.game.options:
        assert by_hand.options == by_match.options
    else:
        assert by_hand.options["num_hands"] == 1
    assert measuring_game(by_hand, match=True) == by_match
