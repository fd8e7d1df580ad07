"""Which places in a Rewind trick a card may get: how cards compare, and the odds when later seats play anything."""

from numba.extending import register_jitable

from trick_envs.bits import bit, count, highest, lowest
from trick_envs.games.rewind import RANKS, SUIT_CARDS

SUITS = len(SUIT_CARDS)
SUIT_RANKS = bit(RANKS) - 1  # all ranks of a suit, as the lowest bits
LED_LEVEL, TRUMP_LEVEL = RANKS, 2 * RANKS  # what strengths start from, as in the rules


@register_jitable
def place_marked(view, marks, seat):
    """The place that a seat has among the marks of a trick, 0 for none."""
    seats = int(view.num_players)
    own = (int(marks) >> (seats * seat)) & (bit(seats) - 1)
    return highest(own) + 1 if own else 0


@register_jitable
def goal_of(view, seat):
    """The place that the seat has to repeat in this trick, 0 for none."""
    if seat >= view.num_players:
        return 0
    return place_marked(view, view.goal, seat)


@register_jitable
def led_number(view, card):
    """The number of the suit that is led, or will be with ``card``."""
    return lowest(int(view.led_suit)) // RANKS if view.trick_size > 0 else card // RANKS


@register_jitable
def strength(card, led):
    """As in the rules: trumps above the suit led above all others, each by rank."""
    suit = card // RANKS
    if suit == 0:
        return TRUMP_LEVEL + card % RANKS
    return (LED_LEVEL if suit == led else 0) + card % RANKS


@register_jitable
def strengths(cards, led):
    """A set of cards as the set of their strengths; equal cards of suits that do not count are one."""
    found = (cards & SUIT_RANKS) << TRUMP_LEVEL
    for suit in range(1, SUITS):
        ranks = (cards >> (RANKS * suit)) & SUIT_RANKS
        found |= ranks << (LED_LEVEL if suit == led else 0)
    return found


@register_jitable
def cards_on_table(view, led):
    """The strengths of the cards on the table, as a set."""
    return strengths(int(view.trick_cards), led)


@register_jitable
def options_of(view, seat, led):
    """The strengths of the cards that a seat, whose hand is known, may play."""
    if seat >= view.num_players:
        return 0
    hand = int(view.known[seat])
    following = (hand >> (RANKS * led)) & SUIT_RANKS
    if following:
        return following << (LED_LEVEL if led else TRUMP_LEVEL)
    return strengths(hand, led)


@register_jitable
def chance(sure):
    """Of what surely is so or not."""
    return 1.0 if sure else 0.0


@register_jitable
def starting_chances(above):
    """Surely the place after so many."""
    return chance(above == 0), chance(above == 1), chance(above == 2), chance(above == 3)


@register_jitable
def with_one_more(chances, above):
    """The chances of the places when another card comes, which is above with chance ``above``."""
    first, second, third, fourth = chances
    below = 1.0 - above
    return first * below, second * below + first * above, third * below + second * above, fourth + third * above


@register_jitable
def seats_to_come(view):
    """How many seats play after one's card in this trick."""
    return int(view.num_players - 1 - view.trick_size)


@register_jitable
def options_to_come(view, led):
    """The options of the seats that play after one's card in this trick, none of the others."""
    later = seats_to_come(view)
    return (
        0,
        options_of(view, 1, led) if later > 0 else 0,
        options_of(view, 2, led) if later > 1 else 0,
        options_of(view, 3, led) if later > 2 else 0,
    )


@register_jitable
def odds(place, table, mine, options, later):
    """The chance that a card of strength ``mine`` gets the place if later seats play anything.

    table: the strengths on the table. options: of each seat to come, as ``options_to_come`` gives them.
    later: how many seats are to come, of which the first is seat 1.
    """
    needed = place - 1 - count(table >> (mine + 1))
    return exactly(
        needed,
        share_above(options[1], mine) if later > 0 else 0.0,
        share_above(options[2], mine) if later > 1 else 0.0,
        share_above(options[3], mine) if later > 2 else 0.0,
    )


@register_jitable
def share_above(options, mine):
    """What part of the options, a set of strengths, is above ``mine``."""
    return count(options >> (mine + 1)) / max(1, count(options))


@register_jitable
def exactly(number, one, another, third):
    """The chance that so many of three things happen, of which each has its own chance."""
    both, either = another * third, another + third - 2.0 * another * third
    neither = 1.0 - both - either
    fewer = (number == 1) * neither + (number == 2) * either + (number == 3) * both
    as_many = (number == 0) * neither + (number == 1) * either + (number == 2) * both
    return as_many + one * (fewer - as_many)
