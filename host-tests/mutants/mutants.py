"""Which mutants of the kernel no test notices. `ci/deep/mutants` says how to call it."""
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import sys
import threading
import time

import build
import explained
import listed
import options
import trial

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT = ("survived", "unreached", "open", "not run")
VERDICTS = ["caught", "explained", "survived", "unreached", "open", "not run", "unviable", "left out"]


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Book:
    """What is known of each mutant, by its key: a line a verdict, the last one counts."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.known = {it["key"]: it for it in read_lines(path)}

    def verdict(self, mutant):
        return self.known.get(mutant.key, {"verdict": "not run"})["verdict"]

    def note(self, mutant, verdict):
        line = {"key": mutant.key, "file": mutant.file, "change": mutant.change, "line": mutant.line, **verdict}
        with self.lock:
            self.known[mutant.key] = line
            with self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")


def prepared(folder, mutants):
    """The test binaries with all mutants in them; who does not compile is remembered by key."""
    unviable = folder / "unviable.json"
    known = json.loads(unviable.read_text()) if unviable.exists() else {}
    made = build.Build(ROOT, folder, mutants)
    made.left_out = {mutant.number: known[mutant.key] for mutant in mutants if mutant.key in known}
    made.viable()
    unviable.write_text(json.dumps({mutants[number].key: why for number, why in made.left_out.items()}, indent=0))
    return made, made.tests()


class Reach:
    """What each test reaches, a line a test; one of a binary that is the same as before is not asked again."""

    def __init__(self, folder):
        self.folder, self.path, self.lock = folder, folder / "reach.jsonl", threading.Lock()
        self.known = {(it["binary"], it["test"]): it for it in read_lines(self.path)}

    def test(self, digest, test):
        """The test with what it reaches, or nothing if it is of no use."""
        line = self.known.get((digest, test.name))
        if line is None:
            of_use = trial.observe(test, self.folder)
            line = {"binary": digest, "test": test.name, "of_use": of_use, "seconds": test.seconds,
                    "reaches": sorted(test.reaches) if of_use else []}
            with self.lock, self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")
        test.seconds, test.reaches = line["seconds"], frozenset(line["reaches"])
        return test if line["of_use"] else None

    def suite(self, binaries, jobs):
        tests = []
        for binary, place in binaries:
            digest = hashlib.sha256(pathlib.Path(binary).read_bytes()).hexdigest()
            found = trial.listed(binary, place)
            print(f"{os.path.basename(binary)}: what each of {len(found)} tests reaches", flush=True)
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                tests += filter(None, pool.map(lambda test: self.test(digest, test), found))
        return trial.Suite(tests)


def verdict_of(mutant, book, left_out, reasons):
    if mutant.is_constant:
        return "left out"
    if mutant.key in left_out:
        return "unviable" if left_out[mutant.key].startswith(build.UNVIABLE) else "left out"
    verdict = book.verdict(mutant)
    return "explained" if verdict != "caught" and reasons.of(mutant) else verdict


def verdicts_of(mutants, folder, book, reasons):
    unviable = folder / "unviable.json"
    left_out = json.loads(unviable.read_text()) if unviable.exists() else {}
    return {mutant.key: verdict_of(mutant, book, left_out, reasons) for mutant in mutants}


def summary(mutants, verdicts):
    rows = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        rows[mutant.folder][verdicts[mutant.key]] += 1
        rows["all"][verdicts[mutant.key]] += 1
    print(f"{'':14}" + "".join(f"{verdict:>11}" for verdict in VERDICTS))
    for folder, row in sorted(rows.items(), key=lambda it: (it[0] == "all", it[0])):
        print(f"{folder:14}" + "".join(f"{row[verdict] or '':>11}" for verdict in VERDICTS))
    print(f"{len(mutants)} mutants: " + ", ".join(f"{rows['all'][verdict]} {verdict}" for verdict in VERDICTS))


def main():
    given = options.read()
    folder = pathlib.Path(os.environ["LOCOX_MUTANTS"])
    mutants = listed.read(ROOT)
    book, reasons = Book(folder / "results.jsonl"), explained.read()
    part, parts = given.shard
    # Each once, where two prefixes fit.
    named = {mutant.key: mutant for prefix in given.files for mutant in mutants if mutant.file.startswith(prefix)}
    chosen = list(named.values())[part - 1::parts]
    if not chosen:
        place = f"the shard {part}/{parts} of {' '.join(given.files)}"
        print(f"ci/deep/mutants: no mutant is in {place}; choose more files, or fewer shards", file=sys.stderr)
        return 2
    if not given.summary:
        made, binaries = prepared(folder, mutants)
        suite = Reach(folder).suite(binaries, given.jobs)
        before = verdicts_of(chosen, folder, book, reasons)
        judge_all([mutant for mutant in chosen if before[mutant.key] in ("not run", *given.again)], suite, book, given)
    verdicts = verdicts_of(chosen, folder, book, reasons)
    for mutant in chosen:
        if verdicts[mutant.key] in ("survived", "unreached", "open"):
            print(f"{verdicts[mutant.key]}: {mutant}")
        if verdicts[mutant.key] == "caught" and reasons.of(mutant):
            print(f"explained, and yet caught: {mutant}")
    summary(chosen, verdicts)
    return any(verdict in LEFT for verdict in verdicts.values())


def judge_all(todo, suite, book, given):
    begun = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        judged = pool.map(lambda it: book.note(it, suite.judge(it, given.budget)), todo)
        for done, _ in enumerate(judged, 1):
            if done % 100 == 0:
                print(f"{done} of {len(todo)} in {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
