"""Tests with other libraries, each left out where its library is not installed."""

import importlib.util
from pathlib import Path

HERE = Path(__file__).parent
collect_ignore = [
    file.name for file in HERE.glob("test_*.py") if importlib.util.find_spec(file.stem.removeprefix("test_")) is None
]
