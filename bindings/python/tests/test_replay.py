import pickle
import signal
import threading

import numpy
import pytest
from conftest import logs
from plain import columns, simulate

import locox


def test_first_come_first_served_is_as_in_plain_python(jobs):
    outcome = locox.replay(jobs, queue="fcfs")
    expected = simulate(columns(jobs), 256, lambda waiting: waiting[0])
    assert outcome.jobs["start"].tolist() == expected
    wait = outcome.jobs["start"] - outcome.jobs["submit"]
    assert outcome.summary["mean_wait"] == pytest.approx(wait.mean())
    assert (outcome.bounded_slowdowns() >= 1).all()
    assert outcome.summary["mean_bounded_slowdown"] == pytest.approx(outcome.bounded_slowdowns().mean())


def test_backfilling_helps(jobs):
    waits = {queue: locox.replay(jobs, queue=queue).summary["mean_wait"] for queue in ("fcfs", "easy", "conservative")}
    assert waits["easy"] < waits["fcfs"] and waits["conservative"] < waits["fcfs"]


def test_a_workload_goes_through_columns_a_file_and_a_pickle(jobs, tmp_path):
    columns = jobs.jobs
    order = ("submit", "processors", "run", "requested", "user", "id")
    made = locox.Workload(*(columns[name] for name in order), machine=256)
    jobs.write_swf(tmp_path / "jobs.swf")
    read = locox.read_swf(tmp_path / "jobs.swf")
    for other in (made, read, pickle.loads(pickle.dumps(jobs))):
        assert other.processors == 256
        for name, column in columns.items():
            assert (other.jobs[name] == column).all(), name


def test_half_the_time_between_arrivals_is_twice_the_load(jobs):
    assert jobs.scaled(2.0).jobs["submit"][-1] < jobs.jobs["submit"][-1]
    assert len(jobs.first(10)) == 10


def test_jobs_in_pandas(jobs):
    pandas = pytest.importorskip("pandas")
    small = locox.replay(jobs, machine="pool:64", lenient=True, allocations=True)
    frame = locox.to_pandas(small)
    rejected = frame[frame.success == 0]
    assert len(rejected) == small.summary["rejected"] > 0
    assert rejected.starting_time.isna().all() and (rejected.requested_number_of_resources > 64).all()
    ran = frame[frame.success == 1]
    assert (ran.finish_time - ran.submission_time == ran.turnaround_time).all()
    assert ran.allocated_resources.str.len().min() > 0
    assert isinstance(frame, pandas.DataFrame)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (lambda jobs: locox.replay(jobs, queue="lifo"), ValueError, "unknown queue `lifo`"),
        (lambda jobs: locox.replay(jobs, machine="torus:3"), ValueError, "pool:P"),
        (lambda jobs: locox.replay(jobs, machine="cube:8", queue="easy"), ValueError, "pool:256"),
        (lambda jobs: locox.replay(jobs, machine="cube:99"), ValueError, "0 to 24"),
        (lambda jobs: locox.replay(jobs, machine="pool:2"), locox.ReplayError, "asks for"),
        (lambda jobs: locox.replay(jobs, order="random"), ValueError, "unknown order"),
        (lambda jobs: locox.replay(3.5), TypeError, ""),
        (lambda jobs: locox.replay("no-such-file.swf"), FileNotFoundError, "no-such-file.swf"),
        (lambda jobs: locox.read_swf("."), OSError, ""),
        (lambda jobs: jobs.scaled(float("nan")), ValueError, "NaN"),
        (lambda jobs: jobs.scaled(-1.0), ValueError, "-1"),
        (lambda jobs: jobs.write_swf("/no/such/folder/x.swf"), FileNotFoundError, "/no/such/folder"),
        (lambda jobs: locox.lublin(10, processors=0), ValueError, "at least 1"),
        (lambda jobs: locox.lublin(-1), OverflowError, ""),
        (lambda jobs: locox.lublin(10, kind="some"), ValueError, "the kinds are"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(jobs, fault, kind, words):
    with pytest.raises(kind) as raised:
        fault(jobs)
    text = str(raised.value)
    assert words in text and "\n" not in text and "--" not in text


def numbers(*values):
    return numpy.array(values, dtype=numpy.int64)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((numbers(5, 3), numbers(1, 1), numbers(1, 1)), "sort the jobs"),
        ((numbers(0, 3), numbers(1), numbers(1, 1)), "processors has 1 values and submit has 2"),
        ((numbers(-1), numbers(1), numbers(1)), "must not be negative"),
        ((numbers(0), numbers(0), numbers(1)), "must be 1 to"),
        ((numbers(0), numbers(2**40), numbers(1)), "must be 1 to"),
        ((numbers(0), numbers(1), numbers(-5)), "must not be negative"),
    ],
)
def test_bad_columns_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        locox.Workload(*arguments)


