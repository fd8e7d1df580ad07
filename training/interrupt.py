"""Ctrl-C that lets what is in hand be finished and saved."""

import signal


class CtrlC:
    """While this is entered, the first Ctrl-C is only noted; the second is a KeyboardInterrupt."""

    def __init__(self) -> None:
        self.pressed = False

    def __enter__(self) -> "CtrlC":
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, *_: object) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
