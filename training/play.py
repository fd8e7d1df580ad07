"""A person against bots, in the terminal."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

import trick_envs
from trick_envs import Game, IllegalAction, Table
from trick_envs.bots import Bot
from trick_envs.views.events import Event
from trick_envs.views.text import picture, suited

MOST_HANDS = 500  # of a match that has no bound of its own, so that there is room for what is told
UNTOLD = {"dealt", "picked", "kitty_to", "score", "match_over", "cut_short"}  # seen elsewhere, or not worth it
GATHERED = {"received": "passed to you", "kitty": "in the kitty that you won"}
POINT_SUIT, QUEEN_OF_SPADES = "H", "QS"


def told_game(game: Game) -> Game:
    """``game`` with all of a match's events kept, which ``play_match`` tells of."""
    options = {**game.options, "observation": "both", "events_of": "match"}
    if options["num_hands"] is None and options["max_hands"] is None:
        options["max_hands"] = MOST_HANDS
    return trick_envs.make(game.name, **options)


def play_match(table: Table, seat: int, bot: Bot, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
    """Play the match on with a person in ``seat`` and ``bot`` in the others, until it is over or the person stops.

    table: of a game by ``told_game``. ask: gets a prompt, returns the answer. tell: shows a text.
    Raises ValueError when there is no such seat.
    """
    if seat not in range(table.game.num_players):
        raise ValueError(f"seat={seat}: a seat from 0 to {table.game.num_players - 1}")
    tell(_welcome(table, seat, bot))
    try:
        ending = _play_on(table, seat, bot, ask, tell)
    except EOFError:
        ending = "\nend of input"
    except KeyboardInterrupt:
        ending = "\ninterrupted"
    if table.over:
        tell("\n" + _own_picture(table, seat, all_hands=True))
    else:
        scores = ", ".join(f"{name} {score}" for name, score in zip(_names(table, seat), table.scores, strict=True))
        tell(f"{ending} in hand {table.hand_number + 1}, before the end of the match; scores: {scores}")


def _play_on(table: Table, seat: int, bot: Bot, ask: Callable[[str], str], tell: Callable[[str], None]) -> str:
    """Play until the match is over, or the person stops; in words, which of both."""
    narrator = _Narrator(table, seat)
    while True:
        for line in narrator.news():
            tell(line)
        if table.over:
            return "over"
        if table.seat != seat:
            table.play(bot.act(table.view(table.seat)))
        elif not _person_acts(table, seat, ask, tell):
            return "stopped"


def _person_acts(table: Table, seat: int, ask: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    """Ask until the answer is legal and do it; whether the person goes on."""
    tell("\n" + _own_picture(table, seat))
    legal = [table.game.action_name(action) for action in table.legal_actions()]
    while True:
        answer = ask("you: ").strip()
        if answer.lower() == "q":
            return False
        if answer == "?":
            tell(f"allowed: {suited(legal) if table.phase == 'play' else ', '.join(legal)}\n{_help(legal)}")
            continue
        try:
            table.play(meant(answer, legal))
        except IllegalAction as refusal:
            tell(_to_you(str(refusal), seat))
        else:
            return True


def meant(answer: str, legal: Sequence[str]) -> str:
    """The legal action that the answer spells in any case; ``answer`` itself where that is none, or not clear.

    A ten may be 10 instead of T, and the last word stands for a name of several.

    >>> meant("10s", ["9S", "TS"]), meant("3", ["pass", "bid 3"])
    ('TS', 'bid 3')
    """
    spelt = " ".join(answer.lower().split())
    for spelling in (str, _with_10, _last_word):
        found = [name for name in legal if spelling(name).lower() == spelt]
        if len(found) == 1:
            return found[0]
    return answer


def _with_10(name: str) -> str:
    return re.sub(r"^T(?=.$)", "10", name)


def _last_word(name: str) -> str:
    return name.split()[-1]


# --- Who is who -------------------------------------------------------------------------------------------------


def _welcome(table: Table, seat: int, bot: Bot) -> str:
    game = table.game
    partners = [other for other in range(game.num_players) if other != seat and game.sides[other] == game.sides[seat]]
    together = f", partner of {' and '.join(f'seat {other}' for other in partners)}" if partners else ""
    you = f"{game.name}: you are seat {seat} of 0 to {game.num_players - 1}{together}"
    return f"{you}; {bot.name} in all other seats.\n{_help(table.hands()[seat])}"


def _help(names: Sequence[str]) -> str:
    """How to answer. names: of actions, of which the last is the example."""
    return f"Answer by the name of a card or action, such as {names[-1]}; ? shows what is allowed, q stops."


def _names(table: Table, seat: int) -> list[str]:
    """By seat, what it is called."""
    return ["you" if other == seat else f"seat {other}" for other in range(table.game.num_players)]


def _to_you(text: str, seat: int) -> str:
    return re.sub(rf"\bseat {seat}\b", "you", text)


def _own_picture(table: Table, seat: int, all_hands: bool = False) -> str:
    """The table's picture with the person's seat as "you" and partners marked."""
    sides = table.game.sides
    lines = picture(table, None if all_hands else seat).splitlines()
    headlines, rows = lines[1 : -len(sides)], lines[-len(sides) :]  # the first says what was told when it was dealt
    name = f"seat {seat}"
    rows[seat] = rows[seat].replace(name, "you".rjust(len(name)), 1)
    for other, side in enumerate(sides):
        if other != seat and side == sides[seat]:
            rows[other] += "  (your partner)"
    return "\n".join([*(_to_you(line, seat) for line in headlines), *rows])


# --- What happened ------------------------------------------------------------------------------------------------


@dataclass
class _Hand:
    """What the events of a hand came to. Seats are counted from the person's."""

    tricks: list[tuple[int, list[str]]] = field(default_factory=list)
    bids: dict[int, str] = field(default_factory=dict)
    markers: dict[int, int] = field(default_factory=dict)
    points: dict[int, int] = field(default_factory=dict)


class _Narrator:
    """Tells the events that a seat has been allowed to see, each once: a line a trick, a table a hand."""

    def __init__(self, table: Table, seat: int):
        self.table = table
        self.seat = seat
        seats = table.game.num_players
        names = _names(table, seat)
        self.names = [names[(seat + place) % seats] for place in range(seats)]
        self.words = {kind.name: kind.words for kind in table.game.vocabulary.kinds}
        self.told = 0
        self.hands = 0
        self.plays: list[tuple[int, str]] = []
        self.places: list[int] = []
        self.gathered: list[str] = []
        self.hand = _Hand()

    def news(self) -> list[str]:
        """Lines for what happened since the last call."""
        events = self.table.events(self.seat)
        new = self.table.game.vocabulary.decode(events[self.told :])
        self.told = int(np.count_nonzero(events))
        lines: list[str] = []
        for place, event in enumerate(new):
            lines += self._lines(event)
            following = new[place + 1].kind if place + 1 < len(new) else ""
            if event.kind in GATHERED and following != event.kind:
                lines.append(f"{GATHERED[event.kind]}: {suited(self.gathered)}")
                self.gathered = []
        return lines

    def _lines(self, event: Event) -> list[str]:
        who, value = event.who or 0, str(event.value)
        match event.kind:
            case "deals":
                self.hands += 1
                self.hand = _Hand()
                return ["", f"--- hand {self.hands}: {self._sentence(event)} ---"]
            case "plays":
                self.plays.append((who, value))
                return []
            case "takes":
                self.hand.tricks.append((who, [card for _, card in self.plays]))
                return [self._trick(self._sentence(event))]
            case "stays":
                return [self._trick(self._sentence(event))]
            case "place":
                return self._place(who)
            case "hand_score":
                self.hand.points[who] = int(value)
                return self._hand_table() if len(self.hand.points) == len(self.names) else []
            case "bids":
                self.hand.bids[who] = value
            case "marker":
                self.hand.markers[who] = self.hand.markers.get(who, 0) + 1
            case "received" | "kitty":
                self.gathered.append(value)
                return []
        return [] if event.kind in UNTOLD else [self._sentence(event)]

    def _sentence(self, event: Event) -> str:
        """An event in words, to the person."""
        words = self.words[event.kind].format(who=self.names[event.who or 0], value=event.value)
        words = re.sub(r"\b(I|me)\b", "you", words).replace("bids: bid ", "bids ")
        if event.who == 0:
            words = re.sub(r"^you (\w+)", lambda found: f"you {_plural(found[1])}", words)
            words = re.sub(r"\bits\b", "your", words)
        return words

    def _trick(self, outcome: str) -> str:
        leader, led = self.plays[0]
        verb = "lead" if leader == 0 else "leads"
        followers = [f"{self.names[who]} {card}" for who, card in self.plays[1:]]
        self.plays = []
        return f"{', '.join([f'{self.names[leader]} {verb} {led}', *followers])}: {outcome}"

    def _place(self, who: int) -> list[str]:
        self.places.append(who)
        if len(self.places) < len(self.names):
            return []
        order = ", ".join(f"{place} {self.names[seat]}" for place, seat in enumerate(self.places, 1))
        self.places = []
        return [self._trick(f"places {order}")]

    def _hand_table(self) -> list[str]:
        """What a settled hand came to, a row a seat from the person on."""
        hand, seats = self.hand, len(self.names)
        columns: dict[str, list[str]] = {"": self.names}
        if hand.bids:
            columns["bid"] = [hand.bids.get(who, "-").removeprefix("bid ") for who in range(seats)]
        if hand.tricks:
            takers = [taker for taker, _ in hand.tricks]
            columns["tricks"] = [str(takers.count(who)) for who in range(seats)]
        if hand.markers:
            columns["markers recovered"] = [str(hand.markers.get(who, 0)) for who in range(seats)]
        columns["points"] = [f"{hand.points[who]:+d}" if hand.points[who] else "0" for who in range(seats)]
        scores = self.table.scores
        columns["score"] = [str(scores[(self.seat + who) % seats]) for who in range(seats)]
        widths = {title: max(len(title), *map(len, cells)) for title, cells in columns.items()}
        rows = [list(columns), *(list(row) for row in zip(*columns.values(), strict=True))]
        table = ["  ".join(map(str.rjust, row, widths.values())) for row in rows]
        return ["", f"hand {self.hands} is over", *table, *self._verdict()]

    def _verdict(self) -> list[str]:
        """What people say of a hand of this game, if anything."""
        hand = self.hand
        match self.table.game.name:
            case "setback":
                bidders = [who for who, bid in hand.bids.items() if bid != "pass"]
                if not bidders:
                    return []
                pitcher = bidders[-1]
                made = "made" if hand.points[pitcher] > 0 else "not made"
                return [f"the {_bid_name(hand.bids[pitcher])} of {self.names[pitcher]} was {made}"]
            case "hearts":
                takers = {taker for taker, cards in hand.tricks if any(map(_costs, cards))}
                return [
                    f"{self.names[who]} shot the moon" for who in takers if len(takers) == 1 and hand.points[who] <= 0
                ]
        return []


def _bid_name(bid: str) -> str:
    return f"bid of {bid.removeprefix('bid ')}" if bid.startswith("bid ") else bid


def _costs(card: str) -> bool:
    return card.endswith(POINT_SUIT) or card == QUEEN_OF_SPADES


def _plural(verb: str) -> str:
    """A verb as it goes with "you"."""
    return {"is": "are"}.get(verb, verb.removesuffix("s"))
