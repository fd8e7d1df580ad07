"""What holds for every game under every option, whatever its rules."""

import copy
import itertools
import json
import pickle
import random
from collections import Counter
from functools import lru_cache
from random import Random

import numpy as np
import pytest

import trick_envs
from tests.games import CASES, DEFAULTS, GAMES, Case, UnderTest, pairwise
from tests.playing import deck_of, face, features, match_over, play_on, positions, random_action, told
from trick_envs import IllegalAction

SEED = 20


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture
def game(case: Case) -> trick_envs.Game:
    return case.game


@lru_cache
def script(game: trick_envs.Game) -> list[int]:
    """The actions of a random match."""
    return [action for _, _, action in match_over(game, SEED).history]


def walk(game: trick_envs.Game, hands: int | None = None, every: int = 1):
    """Positions of a random match, or of its first hands, and always the last one."""
    table = game.table(seed=SEED)
    for number, _ in enumerate(positions(table, Random(SEED), hands)):
        if number % every == 0 or table.over:
            yield table


def mid_match(game: trick_envs.Game) -> trick_envs.Table:
    """A position in the third hand of a random match, or in its last hand where that comes sooner."""
    table = game.table(seed=SEED)
    hands = Counter(hand for hand, _, _ in match_over(game, SEED).history)
    hand = min(2, max(hands))
    for action in script(game)[: sum(hands[before] for before in range(hand)) + hands[hand] * 2 // 3]:
        table.play(action)
    assert not table.over
    return table


# --- The games under test -----------------------------------------------------------------------------------


@pytest.mark.parametrize("under_test", GAMES, ids=lambda under_test: under_test.name)
def test_every_option_is_under_test_from_its_default_on(under_test: UnderTest):
    """A further line of a game may begin with other values than the first line does, which has the defaults."""
    seats = under_test.seats[0]
    assert {"num_players", *under_test.values} == set(under_test.make(seats).options)
    first_line = next(other for other in GAMES if other.name == under_test.name)
    of_line = {name: values[0] for name, values in under_test.values.items() if values[0] != first_line.values[name][0]}
    assert under_test.make(seats) == trick_envs.make(under_test.name, num_players=seats, **of_line)


@pytest.mark.parametrize("under_test", GAMES, ids=lambda under_test: under_test.name)
def test_every_value_that_can_be_listed_is_under_test(under_test: UnderTest):
    lines = [other for other in GAMES if other.name == under_test.name]
    for name in under_test.values:
        with pytest.raises(ValueError, match=name) as refused:
            under_test.make(under_test.seats[0], **{name: "no such value"})
        told = str(refused.value).partition("should be ")[2]
        for value in itertools.chain(*(line.values[name] for line in lines)):
            if isinstance(value, str):
                told = told.replace(repr(value), "")
        assert "'" not in told, f"{name} has values that are not under test: {told}"


@pytest.mark.parametrize("under_test", GAMES, ids=lambda under_test: under_test.name)
def test_every_two_values_of_two_options_meet(under_test: UnderTest):
    values = {"num_players": under_test.seats, **under_test.values}
    settings = pairwise(values)
    games = {case.game for case in CASES if case.under_test is under_test}
    assert games == {under_test.make(**setting) for setting in settings} | {
        under_test.make(seats) for seats in under_test.seats
    }
    for (one, ones), (other, others) in itertools.combinations(values.items(), 2):
        met = {(setting[one], setting[other]) for setting in settings}
        assert met == set(itertools.product(ones, others))


# --- Play ---------------------------------------------------------------------------------------------------


def test_cards_are_conserved(game):
    """Within a hand just the card played leaves the hands; once they are empty all cards may be taken up again."""
    dealt = before = Counter()
    hand = phase = None
    for table in walk(game, hands=4):
        held = Counter(itertools.chain(*table.hands()))
        if table.hand_number != hand:
            hand, dealt = table.hand_number, held
            assert dealt <= Counter(deck_of(table, hand))
        else:
            gone = Counter([game.action_name(table.history[-1][2])] if phase == "play" else [])
            left = before - gone
            assert gone <= before
            assert held == left or (not left and held == dealt)
        assert Counter(card for _, card in table.trick) <= dealt - held
        before, phase = held, table.phase


def test_legal_actions_are_the_mask_of_the_seat_on_turn(game):
    for table in walk(game, hands=3):
        legal = table.legal_actions()
        assert all(type(action) is int for action in legal)
        assert legal == sorted(set(legal))
        assert bool(legal) == (table.seat != -1) == (not table.over)
        for seat in range(game.num_players):
            mask = table.action_mask(seat)
            assert mask.shape == (game.num_actions,)
            assert mask.dtype == np.int8
            marked = np.flatnonzero(mask).tolist()
            assert marked == (legal if seat == table.seat else [])
            assert mask.sum() == len(marked)


def test_observations_lie_within_the_layout(game):
    layout = game.layout
    for table in walk(game, every=7):
        for seat in range(game.num_players):
            observation = features(table, seat)
            assert observation.shape == (layout.size,)
            assert observation.dtype == np.int8
            assert (layout.low <= observation).all()
            assert (observation <= layout.high).all()
            assert (abs(observation * layout.scale) <= 1).all()
            state = table.state(seat)
            assert state.dtype == np.int8
            assert (game.state_layout.low <= state).all()
            assert (state <= game.state_layout.high).all()
            assert (state[: layout.size] == observation).all()


def test_arrays_are_fresh(game):
    table = mid_match(game)
    seat = table.seat
    for look in (
        lambda seat: features(table, seat),
        table.action_mask,
        table.state,
        *[table.events][: game.has_events],
    ):
        before = look(seat).copy()
        look(seat)[:] = 77
        assert (look(seat) == before).all()


def test_a_view_tells_what_the_table_tells_the_seat(game):
    for table in walk(game, hands=2, every=7):
        for seat in range(game.num_players):
            view = table.view(seat)
            assert (view.observation == features(table, seat)).all()
            assert (view.action_mask == table.action_mask(seat)).all()
            assert view.legal_actions() == (table.legal_actions() if seat == table.seat else [])
            assert view.explain() == table.explain(seat)
            assert view.phase == table.phase
            assert view.over == table.over
            assert view.on_turn == (seat == table.seat)


def test_illegal_actions_are_told_and_change_nothing(game):
    for table in walk(game, hands=2, every=11):
        before, saved = table.records.tobytes(), table.save()
        legal = [game.action_name(action) for action in table.legal_actions()]
        for action in [*range(-2, game.num_actions + 2), 2**40, True, "no such action", ""]:
            if action in table.legal_actions() and action is not True:
                continue
            spoken = [action]
            if isinstance(action, int) and 0 <= action < game.num_actions and action is not True:
                spoken.append(game.action_name(action))
            for said in spoken:
                with pytest.raises(IllegalAction) as refused:
                    table.play(said)
                told = str(refused.value)
                if table.over:
                    assert "over" in told
                else:
                    for part in (f"seat {table.seat}", spoken[-1], f"{table.phase} phase", *legal):
                        assert str(part) in told
        assert table.records.tobytes() == before
        assert table.save() == saved


def test_an_action_may_be_given_by_id_or_name(game):
    by_id, by_name = game.table(seed=SEED), game.table(seed=SEED)
    for action in script(game):
        by_id.play(np.int64(action))
        by_name.play(game.action_name(action))
        assert by_id.records.tobytes() == by_name.records.tobytes()
    assert by_id.over
    assert by_id.history == by_name.history


def test_names_of_actions(game):
    names = [game.action_name(action) for action in range(game.num_actions)]
    assert len(set(names)) == len(names)
    assert [game.action_id(name) for name in names] == list(range(game.num_actions))
    assert names[: len(game.cards)] == list(game.cards)
    for action in (-1, game.num_actions):
        with pytest.raises(ValueError, match=str(action)):
            game.action_name(action)
    with pytest.raises(ValueError, match="no such action"):
        game.action_id("no such action")


# --- Rewards and the end of the match -----------------------------------------------------------------------


def under_each_scheme(case: Case) -> list[trick_envs.Table]:
    """The same match under the three reward schemes, before its first action."""
    return [
        trick_envs.make(case.game.name, **{**case.game.options, "rewards": scheme}).table(seed=SEED)
        for scheme in ("points", "relative", "placement")
    ]


def test_rewards_follow_the_scheme(case):
    points, relative, placement = tables = under_each_scheme(case)
    seats = range(case.game.num_players)
    side = [case.under_test.side(case.game, seat) for seat in seats]
    assert points.rewards == relative.rewards == placement.rewards == [0] * len(seats)
    settled = 0
    for action in script(case.game):
        before = points.scores
        for table in tables:
            table.play(action)
        assert points.scores == relative.scores == placement.scores
        assert points.hand_over == relative.hand_over == placement.hand_over
        settled += points.hand_over
        own = [case.under_test.better * (now - then) for now, then in zip(points.scores, before, strict=True)]
        assert points.rewards == own
        if not points.hand_over:
            assert points.rewards == relative.rewards == [0] * len(seats)
        one_a_side = {side[seat]: own[seat] for seat in seats}
        for seat in seats:
            others = [gain for other, gain in one_a_side.items() if other != side[seat]]
            assert relative.rewards[seat] == pytest.approx(own[seat] - sum(others) / len(others), rel=1e-6)
        assert sum(relative.rewards) == pytest.approx(0, abs=1e-4)
        if not placement.over:
            assert placement.rewards == [0] * len(seats)
    assert settled == points.hand_number + 1
    assert placement.over
    assert placement.rewards == pytest.approx(expected_placement(case, placement))
    assert sum(placement.rewards) == pytest.approx(0, abs=1e-6)


def expected_placement(case: Case, table: trick_envs.Table) -> list[float]:
    """From +1 for the best side to -1 for the last, evenly spaced; who shares places gets their mean."""
    seats = range(table.game.num_players)
    side = [case.under_test.side(table.game, seat) for seat in seats]
    standing = dict(zip(side, case.under_test.standing(table), strict=True))
    in_order = sorted(standing.values(), reverse=True)
    step = 2 / (len(in_order) - 1)
    shares = [
        [1 - place * step for place, other in enumerate(in_order) if other == standing[side[seat]]] for seat in seats
    ]
    return [sum(share) / len(share) for share in shares]


def test_the_end_of_the_match(case):
    game = case.game
    table = match_over(game, SEED)
    standing = case.under_test.standing(table)
    assert table.over
    assert (table.seat, table.phase, table.legal_actions()) == (-1, "over", [])
    assert table.winners == [seat for seat, stands in enumerate(standing) if stands == max(standing)]
    assert table.hand_number == table.history[-1][0], "the board stays at the last hand"
    assert table.dealer == (game.table(seed=SEED).dealer + table.hand_number) % game.num_players
    hands = table.hand_number + 1
    assert hands <= min(game.options["num_hands"] or hands, game.options["max_hands"] or hands)
    if table.truncated:
        assert hands == game.options["max_hands"]
    before = face(table)
    with pytest.raises(IllegalAction, match="over"):
        table.play(script(game)[-1])
    assert face(table) == before


def test_no_one_has_won_before_the_end(game):
    for table in walk(game, every=13):
        assert table.over or (table.winners, table.truncated) == ([], False)


def test_every_match_ends_and_so_does_every_hand(case):
    for seed in range(10):
        table = match_over(case.game, seed)
        actions = Counter(hand for hand, _, _ in table.history)
        assert list(actions) == list(range(table.hand_number + 1))
        assert len(actions) <= case.under_test.most_hands
        for hand, taken in actions.items():
            assert taken <= case.under_test.most_actions(case.game, hand)


@pytest.mark.parametrize("under_test", GAMES, ids=lambda under_test: under_test.name)
def test_the_longest_hands_are_as_long_as_hands_can_be(under_test: UnderTest):
    """Otherwise the limits would be too loose to tell anything: all but ties and moons come in every hand."""
    rare = {"moon", "tie"}
    for seats in under_test.seats:
        table = under_test.make(seats).table(seed=SEED)
        common = 0
        while table.hand_number == 0 and not table.over:
            common += table.phase not in rare
            table.play(random_action(table, Random(SEED)))
        most = under_test.most_actions(table.game, 0)
        assert most - common == {"hearts": 1, "rewind": 26 * (seats - 2)}.get(under_test.name, 0)


# --- Deals --------------------------------------------------------------------------------------------------


def test_deck_tells_what_is_dealt(game):
    """Another table that is given those decks deals the same hands, however either is played."""
    shuffled = game.table(seed=SEED)
    given = game.table(seed=SEED + 1, decks=[game.deck(SEED, hand) for hand in range(3)], dealer=shuffled.dealer)
    for hand in range(3):
        assert shuffled.hand_number == given.hand_number == hand
        assert shuffled.hands() == given.hands()
        if not (to_next_hand(shuffled, Random(1)) and to_next_hand(given, Random(2))):
            break


def to_next_hand(table: trick_envs.Table, rng: Random) -> bool:
    """Play at random until the next hand is dealt; False when the match ended instead."""
    hand = table.hand_number
    while not table.over and table.hand_number == hand:
        table.play(random_action(table, rng))
    return not table.over


def test_a_deck_is_the_pack_in_another_order_for_each_seed_and_hand(game):
    decks = [game.deck(seed, hand) for seed in range(3) for hand in range(3)]
    assert len({tuple(deck) for deck in decks}) == len(decks)
    assert len({tuple(sorted(deck)) for deck in decks}) == 1
    assert sorted(decks[0]) == sorted(game.cards[card] for card in game.pack)
    assert game.deck(2, 1) == decks[7]


def test_given_decks_change_nothing_else(game):
    for seed in range(5):
        shuffled, given = game.table(seed=seed), game.table(seed=seed, decks=[game.deck(99)])
        assert given.hands() != shuffled.hands()
        assert (given.dealer, given.phase) == (shuffled.dealer, shuffled.phase)
        if to_next_hand(shuffled, Random(1)) and to_next_hand(given, Random(2)):
            assert given.hands() == shuffled.hands()
            assert (given.dealer, given.phase) == (shuffled.dealer, shuffled.phase)


def test_the_same_seed_is_the_same_match(game):
    assert face(game.table(seed=SEED)) == face(game.table(seed=SEED))
    assert len({str(game.table(seed=seed).hands()) for seed in range(20)}) == 20


def test_without_a_seed_each_match_is_another(game):
    assert game.table().seed != game.table().seed


def test_dealers(case):
    game, seats = case.game, range(case.game.num_players)
    drawn = {game.table(seed=seed).dealer for seed in range(80)}
    first_dealer = game.options["first_dealer"]
    assert drawn == (set(seats) if first_dealer is None else {first_dealer})
    assert [game.table(seed=SEED, dealer=seat).dealer for seat in seats] == list(seats)
    for dealer in (-1, game.num_players, True, "1", 0.0):
        with pytest.raises(ValueError, match="dealer"):
            game.table(seed=SEED, dealer=dealer)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "7", True])
