"""AgileRL: its PPO learns Hearts by self-play on a batch of tables; one policy with masks is shared by all seats."""

import numpy as np
import torch
from agilerl.algorithms import PPO
from gymnasium import spaces

import trick_envs
from examples.policies import Scaled, begin, measure
from trick_envs import Tables

OPTIONS = {"num_hands": 1, "pass_cards": 0, "rewards": "relative"}
TABLES, SEATS, TRICKS = 128, 4, 13
REWARD_SCALE = 0.1


def play_hand(tables: Tables, scale: np.ndarray, agent: PPO) -> None:
    """One hand at each table into the rollout buffer.

    Every seat plays one card in every trick, so a trick is a step of its vector environment of TABLES × SEATS actors.
    """
    buffer = agent.rollout_buffer
    buffer.reset()
    rows = np.arange(TABLES)
    nobody_done = np.zeros(TABLES * SEATS)  # the buffer's ``done`` is that before the step: the hand has begun
    for _ in range(TRICKS):
        observations = np.zeros((TABLES, SEATS, tables.game.layout.size), np.float32)
        masks = np.zeros((TABLES, SEATS, tables.game.num_actions), np.int8)
        actions = np.zeros((TABLES, SEATS), np.int64)
        values, log_probs = np.zeros((2, TABLES, SEATS), np.float32)
        for _ in range(SEATS):
            acting = rows, tables.seat.copy()
            observations[acting] = tables.observation * scale
            masks[acting] = tables.action_mask
            chosen = agent.get_action(observations[acting], action_mask=masks[acting])
            actions[acting], log_probs[acting], _, values[acting] = chosen
            tables.step(actions[acting])
        buffer.add(
            observations.reshape(TABLES * SEATS, -1),
            actions.reshape(-1),
            tables.rewards.reshape(-1) * REWARD_SCALE,
            nobody_done,
            values.reshape(-1),
            log_probs.reshape(-1),
            action_mask=masks.reshape(TABLES * SEATS, -1),
        )
    buffer.compute_returns_and_advantages(last_value=np.zeros(TABLES * SEATS), last_done=np.ones(TABLES * SEATS))


def main() -> None:
    arguments = begin(__doc__, rollouts=150, of=f"{TABLES * SEATS * TRICKS:,} decisions")
    game = trick_envs.make("hearts", **OPTIONS)
    agent = PPO(
        spaces.Box(-1, 1, (game.layout.size,), np.float32),
        spaces.Discrete(game.num_actions),
        net_config={"encoder_config": {"hidden_size": [128]}, "head_config": {"hidden_size": [128]}, "latent_dim": 128},
        batch_size=512,
        lr=1e-3,
        learn_step=TABLES * SEATS * TRICKS,
        gamma=1.0,
        num_envs=TABLES * SEATS,
    )
    tables, scaled = game.tables(TABLES, seed=0), Scaled(game)
    for _ in range(arguments.rollouts):
        play_hand(tables, game.layout.scale, agent)
        agent.learn()

    def logits(observations: torch.Tensor) -> torch.Tensor:
        return agent.actor.head_net.wrapped(agent.actor.extract_features(scaled(observations)))

    measure("AgileRL", game, logits, arguments.deals)


if __name__ == "__main__":
    main()
