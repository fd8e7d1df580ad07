"""Hearts for three to seven seats. Low score wins.

Source: the Greek Hearts rulebook (3 to 7 players, "Black Maria" 13 points). In our words, in its order:

Pack       The standard 52, ace high. Low diamonds and clubs leave the pack until all seats get as many cards.
Passing    Each seat picks three cards for a neighbour: with four seats left, right, across, none, in turn by
           hand; otherwise left, right. Nobody sees what came before everybody has passed.
Play       The lowest club in the pack opens. Follow suit if able. No heart and no black queen on the first
           trick if it can be helped. No heart is led before a heart or the queen has been played, unless the
           leader has nothing else. The highest card of the led suit takes the trick and its taker leads.
Count      A heart is one point, the queen of spades thirteen. All of them in one seat are the moon: that seat
           chooses between 26 off its own score and 26 on everybody else's.
Match      Until a score reaches the target; the lowest score wins.

The functions are plain Python on one table record and run compiled as well; they know no rewards, agents or
tensors. Sets of cards are bits of an int64, bit c for card c.
"""

from typing import Annotated, Literal

import numpy as np
from numba.extending import register_jitable
from pydantic import Field

from trick_envs.bits import bit, count, lowest, prefer
from trick_envs.cards import FRENCH
from trick_envs.games.options import Count, GameOptions, Natural
from trick_envs.games.table import (
    DRAWN,
    MOON,
    OVER,
    PASS,
    PLAY,
    add_to_trick,
    clear_tricks,
    low_score_wins,
    own_side,
    seat_after,
    table_fields,
    void_suits,
    win_trick,
)

NAME = "hearts"
VERSION = 0
SEATS = range(3, 8)
MAX_SEATS = SEATS[-1]
PACK = FRENCH

# --- Actions ---------------------------------------------------------------------------------------------------

MOON_SUBTRACT = len(PACK.names)  # take 26 off my score
MOON_ADD = MOON_SUBTRACT + 1  # add 26 to everybody else's


def action_names(options: "Options") -> tuple[str, ...]:
    """Names of the actions by id."""
    return (*PACK.names, "moon: subtract", "moon: add")


# --- Cards and their points ------------------------------------------------------------------------------------

RANKS = len(PACK.ranks)
ALL_CARDS = bit(len(PACK.names)) - 1
SUIT_CARDS = PACK.suit_sets
CLUBS, DIAMONDS, SPADES, HEARTS = SUIT_CARDS
QUEEN_OF_SPADES = PACK.set("QS")
JACK_OF_DIAMONDS = PACK.set("JD")
POINT_CARDS = HEARTS | QUEEN_OF_SPADES
QUEEN_POINTS = 13
JACK_POINTS = -10
ALL_POINTS = RANKS + QUEEN_POINTS

REMOVED = {3: "2D", 4: "", 5: "2D 2C", 6: "2D 3D 3C 4C", 7: "2D 3D 3C"}
CARDS_IN_PLAY = tuple(ALL_CARDS & ~PACK.set(REMOVED.get(seats, "")) for seats in range(MAX_SEATS + 1))


def pack(options: "Options") -> tuple[int, ...]:
    """The card ids of the pack in play."""
    return tuple(card for card in range(len(PACK.names)) if CARDS_IN_PLAY[options.num_players] >> card & 1)


# Places to the left that cards are passed to, by hand number; 0 holds the hand.
FOUR_SEAT_PASSES = (1, 3, 2, 0)
MOON_CHOICES = ("choose", "add", "subtract")
CHOOSE, ADD, SUBTRACT = range(len(MOON_CHOICES))


