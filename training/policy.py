"""The policy network, in PyTorch for learning and as arrays for checkpoints and bots."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor
from torch import Tensor, nn

from trick_envs import Game
from trick_envs.bots.policy import (
    Inputs,
    Layers,
    Network,
    PolicyBot,
    WhereKnown,
    inputs_of,
    read_checkpoint,
    stored_layers,
)

MASKED = -1e9  # logit of an action that is not legal


class SeeingCriticPolicy(MaskableActorCriticPolicy):
    """Actor and critic apart: the actor gets what its seat sees, the critic the whole table.

    Both take a state, int8 (N, state layout size of ``inputs``), which begins with what the seat sees. The critic is
    for learning only, as in PerfectDou (Yang et al. 2022): checkpoints hold the actor alone.

    hidden, critic_hidden: sizes of the hidden layers. scale: of the state layout, float32 (state size,).
    """

    def __init__(self, *arguments: Any, inputs: Inputs, hidden: tuple[int, ...], critic_hidden: tuple[int, ...]):
        self.inputs = inputs
        self.hidden = hidden
        self.critic_hidden = critic_hidden
        super().__init__(*arguments, features_extractor_class=FlattenExtractor)

    def _build(self, lr_schedule: Any) -> None:
        scale = torch.from_numpy(self.inputs.state_layout.scale.copy())
        self.register_buffer("scale", scale)
        self.seen = self.inputs.layout.size
        self.actor = _perceptron((self.seen, *self.hidden, self.inputs.num_actions))
        self.critic = _perceptron((len(scale), *self.critic_hidden, 1))
        with torch.no_grad():
            self.actor[-1].weight.mul_(0.01)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions (N,), values (N, 1) and log-probabilities (N,) for states int8 (N, state size)."""
        states = obs * self.scale
        log_probabilities = self._log_probabilities(states, action_masks)
        actions = _pick(log_probabilities, deterministic)
        return actions, self.critic(states), _of_actions(log_probabilities, actions)

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Values (N, 1), log-probabilities of ``actions`` (N,) and entropies (N,)."""
        states = obs * self.scale
        log_probabilities = self._log_probabilities(states, action_masks)
        entropy = -(log_probabilities.exp() * log_probabilities).sum(dim=1)
        return self.critic(states), _of_actions(log_probabilities, actions), entropy

    def logits_and_values(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (N, actions), those of illegal actions too, and values (N, 1)."""
        states = obs * self.scale
        return self.actor(states[:, : self.seen]), self.critic(states)

    def _predict(self, observation: Any, deterministic: bool = False, action_masks: Any = None) -> Tensor:
        return _pick(
            self._log_probabilities(observation * self.scale[: observation.shape[1]], action_masks),
            deterministic,
        )

    def _log_probabilities(self, states: Tensor, action_masks: Any) -> Tensor:
        logits = self.actor(states[:, : self.seen])
        legal = torch.as_tensor(action_masks, dtype=torch.bool)
        return torch.log_softmax(logits.masked_fill(~legal, MASKED), dim=1)


def _perceptron(sizes: tuple[int, ...]) -> nn.Sequential:
    """Linear layers with ReLU between them, initialised orthogonally."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        linear = nn.Linear(inputs, outputs)
        nn.init.orthogonal_(linear.weight, 2**0.5)
        nn.init.zeros_(linear.bias)
        layers += [linear, nn.ReLU(inplace=True)]
    return nn.Sequential(*layers[:-1])


def _pick(log_probabilities: Tensor, deterministic: bool) -> Tensor:
    if deterministic:
        return log_probabilities.argmax(dim=1)
    # Gumbel's trick: the largest of independently shifted log-probabilities is a draw from them.
    noise = torch.empty_like(log_probabilities).exponential_().log()
    return (log_probabilities - noise).argmax(dim=1)


def _of_actions(log_probabilities: Tensor, actions: Tensor) -> Tensor:
    return log_probabilities.gather(1, actions[:, None])[:, 0]


def policy_arguments(inputs: Inputs, hidden: tuple[int, ...], critic_hidden: tuple[int, ...]) -> dict[str, Any]:
    """``policy_kwargs`` for MaskablePPO."""
    return {"inputs": inputs, "hidden": hidden, "critic_hidden": critic_hidden}


def actor_layers(actor: nn.Sequential) -> Layers:
    """The layers from observation to logits as (weight, bias) arrays, float32."""
    return [
        (layer.weight.detach().cpu().numpy().copy(), layer.bias.detach().cpu().numpy().copy())
        for layer in actor
        if isinstance(layer, nn.Linear)
    ]


def take_layers(actor: nn.Sequential, layers: Layers) -> None:
    """Give the actor the weights of ``layers``, of its own shapes."""
    linear = [layer for layer in actor if isinstance(layer, nn.Linear)]
    with torch.no_grad():
        for layer, (weight, bias) in zip(linear, layers, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            layer.bias.copy_(torch.from_numpy(bias))


def layer_arrays(layers: Layers) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint."""
    arrays = {}
    for number, (weight, bias) in enumerate(layers):
        arrays[f"layers.{number}.weight"] = weight
        arrays[f"layers.{number}.bias"] = bias
    return arrays


def load_actor(actor: nn.Sequential, inputs: Inputs, folder: Path) -> None:
    """Give the actor the weights of a checkpoint; ValueError when its layers or its order of suits are others.

    A run of a single game may begin with what a policy of several knows of it.
    """
    facts, arrays = read_checkpoint(folder)
    theirs = inputs_of(facts, folder)
    if theirs.suits != inputs.suits:
        raise ValueError(f"start_from={str(folder)!r}: its suits are {theirs.suits}, those of the run {inputs.suits}")
    if theirs.layout != inputs.layout:
        arrays = _narrowed(arrays, theirs, inputs.games[0])
    here = [tuple(layer.weight.shape) for layer in actor if isinstance(layer, nn.Linear)]
    layers = stored_layers(arrays)
    there = [weight.shape for weight, _ in layers]
    if here != there:
        raise ValueError(f"start_from={str(folder)!r}: its layers are {there}, those of the run {here}; see hidden")
    take_layers(actor, layers)


def _narrowed(arrays: dict[str, np.ndarray], inputs: Inputs, game: Game) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint of several games as they are for one of them; as given when it is not among them."""
    number = inputs.nearest(game)
    if number is None:
        return arrays
    (weight, bias), *others = inputs.layers_for(number, stored_layers(arrays))
    return layer_arrays([(weight / game.layout.scale, bias), *others])


def as_bot(actor: nn.Sequential, inputs: Inputs, number: int = 0, where_known: WhereKnown = "policy") -> PolicyBot:
    """The actor as it is now, as a bot for one of the games of ``inputs``."""
    return bot_of(actor_layers(actor), inputs, number, where_known)


def bot_of(layers: Layers, inputs: Inputs, number: int, where_known: WhereKnown) -> PolicyBot:
    """The bot of an actor's layers for one of the games of ``inputs``."""
    network = Network(inputs.layers_for(number, layers))
    return PolicyBot("policy", inputs.games[number], network, inputs.order_of(number), where_known)
