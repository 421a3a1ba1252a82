"""An interrupt ends long calls within a tenth of a second, and leaves nothing half done; others may go on meanwhile.

A thread raises the signal when the call is under way, which it knows by what the call has done to files, or by having had its
turn. How long the call takes after that is not measured here: it would take many seconds, and in vain.
"""

import os
import signal
import threading
from contextlib import contextmanager

import numpy
import pytest

import locox


@contextmanager
def interrupted(seconds=0.1):
    """What happens in the block is interrupted."""
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        timer.join()


@pytest.fixture(scope="module")
def many():
    return locox.lublin(1_000_000, processors=256, seed=1, estimates=2.0)


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_writing_ends_and_nothing_is_left(many, tmp_path, ending):
    with interrupted():
        for _ in range(1000):
            many.write_swf(tmp_path / f"jobs.swf{ending}")
    left = [path for path in tmp_path.iterdir() if path.name != f"jobs.swf{ending}"]
    assert left == []


def test_writing_of_a_table_ends_and_an_older_one_stays(many, tmp_path):
    outcome = locox.replay(many, queue="fcfs")
    path = tmp_path / "jobs.csv.xz"
    path.write_text("older")
    with interrupted():
        outcome.write_csv(path)
    assert path.read_text() == "older" and list(tmp_path.iterdir()) == [path]


def test_a_model_ends():
    with interrupted():
        for _ in range(1000):
            locox.lublin(5_000_000)


def test_reading_ends(many, tmp_path):
    path = tmp_path / "jobs.swf"
    many.write_swf(path)
    for call in (locox.read_swf, locox.replay):
        with interrupted():
            for _ in range(1000):
                call(path)


def test_a_genetic_search_ends():
    times = numpy.random.default_rng(1).integers(1, 1000, (200, 20))
    threads = len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else None
    with interrupted():
        locox.map_jobs(times, "genetic", generations=1_000_000, chromosomes=1000)
    if threads:
        while len(os.listdir("/proc/self/task")) > threads:
            pass


def test_a_pipe_without_a_writer_ends(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for call in (locox.read_swf, locox.replay):
        with interrupted():
            call(pipe)
    with interrupted():
        locox.lublin(3).write_swf(pipe)


def test_a_pipe_that_is_full_ends(many, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    keeps = os.open(pipe, os.O_RDWR)
    with interrupted():
        many.write_swf(pipe)
    os.close(keeps)


def test_a_pipe_whose_writer_is_slow_ends_and_is_read_by_the_next(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    keeps = os.open(pipe, os.O_RDWR)
    with interrupted():
        locox.read_swf(pipe)
    os.close(keeps)
    jobs = locox.lublin(5000, seed=3)
    path = tmp_path / "jobs.swf"
    jobs.write_swf(path)

    def write():
        with open(pipe, "wb") as out:
            out.write(path.read_bytes())

    writer = threading.Thread(target=write)
    writer.start()
    read = locox.read_swf(pipe)
    writer.join()
    assert (read.jobs["run"] == jobs.jobs["run"]).all()


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    jobs = locox.lublin(5000, seed=3)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    jobs.write_swf(pipe)
    reader.join()
    assert got[0].count("\n") > 5000 and pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


def test_others_have_their_turn_while_columns_become_a_workload(many):
    columns = [many.jobs[name] for name in ("submit", "processors", "run", "requested")]
    with interrupted(0.02):
        for _ in range(1000):
            locox.Workload(*columns)
    objects = numpy.array([None] * 3_000_000, dtype=object)
    zeros = numpy.zeros(len(objects), dtype=int)
    with interrupted(0.02):
        for _ in range(1000):
            locox.Workload(zeros, zeros + 1, zeros, objects)
