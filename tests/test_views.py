"""What seats see: nothing hidden leaks, every entry of an observation is used, words fit the numbers."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

import trick_envs
from tests.games import CASES, DEFAULTS, Case
from tests.helpers import deal, play
from tests.playing import STYLES, features, play_on, positions
from trick_envs import bots
from trick_envs.engine import loops
from trick_envs.views.text import picture

HIDDEN_PHASES = ("pass",)  # in which the others see that a seat acts, but not what it does
IN_THE_OPEN = ("phase", "seat", "trick", "tricks_won", "scores")  # beside what the game shows
EXCHANGES = 12  # for each game with its defaults
FEWER_EXCHANGES = 4  # for each other case
FEWEST_COMPARED = 1 / 40  # of the positions in play, before the worlds part
POISONS = (-128, 99)
BOTS = ("random", "rules")


# --- Nothing hidden leaks


Look = Callable[[trick_envs.Table, int], trick_envs.View]


def all_seen(table: trick_envs.Table, seat: int, look: Look = trick_envs.Table.view) -> dict[str, object]:
    """All that a seat gets to see of a table, and what bots do with it."""
    view = look(table, seat)
    return {
        "facts": view.facts(),
        "features": features(table, seat).tolist(),
        "events": table.events(seat).tolist() if table.game.has_events else [],
        "mask": table.action_mask(seat).tolist(),
        "record": view.record.tobytes(),
        "choices": choices(view, BOTS),
    }


def choices(view: trick_envs.View, names: Sequence[str]) -> list[int]:
    """What bots do for a seat, nothing off turn."""
    return [bots.make(name, view.game, seed=1).act(view) for name in names if view.on_turn]


def seen_alone(table: trick_envs.Table, seat: int) -> trick_envs.View:
    """The view of a table that need not be one that can come about, of which there are no worlds."""
    record = table.game.new_views()
    loops.see_one(table.records, seat, record)
    return trick_envs.View(table.game, record, table.records.copy(), seat)


@dataclass
class Worlds:
    """Two tables whose decks differ in two cards that are hidden from the observer."""

    first: trick_envs.Table
    second: trick_envs.Table
    observer: int
    exchanged: dict[str, str]
    shown: Sequence[str]
    rest_differs: bool  # whether one of the cards was dealt to nobody

    @property
    def differ(self) -> bool:
        """Whether there is anything, hidden or not, that is not the same."""
        return bool((self.first.state(self.observer) != self.second.state(self.observer)).any())

    @property
    def parted(self) -> bool:
        """Whether the observer can tell one world from the other by what lies in the open, or has come to it."""
        first, second = self.first, self.second
        kitty_is_won = sum(first.tricks_won) == first.tricks_won[self.observer] == 1
        return (
            any(getattr(first, name) != getattr(second, name) for name in (*IN_THE_OPEN, *self.shown))
            or first.hands()[self.observer] != second.hands()[self.observer]
            or (first.game.options.get("variant") == "cancellation" and self.rest_differs and kitty_is_won)
        )

    def compare(self) -> None:
        assert all_seen(self.first, self.observer) == all_seen(self.second, self.observer)
        assert picture(self.first, self.observer) == picture(self.second, self.observer)

    def play(self, action: int) -> bool:
        """Play on in both; False where the rules do not let the second world go on like the first."""
        name = self.first.game.action_name(action)
        may = [name]
        if self.first.phase in HIDDEN_PHASES and self.first.seat != self.observer and self.differ:
            may.insert(0, self.exchanged.get(name, name))
        legal = [self.second.game.action_name(action) for action in self.second.legal_actions()]
        theirs = next((name for name in may if name in legal), None)
        if theirs is not None:
            self.first.play(name)
            self.second.play(theirs)
        return theirs is not None


def compare_worlds(case: Case, rng: Random) -> Counter[str]:
    """Play a hand in two worlds that differ in two cards hidden from a seat, while it cannot tell them apart.

    In the second world the two cards have changed places, in hands or in what was dealt to nobody, and hidden
    actions are exchanged with them. Both go on alike until one of the cards comes to light. Where a card has been
    passed to the holder of the other, both worlds are the same from then on, but for a past that the seat has not
    seen.
    """
    game = case.game
    seats = range(game.num_players)
    dealer, observer = rng.choice(seats), rng.choice(seats)
    decks = [game.deck(rng.getrandbits(64)) for _ in range(3)]
    styles = ["random"] * len(seats)
    if case.under_test.stacked and rng.random() < 0.3:
        decks = [case.under_test.stacked(game, (dealer + hand) % len(seats), rng) for hand in range(3)]
        styles = [rng.choice(["high", "low", "random"]) for _ in seats]
    script = game.table(0, decks, dealer)
    while not script.over and script.hand_number < len(decks):
        script.play(STYLES[styles[script.seat]](script.legal_actions(), rng))
    hand = rng.randint(0, min(len(decks) - 1, script.history[-1][0]))
    before = [action for played_in, _, action in script.history if played_in < hand]
    in_hand = [(seat, action) for played_in, seat, action in script.history if played_in == hand]
    late = {game.action_name(action) for seat, action in in_hand[rng.randrange(len(in_hand)) :] if seat != observer}

    first = game.table(0, decks, dealer)
    play_all(first, before)
    while True:
        places = places_to_exchange(first, decks[hand], observer, late, rng)
        second = game.table(0, [*decks[:hand], with_exchanged(decks[hand], places), *decks[hand + 1 :]], dealer)
        play_all(second, before)
        one, other = (decks[hand][place] for place in places)
        dealt = sum(map(len, first.hands()))
        worlds = Worlds(first, second, observer, {one: other, other: one}, case.under_test.shown, max(places) >= dealt)
        if worlds.differ and not worlds.parted:
            return play_in_step(worlds, [action for _, action in in_hand])


def places_to_exchange(
    table: trick_envs.Table, deck: list[str], observer: int, late: set[str], rng: Random
) -> tuple[int, int]:
    """Two places of the deck with other cards than the observer holds, mostly such as are played late."""
    copies = Counter(deck)
    own = [card for card in table.hands()[observer] if copies[card] == 1]
    hidden = [place for place, card in enumerate(deck) if card not in own]
    of_late = [place for place in hidden if deck[place] in late] or hidden
    one = rng.choice(of_late)
    hidden, of_late = ([place for place in places if deck[place] != deck[one]] for places in (hidden, of_late))
    return one, rng.choice(of_late if of_late and rng.random() < 0.5 else hidden)


def with_exchanged(deck: list[str], places: tuple[int, int]) -> list[str]:
    one, other = places
    changed = list(deck)
    changed[one], changed[other] = deck[other], deck[one]
    return changed


def play_in_step(worlds: Worlds, actions: list[int]) -> Counter[str]:
    """How often the two worlds were compared, by phase, and how many positions in play there were."""
    compared: Counter[str] = Counter()
    for action in actions:
        if worlds.parted:
            break
        worlds.compare()
        compared[worlds.first.phase] += 1
        if not worlds.play(action):
            break
    else:
        if not worlds.parted:
            worlds.compare()
            compared["hand over"] += 1
    names = worlds.first.game.cards
    return compared + Counter({"in play": sum(action < len(names) for action in actions)})


def play_all(table: trick_envs.Table, actions: list[int]) -> None:
    for action in actions:
        table.play(action)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_exchanging_hidden_cards_changes_nothing_for_a_seat(case: Case) -> None:
    rng = Random(str(case))
    compared: Counter[str] = Counter()
    for _ in range(EXCHANGES if case in DEFAULTS else FEWER_EXCHANGES):
        compared += compare_worlds(case, rng)
    assert compared["play"] > FEWEST_COMPARED * compared["in play"], "the worlds part too soon"
    if case.game.options.get("pass_cards") and case.game.options["first_pass"] == 0:
        assert compared["pass"] > 0


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_leak_would_be_noticed(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail."""
    monkeypatch.setitem(globals(), "all_seen", lambda table, seat: table.state(seat).tolist())
    with pytest.raises(AssertionError):
        compare_worlds(case, Random(1))


