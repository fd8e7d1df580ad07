"""The tables at which a policy plays in self-play, and who holds their seats."""

from collections.abc import Callable

import numpy as np

from training.config import Opponents, RunConfig
from trick_envs import Game, Tables, bots
from trick_envs.bots import Bot, loops
from trick_envs.bots.compiled import CompiledBot
from trick_envs.bots.lookahead import all_known
from trick_envs.bots.loops import OUTSIDE
from trick_envs.bots.policy import PolicyBot

HOLDERS = LEARNER, SNAPSHOT, RULES, RANDOM, FROZEN = range(5)


class Room:
    """Tables of one game. Each match draws anew who holds its seats: the policy, a snapshot of it, or a bot.

    number: of the game among those that the policy plays.
    first_column: of the rollout buffer, for seat 0 of table 0; seats and then tables follow.
    holders: int8 (tables, seats). bots: those that hold seats, by holder. teacher: the rule bot.
    earned: what each seat has been paid in its present match, float32 (tables, seats).
    against_snapshots: matches against snapshots that ended in the last step, and how many of them the policy lost, a
        drawn one half.
    """

    tables: Tables

    def __init__(
        self,
        number: int,
        game: Game,
        tables: int,
        first_column: int,
        config: RunConfig,
        numbers: np.random.Generator,
        threads: int,
    ):
        self.number = number
        self.game = game
        self.first_column = first_column
        self.numbers = numbers
        self.shares = config.opponents
        self.hands_end = config.learning.episode == "hand"
        self.tables = game.tables(tables, seed=config.seed + number, threads=threads)
        self.bots = seated_bots(self.shares, game, config.seed)
        self.teacher = bots.make("rules", game)
        self.hands_over = config.where_known == "playouts"
        self.holders = self._draw_holders(tables)
        self.earned = np.zeros(self.holders.shape, np.float32)
        self.against_snapshots = 0, 0.0

    @property
    def columns(self) -> int:
        """Columns of the rollout buffer that its seats take."""
        return len(self.tables) * self.game.num_players

    def turns(self) -> tuple[np.ndarray, np.ndarray]:
        """Whether there is a choice to make in each row, bool (N,), and who makes it, int8 (N,)."""
        tables = self.tables
        return tables.action_mask.sum(axis=1) > 1, self.holders[np.arange(len(tables)), tables.seat]

    def columns_of(self, rows: np.ndarray) -> np.ndarray:
        """The columns of the seats to act in ``rows``, int64 (K,)."""
        return self.first_column + rows * self.game.num_players + self.tables.seat[rows]

    def players(self, policy: PolicyBot, snapshot: PolicyBot) -> tuple[PolicyBot, ...]:
        """The policies that hold seats, as ``playing_on`` numbers them."""
        frozen = self.bots.get(FROZEN)
        return (policy, snapshot, frozen) if isinstance(frozen, PolicyBot) else (policy, snapshot)

    def playing_on(self, rows: np.ndarray) -> np.ndarray:
        """Who plays on in each seat of ``rows``, as ``policy_action_values`` takes it, int64 (K, seats)."""
        frozen = self.bots.get(FROZEN)
        frozen_number = frozen.index if isinstance(frozen, CompiledBot) else OUTSIDE - 2
        numbers = np.array([OUTSIDE, OUTSIDE - 1, loops.RULES, loops.RANDOM, frozen_number])
        return numbers[self.holders[rows]]

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Do ``actions`` (N,). Returns the columns that are paid, what, and whether an episode ended with it.

        New matches get new holders.
        """
        tables, seats = self.tables, self.game.num_players
        hands = tables.records["hand_number"].copy()
        tables.step(actions)
        ended = tables.done | (tables.records["hand_number"] != hands) if self.hands_end else tables.done
        paid = np.flatnonzero(ended | tables.rewards.any(axis=1))
        columns = self.first_column + (paid[:, None] * seats + np.arange(seats)).reshape(-1)
        rewards = tables.rewards[paid].reshape(-1)
        self.earned += tables.rewards
        done = np.flatnonzero(tables.done)
        self.against_snapshots = self._matches_against_snapshots(done)
        self.earned[done] = 0
        if len(done):
            self.holders[done] = self._draw_holders(len(done))
        return columns, rewards, np.repeat(ended[paid], seats)

    def _matches_against_snapshots(self, rows: np.ndarray) -> tuple[int, float]:
        """How many of the matches in ``rows`` were against snapshots, and how many the policy lost."""
        rows = rows[(self.holders[rows] == SNAPSHOT).any(axis=1)]
        if not len(rows):
            return 0, 0.0
        own = self.holders[rows] == LEARNER
        ahead = self.earned[rows].mean(axis=1, where=own) - self.earned[rows].mean(axis=1, where=~own)
        return len(rows), float((ahead < 0).sum() + (ahead == 0).sum() / 2)

    def choose(self, decide: "Chooser", snapshot: "Chooser") -> np.ndarray:
        """An action for each table, int64 (N,): the only one, or that of whoever holds the seat to act.

        Where the policy hands over, and nothing is hidden, the rule bot plays.

        decide, snapshot: called with this room and rows (K,), the actions of the policy and of its snapshot there.
        """
        actions: np.ndarray = self.tables.action_mask.argmax(axis=1)
        choice, holders = self.turns()
        if self.hands_over:
            rows = np.flatnonzero(choice)
            known = rows[all_known(self.game, self.tables.records, rows)]
            actions[known] = self.teacher.act_batch(self.tables, known)
            choice[known] = False
        for holder in HOLDERS:
            rows = np.flatnonzero(choice & (holders == holder))
            if not len(rows):
                continue
            if holder == LEARNER:
                actions[rows] = decide(self, rows)
            elif holder == SNAPSHOT:
                actions[rows] = snapshot(self, rows)
            else:
                actions[rows] = self.bots[holder].act_batch(self.tables, rows)
        return actions

    def _draw_holders(self, count: int) -> np.ndarray:
        """Who holds each seat of ``count`` new matches, int8 (count, seats)."""
        shares = self.shares
        fractions = [shares.snapshots, shares.rules, shares.random, shares.frozen]
        others = self.numbers.choice(HOLDERS, count, p=[1 - sum(fractions), *fractions])
        own_seat = self.numbers.integers(self.game.num_players, size=count)
        sides = np.array(self.game.sides)
        return np.where(sides[own_seat][:, None] == sides, LEARNER, others[:, None]).astype(np.int8)


Chooser = Callable[[Room, np.ndarray], np.ndarray]


def seated_bots(shares: Opponents, game: Game, seed: int) -> dict[int, Bot]:
    """The bots that hold seats in some matches, by holder."""
    seated: dict[int, Bot] = {}
    if shares.random > 0:
        seated[RANDOM] = bots.make("random", game, seed=seed)
    if shares.rules > 0:
        seated[RULES] = bots.make("rules", game)
    if shares.frozen_bot is not None:
        seated[FROZEN] = bots.make(shares.frozen_bot, game, seed=seed)
    return seated


def furnish(config: RunConfig, games: tuple[Game, ...], numbers: np.random.Generator, threads: int) -> list[Room]:
    """A room for each of ``games``: half of the tables for the first when there are more, the rest shared evenly."""
    others = len(games) - 1
    each = max(1, config.tables // (2 * others)) if others else 0
    counts = [max(1, config.tables - others * each), *[each] * others]
    rooms: list[Room] = []
    for number, (game, count) in enumerate(zip(games, counts, strict=True)):
        first_column = sum(room.columns for room in rooms)
        rooms.append(Room(number, game, count, first_column, config, numbers, threads))
    return rooms
