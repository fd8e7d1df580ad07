"""Card talk for tests: hands, decks and whole plays as text.

Hearts' action table and packs stand here a second time on purpose: as the judge of the engine's own.
"""

from collections import defaultdict, namedtuple

import trick_envs

RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in "CDSH" for rank in RANKS]
ACTIONS = [*PACK, "moon: subtract", "moon: add"]
REMOVED = {3: "2D", 4: "", 5: "2D 2C", 6: "2D 3D 3C 4C", 7: "2D 3D 3C"}

CLUBS, DIAMONDS, SPADES, HEARTS = (RANKS + suit for suit in "CDSH")

Deal = namedtuple("Deal", "hands cards")  # hands by seat as text; the cards of the whole hand in order of play


def cards(text):
    """Card names from text. Ranks may share a suit letter.

    >>> cards("AKQC 5D")
    ['AC', 'KC', 'QC', '5D']
    """
    return [rank + token[-1] for token in text.split() for rank in token[:-1]]


def in_order(names):
    """Card names as text, by suit and rank.

    >>> in_order(["2H", "QS", "AC", "TC"])
    'TC AC QS 2H'
    """
    return " ".join(sorted(names, key=PACK.index))


def spell(text):
    """Shared suit letters written out, in order.

    >>> spell("KAC 2C")
    '2C KC AC'
    """
    return in_order(cards(text))


def hearts_pack(seats):
    """The cards that so many seats play Hearts with, in order."""
    return [card for card in PACK if card not in cards(REMOVED[seats])]


def whole_hands(hands, pack):
    """Hands (text by seat) as lists of cards; short ones are filled up from the pack, lowest seat first."""
    hands = [cards(hand) for hand in hands]
    named = [card for hand in hands for card in hand]
    assert len(named) == len(set(named)), "a card is named twice"
    assert set(named) <= set(pack), "a card is not in the pack"
    rest = [card for card in pack if card not in named]
    size = len(pack) // len(hands)
    for hand in hands:
        assert len(hand) <= size, "too many cards for one hand"
        missing = size - len(hand)
        hand += rest[:missing]
        rest = rest[missing:]
    return hands


