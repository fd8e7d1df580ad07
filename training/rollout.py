"""Decisions of self-play, kept so that each seat of each table is one actor with its own line of decisions."""

from collections.abc import Generator
from typing import Any

import numba
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

NONE = -1
ENTRY_ARRAYS = (
    "observations",
    "action_masks",
    "actions",
    "rewards",
    "values",
    "log_probs",
    "column",
    "following",
    "ended",
)


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """A rollout buffer whose columns are seats of tables, each filled by its own decisions as they come.

    A decision's reward is all that its seat is paid until its next decision, or the end of the match. A decision
    is *closed* when that is known; open ones are not learned from yet and move on to the next rollout.

    Entries lie in the order they were made; column k is seat k % seats of table k // seats.

    column      int32 (size,)          whose decision it was
    following   int32 (size,)          entry of that seat's next decision, NONE while there is none
    ended       bool (size,)           whether the match ended after it
    latest      int32 (columns,)       each seat's open decision, or NONE
    """

    def __init__(self, *args: Any, columns: int, numbers: np.random.Generator, **kwargs: Any):
        self.columns = columns
        self.numbers = numbers
        self.size = 0
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Make room for ``buffer_size`` decisions and forget all that there were."""
        assert isinstance(self.action_space, spaces.Discrete)
        room = self.buffer_size
        self.observations = np.zeros((room, *self.obs_shape), np.int8)
        self.action_masks = np.zeros((room, int(self.action_space.n)), np.bool_)
        self.actions = np.zeros(room, np.int64)
        self.rewards = np.zeros(room, np.float32)
        self.values = np.zeros(room, np.float32)
        self.log_probs = np.zeros(room, np.float32)
        self.advantages = np.zeros(room, np.float32)
        self.returns = np.zeros(room, np.float32)
        self.column = np.zeros(room, np.int32)
        self.following = np.full(room, NONE, np.int32)
        self.ended = np.zeros(room, np.bool_)
        self.latest = np.full(self.columns, NONE, np.int32)
        self.size = 0
        self.generator_ready = False

    def append(
        self,
        columns: np.ndarray,
        observations: np.ndarray,
        masks: np.ndarray,
        actions: np.ndarray,
        values: np.ndarray,
        log_probs: np.ndarray,
    ) -> None:
        """Add one decision for each of ``columns``, int (K,), which differ from each other."""
        entries = np.arange(self.size, self.size + len(columns), dtype=np.int32)
        new = slice(self.size, self.size + len(columns))
        self.observations[new] = observations
        self.action_masks[new] = masks
        self.actions[new] = actions
        self.values[new] = values
        self.log_probs[new] = log_probs
        self.rewards[new] = 0
        self.column[new] = columns
        self.following[new] = NONE
        self.ended[new] = False
        before = self.latest[columns]
        self.following[before[before != NONE]] = entries[before != NONE]
        self.latest[columns] = entries
        self.size += len(columns)

    def pay(self, columns: np.ndarray, rewards: np.ndarray, ended: np.ndarray) -> None:
        """Pay ``rewards`` (K,) to the open decisions of ``columns`` (K,); close them where the match has ``ended``.

        What is paid to a seat before its first decision has no decision to go to.
        """
        entries = self.latest[columns]
        there = entries != NONE
        self.rewards[entries[there]] += rewards[there]
        self.ended[entries[there & ended]] = True
        self.latest[columns[ended]] = NONE

    def keep_open(self) -> None:
        """Begin the next rollout with the open decisions of this one."""
        opened = np.sort(self.latest[self.latest != NONE])
        kept = slice(0, len(opened))
        for name in ENTRY_ARRAYS:
            array = getattr(self, name)
            array[kept] = array[opened]
        self._hold_open(len(opened))

    def held(self) -> dict[str, np.ndarray]:
        """The entries there are, by array."""
        return {name: getattr(self, name)[: self.size] for name in ENTRY_ARRAYS}

    def hold(self, held: dict[str, np.ndarray]) -> None:
        """Take over open entries that ``held`` gave after ``keep_open``."""
        for name in ENTRY_ARRAYS:
            getattr(self, name)[: len(held["column"])] = held[name]
        self._hold_open(len(held["column"]))

    def _hold_open(self, size: int) -> None:
        self.size = size
        self.latest[:] = NONE
        self.latest[self.column[:size]] = np.arange(size, dtype=np.int32)

    @property
    def closed(self) -> np.ndarray:
        """Entries to learn from, int64 (K,)."""
        return np.flatnonzero(self.ended[: self.size] | (self.following[: self.size] != NONE))

    def estimate_advantages(self) -> None:
        """Fill ``advantages`` and ``returns`` of the closed decisions (Schulman et al. 2016, GAE)."""
        size = self.size
        _estimate_advantages(
            self.rewards[:size],
            self.values[:size],
            self.following[:size],
            self.ended[:size],
            self.gamma,
            self.gae_lambda,
            self.advantages,
        )
        self.returns[:size] = self.advantages[:size] + self.values[:size]

    def estimate_returns(self) -> None:
        """Fill ``returns`` of the closed decisions with what was paid to the seat from them on, discounted."""
        size = self.size
        nothing = np.zeros(size, np.float32)
        _estimate_advantages(
            self.rewards[:size],
            nothing,
            self.following[:size],
            self.ended[:size],
            self.gamma,
            1.0,
            self.returns,
        )

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """The closed decisions in batches, in random order."""
        order = self.numbers.permutation(self.closed)
        step = batch_size or len(order)
        # A remainder too small for a batch is left out, another one in each epoch.
        for start in range(0, max(1, len(order) - step // 2), step):
            yield self._batch(order[start : start + step])

    def _batch(self, entries: np.ndarray) -> MaskableRolloutBufferSamples:
        arrays = (
            self.observations,
            self.actions,
            self.values,
            self.log_probs,
            self.advantages,
            self.returns,
            self.action_masks,
        )
        return MaskableRolloutBufferSamples(*(torch.from_numpy(array[entries]) for array in arrays))


@numba.njit(cache=True)
def _estimate_advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    following: np.ndarray,
    ended: np.ndarray,
    gamma: float,
    decay: float,
    advantages: np.ndarray,
) -> None:
    """Backwards over each seat's line of decisions; an open decision ends a line by its value alone."""
    for entry in range(len(rewards) - 1, -1, -1):
        after = following[entry]
        if ended[entry]:
            advantages[entry] = rewards[entry] - values[entry]
        elif after != NONE:
            error = rewards[entry] + gamma * values[after] - values[entry]
            advantages[entry] = error + gamma * decay * advantages[after]
        else:
            advantages[entry] = 0.0
