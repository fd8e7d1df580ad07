"""OpenSpiel's information set search (IS-MCTS) plays whole hands of any of the games against random seats."""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from rich import print

import trick_envs.interfaces.openspiel  # noqa: F401  (registers the games)

EXPLORATION = 0.7  # of the range of returns


def play(game: pyspiel.Game, bot: ISMCTSBot, rng: np.random.RandomState, seat: int) -> list[float]:
    """Play a match with the bot in ``seat``; the returns of all seats."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            action = rng.choice(outcomes, p=odds)
        elif state.current_player() == seat:
            action = bot.step(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)  # raises IllegalAction where an action is not legal
    return state.returns()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="trick_envs_setback", help="as pyspiel.load_game has it")
    parser.add_argument("--hands", type=int, default=8, help="matches to play, the searching seat going round")
    parser.add_argument("--simulations", type=int, default=50, help="for each decision")
    arguments = parser.parse_args()
    game = pyspiel.load_game(arguments.game)
    rng = np.random.RandomState(0)
    exploration = EXPLORATION * (game.max_utility() - game.min_utility())
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, rng), exploration, arguments.simulations, random_state=rng)
    ahead = []
    for hand in range(arguments.hands):
        seat = hand % game.num_players()
        returns = play(game, bot, rng, seat)
        ahead.append(returns[seat] - np.mean(returns))
        print(f"match {hand + 1}: seat {seat} searches; returns {returns}")
    print(f"{np.mean(ahead):+.2f} ahead of the mean of the table, over {arguments.hands} legal matches")


if __name__ == "__main__":
    main()
