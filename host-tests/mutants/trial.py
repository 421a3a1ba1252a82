"""Tests as processes: which mutants each reaches, how long it takes, and whether it notices a mutant."""
import collections
import dataclasses
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading

# The same cases at each run, none of them made smaller, and no file about it.
ENVIRONMENT = {"PROPTEST_RNG_SEED": "12", "PROPTEST_MAX_SHRINK_ITERS": "0", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "true",
               "RUST_BACKTRACE": "0"}
# Seconds of a processor that tests may take beyond what they took: waiting for a core does not count.
FACTOR, GRACE = 5, 1
# A test that takes longer is no test of mutants.
LONGEST = 10
MEMORY = 4 << 30


@dataclasses.dataclass
class Test:
    binary: str
    folder: str
    name: str
    seconds: float = 0
    reaches: frozenset = frozenset()

    def __str__(self):
        return f"{os.path.basename(self.folder)} {self.name}"


def limited(seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return limit


def run(tests, seconds, **more):
    """Runs tests of one binary: whether all pass, what they took, and which one failed or did not end."""
    command = [tests[0].binary, "--exact", "--test-threads=1", *(test.name for test in tests)]
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, cwd=tests[0].folder, stdin=subprocess.DEVNULL, stdout=told,
                                   stderr=subprocess.DEVNULL, preexec_fn=limited(seconds),
                                   env={**os.environ, **ENVIRONMENT, **more})
        # Whoever waits for something takes no time of a processor. `Popen.kill` would ask how it ended before `wait4` does.
        watch = threading.Timer(20 * seconds, os.kill, (process.pid, signal.SIGKILL))
        watch.start()
        _, status, used = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        text = told.read().decode(errors="replace")
    passed = process.returncode == 0
    failed = None
    if not passed:
        found = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED", text, re.M)
        begun = re.findall(r"^test (\S+)", text, re.M)
        failed = (found or begun[-1:] or [tests[0].name])[0]
    slow = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return passed, used.ru_utime + used.ru_stime, failed, slow


def listed(binary, folder):
    told = subprocess.run([binary, "--list", "--format", "terse"], cwd=folder, check=True, text=True, stdout=subprocess.PIPE)
    ignored = subprocess.run([binary, "--list", "--format", "terse", "--ignored"], cwd=folder, check=True, text=True,
                             stdout=subprocess.PIPE).stdout.split("\n")
    return [Test(binary, folder, line.removesuffix(": test")) for line in told.stdout.split("\n")
            if line.endswith(": test") and line not in ignored]


def observe(test, folder):
    """Runs a test with no mutant on; false if it is of no use."""
    with tempfile.NamedTemporaryFile(dir=folder) as reached:
        passed, test.seconds, _, slow = run([test], LONGEST, LOCOX_MUTANTS_REACHED=reached.name)
        test.reaches = frozenset(map(int, reached.read().split()))
    if not passed:
        print(f"left out, {'too slow' if slow else 'it fails'}: {test}", flush=True)
    return passed and bool(test.reaches)


class Suite:
    """All tests, and by mutant those that reach it, the quickest first."""

    def __init__(self, tests):
        self.tests = {str(test): test for test in tests}
        self.reaching = collections.defaultdict(list)
        for test in sorted(tests, key=lambda test: test.seconds):
            for number in test.reaches:
                self.reaching[number].append(test)
        # By function: what has noticed a mutant of it, the last one in front.
        self.noticed = collections.defaultdict(list)

    def portions(self, mutant):
        """The tests of a mutant in growing portions, each of one binary."""
        rest = self.reaching.get(mutant.number, [])
        likely = [test for test in self.noticed[mutant.file, mutant.function][:3] if test in rest]
        for test in likely:
            yield [test]
        rest = [test for test in rest if test not in likely]
        limit = 0.05
        while rest:
            took, portion = 0, []
            while rest and (not portion or took + rest[0].seconds <= limit):
                took += rest[0].seconds
                portion.append(rest.pop(0))
            by_binary = collections.defaultdict(list)
            for test in portion:
                by_binary[test.binary].append(test)
            yield from by_binary.values()
            limit *= 3

    def judge(self, mutant, budget):
        """What becomes of a mutant: `caught` and by which test, `survived`, `unreached`; `open` if the budget ends."""
        took = 0
        if mutant.number not in self.reaching:
            return {"verdict": "unreached", "seconds": 0}
        for tests in self.portions(mutant):
            usual = sum(test.seconds for test in tests)
            if took + usual > budget:
                return {"verdict": "open", "seconds": round(took, 2)}
            passed, seconds, failed, slow = run(tests, int(FACTOR * usual) + GRACE, LOCOX_MUTANT=str(mutant.number))
            took += seconds
            if not passed:
                test = next((test for test in tests if test.name == failed), tests[0])
                noticed = self.noticed[mutant.file, mutant.function]
                if test in noticed:
                    noticed.remove(test)
                noticed.insert(0, test)
                return {"verdict": "caught", "by": str(test), "slow": slow, "seconds": round(took, 2)}
        return {"verdict": "survived", "seconds": round(took, 2), "tests": len(self.reaching[mutant.number])}
