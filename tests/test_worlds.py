"""Worlds that a seat may take for the real one: legal, alike to the seat, equally likely, the truth not favoured."""

import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from scipy import stats

import trick_envs
from tests.games import CASES, DEFAULTS, Case
from tests.playing import match_over, positions, random_action, told
from trick_envs.engine import worlds

POSITIONS = 6  # of each case
MOST_ACTIONS = 150


def some_position(game: trick_envs.Game, rng: Random) -> trick_envs.Table:
    """A match under way, anywhere in its first hands."""
    table = game.table(seed=rng.getrandbits(64))
    for _ in range(rng.randrange(MOST_ACTIONS)):
        before = table.copy()
        table.play(random_action(table, rng))
        if table.over:
            return before
    return table


def known(table: trick_envs.Table, seat: int) -> dict[str, object]:
    """All that a seat is told."""
    view = table.view(seat)
    return told(table, seat) | {"record": view.record.tobytes(), "facts": view.facts()}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_world_replays_from_the_start_and_looks_the_same_to_the_seat(case: Case) -> None:
    rng = Random(str(case))
    for _ in range(POSITIONS):
        table = some_position(case.game, rng)
        seat = rng.randrange(case.game.num_players)
        world = table.resample(seat, rng.getrandbits(64))
        again = trick_envs.replay(world.record())
        assert again.records.tobytes() == world.records.tobytes()
        assert known(world, seat) == known(again, seat) == known(table, seat)
        assert [len(hand) for hand in world.hands()] == [len(hand) for hand in table.hands()]
        told = [(hand, actor) for hand, actor, _ in table.history]
        assert [(hand, actor) for hand, actor, _ in world.history] == told


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_worlds_differ_and_the_table_stays_as_it_is(case: Case) -> None:
    table = case.game.table(seed=3)
    before = table.save()
    hands = {tuple(map(tuple, table.resample(0, seed).hands())) for seed in range(20)}
    assert len(hands) > 10
    assert {hand[0] for hand in hands} == {tuple(table.hands()[0])}
    assert table.save() == before
    assert table.resample(0, 7).save() == table.resample(0, 7).save()


def last_cards(game: trick_envs.Game, seed: int, left: int) -> trick_envs.Table:
    """The first hand, played at random until the seat on turn leads with so many cards left."""
    for table in positions(game.table(seed=seed), Random(seed)):
        if table.phase == "play" and not table.trick and len(table.hands()[table.seat]) == left:
            return table.copy()
    raise AssertionError("no such position")


def deals(cards: list[int], sizes: list[int]) -> Iterator[list[list[int]]]:
    """All ways to deal ``cards`` into hands of these sizes."""
    if not sizes:
        yield []
        return
    for hand in itertools.combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for hands in deals(rest, sizes[1:]):
            yield [list(hand), *hands]


def consistent_worlds(table: trick_envs.Table, seat: int) -> Counter[tuple[tuple[str, ...], ...]]:
    """By replay: in how many ways the seats may have been dealt what they hold, by all hands.

    The cards of the other seats are exchanged, in every way, among themselves and with those that were not dealt;
    what counts leaves the history legal, and the same to ``seat``. Of cards alike, each counts as one of its own.
    """
    game, hands = table.game, table.hands()
    deck = [game.cards[card] for card in table.undeal()]
    owners = dealt_to(table, deck)
    others = [other for other in range(game.num_players) if other != seat]
    held: list[int] = []  # places of the deck
    for other in others:
        for card in hands[other]:
            held.append(next(p for p, c in enumerate(deck) if c == card and owners[p] == other and p not in held))
    places = held + [place for place, owner in enumerate(owners) if owner is None]
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for dealing in deals(places, [len(hands[other]) for other in others]):
        chosen = list(itertools.chain(*dealing))
        left_over = [place for place in held if place not in chosen]
        filled = held + [place for place in chosen if place not in held]
        world_deck = list(deck)
        for place, instead in zip(filled, chosen + left_over, strict=True):
            world_deck[place] = deck[instead]
        try:
            world = game.table(table.seed, [world_deck], table.dealer, [action for _, _, action in table.history])
        except trick_envs.IllegalAction:
            continue
        if known(world, seat) == known(table, seat):
            found[tuple(tuple(hand) for hand in world.hands())] += 1
    return found


def dealt_to(table: trick_envs.Table, deck: list[str]) -> list[int | None]:
    """The seat that each place of the deck is dealt to, None for none: where a card that is there once turns up."""
    unique = next(place for place, card in enumerate(deck) if deck.count(card) == 1)
    owners = []
    for place in range(len(deck)):
        probe = list(deck)
        probe[place], probe[unique] = deck[unique], deck[place]
        hands = table.game.table(0, [probe], table.dealer).hands()
        owners.append(next((seat for seat, hand in enumerate(hands) if deck[unique] in hand), None))
    return owners


