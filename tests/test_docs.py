"""The README and the pages under docs/ do what they say."""

import ast
import importlib.util
import io
import re
import shlex
import sys
import tokenize
import tomllib
from pathlib import Path

import pytest
import yaml

import trick_envs
from tests.checkpoints import chance_checkpoint
from training.__main__ import _parser
from training.config import check_config

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def blocks(page, language):
    return [code for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


def values_in_comments(code):
    """By line, the comments that are a literal; an ellipsis stands for anything."""
    values = {}
    ellipses = ("…}", "...: ...}"), ("…", "...")
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            text = token.string.lstrip("# ")
            for sign, python in ellipses:
                text = text.replace(sign, python)
            try:
                values[token.start[0]] = ast.literal_eval(text)
            except (SyntaxError, ValueError):
                continue  # words
    return values


def fits(value, told):
    """Whether ``value`` is what was told, where an ellipsis stands for any value, or any number of items."""
    if told is ...:
        return True
    if type(told) in (list, tuple, dict) and type(value) is not type(told):
        return False
    if isinstance(told, dict):
        keys = told.keys() - {...}
        return (
            keys <= value.keys()
            and (... in told or len(keys) == len(value))
            and all(fits(value[k], told[k]) for k in keys)
        )
    if not isinstance(told, (list, tuple)):
        return bool(value == told)
    if ... not in told:
        return len(value) == len(told) and all(map(fits, value, told))
    before = told.index(...)
    after = len(told) - before - 1
    if len(value) < before + after:
        return False
    return all(map(fits, value, told[:before])) and all(map(fits, value[len(value) - after :], told[before + 1 :]))


def run(code, source, names):
    """Run ``code``; an expression whose comment is a value has to come to it."""
    told = values_in_comments(code)
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Expr) and statement.end_lineno in told:
            value = eval(compile(ast.Expression(statement.value), source, "eval"), names)
            expected = told[statement.end_lineno]
            assert fits(value, expected), f"{source}: {ast.unparse(statement)} is {value!r}, not {expected!r}"
        else:
            exec(compile(ast.Module([statement], []), source, "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    chance_checkpoint(tmp_path / "runs" / "hearts_quick" / "checkpoint", trick_envs.make("hearts"))
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in blocks(page, "python"):
        run(code, str(page), names)


RIGHT = ["[1, 2, 3]  # [1, …]", "(1, [2])  # (1, […])", "{1: 2, 3: 4}  # {1: 2, …}", "1 + 1  # a sum"]
WRONG = ["1 + 1  # 3", "[1, 2]  # [1, 3]", "[1, 2]  # [2, …]", "[1, 2]  # […, 1]", "[1]  # (1,)", "[1]  # [1, …, 1]"]
WRONG += ["(1, [2, 3])  # (1, [2, …, 4])", "{1: 2, 3: 4}  # {1: 2}", "{1: 2}  # {1: 3, …}", "{1: 2}  # {3: 4, …}"]


def test_a_comment_with_a_wrong_value_is_found():
    for code in RIGHT:
        run(code, "page", {})
    for code in WRONG:
        with pytest.raises(AssertionError, match="page: "):
            run(code, "page", {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_link_within_the_repository_leads_somewhere(page):
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in link:
            file, _, anchor = link.partition("#")
            target = page.parent / file if file else page
            assert target.exists(), link
            if anchor:
                assert anchor in anchors(target), link


def extras():
    """The names of the package's extras."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"].keys()


def anchors(page):
    """The anchors that the headings of a page get on GitHub."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


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
        assert command[-1] == "." or command[-1][2:-1] in extras()
    elif command[0] == "source":
        assert command[1:] == [".venv/bin/activate"]
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


def test_each_yaml_of_a_page_is_a_run():
    for page in PAGES:
        for code in blocks(page, "yaml"):
            check_config(yaml.safe_load(code), str(page))


def test_the_page_on_training_lists_all_configs_and_has_the_figures_of_the_readme():
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    for config in (ROOT / "configs").glob("*.yaml"):
        assert f"`{config.name}`" in page, config.name
    figures = re.findall(r"^\| five minutes .*\|$", page, re.MULTILINE)
    assert figures
    for figure in figures:
        assert figure in (ROOT / "README.md").read_text(encoding="utf-8"), figure


def test_every_game_has_its_page():
    for name in trick_envs.games.GAMES:
        assert (ROOT / "docs" / f"{name}.md").is_file()