def test_what_is_in_the_open_is_seen() -> None:
    """A card that comes to light is no longer hidden."""
    differed = 0
    for seed in range(40):
        table = DEFAULTS[1].game.table(seed=seed)
        play_on(table, Random(seed), actions=30)
        seat = table.seat
        twins = [play_on(table.copy(), Random(choice), actions=1) for choice in range(2)]
        if twins[0].history != twins[1].history:
            differed += 1
            for observer in range(table.game.num_players):
                assert all_seen(twins[0], observer) != all_seen(twins[1], observer), (seat, observer)
    assert differed > 10


@dataclass(frozen=True)
class Noise:
    """What may stand in a field of a table without a seat's noticing.

    below: values are drawn from 0 on.
    in_view: cards on the table are left as they are.
    own: so is what concerns the seat itself.
    phases: in which nobody notices, or all.
    """

    field: str
    below: int
    in_view: bool = False
    own: bool = False
    phases: Sequence[str] | None = None

    def write(self, table: trick_envs.Table, seat: int, rng: np.random.Generator) -> None:
        if self.phases is None or table.phase in self.phases:
            record = table.records[self.field][0]
            noise = rng.integers(self.below, size=record.shape)
            kept = table.records["trick_cards"][0] if self.in_view else 0
            was = record.copy()
            record[...] = (was & kept) | (noise & ~kept)
            if self.own:
                record[seat] = was[seat]


