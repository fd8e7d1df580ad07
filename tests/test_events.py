"""Events: sequences that can be read back into all that a seat has been allowed to see, and no more."""

from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

import trick_envs
from tests.games import CASES, DEFAULTS, Case
from tests.helpers import deal, play
from tests.playing import play_on, positions, random_action
from trick_envs import hearts_v0
from trick_envs.views.events import DIGITS, Event, Kind, Vocabulary, tell_number

HIDDEN = "a card"  # that another seat picks
PASSING = ("picks", "picked")
PLAYED = ("plays", "bids", "moon", "gives", *PASSING)  # events that are actions


HANDS = 3


def telling(game: trick_envs.Game, **options: Any) -> trick_envs.Game:
    """The game with events of the whole match, of a few hands at most, in its observations."""
    bound = {"max_hands": min(HANDS, game.options["max_hands"] or HANDS)}
    told = {"observation": "both", "events_of": "match"}
    return trick_envs.make(game.name, **{**game.options, **bound, **told, **options})


def events_of(table: trick_envs.Table, seat: int, start: int = 0) -> list[Event]:
    """What a seat was told from a place of its sequence on."""
    return table.game.vocabulary.decode(table.events(seat)[start:])


def told_so_far(table: trick_envs.Table) -> int:
    return int(table.records["told"][0])


# --- Reading back


def actions_told(table: trick_envs.Table, seat: int) -> list[tuple[int, int, str]]:
    """(hand, seat, name of the action) as an observer reads them out of its events; ``HIDDEN`` for others' picks."""
    seats = table.game.num_players
    hand = -1
    actions = []
    for kind, who, value in events_of(table, seat):
        hand += kind == "deals"
        if kind in PLAYED:
            actor = seat if who is None else (seat + who) % seats
            name = {
                "plays": value,
                "picks": value,
                "picked": HIDDEN,
                "bids": value if value in ("pass", "smudge") or str(value).startswith("bid") else f"bid {value}",
                "moon": f"moon: {value}",
                "gives": f"place {value}",
            }[kind]
            actions.append((hand, actor, str(name)))
    return actions


def actions_seen(table: trick_envs.Table, seat: int) -> list[tuple[int, int, str]]:
    """The same of the table's history."""
    seen = []
    again = table.game.table(table.seed, table.deck_names(), table.first_dealer)
    for hand, actor, action in table.history:
        hidden = again.phase == "pass" and actor != seat
        seen.append((hand, actor, HIDDEN if hidden else table.game.action_name(action)))
        again.play(action)
    return seen


def hands_told(table: trick_envs.Table, seat: int) -> list[list[str]]:
    """The cards an observer was dealt in each hand, as it reads them out of its events."""
    hands: list[list[str]] = []
    for kind, _, value in events_of(table, seat):
        if kind == "deals":
            hands.append([])
        elif kind == "dealt":
            hands[-1].append(str(value))
    return hands


def hands_dealt(table: trick_envs.Table) -> list[list[list[str]]]:
    """The cards dealt to each seat, hand by hand."""
    again = table.game.table(table.seed, table.deck_names(), table.first_dealer)
    hands = [again.hands()]
    for _, _, action in table.history:
        before = again.hand_number
        again.play(action)
        if again.hand_number != before:
            hands.append(again.hands())
    return hands


@pytest.mark.parametrize("case", CASES, ids=str)
def test_events_tell_the_whole_match_as_the_seat_has_seen_it(case: Case) -> None:
    game = telling(case.game)
    rng = Random(str(case))
    for actions in (rng.randrange(400), None):
        table = play_on(game.table(seed=rng.getrandbits(64)), rng, actions)
        dealt = hands_dealt(table)
        for seat in range(game.num_players):
            assert actions_told(table, seat) == actions_seen(table, seat)
            assert hands_told(table, seat) == [hands[seat] for hands in dealt]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_events_tell_scores_tricks_and_the_end(case: Case) -> None:
    game = telling(case.game)
    seats = game.num_players
    for seat in (0, seats - 1):
        table = game.table(seed=5)
        rng = Random(5)
        settled = dict.fromkeys(range(seats), 0)
        while not table.over:
            told = told_so_far(table)
            tricks = 0 if table.hand_over else sum(table.tricks_won)
            hand = table.hand_number
            table.play(random_action(table, rng))
            news = events_of(table, seat, told)
            taken = [(seat + (event.who or 0)) % seats for event in news if event.kind == "takes"]
            if table.hand_number == hand and not table.over and sum(table.tricks_won) > tricks and taken:
                assert taken == [table.seat if table.phase != "moon" else taken[0]]
            scores = {(seat + event.who) % seats: event.value for event in news if event.kind == "hand_score"}
            assert bool(scores) == table.hand_over
            for other, points in scores.items():
                settled[other] += points
            if table.hand_over:
                assert list(settled.values()) == table.scores
            stands = {(seat + event.who) % seats: event.value for event in news if event.kind == "score"}
            assert stands == ({} if table.over or not table.hand_over else settled)
        assert news[-1].kind == ("cut_short" if table.truncated else "match_over")
        assert sum(event.kind in ("match_over", "cut_short") for event in events_of(table, seat)) == 1


