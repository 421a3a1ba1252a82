#!/usr/bin/env python3
"""Limits of a QOS: `limits.py LOCOX-AGENT`. See ci/slurm-limits.

A user has 60 jobs of a QOS with MaxJobsPerUser=1, and after him another one 48 jobs without a limit, each of 4 seconds on one
of 16 nodes. How long do the 48 take, with Slurm alone, and with the agent in each mode?
"""
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cluster
import drills

PACKAGES = [*cluster.PACKAGES, "slurmdbd", "slurm-wlm-mysql-plugin", "mariadb-server"]
# Seconds that all may take, that a job takes, and how much longer than Slurm alone the agent may take.
MOST, RUNS, LONGER = 240, 4, 1.5
LIMITED, FREE = ("nobody", 60), ("daemon", 48)
DATABASE = """\
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost=localhost
DbdPort={port}
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
StorageLoc=slurm
LogFile={folder}/slurmdbd.log
PidFile={folder}/slurmdbd.pid
"""
ACCOUNTING = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePort={port}
AccountingStoragePass={folder}/munge.socket
AccountingStorageEnforce=associations,limits,qos
"""


def missing():
    """Something that is lacking, or nothing."""
    return cluster.missing() or [name for name in ("slurmdbd", "mariadbd", "sacctmgr") if not shutil.which(name)]


def start_database(folder):
    """MariaDB in a folder of its own, and nobody but root reaches its socket."""
    data, socket = folder / "database", folder / "database.socket"
    subprocess.run(["mariadb-install-db", "--no-defaults", "--user=root", f"--datadir={data}", "--skip-test-db",
                    "--auth-root-authentication-method=normal"], check=True, capture_output=True)
    log = open(folder / "mariadbd.log", "w")
    server = subprocess.Popen(["mariadbd", "--no-defaults", "--user=root", f"--datadir={data}", f"--socket={socket}",
                               "--skip-networking", f"--pid-file={folder}/mariadbd.pid", "--innodb-buffer-pool-size=64M"],
                              stdout=log, stderr=log)
    if not cluster.until(lambda: socket.exists() or server.poll() is not None) or server.poll() is not None:
        raise drills.Wrong(f"MariaDB does not start: see {folder}/mariadbd.log")
    return server


def start_accounting(site):
    """Of a cluster that is up: its controller begins anew with accounts, users and a QOS."""
    folder = site.folder / "slurm"
    port = cluster.free_ports(1)
    conf = folder / "slurmdbd.conf"
    conf.write_text(DATABASE.format(folder=folder, port=port))
    conf.chmod(0o600)
    subprocess.run(["slurmdbd"], check=True, env=dict(site.environment, MYSQL_UNIX_PORT=f"{folder}/database.socket"))
    with open(folder / "slurm.conf", "a") as slurm:
        slurm.write(ACCOUNTING.format(folder=folder, port=port))
    tell = lambda *words: site.say("sacctmgr", "-i", *words)
    site.until("slurmdbd answers", lambda: "Cluster" in site.say("sacctmgr", "show", "cluster", fails=True))
    tell("add", "cluster", "locox")
    tell("add", "account", "all")
    tell("add", "qos", "one", "MaxJobsPerUser=1")
    for user, _ in LIMITED, FREE:
        tell("add", "user", user, "account=all")
    tell("modify", "user", LIMITED[0], "set", "qos+=one")
    cluster.end(folder / "slurmctld.pid")
    cluster.start_controller(folder)
    site.until("all nodes are back", lambda: cluster.ready(folder, 16))


def submit(site, user, jobs, *more):
    return [site.submit(1, 2, RUNS, *more, user=user) for _ in range(jobs)]


def trial(site):
    """Seconds until all jobs without a limit have ended."""
    (site.folder / "ran").write_text("")
    limited = submit(site, *LIMITED, "--qos=one")
    begun = time.monotonic()
    free = set(submit(site, *FREE))
    site.until("the jobs without a limit end", lambda: free <= site.finished(), 90)
    took = time.monotonic() - begun
    ran = [job for job in site.begun_jobs() if job in set(limited)]
    drills.expect(ran, "no job with a limit ran meanwhile")
    site.say("scancel", *map(str, site.states()))
    site.until("all jobs are gone", lambda: not site.states())
    return took, len(ran)


def with_agent(site, mode):
    """The same while an agent is there."""
    configuration = site.configuration(mode=mode, name=mode)
    if mode == "authoritative":
        drills.install_gate(site, configuration)
    agent = site.run(configuration, "--despite-warnings")
    result = trial(site)
    site.end(agent, signal.SIGTERM)
    if mode == "authoritative":
        drills.take_gate_out(site)
    done = site.agent("release-all", configuration=configuration)
    drills.expect(done.returncode == 0, f"release-all: {done.stdout}{done.stderr}")
    return result


def tried(site):
    start_accounting(site)
    site.passed("Slurm with accounting is up")
    took = {}
    for mode in "alone", "advisory", "authoritative":
        took[mode], ran = trial(site) if mode == "alone" else with_agent(site, mode)
        site.passed(f"{FREE[1]} jobs of {RUNS} s beside {LIMITED[1]} with MaxJobsPerUser=1: {took[mode]:.1f} s, "
                    f"{'Slurm alone' if mode == 'alone' else mode}; {ran} of those with the limit ran meanwhile")
    slow = [mode for mode in took if took[mode] > LONGER * took["alone"]]
    drills.expect(not slow, f"longer than Slurm alone by more than half: {', '.join(slow)}")


def too_long(*_):
    raise drills.Wrong(f"more than {MOST} s")


def main(program):
    names = [*cluster.DAEMONS, "slurmstepd", "slurmdbd", pathlib.Path(program).name]
    if left := cluster.living(names):
        sys.exit(f"ci/slurm-limits: these live before anything was started: {left}")
    signal.signal(signal.SIGALRM, too_long)
    signal.signal(signal.SIGTERM, too_long)
    signal.alarm(MOST)
    with tempfile.TemporaryDirectory(prefix="locox-limits.") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o1777)
        site = drills.Site(folder, program)
        site.ran.touch(0o666)
        site.ran.chmod(0o666)
        slurm, server = folder / "slurm", None
        try:
            cluster.start(slurm)
            server = start_database(slurm)
            tried(site)
        except (drills.Wrong, cluster.NotStarted, subprocess.SubprocessError) as wrong:
            sys.exit(f"ci/slurm-limits: {wrong}")
        finally:
            signal.alarm(0)
            for agent in list(site.agents):
                site.end(agent)
            cluster.end(slurm / "slurmdbd.pid")
            cluster.stop(slurm)
            if server:
                server.terminate()
                server.wait(20)
            left = [one for one in cluster.living(names) if cluster.belongs(one[0], slurm)]
    if left:
        sys.exit(f"ci/slurm-limits: these live on: {left}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["install"]:
            cluster.install(PACKAGES, missing)
        case [program]:
            main(program)
        case _:
            sys.exit(__doc__)
