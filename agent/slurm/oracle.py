"""EASY backfilling as a textbook has it, beside what an agent did: one set of decisions for each snapshot.

`recorders` makes commands that do what Slurm's do and keep a record of what the agent read and wrote.
`compare` works out from each recorded snapshot which jobs are to start where, and what the agent asked for then.
`replay` makes a trace of the record, in which jobs come and end when the agent saw it, and looks when `locox replay`
starts them.
"""
import csv
import pathlib
import re
import subprocess

RECORDER = """\
#!/bin/sh
# Does what {real} does, and keeps what was read and answered, and when.
seen=$(mktemp)
if [ "$1" = "" ]; then
  cat >"$seen"
  {{ echo "@acts $(date +%s.%N)"; cat "$seen"; }} >>{record}
  {real} <"$seen"
  code=$?
else
  {real} "$@" >"$seen"
  code=$?
  {{ echo "@{name} $(date +%s.%N)"; cat "$seen"; }} >>{record}
  cat "$seen"
fi
rm -f "$seen"
exit $code
"""


def recorders(folder, record):
    """Puts recording commands into a folder."""
    folder.mkdir()
    for name in "squeue", "sinfo", "scontrol":
        real = subprocess.run(["which", name], capture_output=True, text=True, check=True).stdout.strip()
        path = folder / name
        path.write_text(RECORDER.format(real=real, name=name, record=record))
        path.chmod(0o755)


def expand(text):
    """`node[1-3],node7`"""
    names = []
    for stem, ranges, tail in re.findall(r"([^,\[]+)(?:\[([^\]]*)\])?([^,]*)", text):
        for part in ranges.split(",") if ranges else [""]:
            low, _, high = part.partition("-")
            names += [f"{stem}{n}{tail}" for n in range(int(low), int(high or low) + 1)] if part else [stem + tail]
    return names


def seconds(limit):
    """`1-02:03:04`"""
    days, _, rest = limit.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    return int(days or 0) * 86400 + sum(part * unit for part, unit in zip(reversed(parts), (1, 60, 3600)))


def number(name):
    return int(re.search(r"\d+$", name)[0])


class Job:
    def __init__(self, line):
        f = line.split("|")
        self.id, self.state, self.priority, self.nodes, self.limit = int(f[1]), f[6], int(f[7]), int(f[9]), seconds(f[10])
        self.since = int(f[12]) if f[12] != "N/A" else None
        self.places = expand(f[13]) if f[13] else []

    def waits(self):
        return self.state == "PD"


def events(record):
    """Parts of a record: what it is, and its lines."""
    parts = re.split(r"^@(\w+) [\d.]+$", pathlib.Path(record).read_text(), flags=re.M)
    return [(kind, text.strip("\n").splitlines()) for kind, text in zip(parts[1::2], parts[2::2])]


def polls(record):
    """For each snapshot: time, nodes that serve, jobs, and what was started after it: {job: nodes}."""
    found, nodes = [], []
    for kind, lines in events(record):
        if kind == "sinfo":
            nodes = [line.split("|")[0] for line in lines if line.split("|")[1].rstrip("-+") in
                     ("idle", "allocated", "mixed", "completing", "planned")]
        at = [n for n, line in enumerate(lines) if line.startswith("last_update_time=")]
        if kind == "squeue" and at:
            now = int(lines[at[0]].split("=")[1].split()[0])
            rows = [line for line in lines[at[0] + 1:] if line]
            # Names alone are what is asked for the clock's sake.
            if any("|" not in row for row in rows):
                continue
            jobs = [Job(row) for row in rows]
            found.append((now, sorted(nodes, key=number), jobs, {}))
        if kind == "acts" and found:
            starts = [re.match(r"update JobId=(\d+)(?: NumNodes=\S+)? ReqNodeList=(\S+) StartTime=now$", line) for line in lines]
            found[-1][3].update({int(start[1]): expand(start[2]) for start in starts if start})
    return found


