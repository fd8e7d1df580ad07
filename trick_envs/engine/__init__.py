"""What drives any game: Game, Table, Tables, compiled loops, random streams, records."""

from trick_envs.engine import notice
from trick_envs.engine.game import Game
from trick_envs.engine.records import replay
from trick_envs.engine.table import IllegalAction, Table
from trick_envs.engine.tables import Tables
from trick_envs.engine.view import View

__all__ = ["Game", "IllegalAction", "Table", "Tables", "View", "replay"]

notice.listen()
