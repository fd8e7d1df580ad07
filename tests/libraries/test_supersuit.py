"""SuperSuit: what docs/pettingzoo.md says of it, and rewards that arrive unchanged."""

from importlib import import_module

import numpy as np
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import trick_envs
from trick_envs import hearts_v0

OPTIONS = {"num_hands": 1, "pass_cards": 0}
GAME = trick_envs.make("hearts", **OPTIONS)
OF_ARRAYS = {
    "dtype_v0": ("float32",),
    "frame_stack_v2": (3,),
    "agent_indicator_v0": (),
    "flatten_v0": (),
    "reshape_v0": ((17, GAME.layout.size // 17),),
    "pad_observations_v0": (),
    "delay_observations_v0": (2,),
}
OF_ANYTHING = {"reward_lambda_v0": (lambda reward: reward,), "pad_action_space_v0": ()}


def wrapper(name):
    """A wrapper of SuperSuit; pytest, which looks for doctests, cannot bear the module among a test's names."""
    return getattr(import_module("supersuit"), name)


def play(env):
    """A match, the highest legal action each time: what each agent is paid by ``last``."""
    env.reset(seed=SEED)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        paid[agent] += reward
        mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
        env.step(None if terminated else int(np.flatnonzero(mask)[-1]))
    return list(paid.values())


def table_of(seed):
    table = GAME.table(seed=seed)
    while not table.over:
        table.play(table.legal_actions()[-1])
    return table


SEED = next(seed for seed in range(100) if len(set(table_of(seed).rewards)) == GAME.num_players)


@pytest.mark.parametrize("name", [*OF_ARRAYS, *OF_ANYTHING])
def test_a_match_through_a_wrapper(name):
    assert (
        play(wrapper(name)(hearts_v0.env(**OPTIONS, mask="info"), *(OF_ARRAYS | OF_ANYTHING)[name]))
        == table_of(SEED).rewards
    )


def test_observations_are_scaled():
    env = wrapper("normalize_obs_v0")(wrapper("dtype_v0")(hearts_v0.env(**OPTIONS, mask="info"), "float32"))
    assert play(env) == table_of(SEED).rewards
    env.reset(seed=1)
    observation = env.last()[0]
    assert observation.dtype == np.float32
    assert 0 <= observation.min() <= observation.max() == 1


@pytest.mark.parametrize("name", sorted(OF_ARRAYS.keys() - {"delay_observations_v0"}))
def test_dicts_are_refused(name):
    with pytest.raises((AssertionError, AttributeError)):
        wrapper(name)(hearts_v0.env(**OPTIONS), *OF_ARRAYS[name])


@pytest.mark.parametrize("name", OF_ANYTHING)
def test_a_match_with_the_mask_in_the_observation(name):
    assert play(wrapper(name)(hearts_v0.env(**OPTIONS), *OF_ANYTHING[name])) == table_of(SEED).rewards


def test_a_vector_environment_has_a_column_for_each_agent():
    env = wrapper("pettingzoo_env_to_vec_env_v1")(turn_based_aec_to_parallel(hearts_v0.env(**OPTIONS, mask="info")))
    _, infos = env.reset(seed=SEED)
    table = GAME.table(seed=SEED)
    while not table.over:
        masks = np.array([info["action_mask"] for info in infos])
        assert np.flatnonzero(masks.any(axis=1)).tolist() == [table.seat]
        action = table.legal_actions()[-1]
        table.play(action)
        _, rewards, terminated, _, infos = env.step(np.full(4, action))
        assert rewards.tolist() == table.rewards
    assert terminated.all()
    assert len(set(table.rewards)) == 4
