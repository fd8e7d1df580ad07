"""The Rage'n Glyphs rule bot: it bids the tricks that its cards promise, and plays to win just as many.

Every card held has a chance to win a trick some time, told from what can still beat it. Together they give the chances
of every number of tricks, which the bid and each card played are chosen by: what pays the most points, of the bonus
above all.

The weights of the card chances were fitted to what the cards won in hands that the bot played against itself; all
constants can be compared on the same deals (``python -m benchmarks.bot_sweep``).
"""

from math import exp, log, sqrt

from numba.extending import register_jitable

from trick_envs.bits import WORD, bit, count, highest, lowest
from trick_envs.engine.loops import nth_action
from trick_envs.games.rage_glyphs import (
    ABOLISH,
    BIDS,
    CHANGE,
    JOKER_KINDS,
    JOKERS,
    JOKERS_OF_A_KIND,
    NO_SUIT,
    NOT_BID,
    RANK_BITS,
    RANKS,
    SUITS,
    SUITS_IN_WORD,
)
from trick_envs.games.table import BID

# The log-odds that a card wins a trick some time before the hand ends are weighted sums. Of the situation: always,
# jokers of the others, cards left and one by them, whether the seat leads, what the others bid or what it needs itself
# for each card, seats and one by them, suits it is void in. Of the card: beaters out and their root, rank, own cards
# above, cards of the suit out.
BID_TRUMP = (1.16, 0.22, 0.03, 0.06, 0.32, -0.15, -0.23, 0.33, 0.05)
BID_TRUMP_CARD = (0.295, -2.351, 0.071, -0.020, -0.079)
BID_SIDE = (-0.14, 0.15, 0.06, -0.86, 0.40, 0.01, -0.08, 0.34, -0.15)
BID_SIDE_CARD = (-0.032, -1.393, 0.062, -0.178, -0.072)
PLAY_TRUMP = (0.09, -0.02, -0.02, -0.03, 0.08, 0.24, -0.19, 1.99, 0.02)
PLAY_TRUMP_CARD = (0.229, -1.813, 0.099, 0.034, 0.102)
PLAY_SIDE = (-1.32, 0.03, 0.03, -0.43, 0.38, -0.01, -0.12, 1.14, -0.05)
PLAY_SIDE_CARD = (-0.021, -1.188, 0.125, -0.070, 0.059)

# The log-odds of making a bid: always, for the log of the chance that its tricks come by themselves, for each trick
# that it is above the promise, for a bid of none, and for each trick promised then
MAKE, MAKE_CHANCE, MAKE_ABOVE, MAKE_NONE, MAKE_NONE_MEAN = 0.73, 0.69, -0.12, 1.26, -0.6
BID_PULL = 0.3  # tricks more for each trick bid

# How ready a later seat is to win the trick, by what it has bid
EAGER, CONTENT, MISSED = 0.82, 0.55, 0.82
CONTENT_TRUMP = 0.3  # with a trump, when it cannot follow
SAFE = 0.99  # for each later seat: trump may change

SPREAD = 1 / 12  # added to the variance of the number of tricks, a whole number
DOUBT = 4.0  # how much wider than the cards say the rest of the hand is taken to be, playing
TURN = 6.283185307179586
LEAST = 1e-6  # chance


@register_jitable
def rules(view):
    """The action it chooses, an id, for the observer of ``view``, who is on turn."""
    action = best_bid(view) if view.phase == BID else best_card(view)
    if is_allowed(view, action):
        return action
    return nth_action(view.legal, 0)


