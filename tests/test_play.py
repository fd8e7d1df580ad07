"""A person at the terminal."""

import json

import pytest

import trick_envs
from tests.games import DEFAULTS
from training.__main__ import main
from training.play import play_match
from trick_envs import bots

HAND = {"num_hands": 1, "pass_cards": 0}


def sitting(answers, **options):
    """A match played with these answers; the table and all that was told."""
    table = trick_envs.make("hearts", **options).table(seed=7, dealer=0)
    told: list[str] = []
    given = iter(answers)
    play_match(table, 0, bots.make("rules", table.game), lambda prompt: next(given), told.append)
    return table, "\n".join(told)


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_person_plays_a_hand_to_its_end(case):
    game = trick_envs.make(case.game.name, **{**case.game.options, "num_hands": 1})
    table = game.table(seed=7)
    told: list[str] = []

    def first_legal(prompt):
        return table.game.action_name(table.legal_actions()[0]).lower()

    play_match(table, 1, bots.make("random", table.game), first_legal, told.append)
    assert table.over
    assert sum(seat == 1 for _, seat, _ in table.history) > 1
    assert "the match is over" in told[-1]


def test_what_is_not_legal_is_refused_and_asked_again():
    table, told = sitting(["1X", "?", "q"], **HAND)
    assert "may not choose '1X'" in told
    assert "allowed: " in told
    assert not any(seat == 0 for _, seat, _ in table.history)


def test_only_the_own_cards_are_shown_and_no_passed_ones():
    table, told = sitting(["q"])
    own, *others = table.hands()
    lines = told.splitlines()
    assert all(any(card in line for line in lines if "seat 0" in line) for card in own)
    assert not any(card in told for hand in others for card in hand)
    assert "13 cards" in told


def test_the_command_plays_and_keeps_the_record(tmp_path, monkeypatch, capsys):
    answers = iter(["?", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    file = tmp_path / "match.json"
    assert main(["play", "hearts", "--seed", "7", "--record", str(file), "--option", "target=50"]) == 0
    assert trick_envs.replay(json.loads(file.read_text())).seed == 7


@pytest.mark.parametrize("arguments", [["--seat", "4"], ["--opponents", "nobody"], ["--option", "target=x"]])
def test_a_wrong_command_ends_in_one_line(arguments, capsys):
    assert main(["play", "hearts", *arguments]) == 2
    assert capsys.readouterr().err.startswith("error: ")
