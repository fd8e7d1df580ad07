"""The PettingZoo environments: PettingZoo's own tests, and what the package promises beyond them."""

import copy
import importlib
import itertools
import pickle
import random
import subprocess
import sys
import warnings

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import trick_envs
from tests.games import DEFAULTS, GAMES
from tests.helpers import hearts_pack
from trick_envs.interfaces.registry import register_environments

NAMES = list(dict.fromkeys(game.name for game in GAMES))
FACTORIES = ["env", "raw_env"]
MASKS = ["observation", "info"]


def seatings():
    """Each game at each number of seats, and each variant: (name, options)."""
    settled = {}
    for case in DEFAULTS:
        options = {name: case.game.options[name] for name in ("num_players", "variant") if name in case.game.options}
        settled["-".join(map(str, [case.game.name, *options.values()]))] = case.game.name, options
    return settled


SEATINGS = [pytest.param(*seating, id=label) for label, seating in seatings().items()]
# Every game with its default seats in all forms; at other numbers of seats each form of one kind with one of the other.
FORMS = [
    pytest.param(name, options, factory, mask, id=f"{label}-{factory}-{mask}")
    for label, (name, options) in seatings().items()
    for factory, mask in itertools.product(FACTORIES, MASKS)
    if FACTORIES.index(factory) == MASKS.index(mask) or trick_envs.make(name, **options) == trick_envs.make(name)
]
SCHEMES = ["points", "relative", "placement"]
EXTRAS = {"rewards", "terminations", "truncations", "infos", "agents", "agent_selection", "num_agents"}

# PettingZoo knows its own Dict observations by the environments' names and warns of everybody else's.
DICT_WARNINGS = ["Observation is not a NumPy array", "Observation space for each agent probably should be"]


def module(name):
    return importlib.import_module(f"trick_envs.{name}_v{trick_envs.make(name).version}")


def make(name="hearts", factory="env", **options):
    return getattr(module(name), factory)(**options)


def let_dict_warnings_pass():
    for message in DICT_WARNINGS:
        warnings.filterwarnings("ignore", message)


def mask_of(env, observation, info):
    return info["action_mask"] if "action_mask" in info else observation["action_mask"]


def turn(env, rng):
    """One turn of the agent selected, played at random: (agent, what ``last`` told, the action)."""
    agent = env.agent_selection
    told = env.last()
    observation, _, terminated, truncated, info = told
    action = None
    if not (terminated or truncated):
        action = rng.choice(np.flatnonzero(mask_of(env, observation, info)).tolist())
    env.step(action)
    return agent, told, action


def turns(env, count, seed=0):
    rng = random.Random(seed)
    return [turn(env, rng) for _ in range(count)]


def match(env, seed=0):
    """All turns of a match, the dead ones included."""
    rng = random.Random(seed)
    told = []
    while env.agents:
        told.append(turn(env, rng))
    return told


def same(one, other):
    """Whether two values made of dicts, sequences, arrays and plain values are equal in value and type."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return one == other


def position(env):
    """All that PettingZoo's interface shows."""
    shown = {name: copy.deepcopy(getattr(env, name)) for name in EXTRAS}
    seen = {agent: env.observe(agent) for agent in env.possible_agents}
    return shown | {"seen": seen, "state": env.state(), "over": (env.hand_over, env.match_over)}


def wrapped_types(env):
    types = []
    while env is not env.unwrapped:
        types.append(type(env))
        env = env.env
    return types


# --- PettingZoo's own tests ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seating", "factory", "mask"), FORMS)
def test_api(name, seating, factory, mask):
    env = make(name, factory, **seating, mask=mask)
    if mask == "observation":
        let_dict_warnings_pass()
    api_test(env, num_cycles=400)


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("name", NAMES)
def test_seed(name, mask, factory):
    seed_test(lambda: make(name, factory, mask=mask), num_cycles=100)


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("name", NAMES)
def test_render(name, factory, capsys):
    render_test(lambda **options: make(name, factory, **options))
    assert capsys.readouterr().out


@pytest.mark.parametrize(("name", "seating"), SEATINGS)
def test_parallel(name, seating):
    parallel_api_test(turn_based_aec_to_parallel(make(name, **seating)), num_cycles=300)


