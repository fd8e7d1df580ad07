"""Rage'n Glyphs for two to ten seats. High score wins.

Source: the Rage'n Glyphs rulebook for the Glyph deck (published for 3 to 10 players; two is ours). In our words, in
its order:

Pack       Six suits of 0 to 14 and eight jokers, four with two dots and four with four.
Deal       One card each in the first hand and one more in every next, as long as four are left for the pile. The
           top of the pile is turned: its suit is trump. Jokers are passed over; if there is nothing else, hearts.
Bidding    From the dealer's left each seat says how many tricks it will take.
Play       The dealer's left leads. The first suited card of a trick sets the suit to follow. Who has none of it, or
           plays before it is set, may play anything. The highest trump takes the trick, or else the highest card of
           the suit led; among jokers alone, the first. The taker leads.
Jokers     Two dots turn the pile on until another suit shows, which is trump at once; when the pile does not show
           one, trump goes to the next suit in order. Four dots: there is no trump.
Score      One for each trick, and a bonus for exactly the tricks bid.
Match      Until the last hand; the highest total wins.

The suits stand in their order from high to low, as the rulebook's missing end needs it.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numba.extending import register_jitable
from pydantic import Field, model_validator

from trick_envs.bits import WORD, bit, listed
from trick_envs.cards import GLYPH
from trick_envs.games.options import Count, GameOptions
from trick_envs.games.table import (
    BID,
    OVER,
    PLAY,
    add_to_trick,
    clear_tricks,
    high_score_wins,
    own_side,
    seat_after,
    table_fields,
    win_trick,
)

NAME = "rage_glyphs"
VERSION = 0
SEATS = range(2, 11)
MAX_SEATS = SEATS[-1]
SEATS_BY_DEFAULT = 4
PACK = GLYPH

# --- Cards -----------------------------------------------------------------------------------------------------

SUITS = len(PACK.suits)
RANKS = len(PACK.ranks)
HEARTS = PACK.suits.index("hearts")
NO_SUIT = -1
KINDS = len(PACK.names)  # of cards: the jokers of a kind are one
JOKERS = SUITS * RANKS  # the card ids from here on
JOKER_KINDS = len(PACK.suitless)
CHANGE, ABOLISH = range(JOKER_KINDS)  # what the kinds of jokers do to trump
JOKERS_OF_A_KIND = 4
PACK_SIZE = JOKERS + JOKERS_OF_A_KIND * JOKER_KINDS
PILE = 4  # cards at least that are left when a hand is dealt

# Sets of suited cards are two words: four suits in the first, two in the second. The actions have the cards in the
# same places, so legal plays need no conversion.
WORDS = 2
SUITS_IN_WORD = WORD // RANKS
RANK_BITS = bit(RANKS) - 1


def pack(options: "Options") -> tuple[int, ...]:
    """The card ids of the pack in play, a joker four times."""
    jokers = (joker for joker in range(JOKERS, KINDS) for _ in range(JOKERS_OF_A_KIND))
    return (*range(JOKERS), *jokers)


def most_cards(num_players: int) -> int:
    """Cards that each seat can be dealt at most."""
    return (PACK_SIZE - PILE) // num_players


# --- Actions ---------------------------------------------------------------------------------------------------

BIDS = KINDS  # the action of bid b is BIDS + b
BIDS_IN_WORD = 2 * WORD - BIDS  # the bids that have their place in the second word of actions
NOT_BID = -1


def action_names(options: "Options") -> tuple[str, ...]:
    """Names of the actions by id."""
    return (*PACK.names, *(f"bid {bid}" for bid in range(most_cards(options.num_players) + 1)))


MOST_HANDS = 128
MOST_POINTS = 10**6
Points = Annotated[int, Field(ge=0, le=MOST_POINTS)]


class Options(GameOptions):
    """The options of Rage'n Glyphs, beside those of every game.

    hand_sizes: cards dealt to each seat, hand by hand; by default 1, 2 and so on as far as the pack reaches.
    exact_bonus: for taking exactly the tricks bid.
    zero_bonus: the same for a bid of none; by default equal to ``exact_bonus``.
    miss_penalty: taken off when another number of tricks is taken.
    hook: the dealer may not make the bids add up to the tricks of the hand.
    """

    num_players: Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])] = SEATS_BY_DEFAULT
    hand_sizes: tuple[int, ...] = ()
    exact_bonus: Points = 10
    zero_bonus: Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)] | None = None
    miss_penalty: Points = 0
    hook: bool = False
    num_hands: Count | None = None
    max_hands: Count | None = None

    @model_validator(mode="before")
    @classmethod
    def _settle_defaults(cls, given: dict[str, Any]) -> dict[str, Any]:
        seats = given.get("num_players", SEATS_BY_DEFAULT)
        settled = dict(given)
        sizes = settled.pop("hand_sizes", None)
        if not isinstance(seats, bool) and isinstance(seats, int) and seats in SEATS:
            usual = range(1, most_cards(seats) + 1)
            settled["hand_sizes"] = tuple(usual) if sizes is None else _checked_sizes(sizes, seats)
        exact_bonus = settled.get("exact_bonus", cls.model_fields["exact_bonus"].default)
        if settled.get("zero_bonus") is None and isinstance(exact_bonus, int):
            settled["zero_bonus"] = exact_bonus
        return settled

    @model_validator(mode="after")
    def _num_hands_within_hand_sizes(self) -> "Options":
        if self.num_hands is not None and self.num_hands > len(self.hand_sizes):
            hands = len(self.hand_sizes)
            raise ValueError(f"num_hands={self.num_hands}: should be at most {hands}, for hand_sizes has {hands} hands")
        return self

    @property
    def most_hands(self) -> int:
        """Hands after which the match ends at the latest."""
        return min(self.match_hands, self.max_hands or self.match_hands)

    @property
    def match_hands(self) -> int:
        """Hands in the match."""
        return self.num_hands or len(self.hand_sizes)

    @property
    def usual_score(self) -> int:
        """No score lies further from 0."""
        bonus = max(self.exact_bonus, abs(self.zero_bonus or 0), self.miss_penalty)
        return sum(size + bonus for size in self.hand_sizes[: self.match_hands])

    def write(self, table: np.void) -> None:
        super().write(table)
        table["num_hands"] = self.match_hands
        table["hand_sizes"][..., : len(self.hand_sizes)] = self.hand_sizes
        table["exact_bonus"] = self.exact_bonus
        table["zero_bonus"] = self.exact_bonus if self.zero_bonus is None else self.zero_bonus
        table["miss_penalty"] = self.miss_penalty
        table["hook"] = self.hook


def _checked_sizes(sizes: Any, num_players: int) -> tuple[int, ...]:
    """``sizes`` when they are hand sizes; ValueError otherwise."""
    allowed = f"a sequence of 1 to {MOST_HANDS} sizes from 1 to {most_cards(num_players)} with {num_players} seats"
    if isinstance(sizes, (str, bytes)) or not isinstance(sizes, Sequence) or not 1 <= len(sizes) <= MOST_HANDS:
        raise ValueError(f"hand_sizes={sizes!r}: should be {allowed}")
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= most_cards(num_players):
            raise ValueError(f"hand_sizes has {size!r}: should be {allowed}")
    return tuple(sizes)


FIELDS = [
    *table_fields(MAX_SEATS, words=3),
    # The agreed options
    ("hand_sizes", np.int8, (MOST_HANDS,)),
    ("exact_bonus", np.int32),
    ("zero_bonus", np.int32),
    ("miss_penalty", np.int32),
    ("hook", np.int8),
    # The hand
    ("hand_size", np.int8),
    ("deck", np.int8, (PACK_SIZE,)),  # as it came off the pack: the hands, then the pile
    ("next_in_pile", np.int8),  # place in the deck of the next card to turn
    ("turned_from", np.int8),  # place in the deck of the first card that was turned last
    ("turned", np.int64, (WORDS,)),  # open cards of the pile
    ("turned_jokers", np.int8, (JOKER_KINDS,)),
    ("trump", np.int8),  # suit, NO_SUIT while there is none
    ("last_trump", np.int8),  # suit that is trump, or was before trump was abolished
    ("bids", np.int8, (MAX_SEATS,)),  # NOT_BID before
    ("hand", np.int64, (MAX_SEATS, WORDS)),  # suited cards held
    ("jokers", np.int8, (MAX_SEATS, JOKER_KINDS)),  # jokers held, by kind
    ("played", np.int64, (MAX_SEATS, WORDS)),
    ("jokers_played", np.int8, (MAX_SEATS, JOKER_KINDS)),
    ("led_suit", np.int8),  # to be followed, NO_SUIT before a suited card lies
    ("winner", np.int8),  # seat that is winning the trick on the table, as trump now stands
]


# --- The deal --------------------------------------------------------------------------------------------------


@register_jitable
def begin_match(table, draw):
    """Nothing is settled by lot but the dealer."""


@register_jitable
def deal(table, deck):
    """Deal ``deck`` (card ids in the order they come off the pack) one at a time from the dealer's left."""
    clear_tricks(table)
    table.hand_size = table.hand_sizes[table.hand_number]
    for seat in range(table.num_players):
        table.bids[seat] = NOT_BID
        for word in range(WORDS):
            table.hand[seat, word] = 0
            table.played[seat, word] = 0
        for kind in range(JOKER_KINDS):
            table.jokers[seat, kind] = 0
            table.jokers_played[seat, kind] = 0
    for word in range(WORDS):
        table.turned[word] = 0
    for kind in range(JOKER_KINDS):
        table.turned_jokers[kind] = 0
    table.led_suit = NO_SUIT
    table.winner = 0
    for place in range(PACK_SIZE):
        table.deck[place] = deck[place]
    cards = int(table.hand_size) * table.num_players
    seat = table.dealer
    for place in range(cards):
        seat = seat_after(table, seat, 1)
        add_card(table.hand[seat], table.jokers[seat], deck[place])
    table.next_in_pile = cards
    table.trump = NO_SUIT
    suit = turn_suit(table)
    make_trump(table, suit if suit != NO_SUIT else HEARTS)
    table.phase = BID
    table.seat = seat_after(table, table.dealer, 1)


