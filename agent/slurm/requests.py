#!/usr/bin/env python3
"""Requests as users of a Slurm make them: `requests.py LOCOX-AGENT [KIND [MODE]]`. See ci/slurm.

On each kind of cluster, `equal` and `mixed`, the same requests are submitted to Slurm alone and, on clusters of its own, to Slurm
with the agent in each mode. Each request that Slurm alone runs has to run with the agent too, on nodes that it
allows; each that Slurm alone leaves pending has to stay pending; and the agent may start no job more than three times
without a pause. Then all partitions go down, the requests are submitted again, the agent is killed and another begins,
an administrator changes some of them, and `release-all` has to leave each pending job as it is on the cluster without
the agent; when the partitions are up again, the same jobs have to run.
"""
import dataclasses
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

import cluster
import drills
from oracle import expand

# Seconds that all may take.
MOST = 280
# Seconds that a job runs: long enough to be seen by a look at all jobs.
RUNS = 2
# Starts of one job without a pause, and how long a pause is at least, in seconds.
STARTS, PAUSE = 3, 5
MODES = ["alone", "authoritative", "advisory"]
# The same with the agent in one partition of those that it could govern.
SOME = " in main"
# Times that lie so far ahead were asked for by somebody, in seconds.
AHEAD = 30


@dataclasses.dataclass(frozen=True)
class Request:
    """Options of sbatch, and which nodes they allow. `{held}` and `{last}` are jobs submitted before."""

    words: str
    # How many nodes; of a heterogeneous job, of each part.
    nodes: tuple = (1, 1)
    parts: tuple = ()
    partitions: tuple = ("main",)
    has: str = ""
    lacks: str = ""
    # Of features: how many nodes need each.
    features: tuple = ()
    gpus: int = 0
    # Of the whole job, and of each node; memory in MB.
    cpus: int = 0
    cores: int = 0
    memory: int = 0
    reservation: str = ""
    in_a_row: bool = False
    # Elements of an array that may run at the same time.
    at_once: int = 0
    # What an administrator does to it later, for `scontrol`.
    then: tuple = ()