def test_parallel_rewards():
    """The turn-based conversion passes on what each seat is paid."""
    parallel = turn_based_aec_to_parallel(make(num_hands=2))
    parallel.reset(seed=4)
    table = trick_envs.make("hearts", num_hands=2).table(seed=4)
    while parallel.agents:
        action = table.legal_actions()[-1]
        table.play(action)
        rewards = parallel.step(dict.fromkeys(parallel.agents, action))[1]
        assert list(rewards.values()) == table.rewards
    assert table.over


def test_performance_benchmark(monkeypatch):
    clock = itertools.count(0.0, 0.1)  # it measures for five seconds
    monkeypatch.setattr("time.time", lambda: next(clock))
    performance_benchmark(make())


@pytest.mark.parametrize("name", NAMES)
def test_wrappers_of_pettingzoo_on_top(name):
    env = wrappers.BaseWrapper(wrappers.OrderEnforcingWrapper(wrappers.BaseWrapper(make(name))))
    env.reset(seed=1)
    match(env)
    assert env.unwrapped is env.env.env.env.unwrapped
    assert env.match_over


@pytest.mark.parametrize("name", NAMES)
def test_many_matches_as_one_episode(name):
    env = wrappers.MultiEpisodeEnv(make(name, num_hands=1), num_episodes=3)
    env.reset(seed=1)
    seeds = {env.table.seed}
    for _ in env.agent_iter():
        turn(env, random.Random(0))
        seeds.add(env.table.seed)
    assert len(seeds) == 3


# --- How it is made -----------------------------------------------------------------------------------------


def test_env_is_wrapped_as_the_classic_games_are():
    outer, middle, inner = wrapped_types(make())
    assert issubclass(outer, wrappers.OrderEnforcingWrapper)
    assert issubclass(middle, wrappers.AssertOutOfBoundsWrapper)
    assert issubclass(inner, wrappers.TerminateIllegalWrapper)
    assert wrapped_types(make(factory="raw_env")) == []


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo has a registry from 1.27 on")
@pytest.mark.parametrize("name", NAMES)
def test_registry(name):
    version = trick_envs.make(name).version
    env = pettingzoo.make("aec", f"trick_envs/{name}-v{version}", num_hands=2, render_mode="ansi")
    assert str(env) == str(env.unwrapped) == f"{name}_v{version}"
    assert env.game.options["num_hands"] == 2
    assert env.render_mode == "ansi"
    assert str(pettingzoo.make("aec", f"trick_envs/{name}")) == f"{name}_v{version}"
    assert str(pettingzoo.make("aec", f"trick_envs/{name}_v{version}")) == f"{name}_v{version}"


def test_registering_again_does_not_warn():
    register_environments()
    importlib.reload(trick_envs)


def test_import_is_light():
    """Importing compiles nothing, opens nothing and loads no learning library."""
    code = """
        import sys
        import numba, pettingzoo
        from numba.core import event
        with event.install_recorder("numba:compile") as compiled:
            import time
            start = time.process_time()
            import trick_envs
            from trick_envs import hearts_v0
            taken = time.process_time() - start
        assert not compiled.buffer, compiled.buffer
        assert not {"torch", "pygame", "tkinter", "stable_baselines3"} & set(sys.modules)
        assert taken < 1, taken
    """
    lines = [line[8:] for line in code.splitlines()]
    subprocess.run([sys.executable, "-W", "error", "-c", "\n".join(lines)], check=True, timeout=120)


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("mask", "infos", ["'observation'", "'info'"]),
        ("mask", None, ["'observation'", "'info'"]),
        ("render_mode", "rgb_array", ["None", "'ansi'", "'human'"]),
        ("num_players", 17, ["3 to 7"]),
        ("pas_cards", 1, ["pass_cards"]),
        ("rewards", "score", ["'points'", "'relative'", "'placement'"]),
    ],
)
@pytest.mark.parametrize("factory", FACTORIES)
def test_wrong_options_are_named(factory, option, value, allowed):
    with pytest.raises(ValueError, match=option) as error:
        make(factory=factory, **{option: value})
    for part in allowed:
        assert part in str(error.value)


