"""What one seat may know: all that a bot, or a person at a table, is given."""

from typing import TYPE_CHECKING, Any

import numpy as np

from trick_envs.bits import listed
from trick_envs.engine import loops, worlds
from trick_envs.engine.game import Game, check_seed
from trick_envs.games.table import NOBODY, PHASES

if TYPE_CHECKING:
    from trick_envs.engine.tables import Tables

COMMON_FACTS = (
    "phase",
    "seat",
    "hand_number",
    "dealer",
    "leader",
    "trick",
    "tricks_won",
    "scores",
    "voids",
)


class View:
    """What one seat of a table may know at a moment; there is no way from it to a hidden card.

    Seats are counted from the observer, who is 0, to the left. Beside what stands here a view has what its game shows
    a seat, by the names that ``facts`` lists: ``hand``, ``played``, ``trick``, ``bids`` and so on.

    ``record`` is the game's view record, an array (1,) with the fields listed in ``trick_envs.views``.
    """

    def __init__(self, game: Game, record: np.ndarray, world: np.ndarray, seat: int):
        """``world``: table records (1,), in which nothing is left of what is hidden; ``seat``: the observer's."""
        self.game = game
        self.record = record
        self._world = world
        self._seat = seat

    @property
    def on_turn(self) -> bool:
        """Whether the observer is to act."""
        return bool(self.record["seat"][0] == 0)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.record["seat"][0] == NOBODY)

    @property
    def phase(self) -> str:
        """Phase of the hand, as in ``Table.phase``."""
        return PHASES[self.record["phase"][0]]

    def worlds(self, count: int, seed: int = 0) -> "Tables":
        """``count`` tables that the observer may take for the real one, all consistent deals equally likely.

        They are a function of what the observer has seen and of ``seed``; see ``Table.resample``. Later hands are
        dealt from seeds of their own. They keep no events. Raises ValueError for a count or a seed that is none, and
        when the match is over, for a row of ``Tables`` is always one to go on with.
        """
        if self.over:
            raise ValueError("the match is over: there are no worlds to go on with")
        tables = self.game.tables(count, seed, observe=False)
        seeds = tables.seeds.copy()
        tables.records[:] = self._world[0]
        tables.records["seed"] = seeds
        seats = np.full(count, self._seat, np.int8)
        worlds.resample_rows(tables.records, seats, np.uint64(check_seed(seed)), self.game.places())
        tables._show_afresh()
        return tables

    def legal_actions(self) -> list[int]:
        """Ascending ids of what the observer may do, empty off turn."""
        return listed(self.record["legal"][0].tolist())

    def __repr__(self) -> str:
        seen = ", ".join(f"{name}={value!r}" for name, value in self.facts().items())
        return f"<view of {self.game.name}: {seen}>"

    def facts(self) -> dict[str, Any]:
        """All that the observer may know, by name."""
        return {name: getattr(self, name) for name in (*COMMON_FACTS, *self.game.kind.views.SEEN)}

    @property
    def seat(self) -> int:
        """Seat to act, −1 when the match is over."""
        return int(self.record["seat"][0])

    @property
    def hand_number(self) -> int:
        """0-based number of the hand."""
        return int(self.record["hand_number"][0])

    @property
    def dealer(self) -> int:
        """Seat that dealt the hand."""
        return int(self.record["dealer"][0])

    @property
    def leader(self) -> int | None:
        """Seat that led, or is to lead, the trick; None before play."""
        leader = int(self.record["leader"][0])
        return None if leader == NOBODY else leader

    @property
    def scores(self) -> list[int]:
        """Points by seat, of the settled hands."""
        return self._by_seat("scores")

    @property
    def tricks_won(self) -> list[int]:
        """Tricks taken in this hand by seat."""
        return self._by_seat("tricks_won")

    @property
    def voids(self) -> list[list[str]]:
        """Suits that each seat has shown to be out of."""
        suits = self.game.kind.rules.PACK.suits
        return [[suits[suit] for suit in listed([void])] for void in self._by_seat("voids")]

    @property
    def trick(self) -> list[tuple[int, str]]:
        """(seat, card name) on the table in order of play."""
        views = self.game.kind.views
        seats = [((self.leader or 0) + place) % self.game.num_players for place in range(self.record["trick_size"][0])]
        return [(seat, self.game.cards[views.card_on_table(self._named, seat)]) for seat in seats]

    def __getattr__(self, name: str) -> Any:
        seen = self.__dict__["game"].kind.views.SEEN if "game" in self.__dict__ else {}
        if name not in seen:
            names = ", ".join((*COMMON_FACTS, *seen))
            raise AttributeError(f"a view has no {name!r}; what a seat may know is {names}")
        return seen[name](self._named)

    @property
    def _named(self) -> Any:
        """The view record with its fields as attributes."""
        return self.record.view(np.recarray)[0]

    def _by_seat(self, field: str) -> list[Any]:
        return self.record[field][0, : self.game.num_players].tolist()

    @property
    def observation(self) -> np.ndarray:
        """The features, int8 (layout size,): a fresh array."""
        row = np.empty(self.game.layout.size, np.int8)
        loops.features_one(self.record, row)
        return row

    @property
    def action_mask(self) -> np.ndarray:
        """1 for each legal action, int8 (num_actions,), zeros off turn: a fresh array."""
        mask = np.zeros(self.game.num_actions, np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def explain(self) -> dict[str, Any]:
        """The observation in words, by the parts of the layout."""
        return self.game.layout.explain(self.observation)
