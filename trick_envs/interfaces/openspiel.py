"""Every game as an OpenSpiel game: importing this module registers them, and ``pyspiel.load_game`` makes them.

    game = pyspiel.load_game("trick_envs_hearts(num_players=4,rewards=relative)")

The names are ``trick_envs_hearts``, ``trick_envs_cancellation_hearts``, ``trick_envs_setback``,
``trick_envs_rage_glyphs`` and ``trick_envs_rewind``. Parameters are the options of the game; −1 stands for None in
``NONE_ABLE``, and a list is written ``[1 2 3]``, for OpenSpiel splits its game strings at commas. A parameter that is
left at its default is left to the game, which knows what is usual with so many seats. By default a match is one hand.

Chance is explicit: it draws the dealer, where no option says who deals, and then each card as it comes off the pack.
OpenSpiel cannot save the random numbers of a sampled stochastic game that is written in Python, and its solvers need
the outcomes of chance; so every history, that of a resampled state too, can be played again from the beginning.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyspiel

from trick_envs.engine import Game, Table
from trick_envs.engine.kinds import KINDS, Kind

NONE = -1
NONE_ABLE = ("num_hands", "max_hands", "first_dealer", "first_pass")
SETTLED = ("observation", "events_of", "variant")  # options that are no parameters
POOL = "pool"
POOL_SIZES = range(2, 11)
SEEDS_TRIED = 1000  # among so many all starts of a match come up
SINGLE_HAND: dict[str, dict[str, Any]] = {"rage_glyphs": {"hand_sizes": [5]}}  # of other games ``num_hands`` is 1
BEING_DEALT = "cards are being dealt"

Parameters = Mapping[str, bool | int | str]


# --- Parameters ------------------------------------------------------------------------------------------------


def short_name(kind: Kind) -> str:
    """The name by which OpenSpiel knows a game."""
    return f"trick_envs_{kind.name}"


def _own_options(kind: Kind) -> dict[str, Any]:
    """The options that make a single hand of a game, with all that a seat has seen kept as events."""
    variant = {"variant": kind.rules.VARIANT} if hasattr(kind.rules, "VARIANT") else {}
    hand = SINGLE_HAND.get(kind.name, {"num_hands": 1})
    return {**variant, **hand, "observation": "both", "events_of": "match"}


@lru_cache
def default_parameters(kind_name: str) -> dict[str, bool | int | str]:
    """The parameters of a game with their defaults. ``pool``: the cards that chance deals first, none for all.

    The rest of the pack then lies beneath in its order, which makes games small enough to be solved.
    """
    kind = _kind(kind_name)
    options = Game(kind.rules.NAME, **_own_options(kind)).options
    return {name: _written(value) for name, value in options.items() if name not in SETTLED} | {POOL: "[]"}


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS.values() if kind.name == name)


def _written(value: Any) -> bool | int | str:
    """An option's value as a parameter."""
    if value is None:
        return NONE
    return f"[{' '.join(map(str, value))}]" if isinstance(value, (list, tuple)) else value


def _entries(text: str) -> list[str]:
    """The entries of a list, written as OpenSpiel can or as JSON."""
    return re.findall(r'[^\s,"\[\]]+', text)


def _read(name: str, value: Any, default: Any) -> Any:
    """A parameter as an option's value."""
    if name in NONE_ABLE and value == NONE:
        return None
    if not str(default).startswith("["):
        return value
    try:
        return [int(entry) for entry in _entries(value)]
    except ValueError:
        raise ValueError(f"{name}={value!r}: should be a list of ints such as [1 2 3]") from None


# --- The game --------------------------------------------------------------------------------------------------