@pytest.mark.parametrize("case", CASES, ids=str)
def test_sequences_are_padded_and_only_grow(case: Case) -> None:
    game = telling(case.game)
    size = game.vocabulary.size
    before: list[int] = []
    for table in positions(game.table(seed=11), Random(11)):
        row = table.events(0)
        assert row.shape == (game.most_events,)
        assert row.dtype == np.int16
        told = np.flatnonzero(row)
        assert told.tolist() == list(range(len(told))), "no padding in between"
        assert len(told) < game.most_events
        assert 0 <= row.min() <= row.max() < size
        tokens = row[: len(told)].tolist()
        assert tokens[: len(before)] == before
        before = tokens
        assert {len(np.flatnonzero(table.events(seat))) for seat in range(game.num_players)} == {len(told)}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_events_of_a_hand_are_the_end_of_those_of_the_match(case: Case) -> None:
    of_match = telling(case.game)
    of_hand = telling(case.game, events_of="hand")
    both = [game.table(seed=12) for game in (of_match, of_hand)]
    rng = Random(12)
    longest = 0
    while not both[0].over:
        action = random_action(both[0], rng)
        for table in both:
            table.play(action)
        seat = rng.randrange(of_hand.num_players)
        whole, hand = (table.events(seat)[: np.count_nonzero(table.events(seat))] for table in both)
        longest = max(longest, len(hand))
        assert hand.tolist() == whole[len(whole) - len(hand) :].tolist()
        assert of_hand.vocabulary.decode(hand)[0].kind == "deals"
        assert sum(event.kind == "deals" for event in of_hand.vocabulary.decode(hand)) == 1
    assert longest <= of_hand.most_events <= of_match.most_events


@pytest.mark.parametrize("case", DEFAULTS, ids=str)
def test_matches_that_differ_have_sequences_that_differ(case: Case) -> None:
    """The observer tells two matches apart as soon as something differs that it may see, and not before."""
    game = telling(case.game)
    rng = Random(13)
    for _ in range(12):
        table = play_on(game.table(seed=rng.getrandbits(64)), rng, rng.randrange(60))
        if table.over:
            continue
        legal = table.legal_actions()
        children = []
        for action in legal:
            child = table.copy()
            child.play(action)
            children.append(child)
        actor = table.seat
        own = {child.events(actor).tobytes() for child in children}
        assert len(own) == len(legal)
        if table.phase != "pass":
            for seat in range(game.num_players):
                assert len({child.events(seat).tobytes() for child in children}) == len(legal)
        elif all(child.phase == "pass" for child in children):
            other = (actor + 1) % game.num_players
            assert len({child.events(other).tobytes() for child in children}) == 1


@pytest.mark.parametrize("options", [{"num_players": 4}, {"num_players": 6, "variant": "cancellation"}], ids=str)
def test_a_seat_is_told_to_whom_it_passes(options: dict[str, Any]) -> None:
    """The direction of the first hand may be drawn, so the hand's number does not tell it."""
    game = trick_envs.make("hearts", observation="events", first_pass=None, num_hands=1, **options)
    deck = game.deck(1)
    told: dict[bytes, set[int]] = {}
    for seed in range(30):
        table = game.table(seed, [deck], dealer=0)
        told.setdefault(table.events(1).tobytes(), set()).add(table.view(1).pass_to)
        assert events_of(table, 1)[-1] == Event("pass_to", table.view(1).pass_to, None)
    assert len(told) >= 2
    assert all(len(directions) == 1 for directions in told.values())
    without = trick_envs.make("hearts", observation="events", pass_cards=0, num_hands=1, **options)
    assert "pass_to" not in {event.kind for event in events_of(without.table(seed=1), 1)}


