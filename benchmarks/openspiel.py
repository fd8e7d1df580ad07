"""Speed of OpenSpiel's Hearts (a C++ engine driven from Python), as a rival to measure against.

Every function plays whole hands of uniformly random legal play on one core for about `seconds` of wall time
and returns decisions per second. A decision is one card picked for passing or one card played: 64 in a hand
with passing, 52 in a hand without (61 on average, as the pass direction is drawn evenly from the four). The
work at chance nodes (one for the pass direction, 52 for the deal) is inside the time but not in the count.

Each way is given its quickest form. Where Python steps the chance nodes, it shuffles a pack itself and
applies the cards unasked, some 15 times quicker than sampling from `chance_outcomes()` card by card.
"""

import itertools
import random
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

GAME = "hearts(pass_cards=true)"
PASS_DIRECTIONS = 4
CARDS = 52
SEATS = 4


def observations(seconds: float = 2.0, seed: int = 0) -> float:
    """Decisions per second with an observation in a reused buffer and a mask as an array each.

    Hearts offers the information state only: 5,088 float32 values, written in place.
    """
    game = pyspiel.load_game(GAME)
    observation = make_observation(game, INFO_STATE_OBS_TYPE)
    mask = np.zeros(CARDS, np.int8)
    return _observing_rate(observation.set_from, lambda legal: mask.__setitem__(slice(None), legal), seconds, seed)


def observations_stripped(seconds: float = 2.0, seed: int = 0) -> float:
    """As ``observations``, past the documented face: the C++ call without its wrapper, the mask left as a list."""
    game = pyspiel.load_game(GAME)
    observation = make_observation(game, INFO_STATE_OBS_TYPE)
    return _observing_rate(observation._observation.set_from, lambda legal: None, seconds, seed)


def _observing_rate(
    set_from: Callable[[pyspiel.State, int], None],
    keep_mask: Callable[[list[int]], None],
    seconds: float,
    seed: int,
) -> float:
    game = pyspiel.load_game(GAME)
    rng = random.Random(seed)
    uniform = rng.random
    deal = _dealer(game, rng)

    def play_hand() -> int:
        state = deal()
        current_player, legal_actions_mask = state.current_player, state.legal_actions_mask
        legal_actions, apply_action = state.legal_actions, state.apply_action
        decisions = 0
        while (seat := current_player()) >= 0:
            set_from(state, seat)
            keep_mask(legal_actions_mask())
            legal = legal_actions()
            apply_action(legal[int(uniform() * len(legal))])
            decisions += 1
        return decisions

    return _rate(play_hand, seconds)


def observation_lists(seconds: float = 2.0, seed: int = 0) -> float:
    """Decisions per second with the observation as a Python list, from the state's own methods.

    Hearts has no observation_tensor, so this is information_state_tensor (5,088 floats) and legal_actions.
    """
    game = pyspiel.load_game(GAME)
    rng = random.Random(seed)
    uniform = rng.random
    deal = _dealer(game, rng)

    def play_hand() -> int:
        state = deal()
        current_player, information_state_tensor = state.current_player, state.information_state_tensor
        legal_actions, apply_action = state.legal_actions, state.apply_action
        decisions = 0
        while (seat := current_player()) >= 0:
            information_state_tensor(seat)
            legal = legal_actions()
            apply_action(legal[int(uniform() * len(legal))])
            decisions += 1
        return decisions

    return _rate(play_hand, seconds)


def rules_from_python(seconds: float = 2.0, seed: int = 0) -> float:
    """Decisions per second of the bare rules, stepped from Python: legal_actions, then apply_action."""
    game = pyspiel.load_game(GAME)
    rng = random.Random(seed)
    uniform = rng.random
    deal = _dealer(game, rng)

    def play_hand() -> int:
        state = deal()
        legal_actions, apply_action = state.legal_actions, state.apply_action
        decisions = 0
        while legal := legal_actions():
            apply_action(legal[int(uniform() * len(legal))])
            decisions += 1
        return decisions

    return _rate(play_hand, seconds)


def rules_in_cpp(seconds: float = 2.0, seed: int = 0) -> float:
    """Decisions per second of hands played wholly in C++: deal, random bots and rules in one call a hand.

    The decisions are read off the length of each finished hand's history, less its chance steps.
    """
    game = pyspiel.load_game(GAME)
    bots = [pyspiel.make_uniform_random_bot(seat, seed + 1 + seat) for seat in range(SEATS)]
    rng = random.Random(seed)
    chance_steps = _chance_steps(game, bots)
    evaluate_bots = pyspiel.evaluate_bots

    def play_hand() -> int:
        state = game.new_initial_state()
        evaluate_bots(state, bots, rng.getrandbits(31))
        return state.move_number() - chance_steps

    return _rate(play_hand, seconds)


def simulations(seconds: float = 2.0, seed: int = 0) -> float:
    """Simulations a second of ``ISMCTSBot``, all C++ with random playouts, at the first real decision of a hand.

    1,000 of them for each decision, without passing; UCT constant as in its example.
    """
    game = pyspiel.load_game("hearts(pass_cards=false)")
    rng = random.Random(seed)
    states = []
    for _ in range(8):
        state = game.new_initial_state()
        pack = list(range(CARDS))
        rng.shuffle(pack)
        while state.is_chance_node():
            choices = state.legal_actions()
            state.apply_action(choices[0] if len(choices) == 1 else pack.pop())
        while len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        states.append(state)
    bot = pyspiel.ISMCTSBot(
        seed,
        pyspiel.RandomRolloutEvaluator(1, seed),
        0.7 * game.max_utility(),
        1000,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )
    positions = itertools.cycle(states)

    def decide() -> int:
        bot.step(next(positions))
        return 1000

    return _rate(decide, seconds)


def _rate(play_hand: Callable[[], int], seconds: float) -> float:
    """Decisions per second of wall time over whole hands (one at least), after one that is not timed."""
    play_hand()
    decisions = 0
    start = time.perf_counter()
    elapsed = 0.0
    while not decisions or elapsed < seconds:
        decisions += play_hand()
        elapsed = time.perf_counter() - start
    return decisions / elapsed


def _dealer(game: pyspiel.Game, rng: random.Random) -> Callable[[], pyspiel.State]:
    """A function that returns a newly dealt state, its pass direction and deal drawn evenly from `rng`."""
    pack = list(range(CARDS))

    def deal() -> pyspiel.State:
        state = game.new_initial_state()
        apply_action = state.apply_action
        apply_action(int(rng.random() * PASS_DIRECTIONS))
        rng.shuffle(pack)
        for card in pack:
            apply_action(card)
        return state

    return deal


def _chance_steps(game: pyspiel.Game, bots: list[pyspiel.Bot]) -> int:
    """Chance steps in a hand, counted in the history of one that is played for it."""
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, 0)
    return sum(step.player == pyspiel.PlayerId.CHANCE for step in state.full_history())
