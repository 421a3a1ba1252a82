"""Random workloads and calls: an environment beside a plain model of one.

LOCOX_CALLS says how many.
"""

import copy
import os
import pickle

import numpy
import pytest
from gymnasium.error import ResetNeeded
from hypothesis import given, seed, settings
from hypothesis import strategies as st

import locox
import locox.gym

CALLS = int(os.environ.get("LOCOX_CALLS", 500))
PROCESSORS = 4


class Model:
    """An environment without backfilling in plain Python. Jobs are tuples (submit, processors, run)."""

    def __init__(self, jobs, window, per_step):
        self.jobs, self.window, self.per_step = jobs, window, per_step
        self.clock, self.coming, self.free = jobs[0][0], 0, PROCESSORS
        self.waiting, self.ends, self.starts, self.told = [], [], [-1] * len(jobs), 0.0
        self.until_a_choice()

    def until_a_choice(self):
        while not self.waiting and self.coming < len(self.jobs):
            self.go_on()

    def go_on(self):
        """To the next arrival or end, arrivals first."""
        arrival = self.jobs[self.coming][0] if self.coming < len(self.jobs) else None
        if arrival is not None and all(arrival <= end for end, _ in self.ends):
            self.clock = arrival
            self.waiting.append(self.coming)
            self.coming += 1
        else:
            self.clock, size = self.ends.pop(self.ends.index(min(self.ends)))
            self.free += size

    @property
    def done(self):
        return not self.waiting

    @property
    def shown(self):
        return min(len(self.waiting), self.window)

    def step(self, nth):
        job = self.waiting[nth if nth < self.shown else 0]
        submit, size, run = self.jobs[job]
        while size > self.free:
            self.go_on()
        self.waiting.remove(job)
        self.free -= size
        self.starts[job] = self.clock - self.jobs[0][0]
        self.ends.append((self.clock + run, size))
        self.until_a_choice()
        return self.reward()

    def reward(self):
        if not (self.per_step or self.done):
            return 0.0
        slowdowns = 0.0
        for start, (submit, _, run) in zip(self.starts, self.jobs):
            if start >= 0:
                wait = start - (submit - self.jobs[0][0])
                slowdowns += max(1.0, (wait + run) / max(run, 10))
        new, self.told = slowdowns - self.told, slowdowns
        return -new / len(self.jobs)


rows = st.lists(st.tuples(st.integers(0, 30), st.integers(1, PROCESSORS), st.integers(0, 25)), min_size=1, max_size=14)
calls = st.lists(
    st.one_of(
        st.tuples(st.just("step"), st.integers(-1, 6)),
        st.tuples(st.just("step"), st.integers(0, 2)),
        st.tuples(st.just("reset"), st.integers(-1, 14)),
        st.tuples(st.just("copy"), st.sampled_from([copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])),
    ),
    max_size=40,
)


def same(env, model, waiting):
    assert env.starts.tolist() == model.starts
    assert env.action_masks().tolist() == [nth < model.shown for nth in range(model.window)]
    assert waiting == model.shown


@seed(1)
@settings(max_examples=CALLS, deadline=None, database=None)
@given(rows, st.integers(1, 14), st.integers(1, 5), st.booleans(), st.booleans(), calls)
def test_an_environment_does_what_the_model_does(rows, length, window, per_step, strict, calls):
    rows, length = sorted(rows), min(length, len(rows))
    columns = [numpy.array(column, dtype=numpy.int64) for column in zip(*rows)]
    workload = locox.Workload(*columns, machine=PROCESSORS)
    env = locox.gym.SchedulingEnv(workload, jobs=length, window=window, per_step=per_step, strict=strict)
    model = None
    for call, value in calls:
        if call == "copy":
            env = value(env)
        elif call == "reset" and not 0 <= value <= len(rows) - length:
            with pytest.raises(ValueError):
                env.reset(options={"start": value})
        elif call == "reset":
            _, info = env.reset(options={"start": value})
            model = Model(rows[value : value + length], window, per_step)
            same(env, model, info["waiting"])
        elif model is None or model.done:
            with pytest.raises(ResetNeeded):
                env.step(value)
        elif not 0 <= value < window or strict and value >= model.shown:
            with pytest.raises(ValueError):
                env.step(value)
        else:
            shown, reward, done, _, info = env.step(value)
            assert reward == pytest.approx(model.step(value), abs=1e-9) and done == model.done
            assert env.observation_space.contains(shown)
            same(env, model, info["waiting"])
    if model:
        same(env, model, model.shown)