CARDS = 2**52
FORGOTTEN = {  # without memory
    "hearts": [
        Noise("played", CARDS, in_view=True),
        Noise("taken", CARDS),
        Noise("not_held", CARDS),
        Noise("received", CARDS),
        Noise("passed", CARDS, phases=("play", "moon", "over")),
    ],
    "cancellation_hearts": [
        Noise("played", CARDS),
        Noise("taken", CARDS),
        Noise("not_held", CARDS),
        Noise("received", CARDS),
        Noise("kitty", CARDS),
        Noise("passed", CARDS, phases=("play", "moon", "over")),
    ],
    "setback": [Noise("played", CARDS, in_view=True), Noise("taken", CARDS), Noise("not_held", CARDS)],
    "rage_glyphs": [Noise("played", 2**8), Noise("jokers_played", 5)],
    "rewind": [
        Noise("played", CARDS, in_view=True, own=True),
        Noise("hand", CARDS, own=True),
        Noise("dealt", CARDS, own=True),
    ],
}
UNKNOWN = {  # with perfect memory
    "hearts": [Noise(field, CARDS, own=True) for field in ("hand", "passed", "received")],
    "cancellation_hearts": [Noise(field, CARDS, own=True) for field in ("hand", "passed", "received")],
    "setback": [Noise("hand", CARDS, own=True)],
    "rage_glyphs": [Noise("hand", 2**30, own=True), Noise("jokers", 5, own=True)],
    "rewind": [Noise("hand", CARDS, own=True), Noise("dealt", CARDS, own=True)],
}


def with_noise(
    table: trick_envs.Table, noises: Sequence[Noise], seat: int, rng: np.random.Generator
) -> trick_envs.Table:
    other = table.copy()
    for noise in noises:
        noise.write(other, seat, rng)
    return other


@pytest.mark.parametrize("case", CASES, ids=str)
def test_memory_is_of_the_whole_hand_or_of_what_lies_in_view(case: Case) -> None:
    """Whatever went before the trick on the table, a seat without memory sees the same."""
    game = case.game
    rng = np.random.default_rng(5)
    remembers = game.options["memory"] == "perfect"
    changed = 0
    for table in itertools.islice(positions(game.table(seed=5), Random(5), hands=2), 0, None, 5):
        for seat in range(game.num_players):
            other = with_noise(table, FORGOTTEN[game.kind.name], seat, rng)
            if remembers:
                changed += all_seen(other, seat, seen_alone) != all_seen(table, seat)
            else:
                assert all_seen(other, seat, seen_alone) == all_seen(table, seat)
    assert bool(changed) == remembers


@pytest.mark.parametrize("case", CASES, ids=str)
def test_whatever_the_others_hold_a_seat_sees_the_same(case: Case) -> None:
    """In Round II of Rewind a seat remembers what everybody played in Round I."""
    game = case.game
    rng = np.random.default_rng(6)
    noticed: Counter[bool] = Counter()
    for table in itertools.islice(positions(game.table(seed=6), Random(6), hands=1), 0, None, 5):
        known = game.name == "rewind" and table.round == 2 and game.options["memory"] == "perfect"
        for seat in range(game.num_players):
            other = with_noise(table, UNKNOWN[game.kind.name], seat, rng)
            noticed[known] += all_seen(other, seat, seen_alone) != all_seen(table, seat)
            assert (other.state(seat) != table.state(seat)).any()
    assert noticed[False] == 0
    assert bool(noticed[True]) == (game.name == "rewind" and game.options["memory"] == "perfect")


