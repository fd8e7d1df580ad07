"""Rage'n Glyphs, slowly: a judge for the engine, written from the rulebook and from nothing else.

Plain lists of card names, in the order of the rulebook: the pack, the deal and the first trump, bidding,
tricks, jokers, scoring, the end. Used by tests only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

Card = str  # rank and the suit's letter, "0M" or "14X"; a joker "J2" or "J4" by its dots

SUITS = {  # highest first
    "M": "mushrooms",
    "H": "hearts",
    "D": "diamonds",
    "C": "clovers",
    "X": "crosses",
    "N": "horns",
}
RANKS = range(15)  # low to high
TWO_DOTS: Card = "J2"
FOUR_DOTS: Card = "J4"
JOKERS_OF_A_KIND = 4

KINDS: list[Card] = [*(f"{rank}{letter}" for letter in SUITS for rank in RANKS), TWO_DOTS, FOUR_DOTS]
FIRST_BID = len(KINDS)  # action: bid no trick; the bids of more tricks follow

FEWEST_UNDEALT = 4
TRUMP_OF_A_PILE_OF_JOKERS = "hearts"


# Cards


def is_joker(card: Card) -> bool:
    return card in (TWO_DOTS, FOUR_DOTS)


def suit(card: Card) -> str:
    return SUITS[card[-1]]


def rank(card: Card) -> int:
    return int(card[:-1])


@cache
def card_id(card: Card) -> int:
    return KINDS.index(card)


def pack() -> list[Card]:
    """All 98 cards, in the order of their ids."""
    return [card for card in KINDS for _ in range(JOKERS_OF_A_KIND if is_joker(card) else 1)]


def next_lower(trump: str) -> str:
    """The suit below in the order of suits; below the lowest comes the highest."""
    order = list(SUITS.values())
    return order[(order.index(trump) + 1) % len(order)]


def largest_hand(num_players: int) -> int:
    return (len(pack()) - FEWEST_UNDEALT) // num_players


class RageGlyphsOracle:
    """One match. `decks(h)` lists the cards of hand h as they come off the pack; `dealer` deals hand 0."""

    def __init__(
        self,
        *,
        num_players: int,
        dealer: int,
        decks: Callable[[int], list[Card]],
        hand_sizes: Sequence[int] | None = None,
        exact_bonus: int = 10,
        zero_bonus: int | None = None,
        miss_penalty: int = 0,
        hook: bool = False,
        num_hands: int | None = None,
        max_hands: int | None = None,
    ) -> None:
        self.num_players = num_players
        self.decks = decks
        self.hand_sizes = range(1, largest_hand(num_players) + 1) if hand_sizes is None else hand_sizes
        self.exact_bonus = exact_bonus
        self.zero_bonus = exact_bonus if zero_bonus is None else zero_bonus
        self.miss_penalty = miss_penalty
        self.hook = hook
        self.num_hands = len(self.hand_sizes) if num_hands is None else num_hands
        self.max_hands = max_hands

        self.scores: list[int] = [0] * num_players
        self.takers: list[int] = []  # who took each trick, over the whole match
        self.truncated = False
        self.winners: list[int] = []
        self.hand_number = 0
        self.dealer = dealer
        self.start_hand()

    # What may be seen and done from outside

    def hands(self) -> list[list[Card]]:
        return [sorted(held, key=card_id) for held in self.held]

    def legal(self) -> list[int]:
        """The actions the seat to act may choose."""
        if self.phase == "bid":
            return [FIRST_BID + bid for bid in self.bids_to_choose_from()]
        if self.phase == "play":
            return sorted({card_id(card) for card in self.cards_to_play_from()})
        return []

    def play(self, action_id: int) -> None:
        if action_id not in self.legal():
            raise ValueError(f"action {action_id} is not legal for seat {self.seat} in phase {self.phase}")
        if self.phase == "bid":
            self.bid(action_id - FIRST_BID)
        else:
            self.lay(KINDS[action_id])

    # The deal

    def start_hand(self) -> None:
        self.held: list[list[Card]] = [[] for _ in range(self.num_players)]
        self.bids: list[int | None] = [None] * self.num_players
        self.trick: list[tuple[int, Card]] = []
        self.tricks_won = [0] * self.num_players
        self.deal()
        self.turn_up_the_first_trump()
        self.phase = "bid"
        self.seat = self.left_of(self.dealer)

    def hand_size(self) -> int:
        return self.hand_sizes[self.hand_number]

    def deal(self) -> None:
        """One card at a time, the dealer's left first; the cards left over are the pile."""
        deck = self.decks(self.hand_number)
        if sorted(deck) != sorted(pack()):
            raise ValueError(f"not the pack: {' '.join(deck)}")
        dealt = self.hand_size() * self.num_players
        receiver = self.left_of(self.dealer)
        for card in deck[:dealt]:
            self.held[receiver].append(card)
            receiver = self.left_of(receiver)
        self.pile = deck[dealt:]  # face down, the top card first
        self.turned: list[Card] = []  # lying open beside it

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    # Trump

    def turn_up_the_first_trump(self) -> None:
        """The first suited card of the pile says what is trump."""
        while self.pile:
            card = self.turn()
            if not is_joker(card):
                self.make_trump(suit(card))
                return
        self.make_trump(TRUMP_OF_A_PILE_OF_JOKERS)

    def turn(self) -> Card:
        """The top card of the pile is laid open."""
        card = self.pile.pop(0)
        self.turned.append(card)
        return card

    def make_trump(self, trump: str) -> None:
        self.trump: str | None = trump
        self.last_trump = trump  # remembered when trump is abolished

    # Bidding

    def bids_to_choose_from(self) -> list[int]:
        """Any number of the hand's tricks; under the hook, the last to bid must upset the sum."""
        bids = list(range(self.hand_size() + 1))
        if self.hook and self.seat == self.dealer:
            bid_so_far = sum(bid for bid in self.bids if bid is not None)
            bids = [bid for bid in bids if bid_so_far + bid != self.hand_size()]
        return bids

    def bid(self, bid: int) -> None:
        self.bids[self.seat] = bid
        if self.seat == self.dealer:  # the last to bid
            self.phase = "play"
        self.seat = self.left_of(self.seat)

    # Tricks

    def led_suit(self) -> str | None:
        """The suit of the first suited card of the trick."""
        for _, card in self.trick:
            if not is_joker(card):
                return suit(card)
        return None

    def cards_to_play_from(self) -> list[Card]:
        held = self.held[self.seat]
        led_suit = self.led_suit()
        following = [card for card in held if not is_joker(card) and suit(card) == led_suit]
        return following or held

    def lay(self, card: Card) -> None:
        self.held[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if card == TWO_DOTS:
            self.change_trump()
        if card == FOUR_DOTS:
            self.abolish_trump()
        if len(self.trick) < self.num_players:
            self.seat = self.left_of(self.seat)
        else:
            self.finish_trick()

    def finish_trick(self) -> None:
        taker = self.taker_of_trick()
        self.trick = []
        self.tricks_won[taker] += 1
        self.takers.append(taker)
        self.seat = taker
        if not self.held[taker]:
            self.finish_hand()

    def taker_of_trick(self) -> int:
        """The seat with the highest trump, else the highest of the led suit, else the first joker."""
        suited = [(seat, card) for seat, card in self.trick if not is_joker(card)]
        for strongest in (self.trump, self.led_suit()):
            candidates = [(seat, card) for seat, card in suited if suit(card) == strongest]
            if candidates:
                taker, _ = max(candidates, key=lambda played: rank(played[1]))
                return taker
        first_joker, _ = self.trick[0]
        return first_joker

    # Jokers

    def change_trump(self) -> None:
        """The pile is turned up to a card of another suit; failing that, the next lower suit is trump."""
        while self.pile:
            card = self.turn()
            if not is_joker(card) and suit(card) != self.trump:
                self.make_trump(suit(card))
                return
        self.make_trump(next_lower(self.last_trump))

    def abolish_trump(self) -> None:
        self.trump = None

    # Scoring

    def finish_hand(self) -> None:
        for seat in range(self.num_players):
            self.scores[seat] += self.points(seat)
        self.end_or_deal_again()

    def points(self, seat: int) -> int:
        won = self.tricks_won[seat]
        if won != self.bids[seat]:
            return won - self.miss_penalty
        return won + (self.zero_bonus if won == 0 else self.exact_bonus)

    # The end of the match

    def end_or_deal_again(self) -> None:
        hands_played = self.hand_number + 1
        last_hand_played = hands_played == self.num_hands
        cap_reached = hands_played == self.max_hands
        if last_hand_played or cap_reached:
            self.truncated = not last_hand_played
            self.finish_match()
        else:
            self.hand_number += 1
            self.dealer = self.left_of(self.dealer)
            self.start_hand()

    def finish_match(self) -> None:
        self.phase = "over"
        self.seat = -1
        highest = max(self.scores)
        self.winners = [seat for seat in range(self.num_players) if self.scores[seat] == highest]
