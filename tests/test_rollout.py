"""What the learner sees: each seat of each table is one actor, with its own decisions, rewards and advantages."""

import numpy as np
import pytest
import torch
from gymnasium import spaces

from training.config import check_config
from training.rollout import NONE, SeatRolloutBuffer
from training.room import LEARNER, RANDOM
from training.selfplay import SelfPlayPPO
from trick_envs.games import GAMES

COLUMNS = 3


@pytest.fixture
def buffer():
    return SeatRolloutBuffer(
        16,
        spaces.Box(0, 1, (1,), np.int8),
        spaces.Discrete(2),
        "cpu",
        gae_lambda=0.5,
        gamma=0.9,
        columns=COLUMNS,
        numbers=np.random.default_rng(0),
    )


def decide(buffer, columns, values):
    """One decision for each column, with these values."""
    count = len(columns)
    buffer.append(
        np.array(columns),
        np.zeros((count, 1), np.int8),
        np.ones((count, 2), np.bool_),
        np.zeros(count, np.int64),
        np.array(values, np.float32),
        np.zeros(count, np.float32),
    )


def pay(buffer, columns, rewards, ended):
    buffer.pay(np.array(columns), np.array(rewards, np.float32), np.array(ended))


def test_advantages_of_interleaved_seats_are_those_computed_by_hand(buffer):
    decide(buffer, [0, 1], [1.0, 2.0])  # entries 0, 1
    pay(buffer, [0, 1], [0.5, 0.0], [False, False])
    decide(buffer, [1], [3.0])  # entry 2: seat 1 again, seat 0 not on turn
    pay(buffer, [0, 1], [0.25, -1.0], [False, False])  # seat 0 is paid between its decisions
    decide(buffer, [0], [4.0])  # entry 3
    pay(buffer, [0, 1], [2.0, -2.0], [True, True])
    buffer.estimate_advantages()

    seat_0_last = 2.0 - 4.0
    seat_0_first = (0.75 + 0.9 * 4.0 - 1.0) + 0.9 * 0.5 * seat_0_last
    seat_1_last = -3.0 - 3.0
    seat_1_first = (0.0 + 0.9 * 3.0 - 2.0) + 0.9 * 0.5 * seat_1_last
    expected = [seat_0_first, seat_1_first, seat_1_last, seat_0_last]
    np.testing.assert_allclose(buffer.advantages[:4], expected, rtol=1e-6)
    np.testing.assert_allclose(buffer.returns[:4], np.add(expected, [1, 2, 3, 4]), rtol=1e-6)


def test_an_open_decision_is_not_learned_from_but_its_value_ends_the_line_before_it(buffer):
    decide(buffer, [0], [1.0])
    pay(buffer, [0], [0.5], [False])
    decide(buffer, [0], [2.0])
    buffer.estimate_advantages()
    assert buffer.closed.tolist() == [0]
    assert buffer.advantages[0] == pytest.approx(0.5 + 0.9 * 2.0 - 1.0)


def test_open_decisions_move_on_to_the_next_rollout_and_are_paid_there(buffer):
    decide(buffer, [0, 1, 2], [1.0, 2.0, 3.0])
    pay(buffer, [1], [9.0], [True])
    buffer.keep_open()
    assert buffer.column[: buffer.size].tolist() == [0, 2]
    assert buffer.values[: buffer.size].tolist() == [1.0, 3.0]
    pay(buffer, [0, 2], [5.0, 7.0], [True, True])
    assert buffer.rewards[: buffer.size].tolist() == [5.0, 7.0]
    assert buffer.closed.tolist() == [0, 1]


def test_matches_do_not_run_into_each_other(buffer):
    decide(buffer, [0], [1.0])
    pay(buffer, [0], [1.0], [True])
    decide(buffer, [0], [100.0])
    pay(buffer, [0], [0.0], [True])
    buffer.estimate_advantages()
    assert buffer.following[0] == NONE
    assert buffer.advantages[0] == pytest.approx(0.0)


def test_a_reward_before_the_first_decision_goes_nowhere(buffer):
    pay(buffer, [2], [3.0], [True])
    assert buffer.size == 0
    assert (buffer.latest == NONE).all()


