"""Matches played to their end by bots that hold the seats, and what is kept of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import process_time, thread_time

import numpy as np

from training.figures import figures_of
from trick_envs import Game
from trick_envs.bots import Bot
from trick_envs.bots import make as make_bot
from trick_envs.bots.compiled import CompiledBot
from trick_envs.engine import loops
from trick_envs.engine.dispatch import as_records, standing
from trick_envs.engine.loops import loop


@dataclass
class Played:
    """What came of N matches.

    points   float64 (N, seats)   rewards of all hands
    scores   float64 (N, seats)   the game's own points of all hands
    hands    int64 (N,)           hands of the match
    places   float64 (N, seats)   place of the seat's side at the end, 1 the best; those who share have the mean
    wins     float64 (N, seats)   1 for the winning side, divided among sides that share the win
    figures  telling figures: numerators and denominators, float64 (N, seats) each
    decisions, seconds            by bot: actions chosen, forced ones included, and CPU seconds that took
    """

    game: Game
    points: np.ndarray
    scores: np.ndarray
    hands: np.ndarray
    places: np.ndarray
    wins: np.ndarray
    decisions: np.ndarray
    seconds: np.ndarray
    figures: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    @classmethod
    def nothing(cls, game: Game, matches: int, bots: int) -> "Played":
        """Before the first hand is settled."""
        points, scores, places, wins = (np.zeros((matches, game.num_players)) for _ in range(4))
        return cls(
            game, points, scores, np.zeros(matches, np.int64), places, wins, np.zeros(bots, np.int64), np.zeros(bots)
        )

    def settle(self, rows: np.ndarray, records: np.ndarray) -> None:
        """Add the hand just settled at the tables ``records`` (K,) of ``rows`` (K,); each row once."""
        seats = self.game.num_players
        self.points[rows] += records["rewards"][:, :seats]
        self.scores[rows] += records["hand_scores"][:, :seats]
        self.hands[rows] += 1
        for name, parts in figures_of(self.game, records).items():
            if name not in self.figures:
                self.figures[name] = (np.zeros(self.points.shape), np.zeros(self.points.shape))
            for total, part in zip(self.figures[name], parts, strict=True):
                total[rows] += part

    def end(self, rows: np.ndarray, records: np.ndarray) -> None:
        """Note how the matches of ``rows`` (K,) ended at the tables ``records`` (K,)."""
        self.places[rows], self.wins[rows] = places_and_wins(self.game, records)


def play_matches(game: Game, bots: Sequence[Bot], holders: np.ndarray, seeds: np.ndarray, threads: int = 1) -> Played:
    """Play the matches of ``seeds``, uint64 (N,), to their end.

    holders: index into ``bots`` of the one that holds each seat, (N, seats). threads: of the tables' steps.
    """
    # Compiled bots play in threads beside each other; others have a process to themselves and may use threads of it.
    clock = thread_time if all(isinstance(bot, CompiledBot) for bot in bots) else process_time
    observe = any(bot.needs_observation for bot in bots)
    tables = game.tables(len(seeds), seeds, observe=observe, threads=threads)
    played = Played.nothing(game, len(seeds), len(bots))
    idle = make_bot("random", game)
    actions = np.zeros(len(seeds), np.int64)
    playing = np.ones(len(seeds), np.bool_)
    rows = np.arange(len(seeds))
    whole_records = np.dtype((np.void, tables.records.itemsize))
    while playing.any():
        turn = np.where(playing, holders[rows, tables.seat], len(bots))
        for index, bot in enumerate((*bots, idle)):
            chosen = np.flatnonzero(turn == index)
            if len(chosen):
                start = clock()
                actions[chosen] = bot.act_batch(tables, chosen)
                if index < len(bots):
                    played.seconds[index] += clock() - start
                    played.decisions[index] += len(chosen)
        before = np.asarray(tables.records).view(whole_records).copy()
        hand_numbers = tables.records["hand_number"].copy()
        tables.step(actions)
        settled = np.flatnonzero(playing & (tables.done | (tables.records["hand_number"] != hand_numbers)))
        if len(settled):
            records = settled_records(before[settled].view(tables.records.dtype), actions[settled])
            played.settle(settled, records)
            ended = tables.done[settled]
            played.end(settled[ended], records[ended])
        playing &= ~tables.done
    return played


def settled_records(before: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Table records (K,) just before the last ``actions`` (K,) of a hand, brought to where the hand is settled.

    ``Tables.step`` deals the next hand at once; here the settled one stays on the table to be read.
    """
    records = as_records(before)
    for row, action in enumerate(actions.tolist()):
        loops.advance_one(records[row : row + 1], action)
    return records


def places_and_wins(game: Game, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place of each seat's side, and its share of the win, float64 (K, seats), at tables (K,) that are over."""
    standings = np.zeros((len(records), game.num_players))
    stand(records, standings)
    _, first_seats = np.unique(game.sides, return_index=True)
    sides = standings[:, None, first_seats]
    better = (sides > standings[:, :, None]).sum(axis=2)
    equal = (sides == standings[:, :, None]).sum(axis=2)
    return 1 + better + (equal - 1) / 2, (better == 0) / equal


@loop
def stand(tables, standings):  # type: ignore[no-untyped-def]
    """Fill ``standings``, float64 (K, seats), with how well each seat stands: the higher the better."""
    for row in range(len(tables)):
        for seat in range(standings.shape[1]):
            standings[row, seat] = standing(tables[row], seat)
