"""OpenSpiel's Hearts as a second opinion on one four-seat hand, spoken to in our card ids, seats and points.

How it is set up (OpenSpiel 2.0.2), so that it means our rules:

| OpenSpiel option | value | for our rule |
|---|---|---|
| pass_cards | True | direction chosen by us, its "no pass" for a hold hand |
| no_pts_on_first_trick | True | no heart or QS on trick 1, unless the seat holds nothing else |
| can_lead_any_club | False | 2C is led |
| must_break_hearts | True | no heart led before hearts are broken |
| can_lead_hearts_instead_of_qs | False | only hearts and QS held, hearts unbroken: QS must be led |
| qs_breaks_hearts | `queen_breaks_hearts` | the same |
| jd_bonus | `omnibus` | JD takes 10 off, in a moon hand too, and is not part of the moon |
| avoid_all_tricks_bonus | False | we have no such bonus |

Differences this module hides:
- Card ids: ours are 13 * suit + (rank - 2) in suit order clubs, diamonds, spades, hearts; OpenSpiel's are
  4 * (rank - 2) + suit in suit order clubs, diamonds, hearts, spades. Card names are the same.
- Pass order: one seat picks all three cards before the next, as with us, but OpenSpiel always begins with
  its seat 0. Our seats are therefore turned so that `first_seat` (the dealer's left) is its seat 0. In both
  engines the left neighbour is the next seat in turn order.
- A picked card leaves the OpenSpiel hand at once; `hands()` puts it back until all have passed, as ours does.
- Returns: OpenSpiel returns 26 minus the points of the hand; `points()` turns that back.
- Moon: OpenSpiel always adds 26 to the others. `points("subtract")` works out the other way to score it.
- `apply_action` takes a revoke or any other held card in silence; `play()` here refuses what is not legal.
- With its pass_cards=False, `chance_outcomes()` still lists all four directions though only "no pass" is
  legal. That option is never set here, and no chance outcome is sampled.

Differences that stay, so that a comparison has to leave them out:
- One hand only: no match, dealer, running scores, target or hand limit, no rotation of the pass direction.
- Four seats and one pack only: no 3, 5, 6 or 7 seats, no cancellation.
- Passing is three cards or none: our `pass_cards` 1, 2 and 4 cannot be said.
- No moon phase: OpenSpiel's hand is over after the last card; our actions 52 and 53 have no counterpart.
"""

from collections.abc import Sequence
from typing import Literal, TypeVar

import pyspiel

T = TypeVar("T")
PassDirection = Literal["left", "right", "across"]

SEATS = 4
HAND_SIZE = 13
POINTS_IN_PACK = 26

PASS_ROTATION: tuple[PassDirection | None, ...] = ("left", "right", "across", None)
"""Pass direction by hand number modulo four in our rules; None is the hold hand."""

_RANKS = "23456789TJQKA"
_OUR_SUITS = "CDSH"
_OPENSPIEL_SUITS = "CDHS"
_OPENSPIEL_DIRECTIONS: dict[PassDirection | None, int] = {None: 0, "left": 1, "across": 2, "right": 3}

CARD_NAMES = tuple(rank + suit for suit in _OUR_SUITS for rank in _RANKS)
"""Card names by our card id."""


def card_id(name: str) -> int:
    """Our id of a named card, as "QS" -> 36."""
    return CARD_NAMES.index(name)


def to_openspiel(card: int) -> int:
    """OpenSpiel's action for our card id."""
    suit, rank = divmod(card, len(_RANKS))
    return len(_OPENSPIEL_SUITS) * rank + _OPENSPIEL_SUITS.index(_OUR_SUITS[suit])


def from_openspiel(action: int) -> int:
    """Our card id for OpenSpiel's action (a card, not a pass direction)."""
    rank, suit = divmod(action, len(_OPENSPIEL_SUITS))
    return len(_RANKS) * _OUR_SUITS.index(_OPENSPIEL_SUITS[suit]) + rank


