"""Random calls: each ends well or with one of the exceptions that are documented, and memory stays.

LOCOX_CALLS says how many.
"""

import os
import resource

import numpy
from gymnasium.error import ResetNeeded
from hypothesis import given, seed, settings
from hypothesis import strategies as st

import locox
import locox.gym

CALLS = int(os.environ.get("LOCOX_CALLS", 500))
EXPECTED = (ValueError, TypeError, OverflowError)

whole = st.one_of(st.integers(-2, 40), st.sampled_from([2**31, 2**32, 2**62, 2**63 - 1, -(2**63)]))
columns = st.lists(st.tuples(whole, st.integers(-1, 20), whole, whole, st.integers(-1, 3)), max_size=12)
names = st.one_of(
    st.sampled_from(
        ["fcfs", "lazy", "scan-up", "window:3", "easy", "easy:1", "conservative", "conservative:2", "sjf", "fair-share"]
    ),
    st.sampled_from(["pool:16", "pool:4", "cube:4", "pool:0", "cube:-1", "pool:99999999999", "pool:4294967295", "buddy", "complete"]),
    st.text(max_size=8),
)


def limits(machine):
    """Machines that a test has memory for."""
    digits = "".join(letter for letter in str(machine) if letter.isdecimal())
    return not digits or int(digits) < 1000 or int(digits) > 2**32


@seed(1)
@settings(max_examples=CALLS, deadline=None, database=None)
@given(columns, names, names.filter(limits), names, st.booleans(), st.floats(), st.booleans())
def test_workloads_and_replays(rows, queue, machine, order, lenient, factor, sort):
    rows = sorted(rows) if sort else rows
    try:
        values = [[row[at] for row in rows] for at in range(5)]
        workload = locox.Workload(*values)
        outcome = locox.replay(workload, queue=queue, machine=machine, order=order, lenient=lenient)
        assert len(outcome) == len(workload) == len(outcome.jobs["start"])
        repr(outcome), outcome.summary, outcome.bounded_slowdowns(0)
        workload.scaled(factor)
    except EXPECTED as fault:
        assert str(fault) and "panic" not in str(fault)


small = locox.lublin(60, processors=32, seed=1, estimates=1.0)


@seed(1)
@settings(max_examples=CALLS, deadline=None, database=None)
@given(
    st.integers(-1, 70),
    st.integers(-1, 9),
    st.sampled_from([None, -1, 0, 31, 32, 2**32]),
    st.sampled_from(["none", "easy", "both"]),
    st.sampled_from(["bounded_slowdown", "wait", "utilisation", "?"]),
    st.booleans(),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=8),
    st.one_of(st.none(), st.integers(-1, 60)),
)
def test_environments(jobs, window, processors, backfilling, reward, per_step, actions, start):
    try:
        env = locox.gym.SchedulingEnv(
            small,
            jobs=jobs,
            window=window,
            processors=processors,
            backfilling=backfilling,
            reward=reward,
            per_step=per_step,
        )
        env.reset(seed=1, options={"start": start})
        for action in actions:
            observation, value, _, _, _ = env.step(action)
            assert numpy.isfinite(value) and env.observation_space.contains(observation)
    except (*EXPECTED, ResetNeeded) as fault:
        assert str(fault) and "panic" not in str(fault)


def test_memory_stays():
    def used():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def work():
        for _ in range(300):
            env = locox.gym.SchedulingVectorEnv(small, 8, jobs=40)
            env.reset(seed=1)
            env.step(numpy.zeros(8, dtype=int))
            locox.replay(small).jobs

    work()
    before = used()
    for _ in range(5):
        work()
    assert used() - before < 10_000  # kB
