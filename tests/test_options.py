"""Any value of any option is either taken as it is or refused by the name of the option and the value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trick_envs
from tests.games import GAMES, UnderTest

whatever = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 12),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.lists(st.integers(), max_size=3),
    st.binary(max_size=3),
)
NAMES = {under_test.name: under_test for under_test in reversed(GAMES)}
OPTIONS = [
    pytest.param(under_test.name, option, {}, id=f"{under_test.name}-{option}")
    for under_test in NAMES.values()
    for option in ("num_players", *under_test.values)
] + [
    pytest.param("hearts", option, {"variant": "cancellation"}, id=f"cancellation-{option}")
    for option in ("num_players", *(option for option in NAMES["hearts"].values if option != "variant"))
]


@pytest.mark.parametrize(("name", "option", "others"), OPTIONS)
@given(value=whatever)
def test_a_value_is_taken_or_refused_by_name(name: str, option: str, others: dict[str, str], value: object) -> None:
    told = ""
    try:
        game = trick_envs.make(name, **{option: value}, **others)
    except ValueError as refused:
        told = str(refused)
    if told:
        assert told.startswith(f"{name}: ")
        elements = [f"{option} has {element!r}: " for element in value] if isinstance(value, list) else []
        assert any(named in told for named in (f"{option}={value!r}: ", *elements))
    else:
        if value is None and game.options[option] is not None:
            assert game == trick_envs.make(name, **others), "None stands for the default"
        else:
            assert game.options[option] == value
            assert type(game.options[option]) is type(value)
        table = game.table(seed=0)
        table.play(table.legal_actions()[0])


@pytest.mark.parametrize("under_test", NAMES.values(), ids=NAMES)
@given(option=st.text(min_size=1, max_size=12), value=whatever)
def test_an_option_that_there_is_not_is_refused(under_test: UnderTest, option: str, value: object) -> None:
    if option in ("num_players", "name", *under_test.values):
        return
    with pytest.raises(ValueError, match="option") as refused:
        trick_envs.make(under_test.name, **{option: value})
    for part in (under_test.name, f"{option}={value!r}: ", "num_players", *under_test.values):
        assert part in str(refused.value)


@given(name=st.text().filter(lambda name: name not in {under_test.name for under_test in GAMES}))
def test_a_game_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="game") as refused:
        trick_envs.make(name)
    for part in (repr(name), *(under_test.name for under_test in GAMES)):
        assert part in str(refused.value)


def test_every_wrong_option_is_told() -> None:
    with pytest.raises(ValueError, match="num_players") as refused:
        trick_envs.make("hearts", num_players="4", max_hands=-1, no_such_option=None)
    for part in ("num_players='4'", "max_hands=-1", "no_such_option=None"):
        assert part in str(refused.value)
