"""One line on stderr when compiling takes a while, so that a cold start does not look like a hang.

Numba tells when it begins and ends to compile a function; here the time that goes into functions of this
package is added up, and once it has come to ``PATIENCE`` seconds a timer says so, once a process.
"""

import sys
import threading
import time
from typing import Any

from numba.core import event

PATIENCE = 1.0  # seconds of compiling before the line is printed
LINE = "trick_envs: compiling the rules for this machine; it takes some seconds and is kept for the next time"
PACKAGE = __name__.partition(".")[0]


class CompileNotice(event.Listener):
    """Listens to Numba's compiling and prints ``LINE`` when it has gone on for long."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0  # functions compile the functions they call
        self._began = 0.0
        self._spent = 0.0
        self._told = False
        self._timer = threading.Timer(PATIENCE, self._tell)

    def on_start(self, event: event.Event) -> None:
        with self._lock:
            if self._told or not _is_ours(event):
                return
            self._depth += 1
            if self._depth == 1:
                self._began = time.monotonic()
                self._timer = threading.Timer(max(0.0, PATIENCE - self._spent), self._tell)
                self._timer.daemon = True
                self._timer.start()

    def on_end(self, event: event.Event) -> None:
        with self._lock:
            if self._depth == 0 or not _is_ours(event):
                return
            self._depth -= 1
            if self._depth == 0:
                self._timer.cancel()
                self._spent += time.monotonic() - self._began

    def _tell(self) -> None:
        with self._lock:
            if self._told or self._depth == 0:
                return
            self._told = True
        if sys.stderr is not None:
            print(LINE, file=sys.stderr, flush=True)


def _is_ours(event: event.Event) -> bool:
    """Whether it is a function of this package that is compiled."""
    data: dict[str, Any] = event.data
    return str(data["dispatcher"].py_func.__module__).split(".")[0] == PACKAGE


def listen() -> None:
    """Begin to listen, for this process."""
    event.register("numba:compile", CompileNotice())
