"""A policy that leaves the choice to playouts of the rule bot where nothing is hidden."""

import json

import numpy as np
import pytest
import torch

import trick_envs
from tests.checkpoints import chance_checkpoint
from tests.games import DEFAULTS
from tests.test_lookahead import Highest, played_out
from training.config import check_config
from training.evaluation import evaluate
from training.run import Run
from training.selfplay import SelfPlayPPO
from trick_envs import bots
from trick_envs.bots.lookahead import all_known, best_by_playouts, policy_action_values
from trick_envs.bots.loops import OUTSIDE
from trick_envs.bots.policy import FACTS_FILE, CheckpointError, PolicyBot


def second_round(game, tables):
    """Play at random until every table is well in the second round."""
    chance = bots.make("random", game, seed=1)
    while (tables.records["round_number"] == 1).any():
        tables.step(chance.act_batch(tables))
    for _ in range(6):
        tables.step(chance.act_batch(tables))
    return tables


@pytest.fixture
def game():
    return trick_envs.make("rewind")


@pytest.fixture
def handing_over(tmp_path, game):
    folder = chance_checkpoint(tmp_path / "policy", game, where_known="playouts")
    return bots.make(str(folder), game)


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_all_is_known_in_the_second_round_of_rewind_and_when_no_cards_are_left(case):
    game = case.game
    tables = game.tables(20, seed=3)
    chance = bots.make("random", game, seed=1)
    met = set()
    for _ in range(150):
        choice = np.flatnonzero(tables.action_mask.sum(axis=1) > 1)
        known = all_known(game, tables.records, choice)
        for row, told in zip(choice, known, strict=True):
            repeating = game.name == "rewind" and tables.records["round_number"][row] == 2
            if told != repeating:
                assert told
                assert tables.table(row).phase in ("moon", "tie")
        met |= set(known.tolist())
        tables.step(chance.act_batch(tables))
    assert False in met
    assert (True in met) or game.name != "rewind"


def test_without_straying_it_takes_the_best_of_one_playout_and_the_rule_bots_choice_of_equals(game):
    rules = bots.make("rules", game)
    tables = second_round(game, game.tables(12, seed=5))
    actions = best_by_playouts(game, tables.records, np.arange(12), playouts=1, straying=0)
    better = equal = 0
    for row, action in enumerate(actions.tolist()):
        table = tables.table(row)
        values = {
            legal: played_out(game, table, legal, [rules.act] * game.num_players) for legal in table.legal_actions()
        }
        ruled = rules.act(table.view(table.seat))
        assert values[action] == max(values.values())
        if values[ruled] == max(values.values()):
            assert action == ruled
            equal += 1
        else:
            better += 1
    assert better
    assert equal


def test_straying_changes_choices_and_foretells_rule_bots_less_well(game):
    rules, results = bots.make("rules", game), []

    class Sure(PolicyBot):
        def act_batch(self, tables, rows=None):
            return best_by_playouts(game, tables.records, tables.rows(rows), playouts=1, straying=0)

    class Straying(Sure):
        def act_batch(self, tables, rows=None):
            return best_by_playouts(game, tables.records, tables.rows(rows), playouts=8, straying=3)

    for kind in (Sure, Straying):
        results.append(evaluate(game, kind(kind.__name__, game, None), rules, deals=40, seed=2))
    sure, straying = results
    assert sure.ahead > straying.ahead > 0


def test_the_policy_chooses_in_the_first_round_and_playouts_in_the_second(game, handing_over):
    tables = game.tables(10, seed=2)
    chance = bots.make("random", game, seed=4)
    for _ in range(104):
        rows = np.arange(10)
        actions = handing_over.act_batch(tables)
        known = all_known(game, tables.records, rows)
        np.testing.assert_array_equal(
            actions,
            np.where(
                known,
                best_by_playouts(game, tables.records, rows),
                handing_over.choose(tables.observation, tables.action_mask),
            ),
        )
        row = tables.ply[0] % 10
        table = tables.table(int(row))
        assert handing_over.act(table.view(table.seat)) == actions[row]
        tables.step(chance.act_batch(tables))


def test_hidden_cards_do_not_matter_to_it(game, handing_over):
    table = game.table(seed=11)
    for turn in range(80):
        seat = table.seat
        world = table.resample(seat, seed=turn)
        assert handing_over.act(world.view(seat)) == handing_over.act(table.view(seat))
        table.play(table.legal_actions()[0])


def test_a_checkpoint_says_so(tmp_path, game):
    folder = chance_checkpoint(tmp_path / "policy", game)
    facts = json.loads((folder / FACTS_FILE).read_text())
    assert facts["where_known"] == "policy"
    del facts["where_known"]
    (folder / FACTS_FILE).write_text(json.dumps(facts))
    assert PolicyBot.load(folder, game).where_known == "policy"
    (folder / FACTS_FILE).write_text(json.dumps({**facts, "where_known": "chance"}))
    with pytest.raises(CheckpointError, match="where_known is 'chance': policy or playouts"):
        PolicyBot.load(folder, game)


def test_playouts_of_such_a_policy_go_on_by_the_rule_bot_in_the_second_round(game):
    tables = game.tables(4, seed=8)
    rules = bots.make("rules", game)

    class HandingOver(Highest):
        where_known = "playouts"

        def act(self, view):
            return rules.act(view) if view.round == 2 else super().act(view)

    player = HandingOver()

    tried = tables.action_mask == 1
    holders = np.full((4, game.num_players), OUTSIDE)
    values = policy_action_values(tables, np.arange(4), tried, [player], holders)
    for row in range(4):
        expected = np.zeros(game.num_actions)
        for action in np.flatnonzero(tried[row]):
            expected[action] = played_out(game, tables.table(row), int(action), [player.act] * game.num_players)
        np.testing.assert_allclose(values[row], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("holders_play_on", [1.0, 0.0])
def test_a_run_learns_from_the_first_round_alone(tmp_path, holders_play_on):
    content = {
        "game": "rewind",
        "where_known": "playouts",
        "decisions": 10,
        "tables": 16,
        "threads": 1,
        "hidden": [8],
        "critic_hidden": [8],
        "learning": {
            "lookahead": 0.5,
            "holders_play_on": holders_play_on,
            "decisions_per_update": 1200,
            "batch_size": 400,
        },
        "opponents": {"rules": 0.3, "random": 0.1, "snapshots": 0.0},
    }
    torch.set_num_threads(1)
    run = Run.begin(tmp_path / "run", check_config(content, "test"))
    learner: SelfPlayPPO = run.learner
    states = learner._lessons(holders_play_on == 0)[0].numpy()
    place = learner.inputs.layout.slices["round"]
    assert (states[:, place] == 1).all()
    learner.update(0.9)
    buffer = learner.rollout_buffer
    assert (buffer.observations[: buffer.size, place] == 1).all()
    run.save()
    assert bots.make(str(run.checkpoint), learner.inputs.games[0]).where_known == "playouts"
