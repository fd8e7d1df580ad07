"""The model card of a checkpoint: what it is, how it was trained, how strong it is, as its ``README.md``."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from training.evaluation_report import hands_or_matches
from training.report import chance, enough_decimals, plain, signed
from training.statistics import CONFIDENCE, Interval
from trick_envs import Game
from trick_envs.bots.policy import inputs_of, read_checkpoint

CARD_FILE = "README.md"
TOLD = ("command", "decisions", "seconds", "config")  # facts of training that a card needs


def card(folder: Path, measurements: Sequence[dict[str, Any]], limits: str) -> str:
    """The model card of the checkpoint in ``folder``, in Markdown.

    measurements: what ``python -m training evaluate … --json`` wrote. limits: what the reader is to be warned of.
    Raises ValueError for a measurement that is not of this checkpoint, or where it does not say how it was trained;
    CheckpointError for a folder that holds none.
    """
    facts, arrays = read_checkpoint(folder)
    inputs = inputs_of(facts, folder)
    training = facts.get("training") or {}
    if missing := [name for name in TOLD if name not in training]:
        raise ValueError(f"{folder} does not say how it was trained: no {', '.join(missing)} in its facts of training")
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, autoescape=False
    )
    return environment.get_template("card.md.jinja").render(
        title=f"{facts['game']}: a trained policy",
        game=facts["game"],
        folder=folder.as_posix(),
        tables=[_table_of(game, inputs.games[0]) for game in inputs.games],
        facts={
            "command": f"`{training['command']}`",
            "network": f"{' × '.join(map(str, _sizes(arrays)))}, ReLU, {_weights(arrays):,} weights",
            "decisions": f"{training['decisions']:,}",
            "time": f"{training['seconds'] / 60:.0f} minutes of learning",
            **{name: training[name] for name in ("machine", "trick_envs", "torch", "python") if name in training},
        },
        config=yaml.safe_dump(_without_nothing(training["config"]), sort_keys=False).strip(),
        confidence=f"{CONFIDENCE:.0%}",
        measurements=[_measured(folder, content) for content in measurements],
        limits=limits,
    )


def read_measurement(file: Path) -> dict[str, Any]:
    """A measurement's JSON; ValueError naming the file when it is none."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if not {"command", "game", "options", "results"} <= content.keys():
            raise ValueError("not written by evaluate --json")
    except (ValueError, AttributeError) as error:
        raise ValueError(f"{file} is not a measurement: {error}") from None
    return content


def _sizes(arrays: dict[str, Any]) -> list[int]:
    biases = [arrays[f"layers.{layer}.bias"] for layer in range(len(arrays) // 2)]
    return [arrays["layers.0.weight"].shape[1], *(len(bias) for bias in biases)]


def _weights(arrays: dict[str, Any]) -> int:
    return sum(array.size for array in arrays.values())


def _table_of(game: Game, main: Game) -> str:
    """Seats of a game, and its options where they differ from the main one's."""
    differing = [
        f"`{name}={value!r}`"
        for name, value in game.options.items()
        if name != "num_players" and value != main.options[name]
    ]
    return ", ".join([f"{game.num_players} seats", *differing])


def _without_nothing(content: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _without_nothing(value) if isinstance(value, dict) else value
        for key, value in content.items()
        if value is not None or key == "first_pass"
    }


def _measured(folder: Path, content: dict[str, Any]) -> dict[str, Any]:
    results = content["results"]
    bots = {Path(result["bot"]) for result in results}
    if bots != {folder}:
        raise ValueError(f"{content['command']!r} measured {', '.join(map(str, bots))}, not {folder}")
    game = Game(content["game"], **content["options"])
    intervals = [Interval(result["ahead"], result["low"], result["high"]) for result in results]
    decimals = enough_decimals(intervals)
    return {
        "command": content["command"],
        "where": f"{game.num_players} seats, {hands_or_matches(game, content['match'])}:",
        "rows": [
            [
                result["against"],
                result["formation"],
                f"{result['deals']:,}",
                *signed(interval, decimals),
                chance(result["p_holm"]),
            ]
            for result, interval in zip(results, intervals, strict=True)
        ],
        "figures": [row for result in results for row in _figures(result)],
    }


def _figures(result: dict[str, Any]) -> Iterator[list[str]]:
    for name, sides in result["figures"].items():
        parts = [sides[side] and Interval(**sides[side]) for side in ("bot", "others")]
        yield [name, result["against"], *(plain(part) for part in parts)]
