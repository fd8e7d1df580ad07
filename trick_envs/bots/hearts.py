"""The Hearts rule bot: what a careful player does, from what its seat may know.

Each card it may play gets a value in hundredths of a point: what it is worth to be rid of it, less what it is likely
to cost to win the trick with it. The highest value is played. Two things change that: a hand good enough to shoot the
moon, and another seat that looks like shooting it.

The constants were chosen by comparing variants on the same deals (``python -m benchmarks.bot_sweep``).
"""

import numpy as np
from numba.extending import register_jitable

from trick_envs.bits import bit, count, highest, lowest
from trick_envs.games.hearts import (
    ALL_POINTS,
    CARDS_IN_PLAY,
    CLUBS,
    HEARTS,
    JACK_OF_DIAMONDS,
    JACK_POINTS,
    MAX_SEATS,
    MOON_ADD,
    MOON_SUBTRACT,
    PACK,
    POINT_CARDS,
    QUEEN_OF_SPADES,
    RANKS,
    SPADES,
    SUIT_CARDS,
    points,
)
from trick_envs.games.table import MOON, NOBODY, PASS

HIGH_SPADES = PACK.set("KS AS")
LOW_SPADES = SPADES & (QUEEN_OF_SPADES - 1)
POINT = 100  # values are in hundredths of a point
WORST = -(1 << 60)

inlined = register_jitable(forceinline=True)  # what every choice goes through: a fifth faster

# Passing: which cards to be rid of before the first trick
PASS_QUEEN, PASS_ACE, PASS_KING = 1000, 900, 800  # of spades, when too few lower ones guard them
GUARDS = 3  # low spades that make the high ones safe
PASS_RANK = 8  # for each rank
PASS_SHORT, SHORT = 20, 6  # for each card that the suit is shorter than SHORT
PASS_LOW_SPADE = -15
PASS_COVER = 3  # less for each lower card of the suit that one holds

# Being rid of a card
SHED_BELOW = 14  # for each unseen lower card of the suit: they will be played under it
SHED_COVER = 5  # less for each lower card of the suit that one holds
SHED_LENGTH = 37  # less for each card of the suit: short suits go first
SHED_LAST = 10  # the last card of a suit makes a void
SHED_QUEEN, SHED_HIGH_SPADE, SHED_HEART = 300, 150, 100
KEEP_SPADES = 200  # with the queen, spades are not thrown on the first trick

# Winning a trick
DUCKS, DUCKS_LEAD = 4, 3  # how much readier other seats are to play under a card than over it, following and led
LEAD_COST = 4  # having to lead next
VOID_HEARTS, VOID_QUEEN = 75, 250  # what a seat without the suit throws on the trick
QUEEN_FALLS = 1300  # playing the king or ace of spades before the queen
SHED_WHEN_LEADING = 72  # percent: what being rid of a card counts when it is led
LEAD_LOW_SPADE, LEAD_SPADE_EXPOSED = 375, -100  # to draw the queen, or towards one's own high spades

# Shooting the moon, and stopping it
SHOOT_BELOW, SHOOT_BELOW_A_TRICK, SHOOT_BELOW_A_POINT = 200, 2, 12  # try when the hand's gaps come to less
GAP_HEART, GAP_NO_TOP_HEART, GAP_HIGHER, GAP_UNSEEN_HEART = 300, 375, 17, 1
DRAWN_BY_A_TOP = 3  # cards of the others that fall with a top card
DANGER_QUEEN, DANGER_HEART, DANGER_OFF_LEAD = 50, 80, 10  # of a seat with all points so far; off lead in percent
STOP_TAKE, STOP_GIVE, STOP_SPREAD, STOP_KEEP_HIGH = 100, 50, 100, 800


def _void_chances(holders: int) -> tuple[int, ...]:
    """Percent by which one of ``holders`` seats has none of 0 … 13 cards that lie among them at random."""
    if holders < 2:
        return (0,) * (RANKS + 1)
    return tuple(round(100 * ((holders - 1) / holders) ** cards) for cards in range(RANKS + 1))


