"""The Rage'n Glyphs rule bot does the sound thing, legally, from its seat's view alone."""

import numpy as np
import pytest

import trick_envs
from tests.games import CASES
from tests.test_rage_glyphs_rules import Deal, bid, deal, match, play
from training.evaluation import evaluate
from trick_envs import bots
from trick_envs.bots import rage_glyphs

RAGE_CASES = [case for case in CASES if case.game.name == "rage_glyphs"]


def choice(table):
    """What the rule bot does for the seat on turn, by name."""
    return table.game.action_name(bots.make("rules", table.game).act(table.view(table.seat)))


def number_bid(table):
    return int(choice(table).removeprefix("bid "))


TOP_TRUMPS = ["14M", "13M", "12M", "11M"]


@pytest.mark.parametrize("trumps", [1, 2, 3, 4])
def test_it_bids_at_least_its_top_trumps(trumps):
    hand = " ".join([*TOP_TRUMPS[:trumps], "2C", "3X", "1N", "4D"])
    table = match(Deal([hand, "", "", ""], "2M"))
    assert number_bid(table) >= trumps


def test_a_top_trump_alone_is_a_trick():
    assert number_bid(match(Deal(["14M", "2H", "3D", "4C"], "2M"))) == 1


def test_with_low_cards_only_it_bids_none():
    assert number_bid(match(Deal(["0H 1D 0C 2X", "", "", ""], "2M"))) == 0


def test_when_the_hook_forbids_one_with_the_top_trump_it_does_not_bid_none():
    table = match(Deal(["0H 1D 0C", "1H 2D 1C", "2H 0D 2C", "14M 0X 0N"], "2M"), hook=True)
    bid(table, "2 0 0")
    assert number_bid(table) == 2


def test_when_it_needs_every_trick_it_leads_the_highest_trump():
    table = deal("14M 9M 12H", "3H 4H 5H", "3D 4D 5D", "3C 4C 5C", pile="2M", bids="3 0 0 0")
    assert choice(table) == "14M"


def test_when_it_needs_none_it_throws_the_highest_card_that_loses():
    table = deal("13H 3C 4C", "14H 4D 5D", "12H 1H 6D", "10H 11H 0H", pile="2M", bids="1 1 0 0")
    play(table, "13H 14H 12H")
    assert choice(table) == "11H"


def test_when_it_needs_none_a_void_throws_its_danger():
    table = deal("13H 3C 4C", "2H 4D 5D", "3H 1H 6D", "14D 0C 1X", pile="2M", bids="1 1 1 0")
    play(table, "13H 2H 3H")
    assert choice(table) == "14D"


def test_last_to_a_trick_it_wins_the_one_it_needs():
    table = deal("9H 3C", "2H 4D", "3H 6D", "10H 0H", pile="2M", bids="1 0 0 1")
    play(table, "9H 2H 3H")
    assert choice(table) == "10H"


def test_it_trumps_for_the_trick_it_needs():
    table = deal("9H 3C", "2H 4D", "3H 6D", "0M 0X", pile="2M", bids="1 0 0 1")
    play(table, "9H 2H 3H")
    assert choice(table) == "0M"


def test_when_it_needs_none_a_joker_is_better_led_than_a_top_card():
    table = deal("14M J2", "3H 4H", "3D 4D", "3C 4C", pile="2M", bids="0 1 1 1")
    assert choice(table) == "J2"


def test_with_the_bid_missed_it_takes_what_it_can():
    table = deal("9H 3C 9N", "2H 4D 8N", "3H 6D 7N", "10H 0H 6N", pile="2M", bids="1 1 1 3")
    play(table, "3C 4D 6D 6N  9H 2H 3H")
    assert choice(table) == "10H"


@pytest.mark.parametrize("case", RAGE_CASES, ids=str)
def test_it_plays_legally_and_alike_compiled_and_plain(case):
    game = case.game
    rules, chance = bots.make("rules", game), bots.make("random", game, seed=1)
    table = game.table(seed=5)
    for _ in range(150):
        if table.over:
            break
        view = table.view(table.seat)
        action = rules.act(view)
        assert action in table.legal_actions()
        assert rage_glyphs.rules(view.record.view(np.recarray)[0]) == action
        table.play(action if table.seat % 2 else chance.act(view))


@pytest.mark.parametrize(("num_players", "points"), [(2, 0.8), (3, 1.5), (4, 2.0), (6, 2.0), (10, 2.0)])
def test_it_is_ahead_of_random_seats(num_players, points):
    game = trick_envs.make("rage_glyphs", num_players=num_players, hand_sizes=range(1, 7))
    result = evaluate(game, bots.make("rules", game), bots.make("random", game), deals=150, seed=11, match=True)
    assert result.low > points
