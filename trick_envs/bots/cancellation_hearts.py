"""The rule bot of Cancellation Hearts: what a careful player does, from what its seat may know.

Each card gets a value in points: what it is worth to be rid of it, less what the trick is expected to hold times the
chance to win it. A card cannot win under a higher one of the led suit, nor beside its own twin.
"""

from numba.extending import register_jitable

from trick_envs.bits import bit, count, lowest
from trick_envs.bots.hearts import HIGH_SPADES, LOW_SPADES, moon_choice
from trick_envs.games.cancellation_hearts import ONCE, PACKS, TWICE
from trick_envs.games.hearts import (
    ALL_CARDS,
    ALL_POINTS,
    HEARTS,
    QUEEN_OF_SPADES,
    RANKS,
    SPADES,
    SUIT_CARDS,
    points,
)
from trick_envs.games.table import MOON, PASS

WORST = -1e9

# What it is worth, in points, to be rid of a card
RANK = 0.09  # for each rank
HEART = 0.2
QUEEN = 2.5
HIGH_SPADE = 1.5  # while a queen may still come
GUARD = 0.4  # less for each low spade that guards them
SHORT, SHORT_SUIT = 4, 0.12  # for each card that the suit is shorter
# What a trick holds beside what lies on the table, for each seat still to play
YET_TO_COME = 0.5
QUEEN_TO_COME = 2.0  # in a trick of spades, for each queen that is out


@register_jitable
def rules(view):
    """The action it chooses, an id, for the observer of ``view``, who is on turn."""
    legal = view.legal[0]
    if view.phase == MOON:
        return moon_choice(view, PACKS * ALL_POINTS)
    if count(legal) == 1:
        return lowest(legal)
    best, best_value = -1, WORST
    out_once, out_twice = cards_out(view)
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        value = burden(view, card, out_once)
        if view.phase != PASS:
            value -= win_chance(view, card, out_once, out_twice) * trick_points(view, card, out_once, out_twice)
        if value > best_value:
            best, best_value = card, value
    return best


@register_jitable
def cards_out(view):
    """The cards of which one copy at least, and both, are neither held nor known to be gone."""
    once, twice = int(view.hand[ONCE] | view.kitty[ONCE]), int(view.hand[TWICE] | view.kitty[TWICE])
    twice |= view.hand[ONCE] & view.kitty[ONCE]
    for seat in range(view.num_players):
        twice |= view.played[seat, TWICE] | (once & view.played[seat, ONCE])
        once |= view.played[seat, ONCE]
    return ALL_CARDS & ~twice, ALL_CARDS & ~once


@register_jitable
def burden(view, card, out_once):
    """What it is worth to be rid of a card."""
    hand = view.hand[ONCE]
    value = RANK * (card % RANKS)
    suit = SUIT_CARDS[card // RANKS]
    if suit == HEARTS:
        value += HEART
    if bit(card) & QUEEN_OF_SPADES:
        value += QUEEN - GUARD * count(hand & LOW_SPADES)
    elif bit(card) & HIGH_SPADES and (out_once | hand) & QUEEN_OF_SPADES:
        value += HIGH_SPADE - GUARD * count(hand & LOW_SPADES)
    if suit != SPADES:
        value += SHORT_SUIT * max(0, SHORT - count(hand & suit))
    return value


@register_jitable
def followers(view):
    """Seats that play to the trick after the observer."""
    return view.num_players - view.trick_size - 1


@register_jitable
def win_chance(view, card, out_once, out_twice):
    """About how likely the card takes the trick."""
    suit = SUIT_CARDS[card // RANKS]
    if view.trick_size > 0:
        led = view.trick[view.leader] // RANKS
        if card // RANKS != led or card <= view.winning_card:
            return 0.0
        for seat in range(view.num_players):
            if view.trick[seat] == card:
                return 0.0
    above = suit & ~(2 * bit(card) - 1)
    beaters = count(out_once & above) + count(out_twice & above)
    twins = (out_once & bit(card) != 0) + (out_twice & bit(card) != 0)
    share = followers(view) / (view.num_players - 1)
    return (1.0 - share) ** (0.5 * beaters) * (1.0 - 0.5 * share * twins)


@register_jitable
def trick_points(view, card, out_once, out_twice):
    """The points that the trick is expected to hold at its end."""
    total = float(points(bit(card)))
    for copies in range(PACKS):
        total += points(view.left[copies])
    for seat in range(view.num_players):
        if view.trick[seat] >= 0:
            total += points(bit(view.trick[seat]))
    total += YET_TO_COME * followers(view)
    led = card // RANKS if view.trick_size == 0 else view.trick[view.leader] // RANKS
    if SUIT_CARDS[led] == SPADES and followers(view) > 0:
        queens = (out_once & QUEEN_OF_SPADES != 0) + (out_twice & QUEEN_OF_SPADES != 0)
        total += QUEEN_TO_COME * queens
    return total
