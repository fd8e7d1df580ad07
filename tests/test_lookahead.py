"""What actions come to by playouts of the rule bot, and learning from it."""

import numpy as np
import pytest
import torch

import trick_envs
from tests.games import DEFAULTS
from training.config import check_config
from training.evaluation import evaluate
from training.policy import as_bot
from training.selfplay import SelfPlayPPO, centred
from trick_envs import bots
from trick_envs.bots.lookahead import action_values, policy_action_values
from trick_envs.bots.loops import OUTSIDE, RANDOM, RULES


def played_out(game, table, action, acts):
    """What the hand comes to for the seat to act at ``table`` if it does ``action``: points less the others' mean.

    acts: for each seat a function from a view to the action it goes on with.
    """
    table, seat, hand = table.copy(), table.seat, table.hand_number
    table.play(action)
    rewards = np.array(table.rewards)
    while table.seat >= 0 and table.hand_number == hand:
        table.play(acts[table.seat](table.view(table.seat)))
        rewards += table.rewards
    others = [rewards[other] for other in range(game.num_players) if game.sides[other] != game.sides[seat]]
    return rewards[seat] - np.mean(others)


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_value_is_what_the_rule_bot_makes_of_the_hand_after_the_action(case):
    game = case.game
    rules = [bots.make("rules", game).act] * game.num_players
    tables = game.tables(3, seed=5)
    chance = bots.make("random", game, seed=2)
    for _ in range(6):
        values = action_values(tables, np.arange(3))
        for row in range(3):
            table = tables.table(row)
            legal = table.legal_actions()
            expected = np.zeros(game.num_actions)
            expected[legal] = [played_out(game, table, action, rules) for action in legal]
            np.testing.assert_allclose(values[row], expected, rtol=1e-5, atol=1e-5)
        for _ in range(7):
            tables.step(chance.act_batch(tables))


class Highest:
    """A policy that takes the legal action with the highest id."""

    where_known = "policy"

    def choose(self, observations, masks):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    def act(self, view):
        return int(np.flatnonzero(view.action_mask)[-1])


class Lowest(Highest):
    """A policy that takes the legal action with the lowest id."""

    def choose(self, observations, masks):
        return masks.argmax(axis=1)

    def act(self, view):
        return int(np.flatnonzero(view.action_mask)[0])


PLAYERS = Highest(), Lowest()


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_policies_play_on_in_their_seats_and_the_rule_bot_in_the_others(case):
    game = case.game
    tables = game.tables(3, seed=6)
    chance, rules = bots.make("random", game, seed=2), bots.make("rules", game)
    held = np.random.default_rng(3)
    for _ in range(6):
        holders = held.choice([OUTSIDE, OUTSIDE - 1, RULES], (3, game.num_players))
        tried = (tables.action_mask == 1) & (held.random(tables.action_mask.shape) < 0.7)
        before = tables.records.tobytes()
        values = policy_action_values(tables, np.arange(3), tried, PLAYERS, holders)
        assert tables.records.tobytes() == before
        for row in range(3):
            acts = [rules.act if holder == RULES else PLAYERS[OUTSIDE - holder].act for holder in holders[row]]
            expected = np.zeros(game.num_actions)
            for action in np.flatnonzero(tried[row]):
                expected[action] = played_out(game, tables.table(row), int(action), acts)
            np.testing.assert_allclose(values[row], expected, rtol=1e-5, atol=1e-5)
        for _ in range(7):
            tables.step(chance.act_batch(tables))


def test_random_bots_that_play_on_do_not_repeat_themselves():
    game = trick_envs.make("hearts", num_hands=1)
    tables = game.tables(300, seed=4)
    by_chance = np.full((300, 4), RANDOM)
    tried = tables.action_mask == 1
    values = policy_action_values(tables, np.arange(300), tried, PLAYERS, by_chance)
    assert len(np.unique(values[tried])) > 20
    assert abs(values[tried].mean()) < 0.5


