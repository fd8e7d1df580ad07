"""What bots of every kind refuse, and what can be asked for by name."""

import pytest

import trick_envs
from trick_envs import bots

NAMES = ("random", "rules", "search:2", "ismcts:4")


@pytest.mark.parametrize("name", NAMES)
def test_bots_refuse_what_they_were_not_made_for(name: str) -> None:
    game = trick_envs.make("hearts")
    table = game.table(seed=1)
    bot = bots.make(name, game)
    other, three = trick_envs.make("setback"), trick_envs.make("hearts", num_players=3)
    with pytest.raises(ValueError, match=r"a view, as table.view\(table.seat\)"):
        bot.act(table)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bot for hearts with 4 seats is asked about setback"):
        bot.act(other.table(seed=1).view(0))
    with pytest.raises(ValueError, match="asked about hearts with 3"):
        bot.act(three.table(seed=1).view(0))
    with pytest.raises(ValueError, match="not on turn"):
        bot.act(table.view((table.seat + 1) % 4))
    with pytest.raises(ValueError, match="asked about setback"):
        bot.act_batch(other.tables(2))
    with pytest.raises(ValueError, match=r"a batch of game.tables"):
        bot.act_batch(table)  # type: ignore[arg-type]


def test_compiled_bots_run_no_tables_of_another_game() -> None:
    tables = trick_envs.make("setback").tables(2)
    before = tables.save()
    with pytest.raises(ValueError, match="bot for hearts"):
        tables.run(bots.make("rules", trick_envs.make("hearts")), 1)
    assert tables.save() == before


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rule", "did you mean 'rules'"),
        ("serch:12", "did you mean 'search'"),
        ("xyz", "no bot 'xyz': random, rules, search, ismcts"),
        ("runs/none/checkpoint", "there is no folder 'runs/none/checkpoint'"),
    ],
)
def test_a_bot_that_there_is_not(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        bots.make(name, trick_envs.make("hearts"))


def test_cards_may_be_written_small() -> None:
    game = trick_envs.make("hearts", pass_cards=0)
    table = game.table(seed=7)
    table.play("2c")
    assert table.trick == [(table.history[0][1], "2C")]
    assert game.action_id("moon: ADD") == game.action_id("moon: add")
    with pytest.raises(trick_envs.IllegalAction, match="'XX', which is no card or action of hearts"):
        table.play("XX")


def test_environments_are_attributes_of_the_package() -> None:
    assert trick_envs.setback_v0.raw_env().game.name == "setback"
    with pytest.raises(AttributeError, match="chess_v0"):
        trick_envs.chess_v0  # noqa: B018


def test_views_and_layouts_print_what_they_hold() -> None:
    table = trick_envs.make("setback").table(seed=1)
    assert repr(table.view(0)).startswith("<view of setback: phase='bid', ")
    assert str(table.game.layout) == table.game.layout.markdown()
