"""Gymnasium: its own checks, and what one seat is shown and paid beside a table on which the same is played."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordVectorStatistics

import trick_envs
from examples import gymnasium_rewind
from tests.checkpoints import chance_checkpoint
from tests.test_pettingzoo import same
from trick_envs import IllegalAction, bots
from trick_envs.games import GAMES
from trick_envs.interfaces.gymnasium import SeatEnv, SeatVectorEnv
from trick_envs.interfaces.registry import gymnasium_id, register_environments

IDS = {name: gymnasium_id(name) for name in GAMES}
# Opponents that are no compiled bots, compiled ones, and both.
LINEUPS = {"compiled": "rules", "python": "first", "mixed": ["random", "first", "rules"]}


class FirstBot:
    """Chooses the legal action of the lowest id, in Python."""

    name = "first"
    needs_observation = True

    def __init__(self, game):
        self.game = game

    def act(self, view):
        return view.legal_actions()[0]

    def act_batch(self, tables, rows=None):
        return tables.action_mask[tables.rows(rows)].argmax(axis=1)


def lineup(game, names):
    """A bot for each of the seats to the left of the one that learns."""
    names = [names] * (game.num_players - 1) if isinstance(names, str) else names
    return [FirstBot(game) if name == "first" else bots.make(name, game) for name in names]


def choice(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


class Match:
    """A match in which one seat is played from outside, on a ``Table``; bots are asked through a batch of one row."""

    def __init__(self, game, seed, seat, others, skip_forced=False):
        self.game, self.seat, self.others, self.skip_forced = game, seat, others, skip_forced
        self.table = game.table(seed=seed)
        self.row = game.tables(1, np.array([seed], np.uint64))
        self.paid = 0.0
        self.total = np.zeros(game.num_players)
        self.play_on()

    def choose(self, action):
        """Do an action for the seat, and let the others play until its next one."""
        self.paid = 0.0
        self.do(action)
        self.play_on()

    def play_on(self):
        while not self.table.over:
            place = (self.table.seat - self.seat) % self.game.num_players
            legal = self.table.legal_actions()
            if place:
                self.do(int(self.others[place - 1].act_batch(self.row)[0]))
            elif self.skip_forced and len(legal) == 1:
                self.do(legal[0])
            else:
                return

    def do(self, action):
        self.table.play(action)
        self.paid += self.table.rewards[self.seat]
        self.total += self.table.rewards
        if not self.table.over:
            self.row.step(np.array([action]))

    def seen(self, mask):
        """What the seat is to be shown: (observation, info)."""
        shown = self.table.action_mask(self.seat)
        observation = self.table.observation(self.seat)
        if mask == "info":
            return observation, {"action_mask": shown}
        return {"observation": observation, "action_mask": shown}, {}


# --- Gymnasium's own checks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("name", GAMES)
def test_check_env(name, mask):
    check_env(gymnasium.make(IDS[name], opponents="random", mask=mask, num_hands=1).unwrapped)


def test_ids():
    assert list(IDS.values()) == [f"trick_envs/{name}-v0" for name in ("Hearts", "Setback", "RageGlyphs", "Rewind")]
    register_environments()  # again, without a warning


# --- One seat -----------------------------------------------------------------------------------------------------


def follow(env, match, mask, rng):
    """Play the environment's match at random beside ``match``; the rewards of its seat."""
    rewards = [0.0]
    truncated = False
    while not match.table.over:
        action = choice(env.action_masks(), rng)
        before = match.paid if len(rewards) == 1 else 0.0  # what was paid before the first choice comes with it
        match.choose(action)
        observation, reward, terminated, truncated, info = env.step(action)
        assert reward == match.paid + before
        assert same((observation, info), match.seen(mask))
        assert (terminated or truncated) == match.table.over
        assert np.array_equal(env.action_masks(), match.table.action_mask(match.seat))
        assert env.table.hands() == match.table.hands()
        rewards.append(reward)
    assert truncated == match.table.truncated
    return rewards


@pytest.mark.parametrize(("mask", "skip_forced"), [("observation", False), ("info", True)])
@pytest.mark.parametrize("opponents", LINEUPS)
def test_each_step_is_as_at_the_table(opponents, skip_forced, mask):
    game = trick_envs.make("hearts", num_hands=2)
    others = lineup(game, LINEUPS[opponents])
    env = SeatEnv(game, opponents=others, skip_forced=skip_forced, mask=mask)
    rng = np.random.default_rng(0)
    totals = []
    for seed in range(4):
        shown = env.reset(seed=seed)
        match = Match(game, seed, env.seat, others, skip_forced)
        assert same(shown, match.seen(mask))
        assert sum(follow(env, match, mask, rng)) == match.total[env.seat] == env.table.scores[env.seat] * -1
        totals.append(match.total)
    assert any(len(set(total)) == game.num_players for total in totals)


