"""Hearts from the count of a hand to the end of the match; rewards; options and decks that are refused."""

import re

import pytest

import trick_envs
from tests.helpers import (
    ALL_BUT_ONE,
    HALVES,
    MOON,
    PACK,
    SPREAD,
    SUITS,
    SURE_MOON,
    deal,
    hearts_pack,
    last_five_tricks,
    match,
    play,
    play_out,
    turned,
)

MATCH_LONG = {"target": 100_000}


def played(*deals, **options):
    """A table at which these deals have been played card by card, every moon added to the others."""
    table = match([one.hands for one in deals], **options)
    for one in deals:
        play(table, one.cards)
        if table.phase == "moon":
            table.play("moon: add")
    return table


def ended(table):
    return table.phase == "over"


# ---- counting a hand


def test_a_heart_counts_one_and_the_queen_thirteen():
    assert played(SPREAD).scores == [11, 13, 2, 0]


def test_all_hearts_without_the_queen_are_no_moon():
    table = played(HALVES)
    assert table.scores == [13, 13, 0, 0]
    assert table.hand_number == 1


def test_all_points_but_one_heart_are_no_moon():
    table = played(ALL_BUT_ONE)
    assert table.scores == [25, 1, 0, 0]
    assert table.hand_number == 1


def test_points_go_to_who_takes_them_not_to_who_plays_them():
    table = played(turned(SPREAD, 1))
    assert table.scores == [0, 11, 13, 2]


def test_scores_add_up_over_the_hands():
    assert played(SPREAD, turned(HALVES, 1), ALL_BUT_ONE).scores == [11 + 0 + 25, 13 + 13 + 1, 2 + 13, 0]


def test_a_hand_is_counted_when_its_last_card_is_played():
    table = match([SPREAD.hands])
    for action in SPREAD.cards.split()[:-1]:
        table.play(action)
        assert (table.scores, table.hand_number) == ([0, 0, 0, 0], 0)
    table.play(SPREAD.cards.split()[-1])
    assert (table.scores, table.hand_number) == ([11, 13, 2, 0], 1)


# ---- the moon


def shoot(*before, **options):
    """A table on which seat 1 has just taken all hearts and the queen, though not every trick."""
    table = match([one.hands for one in [*before, MOON]], **options)
    for one in [*before, MOON]:
        play(table, one.cards)
    return table


def test_the_moon_is_asked_for_as_an_action_of_its_own():
    table = shoot()
    assert (table.phase, table.seat, table.hand_number) == ("moon", 1, 0)
    assert table.legal_actions() == [52, 53]
    assert table.scores == [0, 0, 0, 0]
    assert table.trick == []
    assert table.tricks_won == [8, 5, 0, 0]


@pytest.mark.parametrize(("choice", "scores"), [("moon: add", [26, 0, 26, 26]), ("moon: subtract", [0, -26, 0, 0])])
def test_the_moon_chosen(choice, scores):
    table = shoot()
    table.play(choice)
    assert table.scores == scores
    assert (table.phase, table.hand_number, table.dealer) == ("play", 1, 0)


@pytest.mark.parametrize(("moon", "scores"), [("add", [26, 0, 26, 26]), ("subtract", [0, -26, 0, 0])])
def test_the_moon_is_not_asked_for_where_the_option_settles_it(moon, scores):
    table = shoot(moon=moon)
    assert table.scores == scores
    assert (table.phase, table.hand_number) == ("play", 1)


@pytest.mark.parametrize(("action", "scores"), [(53, [65, 39, 65, 65]), (52, [39, 13, 39, 39])])
def test_worked_example_moon_with_all_seats_level(action, scores):
    # The page's 40 all round would take ten omnibus hands; 39 all round comes of six plain ones.
    table = shoot(*[HALVES, turned(HALVES, 2)] * 3)
    assert table.scores == [39, 39, 39, 39]
    table.play(action)
    assert table.scores == scores