def _win_chance(ducks: int, followers: int, below: int, above: int) -> int:
    """Percent by which a card wins over so many seats, with so many lower and higher cards of the suit out."""
    if above == 0:
        return 100
    chance = 100
    for _ in range(followers):
        chance = chance * (100 * ducks * below // (ducks * below + above)) // 100
    return chance


# Arrays, because compiled code builds a tuple anew wherever it looks something up in it.
PACKS = np.array(CARDS_IN_PLAY)
VOID_CHANCES = np.array([_void_chances(holders) for holders in range(MAX_SEATS + 1)])
WIN_SHAPE = (max(DUCKS, DUCKS_LEAD) + 1, MAX_SEATS, RANKS + 1, RANKS + 1)
WIN_CHANCES = np.array([_win_chance(*key) for key in np.ndindex(WIN_SHAPE)], np.int8).reshape(WIN_SHAPE)


@register_jitable
def rules(view):
    """The action it chooses, an id, for the observer of ``view``, who is on turn."""
    legal = view.legal[0]
    if view.phase == PASS:
        return card_to_pass(view, legal)
    if view.phase == MOON:
        return moon_choice(view, ALL_POINTS)
    if count(legal) == 1:
        return lowest(legal)
    unseen, takers = unseen_cards(view), point_takers(view)
    if can_shoot(view, unseen, takers):
        return card_to_shoot(view, legal, unseen)
    return best_card(view, legal, unseen, takers)


# --- Passing ---------------------------------------------------------------------------------------------------


@register_jitable
def card_to_pass(view, legal):
    """Picked one at a time, of those that are left: unguarded high spades, then high cards of short suits."""
    best, best_value = -1, WORST
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        value = pass_value(legal, card)
        if value > best_value:
            best, best_value = card, value
    return best


@register_jitable
def pass_value(hand, card):
    suit = SUIT_CARDS[card // RANKS]
    value = PASS_RANK * (card % RANKS)
    if suit == SPADES:
        if bit(card) & LOW_SPADES or count(hand & LOW_SPADES) >= GUARDS:
            return value + PASS_LOW_SPADE
        if bit(card) & QUEEN_OF_SPADES:
            return value + PASS_QUEEN
        return value + (PASS_ACE if bit(card) == 1 << highest(SPADES) else PASS_KING)
    value += PASS_SHORT * max(0, SHORT - count(hand & suit))
    return value - PASS_COVER * count(hand & suit & (bit(card) - 1))


# --- Playing ---------------------------------------------------------------------------------------------------


@inlined
def best_card(view, legal, unseen, takers):
    if view.trick_size == 0:
        return best_lead(view, legal, unseen)
    threat = only_taker(takers)
    danger = moon_danger(view, threat)
    if legal & led_suit(view):
        return best_follow(view, legal, unseen, threat, danger)
    return best_discard(view, legal, unseen, threat, danger)


@inlined
def led_suit(view):
    """All cards of the suit of the trick on the table."""
    return CLUBS << (RANKS * (int(view.winning_card) // RANKS))


@inlined
def unseen_cards(view):
    """The cards that are neither held nor, as far as the seat remembers, played."""
    seen = view.hand
    for seat in range(MAX_SEATS):  # absent seats have played nothing, and the compiler unrolls what is constant
        seen |= view.played[seat]
    return int(PACKS[view.num_players]) & ~seen


@inlined
def point_takers(view):
    """The set of seats that have taken points."""
    takers = 0
    for seat in range(MAX_SEATS):
        takers |= (view.taken[seat] & POINT_CARDS != 0) << seat
    return takers


@inlined
def best_lead(view, legal, unseen):
    """Lead what is good to be rid of and unlikely to win a dear trick; low spades draw the queen out."""
    best, best_value = -1, WORST
    later = int(view.num_players - 1)
    for suit in SUIT_CARDS:
        cards = legal & suit
        if cards:
            mine, out = view.hand & suit, unseen & suit
            shed_suit = suit_value(view, suit, mine)
            followers, cost = outlook(view, suit, unseen, later)
            while cards:
                card = lowest(cards)
                cards &= ~bit(card)
                value = SHED_WHEN_LEADING * (shed_suit + card_value(card, mine, out, unseen)) // 100
                price = cost + card_price(view, card, unseen, later)
                value -= win_chance(card, out, followers, DUCKS_LEAD) * price // 100
                if bit(card) & LOW_SPADES:
                    if unseen & QUEEN_OF_SPADES and not view.hand & HIGH_SPADES:
                        value += LEAD_LOW_SPADE
                    elif (unseen | view.hand) & QUEEN_OF_SPADES:
                        value += LEAD_SPADE_EXPOSED
                if value > best_value:
                    best, best_value = card, value
    return best


@inlined
def best_follow(view, legal, unseen, threat, danger):
    """Stay under the winning card with the best card to be rid of; over it, weigh what the trick will cost."""
    best, best_value = -1, WORST
    later = int(view.num_players - 1 - view.trick_size)
    suit = led_suit(view)
    mine, out = view.hand & suit, unseen & suit
    shed_suit = suit_value(view, suit, mine)
    followers, cost = 0, 0
    if highest(legal) > view.winning_card:
        followers, cost = outlook(view, suit, unseen, later)
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        value = in_danger(shed_suit + card_value(card, mine, out, unseen), danger)
        if card < view.winning_card:
            if bit(card) & POINT_CARDS and view.winner == threat:
                value -= STOP_GIVE * danger // 100
        else:
            gain = -(cost + card_price(view, card, unseen, later))
            if (view.trick_cards | bit(card)) & POINT_CARDS and (view.winner == threat or threat <= later):
                gain += STOP_TAKE * danger // 100
            value += win_chance(card, out, followers, DUCKS) * gain // 100
        if value > best_value:
            best, best_value = card, value
    return best


@inlined
def best_discard(view, legal, unseen, threat, danger):
    """Without the led suit, throw what is worst to keep; no points to a seat that may be shooting the moon."""
    best, best_value = -1, WORST
    for suit in SUIT_CARDS:
        cards = legal & suit
        if cards:
            mine, out = view.hand & suit, unseen & suit
            shed_suit = suit_value(view, suit, mine)
            while cards:
                card = lowest(cards)
                cards &= ~bit(card)
                value = in_danger(shed_suit + card_value(card, mine, out, unseen), danger)
                if bit(card) & POINT_CARDS:
                    if view.winner == threat:
                        value -= STOP_GIVE * danger // 100
                    else:
                        value += STOP_SPREAD * danger // 100
                if value > best_value:
                    best, best_value = card, value
    return best


@inlined
def in_danger(value, danger):
    """What being rid of a card is worth when another seat may be shooting the moon."""
    return value * (STOP_KEEP_HIGH - danger) // STOP_KEEP_HIGH if danger else value


@inlined
def suit_value(view, suit, mine):
    """What it is worth to be rid of a card of the suit, of which one holds ``mine``, whatever card it is."""
    value = -SHED_LENGTH * count(mine)
    if count(mine) == 1:
        value += SHED_LAST
    if view.trick_number == 0 and mine & QUEEN_OF_SPADES:
        value -= KEEP_SPADES
    if suit == HEARTS:
        value += SHED_HEART
    return value


@inlined
def card_value(card, mine, out, unseen):
    """What it is worth besides to be rid of this card of a suit, of which one holds ``mine`` and ``out`` are unseen."""
    value = 0
    lower = bit(card) - 1
    if out:
        value += SHED_BELOW * count(out & lower) - SHED_COVER * count(mine & lower)
    if bit(card) & QUEEN_OF_SPADES:
        value += SHED_QUEEN
    if bit(card) & HIGH_SPADES and unseen & QUEEN_OF_SPADES:
        value += SHED_HIGH_SPADE
    return value


@inlined
def win_chance(card, out, followers, ducks):
    """Percent by which ``card`` wins over so many seats that still play to the trick and may hold its suit."""
    below = count(out & (bit(card) - 1))
    return int(WIN_CHANCES[ducks, followers, below, count(out) - below])


@inlined
def outlook(view, suit, unseen, later):
    """How many of the ``later`` seats, which still play to the trick, may hold its suit; and what winning it costs.

    That is having to lead next, and what the later seats are likely to throw on the trick.
    """
    out = unseen & suit
    holders, followers = 0, 0
    for seat in range(1, MAX_SEATS):
        may_hold = (seat < view.num_players) & (out & ~view.not_held[seat] != 0)
        holders += may_hold
        followers += may_hold & (seat <= later)
    if view.trick_number == 0:
        return followers, LEAD_COST
    thrown = VOID_HEARTS + (VOID_QUEEN if unseen & QUEEN_OF_SPADES else 0)
    from_follower = thrown * int(VOID_CHANCES[holders, count(out)]) // 100 + (POINT if suit == HEARTS else 0)
    return followers, LEAD_COST + (later - followers) * thrown + followers * from_follower


@inlined
def card_price(view, card, unseen, later):
    """What winning the trick with ``card`` costs besides: the points that lie in it, and the queen it may draw."""
    cost = POINT * points(view.trick_cards | bit(card)) + jack_price(view, card)
    if bit(card) & HIGH_SPADES and unseen & QUEEN_OF_SPADES:
        cost += queen_falls(view, later)
    return cost


@inlined
def jack_price(view, card):
    """Omnibus: the jack of diamonds in a trick makes it worth winning."""
    if view.omnibus and (view.trick_cards | bit(card)) & JACK_OF_DIAMONDS:
        return POINT * JACK_POINTS
    return 0


@inlined
def queen_falls(view, later):
    """What the king or ace of spades risks: surely the queen of a later seat that one passed it to."""
    if view.passed & QUEEN_OF_SPADES:
        return QUEEN_FALLS if view.pass_distance <= later else 0
    return QUEEN_FALLS * later // int(view.num_players - 1)


# --- Somebody else's moon --------------------------------------------------------------------------------------


@inlined
def only_taker(takers):
    """The other seat that has taken every point so far, or NOBODY."""
    return lowest(takers) if count(takers & ~1) == 1 and not takers & 1 else NOBODY


@inlined
def moon_danger(view, threat):
    """How far that seat is on its way, in hundredths of a point; less when another seat leads."""
    if threat == NOBODY:
        return 0
    taken = view.taken[threat]
    danger = DANGER_HEART * count(taken & HEARTS) + (DANGER_QUEEN if taken & QUEEN_OF_SPADES else 0)
    return danger if view.leader == threat else danger * DANGER_OFF_LEAD // 100


# --- One's own moon --------------------------------------------------------------------------------------------


@inlined
def can_shoot(view, unseen, takers):
    """Whether all points may still be won, and the gaps in the hand are few enough to try."""
    if takers & ~1:
        return False
    over = view.hand & led_suit(view) & ~(bit(view.winning_card) - 1)
    if view.trick_size > 0 and view.trick_cards & POINT_CARDS and not over:
        return False
    limit = SHOOT_BELOW + SHOOT_BELOW_A_TRICK * int(view.trick_number) + SHOOT_BELOW_A_POINT * points(view.taken[0])
    return gaps(view, unseen, limit) <= limit


@register_jitable
def gaps(view, unseen, limit):
    """What stands between the hand and winning every heart; once it is more than ``limit``, what was counted so far."""
    total = GAP_UNSEEN_HEART * count(unseen & HEARTS)
    if unseen & HEARTS:
        total += heart_gaps(view.hand & HEARTS, unseen & HEARTS)
    for suit in SUIT_CARDS:
        out = unseen & suit
        cards = view.hand & suit
        while cards and total <= limit:
            card = lowest(cards)
            cards &= ~bit(card)
            total += GAP_HIGHER * count(out & ~(bit(card) - 1))
    return total


@register_jitable
def heart_gaps(mine, out):
    """Hearts that will not win, after the top ones have drawn what they can."""
    if mine == 0:
        return GAP_NO_TOP_HEART * count(out) // 3
    tops = count(mine & ~(bit(highest(out) + 1) - 1))
    losers = max(0, min(count(mine) - tops, count(out) - DRAWN_BY_A_TOP * tops))
    return GAP_HEART * losers + (GAP_NO_TOP_HEART if tops == 0 else 0)


@register_jitable
def card_to_shoot(view, legal, unseen):
    """Win every trick that may hold points: top cards first, losers only where they cost nothing."""
    if view.trick_size > 0 and legal & led_suit(view):
        over = legal & ~(bit(view.winning_card) - 1)
        if not over:
            return lowest(legal)
        last = view.trick_size == view.num_players - 1
        return lowest(over) if last and not view.trick_cards & POINT_CARDS else highest(over)
    best, best_value = -1, WORST
    while legal:
        card = highest(legal)
        legal &= ~bit(card)
        higher = count(unseen & SUIT_CARDS[card // RANKS] & ~(bit(card) - 1))
        value = -higher if view.trick_size == 0 else higher - (RANKS if bit(card) & POINT_CARDS else 0)
        if value > best_value:
            best, best_value = card, value
    return best


@register_jitable
def moon_choice(view, worth):
    """Take the ``worth`` of the moon off, unless adding it to the others ends the match with this seat ahead."""
    best_other, worst_other = view.scores[1], view.scores[1]
    for seat in range(2, view.num_players):
        best_other = min(best_other, view.scores[seat])
        worst_other = max(worst_other, view.scores[seat])
    ends = worst_other + worth >= view.target
    if ends and view.scores[0] < best_other + worth:
        return MOON_ADD
    return MOON_SUBTRACT
