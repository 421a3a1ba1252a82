"""Scheduling policies replayed by the kernel that ships.

>>> import locox
>>> jobs = locox.lublin(1000, processors=128, seed=1)
>>> outcome = locox.replay(jobs, queue="easy")
>>> outcome.summary["jobs"]
1000

Times are whole seconds; a number that is unknown is -1. ``locox.gym`` has environments for learning
schedulers.
"""

from ._locox import (
    Outcome,
    ReplayError,
    TraceError,
    Workload,
    __version__,
    lublin,
    read_swf,
    replay,
)

__all__ = [
    "Outcome",
    "ReplayError",
    "TraceError",
    "Workload",
    "lublin",
    "read_swf",
    "replay",
]