OTHER_GAMES = [
    ("setback", {"num_hands": 2, "observation": "both"}),
    ("rage_glyphs", {"hand_sizes": [1, 2, 3], "observation": "events"}),
    ("rewind", {"num_hands": 1, "rewards": "relative"}),
    ("hearts", {"max_hands": 1}),
]


@pytest.mark.parametrize(("name", "options"), OTHER_GAMES)
def test_the_other_games(name, options):
    game = trick_envs.make(name, **options)
    others = lineup(game, "random")
    env = SeatEnv(game, opponents=others, skip_forced=True)
    rng = np.random.default_rng(0)
    for seed in range(3):
        shown = env.reset(seed=seed)
        match = Match(game, seed, env.seat, others, skip_forced=True)
        assert same(shown, match.seen("observation"))
        assert sum(follow(env, match, "observation", rng)) == match.total[env.seat]
        assert match.table.truncated == ("max_hands" in options)


def test_skipping_forced_moves_leaves_choices():
    env = SeatEnv("hearts", opponents="random", skip_forced=True, num_hands=1)
    env.reset(seed=1)
    over = False
    while not over:
        assert env.action_masks().sum() > 1
        _, _, over, _, _ = env.step(int(env.action_masks().argmax()))


def test_a_seat_is_drawn_by_the_seed():
    envs = SeatVectorEnv("hearts", 3000, opponents="random", num_players=3)
    envs.reset(seed=0)
    counts = np.bincount(envs.seats, minlength=3)
    assert min(counts) > 1000 - 4 * np.sqrt(3000 * 1 / 3 * 2 / 3)
    env = SeatEnv("hearts", opponents="random", num_players=3)
    for seed in range(10):
        env.reset(seed=seed)
        assert env.seat == envs.seats[seed]


def test_seeds():
    env = SeatEnv("hearts", opponents="random", seat=1, num_hands=1)
    env.reset(seed=2**64 - 1)
    first = env.table
    assert first.seed == 2**64 - 1
    env.reset()
    assert env.table.seed == first.next_seed()
    while env.action_masks().any():
        env.step(int(env.action_masks().argmax()))
    ended = env.table
    assert ended.over
    env.reset()
    assert env.table.seed == ended.next_seed()
    fresh = [SeatEnv("hearts", opponents="random") for _ in range(2)]
    for other in fresh:
        other.reset()
    assert fresh[0].table.seed != fresh[1].table.seed


# --- Many seats ---------------------------------------------------------------------------------------------------

VECTORS = [
    ("hearts", {"mask": "info", "num_hands": 1, "seat": 2, "skip_forced": True}),
    ("hearts", {"mask": "observation", "num_hands": 1, "opponents": "random"}),
    ("setback", {"mask": "observation", "max_hands": 1, "observation": "both", "opponents": "random"}),
]


@pytest.mark.parametrize(("name", "options"), VECTORS)
def test_the_vector_environment_is_as_gymnasiums_own(name, options):
    rows = 5
    ours = gymnasium.make_vec(IDS[name], rows, **options)
    makers = [lambda: gymnasium.make(IDS[name], **options)] * rows
    theirs = SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP)
    assert isinstance(ours, SeatVectorEnv)
    assert ours.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    assert ours.single_observation_space == theirs.single_observation_space
    rng = np.random.default_rng(0)
    ends = 0
    for step in range(60):
        if step % 25 == 0:  # the second reset comes amid matches
            seed = 7 if step == 0 else None
            told, expected = ours.reset(seed=seed), theirs.reset(seed=seed)
        assert data_equivalence(told, expected, exact=True)
        assert told[0] in ours.observation_space
        actions = np.where(ours.action_masks(), rng.random((rows, ours.game.num_actions)), -1).argmax(axis=1)
        told, expected = ours.step(actions), theirs.step(actions)
        ends += sum(told[2] | told[3])
    assert ends > 5


def test_threads_change_nothing():
    few, more = (SeatVectorEnv("hearts", 1600, opponents="random", num_hands=1, threads=count) for count in (1, 2))
    few.reset(seed=1)
    more.reset(seed=1)
    for _ in range(20):
        actions = few.action_masks().argmax(axis=1)
        assert data_equivalence(few.step(actions), more.step(actions), exact=True)


