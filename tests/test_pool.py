"""Snapshots of a run: who is drawn, what is counted, and what lies on disk."""

import json
import shutil

import numpy as np
import pytest
import torch

import trick_envs
from training.config import ConfigError, Opponents, check_config
from training.pool import MANIFEST_FILE, Pool
from training.room import LEARNER, RULES, SNAPSHOT
from training.run import Run
from training.selfplay import SelfPlayPPO
from training.state import POOL_FOLDER
from trick_envs import bots

TINY = {
    "game": "hearts",
    "options": {"num_hands": 1, "first_pass": None, "rewards": "relative"},
    "decisions": 100_000,
    "tables": 16,
    "threads": 1,
    "hidden": [8],
    "critic_hidden": [8],
    "learning": {"decisions_per_update": 300, "batch_size": 128, "epochs": 1},
    "opponents": {"snapshots": 0.5, "rules": 0.1, "random": 0.1, "snapshot_every": 2, "snapshots_kept": 2},
}


def run_in(folder, **opponents):
    torch.set_num_threads(1)
    return Run.begin(folder, check_config({**TINY, "opponents": {**TINY["opponents"], **opponents}}, "TINY"))


def pool_of(how, *results):
    """A pool of snapshots without layers, with (matches, lost) of each."""
    pool = Pool(Opponents(snapshot_draw=how, snapshots_kept=max(1, len(results))))
    for matches, lost in results:
        pool.add([], 0)
        pool.snapshots[-1].matches, pool.snapshots[-1].lost = matches, lost
    return pool


def test_the_latest_alone_is_drawn_or_all_alike():
    results = [(10, 9), (10, 1), (0, 0)]
    assert pool_of("latest", *results).chances().tolist() == [0, 0, 1]
    assert pool_of("uniform", *results).chances().tolist() == [1 / 3] * 3


def test_those_that_the_policy_loses_against_are_drawn_more_often():
    chances = pool_of("prioritised", (98, 79), (98, 19), (0, 0)).chances()
    np.testing.assert_allclose(chances, np.array([0.8**2, 0.2**2, 0.5**2]) / (0.64 + 0.04 + 0.25))
    pool, numbers = pool_of("prioritised", (1e9, 1e9), (1e9, 0)), np.random.default_rng(1)
    assert {pool.draw(numbers).number for _ in range(20)} == {0}


def test_matches_count_for_the_one_drawn_and_fade():
    pool = pool_of("latest", (0, 0), (0, 0))
    pool.draw(np.random.default_rng(1))
    pool.note(10, 4.5)
    assert [(snapshot.matches, snapshot.lost) for snapshot in pool.snapshots] == [(0, 0), (10, 4.5)]
    pool.draw(np.random.default_rng(1))
    assert pool.snapshots[1].matches == pytest.approx(9.8)


def test_an_empty_pool_draws_nobody_and_counts_nothing():
    pool = pool_of("uniform")
    assert pool.draw(np.random.default_rng(1)) is None
    pool.note(3, 1.0)
    assert pool.facts() == []


def test_the_oldest_goes():
    pool = Pool(Opponents(snapshots_kept=2))
    for decisions in (5, 6, 7):
        pool.add([], decisions)
    assert [(snapshot.number, snapshot.decisions) for snapshot in pool.snapshots] == [(1, 6), (2, 7)]


def test_a_room_counts_matches_against_snapshots_and_those_lost():
    learner = SelfPlayPPO(check_config({**TINY, "tables": 6}, "TINY"), 1)
    room = learner.rooms[0]
    room.holders[:] = LEARNER
    room.holders[1:4, 1:] = SNAPSHOT
    room.holders[4, 1:] = RULES
    room.earned[1] = [6, -2, -2, -2]
    room.earned[2] = [-3, 1, 1, 1]
    room.earned[3] = 0
    assert room._matches_against_snapshots(np.arange(5)) == (3, 1.5)
    assert room._matches_against_snapshots(np.array([0, 4, 5])) == (0, 0.0)


def test_what_a_match_earned_is_forgotten_with_it():
    learner = SelfPlayPPO(check_config(TINY, "TINY"), 1)
    room = learner.rooms[0]
    chance = bots.make("random", room.game)
    paid = np.zeros_like(room.earned)
    for _ in range(120):
        room.step(chance.act_batch(room.tables))
        paid += room.tables.rewards
        paid[room.tables.done] = 0
        np.testing.assert_array_equal(room.earned, paid)


def test_snapshots_are_taken_while_looking_ahead_too(tmp_path):
    content = {**TINY, "learning": {**TINY["learning"], "lookahead": 1.0}}
    learner = SelfPlayPPO(check_config(content, "TINY"), 1)
    for _ in range(5):
        learner.update(0.0)
    assert [snapshot.number for snapshot in learner.pool.snapshots] == [1, 2]
    assert sum(snapshot.matches for snapshot in learner.pool.snapshots) > 0


def test_none_are_taken_where_none_is_wanted():
    content = {**TINY, "opponents": {"snapshots": 0.0}}
    learner = SelfPlayPPO(check_config(content, "TINY"), 1)
    learner.update(0.0)
    assert not learner.pool.snapshots


def test_on_disk_each_is_a_checkpoint_that_plays_and_the_manifest_lists_them(tmp_path):
    run = run_in(tmp_path / "run")
    for _ in range(7):
        run.learner.update(0.1)
    run.save()
    folder = tmp_path / "run" / POOL_FOLDER
    manifest = json.loads((folder / MANIFEST_FILE).read_text())
    assert manifest["draw"] == "uniform"
    assert [listed["number"] for listed in manifest["snapshots"]] == [2, 3]
    assert {path.name for path in folder.iterdir()} == {MANIFEST_FILE, "000002", "000003"}
    game = trick_envs.make("hearts", **TINY["options"])
    for snapshot in run.learner.pool.snapshots:
        bot = bots.make(folder / snapshot.folder, game)
        tables = game.tables(4, seed=1)
        weight, _ = snapshot.layers[-1]
        np.testing.assert_array_equal(bot.network._layers[-1][0], weight.T)
        assert tables.action_mask[np.arange(4), bot.act_batch(tables)].all()


@pytest.mark.parametrize("how", ["uniform", "prioritised"])
def test_a_run_goes_on_with_its_pool_to_the_very_weights(tmp_path, how):
    whole = run_in(tmp_path / "whole", snapshot_draw=how)
    for _ in range(8):
        whole.learner.update(0.1)
    broken = run_in(tmp_path / "broken", snapshot_draw=how)
    for _ in range(5):
        broken.learner.update(0.1)
    broken.save()
    broken.learner.update(0.1)
    broken.learner.pool.write(tmp_path / "broken" / POOL_FOLDER, broken.learner.write_policy)  # and then it is killed
    resumed = Run.resume(tmp_path / "broken")
    for _ in range(3):
        resumed.learner.update(0.1)
    assert resumed.learner.pool.facts() == whole.learner.pool.facts()
    for name, value in whole.learner.policy.state_dict().items():
        assert torch.equal(value, resumed.learner.policy.state_dict()[name]), name


def test_a_missing_snapshot_is_named(tmp_path):
    run = run_in(tmp_path / "run")
    run.learner.update(0.1)
    run.save()
    shutil.rmtree(tmp_path / "run" / POOL_FOLDER / "000000")
    with pytest.raises(ConfigError, match="000000 is no checkpoint"):
        Run.resume(tmp_path / "run")