class Options(GameOptions):
    """The options of Hearts, beside those of every game.

    target: the match ends after the hand in which a score reaches it.
    pass_cards: cards that each seat passes, 0 for no passing.
    first_pass: the hand number at which the passing rotation starts, ``None`` draws it from the seed.
    moon: ``"choose"`` asks the seat that shot the moon; ``"add"`` and ``"subtract"`` settle it beforehand.
    queen_breaks_hearts: the queen of spades breaks hearts too.
    omnibus: the taker of the jack of diamonds scores ten points off.
    variant: ``"standard"``, or ``"cancellation"`` for six to eleven seats with two packs, whose rules and options are
        those of ``trick_envs.games.cancellation_hearts``.
    """

    num_players: Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])] = 4
    max_hands: Count | None = 100
    target: Count = 100
    pass_cards: Annotated[int, Field(ge=0, le=4)] = 3
    first_pass: Natural | None = 0
    moon: Literal["choose", "add", "subtract"] = "choose"
    queen_breaks_hearts: bool = True
    omnibus: bool = False
    variant: Literal["standard", "cancellation"] = "standard"

    @property
    def packs(self) -> int:
        """Packs that are shuffled together."""
        return 1

    @property
    def usual_score(self) -> int:
        """Scores rarely lie further from 0."""
        return self.target

    def write(self, table: np.void) -> None:
        super().write(table)
        table["packs"] = self.packs
        table["target"] = self.target
        table["pass_cards"] = self.pass_cards
        table["first_pass"] = DRAWN if self.first_pass is None else self.first_pass % len(FOUR_SEAT_PASSES)
        table["moon"] = MOON_CHOICES.index(self.moon)
        table["queen_breaks_hearts"] = self.queen_breaks_hearts
        table["omnibus"] = self.omnibus


FIELDS = [
    *table_fields(MAX_SEATS, words=1),
    # The agreed options
    ("packs", np.int8),
    ("target", np.int32),
    ("pass_cards", np.int8),
    ("first_pass", np.int8),  # modulo the rotation's length, or DRAWN
    ("moon", np.int8),  # index into MOON_CHOICES
    ("queen_breaks_hearts", np.int8),
    ("omnibus", np.int8),
    # The match
    ("pass_shift", np.int8),  # where in the passing rotation hand 0 is
    # The hand: sets of cards by seat
    ("hand", np.int64, (MAX_SEATS,)),  # held; cards picked for passing are held until all have picked
    ("passed", np.int64, (MAX_SEATS,)),  # picked for passing, passed on when all have picked
    ("received", np.int64, (MAX_SEATS,)),
    ("played", np.int64, (MAX_SEATS,)),
    ("taken", np.int64, (MAX_SEATS,)),  # won in tricks
    ("points_taken", np.int8, (MAX_SEATS,)),  # of hearts and queen
    ("jacks_taken", np.int8, (MAX_SEATS,)),  # of diamonds
    ("not_held", np.int64, (MAX_SEATS,)),  # what the seat's plays have shown that it does not hold
    ("pass_distance", np.int8),  # places to the left that cards go to in this hand, 0 in a hold hand
    ("broken", np.int8),  # 1 when hearts are
    ("led_suit", np.int64),  # all cards of the suit led to the trick on the table
    ("trick_cards", np.int64),  # the cards on the table as a set
    ("winner", np.int8),  # seat that is winning the trick on the table
    ("winning_card", np.int8),
]


# --- The hand, in the order of the rulebook --------------------------------------------------------------------


@register_jitable
def begin_match(table, draw):
    """Settle what is settled once a match. ``draw`` is a random int64 >= 0 from the seed."""
    table.pass_shift = table.first_pass if table.first_pass != DRAWN else draw % len(FOUR_SEAT_PASSES)


@register_jitable
def deal(table, deck):
    """Deal ``deck`` (card ids in the order they come off the pack) one at a time from the dealer's left."""
    clear_tricks(table)
    for seat in range(table.num_players):
        table.hand[seat] = 0
        table.passed[seat] = 0
        table.received[seat] = 0
        table.played[seat] = 0
        table.taken[seat] = 0
        table.points_taken[seat] = 0
        table.jacks_taken[seat] = 0
        table.not_held[seat] = 0
    table.trick_cards = 0
    table.led_suit = 0
    table.winner = 0
    table.winning_card = 0
    table.broken = 0
    seat = table.dealer
    for card in deck:
        seat = seat_after(table, seat, 1)
        table.hand[seat] |= bit(card)
    table.pass_distance = passing(table)
    if table.pass_distance > 0:
        table.phase = PASS
        table.seat = seat_after(table, table.dealer, 1)
    else:
        open_play(table)


