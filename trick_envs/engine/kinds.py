"""The games the engine drives: the rules, the views and the record types of each."""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from trick_envs.engine.dispatch import record_type
from trick_envs.views import VIEWS


@dataclass(frozen=True)
class Kind:
    """A game's rules and views, and the dtypes of its table and view records.

    name: of the rules' module; a variant with rules of its own is a kind of its own.
    """

    name: str
    rules: ModuleType
    views: ModuleType
    table: np.dtype
    view: np.dtype


def _kind(rules: ModuleType) -> Kind:
    name = rules.__name__.rpartition(".")[2]
    views = VIEWS[rules]
    return Kind(
        name,
        rules,
        views,
        record_type(name, rules.FIELDS, rules, views),
        record_type(f"{name}_view", views.FIELDS, views),
    )


KINDS = {rules: _kind(rules) for rules in VIEWS}
