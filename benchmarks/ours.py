"""Speed of trick_envs, each measured for about ``seconds`` after a warm-up; random legal choice is included."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from typing import Any

import numpy as np

import trick_envs
from trick_envs import bots, hearts_v0

TABLES = 4096
PLAYOUTS = 20_000
MIDDLE = 4  # tricks, or rounds of picks and bids, before the middle of a hand


def batch(seconds: float = 2.0, name: str = "hearts", *, observe: bool = True, **options: Any) -> float:
    """Decisions per second of a batch of ``TABLES``, an observation and a mask written for each or none."""
    game = trick_envs.make(name, **options)
    batch = game.tables(TABLES, seed=1, observe=observe)
    chance = bots.make("random", game)

    def step() -> int:
        batch.step(chance.act_batch(batch))
        return TABLES

    return rate(step, seconds)


def steps_alone(seconds: float = 2.0, *, threads: int = 1, tables: int = 4 * TABLES) -> float:
    """Decisions per second of ``Tables.step`` with observations, the random choice not timed."""
    game = trick_envs.make("hearts")
    batch = game.tables(tables, seed=1, threads=threads)
    chance = bots.make("random", game)
    spent, steps = 0.0, -5
    while spent < seconds:
        actions = chance.act_batch(batch)
        start = time.perf_counter()
        batch.step(actions)
        steps += 1
        if steps > 0:
            spent += time.perf_counter() - start
    return steps * tables / spent


def worlds(seconds: float = 2.0, name: str = "hearts", **options: Any) -> float:
    """Worlds per second of ``Tables.resample`` in the middle of the hands of ``TABLES``, each for its seat to act."""
    game = trick_envs.make(name, **options)
    batch = game.tables(TABLES, seed=1, observe=False)
    chance = bots.make("random", game)
    for _ in range(game.num_players * (2 * MIDDLE if "pass_cards" in game.options else MIDDLE)):
        batch.step(chance.act_batch(batch))
    seeds = iter(range(10**9))

    def resample() -> int:
        batch.resample(next(seeds))
        return TABLES

    return rate(resample, seconds)


def playouts(seconds: float = 2.0) -> float:
    """Plays per second of random playouts from the deal of a hand without passing, in one compiled call."""
    table = trick_envs.make("hearts", pass_cards=0).table(seed=1)

    def play() -> int:
        table.playouts(PLAYOUTS)
        return PLAYOUTS * 52

    return rate(play, seconds)


def single_table(seconds: float = 2.0) -> float:
    """Decisions per second of one table from Python: ``legal_actions``, then ``play``."""
    game = trick_envs.make("hearts", num_hands=1)
    uniform = np.random.default_rng(0).random

    def play_hand() -> int:
        table = game.table(seed=1)
        while table.seat >= 0:
            legal = table.legal_actions()
            table.play(legal[int(uniform() * len(legal))])
        return len(table.history)

    return rate(play_hand, seconds)


def environment(seconds: float = 2.0, *, raw: bool = True) -> float:
    """Turns per second of the PettingZoo loop with ``last`` and the first legal action from a random place on."""
    env = hearts_v0.raw_env() if raw else hearts_v0.env()
    env.reset(seed=1)
    num_actions = int(env.action_space(env.agents[0]).n)
    starts = cycle(np.random.default_rng(0).integers(0, num_actions, 2**16).tolist())

    def play_match() -> int:
        turns = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"].tobytes()
            action = mask.find(1, next(starts))
            env.step(action if action >= 0 else mask.find(1))
            turns += 1
        return turns

    return rate(play_match, seconds)


def rate(work: Callable[[], int], seconds: float) -> float:
    """What ``work`` counts, per second of wall time, after one call that is not timed."""
    work()
    done, start = 0, time.perf_counter()
    elapsed = 0.0
    while elapsed < seconds:
        done += work()
        elapsed = time.perf_counter() - start
    return done / elapsed


def seconds_of(code: str, **environment: str) -> float:
    """Seconds that a new Python process takes for ``code``, start and end included."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, **environment}, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def import_seconds() -> float:
    """Seconds that ``import trick_envs`` adds to importing pettingzoo and numba."""
    others = "import pettingzoo, numba"
    return seconds_of(f"{others}, trick_envs") - seconds_of(others)


FIRST_STEP = """
import time
import trick_envs
start = time.perf_counter()
from trick_envs import hearts_v0
env = hearts_v0.raw_env()
env.reset(seed=1)
observation, *_ = env.last()
env.step(int(observation["action_mask"].argmax()))
print(time.perf_counter() - start)
"""


def first_step_seconds(cold: bool) -> float:
    """Seconds from the imported package to the end of an environment's first step, compiling or from the cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache} if cold else dict(os.environ)
        printed = subprocess.run(
            [sys.executable, "-c", FIRST_STEP], check=True, env=environment, capture_output=True, text=True
        ).stdout
    return float(printed)