def test_batches_hold_every_closed_decision_once(buffer):
    decide(buffer, [0, 1, 2], [1.0, 2.0, 3.0])
    pay(buffer, [0, 1, 2], [0, 0, 0], [True, True, False])
    buffer.estimate_advantages()
    batches = list(buffer.get(1))
    assert sorted(float(batch.old_values) for batch in batches) == [1.0, 2.0]


# --- The collector ---------------------------------------------------------------------------------------------


def learner(**changes):
    content = {
        "game": "hearts",
        "options": {"num_hands": 1, "first_pass": None, "rewards": "relative"},
        "decisions": 1,
        "tables": 8,
        "hidden": [8],
        "learning": {"decisions_per_update": 1200, "batch_size": 128, "reward_scale": 1.0},
        "opponents": {"snapshots": 0.0, "rules": 0.0, "random": 0.0},
    }
    torch.set_num_threads(1)
    return SelfPlayPPO(check_config({**content, **changes}, "test"), threads=1)


OPTIONS = {
    "hearts": {"first_pass": None},
    "setback": {},
    "rage_glyphs": {"hand_sizes": [3]},
    "rewind": {},
}


@pytest.mark.parametrize("name", GAMES)
def test_every_seat_gets_the_rewards_of_its_own_match(name):
    ppo = learner(game=name, options={"num_hands": 1, "rewards": "relative", **OPTIONS[name]})
    seats = ppo.rooms[0].game.num_players
    paid: dict[int, list[float]] = {}
    tables = ppo.rooms[0].tables
    step = tables.step

    def note_rewards(actions):
        step(actions)
        for row in np.flatnonzero(tables.done):
            for seat in range(seats):
                paid.setdefault(row * seats + seat, []).append(float(tables.rewards[row, seat]))

    tables.step = note_rewards
    ppo.collect()
    buffer = ppo.rollout_buffer
    ended = np.flatnonzero(buffer.ended[: buffer.size])
    credited: dict[int, list[float]] = {}
    for entry in ended:
        credited.setdefault(int(buffer.column[entry]), []).append(float(buffer.rewards[entry]))
    assert len(ended) > 20
    assert credited == paid


def test_decisions_are_legal_have_a_choice_and_belong_to_the_seat_that_sees_them():
    ppo = learner()
    ppo.collect()
    buffer = ppo.rollout_buffer
    size = buffer.size
    masks = buffer.action_masks[:size]
    assert (masks.sum(axis=1) > 1).all()
    assert masks[np.arange(size), buffer.actions[:size]].all()
    to_act = ppo.inputs.layout.split(buffer.observations[:size])["to_act"]
    assert (to_act[:, 0] == 1).all()
    assert set(buffer.column[:size] % ppo.rooms[0].game.num_players) == set(range(ppo.rooms[0].game.num_players))


def test_a_seat_decides_at_most_once_a_trick():
    ppo = learner()
    ppo.collect()
    buffer = ppo.rollout_buffer
    tricks = ppo.inputs.layout.split(buffer.observations[: buffer.size])["trick_number"]
    phases = ppo.inputs.layout.split(buffer.observations[: buffer.size])["phase"]
    for entry in np.flatnonzero(buffer.following[: buffer.size] != NONE):
        after = buffer.following[entry]
        assert buffer.column[after] == buffer.column[entry]
        if phases[entry][1] and phases[after][1]:
            assert tricks[after] > tricks[entry]


def test_seats_that_others_hold_are_not_learned_from():
    ppo = learner(opponents={"snapshots": 0.0, "rules": 0.0, "random": 1.0})
    assert ((ppo.rooms[0].holders == LEARNER).sum(axis=1) == 1).all()
    assert ((ppo.rooms[0].holders == RANDOM).sum(axis=1) == 3).all()
    first_holders = ppo.rooms[0].holders.copy()
    ppo.collect()
    buffer = ppo.rollout_buffer
    first_of_row = {int(column) // 4: int(column) % 4 for column in buffer.column[: buffer.size][::-1]}
    assert all(first_holders[row, seat] == LEARNER for row, seat in first_of_row.items())


def test_bots_and_snapshots_take_part():
    ppo = learner(opponents={"snapshots": 0.4, "rules": 0.3, "random": 0.3, "snapshot_every": 1, "snapshots_kept": 2})
    for _ in range(3):
        ppo.update(0.5)
    assert len(ppo.pool.snapshots) == 2
    assert ppo.plays > ppo.num_timesteps > 0
