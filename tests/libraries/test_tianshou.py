"""Tianshou 2: its PettingZooEnv unchanged, and multi-agent learning in which every seat is credited."""

from functools import partial

import numpy as np
import pytest
import torch
from tianshou.algorithm.algorithm_base import OnPolicyAlgorithm, TrainingStats
from tianshou.algorithm.multiagent.marl import MultiAgentOnPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

import trick_envs
from tests.libraries.probe import probe
from trick_envs import hearts_v0, rage_glyphs_v0, rewind_v0, setback_v0
from trick_envs.interfaces.tianshou import SeatOnPolicyAlgorithm

MODULES = [hearts_v0, setback_v0, rage_glyphs_v0, rewind_v0]
OPTIONS = {"num_hands": 2, "rewards": "points"}


class Keep(OnPolicyAlgorithm):
    """Learns nothing, keeps the batches that it is given to learn from."""

    def _preprocess_batch(self, batch, buffer, indices):
        assert (buffer.terminated[indices] == batch.terminated).all()
        return batch

    def _update_with_batch(self, batch, batch_size, repeat):
        self.batch = batch
        return TrainingStats()


def collected(module=hearts_v0, envs=3, matches=5, **options):
    """A buffer of random matches, and an environment like those that they were played in."""
    np.random.seed(0)  # noqa: NPY002  (what Tianshou's random policy draws from)
    env = PettingZooEnv(module.env(**options))
    vector = DummyVectorEnv([partial(PettingZooEnv, module.env(**options)) for _ in range(envs)])
    vector.seed(list(range(envs)))
    buffer = VectorReplayBuffer(20_000, envs)
    chance = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
    collector = Collector(chance, vector, buffer)
    collector.reset()
    collector.collect(n_episode=matches)
    return buffer, env


def lines(algorithm_class, buffer, env):
    """By seat, the batch that each seat's algorithm is to learn from."""
    policy = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space).policy
    algorithm = algorithm_class(algorithms=[Keep(policy=policy) for _ in env.agents], env=env)
    batch, indices = buffer.sample(0)
    told = algorithm._preprocess_batch(batch, buffer, indices)
    return [told[agent] for agent in env.agents]


def matches_of(buffer):
    """The matches in a buffer, each a batch of its steps."""
    batch, _ = buffer.sample(0)
    ends = np.flatnonzero(batch.done)
    assert ends[-1] == len(batch) - 1
    return [batch[first : last + 1] for first, last in zip([0, *(ends[:-1] + 1)], ends, strict=True)]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])
def test_each_step_is_that_of_the_table(module):
    """Rewards of every seat, who is on turn, its mask and what it sees."""
    name = module.__name__.removeprefix("trick_envs.").removesuffix("_v0")
    options = {"num_hands": 2, "num_players": 4} | ({"partners": False} if module is setback_v0 else {})
    match = probe(name, **options)
    env = PettingZooEnv(module.env(**options))
    table = trick_envs.make(name, **options).table(seed=match.seed)
    told, _ = env.reset(seed=match.seed)
    for action, rewards in zip(match.actions, match.rewards, strict=True):
        assert told["agent_id"] == f"player_{table.seat}"
        assert np.array_equal(told["mask"], table.action_mask(table.seat))
        assert np.array_equal(told["obs"], table.observation(table.seat))
        table.play(action)
        told, paid, terminated, truncated, _ = env.step(action)
        assert paid == rewards.tolist()
        assert (terminated, truncated) == (table.seat < 0, False)
    assert len(set(match.rewards.sum(axis=0))) == env.env.game.num_players


def test_every_seat_is_credited_with_what_the_table_pays():
    """In line: decision by decision, the rewards are those of a table that replays the match."""
    buffer, env = collected(**OPTIONS)
    game = trick_envs.make("hearts", **OPTIONS)
    expected = [[] for _ in range(4)]
    for match in matches_of(buffer):
        seats = [int(agent[-1]) for agent in match.obs.agent_id]
        table = game.table(seed=seed_of(game, match))
        latest = [None] * 4
        for seat, action in zip(seats, match.act, strict=True):
            assert table.seat == seat
            latest[seat] = len(expected[seat])
            expected[seat].append(0.0)
            table.play(action)
            if table.hand_over:
                for other in range(4):
                    expected[other][latest[other]] += table.rewards[other]
        assert table.seat == -1
    told = lines(SeatOnPolicyAlgorithm, buffer, env)
    for seat in range(4):
        assert told[seat].rew.tolist() == expected[seat]
        assert told[seat].done.sum() == len(matches_of(buffer))
        assert (told[seat].obs.agent_id == f"player_{seat}").all()
        following = told[seat].obs_next.obs[:-1][~told[seat].done[:-1]]
        assert np.array_equal(following, told[seat].obs.obs[1:][~told[seat].done[:-1]])
    totals = [sum(line) for line in expected]
    assert len(set(totals)) == 4


def seed_of(game, match):
    """The seed of a match, found by its first observations among those that the environments go through."""
    for first in range(3):
        seed = first
        for _ in range(20):
            table = game.table(seed=seed)
            if np.array_equal(table.observation(table.seat), match.obs.obs[0]):
                return seed
            seed = table.next_seed()
    raise AssertionError("a match of no known seed")


def test_why_there_is_an_adapter():
    """Tianshou's own algorithm does not pay the seats that did not end the hand. When it does, ours may go."""
    buffer, env = collected(**OPTIONS)
    own, ours = (lines(kind, buffer, env) for kind in (MultiAgentOnPolicyAlgorithm, SeatOnPolicyAlgorithm))
    batch, _ = buffer.sample(0)
    paid = batch.rew.sum(axis=0).tolist()
    assert [line.rew.sum() for line in ours] == paid
    assert [line.rew.sum() for line in own] != paid
    assert sum(line.done.sum() for line in own) == 5  # of 20 lines of decisions that end


def test_unfinished_matches_are_left_out():
    buffer, env = collected(**OPTIONS)
    whole = lines(SeatOnPolicyAlgorithm, buffer, env)
    buffer, env = collected(**OPTIONS)
    vector = DummyVectorEnv([partial(PettingZooEnv, hearts_v0.env(**OPTIONS)) for _ in range(3)])
    chance = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
    collector = Collector(chance, vector, buffer)
    collector.reset(reset_buffer=False)
    collector.collect(n_step=30)
    assert len(buffer.sample(0)[1]) > sum(len(line.act) for line in whole)
    cut = lines(SeatOnPolicyAlgorithm, buffer, env)
    assert [line.rew.tolist() for line in cut] == [line.rew.tolist() for line in whole]


def test_no_finished_match_is_nothing_to_learn_from():
    env = PettingZooEnv(hearts_v0.env(**OPTIONS))
    vector = DummyVectorEnv([partial(PettingZooEnv, hearts_v0.env(**OPTIONS))])
    buffer = VectorReplayBuffer(100, 1)
    chance = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
    collector = Collector(chance, vector, buffer)
    collector.reset()
    collector.collect(n_step=20)
    assert all(len(line.get_keys()) == 0 for line in lines(SeatOnPolicyAlgorithm, buffer, env))


def test_an_actor_with_masks_plays_legally():
    from examples.tianshou_hearts import Actor

    buffer, _ = collected(num_hands=1)
    batch, _ = buffer.sample(0)
    logits, _ = Actor(trick_envs.make("hearts"), 54)(batch.obs)
    legal = torch.as_tensor(batch.obs.mask)
    assert torch.softmax(logits, dim=1)[~legal].max() == 0
