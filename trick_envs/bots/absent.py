"""In place of a rule bot for the games that have none, so that the loops compile; ``bots.make`` refuses it."""

from numba.extending import register_jitable

from trick_envs.engine.loops import nth_action


@register_jitable
def rules(view):
    """The lowest of the legal actions."""
    return nth_action(view.legal, 0)