def test_seeds_out_of_range_are_refused(seed):
    for case in DEFAULTS:
        for take in (
            lambda seed, game=case.game: game.table(seed=seed),
            lambda seed, game=case.game: game.deck(seed),
            lambda seed, game=case.game: game.tables(2, seed=seed),
        ):
            with pytest.raises(ValueError, match=f"seed={seed!r}"):
                take(seed)


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.uint64(2**64 - 1), np.int32(5)])
def test_seeds_at_the_edges_are_taken(seed):
    for case in DEFAULTS:
        table = case.game.table(seed=seed)
        assert table.seed == int(seed)
        assert sorted(case.game.deck(seed)) == sorted(case.game.deck(1))


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_wrong_decks_are_refused_by_the_name_of_the_card(case):
    game = case.game
    deck = game.deck(SEED)
    for wrong, named in (
        ([*deck[:-1], "no card"], "no card"),
        (deck[:-1], deck[-1]),
        ([*deck, deck[0]], deck[0]),
        ([deck[1], *deck[1:]], deck[1]),
    ):
        for decks, hand in (([wrong], 0), ([deck, wrong], 1)):
            with pytest.raises(ValueError, match=f"hand {hand}.*{named}"):
                game.table(seed=SEED, decks=decks)
    for decks in (deck, "deck", ["deck"], 5):
        with pytest.raises(ValueError, match="deck"):
            game.table(seed=SEED, decks=decks)


