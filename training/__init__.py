"""Self-play training and honest measurement, on the public face of ``trick_envs``."""

import os

# PyTorch's threads wait for each other at every layer. By default they wait awake, which makes a run twenty times
# slower as soon as anything else wants one of the cores; awake for some microseconds and then asleep costs nothing
# to speak of.
os.environ.setdefault("GOMP_SPINCOUNT", "3000")