class Setup:
    """What the states of a game have in common: the rules, and what chance may do. Immutable; get it of ``setup_of``.

    game: the rules. pool: ids of the cards that chance deals. beneath: ids of those that lie beneath them.
    """

    def __init__(self, kind_name: str, parameters: tuple[tuple[str, Any], ...]):
        self._made_of = kind_name, parameters
        kind, defaults = _kind(kind_name), default_parameters(kind_name)
        given = {
            name: _read(name, value, defaults[name])
            for name, value in parameters
            if name != POOL and value != defaults[name]
        }
        self.game = Game(kind.rules.NAME, **{**_own_options(kind), **given})
        self.pool, self.beneath = self._divide(_entries(dict(parameters)[POOL]))

    def _divide(self, names: Sequence[str]) -> tuple[bytes, bytes]:
        """The cards that chance deals, and the rest of the pack."""
        pack = self.game.pack.tobytes()
        if not names:
            return pack, b""
        cards, left = self.game.cards, Counter(pack)
        if len(names) not in POOL_SIZES:
            raise ValueError(f"pool has {len(names)} cards: should be {POOL_SIZES[0]} to {POOL_SIZES[-1]}, or none")
        for name in names:
            if name not in cards or not left[cards.index(name)]:
                raise ValueError(f"pool: {name!r} is not a card in play, or too often there")
            left[cards.index(name)] -= 1
        return bytes(map(cards.index, names)), bytes(left.elements())

    @cached_property
    def starts(self) -> dict[str, int]:
        """How a match may begin, all equally likely: in words, and a seed that draws it so."""
        fields = ("dealer", *self.game.kind.rules.DRAWN_ONCE)
        starts: dict[str, int] = {}
        for seed in range(SEEDS_TRIED):
            records = self.game.table(seed).records
            starts.setdefault(", ".join(f"{field} {records[field][0]}" for field in fields), seed)
        return dict(sorted(starts.items()))

    @cached_property
    def opponents(self) -> int:
        """Seats that a seat plays against."""
        return sum(side != self.game.sides[0] for side in self.game.sides)

    @cached_property
    def event_bits(self) -> np.ndarray:
        """Each token of the vocabulary in binary, float32 (tokens, bits)."""
        size = self.game.vocabulary.size
        tokens = np.arange(size)[:, None] >> np.arange((size - 1).bit_length())
        return (tokens & 1).astype(np.float32)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Setup":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return setup_of, self._made_of


@lru_cache
def setup_of(kind_name: str, parameters: tuple[tuple[str, Any], ...]) -> Setup:
    """The setup of a game under all its parameters."""
    return Setup(kind_name, parameters)


