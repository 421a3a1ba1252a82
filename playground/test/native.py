"""Plays what `decisions.mjs` prints to the library of this host: every answer must be the same.

    node decisions.mjs locox.wasm | python3 native.py liblocox_c.so
"""
import collections
import ctypes
import itertools
import json
import pathlib
import sys
from ctypes import byref, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings/c/examples"))
from locox import Handle, Interval, Lease, Locox, OK, Request, Reservation

NEVER = 2**64 - 1
LEFTOVER_REUSED = 1
STARTS = ["buddy", "gray_code", "free_list", "free_list_plain", "complete"]


class Shape(ctypes.Structure):
    _fields_ = [("sides", c_uint32 * 3)]


class MeshLease(ctypes.Structure):
    _fields_ = [("cube", Lease), ("shape", Shape)]


class NodeState(ctypes.Structure):
    _fields_ = [("leased", c_uint32), ("outage", c_uint32)]


class Stats(ctypes.Structure):
    _fields_ = [("free", c_uint32), ("leased", c_uint32), ("out", c_uint32), ("largest", ctypes.c_int32),
                ("fragmentation", c_uint32), ("auxiliary", c_uint32), ("asked", c_uint32)]


class Choice(ctypes.Structure):
    _fields_ = [("fit", c_uint32), ("pick", c_uint32), ("allowed", c_size_t), ("required", c_size_t), ("words", c_size_t)]


class Job(ctypes.Structure):
    _fields_ = [("id", c_uint32), ("pes", c_uint32), ("requested", c_uint64), ("key", c_uint64)]


START_FN = ctypes.CFUNCTYPE(c_uint32, ctypes.POINTER(Job), ctypes.c_void_p)


def cube(locox, case):
    c, detail, lease = locox.library, c_uint64(), MeshLease()
    pool = locox.structure("mesh_pool")
    dims, strategy = case["dims"], case["strategy"]
    words = locox.size("locox_mesh_words", strategy, dims)
    storage = (c_size_t * words)()
    start = getattr(c, f"locox_mesh_start_{STARTS[strategy]}")
    locox.check(start(pool, c_uint16(1), c_uint32(dims), c_uint32(LEFTOVER_REUSED), storage, c_size_t(words), byref(detail)))

    def say(command):
        if command["do"] == "allocate":
            shape = Shape((c_uint32 * 3)(*command["sides"], 1))
            return c.locox_mesh_allocate(pool, byref(shape), byref(lease), byref(detail))
        node = c_uint32(command["node"])
        if command["do"] == "release":
            return c.locox_mesh_lease_at(pool, node, byref(lease)) or c.locox_mesh_release(pool, byref(lease))
        if command["do"] == "repair":
            return c.locox_mesh_repair(pool, byref(node), c_size_t(1), byref(detail))
        why = c_uint32(1 if command["do"] == "fail" else 2)
        return c.locox_mesh_withdraw(pool, byref(node), c_size_t(1), why, None, None, byref(detail))

    for command, expected in zip(case["log"], case["answers"], strict=True):
        detail.value = 0
        status = say(command)
        state, stats, held = NodeState(), Stats(), ""
        for node in range(1 << dims):
            c.locox_mesh_node(pool, c_uint32(node), byref(state), byref(detail) if status == OK else None)
            held += str(state.leased)
        locox.check(c.locox_mesh_figures(pool, byref(stats)))
        answer = {"status": status, "detail": str(detail.value if status != OK else 0), "held": held, "free": stats.free,
                  "largest": stats.largest}
        assert answer == expected, (command, answer, expected)
    return len(case["log"])


def timeline(locox, case):
    c, detail, table, placed = locox.library, c_uint64(), locox.structure("timeline"), Reservation()
    words = locox.size("locox_timeline_words", case["pes"], 100)
    storage, pes = (c_size_t * words)(), c_size_t()
    locox.check(c.locox_timeline_start(table, c_uint16(1), c_uint32(case["pes"]), c_uint32(100), storage, c_size_t(words), byref(detail)))
    for command, expected in zip(case["log"], case["answers"], strict=True):
        asked = command["request"]
        until = NEVER if asked["deadline"] is None else asked["deadline"]
        request = Request(asked["ready"], asked["duration"], until, asked["pes"], 0)
        choice = Choice(command["policy"], 0, 0, 0, 0)
        status = c.locox_timeline_reserve(table, byref(request), byref(choice), byref(placed), byref(detail))
        answer = {"status": status, "detail": str(detail.value), "start": None, "pes": None}
        if status == OK:
            locox.check(c.locox_timeline_pes_of(table, byref(placed.id), byref(pes), c_size_t(1), byref(detail)))
            members = [pe for pe in range(case["pes"]) if pes.value >> pe & 1]
            answer = {"status": OK, "detail": "0", "start": placed.at.start, "pes": members}
        assert answer == expected, (command, answer, expected)
    return len(case["log"])