def test_whoever_shoots_is_asked():
    for places in range(4):
        table = match([turned(MOON, places).hands])
        play(table, MOON.cards)
        shooter = (1 + places) % 4
        assert (table.phase, table.seat) == ("moon", shooter)
        table.play("moon: subtract")
        assert table.scores == [-26 if seat == shooter else 0 for seat in range(4)]


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
@pytest.mark.parametrize(("choice", "own", "others"), [("moon: add", 0, 26), ("moon: subtract", -26, 0)])
def test_the_moon_at_every_seat_count(seats, choice, own, others):
    table = deal(*SURE_MOON[seats])
    play_out(table)
    assert (table.phase, table.seat) == ("moon", 1)
    table.play(choice)
    assert table.scores == [others, own] + [others] * (seats - 2)


def test_points_on_the_first_trick_count_towards_the_moon():
    table = deal(*SUITS)
    play(table, "2C 2D 2S 2H")
    play_out(table)
    assert (table.phase, table.seat) == ("moon", 0)


def test_scores_can_fall_below_zero():
    table = shoot(turned(MOON, 1), moon="subtract")
    assert table.scores == [0, -26, -26, 0]
    assert not ended(table)


# ---- omnibus


def test_jack_of_diamonds_counts_nothing_by_default():
    assert played(SPREAD, omnibus=False).scores == played(SPREAD).scores == [11, 13, 2, 0]


def test_omnibus_takes_ten_off_for_the_jack_of_diamonds():
    assert played(SPREAD, omnibus=True).scores == [1, 13, 2, 0]


def test_omnibus_jack_brings_a_seat_without_points_below_zero():
    one = last_five_tricks(
        ["5D 47S 23H", "AKS JKAH", "QS 4567H", "8S 89TQH"],
        "7S AS QS 8S  KS 4H 8H 4S  AH 5H 9H 2H  KH 6H TH 3H  JH 7H QH 5D",
    )
    assert played(one).scores == [0, 23, 0, 3]
    assert played(one, omnibus=True).scores == [-10, 23, 0, 3]


@pytest.mark.parametrize(("choice", "scores"), [("moon: add", [16, 0, 26, 26]), ("moon: subtract", [-10, -26, 0, 0])])
def test_omnibus_jack_counts_in_a_moon_hand_and_is_not_needed_for_it(choice, scores):
    table = shoot(omnibus=True)
    assert table.phase == "moon"
    table.play(choice)
    assert table.scores == scores


@pytest.mark.parametrize(("moon", "scores"), [("add", [26, -10, 26, 26]), ("subtract", [0, -36, 0, 0])])
def test_omnibus_jack_taken_by_who_shoots_the_moon(moon, scores):
    table = deal(*SURE_MOON[4], omnibus=True, moon=moon)
    assert "JD" in table.hands()[0]
    play_out(table)
    assert table.scores == scores


@pytest.mark.parametrize("omnibus", [False, True])
def test_all_points_but_one_are_no_moon_with_omnibus_either(omnibus):
    assert played(ALL_BUT_ONE, omnibus=omnibus).scores == [15 if omnibus else 25, 1, 0, 0]


# ---- the end of the match


def assert_over(table, winners, hand_number, truncated=False):
    assert (table.phase, table.seat, table.legal_actions()) == ("over", -1, [])
    assert table.winners == winners
    assert table.hand_number == hand_number
    assert table.truncated is truncated
    assert table.trick == []


@pytest.mark.parametrize("target", [1, 24, 25])
def test_the_match_ends_when_a_score_reaches_the_target(target):
    assert_over(played(ALL_BUT_ONE, target=target), winners=[2, 3], hand_number=0)


def test_the_match_goes_on_below_the_target():
    table = played(ALL_BUT_ONE, target=26)
    assert not ended(table)
    assert (table.hand_number, table.winners, table.truncated) == (1, [], False)


def test_the_match_does_not_end_in_mid_hand():
    table = match([SPREAD.hands], target=1)
    play(table, " ".join(SPREAD.cards.split()[:-1]))
    assert not ended(table)
    assert table.winners == []


def test_target_is_100_by_default():
    rises = [turned(MOON, 3)] * 4  # seat 0 shoots every time: 0 26 26 26, ...
    assert not ended(played(*rises[:3]))
    table = played(*rises)
    assert table.scores == [0, 104, 104, 104]
    assert_over(table, winners=[0], hand_number=3)