def _game_type(kind: Kind, game: Game) -> pyspiel.GameType:
    """What OpenSpiel is told of a game with these options."""
    told = pyspiel.GameType
    zero_sum = game.options["rewards"] != "points"
    at_the_end = game.options["rewards"] == "placement" or game.most_hands == 1
    return told(
        short_name=short_name(kind),
        long_name=f"{kind.name.replace('_', ' ').title()} (trick-envs)",
        dynamics=told.Dynamics.SEQUENTIAL,
        chance_mode=told.ChanceMode.EXPLICIT_STOCHASTIC,
        information=told.Information.IMPERFECT_INFORMATION,
        utility=told.Utility.ZERO_SUM if zero_sum else told.Utility.GENERAL_SUM,
        reward_model=told.RewardModel.TERMINAL if at_the_end else told.RewardModel.REWARDS,
        min_num_players=kind.rules.SEATS[0],
        max_num_players=kind.rules.SEATS[-1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=default_parameters(kind.name),
    )


class TrickGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its parameters settled; ``pyspiel.load_game`` makes it of a subclass for the game's kind.

    Raises ValueError naming a wrong option, the value given and the values allowed.
    """

    kind_name: str

    def __init__(self, params: Parameters | None = None):
        kind, defaults = _kind(self.kind_name), default_parameters(self.kind_name)
        settled = {**defaults, **(params or {})}
        for name, default in defaults.items():
            if str(default).startswith("["):
                settled[name] = _written(_entries(str(settled[name])))
        setup = setup_of(kind.name, tuple(sorted(settled.items())))
        game = setup.game
        low, high = game.return_range
        zero_sum = {"utility_sum": 0.0} if game.options["rewards"] != "points" else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=max(len(game.cards), len(setup.starts)),
            num_players=game.num_players,
            min_utility=low,
            max_utility=high,
            max_game_length=game.most_actions,
            **zero_sum,
        )
        super().__init__(_game_type(kind, game), info, settled)

    @cached_property
    def setup(self) -> "Setup":
        """What its states have in common. OpenSpiel does not keep attributes when it copies a game."""
        return setup_of(self.kind_name, tuple(sorted(self.get_parameters().items())))

    @property
    def rules(self) -> Game:
        """The game as ``trick_envs.make`` makes it."""
        return self.setup.game

    def max_chance_nodes_in_history(self) -> int:
        """Cards dealt in the longest match, and the start."""
        return (len(self.setup.starts) > 1) + len(self.setup.pool) * self.rules.most_hands

    def new_initial_state(self) -> "TrickState":
        """A match before the first card is dealt."""
        return TrickState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Parameters | None = None
    ) -> "TrickObserver | None":
        """What one seat sees, at the time or with perfect recall; None for other types, as OpenSpiel has it."""
        if params:
            raise ValueError(f"params={params!r}: observations have no parameters")
        seen = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not seen.public_info or seen.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return TrickObserver(self.setup, seen.perfect_recall)


# --- The state -------------------------------------------------------------------------------------------------


class TrickState(pyspiel.State):  # type: ignore[misc]
    """A match in progress, chance included.

    table: the ``Table`` that it is played at, None before all cards of the first hand are dealt; to look at, it is
        ``apply_action`` that plays. While a later hand is dealt it shows another deal, which is not the one to come.
    """

    def __init__(self, game: TrickGame):
        super().__init__(game)
        self._setup = game.setup
        self.table: Table | None = None
        starts = game.setup.starts
        self._start = next(iter(starts)) if len(starts) == 1 else ""  # none while chance is to draw it
        self._dealt = b""  # card ids of all hands, as they come off the pack
        self._left = game.setup.pool  # card ids that chance is still to deal in this hand
        self._returns = (0.0,) * game.rules.num_players

    @property
    def seen(self) -> Table | None:
        """The table where there is something to see, None at a chance node."""
        return None if self._left else self.table

    def current_player(self) -> int:
        """Seat to act, or OpenSpiel's id for chance and for the end."""
        if self._left:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.table.seat if self.table else NONE
        return seat if seat >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return not self._left and self.table is not None and self.table.over

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal_actions() if self.table else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """How the match begins, or the next card off the pack, with probabilities."""
        if not self._start:
            starts = len(self._setup.starts)
            return [(start, 1 / starts) for start in range(starts)]
        left = self._left
        return [(card, left.count(card) / len(left)) for card in sorted(set(left))]

    def _apply_action(self, action: int) -> None:
        if not self._left:
            self._play(action)
        elif self._start:
            self._deal(action)
        else:
            self._begin(action)

    def _begin(self, start: int) -> None:
        starts = list(self._setup.starts)
        if start not in range(len(starts)):
            raise ValueError(f"chance cannot begin the match with {start}: should be 0 to {len(starts) - 1}")
        self._start = starts[start]

    def _deal(self, card: int) -> None:
        """A card comes off the pack; after the last that chance deals, the hand begins."""
        if card not in set(self._left):  # a set may be asked for any number, bytes for small ones only
            raise ValueError(f"chance cannot deal card {card}; left are {sorted(set(self._left))}")
        dealt = bytes([card])
        self._dealt += dealt
        self._left = self._left.replace(dealt, b"", 1)
        if not self._left:
            self._dealt += self._setup.beneath
            self._begin_hand()

    def _begin_hand(self) -> None:
        game = self._setup.game
        size = len(game.pack)
        cards = [game.cards[card] for card in self._dealt]
        decks = [cards[first : first + size] for first in range(0, len(cards), size)]
        actions = [action for _, _, action in self.table.history] if self.table else []
        self.table = game.table(self._setup.starts[self._start], decks, actions=actions)

    def _play(self, action: int) -> None:
        table = self.table
        assert table is not None
        table.play(action)
        if table.hand_over:
            self._returns = tuple(map(sum, zip(self._returns, self._rewarded(table), strict=True)))
            if not table.over:
                self._left = self._setup.pool

    def _rewarded(self, table: Table) -> list[float]:
        """The rewards of the last action, which are fractions over the number of opponents, beyond float32.

        OpenSpiel checks that those of a zero-sum game sum to 0.
        """
        opponents = self._setup.opponents
        return [round(reward * opponents) / opponents for reward in table.rewards]

    def rewards(self) -> list[float]:
        """Reward of the last action by seat; at chance nodes zeros, for it waits there for the next decision."""
        return self._rewarded(self.table) if self.seen and self.table else [0.0] * len(self._returns)

    def returns(self) -> list[float]:
        """Rewards of all settled hands by seat."""
        return list(self._returns)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self._setup.game.action_name(action)
        return self._setup.game.cards[action] if self._start else list(self._setup.starts)[action]

    def __str__(self) -> str:
        """The start, the cards in the order they came off the pack, and the actions by name."""
        names = self._setup.game.action_names
        cards = " ".join(self._setup.game.cards[card] for card in self._dealt)
        history = self.table.history if self.table else []
        played = " ".join(f"{seat}:{names[action]}" for _, seat, action in history)
        return f"start: {self._start}\ncards: {cards}\nactions: {played}"

    # --- Worlds ------------------------------------------------------------------------------------------------

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> "TrickState":
        """A state, with a history of its own, that ``player`` may take for this one: ``Table.resample``.

        All consistent deals are equally likely. rng: gives floats from 0 to 1. Raises ValueError at a chance node.
        """
        table = self.seen
        if table is None:
            raise ValueError(f"there is nothing to resample while {BEING_DEALT}")
        if self._setup.beneath:
            return self._resample_pool(player, rng)
        world = table.resample(player, int(rng() * 2**53))
        return self._replayed(world.stock.decks.tobytes(), [action for _, _, action in world.history])

    def _replayed(self, dealt: bytes, actions: Sequence[int]) -> "TrickState":
        """The state in which these cards were dealt and these actions done after the same start."""
        state = self.get_game().new_initial_state()
        if not state._start:
            state.apply_action(list(self._setup.starts).index(self._start))
        dealt_by_chance, size = len(self._setup.pool), len(self._setup.game.pack)
        hands = iter(dealt[first : first + dealt_by_chance] for first in range(0, len(dealt), size))
        for card in next(hands):
            state.apply_action(card)
        for action in actions:
            state.apply_action(action)
            if state.is_chance_node():
                for card in next(hands):
                    state.apply_action(card)
        return state

    def _resample_pool(self, player: int, rng: Callable[[], float]) -> "TrickState":
        """The same where few cards are dealt: deals are drawn until one looks to ``player`` as this one does."""
        known = self.information_state_string(player)
        history = self.full_history()
        while True:
            world = self.get_game().new_initial_state()
            for item in history:
                action = item.action
                if world.is_chance_node():
                    drawn = world._left if world._start else b""
                else:
                    secret = world.table.phase == "pass" and item.player != player
                    drawn = world.legal_actions() if secret else []
                if drawn:
                    action = drawn[int(rng() * len(drawn))]
                if action not in world.legal_actions():
                    break
                world.apply_action(action)
            else:
                if world.information_state_string(player) == known:
                    return world


# --- What is seen ----------------------------------------------------------------------------------------------


class TrickObserver:
    """What a seat sees, as OpenSpiel's observers have it.

    The observation is ``features``, float32 (layout size,), scaled to −1 … 1 by ``game.layout``. The information
    state, with perfect recall, is ``player``, one hot (seats,), ``features``, and ``events``, the tokens of
    ``Table.events`` in binary, (most events, bits), least significant bit first. At chance nodes all are zeros.

    tensor: all of it, flat, float32. dict: its parts by name.
    """

    def __init__(self, setup: Setup, perfect_recall: bool):
        game = setup.game
        self._setup = setup
        self._perfect_recall = perfect_recall
        self._scale = game.layout.scale
        shapes: dict[str, tuple[int, ...]] = {"features": (game.layout.size,)}
        if perfect_recall:
            events = (game.most_events, setup.event_bits.shape[1])
            shapes = {"player": (game.num_players,), **shapes, "events": events}
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def set_from(self, state: TrickState, player: int) -> None:
        """Write what ``player`` sees into ``tensor``."""
        table = state.seen
        if table is None:
            self.tensor.fill(0)
            return
        np.multiply(table.observe(player)[0], self._scale, out=self.dict["features"])
        if self._perfect_recall:
            self.dict["player"].fill(0)
            self.dict["player"][player] = 1
            np.take(self._setup.event_bits, table.events(player), axis=0, out=self.dict["events"])

    def string_from(self, state: TrickState, player: int) -> str:
        """What ``player`` sees by name, or with perfect recall the player and the tokens of its events."""
        table = state.seen
        if table is None:
            return f"player {player}: {BEING_DEALT}"
        if self._perfect_recall:
            told = int(table.records["told"][0])
            return f"player {player}: {' '.join(map(str, table.events(player)[:told].tolist()))}"
        return "\n".join(f"{name}: {value}" for name, value in table.view(player).facts().items())


# --- Registration ----------------------------------------------------------------------------------------------
#
# OpenSpiel pickles a game by its class, and lets go of what was registered after Python has ended, which a class
# survives and a function does not.


class HeartsGame(TrickGame):
    """Hearts."""

    kind_name = "hearts"


class CancellationHeartsGame(TrickGame):
    """Cancellation Hearts."""

    kind_name = "cancellation_hearts"


class SetbackGame(TrickGame):
    """Setback."""

    kind_name = "setback"


class RageGlyphsGame(TrickGame):
    """Rage'n Glyphs."""

    kind_name = "rage_glyphs"


class RewindGame(TrickGame):
    """Rewind."""

    kind_name = "rewind"


CLASSES = {
    game.kind_name: game for game in (HeartsGame, CancellationHeartsGame, SetbackGame, RageGlyphsGame, RewindGame)
}


def register() -> None:
    """Register every game with OpenSpiel; again changes nothing."""
    known = pyspiel.registered_names()
    for kind in KINDS.values():
        if short_name(kind) not in known:
            setup = setup_of(kind.name, tuple(sorted(default_parameters(kind.name).items())))
            pyspiel.register_game(_game_type(kind, setup.game), CLASSES[kind.name])


register()
