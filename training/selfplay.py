"""MaskablePPO in self-play: every seat of every table that the policy holds is an actor of its own."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import update_learning_rate
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from training.checkpoint import write_checkpoint
from training.config import RunConfig
from training.policy import (
    MASKED,
    SeeingCriticPolicy,
    actor_layers,
    as_bot,
    bot_of,
    layer_arrays,
    load_actor,
    policy_arguments,
    take_layers,
)
from training.pool import Pool
from training.rollout import SeatRolloutBuffer
from training.room import Room, furnish
from trick_envs.bots.lookahead import action_values, policy_action_values
from trick_envs.bots.policy import Inputs, Layers, PolicyBot


class SelfPlayPPO(MaskablePPO):
    """sb3-contrib's MaskablePPO, collecting from rooms of ``Tables`` instead of a vector environment.

    A step of an actor is one decision with a choice; forced moves are made without being learned from.

    rooms: one for each game that the policy plays, the main one first.
    inputs: of its network, with places for the observations of all those games.
    average: the actor with weights averaged over the latest updates: what is measured and shipped.
    """

    policy: SeeingCriticPolicy
    rollout_buffer: SeatRolloutBuffer

    def __init__(self, config: RunConfig, threads: int):
        self.config = config
        self.threads = threads
        self.inputs = Inputs(config.make_games(), config.suits)
        self.numbers = np.random.default_rng([config.seed, 1])
        self.rooms = furnish(config, self.inputs.games, self.numbers, threads)
        columns = sum(room.columns for room in self.rooms)
        learning = config.learning
        super().__init__(
            SeeingCriticPolicy,
            env=None,  # type: ignore[arg-type]
            learning_rate=lambda remaining: learning.learning_rate.at(1 - remaining),
            n_steps=learning.decisions_per_update + 2 * columns,
            batch_size=learning.batch_size,
            n_epochs=learning.epochs,
            gamma=learning.discount,
            gae_lambda=learning.advantage_decay,
            clip_range=lambda remaining: learning.clip_range.at(1 - remaining),
            vf_coef=learning.value_weight,
            max_grad_norm=learning.max_gradient_norm,
            rollout_buffer_class=SeatRolloutBuffer,
            rollout_buffer_kwargs={"columns": columns, "numbers": self.numbers},
            policy_kwargs=policy_arguments(self.inputs, config.hidden, config.critic_hidden),
            seed=config.seed,
            device="cpu",
            _init_setup_model=False,
        )
        layout = self.inputs.state_layout
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=np.int8)
        self.action_space = spaces.Discrete(self.inputs.num_actions)
        self.n_envs = 1
        self._setup_model()
        if config.start_from is not None:
            load_actor(self.policy.actor, self.inputs, Path(config.start_from))
        self.set_logger(Logger(folder=None, output_formats=[]))
        self.pool = Pool(config.opponents)
        self._snapshot_policy = copy.deepcopy(self.policy)
        self.average = AveragedModel(self.policy.actor, multi_avg_fn=get_ema_multi_avg_fn(config.learning.averaging))
        self.updates = 0
        self.plays = 0

    def update(self, progress: float) -> None:
        """Collect decisions and learn from them, at a progress of the run from 0 to 1."""
        opponents, looking_ahead = self.config.opponents, self.config.learning.lookahead
        if opponents.snapshots > 0 and self.updates % opponents.snapshot_every == 0:
            self.pool.add(actor_layers(self.average.module), self.num_timesteps)
        if progress < looking_ahead:
            self._set_progress(0.0)
            self.look_ahead(progress / looking_ahead)
        else:
            self._set_progress((progress - looking_ahead) / (1 - looking_ahead))
            self.collect()
            self.train()
        self.updates += 1
        if not all(bool(torch.isfinite(weights).all()) for weights in self.policy.parameters()):
            raise ValueError("learning has diverged: weights are no longer finite; try a lower learning rate")
        self.average.update_parameters(self.policy.actor)

    def _set_progress(self, progress: float) -> None:
        self._current_progress_remaining = 1 - progress
        self.ent_coef = self.config.learning.entropy.at(progress)

    def look_ahead(self, progress: float) -> None:
        """Learn what each action comes to when the hand is played on, at what the policy meets in its own play.

        The critic learns what the policy's own choice comes to.
        """
        learning = self.config.learning
        lessons = self._lessons(holders_play_on=progress >= learning.holders_play_on)
        self.policy.set_training_mode(True)
        update_learning_rate(self.policy.optimizer, learning.lookahead_rate.at(progress))
        for _ in range(learning.epochs):
            order = torch.from_numpy(self.numbers.permutation(len(lessons[0])))
            for batch in order.split(learning.batch_size):
                states, masks, tried, values, actions, ruled = (part[batch] for part in lessons)
                logits, estimates = self.policy.logits_and_values(states)
                loss = self._lookahead_loss(logits, tried, values)
                if learning.imitation > 0:
                    misses = torch.nn.functional.cross_entropy(logits.masked_fill(~masks, MASKED), ruled)
                    loss = loss + learning.imitation * (1 - progress) ** 2 * misses
                value_loss = torch.nn.functional.mse_loss(estimates[:, 0], values.gather(1, actions[:, None])[:, 0])
                self.policy.optimizer.zero_grad()
                (loss + self.vf_coef * value_loss).backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 2 * self.max_grad_norm)
                self.policy.optimizer.step()
                self.logger.record_mean("lookahead/loss", loss.item())
                self.logger.record_mean("lookahead/value_loss", value_loss.item())

    def _lookahead_loss(self, logits: torch.Tensor, tried: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        """How far logits (N, actions) are from what ``values`` of the actions ``tried``, bool (N, actions), say.

        By ``values``, logits are fitted to the differences between those actions, times ``lookahead_sharpness``. By
        ``policy``, the loss is what the policy gives away to the mean of them, less its entropy.
        """
        learning = self.config.learning
        values = centred(values, tried)
        if learning.lookahead_by == "values":
            wanted = values * learning.lookahead_sharpness
            return ((centred(logits, tried) - wanted) ** 2).sum(dim=1).mean() / learning.lookahead_sharpness
        log_probabilities = torch.log_softmax(logits.masked_fill(~tried, MASKED), dim=1)
        wanted = values - learning.entropy.start * log_probabilities.detach()
        return -(log_probabilities.exp() * wanted).sum(dim=1).mean()

    def _lessons(self, holders_play_on: bool) -> tuple[torch.Tensor, ...]:
        """Decisions for one update: states int8 (K, state size), legal and tried actions bool (K, actions), values
        float32 (K, actions), the actions taken and those of the rule bot, int64 (K,)."""
        learning = self.config.learning
        lessons: list[tuple[np.ndarray, ...]] = []

        def decide(room: Room, rows: np.ndarray) -> np.ndarray:
            seen = room.tables.observation[rows]
            states, masks = self._states(room, rows), self._masks(room, rows)
            actions: np.ndarray = self._act(states, masks)[0]
            own_actions = self.inputs.own_ids(room.number, seen, actions)
            tried = room.tables.action_mask[rows].astype(np.bool_)
            if holders_play_on:
                tried = self._likeliest(room, rows, tried, own_actions, players[room.number][0])
                values = policy_action_values(room.tables, rows, tried, players[room.number], room.playing_on(rows))
            else:
                values = action_values(room.tables, rows)
            values *= np.float32(learning.reward_scale)
            tried = self.inputs.spread_actions(room.number, seen, tried)
            values = self.inputs.spread_actions(room.number, seen, values)
            ruled = actions
            if learning.imitation > 0:
                ruled = self.inputs.spread_ids(room.number, seen, room.teacher.act_batch(room.tables, rows))
            lessons.append((states, masks, tried, values, actions, ruled))
            self.num_timesteps += len(rows)
            return own_actions

        def met() -> int:
            return sum(len(lesson[0]) for lesson in lessons)

        self._begin_collecting()
        players = [room.players(self.as_bot(room.number), self._snapshot_bot(room.number)) for room in self.rooms]
        while met() < learning.decisions_per_update:
            for room in self.rooms:
                room.step(room.choose(decide, self._snapshot_act))
                self._count(room)
        return tuple(torch.from_numpy(np.concatenate(part)) for part in zip(*lessons, strict=True))

    def _likeliest(
        self, room: Room, rows: np.ndarray, legal: np.ndarray, actions: np.ndarray, player: PolicyBot
    ) -> np.ndarray:
        """The actions to look ahead from in ``rows``, bool (K, actions of the game), ``actions`` (K,) among them.

        legal: all there are, bool (K, actions of the game). player: who finds them likely.
        """
        most = self.config.learning.lookahead_actions
        if most is None or most >= legal.shape[1]:
            return legal
        logits = np.where(legal, player.logits(room.tables.observation[rows]), -np.inf)
        least = np.partition(logits, -most, axis=1)[:, -most, None]
        tried: np.ndarray = legal & (logits >= least)
        tried[np.arange(len(rows)), actions] = True
        return tried

    def _snapshot_bot(self, number: int) -> PolicyBot:
        """The snapshot that holds seats, as a bot for one of the games; the policy itself before there is one."""
        if self.pool.drawn is None:
            return self.as_bot(number)
        return bot_of(self.pool.drawn.layers, self.inputs, number, self.config.where_known)

    def as_bot(self, number: int = 0) -> PolicyBot:
        """The averaged policy as it is now, as a bot for one of the games."""
        return as_bot(self.average.module, self.inputs, number, self.config.where_known)

    def write_policy(self, folder: Path, layers: Layers, training: dict[str, Any]) -> None:
        """Write a checkpoint folder of layers of this run's policy, with facts of the run for its reader."""
        network = {"kind": "mlp", "hidden": list(self.config.hidden), "activation": "relu"}
        write_checkpoint(folder, self.inputs, layer_arrays(layers), network, training, self.config.where_known)

    def collect(self) -> None:
        """Fill the rollout buffer with closed decisions from where the last rollout stopped."""
        buffer = self.rollout_buffer
        buffer.keep_open()
        self._begin_collecting()
        target = buffer.size + self.config.learning.decisions_per_update
        while buffer.size < target:
            for room in self.rooms:
                columns, rewards, ended = room.step(room.choose(self._decide, self._snapshot_act))
                buffer.pay(columns, rewards * self.config.learning.reward_scale, ended)
                self._count(room)
        buffer.estimate_advantages()

    def _count(self, room: Room) -> None:
        """Count what the last step of a room brought."""
        self.plays += len(room.tables)
        self.pool.note(*room.against_snapshots)

    def _begin_collecting(self) -> None:
        """A snapshot by lot for all seats that one holds."""
        self.policy.set_training_mode(False)
        if (drawn := self.pool.draw(self.numbers)) is not None:
            take_layers(self._snapshot_policy.actor, drawn.layers)

    def _decide(self, room: Room, rows: np.ndarray) -> np.ndarray:
        """The policy's actions in ``rows``, noted in the buffer."""
        states, masks = self._states(room, rows), self._masks(room, rows)
        actions, values, log_probs = self._act(states, masks)
        self.rollout_buffer.append(room.columns_of(rows), states, masks, actions, values, log_probs)
        self.num_timesteps += len(rows)
        return self.inputs.own_ids(room.number, room.tables.observation[rows], actions)

    def _act(self, states: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions, values and log-probabilities of the policy, (K,) each."""
        with torch.no_grad():
            actions, values, log_probs = self.policy(torch.from_numpy(states), action_masks=masks)
        return actions.numpy(), values.numpy().reshape(-1), log_probs.numpy()

    def _snapshot_act(self, room: Room, rows: np.ndarray) -> np.ndarray:
        seen = room.tables.observation[rows]
        inputs = torch.from_numpy(self.inputs.spread(room.number, seen))
        with torch.no_grad():
            chosen: np.ndarray = self._snapshot_policy._predict(inputs, action_masks=self._masks(room, rows)).numpy()
        return self.inputs.own_ids(room.number, seen, chosen)

    def _states(self, room: Room, rows: np.ndarray) -> np.ndarray:
        """What the critic sees of ``rows``, int8 (K, state size)."""
        return self.inputs.spread(room.number, room.tables.state(rows))

    def _masks(self, room: Room, rows: np.ndarray) -> np.ndarray:
        """Legal actions in ``rows``, bool (K, actions of the network)."""
        masks = room.tables.action_mask[rows].astype(np.bool_)
        return self.inputs.spread_actions(room.number, room.tables.observation[rows], masks)


def centred(values: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Values (N, actions) less the mean of the legal ones of a row, 0 elsewhere."""
    legal = values * masks
    return (legal - legal.sum(dim=1, keepdim=True) / masks.sum(dim=1, keepdim=True)) * masks
