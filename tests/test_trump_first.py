"""Policies that see trump as the first suit: suits are only renamed, and what they do does not depend on the names."""

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
from trick_envs.bots.trump_first import TrumpFirst

CONFIG = {
    "game": "rage_glyphs",
    "options": {"hand_sizes": [3], "rewards": "relative"},
    "other_tables": [{"num_players": 2}],
    "decisions": 900,
    "tables": 16,
    "threads": 1,
    "trump_first": True,
    "hidden": [8],
    "learning": {"decisions_per_update": 200, "batch_size": 128, "epochs": 1, "lookahead": 0.5},
    "opponents": {"snapshots": 0.3, "rules": 0.1, "random": 0.1, "snapshot_every": 1},
    "measuring": {"against": ["random"], "deals": 8, "curve_deals": 4, "curve_every": 1000},
}


GAMES = {"setback": {"num_hands": 1}, "rage_glyphs": {"hand_sizes": [5]}}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    finished = Run.begin(tmp_path_factory.mktemp("run") / "run", check_config(CONFIG, "CONFIG"))
    finished.learn(Console(quiet=True))
    return finished


def renamed(game, name, suits):
    """A card or action with the letters of two suits exchanged."""
    return name[:-1] + suits.get(name[-1], name[-1]) if name in game.cards else name


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_a_match_in_which_trump_and_the_first_suit_have_each_others_names_looks_the_same(name, seed):
    game, numbers = trick_envs.make(name, **GAMES[name]), np.random.default_rng(seed)
    names = game.layout.part("trump").axes[0]
    letters = list(dict.fromkeys(card[-1] for card in game.cards[: 13 * len(names)]))[: len(names)]
    table = game.table(seed=seed, decks=[game.deck(seed)], dealer=0)
    steps = []
    while table.seat >= 0:
        steps.append((table.observation(table.seat), table.action_mask(table.seat), table.trump))
        table.play(numbers.choice(table.legal_actions()))
    trumps = [trump for *_, trump in steps if trump]
    letter = letters[names.index(max(trumps, key=trumps.count))]
    suits = {letter: letters[0], letters[0]: letter}
    twin = game.table(seed=seed, decks=[[renamed(game, card, suits) for card in game.deck(seed)]], dealer=0)
    exchange, alike = TrumpFirst(game, game.layout), 0
    for (*seen, trump), (_, _, action) in zip(steps, table.history, strict=True):
        if trump and letters[names.index(trump)] in suits:
            (observation, mask), (other, other_mask) = seen, (twin.observation(twin.seat), twin.action_mask(twin.seat))
            rows = np.stack([observation, other])
            trumps = exchange.trumps(rows)
            one, two = exchange.entries(trumps, rows)
            np.testing.assert_array_equal(one, two)
            np.testing.assert_array_equal(*exchange.actions(trumps, np.stack([mask, other_mask])))
            assert exchange.trumps(one[None])[0] == 0
            alike += 1
        twin.play(renamed(game, game.action_name(action), suits))
    assert alike >= 4
    assert twin.scores == table.scores


@pytest.mark.parametrize("name", GAMES)
def test_exchanging_twice_changes_nothing(name):
    game = trick_envs.make(name, **GAMES[name])
    tables, chance = game.tables(256, seed=1), bots.make("random", game)
    inputs = Inputs([game], trump_first=True)
    exchange, met = TrumpFirst(game, game.layout), set()
    for _ in range(12):
        seen, masks = tables.observation, tables.action_mask
        trumps = exchange.trumps(seen)
        met |= set(trumps.tolist())
        np.testing.assert_array_equal(exchange.entries(trumps, exchange.entries(trumps, seen)), seen)
        np.testing.assert_array_equal(exchange.actions(trumps, exchange.actions(trumps, masks)), masks)
        actions = chance.act_batch(tables)
        theirs = inputs.exchanged(0, seen, actions)
        assert inputs.spread_actions(0, seen, masks)[np.arange(256), theirs].all()
        np.testing.assert_array_equal(inputs.exchanged(0, seen, theirs), actions)
        states = inputs.spread(0, tables.state(np.arange(256)))
        np.testing.assert_array_equal(states[:, : game.layout.size], inputs.spread(0, seen))
        tables.step(actions)
    assert met >= set(range(len(game.layout.part("trump").axes[0])))


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
        np.testing.assert_array_equal(actions, run.learner.inputs.exchanged(room.number, seen, best))
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


def test_where_no_suit_becomes_trump_it_is_refused():
    with pytest.raises(ConfigError, match="trump_first: in hearts no suit becomes trump"):
        check_config({**CONFIG, "game": "hearts", "options": {}, "other_tables": []}, "CONFIG")
