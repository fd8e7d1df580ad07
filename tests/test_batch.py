"""Thousands of tables played together play as each would alone."""

import copy
import pickle
from random import Random

import numpy as np
import pytest

import trick_envs
from tests.games import CASES, DEFAULTS, Case
from tests.playing import features
from trick_envs.engine.tables import FEWEST_ROWS_A_THREAD, HEAD_START, Tables

ROWS = 6
STEPS = 300
ARRAYS = ("seat", "observation", "events", "action_mask", "rewards", "done", "truncated", "scores", "seeds")
SEEN = ("observation", "events", "action_mask")


@pytest.fixture(params=CASES, ids=str)
def game(request: pytest.FixtureRequest) -> trick_envs.Game:
    return request.param.game


def choose(tables: Tables, rng: np.random.Generator) -> np.ndarray:
    """A random legal action in each row."""
    return np.argmax(rng.random(tables.action_mask.shape) * tables.action_mask, axis=1)


def play_on(tables: Tables, steps: int, seed: int = 0) -> Tables:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        tables.step(choose(tables, rng))
    return tables


def contents(tables: Tables) -> dict[str, bytes]:
    """Every byte that a batch holds."""
    held = {name: getattr(tables, name).tobytes() for name in ARRAYS}
    return {**held, "records": tables.records.tobytes(), "saved": tables.save()}


def test_a_row_plays_as_its_table_alone(game: trick_envs.Game) -> None:
    tables = game.tables(ROWS, seed=3)
    alone = [game.table(seed=seed) for seed in tables.seeds]
    rng = np.random.default_rng(0)
    for _ in range(STEPS):
        for row, table in enumerate(alone):
            assert tables.seeds[row] == table.seed
            assert tables.seat[row] == table.seat
            assert tables.records[row].tobytes() == table.records.tobytes()
            if game.has_features:
                assert (tables.observation[row] == features(table, table.seat)).all()
            if game.has_events:
                assert (tables.events[row] == table.events(table.seat)).all()
            assert (tables.action_mask[row] == table.action_mask(table.seat)).all()
        actions = choose(tables, rng)
        before = tables.scores.copy()
        tables.step(actions)
        for row, table in enumerate(alone):
            table.play(int(actions[row]))
            assert tables.rewards[row].tolist() == table.rewards
            assert tables.done[row] == table.over
            assert tables.truncated[row] == (table.over and table.truncated)
            if table.over:
                assert tables.scores[row].tolist() == table.scores
                assert tables.seeds[row] == table.next_seed() != table.seed
                alone[row] = game.table(seed=tables.seeds[row])
            else:
                assert (tables.scores[row] == before[row]).all()


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_many_matches_are_dealt_anew_in_a_row(case: Case) -> None:
    """Most cases above see few ends; here every row ends a match a hand."""
    game = trick_envs.make(case.game.name, **{**case.game.options, "num_hands": 1})
    tables = game.tables(40, seed=1)
    first = tables.seeds.copy()
    met = [set() for _ in first]
    rng = np.random.default_rng(0)
    for _ in range(400):
        tables.step(choose(tables, rng))
        for row in np.flatnonzero(tables.done):
            met[row].add(int(tables.seeds[row]))
            fresh = game.table(seed=tables.seeds[row])
            assert tables.table(int(row)).save() == fresh.save()
            assert (tables.observation[row] == features(fresh, fresh.seat)).all()
    assert min(map(len, met)) >= 3
    assert len(set().union(*met)) == sum(map(len, met)), "two rows play the same match"


def test_rows_do_not_depend_on_the_others(game: trick_envs.Game) -> None:
    together = game.tables(ROWS, seed=4)
    chosen = [5, 0, 2]
    apart = game.tables(len(chosen), seed=together.seeds[chosen])
    rng = np.random.default_rng(1)
    for _ in range(STEPS):
        actions = choose(together, rng)
        together.step(actions)
        apart.step(actions[chosen])
        for name in ARRAYS:
            if len(getattr(together, name)):
                assert (getattr(together, name)[chosen] == getattr(apart, name)).all(), name
        assert together.records[chosen].tobytes() == apart.records.tobytes()


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_threads_change_nothing(case: Case) -> None:
    count = 3 * FEWEST_ROWS_A_THREAD + HEAD_START + 1
    batches = [case.game.tables(count, seed=5, threads=threads) for threads in (1, 2, 3, 8)]
    for tables, threads in zip(batches, (1, 2, 3, 3), strict=True):
        shares = []
        tables.over_rows(lambda *share, into=shares: into.append(share))
        assert len(shares) == threads, "the rows are not shared out"
        assert sorted(row for first, last, *_ in shares for row in range(first, last)) == list(range(count))
        scratch = [array.ctypes.data for _, _, stock, views in shares for array in (stock.deck, views)]
        assert len(set(scratch)) == 2 * threads, "threads write to the same scratch"
    rng = np.random.default_rng(2)
    for _ in range(80):
        actions = choose(batches[0], rng)
        for tables in batches:
            tables.step(actions)
        assert contents(batches[0]) == contents(batches[1]) == contents(batches[2]) == contents(batches[3])


