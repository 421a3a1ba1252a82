import copy
import gzip
import lzma
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


HEADER = "; Computer: Some Machine\n; Note: by hand\n;   in two lines\n; MaxProcs: 8\n; MaxRecords: 5\n"


def line(number, submit, run=60, user=3):
    return f"{number} {submit} -1 {run} 4 -1 -1 4 90 -1 1 {user} -1 -1 -1 -1 -1 -1\n"


@pytest.fixture
def trace(tmp_path):
    """Of three good lines, one bad one and one that lacks a run time."""
    path = tmp_path / "log.swf"
    path.write_text(HEADER + line(1, 0) + line(2, 5) + "bad\n" + line(3, 9) + line(4, 9, run=-1))
    return path


@pytest.mark.parametrize(("ending", "opened"), [("", open), (".gz", gzip.open), (".xz", lzma.open)])
def test_a_trace_keeps_its_header_and_is_compressed_as_its_name_says(trace, tmp_path, ending, opened):
    read = locox.read_swf(trace, lenient=True)
    path = tmp_path / f"again.swf{ending}"
    read.write_swf(path)
    with opened(path, "rt") as file:
        text = file.read()
    for kept in HEADER.splitlines()[:4]:
        assert text.count(kept + "\n") == 1
    assert "; MaxRecords: 3\n" in text and "; Note: Bad lines skipped: 1" in text
    again = locox.read_swf(path)
    assert again.processors == 8 and len(again) == 3
    assert [kept for kept in again.header if kept in read.header] == read.header[:-1]
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["log.swf", path.name])


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path, jobs):
    with pytest.raises(IsADirectoryError):
        jobs.write_swf(tmp_path)
    name = tmp_path / "two\nlines.swf"
    name.write_text(line(1, 0))
    with pytest.raises(ValueError, match="has a line break"):
        locox.read_swf(name).write_swf(tmp_path / "out.swf")
    assert list(tmp_path.iterdir()) == [name]


def test_what_lenient_reading_dropped_is_told(trace):
    outcome = locox.replay(trace, lenient=True)
    assert (outcome.skipped, outcome.incomplete, len(outcome)) == (1, 1, 3)
    assert any("Bad lines skipped: 1" in note for note in outcome.notes)
    assert "Computer: Some Machine" in outcome.notes
    with pytest.raises(locox.TraceError, match=":8: .*lenient=True"):
        locox.replay(trace)


def test_a_user_beyond_32_bits_is_refused(tmp_path):
    path = tmp_path / "users.swf"
    path.write_text(line(1, 0, user=2**32))
    with pytest.raises(locox.TraceError, match='"user": 4294967296 is more than 4294967295'):
        locox.read_swf(path)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_workloads_and_outcomes_are_copied_and_pickled(trace, again):
    read = locox.read_swf(trace, lenient=True)
    outcome = locox.replay(read, allocations=True, machine="pool:3", lenient=True, queue="fcfs")
    for it, names in (
        (read, ("name", "processors", "notes", "header", "skipped", "incomplete")),
        (outcome, ("workload", "machine", "queue", "processors", "notes", "skipped", "incomplete", "summary", "allocated")),
    ):
        other = again(it)
        assert type(other) is type(it) and len(other) == len(it) and repr(other) == repr(it)
        for name in names:
            assert getattr(other, name) == getattr(it, name), name
        for name, column in it.jobs.items():
            assert (other.jobs[name] == column).all(), name
    whole = locox.replay(read, allocations=True)
    assert again(whole).allocated == whole.allocated == ["0-3", "4-7", "0-3"]


def test_on_a_cube_the_queue_is_fcfs_unless_another_is_asked_for(jobs):
    assert locox.replay(jobs).queue == "easy"
    cube = locox.replay(jobs, machine="cube:8")
    assert (cube.queue, cube.machine) == ("fcfs", "8-cube, complete")
    assert locox.replay(jobs, machine="cube:8", strategy="buddy").machine == "8-cube, buddy"


