"""TorchRL: its wrapper around our environments, unchanged."""

import numpy as np
import pytest
import torch
from torchrl.envs import PettingZooWrapper, check_env_specs
from torchrl.envs.utils import MarlGroupMapType

import trick_envs
from tests.libraries.probe import probe
from trick_envs import hearts_v0, rage_glyphs_v0, rewind_v0, setback_v0

pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version")

MODULES = [hearts_v0, setback_v0, rage_glyphs_v0, rewind_v0]
GROUPS = [None, MarlGroupMapType.ALL_IN_ONE_GROUP]


def wrapped(module, group_map=None, **options):
    return PettingZooWrapper(module.env(**options), use_mask=True, group_map=group_map)


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])
def test_specs(module, mask):
    for groups in GROUPS:
        check_env_specs(wrapped(module, groups, mask=mask), seed=0)


@pytest.mark.parametrize("observation", ["events", "both"])
def test_specs_with_events(observation):
    check_env_specs(wrapped(setback_v0, observation=observation), seed=0)


def test_state_for_a_critic():
    env = PettingZooWrapper(hearts_v0.env(), use_mask=True, return_state=True)
    check_env_specs(env, seed=0)
    assert np.array_equal(env.reset(seed=3)["state"].numpy(), trick_envs.make("hearts").table(seed=3).state())


@pytest.mark.parametrize("mask", ["observation", "info"])
def test_each_step_is_that_of_the_table(mask):
    """Rewards of every seat, who is on turn, its mask and what it sees."""
    match = probe(num_hands=2)
    env = wrapped(hearts_v0, MarlGroupMapType.ALL_IN_ONE_GROUP, mask=mask, num_hands=2)
    table = trick_envs.make("hearts", **match.options).table(seed=match.seed)
    told = env.reset(seed=match.seed)
    for action, rewards in zip(match.actions, match.rewards, strict=True):
        agents = told["agents"]
        seat = table.seat
        assert agents["mask"].tolist() == [other == seat for other in range(4)]
        assert np.array_equal(agents["action_mask"][seat].numpy(), table.action_mask(seat).astype(bool))
        assert agents["action_mask"][agents["mask"].logical_not()].all()
        seen = agents["observation"] if mask == "info" else agents["observation", "observation"]
        assert np.array_equal(seen.numpy(), np.stack([table.observation(other) for other in range(4)]))
        table.play(action)
        told["agents", "action"] = torch.full((4,), action)
        told, following = env.step_and_maybe_reset(told)
        assert told["next", "agents", "reward"].flatten().tolist() == rewards.tolist()
        assert told["next", "agents", "terminated"].tolist() == [[table.seat < 0]] * 4
        assert told["next", "done"].item() is (table.seat < 0)
        told = following
    assert len(set(match.rewards.sum(axis=0))) == 4


def test_a_random_rollout_goes_on_over_matches_and_pays_no_more_nor_less():
    """Relative rewards of a match sum to 0 over the seats, and the sum of a rollout is that of its matches."""
    options = {"num_hands": 1, "pass_cards": 0, "rewards": "relative"}
    env = wrapped(hearts_v0, MarlGroupMapType.ALL_IN_ONE_GROUP, mask="info", **options)
    rollout = env.rollout(3 * 52, auto_reset=False, tensordict=env.reset(seed=5), break_when_any_done=False)
    assert rollout["next", "done"].flatten().nonzero().flatten().tolist() == [51, 103, 155]
    rewards = rollout["next", "agents", "reward"][..., 0]
    assert torch.allclose(rewards.sum(dim=1), torch.zeros(156), atol=1e-5)
    table = trick_envs.make("hearts", **options).table(seed=5)
    acting = rollout["agents", "mask"]
    for action in rollout["agents", "action"][acting][:52].tolist():
        table.play(action)
    assert rewards[:52].sum(dim=0).tolist() == pytest.approx(table.rewards)
    assert any(table.rewards)