def test_worked_example_lowest_wins_alone_among_three_over_the_target():
    hands = [turned(MOON, 2)] * 3 + [HALVES]  # seat 3 shoots three times
    table = played(*hands)
    assert table.scores == [91, 91, 78, 0]
    assert not ended(table)
    table = played(*hands, SPREAD)
    assert table.scores == [102, 104, 80, 0]
    assert_over(table, winners=[3], hand_number=4)


def test_worked_example_equal_lowest_scores_share_the_win():
    table = played(*[MOON, turned(MOON, 1)] * 2)  # seats 1 and 2 shoot twice each
    assert table.scores == [104, 52, 52, 104]
    assert_over(table, winners=[1, 2], hand_number=3)


def test_three_may_share_the_win():
    table = played(MOON, turned(MOON, 1), turned(MOON, 2), target=78)
    assert table.scores == [78, 52, 52, 52]
    assert_over(table, winners=[1, 2, 3], hand_number=2)


def test_lowest_below_zero_wins():
    table = shoot(turned(MOON, 2), moon="subtract", num_hands=2)
    assert table.scores == [0, -26, 0, -26]
    assert_over(table, winners=[1, 3], hand_number=1)


def test_all_may_share_the_win():
    table = played(HALVES, turned(HALVES, 2), num_hands=2)
    assert table.scores == [13, 13, 13, 13]
    assert_over(table, winners=[0, 1, 2, 3], hand_number=1)


def test_the_match_may_end_with_a_moon_added():
    table = shoot(target=26)
    table.play("moon: add")
    assert_over(table, winners=[1], hand_number=0)


def test_a_moon_subtracted_keeps_the_match_going():
    table = shoot(target=26)
    table.play("moon: subtract")
    assert not ended(table)
    assert (table.phase, table.hand_number) == ("play", 1)


def test_a_moon_subtracted_can_turn_the_match():
    table = shoot(SPREAD, num_hands=2)  # 11 13 2 0 before
    table.play("moon: subtract")
    assert table.scores == [11, -13, 2, 0]
    assert_over(table, winners=[1], hand_number=1)


def test_num_hands_ends_the_match():
    assert not ended(played(SPREAD, num_hands=2))
    table = played(SPREAD, turned(SPREAD, 1), num_hands=2)
    assert table.scores == [11, 24, 15, 2]
    assert_over(table, winners=[3], hand_number=1)


def test_target_may_end_the_match_before_num_hands():
    assert_over(played(SPREAD, num_hands=5, target=13), winners=[3], hand_number=0)


def test_num_hands_waits_for_the_moon_choice():
    table = shoot(num_hands=1)
    assert table.phase == "moon"
    assert (table.winners, table.truncated) == ([], False)
    table.play("moon: add")
    assert_over(table, winners=[1], hand_number=0)


def test_max_hands_truncates_as_the_scores_stand():
    assert not ended(played(SPREAD, max_hands=2))
    table = played(SPREAD, turned(SPREAD, 1), max_hands=2)
    assert table.scores == [11, 24, 15, 2]
    assert_over(table, winners=[3], hand_number=1, truncated=True)


def test_max_hands_before_num_hands_truncates():
    assert_over(played(SPREAD, num_hands=2, max_hands=1), winners=[3], hand_number=0, truncated=True)


def test_target_in_the_hand_that_reaches_max_hands_terminates():
    assert_over(played(SPREAD, target=13, max_hands=1), winners=[3], hand_number=0, truncated=False)
    assert_over(played(SPREAD, target=14, max_hands=1), winners=[3], hand_number=0, truncated=True)


def test_num_hands_in_the_hand_that_reaches_max_hands_terminates():
    assert_over(played(SPREAD, num_hands=1, max_hands=1), winners=[3], hand_number=0, truncated=False)


def test_max_hands_waits_for_the_moon_choice():
    table = shoot(max_hands=1)
    assert (table.phase, table.truncated) == ("moon", False)
    table.play("moon: subtract")
    assert_over(table, winners=[1], hand_number=0, truncated=True)


