"""The rule bot of setback."""

from numba.extending import register_jitable

from trick_envs.engine.loops import nth_action


@register_jitable
def rules(view):
    """The id of the action it chooses, for the observer of ``view``, who is on turn."""
    return nth_action(view.legal, 0)
