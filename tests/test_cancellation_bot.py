"""What the rule bot of Cancellation Hearts does in positions that a card player would not get wrong."""

import pytest

import trick_envs
from tests.helpers import play
from tests.test_cancellation_rules import deal
from training.evaluation import evaluate
from trick_envs import bots

DEALER = 5  # seat 0 leads


def chosen(table: trick_envs.Table) -> str:
    bot = bots.make("rules", table.game)
    return table.game.action_name(bot.act(table.view(table.seat)))


@pytest.mark.parametrize(
    ("hands", "lead", "wanted"),
    [
        (["5S", "6S", "QS", "7S", "8S", "KS 3S"], "5S 6S QS 7S 8S", "3S"),  # last, with the queen in the trick
        (["5D", "6D", "7D", "8D", "9D", "QS AH KC 2C 3C 4C"], "5D 6D 7D 8D 9D", "QS"),  # void in diamonds
        (["AS", "2S", "3S", "4S", "KS QS JS"], "AS 2S 3S 4S", "QS"),  # under the ace
        (["9C", "2C", "3C", "4C", "5C", "9C 6H 2H"], "9C 2C 3C 4C 5C", "9C"),  # beside its twin it cannot win
    ],
    ids=["duck", "throw the queen", "drop the queen", "cancel"],
)
def test_it_keeps_out_of_trouble(hands: list[str], lead: str, wanted: str) -> None:
    hands = hands + [""] * (6 - len(hands))
    table = deal(*hands, dealer=DEALER, pass_cards=0)
    play(table, lead)
    assert chosen(table) == wanted


def test_it_passes_the_queen_that_low_spades_do_not_guard() -> None:
    table = deal("QS KH 2C 3C 4C 5C 6D 7D", *[""] * 5, dealer=DEALER, pass_cards=1)
    assert chosen(table) == "QS"


@pytest.mark.parametrize("seats", [6, 8, 11])
def test_it_is_ahead_of_random_seats(seats: int) -> None:
    game = trick_envs.make("hearts", num_players=seats, variant="cancellation", first_pass=None)
    result = evaluate(game, bots.make("rules", game), bots.make("random", game), deals=60, seed=7)
    assert result.low > 2
