"""In place of a rule bot for the games that have none, so that the loops compile; nobody can make it play."""

from numba.extending import register_jitable

from trick_envs.engine.loops import NO_ACTION


@register_jitable
def rules(view):
    return NO_ACTION
