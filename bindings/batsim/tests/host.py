"""Plays Batsim for the decision component, with the standard library alone: see ci/batsim.

  host.py LIBRARY LOCOX [CALLS]

A platform is simulated; jobs must start when `locox replay` starts them. Then CALLS malformed messages
(10,000 by default) are put between those of a simulation: each is answered, or refused in one line and changes
no later reply, and nothing crashes.
"""
import copy
import csv
import ctypes
import heapq
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HOSTS = 64
JOBS = 3000
JSON = 2
# Of a simulation that malformed ones are put into.
MESSAGES = 60
QUEUES = ["fcfs", "easy", "easy:4", "conservative", "conservative:4"]


class Library:
    """The C interface of a component."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        for function in (self.c.batsim_edc_init, self.c.batsim_edc_take_decisions, self.c.batsim_edc_deinit):
            function.restype = ctypes.c_uint8

    def init(self, settings):
        """The code, and what it replied."""
        flags, reply, size = ctypes.c_uint32(0), ctypes.c_void_p(), ctypes.c_uint32()
        data = ctypes.create_string_buffer(settings, len(settings))
        code = self.c.batsim_edc_init(data, len(settings), ctypes.byref(flags), ctypes.byref(reply), ctypes.byref(size))
        assert code != 0 or flags.value == JSON, flags
        return code, self.reply(code, reply, size)

    def take(self, message):
        reply, size = ctypes.c_void_p(), ctypes.c_uint32()
        # A copy of just this length and without a zero byte behind it: nobody may read beyond.
        data = ctypes.create_string_buffer(message, len(message))
        code = self.c.batsim_edc_take_decisions(data, len(message), ctypes.byref(reply), ctypes.byref(size))
        return code, self.reply(code, reply, size)

    @staticmethod
    def reply(code, data, size):
        if code != 0:
            return None
        text = ctypes.string_at(data.value)
        assert len(text) == size.value, "the reply does not end where it says"
        return json.loads(text)

    def deinit(self):
        assert self.c.batsim_edc_deinit() == 0


def event(time, kind, fields):
    return {"timestamp": float(time), "event_type": kind, "event": fields}


def message(time, events):
    return {"now": float(time), "events": events}


def begins(first=0):
    """Computation hosts behind so many others."""
    hosts = [{"id": first + at, "name": f"node{at}", "state": "IDLE"} for at in range(HOSTS)]
    fields = {"host_number": first + HOSTS, "computation_host_number": HOSTS, "computation_hosts": hosts}
    return event(0, "SimulationBeginsEvent", {**fields, "batsim_execution_context": "{}"})


def submitted(job):
    request = {"resource_request": job["size"], "walltime": float(job["limit"]), "rigid": True, "profile_id": "w!delay"}
    return event(job["submit"], "JobSubmittedEvent", {"job_id": job["id"], "job": request, "submission_time": job["submit"]})


def completed(time, name):
    return event(time, "JobCompletedEvent", {"job_id": name, "state": "COMPLETED_SUCCESSFULLY", "return_code": 0})


def hosts_of(text):
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class Platform:
    """Runs jobs where a component says."""

    def __init__(self, library, settings, first=0):
        code, hello = library.init(json.dumps(settings).encode())
        assert code == 0
        assert [one["event_type"] for one in hello["events"]] == ["EDCHelloEvent"], hello
        self.library, self.first, self.log = library, first, []
        self.free, self.running, self.starts = set(range(first, first + HOSTS)), {}, {}
        self.ends, self.started = [], 0
        self.calls, self.called = [], 0

    def tell(self, now, events, jobs):
        text = json.dumps(message(now, events)).encode()
        code, reply = self.library.take(text)
        self.log.append((text, reply))
        assert code == 0, text
        assert reply["now"] == now
        for decision in reply["events"]:
            fields = decision["event"]
            assert decision["timestamp"] == now
            if decision["event_type"] == "CallMeLaterEvent":
                when = fields["when"]
                assert (fields["when_type"], when["time_unit"]) == ("OneShot", "Millisecond"), decision
                assert when["time"] > now * 1000
                assert (call := (when["time"] / 1000, fields["call_me_later_id"])) not in self.calls
                heapq.heappush(self.calls, call)
                continue
            assert decision["event_type"] == "ExecuteJobEvent", decision
            job = jobs[fields["job_id"]]
            got = set(hosts_of(fields["allocation"]["host_allocation"]))
            assert len(got) == job["size"] and got <= self.free, (job, got)
            assert job["id"] not in self.starts
            self.free -= got
            self.running[job["id"]] = got
            self.starts[job["id"]] = now
            heapq.heappush(self.ends, (now + job["run"], self.started, job["id"]))
            self.started += 1

    def run(self, trace):
        jobs = {job["id"]: job for job in trace}
        come = sorted(trace, key=lambda job: job["submit"])
        at = 0
        self.tell(0.0, [begins(self.first)], jobs)
        while at < len(come) or self.ends or self.calls:
            times = [end for end, _, _ in self.ends[:1]] + [call for call, _ in self.calls[:1]]
            now = min(times + [job["submit"] for job in come[at:at + 1]])
            events = []
            while self.calls and self.calls[0][0] == now:
                fields = {"call_me_later_id": heapq.heappop(self.calls)[1], "last_periodic_call": False}
                events.append(event(now, "RequestedCallEvent", fields))
                self.called += 1
            while self.ends and self.ends[0][0] == now:
                name = heapq.heappop(self.ends)[2]
                self.free |= self.running.pop(name)
                events.append(completed(now, name))
            while at < len(come) and come[at]["submit"] == now:
                events.append(submitted(come[at]))
                at += 1
            self.tell(float(now), events, jobs)
        assert len(self.starts) == len(trace), "jobs wait for ever"
        self.tell(float(now), [event(now, "SimulationEndsEvent", {})], jobs)
        self.library.deinit()
        return self.starts


def jobs_of(path):
    for line in path.read_text().splitlines():
        if line and not line.startswith(";"):
            it = [int(word) for word in line.split()]
            assert it[8] >= max(it[3], 1), "a job that runs for longer than it may"
            yield {"id": f"w!{it[0]}", "submit": it[1], "run": it[3], "size": it[7], "limit": it[8]}


def replayed(locox, folder, trace, queue, machine):
    """Starts by job."""
    out = folder / "report"
    subprocess.run([locox, "replay", trace, "--queue", queue, *machine, "--out", out, "--force"], check=True, stdout=subprocess.DEVNULL)
    (table,) = out.glob("jobs-*.csv")
    with table.open() as lines:
        return {f"w!{row['job_id']}": float(row["starting_time"]) for row in csv.DictReader(lines)}


def compare(library, locox, folder):
    """Each queue starts each job when `locox replay` does. Returns settings, and messages with their replies."""
    trace = folder / "jobs.swf"
    made = ["--jobs", str(JOBS), "--machine-size", str(HOSTS), "--estimates", "2", "--seed", "3", "--out", trace]
    subprocess.run([locox, "generate", "lublin", *made], check=True, stdout=subprocess.DEVNULL)
    jobs = list(jobs_of(trace))
    cases = [({"queue": queue}, queue, ["--machine", f"pool:{HOSTS}"]) for queue in QUEUES]
    cases += [({"queue": "fcfs", "strategy": it}, "fcfs", ["--machine", "cube:6", "--strategy", it]) for it in ("buddy", "free-list", "complete")]
    cases += [
        ({"queue": queue, **told}, queue, ["--machine", machine, "--strategy", strategy])
        for queue, machine, strategy, told in [
            ("promises:1", "cube:6", "buddy", {"strategy": "buddy"}),
            ("promises:1", "torus:4x4x4", "corner", {"machine": "torus:4x4x4"}),
            ("promises:all", "mesh:8x8", "first", {"machine": "mesh:8x8", "strategy": "first"}),
            ("promises:5", "tree:8x8", "required", {"machine": "tree:8x8", "strategy": "required"}),
        ]
    ]
    cases += [({"queue": "promises:1"}, "promises:1", ["--machine", f"pool:{HOSTS}"])]
    logs = []
    for number, (settings, queue, machine) in enumerate(cases):
        platform = Platform(library, settings, first=3 * (number % 2))
        starts = platform.run(jobs)
        expected = replayed(locox, folder, trace, queue, machine)
        wrong = [name for name in expected if starts[name] != expected[name]]
        assert not wrong, f"{settings}: {len(wrong)} jobs start at another time, {wrong[0]} at {starts[wrong[0]]} for {expected[wrong[0]]}"
        waited = sum(starts[job["id"]] > job["submit"] for job in jobs)
        assert waited > JOBS // 20, f"{waited} jobs waited: that says nothing"
        print(f"{settings}: {len(starts)} starts as replayed, {waited} jobs waited, {platform.called} calls")
        logs.append((settings, platform.log[:MESSAGES]))
    return logs


STRANGE = [None, True, -1, 0, 1e308, -1e308, 2**64, 2**31, 0.5, float("nan"), float("inf"), "", "x", "w!1", "\0", "\ud7ff", [], {}, [[]], {"id": {}}]


def places(value, path=()):
    """Paths to everything in a message."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inside:
        yield from places(below, (*path, key))