@register_jitable
def passing(table):
    """Places to the left that cards go to in this hand, 0 when all keep theirs."""
    if table.pass_cards == 0:
        return 0
    turn = (table.hand_number + table.pass_shift) % len(FOUR_SEAT_PASSES)
    if table.num_players == len(FOUR_SEAT_PASSES):
        return FOUR_SEAT_PASSES[turn]
    return 1 if turn % 2 == 0 else table.num_players - 1


@register_jitable
def legal(table):
    """The set of legal actions, as a tuple of words."""
    if table.phase == PASS:
        return (table.hand[table.seat] & ~table.passed[table.seat],)
    if table.phase == PLAY:
        return (playable(table, table.hand[table.seat]),)
    if table.phase == MOON:
        return (bit(MOON_SUBTRACT) | bit(MOON_ADD),)
    return (0,)


@register_jitable
def play(table, action):
    """Do a legal action. Leaves the phase OVER when the hand is, with ``hand_scores`` filled in."""
    if table.phase == PASS:
        pick_for_passing(table, action)
    elif table.phase == PLAY:
        play_card(table, action)
    else:
        score_moon(table, table.seat, action == MOON_ADD)


@register_jitable
def pick_for_passing(table, card):
    """A seat picks all its cards before the next one does, beginning at the dealer's left."""
    seat = table.seat
    table.passed[seat] |= bit(card)
    if count(table.passed[seat]) < table.pass_cards:
        return
    if seat == table.dealer:
        exchange_passed_cards(table)
        open_play(table)
    else:
        table.seat = seat_after(table, seat, 1)


@register_jitable
def exchange_passed_cards(table):
    for seat in range(table.num_players):
        table.hand[seat] &= ~table.passed[seat]
    for seat in range(table.num_players):
        receiver = seat_after(table, seat, table.pass_distance)
        table.received[receiver] = table.passed[seat]
        table.hand[receiver] |= table.passed[seat]


@register_jitable
def open_play(table):
    """The holder of the lowest club leads the first trick."""
    opening = opening_card(table)
    table.phase = PLAY
    for seat in range(table.num_players):
        if table.hand[seat] & bit(opening):
            table.leader = seat
    table.seat = table.leader


@register_jitable
def opening_card(table):
    """The lowest club in the pack: 2C, with five seats 3C."""
    return lowest(CARDS_IN_PLAY[table.num_players] & CLUBS)


@register_jitable
def playable(table, hand):
    """The cards of ``hand`` that the seat to act may play."""
    first_trick = table.trick_number == 0
    if table.trick_size == 0:
        if first_trick:
            return bit(opening_card(table))
        if table.broken:
            return hand
        return prefer(hand & ~HEARTS, hand)
    following = hand & table.led_suit
    if following:
        return following
    if first_trick:
        return prefer(hand & ~POINT_CARDS, hand)
    return hand


