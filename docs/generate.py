"""Fill the generated tables of the documentation: ``python docs/generate.py`` (``--check`` only compares).

A page holds ``<!-- table: NAME GAME -->`` and ``<!-- end -->`` around each; NAME is ``observation``, ``events``,
``state``, ``actions`` or ``options``, and GAME may have options: ``hearts variant=cancellation``. ``config SECTION``
has the keys of a section of the YAML file of a training run.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from pydantic import BaseModel
from pydantic.fields import FieldInfo

import trick_envs
from training.config import Learning, Measuring, Opponents, RunConfig, Schedule
from trick_envs import Game

MOST_ROWS = 10  # more entries of one kind are abbreviated
FOLDER = Path(__file__).parent
GENERATED = re.compile(r"(<!-- table: (\w+) (\w+)((?: \w+=\w+)*) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def observation(game: Game) -> str:
    return game.layout.markdown()


def events(game: Game) -> str:
    return game.vocabulary.markdown()


def state(game: Game) -> str:
    """What a state holds beyond the observation it begins with."""
    rows = game.state_layout.markdown().splitlines()
    return "\n".join(rows[:2] + rows[2 + len(game.layout.parts) :])


def actions(game: Game) -> str:
    rows = ["| id | name |", "|---|---|"]
    rows.append(f"| 0–{len(game.cards) - 1} | the card: {game.cards[0]}, {game.cards[1]} … {game.cards[-1]} |")
    others = range(len(game.cards), game.num_actions)
    if len(others) > MOST_ROWS:
        names = [game.action_name(others[0]), game.action_name(others[1]), "…", game.action_name(others[-1])]
        return "\n".join([*rows, f"| {others[0]}–{others[-1]} | {', '.join(names)} |"])
    return "\n".join([*rows, *(f"| {action} | {game.action_name(action)} |" for action in others)])


def options(game: Game) -> str:
    rows = ["| option | default |", "|---|---|"]
    rows += [f"| `{name}` | `{_short(value)}` |" for name, value in game.options.items()]
    return "\n".join(rows)


def _short(value: object) -> str:
    """``value`` as in Python, a long list by its beginning and end."""
    if isinstance(value, list) and len(value) > MOST_ROWS:
        return f"[{value[0]}, {value[1]}, …, {value[-1]}]"
    return repr(value)


def config(section: str) -> str:
    """The keys of a section with their defaults and what its docstring says of them, in its order."""
    model = SECTIONS[section]
    rows = ["| key | default | meaning |", "|---|---|---|"]
    meanings = _meanings(model)
    told = [name for names, _ in meanings for name in names]
    meanings += [((name,), UNTOLD.get(name, "")) for name in model.model_fields if name not in told]
    for names, meaning in meanings:
        keys = ", ".join(f"`{name}`" for name in names)
        rows.append(f"| {keys} | {', '.join(_default(model.model_fields[name]) for name in names)} | {meaning} |")
    return "\n".join(rows)


def _meanings(model: type[BaseModel]) -> list[tuple[tuple[str, ...], str]]:
    """What a docstring of ``name, name: meaning`` says, by the names of fields."""
    name = rf"(?:{'|'.join(model.model_fields)})"
    pattern = re.compile(rf"(?:^| )({name}(?:(?:, | or ){name})*): ")
    _, *told = pattern.split(" ".join((model.__doc__ or "").split()))
    return [
        (tuple(re.split(", | or ", names)), meaning.strip().removesuffix(".").replace("``", "`"))
        for names, meaning in zip(told[::2], told[1::2], strict=True)
    ]


def _default(field: FieldInfo) -> str:
    """The default of a key as YAML has it."""
    value = field.get_default()
    if field.is_required():
        return "required"
    if value is None:
        return "none"
    if isinstance(value, (Learning, Opponents, Measuring)):
        return "see below"
    return f"`{_yaml(value)}`"


def _yaml(value: object) -> str:
    if isinstance(value, Schedule):
        return f"{{start: {_yaml(value.start)}, end: {_yaml(value.end)}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_yaml, value))}]"
    return np.format_float_positional(value, trim="0") if isinstance(value, float) else str(value)


SECTIONS: dict[str, type[BaseModel]] = {
    "run": RunConfig,
    "learning": Learning,
    "opponents": Opponents,
    "measuring": Measuring,
}
UNTOLD = {
    "seed": "of everything that the run draws",
    "learning": "how the policy learns",
    "opponents": "against whom the policy plays",
    "measuring": "how the policy is measured",
}
TABLES: dict[str, Callable[[Game], str]] = {
    "observation": observation,
    "events": events,
    "state": state,
    "actions": actions,
    "options": options,
}


def filled(page: str) -> str:
    """The page with its tables made anew."""

    def table(match: re.Match[str]) -> str:
        opening, name, game, options, _, closing = match.groups()
        if name == "config":
            return f"{opening}{config(game)}\n{closing}"
        chosen = dict(option.split("=") for option in options.split())
        return f"{opening}{TABLES[name](trick_envs.make(game, **chosen))}\n{closing}"

    return GENERATED.sub(table, page)


def main() -> int:
    stale = []
    for file in sorted(FOLDER.glob("*.md")):
        page = file.read_text(encoding="utf-8")
        if filled(page) != page:
            stale.append(file.name)
            if "--check" not in sys.argv:
                file.write_text(filled(page), encoding="utf-8")
    print(f"stale: {', '.join(stale)}" if stale else "all tables are up to date")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
