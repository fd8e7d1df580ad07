"""Rewind, slowly: a judge for the engine, written from the rulebook and from nothing else.

Plain lists of card names, in the order of the rulebook: the pack, the deal, Round I, Round II, scoring, the
end. Used by tests only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Card = str  # rank and suit, "7R" or "13C"

SUITS = "CRFP"  # cassettes, records, films, photos
TRUMP = "C"
HIGHEST_RANK = 13
TRICKS = 13  # in each round
FIRST_PLACE = 1

FIRST_PLACE_POINTS = 2
OTHER_PLACE_POINTS = 1

GIVE_PLACE = 52  # action 52 + r: the best place still open goes to the tied seat r places to the left

SUIT_LETTERS = {"records": "R", "films": "F", "photos": "P"}


# Cards


def suit(card: Card) -> str:
    return card[-1]


@cache
def rank(card: Card) -> int:
    return int(card[:-1])


@cache
def card_id(card: Card) -> int:
    return 13 * SUITS.index(suit(card)) + rank(card) - 1


def card_name(number: int) -> Card:
    return f"{number % 13 + 1}{SUITS[number // 13]}"


def pack(num_players: int, removed_suit: str = "photos") -> list[Card]:
    """The cards this many seats play with, in the order of their ids; three seats leave a suit out."""
    suits = SUITS
    if num_players == 3:
        suits = suits.replace(SUIT_LETTERS[removed_suit], "")
    return [f"{number}{suit_name}" for suit_name in suits for number in range(1, HIGHEST_RANK + 1)]


class RewindOracle:
    """One match. `decks(h)` lists the cards of hand h as they come off the pack; `dealer` deals hand 0."""

    def __init__(
        self,
        *,
        num_players: int,
        dealer: int,
        decks: Callable[[int], list[Card]],
        removed_suit: str = "photos",
        num_hands: int = 1,
        max_hands: int | None = None,
    ) -> None:
        self.num_players = num_players
        self.decks = decks
        self.removed_suit = removed_suit
        self.num_hands = num_hands
        self.max_hands = max_hands
        self.trump = "cassettes"

        self.scores: list[int] = [0] * num_players
        self.tiebreakers: list[int] = [0] * num_players  # markers in the tie-break piles of all hands
        self.takers: list[int] = []  # who was first in each trick, over the whole match
        self.truncated = False
        self.winners: list[int] = []
        self.hand_number = 0
        self.dealer = dealer
        self.start_hand()

    # What may be seen and done from outside

    def hands(self) -> list[list[Card]]:
        """The cards each seat has still to play in this round."""
        return [sorted(held, key=card_id) for held in self.held]

    def legal(self) -> list[int]:
        """The actions the seat to act may choose."""
        if self.phase == "play":
            return sorted(card_id(card) for card in self.cards_to_play_from())
        if self.phase == "tie":
            return sorted(GIVE_PLACE + self.places_to_the_left(seat) for seat in self.tied_and_not_placed())
        return []

    def play(self, action_id: int) -> None:
        if action_id not in self.legal():
            raise ValueError(f"action {action_id} is not legal for seat {self.seat} in phase {self.phase}")
        if self.phase == "play":
            self.lay(card_name(action_id))
        else:
            self.give_best_open_place((self.seat + action_id - GIVE_PLACE) % self.num_players)

    # The deal

    def start_hand(self) -> None:
        self.placements = [[0] * self.num_players for _ in range(TRICKS)]
        self.markers = [[False] * self.num_players for _ in range(TRICKS)]
        self.tricks_won = [0] * self.num_players
        self.deal()
        self.start_round(1, leader=self.left_of(self.dealer))

    def deal(self) -> None:
        """One card at a time, the dealer's left first."""
        deck = self.decks(self.hand_number)
        if sorted(deck) != sorted(pack(self.num_players, self.removed_suit)):
            raise ValueError(f"not the pack for {self.num_players} seats: {' '.join(deck)}")
        self.dealt: list[list[Card]] = [[] for _ in range(self.num_players)]
        receiver = self.left_of(self.dealer)
        for card in deck:
            self.dealt[receiver].append(card)
            receiver = self.left_of(receiver)

    def start_round(self, number: int, leader: int) -> None:
        """Every seat has all the cards it was dealt."""
        self.round = number
        self.held = [list(cards) for cards in self.dealt]
        self.tricks_of_round = 0
        self.start_trick(leader)

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    def places_to_the_left(self, seat: int) -> int:
        """How far the seat sits to the left of the seat to act."""
        return (seat - self.seat) % self.num_players

    # Playing a trick

    def start_trick(self, leader: int) -> None:
        self.phase = "play"
        self.seat = leader
        self.trick: list[tuple[int, Card]] = []
        self.place: dict[int, int] = {}  # of each seat in this trick, once it is known
        self.tied: list[int] = []  # in the order of play

    def led_suit(self) -> str:
        return suit(self.trick[0][1])

    def cards_to_play_from(self) -> list[Card]:
        held = self.held[self.seat]
        if self.trick:
            following = [card for card in held if suit(card) == self.led_suit()]
            if following:
                return following
        return held

    def lay(self, card: Card) -> None:
        self.held[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < self.num_players:
            self.seat = self.left_of(self.seat)
        else:
            self.rank_cards()

    # Places in a trick

    def beats(self, card: Card, other: Card) -> bool:
        """Trumps come first, then the led suit, then all the rest; higher ranks first within each."""
        if self.precedence(card) != self.precedence(other):
            return self.precedence(card) > self.precedence(other)
        return rank(card) > rank(other)

    def precedence(self, card: Card) -> int:
        if suit(card) == TRUMP:
            return 2
        if suit(card) == self.led_suit():
            return 1
        return 0

    def level(self, card: Card, other: Card) -> bool:
        return not self.beats(card, other) and not self.beats(other, card)

    def rank_cards(self) -> None:
        """Each seat is placed behind those that beat it; cards that are level leave their places open."""
        for seat, card in self.trick:
            if any(other != card and self.level(card, other) for _, other in self.trick):
                self.tied.append(seat)
            else:
                self.place[seat] = 1 + sum(self.beats(other, card) for _, other in self.trick)
        if self.tied:
            self.phase = "tie"
            self.seat = self.tied[-1]  # who played last into the tie decides it
        else:
            self.finish_trick()

    def tied_and_not_placed(self) -> list[int]:
        return [seat for seat in self.tied if seat not in self.place]

    def best_open_place(self) -> int:
        return min(place for place in range(1, self.num_players + 1) if place not in self.place.values())

    def give_best_open_place(self, receiver: int) -> None:
        self.place[receiver] = self.best_open_place()
        left_over = self.tied_and_not_placed()
        if len(left_over) == 1:
            self.place[left_over[0]] = self.best_open_place()
            self.finish_trick()

    def seat_placed(self, place: int) -> int:
        return next(seat for seat in self.place if self.place[seat] == place)

    def finish_trick(self) -> None:
        if self.round == 1:
            self.put_markers_down()
        else:
            self.take_markers_off()
        self.tricks_of_round += 1
        first, last = self.seat_placed(FIRST_PLACE), self.seat_placed(self.num_players)
        self.takers.append(first)
        self.tricks_won[first] += 1
        if self.tricks_of_round < TRICKS:
            self.start_trick(leader=first)
        elif self.round == 1:
            self.start_round(2, leader=last)
        else:
            self.trick = []
            self.finish_hand()

    # Markers

    def put_markers_down(self) -> None:
        for seat in range(self.num_players):
            self.placements[self.tricks_of_round][seat] = self.place[seat]
            self.markers[self.tricks_of_round][seat] = True

    def take_markers_off(self) -> None:
        """Round I runs backwards: its last trick is the first to be matched."""
        row = TRICKS - 1 - self.tricks_of_round
        repeating = [seat for seat in range(self.num_players) if self.place[seat] == self.placements[row][seat]]
        for seat in repeating:
            self.markers[row][seat] = False
        if repeating:
            best_placed = min(repeating, key=self.place.__getitem__)
            self.tiebreakers[best_placed] += 1

    # Scoring

    def finish_hand(self) -> None:
        for seat in range(self.num_players):
            self.scores[seat] += self.points_left_on_board(seat)
        self.end_or_deal_again()

    def points_left_on_board(self, seat: int) -> int:
        points = 0
        for row in range(TRICKS):
            if self.markers[row][seat]:
                first = self.placements[row][seat] == FIRST_PLACE
                points += FIRST_PLACE_POINTS if first else OTHER_PLACE_POINTS
        return points

    # The end of the match

    def end_or_deal_again(self) -> None:
        hands_played = self.hand_number + 1
        agreed_length_reached = hands_played == self.num_hands
        cap_reached = hands_played == self.max_hands
        if agreed_length_reached or cap_reached:
            self.truncated = not agreed_length_reached
            self.finish_match()
        else:
            self.hand_number += 1
            self.dealer = self.left_of(self.dealer)
            self.start_hand()

    def finish_match(self) -> None:
        """The lowest score wins; among equals the larger tie-break pile; who is level there too shares the win."""
        self.phase = "over"
        self.seat = -1
        seats = range(self.num_players)
        lowest = [seat for seat in seats if self.scores[seat] == min(self.scores)]
        largest_pile = max(self.tiebreakers[seat] for seat in lowest)
        self.winners = [seat for seat in lowest if self.tiebreakers[seat] == largest_pile]