@register_jitable
def play_card(table, card):
    seat = table.seat
    table.not_held[seat] |= shown_missing(table, card)
    table.voids[seat] = void_suits(table.not_held[seat], SUIT_CARDS)
    if table.trick_size == 0:
        table.led_suit = SUIT_CARDS[card // RANKS]
        table.winning_card = -1
    if bit(card) & table.led_suit and card > table.winning_card:
        table.winner = seat
        table.winning_card = card
    table.hand[seat] &= ~bit(card)
    table.played[seat] |= bit(card)
    table.trick_cards |= bit(card)
    if bit(card) & HEARTS or (table.queen_breaks_hearts and bit(card) & QUEEN_OF_SPADES):
        table.broken = 1
    if add_to_trick(table, card):
        take_trick(table)


@register_jitable
def shown_missing(table, card):
    """The cards that the seat to act, by the rules of play, shows not to hold when it plays ``card``."""
    if table.trick_size == 0:
        if bit(card) & HEARTS and not table.broken:
            return ALL_CARDS & ~HEARTS
        return 0
    missing = 0
    if not bit(card) & table.led_suit:
        missing = table.led_suit
        if bit(card) & POINT_CARDS and table.trick_number == 0:
            missing = ALL_CARDS & ~POINT_CARDS
    return missing


@register_jitable
def take_trick(table):
    """The highest card of the led suit takes the trick; its taker leads the next."""
    taker = table.winner
    table.taken[taker] |= table.trick_cards
    take_points(table, taker, table.trick_cards)
    table.trick_cards = 0
    win_trick(table, taker)
    if table.hand[taker] == 0:
        count_points(table)


@register_jitable
def take_points(table, taker, cards):
    """Add what ``cards`` count to what the taker has taken."""
    table.points_taken[taker] += points(cards)
    table.jacks_taken[taker] += count(cards & JACK_OF_DIAMONDS)


@register_jitable
def points(cards):
    """The points of the hearts and the black queen among ``cards``."""
    return count(cards & HEARTS) + QUEEN_POINTS * count(cards & QUEEN_OF_SPADES)


@register_jitable
def count_points(table):
    """Score the hand, or ask the seat that shot the moon how to."""
    for seat in range(table.num_players):
        if table.points_taken[seat] == ALL_POINTS * table.packs:
            if table.moon == CHOOSE:
                table.phase = MOON
                table.seat = seat
            else:
                score_moon(table, seat, table.moon == ADD)
            return
    for seat in range(table.num_players):
        table.hand_scores[seat] = table.points_taken[seat] + jack_points(table, seat)
    table.phase = OVER


@register_jitable
def jack_points(table, seat):
    """Omnibus Hearts: ten off for the taker of the jack of diamonds."""
    return JACK_POINTS * table.jacks_taken[seat] if table.omnibus else 0


@register_jitable
def score_moon(table, shooter, add_to_others):
    amount = ALL_POINTS * table.packs
    for seat in range(table.num_players):
        moon_points = 0
        if add_to_others and seat != shooter:
            moon_points = amount
        if not add_to_others and seat == shooter:
            moon_points = -amount
        table.hand_scores[seat] = moon_points + jack_points(table, seat)
    table.phase = OVER


# --- The match -------------------------------------------------------------------------------------------------

gain = low_score_wins
side = own_side


@register_jitable
def match_over(table):
    """Whether the scores, with the hand just settled, end the match."""
    for seat in range(table.num_players):
        if table.scores[seat] >= table.target:
            return True
    return False


@register_jitable
def standing(table, seat):
    """How well the seat stands: the higher the better, equal for those who share a place."""
    return -table.scores[seat]


DRAWN_ONCE: tuple[str, ...] = ("pass_shift",)  # fields that ``begin_match`` settles by lot


def most_actions(options: "Options", hand: int) -> int:
    """The most actions of a hand: cards picked and played, and the choice of a moon."""
    return most_actions_of(len(pack(options)), options)


def most_actions_of(cards: int, options: "Options") -> int:
    """The same with a pack of so many cards."""
    seats = options.num_players
    return seats * (options.pass_cards + cards // seats) + 1


def score_range(options: "Options", hand: int) -> tuple[int, int]:
    """No score of a hand lies outside."""
    moon = ALL_POINTS * options.packs
    jacks = JACK_POINTS * options.packs if options.omnibus else 0
    return jacks - moon, moon


# --- What people and tests look at -----------------------------------------------------------------------------


def hands(table: np.record) -> list[list[str]]:
    """By seat, the names of the cards now held; cards picked for passing are held until all have picked."""
    return [PACK.listed(int(table.hand[seat])) for seat in range(table.num_players)]


SHOWN = {"broken": lambda table: bool(table.broken)}
