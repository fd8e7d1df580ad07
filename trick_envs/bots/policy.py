"""Trained policies: checkpoints read without running any code of theirs, and the bot that plays them.

A checkpoint is a folder with two files: ``policy.safetensors`` (arrays) and ``policy.json`` (what they are for).
Arrays: ``layers.<k>.weight`` float32 (outputs, inputs) and ``layers.<k>.bias`` (outputs,), one pair a layer, ReLU
between layers, the last giving one logit an action. What the inputs are, ``Inputs`` says.
"""

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import numpy as np

from trick_envs.bots.checks import check_tables, check_view
from trick_envs.bots.lookahead import all_known, best_by_playouts
from trick_envs.bots.suits import HOW, SuitOrder, Suits, back
from trick_envs.engine import Game, Tables, View
from trick_envs.views.layout import Layout, Part, in_common

ARRAYS_FILE = "policy.safetensors"
FACTS_FILE = "policy.json"
CHECKPOINT_FORMAT = 2
TABLE = "table"  # the part of the inputs that says which of the games is played
WhereKnown = Literal["policy", "playouts"]
Layers = list[tuple[np.ndarray, np.ndarray]]


class CheckpointError(ValueError):
    """A checkpoint that cannot be read, or does not fit the game."""


def action_fingerprint(game: Game) -> str:
    """A short hash of the action table."""
    return hashlib.sha256("\n".join(game.action_names).encode()).hexdigest()[:16]


