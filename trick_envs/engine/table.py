"""One table: for a person, a test, an environment or a search."""

import secrets
from collections.abc import Sequence
from functools import cached_property
from operator import index
from typing import Any

import numpy as np

from trick_envs.bits import listed
from trick_envs.engine import loops, worlds
from trick_envs.engine.game import Game, check_seed
from trick_envs.engine.loops import NO_ACTION
from trick_envs.engine.view import View
from trick_envs.games.table import DRAWN, NOBODY, PERFECT, PHASES

INT8 = np.dtype(np.int8)


class IllegalAction(ValueError):
    """An action that the seat to act may not do now. The table is unchanged."""


class Table:
    """A match in progress. Make one with ``Game.table``."""

    def __init__(
        self,
        game: Game,
        seed: int | None = None,
        decks: Sequence[Sequence[str]] | None = None,
        dealer: int | None = None,
        actions: Sequence[int | str] = (),
    ):
        if dealer is not None:
            seats = range(game.num_players)
            if isinstance(dealer, bool) or not isinstance(dealer, (int, np.integer)) or dealer not in seats:
                raise ValueError(f"dealer={dealer!r}: a seat from 0 to {seats[-1]}, or None")
            dealer = int(dealer)
        self.game = game
        self.stock = game.stock(None if decks is None else game.deck_ids(decks))
        self.first_dealer = dealer
        seed = secrets.randbits(64) if seed is None else check_seed(seed)
        self._hold(game.new_records(1), [], game.new_logs(1)[0] if game.has_events else None)
        first_dealer = DRAWN if dealer is None else dealer
        loops.start_one(self.records, np.uint64(seed), first_dealer, self.stock)
        self._tell_deal()
        self._play_prefix(actions)

    def _play_prefix(self, actions: Sequence[int | str]) -> None:
        """Do ``actions`` right after the deal; ValueError naming the one that is wrong."""
        if isinstance(actions, str) or not isinstance(actions, Sequence):
            raise ValueError(f"actions={actions!r}: a list of action ids or names")
        for number, action in enumerate(actions):
            try:
                self.play(action)
            except IllegalAction as error:
                raise IllegalAction(f"action {number} of the list: {error}") from None

    @classmethod
    def of_record(
        cls,
        game: Game,
        records: np.ndarray,
        history: Sequence[tuple[int, int, int]] = (),
        decks: np.ndarray | None = None,
        first_dealer: int | None = None,
        log: np.ndarray | None = None,
    ) -> "Table":
        """A table that takes over a table record, an array (1,) of ``game.kind.table``, and its log if it has one.

        Without a log no events are kept from then on either: a sequence would begin in the middle.
        """
        table = cls.__new__(cls)
        table.game = game
        table.stock = game.stock(decks)
        table.first_dealer = first_dealer
        table._hold(records, list(history), log)
        return table

    def _hold(self, records: np.ndarray, history: list[tuple[int, int, int]], log: np.ndarray | None = None) -> None:
        """Take over table records (1,), the history that led to them and what was told of it."""
        self.records = records
        self._history = history
        self._views = self.game.new_views()
        self.log = log
        self._seat = records["seat"]
        self._legal = records["legal"][0]
        self._hand_number = records["hand_number"]
        self._settled = records["settled"]
        self._seats = range(self.game.num_players)
        self._size = self.game.layout.size
        self._num_actions = self.game.num_actions

    # --- The match ---------------------------------------------------------------------------------------------

    @property
    def seed(self) -> int:
        """The seed of the match."""
        return int(self.records["seed"][0])

    def next_seed(self) -> int:
        """The seed of the match that follows at this table, in a row of ``Tables`` or after an unseeded reset."""
        return int(loops.next_seed_one(self.records))

    @property
    def seat(self) -> int:
        """Seat to act, −1 when the match is over."""
        return self._seat.item()

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._seat.item() == NOBODY

    @property
    def truncated(self) -> bool:
        """Whether ``max_hands`` ended the match."""
        return bool(self.records["truncated"][0])

    @property
    def hand_over(self) -> bool:
        """Whether the last action settled a hand; all rewards are zero otherwise."""
        return self._settled.item() == 1

    @property
    def phase(self) -> str:
        """``"pass"``, ``"bid"``, ``"play"``, ``"tie"``, ``"moon"`` or ``"over"``."""
        return PHASES[self.records["phase"][0]]

    @property
    def hand_number(self) -> int:
        """0-based number of the hand."""
        return self._hand_number.item()

    @property
    def dealer(self) -> int:
        """Seat that dealt the hand."""
        return int(self.records["dealer"][0])

    @property
    def scores(self) -> list[int]:
        """The game's points by seat, of the settled hands."""
        return self._by_seat("scores")

    @property
    def rewards(self) -> list[float]:
        """Reward of the last action by seat, under the game's reward scheme; zeros before the first."""
        return self._by_seat("rewards")

    @property
    def winners(self) -> list[int]:
        """Ascending seats that win or share the win; empty before the end."""
        if not self.over:
            return []
        standings = [self.game.kind.rules.standing(self._record, seat) for seat in range(self.game.num_players)]
        return [seat for seat, standing in enumerate(standings) if standing == max(standings)]

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """(hand, seat, action id) of every action of the match."""
        return self._history.copy()

    # --- The hand ----------------------------------------------------------------------------------------------

    def hands(self) -> list[list[str]]:
        """By seat, the names of the cards now held (the god's view)."""
        return self.game.kind.rules.hands(self._record)

    @property
    def trick(self) -> list[tuple[int, str]]:
        """(seat, card name) now on the table, in order of play; empty when the trick is complete."""
        leader, size = self.records["leader"].item(), self.records["trick_size"].item()
        seats, cards = self.game.num_players, self.game.cards
        return [
            ((leader + place) % seats, cards[card])
            for place, card in enumerate(self.records["trick"][0, :size].tolist())
        ]

    @property
    def tricks_won(self) -> list[int]:
        """Tricks taken in this hand by seat."""
        return self._by_seat("tricks_won")

    @property
    def trump(self) -> str | None:
        """Full name of the trump suit, or None."""
        return self._shown("trump", None)

    @property
    def bids(self) -> list[int | None]:
        """Bids by seat, None before a seat has bid."""
        return self._shown("bids", [None] * self.game.num_players)

    @property
    def broken(self) -> bool:
        """Hearts: whether hearts may be led."""
        return self._shown("broken")

    @property
    def left(self) -> list[str]:
        """Cancellation Hearts: cards of cancelled tricks, which go to the taker of the next."""
        return self._shown("left")

    @property
    def pitcher(self) -> int | None:
        """Setback: seat that won the bidding, None before its end."""
        return self._shown("pitcher")

    @property
    def turned(self) -> list[str]:
        """Rage'n Glyphs: the open cards of the pile in the order they were turned."""
        return self._shown("turned")

    @property
    def round(self) -> int:
        """Rewind: 1, or 2 when the cards are played again."""
        return self._shown("round")

    @property
    def placements(self) -> list[list[int]]:
        """Rewind: Round I's place of each seat, trick by trick: 1 is first, 0 not yet decided."""
        return self._shown("placements")

    @property
    def markers(self) -> list[list[bool]]:
        """Rewind: whether the marker of each seat is on the board, trick by trick of Round I."""
        return self._shown("markers")

    @property
    def tiebreakers(self) -> list[int]:
        """Rewind: markers in each seat's tie-break pile, of all hands."""
        return self._shown("tiebreakers")

    def _shown(self, attribute: str, *default: Any) -> Any:
        """What the rules of this game show under a name that not every game has."""
        shown = self.game.kind.rules.SHOWN
        if attribute in shown:
            return shown[attribute](self._record)
        if default:
            return default[0]
        raise AttributeError(f"{self.game.name} has no {attribute!r}")

    # --- Play --------------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """Ascending ids of the legal actions; empty after the end."""
        return listed(self._legal.tolist())

    def play(self, action: int | str) -> None:
        """Do an action, given by id or name, for the seat to act.

        Raises IllegalAction (a ValueError), the table unchanged, when it is not legal.
        """
        if isinstance(action, str):
            found = self.game.find_action(action)
            played = NO_ACTION if found is None else found
        else:
            played = index(action) if hasattr(action, "__index__") else NO_ACTION
        seat, hand = self._seat.item(), self._hand_number.item()
        if isinstance(action, bool) or not self._advance(played):
            is_id = hasattr(action, "__index__") and not isinstance(action, bool)
            raise IllegalAction(self.refusal(played if is_id else action))
        self._history.append((hand, seat, played))

    def _advance(self, action: int) -> bool:
        if not -1 < action < self._num_actions:
            return False
        if self.log is None:
            done = loops.advance_one(self.records, action)
        else:
            done = loops.advance_and_tell_one(self.records, action, self.log)
        if done == loops.DONE_AND_DEAL:
            loops.deal_one(self.records, self.stock)
            self._tell_deal()
        return bool(done != loops.REFUSED)

    def _tell_deal(self) -> None:
        if self.log is not None:
            loops.tell_deal_one(self.records, self.log)

    def refusal(self, action: int | str | bool) -> str:
        """Why ``action`` is refused: seat, action, phase and what is legal."""
        if self.over:
            return f"the match is over, {action!r} comes too late"
        names = self.game.action_names
        name = repr(action)
        if isinstance(action, int) and not isinstance(action, bool) and 0 <= action < len(names):
            name = f"{names[action]} (action {action})"
        if isinstance(action, str) and self.game.find_action(action) is None:
            name += f", which is no card or action of {self.game.name},"
        legal = " ".join(names[legal] for legal in self.legal_actions())
        return f"seat {self.seat} may not choose {name} in the {self.phase} phase; legal: {legal}"

    # --- What a seat sees --------------------------------------------------------------------------------------

    def observe(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Fresh arrays: the features of ``seat``, int8 (layout size,), and its mask, int8 (num_actions,)."""
        observation = np.empty(self._size, INT8)
        mask = np.empty(self._num_actions, INT8)
        loops.observe_one(self.records, self._check_seat(seat), self._views, observation, mask)
        return observation, mask

    def observation(self, seat: int) -> Any:
        """What ``seat`` sees, in fresh arrays, as the option ``observation`` has it.

        Features, int8 (layout size,); ``events``; or a dict of both under ``"features"`` and ``"events"``.
        """
        if not self.game.has_events:
            return self.observe(seat)[0]
        events = self.events(seat)
        return {"features": self.observe(seat)[0], "events": events} if self.game.has_features else events

    def events(self, seat: int) -> np.ndarray:
        """All that ``seat`` has been allowed to see, in order, int16 (most events,): a fresh array.

        ``game.vocabulary`` has the meaning. Raises ValueError where the option ``observation`` has no events, and for
        a table taken out of a batch that keeps none.
        """
        if self.log is None and self.game.has_events:
            raise ValueError("no events are kept: the table was taken out of a batch with observe=False, or of worlds")
        if self.log is None:
            raise ValueError(f"no events are kept: make the game with observation='events' or 'both', not {self.game}")
        return self.log[self._check_seat(seat)].copy()

    def action_mask(self, seat: int) -> np.ndarray:
        """1 for each legal action, int8 (num_actions,), all zeros off turn and after the end: a fresh array."""
        return self.observe(seat)[1]

    def explain(self, seat: int) -> dict[str, Any]:
        """The features of ``seat`` in words, by the parts of the layout."""
        return self.game.layout.explain(self.observe(seat)[0])

    def view(self, seat: int) -> View:
        """What ``seat`` may know: all that a bot gets."""
        record, world = self.game.new_views(), self.records.copy()
        worlds.view_one(world, self._check_seat(seat), record, self._places)
        return View(self.game, record, world, seat)

    def state(self, seat: int | None = None) -> np.ndarray:
        """The whole table in numbers, int8 (state layout size,), for a centralised critic: a fresh array.

        Of no seat: seats as they are numbered, in ``game.table_layout``, everything that has happened in the hand
        included. Of a ``seat``: what it observes and all that is hidden from it, seats counted from there, in
        ``game.state_layout``; the first ``game.layout.size`` entries are its features.
        """
        row = np.empty(self.game.state_layout.size, np.int8)
        records = self.records
        if seat is None:
            records = records.copy()
            records["memory"] = PERFECT
        loops.state_one(records, 0 if seat is None else self._check_seat(seat), self._views, row)
        return row

    # --- Worlds ------------------------------------------------------------------------------------------------

    def resample(self, seat: int, seed: int) -> "Table":
        """A copy in which all that ``seat`` cannot know is drawn afresh, consistent with all it knows.

        It may hold what its plays have not shown it out of; bids are no evidence. All consistent deals of the cards
        are equally likely (``trick_envs.engine.worlds``), whatever the option ``memory``. The copy's history replays
        to it and gives the seat the same view; what was passed by others, and the seed, with later hands, are new too.
        Raises ValueError for a table without history, one taken out of a batch.
        """
        if len(self._history) != self.records["ply"][0]:
            raise ValueError("a table taken out of a batch has no history; resample the batch")
        seat, seed = self._check_seat(seat), check_seed(seed)
        world = self.copy()
        worlds.resample_one(world.records, seat, np.uint64(seed), self.game.places())
        world.stock = self.game.stock(self._decks_with(world.undeal()))
        world.first_dealer = (self.dealer - self.hand_number) % self.game.num_players
        world.records["seed"] = self._seed_like(seed, world.first_dealer)
        world._rewrite_passes(seat)
        return world._with_log_of_its_own()

    def _with_log_of_its_own(self) -> "Table":
        """This table, told to its seats anew; it has been changed other than by play."""
        if self.log is not None:
            actions = [action for _, _, action in self._history]
            told = Table(self.game, self.seed, self.deck_names(), self.first_dealer, actions)
            self.log = told.log
        return self

    def deck_names(self) -> list[list[str]]:
        """The decks that the first hands were dealt from, where they are not the shuffled ones, as card names."""
        return [[self.game.cards[card] for card in deck] for deck in self.stock.decks]

    def undeal(self) -> np.ndarray:
        """A deck that the present hand may have been dealt from, card ids int8 (cards,)."""
        deck = np.zeros(len(self.game.pack), np.int8)
        worlds.undeal_one(self.records, deck)
        return deck

    def _decks_with(self, deck: np.ndarray) -> np.ndarray:
        """The decks of the hands so far, with ``deck`` for the present one."""
        decks = []
        for hand in range(self.hand_number):
            given = hand < len(self.stock.decks)
            decks.append(self.stock.decks[hand] if given else self.game.shuffled(self.seed, hand))
        return np.array([*decks, deck], np.int8)

    def _seed_like(self, seed: int, dealer: int) -> int:
        """A seed after ``seed`` from which all that is drawn once a match comes out as it did here."""
        drawn = self.game.kind.rules.DRAWN_ONCE
        while True:
            table = self.game.table(seed, dealer=dealer)
            if all(table.records[field] == self.records[field] for field in drawn):
                return seed
            seed = table.next_seed()

    def _rewrite_passes(self, seat: int) -> None:
        """Let the others' picks of the present hand in the history be those of the table."""
        if "passed" not in (self.records.dtype.names or ()):
            return
        picks: dict[int, list[int]] = {}
        for other in range(self.game.num_players):
            words = np.atleast_1d(self.records["passed"][0, other]).tolist()
            picks[other] = [card for word in words for card in listed([word])]
        first = next((k for k, (hand, _, _) in enumerate(self._history) if hand == self.hand_number), 0)
        for k in range(first, len(self._history)):
            hand, actor, _ = self._history[k]
            if actor != seat and picks[actor]:
                self._history[k] = (hand, actor, picks[actor].pop(0))

    # --- Copies and records ------------------------------------------------------------------------------------

    def copy(self) -> "Table":
        """An independent table in the same position."""
        log = None if self.log is None else self.log.copy()
        return Table.of_record(self.game, self.records.copy(), self._history, self.stock.decks, self.first_dealer, log)

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.load, (self.game, self.save())

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        return self.copy()

    def save(self) -> bytes:
        """The match in compact bytes, for ``Game.load``."""
        from trick_envs.engine.records import save

        return save(self)

    def record(self) -> dict[str, Any]:
        """The match as a JSON-able record, for ``trick_envs.replay``."""
        from trick_envs.engine.records import record

        return record(self)

    def playouts(self, count: int, seed: int = 0) -> np.ndarray:
        """Mean rewards of the present hand by seat, float64 (seats,), over ``count`` random ways to end it."""
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"count={count!r}: a number of playouts from 1 up")
        totals = np.zeros(self.game.num_players)
        if not self.over:
            loops.random_playouts(self.records, self.records.copy(), count, np.uint64(check_seed(seed)), totals)
        return totals / count

    # --- Helpers -----------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> worlds.Places:
        return self.game.places()

    @cached_property
    def _record(self) -> Any:
        """The table record with its fields as attributes."""
        return self.records.view(np.recarray)[0]

    def _by_seat(self, field: str) -> list[Any]:
        return self.records[field][0, : self.game.num_players].tolist()

    def _check_seat(self, seat: int) -> int:
        if seat not in self._seats or not isinstance(seat, (int, np.integer)) or isinstance(seat, bool):
            raise ValueError(f"seat={seat!r}: a seat from 0 to {self.game.num_players - 1}")
        return seat

    def __repr__(self) -> str:
        return (
            f"<{self.game.name} table, hand {self.hand_number}, {self.phase} phase, "
            f"seat {self.seat} to act, scores {self.scores}>"
        )
