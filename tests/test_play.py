"""A person at the terminal."""

import json

import pytest

import trick_envs
from tests.games import DEFAULTS
from training.__main__ import main
from training.play import meant, play_match, told_game
from trick_envs import bots

HAND = {"num_hands": 1, "pass_cards": 0}


def sitting(answers, **options):
    """A match played with these answers; the table and all that was told."""
    table = told_game(trick_envs.make("hearts", **options)).table(seed=7, dealer=0)
    told: list[str] = []
    given = iter(answers)
    play_match(table, 0, bots.make("rules", table.game), lambda prompt: next(given), told.append)
    return table, "\n".join(told)


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_person_plays_a_hand_to_its_end(case):
    game = told_game(trick_envs.make(case.game.name, **{**case.game.options, "num_hands": 1}))
    table = game.table(seed=7)
    told: list[str] = []

    def first_legal(prompt):
        return table.game.action_name(table.legal_actions()[0]).lower()

    play_match(table, 1, bots.make("random", table.game), first_legal, told.append)
    assert table.over
    assert sum(seat == 1 for _, seat, _ in table.history) > 1
    assert "the match is over" in told[-1]
    everything = "\n".join(told)
    assert "seat 1 " not in everything.split("\n", 1)[1]  # only the first line says which seat "you" are
    assert all(f"seat {seat}" in everything for seat in range(table.game.num_players))
    hand_table = everything[everything.index("hand 1 is over") :].splitlines()
    assert [line.split()[-1] for line in hand_table[2 : 2 + table.game.num_players]] == [
        str(table.scores[(1 + place) % table.game.num_players]) for place in range(table.game.num_players)
    ]


def test_what_is_not_legal_is_refused_and_asked_again():
    table, told = sitting(["1X", "?", "q"], **HAND)
    assert "may not choose '1X'" in told
    assert "allowed: " in told
    assert not any(seat == 0 for _, seat, _ in table.history)


def by_rules(game_name, seed, seat, **options):
    """All that was told of a match in which the person plays as the rule bot would."""
    table = told_game(trick_envs.make(game_name, num_hands=1, **options)).table(seed=seed)
    bot = bots.make("rules", table.game)
    told: list[str] = []
    play_match(table, seat, bot, lambda prompt: table.game.action_name(bot.act(table.view(seat))), told.append)
    return table, "\n".join(told)


def test_a_trick_is_told_with_who_led_what_fell_and_who_took_it():
    table, told = by_rules("hearts", 7, 1, pass_cards=0)
    cards = [table.game.action_name(action) for _, _, action in table.history]
    tricks = [line for line in told.splitlines() if " takes the trick" in line or " take the trick" in line]
    assert len(tricks) == 13
    for number, line in enumerate(tricks):
        seats = [seat for _, seat, _ in table.history[4 * number : 4 * number + 4]]
        names = ["you" if seat == 1 else f"seat {seat}" for seat in seats]
        fell = cards[4 * number : 4 * number + 4]
        lead = f"{names[0]} {'lead' if names[0] == 'you' else 'leads'} {fell[0]}"
        followed = [f"{name} {card}" for name, card in zip(names[1:], fell[1:], strict=True)]
        assert line.startswith(", ".join([lead, *followed]) + ": ")
        if number < 12:
            taker = table.history[4 * number + 4][1]
            assert line.endswith("you take the trick" if taker == 1 else f"seat {taker} takes the trick")


def test_partners_bids_and_whether_the_bid_was_made_are_told():
    ends = set()
    for seed in range(12):
        table, told = by_rules("setback", seed, 1)
        assert "you are seat 1 of 0 to 3, partner of seat 3;" in told
        assert "(your partner)" in told
        pitcher = table.pitcher
        name = "you" if pitcher == 1 else f"seat {pitcher}"
        made = table.scores[pitcher] > 0
        ends.add(made)
        assert f"of {name} was {'made' if made else 'not made'}" in told
    assert ends == {True, False}


