"""How much a search may do for one decision."""

import re
import time
from dataclasses import dataclass

MOST_ROUNDS = 1_000_000
LONGEST = 3_600_000  # milliseconds


@dataclass(frozen=True)
class Budget:
    """``rounds`` of a search (worlds, simulations), or as many as there is time for in ``milliseconds``."""

    rounds: int = 0
    milliseconds: int = 0

    @classmethod
    def parse(cls, text: str, rounds: str) -> "Budget":
        """The budget ``text`` says: a number of ``rounds``, as they are called, or milliseconds such as ``50ms``.

        Raises ValueError for anything else.
        """
        match = re.fullmatch(r"([0-9]{1,9})(ms)?", text, re.ASCII)
        amount = int(match[1]) if match else 0
        if match and match[2] and 1 <= amount <= LONGEST:
            return cls(milliseconds=amount)
        if match and not match[2] and 1 <= amount <= MOST_ROUNDS:
            return cls(rounds=amount)
        raise ValueError(
            f"budget {text!r}: a number of {rounds} from 1 to {MOST_ROUNDS:,}, or milliseconds "
            f"from 1ms to {LONGEST}ms, such as 50ms"
        )

    @property
    def fixed(self) -> bool:
        """Whether the same decision always gets the same rounds."""
        return self.rounds > 0

    def clock(self, price: int = 1) -> "Clock":
        """A clock for one decision, which starts now; a round costs ``price`` at first."""
        return Clock(self, price)


class Clock:
    """Says how many rounds a decision still gets."""

    def __init__(self, budget: Budget, price: int = 1):
        self._fixed = budget.fixed
        self._left = budget.rounds * price
        self._end = time.perf_counter() + budget.milliseconds / 1000
        self._begun = False

    def rounds_left(self, most: int, price: int = 1) -> int:
        """Rounds to do next, ``most`` at most, each at ``price``; 0 when the budget is spent, but not at first."""
        if self._fixed:
            rounds = min(most, self._left // price)
            self._left -= rounds * price
            return rounds
        begun, self._begun = self._begun, True
        return most if not begun or time.perf_counter() < self._end else 0
