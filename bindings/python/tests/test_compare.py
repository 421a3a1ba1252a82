"""Comparisons; that of a trace equals what the command says, which is noted here."""

import signal
import threading

import numpy
import pytest
from conftest import logs

import locox

WEEK = 7 * 24 * 3600


def trace(weeks, seed=1, load=0.5):
    """Jobs that come alike in all weeks, on 8 processors."""
    random = numpy.random.default_rng(seed)
    count = weeks * 60
    submit = numpy.sort(random.integers(0, weeks * WEEK, count))
    run = random.exponential(load * 8 * WEEK / 60 / 3, count).astype(int) + 1
    return locox.Workload(submit, random.integers(1, 6, count), run, 2 * run, machine=8)


def row(rows, method, metric="wait"):
    return next(row for row in rows if row["method"] == method and row["metric"] == metric)


def test_figures_are_those_of_replays_and_the_first_is_the_base_line():
    jobs = trace(3)
    rows = locox.compare(jobs, ["fcfs", "easy"])
    assert len(rows) == 6 and {row["source"] for row in rows} == {"workload"}
    for name in ("fcfs", "easy"):
        outcome = locox.replay(jobs, queue=name)
        assert row(rows, f"pool/{name}")["value"] == outcome.summary["mean_wait"]
        assert row(rows, f"pool/{name}", "slowdown")["value"] == outcome.summary["mean_bounded_slowdown"]
    fcfs, easy = row(rows, "pool/fcfs"), row(rows, "pool/easy")
    assert fcfs["answer"] == "baseline" and fcfs["difference"] == 0
    assert easy["difference"] == easy["value"] - fcfs["value"] and easy["baseline"] == "pool/fcfs"
    assert easy["answer"] == easy["reason"] == "too-short" and easy["interval"] == "none" and easy["draws"] == 0


def test_a_trace_of_many_weeks_has_an_interval():
    rows = locox.compare(trace(16), ["fcfs", "easy", "conservative"], metrics=["wait", "makespan"], seed=2)
    easy = row(rows, "pool/easy")
    assert easy["answer"] == "better" and easy["difference_low"] < easy["difference"] < easy["difference_high"] < 0
    assert easy["interval"] == "week-bootstrap-percentile" and easy["draws"] == 39 and easy["reason"] is None
    assert rows == locox.compare(trace(16), ["fcfs", "easy", "conservative"], metrics=["wait", "makespan"], seed=2)
    few = row(locox.compare(trace(16), ["fcfs", "easy"], seeds=5), "pool/easy")
    assert few["answer"] == "too-few-draws"


def test_replications_have_an_interval_of_students_t():
    jobs = [locox.lublin(400, processors=64, seed=seed, estimates=2.0) for seed in range(6)]
    easy = row(locox.compare(jobs, ["fcfs", "easy"]), "pool/easy")
    waits = [[locox.replay(one, queue=queue).summary["mean_wait"] for one in jobs] for queue in ("fcfs", "easy")]
    by = numpy.subtract(waits[1], waits[0])
    half = 2.570582 * by.std(ddof=1) / 6**0.5
    assert easy["interval"] == "replications-t" and easy["draws"] == 6
    assert easy["difference_low"] == pytest.approx(by.mean() - half) and easy["value"] == pytest.approx(numpy.mean(waits[1]))


def test_loads_and_strategies():
    jobs = [locox.lublin(300, processors=64, seed=seed) for seed in range(3)]
    rows = locox.compare(jobs, ["buddy/fcfs", "complete/fcfs", "pool/easy"], machine="cube:6", loads=[0.3, 0.6], metrics=["wait", "waste"])
    assert [row["load"] for row in rows[::6]] == [0.3, 0.6] and rows[0]["machine"] == "6-cube"
    assert row(rows, "complete/fcfs")["value"] <= row(rows, "buddy/fcfs")["value"]
    assert row(rows, "complete/fcfs", "waste")["value"] > 0 == row(rows, "pool/easy", "waste")["value"]


def test_a_saturated_machine_has_an_answer_and_no_interval():
    jobs = trace(12, load=5.0)
    answer = row(locox.compare(jobs, ["fcfs", "easy"]), "pool/easy")
    assert answer["answer"] == "better" and answer["reason"] == "saturated" and answer["interval"] == "none"
    assert answer["draws"] == 39 and answer["better"] >= 38 and answer["worse"] <= 1
    assert answer["least"] <= answer["difference"] <= answer["greatest"]
    assert answer["weeks"] == 11 and answer["jobs"] < len(jobs)


def test_the_order_of_the_line_is_part_of_a_method():
    jobs = [locox.lublin(300, processors=64, seed=seed, estimates=2.0).scaled(0.9) for seed in range(9)]
    rows = locox.compare(jobs, ["fcfs", "pool/fcfs/sjf"], metrics=["wait"])
    assert [row["method"] for row in rows] == ["pool/fcfs", "pool/fcfs/sjf"]
    waits = [locox.replay(one, queue="fcfs", order="sjf").summary["mean_wait"] for one in jobs]
    assert rows[1]["value"] == pytest.approx(numpy.mean(waits)) and rows[1]["weeks"] is None


