"""The policies that are shipped."""

import json

import pytest

import trick_envs
from training.evaluation import evaluate, measuring_game
from trick_envs import bots
from trick_envs.bots.policy import inputs_of, read_checkpoint

MEGABYTE = 1 << 20
SHIPPED = ["hearts", "rage_glyphs", "rewind", "setback"]


def shipped(pytestconfig):
    return sorted(folder for folder in (pytestconfig.rootpath / "checkpoints").iterdir() if folder.is_dir())


def test_each_is_named_after_its_game(pytestconfig):
    names = [folder.name for folder in shipped(pytestconfig)]
    assert names == SHIPPED
    for folder in shipped(pytestconfig):
        assert json.loads((folder / "policy.json").read_text())["game"] == folder.name


def test_each_is_small_and_has_a_card_that_says_how_it_was_made(pytestconfig):
    for folder in shipped(pytestconfig):
        assert sum(file.stat().st_size for file in folder.iterdir()) < 8 * MEGABYTE
        card = (folder / "README.md").read_text()
        for heading in ("## How it was trained", "## How strong it is", "## Limits"):
            assert heading in card
        assert f"checkpoints/{folder.name}" in card


@pytest.mark.parametrize("name", SHIPPED)
def test_each_plays_at_all_its_tables_and_beats_chance(pytestconfig, name):
    folder = pytestconfig.rootpath / "checkpoints" / name
    facts, _ = read_checkpoint(folder)
    for own in inputs_of(facts, folder).games:
        game = measuring_game(own)
        result = evaluate(game, bots.make(folder, game), bots.make("random", game), deals=100, seed=5)
        assert result.low > 0, game


def test_another_number_of_seats_is_refused_by_name(pytestconfig):
    with pytest.raises(ValueError, match="for 4 seats, does not fit"):
        bots.make(pytestconfig.rootpath / "checkpoints" / "rage_glyphs", trick_envs.make("rage_glyphs", num_players=3))


def test_another_game_is_refused_by_name(pytestconfig):
    with pytest.raises(ValueError, match="for 4, 3, 5, 6, 7 seats, does not fit"):
        bots.make(pytestconfig.rootpath / "checkpoints" / "hearts", trick_envs.make("rewind"))
