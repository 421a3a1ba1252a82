#!/usr/bin/env python3
"""A Slurm cluster on one machine, without systemd and without containers, to try and to test things on.

  cluster.py install               installs Debian's packages of Slurm by apt-get, without starting their services
  cluster.py start FOLDER [NODES]  starts munged, slurmctld and NODES (16) slurmd on loopback; all files lie in FOLDER
  cluster.py start FOLDER mixed    the same with nodes that differ: 12 of 4 CPUs, and 4 of 8 CPUs with more memory and two
                                   GPUs (without devices); four partitions, licences, and a maintenance window on
                                   node[10-11] that begins in ten minutes
  cluster.py stop FOLDER           ends them, and shows an error when one lives on

Then `export SLURM_CONF=FOLDER/slurm.conf`. It needs root: slurmd starts jobs as their users.
"""
import contextlib
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time

PACKAGES = ["munge", "slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins"]
DAEMONS = ["munged", "slurmctld", "slurmd"]
POLICY = pathlib.Path("/usr/sbin/policy-rc.d")

CONFIGURATION = """\
ClusterName=locox
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SlurmdParameters=config_overrides
PriorityType=priority/basic
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=1
ReturnToService=2
SlurmdTimeout=10
BatchStartTimeout=1
MessageTimeout=2
KillWait=2
MinJobAge=10
"""
# Whole nodes that are all the same.
EQUAL = """\
SelectType=select/linear
NodeName=node[0-{last}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first_node}-{last_node}] CPUs=1
PartitionName=main Nodes=node[0-{last}] Default=YES MaxTime=INFINITE OverSubscribe=EXCLUSIVE State=UP
"""
# As sites have it. Partitions share nodes, and `shared` gives out cores.
MIXED = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
Licenses=matlab:2,octave:1
NodeName=node[0-11] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first_node}-{last_small}] CPUs=4 RealMemory=4000 Feature=small,a
NodeName=node[12-15] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first_large}-{last_node}] CPUs=8 RealMemory=16000 Feature=large,b Gres=gpu:2
PartitionName=main Nodes=node[0-11] Default=YES MaxTime=INFINITE OverSubscribe=EXCLUSIVE State=UP
PartitionName=other Nodes=node[8-15] MaxTime=INFINITE OverSubscribe=EXCLUSIVE State=UP
PartitionName=gpu Nodes=node[12-15] MaxTime=INFINITE OverSubscribe=EXCLUSIVE State=UP
PartitionName=shared Nodes=node[0-15] MaxTime=INFINITE OverSubscribe=NO State=UP
"""
# Nodes of `MIXED` that are small, and all.
SMALL, ALL = 12, 16
WINDOW = ["create", "reservation", "reservationname=window", "starttime=now+10minutes", "duration=5", "nodes=node[10-11]",
          "flags=maint", "users=root"]


def fail(why):
    sys.exit(f"cluster: {why}")


def missing():
    """What the machine lacks to start a cluster, or nothing."""
    if os.geteuid() != 0:
        return "it needs root"
    lacking = [name for name in DAEMONS + ["scontrol"] if not shutil.which(name)]
    return f"no {', '.join(lacking)}: run `agent/slurm/cluster.py install`" if lacking else ""


def install(packages=PACKAGES, lacking=missing):
    """Installs packages if something is lacking."""
    if not lacking():
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        fail("it needs root and apt-get to install Slurm")
    ours = not POLICY.exists()
    if ours:
        POLICY.write_text("#!/bin/sh\nexit 101\n")
        POLICY.chmod(0o755)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    command = ["apt-get", "-qq", "install", "-y", "--no-install-recommends", *packages]
    try:
        for before in [], ["apt-get", "-qq", "update"]:
            if before:
                subprocess.run(before, env=environment, stdout=subprocess.DEVNULL)
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            if done.returncode == 0:
                return
    finally:
        if ours:
            POLICY.unlink()
    fail(f"apt-get cannot install {' '.join(packages)}: {done.stderr.strip().splitlines()[-1:]}")


def living(names=DAEMONS + ["slurmstepd"]):
    """Processes of these names, as (id, name)."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "comm").read_text().strip()
            state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except (OSError, IndexError):
            continue
        if name in names and state not in "ZX":
            found.append((int(folder.name), name))
    return found


def free_ports(count):
    """The first of so many ports in a row that nobody listens on."""
    for first in range(17000, 30000, count):
        try:
            for port in range(first, first + count):
                with socket.socket() as tried:
                    tried.bind(("127.0.0.1", port))
        except OSError:
            continue
        return first
    fail("no ports are free")


class NotStarted(Exception):
    """A daemon that did not start, and why."""


def run(folder, log, *command):
    """Starts a daemon. What it says before it has a log of its own is in `start.log`."""
    said = folder / "start.log"
    try:
        with open(said, "w") as out:
            subprocess.run(command, check=True, env=environment(folder), stdout=out, stderr=out)
    except OSError as error:
        raise NotStarted(f"{command[0]}: {error}") from None
    except subprocess.CalledProcessError:
        last = (said.read_text(errors="replace").strip().splitlines() or ["it does not say why"])[-1]
        raise NotStarted(f"{last}; see {folder / log}") from None


def start_munged(folder):
    run(folder, "munged.log", "munged", "--force", "--num-threads=2", f"--key-file={folder}/munge.key",
        f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log",
        f"--seed-file={folder}/munge.seed")


def environment(folder):
    return dict(os.environ, SLURM_CONF=f"{folder}/slurm.conf")


