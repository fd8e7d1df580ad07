"""The judge judged: the Setback oracle against hands worked out on paper."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.oracles.setback import PASS, Card, SetbackOracle, card_id, card_name, pack

ACTIONS = {"pass": PASS, "2": 53, "3": 54, "4": 55, "smudge": 56}

# A whole hand: leader, cards in order of play, taker. Seat 0 pitches in spades.
HAND_ON_PAPER = [
    (0, "QS 8H TS 4S", 0),  # High for seat 0: the queen is the highest spade about; 2 + 10
    (0, "AC KC QC 3S", 3),  # Low for seat 3, who trumps with the three; 3 + 2, the ace of clubs counts 0
    (3, "KD 5S AD JD", 0),  # seat 0 trumps; 3 + 1
    (0, "2H 9H JS 3H", 2),  # Jack for seat 2, who trumps; 1
    (2, "KH QH JH TH", 2),  # 3 + 2 + 1 + 10
    (2, "7C 6C 2C TC", 1),  # 10
]
# Card values: seat 0 12 + 4, seat 1 10, seat 2 1 + 16, seat 3 5.
TRICKS_ON_PAPER = [2, 1, 2, 1]
POINTS_OF_PARTNERS = (3, 1)  # seats 0 and 2: High, Jack, Game 33 to 15; seats 1 and 3: Low
POINTS_ALONE = (1, 0, 2, 1)  # seat 0: High; seat 2: Jack, and Game 17 to 16; seat 3: Low


def hands_on_paper() -> list[list[Card]]:
    hands: list[list[Card]] = [[] for _ in range(4)]
    for leader, cards, _ in HAND_ON_PAPER:
        for place, card in enumerate(cards.split()):
            hands[(leader + place) % 4].append(card)
    return hands


def deck_for(hands: list[list[Card]], dealer: int) -> list[Card]:
    """The deck that deals these hands of six."""
    order = [(dealer + 1 + place) % len(hands) for place in range(len(hands))]
    dealt = [card for first in (0, 3) for seat in order for card in hands[seat][first : first + 3]]
    return dealt + [card for card in pack() if card not in dealt]


def table(hands: list[list[Card]], dealer: int = 3, **options: Any) -> SetbackOracle:
    """A match in which every hand is dealt as `hands`; four seats are partners unless told otherwise."""
    num_players = len(hands)
    return SetbackOracle(
        num_players=num_players,
        dealer=dealer,
        decks=lambda hand_number: deck_for(hands, (dealer + hand_number) % num_players),
        **{"partners": num_players == 4, **options},
    )


def hold(*hands: str) -> list[list[Card]]:
    """Hands of six from text."""
    held = [hand.split() for hand in hands]
    assert [len(hand) for hand in held] == [6] * len(hands)
    return held


def bid(oracle: SetbackOracle, bids: str) -> None:
    for word in bids.split():
        oracle.play(ACTIONS[word])


def play(oracle: SetbackOracle, cards: str) -> None:
    for card in cards.split():
        oracle.play(card_id(card))


def legal(oracle: SetbackOracle) -> str:
    words = {action: word for word, action in ACTIONS.items()}
    return " ".join(words[action] if action in words else card_name(action) for action in oracle.legal())


def play_hand_on_paper(
    bids: str = "2 pass pass pass", scores: list[int] | None = None, **options: Any
) -> SetbackOracle:
    """The hand on paper after these bids, from seat 0 to the dealer; `scores` are those before the hand."""
    oracle = table(hands_on_paper(), **options)
    if scores is not None:
        oracle.scores = list(scores)
    bid(oracle, bids)
    for _, cards, _ in HAND_ON_PAPER:
        play(oracle, cards)
    return oracle


def play_in_turn(oracle: SetbackOracle, cards: str) -> None:
    """Seat 0 plays these cards in turn, the other seat whatever is legal and lowest."""
    for card in cards.split():
        play(oracle, card)
        oracle.play(oracle.legal()[0])


# The pack and the deal


def test_card_ids() -> None:
    assert [card_id(card) for card in pack()] == list(range(52))
    assert [card_name(number) for number in range(52)] == pack()
    assert (card_id("2C"), card_id("2D"), card_id("QS"), card_id("AH")) == (0, 13, 36, 51)


@pytest.mark.parametrize(
    ("num_players", "hand_of_dealers_left", "hand_of_dealer"),
    [
        (2, "2C 3C 4C 8C 9C TC", "5C 6C 7C JC QC KC"),
        (3, "2C 3C 4C JC QC KC", "8C 9C TC 4D 5D 6D"),
        (4, "2C 3C 4C AC 2D 3D", "JC QC KC TD JD QD"),
    ],
)
def test_six_cards_each_three_at_a_time(num_players: int, hand_of_dealers_left: str, hand_of_dealer: str) -> None:
    oracle = SetbackOracle(num_players=num_players, dealer=0, decks=lambda _: pack(), partners=False)
    assert oracle.hands()[1] == hand_of_dealers_left.split()
    assert oracle.hands()[0] == hand_of_dealer.split()
    assert [len(hand) for hand in oracle.hands()] == [6] * num_players
    assert (oracle.phase, oracle.seat, oracle.bids) == ("bid", 1, [None] * num_players)


def test_a_deck_that_is_not_the_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="not the pack"):
        SetbackOracle(num_players=2, dealer=0, decks=lambda _: pack()[:12], partners=False)


def test_partners_are_four() -> None:
    with pytest.raises(ValueError, match="no partners among 3"):
        SetbackOracle(num_players=3, dealer=0, decks=lambda _: pack(), partners=True)


# Bidding


@pytest.mark.parametrize(
    ("bids", "allowed", "without_stealing"),
    [
        ("", "pass 2 3 4 smudge", "pass 2 3 4 smudge"),
        ("pass", "pass 2 3 4 smudge", "pass 2 3 4 smudge"),
        ("2", "pass 3 4 smudge", "pass 3 4 smudge"),
        ("3 pass", "pass 4 smudge", "pass 4 smudge"),
        ("4", "pass smudge", "pass smudge"),
        ("smudge", "pass", "pass"),
        # The dealer's turn
        ("pass 3 pass", "pass 3 4 smudge", "pass 4 smudge"),
        ("pass pass pass", "2 3 4 smudge", "2 3 4 smudge"),
        ("2 3 4", "pass 4 smudge", "pass smudge"),
        ("smudge pass pass", "pass smudge", "pass"),
    ],
)
def test_what_may_be_bid(bids: str, allowed: str, without_stealing: str) -> None:
    for dealer_steals, expected in [(True, allowed), (False, without_stealing)]:
        oracle = table(hands_on_paper(), dealer_steals=dealer_steals)
        bid(oracle, bids)
        assert legal(oracle) == expected
        with pytest.raises(ValueError, match="not legal for seat"):
            play(oracle, "QS")


@pytest.mark.parametrize(
    ("bids", "written", "pitcher"),
    [
        ("2 pass pass pass", [2, 0, 0, 0], 0),
        ("pass 2 3 pass", [0, 2, 3, 0], 2),
        ("pass pass pass 4", [0, 0, 0, 4], 3),
        ("pass 3 pass 3", [0, 3, 0, 3], 3),
        ("2 3 4 smudge", [2, 3, 4, 5], 3),
        ("smudge pass pass smudge", [5, 0, 0, 5], 3),
        ("smudge pass pass pass", [5, 0, 0, 0], 0),
    ],
)
def test_the_pitcher(bids: str, written: list[int], pitcher: int) -> None:
    oracle = table(hands_on_paper())
    bid(oracle, bids.rpartition(" ")[0])
    assert (oracle.phase, oracle.pitcher, oracle.bids) == ("bid", None, [*written[:3], None])
    bid(oracle, bids.rpartition(" ")[2])
    assert (oracle.phase, oracle.pitcher, oracle.bids) == ("play", pitcher, written)
    assert (oracle.seat, oracle.trump) == (pitcher, None)
    assert legal(oracle) == " ".join(oracle.hands()[pitcher])


# Tricks


def third_trick(cards_of_seat_1: str, lead: str) -> SetbackOracle:
    """Seat 1, who has played 3S and 3C, is to play to the third trick; spades are trump."""
    oracle = table(hold(f"AS AC {lead} 9D TD JD", f"3S 3C {cards_of_seat_1}", "4C 5C 6C 7C 8C 9C", "2H 3H 4H 5H 6H 7H"))
    bid(oracle, "2 pass pass pass")
    play(oracle, f"AS 3S 4C 2H  AC 3C 5C 3H  {lead}")
    assert (oracle.trump, oracle.seat) == ("spades", 1)
    return oracle


@pytest.mark.parametrize(
    ("held", "lead", "allowed"),
    [
        ("KD 2D 4S QC", "7D", "2D KD 4S"),
        ("8H 9H 4S QC", "7D", "QC 4S 8H 9H"),
        ("8H 9H KC QC", "7D", "QC KC 8H 9H"),
        ("KD 2D QC 8H", "7D", "2D KD"),
        ("4S KD QC 8H", "5S", "4S"),
        ("KC KD QC 8H", "5S", "QC KC KD 8H"),
    ],
)
def test_following_and_trumping(held: str, lead: str, allowed: str) -> None:
    assert legal(third_trick(held, lead)) == allowed


def test_hand_on_paper() -> None:
    oracle = table(hands_on_paper(), num_hands=1)
    bid(oracle, "2 pass pass pass")
    for number, (leader, cards, taker) in enumerate(HAND_ON_PAPER):
        assert oracle.seat == leader
        for place, card in enumerate(cards.split()):
            assert oracle.seat == (leader + place) % 4
            play(oracle, card)
        assert oracle.trick == []
        assert oracle.takers[number] == taker
        assert oracle.trump == "spades"
    assert oracle.tricks_won == TRICKS_ON_PAPER
    made, others = POINTS_OF_PARTNERS
    assert oracle.scores == [made, others, made, others]


# The tally


def test_hand_on_paper_without_partners() -> None:
    assert play_hand_on_paper(partners=False).scores == [-2, *POINTS_ALONE[1:]]
    assert play_hand_on_paper(partners=False, defenders_score_on_set=False).scores == [-2, 0, 0, 0]


def test_hand_on_paper_without_partners_when_all_aces_count() -> None:
    # Seat 3 has the ace of clubs, seat 0 that of diamonds: 20 10 17 9.
    assert play_hand_on_paper(partners=False, game_aces="all").scores == [2, 0, 1, 1]


@pytest.mark.parametrize(
    ("bids", "scores"),
    [
        ("2 pass pass pass", [3, 1, 3, 1]),
        ("3 pass pass pass", [3, 1, 3, 1]),
        ("4 pass pass pass", [-4, 1, -4, 1]),
        ("smudge pass pass pass", [-5, 1, -5, 1]),
    ],
)
def test_bids_made_and_failed(bids: str, scores: list[int]) -> None:
    assert play_hand_on_paper(bids).scores == scores


def test_defenders_who_do_not_score_when_the_bid_fails() -> None:
    assert play_hand_on_paper("4 pass pass pass", defenders_score_on_set=False).scores == [-4, 0, -4, 0]
    assert play_hand_on_paper("3 pass pass pass", defenders_score_on_set=False).scores == [3, 1, 3, 1]


@pytest.mark.parametrize(
    ("low_to", "amount", "scores"),
    [("winner", "3", [3, 0]), ("holder", "2", [2, 1]), ("holder", "3", [-3, 1])],
)
def test_low_to_winner_or_holder(low_to: str, amount: str, scores: list[int]) -> None:
    oracle = table(hold("AS 2C 3C 4C 5C 6C", "2S 7C 8C 9C 2H 3H"), dealer=1, low_to=low_to, num_hands=1)
    bid(oracle, f"{amount} pass")
    play(oracle, "AS 2S  2C 7C  8C 3C  9C 4C  2H 5C  3H 6C")  # Game 4 to 0
    assert oracle.scores == scores


@pytest.mark.parametrize(("game_aces", "scores"), [("trump", [3, 0]), ("all", [-3, 0])])
def test_aces_for_game(game_aces: str, scores: list[int]) -> None:
    """High and Low to seat 0, and 4 for its ace; seat 1 takes the ace of clubs."""
    oracle = table(hold("AS 2C 3C 4C 5C 6C", "2S AC 8C 9C 2H 3H"), dealer=1, game_aces=game_aces, num_hands=1)
    bid(oracle, "3 pass")
    play(oracle, "AS 2S  2C AC  8C 3C  9C 4C  2H 5C  3H 6C")
    assert oracle.scores == scores


def test_card_values_for_game() -> None:
    oracle = table(hands_on_paper())
    bid(oracle, "2 pass pass pass")
    play(oracle, "QS")
    spades = [oracle.value_for_game(rank + "S") for rank in "23456789TJQKA"]
    clubs = [oracle.value_for_game(rank + "C") for rank in "23456789TJQKA"]
    assert spades == [0] * 8 + [10, 1, 2, 3, 4]
    assert clubs == [0] * 8 + [10, 1, 2, 3, 0]


def test_no_value_won_is_a_tie_for_game() -> None:
    oracle = table(hold("9S 2C 3C 4C 5C 6C", "2S 7C 8C 9C 2H 3H"), dealer=1, num_hands=1)
    bid(oracle, "3 pass")
    play(oracle, "9S 2S  2C 7C  8C 3C  9C 4C  2H 5C  3H 6C")
    assert oracle.scores == [-3, 0]  # High and Low


@pytest.mark.parametrize(
    ("cards", "bids", "scores"),
    [
        ("AS KS QS JS 4S 2S", "smudge pass", [5, 0]),
        ("AS KS QS JS 4S 2S", "4 pass", [4, 0]),
        ("AS KS QS TS 4S 2S", "3 pass", [3, 0]),
        ("AS KS QS TS 4S 2S", "smudge pass", [-5, 0]),  # no jack about
        ("AS KS QS JC 4S 2S", "smudge pass", [-5, 0]),  # the jack of clubs is none
        ("JS 2C 4C 5C 6C 7C", "4 pass", [4, 0]),  # the only trump: High, Low and Jack
    ],
)
def test_all_six_tricks(cards: str, bids: str, scores: list[int]) -> None:
    """Seat 1 has nothing but hearts."""
    oracle = table(hold(cards, "2H 3H 4H 5H 6H 7H"), dealer=1, num_hands=1)
    bid(oracle, bids)
    play_in_turn(oracle, cards)
    assert oracle.tricks_won == [6, 0]
    assert oracle.scores == scores


def test_a_smudge_needs_every_trick() -> None:
    oracle = table(hold("AS KS QS JS 2S 2C", "3S 3C 4H 5H 6H 7H"), dealer=1, num_hands=1)
    bid(oracle, "smudge pass")
    play(oracle, "AS 3S  KS 4H  QS 5H  JS 6H  2S 7H  2C 3C")  # all four points
    assert oracle.scores == [-5, 0]


@pytest.mark.parametrize(("partners", "scores"), [(True, [5, 0, 5, 0]), (False, [-5, 0, 0, 0])])
def test_partners_smudge_together(partners: bool, scores: list[int]) -> None:
    hands = hold("AS KS QS JS 2S 2C", "3C 3D 4D 5D 6D 7D", "AC 2H 3H 4H 5H 6H", "4C 7H 8H 9H TH JH")
    oracle = table(hands, partners=partners, num_hands=1)
    bid(oracle, "smudge pass pass pass")
    play(oracle, "AS 3D 2H 7H  KS 4D 3H 8H  QS 5D 4H 9H  JS 6D 5H TH  2S 7D 6H JH  2C 3C AC 4C")
    assert oracle.tricks_won == [5, 0, 1, 0]
    assert oracle.scores == scores


def test_worked_example_tied_game() -> None:
    hands = hold("AH 2C 3C 4C 2D 3D", "TH AC 5C KD 4D 3S", "4H 6C 7C 8C 5D 6D", "2S TC 9C JD 7D 4S")
    oracle = table(hands, num_hands=1)
    bid(oracle, "3 pass pass pass")
    play(oracle, "AH TH 4H 2S  2C AC 6C TC  KD 5D JD 2D  3S 7C 4S 3C  9C 4C 5C 8C  7D 3D 4D 6D")
    assert oracle.trump == "hearts"
    assert oracle.scores == [-3, 0, -3, 0]  # 14 all in card values


# The end of the match


def assert_over(oracle: SetbackOracle, scores: list[int], winners: list[int], truncated: bool = False) -> None:
    assert (oracle.phase, oracle.seat, oracle.legal()) == ("over", -1, [])
    assert (oracle.scores, oracle.winners, oracle.truncated) == (scores, winners, truncated)
    assert (oracle.hand_number, oracle.dealer) == (0, 3)  # the board stays
    assert (oracle.pitcher, oracle.trump, oracle.tricks_won) == (0, "spades", TRICKS_ON_PAPER)
    assert oracle.hands() == [[], [], [], []]
    with pytest.raises(ValueError):
        oracle.play(0)


def assert_goes_on(oracle: SetbackOracle, scores: list[int]) -> None:
    assert (oracle.phase, oracle.hand_number, oracle.dealer, oracle.seat) == ("bid", 1, 0, 1)
    assert (oracle.scores, oracle.winners, oracle.truncated) == (scores, [], False)
    assert (oracle.bids, oracle.pitcher, oracle.trump, oracle.tricks_won) == ([None] * 4, None, None, [0] * 4)
    assert len(oracle.takers) == 6


# In the hand on paper seats 0 and 2 bid and make 3, seats 1 and 3 make 1.


@pytest.mark.parametrize("scores", [[20, 0, 20, 0], [18, 20, 18, 20], [18, 40, 18, 40]])
def test_bidding_out(scores: list[int]) -> None:
    after = [before + made for before, made in zip(scores, [3, 1, 3, 1], strict=True)]
    assert_over(play_hand_on_paper(scores=scores), after, [0, 2])
    assert_over(play_hand_on_paper(scores=scores, must_bid_out=False), after, [0, 2])


def test_below_the_target_the_match_goes_on() -> None:
    assert_goes_on(play_hand_on_paper(scores=[17, 19, 17, 19]), [20, 20, 20, 20])
    assert_goes_on(play_hand_on_paper(scores=[17, 19, 17, 19], must_bid_out=False), [20, 20, 20, 20])


def test_worked_example_defenders_at_twenty() -> None:
    assert_goes_on(play_hand_on_paper(scores=[0, 20, 0, 20]), [3, 21, 3, 21])
    assert_over(play_hand_on_paper(scores=[0, 20, 0, 20], must_bid_out=False), [3, 21, 3, 21], [1, 3])


def test_a_failed_bid_ends_nothing() -> None:
    oracle = play_hand_on_paper("4 pass pass pass", scores=[30, 30, 30, 30])
    assert_goes_on(oracle, [26, 31, 26, 31])


def test_without_partners_the_bidding_side_is_looked_at_first_then_the_scores() -> None:
    # Seat 0 fails with two, the others make 0 2 1.
    options: dict[str, Any] = {"partners": False, "must_bid_out": False}
    assert_over(play_hand_on_paper(scores=[0, 9, 19, 20], **options), [-2, 9, 21, 21], [2, 3])
    assert_over(play_hand_on_paper(scores=[0, 9, 20, 20], **options), [-2, 9, 22, 21], [2])
    assert_goes_on(play_hand_on_paper(scores=[0, 9, 20, 20], partners=False), [-2, 9, 22, 21])
    # With all aces counted it makes two, the others 0 1 1.
    options["game_aces"] = "all"
    assert_over(play_hand_on_paper(scores=[19, 30, 19, 0], **options), [21, 30, 20, 1], [0])


@pytest.mark.parametrize("target", [1, 3])
def test_another_target(target: int) -> None:
    assert_over(play_hand_on_paper(target=target), [3, 1, 3, 1], [0, 2])
    assert_goes_on(play_hand_on_paper(target=4), [3, 1, 3, 1])


@pytest.mark.parametrize("end", ["num_hands", "max_hands"])
def test_the_last_hand(end: str) -> None:
    truncated = end == "max_hands"
    assert_over(play_hand_on_paper(**{end: 1}), [3, 1, 3, 1], [0, 2], truncated)
    assert_over(play_hand_on_paper(scores=[0, 2, 0, 2], **{end: 1}), [3, 3, 3, 3], [0, 1, 2, 3], truncated)
    assert_over(play_hand_on_paper(scores=[0, 30, 0, 30], **{end: 1}), [3, 31, 3, 31], [1, 3], truncated)
    assert_over(play_hand_on_paper(scores=[18, 30, 18, 30], **{end: 1}), [21, 31, 21, 31], [0, 2], False)
    assert_goes_on(play_hand_on_paper(**{end: 2}), [3, 1, 3, 1])


def test_a_failed_bid_at_the_target_is_no_bidding_out_in_the_last_hand() -> None:
    oracle = play_hand_on_paper("4 pass pass pass", scores=[29, 26, 29, 26], num_hands=1)
    assert_over(oracle, [25, 27, 25, 27], [1, 3])


def test_num_hands_and_max_hands_at_once_terminate() -> None:
    assert_over(play_hand_on_paper(num_hands=1, max_hands=1), [3, 1, 3, 1], [0, 2], truncated=False)


def test_standings_put_the_side_that_bid_out_first() -> None:
    oracle = play_hand_on_paper(scores=[18, 30, 18, 30])
    assert oracle.standings()[0] == oracle.standings()[2] > oracle.standings()[1] == oracle.standings()[3]
    oracle = play_hand_on_paper(scores=[18, 30, 18, 30], target=22, num_hands=1)
    assert oracle.standings() == [21, 31, 21, 31]


@pytest.mark.parametrize(("num_players", "partners"), [(2, False), (3, False), (4, False), (4, True)])
def test_random_matches_keep_their_cards_and_points(num_players: int, partners: bool) -> None:
    chance = random.Random(num_players)

    def shuffled(hand_number: int) -> list[Card]:
        deck = pack()
        random.Random(hand_number).shuffle(deck)
        return deck

    oracle = SetbackOracle(
        num_players=num_players, dealer=1, decks=shuffled, partners=partners, max_hands=None, num_hands=30, target=1000
    )
    dealt = sorted(card for hand in oracle.hands() for card in hand)
    before = oracle.scores.copy()
    while oracle.phase != "over":
        hand_number = oracle.hand_number
        oracle.play(chance.choice(oracle.legal()))
        if oracle.hand_number == hand_number and oracle.phase != "over":
            places = [*oracle.hands(), *oracle.won, [card for _, card in oracle.trick]]
            assert sorted(card for place in places for card in place) == dealt
            assert oracle.scores == before
            continue
        changes = [oracle.scores[side[0]] - before[side[0]] for side in oracle.sides]
        failed = [change for change in changes if change < 0]
        assert failed in ([], [-2], [-3], [-4], [-5])
        assert failed or max(changes) >= 2
        assert sum(change for change in changes if change > 0) <= (4 if failed else 5)
        dealt = sorted(card for hand in oracle.hands() for card in hand)
        before = oracle.scores.copy()
    assert len(oracle.takers) == 30 * 6
    assert oracle.winners == [seat for seat in range(num_players) if oracle.scores[seat] == max(oracle.scores)]
