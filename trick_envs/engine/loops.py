"""The compiled loops: one statement of how a match runs, for every game.

All take arrays of table records; a single table is an array of one. Each loop also runs uncompiled, through its
``py_func`` on a ``numpy.recarray``.

Nothing here allocates or counts references: ``_nrt=False`` leaves that out of the loops and of all they call, which
makes them three times as fast. So whatever needs room is given it.
"""

from typing import NamedTuple

import numba
import numpy as np

from trick_envs import random
from trick_envs.bits import WORD, count, nth, spread
from trick_envs.engine.dispatch import (
    begin_match,
    deal,
    features,
    gain,
    hidden,
    legal,
    match_over,
    play,
    retell,
    see,
    side,
    standing,
    tell_action,
    tell_dealt,
    tell_open_cards,
)
from trick_envs.games.table import (
    DEALING,
    DRAWN,
    NOBODY,
    OF_HAND,
    OVER,
    POINTS,
    RELATIVE,
    UNLIMITED,
    seat_after,
)
from trick_envs.views.events import forget, tell_hand, tell_settled

NO_ROW = -1
NO_ACTION = -1
REFUSED, DONE, DONE_AND_DEAL = range(3)
USUAL_SEATS = 4
STRETCH = 32  # actions written to a mask at once; every game has more
ROWS_IN_CACHE = 32  # tables stepped before they are observed: few enough for the nearest cache

inner = numba.njit(_nrt=False)
loop = numba.njit(_nrt=False, nogil=True, cache=True)


class Stock(NamedTuple):
    """Where the cards come from.

    pack: card ids of the pack in play, int8 (P,).
    decks: the order in which the cards of hands 0 … K − 1 come off the pack, int8 (K, P); later hands are shuffled.
    deck: scratch room for a shuffled deck, int8 (P,).
    """

    pack: np.ndarray
    decks: np.ndarray
    deck: np.ndarray


# --- One match -------------------------------------------------------------------------------------------------


@inner
def start(table, seed, dealer, stock):
    """Begin the match of ``seed`` at the table; ``dealer`` is a seat or DRAWN."""
    state = random.stream(seed, random.MATCH_DRAWS)
    state, drawn_dealer = random.draw_below(state, table.num_players)
    state, drawn = random.draw_below(state, 1 << 31)
    if dealer == DRAWN:
        dealer = drawn_dealer if table.first_dealer == DRAWN else table.first_dealer
    table.seed = seed
    table.ply = 0
    table.hand_number = 0
    table.dealer = dealer
    table.truncated = 0
    table.settled = 0
    for seat in range(table.num_players):
        table.scores[seat] = 0
        table.hand_scores[seat] = 0
        table.rewards[seat] = 0
    begin_match(table, drawn)
    begin_hand(table, stock)


@inner
def begin_hand(table, stock):
    if table.hand_number < len(stock.decks):
        deal(table, stock.decks[table.hand_number])
    else:
        shuffle_hand(stock, table.seed, table.hand_number)
        deal(table, stock.deck)
    store_legal(table)


@inner
def shuffle_hand(stock, seed, hand_number):
    """Shuffle the pack into ``stock.deck``: a function of (seed, hand number) alone."""
    for place in range(len(stock.pack)):
        stock.deck[place] = stock.pack[place]
    random.shuffle(stock.deck, random.stream(seed, hand_number))


@inner
def store_legal(table):
    for word, actions in enumerate(legal(table)):
        table.legal[word] = actions


@inner
def advance(table, action):
    """Do a legal action and settle the hand that it ends; the phase is DEALING when ``begin_hand`` must follow."""
    if table.settled:
        table.settled = 0
        for seat in range(table.num_players):
            table.rewards[seat] = 0
    play(table, action)
    table.ply += 1
    if table.phase == OVER:
        settle_hand(table)
    store_legal(table)


