"""The Rewind rule bot: what a careful player does, from what its seat may know.

In Round I it stays clear of first places, which cost most when they are not repeated. In Round II every hand is known:
it looks through the rest of the trick, where each later seat plays for the place that it has to repeat itself, and
keeps the cards that its later places need; it would rather spoil the places of several others than have its own with
all of theirs. Where nothing is known of the hands, it reckons with the cards that it has not seen.

Values are in points of the score, more is better. The constants were chosen by comparing variants on the same deals
(``python -m benchmarks.bot_sweep``).
"""

from numba.extending import register_jitable

from trick_envs.bits import bit, count, highest, lowest
from trick_envs.games.rewind import CASSETTES, GIVE_PLACE, MAX_SEATS, PACK, RANKS, SUIT_CARDS, TRICKS
from trick_envs.games.table import TIE

WORST = -1e9
PACK_CARDS = bit(len(PACK.names)) - 1
SUITS = len(SUIT_CARDS)
SUIT_RANKS = bit(RANKS) - 1  # all ranks of a suit, as the lowest bits
LED_LEVEL, TRUMP_LEVEL = RANKS, 2 * RANKS  # what strengths start from, as in the rules
FIRST = 1
NO_CARD = -1

# Round I, in parts of what a first place costs
SHED = 0.003  # gained for each rank of a card that is played: it will win no other trick

# Round II: what repeating a place is worth, and what a card is kept for
DENY = 0.3  # another seat's miss, compared with one's own hit
ANYTHING = 0.5  # how far later seats are taken to play any card, rather than for their own places
KEEP_CLASS = 0.14  # for each place between the present one and the one that the card is fit for
SPARE = 0.01  # for each rank: a first is won with a weak card, a last lost with a strong one, if they do

TRUMP_LIFT = 15.0  # how many ranks a trump is better than another card
TRUMPS_IN = 0.5  # how often a seat without the led suit plays a trump, when hands are not known


@register_jitable
def rules(view):
    """The action it chooses, an id, for the observer of ``view``, who is on turn."""
    legal = int(view.legal[0])
    if count(legal) == 1:
        return lowest(legal)
    if view.phase == TIE:
        return place_to_give(view, legal)
    return best_card(view, legal)


@register_jitable
def best_card(view, legal):
    needs = needed_places(view)
    known = view.known[1] != 0
    unseen = unseen_cards(view)
    best, best_value = lowest(legal), WORST
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        if view.goal == 0:
            value = first_round_value(view, card, unseen)
        elif known:
            value = repeat_value(view, card)
            if count(view.hand) == 2:
                value += last_trick_value(view, card)
            else:
                value += keeping_value(view, card, needs)
        else:
            value = repeat_chance(view, card, unseen) + keeping_value(view, card, needs)
        if value > best_value:
            best, best_value = card, value
    return best


# --- Places --------------------------------------------------------------------------------------------------------


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
def weight(place):
    """What missing the place costs."""
    if place == 0:
        return 0.0
    return 2.0 if place == FIRST else 1.0


@register_jitable
def needed_places(view):
    """How many firsts, seconds, thirds and fourths one has still to repeat, this trick among them."""
    first, second, third, fourth = 0, 0, 0, 0
    for trick in range(TRICKS - int(view.trick_number)):
        place = place_marked(view, view.markers[trick], 0)
        first += place == 1
        second += place == 2
        third += place == 3
        fourth += place == 4
    return first, second, third, fourth


@register_jitable
def general_rank(card):
    """How strong a card is, whatever is led."""
    return card % RANKS + (TRUMP_LIFT if bit(card) & CASSETTES else 0.0)


# --- Round I -------------------------------------------------------------------------------------------------------


@register_jitable
def first_round_value(view, card, unseen):
    """Be rid of high cards without winning: a first is dear to miss, and the other places are alike."""
    return SHED * general_rank(card) - place_chances(view, card, unseen)[0]