def test_max_hands_is_100_by_default():
    table = trick_envs.make("hearts", pass_cards=0, moon="add", **MATCH_LONG).table(seed=1)
    for hand in range(100):
        assert (table.hand_number, ended(table)) == (hand, False)
        play_out(table)
    assert table.truncated is True
    assert (table.seat, table.hand_number) == (-1, 99)


def test_max_hands_none_sets_no_cap():
    table = trick_envs.make("hearts", pass_cards=0, moon="add", max_hands=None, num_hands=102, **MATCH_LONG).table(
        seed=1
    )
    for hand in range(102):
        assert (table.hand_number, ended(table)) == (hand, False)
        play_out(table)
    assert (table.phase, table.truncated, table.hand_number) == ("over", False, 101)


def test_the_board_stays_after_the_end():
    table = played(SPREAD, num_hands=1)
    assert table.dealer == 3
    assert table.hands() == [[], [], [], []]
    assert sum(table.tricks_won) == 13
    assert table.broken is True


@pytest.mark.parametrize("seats", [3, 5, 6, 7])
def test_lowest_wins_at_every_seat_count(seats):
    table = deal(*SURE_MOON[seats], moon="add", target=26)
    play_out(table)
    assert_over(table, winners=[1], hand_number=0)


# ---- rewards


def rewards(table):
    return pytest.approx(list(table.rewards))


def test_rewards_are_zero_until_the_hand_is_settled():
    table = match([SPREAD.hands, SPREAD.hands])
    assert rewards(table) == [0, 0, 0, 0]
    for card in SPREAD.cards.split()[:-1]:
        table.play(card)
        assert rewards(table) == [0, 0, 0, 0]
    table.play(SPREAD.cards.split()[-1])
    assert rewards(table) == [-11, -13, -2, 0]
    table.play(table.legal_actions()[0])
    assert rewards(table) == [0, 0, 0, 0]


def test_points_are_the_change_of_the_score():
    assert rewards(played(SPREAD, turned(SPREAD, 1))) == [0, -11, -13, -2]


@pytest.mark.parametrize(("choice", "expected"), [("moon: add", [-26, 0, -26, -26]), ("moon: subtract", [0, 26, 0, 0])])
def test_points_of_a_moon_come_with_the_choice(choice, expected):
    table = shoot()
    assert rewards(table) == [0, 0, 0, 0]
    table.play(choice)
    assert rewards(table) == expected


def test_points_of_the_jack_of_diamonds_are_a_gain():
    assert rewards(played(SPREAD, omnibus=True)) == [-1, -13, -2, 0]


@pytest.mark.parametrize("end", [{}, {"num_hands": 1}, {"max_hands": 1}, {"target": 13}])
def test_points_are_given_however_the_hand_ends_the_match(end):
    assert rewards(played(SPREAD, **end)) == [-11, -13, -2, 0]


def test_relative_is_own_points_less_the_mean_of_the_others():
    expected = [-11 + 15 / 3, -13 + 13 / 3, -2 + 24 / 3, 26 / 3]
    assert rewards(played(SPREAD, rewards="relative")) == expected
    assert sum(expected) == pytest.approx(0)


def test_relative_is_of_the_hand_not_of_the_match():
    table = played(HALVES, SPREAD, rewards="relative")
    assert rewards(table) == [-11 + 15 / 3, -13 + 13 / 3, -2 + 24 / 3, 26 / 3]


@pytest.mark.parametrize(
    ("seats", "expected"),
    [(3, [-13, 26, -13]), (5, [-6.5, 26, -6.5, -6.5, -6.5]), (7, [-26 / 6, 26] + [-26 / 6] * 5)],
)
def test_relative_moon_at_other_seat_counts(seats, expected):
    table = deal(*SURE_MOON[seats], rewards="relative")
    play_out(table)
    assert rewards(table) == [0] * seats
    table.play("moon: subtract")
    assert rewards(table) == expected