def test_floats_are_no_whole_numbers():
    with pytest.raises(TypeError):
        locox.Workload(numpy.array([0.5]), numbers(1), numbers(1))


def test_times_beyond_all_bounds_are_refused():
    zero, one, long = numbers(0, 0, 0), numbers(1, 1, 1), numbers(*[2**40] * 3)
    for queue in ("fcfs", "easy", "conservative"):
        three = locox.replay(locox.Workload(zero, one, long, long), machine="pool:1", queue=queue)
        assert three.jobs["finish"].max() == 3 * 2**40
    for column in (long + 1, numbers(2**63 - 1, 1, 1)):
        with pytest.raises(ValueError, match="beyond 2\\^40 seconds"):
            locox.Workload(zero, one, column)
        with pytest.raises(ValueError, match="beyond 2\\^40 seconds"):
            locox.Workload(zero, one, one, column)
    for wrong in (lambda: locox.lublin(3).scaled(1e-300), lambda: locox.lublin(3, estimates=1e300)):
        with pytest.raises(ValueError, match="beyond"):
            wrong()


def test_sizes_for_which_there_is_no_memory_are_refused():
    with pytest.raises(ValueError, match="up to 5000000"):
        locox.lublin(10**15)
    with pytest.raises(ValueError, match="1 to 16777216"):
        locox.replay(locox.lublin(3), machine="pool:4294967295")


def test_a_trace_in_any_order_is_replayed_sorted(tmp_path):
    trace = tmp_path / "late.swf"
    line = "{} {} -1 60 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 -1 -1\n"
    trace.write_text("; MaxProcs: 4\n" + line.format(1, 50) + line.format(2, 10))
    with pytest.raises(locox.TraceError, match="sort=True"):
        locox.replay(trace)
    assert locox.replay(trace, sort=True).jobs["submit"].tolist() == [10, 50]


def test_progress_is_told_and_what_it_raises_ends_the_replay(jobs):
    told = []
    locox.replay(jobs, progress=told.append)
    assert told[-1] == len(jobs) and told == sorted(told)

    def stop(_started):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        locox.replay(jobs, progress=stop)
    with pytest.raises(TypeError):
        locox.replay(jobs, progress=3)


def test_progress_is_told_while_events_are_slow():
    slow, told = locox.lublin(4000, processors=256, seed=1, estimates=3.0).scaled(3.0), []
    locox.replay(slow, queue="conservative", progress=told.append)
    assert len(told) >= 2


def test_an_interrupt_ends_a_replay():
    long = locox.lublin(400_000, processors=256, seed=1)
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        for _ in range(1000):
            locox.replay(long, queue="easy")


@pytest.mark.parametrize("log", logs(), ids=lambda path: path.name.split("-")[0])
def test_logs_of_real_machines(log):
    workload = locox.read_swf(log)
    outcome = locox.replay(workload, queue="easy", lenient=True)
    assert len(outcome) == len(workload) and 0.3 < outcome.summary["utilisation"] < 1
