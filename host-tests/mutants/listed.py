"""The mutants of kernel and coordinators, as cargo-mutants lists them, each with a key that outlives changes elsewhere in its file."""
import collections
import dataclasses
import hashlib
import json
import pathlib
import re
import subprocess


@dataclasses.dataclass
class Mutant:
    number: int
    file: str
    function: str
    # What is changed, in cargo-mutants' words, without the place.
    change: str
    genre: str
    replacement: str
    # Bytes of the file.
    start: int
    end: int
    # The text of the line on which it begins.
    line: str
    key: str

    @property
    def folder(self):
        """`bits` of `kernel/src/bits/set.rs`, `slab.rs` of `kernel/src/slab.rs`."""
        return self.file.split("/")[2]

    @property
    def is_constant(self):
        """Whether it changes a constant, which is computed when the kernel is compiled: it cannot be switched on."""
        return not self.function

    def __str__(self):
        return f"{self.file}: {self.change}: {self.line}"


def places(source):
    """A function from lines and columns, which count from one and in characters, to bytes."""
    lines = source.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def at(place):
        row = place["line"] - 1
        return starts[row] + len(lines[row].decode()[:place["column"] - 1].encode())

    return at


def read(root):
    """All mutants of kernel and coordinators under `root`."""
    told = subprocess.run(["cargo", "mutants", "--list", "--json", "-p", "locox", "-p", "locox-coordinators"], cwd=root, check=True,
                          stdout=subprocess.PIPE)
    sources, seen, found = {}, collections.Counter(), []
    for number, it in enumerate(json.loads(told.stdout)):
        file, function = it["file"], it["function"]
        if file not in sources:
            source = (pathlib.Path(root) / file).read_bytes()
            sources[file] = source, places(source)
        source, at = sources[file]
        start, end = at(it["span"]["start"]), at(it["span"]["end"])
        line = source[source.rfind(b"\n", 0, start) + 1:].split(b"\n", 1)[0].strip()
        change = re.sub(r"^.*?:\d+:\d+: ", "", it["name"])
        # A constant is in no function.
        text = source[at(function["span"]["start"]):at(function["span"]["end"])] if function else line
        # Twice the same change in a function: the first and the second.
        digest = hashlib.sha256(f"{file} {change} ".encode() + text).hexdigest()[:16]
        seen[digest] += 1
        found.append(Mutant(number, file, function["function_name"] if function else "", change, it["genre"], it["replacement"], start,
                            end, line.decode(), f"{digest}-{seen[digest]}"))
    return found
