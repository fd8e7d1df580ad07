"""The rules: one file a game, in the order of its rulebook."""

from trick_envs.games import hearts

GAMES = {game.NAME: game for game in (hearts,)}
