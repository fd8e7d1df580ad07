"""MaskablePPO in self-play: every seat of every table that the policy holds is an actor of its own."""

import copy
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import update_learning_rate
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from training.config import RunConfig
from training.policy import SeeingCriticPolicy, load_actor, policy_arguments
from training.rollout import SeatRolloutBuffer
from trick_envs import Tables, bots

HOLDERS = LEARNER, SNAPSHOT, RULES, RANDOM, FROZEN = range(5)


class SelfPlayPPO(MaskablePPO):
    """sb3-contrib's MaskablePPO, collecting from ``Tables`` instead of a vector environment.

    Each match draws anew who holds its seats: the policy, a snapshot of it, or a bot. A step of an actor is one
    decision with a choice; forced moves are made without being learned from.

    average: the actor with weights averaged over the latest updates: what is measured and shipped.
    """

    policy: SeeingCriticPolicy
    tables: Tables
    rollout_buffer: SeatRolloutBuffer

    def __init__(self, config: RunConfig, threads: int):
        self.config = config
        self.game = config.make_game()
        self.numbers = np.random.default_rng([config.seed, 1])
        learning = config.learning
        super().__init__(
            SeeingCriticPolicy,
            env=None,  # type: ignore[arg-type]
            learning_rate=lambda remaining: learning.learning_rate.at(1 - remaining),
            n_steps=learning.decisions_per_update + 2 * config.tables * self.game.num_players,
            batch_size=learning.batch_size,
            n_epochs=learning.epochs,
            gamma=learning.discount,
            gae_lambda=learning.advantage_decay,
            clip_range=lambda remaining: learning.clip_range.at(1 - remaining),
            vf_coef=learning.value_weight,
            max_grad_norm=learning.max_gradient_norm,
            rollout_buffer_class=SeatRolloutBuffer,
            rollout_buffer_kwargs={
                "columns": config.tables * self.game.num_players,
                "numbers": self.numbers,
            },
            policy_kwargs=policy_arguments(self.game, config.hidden, config.critic_hidden),
            seed=config.seed,
            device="cpu",
            _init_setup_model=False,
        )
        layout = self.game.state_layout
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=np.int8)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self.n_envs = 1
        self._setup_model()
        if config.start_from is not None:
            load_actor(self.policy.actor, Path(config.start_from))
        self.set_logger(Logger(folder=None, output_formats=[]))
        self.tables = self.game.tables(config.tables, seed=config.seed, threads=threads)
        self.snapshots: list[dict[str, torch.Tensor]] = []
        self._snapshot_policy = copy.deepcopy(self.policy)
        self.average = AveragedModel(self.policy.actor, multi_avg_fn=get_ema_multi_avg_fn(config.learning.averaging))
        self.updates = 0
        self.plays = 0
        self._bots = {RANDOM: bots.make("random", self.game, seed=config.seed)}
        if config.needs_rule_bot:
            self._bots[RULES] = bots.make("rules", self.game)
        if config.opponents.frozen_bot is not None:
            self._bots[FROZEN] = bots.make(config.opponents.frozen_bot, self.game, seed=config.seed)
        self.holders = self._draw_holders(config.tables)

    def update(self, progress: float) -> None:
        """Collect decisions and learn from them, at a progress of the run from 0 to 1."""
        imitation = self.config.learning.imitation
        if progress < imitation:
            self._set_progress(0.0)
            self.imitate()
        else:
            self._set_progress((progress - imitation) / (1 - imitation))
            if self.updates % self.config.opponents.snapshot_every == 0:
                self.take_snapshot()
            self.collect()
            self.train()
            self.updates += 1
        if not all(bool(torch.isfinite(weights).all()) for weights in self.policy.parameters()):
            raise ValueError("learning has diverged: weights are no longer finite; try a lower learning rate")
        self.average.update_parameters(self.policy.actor)

    def _set_progress(self, progress: float) -> None:
        self._current_progress_remaining = 1 - progress
        self.ent_coef = self.config.learning.entropy.at(progress)

    def imitate(self) -> None:
        """Learn what the rule bot does in every seat, and what it comes to for the seat."""
        buffer = self.rollout_buffer
        buffer.keep_open()
        self._fill(self._teach)
        buffer.estimate_returns()
        self.policy.set_training_mode(True)
        update_learning_rate(self.policy.optimizer, self.config.learning.imitation_rate)
        for batch in buffer.get(self.batch_size):
            values, log_probs, _ = self.policy.evaluate_actions(
                batch.observations, batch.actions, action_masks=batch.action_masks
            )
            misses = torch.nn.functional.mse_loss(values.flatten(), batch.returns)
            loss = self.vf_coef * misses - log_probs.mean()
            self.policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
            self.policy.optimizer.step()
            self.logger.record_mean("imitation/log_probability", log_probs.mean().item())
            self.logger.record_mean("imitation/value_loss", misses.item())

    def _teach(self) -> np.ndarray:
        """An action of the rule bot for each table, those with a choice noted in the buffer."""
        actions = self._bots[RULES].act_batch(self.tables)
        deciding = np.flatnonzero(self.tables.action_mask.sum(axis=1) > 1)
        nothing = np.zeros(len(deciding), np.float32)
        self._note(deciding, actions[deciding], nothing, nothing)
        return actions

    def take_snapshot(self) -> None:
        """Keep the policy as it is now among the opponents."""
        self.snapshots.append({name: value.clone() for name, value in self.policy.state_dict().items()})
        del self.snapshots[: -self.config.opponents.snapshots_kept]

    def collect(self) -> None:
        """Fill the rollout buffer with closed decisions from where the last rollout stopped."""
        buffer = self.rollout_buffer
        buffer.keep_open()
        self.policy.set_training_mode(False)
        if self.snapshots:
            self._snapshot_policy.load_state_dict(self.snapshots[self.numbers.integers(len(self.snapshots))])
        self._fill(self._choose)
        buffer.estimate_advantages()

    def _fill(self, choose: Callable[[], np.ndarray]) -> None:
        """Play on, ``choose`` giving an action for each table, for as many decisions as an update takes."""
        target = self.rollout_buffer.size + self.config.learning.decisions_per_update
        while self.rollout_buffer.size < target:
            actions = choose()
            self.tables.step(actions)
            self.plays += len(actions)
            self._pay()

    def _choose(self) -> np.ndarray:
        """An action for each table, with the policy's decisions noted in the buffer."""
        tables = self.tables
        masks = tables.action_mask
        actions: np.ndarray = masks.argmax(axis=1)
        choice = masks.sum(axis=1) > 1
        holders = self.holders[np.arange(len(tables)), tables.seat]
        deciding = np.flatnonzero(choice & (holders == LEARNER))
        if len(deciding):
            actions[deciding] = self._decide(deciding)
        snapshot_rows = np.flatnonzero(choice & (holders == SNAPSHOT))
        if len(snapshot_rows):
            actions[snapshot_rows] = self._snapshot_act(snapshot_rows)
        for holder, bot in self._bots.items():
            rows = np.flatnonzero(choice & (holders == holder))
            if len(rows):
                actions[rows] = bot.act_batch(tables, rows)
        return actions

    def _snapshot_act(self, rows: np.ndarray) -> np.ndarray:
        observations = torch.from_numpy(self.tables.observation[rows])
        with torch.no_grad():
            chosen: np.ndarray = self._snapshot_policy._predict(
                observations, action_masks=self.tables.action_mask[rows]
            ).numpy()
        return chosen

    def _decide(self, rows: np.ndarray) -> np.ndarray:
        states = self.tables.state(rows)
        masks = self.tables.action_mask[rows].astype(np.bool_)
        with torch.no_grad():
            actions, values, log_probs = self.policy(torch.from_numpy(states), action_masks=masks)
        chosen: np.ndarray = actions.numpy()
        self._note(rows, chosen, values.numpy().reshape(-1), log_probs.numpy(), states)
        return chosen

    def _note(
        self,
        rows: np.ndarray,
        actions: np.ndarray,
        values: np.ndarray,
        log_probs: np.ndarray,
        states: np.ndarray | None = None,
    ) -> None:
        """Put decisions of the seats on turn in ``rows`` into the buffer."""
        tables = self.tables
        self.rollout_buffer.append(
            rows * self.game.num_players + tables.seat[rows],
            tables.state(rows) if states is None else states,
            tables.action_mask[rows].astype(np.bool_),
            actions,
            values,
            log_probs,
        )
        self.num_timesteps += len(rows)

    def _pay(self) -> None:
        """Hand the rewards of the last step on to the decisions they are for; draw new holders for new matches."""
        tables, seats = self.tables, self.game.num_players
        paid = np.flatnonzero(tables.done | tables.rewards.any(axis=1))
        if not len(paid):
            return
        columns = (paid[:, None] * seats + np.arange(seats)).reshape(-1)
        rewards = tables.rewards[paid].reshape(-1) * self.config.learning.reward_scale
        self.rollout_buffer.pay(columns, rewards, np.repeat(tables.done[paid], seats))
        done = paid[tables.done[paid]]
        self.holders[done] = self._draw_holders(len(done))

    def _draw_holders(self, count: int) -> np.ndarray:
        """Who holds each seat of ``count`` new matches, int8 (count, seats)."""
        shares = self.config.opponents
        fractions = [shares.snapshots, shares.rules, shares.random, shares.frozen]
        others = self.numbers.choice(HOLDERS, count, p=[1 - sum(fractions), *fractions])
        own_seat = self.numbers.integers(self.game.num_players, size=count)
        sides = np.array(self.game.sides)
        return np.where(sides[own_seat][:, None] == sides, LEARNER, others[:, None]).astype(np.int8)
