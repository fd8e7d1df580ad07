"""PPO by self-play on Hearts with Ray RLlib, on one machine or a cluster, against a league of earlier policies."""

import argparse
import random

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from rich import print

from training.evaluation import evaluate
from training.report import result_table
from trick_envs import bots
from trick_envs.interfaces.rllib import TrickMultiAgentEnv, module_bot

ROLLOUTS_OF_A_SNAPSHOT = 4


class League(RLlibCallback):
    """Every few rollouts a frozen copy of the policy joins those that seats are drawn from."""

    def on_train_result(self, *, algorithm, **_):
        if algorithm.iteration % ROLLOUTS_OF_A_SNAPSHOT == 0:
            name, main = f"snapshot_{algorithm.iteration}", algorithm.get_module("main")
            mapping = drawn([name, *(earlier for earlier in algorithm.config.policies if earlier != "main")])
            algorithm.add_module(name, RLModuleSpec.from_module(main), new_agent_to_module_mapping_fn=mapping)
            algorithm.set_state({"learner_group": {"learner": {"rl_module": {name: main.get_state()}}}})

    def on_env_runners_recreated(self, *, algorithm, env_runner_group, env_runner_indices, **_):
        mapping = algorithm.config.policy_mapping_fn  # RLlib gives recreated runners the modules, but not this
        env_runner_group.foreach_env_runner(
            lambda runner: runner.config.multi_agent(policy_mapping_fn=mapping), remote_worker_ids=env_runner_indices
        )


def drawn(snapshots):
    """Which module holds a seat in an episode: a quarter of all seats go to snapshots."""
    return lambda *_, **__: random.choice(snapshots) if random.random() < 0.25 else "main"


def config(runners=0, steps=8192):
    network = {"fcnet_hiddens": [256, 256], "fcnet_activation": "relu"}
    spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=network)
    return (
        PPOConfig()
        .environment(TrickMultiAgentEnv, env_config={"game": "hearts", "num_hands": 1, "skip_forced": True})
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=32, batch_mode="complete_episodes")
        .fault_tolerance(restart_failed_env_runners=True)
        .multi_agent(policies={"main"}, policy_mapping_fn=lambda *_, **__: "main", policies_to_train=["main"])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"main": spec}))
        .training(lr=5e-4, gamma=1.0, lambda_=0.95, entropy_coeff=0.01, vf_clip_param=1000.0, use_kl_loss=False)
        .training(train_batch_size_per_learner=steps, minibatch_size=1024, num_epochs=4)
        .callbacks(League)
        .debugging(seed=0, log_level="ERROR")
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=18, help="to learn from, of 8,192 decisions or a few more")
    parser.add_argument("--runners", type=int, default=0, help="processes that play beside the one that learns")
    parser.add_argument("--address", help="of a Ray cluster's head")
    parser.add_argument("--deals", type=int, default=2000)
    options = parser.parse_args()
    ray.init(options.address, log_to_driver=False)
    algorithm = config(options.runners).build_algo()
    for _ in range(options.rollouts):
        told = algorithm.train()["env_runners"]
        print(f"{told['num_env_steps_sampled_lifetime']:,.0f} decisions, league {[*algorithm.config.policies]}")
    game = algorithm.env_runner.env.envs[0].unwrapped.game
    bot = module_bot(algorithm.get_module("main"), game)
    print(result_table("Ray RLlib", [evaluate(game, bot, bots.make("random", game), options.deals, seed=2**32)]))


if __name__ == "__main__":
    main()