# --- What is told, in words


def test_a_hand_of_hearts_in_words() -> None:
    table = deal("2C QS", "AS", "AD", "AC", dealer=3, observation="events", num_hands=1, pass_cards=1)
    play(table, "QS AS AD AC 2C")
    game = table.game
    words = game.event_words(table.events(0))
    first = next(place for place, told in enumerate(words) if told.startswith("I pick"))
    assert words[0] == "right deals"
    assert words[first : first + 5] == [
        "I pick QS for passing",
        "left picks a card for passing",
        "across picks a card for passing",
        "right picks a card for passing",
        "passed to me: AC",
    ]
    assert words[first + 5] == "me plays 2C"
    to_left = game.event_words(table.events(1))
    assert "passed to me: QS" in to_left
    assert not any("passed to me: AC" in told for told in to_left)


# --- Numbers and vocabularies


@pytest.mark.parametrize("number", [0, 1, -1, 127, 128, -128, -129, 255, 2**15, -(2**15) - 1, 2**31 - 1, -(2**31)])
def test_numbers_of_any_size_are_read_back(number: int) -> None:
    game = telling(trick_envs.make("hearts"))
    table = game.table(seed=1)
    record = table.records.view(np.recarray)[0]
    score = game.vocabulary.first("score")
    log = np.zeros((4, 12), np.int16)
    record.told = 0
    log[:, 0], record.told = score, 1
    tell_number(record, log, number)
    assert game.vocabulary.decode(log[2]) == [Event("score", 0, number)]
    assert np.count_nonzero(log[2]) <= 1 + 4


def test_what_is_no_sequence_is_refused() -> None:
    vocabulary = trick_envs.make("hearts").vocabulary
    digit, deals, pad = vocabulary.first("digit"), vocabulary.first("deals"), 0
    assert vocabulary.decode(np.array([deals, pad, digit])) == [Event("deals", 0, None)]
    for tokens, told in [
        ([deals, vocabulary.size], f"place 1: {vocabulary.size} is no token"),
        ([-1], "place 0: -1 is no token"),
        ([digit], "place 0: a digit"),
        ([deals, digit + DIGITS - 1], "place 1: a digit"),
    ]:
        with pytest.raises(ValueError, match=told):
            vocabulary.decode(np.array(tokens))
    with pytest.raises(KeyError):
        vocabulary.first("no such kind")
    for no_tokens in ([1.0], [[1, 2]], 3, "abc", [True]):
        with pytest.raises(ValueError, match="one sequence of integers"):
            vocabulary.decode(no_tokens)  # type: ignore[arg-type]
    assert vocabulary.decode(np.array([])) == []
    seven, three = (trick_envs.make("hearts", num_players=seats, observation="events") for seats in (7, 3))
    with pytest.raises(ValueError, match="tells of seat 6 from the observer; there are 3 seats"):
        three.event_words(seven.table(seed=1, dealer=6).events(0))


def test_tokens_are_told_apart_and_counted() -> None:
    for case in DEFAULTS:
        vocabulary = case.game.vocabulary
        number = vocabulary.first("digit")
        tokens = [token for token in range(1, vocabulary.size) if not number <= token < number + DIGITS]
        read = {vocabulary.decode(np.array([token]))[0] for token in tokens}
        assert len(read) == len(tokens) == vocabulary.size - 1 - DIGITS
        assert vocabulary.size < 2**15
    by_seats = {case.game.kind.name: case.game.vocabulary for case in DEFAULTS}
    assert all(case.game.vocabulary is by_seats[case.game.kind.name] for case in DEFAULTS)


def test_a_vocabulary_of_a_game_of_ones_own() -> None:
    vocabulary = Vocabulary(2, [Kind("nods", "{who} nods"), Kind("says", "{who} says {value}", ("yes", "no"))])
    assert vocabulary.size == 1 + 2 + 4
    assert vocabulary.words(np.array([2, 3, 6, 0]), ["me", "you"]) == ["you nods", "me says yes", "you says no"]


# --- Where events are asked for


