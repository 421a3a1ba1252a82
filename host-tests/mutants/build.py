"""A copy of the kernel with all mutants in it, and the tests of the copy. What does not compile is left out."""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess

import schemata

HERE = pathlib.Path(__file__).resolve().parent
# Crates that are changed; and those whose tests drive them quickly.
CHANGED = ["kernel", "coordinators"]
MEMBERS = [*CHANGED, "storage", "host-tests/recorded", "host-tests/oracles"]
# What their tests read.
READ = ["docs/guide"]
PACKAGES = "-p locox -p locox-coordinators -p locox-oracles -p locox-recorded".split()
FEATURES = ["--features", "locox/embedded-hal,locox/bitvec,locox/serde"]
# How the reason begins for which a mutant that does not compile is not in the build.
UNVIABLE = "does not compile:"
# A failure is enough: the least one and a file about it are of no use here, and few cases find as much as many.
PATCHES = {
    "host-tests/oracles/tests/all/runner.rs": [
        (r"let cases = cases \* times;", "let cases = (cases * times / 16).max(4);"),
        (r"max_shrink_iters: \d+", "max_shrink_iters: 0"),
        (r"failure_persistence: Some\(.*\)", "failure_persistence: None"),
    ],
}
MARK = re.compile(r"/\*<(\d+)\*/.*?/\*>\1\*/", re.S)


def put(path, text):
    """Writes what is different, so that cargo does not compile again what is the same."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Build:
    def __init__(self, root, folder, mutants):
        self.root, self.copy, self.target = pathlib.Path(root), folder / "copy", folder / "build"
        self.mutants = mutants
        # By number: why it is not in the build.
        self.left_out = {}
        self.texts = {}

    def environment(self):
        return {**os.environ, "CARGO_TARGET_DIR": str(self.target), "RUSTC_BOOTSTRAP": "locox", "CARGO_INCREMENTAL": "0",
                "CARGO_PROFILE_DEV_DEBUG": "0", "RUSTFLAGS": "--cap-lints=allow"}

    def write(self):
        """The workspace with the kernel's files rewritten."""
        for member in MEMBERS + READ:
            for path in (self.root / member).rglob("*"):
                if path.is_file():
                    to = self.copy / path.relative_to(self.root)
                    if path.suffix == ".rs":
                        if not any(path.is_relative_to(self.root / crate / "src") for crate in CHANGED):
                            text = path.read_text()
                            for old, new in PATCHES.get(str(path.relative_to(self.root)), []):
                                text = re.sub(old, new, text)
                            put(to, text)
                    elif not to.exists() or to.read_bytes() != path.read_bytes():
                        to.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(path, to)
        manifest = (self.root / "Cargo.toml").read_text()
        members = "members = " + json.dumps(MEMBERS)
        manifest = re.sub(r"^members = .*$", members, manifest, flags=re.M)
        manifest = re.sub(r"^default-members = .*$", "default-" + members, manifest, flags=re.M)
        # Packages that are not there have no profile.
        manifest = re.sub(r"^\[profile\.(?!dev).*?(?=^\[|\Z)", "", manifest, flags=re.M | re.S)
        put(self.copy / "Cargo.toml", manifest)
        if not (self.copy / "Cargo.lock").exists():
            shutil.copyfile(self.root / "Cargo.lock", self.copy / "Cargo.lock")
        self.write_kernel()

    def write_kernel(self):
        by_file = collections.defaultdict(list)
        for mutant in self.mutants:
            by_file[mutant.file].append(mutant)
        for path in sorted(path for crate in CHANGED for path in (self.root / crate / "src").rglob("*.rs")):
            name = str(path.relative_to(self.root))
            text = path.read_text()
            if name in by_file:
                file = schemata.File(path.read_bytes())
                for mutant in by_file[name]:
                    if mutant.number not in self.left_out:
                        try:
                            file.add(mutant)
                        except schemata.Elsewhere as why:
                            self.left_out[mutant.number] = str(why)
                text = file.whole()
            if name == "kernel/src/lib.rs":
                text = "#![feature(core_intrinsics, const_eval_select)]\n" + text + "\npub mod mutant;\n"
            elif name == "coordinators/src/lib.rs":
                text += "\nuse locox::mutant;\n"
            self.texts[name] = text.encode()
            put(self.copy / name, text)
        count = f"const COUNT: usize = {len(self.mutants)};\n"
        put(self.copy / "kernel/src/mutant.rs", (HERE / "switch.rs").read_text() + count)

    def cargo(self, *arguments):
        told = subprocess.run(["cargo", *arguments, *FEATURES, "--message-format=json"], cwd=self.copy, text=True,
                              env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        messages = [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]
        if told.returncode and not any(it["reason"] == "compiler-message" for it in messages):
            raise SystemExit(told.stderr)
        return told.returncode, messages, told.stderr

    def viable(self):
        """Leaves mutants out until the rest compiles."""
        for profile in ("dev", "test"):
            while self.faulty(profile):
                pass

    def faulty(self, profile):
        self.write()
        code, messages, told = self.cargo("check", "-p", "locox", "-p", "locox-coordinators", "--lib", "--profile", profile)
        if not code:
            return False
        marks = {name: [(found.start(), found.end(), int(found[1])) for found in MARK.finditer(text.decode("latin-1"))]
                 for name, text in self.texts.items()}
        before = len(self.left_out)
        for message in messages:
            if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
                self.blame(message["message"], marks)
        print(f"{len(self.left_out) - before} mutants do not compile", flush=True)
        if len(self.left_out) == before:
            raise SystemExit(told)
        return True

    def blame(self, error, marks):
        spans = sorted(error["spans"], key=lambda span: not span["is_primary"])
        code = (error["code"] or {}).get("code", "")
        for span in spans:
            name = os.path.relpath(os.path.join(self.copy, span["file_name"]), self.copy)
            guilty = [number for start, end, number in marks.get(name, [])
                      if span["byte_start"] < end and start < span["byte_end"]]
            # A span that covers several names none of them.
            if len(guilty) == 1:
                self.left_out[guilty[0]] = f"{UNVIABLE} {code} {error['message']}"
                return
        for span in spans:
            name = os.path.relpath(os.path.join(self.copy, span["file_name"]), self.copy)
            near = sorted(marks.get(name, []), key=lambda mark: abs(mark[0] - span["byte_start"]))
            if near:
                self.left_out[near[0][2]] = f"{UNVIABLE} {code} {error['message']}, near it"
                return

    def tests(self):
        """The test binaries, each with the folder in which it runs."""
        code, messages, told = self.cargo("test", "--no-run", *PACKAGES, "--lib", "--tests")
        if code:
            raise SystemExit("".join(it["message"]["rendered"] for it in messages if it["reason"] == "compiler-message") + told)
        return [(it["executable"], os.path.dirname(it["manifest_path"])) for it in messages
                if it["reason"] == "compiler-artifact" and it["profile"]["test"] and it["executable"]]
