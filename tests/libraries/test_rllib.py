"""RLlib: its own checks, its loop, training on a cluster that loses a node, a policy from a checkpoint."""

from copy import deepcopy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import ray
from ray.rllib.core.rl_module.rl_module import RLModule
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import trick_envs
from examples import rllib_hearts
from tests.libraries.probe import probe
from tests.libraries.ray_cluster import ray_cluster
from tests.test_docs import ROOT, blocks, run
from trick_envs.interfaces.rllib import TrickMultiAgentEnv, module_bot

# RLlib registers its environment with Gymnasium anew for each env runner of a process.
pytestmark = pytest.mark.filterwarnings("ignore:.*Overriding environment rllib-multi-agent-env-v0")
GAMES = ["hearts", "setback", "rage_glyphs", "rewind"]


def environment(name="hearts", **options):
    return TrickMultiAgentEnv({"game": name, **options})


def play_at_random(env, seed):
    """Play a match; what ``step`` returned each time, and the actions."""
    rng = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    told, actions, over = [], [], False
    while not over:
        ((agent, seen),) = observations.items()
        assert env.observation_spaces[agent].contains(seen)
        actions.append(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        told.append(env.step({agent: actions[-1]}))
        observations, _, terminated, truncated, _ = told[-1]
        over = terminated["__all__"] or truncated["__all__"]
    for agent, seen in observations.items():
        assert env.observation_spaces[agent].contains(seen)
    return told, actions


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_rllibs_checks_pass(name, skip_forced):
    env = environment(name, skip_forced=skip_forced)
    check_multiagent_environments(env)
    told, _ = play_at_random(env, 1)
    assert set(told[-1][0]) == set(told[-1][1]) == set(env.possible_agents)
    assert not any(seen["action_mask"].any() for seen in told[-1][0].values())


def test_each_step_is_that_of_the_table():
    """Who is on turn, what it sees, and that its reward is the sum of the table's since its last turn."""
    match = probe(num_hands=2)
    env, table = environment(num_hands=2), trick_envs.make("hearts", num_hands=2).table(seed=match.seed)
    due = np.zeros(4)
    observations, infos = env.reset(seed=match.seed)
    for action, rewards in zip(match.actions, match.rewards, strict=True):
        assert infos == {}
        agent = f"player_{table.seat}"
        assert set(observations) == {agent}
        assert np.array_equal(observations[agent]["action_mask"], table.action_mask(table.seat))
        expected = table.observation(table.seat) * env.game.layout.scale
        assert np.array_equal(observations[agent]["observations"], expected)
        table.play(action)
        observations, paid, terminated, truncated, infos = env.step({agent: action})
        due += rewards
        for agent, reward in paid.items():
            seat = env.agents.index(agent)
            assert reward == due[seat]
            due[seat] = 0
        assert (terminated, truncated) == ({"__all__": table.over}, {"__all__": False})
    assert not due.any()


def rllibs_loop(**options):
    """RLlib's own env runner on one environment, with that environment."""
    config = rllib_hearts.config().environment(env_config={"game": "hearts", **options})
    runner = MultiAgentEnvRunner(config=config.env_runners(num_envs_per_env_runner=1))
    return runner, runner.env.envs[0].unwrapped


@pytest.mark.parametrize("skip_forced", [False, True])
def test_what_rllib_credits_each_seat_with_is_what_the_table_paid(skip_forced):
    """In fragments: episodes are cut on the way, with rewards of the first hand on both sides of a cut."""
    runner, env = rllibs_loop(num_hands=2, skip_forced=skip_forced)
    paid, credited = [], {}
    step = env.step

    def step_and_look(actions):
        told = step(actions)
        if told[2]["__all__"]:
            replayed = trick_envs.replay(env.table.record())
            paid.append([float(-score) for score in replayed.scores])
        return told

    env.step = step_and_look
    while len(paid) < 4:
        for episode in runner.sample(num_timesteps=7):
            seats = credited.setdefault(episode.id_, dict.fromkeys(env.agents, 0.0))
            for agent, own in episode.agent_episodes.items():
                seats[agent] += own.get_return()
    assert [list(seats.values()) for seats in credited.values()][:4] == paid
    assert any(len(set(seats)) == 4 for seats in paid)
    runner.stop()


def test_moves_without_a_choice_are_skipped():
    env = environment(num_hands=2, skip_forced=True)
    told, actions = play_at_random(env, 3)
    asked = set(env.table.history[0][1:2])
    for observations, *_ in told[:-1]:
        ((agent, seen),) = observations.items()
        assert seen["action_mask"].sum() > 1 or agent not in asked
        asked.add(agent)
    assert len(actions) < len(env.table.history)
    assert [sum(paid.get(agent, 0) for _, paid, *_ in told) for agent in env.agents] == [-s for s in env.table.scores]


def test_truncation_is_told():
    told, _ = play_at_random(environment("rewind", max_hands=1, num_hands=2), 0)
    assert told[-1][2:4] == ({"__all__": False}, {"__all__": True})


def test_an_illegal_action_ends_the_match_for_its_agent():
    env = environment(illegal_reward=-7)
    ((agent, seen),) = env.reset(seed=1)[0].items()
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    observations, rewards, terminated, truncated, infos = env.step({agent: illegal})
    assert rewards == {other: -7.0 if other == agent else 0.0 for other in env.agents}
    assert set(observations) == set(env.agents)
    assert (terminated, truncated) == ({"__all__": True}, {"__all__": False})
    assert "may not choose" in infos[agent]["illegal_action"]
    with pytest.raises(ValueError, match="the match is over"):
        env.step({agent: illegal})
    env.reset()
    assert not env.table.history


@pytest.mark.parametrize("agents", [[], [1], [0, 1]])
def test_only_the_agent_on_turn_acts(agents):
    env = environment(pass_cards=0)
    env.reset(seed=1)
    order = [env.table.seat, (env.table.seat + 1) % 4]
    actions = {env.agents[order[agent]]: env.table.legal_actions()[0] for agent in agents}
    with pytest.raises(ValueError, match=f"only player_{order[0]} is on turn"):
        env.step(actions)
    assert not env.table.history


def test_seeds():
    """A seed is that of the table; what follows is reproducible, and differs between environments alike."""
    first, second = environment(), environment()
    dealt = []
    for env in (first, second, first):
        env.reset(seed=7)
        assert env.table.hands() == trick_envs.make("hearts").table(seed=7).hands()
        env.reset()
        dealt.append(env.table.hands())
    assert dealt[0] == dealt[2] != dealt[1]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({}, "'game'"),
        ({"game": "whist"}, "whist"),
        ({"game": "hearts", "num_players": 99}, "num_players=99"),
        ({"game": "hearts", "observation": "events", "num_hands": 1}, "should be 'features'"),
    ],
)
def test_a_wrong_config_is_told(config, told):
    with pytest.raises(ValueError, match=told):
        TrickMultiAgentEnv(config)


