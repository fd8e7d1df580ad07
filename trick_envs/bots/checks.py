"""What every bot checks before it chooses."""

from typing import Any

from trick_envs.engine import Game, Tables, View


def check_view(game: Game, view: Any) -> None:
    """ValueError unless ``view`` is of the game that a bot was made for, and its observer on turn."""
    if not isinstance(view, View):
        raise ValueError(f"a bot acts on a view, as table.view(table.seat) gives it, not on {view!r}")
    check_game(game, view.game)
    if not view.on_turn:
        raise ValueError("the observer of this view is not on turn")


def check_tables(game: Game, tables: Any) -> None:
    """ValueError unless ``tables`` are of the game that a bot was made for."""
    if not isinstance(tables, Tables):
        raise ValueError(f"a bot acts on a batch of game.tables(…), not on {tables!r}")
    check_game(game, tables.game)


def check_game(own: Game, given: Game) -> None:
    """ValueError unless both have the same rules and seats."""
    if own.kind is not given.kind or own.num_players != given.num_players:
        raise ValueError(
            f"a bot for {own.kind.name} with {own.num_players} seats is asked about {given.kind.name} "
            f"with {given.num_players}; make one for that game"
        )
