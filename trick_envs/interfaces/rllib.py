"""Every game as a ``MultiAgentEnv`` of Ray RLlib's new API stack, and RLlib's modules as bots."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.utils.numpy import convert_to_numpy
from ray.rllib.utils.torch_utils import convert_to_torch_tensor

from trick_envs.bots.policy import PolicyBot
from trick_envs.engine import Game, IllegalAction, Table

OBSERVATIONS, ACTION_MASK = "observations", "action_mask"  # as RLlib's modules with masks have them
EVERYBODY = "__all__"
_instances = count()


class TrickMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """A game for RLlib: an episode is one match, and the only agent that acts is that of the seat on turn.

    Agents are ``player_0``, ``player_1`` … by seat. An observation is a dict of ``"observations"``, the features times
    the layout's scale, float32 (layout size,) within −1 … 1, and ``"action_mask"``, int8 (num_actions,). An agent's
    reward comes with its next observation, summed since the one before; at the end all agents get both.

    config: ``game``, the name of a game, and its options; besides them
    skip_forced: whether moves without a choice are made by the environment. Each agent's first move of a match is
        asked for all the same, because RLlib drops rewards from before it.
    illegal_reward: an illegal action ends the match with this reward for its agent; the agent's info has the reason
        under ``"illegal_action"``.
    Raises ValueError naming a wrong option, the value given and the values allowed.
    """

    table: Table

    def __init__(self, config: Mapping[str, Any]):
        super().__init__()
        options = dict(config)
        if "game" not in options:
            raise ValueError("env_config has no 'game': the name of one, such as 'hearts'")
        self.skip_forced = options.pop("skip_forced", False)
        self.illegal_reward = options.pop("illegal_reward", -1.0)
        self.game = Game(options.pop("game"), **options)
        if not self.game.has_features or self.game.has_events:
            raise ValueError(f"observation={self.game.options['observation']!r}: should be 'features' for RLlib")
        self.agents = self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        scale, layout = self.game.layout.scale, self.game.layout
        observation_space = spaces.Dict(
            {
                OBSERVATIONS: spaces.Box(layout.low * scale, layout.high * scale, dtype=np.float32),
                ACTION_MASK: spaces.Box(0, 1, (self.game.num_actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.agents, observation_space)
        self.action_spaces = dict.fromkeys(self.agents, spaces.Discrete(self.game.num_actions))
        self._instance = [getattr(config, "worker_index", 0) or 0, next(_instances)]
        self._seeds = np.random.default_rng()
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a match: the observation of the agent on turn, and no infos.

        seed: that of the table. Without one, seeds follow reproducibly from the last that was given, differently in
            each environment of each env runner: RLlib checks all of them with one and the same seed.
        options: have no meaning.
        """
        if seed is None:
            seed = int(self._seeds.integers(2**64, dtype=np.uint64))
        else:
            self._seeds = np.random.default_rng([seed, *self._instance])
        self.table = self.game.table(seed)
        self._over = False
        self._due = dict.fromkeys(self.agents, 0.0)
        self._asked: set[int] = set()
        return self._observations(), {}

    def step(self, action_dict: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Do the action of the agent on turn.

        Returns observations and rewards of the agent who is on turn next, or of all at the end; whether ``"__all__"``
        are terminated, and truncated; infos. Raises ValueError, nothing changed, when the match is over or the actions
        are not those of the agent on turn alone.
        """
        if self._over:
            raise ValueError("the match is over; reset begins another")
        agent = self.agents[self.table.seat]
        if set(action_dict) != {agent}:
            raise ValueError(f"actions of {', '.join(map(str, action_dict)) or 'nobody'}: only {agent} is on turn")
        infos = {}
        truncated = False
        try:
            self._play(action_dict[agent])
        except IllegalAction as error:
            self._over = True
            self._due[agent] += self.illegal_reward
            infos[agent] = {"illegal_action": str(error)}
        else:
            self._over = self.table.over
            truncated = self.table.truncated
        observations = self._observations()
        rewards = {agent: self._due[agent] for agent in observations}
        self._due.update(dict.fromkeys(observations, 0.0))
        ends = {EVERYBODY: self._over and not truncated}, {EVERYBODY: self._over and truncated}
        return observations, rewards, *ends, infos

    def _play(self, action: Any) -> None:
        """Do an action, and then moves without a choice if they are skipped."""
        table = self.table
        table.play(action)
        self._collect()
        while self.skip_forced and table.seat in self._asked and len(legal := table.legal_actions()) == 1:
            table.play(legal[0])
            self._collect()

    def _collect(self) -> None:
        if self.table.hand_over:
            for agent, reward in zip(self.agents, self.table.rewards, strict=True):
                self._due[agent] += reward

    def _observations(self) -> dict[str, Any]:
        """Of the agent on turn, or of all at the end; masks are all zeros then."""
        seats = range(self.game.num_players) if self._over else [self.table.seat]
        self._asked.update(seats)
        seen = {}
        for seat in seats:
            features, mask = self.table.observe(seat)
            if self._over:
                mask[:] = 0
            seen[self.agents[seat]] = {OBSERVATIONS: features * self.game.layout.scale, ACTION_MASK: mask}
        return seen


class ModuleNetwork:
    """The logits of an ``RLModule`` that was trained on ``TrickMultiAgentEnv``."""

    def __init__(self, module: Any, game: Game):
        self.module = module
        self.game = game

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (N, actions), unmasked, for observations int8 (N, layout size)."""
        masks = np.ones((len(observations), self.game.num_actions), np.int8)
        seen = {OBSERVATIONS: observations * self.game.layout.scale, ACTION_MASK: masks}
        told = self.module.forward_inference({Columns.OBS: convert_to_torch_tensor(seen)})
        logits: np.ndarray = convert_to_numpy(told[Columns.ACTION_DIST_INPUTS])
        return logits


def module_bot(module: Any, game: Game, name: str = "rllib") -> PolicyBot:
    """The bot that takes the legal action of the module's highest logit.

    module: RLlib's, such as ``algorithm.get_module("main")``, with the observations of ``TrickMultiAgentEnv``.
    """
    return PolicyBot(name, game, ModuleNetwork(module, game))