def test_the_python_of_the_page_runs():
    for code in blocks(ROOT / "docs" / "rllib.md", "python"):
        run(code, "rllib.md", {})


# --- Training ------------------------------------------------------------------------------------------------------


def differ(weights, others):
    return any((array != others[name]).any() for name, array in weights.items())


def test_training_goes_on_when_a_node_dies(tmp_path, monkeypatch):
    """Self-play on two nodes with a snapshot after each rollout; then the policy is read back and plays."""
    monkeypatch.setattr(rllib_hearts, "ROLLOUTS_OF_A_SNAPSHOT", 1)
    with ray_cluster() as cluster:
        ray.init(cluster.address, log_to_driver=False)
        config = rllib_hearts.config(runners=2, steps=1024).env_runners(num_envs_per_env_runner=4)
        algorithm = config.fault_tolerance(env_runner_health_probe_timeout_s=5).build_algo()
        runners = algorithm.env_runner_group
        assert runners.num_healthy_remote_workers() == 2
        decisions, learnt = [0], []
        for rollout in range(4):
            decisions.append(algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"])
            learnt.append(deepcopy(algorithm.get_module("main").get_state()))
            if rollout == 1:
                cluster.remove_node(min(cluster.worker_nodes, key=id), allow_graceful=False)
        assert runners.num_healthy_remote_workers() == 1
        assert np.diff(decisions).min() >= 1024
        assert all(differ(*two) for two in pairwise(learnt))
        modules = algorithm.learner_group.get_state()["learner"]["rl_module"]
        assert set(modules) == {"main", *(f"snapshot_{rollout}" for rollout in range(1, 5))}
        for rollout, weights in enumerate(learnt, 1):
            assert not differ(weights, modules[f"snapshot_{rollout}"])
        saved = Path(algorithm.save_to_path(tmp_path / "saved"))
        algorithm.stop()
    game = trick_envs.make("hearts", num_hands=1)
    bot = module_bot(RLModule.from_checkpoint(saved / "learner_group" / "learner" / "rl_module" / "main"), game)
    tables = game.tables(64, seed=0)
    hands = 0
    while hands < 64:
        tables.step(bot.act_batch(tables))  # refuses what is not legal
        hands += tables.done.sum()