@pytest.mark.parametrize("factory", FACTORIES)
def test_metadata(factory):
    env = make(factory=factory)
    assert env.metadata == {
        "name": "hearts_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }
    env.metadata["render_modes"].append("rgb_array")
    assert "rgb_array" not in make(factory=factory).metadata["render_modes"]


# --- Spaces and what is seen --------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seating", "factory", "mask"), FORMS)
def test_spaces_before_reset(name, seating, factory, mask):
    env = make(name, factory, **seating, mask=mask)
    assert env.possible_agents == [f"player_{seat}" for seat in range(seating["num_players"])]
    box = spaces.Box(env.layout.low, env.layout.high, dtype=np.int8)
    flags = spaces.Box(0, 1, (env.game.num_actions,), np.int8)
    wanted = box if mask == "info" else spaces.Dict({"observation": box, "action_mask": flags})
    for agent in env.possible_agents:
        assert env.observation_space(agent) == wanted
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) == spaces.Discrete(env.game.num_actions)
        assert env.action_space(agent) is env.action_space(agent)
    assert (box.low < box.high).all()
    assert (env.state_space.low < env.state_space.high).all()


@pytest.mark.parametrize(("name", "seating", "factory", "mask"), FORMS)
def test_everybody_is_observed_at_any_time(name, seating, factory, mask):
    env = make(name, factory, **seating, mask=mask, num_hands=1)
    env.reset(seed=4)
    table = env.game.table(seed=4)
    rng = random.Random(4)
    while env.agents:
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            if mask == "observation":
                assert list(seen) == ["observation", "action_mask"]
                assert same(seen["action_mask"], table.action_mask(seat))
                seen = seen["observation"]
            elif agent in env.agents:
                assert list(env.infos[agent]) == ["action_mask"]
                assert same(env.infos[agent]["action_mask"], table.action_mask(seat))
            assert same(seen, table.observation(seat))
        assert env.state_space.contains(env.state())
        assert same(env.state(), table.state())
        _, _, action = turn(env, rng)
        if action is not None:
            table.play(action)
    assert table.over


@pytest.mark.parametrize("mask", MASKS)
def test_arrays_are_the_callers_own(mask):
    env = make(mask=mask)
    env.reset(seed=1)
    before = position(env)
    agent = env.agent_selection
    observation, _, _, _, info = env.last()
    kept = copy.deepcopy(observation), copy.deepcopy(info)
    turns(env, 5)
    assert same((observation, info), kept)
    env.reset(seed=1)
    for array in [*(observation.values() if mask == "observation" else [observation]), env.state()]:
        array[:] = 7
    assert same(position(env), before)
    assert agent == env.agent_selection


@pytest.mark.parametrize("factory", FACTORIES)
def test_infos_are_empty(factory):
    env = make(factory=factory, num_hands=1)
    env.reset(seed=1)
    for _, (_, _, _, _, info), _ in match(env):
        assert info == {}


# --- Rewards and ends ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("name", "seating"), SEATINGS)
def test_last_pays_each_seat_what_the_table_does(name, seating, scheme, factory):
    env = make(name, factory, **seating, rewards=scheme, num_hands=2)
    env.reset(seed=9)
    table = env.game.table(seed=9)
    due = dict.fromkeys(env.possible_agents, 0.0)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    rng = random.Random(9)
    while env.agents:
        agent, (_, reward, _, _, _), action = turn(env, rng)
        assert reward == due[agent]
        paid[agent] += reward
        due[agent] = 0.0
        if action is None:
            continue
        table.play(action)
        assert list(env.rewards.values()) == table.rewards
        for seat, other in enumerate(env.possible_agents):
            due[other] += table.rewards[seat]
    assert not any(due.values())
    assert any(paid.values())
    if scheme != "points":
        assert sum(paid.values()) == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize(("limits", "truncated"), [({"num_hands": 1}, False), ({"num_hands": 2, "max_hands": 1}, True)])
@pytest.mark.parametrize(("name", "seating"), SEATINGS)
def test_all_end_together(name, seating, limits, truncated, factory):
    env = make(name, factory, **seating, **limits)
    seats = seating["num_players"]
    env.reset(seed=2)
    rng = random.Random(2)
    while not env.match_over:
        assert not any([*env.terminations.values(), *env.truncations.values()])
        turn(env, rng)
    assert env.table.truncated is truncated
    assert list(env.terminations.values()) == [not truncated] * seats
    assert list(env.truncations.values()) == [truncated] * seats
    assert env.agents == env.possible_agents
    left = []
    while env.agents:
        agent, (_, _, terminated, truncated_, _), action = turn(env, rng)
        assert (terminated, truncated_, action) == (not truncated, truncated, None)
        assert env.match_over
        assert not env.hand_over
        left.append(agent)
    assert left == env.possible_agents


