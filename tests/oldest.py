"""Constraints for the oldest versions that pyproject.toml supports: ``python -m tests.oldest > FILE``.

Everything else, PyTorch among it, stays as constraints.txt has it: older builds for CPUs alone are not to be had
everywhere.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
AS_PINNED = {"torch"}


def lower_bounds() -> dict[str, str]:
    """By package, the lowest version that the package and its extra ``train`` say they work with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["train"]]
    bounds = dict(re.fullmatch(r"([\w.-]+)>=([\w.]+)(?:,.*)?", requirement).groups() for requirement in wanted)
    return {name: version for name, version in bounds.items() if name not in AS_PINNED}


def constraints() -> list[str]:
    """The lines of a constraints file."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {name.casefold(): version for name, version in (line.split("==") for line in lines if "==" in line)}
    return [f"{name}=={version}" for name, version in (pinned | lower_bounds()).items()]


if __name__ == "__main__":
    print("\n".join(constraints()))
