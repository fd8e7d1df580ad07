"""One policy for several games, such as one for each number of seats."""

import json

import numpy as np
import pytest
import torch
from rich.console import Console

import trick_envs
from training.config import ConfigError, check_config
from training.policy import as_bot
from training.run import Run
from training.selfplay import SelfPlayPPO
from trick_envs import bots
from trick_envs.bots.policy import TABLE, CheckpointError, Inputs

SEATS = {"hearts": (4, 3, 7), "setback": (4, 2, 3), "rage_glyphs": (4, 2, 6), "rewind": (4, 3)}
TINY = {
    "game": "setback",
    "options": {"num_hands": 1, "rewards": "relative"},
    "other_tables": [{"num_players": 3, "partners": False}, {"num_players": 2, "partners": False}],
    "decisions": 1600,
    "tables": 16,
    "threads": 1,
    "hidden": [8],
    "learning": {"decisions_per_update": 300, "batch_size": 128, "epochs": 1, "lookahead": 0.4},
    "opponents": {"snapshots": 0.2, "rules": 0.1, "random": 0.1, "snapshot_every": 1, "snapshots_kept": 2},
    "measuring": {"against": ["random"], "deals": 8, "curve_deals": 4, "curve_every": 1000},
}
QUIET = Console(quiet=True)


def games_of(name):
    partners = {"partners": False} if name == "setback" else {}
    return [trick_envs.make(name, num_players=seats, **(partners if seats < 4 else {})) for seats in SEATS[name]]


@pytest.fixture(params=SEATS)
def inputs(request):
    return Inputs(games_of(request.param))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    finished = Run.begin(tmp_path_factory.mktemp("run") / "run", check_config(TINY, "TINY"))
    finished.learn(QUIET)
    return finished


def test_every_entry_has_a_place_of_its_own_with_its_name(inputs):
    for number, game in enumerate(inputs.games):
        tables = game.tables(32, seed=number)
        chance = bots.make("random", game)
        for _ in range(9):
            tables.step(chance.act_batch(tables))
        spread = inputs.spread(number, tables.observation)
        wide, own = inputs.layout.split(spread), game.layout.split(tables.observation)
        for part in game.layout.parts:
            corner = tuple(slice(length) for length in part.shape)
            np.testing.assert_array_equal(wide[part.name][:, *corner], own[part.name])
        assert wide[TABLE].tolist() == [[int(k == number) for k in range(len(inputs.games))]] * 32
        assert np.count_nonzero(spread) == np.count_nonzero(tables.observation) + 32
        assert (spread >= inputs.layout.low).all()
        assert (spread <= inputs.layout.high).all()


def test_states_begin_with_what_is_seen(inputs):
    for number, game in enumerate(inputs.games):
        tables = game.tables(8, seed=number)
        states = inputs.spread(number, tables.state(np.arange(8)))
        assert states.shape == (8, inputs.state_layout.size)
        np.testing.assert_array_equal(states[:, : inputs.layout.size], inputs.spread(number, tables.observation))


def test_one_game_has_its_own_layout():
    game = trick_envs.make("hearts")
    inputs = Inputs([game])
    assert inputs.layout == game.layout
    assert inputs.state_layout == game.state_layout


def test_the_bot_of_each_game_does_what_the_network_says(inputs):
    torch.manual_seed(0)
    actor = torch.nn.Sequential(
        torch.nn.Linear(inputs.layout.size, 16), torch.nn.ReLU(), torch.nn.Linear(16, inputs.num_actions)
    )
    for number, game in enumerate(inputs.games):
        observations = game.tables(64, seed=3).observation
        with torch.no_grad():
            logits = actor(torch.from_numpy(inputs.spread(number, observations) * inputs.layout.scale)).numpy()
        own = as_bot(actor, inputs, number).network.logits(observations)
        np.testing.assert_allclose(own, logits[:, : game.num_actions], atol=1e-5)


def test_a_game_with_more_of_the_same_options_is_nearer():
    partners, alone = trick_envs.make("setback"), trick_envs.make("setback", partners=False)
    assert Inputs([partners, alone]).nearest(alone) == 1
    assert Inputs([alone, partners]).nearest(alone) == 0
    assert Inputs([partners]).nearest(alone) == 0
    assert Inputs([partners]).nearest(trick_envs.make("setback", num_players=3, partners=False)) is None


