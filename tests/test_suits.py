"""Suits in another order for a policy: what it does does not depend on their names."""

import numpy as np
import pytest
import torch
from rich.console import Console

import trick_envs
from training.config import ConfigError, check_config
from training.policy import as_bot
from training.run import Run
from trick_envs import bots
from trick_envs.bots.policy import Inputs
from trick_envs.bots.suits import INTERCHANGEABLE, SuitOrder, back

CONFIG = {
    "game": "rage_glyphs",
    "options": {"hand_sizes": [3], "rewards": "relative"},
    "other_tables": [{"num_players": 2}],
    "decisions": 900,
    "tables": 16,
    "threads": 1,
    "suits": "trump_first",
    "hidden": [8],
    "learning": {"decisions_per_update": 200, "batch_size": 128, "epochs": 1, "lookahead": 0.5},
    "opponents": {"snapshots": 0.3, "rules": 0.1, "random": 0.1, "snapshot_every": 1},
    "measuring": {"against": ["random"], "deals": 8, "curve_deals": 4, "curve_every": 1000},
}


GAMES = {"setback": {"num_hands": 1}, "rage_glyphs": {"hand_sizes": [14]}, "rewind": {}}
CASES = [
    (name, how) for name in GAMES for how in ("trump_first", "by_length") if (name, how) != ("rewind", "trump_first")
]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    finished = Run.begin(tmp_path_factory.mktemp("run") / "run", check_config(CONFIG, "CONFIG"))
    finished.learn(Console(quiet=True))
    return finished


def renamed(game, name, suits):
    """A card or action with the letters of suits changed."""
    return name[:-1] + suits.get(name[-1], name[-1]) if name in game.cards else name


