"""Fill the generated tables of the documentation: ``python docs/generate.py`` (``--check`` only compares).

A page holds ``<!-- table: NAME GAME -->`` and ``<!-- end -->`` around each; NAME is ``observation``, ``events``,
``state``, ``actions`` or ``options``, and GAME may have options: ``hearts variant=cancellation``.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import trick_envs
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
