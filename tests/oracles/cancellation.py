"""Cancellation Hearts, slowly: a judge for the engine, written from the rules and from nothing else.

Two packs shuffled together for 6 to 11 seats. Plain lists of card names, in the order of the rulebook: the packs,
the deal and the kitty, passing, tricks, scoring, the end. A card that is held twice stands twice in a list. Used
by tests only.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.hearts import RANKS, SUITS, Card, card_id, card_name, rank, suit

BLACK_MARIA: Card = "QS"
BLACK_MARIA_POINTS = 13
HEART_POINTS = 1
MOON_POINTS = 52  # two packs of 13 hearts and a Black Maria each
OMNIBUS_JACK: Card = "JD"
OMNIBUS_POINTS = -10

SUBTRACT = 52  # action: take the moon's points off my own score
ADD = 53  # action: add the moon's points to every other score

SEATS = range(6, 12)

# How many seats to the left the passed cards travel, hand by hand.
PASSES = [1, -1]  # left, right

# Both packs together, in the order of their ids.
CARDS = [rank_name + suit_name for suit_name in SUITS for rank_name in RANKS for _ in range(2)]


def is_heart(card: Card) -> bool:
    return suit(card) == "H"


def is_point_card(card: Card) -> bool:
    return is_heart(card) or card == BLACK_MARIA


def without(cards: list[Card], taken: list[Card]) -> list[Card]:
    """The cards that are left when those taken are gone, each once for every time it was taken."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


class CancellationOracle:
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
        if num_players not in SEATS:
            raise ValueError(f"{num_players} seats cannot play Cancellation")
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
        self.takers: list[int] = []  # who won each trick that was won, over the whole match
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
        """The actions the seat to act may choose; a card held twice is one action."""
        if self.phase == "pass":
            return sorted({card_id(card) for card in self.cards_to_pick_from()})
        if self.phase == "play":
            return sorted({card_id(card) for card in self.cards_to_play_from()})
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
        self.kitty: list[Card] = []  # face down, for the first seat that wins a trick
        self.cancelled_tricks: list[Card] = []  # on the table, for the next seat that wins a trick
        self.trick: list[tuple[int, Card]] = []
        self.tricks_won = [0] * self.num_players
        self.broken = False
        self.deal()
        if self.pass_cards > 0:
            self.phase = "pass"
            self.seat = self.left_of(self.dealer)
        else:
            self.start_tricks()

    def deal(self) -> None:
        """One card at a time, the dealer's left first, while there is one for everybody; the rest is the kitty."""
        deck = self.decks(self.hand_number)
        if sorted(deck) != sorted(CARDS):
            raise ValueError(f"not two packs: {' '.join(deck)}")
        undealt = list(deck)
        while len(undealt) >= self.num_players:
            receiver = self.left_of(self.dealer)
            for _ in range(self.num_players):
                self.held[receiver].append(undealt.pop(0))
                receiver = self.left_of(receiver)
        self.kitty = undealt

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    # Passing

    def passing_distance(self) -> int:
        return PASSES[(self.first_pass + self.hand_number) % len(PASSES)]

    def cards_to_pick_from(self) -> list[Card]:
        """Any card; one that is held twice may be picked twice."""
        return without(self.held[self.seat], self.picked[self.seat])

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
        kept = [without(self.held[seat], self.picked[seat]) for seat in range(self.num_players)]
        self.held = kept
        for giver in range(self.num_players):
            receiver = (giver + self.passing_distance()) % self.num_players
            self.held[receiver] += self.picked[giver]

    # Tricks

    def start_tricks(self) -> None:
        self.phase = "play"
        self.seat = self.left_of(self.dealer)

    def cards_to_play_from(self) -> list[Card]:
        held = self.held[self.seat]

        # A seat follows suit if it can; a seat that cannot plays any card, on the first trick too.
        if self.trick:
            led_suit = suit(self.trick[0][1])
            following = [card for card in held if suit(card) == led_suit]
            return following or held

        # No heart is led before hearts are broken, unless there is nothing else.
        if not self.broken:
            not_hearts = [card for card in held if not is_heart(card)]
            return not_hearts or held

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
        leader = self.trick[0][0]
        winner = self.winner_of_trick()
        self.cancelled_tricks += [card for _, card in self.trick]
        self.trick = []
        if winner is None:
            self.seat = leader
        else:
            self.collect(winner)
            self.seat = winner
        if not self.held[self.seat]:
            self.finish_hand()

    def winner_of_trick(self) -> int | None:
        """The seat with the highest card of the led suit, of those that lie in the trick once; None without any."""
        led_suit = suit(self.trick[0][1])
        cards = [card for _, card in self.trick]
        in_play = [(seat, card) for seat, card in self.trick if suit(card) == led_suit and cards.count(card) == 1]
        if not in_play:
            return None
        winner, _ = max(in_play, key=lambda played: rank(played[1]))
        return winner

    def collect(self, winner: int) -> None:
        """The trick, and the cancelled tricks under it, are one trick won; the first one of a hand brings the kitty."""
        self.won[winner] += self.cancelled_tricks + self.kitty
        self.cancelled_tricks = []
        self.kitty = []
        self.tricks_won[winner] += 1
        self.takers.append(winner)

    # Scoring

    def finish_hand(self) -> None:
        """Cards of cancelled tricks that nobody won after all, and a kitty with them, count for nobody."""
        shooter = self.shooter()
        if shooter is not None and self.moon == "choose":
            self.phase = "moon"
            self.seat = shooter
        else:
            self.settle(subtract=self.moon == "subtract")

    def shooter(self) -> int | None:
        """The seat that took every heart and both Black Marias, if one did."""
        point_cards = [card for card in CARDS if is_point_card(card)]
        for seat in range(self.num_players):
            taken = [card for card in self.won[seat] if is_point_card(card)]
            if sorted(taken) == sorted(point_cards):
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
            if self.omnibus:
                self.scores[seat] += OMNIBUS_POINTS * self.won[seat].count(OMNIBUS_JACK)
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