def test_there_is_no_way_from_a_view_to_the_table() -> None:
    for case in DEFAULTS:
        table = play_on(case.game.table(seed=1), Random(1), actions=5)
        view = table.view(table.seat)
        assert set(vars(view)) == {"game", "record", "_world", "_seat"}
        in_other_worlds = {table.resample(table.seat, seed).view(table.seat)._world.tobytes() for seed in range(5)}
        assert in_other_worlds == {view._world.tobytes()}, "the world in a view tells of hidden cards"
        assert not view._world["seed"].any()
        before = view.record.tobytes()
        assert view.record.base is None
        table.play(table.legal_actions()[0])
        assert view.record.tobytes() == before
        assert not set(view.record.dtype.names) & {"seed", "ply"}
        size = sum(view.record.dtype[name].itemsize for name in view.record.dtype.names)
        assert size == view.record.dtype.itemsize, "a gap may hold anything"


# --- Layouts


@pytest.fixture(params=CASES, ids=str)
def game(request: pytest.FixtureRequest) -> trick_envs.Game:
    return request.param.game


def test_parts_make_up_the_whole(game: trick_envs.Game) -> None:
    for layout in (game.layout, game.state_layout):
        names = [part.name for part in layout.parts]
        assert len(set(names)) == len(names)
        bounds = [(layout.slices[name].start, layout.slices[name].stop) for name in names]
        assert bounds[0][0] == 0
        assert bounds[-1][1] == layout.size
        assert all(end == start for (_, end), (start, _) in itertools.pairwise(bounds))
        for part, (start, stop) in zip(layout.parts, bounds, strict=True):
            assert stop - start == part.size == np.prod([len(axis) for axis in part.axes], initial=1)
            assert all(len(set(axis)) == len(axis) for axis in part.axes)
            assert -127 <= part.low <= 0 < part.high <= 127
            assert part.meaning
            assert (layout.low[start:stop] == part.low).all()
            assert (layout.high[start:stop] == part.high).all()
            assert layout.scale[start:stop] == pytest.approx(1 / max(-part.low, part.high))
        assert (layout.low.dtype, layout.high.dtype, layout.scale.dtype) == (np.int8, np.int8, np.float32)
        assert not layout.scale.flags.writeable
    assert game.state_layout.parts[: len(game.layout.parts)] == game.layout.parts


def test_split_and_explain_go_by_the_parts(game: trick_envs.Game) -> None:
    table = play_on(game.table(seed=2), Random(2), actions=20)
    observation = features(table, 0)
    split = game.layout.split(observation)
    assert np.concatenate([part.ravel() for part in split.values()]).tolist() == observation.tolist()
    assert {name: part.shape for name, part in split.items()} == {part.name: part.shape for part in game.layout.parts}
    batch = game.layout.split(np.stack([observation, observation]))
    assert all((part[1] == split[name]).all() for name, part in batch.items())
    assert list(game.layout.explain(observation)) == [part.name for part in game.layout.parts]
    with pytest.raises(KeyError, match="no such part"):
        game.layout.part("no such part")