# --- What unknown hands may play -----------------------------------------------------------------------------------


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
def unseen_cards(view):
    """The cards that are neither held nor, as far as the seat remembers, played.

    Of a pack for three, the suit that is left out is taken to be the last one of which no card has been seen.
    """
    seen = int(view.hand)
    for seat in range(view.num_players):
        seen |= int(view.played[seat])
    unseen = PACK_CARDS & ~seen
    if view.num_players < MAX_SEATS:
        for suit in range(SUITS - 1, 0, -1):
            if not seen & SUIT_CARDS[suit]:
                return unseen & ~SUIT_CARDS[suit]
    return unseen


@register_jitable
def cards_on_table(view, led):
    """The strengths of the cards on the table, as a set."""
    return strengths(int(view.trick_cards), led)


@register_jitable
def place_chances(view, card, unseen):
    """The chances of first, second, third and fourth with ``card`` when the later hands are not known."""
    led = led_number(view, card)
    mine = strength(card, led)
    above = count(cards_on_table(view, led) >> (mine + 1))
    suit_cards = unseen & SUIT_CARDS[led]
    suit_strengths = strengths(suit_cards, led)
    in_suit = count(suit_strengths)
    over = count(suit_strengths >> (mine + 1)) / max(1, in_suit)
    trumps = strengths(unseen & CASSETTES, led)
    over_by_trump = count(trumps >> (mine + 1)) / max(1, count(trumps))
    discards = strengths(unseen & ~SUIT_CARDS[led] & ~CASSETTES, led)
    over_by_discard = count(discards >> (mine + 1)) / max(1, count(discards))
    trumped = TRUMPS_IN if trumps and led > 0 else 0.0
    over_without = trumped * over_by_trump + (1.0 - trumped) * over_by_discard
    chances = starting_chances(above)
    others = int(view.num_players) - 1
    for seat in range(1, int(view.num_players - view.trick_size)):
        without = void_chance(in_suit, others)
        if int(view.voids[seat]) & bit(led):
            without = 1.0
        chances = with_one_more(chances, (1.0 - without) * over + without * over_without)
    return chances


@register_jitable
def void_chance(cards, holders):
    """The chance that one of so many holders has none of the cards, which lie among them at random."""
    void = 1.0
    for _ in range(cards):
        void *= (holders - 1.0) / holders
    return void


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
def repeat_chance(view, card, unseen):
    """What the chance to repeat the place is worth when the hands are not known."""
    goal = goal_of(view, 0)
    return weight(goal) * place_chances(view, card, unseen)[goal - 1]


# --- Round II, all hands known -------------------------------------------------------------------------------------


@register_jitable
def strengths(cards, led):
    """A set of cards as the set of their strengths; equal cards of suits that do not count are one."""
    found = (cards & SUIT_RANKS) << TRUMP_LEVEL
    for suit in range(1, SUITS):
        ranks = (cards >> (RANKS * suit)) & SUIT_RANKS
        found |= ranks << (LED_LEVEL if suit == led else 0)
    return found


@register_jitable
def options_of(view, seat, led):
    """The strengths of the cards that a seat, whose hand is known, may play."""
    if seat >= view.num_players:
        return 0
    hand = int(view.known[seat])
    following = hand & SUIT_CARDS[led]
    return strengths(following if following else hand, led)


@register_jitable
def strength_on_table(view, seat, led):
    """The strength of the card that the seat has on the table, NO_CARD if none."""
    if seat >= view.num_players:
        return NO_CARD
    played = int(view.played[seat]) & int(view.trick_cards)
    return strength(lowest(played), led) if played else NO_CARD


