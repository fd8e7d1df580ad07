"""The README and the pages under docs/ do what they say."""

import importlib.util
import re
import shlex
import sys
from pathlib import Path

import pytest

from training.__main__ import _parser

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page, language):
    return [code for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs_from_top_to_bottom(page):
    names = {}
    for code in blocks(page, "python"):
        exec(compile(code, str(page), "exec"), names)


def commands():
    for page in PAGES:
        for code in blocks(page, "bash"):
            for line in code.splitlines():
                command = shlex.split(line, comments=True)
                if command:
                    yield pytest.param(command, id=" ".join(command))


@pytest.mark.parametrize("command", list(commands()))
def test_each_command_of_a_page_is_one_there_is(command):
    if command[0] == "make":
        assert re.search(rf"^{command[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    elif command[:2] == ["pip", "install"]:
        assert command[-1] in (".", ".[train]")
    else:
        assert Path(command[0]).name == "python"
        assert command[1] == "-m"
        if command[2] == "training":
            _parser().parse_args(command[3:])
        else:
            assert importlib.util.find_spec(command[2]), command[2]


def test_generated_tables_are_up_to_date(monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    assert generate.main() == 0, capsys.readouterr().out


def test_every_game_has_its_page():
    import trick_envs.games

    for name in trick_envs.games.GAMES:
        assert (ROOT / "docs" / f"{name}.md").is_file()
