"""The games the engine drives: the rules, the views and the record types of each."""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from trick_envs.engine.dispatch import record_type
from trick_envs.games import GAMES
from trick_envs.views import VIEWS


@dataclass(frozen=True)
class Kind:
    """A game's rules and views, and the dtypes of its table and view records."""

    rules: ModuleType
    views: ModuleType
    table: np.dtype
    view: np.dtype


KINDS = {
    name: Kind(
        rules,
        VIEWS[name],
        record_type(name, rules.FIELDS, rules, VIEWS[name]),
        record_type(f"{name}_view", VIEWS[name].FIELDS, VIEWS[name]),
    )
    for name, rules in GAMES.items()
}
