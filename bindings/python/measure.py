"""Steps a second, and the costs of a reset, an import and a table, each the best of some runs. Times are those of the
processor, so that what else runs on the machine counts little.

    ci/python --measure
"""

import os
import pathlib
import subprocess
import sys
import time

import numpy

import locox
import locox.gym

SECONDS = 2.0


def best(run, times=3):
    return max(run() for _ in range(times))


def vector(jobs, backfilling, count=64):
    env = locox.gym.SchedulingVectorEnv(jobs, count, backfilling=backfilling, copy=False)
    _, info = env.reset(seed=1)
    random = numpy.random.default_rng(1)

    def run():
        steps, begin = 0, time.process_time()
        nonlocal info
        while (spent := time.process_time() - begin) < SECONDS:
            actions = (random.random(count) * info["waiting"]).astype(numpy.int64)
            info = env.step(actions)[4]
            steps += count
        return steps / spent

    return best(run)


def scalar(jobs, **options):
    env = locox.gym.SchedulingEnv(jobs, **options)
    _, info = env.reset(seed=1)
    random = numpy.random.default_rng(1)

    def run():
        nonlocal info
        steps, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < SECONDS:
            _, _, done, _, info = env.step(int(random.random() * info["waiting"]))
            steps += 1
            if done:
                _, info = env.reset()
        return steps / spent

    return best(run)


def interpreter():
    """What such a loop costs when the environment does nothing but copy what it shows."""
    rows, mask = numpy.zeros((128, 8), dtype=numpy.float32), numpy.zeros(128, dtype=bool)
    random = numpy.random.default_rng(1)

    def run():
        steps, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < SECONDS:
            int(random.random() * 20)
            rows.copy(), {"action_mask": mask.copy(), "waiting": 20}
            steps += 1
        return steps / spent

    return best(run)


def reset(jobs):
    env = locox.gym.SchedulingEnv(jobs)
    env.reset(seed=1)
    begin = time.process_time()
    for _ in range(2000):
        env.reset()
    return (time.process_time() - begin) / 2000


def import_time():
    code = "import numpy, time; t = time.process_time(); import locox; print(time.process_time() - t)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(5)]
    return min(times)


def table(log):
    begin = time.process_time()
    frame = locox.replay(log, queue="fcfs").to_pandas()
    assert len(frame) > 10_000
    return time.process_time() - begin


jobs = locox.lublin(20_000, processors=256, seed=1, estimates=3.0)
for backfilling in ("none", "easy"):
    print(f"64 environments together, backfilling {backfilling}: {vector(jobs, backfilling):,.0f} steps/s")
    print(f"one environment, backfilling {backfilling}: {scalar(jobs, backfilling=backfilling):,.0f} steps/s")
for observation, window in (("compact", 128), ("rlscheduler", 128), ("image", 16)):
    steps = scalar(jobs, observation=observation, window=window)
    print(f"one environment, observation {observation}, window {window}: {steps:,.0f} steps/s")
print(f"a loop that copies observations alone: {interpreter():,.0f} steps/s")
print(f"reset: {reset(jobs) * 1e6:.1f} us")
print(f"import, numpy aside: {import_time():.3f} s")
folder = os.environ.get("LOCOX_DATA")
if folder:
    log = pathlib.Path(folder, "traces/NASA-iPSC-1993-3.1-cln.swf.xz")
    import pandas  # noqa: F401

    print(f"a log of 18,239 jobs, read, replayed and made a table: {min(table(log) for _ in range(5)):.3f} s")
