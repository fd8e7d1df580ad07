"""In place of what a game has not, so that the loops compile: a rule bot (``bots.make`` refuses it), an endgame."""

from numba.extending import register_jitable

from trick_envs.engine.loops import nth_action


@register_jitable
def rules(view):
    """The lowest of the legal actions."""
    return nth_action(view.legal, 0)


@register_jitable
def solvable(table):
    """Nothing is solved."""
    return False
