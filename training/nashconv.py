"""Exact NashConv on games of two seats that are small enough to be enumerated.

NashConv (Lanctot et al. 2017) of a bot that holds both seats is what the seats could gain, added up, by answering it
in the best way: the sum over seats of best response value less value. It is 0 exactly where nobody can gain.

A small game is a set of deals, all equally likely, from each of which a hand is played to its end. What a seat knows
at its turn, its information set, is what it has observed at its turns, and the actions so far, which are all public
in these games. A best response chooses one action in each of its information sets.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import trick_envs
from training.evaluation_report import versions_by_name
from training.measurement import BOT_SEED, versions
from training.report import Report, Section, labels
from trick_envs import Game, Table, bots

SEATS = range(2)
RANDOM = "random"  # the bot whose choices are known as chances


# --- Which games -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SmallGame:
    """Deals that are equally likely, as tables at which the first decision is to be made. told: which, in words."""

    game: Game
    told: str
    roots: tuple[Table, ...]


RAGE_GLYPHS_POOL = ("14H", "9H", "11D", "5D", "13M", "2M", "J4")
RAGE_GLYPHS_TURNED = "7H"
RAGE_GLYPHS_CARDS = range(1, 4)
SETBACK_POOL = ("JS", "2S", "TH", "9H", "TD", "KC", "8C")
SETBACK_BIDS = ("bid 2", "pass")
SETBACK_TRICKS = (("AS", "3S"), ("AD", "4D"), ("AC", "5C"), ("AH", "4H"), ("KH", "5H"))
SETBACK_CARDS = range(1, 4)


def rage_glyphs(cards: int) -> SmallGame:
    """A hand of Rage'n Glyphs with its bids; every way to deal both hands from a few cards."""
    _check_cards("rage_glyphs", cards, RAGE_GLYPHS_CARDS)
    game = trick_envs.make("rage_glyphs", num_players=2, hand_sizes=[cards], rewards="relative")
    roots = _deals(game, RAGE_GLYPHS_POOL, ((), ()), cards, [RAGE_GLYPHS_TURNED], ())
    told = f"hands of {cards} from {' '.join(RAGE_GLYPHS_POOL)}, with {RAGE_GLYPHS_TURNED} turned; bids and play"
    return SmallGame(game, told, roots)


def setback(cards: int) -> SmallGame:
    """The end of a hand of Setback after given bids and tricks; every way to deal what is left from a few cards."""
    _check_cards("setback", cards, SETBACK_CARDS)
    game = trick_envs.make("setback", num_players=2, num_hands=1, rewards="relative")
    tricks = SETBACK_TRICKS[: 6 - cards]
    led, followed = zip(*tricks, strict=True)
    played = [card for trick in tricks for card in trick]
    roots = _deals(game, SETBACK_POOL, (followed, led), cards, [], (*SETBACK_BIDS, *played))
    told = (
        f"the last {cards} tricks after {', '.join(SETBACK_BIDS)} and {' '.join(played)}; "
        f"hands of {cards} from {' '.join(SETBACK_POOL)}"
    )
    return SmallGame(game, told, roots)


SMALL_GAMES: dict[str, Callable[[int], SmallGame]] = {"rage_glyphs": rage_glyphs, "setback": setback}


def _check_cards(name: str, cards: int, allowed: range) -> None:
    if cards not in allowed:
        raise ValueError(f"cards={cards}: the small games of {name} have {allowed[0]} to {allowed[-1]} cards a hand")


def _deals(
    game: Game,
    pool: Sequence[str],
    fixed: tuple[Sequence[str], Sequence[str]],
    cards: int,
    next_off_pack: Sequence[str],
    actions: Sequence[str],
) -> tuple[Table, ...]:
    """All ways to deal ``cards`` of the pool to each seat, beside its ``fixed`` ones; seat 0 deals, seat 1 begins.

    next_off_pack: what comes off the pack after the hands. actions: what is done before the first decision.
    """
    roots = []
    for own in combinations(pool, cards):
        rest = [card for card in pool if card not in own]
        for others in combinations(rest, cards):
            hands = ([*fixed[0], *own], [*fixed[1], *others])
            deck = _deck(game, hands, next_off_pack)
            roots.append(game.table(seed=0, decks=[deck], dealer=0, actions=actions))
    return tuple(roots)


