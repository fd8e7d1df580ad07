"""Packs of cards: names, numbers and sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trick_envs.cards import FRENCH, Pack

THIRTEEN = tuple(str(rank) for rank in range(1, 14))
OTHER = Pack(("cassettes", "records", "films", "photos"), THIRTEEN)
cards = st.frozensets(st.integers(0, 51))


def test_the_french_pack_by_suit_and_rank():
    by_hand = """2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD
                 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"""
    assert list(FRENCH.names) == by_hand.split()
    assert FRENCH.card("QS") == 36


def test_suits_are_named_by_their_first_letter():
    assert OTHER.names[0] == "1C"
    assert OTHER.names[13:15] == ("1R", "2R")
    assert OTHER.names[-1] == "13P"
    assert OTHER.card("13P") == 51


@pytest.mark.parametrize("pack", [FRENCH, OTHER])
def test_names_and_numbers_are_inverse(pack):
    assert [pack.card(name) for name in pack.names] == list(range(52))
    assert len(set(pack.names)) == 52


@pytest.mark.parametrize("pack", [FRENCH, OTHER])
def test_suits_part_the_pack(pack):
    assert sum(pack.suit(suit) for suit in pack.suits) == (1 << 52) - 1
    for place, suit in enumerate(pack.suits):
        assert pack.listed(pack.suit(suit)) == list(pack.names[13 * place : 13 * place + 13])


@given(cards)
def test_sets_and_names_are_inverse(held):
    bits = sum(1 << card for card in held)
    names = FRENCH.listed(bits)
    assert names == [FRENCH.names[card] for card in sorted(held)]
    assert FRENCH.set(" ".join(names)) == bits
    assert FRENCH.set(" ".join(reversed(names * 2))) == bits


@given(st.text().filter(lambda name: name not in FRENCH.names))
def test_what_is_no_card_is_named(name):
    with pytest.raises(ValueError, match="is not a card") as refused:
        FRENCH.card(name)
    assert repr(name) in str(refused.value)


@pytest.mark.parametrize("wrong", ["1C", "10C", "qs", "QX", "QS2C"])
def test_sets_of_what_is_no_card_are_refused(wrong):
    with pytest.raises(ValueError, match=wrong):
        FRENCH.set(f"2C {wrong}")


def test_packs_are_values():
    assert Pack(FRENCH.suits, FRENCH.ranks) == FRENCH != OTHER
    assert hash(Pack(FRENCH.suits, FRENCH.ranks)) == hash(FRENCH)
