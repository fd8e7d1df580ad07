"""What is compiled is kept for the next process, an edited rule is compiled anew, importing compiles nothing.

Each process here runs a copy of the package whose ``__pycache__`` folders hold the compiled code.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trick_envs.engine import notice

PACKAGE = Path(notice.__file__).parents[1]
HEAVY = ("torch", "pygame", "matplotlib", "stable_baselines3", "sb3_contrib", "tensorboard", "pandas")

# Tells what is compiled, what the loops found in the cache, and how a match ends.
PLAY = """
import json, sys
from numba.core import event

class Listener(event.Listener):
    compiled = []
    def on_start(self, event):
        self.compiled.append(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
import trick_envs
from trick_envs.bits import lowest
from trick_envs.engine import loops
from numba.core.dispatcher import Dispatcher

at_import = len(Listener.compiled)
game = trick_envs.make("hearts", num_hands=1, moon="add")
table = game.table(seed=1)
while not table.over:
    if "look" in sys.argv:
        table.observation(table.seat)
    table.play(lowest(table.records["legal"][0][0]))
dispatchers = [value for value in vars(loops).values() if isinstance(value, Dispatcher)]
stats = [loop.stats for loop in dispatchers if loop._cache.cache_path]
print(json.dumps({
    "at_import": at_import,
    "compiled": Listener.compiled,
    "hits": sum(sum(stat.cache_hits.values()) for stat in stats),
    "misses": sum(sum(stat.cache_misses.values()) for stat in stats),
    "scores": table.scores,
    "file": trick_envs.__file__,
}))
"""


def run(folder: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the package in ``folder``."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment["PYTHONPATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def play(folder: Path, *arguments: str) -> tuple[dict, str]:
    """What ``PLAY`` tells, and what it says on stderr."""
    done = run(folder, PLAY, *arguments)
    told = json.loads(done.stdout)
    assert Path(told["file"]).parents[1] == folder
    assert told["at_import"] == 0, "importing trick_envs compiles"
    return told, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package and nothing compiled."""
    folder = tmp_path_factory.mktemp("cold").resolve()
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_compiled_code_is_kept_and_edited_rules_take_effect(folder: Path) -> None:
    cold, said = play(folder, "look")
    assert cold["compiled"]
    assert cold["hits"] == 0
    assert cold["misses"] > 0
    assert said == notice.LINE + "\n", "a cold compile says so once"
    assert sum(cold["scores"]) == 26

    warm, said = play(folder, "look")
    assert (warm["compiled"], warm["misses"]) == ([], 0)
    assert warm["hits"] == cold["misses"]
    assert said == ""
    assert warm["scores"] == cold["scores"]

    rules = folder / PACKAGE.name / "games" / "hearts.py"
    source = rules.read_text()
    assert source.count("QUEEN_POINTS = 13") == 1
    rules.write_text(source.replace("QUEEN_POINTS = 13", "QUEEN_POINTS = 12"))
    edited, _ = play(folder)
    assert edited["compiled"], "an edited rule is not compiled anew"
    assert sum(edited["scores"]) == 25


def test_import_brings_nothing_heavy() -> None:
    done = run(PACKAGE.parent, "import sys, trick_envs; print(*sys.modules)")
    imported = {name.partition(".")[0] for name in done.stdout.split()}
    assert "trick_envs" in imported
    assert imported.isdisjoint(HEAVY)


NOTICE = """
import io, sys, threading, time
from types import SimpleNamespace
from trick_envs.engine import notice

def event(module):
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=SimpleNamespace(__module__=module))})

ours, other = event("trick_envs.engine.loops"), event("somebody.else")
assert notice.PATIENCE == 1
notice.PATIENCE = 0.2
listener = notice.CompileNotice()

def compiles(event, seconds):
    listener.on_start(event)
    listener.on_start(event)
    listener.on_end(event)
    time.sleep(seconds)
    listener.on_end(event)

stream = sys.stderr = io.StringIO()

def lines():
    return stream.getvalue().count(notice.LINE)

compiles(other, 0.3); assert lines() == 0, "somebody else's function"
compiles(ours, 0.12); time.sleep(0.3); assert lines() == 0, "too soon"
compiles(ours, 0.12); assert lines() == 1, "the time adds up"
compiles(ours, 0.3); assert lines() == 1, "once"
listener = notice.CompileNotice()
threads = [threading.Thread(target=compiles, args=(ours, 0.3)) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
time.sleep(0.3); assert lines() == 2, "once, whatever the threads"
"""


def test_the_notice_comes_once_and_only_after_its_time() -> None:
    run(PACKAGE.parent, NOTICE)


NAMES_OF_RECORDS = """
import json
import numba
import numpy as np
from trick_envs.engine.kinds import KINDS

numbers = {}
for kind in ORDER(list(KINDS.values())):
    for what in ("view", "table"):
        record = numba.typeof(np.zeros(1, getattr(kind, what))).dtype
        numbers[f"{kind.name} {what}"] = record.mangling_args[1][0]
print(json.dumps(numbers))
"""


def test_a_kind_of_record_has_the_same_name_in_the_code_of_every_process():
    """Otherwise code of two processes that is cached under one name could be run for the wrong game."""
    told = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", NAMES_OF_RECORDS.replace("ORDER", order)],
                check=True,
                capture_output=True,
                text=True,
                timeout=120,
            ).stdout
        )
        for order in ("list", "reversed")
    ]
    assert told[0] == told[1]
    assert len(set(told[0].values())) == len(told[0])
