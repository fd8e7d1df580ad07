"""The whole state of a run, from which it goes on as if it had never stopped."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file

from training.checkpoint import whole_folder, write_arrays
from training.config import ConfigError
from training.selfplay import SelfPlayPPO

ARRAYS_FILE = "state.safetensors"
NUMBERS_FILE = "state.json"
POOL_FOLDER = "snapshots"
TABLES_FILE = "tables-{}.bin"  # of the room with that number


def save_state(folder: Path, learner: SelfPlayPPO, facts: dict[str, Any]) -> None:
    """Write the learner, and ``facts`` (JSON-able) of the run, between two updates.

    The pool of snapshots lies beside ``folder``. A write that is cut off leaves what the earlier state needs of it.
    """
    pool = folder.parent / POOL_FOLDER
    learner.pool.write(pool, learner.write_policy)
    with whole_folder(folder) as fresh:
        write_arrays(_learner_arrays(learner), fresh / ARRAYS_FILE)
        for room in learner.rooms:
            (fresh / TABLES_FILE.format(room.number)).write_bytes(room.tables.save())
        numbers = {
            "decisions": learner.num_timesteps,
            "plays": learner.plays,
            "updates": learner.updates,
            "optimizer_updates": learner._n_updates,
            "random_numbers": learner.numbers.bit_generator.state,
            "snapshots": learner.pool.facts(),
            "facts": facts,
        }
        (fresh / NUMBERS_FILE).write_text(json.dumps(numbers), encoding="utf-8")
    learner.pool.tidy(pool)


def load_state(folder: Path, learner: SelfPlayPPO) -> dict[str, Any]:
    """Bring a new learner of the same configuration to the saved state; returns the facts.

    Raises ConfigError when there is none, or it is damaged.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder.parent} holds no run to go on with: it has no {folder.name}")
    try:
        arrays = load_file(folder / ARRAYS_FILE)
        numbers = json.loads((folder / NUMBERS_FILE).read_text(encoding="utf-8"))
        for room in learner.rooms:
            room.tables.load((folder / TABLES_FILE.format(room.number)).read_bytes())
        _restore_arrays(learner, arrays)
        learner.pool.read(folder.parent / POOL_FOLDER, numbers["snapshots"])
        learner.num_timesteps = int(numbers["decisions"])
        learner.plays = int(numbers["plays"])
        learner.updates = int(numbers["updates"])
        learner._n_updates = numbers["optimizer_updates"]
        learner.numbers.bit_generator.state = numbers["random_numbers"]
        facts = {"seconds": float(numbers["facts"]["seconds"]), "curve": list(numbers["facts"]["curve"])}
    except (SafetensorError, OSError, ValueError, KeyError, RuntimeError, TypeError, IndexError) as error:
        raise ConfigError(f"the state in {folder} is damaged or of another version: {error}") from error
    return facts


def _learner_arrays(learner: SelfPlayPPO) -> dict[str, np.ndarray]:
    arrays = {f"policy/{name}": value.numpy() for name, value in learner.policy.state_dict().items()}
    arrays.update({f"average/{name}": value.numpy() for name, value in learner.average.state_dict().items()})
    for number, state in learner.policy.optimizer.state_dict()["state"].items():
        arrays.update({f"optimizer/{number}/{name}": value.numpy() for name, value in state.items()})
    learner.rollout_buffer.keep_open()
    arrays.update({f"rollout/{name}": array for name, array in learner.rollout_buffer.held().items()})
    arrays.update({f"holders/{room.number}": room.holders for room in learner.rooms})
    arrays.update({f"earned/{room.number}": room.earned for room in learner.rooms})
    arrays["torch_random"] = torch.get_rng_state().numpy()
    return arrays


def _restore_arrays(learner: SelfPlayPPO, arrays: dict[str, np.ndarray]) -> None:
    learner.policy.load_state_dict(_tensors(arrays, "policy/"))
    learner.average.load_state_dict(_tensors(arrays, "average/"))
    optimizer = learner.policy.optimizer
    state = optimizer.state_dict()
    numbers = {name.split("/")[1] for name in arrays if name.startswith("optimizer/")}
    state["state"] = {int(number): _tensors(arrays, f"optimizer/{number}/") for number in numbers}
    optimizer.load_state_dict(state)
    learner.rollout_buffer.hold(
        {name.removeprefix("rollout/"): array for name, array in arrays.items() if name.startswith("rollout/")}
    )
    for room in learner.rooms:
        room.holders = arrays[f"holders/{room.number}"].copy()
        room.earned = arrays[f"earned/{room.number}"].copy()
    torch.set_rng_state(torch.from_numpy(arrays["torch_random"].copy()))


def _tensors(arrays: dict[str, np.ndarray], prefix: str) -> dict[str, torch.Tensor]:
    return {
        name.removeprefix(prefix): torch.from_numpy(array.copy())
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