def test_values_of_a_policy_do_not_depend_on_threads():
    game = trick_envs.make("rage_glyphs")
    held = np.random.default_rng(1).choice([OUTSIDE, RULES], (40, game.num_players))
    one, three = game.tables(40, seed=1), game.tables(40, seed=1, threads=3)
    rows, tried = np.arange(40), one.action_mask == 1
    np.testing.assert_array_equal(
        policy_action_values(one, rows, tried, PLAYERS, held), policy_action_values(three, rows, tried, PLAYERS, held)
    )


def test_values_leave_the_tables_as_they_are_and_do_not_depend_on_threads():
    game = trick_envs.make("hearts")
    one, three = game.tables(40, seed=1), game.tables(40, seed=1, threads=3)
    before = one.records.tobytes()
    rows = np.array([3, 39, 0, 7])
    np.testing.assert_array_equal(action_values(one, rows), action_values(three, rows))
    np.testing.assert_array_equal(action_values(one, rows), action_values(one, np.arange(40))[rows])
    assert one.records.tobytes() == before


def test_centring_takes_the_mean_of_legal_actions_away():
    values = torch.tensor([[3.0, 100.0, 5.0], [7.0, 1.0, 1.0]])
    masks = torch.tensor([[True, False, True], [True, False, False]])
    assert centred(values, masks).tolist() == [[-1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]


@pytest.mark.parametrize("holders_play_on", [1.0, 0.0])
def test_a_policy_learns_from_looking_ahead(holders_play_on):
    content = {
        "game": "rage_glyphs",
        "options": {"num_players": 2, "hand_sizes": [1], "rewards": "relative"},
        "decisions": 10,
        "tables": 256,
        "threads": 1,
        "hidden": [32],
        "learning": {
            "lookahead": 1.0,
            "holders_play_on": holders_play_on,
            "lookahead_actions": 2,
            "decisions_per_update": 2048,
            "batch_size": 128,
            "averaging": 0.5,
        },
        "opponents": {"rules": 0.3, "random": 0.3, "snapshots": 0.0},
    }
    torch.set_num_threads(1)
    learner = SelfPlayPPO(check_config(content, "test"), threads=1)
    for _ in range(6):
        learner.update(0.0)
    assert learner.num_timesteps >= 6 * 2048
    bot = as_bot(learner.average.module, learner.inputs)
    result = evaluate(learner.inputs.games[0], bot, bots.make("random", bot.game), 400, seed=3)
    assert result.low > 0


def test_holders_play_on_from_their_fraction_of_looking_ahead_on(monkeypatch):
    content = {
        "game": "rage_glyphs",
        "options": {"num_players": 3, "hand_sizes": [2]},
        "decisions": 10,
        "tables": 8,
        "hidden": [8],
        "learning": {"lookahead": 0.8, "holders_play_on": 0.5, "lookahead_actions": 2, "decisions_per_update": 64},
        "opponents": {"rules": 0.3, "random": 0.3, "snapshots": 0.0},
    }
    learner = SelfPlayPPO(check_config(content, "test"), threads=1)
    most_tried = {"rules": 0, "holders": 0}

    def by_rules(tables, rows):
        most_tried["rules"] += 1
        return action_values(tables, rows)

    def by_holders(tables, rows, tried, players, holders):
        most_tried["holders"] = max(most_tried["holders"], int(tried.sum(axis=1).max()))
        return policy_action_values(tables, rows, tried, players, holders)

    monkeypatch.setattr("training.selfplay.action_values", by_rules)
    monkeypatch.setattr("training.selfplay.policy_action_values", by_holders)
    learner.update(0.39)
    assert most_tried["rules"] > 0
    assert most_tried["holders"] == 0
    most_tried["rules"] = 0
    learner.update(0.4)
    assert most_tried["rules"] == 0
    assert 2 <= most_tried["holders"] <= 3  # the two likeliest, and the one taken
