"""The Hearts rule bot does the sound thing, legally, from its seat's view alone."""

import numpy as np
import pytest

import trick_envs
from tests.helpers import deal, play
from training.evaluation import evaluate, measuring_game
from trick_envs import bots
from trick_envs.bots import hearts
from trick_envs.games.hearts import MOON_ADD, MOON_SUBTRACT


def choice(table):
    """What the rule bot does for the seat on turn, by name."""
    return table.game.action_name(bots.make("rules", table.game).act(table.view(table.seat)))


def test_last_to_a_trick_with_the_queen_it_ducks():
    table = deal("2C TS AKH", "3C QS QJH", "4C 5KS 678D", "5C JS TH")
    play(table, "2345C JTQS")
    assert choice(table) != "KS"


def test_under_the_ace_it_drops_the_queen():
    table = deal("2C AS AKH", "3C KQS 2345D", "4C QJH", "5C 5S TH")
    play(table, "2345C 5S AS")
    assert choice(table) == "QS"


def test_it_takes_a_point_from_a_seat_that_has_every_point_so_far():
    table = deal("2C T789S 23467TQKH", "389JQC JQS 3458TQD", "46AC 2456S 679JKD JH", "57TKC 3KAS 2AD 589AH")
    play(table, "2345C AS TS QS 2S AD 2H 3D 6D TC 6H 8C")
    assert choice(table) == "AC"


def test_it_throws_the_queen_when_out_of_the_led_suit():
    table = deal("2C 9D AKH", "3C 8D QJH", "4C QS 56H 678TJQC 234S", "5C 3D 7S TH")
    play(table, "2345C 3D 9D 8D")
    assert choice(table) == "QS"


def test_on_the_first_trick_its_highest_club_is_free():
    table = deal("2C AKH", "3C QJH", "4C TH", "6AC 3469D 2358S 24H")
    play(table, "234C")
    assert choice(table) == "AC"


def test_last_to_a_trick_without_points_it_wins_with_a_high_card_but_not_with_the_queen():
    table = deal("2C 3S AKH", "3C 4S QJH", "4C QKS 358D 24H", "5C 2S TH")
    play(table, "2345C 2S 3S 4S")
    assert choice(table) == "KS"


def test_under_the_winning_card_it_sheds_the_highest():
    table = deal("2C KD AKH", "3C 5D QJH", "4C Q3D 358S 357H 789C", "5C 2D TH")
    play(table, "2345C 2D KD 5D")
    assert choice(table) == "QD"


def test_without_a_high_spade_it_leads_low_ones_to_draw_the_queen():
    table = deal("2C AH", "3C QS JTH", "4C", "9C 23S 8TJD 358H")
    play(table, "2349C")
    assert choice(table)[-1] == "S"


def test_it_does_not_lead_the_queen():
    table = deal("2C AKH", "3C QJH", "4C TH", "9C QKS 28D 467H")
    play(table, "2349C")
    assert choice(table) != "QS"


def test_it_passes_an_unguarded_queen_and_keeps_a_guarded_one():
    unguarded = deal("2C", "3C QS 2S", "4C", "5C", dealer=0, pass_cards=3)
    assert choice(unguarded) == "QS"
    guarded = deal("2C", "3TC Q2345S 68KD", "4C", "5C", dealer=0, pass_cards=3)
    picked = []
    for _ in range(3):
        picked.append(choice(guarded))
        guarded.play(picked[-1])
    assert "QS" not in picked


def test_with_every_top_card_it_shoots_the_moon():
    table = deal("2AKQJTC AKQS AKQJH", "3C", "4C", "5C")
    bot = bots.make("rules", table.game)
    while table.phase == "play":
        table.play(bot.act(table.view(table.seat)))
    assert (table.phase, table.seat) == ("moon", 0)


@pytest.mark.parametrize(
    ("scores", "chosen"),
    [
        ([0, 0, 0, 0], MOON_SUBTRACT),
        ([20, 80, 50, 50], MOON_ADD),  # ends the match, ahead of all
        ([90, 80, 50, 50], MOON_SUBTRACT),  # would end it behind
    ],
)
def test_a_moon_goes_where_it_serves_the_match(scores, chosen):
    game = trick_envs.make("hearts")
    view = game.table(seed=1).view(0).record.view(np.recarray)[0]
    view.scores[:4] = scores
    assert hearts.moon_choice(view, 26) == chosen


def test_in_omnibus_it_takes_the_jack():
    played = "2345C 3D JD 4D"
    hands = "2C JD", "3C 4D", "4C A2D", "5C 3D"
    plain, omnibus = deal(*hands), deal(*hands, omnibus=True)
    for table in (plain, omnibus):
        play(table, played)
    assert choice(omnibus) == "AD"


OPTIONS = [
    {},
    {"pass_cards": 4, "moon": "add"},
    {"pass_cards": 1, "omnibus": True},
    {"queen_breaks_hearts": False, "memory": "table"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("num_players", [3, 4, 5, 6, 7])
def test_it_plays_legally_and_alike_compiled_and_plain(num_players, options):
    game = trick_envs.make("hearts", num_players=num_players, target=30, **options)
    rules, chance = bots.make("rules", game), bots.make("random", game, seed=1)
    table = game.table(seed=num_players)
    while not table.over:
        view = table.view(table.seat)
        action = rules.act(view)
        assert action in table.legal_actions()
        assert hearts.rules(view.record.view(np.recarray)[0]) == action
        table.play(action if table.seat % 2 else chance.act(view))


@pytest.mark.parametrize(("num_players", "points"), [(3, 5.0), (4, 7.0), (5, 4.0), (6, 3.0), (7, 2.0)])
def test_it_is_ahead_of_random_seats(num_players, points):
    game = measuring_game(trick_envs.make("hearts", num_players=num_players))
    result = evaluate(game, bots.make("rules", game), bots.make("random", game), deals=1000, seed=11)
    assert result.low > points
