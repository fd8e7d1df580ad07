"""``Tables.run``: bots play hands in one compiled loop, as they would step by step."""

import os
import subprocess
import sys

import numpy as np
import pytest

import trick_envs
from trick_envs import bots


@pytest.fixture
def game():
    return trick_envs.make("hearts", num_hands=2)


def test_bots_play_in_a_run_as_they_do_step_by_step(game):
    rules, chance = bots.make("rules", game), bots.make("random", game, seed=5)
    running, stepping = game.tables(600, seed=1, threads=2), game.tables(600, seed=1)
    lineup = [rules, chance, rules, chance]
    total = running.run(lineup, hands=3)

    settled = np.zeros(len(stepping), np.int64)
    expected = np.zeros(total.shape)
    while (settled < 3).any():
        actions = rules.act_batch(stepping)
        odd = np.flatnonzero(stepping.seat % 2)
        actions[odd] = chance.act_batch(stepping, odd)
        hand_numbers = stepping.records["hand_number"].copy()
        stepping.step(actions)
        expected[settled < 3] += stepping.rewards[settled < 3]
        settled += stepping.done | (stepping.records["hand_number"] != hand_numbers)
    np.testing.assert_array_equal(total, expected)


def test_a_run_leaves_tables_ready_to_step(game):
    chance = bots.make("random", game)
    tables = game.tables(8, seed=3)
    tables.run(chance, hands=2)
    assert not tables.done.any()
    np.testing.assert_array_equal(tables.seeds, tables.records["seed"])
    for row in range(len(tables)):
        fresh = game.table(seed=int(tables.seeds[row]))
        np.testing.assert_array_equal(tables.observation[row], fresh.observation(fresh.seat))
    tables.step(chance.act_batch(tables))


@pytest.mark.parametrize(("count", "hands"), [(3, 1), (4, 0), (4, True), (4, 1.5)])
def test_wrong_runs_are_refused_with_nothing_changed(game, count, hands):
    tables = game.tables(4, seed=3)
    before = tables.save()
    with pytest.raises(ValueError, match=r"policies=|hands="):
        tables.run([bots.make("random", game)] * count, hands)
    assert tables.save() == before


def test_a_bot_that_is_not_compiled_does_not_run(game):
    with pytest.raises(ValueError, match="compiled bot"):
        game.tables(4, seed=3).run(object(), 1)


@pytest.mark.parametrize("rows", [[-1], [4], [0.5], ["a"], [[0]], [True, False], 10**12])
def test_rows_that_are_not_there_are_refused(game, rows):
    tables = game.tables(4, seed=3)
    for ask in (lambda: tables.state(rows), lambda: bots.make("random", game).act_batch(tables, rows)):
        with pytest.raises(ValueError, match="rows="):
            ask()


def test_rows_may_be_a_mask(game):
    tables = game.tables(4, seed=3)
    mask = np.array([False, True, False, True])
    chance = bots.make("random", game)
    np.testing.assert_array_equal(chance.act_batch(tables, mask), chance.act_batch(tables)[mask])
    np.testing.assert_array_equal(tables.state(mask), tables.state([1, 3]))


UNCOMPILED = """
import pickle
import trick_envs
from trick_envs import bots

game = trick_envs.make("hearts", num_hands=1)
table = game.table(seed=1)
rules = bots.make("rules", game)
saves = lambda table: game.load(table.save())
pickles = lambda table: pickle.loads(pickle.dumps(table))
for restore in (trick_envs.Table.copy, saves, pickles):
    table = restore(table)
    table.play(rules.act(table.view(table.seat)))
    table.observe(0), table.state(0), table.explain(1)
tables = game.tables(2, seed=1)
tables.step(rules.act_batch(tables))
tables.run(rules, 1)
print(table.history)
"""


def test_all_of_it_runs_as_plain_python_too(game):
    def printed(**environment):
        command = [sys.executable, "-W", "error", "-c", UNCOMPILED]
        return subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True).stdout

    assert printed(NUMBA_DISABLE_JIT="1") == printed()