def test_writing_ends_where_the_layout_ends(game: trick_envs.Game) -> None:
    """What is written over a part's end stays within the row, and every entry is written."""
    size, state_size, actions = game.layout.size, game.state_layout.size, game.num_actions
    views = game.new_views()
    for table in positions(game.table(seed=3), Random(3), hands=1):
        seat = len(table.history) % game.num_players
        rows = [np.full(state_size + 64, poison, np.int8) for poison in POISONS]
        masks = [np.full(actions + 64, poison, np.int8) for poison in POISONS]
        states = [np.full(state_size + 64, poison, np.int8) for poison in POISONS]
        for row, mask, state in zip(rows, masks, states, strict=True):
            loops.observe_one(table.records, seat, views, row, mask[:actions])
            loops.state_one(table.records, seat, views, state)
        for written, end in ((rows, size), (masks, actions), (states, state_size)):
            assert (written[0][:end] == written[1][:end]).all(), "an entry is not written"
            for row, poison in zip(written, POISONS, strict=True):
                assert (row[end:] == poison).all(), "written past the end"


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_every_entry_is_used(case: Case) -> None:
    """In much play under all options each entry is, at some time, not zero, but for those that cannot be."""
    game = case.game
    alike = [other for other in CASES if other.game.kind is game.kind and other.game.num_players == game.num_players]
    used = np.zeros(game.layout.size, bool)
    for other in alike:
        for observations in seen_in_play(other):
            used |= (observations != 0).any(axis=0)
    in_packs = {game.cards[card] for other in alike for card in other.game.pack}
    unused, expected = set(), set()
    for name, values in game.layout.split(used).items():
        for labels, seen in entries_of(game, name, values):
            unused |= set() if seen else {(name, *labels)}
            expected |= {(name, *labels)} if never_used(game, name, labels, in_packs) else set()
    assert unused == expected


def seen_in_play(case: Case) -> Iterator[np.ndarray]:
    """Observations, (rows, layout size), from all kinds of play."""
    game = case.game
    tables = game.tables(300, seed=1)
    chance = bots.make("random", game)
    for _ in range(250):
        yield tables.observation
        tables.step(chance.act_batch(tables))
    rng = Random(1)
    is_cancellation = game.options.get("variant") == "cancellation"
    for _ in range(30 if is_cancellation else 8):  # many, for a card is seldom left on the table twice
        dealer = rng.randrange(game.num_players)
        yield from seen_in_a_hand(game, case.under_test.stacked(game, dealer, rng), dealer, rng)
    if is_cancellation:
        for deck in twin_decks(game, rng):
            yield from seen_in_a_hand(game, deck, 0, rng, tricks=1)


def seen_in_a_hand(
    game: trick_envs.Game, deck: list[str], dealer: int, rng: Random, tricks: int | None = None
) -> Iterator[np.ndarray]:
    """What the seats see of a hand, or of its first tricks, that they play for or against tricks, often all alike."""
    table = game.table(1, [deck], dealer)
    alike = rng.random() < 0.5
    kinds = [rng.choice(["high", "low"]) for _ in range(game.num_players)]
    styles = [STYLES[kinds[0] if alike else kind] for kind in kinds]
    while not table.over and table.hand_number == 0 and sum(table.tricks_won) != tricks:
        table.play(styles[table.seat](table.legal_actions(), rng))
        yield np.stack([features(table, seat) for seat in range(game.num_players)])


