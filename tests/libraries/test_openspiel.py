"""The games in OpenSpiel: its own API tests, and its algorithms, which run on them as they are."""

import itertools
import pickle
import random
import subprocess
import sys
import unittest
from random import Random

import numpy as np
import pyspiel
import pytest
import torch
from open_spiel.integration_tests import api_test
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    best_response,
    evaluate_bots,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    random_agent,
)
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from open_spiel.python.pytorch.policy_gradient import PolicyGradient
from open_spiel.python.tests import games_sim_test

import trick_envs
from examples import openspiel_search, openspiel_setback
from tests.games import GAMES
from training import nashconv
from trick_envs.interfaces import openspiel

HEARTS = "trick_envs_hearts"
NAMES = (HEARTS, "trick_envs_cancellation_hearts", "trick_envs_setback", "trick_envs_rage_glyphs", "trick_envs_rewind")
TYPES = {game_type.short_name: game_type for game_type in pyspiel.registered_games()}
SEATS = [(name, seats) for name in NAMES for seats in (TYPES[name].min_num_players, TYPES[name].max_num_players)]
POOL = ("14H", "9H", "11D", "J4")
SMALL = "trick_envs_rage_glyphs(num_players=2,hand_sizes=[1],first_dealer=0,rewards=relative,pool=[14H 9H 11D J4])"
LONG = "trick_envs_hearts(num_hands=3,rewards=relative,first_pass=-1)"


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> pyspiel.Game:
    return pyspiel.load_game(request.param)


def decisions(game: pyspiel.Game, seed: int):
    """The state at each decision of a random match, and at its end."""
    rng = Random(seed)
    state = game.new_initial_state()
    while True:
        if not state.is_chance_node():
            yield state
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))


def played(game: pyspiel.Game, actions: list[int]) -> pyspiel.State:
    state = game.new_initial_state()
    for action in actions:
        assert action in state.legal_actions()
        state.apply_action(action)
    return state


def test_every_game_is_registered():
    kinds = {openspiel.short_name(kind) for kind in openspiel.KINDS.values()}
    assert kinds == set(NAMES) <= set(pyspiel.registered_names())
    assert SEATS[:4] == [(HEARTS, 3), (HEARTS, 7), ("trick_envs_cancellation_hearts", 6), (SEATS[2][0], 11)]


def test_the_package_does_without_openspiel():
    code = "import sys, trick_envs; sys.exit('pyspiel' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# --- OpenSpiel's own tests -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_random_simulation(name, seats):
    game = pyspiel.load_game(f"{name}(num_players={seats})")
    assert game.num_players() == seats
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("text", [*NAMES, LONG, SMALL])
def test_random_simulation_with_serialization(text):
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


def test_simulation_from_python(game):
    games_sim_test.GamesSimTest().sim_game(game)


def run_api_test(base: type[unittest.TestCase], game: pyspiel.Game) -> None:
    case = type(base.__name__, (base,), {"game": game, "game_name": str(game)})
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun == suite.countTestCases() >= 5
    assert not result.skipped
    assert not [told for _, told in result.failures + result.errors]


@pytest.mark.parametrize("name", [*NAMES[:1], *NAMES[2:]])
def test_api_on_some_states(name):
    run_api_test(api_test.EnforceAPIOnPartialTreeBase, pyspiel.load_game(name))


def test_api_on_all_states(monkeypatch):
    game = pyspiel.load_game(SMALL)
    deals, bids = len(list(itertools.permutations(POOL))), 4
    chance = 1 + 4 + 4 * 3 + 4 * 3 * 2  # cards of the pool, one after the other
    # After a deal: nothing, a bid, both, and a card played; in the end both are.
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, str(game), (chance, deals * (1 + 2 + bids + bids), deals * bids))
    # A seat sees its own card and the turned one, and the last as well where that is the joker. Who bids first sees
    # the other's bid later; the other sees that bid, and then the card that was led, which leaves only one to be last.
    seen = 4 * 3 - 3 + 3 * 2
    first, second = seen + seen * bids, seen * 2 + deals * bids
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, str(game), first + second)
    run_api_test(api_test.EnforceAPIOnFullTreeBase, game)


# --- What OpenSpiel is told ----------------------------------------------------------------------------------


