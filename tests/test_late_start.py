"""Matches that begin with actions already done."""

from random import Random

import numpy as np
import pytest

import trick_envs
from tests.games import DEFAULTS, Case
from tests.playing import face, play_on
from trick_envs import IllegalAction
from trick_envs.interfaces.pettingzoo import make_env, make_raw_env


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
@pytest.mark.parametrize("by_name", [True, False])
def test_actions_to_begin_with_are_as_if_played(case: Case, by_name: bool) -> None:
    game = case.game
    played = play_on(game.table(seed=5, dealer=1), Random(1), 20)
    actions = [action for _, _, action in played.history]
    late = game.table(5, dealer=1, actions=[game.action_name(action) for action in actions] if by_name else actions)
    assert face(late) == face(played)
    assert late.records.tobytes() == played.records.tobytes()
    assert trick_envs.replay(late.record()).save() == late.save()


def test_an_environment_begins_late() -> None:
    for make in (make_env, make_raw_env):
        env = make("setback")
        env.reset(seed=7, options={"actions": ["bid 2", "pass"], "dealer": 0})
        assert env.agent_selection == "player_3"
        assert [env.table.game.action_name(action) for _, _, action in env.table.history] == ["bid 2", "pass"]
        assert env.last()[1:3] == (0, False)
        assert env._cumulative_rewards == dict.fromkeys(env.agents, 0)


def test_wrong_actions_are_named_and_leave_the_match_as_it_is() -> None:
    game = trick_envs.make("setback")
    with pytest.raises(IllegalAction, match=r"action 1 of the list: .*bid 2"):
        game.table(seed=7, actions=["bid 2", "bid 2"])
    for wrong in ("bid 2", 5, None):
        with pytest.raises(ValueError, match="actions="):
            game.table(seed=7, actions=wrong)  # type: ignore[arg-type]
    env = make_raw_env("rewind")
    env.reset(seed=1)
    env.step(np.int64(env.table.legal_actions()[0]))
    before = env.table.save()
    whole = play_on(env.game.table(seed=1), Random(0))
    for actions in (["1X"], "1C", [action for _, _, action in whole.history]):
        with pytest.raises(ValueError, match="action"):
            env.reset(seed=1, options={"actions": actions})
        assert env.table.save() == before
