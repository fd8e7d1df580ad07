"""Compiled bots, and the loops that let them play.

A rule bot is a function ``rules(view)`` of a view record. The random bot draws from its own seed, the table's seed
and the count of actions so far, apart from all shuffles: the same bot at the same table does the same, whatever
else is played beside it.
"""

from typing import NamedTuple

import numpy as np

from trick_envs import random
from trick_envs.engine.dispatch import by_record
from trick_envs.engine.loops import (
    NO_ACTION,
    action_count,
    advance_row,
    deal_row,
    inner,
    loop,
    nth_action,
    see,
)
from trick_envs.games.table import OVER

COMPILED_BOTS = ("random", "rules")
RANDOM, RULES = range(len(COMPILED_BOTS))
OUTSIDE = -1  # in place of a compiled bot: who holds the seat is not played here
SEAT_DRAWS = np.uint64(2**64 - 2)  # stands for the hand number in the stream that a seat is drawn from

rules = by_record("rules")


@inner
def random_action(legal, state):
    """One of the set ``legal``, int64 (words,), by the next number of a stream."""
    _, k = random.draw_below(state, action_count(legal))
    return nth_action(legal, k)


@inner
def choose(table, view, bot, seed):
    """What the compiled bot, an index into COMPILED_BOTS, with ``seed`` does for the seat on turn."""
    if bot == RANDOM:
        return random_action(table.legal, random.nth_state(table.seed ^ random.mix(seed), table.ply))
    see(table, table.seat, view, table.num_players)
    return rules(view)


@loop
def act_one(views, bot, number):
    if bot == RANDOM:
        return random_action(views[0].legal, number)
    return rules(views[0])


@loop
def random_rows(legal, seeds, plies, rows, seed, actions):
    """Fill ``actions``, int64 (K,), with what the random bot does in the K ``rows``, as ``choose`` would."""
    key = random.mix(seed)
    for k in range(len(rows)):
        row = rows[k]
        actions[k] = random_action(legal[row], random.nth_state(seeds[row] ^ key, plies[row]))


@loop
def act_rows(tables, rows, views, bot, seed, actions):
    """Fill ``actions``, int64 (K,), with what the bot does in the K ``rows``."""
    for k in range(len(rows)):
        actions[k] = choose(tables[rows[k]], views[0], bot, seed)


@loop
def play_hands(first, last, tables, batch, stock, views, bots, seeds, hands, rewards):
    """Settle ``hands`` more hands in every row; a match that ends is followed by a new one, as in a step.

    bots, seeds: for each seat, index into COMPILED_BOTS int64 (seats,) and seed uint64 (seats,).
    rewards: float64 (N, seats), gets the rewards added.
    """
    for row in range(first, last):
        table = tables[row]
        settled = 0
        while settled < hands:
            seat = table.seat
            advance_row(table, row, choose(table, views[0], bots[seat], seeds[seat]), batch)
            if table.settled:
                settled += 1
                for seat in range(table.num_players):
                    rewards[row, seat] += table.rewards[seat]
                deal_row(table, row, batch, stock)


# --- One seat of each table against the others --------------------------------------------------------------------


class OneSeat(NamedTuple):
    """N tables at which one seat is played from outside: see ``trick_envs.interfaces.one_seat`` for the arrays.

    seats: the seat of the present match, int64 (N,). drawn: whether each match draws it, bool (1,).
    skips: whether forced moves of the seat are made without being asked for, bool (1,).
    bots, bot_seeds: who holds the k-th seat to its left, int64 (seats,) and uint64 (seats,): a compiled bot or OUTSIDE.
    decided: whether the seat has made a choice in the present match, bool (N,).
    owed: what the seat was paid since then and has not been told of, float64 (N,).
    rewards, done, truncated: float64 (N,), bool (N,), bool (N,).
    ended, ended_seats: the table as the row's last match ended, table records (N,), and its seat, int64 (N,).
    ended_events: what the seat had been told then, int16 (N, most events), or no rows.
    """

    seats: np.ndarray
    drawn: np.ndarray
    skips: np.ndarray
    bots: np.ndarray
    bot_seeds: np.ndarray
    decided: np.ndarray
    owed: np.ndarray
    rewards: np.ndarray
    done: np.ndarray
    truncated: np.ndarray
    ended: np.ndarray
    ended_seats: np.ndarray
    ended_events: np.ndarray


@loop
def play_to_choice(first, last, tables, batch, stock, views, going, actions, one):
    """Play on in the rows that are ``going``, bool (N,), to the next choice that is made outside.

    A row begins with ``actions[row]``, int64 (N,), unless that is NO_ACTION. A new match follows one that ends. The
    arrays of ``batch`` are left to ``show_rows``.
    """
    for row in range(first, last):
        if going[row]:
            play_row_to_choice(tables[row], row, batch, stock, views[0], actions[row], one)


@inner
def play_row_to_choice(table, row, batch, stock, view, action, one):
    seats = int(table.num_players)
    while True:
        if table.ply == 0 and one.drawn[0]:
            _, seat = random.draw_below(random.stream(table.seed, SEAT_DRAWS), seats)
            one.seats[row] = seat
        if action == NO_ACTION:
            place = (int(table.seat) - one.seats[row]) % seats
            if one.bots[place] != OUTSIDE:
                action = choose(table, view, one.bots[place], one.bot_seeds[place])
            elif (place != 0 or one.skips[0]) and action_count(table.legal) == 1:
                action = nth_action(table.legal, 0)
            else:
                return
        advance_row(table, row, action, batch)
        action = NO_ACTION
        if table.settled:
            one.owed[row] += table.rewards[one.seats[row]]
            if table.phase == OVER:
                end_row(table, row, batch, one)
            deal_row(table, row, batch, stock)


@inner
def end_row(table, row, batch, one):
    """Note how the match of a row ended, if its seat has made a choice in it."""
    seat = one.seats[row]
    if one.decided[row]:
        one.done[row] = True
        one.truncated[row] = table.truncated
        one.rewards[row] = one.owed[row]
        one.ended[row] = table
        one.ended_seats[row] = seat
        if len(one.ended_events) > 0:
            for place in range(one.ended_events.shape[1]):
                one.ended_events[row, place] = batch.logs[row, seat, place]
    one.decided[row] = False
    one.owed[row] = 0
