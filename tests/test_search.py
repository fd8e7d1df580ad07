"""Search bots are legal, repeatable and blind to hidden cards; they find what is plain; the solver is exact."""

import itertools
from pathlib import Path
from random import Random

import numpy as np
import pytest

import trick_envs
from tests.checkpoints import chance_checkpoint
from tests.games import CASES, DEFAULTS, Case
from tests.helpers import deal, play
from tests.playing import play_on, positions
from trick_envs import bots
from trick_envs.bots import budget, playouts, rewind_endgame, search, solver
from trick_envs.bots.budget import Budget


def hand_of(case: Case, seed: int) -> trick_envs.Table:
    """A table just dealt, from a deck that leads to what chance seldom does if the game knows one."""
    game, rng = case.game, Random(seed)
    decks = [case.under_test.stacked(game, 0, rng)] if case.under_test.stacked else None
    return game.table(seed, decks, dealer=0)


def in_batch(table: trick_envs.Table) -> trick_envs.Tables:
    """Tables of which row 1 is in the position of ``table``."""
    tables = table.game.tables(2, seed=5)
    tables.records[1] = table.records[0]
    tables._show_afresh()
    return tables


@pytest.mark.parametrize("case", CASES, ids=str)
def test_choices_are_legal_the_same_in_a_batch_and_blind_to_hidden_cards(case: Case) -> None:
    rng = Random(f"search {case}")
    table = hand_of(case, seed=rng.getrandbits(32))
    some = bots.make("search:3", case.game, seed=7), bots.make("ismcts:12", case.game, seed=7)
    for bot in itertools.cycle(some):
        action = bot.act(table.view(table.seat))
        if rng.random() < 0.25:
            assert bot.act_batch(in_batch(table), np.array([1])).tolist() == [action]
            assert bot.act(table.resample(table.seat, rng.getrandbits(32)).view(table.seat)) == action
        table.play(action)  # refused if it is not legal
        if table.over or table.hand_number > 0:
            break


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_choices_do_not_depend_on_threads(case: Case) -> None:
    table = hand_of(case, seed=3)
    tables = case.game.tables(5, seed=3)
    for method, fixed in ((search.SearchBot, Budget(rounds=40)), (search.IsmctsBot, Budget(rounds=100))):
        alone, shared = (method("search", case.game, fixed, 1, threads) for threads in (1, 3))
        assert alone.act(table.view(table.seat)) == shared.act(table.view(table.seat))
        assert alone.act_batch(tables).tolist() == shared.act_batch(tables).tolist()
        rows = np.array([4, 2])
        assert alone.act_batch(tables, rows).tolist() == shared.act_batch(tables)[rows].tolist()


def test_seeds_make_a_difference_and_only_they() -> None:
    game = trick_envs.make("hearts", pass_cards=0)
    tables = game.tables(30, seed=1)
    for name in ("search:2", "ismcts:20"):
        chosen = [bots.make(name, game, seed).act_batch(tables).tolist() for seed in (0, 0, 1)]
        tables.step(np.array(chosen[0]))
        chosen = [bots.make(name, game, seed).act_batch(tables).tolist() for seed in (0, 0, 1)]
        assert chosen[0] == chosen[1] != chosen[2]


def test_a_moon_is_settled() -> None:
    table = deal("2AKQJTC AKQS AKQJH", "3C", "4C", "5C")
    rules = bots.make("rules", table.game)
    while table.phase == "play":
        table.play(rules.act(table.view(table.seat)))
    assert table.phase == "moon"
    for name in ("search:4", "ismcts:8"):
        copy = table.copy()
        copy.play(bots.make(name, table.game).act(copy.view(copy.seat)))
        assert copy.hand_over


@pytest.mark.parametrize("name", ["search:32", "ismcts:800"])
def test_under_the_ace_the_queen_is_dropped(name: str) -> None:
    table = deal("2C AS AKH", "3C KQS 2345D", "4C QJH", "5C 5S TH")
    play(table, "2345C 5S AS")
    action = bots.make(name, table.game).act(table.view(table.seat))
    assert table.game.action_name(action) == "QS"


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_hand_is_worth_relative_points_and_the_place_it_leads_to(case: Case) -> None:
    for scheme in ("points", "placement"):
        game = trick_envs.make(case.game.name, **{**case.game.options, "rewards": scheme, "num_hands": 1})
        table = play_on(game.table(seed=2), Random(2))
        sides, seats = game.sides, range(game.num_players)
        gains = [case.under_test.better * score for score in table.scores]
        for seat in seats:
            others = [gains[other] for other in seats if sides[other] != sides[seat]]
            place = playouts.MATCH_WORTH * table.rewards[seat] if scheme == "placement" else 0
            expected = gains[seat] - sum(others) / len(others) + place
            assert playouts.worth(table._record, seat) == pytest.approx(expected, abs=1e-4)


def repeats(seats: int, seed: int, left: int) -> trick_envs.Table:
    """Round II of Rewind, played at random until so many tricks are left and the seat on turn has a choice."""
    game = trick_envs.make("rewind", num_players=seats)
    for table in positions(game.table(seed=seed), Random(seed)):
        cards = [len(hand) for hand in table.hands()]
        if table.round == 2 and max(cards) == left and len(table.legal_actions()) > 1:
            return table
    raise AssertionError("no such position")


def advantage(points: tuple[int, ...], seat: int) -> int:
    """Low points win: those of the others less one's own, for each of the others."""
    return sum(points) - len(points) * points[seat]


