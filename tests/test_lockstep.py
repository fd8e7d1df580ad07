"""Engine and oracle play the same matches: a sample of the long run, ``python -m tests.long_oracle``."""

from random import Random

import pytest

from tests.games import CASES, GAMES, Case, UnderTest
from tests.lockstep import Difference, Lockstep, play_hands, play_match

HANDS = 60
MORE = 60  # times so many hands until all has come up that should
SHOULD_COME_UP = ("matches with stacked decks", "truncated matches", "shared wins")

WITH_ORACLE = [game for game in GAMES if game.oracle]


@pytest.mark.parametrize(
    ("under_test", "seats"),
    [(game, seats) for game in WITH_ORACLE for seats in game.seats],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_engine_and_oracle_agree_on_random_matches(under_test: UnderTest, seats: int) -> None:
    seen = play_hands(under_test, seats, HANDS, seed=seats, closely=True)
    for more in range(MORE):
        if not all(seen[came_up] for came_up in SHOULD_COME_UP):
            seen += play_hands(under_test, seats, HANDS, seed=f"{seats} {more}")
    assert seen["hands"] >= HANDS
    for came_up in SHOULD_COME_UP:
        assert seen[came_up] > 0, f"no {came_up} among {seen['matches']}: the sample is too weak"


@pytest.mark.parametrize("case", [case for case in CASES if case.under_test.oracle], ids=str)
def test_engine_and_oracle_agree_under_every_option(case: Case) -> None:
    play_match(case.under_test, case.game, Random(str(case)), closely=True)


@pytest.mark.parametrize(
    ("name", "phase", "seats", "hands"),
    [("hearts", "moon", 4, 400), ("rewind", "tie", 4, 20), ("rewind", "tie", 3, 60)],
)
def test_rare_phases_come_up(name: str, phase: str, seats: int, hands: int) -> None:
    under_test = next(game for game in GAMES if game.name == name and seats in game.seats)
    seen = play_hands(under_test, seats, hands, seed=1)
    assert seen[f"actions in the {phase} phase"] >= 5


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
