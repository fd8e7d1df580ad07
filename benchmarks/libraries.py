"""Steps a second of Hearts in another library's loop, beside another game: ``python -m benchmarks.libraries NAME``.

Both are measured in turn, in rounds, on one core; shown are the medians and the median of the ratios.
"""

import argparse
import random
import statistics
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.ours import rate
from trick_envs import hearts_v0

STEPS = 520  # ten hands of four seats
ROWS = 64
AGAINST_RANDOM: dict[str, Any] = {"opponents": "random", "num_hands": 1}


class Loops(NamedTuple):
    """A loop of a library on Hearts and on another game; each call plays some steps and returns how many."""

    ours: Callable[[], int]
    rival_name: str
    rival: Callable[[], int]


def gymnasium() -> Loops:
    """Steps and resets of ``gymnasium.make``, against random seats, and of CartPole."""
    import gymnasium

    def stepping(env: Any, choose: Callable[[], int]) -> Callable[[], int]:
        env.reset(seed=0)

        def play() -> int:
            for _ in range(STEPS):
                _, _, terminated, truncated, _ = env.step(choose())
                if terminated or truncated:
                    env.reset()
            return STEPS

        return play

    hearts = gymnasium.make("trick_envs/Hearts-v0", **AGAINST_RANDOM)
    ours = stepping(hearts, lambda: int(hearts.unwrapped.action_masks().argmax()))
    return Loops(ours, "CartPole", stepping(gymnasium.make("CartPole-v1"), lambda: 0))


def gymnasium_vector() -> Loops:
    """Steps of ``ROWS`` rows from ``gymnasium.make_vec``, and of CartPole's own vector environment."""
    import gymnasium

    hearts = gymnasium.make_vec("trick_envs/Hearts-v0", ROWS, **AGAINST_RANDOM)
    carts = gymnasium.make_vec("CartPole-v1", ROWS, vectorization_mode="vector_entry_point")
    return Loops(_rows_of(hearts, hearts.unwrapped.action_masks), "CartPole", _rows_of(carts))


def stable_baselines3() -> Loops:
    """Steps of ``ROWS`` rows of ``SeatVecEnv``, and of CartPole in SB3's DummyVecEnv."""
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv

    from trick_envs.interfaces.sb3 import SeatVecEnv

    hearts = SeatVecEnv("hearts", ROWS, **AGAINST_RANDOM)
    carts = DummyVecEnv([lambda: gymnasium.make("CartPole-v1")] * ROWS)
    return Loops(_rows_of(hearts, hearts.action_masks), "CartPole", _rows_of(carts))


def _rows_of(envs: Any, masks: Callable[[], np.ndarray] | None = None) -> Callable[[], int]:
    """Steps of a vector environment of either kind, each counted once a row."""
    envs.reset()

    def play() -> int:
        for _ in range(STEPS // ROWS):
            envs.step(np.zeros(ROWS, np.int64) if masks is None else masks().argmax(axis=1))
        return STEPS // ROWS * ROWS

    return play


def openspiel(rival: str = "python_liars_poker") -> Loops:
    """Random matches through ``pyspiel``, chance included, beside a card game of OpenSpiel's own in Python."""
    import open_spiel.python.games  # noqa: F401  (registers the games)
    import pyspiel

    import trick_envs.interfaces.openspiel  # noqa: F401  (registers the games)

    uniform = random.Random(0).random

    def playing(name: str) -> Callable[[], int]:
        game = pyspiel.load_game(name)

        def play() -> int:
            state = game.new_initial_state()
            while legal := state.legal_actions():
                state.apply_action(legal[int(uniform() * len(legal))])
            return state.move_number()

        return play

    return Loops(playing("trick_envs_hearts"), rival, playing(rival))


def openspiel_hearts() -> Loops:
    """The same beside OpenSpiel's Hearts, which is C++."""
    return openspiel("hearts")


def torchrl() -> Loops:
    """``rollout`` with random actions through ``PettingZooWrapper``, and in TorchRL's own TicTacToeEnv."""
    import torch
    from torchrl.envs import PettingZooWrapper, TicTacToeEnv

    torch.set_num_threads(1)
    hearts = hearts_v0.env(num_hands=1, pass_cards=0, mask="info")
    ours = PettingZooWrapper(hearts, use_mask=True, group_map={"seats": hearts.possible_agents})
    rival = TicTacToeEnv()

    def steps(env: Any) -> int:
        return len(env.rollout(STEPS, break_when_any_done=False))

    return Loops(lambda: steps(ours), "TicTacToeEnv", lambda: steps(rival))


def tianshou() -> Loops:
    """A ``Collector`` with random legal actions on ``PettingZooEnv``, and with random ones on Gymnasium's CartPole."""
    import logging

    import gymnasium
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    logging.disable(logging.WARNING)

    def collecting(env: Any, masked: bool) -> Callable[[], int]:
        policy = MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)
        collector = Collector(policy, DummyVectorEnv([lambda: env]), VectorReplayBuffer(2 * STEPS, 1))
        collector.reset()
        return lambda: int(collector.collect(n_step=STEPS, random=not masked).n_collected_steps)

    hearts = PettingZooEnv(hearts_v0.env(num_hands=1, pass_cards=0))
    return Loops(collecting(hearts, True), "CartPole", collecting(gymnasium.make("CartPole-v1"), False))