BATSIM = """\
job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,\
starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,consumed_energy,allocated_resources,metadata
1,log,delay,0,4,90,1,COMPLETED_SUCCESSFULLY,0,60,60,0,60,1.0,,0-3,
2,log,delay,5,4,90,1,COMPLETED_SUCCESSFULLY,5,60,65,0,60,1.0,,4-7,
3,log,delay,9,4,90,1,COMPLETED_SUCCESSFULLY,60,60,120,51,111,1.85,,0-3,
"""


@pytest.mark.parametrize(("ending", "opened"), [("", open), (".gz", gzip.open), (".xz", lzma.open)])
def test_the_table_of_an_outcome_is_the_commands(trace, tmp_path, ending, opened):
    outcome = locox.replay(trace, lenient=True, allocations=True)
    path = tmp_path / f"jobs.csv{ending}"
    outcome.write_csv(path)
    with opened(path, "rb") as file:
        assert file.read().decode() == BATSIM


@pytest.mark.parametrize("machine", ["pool:64", "pool:256"])
def test_pandas_has_what_the_table_has(jobs, tmp_path, machine):
    pandas = pytest.importorskip("pandas")
    outcome = locox.replay(jobs, machine=machine, lenient=True, allocations=True)
    outcome.write_csv(tmp_path / "jobs.csv")
    table, frame = pandas.read_csv(tmp_path / "jobs.csv"), outcome.to_pandas()
    assert list(table.columns) == list(frame.columns)
    for name in table.columns:
        left, right = table[name], frame[name]
        assert (left.isna() == right.isna()).all(), name
        known = ~left.isna()
        assert (left[known] == right[known]).all(), name


@pytest.mark.parametrize("allocations", [False, True])
@pytest.mark.parametrize("machine", ["pool:64", "pool:256"])
def test_pandas_writes_what_the_command_writes_to_the_byte(jobs, tmp_path, machine, allocations):
    pytest.importorskip("pandas")
    columns = jobs.jobs
    requested = numpy.where(columns["id"] % 3 == 0, -1, columns["requested"])
    run = numpy.where(columns["id"] % 5 == 0, 0, columns["run"])
    mixed = locox.Workload(columns["submit"], columns["processors"], run, requested, name='a "name", quoted', machine=256)
    outcome = locox.replay(mixed, machine=machine, lenient=True, allocations=allocations)
    outcome.write_csv(tmp_path / "jobs.csv")
    outcome.to_pandas().to_csv(tmp_path / "pandas.csv", index=False)
    assert (tmp_path / "pandas.csv").read_bytes() == (tmp_path / "jobs.csv").read_bytes()
    assert outcome.to_pandas().stretch.dtype == float


@pytest.mark.parametrize("allocations", [False, True])
def test_a_picture_of_an_outcome(jobs, allocations):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    outcome = locox.replay(jobs.first(50), allocations=allocations)
    axes = outcome.plot()
    assert axes.get_ylabel() == ("processor" if allocations else "processors held")
    begin, end = outcome.jobs["submit"].min(), outcome.jobs["finish"].max()
    assert axes.get_xlim() == pytest.approx((0, (end - begin) / 3600))
    assert outcome.plot(axes, first=0, last=3600) is axes and axes.get_xlim() == (0, 1)
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize(("module", "call"), [("matplotlib.pyplot", "plot"), ("pandas", "to_pandas")])
def test_what_is_not_installed_is_said(jobs, monkeypatch, module, call):
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(ImportError, match="pip install"):
        getattr(locox.replay(jobs.first(5)), call)()


def test_half_the_time_between_arrivals_is_twice_the_load(jobs):
    assert jobs.scaled(2.0).jobs["submit"][-1] < jobs.jobs["submit"][-1]
    assert len(jobs.first(10)) == 10


