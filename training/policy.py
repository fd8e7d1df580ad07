"""The policy network, in PyTorch for learning and as arrays for checkpoints and bots."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from trick_envs import Game
from trick_envs.bots.policy import Network, PolicyBot


class Trunk(BaseFeaturesExtractor):
    """Hidden layers that policy and value share, on int8 observations times the layout's ``scale``."""

    def __init__(self, observation_space: spaces.Box, scale: np.ndarray, hidden: tuple[int, ...]):
        super().__init__(observation_space, hidden[-1])
        self.register_buffer("scale", torch.from_numpy(scale.copy()))
        sizes = (len(scale), *hidden)
        layers: list[torch.nn.Module] = []
        for inputs, outputs in zip(sizes, sizes[1:], strict=False):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU(inplace=True)]
        self.layers = torch.nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        activations: torch.Tensor = self.layers(observations * self.scale)
        return activations


def policy_arguments(game: Game, hidden: tuple[int, ...]) -> dict[str, Any]:
    """``policy_kwargs`` for MaskablePPO: one trunk, then a layer each for logits and value."""
    return {
        "net_arch": {"pi": [], "vf": []},
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"scale": game.layout.scale, "hidden": hidden},
    }


def policy_layers(policy: MaskableActorCriticPolicy) -> list[tuple[np.ndarray, np.ndarray]]:
    """The layers from observation to logits as (weight, bias) arrays, float32."""
    linear = [layer for layer in policy.features_extractor.layers if isinstance(layer, torch.nn.Linear)]
    return [
        (layer.weight.detach().cpu().numpy().copy(), layer.bias.detach().cpu().numpy().copy())
        for layer in (*linear, policy.action_net)
    ]


def policy_arrays(policy: MaskableActorCriticPolicy) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint."""
    arrays = {}
    for number, (weight, bias) in enumerate(policy_layers(policy)):
        arrays[f"layers.{number}.weight"] = weight
        arrays[f"layers.{number}.bias"] = bias
    return arrays


def as_bot(policy: MaskableActorCriticPolicy, game: Game, name: str = "policy") -> PolicyBot:
    """The policy as it is now, as a bot."""
    return PolicyBot(name, game, Network(policy_layers(policy), game.layout.scale))
