#!/usr/bin/env python3
"""Shows that the panic check sees: panics put into the crates on purpose.

    canary.py plant COPY PLANTED LOCOX_JSON...    an index expression into one public function of each
                                                  file of the crates, in a copy of their sources
    canary.py check PLANTED JUDGED                what image.py says of it names each of them
"""
import pathlib, re, sys

from entries import Crates
from image import plain

PLANT = "_ = core::hint::black_box([0_u8; 2][core::hint::black_box(2_usize)]);"
# Where all functions are `const`, in which that does not compile: in this function this.
CONST = {
    "kernel/src/handle.rs": ("check", "_ = [0_u8; 2][now.raw() as usize];"),
    "kernel/src/time.rs": ("saturating_add", "_ = [0_u8; 2][after.ticks() as usize];"),
}


def line_of_body(lines, begin, const):
    """The line after which a function's statements stand; None if that cannot be told, or if the
    function is not of the kind wanted."""
    head = re.match(r"\s*(pub )?(const )?fn (\w+)", lines[begin])
    if not head or head[2] and head[3] != const:
        return None
    for at in range(begin, min(begin + 20, len(lines))):
        if lines[at].rstrip().endswith("{"):
            return at + 1
        if lines[at].rstrip().endswith((";", "}")):
            return None
    return None


def plant(copy, planted, *documents):
    done = {}
    for call, where in sorted(Crates(documents).entries, key=lambda entry: " as " in plain(entry[0])):
        file, _, line = where.partition(":")
        path = pathlib.Path(copy, file)
        if file in done or not where or not path.is_file():
            continue
        lines = path.read_text().splitlines(keepends=True)
        const, expression = CONST.get(file, ("", PLANT))
        at = line_of_body(lines, int(line) - 1, const)
        if at is None:
            continue
        lines.insert(at, expression + "\n")
        path.write_text("".join(lines))
        done[file] = plain(call)
    pathlib.Path(planted).write_text("".join(f"{file} {call}\n" for file, call in sorted(done.items())))


def check(planted, judged):
    planted = [line.split(" ", 1) for line in pathlib.Path(planted).read_text().splitlines()]
    judged = pathlib.Path(judged).read_text()
    named = "\n".join(re.findall(r"^    entry  .*$", judged, re.M))
    unnamed = [f"{call} ({file})" for file, call in planted if call not in named]
    if unnamed:
        sys.exit("\n".join(["canary.py: put in on purpose and not named:", *unnamed]))
    crates = sorted({file.split("/")[0] for file, _ in planted})
    print(f"{len(planted)} panics put in on purpose, in files of {', '.join(crates)}, are all named")


if __name__ == "__main__":
    {"plant": plant, "check": check}[sys.argv[1]](*sys.argv[2:])