@pytest.mark.parametrize("moon", ["add", "subtract"])
def test_a_moon_is_told(moon):
    game = told_game(trick_envs.make("hearts", num_hands=1, pass_cards=0, moon=moon))
    clubs = [card for card in game.cards if card.endswith("C")]
    others = [card for card in game.cards if not card.endswith("C")]
    deck = [card for place in range(13) for card in (*others[3 * place : 3 * place + 3], clubs[place])]
    table = game.table(seed=7, dealer=0, decks=[deck])
    assert table.hands()[0] == clubs  # the last to be dealt to, who leads and takes everything
    told: list[str] = []
    bot = bots.make("random", game)
    play_match(table, 0, bot, lambda prompt: game.action_name(table.legal_actions()[0]), told.append)
    assert table.tricks_won[0] == 13
    assert "you shot the moon" in told
    assert "shot the moon" not in by_rules("hearts", 7, 1, pass_cards=0)[1]


def test_markers_recovered_are_told():
    table, told = by_rules("rewind", 7, 1, num_players=3)
    hand = told[told.index("hand 1 is over") :].splitlines()
    recovered = [int(line.split()[-3]) for line in hand[2:5]]
    assert recovered == [13 - sum(trick[seat] for trick in table.markers) for seat in (1, 2, 0)]


def test_bids_and_tricks_are_told():
    table, told = by_rules("rage_glyphs", 7, 1, hand_sizes=[5])
    hand = told[told.index("hand 1 is over") :].splitlines()
    assert hand[1].split() == ["bid", "tricks", "points", "score"]
    rows = [line.split()[-4:-2] for line in hand[2:6]]
    assert rows == [[str(table.bids[seat]), str(table.tricks_won[seat])] for seat in (1, 2, 3, 0)]


@pytest.mark.parametrize(
    ("answer", "legal", "action"),
    [
        ("qs", ["QS", "QH"], "QS"),
        ("10s", ["TS", "9S"], "TS"),
        ("10p", ["1P", "10P"], "10P"),
        ("BID  2", ["pass", "bid 2"], "bid 2"),
        ("2", ["bid 2", "bid 20"], "bid 2"),
        ("add", ["moon: subtract", "moon: add"], "moon: add"),
        ("0", ["a 0", "b 0"], "0"),
        ("10h", ["TS"], "10h"),
    ],
)
def test_an_answer_may_be_spelt_in_other_ways(answer, legal, action):
    assert meant(answer, legal) == action


def test_the_keys_and_a_card_one_holds_are_told_at_once():
    table, told = sitting(["q"], **HAND)
    first = told.splitlines()[1]
    assert "? shows what is allowed, q stops" in first
    assert any(f"such as {card};" in first for card in table.hands()[0])


@pytest.mark.parametrize(
    ("ending", "told"), [("q", "stopped"), (EOFError(), "end of input"), (KeyboardInterrupt(), "interrupted")]
)
def test_how_it_ended_is_told(ending, told):
    def leave(prompt):
        if isinstance(ending, str):
            return ending
        raise ending

    table = told_game(trick_envs.make("hearts", **HAND)).table(seed=7, dealer=0)
    lines: list[str] = []
    play_match(table, 0, bots.make("rules", table.game), leave, lines.append)
    assert f"{told} in hand 1" in lines[-1]
    assert "scores: you 0, seat 1 0" in lines[-1]


def test_only_the_own_cards_are_shown_and_no_passed_ones():
    table, told = sitting(["q"])
    own, *others = table.hands()
    lines = told.splitlines()
    assert all(any(card in line for line in lines if "you " in line) for card in own)
    assert not any(card in told for hand in others for card in hand)
    assert "13 cards" in told


def test_the_command_plays_and_keeps_the_record(tmp_path, monkeypatch, capsys):
    answers = iter(["?", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    file = tmp_path / "match.json"
    assert main(["play", "hearts", "--seed", "7", "--record", str(file), "--option", "target=50"]) == 0
    table = trick_envs.replay(json.loads(file.read_text()))
    assert table.seed == 7
    assert table.game == trick_envs.make("hearts", target=50)


@pytest.mark.parametrize("arguments", [["--seat", "4"], ["--opponents", "nobody"], ["--option", "target=x"]])
def test_a_wrong_command_ends_in_one_line(arguments, capsys):
    assert main(["play", "hearts", *arguments]) == 2
    assert capsys.readouterr().err.startswith("error: ")
