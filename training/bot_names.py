"""What people get wrong when they name a checkpoint as a bot."""

from pathlib import Path

from trick_envs.bots.policy import FACTS_FILE
from trick_envs.bots.search import guide_of

CHECKPOINT_FOLDER = "checkpoint"


def check_bot_name(name: str) -> None:
    """ValueError when ``name`` is a path without a folder, or the folder of a run instead of its checkpoint."""
    folder = Path(guide_of(name) or name)
    if len(folder.parts) > 1 and not folder.is_dir():
        raise ValueError(f"bot {name!r}: no such folder")
    inside = folder / CHECKPOINT_FOLDER
    if folder.is_dir() and not (folder / FACTS_FILE).is_file() and (inside / FACTS_FILE).is_file():
        raise ValueError(f"bot {name!r}: the folder of a run; its checkpoint is {inside}")