def twin_decks(game: trick_envs.Game, rng: Random) -> Iterator[list[str]]:
    """Decks of Cancellation Hearts with every card, in turn, twice in the kitty and the others mostly in pairs."""
    seats = game.num_players
    each = len(game.pack) // seats
    kitty = len(game.pack) - each * seats
    pairs = [[game.cards[card]] * 2 for card in sorted(set(game.pack))]
    rng.shuffle(pairs)
    step = max(1, kitty // 2)
    for start in range(0, len(pairs), step):
        cards = list(itertools.chain(*pairs[start:], *pairs[:start]))
        dealt = cards[kitty:]
        yield [dealt[place % seats * each + place // seats] for place in range(len(dealt))] + cards[:kitty]


def entries_of(game: trick_envs.Game, name: str, values: np.ndarray) -> list[tuple[tuple[str, ...], bool]]:
    """Labels of each entry of a part, with its value."""
    return list(zip(itertools.product(*game.layout.part(name).axes), values.ravel().tolist(), strict=True))


def never_used(game: trick_envs.Game, name: str, labels: tuple[str, ...], in_packs: set[str]) -> bool:
    """Entries of cards that are not in any pack; who passes to itself or away from both sides; an empty kitty."""
    if name == "pass_to":
        return labels[0] not in PASSES[game.num_players == 4]
    if name == "kitty" and len(game.pack) % game.num_players == 0:
        return True
    return bool(labels) and labels[-1] in game.cards and labels[-1] not in in_packs


PASSES = {True: ("me", "left", "across", "right"), False: ("me", "left", "right")}


def test_the_documentation_table_tells_every_entry(game: trick_envs.Game) -> None:
    head, line, *rows = game.layout.markdown().split("\n")
    assert head == "| entries | part | shape | values | meaning |"
    assert line == "|---|---|---|---|---|"
    told = 0
    for row, part in zip(rows, game.layout.parts, strict=True):
        entries, name, shape, values, meaning = (cell.strip() for cell in row.strip("|").split("|"))
        first, _, last = entries.partition("–")
        assert int(first) == told
        told = int(last or first) + 1
        assert (name, meaning) == (f"`{part.name}`", part.meaning)
        assert np.prod([int(side) for side in shape.split(" × ")]) == part.size == told - int(first)
        assert values == f"{part.low} … {part.high}"
    assert told == game.layout.size


# --- Worked positions of Hearts in words


def test_words_while_passing() -> None:
    """Seat 0 has picked two of its three cards; seat 1 sees whose turn it is, and no more."""
    table = deal("AKQJC", "AKD", "QS", "AH", pass_cards=3, dealer=3)
    play(table, "AKC")
    mine, theirs = table.explain(0), table.explain(1)
    assert mine["hand"] == table.hands()[0]
    assert mine["passed"] == ["KC", "AC"]
    assert theirs["passed"] == []
    assert mine["pass_to"] == theirs["pass_to"] == "left"
    assert (mine["to_act"], theirs["to_act"]) == ("me", "right")
    assert (mine["dealer"], theirs["dealer"]) == ("right", "across")
    assert mine["phase"] == theirs["phase"] == "pass"
    assert mine["leader"] is None
    play(table, "QC")
    play(table, "AKD 2D  QS 3S 4S  AH 5H 6H")
    assert table.explain(1)["received"] == ["QC", "KC", "AC"]
    assert table.explain(1)["passed"] == ["2D", "KD", "AD"]
    assert table.explain(2)["received"] == ["2D", "KD", "AD"]


def test_words_in_mid_trick() -> None:
    """Seat 0 has won the queen and leads a heart; nobody else had a club left."""
    table = deal("2AKC 2H", "2KD 3S 3H", "4C 5QS", "67C 9D", omnibus=True)
    play(table, "2C 2D 4C 6C  7C AC KD 5S")
    seen = table.explain(2)
    assert seen["trick"] == []
    assert seen["winning_card"] is None
    assert seen["tricks_won"] == {"me": 0, "left": 1, "across": 1, "right": 0}
    assert seen["played"]["across"] == ["2C", "AC"]
    assert seen["voids"] == {"me": ["clubs"], "left": [], "across": [], "right": ["clubs"]}
    assert (seen["queen_taker"], seen["broken"]) == (None, 0)
    play(table, "KC 3S QS 9D  2H")
    seen = table.explain(2)
    assert seen["trick"] == ["2H"]
    assert seen["winning_card"] == "2H"
    assert seen["voids"]["left"] == ["clubs"]
    assert seen["queen_taker"] == seen["leader"] == "across"
    assert seen["points"] == {"me": 0, "left": 0, "across": 13, "right": 0}
    assert (seen["to_act"], seen["phase"], seen["broken"]) == ("right", "play", 1)
    assert (seen["trick_number"], seen["hand_number"]) == (3, 0)
    assert seen["jack_taker"] is None
    assert table.explain(1)["hand"] == table.hands()[1]


def test_words_after_the_end() -> None:
    table = play_on(trick_envs.make("hearts", num_hands=1, moon="add").table(seed=1), Random(1))
    seen = table.explain(1)
    assert (seen["phase"], seen["to_act"], seen["hand"]) == ("over", None, [])
    assert [seen["scores"][who] for who in ("right", "me", "left", "across")] == table.scores
    assert [seen["tricks_won"][who] for who in ("right", "me", "left", "across")] == table.tricks_won
    assert sum(seen["points"].values()) == 26
    assert (seen["trick_number"], seen["hand_number"]) == (13, 0)


def test_large_scores_are_told_in_larger_units() -> None:
    game = trick_envs.make("hearts", target=1000)
    assert "units of 8" in game.layout.part("scores").meaning
    table = game.table(seed=1)
    table.records["scores"][0, :4] = [999, -57, 0, 5000]
    assert table.explain(0)["scores"] == {"me": 124, "left": -8, "across": 0, "right": 127}