class OpenSpielHearts:
    """One hand of Hearts in OpenSpiel, from a given deal."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        pass_direction: PassDirection | None,
        *,
        first_seat: int = 0,
        queen_breaks_hearts: bool = True,
        omnibus: bool = False,
    ) -> None:
        """Deal `hands` (card names by our seat) with a pass direction, None for a hold hand.

        `first_seat` is the seat that picks its passes first: the dealer's left.
        """
        _check_deal(hands)
        self.first_seat = first_seat
        self.state = _load(queen_breaks_hearts, omnibus).new_initial_state()
        self.state.apply_action(_OPENSPIEL_DIRECTIONS[pass_direction])
        for round_of_deal in range(HAND_SIZE):
            for their_seat in range(SEATS):
                name = hands[self._our_seat(their_seat)][round_of_deal]
                self.state.apply_action(to_openspiel(card_id(name)))

    @property
    def seat(self) -> int:
        """The seat to act, -1 when the hand is over."""
        return -1 if self.over else self._our_seat(self.state.current_player())

    @property
    def over(self) -> bool:
        """Whether all 52 cards have been played."""
        return self.state.is_terminal()

    @property
    def phase(self) -> Literal["pass", "play", "over"]:
        """What the seat to act is asked for."""
        phases: dict[str, Literal["pass", "play", "over"]] = {
            "Pass": "pass",
            "Play": "play",
            "GameOver": "over",
        }
        return phases[self.state.to_struct().phase]

    @property
    def broken(self) -> bool:
        """Whether hearts may be led."""
        return self.state.hearts_broken()

    def legal_actions(self) -> list[int]:
        """Our ids of the cards the seat to act may pass or play, ascending; empty when the hand is over."""
        return sorted(from_openspiel(action) for action in self.state.legal_actions())

    def play(self, card: int) -> None:
        """Pass or play the card with our id; ValueError if OpenSpiel does not list it as legal."""
        if card not in self.legal_actions():
            raise ValueError(f"card {card} is not legal for seat {self.seat} in phase {self.phase}")
        self.state.apply_action(to_openspiel(card))

    def hands(self) -> list[list[str]]:
        """Card names held, by our seat, in order of our ids; with the picked cards until all have passed."""
        struct = self.state.to_struct()
        held = [list(hand) for hand in struct.hands]
        if struct.phase == "Pass":
            held = [hand + list(picked) for hand, picked in zip(held, struct.passed_cards, strict=True)]
        return [sorted(hand, key=card_id) for hand in self._by_our_seat(held)]

    def returns(self) -> list[float]:
        """OpenSpiel's own returns by our seat: 26 minus points at the end, zeros before."""
        return self._by_our_seat(self.state.returns())

    def points(self, moon: Literal["add", "subtract"] = "add") -> list[int]:
        """Penalty points of the finished hand by our seat (low is good), a moon scored as `moon` says."""
        if not self.over:
            raise ValueError("the hand is not over")
        points = [POINTS_IN_PACK - round(value) for value in self.returns()]
        shot = sum(points) > POINTS_IN_PACK  # only a moon, at 78 (68 with JD), exceeds the pack
        if shot and moon == "subtract":
            return [value - POINTS_IN_PACK for value in points]
        return points

    def _our_seat(self, their_seat: int) -> int:
        return (their_seat + self.first_seat) % SEATS

    def _by_our_seat(self, by_their_seat: Sequence[T]) -> list[T]:
        return [by_their_seat[(seat - self.first_seat) % SEATS] for seat in range(SEATS)]


def _load(queen_breaks_hearts: bool, omnibus: bool) -> pyspiel.Game:
    """OpenSpiel's game under our rules; every option is named, as the defaults may change."""
    return pyspiel.load_game(
        "hearts",
        {
            "pass_cards": True,
            "no_pts_on_first_trick": True,
            "can_lead_any_club": False,
            "must_break_hearts": True,
            "can_lead_hearts_instead_of_qs": False,
            "qs_breaks_hearts": queen_breaks_hearts,
            "jd_bonus": omnibus,
            "avoid_all_tricks_bonus": False,
        },
    )


def _check_deal(hands: Sequence[Sequence[str]]) -> None:
    """ValueError unless the hands are four of 13 cards that make up the pack."""
    if [len(hand) for hand in hands] != [HAND_SIZE] * SEATS:
        raise ValueError("OpenSpiel plays four hands of 13 cards")
    if sorted(name for hand in hands for name in hand) != sorted(CARD_NAMES):
        raise ValueError("the hands do not make up one pack of 52")