@inner
def settle_hand(table):
    """Add the hand to the scores, decide whether the match ends with it and pay the rewards."""
    for seat in range(table.num_players):
        table.scores[seat] += table.hand_scores[seat]
    hands = table.hand_number + 1
    over = match_over(table) or (table.num_hands != UNLIMITED and hands >= table.num_hands)
    if not over and table.max_hands != UNLIMITED and hands >= table.max_hands:
        over = True
        table.truncated = 1
    if over:
        table.seat = NOBODY
    else:
        table.phase = DEALING
        table.hand_number += 1
        table.dealer = seat_after(table, table.dealer, 1)
    table.settled = 1
    for seat in range(table.num_players):
        table.rewards[seat] = reward(table, seat, over)


@inner
def reward(table, seat, over):
    """The reward of the hand just settled under the table's scheme (see ``GameOptions.rewards``)."""
    if table.reward_scheme == POINTS:
        return float(gain(table, table.hand_scores[seat]))
    opponents = 0
    balance = 0.0
    for other in range(table.num_players):
        if side(table, other) != side(table, seat):
            opponents += 1
            if table.reward_scheme == RELATIVE:
                balance += gain(table, table.hand_scores[seat]) - gain(table, table.hand_scores[other])
            elif over:
                balance += np.sign(standing(table, seat) - standing(table, other))
    return balance / opponents


# --- What the seats are told -----------------------------------------------------------------------------------


@inner
def tell_deal(table, log):
    """Tell the observers of ``log`` that a hand begins."""
    if table.ply == 0 or table.events_of == OF_HAND:
        forget(table, log)
    tell_hand(table, log)
    table.hand_told = table.told
    for observer in range(table.num_players):
        table.told = tell_dealt(table, observer, log)
    tell_open_cards(table, log)


@inner
def advance_and_tell(table, action, log):
    """Do a legal action as ``advance`` does, and tell the observers of ``log`` what comes of it."""
    seat, phase = table.seat, table.phase
    advance(table, action)
    tell_action(table, seat, phase, action, log)
    if table.settled:
        tell_settled(table, log, table.phase == OVER)


@inner
def tell_anew(table, seat, log):
    """Let the others than ``seat`` have been told what ``table``, another world of the seat's, holds for them."""
    for observer in range(table.num_players):
        if observer != seat:
            tell_dealt(table, observer, log)
            retell(table, observer, log)


# --- What a seat sees ------------------------------------------------------------------------------------------


@inner
def observe(table, seat, view, row):
    """Write what ``seat`` sees: its view record and its features, int8 (layout size,); returns where they end.

    The usual number of seats is compiled as a constant, which unrolls the loops over seats.
    """
    if table.num_players == USUAL_SEATS:
        see(table, seat, view, USUAL_SEATS)
        return features(view, row, USUAL_SEATS)
    seats = int(table.num_players)  # plain Python would reckon in int8 with NumPy's
    see(table, seat, view, seats)
    return features(view, row, seats)


@inner
def write_mask(table, seat, mask):
    """Write the legal actions as int8 (num_actions,), all zeros for a seat not on turn.

    It goes by stretches of ``STRETCH`` actions, the last of which overlaps the one before.
    """
    on_turn = table.seat == seat
    last = len(mask) - STRETCH
    for first in range(0, last, STRETCH):
        spread(legal_from(table, first) * on_turn, mask, first, STRETCH)
    spread(legal_from(table, last) * on_turn, mask, last, STRETCH)


@inner
def legal_from(table, first):
    """The set of legal actions from ``first`` on, ``first`` counted as 0, as far as a word or two reach."""
    if len(table.legal) == 1:
        return table.legal[0] >> first
    word, shift = first // WORD, first % WORD
    actions = table.legal[word] >> shift
    if word + 1 < len(table.legal):
        actions |= table.legal[word + 1] << (WORD - shift)
    return actions


@inner
def action_count(actions):
    """How many actions are in a set of them, int64 (words,)."""
    total = 0
    for word in range(len(actions)):
        total += count(actions[word])
    return total