def start_controller(folder):
    run(folder, "slurmctld.log", "slurmctld")


def start_node(folder, name):
    (folder / "spool" / name).mkdir(parents=True, exist_ok=True)
    run(folder, f"slurmd.{name}.log", "slurmd", "-N", name)


def until(what, seconds=30):
    """Waits for `what()` to be true; false if it does not become so."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def ready(folder, nodes):
    command = ["sinfo", "-h", "-N", "-t", "idle", "-o", "%N"]
    seen = subprocess.run(command, env=environment(folder), capture_output=True, text=True)
    # A node of several partitions has a line for each.
    return len(set(seen.stdout.split())) == nodes


def make_gpus(folder):
    """Slurm wants a file for each GPU. An empty one will do."""
    for gpu in "gpu0", "gpu1":
        (folder / gpu).touch()
    (folder / "gres.conf").write_text(f"NodeName=node[{SMALL}-{ALL - 1}] Name=gpu File={folder}/gpu[0-1]\n")


def start(folder, nodes=16, kind=EQUAL):
    if lacking := missing():
        fail(lacking)
    if folder.exists() and any(folder.iterdir()):
        fail(f"{folder} is not empty: `agent/slurm/cluster.py stop {folder}` and `rm -r {folder}`, or choose another")
    (folder / "state").mkdir(parents=True)
    folder.chmod(0o755)
    key = folder / "munge.key"
    key.touch(0o600)
    key.write_bytes(secrets.token_bytes(128))
    port = free_ports(nodes + 1)
    (folder / "slurm.conf").write_text((CONFIGURATION + kind).format(
        folder=folder, host=socket.gethostname().split(".")[0], port=port, last=nodes - 1, first_node=port + 1,
        last_small=port + SMALL, first_large=port + SMALL + 1, last_node=port + nodes))
    # Without this slurmd looks for cgroups, which many a container has not, or read-only; nothing here uses them.
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    if kind is MIXED:
        make_gpus(folder)
    try:
        start_daemons(folder, nodes)
    except NotStarted as why:
        stop(folder)
        fail(why)


def start_mixed(folder):
    start(folder, ALL, MIXED)
    subprocess.run(["scontrol", *WINDOW], env=environment(folder), stdout=subprocess.DEVNULL, check=True)


def start_daemons(folder, nodes):
    start_munged(folder)
    start_controller(folder)
    for number in range(nodes):
        start_node(folder, f"node{number}")
    if not until(lambda: ready(folder, nodes)):
        raise NotStarted(f"not all nodes came up: see {folder}/*.log")


def process(pid_file):
    """The process that wrote this file, if it lives."""
    try:
        pid = int(pid_file.read_text())
    except (OSError, ValueError):
        return None
    name = pid_file.name.split(".")[0]
    return pid if (pid, name) in living([name]) else None


def kill(pid, sign):
    """It may be gone by now."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, sign)


def end(pid_file, sign=signal.SIGTERM):
    """Ends one daemon; true when it is gone."""
    pid = process(pid_file)
    if pid is None:
        return True
    name = pid_file.name.split(".")[0]
    kill(pid, sign)
    if until(lambda: (pid, name) not in living([name]), 10):
        return True
    kill(pid, signal.SIGKILL)
    return until(lambda: (pid, name) not in living([name]), 5)


def belongs(pid, folder):
    """Whether a process was started for the cluster in this folder."""
    try:
        return f"SLURM_CONF={folder}/slurm.conf".encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def end_jobs(folder):
    """Cancels all jobs; what starts them ends with them, or is ended."""
    if not process(folder / "slurmctld.pid"):
        return
    seen = subprocess.run(["squeue", "-h", "-o", "%A"], env=environment(folder), capture_output=True, text=True)
    if jobs := sorted(set(seen.stdout.split())):
        subprocess.run(["scancel", *jobs], env=environment(folder), capture_output=True)


def end_steps(folder):
    steps = lambda: [pid for pid, _ in living(["slurmstepd"]) if belongs(pid, folder)]
    if not until(lambda: not steps(), 5):
        for pid in steps():
            kill(pid, signal.SIGKILL)


def end_strays(folder):
    """Ends daemons that have written no file of their process yet, as when the next one did not start."""
    strays = lambda: [pid for pid, _ in living(DAEMONS) if belongs(pid, folder)]
    for pid in strays():
        kill(pid, signal.SIGKILL)
    return until(lambda: not strays(), 5)


def stop(folder):
    end_jobs(folder)
    end_steps(folder)
    nodes = sorted(folder.glob("slurmd.*.pid"))
    for pid_file in nodes:
        if pid := process(pid_file):
            kill(pid, signal.SIGTERM)
    # A list, and not a generator: each is ended whatever became of the others.
    ended = [end(pid_file) for pid_file in [*nodes, folder / "slurmctld.pid", folder / "munged.pid"]]
    ended.append(end_strays(folder))
    if not all(ended):
        fail(f"some daemons live on: {living()}")


def main(arguments):
    match arguments:
        case ["install"]:
            install()
        case ["start", folder]:
            start(pathlib.Path(folder).resolve())
        case ["start", folder, "mixed"]:
            start_mixed(pathlib.Path(folder).resolve())
        case ["start", folder, nodes] if nodes.isdecimal() and int(nodes) > 0:
            start(pathlib.Path(folder).resolve(), int(nodes))
        case ["stop", folder]:
            stop(pathlib.Path(folder).resolve())
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
