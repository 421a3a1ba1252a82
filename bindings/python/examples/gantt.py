"""A Gantt chart of a day on 64 processors, as gantt.png.

    python gantt.py
"""

import matplotlib

matplotlib.use("Agg")

import locox

jobs = locox.lublin(60, processors=64, seed=3, estimates=1.0).scaled(4.0)
axes = locox.replay(jobs, queue="easy", allocations=True).plot()
axes.figure.savefig("gantt.png", dpi=120, bbox_inches="tight")
print("gantt.png")
