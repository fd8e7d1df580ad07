"""AgileRL: masks and rewards through its vector environment, and the rollout of the example."""

import warnings

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import trick_envs
from tests.libraries.probe import probe
from trick_envs import hearts_v0, rage_glyphs_v0, rewind_v0, setback_v0

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # AgileRL and what it needs warn of each other when they are imported
    from agilerl.algorithms import PPO
    from agilerl.vector.dummy_vec_env import PzDummyVecEnv

    from examples import agilerl_hearts

pytestmark = pytest.mark.filterwarnings("ignore:TensorDict.to_module")

MODULES = [hearts_v0, setback_v0, rage_glyphs_v0, rewind_v0]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])
def test_each_step_is_that_of_the_table(module):
    """Rewards of every seat, masks and what the seat on turn sees."""
    name = module.__name__.removeprefix("trick_envs.").removesuffix("_v0")
    options = {"num_hands": 2, "num_players": 4} | ({"partners": False} if module is setback_v0 else {})
    match = probe(name, **options)
    env = PzDummyVecEnv(turn_based_aec_to_parallel(module.env(**options, mask="info")))
    table = trick_envs.make(name, **options).table(seed=match.seed)
    told, infos = env.reset(seed=match.seed)
    agents = [f"player_{seat}" for seat in range(4)]
    for action, rewards in zip(match.actions, match.rewards, strict=True):
        for seat, agent in enumerate(agents):
            assert np.array_equal(np.ravel(infos[agent]["action_mask"]), table.action_mask(seat))
        assert np.array_equal(told[agents[table.seat]][0], table.observation(table.seat))
        table.play(action)
        told, paid, terminated, _, infos = env.step({agent: np.array([action]) for agent in agents})
        assert [float(paid[agent][0]) for agent in agents] == pytest.approx(rewards.tolist())
        assert [bool(terminated[agent][0]) for agent in agents] == [table.seat < 0] * 4
    assert len(set(match.rewards.sum(axis=0))) == 4


def test_the_rollout_of_the_example_pays_every_seat_and_keeps_masks(monkeypatch):
    monkeypatch.setattr(agilerl_hearts, "TABLES", 3)
    game = trick_envs.make("hearts", **agilerl_hearts.OPTIONS)
    box = spaces.Box(-1, 1, (game.layout.size,), np.float32)
    agent = PPO(box, spaces.Discrete(game.num_actions), gamma=1.0, gae_lambda=1.0, num_envs=12, learn_step=12 * 13)
    tables = game.tables(3, seed=0)
    seeds = tables.seeds.copy()
    agilerl_hearts.play_hand(tables, game.layout.scale, agent)
    kept = agent.rollout_buffer.buffer
    for row, seed in enumerate(seeds):
        table = game.table(seed=seed)
        for trick in range(13):
            for _ in range(4):
                actor, seat = 4 * row + table.seat, table.seat
                assert np.array_equal(kept["action_masks"][trick, actor].numpy(), table.action_mask(seat))
                table.play(int(kept["actions"][trick, actor].item()))
        paid = kept["rewards"][:13, 4 * row : 4 * row + 4].sum(dim=0) / agilerl_hearts.REWARD_SCALE
        assert paid.tolist() == pytest.approx(table.rewards)
        credited = kept["returns"][:13, 4 * row : 4 * row + 4] / agilerl_hearts.REWARD_SCALE
        assert credited.numpy() == pytest.approx(np.tile(table.rewards, (13, 1)), abs=1e-4)
        assert any(table.rewards)
    assert np.isfinite(agent.learn())


def test_why_the_example_fills_the_buffer_itself():
    """``done`` as ``collect_rollouts`` gives it, that of the step, keeps the last reward from the steps before."""
    agent = PPO(spaces.Box(-1, 1, (3,)), spaces.Discrete(2), gamma=1.0, gae_lambda=1.0, num_envs=1, learn_step=3)
    nothing = np.zeros(1)
    for step in range(3):
        reward, done = np.full(1, float(step == 2)), np.full(1, step == 2)
        agent.rollout_buffer.add(np.zeros((1, 3)), nothing, reward, done, nothing, nothing)
    agent.rollout_buffer.compute_returns_and_advantages(last_value=nothing, last_done=np.ones(1))
    assert agent.rollout_buffer.buffer["returns"][:3, 0].tolist() == [0.0, 0.0, 1.0]  # and not 1.0, 1.0, 1.0
