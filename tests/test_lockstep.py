"""Engine and oracle play the same matches: a sample of the long run, ``python -m tests.long_oracle``."""

from random import Random

import pytest

from tests.games import CASES, GAMES, Case, UnderTest
from tests.lockstep import Difference, Lockstep, play_hands, play_match

HANDS = 250

WITH_ORACLE = [game for game in GAMES if game.oracle]


@pytest.mark.parametrize(
    ("under_test", "seats"),
    [(game, seats) for game in WITH_ORACLE for seats in game.seats],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_engine_and_oracle_agree_on_random_matches(under_test: UnderTest, seats: int) -> None:
    seen = play_hands(under_test, seats, HANDS, seed=seats, closely=True)
    assert seen["hands"] >= HANDS
    for came_up in ("matches with stacked decks", "truncated matches", "shared wins"):
        assert seen[came_up] > 0, f"no {came_up} among {seen['matches']}: the sample is too weak"


@pytest.mark.parametrize("case", [case for case in CASES if case.under_test.oracle], ids=str)
def test_engine_and_oracle_agree_under_every_option(case: Case) -> None:
    rng = Random(0)
    for _ in range(3):
        play_match(case.under_test, case.game, rng, closely=True)


def test_stacked_decks_of_hearts_shoot_moons() -> None:
    [hearts] = [game for game in GAMES if game.name == "hearts"]
    seen = play_hands(hearts, 4, 400, seed=1)
    assert seen["actions in the moon phase"] >= 5


def test_a_difference_tells_how_to_get_there() -> None:
    case = next(case for case in CASES if case.under_test.oracle)
    both = Lockstep(case.under_test, case.game.table(seed=1))
    both.oracle.scores[0] += 1
    with pytest.raises(Difference) as told:
        both.play(both.table.legal_actions()[0], closely=True)
    for part in (
        "scores differs after 1 actions",
        "engine: [0,",
        "oracle: [1,",
        '"seed": 1',
        repr(case.game),
    ):
        assert part in str(told.value)
