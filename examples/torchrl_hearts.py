"""TorchRL: PPO learns Hearts by self-play through ``PettingZooWrapper``; all seats share one policy."""

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

import trick_envs
from examples.policies import Scaled, begin, measure
from trick_envs import hearts_v0

OPTIONS = {"num_hands": 1, "pass_cards": 0, "rewards": "relative"}
REWARD_SCALE = 0.1
STEPS, EPOCHS, BATCH = 40 * 52, 6, 260  # of a rollout: 40 hands


def main() -> None:
    arguments = begin(__doc__, rollouts=20, of=f"{STEPS:,} decisions")
    game = trick_envs.make("hearts", **OPTIONS)
    hearts = hearts_v0.env(**OPTIONS, mask="info")
    env = PettingZooWrapper(hearts, use_mask=True, group_map={"seats": hearts.possible_agents}, seed=0)

    def network(outputs: int) -> nn.Module:
        layers = MLP(game.layout.size, outputs, num_cells=[128, 128], activation_class=nn.Tanh)
        return nn.Sequential(Scaled(game), layers)

    logits = network(game.num_actions)
    actor = ProbabilisticActor(
        TensorDictModule(logits, [("seats", "observation")], [("seats", "logits")]),
        in_keys={"logits": ("seats", "logits"), "mask": ("seats", "action_mask")},
        out_keys=[("seats", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=("seats", "log_prob"),
    )
    critic = ValueOperator(network(1), in_keys=[("seats", "observation")], out_keys=[("seats", "state_value")])
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    loss.set_keys(
        **{key: ("seats", key) for key in ("action", "reward", "done", "terminated", "advantage", "value_target")},
        value=("seats", "state_value"),
        sample_log_prob=("seats", "log_prob"),
    )
    loss.make_value_estimator(gamma=1.0, lmbda=0.98)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)

    frames = {"frames_per_batch": STEPS, "total_frames": STEPS * arguments.rollouts}
    for rollout in Collector(env, actor, **frames, auto_register_policy_transforms=False):
        rollout["next", "seats", "reward"] *= REWARD_SCALE
        critics = {"params": loss.critic_network_params, "target_params": loss.target_critic_network_params}
        with torch.no_grad():
            loss.value_estimator(rollout, **critics)
        decided = rollout["seats"][rollout["seats", "mask"]]  # one seat decides in each step: (STEPS,)
        for _ in range(EPOCHS):
            for batch in decided[torch.randperm(len(decided))].split(BATCH):
                losses = loss(TensorDict({"seats": batch}, batch.batch_size))
                sum(losses[name] for name in ("loss_objective", "loss_entropy", "loss_critic")).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
                optimizer.zero_grad()
        print(f"entropy {losses['entropy'].item():.3f}, value loss {losses['loss_critic'].item():.3f}", flush=True)
    measure("TorchRL", game, logits, arguments.deals)


if __name__ == "__main__":
    main()
