"""What seats see: nothing hidden leaks, every entry of an observation is used, words fit the numbers."""

import itertools
from collections import Counter
from random import Random

import numpy as np
import pytest

import trick_envs
from tests.games import CASES, DEFAULTS, Case
from tests.helpers import deal, play
from tests.playing import STYLES, play_on, positions
from trick_envs import bots
from trick_envs.engine import loops

HIDDEN_PHASES = ("pass",)  # in which the others see that a seat acts, but not what it does
EXCHANGES = 20  # for each case
BOTS = ("random", "rules")
POISONS = (-128, 99)


# --- Nothing hidden leaks


def all_seen(table: trick_envs.Table, seat: int) -> dict[str, object]:
    """All that a seat gets to see of a table, and what bots do with it."""
    view = table.view(seat)
    return {
        "words": table.explain(seat),
        "observation": table.observation(seat).tolist(),
        "mask": table.action_mask(seat).tolist(),
        "record": view.record.tobytes(),
        "choices": [bots.make(name, table.game, seed=1).act(view) for name in BOTS if view.on_turn],
    }


def compare_worlds(case: Case, rng: Random) -> Counter[str]:
    """Play a hand in two worlds that differ in two cards hidden from a seat, while it cannot tell them apart.

    In the second world the holders of the two cards are exchanged, and so are hidden actions with them. Both
    go on alike until one of the cards comes to light. Where a card has been passed to the holder of the
    other, both worlds are the same from then on, but for a past that the seat has not seen.
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
    in_hand = [action for played_in, _, action in script.history if played_in == hand]

    first = game.table(0, decks, dealer)
    play_all(first, before)
    late = {game.action_name(action) for action in in_hand[rng.randrange(len(in_hand)) :]}
    hidden = [(seat, card) for seat, held in enumerate(first.hands()) for card in held if seat != observer]
    giver, one = rng.choice([(seat, card) for seat, card in hidden if card in late] or hidden)
    others = [(seat, card) for seat, card in hidden if seat != giver]
    _, other = rng.choice([(seat, card) for seat, card in others if card in late] or others)
    exchanged = {one: other, other: one}
    decks[hand] = [exchanged.get(card, card) for card in decks[hand]]
    second = game.table(0, decks, dealer)
    play_all(second, before)
    assert first.hands() != second.hands()
    return play_in_step((first, second), in_hand, observer, exchanged)


def play_in_step(
    worlds: tuple[trick_envs.Table, trick_envs.Table],
    actions: list[int],
    observer: int,
    exchanged: dict[str, str],
) -> Counter[str]:
    first, second = worlds
    compared: Counter[str] = Counter()
    for action in actions:
        if (first.phase, first.seat) != (second.phase, second.seat):
            break  # as when the card that must be led is elsewhere
        if first.hands()[observer] != second.hands()[observer]:
            break
        assert all_seen(first, observer) == all_seen(second, observer)
        compared[first.phase] += 1
        name = theirs = first.game.action_name(action)
        if first.hands() != second.hands() and name in exchanged:
            if first.phase not in HIDDEN_PHASES:
                break
            if first.seat != observer:
                theirs = exchanged[name]
        if second.game.action_id(theirs) not in second.legal_actions():
            break
        first.play(name)
        second.play(theirs)
    else:
        assert all_seen(first, observer) == all_seen(second, observer)
        compared["hand over"] += 1
    return compared


def play_all(table: trick_envs.Table, actions: list[int]) -> None:
    for action in actions:
        table.play(action)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_exchanging_hidden_cards_changes_nothing_for_a_seat(case: Case) -> None:
    rng = Random(str(case))
    compared: Counter[str] = Counter()
    for _ in range(EXCHANGES):
        compared += compare_worlds(case, rng)
    assert compared["play"] > 4 * EXCHANGES, "the worlds part too soon"
    if case.game.options.get("pass_cards") and case.game.options["first_pass"] == 0:
        assert compared["pass"] > 0


def test_what_is_in_the_open_is_seen() -> None:
    """The test above can fail: a card that comes to light is no longer hidden."""
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


@pytest.mark.parametrize("case", [case for case in CASES if case.game.name == "hearts"], ids=str)
def test_memory_is_of_the_whole_hand_or_of_what_lies_in_view(case: Case) -> None:
    """Whatever went before the trick on the table, a seat without memory sees the same."""
    game = case.game
    scramble = np.random.default_rng(5)
    remembers = game.options["memory"] == "perfect"
    changed = 0
    for table in positions(game.table(seed=5), Random(5), hands=2):
        other = table.copy()
        record = other.records
        in_view = record["trick_cards"][0]
        for field, kept in (
            ("played", in_view),
            ("taken", 0),
            ("not_held", 0),
            ("received", 0),
            ("passed", 0),
        ):
            if field == "passed" and table.phase == "pass":
                continue
            noise = scramble.integers(2**52, size=record[field].shape)
            record[field] = record[field] & kept | noise & ~kept
        for seat in range(game.num_players):
            if remembers:
                changed += all_seen(other, seat) != all_seen(table, seat)
            else:
                assert all_seen(other, seat) == all_seen(table, seat)
    assert bool(changed) == remembers


def test_there_is_no_way_from_a_view_to_the_table() -> None:
    for case in DEFAULTS:
        table = play_on(case.game.table(seed=1), Random(1), actions=25)
        view = table.view(table.seat)
        assert set(vars(view)) == {"game", "record"}
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
    observation = table.observation(0)
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
    views = np.zeros(1, game.kind.view)
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
    used: dict[str, np.ndarray] = {}
    for other in CASES:
        if other.game.name == case.game.name and other.game.num_players == case.game.num_players:
            for name, values in entries_seen(other).items():
                used[name] = used.get(name, False) | values
    for name, values in used.items():
        unused = {labels for labels, seen in entries_of(case.game, name, values) if not seen}
        expected = {labels for labels, _ in entries_of(case.game, name, values) if never_used(case, name, labels)}
        assert unused == expected, f"of {name} never used: {unused}"


def entries_seen(case: Case) -> dict[str, np.ndarray]:
    """For each part of the layout, which entries are not zero at some time in some play."""
    game = case.game
    used = np.zeros(game.layout.size, bool)
    tables = game.tables(300, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(250):
        used |= (tables.observation != 0).any(axis=0)
        tables.step(np.argmax(rng.random(tables.action_mask.shape) * tables.action_mask, axis=1))
    chance = Random(1)
    for seed in range(20):
        decks = None
        if case.under_test.stacked:
            dealer = chance.randrange(game.num_players)
            decks = [case.under_test.stacked(game, dealer, chance)]
        table = game.table(seed, decks, dealer)
        styles = [chance.choice(["high", "low"]) for _ in range(game.num_players)]
        while not table.over and table.hand_number == 0:
            table.play(STYLES[styles[table.seat]](table.legal_actions(), chance))
            for seat in range(game.num_players):
                used |= table.observation(seat) != 0
    return game.layout.split(used)


def entries_of(game: trick_envs.Game, name: str, values: np.ndarray) -> list[tuple[tuple[str, ...], bool]]:
    """Labels of each entry of a part, with its value."""
    return list(zip(itertools.product(*game.layout.part(name).axes), values.ravel().tolist(), strict=True))


def never_used(case: Case, name: str, labels: tuple[str, ...]) -> bool:
    """Entries of cards that are not in the pack; who passes to itself or away from both sides."""
    in_pack = {case.game.cards[card] for card in case.game.pack}
    if name == "pass_to":
        return labels[0] not in PASSES[case.game.num_players == 4]
    return bool(labels) and labels[-1] in case.game.cards and labels[-1] not in in_pack


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
    assert "units of 10" in game.layout.part("scores").meaning
    table = game.table(seed=1)
    table.records["scores"][0, :4] = [999, -57, 0, 5000]
    assert table.explain(0)["scores"] == {"me": 99, "left": -6, "across": 0, "right": 127}