@register_jitable
def repeat_value(view, card):
    """What playing ``card`` is worth in this trick: the chance to repeat one's place, less that of the others."""
    led = led_number(view, card)
    mine = strength(card, led)
    later = int(view.num_players - 1 - view.trick_size)
    goals = goal_of(view, 0), goal_of(view, 1), goal_of(view, 2), goal_of(view, 3)
    options = 0, options_of(view, 1, led), options_of(view, 2, led), options_of(view, 3, led)
    on_table = (
        mine,
        strength_on_table(view, 1, led),
        strength_on_table(view, 2, led),
        strength_on_table(view, 3, led),
    )
    table = cards_on_table(view, led) | bit(mine)
    if later == 0:
        hits = settled(table, on_table, goals)
    elif later == 1:
        hits = one_to_come(table, on_table, goals, 1, options[1])
    elif later == 2:
        hits = two_to_come(table, on_table, goals, 1, options[1], options[2])
    else:
        hits = three_to_come(table, on_table, goals, options[1], options[2], options[3])
    own = hits[0]
    if later > 0:
        chances = starting_chances(count(cards_on_table(view, led) >> (mine + 1)))
        for seat in range(1, later + 1):
            chances = with_one_more(chances, count(options[seat] >> (mine + 1)) / max(1, count(options[seat])))
        own += ANYTHING * (chances[goals[0] - 1] - own)
    others = weight(goals[1]) * hits[1] + weight(goals[2]) * hits[2] + weight(goals[3]) * hits[3]
    return weight(goals[0]) * own - DENY * others


@register_jitable
def settled(table, on_table, goals):
    """Which seats repeat their place when all cards are on the table, as chances."""
    return (
        chance(1 + count(table >> (on_table[0] + 1)) == goals[0]),
        chance(1 + count(table >> (on_table[1] + 1)) == goals[1]),
        chance(1 + count(table >> (on_table[2] + 1)) == goals[2]),
        chance(1 + count(table >> (on_table[3] + 1)) == goals[3]),
    )


@register_jitable
def for_place(table, options, place):
    """Those of the last seat's options that get it the place."""
    upper = -1
    for _ in range(1, place):
        if table == 0:
            return 0
        top = bit(highest(table))
        upper = top - 1
        table &= ~top
    lower = bit(highest(table) + 1) - 1 if table else 0
    return options & upper & ~lower if place else 0


@register_jitable
def one_to_come(table, on_table, goals, seat, options):
    """The chances to repeat when only ``seat`` is to play: it gets its place if it can, or plays anything."""
    goal = goals[seat]
    chosen = for_place(table, options, goal)
    reached = 1.0 if chosen else 0.0
    if chosen == 0:
        chosen = options
    size = max(1, count(chosen))
    return (
        reached if seat == 0 else hit_chance(table, on_table[0], goals[0], chosen, size),
        reached if seat == 1 else hit_chance(table, on_table[1], goals[1], chosen, size),
        reached if seat == 2 else hit_chance(table, on_table[2], goals[2], chosen, size),
        reached if seat == 3 else hit_chance(table, on_table[3], goals[3], chosen, size),
    )


@register_jitable
def hit_chance(table, mine, goal, chosen, size):
    """The chance of a card on the table to get its place when the last card is one of those ``chosen``."""
    place = 1 + count(table >> (mine + 1))
    over = count(chosen >> (mine + 1))
    if place == goal:
        return (size - over) / size
    return over / size if place + 1 == goal else 0.0


@register_jitable
def two_to_come(table, on_table, goals, seat, options, last_options):
    """``seat`` plays what is best for its own place, before the last seat does the same."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    best, number = -1.0, 0
    edges = table | last_options
    tried = 0
    while options:
        mine = highest(options)
        options &= ~bit(mine)
        if tried and not edges & (bit(tried) - 1) & ~(bit(mine) - 1):
            continue
        tried = mine
        hits = one_to_come(table | bit(mine), placed(on_table, seat, mine), goals, seat + 1, last_options)
        own = hits[seat]
        if own > best:
            best, number = own, 0
            first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        if own == best:
            number += 1
            first += hits[0]
            second += hits[1]
            third += hits[2]
            fourth += hits[3]
    return first / number, second / number, third / number, fourth / number


@register_jitable
def three_to_come(table, on_table, goals, options, next_options, last_options):
    """Seat 1 plays what is best for its own place, before the other two do the same."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    best, number = -1.0, 0
    edges = table | next_options | last_options
    tried = 0
    while options:
        mine = highest(options)
        options &= ~bit(mine)
        if tried and not edges & (bit(tried) - 1) & ~(bit(mine) - 1):
            continue
        tried = mine
        hits = two_to_come(table | bit(mine), placed(on_table, 1, mine), goals, 2, next_options, last_options)
        own = hits[1]
        if own > best:
            best, number = own, 0
            first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        if own == best:
            number += 1
            first += hits[0]
            second += hits[1]
            third += hits[2]
            fourth += hits[3]
    return first / number, second / number, third / number, fourth / number


