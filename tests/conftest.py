"""Settings of all tests."""

from hypothesis import settings

# The same examples every time; compiling in the first one may take long.
settings.register_profile("trick_envs", derandomize=True, deadline=None)
settings.load_profile("trick_envs")
