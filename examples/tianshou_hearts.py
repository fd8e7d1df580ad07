"""Tianshou 2: PPO learns Hearts by self-play; one algorithm with masks is shared by all seats."""

from functools import partial
from typing import Any

import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import Tensor, nn

import trick_envs
from examples.policies import Scaled, begin, measure
from trick_envs import Game, hearts_v0
from trick_envs.interfaces.tianshou import SeatOnPolicyAlgorithm

OPTIONS = {"num_hands": 1, "pass_cards": 0, "rewards": "relative"}
ENVS, HANDS = 8, 40  # hands of a rollout


class Network(nn.Module):
    """Values float32 (N, outputs) of Tianshou's batches of observations, int8 (N, layout size)."""

    def __init__(self, game: Game, outputs: int):
        super().__init__()
        hidden = [nn.Linear(game.layout.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()]
        self.layers = nn.Sequential(Scaled(game), *hidden, nn.Linear(128, outputs))

    def forward(self, obs: Batch) -> Tensor:
        return self.layers(torch.as_tensor(obs.obs))


class Actor(Network):
    """Logits of the legal actions; the others' are the lowest there are."""

    def forward(self, obs: Batch, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        logits = super().forward(obs)
        return logits.masked_fill(~torch.as_tensor(obs.mask), torch.finfo(logits.dtype).min), state


def main() -> None:
    arguments = begin(__doc__, rollouts=30, of=f"{HANDS} hands")
    game = trick_envs.make("hearts", **OPTIONS)
    env = PettingZooEnv(hearts_v0.env(**OPTIONS))
    actor = Actor(game, game.num_actions)
    policy = DiscreteActorPolicy(actor=actor, action_space=env.action_space)
    adam = AdamOptimizerFactory(lr=1e-3)
    shared = PPO(policy=policy, critic=Network(game, 1), optim=adam, gamma=1.0, gae_lambda=0.95, max_grad_norm=0.5)
    seats = SeatOnPolicyAlgorithm(algorithms=[shared] * game.num_players, env=env)
    envs = DummyVectorEnv([partial(PettingZooEnv, hearts_v0.env(**OPTIONS)) for _ in range(ENVS)])
    envs.seed(list(range(ENVS)))
    buffer = VectorReplayBuffer(2 * ENVS * HANDS * 52, ENVS)
    seats.run_training(
        OnPolicyTrainerParams(
            training_collector=Collector(seats, envs, buffer),
            max_epochs=arguments.rollouts,
            epoch_num_steps=HANDS * 52,
            collection_step_num_env_steps=None,
            collection_step_num_episodes=HANDS,
            update_step_num_repetitions=6,
            batch_size=130,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            show_progress=False,
        )
    )
    measure("Tianshou", game, actor.layers, arguments.deals)


if __name__ == "__main__":
    main()