def mangled(random, text):
    """A message that nobody should send."""
    kind = random.randrange(8)
    if kind == 0:
        at = random.randrange(len(text))
        return text[:at] + bytes([random.randrange(256)]) + text[at + 1:]
    if kind == 1:
        return text[:random.randrange(len(text))]
    if kind == 2:
        return bytes(random.randrange(256) for _ in range(random.randrange(200)))
    if kind == 3:
        depth = random.choice([10, 127, 128, 10_000, 200_000])
        return b'{"now":1,"events":' + random.choice([b"[", b'{"a":']) * depth
    value = json.loads(text)
    events = value["events"]
    if kind == 4 and events:
        events.append(copy.deepcopy(random.choice(events)))
    elif kind == 5:
        value["now"] = random.choice([0.0, -1.0, value["now"] - 1, value["now"] + 1e9, 1e13])
    elif kind == 6:
        name = random.choice(["w!1", "w!2", "w!99999", "", "\n", "w" * 10_000])
        events.append(random.choice([completed(value["now"], name), event(value["now"], "JobsKilledEvent", {"job_ids": [name, name]})]))
    else:
        for _ in range(random.randrange(1, 4)):
            path = random.choice([path for path in places(value) if path] or [()])
            if not path:
                break
            inside = value
            for key in path[:-1]:
                inside = inside[key]
            if random.random() < 0.3:
                del inside[path[-1]]
            else:
                inside[path[-1]] = copy.deepcopy(random.choice(STRANGE))
    return json.dumps(value).encode()


