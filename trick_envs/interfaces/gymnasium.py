"""Every game for Gymnasium: one seat learns, bots hold the others. An episode is one match.

Both environments stand on ``SeatTables``: the single one is a row of it.
"""

from collections.abc import Sequence
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from trick_envs.engine import Game, IllegalAction, Table
from trick_envs.interfaces.one_seat import Opponents, SeatTables, settled
from trick_envs.interfaces.shared import (
    MASK_PLACES,
    RENDER_MODES,
    MaskPlace,
    RenderMode,
    check_choice,
    check_reward,
    observation_space,
)
from trick_envs.views.text import picture


class SeatEnv(gymnasium.Env[Any, Any]):
    """A seat of a game as an environment. ``gymnasium.make("trick_envs/Hearts-v0", …)`` makes one.

    A step is one decision of the seat; then the others play until it is to decide again, or the match is over. The
    reward is the sum of what the seat was paid on the way.

    game: name of the game, with its ``options``; or a ``Game``.
    opponents: a bot, or a name or checkpoint folder for ``bots.make``, for all other seats; or a list of one for each,
        from the left of the seat on.
    seat: the seat that learns; ``None`` draws it for each match.
    mask: ``"observation"`` puts the action mask beside the observation, ``"info"`` into the info.
    skip_forced: whether forced moves of the seat are made without a step.
    illegal_reward: an illegal action ends the match with this reward; ``None`` makes it raise IllegalAction.
    render_mode: ``"ansi"`` makes ``render`` return a text, ``"human"`` prints it after every reset and step.

    Attributes: ``game``; ``seat``, that of the match from its reset on; ``table``, a copy of the table as it stands.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  (Gymnasium's)

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Opponents = "rules",
        seat: int | None = None,
        mask: MaskPlace = "observation",
        skip_forced: bool = False,
        illegal_reward: float | None = -1,
        render_mode: RenderMode | None = None,
        **options: Any,
    ):
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        check_choice("mask", mask, MASK_PLACES)
        if illegal_reward is not None:
            check_reward("illegal_reward", illegal_reward)
        self.game = settled(game, options)
        self.render_mode = render_mode
        self.illegal_reward = illegal_reward
        self._mask_place: MaskPlace = mask
        self._rows = SeatTables(self.game, 1, opponents=opponents, seat=seat, skip_forced=skip_forced)
        self._over = True
        self._dealt = False  # whether the next match is there already
        self.observation_space = observation_space(self.game, mask)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self.seat = int(self._rows.seats[0])

    @property
    def table(self) -> Table:
        """A copy of the table as it stands, or as the match ended, without its history."""
        return self._rows.ended_table(0) if self._dealt else self._rows.tables.table(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a match.

        seed: that of the table; ``None`` goes on from the seed of the last match, and the very first time draws one.
        options: none are known; what is given is ignored.
        """
        super().reset(seed=seed)
        if not self._dealt or seed is not None:
            self._rows.begin([seed], self.np_random)
        self._over = self._dealt = False
        self.seat = int(self._rows.seats[0])
        return self._shown()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do ``action``, an id, for the seat.

        Raises IllegalAction, nothing changed, when it is not legal and ``illegal_reward`` is None; TypeError when it
        is no integer; ResetNeeded before the first reset and after the end.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("no match is in progress: call reset() before step()")
        try:
            action = index(action)
        except TypeError:
            most = self.game.num_actions - 1
            raise TypeError(f"action={action!r}: the id of an action, an int from 0 to {most}") from None
        rows = self._rows
        if not (0 <= action < self.game.num_actions and rows.tables.action_mask[0, action]):
            if self.illegal_reward is None:
                raise IllegalAction(self.table.refusal(action))
            self._over = True
            observation, info = self._shown()
            return observation, float(self.illegal_reward), True, False, info
        rows.step(np.array([action]))
        self._over = self._dealt = bool(rows.done[0])
        observation, info = self._shown()
        truncated = bool(rows.truncated[0])
        return observation, float(rows.rewards[0]), self._over and not truncated, truncated, info

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        """Observation and info as the option ``mask`` has them; a person is shown the table."""
        if self.render_mode == "human":
            self.render()
        observation = self._rows.ended_observation(0) if self._dealt else _row(self._rows.observation(), 0)
        return _with_mask(self._mask_place, observation, self.action_masks().astype(np.int8))

    def action_masks(self) -> np.ndarray:
        """What the seat may do, bool (num_actions,), nothing after the end: the method that sb3-contrib looks for."""
        return self._rows.tables.action_mask[0].astype(np.bool_) & (not self._over)

    def render(self) -> str | None:
        """A text picture of the table, all cards face up: ``"ansi"`` returns it, ``"human"`` prints it.

        Without a render mode there is a warning and None.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode shows nothing; make the environment with one")
            return None
        if not self._rows.begun:
            raise gymnasium.error.ResetNeeded("no match is in progress: call reset() before render()")
        text = picture(self.table)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None


class SeatVectorEnv(VectorEnv[Any, Any, np.ndarray]):
    """Many matches in which a seat learns, in one call: rows of ``Tables`` instead of copies of ``SeatEnv``.

    ``gymnasium.make_vec("trick_envs/Hearts-v0", num_envs=1024, …)`` makes one. Row k plays as a ``SeatEnv`` with the
    row's seed does. A row whose match ends shows the first decision of the next match in the same step
    (``AutoresetMode.SAME_STEP``), and what its seat saw at the end in ``infos["final_obs"]``. An illegal action raises
    IllegalAction naming the row, with nothing changed.

    num_envs: rows. threads: threads that share them. The rest is as in ``SeatEnv``.

    Attributes: ``game``; ``seats``, int64 (num_envs,), the seat that learns in each row.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (Gymnasium's)
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponents: Opponents = "rules",
        seat: int | None = None,
        mask: MaskPlace = "observation",
        skip_forced: bool = False,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ):
        check_choice("render_mode", render_mode, (None, "ansi"))
        check_choice("mask", mask, MASK_PLACES)
        self.game = settled(game, options)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._mask_place: MaskPlace = mask
        self._rows = SeatTables(
            self.game, num_envs, opponents=opponents, seat=seat, skip_forced=skip_forced, threads=threads
        )
        self.single_observation_space = observation_space(self.game, mask)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def seats(self) -> np.ndarray:
        """The seat that learns in each row's present match, int64 (num_envs,): a fresh array."""
        return self._rows.seats.copy()

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a match in every row.

        seed: row k gets seed + k, or its own from a list; ``None`` goes on from the seeds of the last matches.
        options: none are known; what is given is ignored.
        """
        if isinstance(seed, Sequence):
            seeds = list(seed)
        else:
            super().reset(seed=seed)
            seeds = [None if seed is None else seed + row for row in range(self.num_envs)]
        self._rows.begin(seeds, self.np_random)
        return self._seen()

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Do ``actions``, ids, an integer array (num_envs,).

        Returns observations, rewards float64, terminations bool and truncations bool (num_envs,), infos.
        Raises IllegalAction, nothing changed, naming the first row whose action is not legal.
        """
        if not self._rows.begun:
            raise gymnasium.error.ResetNeeded("no match is in progress: call reset() before step()")
        rows = self._rows
        rows.step(actions)
        observations, infos = self._seen()
        if rows.done.any():
            infos |= self._finals(rows.done.copy())
        return observations, rows.rewards.copy(), rows.done & ~rows.truncated, rows.truncated.copy(), infos

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Observations and infos as the option ``mask`` has them."""
        observations, infos = _with_mask(
            self._mask_place, self._rows.observation(), self._rows.tables.action_mask.copy()
        )
        return observations, _told(infos, np.ones(self.num_envs, np.bool_))

    def _finals(self, done: np.ndarray) -> dict[str, Any]:
        """The infos of rows whose match is over, as Gymnasium's own vector environments have them."""
        final_obs = np.full(self.num_envs, None, object)
        no_mask = np.zeros(self.game.num_actions, np.int8)
        info: dict[str, Any] = {}
        for row in np.flatnonzero(done).tolist():
            final_obs[row], info = _with_mask(self._mask_place, self._rows.ended_observation(row), no_mask.copy())
        final_info = {name: np.zeros((self.num_envs, *value.shape), value.dtype) for name, value in info.items()}
        return _told({"final_obs": final_obs, "final_info": _told(final_info, done)}, done)

    def action_masks(self) -> np.ndarray:
        """What the seats may do, bool (num_envs, num_actions)."""
        return self._rows.tables.action_mask.astype(np.bool_)

    def render(self) -> tuple[str, ...] | None:
        """With ``render_mode="ansi"`` a text picture of each row's table, all cards face up; a warning otherwise."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode shows nothing; make the environment with one")
            return None
        return tuple(picture(self._rows.tables.table(row)) for row in range(self.num_envs))


def _row(observation: Any, row: int) -> Any:
    """The row of an observation in any form."""
    if isinstance(observation, dict):
        return {name: array[row] for name, array in observation.items()}
    return observation[row]


def _with_mask(place: MaskPlace, observation: Any, mask: np.ndarray) -> tuple[Any, dict[str, Any]]:
    """(observation, info) with the mask in its place."""
    if place == "info":
        return observation, {"action_mask": mask}
    return {"observation": observation, "action_mask": mask}, {}


def _told(infos: dict[str, Any], rows: np.ndarray) -> dict[str, Any]:
    """Infos of a vector environment, each with the rows, bool (num_envs,), that have it, as Gymnasium marks them."""
    return infos | {f"_{name}": rows.copy() for name in infos}