def test_bounds_hold_what_the_tests_know_of_the_games():
    for under_test in GAMES:
        for seats in under_test.seats:
            game = under_test.make(seats, num_hands=1)
            assert game.most_actions == under_test.most_actions(game, 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rewards", ["points", "relative", "placement"])
def test_returns_are_the_rewards_of_the_table(name, rewards):
    game = pyspiel.load_game(name, {"rewards": rewards})
    hands = game.rules.most_hands
    assert (game.get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL) == (hands == 1)
    for seed in range(3):
        *_, end = decisions(game, seed)
        assert end.returns() == pytest.approx(end.table.rewards)
        assert all(game.min_utility() <= value <= game.max_utility() for value in end.returns())
        if rewards != "points":
            assert game.utility_sum() == 0
            assert sum(end.returns()) == pytest.approx(0, abs=1e-12)


def test_a_seat_gets_the_rewards_of_the_table_through_the_environment():
    env = rl_environment.Environment("trick_envs_hearts", num_hands=3, first_dealer=1)
    env.seed(3)
    rng = Random(3)
    step = env.reset()
    total = np.zeros(4)
    seen = []
    while not step.last():
        step = env.step([rng.choice(step.observations["legal_actions"][step.observations["current_player"]])])
        total += step.rewards
        seen.append(step.rewards)
    state = env.get_state
    replayed = trick_envs.replay(state.table.record() | {"actions": []})
    for (_, _, action), rewards in zip(state.table.history, seen, strict=True):
        replayed.play(action)
        assert replayed.rewards == rewards
    assert replayed.over
    assert len(set(total)) == 4
    assert total.tolist() == [-score for score in replayed.scores] == state.returns()


def test_the_first_card_goes_to_the_left_of_the_dealer_that_chance_drew():
    game = pyspiel.load_game(HEARTS)
    starts = game.new_initial_state()
    assert starts.chance_outcomes() == [(dealer, 0.25) for dealer in range(4)]
    assert starts.action_to_string(2) == "dealer 2, pass_shift 0"
    for dealer in range(4):
        state = played(game, [dealer, *range(52)])
        assert state.table.dealer == dealer
        assert "2C" in state.table.hands()[(dealer + 1) % 4]


def test_a_card_in_two_packs_is_twice_as_likely():
    state = played(pyspiel.load_game("trick_envs_cancellation_hearts(first_dealer=0)"), [5])
    odds = dict(state.chance_outcomes())
    assert odds[5] == pytest.approx(1 / 103)
    assert odds[6] == pytest.approx(2 / 103)
    with pytest.raises(ValueError, match="cannot deal card 5"):
        played(pyspiel.load_game("trick_envs_cancellation_hearts(first_dealer=0)"), [5, 5]).apply_action(5)


def test_the_passing_rotation_can_be_left_to_chance():
    game = pyspiel.load_game("trick_envs_hearts(first_dealer=3,first_pass=-1)")
    starts = len(game.new_initial_state().chance_outcomes())
    assert starts == 4
    phases = [played(game, [start, *range(52)]).table.phase for start in range(starts)]
    assert sorted(phases) == ["pass", "pass", "pass", "play"]


def test_later_hands_are_dealt_by_chance():
    game = pyspiel.load_game("trick_envs_hearts(num_hands=2,pass_cards=0,first_dealer=0)")
    state = played(game, list(range(52)))
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert state.rewards() == [0, 0, 0, 0]
    paid = state.returns()
    for card in reversed(range(52)):
        state.apply_action(card)
    assert state.rewards() == paid == state.table.rewards
    assert state.table.hand_number == 1
    assert "AH" in state.table.hands()[2]  # the left of the second dealer, seat 1
    assert game.max_history_length() == 2 * (52 + 53)


# --- Parameters ----------------------------------------------------------------------------------------------


def test_parameters_are_options():
    game = pyspiel.load_game("trick_envs_hearts(num_players=5,omnibus=True,num_hands=-1,max_hands=7)")
    given = {"num_players": 5, "omnibus": True, "num_hands": None, "max_hands": 7}
    assert game.rules == trick_envs.make("hearts", **given, observation="both")
    assert pyspiel.load_game("trick_envs_setback(num_players=3)").rules.options["partners"] is False


@pytest.mark.parametrize("sizes", ["[1,2]", "[1 2]", "[1, 2]"])
def test_lists_are_kept_as_openspiel_can_read_them(sizes):
    game = pyspiel.load_game("trick_envs_rage_glyphs", {"hand_sizes": sizes})
    assert game.rules.options["hand_sizes"] == [1, 2]
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert again.rules == game.rules


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("trick_envs_hearts(num_players=9)", "num_players=9: should be"),
        ("trick_envs_hearts(rewards=dollars)", "rewards='dollars': should be"),
        ("trick_envs_rage_glyphs(hand_sizes=[one])", r"hand_sizes='\[one\]': should be a list of ints"),
        ("trick_envs_hearts(pool=[2C])", "pool has 1 cards: should be 2 to 10"),
        ("trick_envs_hearts(pool=[2C 2C])", "pool: '2C' is not a card in play, or too often there"),
        ("trick_envs_hearts(pool=[2C QX])", "pool: 'QX' is not a card in play"),
    ],
)
def test_wrong_parameters_are_named(text, told):
    with pytest.raises(ValueError, match=told):
        pyspiel.load_game(text)