BAD_SETTINGS = [b"\xff", b"{" * 100_000, b'{"queue":1}', b"jobs = 0", b"queue = ", b'{"queue":"easy","strategy":"buddy"}', b"[" * 100_000]


def begin(library, settings, log):
    """A component that has heard these messages."""
    library.deinit()
    code, _ = library.init(json.dumps(settings).encode())
    assert code == 0
    for text, expected in log:
        assert library.take(text) == (0, expected)


def storm(library, logs, calls):
    """No message crashes the component; what is refused is told in one line and changes no later reply."""
    source = random.Random(1)
    refused = rejected = taken = 0
    with tempfile.TemporaryFile() as told:
        kept = os.dup(2)
        os.dup2(told.fileno(), 2)
        try:
            for call in range(calls):
                at = call % MESSAGES
                if at == 0:
                    library.deinit()
                    assert library.init(source.choice(BAD_SETTINGS))[0] == 1
                    assert library.take(b"{}")[0] == 1
                    refused += 2
                    settings, log = source.choice(logs)
                    begin(library, settings, [])
                text, expected = log[at]
                bad = mangled(source, text)
                code, reply = library.take(bad)
                assert code in (0, 1), f"{code} after {bad[:500]}"
                if code == 0:
                    taken += 1
                    rejected += sum(one["event_type"] == "RejectJobEvent" for one in reply["events"])
                    begin(library, settings, log[:at])
                refused += code
                assert library.take(text) == (0, expected), f"{bad[:500]} changed what comes after"
            for pointers in ((None, 5), (None, 0)):
                place = ctypes.c_void_p()
                assert library.c.batsim_edc_take_decisions(*pointers, ctypes.byref(place), None) == 1
                assert library.c.batsim_edc_init(*pointers, None, ctypes.byref(place), None) == 1
                refused += 2
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        library.deinit()
        told.seek(0)
        lines = told.read().splitlines()
    assert len(lines) == refused + rejected, (len(lines), refused, rejected)
    assert all(line.startswith(b"locox: ") for line in lines)
    assert min(refused, taken) > calls // 50, (refused, taken)
    print(f"{calls} malformed messages: {calls - taken} refused in one line each, {taken} answered")


def main(library, locox, calls="10000"):
    library = Library(library)
    with tempfile.TemporaryDirectory() as folder:
        storm(library, compare(library, locox, pathlib.Path(folder)), int(calls))


if __name__ == "__main__":
    main(*sys.argv[1:])
