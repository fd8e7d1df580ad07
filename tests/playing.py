"""Playing matches for tests: styles of play, positions on the way, decks."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

import trick_envs
from trick_envs.views.text import picture

Style = Callable[[list[int], Random], int]

# How a seat chooses among legal actions. An id modulo 13 is the rank where packs have thirteen: "high" and
# "low" go for and against tricks; "first" holds back the last suit, the hearts of Hearts.
STYLES: dict[str, Style] = {
    "random": lambda legal, rng: legal[int(rng.random() * len(legal))],
    "first": lambda legal, rng: legal[0],
    "last": lambda legal, rng: legal[-1],
    "high": lambda legal, rng: max(legal, key=lambda action: action % 13),
    "low": lambda legal, rng: min(legal, key=lambda action: action % 13),
}


def random_action(table: trick_envs.Table, rng: Random) -> int:
    """One of the legal actions; the same in every Python, which ``rng.choice`` is not."""
    return STYLES["random"](table.legal_actions(), rng)


def positions(table: trick_envs.Table, rng: Random, hands: int | None = None) -> Iterator[trick_envs.Table]:
    """The table as it stands, and after each random action until the match, or so many hands, are over."""
    yield table
    while not table.over and (hands is None or table.hand_number < hands):
        table.play(random_action(table, rng))
        yield table


def play_on(table: trick_envs.Table, rng: Random, actions: int | None = None) -> trick_envs.Table:
    """The table after so many random actions, or at the end of the match."""
    while not table.over and actions != 0:
        table.play(random_action(table, rng))
        actions = None if actions is None else actions - 1
    return table


def match_over(game: trick_envs.Game, seed: int) -> trick_envs.Table:
    """A match played at random to its end."""
    return play_on(game.table(seed=seed), Random(seed))


def deck_of(table: trick_envs.Table, hand: int) -> list[str]:
    """The cards of a hand as they come off the pack: given as ``decks``, or shuffled."""
    given = table.record()["decks"]
    return given[hand] if hand < len(given) else table.game.deck(table.seed, hand)


def features(table: trick_envs.Table, seat: int) -> np.ndarray:
    """The features of a seat, also where observations are events."""
    return table.observe(seat)[0]


def told(table: trick_envs.Table, seat: int) -> dict[str, Any]:
    """All that a seat is told of a table, but for what its view has by name."""
    mask, observation = table.action_mask(seat), table.observation(seat)
    encodings = observation if isinstance(observation, dict) else {"observation": observation}
    words = {"text": picture(table, seat), "explain": table.explain(seat), "mask": mask.tolist()}
    return words | {name: array.tolist() for name, array in encodings.items()}


def face(table: trick_envs.Table) -> dict[str, object]:
    """All that the public face tells of a match, but for what the seats see."""
    return {
        "turn": (table.phase, table.seat, table.legal_actions()),
        "hand": (table.hand_number, table.dealer, table.hands(), table.trick, table.tricks_won),
        "match": (table.scores, table.rewards, table.winners, table.truncated, table.over, table.hand_over),
        "origin": (table.game, table.seed, table.first_dealer, table.record()["decks"]),
        "history": table.history,
    }
