"""Work cut into jobs that depend on nothing but themselves: over processes or threads, interrupted and gone on with.

A job says what it plays by names, so it can be sent to another process. What a job comes to does not depend on which
process does it, when, or beside what; so neither does the sum of them.
"""

import hashlib
import io
import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np

from training.interrupt import CtrlC
from trick_envs import Game, bots
from trick_envs.bots.compiled import CompiledBot
from trick_envs.bots.policy import ARRAYS_FILE, PolicyBot
from trick_envs.bots.search import guide_of

ROWS = 4096  # tables that are played together by compiled bots
ROWS_OF_POLICIES = 1024  # the same with a policy
ROWS_OF_SLOW_BOTS = 16  # the same where a decision takes milliseconds
WAITING_SECONDS = 0.1
MANIFEST_FILE = "measurement.json"
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
Arrays = dict[str, np.ndarray]


class Job(Protocol):
    """A part of a measurement."""

    @property
    def key(self) -> str:
        """Tells it from all other jobs of its measurement; a name for a file."""

    @property
    def deals(self) -> int:
        """Deals that it plays, for the progress bar."""

    def play(self) -> Arrays:
        """Do it: named arrays."""


@dataclass(frozen=True)
class Crew:
    """How jobs with certain bots are done.

    threads: whether threads of one process serve, as they do for compiled bots, which let go of the
    interpreter; other bots get processes. rows: tables that are best played together.
    """

    threads: bool
    rows: int

    @classmethod
    def of(cls, game: Game, names: Sequence[str]) -> "Crew":
        """The crew for bots by name; ValueError when one is not there or does not fit the game."""
        made = [bots.make(name, game) for name in names]
        if all(isinstance(bot, CompiledBot) for bot in made):
            return cls(True, ROWS)
        fast = all(isinstance(bot, (CompiledBot, PolicyBot)) for bot in made)
        return cls(False, ROWS_OF_POLICIES if fast else ROWS_OF_SLOW_BOTS)

    @property
    def slow(self) -> bool:
        """Whether a decision takes milliseconds."""
        return self.rows == ROWS_OF_SLOW_BOTS

    def chunks(self, first: int, last: int, seatings: int) -> Iterator[tuple[int, int]]:
        """Stretches of deals from ``first`` to ``last``, each of about so many tables as are best played together."""
        step = max(1, self.rows // seatings)
        for start in range(first, last, step):
            yield start, min(last, start + step)


def fingerprint(name: str) -> str:
    """The name of a bot, with a short hash of its weights where it is a checkpoint."""
    arrays = Path(guide_of(name) or name) / ARRAYS_FILE
    if not arrays.is_file():
        return name
    return f"{name} ({hashlib.sha256(arrays.read_bytes()).hexdigest()[:12]})"


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Store:
    """The folder of a measurement: what it is of, and the jobs that are done. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None, manifest: dict[str, Any]):
        """Begin in ``folder``, or go on; ValueError names what differs from the measurement that is there."""
        self.folder = folder
        if folder is None:
            return
        file = folder / MANIFEST_FILE
        manifest = json.loads(json.dumps(manifest))
        if file.exists():
            _check_same(file, manifest)
        else:
            (folder / "parts").mkdir(parents=True, exist_ok=True)
            _write_whole(file, json.dumps(manifest, indent=2).encode() + b"\n")

    def load(self, key: str) -> Arrays | None:
        """What the job of that key came to, None when it is not done or its file is damaged."""
        if self.folder is None or not self._file(key).exists():
            return None
        try:
            with np.load(io.BytesIO(self._file(key).read_bytes()), allow_pickle=False) as content:
                return dict(content)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None

    def save(self, key: str, arrays: Arrays) -> None:
        """Keep what a job came to."""
        if self.folder is not None:
            file = self._file(key)
            unfinished = file.with_name(f".{file.name}")
            np.savez(unfinished, **arrays)  # type: ignore[arg-type]
            unfinished.replace(file)

    def _file(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / "parts" / f"{key}.npz"


def _check_same(file: Path, manifest: dict[str, Any]) -> None:
    try:
        there = json.loads(file.read_text(encoding="utf-8"))
        differences = [
            f"{key} is {there.get(key)!r} there, {value!r} here"
            for key, value in manifest.items()
            if there.get(key) != value
        ]
    except (ValueError, AttributeError):
        raise ValueError(f"{file} is damaged; take another folder") from None
    if differences:
        raise ValueError(f"{file.parent} holds another measurement: {'; '.join(differences)}")


def _write_whole(file: Path, content: bytes) -> None:
    unfinished = file.with_name(f".{file.name}")
    unfinished.write_bytes(content)
    unfinished.replace(file)


class Workers:
    """Threads and processes that do jobs; they begin when they are first needed and end with the context.

    count: how many at the same time. Processes multiply matrices with one thread each: two would only wait for each
    other, and the last digits of a policy's numbers must not depend on how many there are.
    cluster: an executor that does the work of both.
    """

    def __init__(self, count: int, cluster: Executor | None = None):
        self.count = count
        self._executors: dict[bool, Executor] = {} if cluster is None else {True: cluster, False: cluster}
        self._environment: dict[str, str | None] = {}

    def __enter__(self) -> "Workers":
        self._children_before = set(active_children())
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Wait for what is in hand, or, when something went wrong, end the processes."""
        for executor in set(self._executors.values()):
            executor.shutdown(wait=error is None, cancel_futures=True)
        if error is not None:
            for child in set(active_children()) - self._children_before:
                child.terminate()
        for name, value in self._environment.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value

    def executor(self, crew: Crew) -> Executor:
        """The workers for a crew."""
        if crew.threads not in self._executors:
            self._executors[crew.threads] = ThreadPoolExecutor(self.count) if crew.threads else self._processes()
        return self._executors[crew.threads]

    def _processes(self) -> Executor:
        self._environment = {name: os.environ.get(name) for name in BLAS_THREADS}
        os.environ.update(dict.fromkeys(BLAS_THREADS, "1"))
        return ProcessPoolExecutor(self.count, get_context("spawn"), _ignore_ctrl_c)


def do_jobs(
    jobs: Sequence[Job], crew: Crew, workers: Workers, store: Store, advance: Callable[[int], None] = lambda deals: None
) -> list[Arrays]:
    """Do all jobs that are not done yet; what they came to, in the order of ``jobs``.

    advance: called with the deals of each job that is done. Ctrl-C lets the jobs in hand be finished and kept and
    raises KeyboardInterrupt; a second one does not wait.
    """
    results: dict[str, Arrays] = {}
    for job in jobs:
        done = store.load(job.key)
        if done is not None:
            results[job.key] = done
            advance(job.deals)
    left = [job for job in jobs if job.key not in results]
    if not left:
        return [results[job.key] for job in jobs]
    executor = workers.executor(crew)
    with CtrlC() as ctrl_c:
        running: dict[Future[Arrays], Job] = {executor.submit(_play, job): job for job in left}
        while running:
            finished, _ = wait(running, WAITING_SECONDS, FIRST_COMPLETED)
            for future in finished:
                job = running.pop(future)
                results[job.key] = _outcome(future)
                store.save(job.key, results[job.key])
                advance(job.deals)
            if ctrl_c.pressed:
                running = {future: job for future, job in running.items() if not future.cancel()}
    if ctrl_c.pressed:
        raise KeyboardInterrupt
    return [results[job.key] for job in jobs]


def _outcome(future: Future[Arrays]) -> Arrays:
    try:
        return future.result()
    except BrokenExecutor:
        raise OSError(
            "a process that was playing has died, perhaps for want of memory; try fewer --processes"
        ) from None


def _play(job: Job) -> Arrays:
    return job.play()


def _ignore_ctrl_c() -> None:
    """In a worker: Ctrl-C goes to all processes of a terminal, and the first one decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
