"""What a seat may see of each game's table: view records, feature layouts and text."""

from trick_envs.views import hearts

VIEWS = {"hearts": hearts}
