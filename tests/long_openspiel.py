"""The long run of engine against OpenSpiel: ``python -m tests.long_openspiel --hands 10000``.

Plays four-seat hands of Hearts in both; the first difference ends it with a report and exit status 1.
"""

import argparse
import sys
from collections import Counter

from rich.console import Console
from rich.progress import track

from tests.lockstep import Difference
from tests.openspiel_lockstep import play_hands

HANDS_A_STEP = 100


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long_openspiel", description=__doc__.partition("\n")[0])
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the run with the same seed plays the same")
    chosen = parser.parse_args()
    console = Console()
    seen: Counter[str] = Counter()
    try:
        for first in track(range(0, chosen.hands, HANDS_A_STEP), "hearts against OpenSpiel", console=console):
            seen += play_hands(min(HANDS_A_STEP, chosen.hands - first), f"{chosen.seed} {first}")
    except Difference as difference:
        console.print(str(difference), style="red", markup=False, highlight=False, soft_wrap=True)
        return 1
    for what, count in seen.items():
        console.print(f"{count:>9,} {what}")
    console.print("No difference.", style="green")
    return 0


if __name__ == "__main__":
    sys.exit(main())
