"""Exact NashConv: against brute force over strategies, and what must hold of any game."""

import json
from itertools import product

import pytest

import trick_envs
from tests.checkpoints import chance_checkpoint
from training.__main__ import main
from training.nashconv import (
    SEATS,
    SMALL_GAMES,
    SmallGame,
    Tree,
    best_response,
    nash_conv,
    strategy_of,
    uniform,
    values,
)

MEASURED = [("rage_glyphs", 1), ("rage_glyphs", 2), ("setback", 2)]


@pytest.fixture(scope="module")
def trees():
    """Small games and their trees, by name and cards."""
    small = {key: SMALL_GAMES[key[0]](key[1]) for key in MEASURED}
    return {key: (game, Tree.of(game)) for key, game in small.items()}


@pytest.fixture(scope="module")
def tiny():
    """A game of four deals: hands of one card, with all their bids."""
    small = SMALL_GAMES["rage_glyphs"](1)
    chosen = SmallGame(small.game, "four deals", tuple(small.roots[k] for k in (0, 6, 13, 20)))
    return chosen, Tree.of(chosen)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("name", ["random", "rules"])
def test_a_best_response_is_the_best_of_all_strategies(tiny, name, seat):
    small, tree = tiny
    strategy = strategy_of(tree, small.game, name)
    own = [known for known in tree.sets.values() if known.seat == seat and len(known.actions) > 1]
    assert 2 < len(own) < 12
    best = max(
        values(tree, {**strategy, **{id(known): pick for known, pick in zip(own, picks, strict=True)}})[seat]
        for picks in product(*([[1.0, 0.0], [0.0, 1.0]] for _ in own))
    )
    assert best_response(tree, strategy, seat) == pytest.approx(best)
    assert best > values(tree, strategy)[seat]


@pytest.mark.parametrize("key", MEASURED, ids=str)
@pytest.mark.parametrize("name", ["random", "rules"])
def test_what_holds_of_every_strategy(trees, key, name):
    small, tree = trees[key]
    strategy = strategy_of(tree, small.game, name)
    told = nash_conv(tree, strategy, name)
    assert sum(told.value) == pytest.approx(0)
    for seat in SEATS:
        assert told.best[seat] >= told.value[seat] - 1e-12
    assert told.total > 0
    if name == "random":
        assert strategy == uniform(tree)


@pytest.mark.parametrize("key", MEASURED, ids=str)
def test_a_seat_cannot_tell_the_positions_of_an_information_set_apart(trees, key):
    _, tree = trees[key]
    sets = tree.sets.values()
    assert max(len(known.nodes) for known in sets) > 1
    assert sum(len(known.nodes) for known in sets) == tree.nodes - tree.leaves
    for (seat, seen, _), known in tree.sets.items():
        assert known.seat == seat == known.table.seat
        assert seen[-1] == known.table.observe(seat)[0].tobytes()
        assert all(len(node.children) == len(known.actions) for node in known.nodes)


def test_answering_an_answer_gains_nothing_more(tiny):
    """The best response to a strategy is worth the same however the seat itself would have played."""
    small, tree = tiny
    strategy = uniform(tree)
    other = strategy_of(tree, small.game, "rules")
    for seat in SEATS:
        mixed = {id(known): (other if known.seat == seat else strategy)[id(known)] for known in tree.sets.values()}
        assert best_response(tree, mixed, seat) == pytest.approx(best_response(tree, strategy, seat))


def test_all_deals_are_there_and_lead_where_they_are_told():
    small = SMALL_GAMES["rage_glyphs"](2)
    hands = {tuple(map(tuple, map(sorted, root.hands()))) for root in small.roots}
    assert len(hands) == len(small.roots) == 21 * 10
    assert all(root.trump == "hearts" and root.phase == "bid" for root in small.roots)
    small = SMALL_GAMES["setback"](2)
    hands = {tuple(map(tuple, map(sorted, root.hands()))) for root in small.roots}
    assert len(hands) == len(small.roots) == 21 * 10
    assert all(root.trump == "spades" and root.tricks_won == [0, 4] and root.seat == 1 for root in small.roots)


@pytest.mark.parametrize("key", MEASURED, ids=str)
def test_the_page_tells_the_sizes_of_the_games(trees, key, pytestconfig):
    _, tree = trees[key]
    page = (pytestconfig.rootpath / "docs" / "evaluation.md").read_text(encoding="utf-8")
    (line,) = (line for line in page.splitlines() if line.startswith(f"| `{key[0]} --cards {key[1]}`"))
    assert f"| {len(tree.roots)} | {tree.nodes:,} | {tree.count(0):,} + {tree.count(1):,} |" in line


def test_the_command_tells_sizes_and_measures_a_checkpoint(tmp_path, capsys):
    game = trick_envs.make("rage_glyphs", num_players=2, hand_sizes=[1])
    policy = chance_checkpoint(tmp_path / "policy", game)
    file, page = tmp_path / "table.json", tmp_path / "table.html"
    arguments = ["nashconv", "rage_glyphs", "random", "rules", str(policy), "--cards", "1"]
    assert main([*arguments, "--json", str(file), "--html", str(page)]) == 0
    assert "NashConv" in capsys.readouterr().out
    content = json.loads(file.read_text())
    assert content["size"]["deals"] == 7 * 6
    assert [row["nash_conv"] > 0 for row in content["results"]] == [True] * 3
    assert len({row["nash_conv"] for row in content["results"]}) == 3
    before = file.read_bytes()
    assert main([*arguments, "--json", str(file), "--html", str(page)]) == 0
    assert file.read_bytes() == before
    assert "Timings" not in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rage_glyphs", "rules", "--cards", "4"], "cards=4: the small games of rage_glyphs have 1 to 3"),
        (["setback", "nobody"], "nobody"),
    ],
)
def test_a_wrong_command_ends_in_one_line(arguments, told, capsys):
    assert main(["nashconv", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
