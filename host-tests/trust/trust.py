"""What is claimed, and what shows it: runs commands, keeps what they counted, and makes docs/evidence/TRUST.md of it.

`claims.toml` has the claims and, for each command that shows some, how its lines are read. Nothing on the page is written
by hand but the claims themselves: sizes, times and dates come from runs, each with the sources it was run on.
"""

import argparse
import collections
import datetime
import json
import pathlib
import re
import subprocess
import sys
import time
import tomllib

HOME = pathlib.Path(__file__).parents[2]
CLAIMS = pathlib.Path(__file__).with_name("claims.toml")
RUNS = HOME / "docs/evidence/trust.json"
PAGE = HOME / "docs/evidence/TRUST.md"
# What runs depend on: two with the same of each are of the same sources.
SOURCES = "kernel coordinators storage bank agent bindings firmware-example host-tests ci Cargo.lock".split()
# A line of `ci/deep/exhaust`.
ENUMERATION = re.compile(r"(?P<name>\S+): (?P<states>\d+) states, (?P<operations>\d+) operations, "
                         r"(?P<violations>\d+) violations, \S+ s \((?P<what>.*)\)")
NOT_RUN = "**not run yet**"


def fail(why, code=1):
    print(f"ci/deep/trust: {why}", file=sys.stderr)
    sys.exit(code)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        """One line, without the usage."""
        fail(f"{message}; see ci/deep/trust --help", 2)


def read():
    said = tomllib.loads(CLAIMS.read_text())
    names = [run["name"] for run in said["run"]]
    for claim in said["claim"]:
        for way in claim["shown"]:
            if way["by"] not in names:
                fail(f"{CLAIMS.name}: {claim['what']!r} is shown by {way['by']!r}, which is no run")
    shown = {way["by"] for claim in said["claim"] for way in claim["shown"]}
    if idle := set(names) - shown:
        fail(f"{CLAIMS.name}: no claim is shown by {', '.join(sorted(idle))}")
    return said


def kept():
    return json.loads(RUNS.read_text()) if RUNS.exists() else {}


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=HOME, capture_output=True, text=True, check=True).stdout.strip()


def sources():
    """The names of the committed sources."""
    return {name: git("rev-parse", f"HEAD:{name}")[:12] for name in SOURCES}


def clean_sources():
    """The same, which is what runs. Fails if anything but documents is changed."""
    if git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs", ":!*.md"):
        fail("there are changes that are not committed; a run says which sources it is of: commit them; nothing was written")
    return sources()


def run(one):
    """What the command counted; none of it if it failed."""
    print(f"{one['name']}: {one['command']}", flush=True)
    of = clean_sources()
    begun = time.monotonic()
    done = subprocess.run(["bash", "-c", one["command"]], cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line.strip() for line in done.stdout.splitlines() if re.search(one["lines"], line)]
    has_failed = done.returncode not in ((0, 1) if one.get("may_fail") else (0,))
    if has_failed or not lines:
        print(*done.stdout.splitlines()[-20:], sep="\n", file=sys.stderr)
        why = f"it ended with {done.returncode}" if has_failed else "it says nothing that its `lines` match"
        fail(f"{one['command']}: {why}; nothing was written")
    if clean_sources() != of:
        fail(f"{one['command']}: the sources changed while it ran; run it again; nothing was written")
    return {
        "command": one["command"],
        "date": datetime.date.today().isoformat(),
        "seconds": round(time.monotonic() - begun),
        "sources": of,
        "lines": lines,
    }


def duration(seconds):
    return f"{seconds} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def cell(text):
    return text.replace("|", "\\|")


def readable(line):
    """Large numbers in groups of three digits, words one space apart, no colon at the end."""
    grouped = re.sub(r"(?<![\w.-])\d{4,}(?![\w-]|\.\d)", lambda number: f"{int(number[0]):,}", " ".join(line.split()))
    return grouped.removesuffix(":")


def summed(enumerations):
    """How many there are, what they found together, and under what each goes: nothing is left out."""
    total = collections.Counter()
    names = {}
    for one in enumerations:
        total.update({what: int(one[what]) for what in ("states", "operations", "violations")})
        names.setdefault(one["what"], []).append(one["name"])
    counted = ", ".join(f"{total[what]:,} {what}" for what in ("states", "operations", "violations"))
    of = "; ".join(f"{what} ({', '.join(sorted(names[what]))})" for what in sorted(names))
    return f"{len(enumerations)} enumerations, {counted}. {of}"


