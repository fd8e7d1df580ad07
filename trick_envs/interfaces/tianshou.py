"""Tianshou 2: on-policy learning with several agents in which every seat is credited with all that it is paid.

Tianshou's own ``MultiAgentOnPolicyAlgorithm`` credits an agent only with rewards of steps that it made itself. In a
game of turns a hand is settled, and a match ended, by one seat's step: the other seats would not learn of it.
"""

from typing import Any

import numpy as np
from tianshou.algorithm.multiagent.marl import MultiAgentOnPolicyAlgorithm
from tianshou.data import Batch, ReplayBuffer


class SeatOnPolicyAlgorithm(MultiAgentOnPolicyAlgorithm):  # type: ignore[misc]
    """``MultiAgentOnPolicyAlgorithm`` that learns from each seat's own line of decisions in finished matches.

    algorithms: an on-policy algorithm for each agent; one that is given several times is shared.
    env: a ``tianshou.env.PettingZooEnv``.
    """

    def _preprocess_batch(self, batch: Any, buffer: ReplayBuffer, indices: np.ndarray) -> Any:
        lines = {}
        for agent, algorithm in self._dispatcher.algorithms.items():
            line = seat_decisions(batch, buffer, indices, agent, self._dispatcher.agent_idx[agent])
            if len(line.act):
                own = ReplayBuffer.from_data(
                    line.obs, line.act, line.rew, line.terminated, line.truncated, line.done, line.obs_next
                )
                line = algorithm._preprocess_batch(line, own, np.arange(len(line.act)))
            else:
                line = Batch()
            lines[agent] = line
        return Batch(lines)


def seat_decisions(batch: Any, buffer: ReplayBuffer, indices: np.ndarray, agent: str | int, column: int) -> Any:
    """The decisions of ``agent`` in finished matches, in order, as a Batch of as many rows.

    batch, indices: all of ``buffer``, as ``buffer.sample(0)`` gives them. column: the agent's, of ``batch.rew``.

    ``rew`` is all that the agent is paid until its next decision or the end, ``obs_next`` what it sees at its next
    decision, and ``terminated`` marks its last one of a match, be it cut short or not.
    """
    last = batch.done | np.isin(indices, buffer.unfinished_index())
    ends = np.flatnonzero(last)
    match = np.searchsorted(ends, np.arange(len(last)))
    own = np.flatnonzero((batch.obs.agent_id == agent) & batch.done[ends][match])
    following = np.roll(own, -1)
    ended = match[own] != match[following]
    ended[-1:] = True
    paid = np.concatenate([[0.0], np.cumsum(batch.rew[:, column])])
    line = batch[own]
    line.rew = paid[np.where(ended, ends[match[own]] + 1, following)] - paid[own]
    line.obs_next = batch.obs[np.where(ended, own, following)]
    line.terminated = line.done = ended
    line.truncated = np.zeros_like(ended)
    return line