@register_jitable
def is_allowed(view, action):
    return action >= 0 and (view.legal[action // WORD] >> (action % WORD)) & 1 == 1


# --- What is out -----------------------------------------------------------------------------------------------


@register_jitable
def ranks_of(cards, suit):
    """The ranks of a suit in a set of suited cards in two words."""
    return (int(cards[suit // SUITS_IN_WORD]) >> (RANKS * (suit % SUITS_IN_WORD))) & RANK_BITS


@register_jitable
def unseen_cards(view):
    """The suited cards neither held nor open nor, as far as the seat remembers, played: two words."""
    first, second = view.hand[0] | view.turned[0], view.hand[1] | view.turned[1]
    for seat in range(view.num_players):
        first |= view.played[seat, 0]
        second |= view.played[seat, 1]
    return ~int(first) & (bit(RANKS * SUITS_IN_WORD) - 1), ~int(second) & (bit(RANKS * (SUITS - SUITS_IN_WORD)) - 1)


@register_jitable
def unseen_jokers(view):
    jokers = JOKER_KINDS * JOKERS_OF_A_KIND
    for kind in range(JOKER_KINDS):
        jokers -= int(view.jokers[kind]) + int(view.turned_jokers[kind])
        for seat in range(view.num_players):
            jokers -= int(view.jokers_played[seat, kind])
    return jokers


@register_jitable
def cards_of(view, seat):
    """How many cards the seat holds."""
    return int(view.hand_size) - int(view.trick_number) - (1 if view.trick[seat] >= 0 else 0)


@register_jitable
def need_of(view, seat):
    """Tricks that the seat has bid and not yet won; below 0 it has too many."""
    return int(view.bids[seat]) - int(view.tricks_won[seat])


# --- The chance of each card -----------------------------------------------------------------------------------


@register_jitable
def situation(view, cards, leads, need, jokers, trump):
    """What the chances of all cards depend on when ``cards`` are left and the seat leads (1.0) or not (0.0).

    jokers: how many the others hold, on average.
    """
    others = int(view.num_players) - 1
    void = 0.0
    for suit in range(SUITS):
        if suit != trump and ranks_of(view.hand, suit) == 0:
            void += 1.0
    wanted = contest_of(view) if view.phase == BID else need / cards
    return 1.0, jokers, float(cards), 1.0 / cards, leads, wanted, float(others), 1.0 / others, void


@register_jitable
def contest_of(view):
    """The part of the tricks that others have bid, beyond an even share."""
    bids, known = 0, 0
    for seat in range(1, view.num_players):
        if view.bids[seat] != NOT_BID:
            bids += int(view.bids[seat])
            known += 1
    return bids / int(view.hand_size) - known / int(view.num_players)


@register_jitable
def weighed(features, weights):
    total = 0.0
    for place in range(len(features)):
        total += features[place] * weights[place]
    return total


@register_jitable
def card_odds(rank, mine, unseen, density, weights):
    """The part of a card's log-odds that depends on the card: what beats it, its rank and one's own cards above it.

    mine, unseen: ranks of its suit held and out. density: the chance that the others hold a card that is out.
    """
    beaters = count(unseen >> rank) * density
    odds = weights[0] * beaters + weights[1] * sqrt(beaters) + weights[2] * rank
    return odds + weights[3] * count(mine >> (rank + 1)) + weights[4] * count(unseen) * density


@register_jitable
def chance_from(odds):
    return 1.0 / (1.0 + exp(-odds))


@register_jitable
def density_of(view, suit, cards, out):
    """The chance that the others hold a card of the suit that is out, when they have ``cards`` each."""
    holders = 0
    for seat in range(1, view.num_players):
        holders += 1 - ((int(view.voids[seat]) >> suit) & 1)
    return min(1.0, holders * cards / out)


@register_jitable
def promise(view, unseen, out, trump, cards, trump_odds, side_odds, trump_card, side_card):
    """Mean, variance and third moment of the tricks that the cards held will win, were the suit trump."""
    mean, variance, third = 0.0, 0.0, 0.0
    for suit in range(SUITS):
        mine = ranks_of(view.hand, suit)
        if mine:
            ranks = ranks_of(unseen, suit)
            density = density_of(view, suit, cards, out)
            base = trump_odds if suit == trump else side_odds
            weights = trump_card if suit == trump else side_card
            left = mine
            while left:
                rank = lowest(left)
                left &= ~bit(rank)
                chance = chance_from(base + card_odds(rank, mine, ranks, density, weights))
                spread = chance * (1.0 - chance)
                mean += chance
                variance += spread
                third += spread * (1.0 - 2.0 * chance)
    return mean, variance, third


@register_jitable
def chance_of_tricks(tricks, mean, variance, third):
    """The chance of just so many tricks, near enough for comparing: a normal curve, skewed as the cards are."""
    variance = max(variance, 0.0) + SPREAD
    deviation = sqrt(variance)
    away = (tricks - mean) / deviation
    skewed = 1.0 + third / (variance * deviation) * (away * away * away - 3.0 * away) / 6.0
    return min(1.0, LEAST + max(0.01, skewed) * exp(-0.5 * away * away) / (deviation * sqrt(TURN)))


@register_jitable
def bonus_of(view, bid):
    """What an exact bid pays more than a missed one."""
    return float((view.zero_bonus if bid == 0 else view.exact_bonus) + view.miss_penalty)


# --- Bidding ---------------------------------------------------------------------------------------------------


@register_jitable
def best_bid(view):
    mean, variance, third = foresight(view)
    best, best_value = -1, -1e9
    sure = top_trumps(view)
    for tricks in range(int(view.hand_size) + 1):
        action = BIDS + tricks
        if is_allowed(view, action):
            value = bonus_of(view, tricks) * chance_to_make(tricks, mean, variance, third) + BID_PULL * tricks
            if tricks < sure:
                value -= 1e6 * (sure - tricks)
            if value > best_value:
                best, best_value = action, value
    return best


@register_jitable
def top_trumps(view):
    """How many of the highest trumps it holds, open ones aside: so many tricks are bid at least."""
    trump = int(view.trump)
    beaten = RANK_BITS & ~(ranks_of(view.hand, trump) | ranks_of(view.turned, trump))
    return count(ranks_of(view.hand, trump) >> (highest(beaten) + 1)) if beaten else count(ranks_of(view.hand, trump))


@register_jitable
def chance_to_make(bid, mean, variance, third):
    """The chance of winning just the bid when playing for it: none is easier made than it looks."""
    odds = MAKE + MAKE_CHANCE * log(chance_of_tricks(bid, mean, variance, third)) + MAKE_ABOVE * (bid - mean)
    if bid == 0:
        odds += MAKE_NONE + MAKE_NONE_MEAN * mean
    return chance_from(odds)


@register_jitable
def foresight(view):
    """Mean, variance and third moment of the tricks that the hand promises before play."""
    unseen = unseen_cards(view)
    jokers = unseen_jokers(view)
    out = float(count(unseen[0]) + count(unseen[1]) + jokers)
    cards = int(view.hand_size)
    others = int(view.num_players) - 1
    leads = 1.0 if view.dealer == others else 0.0
    trump = int(view.trump)
    features = situation(view, cards, leads, 0, jokers * cards * others / out, trump)
    return promise(
        view,
        unseen,
        out,
        trump,
        cards,
        weighed(features, BID_TRUMP),
        weighed(features, BID_SIDE),
        BID_TRUMP_CARD,
        BID_SIDE_CARD,
    )


# --- Playing ---------------------------------------------------------------------------------------------------


@register_jitable
def best_card(view):
    if count(view.legal[0]) + count(view.legal[1]) == 1:
        return nth_action(view.legal, 0)
    unseen = unseen_cards(view)
    jokers = unseen_jokers(view)
    out = float(max(1, count(unseen[0]) + count(unseen[1]) + jokers))
    trump = int(view.trump)
    cards = cards_of(view, 0) - 1
    need = need_of(view, 0)
    if need > cards and view.trick_size == 0 and trump != NO_SUIT and ranks_of(view.hand, trump):
        return trump * RANKS + highest(ranks_of(view.hand, trump))
    next_out = max(1.0, out - (int(view.num_players) - 1 - int(view.trick_size)))
    jokers_out = min(float(jokers), jokers * cards * (int(view.num_players) - 1) / next_out)
    won = situation(view, max(1, cards), 1.0, need - 1, jokers_out, trump)
    lost = situation(view, max(1, cards), 0.0, need, jokers_out, trump)
    won_trump, won_side = weighed(won, PLAY_TRUMP), weighed(won, PLAY_SIDE)
    lost_trump, lost_side = weighed(lost, PLAY_TRUMP), weighed(lost, PLAY_SIDE)
    after_won = promise(view, unseen, next_out, trump, cards, won_trump, won_side, PLAY_TRUMP_CARD, PLAY_SIDE_CARD)
    after_lost = promise(view, unseen, next_out, trump, cards, lost_trump, lost_side, PLAY_TRUMP_CARD, PLAY_SIDE_CARD)
    best, best_value = -1, -1e9
    for suit in range(SUITS):
        left = ranks_of(view.legal, suit)
        if left:
            mine, ranks = ranks_of(view.hand, suit), ranks_of(unseen, suit)
            density = density_of(view, suit, cards, next_out)
            while left:
                rank = lowest(left)
                left &= ~bit(rank)
                card = suit * RANKS + rank
                if suit == trump:
                    odds = card_odds(rank, mine, ranks, density, PLAY_TRUMP_CARD)
                    if_won, if_lost = chance_from(won_trump + odds), chance_from(lost_trump + odds)
                else:
                    odds = card_odds(rank, mine, ranks, density, PLAY_SIDE_CARD)
                    if_won, if_lost = chance_from(won_side + odds), chance_from(lost_side + odds)
                wins = win_chance(view, card, unseen, out)
                value = (1.0 - wins) * rest_value(view, need, cards, after_lost, if_lost)
                if wins > 0.0:
                    value += wins * (1.0 + rest_value(view, need - 1, cards, after_won, if_won))
                if value > best_value:
                    best, best_value = card, value
    if is_allowed(view, JOKERS + ABOLISH):
        value = trump_value(view, unseen, next_out, jokers_out, need, cards, NO_SUIT)
        if value > best_value:
            best, best_value = JOKERS + ABOLISH, value
    if is_allowed(view, JOKERS + CHANGE):
        value = change_value(view, unseen, next_out, jokers_out, need, cards)
        if value > best_value:
            best, best_value = JOKERS + CHANGE, value
    return best


@register_jitable
def rest_value(view, need, cards, tricks, gone):
    """Points to expect of the cards that are left: tricks, and the bonus if they win just what is needed.

    tricks: their moments, still with the card that has the chance ``gone`` and is played now.
    """
    spread = gone * (1.0 - gone)
    mean = tricks[0] - gone
    value = mean
    if 0 <= need <= cards:
        exact = chance_of_tricks(need, mean, DOUBT * (tricks[1] - spread), tricks[2] - spread * (1.0 - 2.0 * gone))
        value += exact * bonus_of(view, int(view.bids[0]))
    return value


@register_jitable
def trump_value(view, unseen, out, jokers, need, cards, trump):
    """What a joker that makes the suit trump is worth; it wins nothing itself."""
    lost = situation(view, max(1, cards), 0.0, need, jokers, trump)
    tricks = promise(
        view,
        unseen,
        out,
        trump,
        cards,
        weighed(lost, PLAY_TRUMP),
        weighed(lost, PLAY_SIDE),
        PLAY_TRUMP_CARD,
        PLAY_SIDE_CARD,
    )
    return rest_value(view, need, cards, tricks, 0.0)


@register_jitable
def change_value(view, unseen, out, jokers, need, cards):
    """What a joker that changes trump is worth: every other suit may come."""
    value, chances = 0.0, 0
    for suit in range(SUITS):
        weight = count(ranks_of(unseen, suit))
        if suit != view.trump and weight:
            value += weight * trump_value(view, unseen, out, jokers, need, cards, suit)
            chances += weight
    return value / max(1, chances)


@register_jitable
def strength(card, led, trump):
    """Comparable within a trick, as the rules have it."""
    if card >= JOKERS:
        return 0
    suit, rank = card // RANKS, card % RANKS
    if suit == trump:
        return RANKS + 1 + rank
    return 1 + rank if suit == led else 0


@register_jitable
def win_chance(view, card, unseen, out):
    """The chance that the suited card, played now, wins the trick."""
    suit, rank, trump = card // RANKS, card % RANKS, int(view.trump)
    led = int(view.led_suit)
    if led == NO_SUIT:
        led = suit
    if view.trick_size > 0 and strength(card, led, trump) <= strength(int(view.trick[view.winner]), led, trump):
        return 0.0
    higher = count(ranks_of(unseen, suit) >> rank) / out
    length = count(ranks_of(unseen, led)) / out
    trumps = 0.0 if trump == NO_SUIT else count(ranks_of(unseen, trump)) / out
    chance = 1.0
    for seat in range(1, int(view.num_players) - int(view.trick_size)):
        cards = cards_of(view, seat)
        need = need_of(view, seat)
        over, ruff = MISSED, MISSED
        if need == 0:
            over, ruff = CONTENT, CONTENT_TRUMP
        elif 0 < need <= cards:
            over, ruff = EAGER, EAGER
        without = 1.0 if (int(view.voids[seat]) >> led) & 1 else (1.0 - length) ** cards
        beaten = 0.0
        if suit == led and without < 1.0:
            beaten = over * (1.0 - (1.0 - higher) ** cards)
        if suit != trump:
            beaten += ruff * without * (1.0 - (1.0 - trumps) ** cards)
        elif suit != led:
            beaten = ruff * without * (1.0 - (1.0 - higher) ** cards)
        chance *= SAFE * (1.0 - beaten)
    return chance
