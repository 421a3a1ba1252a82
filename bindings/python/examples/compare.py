"""Two queues on a log: by how much does EASY backfilling shorten the slowdown, and how sure is that?

    python compare.py [TRACE]

Each week of the log is replayed alone, under both queues. The differences of the weeks are drawn again and
again (a bootstrap), which gives an interval of their mean. Without a trace the jobs are those of a model.
"""

import sys

import numpy

import locox

WEEK = 7 * 24 * 3600


def weeks(workload):
    """The jobs of each whole week, as workloads of their own."""
    jobs = workload.jobs
    number = (jobs["submit"] - jobs["submit"][0]) // WEEK
    for week in range(int(number[-1])):
        of_week = {name: column[number == week] for name, column in jobs.items()}
        if len(of_week["id"]) > 10:
            order = ("submit", "processors", "run", "requested", "user", "id")
            yield locox.Workload(*(of_week[name] for name in order), machine=workload.processors)


def slowdown(jobs, queue):
    return locox.replay(jobs, queue=queue, lenient=True).summary["mean_bounded_slowdown"]


if len(sys.argv) > 1:
    log = locox.read_swf(sys.argv[1], lenient=True)
else:
    log = locox.lublin(20_000, processors=256, seed=1, estimates=2.0).scaled(0.7)
differences = numpy.array([slowdown(week, "easy") - slowdown(week, "fcfs") for week in weeks(log)])
random = numpy.random.default_rng(1)
means = random.choice(differences, (10_000, len(differences))).mean(axis=1)
low, high = numpy.quantile(means, [0.025, 0.975])
print(f"{log.name}: {len(differences)} weeks")
print(f"mean bounded slowdown, EASY less FCFS: {differences.mean():.1f}, in [{low:.1f}, {high:.1f}] with 95 %")
answer = "shorter" if high < 0 else "longer" if low > 0 else "no clear difference"
print(f"EASY: {answer}")