def deck_from_hands(hands, dealer, pack):
    """The order of the pack in which dealing one at a time from the dealer's left gives these hands.

    >>> deck_from_hands(["2C 3C", "AS AH"], dealer=0, pack=["2C", "3C", "AS", "AH"])
    ['AS', '2C', 'AH', '3C']
    """
    hands = whole_hands(hands, pack)
    seats = len(hands)
    return [hands[(dealer + 1 + i) % seats][i // seats] for i in range(len(pack))]


def match(deals, dealer=None, **options):
    """A Hearts table that will be dealt these deals, one after another; no passing unless asked for.

    The first deal is by `dealer`, else by the last seat: seat 0 is at its left.
    """
    seats = len(deals[0])
    dealer = seats - 1 if dealer is None else dealer
    game = trick_envs.make("hearts", num_players=seats, **{"pass_cards": 0, **options})
    pack = hearts_pack(seats)
    decks = [deck_from_hands(hands, (dealer + k) % seats, pack) for k, hands in enumerate(deals)]
    return game.table(seed=0, decks=decks, dealer=dealer)


def deal(*hands, dealer=None, **options):
    """A Hearts table with these hands, seat by seat."""
    return match([hands], dealer, **options)


def play(table, text):
    for card in cards(text):
        table.play(card)


def play_out(table, choose=min):
    """Finish the hand, always with the lowest legal action (or what `choose` picks); a moon is left open."""
    assert table.phase in ("pass", "play"), f"no hand to play out in the {table.phase} phase"
    hand = table.hand_number
    for _ in range(100):  # a hand has 52 cards to play and at most 28 to pass
        if table.hand_number != hand or table.phase not in ("pass", "play"):
            return
        table.play(choose(table.legal_actions()))
    raise AssertionError("the hand does not end")


def pass_lowest(table):
    """Every seat passes its lowest cards: who picked what, {seat: [cards]}."""
    picks = defaultdict(list)
    while table.phase == "pass":
        card = ACTIONS[table.legal_actions()[0]]
        assert card not in picks[table.seat], f"{card} is picked twice"
        picks[table.seat].append(card)
        table.play(card)
    return dict(picks)


def pass_direction(table):
    """Plays the passing phase: how many places to the left the cards went, 0 in a hold hand."""
    picks = pass_lowest(table)
    if not picks:
        return 0
    hands = table.hands()
    seats = len(hands)
    [places] = {
        places
        for places in range(1, seats)
        if all(set(picked) <= set(hands[(seat + places) % seats]) for seat, picked in picks.items())
    }
    return places


def legal(table):
    """What the seat to act may do, as text."""
    return " ".join(ACTIONS[action] for action in table.legal_actions())


def held(table, seat):
    """The cards a seat holds, as text in order."""
    return in_order(table.hands()[seat])


def face(table):
    """All that the public face shows of a table, to see that nothing has changed."""
    return {
        "phase": (table.phase, table.seat, table.legal_actions(), table.truncated, table.winners),
        "hand": (table.hand_number, table.dealer, table.hands(), table.trick, table.tricks_won, table.broken),
        "score": (table.scores, list(table.rewards)),
        "history": table.history,
        "saved": table.save(),
    }


# Eight tricks without a point, all won by seat 0, who leads to the ninth with hearts unbroken. The five cards
# that each seat then holds are 5D, 4S 7S 8S QS KS AS and all the hearts; seat 0 must hold 5D.
FIRST_EIGHT = ["AKQJC AKQJD", "358C 269D 23S", "469C 37TD 56S", "27TC 48D 9TJS"]
EIGHT_TRICKS = """2C AC 3C 4C  KC 5C 6C 7C  QC 8C 9C TC  JC 2S 5S 9S
                  AD 2D 3D 4D  KD 6D 7D 8D  QD 9D TD TS  JD 3S 6S JS"""


def last_five_tricks(hands, plays):
    """The deal that comes down to these last five cards a seat, played like this."""
    return Deal([f"{first} {last}" for first, last in zip(FIRST_EIGHT, hands, strict=True)], f"{EIGHT_TRICKS} {plays}")


def lead_to_trick_nine(*last_five, **options):
    """A table at the ninth trick: seat 0 to lead, hearts unbroken; last fives not named are filled up.

    If seat 0 does not hold 5D, seat 3 has played it and TS is still about.
    """
    tricks = EIGHT_TRICKS if "5D" in last_five[0] else EIGHT_TRICKS.replace("TS", "5D")
    hands = [" ".join(card for card in cards(tricks) if card in cards(first)) for first in FIRST_EIGHT]
    if tricks != EIGHT_TRICKS:
        hands[3] += " 5D"
    table = deal(*map(" ".join, zip(hands, [*last_five, "", "", ""], strict=False)), **options)
    play(table, tricks)
    return table


def turned(deal_, places):
    """The same deal with every hand so many places further left."""
    return Deal([deal_.hands[(seat - places) % 4] for seat in range(4)], deal_.cards)


SPREAD = last_five_tricks(  # points 11 13 2 0, the JD to seat 0
    ["5D 47S KAH", "AS 2345H", "QKS 678H", "8S 9TJQH"],
    "7S AS QS 8S  2H 6H 9H AH  KH 3H 7H TH  5D 4H 8H JH  4S 5H KS QH",
)
HALVES = last_five_tricks(  # points 13 13 0 0: all hearts to seat 0, the queen to seat 1
    ["5D 7KS KAH", "AS 2345H", "4QS 678H", "8S 9TJQH"],
    "7S AS QS 8S  2H 6H 9H AH  KH 3H 7H TH  5D 4H 8H JH  KS 5H 4S QH",
)
ALL_BUT_ONE = last_five_tricks(  # points 25 1 0 0: one heart to seat 1
    ["5D 7KS KAH", "8AS 234H", "4QS 567H", "89TJQH"],
    "7S AS 4S 8H  2H 5H 9H AH  KH 3H 6H TH  KS 8S QS JH  5D 4H 7H QH",
)
MOON = last_five_tricks(  # seat 1 takes every point in the last five tricks, seat 0 the eight others and the JD
    ["5D 47S 23H", "AKS QKAH", "QS 4567H", "8S 89TJH"],
    "7S AS QS 8S  KS 4H 8H 4S  AH 5H 9H 2H  KH 6H TH 3H  QH 7H JH 5D",
)

# Four seats with a suit each: whatever they play, seat 0 takes every trick.
SUITS = [CLUBS, DIAMONDS, SPADES, HEARTS]

# Seat 1 takes every point whatever the others play: it wins the first trick and all others with its clubs.
SURE_MOON = {
    3: ["", f"{CLUBS} JQKAS", ""],
    4: ["", CLUBS, "", ""],
    5: ["34C", "56789TJQKAC", "", "", ""],
    6: ["256C", "789TJQKAC", "", "", "", ""],
    7: ["24567C", "89TJQKAC", "", "", "", "", ""],
}