def test_seeds_of_rows():
    envs = SeatVectorEnv("hearts", 3, opponents="random", mask="info")
    listed, _ = envs.reset(seed=[4, 5, 6])
    assert np.array_equal(listed, envs.reset(seed=4)[0])
    for seeds in ([1, 2], [1, 2, -1], [1, 2, "3"]):
        with pytest.raises(ValueError, match="seed="):
            envs.reset(seed=seeds)


# --- Opponents ----------------------------------------------------------------------------------------------------


def test_opponents_sit_to_the_left():
    game = trick_envs.make("hearts", num_hands=1, pass_cards=0)

    class Watching(FirstBot):
        def __init__(self, place):
            super().__init__(game)
            self.place = place

        def act_batch(self, tables, rows=None):
            seats.append((self.place, int(tables.seat[rows][0])))
            return super().act_batch(tables, rows)

    for seat in range(4):
        seats = []
        env = SeatEnv(game, opponents=[Watching(place) for place in (1, 2, 3)], seat=seat)
        env.reset(seed=1)
        while env.action_masks().any():
            env.step(int(env.action_masks().argmax()))
        assert {place for place, _ in seats} == {1, 2, 3}
        assert all((seat + place) % 4 == actor for place, actor in seats)


def test_a_checkpoint_is_an_opponent(tmp_path):
    game = trick_envs.make("hearts", num_hands=1)
    folder = chance_checkpoint(tmp_path / "checkpoint", game)
    by_path = SeatVectorEnv("hearts", 3, opponents=str(folder), num_hands=1)
    by_bot = SeatVectorEnv(game, 3, opponents=bots.make(folder, game))
    assert same(by_path.reset(seed=1), by_bot.reset(seed=1))
    for _ in range(40):
        actions = by_bot.action_masks().argmax(axis=1)
        assert data_equivalence(by_path.step(actions), by_bot.step(actions), exact=True)


def test_an_opponents_illegal_action_is_named():
    class Wrong(FirstBot):
        def act_batch(self, tables, rows=None):
            return np.full(len(rows), 53)

    env = SeatEnv("hearts", opponents=Wrong(trick_envs.make("hearts")), seat=0)
    seed = next(seed for seed in range(9) if env.game.table(seed=seed).seat != 0)
    with pytest.raises(IllegalAction, match=r"first: seat . may not choose moon: add"):
        env.reset(seed=seed)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"opponents": "rule"}, "no bot 'rule'.*did you mean 'rules'"),
        ({"opponents": ["rules"]}, "opponents=.*one for each of 3"),
        ({"opponents": 3}, "opponents=3.*is no bot"),
        ({"opponents": FirstBot(trick_envs.make("rewind"))}, "a bot for rewind"),
        ({"seat": 4}, "seat=4: a seat from 0 to 3, or None"),
        ({"seat": True}, "seat=True"),
        ({"mask": "obs"}, "mask='obs': should be 'observation', 'info'"),
        ({"skip_forced": 1}, "skip_forced=1: should be True or False"),
        ({"illegal_reward": "1"}, "illegal_reward='1': should be a number"),
        ({"render_mode": "rgb"}, "render_mode='rgb'"),
        ({"num_player": 3}, "num_player=3: unknown option"),
    ],
)
def test_wrong_options_are_named(options, named):
    with pytest.raises(ValueError, match=named):
        SeatEnv("hearts", **options)


def test_a_settled_game_takes_no_more_options():
    with pytest.raises(ValueError, match=r"num_players: the options of make.'hearts'.* are settled"):
        SeatVectorEnv(trick_envs.make("hearts"), 2, num_players=3)


# --- Illegal actions, and calls out of order ----------------------------------------------------------------------


def test_an_illegal_action_ends_the_match():
    env = SeatEnv("hearts", opponents="random", illegal_reward=-7, num_hands=1)
    before, _ = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(53)
    assert (reward, terminated, truncated, info) == (-7.0, True, False, {})
    assert np.array_equal(observation["observation"], before["observation"])
    assert not observation["action_mask"].any()
    ended = env.table
    env.reset()
    assert env.table.seed == ended.next_seed()