@inner
def nth_action(actions, k):
    """The k-th of a set of actions, int64 (words,), counted from 0; NO_ACTION when there are not so many."""
    for word in range(len(actions)):
        here = count(actions[word])
        if k < here:
            return word * WORD + nth(actions[word], k)
        k -= here
    return NO_ACTION


@inner
def is_legal(actions, action):
    """Whether ``action`` is in a set of actions, int64 (words,)."""
    if action < 0 or action >= WORD * len(actions):
        return False
    return (actions[action // WORD] >> (action % WORD)) & 1 == 1


# --- One table, called from Python -----------------------------------------------------------------------------


@loop
def start_one(tables, seed, dealer, stock):
    start(tables[0], seed, dealer, stock)


@loop
def next_seed_one(tables):
    """The seed of the match that follows at the table."""
    return random.next_seed(tables[0].seed)


@loop
def advance_one(tables, action):
    """Do ``action`` if it is legal; REFUSED, DONE, or DONE_AND_DEAL when ``deal_one`` must follow.

    The deal stands apart because handing over the stock takes longer than all the rest.
    """
    if not is_legal(tables[0].legal, action):
        return REFUSED
    advance(tables[0], action)
    return DONE_AND_DEAL if tables[0].phase == DEALING else DONE


@loop
def advance_and_tell_one(tables, action, log):
    """As ``advance_one`` does, telling the observers of ``log``."""
    if not is_legal(tables[0].legal, action):
        return REFUSED
    advance_and_tell(tables[0], action, log)
    return DONE_AND_DEAL if tables[0].phase == DEALING else DONE


@loop
def tell_deal_one(tables, log):
    tell_deal(tables[0], log)


@loop
def deal_one(tables, stock):
    begin_hand(tables[0], stock)


@loop
def observe_one(tables, seat, views, row, mask):
    observe(tables[0], seat, views[0], row)
    write_mask(tables[0], seat, mask)


@loop
def see_one(tables, seat, views):
    see(tables[0], seat, views[0], tables[0].num_players)


@loop
def features_one(views, row):
    features(views[0], row, int(views[0].num_players))


@loop
def state_one(tables, seat, views, row):
    """Write the whole table as ``seat`` would see it with all cards face up."""
    hidden(tables[0], seat, row, observe(tables[0], seat, views[0], row))


@loop
def shuffle_one(stock, seed, hand_number):
    shuffle_hand(stock, seed, hand_number)


@loop
def state_rows(tables, rows, views, states):
    """Write the state of each of ``rows``, int64 (K,), from its seat to act: int8 (K, state layout size)."""
    for k in range(len(rows)):
        table = tables[rows[k]]
        hidden(table, table.seat, states[k], observe(table, table.seat, views[0], states[k]))


# --- Thousands of tables ---------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """The arrays of N tables, a row a table: see ``trick_envs.engine.tables.Tables`` for their meaning.

    ``observation`` and ``action_mask`` have no rows when they are not wanted, nor has what belongs to events:

    events: sequence of the seat to act, int16 (N, most events). shown: its length, int32 (N,).
    logs: the sequences of all seats, int16 (N, seats, most events).
    """

    seat: np.ndarray
    legal: np.ndarray
    ply: np.ndarray
    observation: np.ndarray
    action_mask: np.ndarray
    rewards: np.ndarray
    done: np.ndarray
    truncated: np.ndarray
    scores: np.ndarray
    seeds: np.ndarray
    events: np.ndarray
    shown: np.ndarray
    logs: np.ndarray


@loop
def start_rows(first, last, tables, batch, stock, views):
    """Begin the match of ``batch.seeds[row]`` in each row."""
    for row in range(first, last):
        start(tables[row], batch.seeds[row], DRAWN, stock)
        if len(batch.logs) > 0:
            tell_deal(tables[row], batch.logs[row])


@loop
def step_rows(first, last, tables, batch, stock, views, actions):
    """Do the rows' actions; a table whose match ends is dealt a new match at once."""
    rewards, done, truncated, scores = batch.rewards, batch.done, batch.truncated, batch.scores
    for row in range(first, last):
        done[row] = False
        truncated[row] = False
        for seat in range(rewards.shape[1]):
            rewards[row, seat] = 0
    for start_row in range(first, last, ROWS_IN_CACHE):
        end_row = min(last, start_row + ROWS_IN_CACHE)
        for row in range(start_row, end_row):
            table = tables[row]
            advance_row(table, row, actions[row], batch)
            if table.settled:
                for seat in range(table.num_players):
                    rewards[row, seat] = table.rewards[seat]
                if table.phase != DEALING:
                    done[row] = True
                    truncated[row] = table.truncated
                    for seat in range(table.num_players):
                        scores[row, seat] = table.scores[seat]
                deal_row(table, row, batch, stock)
            put_forward(table, row, batch)
        show(start_row, end_row, tables, batch, views[0])


@inner
def advance_row(table, row, action, batch):
    """Do a legal action at a row's table, telling of it where events are kept."""
    if len(batch.logs) > 0:
        advance_and_tell(table, action, batch.logs[row])
    else:
        advance(table, action)


@inner
def deal_row(table, row, batch, stock):
    """Deal what follows a settled hand: the next hand, or the first one of a new match."""
    if table.phase == DEALING:
        begin_hand(table, stock)
    else:
        batch.seeds[row] = random.next_seed(table.seed)
        start(table, batch.seeds[row], DRAWN, stock)
    if len(batch.logs) > 0:
        tell_deal(table, batch.logs[row])


@inner
def put_forward(table, row, batch):
    """Write what choosing an action takes, side by side with the other rows: tables lie far apart in memory."""
    batch.seat[row] = table.seat
    batch.ply[row] = table.ply
    for word in range(len(table.legal)):
        batch.legal[row, word] = table.legal[word]


@inner
def show(first, last, tables, batch, view):
    """Write what the seats to act see and may do, as far as it is wanted."""
    if len(batch.observation) > 0:
        for row in range(first, last):
            table = tables[row]
            observe(table, table.seat, view, batch.observation[row])
            write_mask(table, table.seat, batch.action_mask[row])
    elif len(batch.action_mask) > 0:
        for row in range(first, last):
            table = tables[row]
            write_mask(table, table.seat, batch.action_mask[row])
    if len(batch.events) > 0:
        for row in range(first, last):
            show_events(tables[row].seat, tables[row].told, row, batch)


@inner
def show_events(seat, length, row, batch):
    """Write the sequence of a seat over that of another, which may have been longer."""
    for place in range(max(length, batch.shown[row])):
        batch.events[row, place] = batch.logs[row, seat, place]
    batch.shown[row] = length


@loop
def show_rows(first, last, tables, batch, stock, views):
    for row in range(first, last):
        put_forward(tables[row], row, batch)
    show(first, last, tables, batch, views[0])


@loop
def tell_anew_rows(tables, seats, batch):
    """Let all but ``seats[row]``, int8 (N,), have been told what the rows' tables hold for them."""
    for row in range(len(tables)):
        tell_anew(tables[row], int(seats[row]), batch.logs[row])


@loop
def first_illegal(legal, actions):
    """The first row whose action is not legal, or NO_ROW. legal: sets of actions, int64 (N, words)."""
    for row in range(len(legal)):
        if not is_legal(legal[row], actions[row]):
            return row
    return NO_ROW


@loop
def random_playouts(origin, scratch, count, seed, totals):
    """Play the hand of table ``origin[0]`` to its end ``count`` times at random; returns the number of actions.

    scratch: table records (1,), overwritten. totals: float64 (seats,), gets the sums of the rewards.
    """
    state = random.stream(seed, 0)
    table = scratch[0]
    actions = 0
    for _ in range(count):
        scratch[0] = origin[0]
        while table.phase != OVER:
            state, k = random.draw_below(state, action_count(table.legal))
            play(table, nth_action(table.legal, k))
            store_legal(table)
            actions += 1
        settle_hand(table)
        for seat in range(table.num_players):
            totals[seat] += table.rewards[seat]
    return actions
