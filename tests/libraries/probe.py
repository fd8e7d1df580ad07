"""A match whose final rewards differ from seat to seat, and what the table pays in it."""

from collections import namedtuple

import numpy as np

import trick_envs

Probe = namedtuple("Probe", "name options seed actions rewards")  # rewards: float64 (actions, seats)


def probe(name="hearts", **options):
    """A match at random of the first seed at which no two seats come to the same sum of rewards."""
    game = trick_envs.make(name, **options)
    for seed in range(1000):
        table = game.table(seed=seed)
        rng = np.random.default_rng(seed)
        actions, rewards = [], []
        while table.seat >= 0:
            actions.append(int(rng.choice(table.legal_actions())))
            table.play(actions[-1])
            rewards.append(list(table.rewards) if table.hand_over else [0.0] * game.num_players)
        if len(set(np.sum(rewards, axis=0).tolist())) == game.num_players:
            return Probe(name, options, seed, actions, np.array(rewards))
    raise AssertionError("no match with rewards that all differ")
