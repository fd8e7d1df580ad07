"""Tests with other libraries, each left out where its library is not installed."""

import importlib.util
from pathlib import Path

HERE = Path(__file__).parent
MODULES = {
    "openspiel": "pyspiel",
    "rllib": "ray",
    "rllib_evaluation": "ray",
}  # what to import, where it is not called as the test is
collect_ignore = [
    file.name
    for file in HERE.glob("test_*.py")
    if importlib.util.find_spec(MODULES.get(name := file.stem.removeprefix("test_"), name)) is None
]