# --- Tables do not touch each other, nor anything else ------------------------------------------------------


def test_a_copy_is_independent(game):
    for twin_of in (trick_envs.Table.copy, copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))):
        table = mid_match(game)
        before = face(table)
        twin = twin_of(table)
        assert face(twin) == before
        assert told(twin, 0) == told(table, 0)
        play_on(twin, Random(1))
        assert face(table) == before, "the copy's play changed the table"
        twin, over = twin_of(table), face(twin)
        play_on(table, Random(1))
        assert face(twin) == before, "the table's play changed the copy"
        assert face(table) == over, "the same play leads elsewhere in the copy"


def test_tables_side_by_side_play_as_alone():
    games = [case.game for case in DEFAULTS]
    alone = [face(match_over(game, SEED)) for game in games]
    together = [(game.table(seed=SEED), Random(SEED)) for game in games]
    while not all(table.over for table, _ in together):
        for table, rng in together:
            play_on(table, rng, actions=1)
    assert [face(table) for table, _ in together] == alone


def test_global_generators_are_left_alone(game):
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    before = random.getstate(), str(np.random.get_state())  # noqa: NPY002
    play_on(game.table(), Random(1), actions=200)
    game.tables(3)
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002


def test_games_are_values(game):
    again = trick_envs.make(game.name, **game.options)
    assert again == game
    assert hash(again) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == copy.deepcopy(game) == game
    assert json.loads(json.dumps(game.options)) == game.options
    assert eval(repr(game), {"make": trick_envs.make}) == game
    assert (again.fingerprint, again.layout.fingerprint) == (game.fingerprint, game.layout.fingerprint)
    others = [case.game for case in CASES if case.game != game]
    assert game.fingerprint not in {other.fingerprint for other in others}
    game.options["num_players"] = 99
    assert game.options["num_players"] == game.num_players != 99


