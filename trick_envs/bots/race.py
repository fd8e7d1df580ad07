"""A race of candidates: each plays on in the same sampled worlds, and those that fall behind drop out.

The worlds are what the seat may take for the real one (``trick_envs.engine.worlds``). All candidates meet the same
ones, so two are compared by the differences world by world, whose standard error is far smaller than that of either.
Playing worlds out with players who do not see them, instead of solving them: Furtak and Buro, "Recursive Monte Carlo
search for imperfect information games", CIG 2013.
"""

from typing import NamedTuple

import numpy as np

from trick_envs import random
from trick_envs.bots.playouts import act, play_out, worth
from trick_envs.engine.dispatch import hide
from trick_envs.engine.loops import inner, loop
from trick_envs.engine.worlds import Places, deal_afresh

FIRST_WORLDS, MOST_AT_ONCE = 16, 64  # worlds between two looks at the standings
WORLD, PLAYED = range(2)  # in ``Desk.tables``


class Desk(NamedTuple):
    """What one thread works with.

    tables: room for two tables, table records (2,). places: of the hidden cards.
    """

    tables: np.ndarray
    places: Places


class Race(NamedTuple):
    """Candidates of one decision, C at most, in W worlds at most.

    actions: of the candidates, int64 (C,). racing: those still in, bool (C,).
    values: what each candidate came to in each world, for its side, float32 (W, C); not written once it is out.
    """

    actions: np.ndarray
    racing: np.ndarray
    values: np.ndarray


@loop
def key_of(tables, row, seed):
    """The key of the random streams of a decision: by the bot's seed and what every seat can see."""
    table = tables[row]
    key = random.stream(seed, table.ply)
    for seat in range(table.num_players):
        key = random.stream(key, table.tricks_won[seat])
    return random.stream(key, table.seat)


@loop
def places_hidden(tables, row, desk):
    """How many cards lie in places that the seat on turn cannot see."""
    table = tables[row]
    desk.places.forbidden[:] = 0
    return hide(table, table.seat, desk.places)


@inner
def sample_world(tables, row, key, number, desk):
    """Put world ``number`` of the seat on turn on the desk."""
    desk.tables[WORLD] = tables[row]
    world = desk.tables[WORLD]
    deal_afresh(world, world.seat, desk.places, random.stream(key, number))


@loop
def run_worlds(tables, row, first, last, key, race, desk, views):
    """Let the candidates run in the worlds numbered from ``first`` to before ``last``; ``views`` as in ``play_out``."""
    for number in range(first, last):
        sample_world(tables, row, key, number, desk)
        played = desk.tables[PLAYED]
        state = random.stream(random.mix(key), number)
        for candidate in range(len(race.actions)):
            if race.racing[candidate]:
                desk.tables[PLAYED] = desk.tables[WORLD]
                seat = played.seat
                act(played, race.actions[candidate])
                play_out(played, views, state)
                race.values[number, candidate] = worth(played, seat)


@inner
def leader(race, worlds, default):
    """The candidate with the best mean of the first ``worlds``; the default among equals."""
    best, most = default, -np.inf
    if race.racing[default]:
        most = total(race, worlds, default)
    for candidate in range(len(race.actions)):
        if race.racing[candidate]:
            value = total(race, worlds, candidate)
            if value > most:
                best, most = candidate, value
    return best


@inner
def total(race, worlds, candidate):
    value = 0.0
    for number in range(worlds):
        value += race.values[number, candidate]
    return value


@inner
def leads(race, worlds, one, other, errors):
    """Whether one candidate is ahead of another by ``errors`` paired standard errors, or always just equal to it."""
    total, squares = 0.0, 0.0
    for number in range(worlds):
        ahead = race.values[number, one] - race.values[number, other]
        total += ahead
        squares += ahead * ahead
    mean = total / worlds
    variance = max(0.0, squares / worlds - mean * mean)
    return mean >= errors * np.sqrt(variance / worlds)


@loop
def drop_behind(race, worlds, default, errors):
    """Take the candidates that are ``errors`` paired standard errors behind out of the race; how many are left."""
    best = leader(race, worlds, default)
    left = 0
    for candidate in range(len(race.actions)):
        if race.racing[candidate]:
            if candidate != best and leads(race, worlds, best, candidate, errors):
                race.racing[candidate] = False
            else:
                left += 1
    return left


@loop
def winner(race, worlds, default, errors):
    """The action of the leader, or of the default where it is not ahead of that by ``errors`` standard errors."""
    best = leader(race, worlds, default)
    if race.racing[default] and not leads(race, worlds, best, default, errors):
        best = default
    return race.actions[best]
