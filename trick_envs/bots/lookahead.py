"""What each action comes to when the rule bot, or a policy, plays the hand on from there: labels to learn from.

A policy that takes the best action by these values, averaged over the deals that a seat may be in, is one step of
policy improvement over who plays on (rollout policies: Tesauro and Galperin, "On-line policy improvement using
Monte-Carlo search", NIPS 1996). The deal at hand is itself a fair draw of those deals, so that one playout of it for
each action is an unbiased label; all actions meet the same cards, so their differences are far less noisy.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from trick_envs import random
from trick_envs.bots.loops import OUTSIDE, choose
from trick_envs.bots.playouts import act, play_out, ruled, worth
from trick_envs.bots.race import key_of
from trick_envs.bots.threads import in_threads
from trick_envs.engine import Game, Tables
from trick_envs.engine.dispatch import hide
from trick_envs.engine.loops import action_count, inner, loop, nth_action, observe, settle_hand, write_mask
from trick_envs.games.table import NOBODY, OVER

# Where nothing is hidden: with 16 straying playouts instead of one that does not, Rewind's second round is played 0.2
# points worse against three rule bots and half a point better against random seats and against searching ones.
PLAYOUTS = 16
STRAYING, OUT_OF = 2, 10


class Player(Protocol):
    """A policy that plays on: ``trick_envs.bots.policy.PolicyBot``."""

    where_known: str  # "playouts" where the rule bot is to choose for it in playouts, when nothing is hidden

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (N,) for observations int8 (N, layout size) and masks int8 (N, actions)."""


@loop
def value_rows(first, last, tables, rows, played, views, values):
    """Fill ``values``, float32 (K, actions), at the legal actions of ``rows[first:last]``.

    played: room for a table record (1,). views: for the rule bot (1,).
    """
    for k in range(first, last):
        table = tables[rows[k]]
        for number in range(action_count(table.legal)):
            action = nth_action(table.legal, number)
            values[k, action] = value(table, action, played, views)


@inner
def value(table, action, played, views):
    """What the hand comes to for the seat on turn if it does ``action`` and the rule bot plays on in all seats."""
    played[0] = table
    act(played[0], action)
    play_out(played[0], views, np.uint64(0))
    return worth(played[0], table.seat)