def test_jobs_in_pandas(jobs):
    pandas = pytest.importorskip("pandas")
    small = locox.replay(jobs, machine="pool:64", lenient=True, allocations=True)
    frame = small.to_pandas()
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
        (lambda jobs: locox.replay(jobs, machine="ring:3"), ValueError, "pool:P"),
        (lambda jobs: locox.replay(jobs, machine="cube:8", queue="easy"), ValueError, "pool:256"),
        (lambda jobs: locox.replay(jobs, machine="cube:99"), ValueError, "0 to 24"),
        (lambda jobs: locox.replay(jobs, machine="pool:2"), locox.ReplayError, "asks for"),
        (lambda jobs: locox.replay(jobs, order="random"), ValueError, "unknown order"),
        (lambda jobs: locox.replay(3.5), TypeError, "neither a Workload nor the path"),
        (lambda jobs: locox.replay(jobs, machine="pool:256", strategy="buddy"), ValueError, "cube:N"),
        (lambda jobs: locox.replay(jobs, strategy="buddy"), ValueError, "a pool of 256 has none"),
        (lambda jobs: locox.replay(jobs, machine="cube:8", strategy="best"), ValueError, "unknown strategy"),
        (lambda jobs: jobs.first(-1), ValueError, "jobs is -1, and must be 0 to"),
        (lambda jobs: jobs.first(1.5), TypeError, "must be a whole number"),
        (lambda jobs: locox.lublin(10, seed=-1), ValueError, "seed is -1"),
        (lambda jobs: locox.lublin(10, processors=2**32), ValueError, "processors is 4294967296"),
        (lambda jobs: locox.lublin(10, processors=10**50), ValueError, "must be 1 to 16777216"),
        (lambda jobs: locox.lublin(-(10**50)), ValueError, "must be 0 to 5000000"),
        (lambda jobs: locox.replay(jobs).bounded_slowdowns(-1), ValueError, "bound is -1"),
        (lambda jobs: locox.replay(jobs).write_csv("/no/such/folder/x.csv"), FileNotFoundError, "/no/such"),
        (lambda jobs: locox.replay(jobs).plot(first=5, last=5), ValueError, "before last"),
        (lambda jobs: locox.replay(jobs.first(0)).plot(), ValueError, "nothing to draw"),
        (lambda jobs: locox.replay("no-such-file.swf"), FileNotFoundError, "no-such-file.swf"),
        (lambda jobs: locox.read_swf("."), OSError, ""),
        (lambda jobs: jobs.scaled(float("nan")), ValueError, "NaN"),
        (lambda jobs: jobs.scaled(-1.0), ValueError, "-1"),
        (lambda jobs: jobs.write_swf("/no/such/folder/x.swf"), FileNotFoundError, "/no/such/folder"),
        (lambda jobs: locox.lublin(10, processors=0), ValueError, "processors is 0, and must be 1 to 16777216"),
        (lambda jobs: locox.lublin(-1), ValueError, "jobs is -1"),
        (lambda jobs: locox.lublin(10, kind="some"), ValueError, "the kinds are"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(jobs, fault, kind, words):
    with pytest.raises(kind) as raised:
        fault(jobs)
    text = str(raised.value)
    assert words in text and "\n" not in text and "--" not in text


class Raises:
    """Says nothing of itself."""

    def __fspath__(self):
        raise RuntimeError("own")

    def __iter__(self):
        raise RuntimeError("own")


@pytest.mark.parametrize(
    "call",
    [
        lambda it: locox.replay(it),
        lambda it: locox.read_swf(it),
        lambda it: locox.lublin(3).write_swf(it),
        lambda it: locox.replay(locox.lublin(3)).write_csv(it),
        lambda it: locox.map_jobs(it),
        lambda it: locox.map_jobs([[1]], clusters=it),
        lambda it: locox.compare(it, ["easy"]),
        lambda it: locox.compare(locox.lublin(3), it),
        lambda it: locox.compare(locox.lublin(3), ["easy"], loads=it),
        lambda it: locox.compare(locox.lublin(3), ["easy"], metrics=it),
    ],
)
def test_what_an_argument_raises_passes(call):
    with pytest.raises(RuntimeError, match="^own"):
        call(Raises())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda jobs: locox.replay(jobs, machine=8), "machine is 8, and must be text"),
        (lambda jobs: locox.replay(jobs, queue=b"easy"), "queue is b'easy', and must be text"),
        (lambda jobs: locox.replay(jobs, strategy=3), "strategy is 3, and must be text"),
        (lambda jobs: locox.replay(jobs, order=None), "order is None, and must be text"),
        (lambda jobs: locox.replay(jobs, lenient="yes"), "lenient is 'yes', and must be True or False"),
        (lambda jobs: locox.replay(jobs, sort=1), "sort is 1, and must be True or False"),
        (lambda jobs: locox.replay(jobs, allocations=[]), r"allocations is \[\], and must be True or False"),
        (lambda jobs: locox.replay(jobs, progress=3), "progress is 3, and must be something to call"),
        (lambda jobs: locox.replay(3.5), "workload is 3.5, neither a Workload nor the path of a trace"),
        (lambda jobs: locox.replay(jobs, queu="easy"), "unexpected keyword argument 'queu'"),
        (lambda jobs: locox.read_swf(3), "path is 3, and must be the path of a file"),
        (lambda jobs: locox.read_swf("x", jobs="3"), "jobs is '3', and must be a whole number"),
        (lambda jobs: jobs.write_swf(None), "path is None, and must be the path of a file"),
        (lambda jobs: jobs.scaled("2"), "factor is '2', and must be a number"),
        (lambda jobs: locox.lublin(3, kind=1), "kind is 1, and must be text"),
        (lambda jobs: locox.lublin(3, estimates="2"), "estimates is '2', and must be a number"),
        (lambda jobs: locox.Workload([0], [1], [1], name=3), "name is 3, and must be text"),
        (lambda jobs: locox.Workload([0], [1], [1], machine="8"), "machine is '8', and must be a whole number"),
        (lambda jobs: locox.compare(jobs, "easy"), "methods is 'easy', and must be a list of names"),
        (lambda jobs: locox.compare(jobs, ["easy", 3]), r"methods\[1\] is 3, and must be text"),
        (lambda jobs: locox.compare(jobs, ["easy"], loads=0.5), "loads is 0.5, and must be a list of numbers"),
        (lambda jobs: locox.compare(jobs, ["easy"], loads=["a"]), r"loads\[0\] is 'a', and must be a number"),
        (lambda jobs: locox.compare(jobs, ["easy"], metrics="wait"), "metrics is 'wait', and must be a list of names"),
        (lambda jobs: locox.compare([3], ["easy"]), r"workload is \[3\], neither a Workload nor a list of them"),
        (lambda jobs: locox.map_jobs([[1]], 3), "mapper is 3, and must be text"),
        (lambda jobs: locox.map_jobs([[1]], best=3), "best is 3, and must be text"),
        (lambda jobs: locox.map_jobs(3), "times must be rows of whole numbers"),
        (lambda jobs: locox.Pool(3, strategy=3), "strategy is 3, and must be text"),
        (lambda jobs: locox.MeshPool(3, reuse="no"), "reuse is 'no', and must be True or False"),
        (lambda jobs: locox.Pool(3).release(3), "lease is 3, and must be a Lease"),
        (lambda jobs: locox.MeshPool(3).release(3), "lease is 3, and must be a MeshLease"),
        (lambda jobs: locox.Queue(3, 3), "discipline is 3, and must be text"),
        (lambda jobs: locox.Queue(3).finish(0, 3), "job is 3, and must be a Job"),
        (lambda jobs: locox.Timeline(3).cancel(3), "reservation is 3, and must be a Reservation"),
        (lambda jobs: locox.Timeline(3).reserve(1, 1, policy=3), "policy is 3, and must be text"),
        (lambda jobs: locox.Timeline(3).reserve(1, 1, choice=3), "choice is 3, and must be text"),
    ],
)
def test_a_wrong_type_is_said_by_the_name_of_the_argument(jobs, call, words):
    with pytest.raises(TypeError, match=words) as raised:
        call(jobs)
    assert "\n" not in str(raised.value) and "Py" not in str(raised.value)