def test_events_must_be_asked_for() -> None:
    table = trick_envs.make("hearts").table(seed=1)
    with pytest.raises(ValueError, match="observation='events'"):
        table.events(0)
    assert trick_envs.make("hearts").tables(3).events.shape[0] == 0
    with pytest.raises(ValueError, match="max_hands=None: should be a number"):
        trick_envs.make("hearts", observation="events", max_hands=None)
    for option, other in (("max_hands", "num_hands"), ("num_hands", "max_hands")):
        with pytest.raises(ValueError, match=f"{option}=10001: should be a number of hands up to 10000"):
            trick_envs.make("hearts", observation="events", **{option: 10_001, other: None})
    assert trick_envs.make("hearts", observation="events", max_hands=2**31 - 1, events_of="hand").most_events
    assert trick_envs.make("hearts", observation="events", max_hands=None, num_hands=1).most_events
    assert trick_envs.make("hearts", observation="events", max_hands=None, events_of="hand").most_events
    with pytest.raises(ValueError, match="'match' or 'hand'"):
        trick_envs.make("hearts", events_of="round")


def test_a_table_that_was_told_nothing_has_no_events_that_begin_in_the_middle() -> None:
    game = trick_envs.make("rewind", observation="both")
    table = play_on(game.table(seed=1), Random(1), 9)
    of_world = table.view(table.seat).worlds(2).table(0)
    of_batch = game.tables(2, observe=False).table(0)
    for untold in (of_world, of_batch):
        for one in (untold, untold.copy(), game.load(untold.save())):
            one.play(one.legal_actions()[0])
            with pytest.raises(ValueError, match="no events are kept: the table was taken out of a batch"):
                one.events(0)


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("encoding", ["events", "both"])
def test_an_environment_observes_events(encoding: str, mask: str) -> None:
    env = hearts_v0.raw_env(observation=encoding, num_hands=1, mask=mask)
    events = spaces.Box(0, env.game.vocabulary.size - 1, (env.game.most_events,), np.int16)
    env.reset(seed=3)
    while env.agents:
        for seat, agent in enumerate(env.possible_agents):
            space, seen = env.observation_space(agent), env.observe(agent)
            assert space.contains(seen)
            space, seen = (space, seen) if mask == "info" else (space["observation"], seen["observation"])
            if encoding == "both":
                assert (seen["features"] == env.table.observe(seat)[0]).all()
                space, seen = space["events"], seen["events"]
            assert space == events
            assert (seen == env.table.events(seat)).all()
            seen[:] = 7
        env.step(env.table.legal_actions()[0] if not env.match_over else None)


def test_a_resampled_batch_tells_no_seat_what_another_world_holds() -> None:
    """Row by row what each seat was told is what a table that holds the row's cards would have told it."""
    for case in DEFAULTS:
        game = telling(case.game)
        tables = game.tables(6, seed=4)
        rng = np.random.default_rng(1)
        for step in range(70):
            tables.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in tables.action_mask]))
            if step % 10 == 9:
                chosen = rng.integers(game.num_players, size=6)
                worlds = tables.resample(seed=step, seats=chosen)
                for row, seat in enumerate(chosen.tolist()):
                    assert (worlds.logs[row, seat] == tables.logs[row, seat]).all()
                    world = worlds.table(row)
                    for other in range(game.num_players):
                        news = game.vocabulary.decode(world.events(other))
                        last_deal = max(place for place, event in enumerate(news) if event.kind == "deals")
                        news = news[last_deal:]
                        dealt = [event.value for event in news if event.kind == "dealt"]
                        assert sorted(map(str, dealt)) == sorted(dealt_to(world)[other])
                        mine = {
                            kind: sorted(str(e.value) for e in news if e.kind == kind) for kind in ("picks", "received")
                        }
                        if "passed" in (world.records.dtype.names or ()):
                            view = world.view(other)
                            assert mine["picks"] == sorted(view.passed)
                            assert mine["received"] == (sorted(view.received) if world.phase != "pass" else [])


def dealt_to(table: trick_envs.Table) -> list[list[str]]:
    """The cards that each seat was dealt in the present hand: those of a fresh hand from a deck that leads to it."""
    deck = [table.game.cards[card] for card in table.undeal()]
    options = {**table.game.options, "observation": "features", "max_hands": None}
    if "hand_sizes" in options:
        options["hand_sizes"] = options["hand_sizes"][table.hand_number :]
    return trick_envs.make(table.game.name, **options).table(0, [deck], table.dealer).hands()