def action_values(tables: Tables, rows: np.ndarray) -> np.ndarray:
    """What the hand comes to for the seat to act after each of its legal actions, by playouts of the rule bot.

    rows: of tables that are not over, int (K,). Returns float32 (K, actions): the points of the hand of the seat's
    side less the mean of the others', more is better; 0 at illegal actions. Hidden cards are those of the table.
    """
    rows = tables.rows(rows)
    game = tables.game
    values = np.zeros((len(rows), game.num_actions), np.float32)
    bounds = [len(rows) * part // tables.threads for part in range(tables.threads + 1)]

    def work(part: int) -> None:
        first, last = bounds[part : part + 2]
        value_rows(first, last, tables.records, rows, game.new_records(1), game.new_views(), values)

    in_threads(work, tables.threads)
    return values


# --- Where nothing is hidden --------------------------------------------------------------------------------------


@loop
def known_rows(tables, rows, places, known):
    """Fill ``known``, bool (K,), with whether nothing is hidden from the seat on turn in each of ``rows``."""
    for k in range(len(rows)):
        known[k] = nothing_hidden(tables[rows[k]], places)


@inner
def nothing_hidden(table, places):
    """Whether the seat on turn can see, or tell, where all cards are."""
    places.forbidden[:] = 0
    return hide(table, table.seat, places) == 0


def all_known(game: Game, tables: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Whether nothing is hidden from the seat on turn, bool (K,), in the K ``rows`` of table records ``tables``."""
    known = np.empty(len(rows), np.bool_)
    known_rows(tables, rows, game.places(), known)
    return known


@loop
def best_rows(tables, rows, playouts, straying, played, views, actions):
    """Fill ``actions``, int64 (K,), with the best by playouts in ``rows``; of equals the rule bot's choice goes first.

    playouts: for each action. straying: see ``straying_value``. played, views: as in ``value_rows``.
    """
    for k in range(len(rows)):
        table = tables[rows[k]]
        key = key_of(tables, rows[k], np.uint64(0))
        actions[k] = ruled(table, views[0])
        best = total_value(table, actions[k], key, playouts, straying, played, views)
        for number in range(action_count(table.legal)):
            action = nth_action(table.legal, number)
            total = total_value(table, action, key, playouts, straying, played, views)
            if total > best:
                actions[k] = action
                best = total


@inner
def total_value(table, action, key, playouts, straying, played, views):
    """The sum over playouts of what the hand comes to for the seat on turn; all actions meet the same numbers."""
    total = 0.0
    for playout in range(playouts):
        total += straying_value(table, action, random.stream(key, playout), straying, played, views)
    return total


@inner
def straying_value(table, action, state, straying, played, views):
    """As ``value``, with other seats that stray from what the rule bot would do.

    straying: at how many of ``OUT_OF`` choices another seat does anything, by numbers of the stream ``state``.
    """
    played[0] = table
    world = played[0]
    act(world, action)
    while world.phase != OVER:
        choices = action_count(world.legal)
        state, number = random.draw_below(state, OUT_OF)
        if choices == 1:
            act(world, nth_action(world.legal, 0))
        elif world.seat != table.seat and number < straying:
            state, k = random.draw_below(state, choices)
            act(world, nth_action(world.legal, k))
        else:
            act(world, ruled(world, views[0]))
    settle_hand(world)
    return worth(world, table.seat)


def best_by_playouts(
    game: Game, tables: np.ndarray, rows: np.ndarray, playouts: int = PLAYOUTS, straying: int = STRAYING
) -> np.ndarray:
    """The best actions by playouts of the rule bot, int64 (K,), in ``rows`` (K,) of table records.

    It looks at all cards: a policy it is where nothing is hidden. Of equally good actions it is the rule bot's own
    choice, if that is among them.

    playouts: for each action. straying: at how many of ``OUT_OF`` choices another seat does anything instead; who takes
        others to do exactly as the rule bot does plays worse against everybody else.
    """
    actions = np.empty(len(rows), np.int64)
    best_rows(tables, rows, playouts, straying, game.new_records(1), game.new_views(), actions)
    return actions


# --- Playouts of policies -----------------------------------------------------------------------------------------


@loop
def branch_rows(tables, rows, tried, branches, origins, actions):
    """Do each action of ``tried``, bool (K, actions), at a copy of its table, in ``branches``, table records (P,).

    tables, rows: row k is of ``tables[rows[k]]``. origins, actions: int64 (P,), get k and the action done.
    """
    branch = 0
    for k in range(len(rows)):
        for action in range(tried.shape[1]):
            if tried[k, action]:
                branches[branch] = tables[rows[k]]
                act(branches[branch], action)
                origins[branch] = k
                actions[branch] = action
                branch += 1


@loop
def play_to_player(first, last, branches, origins, holders, hands_over, bot_seeds, views, places, waiting):
    """Play each branch on to the next choice of a player, or to the end of the hand, where it is settled.

    holders: int64 (K, seats), for each origin a compiled bot in each seat, or OUTSIDE − k for player k.
    hands_over: for each player, whether the rule bot chooses for it where nothing is hidden, bool (players,).
    waiting: int64 (P,), gets the player that is to choose, or NOBODY.
    """
    for branch in range(first, last):
        table = branches[branch]
        if table.settled:
            continue
        waiting[branch] = NOBODY
        while table.phase != OVER and waiting[branch] == NOBODY:
            holder = holders[origins[branch], table.seat]
            if action_count(table.legal) == 1:
                act(table, nth_action(table.legal, 0))
            elif holder > OUTSIDE:
                act(table, choose(table, views[0], holder, bot_seeds[table.seat]))
            elif hands_over[OUTSIDE - holder] and nothing_hidden(table, places):
                act(table, ruled(table, views[0]))
            else:
                waiting[branch] = OUTSIDE - holder
            table.ply += waiting[branch] == NOBODY
        if table.phase == OVER:
            settle_hand(table)


@loop
def ask_rows(branches, asked, views, observations, masks):
    """Write what the seats to act see and may do in the branches ``asked``, int64 (A,), a row each."""
    for k in range(len(asked)):
        table = branches[asked[k]]
        observe(table, table.seat, views[0], observations[k])
        write_mask(table, table.seat, masks[k])


@loop
def answer_rows(branches, asked, actions):
    """Do ``actions`` in the branches ``asked``, int64 (A,) both."""
    for k in range(len(asked)):
        act(branches[asked[k]], actions[k])
        branches[asked[k]].ply += 1


@loop
def worth_rows(tables, rows, branches, origins, actions, values):
    """Fill ``values``, float32 (K, actions), with what each branch came to for the seat that acted at its origin."""
    for branch in range(len(branches)):
        origin = origins[branch]
        values[origin, actions[branch]] = worth(branches[branch], tables[rows[origin]].seat)


def policy_action_values(
    tables: Tables,
    rows: np.ndarray,
    tried: np.ndarray,
    players: Sequence[Player],
    holders: np.ndarray,
) -> np.ndarray:
    """As ``action_values``, with policies that play on in their seats and compiled bots in theirs.

    tried: the actions to try, of the legal ones, bool (K, actions). holders: who plays on in each seat, an index into
    COMPILED_BOTS, or OUTSIDE − k for ``players[k]``: int64 (K, seats).
    Returns float32 (K, actions), 0 where nothing is tried.
    """
    rows = tables.rows(rows)
    game = tables.game
    branches = game.new_records(int(tried.sum()))
    origins, actions = np.empty(len(branches), np.int64), np.empty(len(branches), np.int64)
    branch_rows(tables.records, rows, tried, branches, origins, actions)
    branches["settled"] = 0
    waiting = np.full(len(branches), NOBODY)
    hands_over = np.array([player.where_known == "playouts" for player in players], np.bool_)
    bot_seeds = np.zeros(game.num_players, np.uint64)
    bounds = [len(branches) * part // tables.threads for part in range(tables.threads + 1)]
    all_views = [game.new_views() for _ in range(tables.threads)]
    all_places = [game.places() for _ in range(tables.threads)]

    def play_on(part: int) -> None:
        first, last = bounds[part : part + 2]
        room = all_views[part], all_places[part], waiting
        play_to_player(first, last, branches, origins, holders, hands_over, bot_seeds, *room)

    in_threads(play_on, tables.threads)
    while (waiting != NOBODY).any():
        for number, player in enumerate(players):
            asked = np.flatnonzero(waiting == number)
            if len(asked):
                observations = np.empty((len(asked), game.layout.size), np.int8)
                masks = np.empty((len(asked), game.num_actions), np.int8)
                ask_rows(branches, asked, all_views[0], observations, masks)
                answer_rows(branches, asked, player.choose(observations, masks))
        in_threads(play_on, tables.threads)
    values = np.zeros((len(rows), game.num_actions), np.float32)
    worth_rows(tables.records, rows, branches, origins, actions, values)
    return values
