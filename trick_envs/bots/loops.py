"""Compiled bots, and the loops that let them play.

A rule bot is a function ``rules(view)`` of a view record. The random bot draws from its own seed, the table's seed
and the count of actions so far, apart from all shuffles: the same bot at the same table does the same, whatever
else is played beside it.
"""

from trick_envs import random
from trick_envs.engine.dispatch import by_record
from trick_envs.engine.loops import action_count, advance_row, deal_row, inner, loop, nth_action, see

COMPILED_BOTS = ("random", "rules")
RANDOM, RULES = range(len(COMPILED_BOTS))

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