@pytest.mark.parametrize("queue", ["conservative", "conservative:5", "easy", "fcfs"])
def test_each_order_has_its_effect_under_each_queue(jobs, queue):
    columns = jobs.scaled(1.3).jobs
    users = columns["id"] % 7
    order = ("submit", "processors", "run", "requested")
    loaded = locox.Workload(*(columns[name] for name in order), users, machine=256)
    starts = [locox.replay(loaded, queue=queue, order=order).jobs["start"].tolist() for order in ("fcfs", "sjf", "fair-share")]
    assert starts[0] != starts[1] != starts[2] != starts[0]


def numbers(*values):
    return numpy.array(values, dtype=numpy.int64)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([5, 3], [1, 1], [1, 1]), r"submit\[1\] is 3, before .* sort the jobs"),
        (([0, 3], [1], [1, 1]), "processors has 1 values and submit has 2"),
        (([0, -1], [1, 1], [1, 1]), r"submit\[1\] is -1, and must not be negative"),
        (([0], [0], [1]), r"processors\[0\] is 0, and must be 1 to"),
        (([0], [2**40], [1]), r"processors\[0\] is 1099511627776, and must be 1 to"),
        (([0, 0], [1, 1], [1, -5]), r"run\[1\] is -5, and must not be negative"),
        (([0], [1], [1], [-2]), r"requested\[0\] is -2, and must not be negative"),
        (([0], [1], [1], None, [2**32]), r"user\[0\] is 4294967296, and must be 0 to 4294967295"),
        (([0], [1], [1], None, [-2]), r"user\[0\] is -2"),
        (([0] * 3, [1] * 3, [1] * 3, None, None, [7, 8, 7]), r"id\[2\] is 7, and so is id\[0\]"),
        (([0], [1], [10**30]), r"run\[0\] is 10+, beyond numbers of 64 bits"),
        (([0] * 2, [1] * 2, [2**63 + 1, 1]), r"run\[0\] is 9223372036854775809, beyond numbers of 64 bits"),
        (([0] * 2, [1] * 2, [1] * 2, None, None, [2**63, 1]), r"id\[0\] is 9223372036854775808, beyond"),
        (([0], [1], numpy.array([2**63], dtype="uint64")), r"run\[0\] is 9223372036854775808, beyond"),
        (([0], [1], [0.5]), r"run\[0\] is 0.5, and must be a whole number"),
        (([0], [1], [float("nan")]), r"run\[0\] is missing, and must be a whole number"),
        (([0], [1], [float("inf")]), r"run\[0\] is inf, beyond"),
        (([0], [1], [None]), r"run\[0\] is missing"),
        (([0], [1], [numpy.array([3, 4])]), "run has 2 dimensions, and a column has 1"),
        ((0, [1], [1]), "submit has 0 dimensions, and a column has 1"),
        (([0], [1], [1], None, None, None, "two\nlines"), "must be one line"),
        (([0], [1], [1], None, None, None, "w", 0), "machine is 0, and must be 1 to 16777216"),
        (([0], [1], [1], None, None, None, "w", -4), "machine is -4"),
    ],
)
def test_bad_columns_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words) as raised:
        locox.Workload(*arguments)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("column", [["one"], [True], ["2024"], numpy.array(["2024-01-01"], dtype="datetime64[s]")])
