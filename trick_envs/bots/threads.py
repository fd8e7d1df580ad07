"""Work of bots shared by threads."""

import os
from collections.abc import Callable

from trick_envs.engine.tables import shared_threads


def usable_cores() -> int:
    """Cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(work: Callable[[int], None], threads: int) -> None:
    """Call ``work(part)`` for each part from 0 to ``threads`` − 1, on as many threads, this one among them."""
    others = [shared_threads(threads - 1).submit(work, part) for part in range(1, threads)]
    work(0)
    for other in others:
        other.result()
