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
    following = hand & SUIT_CARDS[led]
    return strengths(following if following else hand, led)


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
def options_to_come(view, led):
    """The options of the seats that play after one's card in this trick, none of the others."""
    later = int(view.num_players - 1 - view.trick_size)
    return (
        0,
        options_of(view, 1, led) if later > 0 else 0,
        options_of(view, 2, led) if later > 1 else 0,
        options_of(view, 3, led) if later > 2 else 0,
    )


@register_jitable
def odds(view, mine, led, options):
    """The chances of first, second, third and fourth for a card of strength ``mine`` if later seats play anything.

    options: of each seat to come, as ``options_to_come`` gives them.
    """
    chances = starting_chances(count(cards_on_table(view, led) >> (mine + 1)))
    for seat in range(1, int(view.num_players - view.trick_size)):
        chances = with_one_more(chances, count(options[seat] >> (mine + 1)) / max(1, count(options[seat])))
    return chances