@register_jitable
def placed(on_table, seat, mine):
    """The strengths on the table with that of one more seat."""
    return (
        on_table[0],
        mine if seat == 1 else on_table[1],
        mine if seat == 2 else on_table[2],
        mine if seat == 3 else on_table[3],
    )


# --- Keeping cards for later places --------------------------------------------------------------------------------


@register_jitable
def keeping_value(view, card, needs):
    """What the choice of ``card`` costs the places to come: strong cards are for firsts, weak ones for lasts."""
    goal = goal_of(view, 0)
    rank = general_rank(card)
    stronger = 0
    cards = int(view.hand)
    while cards:
        other = lowest(cards)
        cards &= ~bit(other)
        stronger += general_rank(other) > rank
    fit = fit_for(stronger, needs)
    value = -KEEP_CLASS * abs(fit - goal)
    if goal == FIRST:
        value -= SPARE * rank
    elif goal == view.num_players:
        value += SPARE * rank
    return value


@register_jitable
def fit_for(stronger, needs):
    """The place that a card is for with so many stronger ones in the hand."""
    first, second, third, _ = needs
    if stronger < first:
        return 1
    if stronger < first + second:
        return 2
    return 3 if stronger < first + second + third else 4


@register_jitable
def last_trick_value(view, card):
    """What the card that is left after ``card`` is worth in the last trick."""
    left = lowest(int(view.hand) & ~bit(card))
    goal = place_marked(view, view.markers[0], 0)
    seats = int(view.num_players)
    if view.trick_size == seats - 1:
        return weight(goal) * last_trick_chance(view, left, winner_with(view, card), goal)
    total = 0.0
    for leader in range(seats):
        total += last_trick_chance(view, left, leader, goal)
    return weight(goal) * total / seats


@register_jitable
def winner_with(view, card):
    """The seat that is first when ``card`` completes the trick."""
    led = led_number(view, card)
    winner, best = 0, strength(card, led)
    for seat in range(1, int(view.num_players)):
        other = strength_on_table(view, seat, led)
        if other > best:
            winner, best = seat, other
    return winner


@register_jitable
def last_trick_chance(view, card, leader, goal):
    """The chance that ``card`` gets the place when ``leader`` leads any of its cards to the last trick."""
    leads = bit(card) if leader == 0 else int(view.known[leader])
    number = max(1, count(leads))
    total = 0.0
    while leads:
        lead = lowest(leads)
        leads &= ~bit(lead)
        led = lead // RANKS
        mine = strength(card, led)
        chances = starting_chances(0)
        for seat in range(1, int(view.num_players)):
            options = bit(strength(lead, led)) if seat == leader else options_of(view, seat, led)
            chances = with_one_more(chances, count(options >> (mine + 1)) / max(1, count(options)))
        total += chances[goal - 1]
    return total / number


# --- Ties ----------------------------------------------------------------------------------------------------------


@register_jitable
def place_to_give(view, legal):
    """Oneself the place that one needs, in Round I any but the first; of others first who does not want the place."""
    place = int(view.open_place)
    mine = legal & bit(GIVE_PLACE)
    if mine and wants(view, place):
        return GIVE_PLACE
    others = legal & ~mine
    best, best_value = lowest(legal), WORST
    while others:
        action = lowest(others)
        others &= ~bit(action)
        goal = goal_of(view, action - GIVE_PLACE)
        value = -weight(goal) if goal == place else 0.0
        if value > best_value:
            best, best_value = action, value
    return best


@register_jitable
def wants(view, place):
    """Whether one wants the place rather than one of those after it: in Round I any but the first."""
    return place == goal_of(view, 0) if view.goal else place != FIRST
