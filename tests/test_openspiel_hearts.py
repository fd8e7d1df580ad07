"""The mapping to OpenSpiel's Hearts: cards, seats, passing, points."""

import random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from tests.openspiel_hearts import (  # noqa: E402
    CARD_NAMES,
    HAND_SIZE,
    PASS_ROTATION,
    SEATS,
    OpenSpielHearts,
    PassDirection,
    card_id,
    from_openspiel,
    to_openspiel,
)

STEP_TO_RECEIVER = {"left": 1, "across": 2, "right": 3}
MOON_SEAT = 2


def _random_deal(rng: random.Random) -> list[list[str]]:
    pack = list(CARD_NAMES)
    rng.shuffle(pack)
    return [pack[seat * HAND_SIZE : (seat + 1) * HAND_SIZE] for seat in range(SEATS)]


def _one_suit_each(suits: str) -> list[list[str]]:
    return [[name for name in CARD_NAMES if name[1] == suit] for suit in suits]


def _play_out(hand: OpenSpielHearts, rng: random.Random) -> int:
    """Play random legal cards to the end; the number of decisions that took."""
    decisions = 0
    while not hand.over:
        hand.play(rng.choice(hand.legal_actions()))
        decisions += 1
    return decisions


def test_cards_are_the_ones_openspiel_names() -> None:
    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(0)
    assert card_id("QS") == 36
    assert [state.action_to_string(to_openspiel(card)) for card in range(52)] == list(CARD_NAMES)
    assert [from_openspiel(to_openspiel(card)) for card in range(52)] == list(range(52))


@pytest.mark.parametrize("first_seat", range(SEATS))
@pytest.mark.parametrize("direction", PASS_ROTATION)
def test_passing_and_a_whole_hand(direction: PassDirection | None, first_seat: int) -> None:
    rng = random.Random(first_seat)
    deal = _random_deal(rng)
    hand = OpenSpielHearts(deal, direction, first_seat=first_seat)
    before = [sorted(cards, key=card_id) for cards in deal]
    assert hand.hands() == before
    if direction is not None:
        picked = {}
        for turn in range(SEATS):
            giver = (first_seat + turn) % SEATS
            picked[giver] = set(rng.sample(before[giver], 3))
            assert hand.hands() == before
            for name in picked[giver]:
                assert (hand.phase, hand.seat) == ("pass", giver)
                hand.play(card_id(name))
        for giver, given in picked.items():
            receiver = (giver + STEP_TO_RECEIVER[direction]) % SEATS
            assert set(hand.hands()[receiver]) == set(before[receiver]) - picked[receiver] | given
    assert hand.phase == "play"
    assert "2C" in hand.hands()[hand.seat]
    assert hand.legal_actions() == [card_id("2C")]
    assert _play_out(hand, rng) == 52
    assert (hand.phase, hand.seat, hand.legal_actions()) == ("over", -1, [])
    assert sum(hand.points()) in (26, 78)


@pytest.mark.parametrize("omnibus", [False, True])
def test_moon_points(omnibus: bool) -> None:
    hand = OpenSpielHearts(_one_suit_each("DHCS"), None, first_seat=3, omnibus=omnibus)
    assert hand.seat == MOON_SEAT
    with pytest.raises(ValueError, match="not legal"):
        hand.play(card_id("3C"))
    _play_out(hand, random.Random(0))
    jack = 10 if omnibus else 0
    assert hand.points("add") == [26, 26, -jack, 26]
    assert hand.points("subtract") == [0, 0, -26 - jack, 0]