def test_a_frame_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(locox.compare(trace(9), ["fcfs", "easy"]))
    assert list(frame.columns[:6]) == ["source", "machine", "load", "method", "metric", "unit"]
    assert frame[frame.answer.isin(["better", "worse"])].method.isin(["pool/easy"]).all()


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([], ["easy"]), {}, "no jobs"),
        ((3, ["easy"]), {}, "neither a Workload nor a list"),
        (([3], ["easy"]), {}, "neither a Workload nor a list"),
        ((None, []), {}, "at least one method"),
        ((None, ["easy", "pool/easy"]), {}, "named twice"),
        ((None, ["lifo"]), {}, "unknown queue"),
        ((None, ["pool/easy/lifo"]), {}, "lifo"),
        ((None, ["best/fcfs"]), {}, "unknown strategy"),
        ((None, ["buddy/fcfs"]), {}, "a pool has none"),
        ((None, ["buddy/easy"]), {"machine": "cube:3"}, 'use "promises:1" or "pool/easy"'),
        ((None, ["easy"]), {"metrics": ["money"]}, "the metrics are wait"),
        ((None, ["easy"]), {"loads": [float("nan")]}, "cannot be scaled"),
        ((None, ["easy"]), {"loads": [-1]}, "cannot be scaled to a load of -1$"),
        ((None, ["easy"]), {"loads": [0]}, "cannot be scaled to a load of 0$"),
        ((None, ["easy"]), {"seeds": -1}, "seeds is -1, and must be 1 to 500000"),
        ((None, ["easy"]), {"seeds": 0}, "seeds is 0, and must be 1 to 500000"),
        ((None, ["easy"]), {"seeds": 10**9}, "must be 1 to 500000"),
        ((trace(9), ["fcfs", "easy"]), {"seeds": 300_000}, "more than 500000"),
        ((None, ["easy"]), {"loads": []}, "name at least one load"),
        ((None, ["easy"]), {"metrics": []}, "name at least one metric"),
        ((None, ["easy"]), {"loads": [0.5, 0.6, 0.5]}, "load 0.5 is named twice; name it once"),
        ((None, ["easy"]), {"metrics": ["wait", "wait"]}, 'metric "wait" is named twice; name it once'),
        ((None, ["easy"]), {"machine": "pool:1"}, "asks for"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(arguments, options, words):
    given, methods = arguments
    with pytest.raises((ValueError, TypeError), match=words) as raised:
        locox.compare(trace(2) if given is None else given, methods, **options)
    assert "\n" not in str(raised.value)


def test_replications_that_are_the_same_jobs_are_refused():
    one, other = (locox.lublin(100, processors=64, seed=seed, estimates=2.0) for seed in (1, 2))
    again = locox.lublin(100, processors=64, seed=1, estimates=2.0)
    for jobs in ([one, one], [one, other, again], [other, one, one, again]):
        with pytest.raises(ValueError, match=r"workload\[[12]\] has the jobs of workload\[[01]\]"):
            locox.compare(jobs, ["fcfs", "easy"])


def test_workloads_for_unlike_machines_need_a_machine_that_all_run_on():
    jobs = [locox.lublin(100, processors=processors, seed=processors + seed) for seed, processors in enumerate((128, 64, 128))]
    for order in (jobs, jobs[::-1], jobs[1:]):
        with pytest.raises(ValueError, match="for machines of 64 to 128 processors; give the machine= that all"):
            locox.compare(order, ["fcfs", "easy"])
        assert {row["machine"] for row in locox.compare(order, ["fcfs", "easy"], machine="pool:128")} == {"pool of 128"}
    columns = {name: jobs[1].jobs[name] for name in ("submit", "processors", "run")}
    anywhere = locox.Workload(**columns)
    assert locox.compare([jobs[0], anywhere], ["fcfs", "easy"])


def test_jobs_over_too_many_weeks_are_refused():
    with pytest.raises(ValueError, match="weeks"):
        locox.compare(locox.Workload([0, 2**39], [1, 1], [1, 1], machine=1), ["fcfs"])


def test_an_interrupt_ends_a_comparison():
    many = locox.lublin(20_000, processors=256, seed=1, estimates=2.0)
    jobs = [many.first(20_000 - fewer) for fewer in range(100)]
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        locox.compare(jobs, ["conservative", "easy", "fcfs"])
    timer.join()


@pytest.mark.skipif(not logs(), reason="LOCOX_DATA names no traces")
def test_a_log_is_compared_as_the_command_does():
    """`locox compare NASA-iPSC-1993-3.1-cln.swf.xz --strategy buddy,complete --queue fcfs --format csv`."""
    log = next(log for log in logs() if "NASA" in log.name)
    rows = locox.compare(locox.read_swf(log), ["buddy/fcfs", "complete/fcfs"], machine="cube:7")
    assert len(rows) == 6 and {row["reason"] for row in rows} == {"order-matters"} and rows[0]["weeks"] == 13
    assert [row["value"] for row in rows[:2]] == [36.88556995387656, 12.570173511970129]
    assert [row["answer"] for row in rows[:2]] == ["baseline", "better"]