@pytest.mark.parametrize(
    ("game", "left", "seeds"),
    [
        (trick_envs.make("hearts", num_players=4, pass_cards=0), 3, [1, 2, 5]),
        (trick_envs.make("hearts", num_players=3, pass_cards=0), 3, [4]),
        (trick_envs.make("rewind", num_players=4), 3, [1, 2]),
        (trick_envs.make("rewind", num_players=3), 3, [3]),
        (trick_envs.make("setback", num_players=2, partners=False), 1, [1, 2, 3]),
        (trick_envs.make("rage_glyphs", num_players=2, hand_sizes=[3]), 1, [1, 2]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_all_consistent_worlds_are_equally_likely(game: trick_envs.Game, left: int, seeds: list[int]) -> None:
    for seed in seeds:
        table = last_cards(game, seed, left)
        seat = table.seat
        possible = consistent_worlds(table, seat)
        ways = possible.total()
        assert ways > 1
        drawn = Counter(tuple(map(tuple, table.resample(seat, draw).hands())) for draw in range(40 * ways))
        assert set(drawn) <= set(possible)
        chance = stats.chisquare([drawn[world] for world in possible], [40 * possible[world] for world in possible])
        assert chance.pvalue > 1e-4, f"seed {seed}: p = {chance.pvalue}"
        truth = tuple(map(tuple, table.hands()))
        expected = 40 * possible[truth]
        assert drawn[truth] < expected + 6 * expected**0.5


@pytest.mark.parametrize("way", [worlds.permute, worlds.exchange], ids=["dealt", "exchanged"])
def test_voids_that_compete_for_places_are_dealt_fairly(way) -> None:
    """Three holders, of whom each is out of another suit: the classes compete, and no two cards can change places."""
    places = worlds.room(6, 3)
    places.cards[:] = [13, 14, 26, 27, 0, 1]
    places.holders[:] = [0, 0, 1, 1, 2, 2]
    for holder, suit in enumerate((0, 13, 26)):
        places.forbidden[holder, 0] = 3 << suit
    state = np.uint64(1)
    drawn: Counter[tuple[frozenset[int], ...]] = Counter()
    for _ in range(5000):
        worlds.find_allowed(places, 6)
        state = np.uint64(way(places, 6, state))
        held = places.cards.tolist()
        drawn[tuple(frozenset(held[2 * holder : 2 * holder + 2]) for holder in range(3))] += 1
    assert len(drawn) == 10
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-4


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_batch_is_resampled_row_by_row(case: Case) -> None:
    tables = case.game.tables(8, seed=2)
    rng = np.random.default_rng(0)
    for _ in range(20):
        tables.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in tables.action_mask]))
    seen = tables.observation.copy(), tables.action_mask.copy(), tables.records.tobytes()
    worlds_of_all = tables.resample(seed=1)
    assert (worlds_of_all.observation == seen[0]).all()
    assert (worlds_of_all.action_mask == seen[1]).all()
    assert tables.records.tobytes() == seen[2]
    assert worlds_of_all.records.tobytes() == tables.resample(seed=1).records.tobytes()
    chosen = (tables.seat + 1) % case.game.num_players
    for row, seat in enumerate(chosen.tolist()):
        others = tables.resample(seed=1, seats=chosen)
        assert known(others.table(row), seat) == known(tables.table(row), seat)


def test_what_cannot_be_resampled_is_refused() -> None:
    game = trick_envs.make("hearts")
    table, tables = game.table(seed=1), game.tables(2, seed=1)
    for seat in (-1, 4, "0", True):
        with pytest.raises(ValueError, match="seat="):
            table.resample(seat, 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed=-1"):
        table.resample(0, -1)
    tables.step(tables.action_mask.argmax(axis=1))
    with pytest.raises(ValueError, match="no history"):
        tables.table(0).resample(0, 1)
    for seats in ([0], [0, 4], [0.5, 1]):
        with pytest.raises(ValueError, match="a seat from 0 to 3"):
            tables.resample(1, seats)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_worlds_depend_on_what_the_seat_sees_alone(case: Case) -> None:
    """Two tables that differ in what is hidden have the same worlds, and views that know the same."""
    rng = Random(f"hidden {case}")
    for _ in range(POSITIONS):
        table = some_position(case.game, rng)
        seat = rng.randrange(case.game.num_players)
        one, two = table.resample(seat, 1), table.resample(seat, 2)
        for world in (one, two):
            assert world.resample(seat, 3).records.tobytes() == table.resample(seat, 3).records.tobytes()
            assert world.view(seat)._world.tobytes() == table.view(seat)._world.tobytes()


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_a_view_gives_worlds_that_look_the_same_to_its_observer(case: Case) -> None:
    rng = Random(f"worlds {case}")
    table = some_position(case.game, rng)
    view = table.view(table.seat)
    tables = view.worlds(20, seed=1)
    assert len({record.tobytes() for record in tables.records}) == 20
    for row in range(20):
        assert known(tables.table(row), table.seat) == known(table, table.seat)
    assert view.worlds(20, seed=1).records.tobytes() == tables.records.tobytes()
    for count, seed in ((0, 0), (True, 0), (1, -1)):
        with pytest.raises(ValueError, match=r"count=|seed="):
            view.worlds(count, seed)


def test_a_match_that_is_over_has_no_worlds_to_go_on_with() -> None:
    table = match_over(trick_envs.make("rewind"), seed=1)
    with pytest.raises(ValueError, match="the match is over"):
        table.view(0).worlds(2)
    assert table.resample(0, 1).over


def test_cards_are_exchanged_from_a_deal_that_some_way_is_found_to() -> None:
    """Each card of the last holder's must be passed on, over the others, for all to have a holder."""
    holders = 5
    places = worlds.room(2 * holders, holders)
    places.cards[:] = range(2 * holders)
    places.holders[:] = np.repeat(range(holders), 2)
    for holder in range(holders):  # may hold cards 2h, 2h + 1 and those of the holder before
        places.forbidden[holder, 0] = 1023 & ~(15 << 2 * holder >> 2)
    places.forbidden[0, 0] = 1023 & ~(3 | 768)
    for rotation in range(holders):
        places.cards[:] = np.roll(np.arange(2 * holders), 2 * rotation)
        worlds.find_allowed(places, 2 * holders)
        worlds.deal_somehow(places, 2 * holders)
        assert sorted(places.cards) == list(range(2 * holders))
        for holder, card in zip(places.holders, places.cards, strict=True):
            assert places.forbidden[holder, 0] >> card & 1 == 0
