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
    Outcome as _Outcome,
    ReplayError,
    TraceError,
    Workload,
    __version__,
    lublin,
    read_swf,
    replay as _replay,
)

__all__ = ["Outcome", "ReplayError", "TraceError", "Workload", "lublin", "read_swf", "replay", "to_pandas"]

Outcome = _Outcome


def replay(workload, **options):
    """Replays a workload, or the trace at a path, on a machine under a queue.

    :param machine: ``"pool:P"`` or ``"cube:N"``; if not given, a pool as large as the trace says.
    :param queue: ``"fcfs"``, ``"scan-up"``, ``"scan-down"``, ``"lazy"``, ``"window:N"``, ``"easy"``,
        ``"easy:N"``, ``"conservative"`` or ``"conservative:N"``.
    :param strategy: on a cube ``"buddy"``, ``"gray-code"``, ``"free-list"``, ``"free-list-plain"`` or ``"complete"``.
    :param order: ``"fcfs"``, ``"sjf"`` or ``"fair-share"``.
    :param sort: sort the jobs of a trace by submission and number.
    :param lenient: jobs larger than the machine are left out, and of a trace bad lines.
    :param allocations: keep which processors each job got.
    :param progress: is called now and then with how many jobs have started; what it raises ends the replay.
    :raises ReplayError: the workload cannot be run to its end.
    :raises TraceError: the trace cannot be read.
    """
    sort = options.pop("sort", False)
    if not isinstance(workload, Workload):
        workload = read_swf(workload, lenient=options.get("lenient", False), sort=sort)
    return _replay(workload, **options)


def to_pandas(outcome):
    """The jobs of an outcome as a ``pandas.DataFrame``, in Batsim's names."""
    import pandas

    jobs = outcome.jobs
    ran = jobs["ran"]
    known = lambda column: pandas.Series(column, dtype="Int64").where(ran)  # noqa: E731
    frame = pandas.DataFrame(
        {
            "job_id": jobs["id"],
            "workload_name": outcome.workload,
            "submission_time": jobs["submit"],
            "requested_number_of_resources": jobs["processors"],
            "requested_time": pandas.Series(jobs["requested"], dtype="Int64").where(jobs["requested"] >= 0),
            "success": ran.astype(int),
            "starting_time": known(jobs["start"]),
            "execution_time": known(jobs["finish"] - jobs["start"]),
            "finish_time": known(jobs["finish"]),
            "waiting_time": known(jobs["start"] - jobs["submit"]),
            "turnaround_time": known(jobs["finish"] - jobs["submit"]),
            "allocated_resources": outcome.allocated,
        }
    )
    return frame