def agilerl() -> Loops:
    """Steps of ``PzDummyVecEnv`` on the parallel form of Hearts, and on MPE's simple_spread; random actions."""
    from agilerl.vector.dummy_vec_env import PzDummyVecEnv
    from mpe2 import simple_spread_v3
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    def stepping(parallel: Any) -> Callable[[], int]:
        env, rng = PzDummyVecEnv(parallel), np.random.default_rng(0)
        agents = parallel.possible_agents
        actions = {agent: int(parallel.action_space(agent).n) for agent in agents}

        def play() -> int:
            _, infos = env.reset()
            for _ in range(STEPS):
                chosen = {}
                for agent in agents:
                    mask = np.ravel(infos[agent].get("action_mask", np.ones(actions[agent])))
                    chosen[agent] = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0])
                *_, infos = env.step(chosen)
            return STEPS

        return play

    hearts = turn_based_aec_to_parallel(hearts_v0.env(num_hands=1, pass_cards=0, mask="info"))
    return Loops(stepping(hearts), "MPE simple_spread", stepping(simple_spread_v3.parallel_env()))


def rllib() -> Loops:
    """RLlib's env runner with PPO's modules on 32 tables of Hearts, with masks, and on its own TicTacToe."""
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
    from ray.rllib.examples.envs.classes.multi_agent.tic_tac_toe import TicTacToe

    from examples.rllib_hearts import config

    torch.set_num_threads(1)
    tic_tac_toe = (
        PPOConfig()
        .environment(TicTacToe)
        .env_runners(num_envs_per_env_runner=32)
        .multi_agent(policies={"main"}, policy_mapping_fn=lambda *_, **__: "main")
        .debugging(log_level="ERROR")
    )

    def sampling(settings: Any) -> Callable[[], int]:
        runner = MultiAgentEnvRunner(config=settings)
        return lambda: sum(episode.env_steps() for episode in runner.sample(num_timesteps=STEPS))

    return Loops(sampling(config()), "TicTacToe", sampling(tic_tac_toe))


LIBRARIES: dict[str, Callable[[], Loops]] = {
    "gymnasium": gymnasium,
    "gymnasium_vector": gymnasium_vector,
    "stable_baselines3": stable_baselines3,
    "openspiel": openspiel,
    "openspiel_hearts": openspiel_hearts,
    "torchrl": torchrl,
    "tianshou": tianshou,
    "agilerl": agilerl,
    "rllib": rllib,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries", description=__doc__)
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    loops = LIBRARIES[options.library]()
    ours, rival = [], []
    for _ in range(options.rounds):
        ours.append(rate(loops.ours, options.seconds))
        rival.append(rate(loops.rival, options.seconds))
    ratio = statistics.median(one / other for one, other in zip(ours, rival, strict=True))
    table = Table(title=f"{options.library}, steps a second")
    for column in ("Hearts", loops.rival_name, "ratio"):
        table.add_column(column, justify="right")
    table.add_row(f"{statistics.median(ours):,.0f}", f"{statistics.median(rival):,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
