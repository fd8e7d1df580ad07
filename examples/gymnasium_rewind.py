"""Gymnasium: a policy gradient with a baseline learns Rewind against random seats in a native vector environment.

python -m examples.gymnasium_rewind
"""

import argparse

import gymnasium
import numpy as np
import torch
from rich import print
from torch import Tensor, nn
from torch.distributions import Categorical

import trick_envs
from training.evaluation import evaluate
from training.report import result_table
from trick_envs import Game, bots
from trick_envs.bots.policy import PolicyBot

ROWS, STEPS, LEARNING_RATE = 256, 64, 1e-3


class Agent(nn.Module):
    def __init__(self, game: Game, hidden: int = 256):
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(game.layout.scale.copy()))
        self.actor, self.critic = (
            nn.Sequential(nn.Linear(game.layout.size, hidden), nn.ReLU(), nn.Linear(hidden, outputs))
            for outputs in (game.num_actions, 1)
        )

    def policy(self, observations: Tensor, masks: Tensor) -> Categorical:
        return Categorical(logits=self.actor(observations * self.scale).masked_fill(masks == 0, -1e8))

    def logits(self, observations: np.ndarray) -> np.ndarray:  # what PolicyBot asks of a network
        with torch.no_grad():
            return self.actor(torch.from_numpy(observations) * self.scale).numpy()


def learn(updates: int, seed: int = 0) -> Agent:
    torch.manual_seed(seed)
    envs = gymnasium.make_vec("trick_envs/Rewind-v0", ROWS, opponents="random", skip_forced=True, num_hands=1)
    agent = Agent(envs.unwrapped.game)
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE)
    seen, _ = envs.reset(seed=seed)
    for update in range(updates):
        steps = []
        for _ in range(STEPS):
            observations, masks = (torch.from_numpy(seen[name]) for name in ("observation", "action_mask"))
            with torch.no_grad():
                actions = agent.policy(observations, masks).sample()
            seen, rewards, terminated, truncated, _ = envs.step(actions.numpy())
            over = torch.from_numpy(terminated | truncated)  # SAME_STEP: what is seen is of the next match
            steps.append((observations, masks, actions, torch.from_numpy(rewards).float(), over))
        observations, masks, actions, rewards, over = map(torch.stack, zip(*steps, strict=True))
        returns, known = torch.zeros(STEPS + 1, ROWS), torch.zeros(STEPS + 1, ROWS, dtype=torch.bool)
        for step in reversed(range(STEPS)):
            returns[step] = rewards[step] + returns[step + 1] * ~over[step]
            known[step] = known[step + 1] | over[step]
        known, returns = known[:-1], returns[:-1][known[:-1]]  # matches that go on are not learned from
        values = agent.critic(observations[known] * agent.scale)[:, 0]
        policy = agent.policy(observations[known], masks[known])
        gains = returns - values.detach()
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        loss = (returns - values).square().mean() - (policy.log_prob(actions[known]) * gains).mean()
        optimizer.zero_grad()
        (loss - 0.01 * policy.entropy().mean()).backward()
        optimizer.step()
        print(f"update {update + 1} of {updates}: {returns.mean():+.2f} points from a decision on", flush=True)
    return agent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--deals", type=int, default=1_000)
    arguments = parser.parse_args()
    game = trick_envs.make("rewind", num_hands=1)
    bot = PolicyBot("policy gradient", game, learn(arguments.updates))
    print(result_table("Rewind, one seat", [evaluate(game, bot, bots.make("random", game), arguments.deals, seed=1)]))


if __name__ == "__main__":
    main()
