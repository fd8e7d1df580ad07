"""JAX: arrays of a batch are shared without a copy, where they have no 64 bits."""

import jax
import numpy as np
import pytest

import trick_envs

SHARED = ("seat", "ply", "observation", "events", "action_mask", "rewards", "done", "truncated", "scores")


@pytest.mark.parametrize("name", SHARED)
def test_an_array_is_shared(name):
    tables = trick_envs.make("hearts", num_hands=1, observation="both").tables(7, seed=0)
    array = getattr(tables, name)
    shared = jax.dlpack.from_dlpack(array)
    assert shared.unsafe_buffer_pointer() == array.ctypes.data
    assert (shared.shape, shared.dtype) == (array.shape, array.dtype)
    tables.step(tables.action_mask.argmax(axis=1))
    assert np.array_equal(np.asarray(shared), array)
