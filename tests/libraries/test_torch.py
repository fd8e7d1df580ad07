"""PyTorch alone: the single-file PPO, and arrays of a batch that are shared without a copy."""

import numpy as np
import torch

import trick_envs
from examples import cleanrl_ppo
from examples.cleanrl_ppo import LAMBDA, advantages
from trick_envs.engine.tables import ALIGNMENT


def test_arrays_are_shared_through_dlpack() -> None:
    tables = trick_envs.make("hearts", num_hands=1).tables(16, seed=0)
    for name in ("observation", "action_mask", "rewards", "seat", "ply", "scores", "legal"):
        array = getattr(tables, name)
        assert array.ctypes.data % ALIGNMENT == 0
        for shared in (torch.from_dlpack(array).numpy(), np.from_dlpack(array)):
            assert shared.ctypes.data == array.ctypes.data
            assert (shared.shape, shared.dtype) == (array.shape, array.dtype)
    seen = torch.from_dlpack(tables.observation)
    for _ in range(3):
        tables.step(tables.action_mask.argmax(axis=1))
        assert np.array_equal(seen.numpy(), tables.observation)  # the next step shows through


def test_advantages_follow_each_seat() -> None:
    """Two seats by turns at one table, reckoned by hand; seat 0's second move is forced."""
    seats = torch.tensor([0, 1, 0, 1, 0, 1])[:, None]
    values = torch.tensor([1.0, 2.0, 50.0, 4.0, 5.0, 6.0])[:, None]
    rewards = torch.zeros(6, 1, 2)
    rewards[2, 0] = torch.tensor([10.0, 20.0])  # a hand is settled
    rewards[3, 0] = torch.tensor([30.0, 40.0])  # the match ends
    ended = torch.tensor([False, False, False, True, False, False])[:, None]
    deciding = torch.tensor([True, True, False, True, True, True])[:, None]
    rollout = {"seats": seats, "values": values, "rewards": rewards, "ended": ended, "deciding": deciding}
    gains, learned = advantages(rollout)
    assert learned[:, 0].tolist() == [True, True, False, True, False, False]  # the next match is open
    last = 40 - 4
    assert gains[3].item() == last
    assert gains[1].item() == np.float32(20 + 4 - 2 + LAMBDA * last)
    assert gains[0].item() == 10 + 30 - 1


def test_the_example_learns_and_is_measured(monkeypatch, capsys) -> None:
    monkeypatch.setattr(cleanrl_ppo, "TABLES", 8)
    monkeypatch.setattr("sys.argv", ["cleanrl_ppo", "--updates", "2", "--deals", "10"])
    cleanrl_ppo.main()
    told = capsys.readouterr().out
    assert "update 2 of 2" in told
    assert "PPO" in told
