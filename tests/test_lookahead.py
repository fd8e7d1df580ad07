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
from trick_envs.bots.lookahead import action_values


def played_out(game, table, action):
    """What the hand comes to for the seat to act at ``table`` if it does ``action``: points less the others' mean."""
    table, seat, hand = table.copy(), table.seat, table.hand_number
    rules = bots.make("rules", game)
    table.play(action)
    rewards = np.array(table.rewards)
    while table.seat >= 0 and table.hand_number == hand:
        table.play(rules.act(table.view(table.seat)))
        rewards += table.rewards
    others = [rewards[other] for other in range(game.num_players) if game.sides[other] != game.sides[seat]]
    return rewards[seat] - np.mean(others)


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_value_is_what_the_rule_bot_makes_of_the_hand_after_the_action(case):
    game = case.game
    tables = game.tables(3, seed=5)
    chance = bots.make("random", game, seed=2)
    for _ in range(6):
        values = action_values(tables, np.arange(3))
        for row in range(3):
            table = tables.table(row)
            legal = table.legal_actions()
            expected = np.zeros(game.num_actions)
            expected[legal] = [played_out(game, table, action) for action in legal]
            np.testing.assert_allclose(values[row], expected, rtol=1e-5, atol=1e-5)
        for _ in range(7):
            tables.step(chance.act_batch(tables))


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


def test_a_policy_learns_from_looking_ahead():
    content = {
        "game": "rage_glyphs",
        "options": {"num_players": 2, "hand_sizes": [1], "rewards": "relative"},
        "decisions": 10,
        "tables": 256,
        "threads": 1,
        "hidden": [32],
        "learning": {"lookahead": 1.0, "decisions_per_update": 2048, "batch_size": 128, "averaging": 0.5},
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
