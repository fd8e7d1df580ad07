"""Round robins: who meets whom, the cross-table, the league table and the command."""

import json
import os
import re
import signal

import numpy as np
import pytest

import trick_envs
from tests.checkpoints import chance_checkpoint
from training import jobs
from training.__main__ import main
from training.evaluation import measuring_game
from training.jobs import Store, Workers
from training.measurement import Plan
from training.tournament import LeagueStretch, Tournament, league_seatings, rate

HEARTS = measuring_game(trick_envs.make("hearts"))
SETBACK = measuring_game(trick_envs.make("setback"))


@pytest.fixture
def workers():
    with Workers(2) as workers:
        yield workers


@pytest.mark.parametrize(
    ("game", "count"), [(HEARTS, 2), (HEARTS, 3), (HEARTS, 4), (HEARTS, 7), (SETBACK, 2), (SETBACK, 3)]
)
def test_every_bot_that_plays_a_league_deal_sits_on_every_side(game, count):
    sides = len(set(game.sides))
    for deal in range(20):
        seated = league_seatings(game, count, 1, deal)
        assert seated.shape == (sides, game.num_players)
        for bot in np.unique(seated):
            held = (seated == bot).sum(axis=0)
            assert (held == held[0]).all()
        assert len(np.unique(seated)) == min(sides, count)
        counts = [(seated[0] == bot).sum() for bot in np.unique(seated)]
        assert max(counts) - min(counts) <= game.num_players // sides
        for seat, side in enumerate(game.sides):
            assert (seated[:, seat] == seated[:, game.sides.index(side)]).all()


def test_all_bots_get_their_turn_in_the_league():
    drawn = [league_seatings(HEARTS, 6, 1, deal)[0] for deal in range(60)]
    times = [sum(bot in line for line in drawn) for bot in range(6)]
    assert min(times) > 25


def test_ratings_follow_finishing_orders_and_are_those_of_openskill():
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    (first,), (second,), (third,) = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2.5, 2.5])
    league = rate(["a", "b", "c", "out"], np.array([[1, 2.5, 2.5, np.nan], [np.nan, np.nan, np.nan, 2]]))
    assert [league[name].mu for name in "abc"] == [first.mu, second.mu, third.mu]
    assert league["a"].mu > league["b"].mu == league["c"].mu
    assert league["b"].place == 2.5
    assert (league["a"].matches, league["out"].matches, league["out"].place) == (1, 1, 2)
    assert league["out"].mu == model.rating().mu


def test_a_league_of_one_bot_under_two_names_is_even():
    places = LeagueStretch(HEARTS, ("rules", "rules"), 3, 0, 30, "x").play()["places"]
    assert places.sum(axis=1) == pytest.approx(np.full(len(places), 5.0))
    assert places.mean(axis=0) == pytest.approx([2.5, 2.5])


def test_each_meets_each_both_ways_but_partners_once(workers):
    names = ("random", "rules", "third")
    assert len(Tournament(Plan(HEARTS, 10, 1, workers), names).pairs) == 6
    assert Tournament(Plan(SETBACK, 10, 1, workers), names).pairs == [
        ("random", "rules"),
        ("random", "third"),
        ("rules", "third"),
    ]


def test_the_cross_table_of_partners_is_its_own_mirror(workers):
    tournament = Tournament(Plan(SETBACK, 60, 1, workers), ("random", "rules"))
    rows, league = tournament.play(Store(None, {}))
    means = tournament.means(rows)
    assert means[0, 1] == -means[1, 0] < 0
    assert np.isnan(means.diagonal()).all()
    assert league["rules"].mu > league["random"].mu
    assert league["rules"].place < league["random"].place


# --- The command -----------------------------------------------------------------------------------------------

ARGUMENTS = ["tournament", "rage_glyphs", "random", "rules", "--option", "hand_sizes=[1,2]", "--deals", "50"]


def without_timings(folder):
    content = json.loads((folder / "report.json").read_text())
    for name in ("timings", "command"):
        assert content.pop(name)
    return content


def test_the_command_reports_all_and_goes_on_when_interrupted(tmp_path, monkeypatch, capsys):
    policy = chance_checkpoint(tmp_path / "policy", trick_envs.make("rage_glyphs", hand_sizes=[1, 2]))
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert main([*ARGUMENTS, "--out", str(whole)]) == 0
    monkeypatch.setattr(jobs, "ROWS", 80)
    save = Store.save

    def save_and_press_ctrl_c(self, key, arrays):
        save(self, key, arrays)
        os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", save_and_press_ctrl_c)
        patch.setattr("training.jobs.WAITING_SECONDS", 0.01)
        assert main([*ARGUMENTS, "--out", str(broken), "--processes", "1"]) == 130
    capsys.readouterr()
    assert main([*ARGUMENTS, "--out", str(broken)]) == 0
    assert without_timings(broken) == without_timings(whole)
    shown = capsys.readouterr().out
    for told in ("Cross-table", "League", "rating", "p (Holm)", "*"):
        assert told in shown
    page = (broken / "report.html").read_text()
    assert re.findall(r'<img alt="([^"]*)" src="data:image/png', page) == ["Cross-table"]
    assert not re.search(r"https?:|<script|<link|url\(", page)
    assert main([*ARGUMENTS[:4], str(policy), *ARGUMENTS[4:], "--out", str(broken)]) == 2
    assert "another measurement: bots is" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hearts", "rules"], "two or more"),
        (["hearts", "rules", "rules"], "two or more different"),
        (["hearts", "rules", "nobody"], "nobody"),
        (["whist", "rules", "random"], "whist"),
        (["hearts", "rules", "random", "--deals", "1"], "at least 2 deals"),
    ],
)
def test_a_wrong_command_ends_in_one_line(arguments, told, capsys):
    assert main(["tournament", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert told in error
    assert error.count("\n") == 1
