"""What is claimed, and what shows it: runs commands, keeps what they counted, and makes docs/TRUST.md of it.

`claims.toml` has the claims and, for each command that shows some, how its lines are read. Nothing on the page is written
by hand but the claims themselves: sizes, times and dates come from runs, each with the sources it was run on.
"""

import argparse
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
RUNS = HOME / "docs/trust.json"
PAGE = HOME / "docs/TRUST.md"


def fail(why):
    sys.exit(f"ci/trust: {why}")


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


def sources():
    """The names of what a run depends on: two runs with the same are of the same sources."""
    tree = lambda folder: subprocess.run(
        ["git", "rev-parse", f"HEAD:{folder}"], cwd=HOME, capture_output=True, text=True, check=True
    ).stdout.strip()[:12]
    return {folder: tree(folder) for folder in ("kernel", "host-tests", "storage", "bank", "agent")}


def check_committed():
    """Fails unless what runs is what is committed."""
    changed = ["git", "status", "--porcelain", "--untracked-files=no", "--", *sources()]
    if subprocess.run(changed, cwd=HOME, capture_output=True, text=True, check=True).stdout:
        fail("there are changes that are not committed; a run says which sources it is of, so commit them first")


def run(one):
    """What the command counted; none of it if it failed."""
    print(f"{one['name']}: {one['command']}", flush=True)
    begun = time.monotonic()
    done = subprocess.run(["bash", "-c", one["command"]], cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line.strip() for line in done.stdout.splitlines() if re.search(one["lines"], line)]
    if done.returncode != 0 or not lines:
        print(*done.stdout.splitlines()[-20:], sep="\n", file=sys.stderr)
        why = "it says nothing that its `lines` match" if done.returncode == 0 else f"it ended with {done.returncode}"
        fail(f"{one['command']}: {why}; nothing was written")
    return {
        "date": datetime.date.today().isoformat(),
        "seconds": round(time.monotonic() - begun),
        "sources": sources(),
        "lines": lines,
    }


def duration(seconds):
    return f"{seconds} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def cell(text):
    return text.replace("|", "\\|")


def evidence(way, runs):
    """What shows a claim, in one cell: how, and what was counted."""
    lines = runs.get(way["by"], {}).get("lines", [])
    found = [line for line in lines if re.search(way.get("lines", ""), line)]
    if not found:
        return f"**{way['how']}**: not run"
    if "count" in way:
        return f"**{way['how']}** (`{way['by']}`): {len(found)} {way['count']}"
    most = 4
    more = f"; and {len(found) - most} more" if len(found) > most else ""
    return f"**{way['how']}** (`{way['by']}`): " + cell("; ".join(found[:most])) + more


def page(said, runs):
    out = ["<!-- Generated from runs by ci/trust: do not edit. The claims are in host-tests/trust/claims.toml. -->", "# Trust", ""]
    out += [said["opening"].strip(), ""]
    for part in dict.fromkeys(claim["of"] for claim in said["claim"]):
        out += [f"## {part}", "", "| claim | shown |", "|---|---|"]
        for claim in said["claim"]:
            if claim["of"] == part:
                shown = "<br>".join(evidence(way, runs) for way in claim["shown"])
                out.append(f"| {cell(claim['what'])} | {shown} |")
        out.append("")
    out += ["## The runs", "", "| run | command | took | on | of the sources |", "|---|---|---|---|---|"]
    for one in said["run"]:
        it = runs.get(one["name"])
        took = [duration(it["seconds"]), it["date"], f"`{it['sources']['kernel']}`"] if it else ["not run", "", ""]
        out.append(f"| {one['name']} | `{cell(one['command'])}` | " + " | ".join(took) + " |")
    out += ["", "Sources are named by the git tree of `kernel/`: `git rev-parse HEAD:kernel` says whether it is today's.", ""]
    out += ["## What is not claimed", ""] + [f"- {' '.join(it.split())}" for it in said["not_claimed"]]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="ci/trust", description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", help="`page`: the page from what is kept; `check`: whether it is that; names of runs; all runs if left out")
    what = parser.parse_args().what
    said, runs = read(), kept()
    if what == ["check"]:
        if not PAGE.exists() or PAGE.read_text() != page(said, runs):
            fail("docs/TRUST.md is not what its runs and claims make; run ci/trust page")
        return
    if what != ["page"]:
        known = {one["name"]: one for one in said["run"]}
        if strangers := [name for name in what if name not in known]:
            fail(f"no run {strangers[0]}; there are {', '.join(known)}")
        check_committed()
        for name in what or known:
            runs[name] = run(known[name])
            RUNS.write_text(json.dumps(runs, indent=1, sort_keys=True) + "\n")
    PAGE.write_text(page(said, runs))


main()