def _deck(game: Game, hands: Sequence[Sequence[str]], next_off_pack: Sequence[str]) -> list[str]:
    """A deck from which seat 0 deals these hands."""
    top = len(hands[0]) * len(hands)
    given = [game.cards[card] for card in game.pack]
    likely = game.table(seed=0, decks=[given], dealer=0).hands()  # where the places of a deck go to
    left = [list(hand) for hand in hands]
    deck = [left[next(seat for seat in SEATS if card in likely[seat])].pop(0) for card in given[:top]]
    deck += next_off_pack
    for card in deck:
        given.remove(card)
    return deck + given


# --- The tree --------------------------------------------------------------------------------------------------


@dataclass
class InformationSet:
    """What a seat knows at its turn. table: one of the positions that look so to it. nodes: all of them."""

    seat: int
    actions: tuple[int, ...]
    table: Table
    nodes: list["Node"] = field(default_factory=list)


@dataclass
class Node:
    """A position. At the end ``values`` are the rewards of the seats; before, ``children`` are by action."""

    known: InformationSet | None
    children: list["Node"]
    values: tuple[float, ...]


Key = tuple[int, tuple[bytes, ...], tuple[int, ...]]


@dataclass
class Tree:
    """The whole of a small game."""

    roots: list[Node]
    sets: dict[Key, InformationSet]
    nodes: int
    leaves: int

    @classmethod
    def of(cls, small: SmallGame) -> "Tree":
        """All positions that can be reached from the deals."""
        tree = cls([], {}, 0, 0)
        tree.roots = [tree._grow(root, ((), ()), (), (0.0,) * len(SEATS)) for root in small.roots]
        return tree

    def _grow(
        self, table: Table, seen: tuple[tuple[bytes, ...], ...], actions: tuple[int, ...], values: tuple[float, ...]
    ) -> Node:
        """seen: by seat, what it observed at its turns. actions: what was done. values: what was paid."""
        self.nodes += 1
        if table.over:
            self.leaves += 1
            return Node(None, [], values)
        seat = table.seat
        own = (*seen[seat], table.observe(seat)[0].tobytes())
        seen = tuple(own if other == seat else part for other, part in enumerate(seen))
        legal = tuple(table.legal_actions())
        known = self.sets.setdefault((seat, own, actions), InformationSet(seat, legal, table))
        node = Node(known, [], ())
        known.nodes.append(node)
        for action in legal:
            after = table.copy()
            after.play(action)
            paid = tuple(value + reward for value, reward in zip(values, after.rewards, strict=True))
            node.children.append(self._grow(after, seen, (*actions, action), paid))
        return node

    def count(self, seat: int) -> int:
        """Information sets of a seat."""
        return sum(known.seat == seat for known in self.sets.values())


# --- Strategies and their values -------------------------------------------------------------------------------

Strategy = Mapping[int, Sequence[float]]  # by id() of the information set, the chance of each of its actions


def uniform(tree: Tree) -> dict[int, list[float]]:
    """All legal actions equally likely, for both seats."""
    return {id(known): [1 / len(known.actions)] * len(known.actions) for known in tree.sets.values()}


def strategy_of(tree: Tree, game: Game, name: str) -> dict[int, list[float]]:
    """What the bot called ``name`` does, in both seats; ValueError when it is not there or does not fit the game."""
    bot = bots.make(name, game, BOT_SEED)
    if name == RANDOM:
        return uniform(tree)
    strategy = {}
    for known in tree.sets.values():
        chosen = bot.act(known.table.view(known.seat))
        strategy[id(known)] = [float(action == chosen) for action in known.actions]
    return strategy