def letters_of(game):
    """The letter of each suit, by its name."""
    names = game.layout.part("voids").axes[-1]
    cards = game.layout.part("hand").axes[0]
    return {name: cards[len(cards) // len(names) * number][-1] for number, name in enumerate(names)}


def changes(game, how, trumps, numbers):
    """Letters to change for a match that is to look the same."""
    letters = letters_of(game)
    if how == "trump_first":
        trump, first = letters[max(trumps, key=trumps.count)], next(iter(letters.values()))
        return {trump: first, first: trump}
    free = [list(letters.values())[suit] for suit in INTERCHANGEABLE[game.name]]
    return dict(zip(free, numbers.permutation(free).tolist(), strict=True))


@pytest.mark.parametrize(("name", "how"), CASES)
@pytest.mark.parametrize("seed", range(6))
def test_a_match_in_which_suits_have_other_names_looks_the_same(name, how, seed):
    game, numbers = trick_envs.make(name, **GAMES[name]), np.random.default_rng(seed)
    table = game.table(seed=seed, decks=[game.deck(seed)], dealer=0)
    steps = []
    while table.seat >= 0:
        steps.append(
            (table.observation(table.seat), table.action_mask(table.seat), table.trump, table.hands()[table.seat])
        )
        table.play(numbers.choice(table.legal_actions()))
    suits = changes(game, how, [trump for *_, trump, _ in steps if trump], numbers)
    twin = game.table(seed=seed, decks=[[renamed(game, card, suits) for card in game.deck(seed)]], dealer=0)
    order, alike = SuitOrder(game, game.layout, how), 0
    letters = letters_of(game)
    for (*seen, trump, hand), (_, _, action) in zip(steps, table.history, strict=True):
        # Suits of which the hand has the same ranks, or none, stay in their order, as named.
        held = {frozenset(card[:-1] for card in hand if card[-1] == letter) for letter in suits}
        if (how == "trump_first" and trump and letters[trump] in suits) or (
            how == "by_length" and len(held) == len(suits)
        ):
            (observation, mask), (other, other_mask) = seen, (twin.observation(twin.seat), twin.action_mask(twin.seat))
            rows = np.stack([observation, other])
            orders = order.of(rows)
            np.testing.assert_array_equal(*order.entries(orders, rows))
            np.testing.assert_array_equal(*order.actions(orders, np.stack([mask, other_mask])))
            if trump:
                assert list(letters)[orders[0, 0]] == trump
            alike += 1
        twin.play(renamed(game, game.action_name(action), suits))
    assert alike >= 4
    assert twin.scores == table.scores


@pytest.mark.parametrize(("name", "how"), CASES)
def test_no_rows_are_in_order(name, how):
    game = trick_envs.make(name, **GAMES[name])
    order = SuitOrder(game, game.layout, how)
    seen, masks = np.zeros((0, game.layout.size), np.int8), np.zeros((0, game.num_actions), np.int8)
    orders = order.of(seen)
    assert order.entries(orders, seen).shape == seen.shape
    assert order.actions(orders, masks).shape == masks.shape
    assert order.ids(orders, np.zeros(0, np.int64)).shape == (0,)


@pytest.mark.parametrize(("name", "how"), CASES)
def test_the_way_there_and_back_changes_nothing(name, how):
    game = trick_envs.make(name, **GAMES[name])
    tables, chance = game.tables(256, seed=1), bots.make("random", game)
    inputs = Inputs([game], how)
    order, met = SuitOrder(game, game.layout, how), set()
    for _ in range(12):
        seen, masks = tables.observation, tables.action_mask
        orders = order.of(seen)
        np.testing.assert_array_equal(np.sort(orders, axis=1), np.tile(np.arange(orders.shape[1]), (256, 1)))
        met |= set(map(tuple, orders.tolist()))
        np.testing.assert_array_equal(order.entries(back(orders), order.entries(orders, seen)), seen)
        np.testing.assert_array_equal(order.actions(back(orders), order.actions(orders, masks)), masks)
        actions = chance.act_batch(tables)
        theirs = inputs.spread_ids(0, seen, actions)
        assert inputs.spread_actions(0, seen, masks)[np.arange(256), theirs].all()
        np.testing.assert_array_equal(inputs.own_ids(0, seen, theirs), actions)
        states = inputs.spread(0, tables.state(np.arange(256)))
        np.testing.assert_array_equal(states[:, : game.layout.size], inputs.spread(0, seen))
        tables.step(actions)
    assert len(met) >= 4


def test_by_length_the_longest_suit_comes_first_and_trump_before_it():
    game = trick_envs.make("setback", num_hands=1)
    table = game.table(seed=4)
    order = SuitOrder(game, game.layout, "by_length")
    letters = list(letters_of(game).values())
    while table.seat >= 0:
        (suits,) = order.of(table.observation(table.seat)[None])
        counts = [sum(card[-1] == letters[suit] for card in table.hands()[table.seat]) for suit in suits]
        if table.trump:
            assert list(letters_of(game))[suits[0]] == table.trump
        assert counts[bool(table.trump) :] == sorted(counts[bool(table.trump) :], reverse=True)
        table.play(table.legal_actions()[-1])


def test_the_checkpoint_plays_as_the_policy_that_learned(run):
    for room in run.learner.rooms:
        bot = bots.make(run.checkpoint, room.game)
        seen = room.tables.observation
        spread = run.learner.inputs.spread(room.number, seen)
        with torch.no_grad():
            logits = run.learner.average.module(torch.from_numpy(spread * run.learner.inputs.layout.scale)).numpy()
        masks = run.learner.inputs.spread_actions(room.number, seen, room.tables.action_mask)
        best = np.where(masks, logits, -np.inf).argmax(axis=1)
        actions = bot.act_batch(room.tables)
        np.testing.assert_array_equal(actions, run.learner.inputs.own_ids(room.number, seen, best))
        np.testing.assert_array_equal(
            actions, as_bot(run.learner.average.module, run.learner.inputs, room.number).act_batch(room.tables)
        )
        table = room.tables.table(3)
        assert bot.act(table.view(table.seat)) == actions[3]


def test_what_is_learned_from_is_what_was_done(run):
    learner = run.learner
    learner.collect()
    buffer = learner.rollout_buffer
    size = buffer.size
    assert buffer.action_masks[np.arange(size), buffer.actions[:size]].all()
    trump = learner.inputs.layout.slices["trump"]
    marks = buffer.observations[:size, trump]
    assert marks[:, 0].any()
    assert not marks[:, 1:].any()


def test_where_suits_differ_by_more_than_trump_it_is_refused():
    with pytest.raises(ConfigError, match="suits='trump_first': not in hearts"):
        check_config({**CONFIG, "game": "hearts", "options": {}, "other_tables": []}, "CONFIG")
