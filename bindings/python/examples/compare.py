"""Two queues on a log: by how much does EASY backfilling shorten the slowdown, and how sure is that?

    python compare.py [TRACE]

Whole weeks of the log are drawn anew, and both queues run each draw. Without a trace the jobs are those of a model,
made several times.
"""

import sys

import locox

if len(sys.argv) > 1:
    jobs = locox.read_swf(sys.argv[1], lenient=True)
else:
    jobs = [locox.lublin(2_000, processors=256, seed=seed, estimates=2.0).scaled(0.7) for seed in range(20)]
rows = locox.compare(jobs, ["fcfs", "easy"], metrics=["wait", "slowdown"], lenient=True)
for row in rows[1::2]:
    name = f"{row['source']}, {row['metric']} {row['unit']}".rstrip()
    print(f"{name}: EASY {row['value']:.1f}, less FCFS {row['difference']:.1f}", end=", ")
    if row["reason"]:
        print(f"no interval ({row['reason']}): {row['answer']}")
    else:
        print(f"in [{row['difference_low']:.1f}, {row['difference_high']:.1f}] with 95 %: {row['answer']}")