def test_an_illegal_action_names_its_row_and_changes_nothing(game: trick_envs.Game) -> None:
    tables = play_on(game.tables(ROWS, seed=6), 9)
    before = contents(tables)
    legal = choose(tables, np.random.default_rng(3))
    illegal = [np.flatnonzero(mask == 0) for mask in tables.action_mask]
    for row in range(ROWS):
        for action in (illegal[row][0], illegal[row][-1], -1, game.num_actions, 2**40, -(2**63)):
            actions = legal.copy()
            actions[row:] = action if row + 1 < ROWS else legal[row:]
            actions[row] = action
            with pytest.raises(trick_envs.IllegalAction) as refused:
                tables.step(actions)
            table = tables.table(row)
            named = game.action_name(int(action)) if 0 <= action < game.num_actions else str(action)
            words = [game.action_name(may) for may in table.legal_actions()]
            for part in (f"row {row}:", f"seat {table.seat}", f"{table.phase} phase", named, *words):
                assert part in str(refused.value)
            assert contents(tables) == before
    tables.step(legal)
    assert contents(tables) != before


def test_actions_of_other_shapes_and_kinds_are_refused() -> None:
    tables = DEFAULTS[0].game.tables(ROWS, seed=7)
    legal = choose(tables, np.random.default_rng(4))
    before = contents(tables)
    for wrong in (
        legal[:-1],
        np.append(legal, 0),
        legal[:, None],
        legal.astype(float),
        legal.astype(bool),
        legal.astype(str),
        legal.astype(object),
        int(legal[0]),
        [],
        None,
    ):
        with pytest.raises(ValueError, match=f"an integer for each of {ROWS} rows"):
            tables.step(wrong)
        assert contents(tables) == before


@pytest.mark.parametrize("kind", [list, *(np.dtype(name).type for name in ("i1", "u1", "i4", "u4", "u8"))])
def test_actions_may_be_integers_of_any_size(kind: type) -> None:
    one, other = (DEFAULTS[0].game.tables(ROWS, seed=8) for _ in range(2))
    legal = choose(one, np.random.default_rng(4))
    one.step(legal)
    other.step(legal.tolist() if kind is list else legal.astype(kind))
    assert contents(one) == contents(other)


def test_actions_need_not_lie_in_one_piece() -> None:
    one, other = (DEFAULTS[0].game.tables(ROWS, seed=8) for _ in range(2))
    legal = choose(one, np.random.default_rng(4))
    one.step(legal)
    other.step(np.repeat(legal, 2)[::2])
    assert contents(one) == contents(other)


def test_shapes_and_kinds_of_the_arrays(game: trick_envs.Game) -> None:
    tables = game.tables(ROWS, seed=9)
    seats = game.num_players
    wanted = {
        "seat": ((ROWS,), np.int8),
        "observation": ((ROWS * game.has_features, game.layout.size), np.int8),
        "events": ((ROWS, game.most_events) if game.has_events else (0, 0), np.int16),
        "action_mask": ((ROWS, game.num_actions), np.int8),
        "rewards": ((ROWS, seats), np.float32),
        "done": ((ROWS,), np.bool_),
        "truncated": ((ROWS,), np.bool_),
        "scores": ((ROWS, seats), np.int32),
        "seeds": ((ROWS,), np.uint64),
    }
    arrays = {name: getattr(tables, name) for name in wanted}
    assert {name: (array.shape, array.dtype) for name, array in arrays.items()} == wanted
    play_on(tables, 3)
    for name, array in arrays.items():
        assert getattr(tables, name) is array, f"{name} is not reused"


def test_rows_seeds_come_from_a_seed_sequence(game: trick_envs.Game) -> None:
    seeds = np.random.SeedSequence(10).generate_state(ROWS, np.uint64)
    assert (game.tables(ROWS, seed=10).seeds == seeds).all()
    given = np.array([3, 1, 2**64 - 1, 0, 3, 5], np.uint64)
    tables = game.tables(ROWS, seed=given)
    assert (tables.seeds == given).all()
    assert tables.records[0].tobytes() == tables.records[4].tobytes()
    play_on(tables, 150)
    assert given.tolist() == [3, 1, 2**64 - 1, 0, 3, 5], "the caller's array was written to"