@register_jitable
def add_card(suited, jokers, card):
    """Add a card to a set of suited cards, int64 (WORDS,), or to the jokers by kind, int8 (2,)."""
    if card < JOKERS:
        suited[card // WORD] |= bit(card % WORD)
    else:
        jokers[card - JOKERS] += 1


@register_jitable
def turn_suit(table):
    """Turn cards of the pile until one shows a suit that is not trump: that suit, NO_SUIT when the pile runs out."""
    table.turned_from = table.next_in_pile
    while table.next_in_pile < PACK_SIZE:
        card = table.deck[table.next_in_pile]
        table.next_in_pile += 1
        add_card(table.turned, table.turned_jokers, card)
        if card < JOKERS and card // RANKS != table.trump:
            return card // RANKS
    return NO_SUIT


@register_jitable
def make_trump(table, suit):
    table.trump = suit
    table.last_trump = suit


# --- Actions ---------------------------------------------------------------------------------------------------


@register_jitable
def legal(table):
    """The set of legal actions, as a tuple of words."""
    if table.phase == BID:
        return biddable(table)
    if table.phase == PLAY:
        return playable(table, table.seat)
    return (0, 0, 0)


@register_jitable
def play(table, action):
    """Do a legal action. Leaves the phase OVER when the hand is, with ``hand_scores`` filled in."""
    if table.phase == BID:
        bid(table, action - BIDS)
    else:
        play_card(table, action)


@register_jitable
def biddable(table):
    """The bids from none to all tricks; under the hook the dealer's must not make them add up."""
    bids = int(table.hand_size) + 1
    in_second_word = min(bids, BIDS_IN_WORD)
    second = (bit(in_second_word) - 1) << (BIDS - WORD)
    third = bit(bids - in_second_word) - 1
    if table.hook and table.seat == table.dealer:
        refused = int(table.hand_size)
        for seat in range(table.num_players):
            if seat != table.dealer:
                refused -= table.bids[seat]
        if refused >= BIDS_IN_WORD:
            third &= ~bit(refused - BIDS_IN_WORD)
        elif refused >= 0:
            second &= ~bit(refused + BIDS - WORD)
    return (0, second, third)


@register_jitable
def bid(table, tricks):
    table.bids[table.seat] = tricks
    table.seat = seat_after(table, table.seat, 1)
    if table.bids[table.seat] != NOT_BID:
        table.phase = PLAY
        table.leader = table.seat


@register_jitable
def playable(table, seat):
    """The cards that the seat may play."""
    if table.led_suit != NO_SUIT:
        following = ranksheld(table, seat, table.led_suit) << (RANKS * (table.led_suit % SUITS_IN_WORD))
        if following and table.led_suit < SUITS_IN_WORD:
            return (following, 0, 0)
        if following:
            return (0, following, 0)
    jokers = 0
    for kind in range(JOKER_KINDS):
        if table.jokers[seat, kind]:
            jokers |= bit(JOKERS + kind - WORD)
    return (table.hand[seat, 0], table.hand[seat, 1] | jokers, 0)


@register_jitable
def ranksheld(table, seat, suit):
    """The set of ranks of a suit that the seat holds."""
    return (table.hand[seat, suit // SUITS_IN_WORD] >> (RANKS * (suit % SUITS_IN_WORD))) & RANK_BITS


# --- The trick -------------------------------------------------------------------------------------------------


@register_jitable
def play_card(table, card):
    seat = table.seat
    take_from_hand(table, seat, card)
    add_card(table.played[seat], table.jokers_played[seat], card)
    if card >= JOKERS:
        play_joker(table, card - JOKERS)
    elif table.led_suit == NO_SUIT:
        table.led_suit = card // RANKS
    if table.led_suit != NO_SUIT and (card >= JOKERS or card // RANKS != table.led_suit):
        table.voids[seat] |= bit(table.led_suit)
    complete = add_to_trick(table, card)
    table.winner = seat_after(table, table.leader, best_place(table))
    if complete:
        take_trick(table)


@register_jitable
def take_from_hand(table, seat, card):
    if card < JOKERS:
        table.hand[seat, card // WORD] &= ~bit(card % WORD)
    else:
        table.jokers[seat, card - JOKERS] -= 1


@register_jitable
def play_joker(table, kind):
    """A joker works at once: it abolishes trump, or turns up another."""
    if kind == ABOLISH:
        table.trump = NO_SUIT
        return
    suit = turn_suit(table)
    make_trump(table, suit if suit != NO_SUIT else (table.last_trump + 1) % SUITS)


@register_jitable
def best_place(table):
    """The place in the trick on the table, from 0, of the card that wins it as trump now stands."""
    best, best_strength = 0, -1
    for place in range(table.trick_size):
        strength = strength_of(table, table.trick[place])
        if strength > best_strength:
            best, best_strength = place, strength
    return best


@register_jitable
def strength_of(table, card):
    """Comparable within a trick: 0 for what cannot win but first among jokers."""
    if card >= JOKERS:
        return 0
    suit, rank = card // RANKS, card % RANKS
    if suit == table.trump:
        return RANKS + 1 + rank
    return 1 + rank if suit == table.led_suit else 0


@register_jitable
def take_trick(table):
    table.led_suit = NO_SUIT
    win_trick(table, table.winner)
    if table.trick_number == table.hand_size:
        score_hand(table)
        table.phase = OVER


@register_jitable
def score_hand(table):
    for seat in range(table.num_players):
        bonus = -table.miss_penalty
        if table.tricks_won[seat] == table.bids[seat]:
            bonus = table.zero_bonus if table.bids[seat] == 0 else table.exact_bonus
        table.hand_scores[seat] = table.tricks_won[seat] + bonus


# --- The match -------------------------------------------------------------------------------------------------

gain = high_score_wins
side = own_side


@register_jitable
def match_over(table):
    """The last hand, which ``num_hands`` counts, ends the match, whatever the scores are."""
    return False


@register_jitable
def standing(table, seat):
    """How well the seat stands: the higher the better, equal for those who share a place."""
    return table.scores[seat]


DRAWN_ONCE: tuple[str, ...] = ()  # fields that ``begin_match`` settles by lot


def most_actions(options: "Options", hand: int) -> int:
    """The most actions of a hand: bids and cards played."""
    return options.num_players * (1 + options.hand_sizes[hand])


def score_range(options: "Options", hand: int) -> tuple[int, int]:
    """No score of a hand lies outside."""
    zero_bonus = options.exact_bonus if options.zero_bonus is None else options.zero_bonus
    bonuses = (options.exact_bonus, zero_bonus, -options.miss_penalty)
    return min(bonuses), max(bonuses) + options.hand_sizes[hand]


# --- What people and tests look at -----------------------------------------------------------------------------


def hands(table: np.record) -> list[list[str]]:
    """By seat, the names of the cards now held, a joker as often as it is held."""
    return [held(table.hand[seat], table.jokers[seat]) for seat in range(table.num_players)]


def held(suited: np.ndarray, jokers: np.ndarray) -> list[str]:
    """The names of suited cards, and of jokers as often as they are there."""
    names = [PACK.names[card] for card in listed(suited.tolist())]
    for kind, count in enumerate(jokers.tolist()):
        names += [PACK.suitless[kind]] * count
    return names


def turned_cards(table: np.record) -> list[str]:
    """The open cards of the pile in the order they were turned."""
    first = int(table.hand_size) * int(table.num_players)
    return [PACK.names[card] for card in table.deck[first : int(table.next_in_pile)]]


def bids_so_far(table: np.record) -> list[int | None]:
    """By seat, None before a bid."""
    bids = (int(tricks) for tricks in table.bids[: table.num_players])
    return [None if tricks == NOT_BID else tricks for tricks in bids]


SHOWN = {
    "bids": bids_so_far,
    "turned": turned_cards,
    "trump": lambda table: None if table.trump == NO_SUIT else PACK.suits[table.trump],
}
