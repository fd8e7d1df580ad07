"""Setback, slowly: a judge for the engine, written from the rules and from nothing else.

Plain lists of card names, in the order of the rulebook: the deal, the bids, the tricks, the tally, the end.
Used by tests only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Card = str  # rank and suit, "QS" or "TH"

RANKS = "23456789TJQKA"  # low to high
SUITS = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}

CARDS_IN_A_HAND = 6
CARDS_AT_A_TIME = 3

PASS = 52  # action
BIDS = {53: 2, 54: 3, 55: 4, 56: 5}  # action: points bid
SMUDGE = 5
NO_BID = 0  # what a pass is written down as

ALL_POINTS = 4  # High, Low, Jack and Game

VALUES_FOR_GAME = {"T": 10, "K": 3, "Q": 2, "J": 1}
ACE_FOR_GAME = 4


# Cards


def suit(card: Card) -> str:
    return card[1]


@cache
def rank(card: Card) -> int:
    """How high the card stands in its suit: 2 for a two, 14 for an ace."""
    return RANKS.index(card[0]) + 2


@cache
def card_id(card: Card) -> int:
    return 13 * "CDSH".index(suit(card)) + rank(card) - 2


def card_name(number: int) -> Card:
    return RANKS[number % 13] + "CDSH"[number // 13]


def pack() -> list[Card]:
    """All cards in the order of their ids."""
    return [rank_name + suit_name for suit_name in "CDSH" for rank_name in RANKS]


class SetbackOracle:
    """One match. `decks(h)` lists the cards of hand h as they come off the pack.

    `dealer` deals hand 0. A side is a list of seats: two partners, or one seat that plays for itself.
    """

    def __init__(
        self,
        *,
        num_players: int,
        dealer: int,
        decks: Callable[[int], list[Card]],
        partners: bool,
        target: int = 21,
        game_aces: str = "trump",
        low_to: str = "winner",
        dealer_steals: bool = True,
        must_bid_out: bool = True,
        defenders_score_on_set: bool = True,
        num_hands: int | None = None,
        max_hands: int | None = 50,
    ) -> None:
        if partners and num_players != 4:
            raise ValueError(f"no partners among {num_players}")
        self.num_players = num_players
        self.decks = decks
        self.target = target
        self.game_aces = game_aces
        self.low_to = low_to
        self.dealer_steals = dealer_steals
        self.must_bid_out = must_bid_out
        self.defenders_score_on_set = defenders_score_on_set
        self.num_hands = num_hands
        self.max_hands = max_hands

        self.sides = [[0, 2], [1, 3]] if partners else [[seat] for seat in range(num_players)]
        self.scores: list[int] = [0] * num_players
        self.takers: list[int] = []  # who took each trick, over the whole match
        self.truncated = False
        self.bid_out: list[int] = []  # the side that won by its bid
        self.winners: list[int] = []
        self.hand_number = 0
        self.dealer = dealer
        self.start_hand()

    # What may be seen and done from outside

    def hands(self) -> list[list[Card]]:
        """The cards each seat holds."""
        return [sorted(held, key=card_id) for held in self.held]

    def legal(self) -> list[int]:
        """The actions the seat to act may choose."""
        if self.phase == "bid":
            return self.bidding_actions()
        if self.phase == "play":
            return sorted(card_id(card) for card in self.cards_to_play_from())
        return []

    def play(self, action_id: int) -> None:
        if action_id not in self.legal():
            raise ValueError(f"action {action_id} is not legal for seat {self.seat} in phase {self.phase}")
        if self.phase == "bid":
            self.bid(BIDS.get(action_id, NO_BID))
        else:
            self.lay(card_name(action_id))

    def standings(self) -> list[float]:
        """How well each seat stands, the higher the better: bidding out comes before any score."""
        return [float("inf") if seat in self.bid_out else float(self.scores[seat]) for seat in range(self.num_players)]

    # 1. The deal

    def start_hand(self) -> None:
        self.dealt: list[list[Card]] = [[] for _ in range(self.num_players)]
        self.deal()
        self.held = [list(hand) for hand in self.dealt]
        self.won: list[list[Card]] = [[] for _ in range(self.num_players)]
        self.trick: list[tuple[int, Card]] = []
        self.tricks_won = [0] * self.num_players
        self.bids: list[int | None] = [None] * self.num_players
        self.pitcher: int | None = None
        self.trump: str | None = None
        self.phase = "bid"
        self.seat = self.left_of(self.dealer)

    def deal(self) -> None:
        """Three cards at a time, the dealer's left first; what is left lies out of the hand."""
        deck = list(self.decks(self.hand_number))
        if sorted(deck) != sorted(pack()):
            raise ValueError(f"not the pack: {' '.join(deck)}")
        receiver = self.left_of(self.dealer)
        while len(self.dealt[receiver]) < CARDS_IN_A_HAND:
            self.dealt[receiver] += deck[:CARDS_AT_A_TIME]
            deck = deck[CARDS_AT_A_TIME:]
            receiver = self.left_of(receiver)

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    # 2. and 3. The bids

    def highest_bid(self) -> int:
        return max((bid for bid in self.bids if bid is not None), default=NO_BID)

    def bidding_actions(self) -> list[int]:
        highest = self.highest_bid()
        is_dealer = self.seat == self.dealer

        # Any bid above the highest; the dealer may steal it.
        allowed = [bid for bid in BIDS.values() if bid > highest]
        if is_dealer and self.dealer_steals and highest != NO_BID:
            allowed.append(highest)

        # A dealer to whom everybody has passed has to bid.
        may_pass = not is_dealer or highest != NO_BID
        actions = [action for action, bid in BIDS.items() if bid in allowed]
        return [PASS, *actions] if may_pass else actions

    def bid(self, bid: int) -> None:
        highest_before = self.highest_bid()
        self.bids[self.seat] = bid
        if self.seat != self.dealer:
            self.seat = self.left_of(self.seat)
            return

        # The dealer has spoken last: an equal bid of the dealer's beats the one before it.
        if bid != NO_BID and bid >= highest_before:
            self.pitcher = self.dealer
        else:
            self.pitcher = self.bids.index(highest_before)
        self.phase = "play"
        self.seat = self.pitcher

    # 4. The tricks

    def is_trump(self, card: Card) -> bool:
        return SUITS[suit(card)] == self.trump

    def cards_to_play_from(self) -> list[Card]:
        held = self.held[self.seat]

        # The leader may lead anything.
        if not self.trick:
            return held

        # Without the led suit anything may be played.
        led_suit = suit(self.trick[0][1])
        following = [card for card in held if suit(card) == led_suit]
        if not following:
            return held

        # With it a seat follows, or trumps. (If trump is led that is the same.)
        return [card for card in held if card in following or self.is_trump(card)]

    def lay(self, card: Card) -> None:
        if self.trump is None:  # the pitcher's first lead
            self.trump = SUITS[suit(card)]
        self.held[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < self.num_players:
            self.seat = self.left_of(self.seat)
        else:
            self.finish_trick()

    def finish_trick(self) -> None:
        taker = self.taker_of_trick()
        self.won[taker] += [card for _, card in self.trick]
        self.trick = []
        self.tricks_won[taker] += 1
        self.takers.append(taker)
        self.seat = taker
        if not self.held[taker]:
            self.score_hand()

    def taker_of_trick(self) -> int:
        """The seat with the highest trump, or with the highest card of the led suit if there is no trump."""
        led_suit = suit(self.trick[0][1])
        trumps = [card for _, card in self.trick if self.is_trump(card)]
        following = [card for _, card in self.trick if suit(card) == led_suit]
        highest = max(trumps or following, key=rank)
        return next(seat for seat, card in self.trick if card == highest)

    # 5. The tally

    def score_hand(self) -> None:
        points = [self.points_made(side) for side in self.sides]
        for side, made in zip(self.sides, points, strict=True):
            if self.pitcher in side:
                change = self.change_for_bidders(side, made)
            elif self.bid_made() or self.defenders_score_on_set:
                change = made
            else:
                change = 0
            for seat in side:
                self.scores[seat] += change
        self.end_or_deal_again()

    def points_made(self, side: list[int]) -> int:
        points = [self.high(), self.low(), self.jack(), self.game()]
        return points.count(side)

    def high(self) -> list[int]:
        """The side that won the highest trump that was dealt."""
        return self.side_with(max(self.trumps_in_play(), key=rank), self.won)

    def low(self) -> list[int]:
        """The side that won the lowest trump that was dealt, or the side to which it was dealt."""
        lowest = min(self.trumps_in_play(), key=rank)
        return self.side_with(lowest, self.dealt if self.low_to == "holder" else self.won)

    def jack(self) -> list[int] | None:
        """The side that won the jack of trumps, if that was dealt."""
        for card in self.trumps_in_play():
            if card[0] == "J":
                return self.side_with(card, self.won)
        return None

    def game(self) -> list[int] | None:
        """The side that won the most in card values, if one alone did."""
        totals = [sum(self.value_for_game(card) for card in self.cards_won(side)) for side in self.sides]
        if totals.count(max(totals)) > 1:
            return None
        return self.sides[totals.index(max(totals))]

    def trumps_in_play(self) -> list[Card]:
        return [card for hand in self.dealt for card in hand if self.is_trump(card)]

    def side_with(self, card: Card, piles: list[list[Card]]) -> list[int]:
        return next(side for side in self.sides for seat in side if card in piles[seat])

    def cards_won(self, side: list[int]) -> list[Card]:
        return [card for seat in side for card in self.won[seat]]

    def value_for_game(self, card: Card) -> int:
        if card[0] == "A":
            return ACE_FOR_GAME if self.is_trump(card) or self.game_aces == "all" else 0
        return VALUES_FOR_GAME.get(card[0], 0)

    def side_of_pitcher(self) -> list[int]:
        return next(side for side in self.sides if self.pitcher in side)

    def bid_made(self) -> bool:
        side = self.side_of_pitcher()
        made = self.points_made(side)
        if self.highest_bid() == SMUDGE:
            return made == ALL_POINTS and sum(self.tricks_won[seat] for seat in side) == CARDS_IN_A_HAND
        return made >= self.highest_bid()

    def change_for_bidders(self, side: list[int], made: int) -> int:
        if not self.bid_made():
            return -self.highest_bid()
        return SMUDGE if self.highest_bid() == SMUDGE else made

    # The end of the match

    def end_or_deal_again(self) -> None:
        hands_played = self.hand_number + 1
        target_ends_match = self.target_ends_match()
        agreed_length_reached = hands_played == self.num_hands
        cap_reached = hands_played == self.max_hands
        if target_ends_match or agreed_length_reached or cap_reached:
            self.truncated = not target_ends_match and not agreed_length_reached
            self.finish_match()
        else:
            self.hand_number += 1
            self.dealer = self.left_of(self.dealer)
            self.start_hand()

    def target_ends_match(self) -> bool:
        if self.bidders_are_out():
            return True
        return not self.must_bid_out and max(self.scores) >= self.target

    def bidders_are_out(self) -> bool:
        """Whether the bidding side has made its bid and stands at the target."""
        return self.bid_made() and self.scores[self.side_of_pitcher()[0]] >= self.target

    def finish_match(self) -> None:
        self.phase = "over"
        self.seat = -1
        if self.bidders_are_out():
            self.bid_out = self.side_of_pitcher()
        standings = self.standings()
        self.winners = [seat for seat in range(self.num_players) if standings[seat] == max(standings)]
