"""Worlds that a seat may take for the real one: the cards it cannot see, dealt afresh among the places it cannot see.

A game says which places those are and what their holders have shown that they do not hold (``hide``), takes the new
cards over (``reveal``) and tells the deck that such a deal came from (``undeal``).

How: cards that the same holders may hold are a class. Class by class, scarcest places first, each card goes to one of
the free places that may hold it, all equally likely. A deal then comes up with a probability inversely proportional to
the product of the numbers of places there were to choose from. They depend on the deal only where two classes compete
for places; the deal is kept with that product over its largest possible value as probability, and drawn again
otherwise, which makes all consistent deals exactly equally likely (von Neumann's rejection). Should that fail
``MOST_DEALS`` times in a row, cards are exchanged among two or three places by lot, from some consistent deal on,
``EXCHANGES`` times for each place: that never fails, and comes close to equally likely.

Cards and places are put in order first, so that the new deal depends on what the seat can see and on the stream alone:
whatever the cards are that it cannot see, the same seed gives it the same worlds.
"""

from typing import NamedTuple

import numpy as np

from trick_envs import random
from trick_envs.bits import WORD
from trick_envs.engine.dispatch import hide, reveal, see, undeal
from trick_envs.engine.loops import inner, loop, store_legal

MOST_DEALS = 200
EXCHANGES = 20
NO_HOLDER = -1
FAR = 127  # further than any holder is from one with a free place


class Places(NamedTuple):
    """Room for the places that a seat cannot see, P at most, of H holders at most: the seats, and then the stock.

    cards: card in each place, int8 (P,). holders: who holds it, int8 (P,).
    forbidden: cards that a holder is known not to hold, int64 (H, 2) in words of ``WORD`` bits.
    allowed: by place, the set of holders that may hold its card, int32 (P,).
    given: by place, the holder that its card is dealt to, int8 (P,). free: places of each holder, int8 (H,).
    copies: room to count the places of each card, int8 (2 * WORD,). distance: of each holder, int8 (H,).
    """

    cards: np.ndarray
    holders: np.ndarray
    forbidden: np.ndarray
    allowed: np.ndarray
    given: np.ndarray
    free: np.ndarray
    copies: np.ndarray
    distance: np.ndarray


def room(places: int, holders: int) -> Places:
    """Room for so many places and holders."""
    return Places(
        np.zeros(places, np.int8),
        np.zeros(places, np.int8),
        np.zeros((holders, 2), np.int64),
        np.zeros(places, np.int32),
        np.zeros(places, np.int8),
        np.zeros(holders, np.int8),
        np.zeros(2 * WORD, np.int8),
        np.zeros(holders, np.int8),
    )


@inner
def deal_afresh(table, seat, places, state):
    """Give ``table`` another deal of what ``seat`` cannot see, drawn from a stream."""
    places.forbidden[:] = 0
    count = hide(table, seat, places)
    put_in_order(places, count)
    find_allowed(places, count)
    reveal(table, seat, places, count, permute(places, count, state))
    store_legal(table)


@inner
def put_in_order(places, count):
    """Order the cards by id; ``hide`` lists the places by ascending holders."""
    places.copies[:] = 0
    for place in range(count):
        places.copies[places.cards[place]] += 1
    place = 0
    for card in range(len(places.copies)):
        for _ in range(places.copies[card]):
            places.cards[place] = card
            place += 1


@inner
def permute(places, count, state):
    """Deal the cards afresh among their places; the stream's new state."""
    for _ in range(MOST_DEALS):
        state, likelihood = deal_classes(places, count, state)
        state, draw = random.draw_below(state, 1 << 30)
        if draw < likelihood * (1 << 30):
            return take_places(places, count, state)
    return exchange(places, count, state)


