"""The policy network that PPO trains: sb3-contrib's maskable policy with one fused masked softmax.

Several times faster than the stock distributions, which are built twice and validated; the same numbers come out. Its
checkpoints are ordinary SB3 files. Values come from a head on the actor's trunk, or from a separate critic that also
sees what is hidden from the actor, while it learns.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

_CLOSED = -1e8  # logit of an illegal action


def relu_layers(widths: Sequence[int]) -> list[nn.Module]:
    """Linear layers from width to width, each with a ReLU behind it."""
    return [part for a, b in itertools.pairwise(widths) for part in (nn.Linear(a, b), nn.ReLU())]


class Trunk(BaseFeaturesExtractor):
    """ReLU layers of the actor; sizes: their widths."""

    def __init__(self, observation_space: spaces.Box, sizes: tuple[int, ...] = (256, 256)) -> None:
        super().__init__(observation_space, features_dim=sizes[-1])
        self.trunk = nn.Sequential(*relu_layers([observation_space.shape[0], *sizes]))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, size) observations to (n, sizes[-1]) features."""
        return self.trunk(observations)


class FastPolicy(MaskableActorCriticPolicy):
    """MaskableActorCriticPolicy on a `Trunk`; use with `policy_kwargs=network((256, 256))`.

    critic: widths of a separate critic that sees all hands, none = values from a head on the trunk. hidden: length of
    the vector behind the observation that only this critic gets. With it, `forward` and `predict_values` give zeros as
    values, since they see ordinary observations; `critic_values` and `evaluate_actions` take the longer ones.
    bf16: multiply in bfloat16 while learning, weights and all else staying float32; nearly twice as fast where the
    processor has it, slow where it has not.
    """

    def __init__(
        self, *arguments: Any, critic: Sequence[int] = (), hidden: int = 0, bf16: bool = False, **keywords: Any
    ) -> None:
        self.critic_sizes, self.hidden, self.bf16 = tuple(critic), hidden, bf16
        super().__init__(*arguments, **keywords)

    def _build_mlp_extractor(self) -> None:  # the optimiser is made after this
        super()._build_mlp_extractor()
        self.critic: nn.Sequential | None = None
        if self.critic_sizes:
            widths = [self.observation_space.shape[0] + self.hidden, *self.critic_sizes]  # type: ignore[index]
            layers = relu_layers(widths)
            for layer in layers:
                self.init_weights(layer, gain=2**0.5)
            self.critic = nn.Sequential(*layers, nn.Linear(widths[-1], 1))

    def actor_parameters(self) -> list[nn.Parameter]:
        """The parameters that choose actions."""
        return [*self.features_extractor.parameters(), *self.action_net.parameters()]

    def critic_values(self, both: torch.Tensor) -> torch.Tensor:
        """(n, 1) values of observations with the hidden vector behind them."""
        assert self.critic is not None
        with self._multiplying():
            return self.critic(both).float()

    def predict_values(self, obs: Any) -> torch.Tensor:
        """(n, 1) values of (n, size) observations."""
        return self._values(self.features_extractor(obs)) if self.critic is None else torch.zeros(len(obs), 1)

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, (n, 1) values and log probabilities for (n, size) observations, drawn by inverse distribution."""
        with self._multiplying():
            features = self.features_extractor(obs)
            logits = self._logits(features, action_masks)
            values = self._values(features)
        logs = torch.log_softmax(logits, 1)
        if deterministic:
            actions = logits.argmax(1)
        else:
            steps = torch.softmax(logits, 1).cumsum(1)
            below = steps[:, -1:] * (1 - 1e-6)  # rounding must not carry a draw past the last legal action
            actions = (steps <= torch.rand(len(logs), 1, device=logs.device) * below).sum(1)
        return actions, values, logs.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(n, 1) values, log probabilities of the actions, and entropies."""
        values, logits = self.judge(obs, action_masks)
        logs = torch.log_softmax(logits, 1)
        entropy = -(torch.softmax(logits, 1) * logs).sum(1)  # exp(logs) would be slow: most are far below zero
        return values, logs.gather(1, actions.long().reshape(-1, 1))[:, 0], entropy

    def judge(self, obs: torch.Tensor, action_masks: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, 1) values and (n, actions) logits; obs with the hidden vector behind it if there is a separate critic."""
        with self._multiplying():
            features = self.features_extractor(obs if self.critic is None else obs[:, : -self.hidden])
            logits = self._logits(features, action_masks)
            values = self._values(features) if self.critic is None else self.critic(obs).float()
        return values, logits

    def _values(self, features: torch.Tensor) -> torch.Tensor:
        return self.value_net(features).float() if self.critic is None else torch.zeros(len(features), 1)

    def _multiplying(self) -> torch.autocast:
        return torch.autocast("cpu", torch.bfloat16, enabled=self.bf16)

    def _logits(self, features: torch.Tensor, masks: Any) -> torch.Tensor:
        """(n, actions), those of illegal actions far below all others."""
        logits = self.action_net(features).float()
        if masks is None:
            return logits
        closed = torch.as_tensor(masks, device=logits.device).reshape(logits.shape) == 0
        return logits.masked_fill(closed, _CLOSED)


def network(sizes: Sequence[int], critic: Sequence[int] = (), hidden: int = 0, bf16: bool = False) -> dict[str, Any]:
    """`policy_kwargs` for a FastPolicy with a trunk of these widths; critic, hidden, bf16: as there."""
    extractor = {"features_extractor_class": Trunk, "features_extractor_kwargs": {"sizes": tuple(sizes)}}
    return {"net_arch": [], "critic": tuple(critic), "hidden": hidden, "bf16": bf16, **extractor}


def weights_of(policy: MaskableActorCriticPolicy) -> dict[str, np.ndarray]:
    """Weights of the actor as plain arrays: `trunk.I.weight`, `trunk.I.bias`, `action.*`; copies."""
    layers = [part for part in policy.features_extractor.trunk if isinstance(part, nn.Linear)]  # type: ignore[union-attr]
    named: dict[str, Any] = {f"trunk.{i}": layer for i, layer in enumerate(layers)} | {"action": policy.action_net}
    return {
        f"{name}.{kind}": getattr(layer, kind).detach().cpu().numpy().copy()
        for name, layer in named.items()
        for kind in ("weight", "bias")
    }
