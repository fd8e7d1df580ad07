"""``Tables.run``: bots play hands in one compiled loop, as they would step by step."""

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
