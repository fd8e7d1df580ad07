"""Self-play training and honest measurement, on the public face of ``trick_envs``."""

import os

# PyTorch's threads wait for each other at every layer. Waiting awake, as they do by default, makes a run twenty times
# slower as soon as anything else wants one of the cores; asleep, it costs nothing to speak of.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
