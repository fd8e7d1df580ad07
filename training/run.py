"""A training run from its configuration to a measured checkpoint, which can be interrupted and gone on with."""

import json
import os
import platform
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import yaml
from rich.console import Console
from rich.progress import Progress, TaskID
from stable_baselines3.common.logger import configure

import trick_envs
from training.bot_names import CHECKPOINT_FOLDER
from training.checkpoint import restore_interrupted
from training.config import ConfigError, RunConfig, read_config
from training.evaluation import Result, evaluate
from training.interrupt import CtrlC
from training.learning_progress import learning_progress, strength
from training.policy import actor_layers
from training.report import draw_curve, result_table
from training.selfplay import SelfPlayPPO
from training.state import load_state, save_state
from trick_envs import bots

CONFIG_FILE = "config.yaml"
STATE_FOLDER = "state"
CURVE_FILE = "curve.json"
CURVE_PICTURE = "curve.png"
RESULTS_FILE = "results.json"
SECONDS_BETWEEN_SAVES = 60.0
STEPS_OF_BAR = 1000


@dataclass
class Run:
    """A run in its folder. seconds: spent learning. curve: what was measured on the way."""

    folder: Path
    config: RunConfig
    learner: SelfPlayPPO
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def begin(cls, folder: Path, config: RunConfig) -> "Run":
        """A new run; its folder must not hold another that was saved."""
        if (folder / STATE_FOLDER).exists():
            raise ConfigError(f"{folder} already holds a run; --resume goes on with it, --out takes another folder")
        run = cls(folder, config, SelfPlayPPO(config, _use_threads(config)))
        folder.mkdir(parents=True, exist_ok=True)
        content = config.model_dump(mode="json", exclude_none=True)
        (folder / CONFIG_FILE).write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
        run.save()
        return run

    @classmethod
    def resume(cls, folder: Path) -> "Run":
        """The run in ``folder`` as it was last saved."""
        for name in (STATE_FOLDER, CHECKPOINT_FOLDER):
            restore_interrupted(folder / name)
        config = read_config(folder / CONFIG_FILE)
        run = cls(folder, config, SelfPlayPPO(config, _use_threads(config)))
        facts = load_state(folder / STATE_FOLDER, run.learner)
        run.seconds, run.curve = facts["seconds"], facts["curve"]
        return run

    @classmethod
    def begin_or_resume(cls, folder: Path, config: RunConfig) -> "Run":
        """The run in ``folder``, or a new one where there is none; ConfigError when it has another configuration."""
        if not (folder / STATE_FOLDER).exists():
            return cls.begin(folder, config)
        run = cls.resume(folder)
        if run.config != config:
            there, here = (each.model_dump() for each in (run.config, config))
            differences = [
                f"{key} is {there[key]!r} there, {here[key]!r} here" for key in here if there[key] != here[key]
            ]
            raise ConfigError(f"{folder} holds another run: {'; '.join(differences)}")
        return run

    @property
    def checkpoint(self) -> Path:
        """The folder of the policy as it was last saved."""
        return self.folder / CHECKPOINT_FOLDER

    @property
    def progress(self) -> float:
        """How far the run is, from 0 to 1."""
        if self.config.minutes is not None:
            return min(1.0, self.seconds / (60 * self.config.minutes))
        return min(1.0, self.learner.num_timesteps / float(self.config.decisions or 1))

    def learn(self, console: Console) -> None:
        """Learn until the budget is spent, saved on the way.

        Ctrl-C lets the update in progress end, saves and raises KeyboardInterrupt; a second one does not wait. When
        anything else goes wrong, what was saved last stays as it is.
        """
        logger = configure(str(self.folder / "tensorboard"), ["tensorboard"])
        self.learner.set_logger(logger)
        saved_at = self.seconds
        with learning_progress(console, self.config.game, list(self.config.measuring.against)) as progress:
            task = progress.add_task(self.config.game, total=STEPS_OF_BAR, rate="", strength="")
            with CtrlC() as ctrl_c:
                if not self.curve:
                    self._measure_curve_point()
                progress.update(task, strength=strength(self.curve[-1]))
                while self.progress < 1 and not ctrl_c.pressed:
                    self._update(progress, task)
                    if self._curve_is_due():
                        self._measure_curve_point()
                        progress.update(task, strength=strength(self.curve[-1]))
                    if self.seconds - saved_at >= SECONDS_BETWEEN_SAVES:
                        self.save()
                        saved_at = self.seconds
                self.save()
        if ctrl_c.pressed:
            raise KeyboardInterrupt

    def _update(self, progress: Progress, task: TaskID) -> None:
        learner = self.learner
        decisions, plays, start = learner.num_timesteps, learner.plays, time.perf_counter()
        learner.update(self.progress)
        spent = time.perf_counter() - start
        self.seconds += spent
        rate = (learner.num_timesteps - decisions) / spent
        learner.logger.record("time/decisions_per_second", rate)
        learner.logger.record("time/plays_per_second", (learner.plays - plays) / spent)
        learner.logger.dump(learner.num_timesteps)
        progress.update(
            task,
            completed=self.progress * STEPS_OF_BAR,
            rate=f"{rate:,.0f} decisions/s",
        )

    def _curve_is_due(self) -> bool:
        since: float = self.seconds - self.curve[-1]["seconds"]
        return since >= self.config.measuring.curve_every or self.progress >= 1

    def _measure_curve_point(self) -> None:
        results = self._measure(self.config.measuring.curve_deals)
        for result in results:
            self.learner.logger.record(f"strength/{result.against}", result.ahead)
        self.curve.append(
            {
                "seconds": round(self.seconds, 1),
                "decisions": self.learner.num_timesteps,
                "results": {result.against: result.as_json() for result in results},
            }
        )

    def _measure(self, deals: int) -> list[Result]:
        measuring = self.config.measuring
        bot, game = self.learner.as_bot(), self.learner.inputs.games[0]
        return [
            evaluate(game, bot, bots.make(other, game), deals, measuring.seed, threads=self.learner.threads)
            for other in measuring.against
        ]

    def save(self) -> None:
        """Write the state to go on from, the checkpoint and the curve."""
        save_state(self.folder / STATE_FOLDER, self.learner, {"seconds": self.seconds, "curve": self.curve})
        layers = actor_layers(self.learner.average.module)
        self.learner.write_policy(self.folder / CHECKPOINT_FOLDER, layers, self.facts())
        if self.curve:
            (self.folder / CURVE_FILE).write_text(json.dumps(self.curve, indent=1) + "\n", encoding="utf-8")
            title = f"{self.config.game}: {self.learner.num_timesteps:,} decisions"
            draw_curve(self.folder / CURVE_PICTURE, title, self.curve)

    def facts(self) -> dict[str, Any]:
        """What a reader of the checkpoint wants to know of the run."""
        return {
            "command": f"python -m training {' '.join(sys.argv[1:])}",
            "config": self.config.model_dump(mode="json"),
            "seconds": round(self.seconds, 1),
            "decisions": self.learner.num_timesteps,
            "updates": self.learner.updates,
            "trick_envs": trick_envs.__version__,
            "torch": torch.__version__,
            "python": platform.python_version(),
            "machine": f"{platform.machine()}, threads: {self.learner.threads}",
        }

    def report(self, console: Console) -> list[Result]:
        """Measure the finished policy, print the table and write it as JSON."""
        with console.status(f"measuring on {self.config.measuring.deals:,} duplicate deals"):
            results = self._measure(self.config.measuring.deals)
        content = {"results": [result.as_json() for result in results], "run": self.facts()}
        (self.folder / RESULTS_FILE).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        console.print(result_table(f"{self.config.game}, {self.seconds / 60:.1f} minutes of learning", results))
        console.print(f"checkpoint  {self.folder / CHECKPOINT_FOLDER}")
        console.print(f"table       {self.folder / RESULTS_FILE}")
        console.print(f"curve       {self.folder / CURVE_PICTURE}")
        return results


def free_folder(base: Path) -> Path:
    """``base``, or ``base-2``, ``base-3`` …: the first that does not exist."""
    number, folder = 1, base
    while folder.exists():
        number += 1
        folder = base.with_name(f"{base.name}-{number}")
    return folder


def latest_folder(base: Path) -> Path:
    """The last of ``base``, ``base-2`` … in which a run was saved; ConfigError when there is none."""
    number = 1
    saved = [base]
    while (folder := base.with_name(f"{base.name}-{number + 1}")).exists():
        saved.append(folder)
        number += 1
    for folder in reversed(saved):
        if (folder / STATE_FOLDER).exists():
            return folder
    raise ConfigError(f"there is no run {base} to go on with")


def _use_threads(config: RunConfig) -> int:
    """Set PyTorch's threads, and how it checks distributions (the masks are ours and right); the threads to use."""
    threads = config.threads or os.cpu_count() or 1
    torch.set_num_threads(threads)
    torch.distributions.Distribution.set_default_validate_args(False)
    return threads
