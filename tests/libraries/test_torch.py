"""PyTorch alone: the single-file PPO, and arrays of a batch that are shared without a copy."""

import numpy as np
import torch

import trick_envs
from examples import cleanrl_ppo
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


def test_what_the_example_learns_from_is_paid_to_the_seat_that_chose(monkeypatch) -> None:
    """The same play is gone through once more, match by match."""
    monkeypatch.setattr(cleanrl_ppo, "TABLES", 3)
    game = trick_envs.make("hearts", num_hands=1, rewards="relative")
    torch.manual_seed(1)
    agent, tables, twin = cleanrl_ppo.Agent(game, hidden=8), game.tables(3, seed=5), game.tables(3, seed=5)
    torch.manual_seed(2)
    observations, masks, actions, log_probs, _, returns = cleanrl_ppo.collect(agent, tables)
    torch.manual_seed(2)
    expected, open_choices = [], {row: [] for row in range(3)}
    for _ in range(cleanrl_ppo.STEPS):
        seen, legal = torch.from_numpy(twin.observation.copy()), torch.from_numpy(twin.action_mask.copy())
        with torch.no_grad():
            policy, _ = agent(seen, legal)
            taken = policy.sample()
        for row in range(3):
            if legal[row].sum() > 1:
                open_choices[row].append((int(twin.seat[row]), int(taken[row]), seen[row]))
        twin.step(taken.numpy())
        for row in np.flatnonzero(twin.done):
            for seat, action, observation in open_choices[row]:
                paid = np.float32(twin.rewards[row, seat]) * np.float32(cleanrl_ppo.REWARD_SCALE)
                expected.append((bytes(observation.numpy()), action, float(paid)))
            open_choices[row] = []
    learned = zip(observations.numpy(), actions.tolist(), returns.tolist(), strict=True)
    assert sorted((bytes(seen), action, paid) for seen, action, paid in learned) == sorted(expected)
    assert len(expected) > 200
    assert (masks.sum(dim=1) > 1).all()
    assert (log_probs <= 0).all()


def test_the_example_learns_and_is_measured(monkeypatch, capsys) -> None:
    monkeypatch.setattr(cleanrl_ppo, "TABLES", 8)
    monkeypatch.setattr("sys.argv", ["cleanrl_ppo", "--updates", "2", "--deals", "10"])
    cleanrl_ppo.main()
    told = capsys.readouterr().out
    assert "update 2 of 2" in told
    assert "PPO" in told
