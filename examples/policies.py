"""What the examples with PyTorch share: networks that take observations as they are, and their measurement."""

import argparse
from collections.abc import Callable

import numpy as np
import torch
from rich import print
from torch import Tensor, nn

from training.evaluation import evaluate
from training.report import result_table
from trick_envs import Game, bots
from trick_envs.bots.policy import PolicyBot


def begin(description: str | None, rollouts: int, of: str) -> argparse.Namespace:
    """The command line of an example, ``rollouts`` ``of`` something by default; its numbers seeded, on one thread."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rollouts", type=int, default=rollouts, help=f"of {of} each")
    parser.add_argument("--deals", type=int, default=1000, help="of the measurement at the end")
    np.random.seed(0)  # noqa: NPY002  (what some libraries draw from)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    return parser.parse_args()


class Scaled(nn.Module):
    """Observations, any dtype (…, layout size), times the layout's scale: float32 within −1 … 1."""

    def __init__(self, game: Game):
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(game.layout.scale.copy()))

    def forward(self, observations: Tensor) -> Tensor:
        return observations * self.scale


class Logits:
    """A PyTorch function from observations to logits (or action values) as the network of a ``PolicyBot``."""

    def __init__(self, function: Callable[[Tensor], Tensor]):
        self.function = function

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (N, actions) for observations int8 (N, layout size)."""
        with torch.no_grad():
            return self.function(torch.from_numpy(observations)).numpy()


def measure(name: str, game: Game, function: Callable[[Tensor], Tensor], deals: int = 1000) -> None:
    """Print how far the best legal action of ``function`` is ahead of random seats, on duplicate deals."""
    bot = PolicyBot(name, game, Logits(function))
    result = evaluate(game, bot, bots.make("random", game), deals, seed=2**32)
    print(result_table(f"{name}, {game.name}", [result]))