# --- Saved and recorded -------------------------------------------------------------------------------------


def test_save_and_load_in_mid_match(game):
    given = game.table(seed=SEED, decks=[game.deck(1), game.deck(2)], dealer=1)
    for table in (mid_match(game), play_on(given, Random(1), actions=5), match_over(game, SEED)):
        loaded = game.load(table.save())
        assert face(loaded) == face(table)
        assert loaded.save() == table.save()
        assert face(play_on(loaded, Random(3))) == face(play_on(table, Random(3)))


def test_damaged_saves_are_refused(game):
    saved = mid_match(game).save()
    for place in range(0, len(saved), 7):
        damaged = bytearray(saved)
        damaged[place] ^= 1 << (place % 8)
        with pytest.raises(ValueError, match="saved"):
            game.load(bytes(damaged))
        with pytest.raises(ValueError, match="saved"):
            game.load(saved[:place])
    for damaged in (saved + b"\0", saved[1:], saved + saved, b"", str(saved), None, 5, [saved]):
        with pytest.raises(ValueError, match="saved"):
            game.load(damaged)


def test_saves_of_something_else_are_refused(game):
    saved, of_tables = mid_match(game).save(), game.tables(3).save()
    for other in CASES:
        if other.game != game:
            with pytest.raises(ValueError, match="other rules, options or another version"):
                other.game.load(saved)
            with pytest.raises(ValueError, match="other rules, options or another version"):
                other.game.tables(3).load(of_tables)
    with pytest.raises(ValueError, match="saved"):
        game.load(of_tables)
    with pytest.raises(ValueError, match="saved"):
        game.tables(3).load(saved)


