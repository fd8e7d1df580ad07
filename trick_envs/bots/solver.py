"""An exact search of the end of a hand in which nothing is hidden: max^n with a table of positions met before.

Source: Luckhardt and Irani, "An algorithmic solution of N-person games", AAAI 1986. Each seat maximises its own side's
points less the mean of the others'; of actions that are equal to it, the lowest counts, for the others too.

A game says from where on it can be solved (``solvable``), what tells positions of one hand apart, when the trick on
the table is empty (``position``), and what a seat has scored so far (``points_so_far``).
"""

from typing import NamedTuple

import numpy as np

from trick_envs import random
from trick_envs.bits import bit, count, lowest
from trick_envs.bots.playouts import act
from trick_envs.engine.dispatch import by_record, gain, side
from trick_envs.engine.loops import inner, loop
from trick_envs.games.table import OVER

NO_POSITION = -1
DEPTH = 96  # actions with a choice, one after the other
POSITIONS = 1 << 16  # in the table, a power of two

solvable = by_record("solvable")
position = by_record("position")
points_so_far = by_record("points_so_far")


class Solver(NamedTuple):
    """Room for one line of play, D deep, and for M positions met before.

    tables: table records (D,). left: sets of actions not yet tried, int64 (D,). trying: the one being looked through,
    int64 (D,). position: int64 (D,).
    points: points of the hand by seat with the best action so far, int32 (D, seats). best: that action, NO_POSITION
    before there is one, int64 (D,). met: positions, int64 (M,). met_points: what came after them, int32 (M, seats).
    nodes: positions looked at, int64 (1,).
    """

    tables: np.ndarray
    left: np.ndarray
    trying: np.ndarray
    position: np.ndarray
    points: np.ndarray
    best: np.ndarray
    met: np.ndarray
    met_points: np.ndarray
    nodes: np.ndarray


def room(records: np.ndarray, seats: int) -> Solver:
    """Room for the tables ``records``, table records (DEPTH,), of so many seats."""
    return Solver(
        records,
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros((DEPTH, seats), np.int32),
        np.zeros(DEPTH, np.int64),
        np.zeros(POSITIONS, np.int64),
        np.zeros((POSITIONS, seats), np.int32),
        np.zeros(1, np.int64),
    )


@loop
def can_be_solved(tables, row):
    """Whether the hand of the table can be solved from here on in short time."""
    return solvable(tables[row])


@loop
def solve(tables, row, solver):
    """The best action of the seat on turn; ``solver.points[0]`` has the points of the hand that come of it."""
    solver.met[:] = NO_POSITION
    solver.nodes[0] = 0
    solver.tables[0] = tables[row]
    enter(solver, 0)
    depth = 0
    while True:
        if solver.left[depth] == 0:
            remember(solver, depth)
            if depth == 0:
                return solver.best[0]
            depth -= 1
            compare(solver, depth)
        else:
            action = lowest(solver.left[depth])
            solver.left[depth] &= ~bit(action)
            solver.trying[depth] = action
            solver.tables[depth + 1] = solver.tables[depth]
            if reach(solver, depth + 1, action):
                compare(solver, depth)
            else:
                depth += 1


@inner
def enter(solver, depth):
    """Begin with the actions of the table at this depth."""
    table = solver.tables[depth]
    solver.left[depth] = table.legal[0]
    solver.position[depth] = position(table)
    solver.best[depth] = NO_POSITION


@inner
def reach(solver, depth, action):
    """Play on to where there is a choice; True when the points of the hand are known there."""
    table = solver.tables[depth]
    act(table, action)
    solver.nodes[0] += 1
    while table.phase != OVER:
        here = position(table)
        if here != NO_POSITION and recall(solver, depth, here):
            return True
        if count(table.legal[0]) > 1:
            enter(solver, depth)
            return False
        act(table, lowest(table.legal[0]))
    for seat in range(table.num_players):
        solver.points[depth, seat] = table.hand_scores[seat]
    return True


@inner
def slot(solver, here):
    """Where a position is kept, if it is."""
    return np.int64(random.mix(np.uint64(here)) & np.uint64(len(solver.met) - 1))


@inner
def recall(solver, depth, here):
    """Take the points from a position met before; False when it was not, or is forgotten."""
    place = slot(solver, here)
    if solver.met[place] != here:
        return False
    table = solver.tables[depth]
    for seat in range(table.num_players):
        solver.points[depth, seat] = points_so_far(table, seat) + solver.met_points[place, seat]
    return True


@inner
def remember(solver, depth):
    """Keep what comes after the position at this depth, in place of another."""
    here = solver.position[depth]
    if here != NO_POSITION:
        table = solver.tables[depth]
        place = slot(solver, here)
        solver.met[place] = here
        for seat in range(table.num_players):
            solver.met_points[place, seat] = solver.points[depth, seat] - points_so_far(table, seat)


@inner
def compare(solver, depth):
    """Keep the points one deeper when they are better for the seat that chose than those of the actions before."""
    table = solver.tables[depth]
    first = solver.best[depth] == NO_POSITION
    if first or advantage(table, solver.points[depth + 1], table.seat) > advantage(
        table, solver.points[depth], table.seat
    ):
        for seat in range(table.num_players):
            solver.points[depth, seat] = solver.points[depth + 1, seat]
        solver.best[depth] = solver.trying[depth]


@inner
def advantage(table, points, seat):
    """A seat's points of the hand less those of each seat on another side."""
    balance = 0
    for other in range(table.num_players):
        if side(table, other) != side(table, seat):
            balance += gain(table, points[seat]) - gain(table, points[other])
    return balance
