"""Opponents drawn for each episode: their shares, their seats, past selves, and that nobody is swapped within one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from trained import Steady, small

from experiments import train
from trickenv.engine.batch import RUNNING
from trickenv.engine.spec import game
from trickenv.envs.mix import LEARNER, Mix
from trickenv.envs.sb3 import TablesVecEnv

TRIONFO = game("trionfo")


def test_shares_are_drawn_and_one_side_learns() -> None:
    mix = Mix(TRIONFO, TRIONFO.rules("four"), {"self": 6, "random": 3, "heuristic": 1})
    who = mix.seat(20_000, np.random.default_rng(0))
    alone = (who == LEARNER).all(1)
    assert alone.mean() == pytest.approx(0.6, abs=0.02)
    assert (who == 0).any(1).mean() == pytest.approx(0.3, abs=0.02)
    first = who[:, 0] == LEARNER
    np.testing.assert_array_equal(who[~alone] == LEARNER, np.where(first[~alone][:, None], [1, 0, 1, 0], [0, 1, 0, 1]))
    assert first[~alone].mean() == pytest.approx(0.5, abs=0.02)
    three = Mix(TRIONFO, TRIONFO.rules("three"), {"random": 1}).seat(300, np.random.default_rng(0))
    assert ((three == LEARNER).sum(1) == 1).all()


def test_past_selves_come_and_go_at_the_edge_of_episodes() -> None:
    mix = Mix(TRIONFO, TRIONFO.rules("four"), {"past": 1})
    luck = np.random.default_rng(0)
    assert (mix.seat(50, luck) == LEARNER).all()  # there is none yet
    selves = [Steady() for _ in range(5)]
    who = np.full((50, 4), LEARNER)
    for one in selves[:2]:
        mix.remember(one, 2, who)
    who = mix.seat(50, luck)
    assert set(np.unique(who)) == {LEARNER, 0, 1}
    mix.remember(selves[2], 2, who)
    assert mix.players == selves[:3]  # the first is not drawn any more, but still sits at tables
    assert set(np.unique(mix.seat(50, luck))) == {LEARNER, 1, 2}
    who[who == 0] = LEARNER
    mix.remember(selves[3], 2, who)
    assert mix.players == [selves[3], *selves[1:3]]
    assert [mix.players[k] for k in mix.drawn] == selves[2:4]


@pytest.mark.parametrize("shares", [{}, {"self": 0}, {"self": 1, "nobody": 1}])
def test_wrong_shares_are_told(shares: dict) -> None:
    with pytest.raises(ValueError, match="shares above 0|unknown player"):
        Mix(TRIONFO, TRIONFO.rules("four"), shares)


def test_nobody_is_swapped_within_an_episode() -> None:
    env = TablesVecEnv("trionfo", num_envs=32, opponents={"self": 1, "random": 1}, skip_forced=True, seed=3)
    env.reset()
    play, luck = env.learners, np.random.default_rng(0)
    swapped = 0
    for _ in range(120):
        before = play.who.copy()
        assert (play.who[np.arange(32), play.seats] == LEARNER).all()
        env.step((luck.random(env.action_masks().shape) * env.action_masks()).argmax(1))
        same = (play.who == before).all(1)
        assert same[play.status == RUNNING].all()
        swapped += int((~same).sum())
    assert swapped > 32


def test_a_run_against_players_and_past_selves(tmp_path: Path) -> None:
    config = small(
        opponents={"self": 0.5, "past": 0.3, "heuristic": 0.2},
        pool={"every": 800, "size": 2},
        evaluate_against=["random", "past"],
    )
    run = train.train(config, tmp_path / "run")
    mix = run.env.learners.mix
    assert len(mix.drawn) == 2
    assert mix.named == 1
    old, new = (mix.players[k].weights["action.weight"] for k in mix.drawn)
    assert (old != new).any()
    assert "past" in run.results