def values(tree: Tree, strategy: Strategy) -> tuple[float, float]:
    """What the strategy, held by both seats, is worth to each."""

    def worth(node: Node) -> tuple[float, ...]:
        if node.known is None:
            return node.values
        total = [0.0] * len(SEATS)
        for chance, child in zip(strategy[id(node.known)], node.children, strict=True):
            if chance:
                for seat, value in enumerate(worth(child)):
                    total[seat] += chance * value
        return tuple(total)

    parts = [worth(root) for root in tree.roots]
    first, second = (sum(part[seat] for part in parts) / len(parts) for seat in SEATS)
    return first, second


def best_response(tree: Tree, strategy: Strategy, seat: int) -> float:
    """What the best answer of ``seat`` to the other's strategy is worth to it."""
    reach: dict[int, float] = {}  # by id() of the node: chance that the deal and the other lead there

    def mark(node: Node, chance: float) -> None:
        reach[id(node)] = chance
        if node.known is not None:
            own = node.known.seat == seat
            for odds, child in zip(strategy[id(node.known)], node.children, strict=True):
                mark(child, chance if own else chance * odds)

    worths: dict[int, float] = {}
    choices: dict[int, int] = {}

    def worth(node: Node) -> float:
        if node.known is None:
            return node.values[seat]
        if id(node) not in worths:
            if node.known.seat == seat:
                worths[id(node)] = worth(node.children[choice(node.known)])
            else:
                odds = strategy[id(node.known)]
                worths[id(node)] = sum(p * worth(child) for p, child in zip(odds, node.children, strict=True) if p)
        return worths[id(node)]

    def choice(known: InformationSet) -> int:
        """Index of the best action of an information set: one for all its nodes."""
        if id(known) not in choices:
            totals = [
                sum(reach[id(node)] * worth(node.children[index]) for node in known.nodes if reach[id(node)])
                for index in range(len(known.actions))
            ]
            choices[id(known)] = max(range(len(totals)), key=totals.__getitem__)
        return choices[id(known)]

    for root in tree.roots:
        mark(root, 1 / len(tree.roots))
    return sum(worth(root) for root in tree.roots) / len(tree.roots)


@dataclass(frozen=True)
class NashConv:
    """value: of the bot against itself, by seat. best: of the best responses to it, by seat."""

    bot: str
    value: tuple[float, float]
    best: tuple[float, float]

    @property
    def total(self) -> float:
        """NashConv, in points of a hand."""
        return sum(self.best) - sum(self.value)


def nash_conv(tree: Tree, strategy: Strategy, name: str) -> NashConv:
    """NashConv of a strategy."""
    first, second = (best_response(tree, strategy, seat) for seat in SEATS)
    return NashConv(name, values(tree, strategy), (first, second))


# --- The report ------------------------------------------------------------------------------------------------


def nashconv_report(command: str, small: SmallGame, tree: Tree, results: Sequence[NashConv]) -> Report:
    """The table of bots, with the size of the game."""
    short = labels([result.bot for result in results])
    size = {
        "deals": len(tree.roots),
        "positions": tree.nodes,
        "ends": tree.leaves,
        **{f"information sets of seat {seat}": tree.count(seat) for seat in SEATS},
    }
    content: dict[str, Any] = {
        "command": command,
        "game": small.game.name,
        "options": small.game.options,
        "small_game": small.told,
        "size": size,
        "versions": versions(),
        "results": [
            {"bot": result.bot, "nash_conv": result.total, "value": result.value, "best_response": result.best}
            for result in results
        ],
    }
    table = [
        [short[result.bot], f"{result.total:.4f}", *(f"{number:+.4f}" for number in (*result.value, *result.best))]
        for result in results
    ]
    columns = ["bot", "NashConv", "value, seat 0", "seat 1", "best response, seat 0", "seat 1"]
    sections = [
        Section("NashConv, points of a hand", columns, table, "Exact; values are own points less the other's."),
        Section("Size of the game", ["what", "how many"], [[name, f"{count:,}"] for name, count in size.items()]),
    ]
    facts = {"game": small.game.name, "options": small.game.options, "deals": small.told, **versions_by_name()}
    return Report(f"{small.game.name}, 2 seats: {small.told}", command, facts, content, sections)
