"""Trained policies: checkpoints read without running any code of theirs, and the bot that plays them.

A checkpoint is a folder with two files: ``policy.safetensors`` (arrays) and ``policy.json`` (what they are for).
Arrays: ``layers.<k>.weight`` float32 (outputs, inputs) and ``layers.<k>.bias`` (outputs,), one pair a layer, ReLU
between layers, the last giving one logit an action. Inputs are observations times the layout's scale.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from trick_envs.bots.checks import check_tables, check_view
from trick_envs.engine import Game, Tables, View

ARRAYS_FILE = "policy.safetensors"
FACTS_FILE = "policy.json"
CHECKPOINT_FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint that cannot be read, or does not fit the game."""


def action_fingerprint(game: Game) -> str:
    """A short hash of the action table."""
    return hashlib.sha256("\n".join(game.action_names).encode()).hexdigest()[:16]


def game_facts(game: Game) -> dict[str, Any]:
    """What a checkpoint says of the game it was trained for."""
    return {
        "format": CHECKPOINT_FORMAT,
        "game": game.name,
        "version": game.version,
        "options": game.options,
        "layout": game.layout.fingerprint,
        "layout_size": game.layout.size,
        "actions": action_fingerprint(game),
        "num_actions": game.num_actions,
    }


class Network:
    """A multilayer perceptron with ReLU between layers, on NumPy.

    layers: (weight float32 (outputs, inputs), bias float32 (outputs,)) in order.
    scale: factors that bring observations to −1 … 1, float32 (inputs,).
    """

    def __init__(self, layers: list[tuple[np.ndarray, np.ndarray]], scale: np.ndarray):
        (first, bias), *others = layers
        scaled = [(first * scale, bias), *others]
        self._layers = [(np.ascontiguousarray(weight.T), bias) for weight, bias in scaled]

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (N, actions) for observations int8 (N, inputs)."""
        activations = observations.astype(np.float32)
        for weight, bias in self._layers[:-1]:
            activations = np.maximum(activations @ weight + bias, 0)
        weight, bias = self._layers[-1]
        logits: np.ndarray = activations @ weight + bias
        return logits


class Actor(Protocol):
    """What gives the logits of a policy: a ``Network``, or another library's."""

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits, floats (N, actions), for observations int8 (N, inputs)."""


class PolicyBot:
    """The bot that takes the legal action of a policy's highest logit."""

    needs_observation = True

    def __init__(self, name: str, game: Game, network: Actor):
        self.name = name
        self.game = game
        self.network = network

    @classmethod
    def load(cls, folder: Path, game: Game) -> "PolicyBot":
        """The bot of a checkpoint folder; CheckpointError when it cannot be read or does not fit ``game``."""
        facts, arrays = read_checkpoint(folder)
        check_fit(facts, game, folder)
        return cls(str(folder), game, Network(_layers(arrays, game, folder), game.layout.scale))

    def act(self, view: View) -> int:
        """The id of the action it chooses, for the observer of ``view``, who is on turn."""
        check_view(self.game, view)
        return int(self.choose(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, tables: Tables, rows: np.ndarray | None = None) -> np.ndarray:
        """The ids of the actions it chooses in ``rows`` (all when ``None``) of ``tables``: int64 (rows,)."""
        check_tables(self.game, tables)
        if not len(tables.observation):
            raise ValueError(f"a policy needs features: {tables!r} has none")
        selected = slice(None) if rows is None else tables.rows(rows)
        return self.choose(tables.observation[selected], tables.action_mask[selected])

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (N,) for observations int8 (N, inputs) and masks int8 (N, actions)."""
        return np.where(masks, self.network.logits(observations), -np.inf).argmax(axis=1)

    def __repr__(self) -> str:
        return f"<policy {self.name} for {self.game.name}>"


def read_checkpoint(folder: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The facts and arrays of a checkpoint folder; CheckpointError says which file is missing or damaged."""
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise ImportError("reading checkpoints needs safetensors: pip install 'trick-envs[train]'") from error
    for file in (FACTS_FILE, ARRAYS_FILE):
        if not (folder / file).is_file():
            raise CheckpointError(f"{folder} is no checkpoint: it has no {file}")
    try:
        facts = json.loads((folder / FACTS_FILE).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{folder / FACTS_FILE} is not JSON: {error}") from None
    if not isinstance(facts, dict) or facts.get("format") != CHECKPOINT_FORMAT:
        raise CheckpointError(f"{folder / FACTS_FILE} is not of checkpoint format {CHECKPOINT_FORMAT}")
    if not isinstance(facts.get("game"), str) or not isinstance(facts.get("options"), dict):
        raise CheckpointError(f"{folder / FACTS_FILE} does not say which game, with what options, it is for")
    try:
        return facts, load_file(folder / ARRAYS_FILE)
    except (SafetensorError, OSError, TypeError) as error:
        raise CheckpointError(f"{folder / ARRAYS_FILE} is damaged: {error}") from None


def check_fit(facts: dict[str, Any], game: Game, folder: Path) -> None:
    """CheckpointError naming each thing that a policy and ``game`` do not share and must."""
    here = game_facts(game)
    must_match = ("game", "version", "layout_size", "layout", "num_actions", "actions")
    differences = [
        f"{key} is {facts.get(key)!r} there, {here[key]!r} here" for key in must_match if facts.get(key) != here[key]
    ]
    if differences:
        options = facts.get("options")
        theirs = options if isinstance(options, dict) else {}
        differences += [
            f"option {name} is {theirs.get(name)!r} there, {value!r} here"
            for name, value in game.options.items()
            if theirs.get(name) != value
        ]
        raise CheckpointError(f"the policy in {folder} does not fit {game!r}: {'; '.join(differences)}")


def _layers(arrays: dict[str, np.ndarray], game: Game, folder: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    """The layers in order, their shapes checked."""
    layers: list[tuple[np.ndarray, np.ndarray]] = []
    inputs = game.layout.size
    while f"layers.{len(layers)}.weight" in arrays:
        number = len(layers)
        weight, bias = arrays[f"layers.{number}.weight"], arrays.get(f"layers.{number}.bias")
        if bias is None or weight.ndim != 2 or weight.shape[1] != inputs or bias.shape != weight.shape[:1]:
            raise CheckpointError(f"{folder / ARRAYS_FILE}: layer {number} does not take {inputs} inputs")
        with np.errstate(over="ignore"):
            weight, bias = weight.astype(np.float32), bias.astype(np.float32)
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise CheckpointError(f"{folder / ARRAYS_FILE}: layer {number} holds numbers that are not finite")
        layers.append((weight, bias))
        inputs = len(bias)
    if not layers or inputs != game.num_actions:
        raise CheckpointError(
            f"{folder / ARRAYS_FILE}: {len(layers)} layers that do not end in {game.num_actions} actions"
        )
    return layers
