"""Single-observer information set Monte Carlo tree search, for any number of sides.

Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4 (2012). One tree, a new
world in each simulation; actions are chosen among those that are legal in that world, by UCB1 in which the visits of
the parent are replaced by how often the action could have been chosen. Each seat maximises its own worth (max^n).
Where nothing is hidden this is UCT.
"""

from typing import NamedTuple

import numpy as np

from trick_envs import random
from trick_envs.bits import WORD, bit
from trick_envs.bots.playouts import act, play_out, worth
from trick_envs.bots.race import WORLD, sample_world
from trick_envs.engine.loops import action_count, inner, is_legal, loop, nth_action
from trick_envs.games.table import OVER

ROOT = 0
NO_NODE = -1
EXPLORATION = 0.7  # of the span of all worths seen


class Tree(NamedTuple):
    """Room for N nodes; a node is an action of a seat, after those of its parents. The root is no action.

    action: int16 (N,). seat: that did it, int8 (N,). parent, child, sibling: node numbers int32 (N,), NO_NODE for none;
    ``child`` is the newest and ``sibling`` the one before. visits: int32 (N,). offered: visits of the parent in which
    the action was legal, int32 (N,). total: worths to the seat, summed over visits, float64 (N,).
    size: nodes in use, int64 (1,). span: least and most worth seen, float64 (2,).
    untried: scratch room for a set of actions, int64 (words,).
    """

    action: np.ndarray
    seat: np.ndarray
    parent: np.ndarray
    child: np.ndarray
    sibling: np.ndarray
    visits: np.ndarray
    offered: np.ndarray
    total: np.ndarray
    size: np.ndarray
    span: np.ndarray
    untried: np.ndarray


def room(nodes: int, words: int) -> Tree:
    """Room for so many nodes of a game whose sets of actions take so many words."""
    return Tree(
        np.zeros(nodes, np.int16),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes),
        np.zeros(1, np.int64),
        np.zeros(2),
        np.zeros(words, np.int64),
    )


@loop
def plant(tree):
    """Begin anew, with the root alone."""
    tree.size[0] = 0
    add_node(tree, NO_NODE, 0, 0)
    tree.span[0] = np.inf
    tree.span[1] = -np.inf


@inner
def add_node(tree, parent, action, seat):
    """A new node below ``parent``; NO_NODE when there is no room."""
    node = tree.size[0]
    if node == len(tree.action):
        return NO_NODE
    tree.size[0] += 1
    tree.action[node] = action
    tree.seat[node] = seat
    tree.parent[node] = parent
    tree.child[node] = NO_NODE
    tree.visits[node] = 0
    tree.offered[node] = 1
    tree.total[node] = 0.0
    if parent != NO_NODE:
        tree.sibling[node] = tree.child[parent]
        tree.child[parent] = node
    return node


@loop
def grow(tables, row, first, last, key, tree, desk, views):
    """Do the simulations numbered from ``first`` to before ``last``; ``views`` as in ``play_out``."""
    for number in range(first, last):
        sample_world(tables, row, key, number, desk)
        world = desk.tables[WORLD]
        state = random.stream(random.mix(key), number)
        state, node = descend(world, tree, state)
        play_out(world, views, state)
        back_up(world, tree, node)


@inner
def descend(world, tree, state):
    """Play down the tree and one action beyond it: the stream's state and the last node."""
    node = ROOT
    while world.phase != OVER:
        best = choose_child(world, tree, node)
        untried = action_count(tree.untried)
        if untried > 0:
            state, k = random.draw_below(state, untried)
            action, seat = nth_action(tree.untried, k), world.seat
            act(world, action)
            new = add_node(tree, node, action, seat)
            return state, node if new == NO_NODE else new
        node = best
        act(world, tree.action[node])
    return state, node


@inner
def choose_child(world, tree, node):
    """The child by UCB1 among those legal here, NO_NODE if none; legal actions without a child go to ``untried``."""
    for word in range(len(tree.untried)):
        tree.untried[word] = world.legal[word]
    best, best_bound = NO_NODE, -np.inf
    span = max(tree.span[1] - tree.span[0], 1e-9)
    child = tree.child[node]
    while child != NO_NODE:
        action = tree.action[child]
        if tree.seat[child] == world.seat and is_legal(world.legal, action):
            tree.offered[child] += 1
            tree.untried[action // WORD] &= ~bit(action % WORD)
            visits = tree.visits[child]
            bound = tree.total[child] / visits / span + EXPLORATION * np.sqrt(np.log(tree.offered[child]) / visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = tree.sibling[child]
    return best


@inner
def back_up(world, tree, node):
    """Add the worth of the hand to all nodes on the way to the root."""
    for seat in range(world.num_players):
        value = worth(world, seat)
        tree.span[0] = min(tree.span[0], value)
        tree.span[1] = max(tree.span[1], value)
    while node != NO_NODE:
        tree.visits[node] += 1
        tree.total[node] += worth(world, tree.seat[node])
        node = tree.parent[node]


@loop
def most_visited(tree):
    """The root's action with most visits; of several, the one with the best mean, and then the lowest."""
    best = NO_NODE
    child = tree.child[ROOT]
    while child != NO_NODE:
        if best == NO_NODE or better(tree, child, best):
            best = child
        child = tree.sibling[child]
    return tree.action[best]


@inner
def better(tree, one, other):
    if tree.visits[one] != tree.visits[other]:
        return tree.visits[one] > tree.visits[other]
    if tree.total[one] != tree.total[other]:
        return tree.total[one] > tree.total[other]
    return tree.action[one] < tree.action[other]
