"""The Setback rule bot: what a careful player does, from what its seat may know.

Bidding, it takes each suit as trump in turn, puts a chance on each of the four points, and bids as long as what the
bid should bring, set-backs counted, is more than passing brings. Playing, each card gets a value in points: what the
trick is worth to its side, times the chance to win it, less what the card would still have been good for.

A chance that a card is out against the bot counts from the cards it has not seen: most of the pack stays undealt.

The chances in bidding are fitted to what the bot made of random hands; the other constants were chosen by letting
variants meet on the same deals (``python -m benchmarks.bot_sweep``).
"""

from numba.extending import register_jitable

from trick_envs.bits import bit, count, highest, lowest
from trick_envs.games.setback import (
    ACES,
    BIDS,
    CARDS_EACH,
    JACKS,
    KINGS,
    LOWEST_BID,
    PASSED,
    QUEENS,
    RANKS,
    SMUDGE,
    SUIT_CARDS,
    TENS,
)
from trick_envs.games.table import BID

PARTNER = 2  # seats away, when there are partnerships
WORST = -1000.0
SUITS = len(SUIT_CARDS)
ALL_CARDS = (1 << RANKS * SUITS) - 1

# Bidding: chances of the four points with a suit as trump
LOW_BASE, LOW_AN_OPPONENT = 0.60, -0.10
LOW_HELD, LOW_A_TRUMP, LOW_ACE, LOW_KING, LOW_QUEEN = 0.20, 0.09, 0.22, 0.14, 0.11
JACK_HELD, JACK_HELD_A_TRUMP = 0.74, 0.10  # to save one's own
JACK_PARTNER, JACK_ACE, JACK_KING, JACK_QUEEN = 0.30, 0.30, 0.23, 0.20  # to win another's, when it is out
GAME_BASE, GAME_AN_OPPONENT, GAME_PARTNER = 0.38, -0.10, 0.18
GAME_A_TRUMP, GAME_ACE, GAME_KING, GAME_QUEEN, GAME_TEN, GAME_SIDE_HONOUR = 0.09, 0.20, 0.11, 0.06, 0.13, 0.10
LEAST_CHANCE, BEST_CHANCE = 0.02, 0.95
SMUDGE_TRUMPS = 5  # with the four highest among them
# Bidding: what passing is worth, in points
PASS_ALONE, PASS_PARTNERS, PASS_TO_PARTNER = 0.3, 0.3, 1.0
WIN_BONUS, THREAT = 3.0, 1.0  # a bid that ends the match; an opponent whose next bid may

# Playing: what cards are worth in a trick
POINT = 1.0
GAME_POINT = 0.14  # of the point for Game, a card point, shared among the seats
OTHERS_GAME = 1.5  # card points that another seat still adds to a trick
DRAW = 0.10  # what a led trump that wins pulls from each opponent
LOSS_TO_DEFENDER = 0.7  # what a trick counts that goes to another seat than the pitcher, when each plays alone

# Playing: what the others do
RUFF = 0.5  # how ready they are to trump a side suit
PITCHER_TRUMPS = 2.0  # the pitcher holds more of them than chance gives
PARTNER_TAKES = 0.8  # how likely the partner wins a trick when it holds a card that does

# Playing: what a card is still good for
KEEP_TRUMP, KEEP_TOP_TRUMP = 0.08, 0.18  # for each opponent
KEEP_TOP_SIDE = 0.15
KEEP_JACK = 0.95  # a little less than it is worth in a trick that is surely won


@register_jitable
def rules(view):
    """The action it chooses, an id, for the observer of ``view``, who is on turn."""
    legal = view.legal[0]
    if view.phase == BID:
        return best_bid(view, legal)
    if count(legal) == 1:
        return lowest(legal)
    if view.trump_cards == 0:
        trump = SUIT_CARDS[best_suit(view)]
        return best_card(view, legal & trump, trump)
    return best_card(view, legal, view.trump_cards)


# --- Who plays with whom -----------------------------------------------------------------------------------------


@register_jitable
def opponent(view, seat):
    """Whether the seat plays against the observer."""
    return seat != 0 and not (view.partners and seat == PARTNER)


@register_jitable
def opponents(view):
    """How many seats play against the observer."""
    return 2 if view.partners else int(view.num_players) - 1


@register_jitable
def none_of(cards, share):
    """The chance that none of so many cards is where each is with the chance ``share``."""
    chance = 1.0
    for _ in range(cards):
        chance *= 1.0 - share
    return chance


@register_jitable
def within(chance):
    return max(LEAST_CHANCE, min(BEST_CHANCE, chance))


# --- Bidding -----------------------------------------------------------------------------------------------------


