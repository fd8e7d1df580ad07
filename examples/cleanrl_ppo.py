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

TABLES, STEPS = 256, 208  # a rollout: four hands of 52 cards
EPOCHS, BATCH, LEARNING_RATE = 3, 4096, 1e-3
LAMBDA, CLIP, ENTROPY, VALUE = 0.95, 0.2, 0.01, 0.5
REWARD_SCALE = 0.1


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


def collect(agent: Agent, tables: Tables) -> dict[str, Tensor]:
    """``STEPS`` moves at each table, (STEPS, TABLES, …); ``deciding`` tells the seats' real choices from the rest."""
    told: dict[str, list[Tensor]] = {}
    for _ in range(STEPS):
        seen = {"observations": tables.observation, "masks": tables.action_mask, "seats": tables.seat.astype(np.int64)}
        step = {name: torch.from_numpy(array.copy()) for name, array in seen.items()}
        with torch.no_grad():
            policy, step["values"] = agent(step["observations"], step["masks"])
            step["actions"] = policy.sample()
            step["log_probs"] = policy.log_prob(step["actions"])
        tables.step(step["actions"].numpy())
        step["rewards"] = torch.from_numpy(tables.rewards * np.float32(REWARD_SCALE))
        step["ended"] = torch.from_numpy(tables.done.copy())
        for name, values in step.items():
            told.setdefault(name, []).append(values)
    rollout = {name: torch.stack(values) for name, values in told.items()}
    return rollout | {"deciding": rollout["masks"].sum(dim=2) > 1}


def advantages(rollout: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """GAE along each seat's own decisions, and which of them are to be learned from: (STEPS, TABLES) each."""
    steps, tables, seats = rollout["rewards"].shape
    paid, value, advantage = (torch.zeros(tables, seats) for _ in range(3))  # of the seat's next decision
    known = torch.zeros(tables, seats, dtype=torch.bool)  # whether there is one, or an end
    gains, learned = torch.zeros(steps, tables), torch.zeros(steps, tables, dtype=torch.bool)
    for step in reversed(range(steps)):
        ended = rollout["ended"][step]
        paid[ended], value[ended], advantage[ended], known[ended] = 0, 0, 0, True
        paid += rollout["rewards"][step]
        rows = rollout["deciding"][step].nonzero()[:, 0]
        own = rows, rollout["seats"][step, rows]
        gains[step, rows] = paid[own] + value[own] - rollout["values"][step, rows] + LAMBDA * advantage[own]
        learned[step, rows] = known[own]
        paid[own], value[own], advantage[own], known[own] = 0, rollout["values"][step, rows], gains[step, rows], True
    return gains, learned


def update(agent: Agent, optimizer: torch.optim.Optimizer, rollout: dict[str, Tensor]) -> int:
    gains, learned = advantages(rollout)
    data = {name: values[learned] for name, values in rollout.items()} | {"gains": gains[learned]}
    data["returns"] = data["gains"] + data["values"]
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(data["gains"])).split(BATCH):
            batch = {name: values[rows] for name, values in data.items()}
            policy, values = agent(batch["observations"], batch["masks"])
            ratio = (policy.log_prob(batch["actions"]) - batch["log_probs"]).exp()
            gain = (batch["gains"] - batch["gains"].mean()) / (batch["gains"].std() + 1e-8)
            objective = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = VALUE * (values - batch["returns"]).square().mean() - objective - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
    return len(data["gains"])


def learn(game: Game, updates: int, seed: int = 0) -> Agent:
    torch.manual_seed(seed)
    agent, tables = Agent(game), game.tables(TABLES, seed=seed)
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE)
    for number in range(updates):
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - number / updates)
        decisions = update(agent, optimizer, collect(agent, tables))
        print(f"update {number + 1} of {updates}: {decisions:,} decisions", flush=True)
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
