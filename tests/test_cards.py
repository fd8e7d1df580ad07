"""Packs of cards: names, numbers and sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trick_envs.cards import FRENCH, GLYPH, REWIND, Pack

cards = st.frozensets(st.integers(0, 51))


def test_the_french_pack_by_suit_and_rank():
    by_hand = """2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD
                 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"""
    assert list(FRENCH.names) == by_hand.split()
    assert FRENCH.card("QS") == 36


def test_the_rewind_pack():
    assert REWIND.names[0] == "1C"
    assert REWIND.names[13:15] == ("1R", "2R")
    assert REWIND.names[-1] == "13P"
    assert REWIND.card("13P") == 51


def test_the_glyph_pack_ends_with_its_jokers():
    assert GLYPH.names[:2] == ("0M", "1M")
    assert [GLYPH.names[15 * suit] for suit in range(6)] == ["0M", "0H", "0D", "0C", "0X", "0N"]
    assert GLYPH.names[89:] == ("14N", "J2", "J4")


@pytest.mark.parametrize("pack", [FRENCH, GLYPH, REWIND])
def test_names_and_numbers_are_inverse(pack):
    assert [pack.card(name) for name in pack.names] == list(range(len(pack.names)))
    assert len(set(pack.names)) == len(pack.suits) * len(pack.ranks) + len(pack.suitless)


@pytest.mark.parametrize("pack", [FRENCH, GLYPH, REWIND])
def test_suits_part_the_suited_cards(pack):
    size = len(pack.ranks)
    assert sum(pack.suit_sets) == (1 << size * len(pack.suits)) - 1
    for place, cards_of_suit in enumerate(pack.suit_sets):
        assert pack.listed(cards_of_suit) == list(pack.names[size * place : size * (place + 1)])


def test_a_rank_is_a_card_of_each_suit():
    assert FRENCH.listed(FRENCH.rank("J")) == ["JC", "JD", "JS", "JH"]
    assert REWIND.listed(REWIND.rank("10")) == ["10C", "10R", "10F", "10P"]


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
    assert Pack(FRENCH.suits, FRENCH.ranks, FRENCH.letters) == FRENCH != REWIND
    assert hash(Pack(FRENCH.suits, FRENCH.ranks, FRENCH.letters)) == hash(FRENCH)
