"""The Hearts rule bot."""

from numba.extending import register_jitable

from trick_envs.bits import lowest


@register_jitable
def rules(view):
    """The action it chooses, an id, from what the seat on turn may know."""
    return lowest(view.legal[0])
