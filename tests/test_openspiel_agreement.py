"""A sample of ``python -m tests.long_openspiel``."""

import pytest

pytest.importorskip("pyspiel")

from tests.openspiel_lockstep import play_hands


def test_engine_and_openspiel_agree() -> None:
    seen = play_hands(300, seed=4)
    assert seen["hands"] == 300
    assert seen["actions in the play phase"] == 300 * 52
    assert seen["actions in the pass phase"] > 0