def counted(way, lines):
    patterns = way.get("lines", "")
    patterns = [patterns] if isinstance(patterns, str) else patterns
    found = [line for pattern in patterns for line in lines if re.search(pattern, line)]
    enumerations = [ENUMERATION.fullmatch(line) for line in found]
    if "count" in way:
        what = way["count"].removesuffix("s") if len(found) == 1 else way["count"]
        return f"{len(found):,} {what}" if found else ""
    if found and all(enumerations):
        return summed(enumerations)
    return "; ".join(map(readable, found))


def evidence(way, runs):
    """What shows a claim, in one cell: how, and what was counted."""
    found = counted(way, runs.get(way["by"], {}).get("lines", []))
    return f"**{way['how']}** (`{way['by']}`): {cell(found) or NOT_RUN}"


def of_what(it):
    return {folder: it["sources"][folder] for folder in ("kernel", "host-tests")}


def table_of_runs(said, runs):
    """The runs, each with its sources where they are others than those of most."""
    recorded = [runs[one["name"]] for one in said["run"] if one["name"] in runs]
    out = ["| run | command | took | on | if of other sources |", "|---|---|---|---|---|"]
    most = dict(collections.Counter(tuple(of_what(it).items()) for it in recorded).most_common(1)[0][0]) if recorded else {}
    for one in said["run"]:
        it = runs.get(one["name"])
        command = f"`{cell((it or one)['command'])}`"
        if it:
            others = ", ".join(f"{folder} `{tree}`" for folder, tree in of_what(it).items() if tree != most[folder])
            row = [one["name"], command, duration(it["seconds"]), it["date"], others or "–"]
        else:
            row = [one["name"], command, NOT_RUN, "–", "–"]
        out.append(f"| {' | '.join(row)} |")
    if most:
        named = " and ".join(f"`{folder}/` at `{tree}`" for folder, tree in most.items())
        out += ["", f"The runs are of {named}, where the last column does not say otherwise. These are git trees; "
                "`git rev-parse HEAD:kernel HEAD:host-tests` prints today's, and `ci/deep/trust check` which runs are of another "
                "kernel."]
    return out + [""] + [f"- *{one['name']}*: {' '.join(one['note'].split())}" for one in said["run"] if "note" in one]


def page(said, runs):
    out = ["<!-- Generated from runs by ci/deep/trust: do not edit. The claims are in host-tests/trust/claims.toml. -->", "# Trust", ""]
    out += [said["opening"].strip(), ""]
    for part in dict.fromkeys(claim["of"] for claim in said["claim"]):
        out += [f"## {part}", "", "| claim | shown |", "|---|---|"]
        for claim in said["claim"]:
            if claim["of"] == part:
                shown = "<br>".join(evidence(way, runs) for way in claim["shown"])
                out.append(f"| {cell(claim['what'])} | {shown} |")
        out.append("")
    out += ["## The runs", "", *table_of_runs(said, runs), ""]
    out += ["## What is not claimed", ""] + [f"- {' '.join(it.split())}" for it in said["not_claimed"]]
    return "\n".join(out) + "\n"


def check(said, runs):
    """Fails if the page is not what is kept; runs of an older kernel are only told."""
    if not PAGE.exists() or PAGE.read_text() != page(said, runs):
        fail("docs/evidence/TRUST.md is not what its runs and claims make; run ci/deep/trust page")
    kernel = git("rev-parse", "HEAD:kernel")[:12]
    recorded = [(one, runs[one["name"]]) for one in said["run"] if one["name"] in runs]
    older = [one["name"] for one, it in recorded if it["sources"]["kernel"] != kernel]
    others = [one["name"] for one, it in recorded if it["command"] != one["command"]]
    if older:
        print(f"ci/deep/trust: of another kernel than the committed one ({kernel}): {', '.join(older)}; ci/deep/trust NAME runs one again")
    if others:
        print(f"ci/deep/trust: by another command than the claims have: {', '.join(others)}; ci/deep/trust NAME runs one again")


def asked(known):
    parser = Parser(prog="ci/deep/trust", allow_abbrev=False)
    parser.add_argument("what", nargs="*")
    what = parser.parse_args().what
    if strangers := [name for name in what if name not in known and what not in (["page"], ["check"])]:
        alone = "stands alone" if strangers[0] in ("page", "check") else "is no run"
        fail(f"`{strangers[0]}` {alone}; there are the runs {', '.join(known)}, and page and check, each alone", 2)
    return what


def main():
    said, runs = read(), kept()
    known = {one["name"]: one for one in said["run"]}
    what = asked(known)
    if what == ["check"]:
        return check(said, runs)
    if what != ["page"]:
        for name in what or known:
            runs[name] = run(known[name])
            RUNS.write_text(json.dumps(runs, indent=1, sort_keys=True) + "\n")
    PAGE.write_text(page(said, runs))


main()
