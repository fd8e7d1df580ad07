"""Checkpoints for tests that need one, without training."""

from itertools import pairwise
from pathlib import Path

import numpy as np

from training.checkpoint import write_checkpoint
from trick_envs import Game
from trick_envs.bots.policy import Inputs, WhereKnown
from trick_envs.bots.suits import Suits


def chance_checkpoint(
    folder: Path,
    game: Game,
    seed: int = 0,
    hidden: int = 8,
    suits: Suits = "as_named",
    where_known: WhereKnown = "policy",
) -> Path:
    """A checkpoint with one hidden layer and weights drawn by lot: some policy or other."""
    rng = np.random.default_rng(seed)
    sizes = [game.layout.size, hidden, game.num_actions]
    arrays = {}
    for layer, (inputs, outputs) in enumerate(pairwise(sizes)):
        arrays[f"layers.{layer}.weight"] = rng.normal(0, 1, (outputs, inputs)).astype(np.float32)
        arrays[f"layers.{layer}.bias"] = np.zeros(outputs, np.float32)
    network = {"kind": "mlp", "hidden": [hidden], "activation": "relu"}
    write_checkpoint(folder, Inputs([game], suits), arrays, network, {}, where_known)
    return folder