def test_dead_agents_only_step_none():
    env = make(factory="raw_env", num_hands=1)
    env.reset(seed=2)
    rng = random.Random(2)
    while not env.match_over:
        turn(env, rng)
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    assert env.hand_over
    assert len(env.agents) == 4


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("name", NAMES)
def test_hand_over_follows_the_step_that_settles_a_hand(name, factory):
    env = make(name, factory, num_hands=3)
    env.reset(seed=5)
    rng = random.Random(5)
    ends = 0
    assert not env.hand_over
    while not env.match_over:
        hand = env.table.hand_number
        turn(env, rng)
        assert env.hand_over is (env.match_over or env.table.hand_number > hand)
        ends += env.hand_over
    assert ends == 3
    env.reset()
    assert not env.hand_over
    assert not env.match_over


@pytest.mark.parametrize("factory", FACTORIES)
def test_reset_with_dead_agents_pending(factory):
    env = make(factory=factory, num_hands=1)
    for dead_steps in range(5):
        env.reset(seed=3)
        rng = random.Random(3)
        while not env.match_over:
            turn(env, rng)
        for _ in range(dead_steps):
            env.step(None)
        env.reset(seed=3)
        fresh = make(factory=factory, num_hands=1)
        fresh.reset(seed=3)
        assert same(position(env), position(fresh))


# --- Illegal actions and wrong order ------------------------------------------------------------------------


def illegal_action(env):
    return env.table.action_mask(env.table.seat).argmin()


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("hand_just_over", [False, True])
def test_raw_env_refuses_illegal_actions(mask, hand_just_over):
    env = make(factory="raw_env", mask=mask)
    env.reset(seed=1)
    rng = random.Random(1)
    while env.hand_over is not hand_just_over:
        turn(env, rng)
    before = position(env)
    names = ["seat", env.table.phase, "legal", env.game.action_name(env.table.legal_actions()[0])]
    for action in [illegal_action(env), -1, env.game.num_actions, True]:
        with pytest.raises(trick_envs.IllegalAction) as error:
            env.step(action)
        assert all(name in str(error.value) for name in names)
        assert same(position(env), before)


@pytest.mark.parametrize("illegal_reward", [-1, -50.5])
@pytest.mark.parametrize("mask", MASKS)
def test_env_ends_with_an_illegal_action(mask, illegal_reward):
    env = make(mask=mask, illegal_reward=illegal_reward)
    env.reset(seed=1)
    rng = random.Random(1)
    while not env.hand_over:
        turn(env, rng)
    offender = env.agent_selection
    env.last()
    env.step(illegal_action(env))
    assert env.match_over
    assert not env.hand_over
    assert all(env.terminations.values())
    assert env.rewards == {agent: illegal_reward if agent == offender else 0 for agent in env.agents}
    for agent in env.possible_agents:
        if mask == "observation":
            assert not env.observe(agent)["action_mask"].any()
        else:
            assert not env.infos[agent]["action_mask"].any()
    while env.agents:
        agent, (_, reward, terminated, _, _), action = turn(env, rng)
        assert (terminated, action) == (True, None)
        if agent == offender:
            assert reward == illegal_reward
        assert env.match_over
    env.reset()
    assert not env.match_over
    match(env)


@pytest.mark.parametrize("action", [-1, 54, 1.0, np.array([3]), None, "QS"])
def test_env_asserts_actions_of_the_space(action):
    env = make()
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(action)


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint8, np.array])
@pytest.mark.parametrize("factory", FACTORIES)
def test_kinds_of_integers(factory, kind):
    env = make(factory=factory)
    env.reset(seed=1)
    env.step(kind(env.table.legal_actions()[0]))
    assert len(env.table.history) == 1


def test_raw_env_takes_names():
    env = make(factory="raw_env", pass_cards=0)
    env.reset(seed=1)
    env.step("2C")
    assert env.table.trick[0][1] == "2C"


def test_order_is_enforced():
    env = make()
    for name in EXTRAS:
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    for call in [lambda: env.step(0), lambda: env.observe("player_0"), env.render, env.state, env.agent_iter]:
        with pytest.raises(AssertionError, match="reset"):
            call()
    env.reset()
    for name in EXTRAS:
        getattr(env, name)
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in env.agent_iter():
            pass


# --- Seeds and reset options --------------------------------------------------------------------------------


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("name", NAMES)
def test_seeded_match_is_the_tables(name, factory):
    env = make(name, factory)
    env.reset(seed=2**64 - 1)
    assert env.table.record() == env.game.table(seed=2**64 - 1).record()


