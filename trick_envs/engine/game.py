"""A game: rules with all options settled, from which tables are made."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from trick_envs.engine import loops, worlds
from trick_envs.engine.dispatch import as_records
from trick_envs.engine.kinds import KINDS
from trick_envs.games import GAMES, rules_of
from trick_envs.games.options import MOST_HANDS_TOLD, parse
from trick_envs.views.events import Vocabulary, most_of_frame, new_log
from trick_envs.views.layout import Layout, relative_seats

if TYPE_CHECKING:
    from trick_envs.engine.table import Table
    from trick_envs.engine.tables import Tables


class Game:
    """The rules of one game with every option settled. Immutable, hashable, equal when all options are.

    Make one with ``trick_envs.make``.

    >>> Game("hearts", num_players=3).num_actions
    54
    """

    def __init__(self, name: str, /, **options: Any):
        if not isinstance(name, str) or name not in GAMES:
            raise ValueError(f"unknown game {name!r}; the games are {', '.join(GAMES)}")
        self._name = name
        self.kind = KINDS[rules_of(name, options)]
        self._options = parse(self.kind.rules.Options, name, options)

    @property
    def name(self) -> str:
        """Name of the game."""
        return self._name

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its value, JSON-able."""
        return self._options.model_dump(mode="json")

    @property
    def num_players(self) -> int:
        """Seats at the table."""
        return self._options.num_players

    @property
    def num_actions(self) -> int:
        """Size of the flat action space, the same for every seat."""
        return len(self.action_names)

    @property
    def version(self) -> int:
        """The version of the environment: it changes when play or observations do."""
        return self.kind.rules.VERSION

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """Card names by card id."""
        return self.kind.rules.PACK.names

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """Action names by action id."""
        return self.kind.rules.action_names(self._options)

    @cached_property
    def layout(self) -> Layout:
        """What the entries of an observation mean."""
        return self.kind.views.layout(self._options)

    @cached_property
    def state_layout(self) -> Layout:
        """What the entries of a state mean: an observation and all that is hidden from its seat."""
        return Layout(self.layout.parts + self.kind.views.hidden_parts(self._options))

    @cached_property
    def table_layout(self) -> Layout:
        """What the entries of a state of no seat mean: as ``state_layout`` has them for seat 0, by seat number."""
        return self.state_layout.of_seats(relative_seats(self.num_players))

    @property
    def has_features(self) -> bool:
        """Whether observations hold features."""
        return self._options.observation != "events"

    @property
    def has_events(self) -> bool:
        """Whether observations hold events."""
        return self._options.observation != "features"

    @property
    def vocabulary(self) -> Vocabulary:
        """What the tokens of events mean, whatever the number of seats."""
        return self.kind.views.VOCABULARY

    @cached_property
    def most_events(self) -> int:
        """Entries in a sequence of events; ValueError when nothing bounds the match that it goes back to."""
        hands = self._options.most_hands
        of_match = self._options.events_of == "match"
        if of_match and hands is None:
            raise ValueError(f"{self!r}: a match of any length has no longest sequence of events")
        most_told = self.kind.views.most_told
        different = min(hands or 1, MOST_HANDS_TOLD)  # later hands are not longer
        told = [most_told(self._options, hand) for hand in range(different)]
        seats = self.num_players
        return sum(told) + most_of_frame(seats, len(told)) if of_match else max(told) + most_of_frame(seats, 1)

    @property
    def most_hands(self) -> int:
        """Hands of the longest match; ValueError when nothing bounds it."""
        hands = self._options.most_hands
        if hands is None:
            raise ValueError(f"{self!r}: a match of any length; num_hands or max_hands bounds it")
        return hands

    @property
    def most_actions(self) -> int:
        """Actions of the longest match; ValueError when nothing bounds it."""
        most_actions = self.kind.rules.most_actions
        return sum(most_actions(self._options, hand) for hand in range(self.most_hands))

    @property
    def return_range(self) -> tuple[float, float]:
        """Bounds of what a seat's rewards of a match add up to; ValueError when nothing bounds the match."""
        if self._options.rewards == "placement":
            return -1.0, 1.0
        rules = self.kind.rules
        ranges = [rules.score_range(self._options, hand) for hand in range(self.most_hands)]
        if self._options.rewards == "relative":
            most = float(sum(high - low for low, high in ranges))
            return -most, most
        low, high = sorted(rules.gain(None, sum(bounds)) for bounds in zip(*ranges, strict=True))
        return float(low), float(high)

    def event_words(self, events: np.ndarray) -> list[str]:
        """A sequence of events, integers (any length,), told to people."""
        return self.vocabulary.words(events, relative_seats(self.num_players))

    def new_logs(self, rows: int) -> np.ndarray:
        """Room for the events of ``rows`` tables, int16 (rows, seats, most events); none where none are wanted."""
        if not self.has_events:
            rows = 0
        return new_log(rows, self.num_players, self.most_events if rows else 0)

    @cached_property
    def pack(self) -> np.ndarray:
        """The card ids of the pack in play, int8 (cards,)."""
        return np.array(self.kind.rules.pack(self._options), np.int8)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side that each seat plays for: equal numbers are partners."""
        record = self.new_records(1).view(np.recarray)[0]
        return tuple(int(self.kind.rules.side(record, seat)) for seat in range(self.num_players))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the game, its version, its options and the shape of its tables."""
        shape = [(name, str(self.kind.table[name])) for name in (self.kind.table.names or ())[1:]]
        told = json.dumps([self.name, self.version, self.options, shape], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def action_name(self, action: int) -> str:
        """The name of an action id; ValueError when there is no such action."""
        if not 0 <= action < self.num_actions:
            raise ValueError(f"action {action}: {self.name} has actions 0 to {self.num_actions - 1}")
        return self.action_names[action]

    @cached_property
    def _action_ids(self) -> dict[str, int]:
        return {name: action for action, name in enumerate(self.action_names)}

    def action_id(self, text: str) -> int:
        """The id of an action by its name, in capitals or not; ValueError when there is no such action."""
        action = self.find_action(text)
        if action is None:
            others = ", ".join(self.action_names[len(self.cards) :])
            raise ValueError(f"no action {text!r} in {self.name}; actions are card names and {others}")
        return action

    def find_action(self, text: str) -> int | None:
        """The id of an action by its name, in capitals or not; None when there is no such action."""
        return self._action_ids.get(text, self._action_ids_of_any_case.get(text.casefold()))

    @cached_property
    def _action_ids_of_any_case(self) -> dict[str, int]:
        return {name.casefold(): action for name, action in self._action_ids.items()}

    def deck(self, seed: int, hand_number: int = 0) -> list[str]:
        """The card names of a hand as they come off the pack: a function of (seed, hand number) alone."""
        return [self.cards[card] for card in self.shuffled(check_seed(seed), hand_number)]

    def shuffled(self, seed: int, hand_number: int) -> np.ndarray:
        """The card ids of a hand as they come off the pack, int8 (cards,)."""
        stock = self.stock()
        loops.shuffle_one(stock, np.uint64(seed), hand_number)
        return stock.deck

    def places(self) -> worlds.Places:
        """Room for the places that a seat cannot see."""
        return worlds.room(len(self.pack), self.num_players + 1)

    def table(
        self,
        seed: int | None = None,
        decks: Sequence[Sequence[str]] | None = None,
        dealer: int | None = None,
        actions: Sequence[int | str] = (),
    ) -> "Table":
        """A table at which the first hand has been dealt, and ``actions`` have been done.

        seed: 0 … 2**64 − 1, from which all shuffles are made; ``None`` takes one from the system.
        decks: for each of the first hands, card names in the order they come off the pack.
        dealer: seat that deals hand 0, instead of the ``first_dealer`` option.
        actions: ids or names of what is done first, so that an experiment can start anywhere in a match.
        Raises ValueError naming the seed, the card, the seat or the action that is wrong.
        """
        from trick_envs.engine.table import Table

        return Table(self, seed, decks, dealer, actions)

    def tables(self, count: int, seed: int | np.ndarray = 0, observe: bool = True, threads: int = 1) -> "Tables":
        """``count`` tables that are played together, for learners; see ``Tables``."""
        from trick_envs.engine.tables import Tables

        return Tables(self, count, seed, observe, threads)

    def load(self, saved: bytes) -> "Table":
        """The table that ``Table.save`` made ``saved`` of.

        Raises ValueError when it is damaged, or of another game, version or options.
        """
        from trick_envs.engine.records import load

        return load(self, saved)

    def new_records(self, count: int) -> np.ndarray:
        """``count`` table records with the options written and nothing dealt."""
        records = as_records(np.zeros(count, self.kind.table))
        self._options.write(records[:1])
        records[1:] = records[:1]
        return records

    def stock(self, decks: np.ndarray | None = None) -> loops.Stock:
        """Where a table's cards come from: shuffled, or ``decks``, int8 (hands, cards), for the first hands."""
        if decks is None:
            decks = np.zeros((0, len(self.pack)), np.int8)
        return loops.Stock(self.pack, decks, self.pack.copy())

    def new_views(self) -> np.ndarray:
        """A scratch view record, (1,), with the options written."""
        return as_records(self._view.copy())

    @cached_property
    def _view(self) -> np.ndarray:
        """A view record with the options that it has in common with tables, which ``see`` leaves as they are."""
        table, view = self.new_records(1), np.zeros(1, self.kind.view)
        for name in set(view.dtype.names or ()) & set(table.dtype.names or ()):
            if table[name].shape == view[name].shape:
                view[name] = table[name]
        return view

    def deck_ids(self, decks: Sequence[Sequence[str]]) -> np.ndarray:
        """Decks of card names as card ids, int8 (hands, cards); ValueError naming what is wrong."""
        if isinstance(decks, str) or not isinstance(decks, Sequence):
            raise ValueError(f"decks={decks!r}: a list with one deck, a list of card names, for each hand")
        return np.array([self._deck_ids(deck, hand) for hand, deck in enumerate(decks)], np.int8).reshape(
            len(decks), len(self.pack)
        )

    def _deck_ids(self, deck: Sequence[str], hand: int) -> list[int]:
        where = f"deck of hand {hand}"
        if isinstance(deck, str) or not isinstance(deck, Sequence):
            raise ValueError(f"{where}: {deck!r} is not a list of card names")
        wanted = Counter(self.cards[card] for card in self.pack)
        for card in deck:
            if not isinstance(card, str) or card not in wanted:
                raise ValueError(f"{where}: {card!r} is not a card of the {len(self.pack)} in play")
        given = Counter(deck)
        for card in given:
            if given[card] > wanted[card]:
                raise ValueError(f"{where}: {card} is there {given[card]} times, it should be {wanted[card]}")
        missing = wanted - given
        if missing:
            raise ValueError(f"{where}: {', '.join(missing)} missing; a deck names all {len(self.pack)} cards")
        return [self.cards.index(card) for card in deck]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self._name, self._options) == (other._name, other._options)

    def __hash__(self) -> int:
        return hash((self._name, self._options))

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"make({self._name!r}, {options})"

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (self._name, self.options)


def _make(name: str, options: dict[str, Any]) -> Game:
    return Game(name, **options)


def check_seed(seed: int) -> int:
    """``seed`` as an int when it is one from 0 to 2**64 − 1; ValueError otherwise."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed={seed!r}: an int from 0 to 2**64 - 1")
    return int(seed)
