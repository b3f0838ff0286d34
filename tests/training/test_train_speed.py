"""The comparison with MaskablePPO as it comes counts whole rounds, and what it says it counts."""

from __future__ import annotations

import pytest
from trained import small

from experiments import train_speed
from experiments.train import new_model


def test_our_rounds_count_free_choices_of_whole_transitions() -> None:
    config = small()
    model = new_model(config)
    speed = train_speed.measured(model, 0)
    assert speed.rounds == 1
    asked = config.tables * config.steps
    assert (
        asked - 3 * config.tables <= speed.learned < asked
    )  # the rollout cuts off the other three seats' last choices
    assert speed.free == speed.learned
    assert model._n_updates == config.epochs  # the update belongs to the round
    assert speed.cpu > 0
    assert speed.seconds > 0


def test_the_stock_learner_has_its_defaults_and_our_widths() -> None:
    model = train_speed.stock(small(), envs=2)
    assert (model.n_steps, model.batch_size, model.n_epochs, model.n_envs) == (2048, 64, 10, 2)
    layers = model.policy.mlp_extractor.policy_net
    assert [layers[k].out_features for k in (0, 2)] == [32, 16]  # a Tanh after each
    speed = train_speed.measured(train_speed.stock(small(), envs=2, steps=64), 0)
    assert speed.rounds == 1
    assert speed.learned == 128  # all decisions, and some of them were forced
    assert 0 < speed.free < 128


def test_ratios_are_by_decisions_a_second() -> None:
    ours = train_speed.Speed(rounds=3, learned=8000, free=8000, seconds=4, cpu=2)
    theirs = train_speed.Speed(rounds=1, learned=1000, free=500, seconds=10, cpu=8)
    lines = list(train_speed.report(ours, theirs, envs=8))
    assert lines[-2] == "ratio by wall time: 20.0 times all its decisions, 40.0 times its free ones"
    assert lines[-1] == "ratio by CPU time: 32.0 times all its decisions, 64.0 times its free ones"


@pytest.mark.parametrize("arguments", [["--seconds", "0"], ["--envs", "0"]])
def test_wrong_numbers_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        train_speed.main(arguments)
    assert "must be above 0" in capsys.readouterr().err
    assert train_speed.main(["none.yaml"]) == 2