@pytest.mark.parametrize(
    "arguments",
    [
        {"count": 0},
        {"count": -1},
        {"count": 1.5},
        {"count": True},
        {"count": "3"},
        {"count": 3, "threads": 0},
        {"count": 3, "threads": 1.5},
        {"count": 3, "seed": -1},
        {"count": 3, "seed": 2**64},
        {"count": 3, "seed": None},
        {"count": 3, "seed": np.array([1, 2])},
        {"count": 3, "seed": np.array([1, 2, -3])},
        {"count": 3, "seed": np.array([1.0, 2.0, 3.0])},
        {"count": 3, "seed": np.array([[1, 2, 3]])},
    ],
    ids=str,
)
def test_wrong_counts_seeds_and_threads_are_refused(arguments: dict) -> None:
    wrong = list(arguments)[-1]
    with pytest.raises(ValueError, match=wrong):
        DEFAULTS[0].game.tables(**arguments)


def test_a_row_can_be_taken_out(game: trick_envs.Game) -> None:
    tables = play_on(game.tables(ROWS, seed=11), 30)
    if not tables.ply.any():  # all matches have just begun
        tables = play_on(tables, 1)
    before = contents(tables)
    row = int(np.argmax(tables.ply))
    taken = tables.table(row)
    assert taken.records.tobytes() == tables.records[row].tobytes()
    taken.play(taken.legal_actions()[0])
    assert contents(tables) == before
    assert tables.table(-1).records.tobytes() == tables.records[ROWS - 1].tobytes()
    for other in (ROWS, -ROWS - 1):
        with pytest.raises(IndexError):
            tables.table(other)
    with pytest.raises(ValueError, match="history"):
        taken.record()


def test_tables_without_observations_play_the_same(game: trick_envs.Game) -> None:
    seeing, blind = game.tables(ROWS, seed=12), game.tables(ROWS, seed=12, observe=False)
    assert blind.observation.shape == (0, game.layout.size)
    assert blind.action_mask.shape == (0, game.num_actions)
    rng = np.random.default_rng(5)
    for _ in range(150):
        actions = choose(seeing, rng)
        seeing.step(actions)
        blind.step(actions)
        for name in set(ARRAYS) - set(SEEN):
            assert (getattr(seeing, name) == getattr(blind, name)).all(), name
    assert (seeing.save() == blind.save()) == (not game.has_events)


COPIES = {
    "copy": Tables.copy,
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda tables: pickle.loads(pickle.dumps(tables)),
}


@pytest.mark.parametrize("twin_of", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("observe", [True, False])
def test_copies_are_independent(twin_of, observe: bool) -> None:
    for case in DEFAULTS:
        guide = case.game.tables(ROWS, seed=13)
        tables = case.game.tables(ROWS, seed=13, observe=observe)
        rng = np.random.default_rng(6)
        for _ in range(90):
            actions = choose(guide, rng)
            guide.step(actions)
            tables.step(actions)
        before = contents(tables)
        twin = twin_of(tables)
        assert contents(twin) == before
        assert (twin.game, len(twin), twin.threads) == (tables.game, len(tables), tables.threads)
        actions = choose(guide, rng)
        twin.step(actions)
        assert contents(tables) == before, "the copy's play changed the tables"
        after = contents(twin)
        tables.step(actions)
        assert contents(tables) == after, "the same play leads elsewhere"
        assert contents(twin) == after, "the tables' play changed the copy"


def test_save_and_load(game: trick_envs.Game) -> None:
    tables = play_on(game.tables(ROWS, seed=14), 40)
    saved = tables.save()
    shown = {name: getattr(tables, name).copy() for name in ("seat", *SEEN, "seeds")}
    play_on(tables, 60)
    later = contents(tables)
    for into in (tables, game.tables(ROWS, seed=99)):
        into.load(saved)
        assert into.save() == saved
        for name, array in shown.items():
            assert (getattr(into, name) == array).all(), name
        for name in ("rewards", "done", "truncated", "scores"):
            assert not getattr(into, name).any(), name
        assert {**contents(play_on(into, 60)), "scores": None} == {**later, "scores": None}


def test_what_cannot_be_loaded_is_refused_and_changes_nothing(game: trick_envs.Game) -> None:
    tables = play_on(game.tables(ROWS, seed=15), 20)
    before = contents(tables)
    saved = tables.save()
    flipped = [bytearray(saved) for _ in range(0, len(saved), 101)]
    for number, damaged in enumerate(flipped):
        damaged[number * 101] ^= 1 << number % 8
    other = next(case.game for case in CASES if case.game != game)
    for wrong in (
        *map(bytes, flipped),
        saved[:-1],
        saved + b"\0",
        b"",
        None,
        "saved",
        game.tables(ROWS + 1, seed=15).save(),
        other.tables(ROWS, seed=15).save(),
        game.table(seed=15).save(),
    ):
        with pytest.raises(ValueError, match="saved"):
            tables.load(wrong)
        assert contents(tables) == before


def test_global_generators_are_left_alone() -> None:
    rng = Random(1)
    state = rng.getstate()
    np.random.seed(2)  # noqa: NPY002
    before = str(np.random.get_state())  # noqa: NPY002
    play_on(DEFAULTS[0].game.tables(ROWS, seed=1), 40)
    assert rng.getstate() == state
    assert str(np.random.get_state()) == before  # noqa: NPY002
