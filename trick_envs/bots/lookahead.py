"""What each legal action comes to when the rule bot plays the hand on from there, in all seats: labels to learn from.

A policy that takes the best action by these values, averaged over the deals that a seat may be in, is one step of
policy improvement over the rule bot (rollout policies: Tesauro and Galperin, "On-line policy improvement using
Monte-Carlo search", NIPS 1996). The deal at hand is itself a fair draw of those deals, so that one playout of it for
each action is an unbiased label; all actions meet the same cards, so their differences are far less noisy.
"""

import numpy as np

from trick_envs.bots.playouts import act, play_out, worth
from trick_envs.bots.search import in_threads
from trick_envs.engine import Tables
from trick_envs.engine.loops import action_count, loop, nth_action


@loop
def value_rows(first, last, tables, rows, played, views, values):
    """Fill ``values``, float32 (K, actions), at the legal actions of ``rows[first:last]``.

    played: room for a table record (1,). views: for the rule bot (1,).
    """
    for k in range(first, last):
        table = tables[rows[k]]
        seat = table.seat
        for number in range(action_count(table.legal)):
            action = nth_action(table.legal, number)
            played[0] = table
            act(played[0], action)
            play_out(played[0], views, np.uint64(0))
            values[k, action] = worth(played[0], seat)


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