# What any cluster understands.
COMMON = [
    Request("--nodes=4", (4, 4)),
    Request("--ntasks=4", (1, 4), cpus=4),
    Request("--nodes=2-9", (2, 9)),
    Request("--nodes=2-4 --nodelist=node9", (2, 4), has="node9"),
    Request("--nodes=4 --exclude=node1", (4, 4), lacks="node1"),
    Request("--nodes=2 --exclude=node[0-5]", (2, 2), lacks="node[0-5]", then=("ExcNodeList=node[2-3]",)),
    Request("--nodes=1 --nodelist=node9", has="node9"),
    Request("--nodes=2 --nodelist=node8", (2, 2), has="node8", then=("ReqNodeList=node7",)),
    Request("--nodelist=node[4,6]", (2, 2), has="node[4,6]"),
    Request("--nodes=1 --array=1-3%1 --nodelist=node5", has="node5", at_once=1),
    Request("--nodes=1 --array=1-4%2 --exclude=node[0-1]", lacks="node[0-1]", at_once=2),
    Request("--nodes=3 --contiguous", (3, 3), in_a_row=True),
    Request("--nodes=2 --switches=1@1", (2, 2)),
    Request("--nodes=2 --exclusive", (2, 2)),
    Request("--nodes=1 --spread-job"),
    Request("--nodes=1-3 --use-min-nodes", (1, 3)),
    Request("--nodes=1 --mem=0"),
    Request("--nodes=1 --time-min=1"),
    Request("--nodes=2 --comment='two words'", (2, 2), then=("Nice=20",)),
    Request("--nodes=1 --nice=50", then=("Comment=administrator",)),
    Request("--nodes=1 --nice=-50 --uid=nobody", then=("Nice=7",)),
    Request("--nodes=1 --deadline=now+2hours"),
    Request("--nodes=2 --reservation=team", (2, 2), reservation="team"),
    Request("--nodes=1 : --nodes=2", parts=((1, 1), (2, 2))),
    Request("--nodes=2 --nice=30 : --nodes=1 --exclude=node[0-3]", parts=((2, 2), (1, 1))),
    Request("--nodes=1 --dependency=afterany:{last}"),
    Request("--nodes=3", (3, 3), then=("hold",)),
    Request("--nodes=1 --comment=held-later", then=("uhold",)),
    # Slurm alone leaves these pending.
    Request("--nodes=2 --hold --comment=held", (2, 2), then=("Comment=seen",)),
    Request("--nodes=1 --dependency=afterok:{held}"),
    Request("--nodes=1 --begin=now+2hours --nice=10"),
    Request("--nodes=2 --begin=now+1hour", (2, 2), then=("StartTime=now+2hours",)),
    Request("--nodes=1 --begin=now+1hour --nodelist=node6", then=("ReqNodeList=node7", "StartTime=now+3hours")),
    Request("--nodes=1 --array=1-3 --hold --exclude=node2"),
    Request("--nodes=1 --nodelist=node1", has="node1"),
    Request("--nodes=2 --reservation=later", (2, 2), reservation="later"),
    Request("--nodes=1 --begin=now+1hour : --nodes=1 --begin=now+1hour", parts=((1, 1), (1, 1))),
]
# What takes nodes that differ, partitions, licences and a window.
MIXED = [
    Request("--nodes=2 --constraint=a|b", (2, 2)),
    Request("--partition=other --nodes=2 --constraint=b", (2, 2), partitions=("other",), features=(("b", 2),)),
    Request("--partition=other --nodes=3 --constraint=[a*2&b*1]", (3, 3), partitions=("other",), features=(("a", 2), ("b", 1))),
    Request("--partition=other --nodes=1 --prefer=b", partitions=("other",)),
    Request("--partition=gpu --nodes=1", partitions=("gpu",)),
    Request("--partition=gpu --nodes=1 --gres=gpu:2", partitions=("gpu",), gpus=2),
    Request("--partition=other --nodes=1 --gres=gpu:1", partitions=("other",), gpus=1),
    Request("--partition=other --gpus=2", partitions=("other",), gpus=2),
    Request("--partition=other --nodes=1 --ntasks=1 --gpus-per-task=1", partitions=("other",), gpus=1),
    Request("--partition=main,other --nodes=2", (2, 2), partitions=("main", "other")),
    Request("--partition=other,gpu --nodes=1 --nodelist=node13", partitions=("other", "gpu"), has="node13"),
    Request("--partition=main,shared --nodes=1", partitions=("main", "shared")),
    Request("--nodes=1 --mem=3000", memory=3000),
    Request("--partition=other --nodes=2 --mem=12000", (2, 2), partitions=("other",), memory=12000),
    Request("--ntasks=6 --mem-per-cpu=800", (2, 6), cpus=6),
    Request("--partition=other --nodes=1 --cpus-per-task=8", partitions=("other",), cpus=8, cores=8),
    Request("--partition=other --nodes=1 --mincpus=6", partitions=("other",), cores=6),
    Request("--nodes=1 --ntasks-per-node=3", cores=3),
    Request("--nodes=1 --licenses=matlab:2"),
    Request("--nodes=2 --licenses=matlab:1", (2, 2)),
    Request("--partition=shared --ntasks=3 --mem=300", (1, 3), partitions=("shared",), cpus=3),
    Request("--partition=shared --nodes=2 --exclusive", (2, 2), partitions=("shared",)),
    # Their limit goes beyond the beginning of the window.
    Request("--nodes=2 --time=20", (2, 2), lacks="node[10-11]"),
    Request("--nodes=1 --time=20 --nodelist=node10", has="node10"),
    Request("--nodes=1 --constraint=a : --partition=gpu --nodes=1 --gres=gpu:1", parts=((1, 1), (1, 1)), partitions=("main", "gpu")),
]
KINDS = {"equal": COMMON, "mixed": COMMON + MIXED}
KIND_MODES = {"equal": MODES, "mixed": [*MODES, *(mode + SOME for mode in MODES[1:])]}
PARTITIONS = {"equal": ["main"], "mixed": ["main", "other", "gpu"]}


def fields(line):
    """`JobId=5 Comment=two words TRES=cpu=1,node=1 ...`: a value ends where the next name begins."""
    return {name: value.strip() for name, value in re.findall(r"(?:^|(?<= ))([A-Z][\w:/]*)=(.*?)(?= [A-Z][\w:/]*=|$)", line)}


