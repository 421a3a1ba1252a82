"""Plants defects in a copy of the kernel, all in one build, and sees which ways find each. `ci/deep/defects` says how to call it.

`defects.toml` names for each defect a file, the text that is there once, what stands there instead, and the ways that are to
find it: at least two. A way finds a defect if it passes without and fails with it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFECTS = pathlib.Path(__file__).with_name("defects.toml")
SWITCH = ROOT / "host-tests/mutants/switch.rs"
# Seconds for one way: what loops for ever is found, too.
PATIENCE = 600


def fail(why):
    sys.exit(f"ci/deep/defects: {why}")


def read():
    defects = tomllib.loads(DEFECTS.read_text())["defect"]
    for defect in defects:
        text = (ROOT / defect["file"]).read_text()
        if (times := text.count(defect["was"])) != 1:
            fail(f"{DEFECTS.name}: {defect['name']}: its text stands {times} times in {defect['file']}, not once")
        if len(defect["found_by"]) < 2:
            fail(f"{DEFECTS.name}: {defect['name']}: fewer than two ways are to find it")
    return defects


def put(path, content):
    """Writes what is different, so that cargo does not compile again what is the same."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def switched(number, defect):
    """The text with the defect while it is switched on."""
    was, instead = defect["was"], defect["instead"]
    both = f"if crate::mutant::on({number}) {{ {instead} }} else {{ {was} }}"
    return both if was.endswith(";") else f"({both})"


def write(copy, defects):
    """The sources with all defects in them."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    texts = {name: (ROOT / name).read_bytes() for name in files.split("\0") if name and (ROOT / name).is_file()}
    for number, defect in enumerate(defects):
        text = texts[defect["file"]].decode()
        texts[defect["file"]] = text.replace(defect["was"], switched(number, defect)).encode()
    lib = "kernel/src/lib.rs"
    head = b"#![feature(core_intrinsics, const_eval_select)]\n#![allow(internal_features)]\n"
    texts[lib] = head + texts[lib] + b"\npub mod mutant;\n"
    texts["coordinators/src/lib.rs"] += b"\nuse locox::mutant;\n"
    texts["kernel/src/mutant.rs"] = SWITCH.read_bytes() + f"const COUNT: usize = {len(defects)};\n".encode()
    for name, content in texts.items():
        put(copy / name, content)


def built(copy, target):
    """The programs that look for defects, by name."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTC_BOOTSTRAP": "locox", "CARGO_PROFILE_DEV_DEBUG": "0",
                   "RUSTFLAGS": "--cap-lints=allow"}
    made = {}
    for arguments in (
        ["test", "--no-run", "-p", "locox", "-p", "locox-coordinators", "-p", "locox-oracles", "--lib", "--tests"],
        ["build", "-p", "locox-oracles", "--example", "exhaust"],
        *([["build", "-p", "locox-storm"]] if (ROOT / "ci/deep/storm").exists() else []),
    ):
        done = subprocess.run(["cargo", *arguments, "--message-format=json"], cwd=copy, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode:
            errors = [it["message"]["rendered"] for it in told if it["reason"] == "compiler-message"]
            fail(f"cargo {' '.join(arguments)} fails:\n{''.join(errors)}{done.stderr[-3000:]}")
        for it in told:
            if it["reason"] == "compiler-artifact" and it["executable"]:
                package = pathlib.Path(it["manifest_path"]).parent
                made[f"{package.name} {it['target']['name']}"] = (it["executable"], package)
    return made


def passes(command, folder, number=None):
    environment = {**os.environ, "RUST_BACKTRACE": "0", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "true"}
    if number is not None:
        environment["LOCOX_MUTANT"] = str(number)
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    if number is None and done.returncode:
        fail(f"{' '.join(map(str, command))} fails without a defect:\n{(done.stdout + done.stderr)[-2000:]}")
    # A filter that names no test would find nothing, ever.
    if "running 0 tests" in done.stdout and not re.search(r"running [1-9]", done.stdout):
        fail(f"{' '.join(map(str, command))}: there is no such test")
    return done.returncode == 0


class Ways:
    """What may find a defect."""

    def __init__(self, made, folder):
        self.made, self.folder, self.sound = made, folder, {}

    def command(self, way, what, file):
        if way == "tests":
            # Those beside the code, and those of its interface.
            names = ("kernel locox", "kernel all") if file.startswith("kernel/") else ("coordinators all",)
            both = [self.made[name] for name in names]
            return ["bash", "-c", " && ".join(f"{executable} {what}" for executable, _ in both)], both[0][1]
        executable, package = self.made[{"in step": "oracles all", "enumeration": "oracles exhaust", "storm": "storm storm"}[way]]
        given = {"in step": [what], "enumeration": ["--quick", what], "storm": what.split()}[way]
        return [executable, *given], package

    def finds(self, number, defect, way, what):
        if way == "lemmas":
            return self.lemma_fails(defect, what)
        command, folder = self.command(way, what, defect["file"])
        if tuple(command) not in self.sound:
            self.sound[tuple(command)] = passes(command, folder)
        return not passes(command, folder, number)

    def lemma_fails(self, defect, what):
        """The solvers read sources, so they get some with the defect alone."""
        copy = self.folder / "lemmas"
        shutil.rmtree(copy, ignore_errors=True)
        for folder in ("kernel/src", "host-tests/lemmas"):
            shutil.copytree(ROOT / folder, copy / folder)
        command = [sys.executable, "host-tests/lemmas/prove.py", what]
        passes(command, copy)
        path = copy / defect["file"]
        path.write_text(path.read_text().replace(defect["was"], defect["instead"]))
        return not passes(command, copy, 0)


def part(defect):
    """What of the kernel a defect is planted in, as it is called on the command line."""
    return defect["name"].split(":")[0]


def main(parts):
    defects = read()
    if parts == ["--check"]:
        return
    known = {part(defect): defect for defect in defects}
    if strangers := [name for name in parts if name not in known]:
        what = "option is called" if strangers[0].startswith("-") else "defect is planted in"
        fail(f"no {what} {strangers[0]}; there are defects in {', '.join(known)}")
    # The solvers are installed, and see what is false.
    if subprocess.run(["ci/deep/lemmas", "decode"], cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
        fail("there are no solvers, by which some defects are to be found; see what ci/deep/lemmas says")
    chosen = [(number, defect) for number, defect in enumerate(defects) if not parts or part(defect) in parts]
    folder = pathlib.Path(os.environ["LOCOX_DEFECTS"])
    copy = folder / "copy"
    write(copy, defects)
    ways = Ways(built(copy, folder / "build"), folder)
    missed = 0
    for number, defect in chosen:
        found = {way: ways.finds(number, defect, way, what) for way, what in defect["found_by"].items()}
        seen = [way for way, it in found.items() if it]
        not_seen = [way for way, it in found.items() if not it]
        more = f"; not by {', '.join(not_seen)}" if not_seen else ""
        print(f"{defect['name']}: found by {', '.join(seen) or 'nothing'}{more}", flush=True)
        missed += len(seen) < 2
    if missed:
        fail(f"{missed} defects were found by fewer than two ways")
    print(f"{len(chosen)} planted defects, each found by at least two ways")


main(sys.argv[1:])