def decide(now, free, waiting, ends):
    """EASY: {job: nodes}. `ends` has (expected end, nodes) of what runs or was started."""
    starts, line, free = {}, list(waiting), list(free)

    def start(job):
        starts[job.id] = free[:job.nodes]
        del free[:job.nodes]
        ends.append((now + job.limit, job.nodes))
        line.remove(job)

    while line and line[0].nodes <= len(free):
        start(line[0])
    if not line:
        return starts
    head, there, shadow, extra = line[0], len(free), None, 0
    for end in sorted({max(end, now + 1) for end, _ in ends}):
        there = len(free) + sum(nodes for one, nodes in ends if max(one, now + 1) <= end)
        if there >= head.nodes:
            shadow, extra = end, there - head.nodes
            break
    if shadow is None:
        return starts
    for job in line[1:]:
        ends_soon = now + job.limit <= shadow
        if job.nodes <= len(free) and (ends_soon or job.nodes <= extra):
            extra -= 0 if ends_soon else job.nodes
            start(job)
    return starts


def compare(record):
    """How many starts there were, and what differs, in words."""
    started, count, wrong = {}, 0, []
    for now, nodes, jobs, asked in polls(record):
        by_id = {job.id: job for job in jobs}
        started = {job: told for job, told in started.items() if job in by_id and by_id[job].waits()}
        busy = {node for job in jobs for node in job.places} | {node for told in started.values() for node in told[1]}
        ends = [(job.since + job.limit, len(job.places)) for job in jobs if not job.waits() and job.since]
        ends += [(at + by_id[job].limit, len(places)) for job, (at, places) in started.items()]
        waiting = [job for job in sorted(jobs, key=lambda job: job.id)
                   if job.waits() and job.priority and job.id not in started]
        expected = decide(now, [node for node in nodes if node not in busy], waiting, ends)
        new = {job: places for job, places in asked.items() if job not in started}
        if new != expected:
            wrong.append(f"at {now} the agent starts {new}, and EASY {expected}")
        count += len(new)
        started.update({job: (now, places) for job, places in new.items()})
    return count, wrong


class Span:
    """When a job was first seen to wait for its turn, asked to start, and first seen to have ended."""

    def __init__(self, job, submit):
        self.job, self.submit, self.start, self.end = job, submit, None, None


def spans(record):
    """All jobs that the agent started and saw end, by number."""
    found = {}
    for now, _, jobs, asked in polls(record):
        there = {job.id for job in jobs}
        for job in jobs:
            if job.waits() and job.priority:
                found.setdefault(job.id, Span(job, now))
        for span in found.values():
            if span.start and not span.end and span.job.id not in there:
                span.end = now
            if not span.start and span.job.id in asked:
                span.start = now
    return {job: span for job, span in sorted(found.items()) if span.end}


def trace(spans, nodes):
    """In the Standard Workload Format. Times count from the first job."""
    begin = min(span.submit for span in spans.values())
    lines = [f"; MaxProcs: {nodes}", f"; UnixStartTime: {begin}"]
    for span in sorted(spans.values(), key=lambda span: (span.submit, span.job.id)):
        size, limit = span.job.nodes, span.job.limit
        lines.append(f"{span.job.id} {span.submit - begin} {span.start - span.submit} {span.end - span.start} {size} -1 -1 "
                     f"{size} {limit} -1 1 -1 -1 -1 -1 -1 -1 -1")
    return "\n".join(lines) + "\n"


def replay(locox, record, folder, nodes):
    """How many jobs `locox replay` starts at the poll at which the agent did, and those that it starts at another."""
    seen = spans(record)
    path = folder / "run.swf"
    path.write_text(trace(seen, nodes))
    subprocess.run([locox, "replay", path, "--machine", f"pool:{nodes}", "--queue", "easy", "--decide", "each-second",
                    "--out", folder / "replay", "--quiet"], check=True)
    begin = min(span.submit for span in seen.values())
    with open(folder / "replay" / "jobs-pool.csv") as file:
        starts = {int(row["job_id"]): begin + int(float(row["starting_time"])) for row in csv.DictReader(file)}
    wrong = [f"job {job} starts at {span.start}, and in the replay at {starts.get(job)}" for job, span in seen.items()
             if starts.get(job) != span.start]
    return len(seen) - len(wrong), wrong
