#!/usr/bin/env python3
"""Drills on a real Slurm: `drills.py LOCOX-AGENT LOCOX LIVE-TEST`. See ci/slurm."""
import contextlib
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import cluster
import oracle

CONFIGURATION = """\
manager = "slurm"
mode = "{mode}"
folder = "{folder}"
partitions = [{partitions}]
poll = 1
nodes = 16
jobs = 1000
users = 16
ranking = "priority"
[slurm]
conf = "{conf}"
"""
# Seconds that all may take.
MOST = 240
# A user who is not root, on every Debian.
USER = "nobody"


class Wrong(Exception):
    """What is not as it should be."""


def expect(true, what):
    if not true:
        raise Wrong(what)


class Site:
    """A cluster in a folder, and the agents on it."""

    def __init__(self, folder, program):
        self.folder, self.program, self.agents = folder, program, []
        self.ran = folder / "ran"
        self.environment = dict(cluster.environment(folder / "slurm"), SLURM_TIME_FORMAT="%s")
        self.begun = time.monotonic()

    def say(self, *command, user=None, fails=False):
        words = ["su", user, "-s", "/bin/sh", "-c", f"exec {' '.join(command)}"] if user else list(command)
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=30)
        if not fails and done.returncode:
            raise Wrong(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout + (done.stderr if fails else "")

    def submit(self, nodes, limit, seconds, *more, user=None):
        """A job that says where and how often it began, and ended."""
        script = f"echo begin $SLURM_JOB_ID $SLURM_JOB_NODELIST >> {self.ran}; sleep {seconds}; echo end $SLURM_JOB_ID >> {self.ran}"
        command = ["sbatch", "--parsable", f"--nodes={nodes}", f"--time={limit}", "--output=/dev/null", "--chdir=/", *more]
        if user:
            command.append(f"--uid={user}")
        return int(self.say(*command, f"--wrap={script}"))

    def states(self):
        """{job: (state, priority, nodes)}"""
        text = self.say("squeue", "-a", "-h", "-o", "%A|%t|%Q|%N", fails=True)
        lines = [line.split("|") for line in text.splitlines() if re.match(r"\d+\|", line)]
        return {int(job): (state, int(priority), places) for job, state, priority, places in lines}

    def until(self, what, is_so, seconds=40):
        if not cluster.until(is_so, seconds):
            jobs = self.say("squeue", "-a", "-h", "-o", "%A %t %Q %S %r %N", fails=True)
            raise Wrong(f"{what}: not in {seconds} s; jobs:\n{jobs}nodes:\n{self.say('sinfo', '-h', '-R', '-N', fails=True)}"
                        f"{self.say('sinfo', fails=True)}")

    def finished(self):
        return {int(line.split()[1]) for line in self.lines() if line.startswith("end")}

    def begun_jobs(self):
        return [int(line.split()[1]) for line in self.lines() if line.startswith("begin")]

    def lines(self):
        return self.ran.read_text().splitlines() if self.ran.exists() else []

    def configuration(self, mode="authoritative", name="agent", commands=None, partitions=("main",)):
        path = self.folder / f"{name}.toml"
        text = CONFIGURATION.format(mode=mode, folder=self.folder / name, conf=self.folder / "slurm" / "slurm.conf",
                                    partitions=", ".join(f'"{name}"' for name in partitions))
        path.write_text(text + (f'commands = "{commands}"\n' if commands else ""))
        return path

    def agent(self, *words, configuration):
        return subprocess.run([self.program, "-c", configuration, *words], env=self.environment, capture_output=True,
                              text=True, timeout=30)

    def run(self, configuration, *words):
        log = open(self.folder / "agent.log", "a")
        agent = subprocess.Popen([self.program, "-c", configuration, "run", *words], env=self.environment, stdout=log, stderr=log)
        self.agents.append(agent)
        return agent

    def end(self, agent, sign=signal.SIGKILL):
        agent.send_signal(sign)
        agent.wait(10)
        self.agents.remove(agent)

    def passed(self, what):
        print(f"{time.monotonic() - self.begun:6.1f} s  {what}", flush=True)


def install_gate(site, configuration):
    gate = site.agent("gate", configuration=configuration)
    expect(gate.returncode == 0, f"gate: {gate.stderr}")
    (site.folder / "slurm" / "job_submit.lua").write_text(gate.stdout)
    with open(site.folder / "slurm" / "slurm.conf", "a") as conf:
        conf.write("JobSubmitPlugins=lua\n")
    site.say("scontrol", "reconfigure")


def take_gate_out(site):
    conf = site.folder / "slurm" / "slurm.conf"
    conf.write_text(conf.read_text().replace("JobSubmitPlugins=lua\n", ""))
    site.say("scontrol", "reconfigure")


def does_not_start(site):
    """The second node's slurmd says why not. That is one line, and nothing lives on."""
    slurmd = site.folder / "slurmd"
    slurmd.write_text('#!/bin/sh\n[ "$2" = node1 ] || exec ' + shutil.which("slurmd") + ' "$@"\n'
                      "echo 'slurmd: error: no cgroups' >&2; exit 1\n")
    slurmd.chmod(0o755)
    environment = dict(os.environ, PATH=f"{site.folder}:{os.environ['PATH']}")
    folder = site.folder / "broken"
    done = subprocess.run([sys.executable, cluster.__file__, "start", folder, "3"], env=environment, capture_output=True, text=True)
    slurmd.unlink()
    said = f"cluster: slurmd: error: no cgroups; see {folder}/slurmd.node1.log\n"
    expect((done.returncode, done.stdout, done.stderr) == (1, "", said), f"a start that fails: {done}")
    expect(not cluster.living(), f"these live on after a start that failed: {cluster.living()}")
    site.passed("a cluster that does not start says so in a line, and nothing of it lives on")


def doctor(site):
    configuration = site.configuration()
    before = site.agent("doctor", configuration=configuration)
    expect(before.returncode == 1 and "there is no gate" in before.stdout, f"doctor misses the gate: {before.stdout}{before.stderr}")
    install_gate(site, configuration)
    after = site.agent("doctor", configuration=configuration)
    expect(after.returncode == 0, f"doctor finds: {after.stdout}{after.stderr}")
    site.passed("doctor tells a cluster without a gate from one with it")


def backend(site, live):
    done = subprocess.run([live, "--ignored", "live_slurm::"], env=site.environment, capture_output=True, text=True)
    expect(done.returncode == 0, done.stdout + done.stderr)
    site.until("jobs are gone", lambda: not site.states())
    site.passed("the backend does to a job all that can be done")


def gate_holds(site):
    """Users move the gate and cannot open it, and their holds are theirs. No agent runs."""
    job = site.submit(1, 1, 1, user=USER)
    site.say("scontrol", "update", f"JobId={job}", "StartTime=now", user=USER)
    time.sleep(1.5)
    expect(site.states()[job][0] == "PD", "a user opens the gate: a job started without an agent")
    site.say("scontrol", "hold", str(job), user=USER)
    site.passed("users cannot open the gate, and hold their own jobs")
    return job


def governs(site, locox):
    """40 jobs by EASY, beside a naive EASY on what the agent saw, and beside a replay of the whole run."""
    record, commands = site.folder / "record", site.folder / "recorders"
    oracle.recorders(commands, record)
    configuration = site.configuration(commands=commands)
    held = gate_holds(site)
    chance = random.Random(33)
    # Limits differ by more than all of it takes: no decision hangs on the second in which Slurm starts a job.
    limits = chance.sample(range(2, 82, 2), 40)
    shapes = [(chance.choice([1, 1, 2, 2, 3, 4, 6, 8, 11, 16]), limit, chance.choice([1, 1, 2, 2, 3, 4])) for limit in limits]
    jobs = [site.submit(*shape) for shape in shapes[:20]]
    # Without the look before all others, on which nothing is decided: the record has all.
    agent = site.run(configuration, "--despite-warnings")
    for shape in shapes[20:]:
        jobs.append(site.submit(*shape))
        time.sleep(0.3)
    site.until("40 jobs end", lambda: set(jobs) <= site.finished(), 100)
    expect(held not in site.begun_jobs(), "a job that its user holds was started")
    other = site.agent("run", "--once", configuration=site.configuration(name="other"))
    expect(other.returncode == 2 and "governs this manager" in other.stderr, f"a second agent: {other.stderr}")
    site.say("scontrol", "release", str(held), user=USER)
    site.until("a job that is let go ends", lambda: site.states().get(held, ("gone",))[0] in ("gone", "CG", "R"))
    site.end(agent, signal.SIGTERM)
    site.passed("40 jobs end; a user's hold holds; a second agent is refused")

    count, wrong = oracle.compare(record)
    expect(not wrong, "decisions differ from EASY's: " + "\n".join(wrong))
    expect(count == 41, f"{count} starts, not 41")
    asked = {job: places for _, _, _, starts in oracle.polls(record) for job, places in starts.items()}
    given = {int(job): oracle.expand(places) for _, job, places in (line.split() for line in site.lines() if line.startswith("begin"))}
    for job in jobs:
        expect(given[job] == asked[job], f"job {job} runs on {given[job]}, decided was {asked[job]}")
    once(site, jobs)
    verified = site.agent("verify", site.folder / "agent" / "history", configuration=configuration)
    expect(verified.returncode == 0 and " 0 mended" in verified.stdout, f"verify: {verified.stdout}{verified.stderr}")
    replayed, wrong = oracle.replay(locox, record, site.folder, 16)
    expect(not wrong, "`locox replay` of the run differs: " + "\n".join(wrong))
    expect(replayed >= 40, f"{replayed} jobs were replayed, not 40")
    site.passed(f"{count} of {count} decisions are EASY's on what the agent saw, and all jobs ran on the nodes decided; "
                f"`locox replay` starts {replayed} of {replayed} at the same poll; {latency(site)}")


def once(site, jobs):
    began = site.begun_jobs()
    twice = [job for job in jobs if began.count(job) != 1]
    expect(not twice, f"jobs that did not start once: {[(job, began.count(job)) for job in twice]}")


def latency(site):
    """From release to start, as the controller's log has it."""
    told, took = {}, []
    for line in (site.folder / "slurm" / "slurmctld.log").read_text().splitlines():
        stamp = re.match(r"\[\d+-\d+-\d+T(\d+):(\d+):([\d.]+)\]", line)
        job = re.search(r"JobId=(\d+)", line)
        if not stamp or not job:
            continue
        at = int(stamp[1]) * 3600 + int(stamp[2]) * 60 + float(stamp[3])
        if "setting req_nodes" in line:
            told[job[1]] = at
        elif re.search(r"sched: Allocate|_start_job: Started", line) and job[1] in told:
            took.append((at - told.pop(job[1])) % 86400)
    expect(took, "the controller's log has no starts")
    return f"from release to start {statistics.median(took):.2f} s (median), {max(took):.2f} s (most) of {len(took)}"


def kills(site):
    """The agent, the controller and a node are killed while jobs run."""
    configuration = site.configuration()
    jobs = [site.submit(1 + n % 5, 1, 2) for n in range(16)]
    long = site.submit(4, 1, 8)
    # Slurm writes its state some seconds after a change, and loses what was submitted since.
    time.sleep(6)
    chance = random.Random(7)
    agent = site.run(configuration)
    for _ in range(4):
        time.sleep(chance.uniform(0.05, 1.5))
        site.end(agent)
        agent = site.run(configuration)
    site.passed("the agent was killed four times, and began again")

    # What has ended and was seen to be gone must not run again, though the controller forgets what it did last and the
    # agent is another one by then.
    before = site.finished()
    gone = lambda: set(jobs) & site.finished() - before - set(site.states())
    site.until("some jobs are gone", gone)
    ended = gone()
    time.sleep(2.5)
    controller = cluster.process(site.folder / "slurm" / "slurmctld.pid")
    os.kill(controller, signal.SIGKILL)
    expect(cluster.until(lambda: (controller, "slurmctld") not in cluster.living(), 5), "the controller lives on")
    site.end(agent)
    agent = site.run(configuration)
    # A job that began less than BatchStartTimeout and MessageTimeout ago is taken to run, until its limit, though it has ended.
    time.sleep(5)
    cluster.start_controller(site.folder / "slurm")
    site.until("jobs end", lambda: set([*jobs, long]) <= site.finished(), 60)
    site.until("what is left is held", lambda: all(row[0] == "PD" and row[1] == 0 for row in site.states().values()))
    once(site, ended)
    again = sum(site.begun_jobs().count(job) > 1 for job in jobs)
    ghosts = site.states()
    expect(all(state == "PD" and priority == 0 for state, priority, _ in ghosts.values()), f"left over: {ghosts}")
    if ghosts:
        site.say("scancel", *map(str, ghosts))
    # Nor does it trust nodes that have not what it thinks they run.
    drained = set(site.say("sinfo", "-h", "-N", "-t", "drain", "-o", "%N").split())
    if drained:
        site.say("scontrol", "update", f"NodeName={','.join(drained)}", "State=RESUME")
    site.passed(f"the controller was killed, and the agent with it: all 17 jobs end, none runs again of {len(ended)} that were gone; "
                f"Slurm forgot {len(ghosts)} ends, and holds are on those, and {again} starts")
    return agent


def node_lost(site, agent):
    job = site.submit(2, 1, 25)
    # Slurm says that it runs before it does.
    site.until("a job runs", lambda: job in site.begun_jobs())
    node = oracle.expand(site.states()[job][2])[0]
    lost = cluster.process(site.folder / "slurm" / f"slurmd.{node}.pid")
    steps = [pid for pid, _ in cluster.living(["slurmstepd"]) if cluster.belongs(pid, site.folder / "slurm")]
    for pid in [lost, *steps]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    site.passed(f"{node} is lost")
    return job, node


def node_back(site, job, node):
    """The job is put back by Slurm, and the agent starts it elsewhere."""
    places = lambda: [oracle.expand(line.split()[2]) for line in site.lines() if line.startswith(f"begin {job} ")]
    site.until("the job of a lost node runs again", lambda: len(places()) > 1, 60)
    expect(node not in places()[1], f"it runs on the lost node: {places()}")
    cluster.start_node(site.folder / "slurm", node)
    site.say("scancel", str(job))
    site.passed("its job was put back, and started on nodes that are there")


def released(site, agent):
    """Everything is given back."""
    configuration = site.configuration()
    site.end(agent, signal.SIGTERM)
    jobs = [site.submit(2, 1, 1) for _ in range(6)]
    held = site.submit(1, 1, 1, "--hold")
    done = site.agent("release-all", configuration=configuration)
    expect(done.returncode == 0, f"release-all: {done.stdout}{done.stderr}")
    site.until("released jobs end", lambda: set(jobs) <= site.finished())
    expect(site.states()[held][:2] == ("PD", 0), "a hold was ended by release-all")
    site.say("scancel", str(held))
    site.passed("release-all gives everything back, but holds stay")


def advises(site):
    """Without a gate: ranks, and a cluster that works when the agent is killed."""
    configuration = site.configuration(mode="advisory")
    left = site.agent("doctor", configuration=configuration)
    expect(left.returncode == 1 and "advisory mode needs none" in left.stdout, f"doctor misses a gate that is left: {left.stdout}")
    take_gate_out(site)
    fine = site.agent("doctor", configuration=configuration)
    expect(fine.returncode == 0, f"doctor finds in advisory mode: {fine.stdout}{fine.stderr}")
    site.until("all nodes are back", lambda: all(line == "idle" for line in site.say("sinfo", "-h", "-N", "-o", "%T").split()))
    blocker = site.submit(16, 1, 8)
    site.until("a job has all nodes", lambda: site.states()[blocker][0] == "R")
    jobs = [site.submit(3 + n % 3, 1, 1) for n in range(10)]
    agent = site.run(configuration)
    ranks = lambda: [site.states().get(job, ("", 0))[1] for job in jobs]
    site.until("jobs have ranks", lambda: all(rank > 0xffff0000 for rank in ranks()))
    given = ranks()
    expect(given == sorted(given, reverse=True), f"ranks are not in the order of the line: {given}")
    site.end(agent)
    site.until("all jobs end", lambda: {blocker, *jobs} <= site.finished())
    once(site, [blocker, *jobs])
    site.passed("advisory: ranks are set, and with the agent killed all jobs end")


def is_promised(site, job, said):
    """Whether the agent says, behind what it had said, that this job is next."""
    return f" {job} is next, and is promised for " in (site.folder / "agent.log").read_text()[said:]


def is_ranked(site, job):
    return site.states().get(job, ("", 0))[1] > 0xffff0000


def promises(site):
    """Without a gate: the highest rank is the promise, as Slurm's own backfilling plans for that job first."""
    configuration = site.configuration(mode="advisory")
    said = len((site.folder / "agent.log").read_text())
    blocker = site.submit(10, 2, 12)
    site.until("a job has ten nodes", lambda: site.states()[blocker][0] == "R")
    agent = site.run(configuration)
    first = site.submit(16, 1, 1)
    site.until("the first in line is promised its start", lambda: is_promised(site, first, said))
    long, short = site.submit(6, 10, 1), site.submit(4, 1, 1)
    site.until("whoever delays nobody overtakes", lambda: short in site.begun_jobs(), 10)
    urgent = site.submit(12, 1, 4, "--nice=-100")
    site.until("the promise is given to a more urgent one", lambda: is_promised(site, urgent, said))
    site.until("all jobs begin", lambda: {urgent, first, long} <= set(site.begun_jobs()))
    order = [job for job in site.begun_jobs() if job in (short, urgent, first, long)]
    expect(order == [short, urgent, first, long], f"a promise was broken: {order}, not {[short, urgent, first, long]}")
    site.until("all jobs are gone", lambda: not site.states())
    blocker, waits = site.submit(16, 1, 4), site.submit(16, 1, 1, "--nice=50")
    site.until("a job that waits has a rank", lambda: is_ranked(site, waits))
    site.end(agent, signal.SIGTERM)
    done = site.agent("release-all", configuration=configuration)
    expect(done.returncode == 0, f"release-all: {done.stdout}{done.stderr}")
    expect(not is_ranked(site, waits), "release-all left a rank")
    nice = site.say("squeue", "-h", "-j", str(waits), "-o", "%y").strip()
    expect(nice == "50", f"after release-all a job that its owner gave nice 50 has {nice}")
    site.until("all jobs end", lambda: {blocker, waits} <= site.finished())
    site.passed("advisory: Slurm's backfilling keeps the promise of the first in line, and of another when it is given away")


def drills(site, locox, live):
    doctor(site)
    backend(site, live)
    governs(site, locox)
    agent = kills(site)
    job, node = node_lost(site, agent)
    node_back(site, job, node)
    released(site, agent)
    advises(site)
    promises(site)


def too_long(*_):
    raise Wrong(f"more than {MOST} s")


def main(program, locox, live):
    names = cluster.DAEMONS + ["slurmstepd", pathlib.Path(program).name]
    if left := cluster.living(names):
        sys.exit(f"ci/slurm: these live before anything was started, of a former run or of a real Slurm: {left}")
    signal.signal(signal.SIGALRM, too_long)
    signal.signal(signal.SIGTERM, too_long)
    signal.alarm(MOST)
    with tempfile.TemporaryDirectory(prefix="locox-slurm.") as name:
        folder = pathlib.Path(name)
        # Jobs of other users write here.
        folder.chmod(0o1777)
        site = Site(folder, program)
        site.ran.touch(0o666)
        site.ran.chmod(0o666)
        try:
            does_not_start(site)
            cluster.start(folder / "slurm")
            site.passed("16 nodes are up")
            drills(site, locox, live)
        except (Wrong, cluster.NotStarted, subprocess.SubprocessError) as wrong:
            for log in "agent.log", "slurm/slurmctld.log":
                if (folder / log).exists():
                    print(f"--- end of {log}", *(folder / log).read_text().splitlines()[-40:], sep="\n", file=sys.stderr)
            sys.exit(f"ci/slurm: {wrong}")
        finally:
            signal.alarm(0)
            for agent in list(site.agents):
                site.end(agent)
            cluster.stop(folder / "slurm")
    expect(not cluster.living(names), f"these live on: {cluster.living(names)}")
    site.passed("all drills passed, and nothing lives on")


if __name__ == "__main__":
    main(*sys.argv[1:])