@register_jitable
def best_bid(view, legal):
    """The highest bid that is better than to pass, so that others do not overcall; the lowest when it speaks last."""
    suit = best_suit(view)
    if smudges(view, suit) and legal & bit(BIDS + SMUDGE):
        return BIDS + SMUDGE
    two, three, four = chances_to_make(view, suit)
    needed = int(view.target) - int(view.scores[0])
    passing = pass_value(view)
    chosen = lowest(legal)  # a pass, or the lowest bid of a dealer who must bid
    for points in range(LOWEST_BID, SMUDGE):
        if legal & bit(BIDS + points):
            value = bid_value(points, two, three, four)
            value += WIN_BONUS * at_least(max(points, needed), two, three, four)
            if value > passing:
                chosen = BIDS + points
            if speaks_last(view) or value <= passing:
                break
    return chosen


@register_jitable
def speaks_last(view):
    return view.dealer == 0


@register_jitable
def at_least(points, two, three, four):
    """The chance of so many points."""
    if points <= 2:
        return two
    if points == 3:
        return three
    return four if points == 4 else 0.0


@register_jitable
def bid_value(points, two, three, four):
    """What the bid should bring: the points that are made with it, less the bid where it fails."""
    made = at_least(points, two, three, four)
    total = points * made
    if points < 3:
        total += three
    if points < 4:
        total += four
    return total - points * (1.0 - made)


@register_jitable
def pass_value(view):
    """What passing should bring: less when an opponent may win the match with the next bid."""
    if view.partners and view.highest_bid != PASSED and view.pitcher == PARTNER:
        return PASS_TO_PARTNER
    value = PASS_PARTNERS if view.partners else PASS_ALONE
    for seat in range(1, view.num_players):
        if opponent(view, seat) and int(view.scores[seat]) + LOWEST_BID >= int(view.target):
            return value - THREAT
    return value


@register_jitable
def best_suit(view):
    """The suit, by number, that should make most points as trump."""
    best, best_value = 0, WORST
    for suit in range(SUITS):
        if view.hand & SUIT_CARDS[suit]:
            high, low, jack, game = point_chances(view, SUIT_CARDS[suit])
            value = high + low + jack + game
            if value > best_value:
                best, best_value = suit, value
    return best


@register_jitable
def chances_to_make(view, suit):
    """The chances of two, three and four points at least, with that suit as trump."""
    high, low, jack, game = point_chances(view, SUIT_CARDS[suit])
    four = high * low * jack * game
    three = (
        (1 - high) * low * jack * game
        + high * (1 - low) * jack * game
        + high * low * (1 - jack) * game
        + high * low * jack * (1 - game)
    )
    none = (1 - high) * (1 - low) * (1 - jack) * (1 - game)
    one = (
        high * (1 - low) * (1 - jack) * (1 - game)
        + (1 - high) * low * (1 - jack) * (1 - game)
        + (1 - high) * (1 - low) * jack * (1 - game)
        + (1 - high) * (1 - low) * (1 - jack) * game
    )
    return 1 - none - one, three + four, four


@register_jitable
def point_chances(view, trump):
    """The chances to make high, low, jack and game with ``trump``, of which the hand holds some."""
    mine = view.hand & trump
    others = trump & ~mine
    more = count(mine) - 2
    ace, king, queen, ten = count(mine & ACES), count(mine & KINGS), count(mine & QUEENS), count(mine & TENS)
    unseen = RANKS * SUITS - CARDS_EACH
    against = CARDS_EACH * opponents(view) / unseen
    out = CARDS_EACH * (int(view.num_players) - 1) / unseen
    high = none_of(count(others & ~(bit(highest(mine)) - 1)), against)
    below = count(others & (bit(lowest(mine)) - 1))
    if view.low_to_holder:
        low = none_of(below, against)
    else:
        low = LOW_BASE + LOW_AN_OPPONENT * opponents(view) + LOW_HELD * none_of(below, out) + LOW_A_TRUMP * more
        low += LOW_ACE * ace + LOW_KING * king + LOW_QUEEN * queen
    if mine & JACKS:
        jack = JACK_HELD + JACK_HELD_A_TRUMP * more
    else:
        jack = out * (JACK_PARTNER * view.partners + JACK_ACE * ace + JACK_KING * king + JACK_QUEEN * queen)
    game = GAME_BASE + GAME_AN_OPPONENT * opponents(view) + GAME_PARTNER * view.partners + GAME_A_TRUMP * more
    game += GAME_ACE * ace + GAME_KING * king + GAME_QUEEN * queen + GAME_TEN * ten
    game += GAME_SIDE_HONOUR * count(view.hand & ~trump & (ACES | KINGS))
    return within(high), within(low), within(jack), within(game)


@register_jitable
def smudges(view, suit):
    """Whether every trick looks sure: all but one card are trumps, with the four highest."""
    mine = view.hand & SUIT_CARDS[suit]
    tops = SUIT_CARDS[suit] & (ACES | KINGS | QUEENS | JACKS)
    rest = view.hand & ~mine
    return mine & tops == tops and count(mine) >= SMUDGE_TRUMPS and rest & ~ACES == 0


# --- Playing -----------------------------------------------------------------------------------------------------


@register_jitable
def best_card(view, cards, trump):
    unseen = unseen_cards(view)
    best, best_value = lowest(cards), WORST
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        value = card_value(view, card, trump, unseen)
        if value > best_value:
            best, best_value = card, value
    return best


