"""Hands played to their end for search, and what their ends are worth."""

from trick_envs import random
from trick_envs.bots.loops import rules
from trick_envs.engine.dispatch import gain, play, see, side
from trick_envs.engine.loops import USUAL_SEATS, action_count, inner, nth_action, settle_hand, store_legal
from trick_envs.games.table import OVER, PLACEMENT

MATCH_WORTH = 100.0  # points that a place is worth in a match that pays for places


@inner
def play_out(table, views, state):
    """Play the hand to its end and settle it: by the rule bot in all seats, or at random.

    views: scratch view record (1,) for the rule bot, None for random play by numbers of the stream ``state``.
    """
    while table.phase != OVER:
        choices = action_count(table.legal)
        if choices == 1:
            act(table, nth_action(table.legal, 0))
        elif views is None:
            state, k = random.draw_below(state, choices)
            act(table, nth_action(table.legal, k))
        else:
            act(table, ruled(table, views[0]))
    settle_hand(table)


@inner
def act(table, action):
    """Do a legal action within the hand."""
    play(table, action)
    store_legal(table)


@inner
def ruled(table, view):
    """What the rule bot does in the seat on turn. The usual number of seats is compiled as a constant."""
    if table.num_players == USUAL_SEATS:
        see(table, table.seat, view, USUAL_SEATS)
    else:
        see(table, table.seat, view, int(table.num_players))
    return rules(view)


@inner
def worth(table, seat):
    """What the hand just settled is worth to a seat: its side's points less the mean of all others'.

    In a match that pays for places, its last hand is worth the place that it leads to, ``MATCH_WORTH`` from the middle
    to the top, and points decide between equal places; the hands before are worth their points.
    """
    value = relative_points(table, seat)
    if table.reward_scheme == PLACEMENT:
        value += MATCH_WORTH * table.rewards[seat]
    return value


@inner
def relative_points(table, seat):
    """A seat's points of the hand, more is better, less the mean of those on other sides."""
    opponents = 0
    balance = 0.0
    for other in range(table.num_players):
        if side(table, other) != side(table, seat):
            opponents += 1
            balance += gain(table, table.hand_scores[seat]) - gain(table, table.hand_scores[other])
    return balance / opponents
