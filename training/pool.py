"""Earlier states of the policy to play against: a checkpoint folder for each, and a manifest of them."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from training.checkpoint import write_whole
from training.config import Opponents
from trick_envs.bots.policy import Layers, read_checkpoint, stored_layers

MANIFEST_FILE = "manifest.json"
FADING = 0.98  # of what earlier matches count, at each update that a snapshot takes part in: both sides change


@dataclass
class Snapshot:
    """The policy as it once was.

    number: counted from 0 over the run. decisions: that the run had met by then. layers: of its actor.
    matches, lost: against the policy since, faded; those that the policy lost, a drawn one half.
    """

    number: int
    decisions: int
    layers: Layers = field(repr=False)
    matches: float = 0.0
    lost: float = 0.0

    @property
    def folder(self) -> str:
        """The name of its checkpoint in the pool's folder."""
        return f"{self.number:06}"

    def facts(self) -> dict[str, Any]:
        """All but the layers."""
        return {"number": self.number, "decisions": self.decisions, "matches": self.matches, "lost": self.lost}

    def losing_rate(self) -> float:
        """The share of matches that the policy loses against it, one half before there are any."""
        return (self.lost + 1) / (self.matches + 2)


class Pool:
    """The latest ``snapshots_kept`` snapshots, drawn from as ``snapshot_draw`` says.

    ``prioritised`` draws by the square of the rate at which the policy loses, as in the league of AlphaStar (Vinyals
    et al. 2019).
    """

    def __init__(self, opponents: Opponents):
        self.kept = opponents.snapshots_kept
        self.how = opponents.snapshot_draw
        self.snapshots: list[Snapshot] = []
        self.drawn: Snapshot | None = None

    def add(self, layers: Layers, decisions: int) -> None:
        """Keep the policy as it is now; the oldest goes where there are too many."""
        number = self.snapshots[-1].number + 1 if self.snapshots else 0
        self.snapshots.append(Snapshot(number, decisions, layers))
        del self.snapshots[: -self.kept]

    def draw(self, numbers: np.random.Generator) -> Snapshot | None:
        """The one to play against until the next draw; None while there is none."""
        if not self.snapshots:
            return None
        self.drawn = self.snapshots[int(numbers.choice(len(self.snapshots), p=self.chances()))]
        self.drawn.matches *= FADING
        self.drawn.lost *= FADING
        return self.drawn

    def chances(self) -> np.ndarray:
        """The chance of each to be drawn, (snapshots,)."""
        if self.how == "latest":
            return np.eye(len(self.snapshots))[-1]
        rates = np.array([snapshot.losing_rate() for snapshot in self.snapshots])
        weights = rates**2 if self.how == "prioritised" else np.ones(len(rates))
        chances: np.ndarray = weights / weights.sum()
        return chances

    def note(self, matches: int, lost: float) -> None:
        """Count matches that ended against the one drawn."""
        if self.drawn is not None:
            self.drawn.matches += matches
            self.drawn.lost += lost

    # --- On disk

    def facts(self) -> list[dict[str, Any]]:
        """What ``read`` needs beside the folders."""
        return [snapshot.facts() for snapshot in self.snapshots]

    def write(self, folder: Path, write_policy: Callable[[Path, Layers, dict[str, Any]], None]) -> None:
        """Write the snapshots that are not in ``folder`` yet.

        write_policy: writes a checkpoint folder of layers, with facts for the reader.
        """
        for snapshot in self.snapshots:
            if not (folder / snapshot.folder).exists():
                write_policy(folder / snapshot.folder, snapshot.layers, {"decisions": snapshot.decisions})

    def tidy(self, folder: Path) -> None:
        """Write the manifest, and remove what it does not list."""
        if not self.snapshots:
            return
        listed = [{"folder": snapshot.folder, **snapshot.facts()} for snapshot in self.snapshots]
        content = json.dumps({"draw": self.how, "snapshots": listed}, indent=2) + "\n"
        write_whole(folder / MANIFEST_FILE, content)
        names = {snapshot.folder for snapshot in self.snapshots}
        for other in folder.iterdir():
            if other.is_dir() and other.name not in names:
                shutil.rmtree(other)

    def read(self, folder: Path, facts: list[dict[str, Any]]) -> None:
        """Take over the snapshots that ``facts`` tells of; CheckpointError when one is missing or damaged."""
        self.snapshots = []
        for told in facts:
            snapshot = Snapshot(int(told["number"]), int(told["decisions"]), [], told["matches"], told["lost"])
            _, arrays = read_checkpoint(folder / snapshot.folder)
            snapshot.layers = stored_layers(arrays)
            self.snapshots.append(snapshot)
