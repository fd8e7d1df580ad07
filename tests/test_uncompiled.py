"""All that is compiled also runs as plain Python, on recarrays, and does the same.

The dispatchers in the modules of loops are replaced by the functions they were made of, and whole matches are
played again. Warnings are errors, so an overflow that compiled code passes over in silence fails here; only
the random streams, which are arithmetic modulo 2**64, may overflow.
"""

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import trick_envs
from tests.games import DEFAULTS, SAMPLE, Case
from trick_envs import random
from trick_envs.bits import WORD
from trick_envs.bots import lookahead, playouts, race, solver, tree
from trick_envs.bots import loops as bot_loops
from trick_envs.bots import make as make_bot
from trick_envs.engine import loops, worlds
from trick_envs.games import GAMES
from trick_envs.games.table import DRAWN
from trick_envs.interfaces.one_seat import SeatTables

SEED = np.uint64(2**64 - 20)
HANDS = 2
STEPS = 60
MODULES = (random, loops, bot_loops, worlds, playouts, race, tree, solver, lookahead)


@pytest.fixture
def uncompile() -> Iterator[Callable[[], None]]:
    """A function that takes the compiler away until the end of the test."""
    with pytest.MonkeyPatch.context() as patch:

        def replace() -> None:
            for module in MODULES:
                for name, value in list(vars(module).items()):
                    if isinstance(value, Dispatcher):
                        plain = value.py_func
                        patch.setattr(module, name, modular(plain) if module is random else plain)

        yield replace