def test_what_holds_no_whole_numbers_is_a_wrong_type(column):
    with pytest.raises(TypeError, match="run holds .*, and must hold whole numbers"):
        locox.Workload([0], [1], column)


def test_columns_may_be_lists_and_arrays_and_series():
    pandas = pytest.importorskip("pandas")
    values = [4, 8, 9]
    kinds = [numpy.array(values, dtype=kind) for kind in ("int8", "int32", "uint64", "float32", "float64", object)]
    kinds += [values, tuple(values), pandas.Series(values), pandas.Series(values, dtype="Int64"), range(7, 10)]
    kinds += [numpy.array([4, 0, 8, 0, 9, 0])[::2]]
    for column in kinds:
        made = locox.Workload(column, column, column, column, column)
        for name in ("submit", "processors", "run", "requested", "user"):
            assert made.jobs[name].tolist() == list(column), name
    unknown = [[None, 5], [float("nan"), 5.0], [-1, 5], pandas.Series([None, 5]), pandas.Series([None, 5], dtype="Int64")]
    for column in unknown:
        made = locox.Workload([0, 0], [1, 1], [1, 1], column, column)
        assert made.jobs["requested"].tolist() == made.jobs["user"].tolist() == [-1, 5]
    assert len(locox.Workload([], [], [])) == 0


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
    with pytest.raises(ValueError, match="must be 0 to 5000000"):
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
