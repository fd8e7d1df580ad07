"""Stable-Baselines3 and sb3-contrib: the VecEnv beside the Gymnasium environment, and what is built on a VecEnv."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecMonitor, VecNormalize

import trick_envs
from examples import sb3_hearts
from trick_envs import IllegalAction
from trick_envs.interfaces.gymnasium import SeatEnv
from trick_envs.interfaces.sb3 import SeatVecEnv, as_bot

OPTIONS = {"opponents": "random", "num_hands": 1}
SMALL = {"n_steps": 16, "batch_size": 32, "n_epochs": 1, "policy_kwargs": {"net_arch": [8]}, "seed": 0}


def lowest(env: VecEnv) -> np.ndarray:
    return get_action_masks(env).argmax(axis=1)


def parts(told: Any) -> list[Any]:
    """What a reset or a step tells, its dicts plain ones."""
    return [dict(part) if isinstance(part, dict) else part for part in (told if isinstance(told, tuple) else (told,))]


@pytest.mark.parametrize("options", [OPTIONS, {"opponents": "rules", "max_hands": 1, "seat": 2, "observation": "both"}])
def test_rows_are_as_single_environments(options: dict) -> None:
    """Every step, end and mask is what SB3's own DummyVecEnv makes of ``SeatEnv``."""
    rows = 4
    ours = SeatVecEnv("hearts", rows, skip_forced=False, **options)
    theirs = DummyVecEnv([lambda: SeatEnv("hearts", mask="info", **options)] * rows)
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    for env in (ours, theirs):
        env.seed(3)
    told, expected = ours.reset(), theirs.reset()
    ends = 0
    for _ in range(60):
        assert data_equivalence(parts(told), parts(expected), exact=True)
        assert np.array_equal(get_action_masks(ours), get_action_masks(theirs))
        actions = lowest(ours)
        told, expected = ours.step(actions), theirs.step(actions)
        for info in expected[3]:
            info.pop("action_mask")
            if "TimeLimit.truncated" in info and "terminal_observation" not in info:
                info.clear()  # DummyVecEnv tells it at each step
        ends += int(told[2].sum())
    assert ends >= rows


def test_unseeded_resets_differ_and_later_ones_go_on() -> None:
    first, other = (SeatVecEnv("hearts", 2, **OPTIONS) for _ in range(2))
    assert not np.array_equal(first.reset(), other.reset())
    for env in (first, other):
        env.seed(1)
        env.reset()
    assert np.array_equal(first.reset(), other.reset())


def test_forced_moves_are_skipped() -> None:
    env = SeatVecEnv("hearts", 8, **OPTIONS)
    env.reset()
    for _ in range(40):
        assert get_action_masks(env).sum(axis=1).min() > 1
        env.step(lowest(env))


def test_an_illegal_action_raises() -> None:
    env = SeatVecEnv("hearts", 2, **OPTIONS)
    env.reset()
    with pytest.raises(IllegalAction, match=r"row 1: seat . may not choose moon: add"):
        env.step(np.array([lowest(env)[0], 53]))


def test_what_a_vec_env_is_asked_for() -> None:
    env = SeatVecEnv("hearts", 3, **OPTIONS)
    env.reset()
    assert is_masking_supported(env)
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    assert env.get_attr("render_mode") == [None, None, None]
    assert env.env_is_wrapped(Monitor) == [False, False, False]
    for wrong in (lambda: env.env_method("hint"), lambda: env.get_attr("hint"), lambda: env.set_attr("seat", 1)):
        with pytest.raises(AttributeError, match=r"hint|seat"):
            wrong()


def test_single_environment_passes_the_check_of_sb3() -> None:
    check_env(SeatEnv("hearts", mask="info", **OPTIONS))


@pytest.mark.parametrize("single", [False, True])
def test_maskable_ppo_with_callbacks_and_wrappers(single: bool, tmp_path) -> None:
    def make() -> VecEnv:
        if single:
            return DummyVecEnv([lambda: Monitor(gymnasium.make("trick_envs/Hearts-v0", mask="info", **OPTIONS))] * 2)
        return VecMonitor(SeatVecEnv("hearts", 4, **OPTIONS))

    env, other = VecNormalize(make()), VecNormalize(make(), training=False)
    model = MaskablePPO("MlpPolicy", env, **SMALL)
    model.learn(128, callback=MaskableEvalCallback(other, eval_freq=16, n_eval_episodes=3, log_path=str(tmp_path)))
    evaluations = np.load(tmp_path / "evaluations.npz")
    assert evaluations["results"].shape[1] == 3
    assert (evaluations["results"] <= 0).all()  # points of Hearts, as Monitor has them before they are normalised
    assert (evaluations["ep_lengths"] <= 16).all()
    model.save(tmp_path / "model")
    again = MaskablePPO.load(tmp_path / "model", env)
    rewards, _ = evaluate_policy(again, other, n_eval_episodes=4, return_episode_rewards=True)
    assert len(rewards) == 4


def test_a_dict_with_the_mask_in_it_works_too() -> None:
    model = MaskablePPO("MultiInputPolicy", gymnasium.make("trick_envs/Hearts-v0", **OPTIONS), **SMALL)
    model.learn(32)


def test_a_model_as_a_bot_plays_as_it_predicts() -> None:
    game = trick_envs.make("hearts", num_hands=1)
    env = SeatVecEnv(game, 8, opponents="random", skip_forced=False)
    model = MaskablePPO("MlpPolicy", env, **SMALL)
    bot = as_bot(model, game, "some model")
    assert bot.name == "some model"
    tables = game.tables(8, seed=1)
    for _ in range(60):
        actions = bot.act_batch(tables)
        predicted, _ = model.predict(tables.observation, action_masks=tables.action_mask, deterministic=True)
        assert np.array_equal(actions, predicted)
        tables.step(actions)
    against = SeatVecEnv(game, 2, opponents=bot)
    against.reset()
    against.step(lowest(against))


def test_the_example_learns_and_is_measured(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sb3_hearts, "TABLES", 8)
    monkeypatch.setattr("sys.argv", ["sb3_hearts", "--decisions", "512", "--deals", "10"])
    sb3_hearts.main()
    assert "MaskablePPO" in capsys.readouterr().out