@pytest.mark.parametrize("action", [53, 54, -1])
def test_an_illegal_action_is_named_on_request(action):
    env = SeatEnv("hearts", opponents="random", illegal_reward=None)
    shown = env.reset(seed=1)
    with pytest.raises(IllegalAction, match=rf"seat {env.seat} may not choose .*{action}"):
        env.step(action)
    env.step(int(shown[0]["action_mask"].argmax()))


@pytest.mark.parametrize("action", [1.5, "2C", None, np.array([1, 2])])
def test_what_is_no_action_is_named_and_changes_nothing(action):
    env = SeatEnv("hearts", opponents="random")
    env.reset(seed=4)
    before = env.table.save()
    with pytest.raises(TypeError, match=r"^action=.*: the id of an action, an int from 0 to 53$"):
        env.step(action)
    assert env.table.save() == before
    env.step(env.table.legal_actions()[0])


def test_an_illegal_action_of_a_row_changes_nothing():
    envs = SeatVectorEnv("hearts", 3, opponents="random")
    envs.reset(seed=1)
    twin = copy.deepcopy(envs)
    actions = envs.action_masks().argmax(axis=1)
    for wrong in (np.array([*actions[:2], 53]), actions.astype(float), actions[:2]):
        with pytest.raises(ValueError, match=r"row 2: seat|an integer for each of 3 rows"):
            envs.step(wrong)
    assert data_equivalence(envs.step(actions), twin.step(actions), exact=True)


def test_a_reset_comes_first():
    env, envs = SeatEnv("hearts", opponents="random", num_hands=1), SeatVectorEnv("hearts", 2, opponents="random")
    for early in (env, envs):
        with pytest.raises(ResetNeeded, match="call reset"):
            early.step(0)
    env.reset(seed=1)
    env.step(53)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)


# --- Copies, pictures, wrappers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("kind", [SeatEnv, SeatVectorEnv])
def test_copies_in_mid_match_play_on_alike(kind, copied):
    env = kind("hearts", opponents=["random", "rules", "random"], num_hands=1)
    env.reset(seed=3)
    twins = [env, env]
    for step in range(12):
        masks = env.action_masks()
        actions = masks.argmax(axis=-1)
        told = [twin.step(actions) for twin in dict.fromkeys(twins)]
        assert len(told) == 1 + (step > 4)
        assert data_equivalence(told[0], told[-1], exact=True)
        if step == 4:
            twins = [env, copied(env)]


def test_pictures(capsys):
    env = SeatEnv("hearts", opponents="random", num_hands=1, render_mode="ansi")
    with pytest.raises(ResetNeeded):
        env.render()
    env.reset(seed=1)
    assert f"> seat {env.seat}" in env.render()
    while env.action_masks().any():
        env.step(int(env.action_masks().argmax()))
    assert "over" in env.render()
    shown = SeatEnv("hearts", opponents="random", render_mode="human")
    shown.reset(seed=1)
    assert "to pick a card" in capsys.readouterr().out
    envs = SeatVectorEnv("hearts", 2, opponents="random", render_mode="ansi")
    envs.reset(seed=1)
    assert [f"> seat {seat}" in text for seat, text in zip(envs.seats, envs.render(), strict=True)] == [True, True]
    for unseen in (SeatEnv("hearts"), SeatVectorEnv("hearts", 2)):
        with pytest.warns(UserWarning, match="render_mode"):
            assert unseen.render() is None


def test_statistics_of_gymnasium():
    single = RecordEpisodeStatistics(gymnasium.make(IDS["hearts"], opponents="random", num_hands=1))
    single.reset(seed=3)
    over, rewards = False, []
    while not over:
        _, reward, over, _, info = single.step(int(single.get_wrapper_attr("action_masks")().argmax()))
        rewards.append(reward)
    many = RecordVectorStatistics(gymnasium.make_vec(IDS["hearts"], 1, opponents="random", num_hands=1))
    many.reset(seed=3)
    for _ in rewards:
        _, _, over, _, infos = many.step(many.unwrapped.action_masks().argmax(axis=1))
    assert over[0]
    for name, value in {"r": sum(rewards), "l": len(rewards)}.items():
        assert info["episode"][name] == infos["episode"][name][0] == value


def test_the_example_learns_and_is_measured(monkeypatch, capsys):
    monkeypatch.setattr(gymnasium_rewind, "ROWS", 8)
    monkeypatch.setattr("sys.argv", ["gymnasium_rewind", "--updates", "2", "--deals", "10"])
    gymnasium_rewind.main()
    told = capsys.readouterr().out
    assert "update 2 of 2" in told
    assert "policy gradient" in told
