"""PPO in one file, after CleanRL, on ``Tables``: one network plays every seat of Hearts and learns from each.

python -m examples.cleanrl_ppo
"""

import argparse

import numpy as np
import torch
from rich import print
from torch import Tensor, nn
from torch.distributions import Categorical

import trick_envs
from training.evaluation import evaluate
from training.report import result_table
from trick_envs import Game, Tables, bots
from trick_envs.bots.policy import PolicyBot

TABLES, STEPS = 256, 208  # a rollout: about four hands
EPOCHS, BATCH, LEARNING_RATE = 3, 4096, 1e-3
CLIP, ENTROPY, VALUE, REWARD_SCALE = 0.2, 0.01, 0.5, 0.1


class Agent(nn.Module):
    def __init__(self, game: Game, hidden: int = 256):
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(game.layout.scale.copy()))
        self.body = nn.Sequential(nn.Linear(game.layout.size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.actor, self.critic = nn.Linear(hidden, game.num_actions), nn.Linear(hidden, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        features = self.body(observations * self.scale)
        return Categorical(logits=self.actor(features).masked_fill(masks == 0, -1e8)), self.critic(features)[:, 0]

    def logits(self, observations: np.ndarray) -> np.ndarray:  # what PolicyBot asks of a network
        with torch.no_grad():
            return self.actor(self.body(torch.from_numpy(observations) * self.scale)).numpy()


@torch.no_grad()
def collect(agent: Agent, tables: Tables) -> list[Tensor]:
    """Real choices in hands that ended: observations, masks, actions, log-probabilities, values and returns."""
    steps, chosen = [], []
    for _ in range(STEPS):
        observations, masks = (torch.from_numpy(seen.copy()) for seen in (tables.observation, tables.action_mask))
        seats = torch.from_numpy(tables.seat.astype(np.int64))
        policy, values = agent(observations, masks)
        actions = policy.sample()
        tables.step(actions.numpy())
        rewards, done = torch.from_numpy(tables.rewards.copy()), torch.from_numpy(tables.done.copy())
        steps.append((seats, rewards, done, (observations, masks, actions, policy.log_prob(actions), values)))
    points, known = torch.zeros(TABLES, tables.game.num_players), torch.zeros(TABLES, dtype=torch.bool)
    for seats, rewards, done, decision in reversed(steps):
        points[done], known = rewards[done] * REWARD_SCALE, known | done  # a hand pays at its end
        rows = (known & (decision[1].sum(dim=1) > 1)).nonzero()[:, 0]
        chosen.append([*(part[rows] for part in decision), points[rows, seats[rows]]])
    return [torch.cat(parts) for parts in zip(*chosen, strict=True)]


def learn(game: Game, updates: int, seed: int = 0) -> Agent:
    torch.manual_seed(seed)
    agent, tables = Agent(game), game.tables(TABLES, seed=seed)
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - update / updates)
        data = collect(agent, tables)
        for rows in [rows for _ in range(EPOCHS) for rows in torch.randperm(len(data[0])).split(BATCH)]:
            observations, masks, actions, log_probs, old_values, returns = (part[rows] for part in data)
            policy, values = agent(observations, masks)
            gains = returns - old_values
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            ratio = (policy.log_prob(actions) - log_probs).exp()
            objective = torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
            optimizer.zero_grad()
            (VALUE * (values - returns).square().mean() - objective - ENTROPY * policy.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
        print(f"update {update + 1} of {updates}: {len(data[0]):,} decisions", flush=True)
    return agent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=25)
    parser.add_argument("--deals", type=int, default=2_000)
    arguments = parser.parse_args()
    game = trick_envs.make("hearts", num_hands=1, rewards="relative")
    bot = PolicyBot("PPO", game, learn(game, arguments.updates))
    print(result_table("Hearts, one seat", [evaluate(game, bot, bots.make("random", game), arguments.deals, seed=1)]))


if __name__ == "__main__":
    main()
