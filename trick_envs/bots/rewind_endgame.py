"""Where the second round of a hand of Rewind is solved (``trick_envs.bots.solver``): every hand is known in it."""

from numba.extending import register_jitable

from trick_envs.games.rewind import PACK, TRICKS
from trick_envs.games.table import PLAY

SOLVED_TRICKS = 4  # left, the one on the table among them
ROUND_OF_REPEATS = 2
NO_POSITION = -1
CARDS = len(PACK.names)


@register_jitable
def solvable(table):
    """Whether the hand can be solved from here on in a few milliseconds."""
    return table.round_number == ROUND_OF_REPEATS and TRICKS - int(table.trick_number) <= SOLVED_TRICKS


@register_jitable
def position(table):
    """What tells positions between two tricks of one hand apart: the cards played, and who leads; elsewhere −1."""
    if table.trick_size > 0 or table.phase != PLAY:
        return NO_POSITION
    played = 0
    for seat in range(table.num_players):
        played |= table.played[seat]
    return (int(table.leader) << CARDS) | played


@register_jitable
def points_so_far(table, seat):
    """What the markers cost that the seat has missed."""
    return int(table.cost[seat])