@pytest.mark.parametrize(("dealt", "action"), [([], 4), ([], -2), ([], 9999), ([1], 52), ([1], -2), ([1, 0], 9999)])
def test_what_chance_cannot_do_is_named_and_leaves_the_state(dealt, action):
    state = played(pyspiel.load_game("trick_envs_hearts"), dealt)
    before = str(state), state.history(), state.chance_outcomes()
    with pytest.raises(ValueError, match=rf"chance cannot .* {action}[:;]"):
        state.apply_action(action)
    assert (str(state), state.history(), state.chance_outcomes()) == before


@pytest.mark.parametrize("action", [-2, 53, 9999])
def test_illegal_action_leaves_the_state(action):
    state = played(pyspiel.load_game("trick_envs_hearts(first_dealer=0)"), list(range(52)))
    before = str(state), state.history()
    with pytest.raises(trick_envs.IllegalAction, match=str(action)):
        state.apply_action(action)
    assert (str(state), state.history()) == before


# --- What is seen --------------------------------------------------------------------------------------------


def test_tensors_are_those_of_the_table(game):
    states = decisions(game, seed=5)
    observed, informed = make_observation(game), make_observation(game, INFO_STATE_OBS_TYPE)
    for state in itertools.islice(states, 3, None, 7):
        for seat in range(game.num_players()):
            features = state.table.observe(seat)[0] * game.rules.layout.scale
            np.testing.assert_array_equal(state.observation_tensor(seat), features)
            informed.set_from(state, seat)
            np.testing.assert_array_equal(informed.tensor, state.information_state_tensor(seat))
            np.testing.assert_array_equal(informed.dict["features"], features)
            np.testing.assert_array_equal(informed.dict["player"], np.arange(game.num_players()) == seat)
            weights = 1 << np.arange(informed.dict["events"].shape[1])
            np.testing.assert_array_equal(informed.dict["events"] @ weights, state.table.events(seat))
            observed.set_from(state, seat)
            assert observed.tensor.shape == tuple(game.observation_tensor_shape())
            tokens = [int(token) for token in state.information_state_string(seat).split(": ")[1].split()]
            assert tokens == [token for token in state.table.events(seat) if token]
            assert f"hand: {state.table.view(seat).hand}" in state.observation_string(seat)


@pytest.mark.parametrize("text", [*NAMES, LONG, SMALL, "trick_envs_rage_glyphs(hand_sizes=[2 3],num_players=3)"])
def test_resampled_states_look_the_same_and_replay(text):
    game = pyspiel.load_game(text)
    rng = Random(7)
    others = 0
    for state in itertools.islice(decisions(game, seed=5), 0, None, 1 if text == SMALL else 11):
        for seat in range(game.num_players()):
            world = state.resample_from_infostate(seat, rng.random)
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert world.current_player() == state.current_player()
            assert world.legal_actions(seat) == state.legal_actions(seat)
            assert world.returns() == state.returns()
            assert str(played(game, world.history())) == str(world)
            others += str(world) != str(state)
    assert others > 0


def test_resampling_a_pool_with_secret_passes():
    game = pyspiel.load_game("trick_envs_hearts(num_players=3,pass_cards=1,first_dealer=0,pool=[2C QS 3H KD])")
    state = next(itertools.islice(decisions(game, seed=1), 5, None))
    assert state.table.phase == "play"
    worlds = [state.resample_from_infostate(0, Random(seed).random) for seed in range(20)]
    assert {world.information_state_string(0) for world in worlds} == {state.information_state_string(0)}
    assert len({tuple(world.history()) for world in worlds}) > 1


def test_clone_and_serialized_state_go_on_alike(game):
    state = next(itertools.islice(decisions(game, seed=2), 9, None))
    copies = [state.clone(), pickle.loads(pickle.dumps(state)), state.child(state.legal_actions()[0])]
    before = str(state)
    copies[0].apply_action(state.legal_actions()[0])
    copies[1].apply_action(state.legal_actions()[0])
    assert str(state) == before
    assert {str(copy) for copy in copies} == {str(copies[2])}
    assert {tuple(copy.history()) for copy in copies} == {tuple(copies[2].history())}