@pytest.mark.parametrize("name", NAMES)
def test_unseeded_resets_go_on_from_the_seed(name):
    one, other = make(name), make(name, "raw_env")
    seeds = []
    for env in (one, other):
        env.reset(seed=11)
        if env is one:
            match(env)  # what is played changes nothing
        seeds.append([])
        for _ in range(4):
            seeds[-1].append(env.table.seed)
            env.reset()
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 4
    tables = trick_envs.make(name, num_hands=1).tables(1, seed=np.array([11], np.uint64))
    in_a_row = []
    while len(in_a_row) < 4:
        in_a_row += [int(tables.seeds[0])] if tables.seeds[0] not in in_a_row else []
        tables.step(tables.action_mask.argmax(axis=1))
    assert seeds[0] == in_a_row


def test_first_reset_without_seed_is_new_each_time():
    seeds = set()
    for _ in range(5):
        env = make()
        env.reset()
        seeds.add(env.table.seed)
    assert len(seeds) == 5


@pytest.mark.parametrize("factory", FACTORIES)
def test_global_generators_are_untouched(factory):
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    env = make(factory=factory)
    env.reset(seed=9)
    match(env)
    env.reset()
    env.action_space("player_0").seed(3)
    env.action_space("player_0").sample()
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002


def test_two_environments_are_independent():
    alone = make()
    alone.reset(seed=1)
    told = match(alone)
    one, other = make(), make(num_players=5)
    one.reset(seed=1)
    other.reset(seed=2)
    rng, other_rng = random.Random(0), random.Random(0)
    mixed = []
    while one.agents:
        mixed.append(turn(one, rng))
        if other.agents:
            turn(other, other_rng)
    assert same(mixed, told)


@pytest.mark.parametrize("factory", FACTORIES)
def test_reset_options(factory):
    env = make(factory=factory)
    deck = hearts_pack(4)
    env.reset(seed=1, options={"decks": [deck, deck[::-1]], "dealer": 2, "colour": object()})
    assert env.table.dealer == 2
    assert env.table.hands()[3] == deck[::4]
    assert env.table.record()["decks"] == [deck, deck[::-1]]
    env.reset(seed=1, options={"decks": None, "dealer": None})
    assert env.table.record() == env.game.table(seed=1).record()
    env.reset(seed=1, options={})
    assert env.table.record() == env.game.table(seed=1).record()


PACK = hearts_pack(4)


@pytest.mark.parametrize(
    ("reset", "named"),
    [
        ({"options": {"dealer": 4}}, "4"),
        ({"options": {"dealer": 1.0}}, "1.0"),
        ({"options": {"dealer": True}}, "True"),
        ({"options": {"decks": PACK}}, "2C"),
        ({"options": {"decks": "QS"}}, "QS"),
        ({"options": {"decks": [PACK[:-1]]}}, "AH"),
        ({"options": {"decks": [PACK, [*PACK[:-1], "2C"]]}}, "2C"),
        ({"options": {"decks": [[["QS"], *PACK[1:]]]}}, "QS"),
        ({"options": {"decks": [range(52)]}}, "0"),
        ({"options": {"decks": 3, "dealer": 0}}, "3"),
        ({"options": ["dealer"]}, "dealer"),
        ({"seed": -1}, "-1"),
        ({"seed": 0.5}, "0.5"),
    ],
)
@pytest.mark.parametrize("factory", FACTORIES)
def test_malformed_resets_change_nothing(factory, reset, named):
    env = make(factory=factory)
    env.reset(seed=6)
    turns(env, 20)
    before, saved = position(env), env.table.save()
    with pytest.raises(ValueError, match=named):
        env.reset(**reset)
    assert same(position(env), before)
    assert env.table.save() == saved
    turns(env, 5)


# --- Copies -------------------------------------------------------------------------------------------------


def pickled(env):
    return pickle.loads(pickle.dumps(env))