@inner
def may_hold(places, holder, card):
    return (places.forbidden[holder, card // WORD] >> (card % WORD)) & 1 == 0


@inner
def find_allowed(places, count):
    """For the card of each place the set of holders that have places and may hold it."""
    places.free[:] = 0
    for place in range(count):
        places.free[places.holders[place]] += 1
    for place in range(count):
        allowed = 0
        for holder in range(len(places.free)):
            if places.free[holder] > 0 and may_hold(places, holder, places.cards[place]):
                allowed |= 1 << holder
        places.allowed[place] = allowed


@inner
def capacity(places, allowed):
    """Free places of a set of holders."""
    total = 0
    for holder in range(len(places.free)):
        if (allowed >> holder) & 1:
            total += places.free[holder]
    return total


@inner
def deal_classes(places, count, state):
    """Give each card a holder, class by class; the likelihood, 0 … 1, that the deal is to be kept, 0 for a dead end."""
    places.free[:] = 0
    for place in range(count):
        places.free[places.holders[place]] += 1
        places.given[place] = NO_HOLDER
    likelihood = 1.0
    placed = 0
    while placed < count:
        allowed = scarcest_left(places, count)
        free = capacity(places, allowed)
        most = min(capacity_at_first(places, count, allowed), count - placed)
        for place in range(count):
            if places.given[place] == NO_HOLDER and places.allowed[place] == allowed:
                if free == 0:
                    return state, 0.0
                state, chosen = random.draw_below(state, free)
                give(places, place, allowed, chosen)
                likelihood *= free / most
                free -= 1
                most -= 1
                placed += 1
    return state, likelihood


@inner
def scarcest_left(places, count):
    """The class of cards not yet given whose holders had the fewest places at first."""
    best, fewest = 0, 1 << 30
    last = -1
    for place in range(count):
        allowed = places.allowed[place]
        if places.given[place] == NO_HOLDER and allowed != last:
            last = allowed
            total = capacity_at_first(places, count, allowed)
            if total < fewest or (total == fewest and allowed < best):
                best, fewest = allowed, total
    return best


@inner
def capacity_at_first(places, count, allowed):
    """Places of a set of holders before any card is given."""
    total = 0
    for place in range(count):
        total += (allowed >> places.holders[place]) & 1
    return total


@inner
def give(places, place, allowed, chosen):
    """The card of ``place`` goes to the holder of the free place number ``chosen`` among those allowed."""
    for holder in range(len(places.free)):
        if (allowed >> holder) & 1:
            if chosen < places.free[holder]:
                places.given[place] = holder
                places.free[holder] -= 1
                return
            chosen -= places.free[holder]


@inner
def take_places(places, count, state):
    """Order the cards by the holders they are given to, at random among the places of each."""
    for last in range(count - 1, 0, -1):
        state, other = random.draw_below(state, last + 1)
        places.cards[last], places.cards[other] = places.cards[other], places.cards[last]
        places.given[last], places.given[other] = places.given[other], places.given[last]
    take_given(places, count)
    return state


@inner
def take_given(places, count):
    """Order the cards by the holders they are given to."""
    for place in range(count):
        other = place
        while places.given[other] != places.holders[place]:
            other += 1
        places.cards[place], places.cards[other] = places.cards[other], places.cards[place]
        places.given[place], places.given[other] = places.given[other], places.given[place]


@inner
def exchange(places, count, state):
    """Pass cards round among two or three places drawn by lot, where all holders may hold what they get."""
    deal_somehow(places, count)
    for _ in range(EXCHANGES * count):
        state, one = random.draw_below(state, count)
        state, two = random.draw_below(state, count)
        state, three = random.draw_below(state, count)
        first, second, third = places.cards[one], places.cards[two], places.cards[three]
        if three in (one, two) or one == two:
            if may_move(places, one, second) and may_move(places, two, first):
                places.cards[one], places.cards[two] = second, first
        elif may_move(places, one, third) and may_move(places, two, first) and may_move(places, three, second):
            places.cards[one], places.cards[two], places.cards[three] = third, first, second
    return state


@inner
def deal_somehow(places, count):
    """Give each card a holder that may hold it, without lots: a flow by shortest augmenting paths.

    When no holder of a card has a free place, one of them passes a card on, to one that passes on another, and so on.
    """
    places.free[:] = 0
    for place in range(count):
        places.free[places.holders[place]] += 1
        places.given[place] = NO_HOLDER
    for place in range(count):
        measure_distances(places, count)
        holder = nearest(places, places.allowed[place], FAR)
        places.given[place] = holder
        while places.distance[holder] > 0:
            holder = pass_on(places, count, holder, place)
        places.free[holder] -= 1
    take_given(places, count)


@inner
def measure_distances(places, count):
    """Over how many cards that are passed on each holder comes to a free place, FAR when there is no way."""
    for holder in range(len(places.free)):
        places.distance[holder] = 0 if places.free[holder] > 0 else FAR
    for steps in range(1, len(places.free)):
        for place in range(count):
            holder = places.given[place]
            found = holder != NO_HOLDER and nearest(places, places.allowed[place], steps) != NO_HOLDER
            if found and places.distance[holder] == FAR:
                places.distance[holder] = steps


@inner
def nearest(places, allowed, distance):
    """Of a set of holders the nearest to a free place that is nearer than ``distance``, or NO_HOLDER."""
    best = NO_HOLDER
    for holder in range(len(places.free)):
        if (allowed >> holder) & 1 and places.distance[holder] < distance:
            best, distance = holder, places.distance[holder]
    return best


@inner
def pass_on(places, count, holder, new):
    """Pass a card of ``holder``, not that of place ``new``, to one that is nearer to a free place: to whom."""
    for place in range(count):
        if places.given[place] == holder and place != new:
            receiver = nearest(places, places.allowed[place], places.distance[holder])
            if receiver != NO_HOLDER:
                places.given[place] = receiver
                return receiver
    return holder


@inner
def may_move(places, place, card):
    """Whether the holder of the place may hold the card."""
    return may_hold(places, places.holders[place], card)


@loop
def resample_one(tables, seat, seed, places):
    deal_afresh(tables[0], seat, places, random.stream(seed, seat))


@loop
def view_one(world, seat, views, places):
    """Write the view record of ``seat``, and make of a copy of its table a world that it may take for the real one.

    Nothing of what is hidden is left in that world: it is the one of seed 0, and the table's seed is 0.
    """
    table = world[0]
    see(table, seat, views[0], table.num_players)
    table.seed = 0
    deal_afresh(table, seat, places, random.stream(0, 0))


@loop
def resample_rows(tables, seats, seed, places):
    """Deal afresh in each row what ``seats[row]``, int8 (N,), cannot see."""
    for row in range(len(tables)):
        deal_afresh(tables[row], int(seats[row]), places, random.stream(seed, row))


@loop
def undeal_one(tables, deck):
    """Write the deck, int8 (P,), that the present hand was dealt from."""
    undeal(tables[0], deck)