class Inputs:
    """The inputs of one network that plays several games of one name, such as one for each number of seats.

    games: the main one first. Actions of any of them are the first of those of the one that has most.
    suits: in what order they have suits (``trick_envs.bots.suits``).
    layout: of the inputs. With one game it is that game's; otherwise it has room for the layout of each, and a part
        ``table`` that says which of them is played.
    state_layout: the inputs followed by what is hidden from the seat, for a critic that sees it.
    """

    def __init__(self, games: Sequence[Game], suits: Suits = "as_named"):
        if suits not in HOW:
            raise ValueError(f"suits={suits!r}: one of {', '.join(HOW)}")
        self.games = tuple(games)
        self.suits = suits
        marks = tuple(_mark(game, self.games) for game in self.games)
        mark = Part(TABLE, "choice", "which of the policy's games is played", (marks,))
        seen = in_common([game.layout for game in self.games])
        hidden = in_common([Layout(game.state_layout.parts[len(game.layout.parts) :]) for game in self.games])
        self.layout = seen if len(self.games) == 1 else Layout((*seen.parts, mark))
        self.state_layout = Layout(self.layout.parts + hidden.parts)
        self.num_actions = max(game.num_actions for game in self.games)
        widest = max(self.games, key=lambda game: game.num_actions)
        self._order = None if suits == "as_named" else SuitOrder(widest, self.state_layout, suits)

    @cached_property
    def _places(self) -> list[np.ndarray]:
        return [game.state_layout.places_in(self.state_layout) for game in self.games]

    def spread(self, number: int, seen: np.ndarray) -> np.ndarray:
        """Observations or states int8 (N, …) of game ``number`` as inputs, (N, layout size) or (N, state size)."""
        spread = seen
        if len(self.games) > 1:
            observed = seen.shape[1] == self.games[number].layout.size
            spread = np.zeros((len(seen), (self.layout if observed else self.state_layout).size), np.int8)
            spread[:, self._places[number][: seen.shape[1]]] = seen
            spread[:, self.layout.slices[TABLE].start + number] = 1
        return self._order.entries(self._order.of(spread), spread) if self._order else spread

    def spread_actions(self, number: int, seen: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Rows of a column an action of game ``number``, at the observations ``seen``, as the network has its actions.

        rows: (N, actions of the game). Returns (N, actions of the network), 0 where the game has no action.
        """
        spread = np.zeros((len(rows), self.num_actions), rows.dtype)
        spread[:, : rows.shape[1]] = rows
        own = self.order_of(number)
        return self._order.actions(own.of(seen), spread) if self._order and own else spread

    def spread_ids(self, number: int, seen: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The network's actions for those of game ``number`` at the observations ``seen``: (N,) each."""
        own = self.order_of(number)
        return own.ids(own.of(seen), actions) if own else actions

    def own_ids(self, number: int, seen: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The actions of game ``number`` at the observations ``seen`` for those of the network: (N,) each."""
        own = self.order_of(number)
        return own.ids(back(own.of(seen)), actions) if own else actions

    def order_of(self, number: int) -> SuitOrder | None:
        """How the suits of game ``number`` are put in order, if they are."""
        return self._orders[number] if self._order else None

    @cached_property
    def _orders(self) -> list[SuitOrder]:
        return [SuitOrder(game, game.layout, self.suits) for game in self.games]

    def layers_for(self, number: int, layers: Layers) -> Layers:
        """The layers of a network of the inputs as they are for observations of game ``number``, not scaled."""
        game = self.games[number]
        (weight, bias), *others = layers
        places = self._places[number][: game.layout.size]
        if len(self.games) > 1:
            bias = bias + weight[:, self.layout.slices[TABLE].start + number]
        first = (weight[:, places] * self.layout.scale[places], bias)
        *inner, (weight, bias) = [first, *others]
        return [*inner, (weight[: game.num_actions], bias[: game.num_actions])]

    def nearest(self, game: Game) -> int | None:
        """The number of the game that has the layout and actions of ``game``, and most of its options; or None."""
        fitting = [number for number, own in enumerate(self.games) if _signature(own) == _signature(game)]
        return max(fitting, key=lambda number: _shared_options(self.games[number], game), default=None)

    def facts(self) -> dict[str, Any]:
        """What a checkpoint says of the games it was trained for."""
        main = self.games[0]
        return {
            "format": CHECKPOINT_FORMAT,
            "game": main.name,
            "version": main.version,
            "options": main.options,
            "tables": [{"options": game.options, **_signature(game)} for game in self.games],
            "suits": self.suits,
            "inputs": self.layout.fingerprint,
        }


def _mark(game: Game, games: Sequence[Game]) -> str:
    """What a game is called among others: its seats and, where others have as many, what else tells them apart."""
    like = [other.options for other in games if other.num_players == game.num_players]
    differing = [f"{name}={value!r}" for name, value in game.options.items() if any(o[name] != value for o in like)]
    return ", ".join([f"{game.num_players} seats", *differing])


def _signature(game: Game) -> dict[str, Any]:
    """What a policy and a game must share."""
    return {
        "game": game.name,
        "version": game.version,
        "layout_size": game.layout.size,
        "layout": game.layout.fingerprint,
        "num_actions": game.num_actions,
        "actions": action_fingerprint(game),
    }


def _shared_options(one: Game, other: Game) -> int:
    return sum(one.options[name] == other.options.get(name) for name in one.options)


class Network:
    """A multilayer perceptron with ReLU between layers, on NumPy.

    layers: (weight float32 (outputs, inputs), bias float32 (outputs,)) in order, for observations as they are.
    """

    def __init__(self, layers: Layers):
        self._layers = [(np.ascontiguousarray(weight.T), bias) for weight, bias in layers]

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
    """The bot that takes the legal action of a policy's highest logit.

    Where nothing is hidden from the seat, as in Round II of Rewind, it can do what playouts of the rule bot say.
    """

    needs_observation = True

    def __init__(
        self,
        name: str,
        game: Game,
        network: Actor,
        order: SuitOrder | None = None,
        where_known: WhereKnown = "policy",
    ):
        """order: how suits are put in order for the network, if they are.

        where_known: who chooses where nothing is hidden: the ``policy``, or ``playouts`` of the rule bot
            (``trick_envs.bots.lookahead.best_by_playouts``).
        """
        self.name = name
        self.game = game
        self.network = network
        self.order = order
        self.where_known = where_known

    @classmethod
    def load(cls, folder: Path, game: Game) -> "PolicyBot":
        """The bot of a checkpoint folder; CheckpointError when it cannot be read or does not fit ``game``."""
        facts, arrays = read_checkpoint(folder)
        inputs = inputs_of(facts, folder)
        layers = _layers(arrays, inputs, folder)
        number = _fitting(inputs, game, folder)
        network = Network(inputs.layers_for(number, layers))
        return cls(str(folder), game, network, inputs.order_of(number), facts["where_known"])

    def act(self, view: View) -> int:
        """The id of the action it chooses, for the observer of ``view``, who is on turn."""
        check_view(self.game, view)
        first = np.arange(1)
        if self.where_known == "playouts" and all_known(self.game, view._world, first)[0]:
            return int(best_by_playouts(self.game, view._world, first)[0])
        return int(self.choose(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, tables: Tables, rows: np.ndarray | None = None) -> np.ndarray:
        """The ids of the actions it chooses in ``rows`` (all when ``None``) of ``tables``: int64 (rows,)."""
        check_tables(self.game, tables)
        if not len(tables.observation):
            raise ValueError(f"a policy needs features: {tables!r} has none")
        selected = tables.rows(rows)
        if self.where_known == "policy":
            return self.choose(tables.observation[selected], tables.action_mask[selected])
        known = all_known(self.game, tables.records, selected)
        asked, actions = selected[~known], np.empty(len(selected), np.int64)
        actions[~known] = self.choose(tables.observation[asked], tables.action_mask[asked])
        actions[known] = best_by_playouts(self.game, tables.records, selected[known])
        return actions

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (N,) for observations int8 (N, inputs) and masks int8 (N, actions)."""
        return np.where(masks, self.logits(observations), -np.inf).argmax(axis=1)

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (N, actions) for observations int8 (N, inputs)."""
        if self.order is None:
            return self.network.logits(observations)
        orders = self.order.of(observations)
        return self.order.actions(back(orders), self.network.logits(self.order.entries(orders, observations)))

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
    if facts.setdefault("where_known", "policy") not in get_args(WhereKnown):
        raise CheckpointError(f"{folder / FACTS_FILE}: where_known is {facts['where_known']!r}: policy or playouts")
    tables = facts.get("tables")
    if not isinstance(facts.get("options"), dict) or not isinstance(tables, list) or not tables:
        raise CheckpointError(f"{folder / FACTS_FILE} does not say which game, with what options, it is for")
    try:
        return facts, load_file(folder / ARRAYS_FILE)
    except (SafetensorError, OSError, TypeError) as error:
        raise CheckpointError(f"{folder / ARRAYS_FILE} is damaged: {error}") from None


def inputs_of(facts: dict[str, Any], folder: Path) -> Inputs:
    """The inputs of a checkpoint's network; CheckpointError when its games are no longer what they were."""
    file = folder / FACTS_FILE
    try:
        games = [Game(facts["game"], **table["options"]) for table in facts["tables"]]
        inputs = Inputs(games, facts["suits"])
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{file} does not say which game, with what options, it is for: {error}") from None
    for table, game in zip(facts["tables"], games, strict=True):
        there, here = {**table, "game": facts["game"], "version": facts.get("version")}, _signature(game)
        if differences := _differences(there, here):
            raise CheckpointError(f"the policy in {folder} is for another form of {game!r}: {'; '.join(differences)}")
    if facts.get("inputs") != inputs.layout.fingerprint:
        raise CheckpointError(f"{file}: inputs are {facts.get('inputs')!r} there, {inputs.layout.fingerprint!r} here")
    return inputs


def _differences(there: dict[str, Any], here: dict[str, Any]) -> list[str]:
    return [
        f"{key} is {there.get(key)!r} there, {value!r} here" for key, value in here.items() if there.get(key) != value
    ]


def _fitting(inputs: Inputs, game: Game, folder: Path) -> int:
    """Which of the games of ``inputs`` is like ``game``; CheckpointError naming what none of them shares."""
    number = inputs.nearest(game)
    if number is not None:
        return number
    there, here = inputs.games[0], _signature(game)
    theirs = _signature(there)
    differences = [
        *_differences(theirs, here),
        *(
            f"option {name} is {there.options.get(name)!r} there, {value!r} here"
            for name, value in game.options.items()
            if there.options.get(name) != value
        ),
    ]
    seats = ", ".join(str(own.num_players) for own in inputs.games)
    raise CheckpointError(f"the policy in {folder}, for {seats} seats, does not fit {game!r}: {'; '.join(differences)}")


def stored_layers(arrays: dict[str, np.ndarray]) -> Layers:
    """The layers of a checkpoint in order, as they stand there."""
    return [(arrays[f"layers.{number}.weight"], arrays[f"layers.{number}.bias"]) for number in range(len(arrays) // 2)]


def _layers(arrays: dict[str, np.ndarray], inputs: Inputs, folder: Path) -> Layers:
    """The layers in order, their shapes checked."""
    layers: Layers = []
    width = inputs.layout.size
    while f"layers.{len(layers)}.weight" in arrays:
        number = len(layers)
        weight, bias = arrays[f"layers.{number}.weight"], arrays.get(f"layers.{number}.bias")
        if bias is None or weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
            raise CheckpointError(f"{folder / ARRAYS_FILE}: layer {number} does not take {width} inputs")
        with np.errstate(over="ignore"):
            weight, bias = weight.astype(np.float32), bias.astype(np.float32)
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise CheckpointError(f"{folder / ARRAYS_FILE}: layer {number} holds numbers that are not finite")
        layers.append((weight, bias))
        width = len(bias)
    if not layers or width != inputs.num_actions:
        raise CheckpointError(
            f"{folder / ARRAYS_FILE}: {len(layers)} layers that do not end in {inputs.num_actions} actions"
        )
    return layers
