"""Scheduling policies replayed by the kernel that ships.

>>> import locox
>>> jobs = locox.lublin(1000, processors=128, seed=1)
>>> outcome = locox.replay(jobs, queue="easy")
>>> outcome.summary["jobs"]
1000

Times are whole seconds; a number that is unknown is -1. ``locox.gym`` has environments for learning
schedulers.

The kernel's own structures are here, too: ``Pool`` and ``MeshPool``, ``GridPool``, ``SlicePool`` and ``NodePool``, ``Timeline`` and ``Profile``, ``Queue``,
``FairShare``, ``map_jobs``. Their time is an argument, in whole units of your choice. A call that is not granted
raises ``Refused``, one that makes no sense ``Misused``; both have a ``reason``, and nothing has changed then.
"""

# Here, not at the first column: an import that fails or is interrupted is then an exception like any other.
import numpy as _numpy  # noqa: F401

from ._locox import (
    BoxLease,
    Decision,
    FairShare,
    GridPool,
    Job,
    Lease,
    Mapping,
    MeshLease,
    MeshPool,
    Misused,
    NodeLease,
    NodePool,
    Outcome,
    Pool,
    Profile,
    Queue,
    Refused,
    ReplayError,
    Reservation,
    SliceLease,
    SlicePool,
    Timeline,
    TraceError,
    Workload,
    __version__,
    compare,
    lublin,
    map_jobs,
    read_swf,
    replay,
)

__all__ = [
    "BoxLease",
    "Decision",
    "FairShare",
    "GridPool",
    "Job",
    "Lease",
    "Mapping",
    "MeshLease",
    "MeshPool",
    "Misused",
    "NodeLease",
    "NodePool",
    "Outcome",
    "Pool",
    "Profile",
    "Queue",
    "Refused",
    "ReplayError",
    "Reservation",
    "SliceLease",
    "SlicePool",
    "Timeline",
    "TraceError",
    "Workload",
    "compare",
    "lublin",
    "map_jobs",
    "read_swf",
    "replay",
]