def test_placement_comes_only_at_the_end():
    table = match([SPREAD.hands, turned(SPREAD, 1).hands], rewards="placement", num_hands=2)
    cards = SPREAD.cards.split()
    for card in [*cards, *cards[:-1]]:
        table.play(card)
        assert rewards(table) == [0, 0, 0, 0]
    table.play(cards[-1])
    assert table.scores == [11, 24, 15, 2]
    assert rewards(table) == [
        1 / 3,
        -1,
        -1 / 3,
        1,
    ]  # of the match: of the last hand it would be 1 -1/3 -1 1/3


@pytest.mark.parametrize(
    ("deals", "scores", "expected"),
    [
        ([SPREAD], [11, 13, 2, 0], [-1 / 3, -1, 1 / 3, 1]),
        ([HALVES], [13, 13, 0, 0], [-2 / 3, -2 / 3, 2 / 3, 2 / 3]),
        ([ALL_BUT_ONE], [25, 1, 0, 0], [-1, -1 / 3, 2 / 3, 2 / 3]),
        ([MOON], [26, 0, 26, 26], [-1 / 3, 1, -1 / 3, -1 / 3]),
        ([HALVES, turned(HALVES, 2)], [13, 13, 13, 13], [0, 0, 0, 0]),
        ([HALVES, turned(HALVES, 1)], [13, 26, 13, 0], [0, -1, 0, 1]),
    ],
)
@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
def test_placement_shares_ties(deals, scores, expected, end):
    table = played(*deals, rewards="placement", **{end: len(deals)})
    assert table.scores == scores
    assert table.truncated is (end == "max_hands")
    assert rewards(table) == expected


def test_placement_waits_for_the_moon_choice():
    table = shoot(rewards="placement", num_hands=1)
    assert rewards(table) == [0, 0, 0, 0]
    table.play("moon: subtract")
    assert rewards(table) == [-1 / 3, 1, -1 / 3, -1 / 3]


@pytest.mark.parametrize("seats", [3, 5, 6, 7])
def test_placement_at_other_seat_counts(seats):
    table = deal(*SURE_MOON[seats], moon="add", target=26, rewards="placement")
    play_out(table)
    assert rewards(table) == [1 if seat == 1 else -1 / (seats - 1) for seat in range(seats)]


# ---- options


def test_options_tell_every_default():
    options = trick_envs.make("hearts").options
    defaults = {
        "target": 100,
        "pass_cards": 3,
        "first_pass": 0,
        "moon": "choose",
        "queen_breaks_hearts": True,
        "omnibus": False,
        "num_hands": None,
        "max_hands": 100,
        "variant": "standard",
        "first_dealer": None,
        "rewards": "points",
        "observation": "features",
        "memory": "perfect",
    }
    assert {name: options[name] for name in defaults} == defaults


def test_options_tell_what_was_given():
    given = {
        "target": 50,
        "pass_cards": 4,
        "first_pass": None,
        "moon": "add",
        "omnibus": True,
        "num_hands": 7,
    }
    options = trick_envs.make("hearts", num_players=5, **given).options
    assert {name: options[name] for name in given} == given


def refused(**options):
    with pytest.raises(ValueError, match="|".join(options)) as error:
        trick_envs.make("hearts", **options)
    return str(error.value)


def test_unknown_option_is_refused():
    message = refused(pas_cards=3)
    for part in ["pas_cards", "3", "pass_cards"]:  # the option, the value, what there is instead
        assert part in message


@pytest.mark.parametrize("seats", [0, 1, 2, 8, 12, -4])
def test_seat_count_that_hearts_does_not_have_is_refused(seats):
    message = refused(num_players=seats)
    for part in ["num_players", str(seats), "3", "7"]:
        assert re.search(rf"(?<!\w){part}(?!\w)", message), message


