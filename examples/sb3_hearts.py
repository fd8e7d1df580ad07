"""MaskablePPO of sb3-contrib learns a seat of Hearts against random seats: ``python -m examples.sb3_hearts``."""

import argparse

from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

import trick_envs
from training.evaluation import evaluate
from training.report import result_table
from trick_envs import bots
from trick_envs.interfaces.sb3 import SeatVecEnv, as_bot

TABLES = 256
DECISIONS_A_TABLE = 64  # in each rollout


def learn(game: trick_envs.Game, decisions: int, seed: int = 0) -> MaskablePPO:
    """A model that has made so many decisions, rounded up to whole rollouts."""
    model = MaskablePPO(
        "MlpPolicy",
        VecMonitor(SeatVecEnv(game, TABLES, opponents="random")),
        learning_rate=1e-3,
        n_steps=DECISIONS_A_TABLE,
        batch_size=2048,
        n_epochs=4,
        gamma=1.0,  # a match is short, and its points count alike whenever they come
        ent_coef=0.005,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
        verbose=1,
    )
    return model.learn(decisions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=500_000)
    parser.add_argument("--deals", type=int, default=2_000)
    arguments = parser.parse_args()
    game = trick_envs.make("hearts", num_hands=1)
    model = learn(game, arguments.decisions)
    result = evaluate(game, as_bot(model, game, "MaskablePPO"), bots.make("random", game), arguments.deals, seed=1)
    Console().print(result_table("Hearts, one seat against three", [result]))


if __name__ == "__main__":
    main()
