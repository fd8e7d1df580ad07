"""Checkpoints, written whole or not at all."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save_file

from trick_envs.bots.policy import ARRAYS_FILE, FACTS_FILE, Inputs, WhereKnown


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A fresh folder to write into, which takes the place of ``folder`` when all went well.

    Whatever happens on the way, ``folder`` is complete: the old one or the new one.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield fresh
        for file in fresh.iterdir():
            file.chmod(0o644)
            with file.open("rb") as written:
                os.fsync(written.fileno())
        fresh.chmod(0o755)
        old = folder.with_name(f".{folder.name}-old")
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def restore_interrupted(folder: Path) -> None:
    """Put the old folder back when a write was cut off between taking it away and putting the new one there."""
    old = folder.with_name(f".{folder.name}-old")
    if old.exists() and not folder.exists():
        old.rename(folder)


def write_whole(file: Path, content: str) -> None:
    """Write a text file that takes the place of an earlier one when it is complete."""
    fresh = file.with_name(f".{file.name}-new")
    fresh.write_text(content, encoding="utf-8")
    fresh.replace(file)


def write_arrays(arrays: dict[str, np.ndarray], file: Path) -> None:
    """Write named arrays; OSError when that fails."""
    try:
        save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, file)
    except SafetensorError as error:
        raise OSError(f"{file}: {error}") from None


def write_checkpoint(
    folder: Path,
    inputs: Inputs,
    arrays: dict[str, np.ndarray],
    network: dict[str, Any],
    training: dict[str, Any],
    where_known: WhereKnown = "policy",
) -> None:
    """Write a checkpoint folder: see ``trick_envs.bots.policy`` for its form.

    network: what the policy is made of. training: facts of the run, for the reader. where_known: as of ``PolicyBot``.
    """
    with whole_folder(folder) as fresh:
        write_arrays(arrays, fresh / ARRAYS_FILE)
        facts = {**inputs.facts(), "where_known": where_known, "network": network, "training": training}
        (fresh / FACTS_FILE).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