def test_one_run_learns_at_all_its_tables_and_its_checkpoint_plays_at_each(run):
    rooms = run.learner.rooms
    assert [room.game.num_players for room in rooms] == [4, 3, 2]
    assert [len(room.tables) for room in rooms] == [8, 4, 4]
    assert all(room.tables.ply.sum() > 0 for room in rooms)
    for room in rooms:
        bot = bots.make(run.checkpoint, room.game)
        np.testing.assert_array_equal(
            bot.act_batch(room.tables),
            as_bot(run.learner.average.module, run.learner.inputs, room.number).act_batch(room.tables),
        )


def test_columns_of_rooms_do_not_meet():
    learner = SelfPlayPPO(check_config({**TINY, "opponents": {"rules": 0, "random": 0, "snapshots": 0}}, "TINY"), 1)
    learner.collect()
    buffer = learner.rollout_buffer
    tables = learner.inputs.layout.split(buffer.observations[: buffer.size, : learner.inputs.layout.size])[TABLE]
    room = np.searchsorted([32, 44], buffer.column[: buffer.size], side="right")
    np.testing.assert_array_equal(tables.argmax(axis=1), room)
    assert set(room) == {0, 1, 2}


def test_an_interrupted_run_goes_on_to_the_same_weights(tmp_path, run):
    broken = Run.begin(tmp_path / "broken", run.config)
    updates, update = [], broken.learner.update

    def fail_in_the_fifth(progress):
        updates.append(progress)
        if len(updates) == 5:
            broken.save()
            raise KeyboardInterrupt
        update(progress)

    broken.learner.update = fail_in_the_fifth
    with pytest.raises(KeyboardInterrupt):
        broken.learn(QUIET)
    resumed = Run.resume(tmp_path / "broken")
    resumed.learn(QUIET)
    for name, value in run.learner.policy.state_dict().items():
        assert torch.equal(value, resumed.learner.policy.state_dict()[name]), name


def test_a_run_of_one_game_may_begin_with_a_policy_of_several(run):
    alone = {**TINY, "options": {**TINY["options"], "num_players": 3, "partners": False}, "other_tables": []}
    learner = SelfPlayPPO(check_config({**alone, "start_from": str(run.checkpoint)}, "alone"), 1)
    tables = learner.rooms[0].tables
    given = bots.make(run.checkpoint, tables.game)
    logits = as_bot(learner.policy.actor, learner.inputs).network.logits(tables.observation)
    np.testing.assert_allclose(logits, given.network.logits(tables.observation), atol=1e-4)


def test_a_checkpoint_says_for_which_seats_it_is(run):
    four = trick_envs.make("setback")
    assert bots.make(run.checkpoint, four)
    with pytest.raises(CheckpointError, match="for 4, 3, 2 seats, does not fit"):
        bots.make(run.checkpoint, trick_envs.make("hearts"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"tables": []}, "does not say which game"),
        ({"tables": [{"options": {"num_players": 9}}]}, "num_players"),
        ({"inputs": "0"}, "inputs are '0' there"),
    ],
)
def test_facts_that_do_not_hold_are_refused(run, tmp_path, change, told):
    copy = tmp_path / "checkpoint"
    copy.mkdir()
    for file in run.checkpoint.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    facts = json.loads((copy / "policy.json").read_text())
    (copy / "policy.json").write_text(json.dumps({**facts, **change}))
    with pytest.raises(CheckpointError, match=told):
        bots.make(copy, trick_envs.make("setback"))


def test_wrong_options_of_another_table_are_named():
    with pytest.raises(ConfigError, match="num_players"):
        check_config({**TINY, "other_tables": [{"num_players": 12}]}, "TINY")


def test_tables_that_have_nothing_in_common_are_refused():
    other = {"variant": "cancellation", "num_players": 6}
    content = {**TINY, "game": "hearts", "options": {"num_hands": 1}, "other_tables": [other]}
    with pytest.raises(ConfigError, match=r"layouts of different parts: .* only in some"):
        check_config(content, "TINY")


def test_an_episode_can_end_with_each_hand():
    content = {**TINY, "options": {"rewards": "relative"}, "other_tables": []}
    content["learning"] = {**TINY["learning"], "episode": "hand"}
    learner = SelfPlayPPO(check_config(content, "TINY"), 1)
    learner.collect()
    buffer = learner.rollout_buffer
    hands = learner.inputs.layout.split(buffer.observations[: buffer.size, : learner.inputs.layout.size])
    bid = hands["phase"].argmax(axis=1) == 0
    followed = np.flatnonzero(buffer.following[: buffer.size] != -1)
    assert buffer.ended[: buffer.size].sum() > learner.rooms[0].tables.done.sum()
    # A line of decisions never goes from the play of one hand to the bids of the next.
    assert not (~bid[followed] & bid[buffer.following[followed]]).any()