def test_a_record_is_replayed(game):
    given = game.table(seed=2**64 - 1, decks=[game.deck(1), game.deck(2)], dealer=1)
    for table in (game.table(seed=SEED), mid_match(game), play_on(given, Random(1)), match_over(game, SEED)):
        again = trick_envs.replay(json.loads(json.dumps(table.record())))
        assert face(again) == face(table)
        assert again.save() == table.save()
        assert again.record() == table.record()


def test_a_record_that_cannot_be_replayed_is_refused(game):
    table = mid_match(game)
    record = table.record()
    taken = len(record["actions"])
    illegal = next(
        name
        for name in map(game.action_name, range(game.num_actions))
        if game.action_id(name) not in table.legal_actions()
    )
    for changes, named in (
        ({"format": 999}, "999"),
        ({"game": "no such game"}, "no such game"),
        ({"version": 999}, "999"),
        ({"options": {**record["options"], "no_such_option": 1}}, "no_such_option"),
        ({"options": {**record["options"], "num_players": 99}}, "num_players=99"),
        ({"options": None}, "options"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": "7"}, "'seed' is '7'"),
        ({"seed": None}, "'seed' is None"),
        ({"decks": [["no card"]]}, "no card"),
        ({"dealer": 99}, "dealer=99"),
        ({"actions": [*record["actions"], illegal]}, f"action {taken}"),
        ({"actions": [*record["actions"], "no such action"]}, "no such action"),
        ({"actions": [1.5]}, "1.5"),
        ({"actions": None}, "actions"),
        ({"actions": "QS"}, "actions"),
    ):
        with pytest.raises(ValueError, match=named):
            trick_envs.replay({**record, **changes})
    for key in record:
        with pytest.raises(ValueError, match=key):
            trick_envs.replay({name: value for name, value in record.items() if name != key})
    for wrong in (None, "record", [record], 5):
        with pytest.raises(ValueError, match="record"):
            trick_envs.replay(wrong)


@pytest.mark.parametrize("seat", [-1, 99, 0.5, "0", None])
def test_seats_that_there_are_not_are_refused(seat):
    for case in DEFAULTS:
        table = case.game.table(seed=SEED)
        looks = [table.observation, table.action_mask, table.explain, table.view]
        for look in looks if seat is None else [*looks, table.state]:
            with pytest.raises(ValueError, match="seat"):
                look(seat)
