"""OpenSpiel's policy gradient (A2C) in PyTorch learns Setback in one seat, beside and against random ones."""

import argparse

import numpy as np
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.policy_gradient import PolicyGradient
from rich import print
from torch import nn

import trick_envs.interfaces.openspiel  # noqa: F401  (registers the games)
from examples.policies import Scaled, measure

SHOWN_EVERY = 1000


def play_hand(env: rl_environment.Environment, agents: list) -> list[float]:
    """Play a hand, from which the agents learn; what each seat gets."""
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = env.step([agents[seat].step(step).action])
    for agent in agents:
        agent.step(step)
    return step.rewards


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=6000, help="to learn from")
    parser.add_argument("--deals", type=int, default=1000, help="of the measurement at the end")
    arguments = parser.parse_args()
    np.random.seed(0)  # noqa: NPY002  (what the library draws from)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    game = pyspiel.load_game("trick_envs_setback(rewards=relative)")
    # Features are what the network of a bot gets too; the information state has all events besides.
    env = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.OBSERVATION)
    env.seed(0)
    actions = game.num_distinct_actions()
    learner = PolicyGradient(
        player_id=0,
        info_state_size=game.observation_tensor_size(),
        num_actions=actions,
        loss_str="a2c",
        hidden_layers_sizes=(128,),
        batch_size=256,
        critic_learning_rate=2e-3,
        pi_learning_rate=2e-3,
        num_critic_before_pi=1,
        optimizer_str="adam",
    )
    agents = [learner, *(RandomAgent(seat, actions) for seat in range(1, game.num_players()))]
    got = []
    for hand in range(1, arguments.hands + 1):
        got.append(play_hand(env, agents)[0])
        if hand % SHOWN_EVERY == 0:
            print(f"hand {hand:,}: {np.mean(got[-SHOWN_EVERY:]):+.2f} points a hand ahead of the other side")
    policy = nn.Sequential(Scaled(game.rules), learner.policy_logits_network)
    measure("OpenSpiel A2C", game.rules, policy, arguments.deals)


if __name__ == "__main__":
    main()