def cloned(env):
    return env.clone()


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled, cloned])
@pytest.mark.parametrize(("name", "seating", "factory", "mask"), FORMS)
def test_copies_in_mid_game_play_on_alike(name, seating, copied, factory, mask):
    env = make(name, factory, **seating, mask=mask, num_hands=2)
    env.reset(seed=8, options={"dealer": 1})
    env.action_space("player_0").seed(5)
    rng = random.Random(8)
    while not env.hand_over:
        turn(env, rng)
    turns(env, 3)
    before = position(env)
    other = copied(env)
    assert same(position(other), before)
    assert other.table.record() == env.table.record()
    told = match(other)
    assert same(position(env), before)
    assert same(match(env), told)
    assert same(position(env), position(other))
    env.reset()
    other.reset()
    assert env.table.record() == other.table.record()
    assert env.action_space("player_0").sample() == other.action_space("player_0").sample()
    if copied is not cloned:
        assert wrapped_types(other) == wrapped_types(env)


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("name", NAMES)
def test_copies_before_reset(name, factory, copied):
    env = make(name, factory, render_mode="human", mask="info", num_hands=3)
    other = copied(env)
    assert other.game == env.game
    assert other.render_mode == "human"
    for each in (env, other):
        each.unwrapped.render_mode = None
        each.reset(seed=1)
    assert same(match(env), match(other))


def test_copies_amid_dead_steps_and_illegal_ends():
    for end in ("match", "illegal"):
        env = make(num_hands=1)
        env.reset(seed=1)
        rng = random.Random(1)
        while not (env.match_over or (end == "illegal" and env.table.phase == "play")):
            turn(env, rng)
        if end == "illegal":
            env.step(illegal_action(env))
        env.step(None)
        other = copy.deepcopy(env)
        assert same(match(other), match(env))
        assert other.agents == env.agents == []


@pytest.mark.parametrize("layers", [0, 1, 2, 3, 4])
def test_extras_show_through_every_wrapper(layers):
    raw = make(factory="raw_env", num_hands=1)
    env = raw
    for wrap in [
        lambda env: wrappers.TerminateIllegalWrapper(env, -1),
        wrappers.AssertOutOfBoundsWrapper,
        wrappers.OrderEnforcingWrapper,
        wrappers.BaseWrapper,
    ][:layers]:
        env = wrap(env)
    env.reset(seed=1)
    match(env)
    assert env.table is raw.table
    assert env.layout is raw.layout is raw.game.layout
    assert env.state_space is raw.state_space
    assert (env.match_over, env.hand_over) == (True, False)
    assert env.clone().table.record() == raw.table.record()


# --- Pictures -----------------------------------------------------------------------------------------------


def test_picture():
    env = make(render_mode="ansi", num_players=3, pass_cards=0, num_hands=1)
    pack = hearts_pack(3)
    env.reset(seed=1, options={"decks": [pack], "dealer": 2})
    assert env.render().splitlines() == [
        "hearts, hand 0 dealt by seat 2: play",
        "seat 0 to lead",
        "          score  tricks  cards",
        "> seat 0      0       0  2C 5C 8C JC AC  5D 8D JD AD  4S 7S TS KS  3H 6H 9H QH",
        "  seat 1      0       0  3C 6C 9C QC  3D 6D 9D QD  2S 5S 8S JS AS  4H 7H TH KH",
        "  seat 2      0       0  4C 7C TC KC  4D 7D TD KD  3S 6S 9S QS  2H 5H 8H JH AH",
    ]
    for card in ["2C", "QC"]:
        env.step(env.game.action_id(card))
    assert env.render().splitlines()[1:4] == [
        "last action: seat 1 QC",
        "on the table: seat 0 2C, seat 1 QC",
        "seat 2 to play",
    ]
    rng = random.Random(0)
    while not env.match_over:
        turn(env, rng)
    assert "hearts broken" in env.render()
    [winner] = env.table.winners
    assert f"the match is over; winner: seat {winner}" in env.render()


def test_picture_of_a_truncated_match_that_is_shared():
    env = make(render_mode="ansi", pass_cards=0, max_hands=1)
    suits = [PACK[13 * suit : 13 * suit + 13] for suit in range(4)]
    env.reset(options={"decks": [[hand[k] for k in range(13) for hand in suits]], "dealer": 3})
    rng = random.Random(0)
    while not env.match_over:
        turn(env, rng) if env.table.phase == "play" else env.step(env.game.action_id("moon: add"))
    assert "cut short by max_hands; winner: seat 0" in env.render()


def test_human_prints_at_reset_and_step(capsys):
    env = make(render_mode="human")
    ansi = make(factory="raw_env", render_mode="ansi")
    for each in (env, ansi):
        each.reset(seed=1)
    assert capsys.readouterr().out == ansi.render() + "\n"
    for each in (env, ansi):
        turns(each, 1)
    assert capsys.readouterr().out == ansi.render() + "\n"
    assert env.render() is None
    assert capsys.readouterr().out == ansi.render() + "\n"


def test_render_without_a_mode_warns():
    env = make()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