# --- Its algorithms ------------------------------------------------------------------------------------------


def test_information_set_search_plays_legal_matches(game):
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    searcher = ismcts.ISMCTSBot(game, evaluator, uct_c=20, max_simulations=3, random_state=rng)
    searched = 0
    for state in decisions(game, seed=3):
        if state.current_player() == 0 and len(state.legal_actions()) > 1:
            odds = dict(searcher.get_policy(state))
            assert sorted(odds) == state.legal_actions()
            assert sum(odds.values()) == pytest.approx(1)
            searched += 1
    assert searched > 2


def test_nash_conv_is_that_of_our_own_enumeration():
    game = pyspiel.load_game(SMALL)
    rest = [game.rules.cards[card] for card in game.rules.pack]
    for card in POOL:
        rest.remove(card)
    decks = [[*order, *rest] for order in itertools.permutations(POOL)]
    roots = tuple(game.rules.table(seed=0, decks=[deck], dealer=0) for deck in decks)
    tree = nashconv.Tree.of(nashconv.SmallGame(game.rules, "all deals of a pool", roots))
    uniform = policy.UniformRandomPolicy(game)
    ours = nashconv.nash_conv(tree, nashconv.uniform(tree), "random")
    assert exploitability.nash_conv(game, uniform) == pytest.approx(ours.total)
    assert expected_game_score.policy_value(game.new_initial_state(), [uniform] * 2) == pytest.approx(ours.value)
    for seat in range(2):
        answer = best_response.BestResponsePolicy(game, seat, uniform)
        assert answer.value(game.new_initial_state()) == pytest.approx(ours.best[seat])


def test_counterfactual_regret_minimization_comes_closer_to_equilibrium():
    game = pyspiel.load_game(SMALL)
    np.random.seed(1)  # noqa: NPY002  (OpenSpiel's solver draws from it)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    for _ in range(100):
        solver.iteration()
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability.nash_conv(game, solver.average_policy()) < uniform / 2


def run_episodes(learner: type, **settings) -> None:
    """The learner in seat 0 learns for a few hands."""
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002  (OpenSpiel's agents draw from it)
    torch.manual_seed(1)
    sampler = rl_environment.ChanceEventSampler(seed=1)
    env = rl_environment.Environment(
        "trick_envs_rage_glyphs", chance_event_sampler=sampler, num_players=2, hand_sizes="[2]"
    )
    actions = env.action_spec()["num_actions"]
    learning = learner(0, env.observation_spec()["info_state"][0], actions, **settings)
    agents = [learning, random_agent.RandomAgent(1, actions)]
    for _ in range(12):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    loss = learning.loss() if callable(learning.loss) else learning.loss
    for part in loss if isinstance(loss, tuple) else (loss,):
        assert torch.isfinite(torch.as_tensor(part).detach()).all()


def test_its_bots_play_matches(game):
    rng = np.random.RandomState(1)
    bots = [UniformRandomBot(seat, rng) for seat in range(game.num_players())]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)
    assert len(returns) == game.num_players()
    assert any(returns)


def test_policy_gradient_learns():
    run_episodes(PolicyGradient, loss_str="a2c", hidden_layers_sizes=(8,), batch_size=4, num_critic_before_pi=1)


def test_q_learning_learns():
    pytest.importorskip("tree", reason="OpenSpiel's DQN needs dm-tree")
    from open_spiel.python.pytorch.dqn import DQN

    run_episodes(DQN, hidden_layers_sizes=(8,), batch_size=4, min_buffer_size_to_learn=4, learn_every=4)


def test_fictitious_self_play_learns():
    pytest.importorskip("tree", reason="OpenSpiel's NFSP needs dm-tree")
    from open_spiel.python.pytorch.nfsp import NFSP

    sizes = {"hidden_layers_sizes": (8,), "reservoir_buffer_capacity": 50, "anticipatory_param": 0.5}
    run_episodes(NFSP, **sizes, batch_size=4, min_buffer_size_to_learn=4, learn_every=4)


@pytest.mark.parametrize(
    ("example", "arguments", "told"),
    [
        (openspiel_search, "trick_envs_rage_glyphs --hands 2 --simulations 2", "over 2 legal matches"),
        (openspiel_setback, "--hands 60 --deals 20", "points ahead a hand"),
    ],
)
def test_examples_run(example, arguments, told, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["example", *arguments.split()])
    example.main()
    assert told in capsys.readouterr().out.replace("\n", " ")
