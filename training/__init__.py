"""Self-play training and honest measurement, on the public face of ``trick_envs``."""