class Run:
    """The jobs of a case through a queue of the library."""

    def __init__(self, locox, case, kind="queue"):
        self.c, self.locox, self.case, self.kind = locox.library, locox, case, kind
        self.queue, self.fits, self.taken = locox.structure(kind), None, Job()
        self.tickets, self.starts, self.heads = {}, {}, []
        self.running, self.line, self.free = collections.defaultdict(list), [], case["pes"]
        locox.check(self.open(len(case["jobs"])))

    def call(self, name, *arguments):
        return getattr(self.c, f"locox_{self.kind}_{name}")(self.queue, *arguments)

    def room(self, count, row):
        return (c_uint64 * (count * self.locox.size(f"locox_size_of_{row}") // 8 + 1))()

    def open(self, jobs):
        rule, pes, count = self.case["rule"], c_uint32(self.case["pes"]), c_size_t(jobs)
        self.rows = self.room(jobs, "queue_row" if rule == "fcfs" else "backfill_row")
        if rule == "fcfs":
            self.fits = START_FN(lambda job, _: int(job.contents.pes <= self.free))
            return self.call("start_fcfs", c_uint16(1), self.rows, count)
        if rule == "easy":
            return self.call("start_easy", c_uint16(1), pes, c_uint32(0), self.rows, count)
        words = self.locox.size("locox_backfill_words", self.case["pes"], jobs)
        self.storage = (c_size_t * words)()
        return self.call("start_conservative", c_uint16(1), pes, c_uint32(0), self.storage, c_size_t(words), self.rows, count, None)

    def at(self, now):
        jobs, time = self.case["jobs"], c_uint64(now)
        for id in self.running.pop(now, []):
            self.locox.check(self.call("finished", time, byref(self.tickets[id]), None))
            self.free += jobs[id]["pes"]
        for id, job in enumerate(jobs):
            if job["arrival"] == now:
                self.tickets[id] = Handle()
                asked = Job(id, job["pes"], job["requested"], 0)
                self.locox.check(self.push(time, asked, self.tickets[id]))
                self.line.append(id)
        while self.call("next", time, self.fits, None, byref(Handle()), byref(self.taken)) == OK:
            self.started(now)
        self.heads.append(self.head())

    def push(self, time, job, ticket):
        return self.call("push", time, byref(job), byref(ticket))

    def started(self, now):
        id, pes = self.taken.id, self.taken.pes
        self.starts[id] = now
        self.free -= pes
        assert self.free >= 0, f"the machine has no {pes} PEs at {now}"
        self.line.remove(id)
        self.running[now + self.case["jobs"][id]["runs"]].append(id)

    def head(self):
        return [self.line[0], self.promised(self.line[0])] if self.line else [None, None]

    def promised(self, id):
        planned = Interval()
        return planned.start if self.call("planned", byref(self.tickets[id]), byref(planned)) == OK else None

    def times(self, after):
        wake = c_uint64()
        known = self.call("wake_at", byref(wake)) == OK
        all_times = [*self.running, *(job["arrival"] for job in self.case["jobs"]), *([wake.value] if known else [])]
        return [time for time in all_times if time > after]

    def all(self):
        now = -1
        while times := self.times(now):
            now = min(times)
            self.at(now)
        return [self.starts[id] for id in range(len(self.case["jobs"]))]


def queue(locox, case):
    run = Run(locox, case)
    starts = run.all()
    assert starts == case["starts"], (case["rule"], starts, case["starts"])
    assert run.heads == case["heads"], (case["rule"], run.heads, case["heads"])
    return len(starts)


class Box(ctypes.Structure):
    _fields_ = [("origin", c_uint32), ("sides", c_uint8 * 4)]


class Grid(ctypes.Structure):
    _fields_ = [("sides", c_uint8 * 4), ("rings", c_uint32)]


class PlacedJob(Job):
    _fields_ = [("place", Box)]


SIDES_FN = ctypes.CFUNCTYPE(None, c_uint32, ctypes.POINTER(c_uint8 * 4), ctypes.c_void_p)
PROMISES = {"none": 0, "one": 1, "each": 2**32 - 1}


class BoxRun(Run):
    """The jobs of a case through a queue over the boxes of a torus."""

    def open(self, jobs):
        side, c = self.case["side"], self.c
        self.taken, self.boxes, self.promises = PlacedJob(), {}, [[] for _ in range(jobs)]
        torus = Grid((c_uint8 * 4)(side, side, 1, 1), 3)
        c.locox_box_queue_words.restype = c_size_t
        words = c.locox_box_queue_words(byref(torus))
        places = self.locox.size("locox_box_queue_rows", jobs, 0)
        self.sides = SIDES_FN(self.fill)
        self.parts = [(c_uint64 * words)(), self.room(places, "box_row"), self.room(jobs, "backfill_row")]
        return self.call("start", c_uint16(1), byref(torus), c_uint32(0), None, c_uint32(0), c_uint32(PROMISES[self.case["rule"]]), self.sides,
                         None, self.parts[0], c_size_t(words), self.parts[1], c_size_t(places), self.parts[2], c_size_t(jobs), None)

    def push(self, time, job, ticket):
        return self.call("push", time, byref(job), byref(ticket), None)

    def fill(self, id, sides, _):
        job = self.case["jobs"][id]
        sides.contents[:] = [job["columns"], job["rows"], 1, 1]

    def started(self, now):
        super().started(now)
        self.boxes[self.taken.id] = self.nodes(self.taken.place)

    def head(self):
        for id in self.line:
            start, place = self.promised(id), Box()
            if start is not None and self.call("place", byref(self.tickets[id]), byref(place)) == OK:
                self.promises[id].append([start, self.nodes(place)])
        return super().head()

    def nodes(self, box):
        side = self.case["side"]
        left, top = box.origin % side, box.origin // side
        return sorted((top + row) % side * side + (left + column) % side for column in range(box.sides[0]) for row in range(box.sides[1]))


def boxes(locox, case):
    run = BoxRun(locox, case, "box_queue")
    starts = run.all()
    places = [run.boxes[id] for id in range(len(starts))]
    promises = [[promise for promise, _ in itertools.groupby(of)] for of in run.promises]
    for answer, name in ((starts, "starts"), (places, "places"), (promises, "promises")):
        assert answer == case[name], (case["rule"], name, answer, case[name])
    return len(starts)


class Demand(ctypes.Structure):
    _fields_ = [("wants", c_uint16), ("holds", c_uint16)]


class Decision(ctypes.Structure):
    _fields_ = [("to", c_uint32), ("from_", c_uint32), ("reason", c_uint32), ("indices", c_uint32 * 2)]


DECISION_FN = ctypes.CFUNCTYPE(None, ctypes.POINTER(Decision), ctypes.c_void_p)


def ranking_of(locox, kind, count, rows):
    c, ranking = locox.library, locox.structure("ranking")
    if kind == "round_robin":
        locox.check(c.locox_ranking_start_round_robin(ranking, c_uint32(0)))
    elif kind == "random":
        locox.check(c.locox_ranking_start_random(ranking))
    elif kind == "updown":
        locox.check(c.locox_ranking_start_updown(ranking, rows, c_size_t(count), c_uint32(2560), c_uint32(0), None))
    else:
        locox.check(c.locox_ranking_start_timed(ranking, rows, c_size_t(count), c_uint64(20), c_uint64(4), None))
    return ranking


def shares(locox, case):
    c, stations, nodes = locox.library, case["stations"], case["processors"]
    count = len(stations)
    rows, scratch = (c_uint64 * (8 * count))(), (c_uint64 * 64)()
    ranking = ranking_of(locox, case["ranking"], count, rows)
    holds, demand = [0] * count, (Demand * count)()
    for now in range(-case["before"], len(case["decisions"])):
        locox.check(c.locox_ranking_advance(ranking, c_uint64(now + case["before"])))
        for at, station in enumerate(stations):
            wanted = station["wants"] if station["from"] <= max(now, 0) < station["until"] else 0
            holds[at] = min(holds[at], wanted)
            demand[at] = Demand(wanted - holds[at], holds[at])
            locox.check(c.locox_ranking_note(ranking, c_uint32(at), byref(demand[at])))
        locox.check(c.locox_ranking_update(ranking, demand, c_size_t(count), None))
        decided = []
        note = DECISION_FN(lambda found, _: decided.append((found.contents.to, found.contents.from_)))
        draw = (now + 1) * 0x9E3779B1 & 0xFFFFFFFF
        locox.check(c.locox_ranking_round(ranking, demand, c_size_t(count), c_uint32(nodes), c_uint32(nodes - sum(holds)),
                                          c_uint32(draw), scratch, c_size_t(8), note, None, None))
        for to, from_ in decided:
            holds[to] += 1
            if from_ != 2**32 - 1:
                holds[from_] -= 1
        answer = [[to, None if from_ == 2**32 - 1 else from_] for to, from_ in decided]
        assert now < 0 or answer == case["decisions"][now], (case["ranking"], now, answer)
    return len(case["decisions"])


class Placing(ctypes.Structure):
    _fields_ = [("kind", c_uint32), ("degree", c_uint32), ("threshold", c_uint32), ("shuffled", c_uint32),
                ("believed", c_uint64), ("settled", c_uint64)]


class Rows(ctypes.Structure):
    _fields_ = [(name, kind) for part in "ehjw" for name, kind in ((part, ctypes.c_void_p), (part + "_count", c_size_t))]


PLACE_FN = ctypes.CFUNCTYPE(None, ctypes.POINTER(c_uint32 * 4), ctypes.c_void_p)


class Hosts:
    """The table of a case in the library."""

    def __init__(self, locox, case):
        self.locox, self.c, self.case = locox, locox.library, case
        count, levels = case["hosts"], case["levels"]
        self.table, self.now, self.loads, self.jobs = locox.structure("timeshare"), 0, [200] * count, []
        counts = {"shared_entry": count * levels, "shared_host": count, "shared_job": len(case["log"]) + 1}
        self.parts = [((c_uint64 * (many * locox.size(f"locox_size_of_{of}") // 8 + 1))(), many) for of, many in counts.items()]
        words = locox.size("locox_timeshare_words", count, levels)
        self.parts.append(((c_size_t * words)(), words))
        rows = Rows(*(value for part, many in self.parts for value in (ctypes.cast(part, ctypes.c_void_p), many)))
        locox.check(self.c.locox_timeshare_start(self.table, c_uint32(levels), byref(rows), None))
        kind = ["first_level", "calm", "non_interfering"].index(case["placement"]) + 1
        self.placing = Placing(kind, levels, 800, 1, 1000, 0)
        self.report()

    def report(self):
        for host, load in enumerate(self.loads):
            self.locox.check(self.c.locox_timeshare_report(
                self.table, c_uint64(self.now), c_uint32(host), c_uint32(load), c_uint32(16), None, None))

    def say(self, command):
        self.now += 1
        if command["do"] == "load":
            self.loads[command["host"]] = 950 if command["busy"] else 200
        self.report()
        if command["do"] == "submit":
            number = len(self.jobs) + 1
            request = (c_uint32 * 3)(number, command["hosts"], int(command["barrier"]))
            lot = ((number + 16 * self.case["seed"]) * 0x9E3779B1) & 0xFFFFFFFF
            status = self.c.locox_timeshare_place(self.table, c_uint64(self.now), byref(self.placing), c_uint32(number - 1),
                                                  request, c_uint32(lot), None, None)
            self.jobs.append([status, False])
        if command["do"] == "end" and command["job"] <= len(self.jobs) and self.jobs[command["job"] - 1] == [OK, False]:
            self.locox.check(self.c.locox_timeshare_remove(self.table, c_uint64(self.now), c_uint32(command["job"] - 1), None, None, None))
            self.jobs[command["job"] - 1][1] = True

    def column(self, host):
        found = []
        visit = PLACE_FN(lambda place, _: found.append([place.contents[1], place.contents[2] + 1]))
        self.locox.check(self.c.locox_timeshare_column(self.table, c_uint32(host), visit, None))
        return found


def hosts(locox, case):
    table = Hosts(locox, case)
    for command, expected in zip(case["log"], case["answers"], strict=True):
        table.say(command)
        answer = {"columns": [table.column(host) for host in range(case["hosts"])], "statuses": [status for status, _ in table.jobs]}
        assert answer == expected, (case["placement"], command, answer, expected)
    return len(case["log"])


class Cluster(ctypes.Structure):
    _fields_ = [("members", ctypes.POINTER(c_uint32)), ("count", c_size_t), ("least", c_size_t), ("link", c_uint32), ("padding", c_uint32)]


class Problem(ctypes.Structure):
    _fields_ = [("now", c_uint64), ("machines", c_size_t), ("clusters", ctypes.POINTER(Cluster)), ("cluster_count", c_size_t),
                ("jobs", c_size_t), ("row_of", ctypes.c_void_p), ("times", ctypes.POINTER(c_uint64)), ("rows", c_size_t),
                ("free_from", ctypes.POINTER(c_uint64)), ("down", ctypes.c_void_p), ("down_count", c_size_t)]


class Genetic(ctypes.Structure):
    _fields_ = [("best", c_uint32), ("seed", c_uint32), ("generations", c_uint32), ("padding", c_uint32),
                ("genes", ctypes.c_void_p), ("gene_count", c_size_t)]


class Mapped(ctypes.Structure):
    _fields_ = [("resource", c_uint32), ("padding", c_uint32), ("start", c_uint64), ("end", c_uint64)]


MAPPERS = ["pjs", "duplex", "olb", "best", "min_min", "max_min", "sufferage"]


def mapping(locox, case):
    c, jobs, machines = locox.library, len(case["times"]), len(case["times"][0]) - len(case["clusters"])
    times = (c_uint64 * (jobs * len(case["times"][0])))(*(NEVER if time is None else time for row in case["times"] for time in row))
    members = [(c_uint32 * len(of))(*of) for of in case["clusters"]]
    clusters = (Cluster * len(members))(*(Cluster(of, len(of), len(of), 2**32 - 1, 0) for of in members))
    problem = Problem(0, machines, clusters, len(members), jobs, None, times, jobs, (c_uint64 * machines)(), None, 0)
    sizes = [(jobs, locox.size("locox_size_of_unplaced_row")), (3 * jobs, locox.size("locox_size_of_mapped_row")), (4 * machines, 8),
             (len(members), locox.size("locox_size_of_cluster_row"))]
    parts = [((c_uint64 * (count * size // 8 + 1))(), count) for count, size in sizes]
    room = Rows(*(value for part, count in parts for value in (ctypes.cast(part, ctypes.c_void_p), count)))
    mapped, merit, best = (Mapped * jobs)(), c_uint64(), int(case["best"] == "execution")
    if case["mapper"] == "genetic":
        words = locox.size("locox_map_genes", jobs, 20)
        genes = (c_uint32 * words)()
        search = Genetic(best, 1, 30, 0, ctypes.cast(genes, ctypes.c_void_p), words)
        status = c.locox_map_genetic(byref(problem), byref(search), None, byref(room), mapped, byref(merit), None)
    else:
        number = MAPPERS.index(case["mapper"])
        status = c.locox_map(byref(problem), c_uint32(number), c_uint32(best), None, byref(room), mapped, byref(merit), None)
    locox.check(status)
    answer = [[run.resource, run.start, run.end] for run in mapped]
    assert (answer, merit.value) == (case["runs"], case["merit"]), (case, answer, merit.value)
    return jobs


PLAYS = {"cube": cube, "timeline": timeline, "queue": queue, "boxes": boxes, "shares": shares, "hosts": hosts, "mapping": mapping}


def main():
    locox = Locox(sys.argv[1])
    counts = collections.Counter()
    for line in sys.stdin:
        case = json.loads(line)
        counts[case["kind"]] += PLAYS[case["kind"]](locox, case)
    assert set(counts) == set(PLAYS), f"too little was played: {counts}"
    print("the page decides as the library: " + ", ".join(f"{count} of {kind}" for kind, count in sorted(counts.items())))


main()