def modular(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return call


def one_of(legal: np.ndarray, rng: Random) -> int:
    """One of a set of actions, int64 (words,)."""
    actions = [k for k in range(WORD * len(legal)) if int(legal[k // WORD]) >> k % WORD & 1]
    return actions[int(rng.random() * len(actions))]


def room(size: int) -> np.ndarray:
    return np.full(size, 99, np.int8)


# --- One table


def one_table(game: trick_envs.Game, kind: type[np.ndarray]) -> Iterator[dict[str, Any]]:
    """All that rules and views write at each position of the first hands of a match, one deck given."""
    stock = game.stock(game.deck_ids([game.deck(1)]))
    tables = game.new_records(1).view(kind)
    loops.start_one(tables, SEED, DRAWN, stock)
    rng = Random(1)
    seats = itertools.cycle(range(game.num_players))
    yield {"next seed": loops.next_seed_one(tables), **seen(game, tables, next(seats), kind)}
    loops.shuffle_one(stock, SEED, 7)
    yield {"shuffled": stock.deck.tolist()}
    while tables["seat"][0] >= 0 and tables["hand_number"][0] < HANDS:
        done = loops.advance_one(tables, one_of(tables["legal"][0], rng))
        if done == loops.DONE_AND_DEAL:
            loops.deal_one(tables, stock)
        refused = [loops.advance_one(tables, action) for action in (-1, WORD * tables["legal"].shape[1])]
        yield {"done": done, "refused": refused, **seen(game, tables, next(seats), kind)}


def told(game: trick_envs.Game, kind: type[np.ndarray]) -> Iterator[bytes]:
    """The sequences of all seats at each position of the first hands of a match, and anew for another world."""
    stock, places = game.stock(), game.places()
    tables = game.new_records(1).view(kind)
    log = game.new_logs(1)[0]
    loops.start_one(tables, SEED, DRAWN, stock)
    loops.tell_deal_one(tables, log)
    rng = Random(3)
    while tables["seat"][0] >= 0 and tables["hand_number"][0] < HANDS:
        done = loops.advance_and_tell_one(tables, one_of(tables["legal"][0], rng), log)
        if done == loops.DONE_AND_DEAL:
            loops.deal_one(tables, stock)
            loops.tell_deal_one(tables, log)
        assert loops.advance_and_tell_one(tables, -1, log) == loops.REFUSED
        yield log.tobytes()
        if tables["ply"][0] % 16 == 0:
            world, others = tables.copy(), log.copy()
            worlds.resample_one(world, 0, SEED, places)
            loops.tell_anew_rows(world, np.zeros(1, np.int8), a_batch(game)._replace(logs=others[None]))
            yield others.tobytes()


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_events(case: Case, uncompile: Callable[[], None]) -> None:
    game = trick_envs.make(case.game.name, **{**case.game.options, "observation": "events", "events_of": "hand"})
    compiled = list(told(game, np.ndarray))
    uncompile()
    assert list(told(game, np.recarray)) == compiled


def seen(game: trick_envs.Game, tables: np.ndarray, seat: int, kind: type[np.ndarray]) -> dict[str, Any]:
    """The table, and what a seat sees of it; sometimes each way."""
    views = game.new_views().view(kind)
    observation, mask = room(game.layout.size), room(game.num_actions)
    loops.observe_one(tables, seat, views, observation, mask)
    written = {"table": tables.tobytes(), "view": views.tobytes()}
    written |= {"observation": observation.tolist(), "mask": mask.tolist()}
    if tables["ply"][0] % 8 == 0:
        loops.see_one(tables, seat, views)
        features, state = room(game.layout.size), room(game.state_layout.size)
        loops.features_one(views, features)
        loops.state_one(tables, seat, views, state)
        written |= {"seen": views.tobytes(), "features": features.tolist(), "state": state.tolist()}
    return written


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_a_match_at_one_table(case: Case, uncompile: Callable[[], None]) -> None:
    compiled = list(one_table(case.game, np.ndarray))
    uncompile()
    plain = list(one_table(case.game, np.recarray))
    assert len(plain) == len(compiled) > case.game.num_players
    for ours, theirs in zip(plain, compiled, strict=True):
        assert ours == theirs


# --- Many tables


def many_tables(tables: trick_envs.Tables, kind: type[np.ndarray]) -> Iterator[dict[str, Any]]:
    """All arrays of a batch, step by step."""
    tables.records = tables.records.view(kind)
    tables._scratch = [(stock, views.view(kind)) for stock, views in tables._scratch]
    tables._run(loops.start_rows)
    tables._run(loops.show_rows)
    rng = Random(2)
    for _ in range(STEPS):
        arrays = {name: array.tobytes() for name, array in tables.batch._asdict().items()}
        states = np.full((2, tables.game.state_layout.size), 99, np.int8)
        loops.state_rows(tables.records, np.array([1, 0]), tables._scratch[0][1], states)
        yield {"tables": tables.records.tobytes(), "states": states.tolist(), **arrays}
        actions = np.array([one_of(table["legal"], rng) for table in tables.records.view(np.ndarray)])
        assert loops.first_illegal(tables.legal, actions) == loops.NO_ROW
        assert loops.first_illegal(tables.legal, np.append(actions[:-1], -1)) == len(tables) - 1
        tables._run(loops.step_rows, actions)


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_a_batch(case: Case, uncompile: Callable[[], None]) -> None:
    tables, twin = case.game.tables(2, seed=5), case.game.tables(2, seed=5)
    compiled = list(many_tables(tables, np.ndarray))
    uncompile()
    for ours, theirs in zip(many_tables(twin, np.recarray), compiled, strict=True):
        assert ours == theirs


# --- Playouts and bots


@cache
def a_batch(game: trick_envs.Game) -> loops.Batch:
    """Arrays of two rows, made while all is compiled."""
    return game.tables(2, seed=SEED, observe=False).batch


def played_by_bots(game: trick_envs.Game, tables: np.ndarray, kind: type[np.ndarray]) -> Iterator[Any]:
    """What bots choose, and what comes of it when they play on."""
    tables = tables.view(kind)
    views = game.new_views().view(kind)
    kinds = [bot_loops.RANDOM, bot_loops.RULES]
    for bot in kinds:
        actions = np.empty(2, np.int64)
        bot_loops.act_rows(tables, np.arange(2), views, bot, SEED, actions)
        yield actions.tolist()
        if bot == bot_loops.RANDOM:
            again = np.empty(2, np.int64)
            bot_loops.random_rows(tables["legal"], tables["seed"], tables["ply"], np.arange(2), SEED, again)
            assert again.tolist() == actions.tolist()
        loops.see_one(tables, int(tables["seat"][0]), views)
        yield bot_loops.act_one(views, bot, SEED)
    totals = np.zeros(game.num_players)
    yield loops.random_playouts(tables, tables[:1].copy(), 2, SEED, totals), totals.tolist()
    rewards = np.zeros((2, game.num_players))
    who = np.resize(kinds, game.num_players)
    seeds = np.full(game.num_players, SEED)
    bot_loops.play_hands(0, 2, tables, a_batch(game), game.stock(), views, who, seeds, 1, rewards)
    yield tables.tobytes(), rewards.tolist()


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_playouts_and_bots(case: Case, uncompile: Callable[[], None]) -> None:
    records = case.game.tables(2, seed=6).records
    compiled = list(played_by_bots(case.game, records.copy(), np.ndarray))
    uncompile()
    assert list(played_by_bots(case.game, records.copy(), np.recarray)) == compiled


def one_seat_played(rows: SeatTables, kind: type[np.ndarray]) -> Iterator[Any]:
    """All that two rows show when one seat of each is played from outside, by ``bot_loops.play_to_choice``."""
    rows.tables.records = rows.tables.records.view(kind)
    rows.tables._scratch = [(stock, views.view(kind)) for stock, views in rows.tables._scratch]
    rows._one = rows._one._replace(ended=rows._one.ended.view(kind))
    rng = Random(4)
    ends = 0
    while ends < 2:
        rows.step(np.array([one_of(legal, rng) for legal in rows.tables.legal]))
        ends += int(rows.done.sum())
        arrays = {**rows._one._asdict(), **rows.tables.batch._asdict()}
        yield rows.tables.records.tobytes(), {name: array.tobytes() for name, array in arrays.items()}


@pytest.mark.parametrize("name", GAMES)
def test_one_seat(name: str, uncompile: Callable[[], None]) -> None:
    game = trick_envs.make(name, num_hands=1, observation="both")
    rows, twin = (SeatTables(game, 2, opponents="random", skip_forced=True) for _ in range(2))
    for batch in (rows, twin):
        batch.begin([1, 2], np.random.default_rng())
    compiled = list(one_seat_played(rows, np.ndarray))
    uncompile()
    assert not isinstance(bot_loops.play_to_choice, Dispatcher)
    assert list(one_seat_played(twin, np.recarray)) == compiled


@pytest.mark.parametrize("name", ["hearts", "rage_glyphs"])
def test_lookahead(name: str, uncompile: Callable[[], None]) -> None:
    game = trick_envs.make(name, num_players=3, num_hands=1)
    tables = game.tables(2, seed=8)

    def values(kind: type[np.ndarray]) -> list[Any]:
        found = np.zeros((2, game.num_actions), np.float32)
        room, views = game.new_records(1).view(kind), game.new_views().view(kind)
        lookahead.value_rows(0, 2, tables.records.view(kind), np.arange(2), room, views, found)
        return found.tolist()

    compiled = values(np.ndarray)
    uncompile()
    assert values(np.recarray) == compiled


def dealt_afresh(game: trick_envs.Game, tables: np.ndarray, kind: type[np.ndarray]) -> Iterator[Any]:
    """Worlds of two tables, and the decks that they come from."""
    tables, places = tables.view(kind), game.places()
    views, world = game.new_views().view(kind), tables[:1].copy()
    worlds.view_one(world, 1, views, places)
    yield views.tobytes(), world.tobytes()
    worlds.resample_one(tables[:1], 1, SEED, places)
    yield tables.tobytes()
    worlds.resample_rows(tables, np.array([0, 1], np.int8), SEED, places)
    yield tables.tobytes()
    deck = np.zeros(len(game.pack), np.int8)
    worlds.undeal_one(tables, deck)
    yield deck.tolist()


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_worlds(case: Case, uncompile: Callable[[], None]) -> None:
    tables = case.game.tables(2, seed=6)
    rng = Random(0)
    for _ in range(30):
        tables.step(np.array([one_of(table["legal"], rng) for table in tables.records]))
    compiled = list(dealt_afresh(case.game, tables.records.copy(), np.ndarray))
    uncompile()
    assert list(dealt_afresh(case.game, tables.records.copy(), np.recarray)) == compiled


def searched(tables: trick_envs.Tables, kind: type[np.ndarray]) -> Iterator[Any]:
    """What search bots choose in a hand that they play, with tiny budgets, by turns."""
    tables.records = tables.records.view(kind)
    some = [make_bot(name, tables.game, seed=3) for name in ("search:2", "ismcts:3")]
    for bot in some:
        bot.threads = 1
        vars(bot._room).update(
            desk=viewed(bot._desk(), kind),
            views=tables.game.new_views().view(kind),
            solver=viewed(solver.room(tables.game.new_records(solver.DEPTH), tables.game.num_players), kind),
        )
    while not tables.done.any():
        actions = some[tables.ply[0] % 2].act_batch(tables)
        yield actions.tolist()
        tables.step(actions)


def viewed(value: Any, kind: type[np.ndarray]) -> Any:
    """An array of records, or a tuple of arrays, with the records as ``kind``."""
    if isinstance(value, tuple):
        return type(value)(*(viewed(part, kind) for part in value))
    return value.view(kind) if isinstance(value, np.ndarray) and value.dtype.names else value


@pytest.mark.parametrize("name", ["setback", "rewind"])
def test_search(name: str, uncompile: Callable[[], None]) -> None:
    game = trick_envs.make(name, num_players=3, num_hands=1)
    tables, twin = (game.tables(2, seed=6, observe=False) for _ in range(2))
    compiled = list(searched(tables, np.ndarray))
    uncompile()
    assert list(searched(twin, np.recarray)) == compiled


def test_every_loop_is_run_here() -> None:
    """A loop that is added is to be added above too. Those of search are run by its bots."""
    loop_names = {
        name
        for module in (loops, bot_loops, worlds)
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher) and value.targetoptions.get("nogil")
    }
    source = Path(__file__).read_text()
    assert {name for name in loop_names if f"loops.{name}" not in source and f"worlds.{name}" not in source} == set()
