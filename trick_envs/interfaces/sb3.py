"""Every game for Stable-Baselines3 and sb3-contrib: one seat of many tables learns, bots hold the others."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from trick_envs.bots.policy import PolicyBot
from trick_envs.engine import Game
from trick_envs.interfaces.one_seat import Opponents, SeatTables, settled
from trick_envs.interfaces.shared import observation_space


class SeatVecEnv(VecEnv):  # type: ignore[misc]
    """Rows of ``Tables`` as a VecEnv: the quick way to MaskablePPO.

    Observations are those of the game without the mask, which ``env_method("action_masks")`` gives, as sb3-contrib
    asks for it. Episodes, rewards and the row's seed are those of ``trick_envs.interfaces.gymnasium``: row k plays as
    ``SeatEnv`` does with the seed of ``VecEnv.seed`` plus k. Infos of a match that is over hold
    ``"terminal_observation"`` and ``"TimeLimit.truncated"``.

    game: name of the game, with its ``options``; or a ``Game``. num_envs: rows. threads: threads that share them.
    opponents, seat, skip_forced: as in ``SeatEnv``; but here forced moves are made without a step by default, for
    nothing is learned from them.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponents: Opponents = "rules",
        seat: int | None = None,
        skip_forced: bool = True,
        threads: int = 1,
        **options: Any,
    ):
        self.game = settled(game, options)
        self.render_mode = None
        self._rows = SeatTables(
            self.game, num_envs, opponents=opponents, seat=seat, skip_forced=skip_forced, threads=threads
        )
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, observation_space(self.game), spaces.Discrete(self.game.num_actions))

    def reset(self) -> Any:
        """Begin a match in every row, of the seeds that ``seed`` has set or those that follow the last matches."""
        self._rows.begin(self._seeds, np.random.default_rng())
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self._rows.observation()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions for ``step_wait``: ids, an integer array (num_envs,)."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations, rewards float32 and ends bool (num_envs,), infos.

        Raises IllegalAction, nothing changed, naming the first row whose action is not legal.
        """
        rows = self._rows
        rows.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(rows.done).tolist():
            infos[row]["terminal_observation"] = rows.ended_observation(row)
            infos[row]["TimeLimit.truncated"] = bool(rows.truncated[row])
        return rows.observation(), rows.rewards.astype(np.float32), rows.done.copy(), infos

    def action_masks(self) -> np.ndarray:
        """What the seats may do, bool (num_envs, num_actions): a fresh array."""
        return self._rows.tables.action_mask.astype(np.bool_)

    def close(self) -> None:
        """Nothing is held open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the whole, once for each of the rows; AttributeError when there is none."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused with AttributeError: the rows have no attributes of their own."""
        raise AttributeError(f"{attr_name!r} cannot be set: the rows of a SeatVecEnv share all settings")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """``"action_masks"``: bool (num_actions,) for each of the rows. There is no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"no method {method_name!r}: the rows of a SeatVecEnv have action_masks")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each of the rows."""
        return [False for _ in self._get_indices(indices)]

    def _get_indices(self, indices: Any) -> Iterable[int]:
        rows: Iterable[int] = super()._get_indices(indices)
        return rows


def as_bot(model: Any, game: Game, name: str) -> PolicyBot:
    """A model that has learned from a ``SeatVecEnv`` as a bot: its likeliest legal action."""
    return PolicyBot(name, game, _Logits(model.policy))


class _Logits:
    """The actor of an SB3 policy as the network of a ``PolicyBot``."""

    def __init__(self, policy: Any):
        self.policy = policy

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (N, actions) for observations int8 (N, inputs)."""
        distribution = self.policy.get_distribution(self.policy.obs_to_tensor(observations)[0]).distribution
        logits: np.ndarray = distribution.logits.detach().cpu().numpy()
        return logits
