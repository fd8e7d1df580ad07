"""Hearts, slowly: a judge for the engine, written from the rulebook and from nothing else.

Plain lists of card names, in the order of the rulebook: the pack, the deal, passing, tricks, scoring,
the end. Standard Hearts for 3 to 7 seats (no Cancellation). Used by tests only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Card = str  # rank and suit, "QS" or "TH"

RANKS = "23456789TJQKA"  # low to high
SUITS = "CDSH"

BLACK_MARIA: Card = "QS"
BLACK_MARIA_POINTS = 13
HEART_POINTS = 1
MOON_POINTS = 26
OMNIBUS_JACK: Card = "JD"
OMNIBUS_POINTS = -10

SUBTRACT = 52  # action: take 26 off my own score
ADD = 53  # action: add 26 to every other score

REMOVED = {
    3: ["2D"],
    4: [],
    5: ["2D", "2C"],
    6: ["2D", "3D", "3C", "4C"],
    7: ["2D", "3D", "3C"],
}

# How many seats to the left the passed cards travel; 0 is a hand in which all keep their cards.
PASSES_AMONG_FOUR = [1, -1, 2, 0]  # left, right, across, hold
PASSES_OTHERWISE = [1, -1]  # left, right


# Cards


def suit(card: Card) -> str:
    return card[1]


@cache
def rank(card: Card) -> int:
    """How high the card stands in its suit: 2 for a two, 14 for an ace."""
    return RANKS.index(card[0]) + 2


@cache
def card_id(card: Card) -> int:
    return 13 * SUITS.index(suit(card)) + rank(card) - 2


def card_name(number: int) -> Card:
    return RANKS[number % 13] + SUITS[number // 13]


def is_heart(card: Card) -> bool:
    return suit(card) == "H"


def is_point_card(card: Card) -> bool:
    return is_heart(card) or card == BLACK_MARIA


def pack(num_players: int) -> list[Card]:
    """The cards this many seats play with, in the order of their ids."""
    every_card = [rank_name + suit_name for suit_name in SUITS for rank_name in RANKS]
    return [card for card in every_card if card not in REMOVED[num_players]]


HEARTS_AND_MARIA = [card for card in pack(4) if is_point_card(card)]


class HeartsOracle:
    """One match. `decks(h)` lists the cards of hand h as they come off the pack.

    `dealer` deals hand 0; `first_pass` is how many hands the passing has already rotated by then.
    """

    def __init__(
        self,
        *,
        num_players: int,
        dealer: int,
        decks: Callable[[int], list[Card]],
        target: int = 100,
        pass_cards: int = 3,
        moon: str = "choose",
        queen_breaks_hearts: bool = True,
        omnibus: bool = False,
        num_hands: int | None = None,
        max_hands: int | None = 100,
        first_pass: int = 0,
    ) -> None:
        self.num_players = num_players
        self.decks = decks
        self.target = target
        self.pass_cards = pass_cards
        self.moon = moon
        self.queen_breaks_hearts = queen_breaks_hearts
        self.omnibus = omnibus
        self.num_hands = num_hands
        self.max_hands = max_hands
        self.first_pass = first_pass

        self.scores: list[int] = [0] * num_players
        self.takers: list[int] = []  # who took each trick, over the whole match
        self.truncated = False
        self.winners: list[int] = []
        self.hand_number = 0
        self.dealer = dealer
        self.start_hand()

    # What may be seen and done from outside

    def hands(self) -> list[list[Card]]:
        """The cards each seat holds; those picked for passing leave only when everyone has passed."""
        return [sorted(held, key=card_id) for held in self.held]

    def legal(self) -> list[int]:
        """The actions the seat to act may choose."""
        if self.phase == "pass":
            return sorted(card_id(card) for card in self.cards_to_pick_from())
        if self.phase == "play":
            return sorted(card_id(card) for card in self.cards_to_play_from())
        if self.phase == "moon":
            return [SUBTRACT, ADD]
        return []

    def play(self, action_id: int) -> None:
        if action_id not in self.legal():
            raise ValueError(f"action {action_id} is not legal for seat {self.seat} in phase {self.phase}")
        if self.phase == "pass":
            self.pick(card_name(action_id))
        elif self.phase == "play":
            self.lay(card_name(action_id))
        else:
            self.settle(subtract=action_id == SUBTRACT)

    # The deal

    def start_hand(self) -> None:
        self.held: list[list[Card]] = [[] for _ in range(self.num_players)]
        self.picked: list[list[Card]] = [[] for _ in range(self.num_players)]
        self.won: list[list[Card]] = [[] for _ in range(self.num_players)]
        self.trick: list[tuple[int, Card]] = []
        self.tricks_won = [0] * self.num_players
        self.broken = False
        self.deal()
        if self.pass_cards > 0 and self.passing_distance() != 0:
            self.phase = "pass"
            self.seat = self.left_of(self.dealer)
        else:
            self.start_tricks()

    def deal(self) -> None:
        """One card at a time, the dealer's left first."""
        deck = self.decks(self.hand_number)
        if sorted(deck) != sorted(pack(self.num_players)):
            raise ValueError(f"not the pack for {self.num_players} seats: {' '.join(deck)}")
        receiver = self.left_of(self.dealer)
        for card in deck:
            self.held[receiver].append(card)
            receiver = self.left_of(receiver)

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    # Passing

    def passing_distance(self) -> int:
        rotation = PASSES_AMONG_FOUR if self.num_players == 4 else PASSES_OTHERWISE
        return rotation[(self.first_pass + self.hand_number) % len(rotation)]

    def cards_to_pick_from(self) -> list[Card]:
        """Any card, but no card twice."""
        return [card for card in self.held[self.seat] if card not in self.picked[self.seat]]

    def pick(self, card: Card) -> None:
        self.picked[self.seat].append(card)
        if len(self.picked[self.seat]) < self.pass_cards:
            return
        if self.seat != self.dealer:  # the dealer is the last to pick
            self.seat = self.left_of(self.seat)
            return
        self.exchange()
        self.start_tricks()

    def exchange(self) -> None:
        for giver in range(self.num_players):
            receiver = (giver + self.passing_distance()) % self.num_players
            for card in self.picked[giver]:
                self.held[giver].remove(card)
                self.held[receiver].append(card)

    # Tricks

    def start_tricks(self) -> None:
        self.phase = "play"
        self.seat = self.holder_of(self.lowest_club())

    def lowest_club(self) -> Card:
        return min((card for card in pack(self.num_players) if suit(card) == "C"), key=rank)

    def holder_of(self, card: Card) -> int:
        return next(seat for seat in range(self.num_players) if card in self.held[seat])

    def first_trick(self) -> bool:
        return sum(self.tricks_won) == 0

    def cards_to_play_from(self) -> list[Card]:
        held = self.held[self.seat]

        # The lowest club opens the hand.
        if self.first_trick() and not self.trick:
            return [self.lowest_club()]

        # A seat follows suit if it can.
        if self.trick:
            led_suit = suit(self.trick[0][1])
            following = [card for card in held if suit(card) == led_suit]
            if following:
                return following

        # No heart and no Black Maria on the first trick, unless there is nothing else.
        if self.first_trick():
            harmless = [card for card in held if not is_point_card(card)]
            if harmless:
                return harmless

        # No heart is led before hearts are broken, unless there is nothing else.
        if not self.trick and not self.broken:
            not_hearts = [card for card in held if not is_heart(card)]
            if not_hearts:
                return not_hearts

        # Any card.
        return held

    def lay(self, card: Card) -> None:
        self.held[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if is_heart(card) or (card == BLACK_MARIA and self.queen_breaks_hearts):
            self.broken = True
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
            self.finish_hand()

    def taker_of_trick(self) -> int:
        """The seat with the highest card of the led suit."""
        led_suit = suit(self.trick[0][1])
        taker, highest = self.trick[0]
        for seat, card in self.trick:
            if suit(card) == led_suit and rank(card) > rank(highest):
                taker, highest = seat, card
        return taker

    # Scoring

    def finish_hand(self) -> None:
        shooter = self.shooter()
        if shooter is not None and self.moon == "choose":
            self.phase = "moon"
            self.seat = shooter
        else:
            self.settle(subtract=self.moon == "subtract")

    def shooter(self) -> int | None:
        """The seat that took every heart and the Black Maria, if one did."""
        for seat in range(self.num_players):
            if all(card in self.won[seat] for card in HEARTS_AND_MARIA):
                return seat
        return None

    def settle(self, subtract: bool) -> None:
        """Write the hand down; `subtract` says how a moon is counted, if there was one."""
        shooter = self.shooter()
        for seat in range(self.num_players):
            if shooter is None:
                self.scores[seat] += self.points_taken(seat)
            elif subtract and seat == shooter:
                self.scores[seat] -= MOON_POINTS
            elif not subtract and seat != shooter:
                self.scores[seat] += MOON_POINTS
            if self.omnibus and OMNIBUS_JACK in self.won[seat]:
                self.scores[seat] += OMNIBUS_POINTS
        self.end_or_deal_again()

    def points_taken(self, seat: int) -> int:
        points = 0
        for card in self.won[seat]:
            if is_heart(card):
                points += HEART_POINTS
            if card == BLACK_MARIA:
                points += BLACK_MARIA_POINTS
        return points

    # The end of the match

    def end_or_deal_again(self) -> None:
        hands_played = self.hand_number + 1
        target_reached = max(self.scores) >= self.target
        agreed_length_reached = hands_played == self.num_hands
        cap_reached = hands_played == self.max_hands
        if target_reached or agreed_length_reached or cap_reached:
            self.truncated = not target_reached and not agreed_length_reached
            self.finish_match()
        else:
            self.hand_number += 1
            self.dealer = self.left_of(self.dealer)
            self.start_hand()

    def finish_match(self) -> None:
        self.phase = "over"
        self.seat = -1
        lowest = min(self.scores)
        self.winners = [seat for seat in range(self.num_players) if self.scores[seat] == lowest]
