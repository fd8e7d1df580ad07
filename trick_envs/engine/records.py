"""Saved matches: compact bytes for going on with, JSON-able records for replaying."""

import hashlib
import struct
from typing import Any

import numpy as np

from trick_envs.engine.dispatch import as_records
from trick_envs.engine.game import Game
from trick_envs.engine.table import Table

MAGIC = b"trick1"
DIGEST_SIZE = 16
HISTORY_ENTRY = np.dtype([("hand", "<u4"), ("seat", "u1"), ("action", "<u2")])
NO_DEALER = 255
SIZES = struct.Struct("<BII")  # first dealer, hands with a deck of their own, actions

RECORD_FORMAT = 1
RECORD_KEYS = {
    "format": int,
    "game": str,
    "version": int,
    "options": dict,
    "seed": int,
    "decks": list,
    "dealer": int | None,
    "actions": list,
}


def pack_bytes(game: Game, what: str, content: bytes) -> bytes:
    """``content``, a saved ``what``, sealed with the game's fingerprint and a checksum."""
    body = game.fingerprint.encode() + content
    return _seal(what, body) + body


def unpack_bytes(game: Game, what: str, packed: bytes) -> bytes:
    """What ``pack_bytes`` sealed; ValueError when it is damaged or of another game, version or options."""
    if not isinstance(packed, (bytes, bytearray, memoryview)):
        raise ValueError(f"a saved {what} is bytes, not {type(packed).__name__}")
    packed = bytes(packed)
    start = len(MAGIC) + DIGEST_SIZE
    body = packed[start:]
    if packed[:start] != _seal(what, body):
        raise ValueError(f"not a saved {what}, or a damaged one")
    fingerprint, content = body[: len(game.fingerprint)], body[len(game.fingerprint) :]
    if fingerprint != game.fingerprint.encode():
        raise ValueError(f"saved under other rules, options or another version than {game!r}")
    return content


def _seal(what: str, body: bytes) -> bytes:
    return MAGIC + hashlib.sha256(what.encode() + body).digest()[:DIGEST_SIZE]


def save(table: Table) -> bytes:
    """A table in compact bytes."""
    dealer = NO_DEALER if table.first_dealer is None else table.first_dealer
    history = np.array(table.history, HISTORY_ENTRY)
    sizes = SIZES.pack(dealer, len(table.stock.decks), len(history))
    content = sizes + table.stock.decks.tobytes() + history.tobytes() + table.records.tobytes()
    return pack_bytes(
        table.game,
        "match",
        content if table.log is None else content + log_bytes(table.log[None], table.records["told"]),
    )


def load(game: Game, saved: bytes) -> Table:
    """The table that ``save`` made ``saved`` of; ValueError as in ``unpack_bytes``."""
    content = unpack_bytes(game, "match", saved)
    dealer, hands, actions = SIZES.unpack_from(content)
    at = SIZES.size
    decks = np.frombuffer(content, np.int8, hands * len(game.pack), at).reshape(hands, len(game.pack))
    at += decks.nbytes
    history = np.frombuffer(content, HISTORY_ENTRY, actions, at)
    at += history.nbytes
    records = as_records(np.frombuffer(bytearray(content[at : at + game.kind.table.itemsize]), game.kind.table))
    log = None
    kept = content[at + records.nbytes :]
    if kept:
        logs = game.new_logs(1)
        read_logs(logs, records["told"], kept)
        log = logs[0]
    first_dealer = None if dealer == NO_DEALER else dealer
    return Table.of_record(game, records, history.tolist(), decks, first_dealer, log)


def log_bytes(logs: np.ndarray, told: np.ndarray) -> bytes:
    """Logs of tables, int16 (rows, seats, most events), in compact bytes for ``read_logs``; told: lengths (rows,)."""
    return logs.transpose(0, 2, 1)[np.arange(logs.shape[2]) < told[:, None]].tobytes()


def read_logs(logs: np.ndarray, told: np.ndarray, content: bytes) -> None:
    """Fill logs of as many tables with what ``log_bytes`` made ``content`` of."""
    logs[...] = 0
    tokens = np.frombuffer(content, np.int16).reshape(-1, logs.shape[1])
    logs.transpose(0, 2, 1)[np.arange(logs.shape[2]) < told[:, None]] = tokens


def record(table: Table) -> dict[str, Any]:
    """A match as a JSON-able record: what it takes to play it again."""
    if len(table.history) != table.records["ply"][0]:
        raise ValueError("a table taken out of a batch has no history, so there is no record of its match")
    return {
        "format": RECORD_FORMAT,
        "game": table.game.name,
        "version": table.game.version,
        "options": table.game.options,
        "seed": table.seed,
        "decks": table.deck_names(),
        "dealer": table.first_dealer,
        "actions": [table.game.action_name(action) for _, _, action in table.history],
    }


def replay(record: dict[str, Any]) -> Table:
    """The table that ``Table.record`` made ``record`` of, played again from the deal.

    Raises ValueError naming the key that is missing or wrong, or the action that is not legal.
    """
    if not isinstance(record, dict):
        raise ValueError(f"a record is a dict, not {type(record).__name__}")
    for key, kind in RECORD_KEYS.items():
        if key not in record:
            raise ValueError(f"the record has no {key!r}; it needs {', '.join(RECORD_KEYS)}")
        if not isinstance(record[key], kind):
            wanted = getattr(kind, "__name__", kind)
            raise ValueError(f"the record's {key!r} is {record[key]!r}, not {wanted}")
    if record["format"] != RECORD_FORMAT:
        raise ValueError(f"record format {record['format']!r}; this version reads {RECORD_FORMAT}")
    if not isinstance(record["options"], dict) or not all(isinstance(name, str) for name in record["options"]):
        raise ValueError(f"options={record['options']!r} of the record: a dict of options by name")
    game = Game(record["game"], **record["options"])
    if record["version"] != game.version:
        raise ValueError(f"a record of {game.name} version {record['version']!r}; this is {game.version}")
    return game.table(record["seed"], record["decks"], record["dealer"], record["actions"])