def brute_force(table: trick_envs.Table) -> tuple[tuple[int, ...], int]:
    """The costs of the hand by seat when each maximises its advantage, the lowest of equal actions; and the action."""
    best: tuple[tuple[int, ...], int] | None = None
    for action in table.legal_actions():
        after = table.copy()
        after.play(action)
        points = tuple(after.scores) if after.over else brute_force(after)[0]
        if best is None or advantage(points, table.seat) > advantage(best[0], table.seat):
            best = points, action
    assert best is not None
    return best


@pytest.mark.parametrize(("seats", "left"), [(3, 2), (3, 3), (4, 2), (4, 3)])
def test_the_solver_does_what_trying_everything_does(seats: int, left: int) -> None:
    rounds = 12 if left == 2 else 3
    for seed in range(rounds):
        table = repeats(seats, seed, left)
        bot = search.SearchBot("search", table.game, Budget(rounds=1))
        work = bot._solver()
        action = solver.solve(table.records, 0, work)
        assert (tuple(work.points[0].tolist()), action) == brute_force(table)
        assert bot.act(table.view(table.seat)) == action


def test_a_forgetful_solver_is_as_exact() -> None:
    """The table of positions is bounded: what is overwritten there is searched again."""
    table = repeats(4, 5, rewind_endgame.SOLVED_TRICKS)
    results = []
    for size in (solver.POSITIONS, 16, 1):
        room = search.SearchBot("search", table.game, Budget(rounds=1))._solver()
        small = room._replace(met=room.met[:size].copy(), met_points=room.met_points[:size].copy())
        results.append((solver.solve(table.records, 0, small), small.points[0].tolist()))
        nodes = small.nodes[0]
    assert results[0] == results[1] == results[2]
    assert nodes > solver.solve(table.records, 0, room)


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "1.5", "1e3", "x", "ms", "0ms", "50 ms", "50s", "٣", "1000001", "3600001ms", " 8"]
)
def test_a_budget_that_is_none_is_refused(text: str) -> None:
    game = trick_envs.make("rewind")
    for method in search.SEARCH_BOTS:
        with pytest.raises(ValueError, match=f"^bot '{method}:{text}': budget '{text}': a number of"):
            bots.make(f"{method}:{text}", game)


def test_names_and_budgets() -> None:
    game = trick_envs.make("setback")
    assert bots.make("search", game).budget == Budget(rounds=128)
    assert bots.make("ismcts", game).budget == Budget(rounds=1000)
    assert bots.make("search:50ms", game).budget == Budget(milliseconds=50)
    assert bots.make("ismcts:7", game).name == "ismcts:7"
    with pytest.raises(ValueError, match="no bot 'searching'"):
        bots.make("searching", game)
    table = game.table(seed=1)
    other = table.view((table.seat + 1) % 4)
    with pytest.raises(ValueError, match="not on turn"):
        bots.make("search:1", game).act(other)


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_guided_search_plays_what_its_policy_proposes(case: Case, tmp_path: Path) -> None:
    folder = chance_checkpoint(tmp_path / "policy", case.game)
    name = f"search:8:{folder}"
    guided, policy = bots.make(name, case.game), bots.make(folder, case.game)
    tables = case.game.tables(6, seed=4)
    deviations = 0
    for _ in range(24):
        actions = guided.act_batch(tables)
        logits = np.where(tables.action_mask, policy.network.logits(tables.observation), -np.inf)
        proposed = np.argsort(-logits, axis=1)[:, : search.MOST_GUIDED]
        hidden = (
            ~np.array([tables.table(row).round == 2 for row in range(6)])
            if case.game.name == "rewind"
            else np.full(6, True)
        )
        assert (proposed == actions[:, None]).any(axis=1)[hidden].all()
        assert tables.action_mask[np.arange(6), actions].all()
        deviations += (actions != proposed[:, 0]).sum()
        np.testing.assert_array_equal(actions, guided.act_batch(tables.resample(1)))
        tables.step(actions)
    assert deviations > 0


def test_a_guide_that_is_none_is_refused(tmp_path: Path) -> None:
    game = trick_envs.make("rewind")
    other = chance_checkpoint(tmp_path / "policy", trick_envs.make("setback"))
    for name, told in [
        (f"search:8:{tmp_path}", "is no checkpoint"),
        (f"search:8:{other}", "does not fit"),
        (f"ismcts:8:{other}", "not guided by a policy"),
        (f"search:x:{other}", "budget 'x'"),
    ]:
        with pytest.raises(ValueError, match=f"^bot '{name}': .*{told}"):
            bots.make(name, game)
    assert search.guide_of(f"search:8:{other}") == str(other)
    assert search.guide_of("search:8") is None
    assert search.guide_of(str(other)) is None


def test_a_clock_gives_rounds_until_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(budget.time, "perf_counter", lambda: now)
    clock, late = Budget(milliseconds=50).clock(), Budget(milliseconds=50).clock()
    assert clock.rounds_left(16) == 16
    now = 100.049
    assert clock.rounds_left(16) == 16
    now = 100.051
    assert clock.rounds_left(16) == 0
    assert late.rounds_left(16) == 16


def test_what_dropped_candidates_save_goes_to_the_others() -> None:
    clock = Budget(rounds=20).clock(price=6)
    assert [clock.rounds_left(16, price) for price in (6, 6, 2, 2)] == [16, 4, 0, 0]
    clock = Budget(rounds=20).clock(price=6)
    assert [clock.rounds_left(16, price) for price in (6, 2, 2)] == [16, 12, 0]


@pytest.mark.parametrize("name", ["search:1ms", "ismcts:1ms"])
def test_a_budget_of_time_is_played_with(name: str) -> None:
    game = trick_envs.make("rewind", num_players=3)
    table = game.table(seed=1)
    bot = bots.make(name, game)
    for _ in range(6):
        table.play(bot.act(table.view(table.seat)))