class Play:
    """One kind of cluster, in one mode."""

    def __init__(self, folder, program, kind, mode):
        folder.mkdir()
        folder.chmod(0o1777)
        self.kind, self.mode, self.requests = kind, mode, KINDS[kind]
        self.site = drills.Site(folder, program)
        # And after how many lines of its log it was killed.
        self.agent, self.killed = None, 0
        # Where each job ran: {(name, number): (fields, nodes)}; why a request was refused; when something was done.
        self.ran, self.refused, self.at, self.wrong = {}, {}, {}, []
        self.most_at_once, self.late = {}, set()

    def governed(self):
        return self.mode != "alone"

    def has_gate(self):
        return self.mode.startswith("authoritative")

    def start(self):
        folder = self.site.folder / "slurm"
        cluster.start_mixed(folder) if self.kind == "mixed" else cluster.start(folder)
        for name, begin, nodes in ("team", "now", "node[2-3]"), ("later", "now+2hours", "node[12-13]"):
            self.site.say("scontrol", "create", "reservation", f"reservationname={name}", f"starttime={begin}", "duration=60",
                     f"nodes={nodes}", "users=root")
        self.site.say("scontrol", "update", "NodeName=node1", "State=DRAIN", "Reason=tried")
        self.shown = {facts["NodeName"]: facts for facts in self.show("node")}
        self.reserved = [(facts["ReservationName"], int(facts["StartTime"]), int(facts["EndTime"]), set(expand(facts["Nodes"])))
                         for facts in self.show("reservation")]
        if self.governed():
            partitions = ["main"] if self.mode.endswith(SOME) else PARTITIONS[self.kind]
            self.configuration = self.site.configuration(self.mode.removesuffix(SOME), partitions=partitions)
            if self.has_gate():
                drills.install_gate(self.site, self.configuration)
            self.run()

    def run(self):
        self.agent = self.site.run(self.configuration, "--despite-warnings")

    def kill(self):
        """Kills the agent; another one begins."""
        self.site.end(self.agent)
        self.killed = len(self.log())
        self.run()

    def log(self):
        return (self.site.folder / "agent.log").read_text().splitlines()

    def show(self, what):
        return [fields(line) for line in self.site.say("scontrol", "-o", "show", what).splitlines() if "=" in line]

    def jobs(self):
        return [facts for facts in self.show("job") if "JobId" in facts]

    def submit(self, mark):
        """All requests; a job's name says which one it is of."""
        known = {"held": "1", "last": "1"}
        self.at[mark] = time.time()
        for number, request in enumerate(self.requests):
            name = f"{mark}{number}"
            own = ["--output=/dev/null", "--chdir=/", f"--job-name={name}", "--time=2"]
            parts = [[":", *own, *shlex.split(part)] for part in request.words.format(**known).split(" : ")]
            words = [word for part in parts for word in part][1:]
            said = self.site.say("sbatch", "--parsable", *words, f"--wrap=sleep {RUNS}", fails=True).strip()
            if not said.isdigit():
                self.refused[name] = said
                continue
            known["last"] = said
            if "--hold" in request.words:
                known["held"] = said

    def request(self, name):
        """As it is in the end: an administrator changes some of those of the second time."""
        request = self.requests[int(name[1:])]
        fields = {"ReqNodeList": "has", "ExcNodeList": "lacks"}
        changes = [what.split("=") for what in request.then if name.startswith("s") and what.split("=")[0] in fields]
        return dataclasses.replace(request, **{fields[field]: nodes for field, nodes in changes})

    def look(self):
        """Notes which jobs run, and where."""
        now = {}
        for job in self.jobs():
            name, state = job["JobName"], job["JobState"]
            # Of a job that is ending, the list grows shorter.
            if state not in ("RUNNING", "COMPLETED") or job["NodeList"] in ("", "(null)"):
                continue
            self.ran.setdefault((name, job["JobId"]), (job, expand(job["NodeList"])))
            if state == "RUNNING":
                now[name] = now.get(name, 0) + 1
        for name, count in now.items():
            self.most_at_once[name] = max(count, self.most_at_once.get(name, 0))

    def names(self, mark):
        return {name for name, _ in self.ran if name.startswith(mark)}

    def count(self, mark):
        return {name: sum(other == name for other, _ in self.ran) for name in self.names(mark)}

    def settle(self, mark, seconds):
        """Looks until nothing has run for a while."""
        end, last, seen = time.monotonic() + seconds, time.monotonic(), -1
        while time.monotonic() < end and time.monotonic() < last + 6:
            self.look()
            runs = any(job["JobState"] in ("RUNNING", "COMPLETING") for job in self.jobs())
            if runs or len(self.ran) != seen:
                last, seen = time.monotonic(), len(self.ran)
            time.sleep(0.4)

    def lacks(self, mark, alone):
        """What has run fewer times than without the agent."""
        ran = self.count(mark)
        return [name for name, count in alone.items() if ran.get(name, 0) < count]

    def catch_up(self, mark, shared, seconds):
        """Looks until all has run that runs without the agent."""
        end = time.monotonic() + seconds
        while not (alone := shared.told.get(mark)) or self.lacks(mark, alone) and time.monotonic() < end:
            if time.monotonic() > end + 60:
                raise drills.Wrong("the cluster without the agent does not come to rest")
            self.look()
            time.sleep(0.4)
        self.late |= set(self.lacks(mark, alone))
        for name in self.lacks(mark, alone):
            self.fault(name, f"ran {self.count(mark).get(name, 0)} times, and {alone[name]} times without the agent; {self.why(name)}")
        for name in sorted(self.names(mark) - set(alone)):
            self.fault(name, "runs, and is pending without the agent")

    def why(self, name):
        found = [job for job in self.jobs() if job["JobName"] == name]
        shown = [f"{job['JobState']} {job['Reason']} priority {job['Priority']} list {job['ReqNodeList']}" for job in found]
        return "; ".join([*shown[:2], self.refused.get(name, "")])

    def fault(self, name, what):
        self.wrong.append(f"{self.kind} {self.mode}: `{self.request(name).words}` ({name}): {what}")

    def check_places(self):
        for (name, _), (job, nodes) in self.ran.items():
            for what in self.faults_of(self.request(name), job, nodes):
                self.fault(name, f"ran on {','.join(nodes)}: {what}")
        for name, most in self.most_at_once.items():
            allowed = self.request(name).at_once
            if allowed and most > allowed:
                self.fault(name, f"{most} elements ran at the same time, not {allowed}")

    def faults_of(self, request, job, nodes):
        """What of these nodes the request does not allow."""
        least, most = request.parts[int(job.get("HetJobOffset", 0))] if request.parts else request.nodes
        if not least <= len(nodes) <= most:
            yield f"not {least} to {most} nodes"
        shown = [self.shown[node] for node in nodes]
        if job["Partition"] not in request.partitions or any(job["Partition"] not in node["Partitions"].split(",") for node in shown):
            yield f"not in {','.join(request.partitions)}"
        if not set(expand(request.has)) - {""} <= set(nodes):
            yield f"not on {request.has}"
        if set(expand(request.lacks)) & set(nodes):
            yield f"on one of {request.lacks}"
        for feature, count in request.features:
            if sum(feature in node["ActiveFeatures"].split(",") for node in shown) < count:
                yield f"not {count} nodes of {feature}"
        gpus = [int(node["Gres"].rsplit(":", 1)[1]) for node in shown if node["Gres"].startswith("gpu")]
        if sum(gpus) < request.gpus:
            yield f"{sum(gpus)} GPUs"
        cores = [int(node["CPUTot"]) for node in shown]
        if sum(cores) < request.cpus or min(cores) < request.cores:
            yield f"{cores} CPUs"
        if any(int(node["RealMemory"]) < request.memory for node in shown):
            yield "less memory"
        if request.in_a_row and len(nodes) != 1 + abs(number(nodes[-1]) - number(nodes[0])):
            yield "not side by side"
        begin = int(job["StartTime"])
        end = begin + 60 * minutes(job["TimeLimit"])
        for name, first, last, reserved in self.reserved:
            if name != request.reservation and begin < last and end > first and reserved & set(nodes):
                yield f"on nodes of the reservation {name}"
            if name == request.reservation and not set(nodes) <= reserved:
                yield f"not on nodes of the reservation {name}"

    def check_starts(self):
        """No job is started again and again. An agent that begins anew counts anew."""
        runs = {}
        for number, line in enumerate(self.log()):
            if number == self.killed:
                runs = {job: (0, 0, most) for job, (_, _, most) in runs.items()}
            start = re.match(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z start (\S+) on ", line)
            if not start:
                continue
            at = time.mktime(time.strptime(start[1], "%Y-%m-%dT%H:%M:%S"))
            count, last, most = runs.get(start[2], (0, 0, 0))
            count = 1 if at > last + PAUSE else count + 1
            runs[start[2]] = (count, at, max(most, count))
        again = {job: most for job, (_, _, most) in runs.items() if most > STARTS}
        if again:
            self.wrong.append(f"{self.kind} {self.mode}: started more than {STARTS} times without a pause: "
                              + ", ".join(f"{job} {most} times" for job, most in again.items()))

    def check_answers(self):
        """What the log leaves to the manager is so in `status`, `why` and `when`, as long as the job is there."""
        left = dict(re.findall(r"note: (\S+) is left to the manager: (.*)", "\n".join(self.log())))
        there = set(self.site.say("squeue", "-a", "-h", "-r", "-t", "PD", "-o", "%i").split())
        ask = lambda *words: self.site.agent(*words, configuration=self.configuration).stdout
        status = ask("status")
        for job in sorted(there & set(left)):
            if not re.search(rf"left to the manager.*\b{re.escape(job)}\b", status):
                self.wrong.append(f"{self.kind} {self.mode}: `status` does not name {job}, which is left to the manager")
            for what in "why", "when":
                if left[job] not in (said := ask(what, job)):
                    self.wrong.append(f"{self.kind} {self.mode}: `{what} {job}` does not say that {left[job]}: {said.strip()}")

    def partitions(self, state):
        """In the configuration: reading it again would undo an update."""
        conf = self.site.folder / "slurm" / "slurm.conf"
        conf.write_text(re.sub(r"State=(UP|DOWN)", f"State={state}", conf.read_text()))
        self.site.say("scontrol", "reconfigure")

    def change(self):
        """What an administrator does. Of an array and of a heterogeneous job it is done to all."""
        self.at["change"] = time.time()
        first = {}
        for job in self.jobs():
            if job["JobName"].startswith("s") and job["JobState"] == "PENDING":
                first.setdefault(job["JobName"], job["JobId"])
        for name, job in first.items():
            for what in self.request(name).then:
                words = ["update", f"JobId={job}", what] if "=" in what else [what, job]
                self.site.say("scontrol", *words)

    def give_back(self):
        self.site.end(self.agent, signal.SIGTERM)
        if self.has_gate():
            drills.take_gate_out(self.site)
        done = self.site.agent("release-all", configuration=self.configuration)
        if done.returncode:
            self.wrong.append(f"{self.kind} {self.mode}: release-all: {done.stderr.strip().splitlines()[-1:]}")

    def pending(self):
        """What is asked for by each pending job, by its name and its part."""
        found = {}
        for job in self.jobs():
            if job["JobState"] == "PENDING":
                name = job["JobName"]
                found.setdefault((name, job.get("HetJobOffset")), []).append(asked(job, self.since(name)))
        return found

    def since(self, name):
        """When somebody said last when it is to begin."""
        is_changed = name.startswith("s") and any(what.startswith("StartTime") for what in self.request(name).then)
        return self.at["change" if is_changed else name[0]]

    def compare(self, alone):
        """Each pending job is as without the agent."""
        mine = self.pending()
        for key in sorted(set(alone) | set(mine), key=str):
            name, part = key
            if name in self.late:
                continue
            if not (key in alone and key in mine):
                self.fault(name, f"is pending {'without the agent only' if key in alone else 'with the agent only'}")
                continue
            should = alone[key][0]
            differs = {field: (job[field], should[field]) for job in mine[key] for field in should if not same(job[field], should[field])}
            if differs:
                said = ", ".join(f"{field} is {is_!r}, not {be!r}" for field, (is_, be) in differs.items())
                self.fault(name, f"{f'part {part}: ' if part else ''}after release-all {said}")


def asked(job, since):
    """What was asked for, by a user or an administrator, as far as `scontrol show job` says it."""
    kept = ["ReqNodeList", "ExcNodeList", "Nice", "Comment", "NumCPUs", "NumTasks", "TRES", "Features", "Partition",
            "TimeLimit", "Licenses", "Contiguous", "Reservation", "ArrayTaskThrottle", "Requeue"]
    found = {name: job.get(name) for name in kept}
    # The least number is what Slurm expects; `TRES` has the one that was asked for.
    found["most"] = job["NumNodes"].partition("-")[2]
    is_held = job["Priority"] == "0"
    found["held"] = job["Reason"] if is_held else None
    begin = job["EligibleTime"]
    found["begin"] = round(int(begin) - since) if begin.isdigit() and int(begin) > time.time() + AHEAD else None
    return found


def same(one, other):
    """A begin is told in seconds since the requests were submitted, or changed: not all are in the same second."""
    if isinstance(one, int) and isinstance(other, int):
        return abs(one - other) <= 5
    return one == other


def number(node):
    return int(re.search(r"\d+$", node)[0])


def minutes(limit):
    """`00:02:00`"""
    hours, minutes, _ = limit.split(":")
    return int(hours) * 60 + int(minutes)


class Shared:
    """What happens on the cluster without the agent, for the others to wait for."""

    def __init__(self):
        self.told = {}
        self.changed = threading.Condition()

    def tell(self, what, value):
        with self.changed:
            self.told[what] = value
            self.changed.notify_all()

    def ask(self, what):
        with self.changed:
            if not self.changed.wait_for(lambda: what in self.told, 100):
                raise drills.Wrong(f"no answer of the cluster without the agent: {what}")
            return self.told[what]


def play(one, shared):
    """All that is tried on one cluster."""
    one.submit("r")
    run(one, shared, "r", 60)
    if one.governed():
        one.check_answers()
    one.partitions("DOWN")
    one.submit("s")
    time.sleep(4)
    if one.governed():
        one.kill()
    one.change()
    time.sleep(3)
    if one.governed():
        one.give_back()
        one.compare(shared.ask("pending"))
    else:
        shared.tell("pending", one.pending())
    one.partitions("UP")
    run(one, shared, "s", 40)
    one.check_places()
    if one.governed():
        one.check_starts()


def run(one, shared, mark, seconds):
    if one.governed():
        one.catch_up(mark, shared, seconds)
    else:
        one.settle(mark, seconds)
        shared.tell(mark, one.count(mark))


def safely(one, shared):
    try:
        play(one, shared)
    except Exception as why:
        one.wrong.append(f"{one.kind} {one.mode}: {type(why).__name__}: {why}")


def kind_of(folder, program, kind, modes):
    """All modes at the same time. Gives what is wrong."""
    plays = [Play(folder / f"{kind}-{mode}".replace(" ", "-"), program, kind, mode) for mode in modes]
    shared = Shared()
    try:
        for one in plays:
            one.start()
        threads = [threading.Thread(target=safely, args=(one, shared)) for one in plays]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for one in plays:
            for agent in list(one.site.agents):
                one.site.end(agent)
            cluster.stop(one.site.folder / "slurm")
    ran = len(shared.told.get("r", {}))
    wrong = sum(bool(one.wrong) for one in plays)
    plays[0].site.passed(f"{kind}: {len(KINDS[kind])} requests, of which Slurm alone runs {ran}; "
                         f"{'all is as it should be' if not wrong else 'not all is as it should be'}: {', '.join(modes)}")
    return [what for one in plays for what in one.wrong]


def too_long(*_):
    raise drills.Wrong(f"more than {MOST} s")


def main(program, *chosen):
    names = cluster.DAEMONS + ["slurmstepd", pathlib.Path(program).name]
    if left := cluster.living(names):
        sys.exit(f"ci/slurm: these live before anything was started, of a former run or of a real Slurm: {left}")
    kinds = [kind for kind in KINDS if not chosen or kind == chosen[0]]
    signal.signal(signal.SIGALRM, too_long)
    signal.signal(signal.SIGTERM, too_long)
    signal.alarm(MOST)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="locox-slurm.") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o1777)
        try:
            for kind in kinds:
                modes = [mode for mode in KIND_MODES[kind] if len(chosen) < 2 or mode in ("alone", chosen[1])]
                wrong += kind_of(folder, program, kind, modes)
        except (drills.Wrong, cluster.NotStarted, subprocess.SubprocessError) as why:
            sys.exit(f"ci/slurm: {why}")
        finally:
            signal.alarm(0)
            left = [one for one in cluster.living(names) if any(cluster.belongs(one[0], slurm) for slurm in folder.glob("*/slurm"))]
    if wrong:
        print(*wrong, sep="\n", file=sys.stderr)
        sys.exit(f"ci/slurm: {len(wrong)} requests or jobs are not as they should be")
    if left:
        sys.exit(f"ci/slurm: these live on: {left}")


if __name__ == "__main__":
    main(*sys.argv[1:])
