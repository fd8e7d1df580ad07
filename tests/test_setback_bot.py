"""The Setback rule bot does the sound thing, legally, from its seat's view alone."""

from random import Random

import numpy as np
import pytest

import trick_envs
from tests.games import CASES, Case
from tests.helpers import play
from tests.playing import random_action
from tests.test_setback_rules import Deal, bid, match, pitch
from training.evaluation import deal_seeds, evaluate, measuring_game, play_out
from trick_envs import bots
from trick_envs.bots import setback
from trick_envs.games.table import PLAY

HANDS = 2
DEALS = 1000


def choice(table):
    """What the rule bot does for the seat on turn, by name."""
    return table.game.action_name(bots.make("rules", table.game).act(table.view(table.seat)))


def dealt(*hands, **options):
    """A table with these hands, seat 0 to bid first."""
    return match(Deal(hands, 0, 2, ""), **options)


# --- Bidding


@pytest.mark.parametrize("hand", ["KQJT9H KC", "KJ2H KQJS", "KQJT98H", "KQJT9H 2H"])
def test_without_an_ace_it_never_bids_the_most(hand):
    assert choice(dealt(hand, "", "", "")) != "smudge"


@pytest.mark.parametrize("hand", ["KQT3H KC 2D", "KJ2H KQJS", "Q98H QT8S", "J42H 942S"])
def test_without_an_ace_it_leaves_four_to_others(hand):
    assert choice(dealt(hand, "", "", "")) not in ("bid 4", "smudge")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_with_the_five_highest_trumps_and_an_ace_it_bids_smudge(seats):
    assert choice(dealt("AKQJTH AS", *[""] * (seats - 1))) == "smudge"


@pytest.mark.parametrize("height", ["2", "3"])
def test_the_dealer_takes_a_bid_over_at_its_height(height):
    table = dealt("", "9TC 89D 78S", "", "AKJ3H AS 5D")
    bid(table, f"{height} pass pass")
    assert choice(table) == f"bid {height}"


def test_a_bad_hand_passes_where_it_may():
    table = dealt("", "48C 49D 58S", "", "")
    bid(table, "3")
    assert choice(table) == "pass"


def test_the_dealer_who_must_bid_bids_two_with_a_bad_hand():
    table = dealt("", "", "", "48C 49D 58S")
    bid(table, "pass pass pass")
    assert choice(table) == "bid 2"


def test_it_leaves_a_bid_to_its_partner():
    table = dealt("", "AKTJH 23C", "", "Q92H 85C 6D")
    bid(table, "pass 3 pass")
    assert choice(table) == "pass"


def test_it_pitches_its_best_suit():
    table = pitch("AKJH 4S 49D", "", "", "")
    assert choice(table)[-1] == "H"


# --- Playing


def test_on_the_partners_ace_of_trumps_it_gives_the_lowest():
    table = pitch("AH 2S 2345D", "7H 23456C", "K3H 356S 7D", "9H 789TC 6D")
    play(table, "AH 7H")
    assert choice(table) == "3H"


def test_on_the_partners_ace_of_trumps_it_gives_the_jack():
    table = pitch("AH 2S 2345D", "7H 23456C", "KJH 356S 7D", "9H 789TC 6D")
    play(table, "AH 7H")
    assert choice(table) == "JH"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_left_with_the_highest_trump_and_a_low_one_it_leads_the_highest(seats):
    others = ["4H 23456C", "5H 2346D 7C", "6H 4567S 8C"][: seats - 1]
    table = pitch("AK3H AKQS", *others)
    play(table, " ".join(["AH", "4H", "5H", "6H"][:seats]))
    for spade in ("AS", "KS", "QS"):
        play(table, spade)
        for _ in range(seats - 1):
            table.play(next(action for action in table.legal_actions() if table.game.action_name(action)[-1] != "H"))
    assert choice(table) == "KH"


def test_against_the_pitcher_it_keeps_its_ten_from_him():
    table = pitch("AH A234S 2C", "K65S 7H 34C", "T2D 578C 3D")
    play(table, "AH 7H")
    assert choice(table) != "TD"


def test_against_the_pitcher_it_would_sooner_give_to_another():
    """The pitcher has the lead; the third to play has no card that wins and throws no ten on the pitcher's trick."""
    table = pitch("AH A234S 2C", "K65S 7H 34C", "T2D 578C 3D", partners=False)
    play(table, "AH 7H")
    assert choice(table)[0] != "T"


def test_against_the_pitcher_it_takes_his_jack():
    table = pitch("J8H 2C 3C 4C 5C", "QAH 2S 3S 4S 5S", "9H 2D 3D 4D 5D", "TH 6C 7C 8C 9C")
    play(table, "JH")
    assert choice(table) in ("QH", "AH")


def test_last_to_a_trick_that_it_can_win_it_wins_with_its_jack_of_trumps():
    table = pitch("AH 2C 3C 4C 5C 6C", "3H 2S 3S 4S 5S 6S", "4H 2D 3D 4D 5D 6D", "J5H 7C 7D 8D 9D")
    play(table, "AH 3H 4H 5H 2C 2S 2D")
    assert choice(table) == "JH"


# --- Everywhere


@pytest.mark.parametrize("case", [case for case in CASES if case.game.kind.name == "setback"], ids=str)
def test_it_plays_legally_and_alike_compiled_and_plain(case: Case):
    rules, rng = bots.make("rules", case.game), Random(1)
    for seed in range(4):
        table = case.game.table(seed=seed)
        while not table.over and table.hand_number < HANDS:
            view = table.view(table.seat)
            action = rules.act(view)
            assert action in table.legal_actions()
            assert setback.rules(view.record.view(np.recarray)[0]) == action
            if table.seat % 2 or view.record["phase"][0] != PLAY:
                table.play(action)
            else:
                table.play(random_action(table, rng))


@pytest.mark.parametrize(("seats", "partners", "points"), [(2, False, 3.0), (3, False, 2.0), (4, False, 1.5)])
def test_it_is_ahead_of_random_seats(seats, partners, points):
    game = measuring_game(trick_envs.make("setback", num_players=seats, partners=partners))
    result = evaluate(game, bots.make("rules", game), bots.make("random", game), deals=DEALS, seed=11)
    assert result.low > points


def test_two_partners_are_ahead_of_random_ones():
    game = measuring_game(trick_envs.make("setback"))
    lineup = [bots.make("rules", game), bots.make("random", game)]
    ahead = 0.0
    for place in range(2):
        holders = np.tile((np.arange(4) + place) % 2, (DEALS, 1))
        points, _ = play_out(game, lineup, holders, deal_seeds(11, DEALS))
        ahead += (points[:, place] - points[:, 1 - place]).mean() / 2
    assert ahead > 4.5