@pytest.mark.parametrize(
    ("option", "values", "allowed"),
    [
        ("num_players", ["4", 4.0, None, True], ["3", "7"]),
        ("target", [0, -100, "100", 99.5, None, True], ["1"]),
        ("pass_cards", [5, -1, "3", 2.0, None], ["0", "4"]),
        ("first_pass", [-1, "left", 1.5], ["0", "None"]),
        ("moon", ["ask", "ADD", 52, None], ["choose", "add", "subtract"]),
        ("queen_breaks_hearts", ["yes", 1, None], ["bool(ean)?|True or False"]),
        ("omnibus", ["JD", 0, None], ["bool(ean)?|True or False"]),
        ("num_hands", [0, -1, 2.5, "7"], ["1", "None"]),
        ("max_hands", [0, -1, 2.5, "99"], ["1", "None"]),
        ("variant", ["omnibus", 1, None], ["standard"]),
        ("first_dealer", [4, -1, "2", 1.5], ["0", "3", "None"]),
        ("rewards", ["score", 1, None], ["points", "relative", "placement"]),
        ("observation", ["pixels", None], ["features"]),
        ("memory", ["none", None], ["perfect", "table"]),
    ],
)
def test_option_of_wrong_kind_or_range_is_refused_with_the_values_allowed(option, values, allowed):
    for value in values:
        message = refused(**{option: value})
        assert option in message
        assert repr(value) in message
        rest = message.replace(repr(value), "", 1)
        for part in allowed:
            assert re.search(rf"\b({part})\b", rest), message


def test_first_dealer_goes_with_the_seat_count():
    assert trick_envs.make("hearts", num_players=7, first_dealer=6).table(seed=0).dealer == 6
    message = refused(num_players=3, first_dealer=3)
    assert "first_dealer" in message


@pytest.mark.parametrize("target", [1, 50, 1000])
@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_any_positive_target_is_taken(seats, target):
    table = trick_envs.make("hearts", num_players=seats, target=target, pass_cards=0, moon="add").table(seed=2)
    while not ended(table):
        assert max(table.scores) < target
        play_out(table)
    assert max(table.scores) >= target or table.truncated
    assert table.winners == [seat for seat in range(seats) if table.scores[seat] == min(table.scores)]


# ---- decks and dealers that are refused


def refused_deck(*decks, seats=4):
    game = trick_envs.make("hearts", num_players=seats)
    with pytest.raises(ValueError, match=r".") as error:
        game.table(seed=0, decks=list(decks))
    return str(error.value)


@pytest.mark.parametrize("wrong", ["1C", "10C", "2X", "", "JOKER", "2c"])
def test_deck_with_a_card_that_does_not_exist_is_refused(wrong):
    assert repr(wrong)[1:-1] in refused_deck([wrong, *PACK[1:]])


def test_deck_with_a_missing_card_is_refused():
    assert "QS" in refused_deck([card for card in PACK if card != "QS"])


def test_deck_with_a_double_card_is_refused():
    assert "KC" in refused_deck([*PACK, "KC"])


def test_deck_with_one_card_twice_in_place_of_another_is_refused():
    message = refused_deck(["KC" if card == "QS" else card for card in PACK])
    assert "KC" in message or "QS" in message


@pytest.mark.parametrize(("seats", "removed"), [(3, "2D"), (5, "2C"), (6, "4C"), (7, "3C")])
def test_deck_with_a_removed_card_is_refused(seats, removed):
    assert removed in refused_deck([*hearts_pack(seats), removed], seats=seats)


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_deck_of_the_whole_pack_is_taken(seats):
    game = trick_envs.make("hearts", num_players=seats)
    assert game.table(seed=0, decks=[hearts_pack(seats)]).hand_number == 0


def test_later_decks_are_looked_at_beforehand_too():
    assert "AH" in refused_deck(PACK, PACK[:-1])


@pytest.mark.parametrize("dealer", [4, -1, "0"])
def test_dealer_that_is_no_seat_is_refused(dealer):
    with pytest.raises(ValueError, match=re.escape(str(dealer))):
        trick_envs.make("hearts").table(seed=0, dealer=dealer)


@pytest.mark.parametrize("dealer", range(4))
def test_dealer_of_the_first_hand_may_be_given(dealer):
    table = trick_envs.make("hearts", pass_cards=0, **MATCH_LONG).table(seed=0, dealer=dealer)
    assert table.dealer == dealer
    while table.hand_number == 0:
        table.play(table.legal_actions()[0])
    assert table.dealer == (dealer + 1) % 4