@register_jitable
def unseen_cards(view):
    """The cards that are neither held nor, as far as the seat remembers, played; most of them were not dealt."""
    seen = view.hand
    for seat in range(view.num_players):
        seen |= view.played[seat]
    return ALL_CARDS & ~seen


@register_jitable
def card_value(view, card, trump, unseen):
    """What the trick is worth with the card in it, won or lost, less what the card is still good for."""
    later = int(view.num_players) - 1 - int(view.trick_size)
    stake = trick_worth(view, view.trick_cards | bit(card), trump, unseen) + game_point(view) * OTHERS_GAME * later
    wins = win_chance(view, card, trump, unseen)
    value = wins * stake - (1.0 - wins) * loss(view, card, trump) * stake
    if view.trick_size == 0 and bit(card) & trump:
        value += wins * DRAW * opponents(view)
    return value - keep_value(view, card, trump, unseen)


@register_jitable
def trick_worth(view, cards, trump, unseen):
    """What cards are worth, in points, to the side that wins them."""
    aces = ACES if view.all_aces_count else ACES & trump
    worth = game_point(view) * (
        10 * count(cards & TENS)
        + 4 * count(cards & aces)
        + 3 * count(cards & KINGS)
        + 2 * count(cards & QUEENS)
        + count(cards & JACKS)
    )
    if cards & JACKS & trump:
        worth += POINT
    if not view.low_to_holder and cards & trump:
        worth += POINT * low_chance(view, lowest(cards & trump), trump, unseen)
    return worth


@register_jitable
def game_point(view):
    """What one card point counts of the point for Game."""
    return GAME_POINT / int(view.num_players)


@register_jitable
def low_chance(view, card, trump, unseen):
    """The chance that no trump below the card was dealt, itself one that is held or played."""
    lower = trump & (bit(card) - 1)
    if lower & ~unseen:
        return 0.0
    return none_of(count(lower), share_held(view, unseen, int(view.num_players) - 1))


@register_jitable
def share_held(view, unseen, seats):
    """The chance that an unseen card is held by one of so many seats."""
    held = (CARDS_EACH - int(view.trick_number)) * seats
    return min(0.9, held / max(1, count(unseen)))


@register_jitable
def loss(view, card, trump):
    """How much it counts when another side wins the trick."""
    if view.partners or view.num_players == 2 or view.pitcher == 0:
        return 1.0
    if view.trick_size > 0 and not beats(view, card, trump):
        return 1.0 if view.winner == view.pitcher else LOSS_TO_DEFENDER
    return (1.0 + LOSS_TO_DEFENDER) / 2


@register_jitable
def beats(view, card, trump):
    """Whether the card beats the one that is winning the trick."""
    winning = bit(view.winning_card)
    suit = SUIT_CARDS[card // RANKS]
    if winning & suit:
        return card > view.winning_card
    return suit == trump


@register_jitable
def win_chance(view, card, trump, unseen):
    """The chance that the observer's side wins the trick when the card is played."""
    if view.trick_size == 0 or beats(view, card, trump):
        return stands(view, card, trump, unseen)
    later = int(view.num_players) - 1 - int(view.trick_size)
    if not opponent(view, view.winner):
        return stands(view, view.winning_card, trump, unseen)
    if view.partners and later >= PARTNER:
        return PARTNER_TAKES * beat_chance(view, PARTNER, view.winning_card, trump, unseen)
    return 0.0


@register_jitable
def stands(view, card, trump, unseen):
    """The chance that no opponent who is still to play beats the card."""
    chance = 1.0
    for seat in range(1, int(view.num_players) - int(view.trick_size)):
        if opponent(view, seat):
            chance *= 1.0 - beat_chance(view, seat, card, trump, unseen)
    return chance


@register_jitable
def beat_chance(view, seat, card, trump, unseen):
    """The chance that a seat still to play holds a card that beats this one, and plays it."""
    may_hold = unseen & ~view.not_held[seat]
    suit = SUIT_CARDS[card // RANKS]
    share = share_held(view, may_hold, 1)
    trump_share = min(0.9, PITCHER_TRUMPS * share) if seat == view.pitcher else share
    higher = count(may_hold & suit & ~(bit(card) - 1))
    if suit == trump:
        return 1.0 - none_of(higher, trump_share)
    ruffs = RUFF * (1.0 - none_of(count(may_hold & trump), trump_share))
    return 1.0 - none_of(higher, share) * (1.0 - ruffs)


@register_jitable
def keep_value(view, card, trump, unseen):
    """What the card is still good for when it is not played now."""
    suit = SUIT_CARDS[card // RANKS]
    higher = count(unseen & suit & ~(bit(card) - 1))
    boss = none_of(higher, share_held(view, unseen, opponents(view)))
    if suit != trump:
        return KEEP_TOP_SIDE * boss
    if bit(card) & JACKS:
        return KEEP_JACK
    return opponents(view) * (KEEP_TRUMP + KEEP_TOP_TRUMP * boss)
