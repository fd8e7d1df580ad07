"""The Rewind rule bot does the sound thing, legally, from its seat's view alone."""

import numpy as np
import pytest

import trick_envs
from tests.games import CASES
from tests.test_rewind_rules import EVEN, FIRST_ROUND, IN_ORDER, MIXED_UP_TO_THE_TIE, STRAIGHT, deal, play
from training.evaluation import evaluate, measuring_game
from trick_envs import bots
from trick_envs.bots import rewind

REWIND_CASES = [case for case in CASES if case.game.name == "rewind"]


def choice(table):
    """What the rule bot does for the seat on turn, by name."""
    return table.game.action_name(bots.make("rules", table.game).act(table.view(table.seat)))


# --- Round I: firsts cost two and are dear to repeat


def test_in_round_one_it_stays_under_the_winning_card():
    table = deal("5R", "9R", "2R", "3R 7R 13R")
    play(table, "5R 9R 2R")
    assert choice(table) in ("3R", "7R")


def test_in_round_one_it_wins_with_its_highest_card_when_it_has_to():
    table = deal("5R", "2R", "3R", "9R 13R 4C")
    play(table, "5R 2R 3R")
    assert choice(table) == "13R"


def test_in_round_one_it_does_not_trump():
    table = deal("5R", "2R", "3R", "1-4C 2-6F 10-13P")
    play(table, "5R 2R 3R")
    assert not choice(table).endswith("C")


def test_in_round_one_it_does_not_lead_its_top_trump():
    assert choice(deal("13C 2R 3R 7R 4F 5F 8F 9F 4P 5P 6P 7P 8P", "1-12C", "1R", "1F")) != "13C"


# --- Round II: all hands are known


def test_last_to_a_trick_it_plays_the_card_that_repeats_its_place():
    table = deal(*EVEN)
    play(table, f"{FIRST_ROUND} 1R 4R 3R")  # seat 2 was third; it may play 2R, 6R or 10R
    assert choice(table) == "2R"


def test_it_wins_with_a_card_that_nobody_can_beat():
    table = deal(*EVEN)
    play(table, f"{FIRST_ROUND} 1R")  # seat 0 was first; 12R is the highest that can come, then 11R
    assert choice(table) == "12R"


def test_it_loses_where_it_was_last():
    table = deal(*EVEN)
    play(table, f"{FIRST_ROUND} 9R 12R 11R 10R 4C 7C 2C")  # all were placed by their seats in the twelfth trick
    assert choice(table) == "1C"


def test_it_gives_its_place_up_to_spoil_those_of_all_others():
    table = deal(*EVEN)
    play(table, f"{FIRST_ROUND} 9R 12R 11R 10R 4C 3C 2C")
    assert choice(table) in ("5C", "9C")


# --- Ties


def test_of_a_tie_it_keeps_the_place_that_it_needs():
    table = deal(*EVEN)
    play(table, MIXED_UP_TO_THE_TIE)
    assert (table.phase, choice(table)) == ("tie", "place 0")


def test_of_a_tie_it_gives_away_places_so_that_others_miss_theirs():
    table = deal(*EVEN)
    play(table, STRAIGHT.plays.removesuffix(IN_ORDER))
    assert (table.phase, table.seat) == ("tie", 3)  # who needs the fourth place; seat 1 needs the second
    assert choice(table) == "place 3"
    table.play("place 3")
    assert choice(table) == "place 2"


# --- All options


@pytest.mark.parametrize("case", REWIND_CASES, ids=str)
def test_it_plays_legally_and_alike_compiled_and_plain(case):
    game = case.game
    rules, chance = bots.make("rules", game), bots.make("random", game, seed=1)
    table = game.table(seed=game.num_players)
    while not table.over and table.hand_number < 1:
        view = table.view(table.seat)
        action = rules.act(view)
        assert action in table.legal_actions()
        assert rewind.rules(view.record.view(np.recarray)[0]) == action
        table.play(action if table.seat % 2 else chance.act(view))


@pytest.mark.parametrize("removed_suit", ["photos", "records", "films"])
def test_it_takes_the_suit_that_nobody_has_for_the_one_left_out(removed_suit):
    table = trick_envs.make("rewind", num_players=3, removed_suit=removed_suit).table(seed=3)
    view = table.view(table.seat).record.view(np.recarray)[0]
    others = {int(card) for seat in range(3) if seat != table.seat for card in cards_of(table, seat)}
    assert rewind.unseen_cards(view) == sum(1 << card for card in others)


def cards_of(table, seat):
    return [table.game.action_id(name) for name in table.hands()[seat]]


# --- Strength


@pytest.mark.parametrize(
    ("num_players", "memory", "points"), [(3, "perfect", 3.5), (4, "perfect", 3.0), (4, "table", 1.0)]
)
def test_it_is_ahead_of_random_seats(num_players, memory, points):
    game = measuring_game(trick_envs.make("rewind", num_players=num_players, memory=memory))
    result = evaluate(game, bots.make("rules", game), bots.make("random", game), deals=1000, seed=11)
    assert result.low > points
