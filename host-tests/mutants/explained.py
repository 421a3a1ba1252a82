"""Mutants that no test notices, and why none can: `explained.toml`. Alone it checks that what that list names is still there.

A reason has entries. An entry names a file, a function and a line of it, and may name changes, in cargo-mutants' words from
their beginning on (`replace < with <=`); without a line it is for the whole function, without a function for all of that file
or folder.
"""
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
KEYS = {"file", "function", "line", "changes"}


def name_of(function):
    """`status` of `Coordinator<'a, P, D>::status`."""
    return re.sub(r"^.*::", "", function)


def fits(entry, mutant):
    return (mutant.file.startswith(entry["file"])
            and entry.get("function", name_of(mutant.function)) == name_of(mutant.function)
            and entry.get("line", mutant.line) == mutant.line
            and any(mutant.change.startswith(change) for change in entry.get("changes", [""])))


class Reasons:
    def __init__(self, reasons):
        self.reasons = reasons
        self.entries = [entry for reason in reasons for entry in reason["mutants"]]

    def of(self, mutant):
        return next((reason["why"] for reason in self.reasons if any(fits(entry, mutant) for entry in reason["mutants"])), None)


def read():
    return Reasons(tomllib.loads((HERE / "explained.toml").read_text())["because"])


def lines_of(path):
    """The lines of a file, each with the function whose beginning is the last one above it."""
    function = ""
    for line in path.read_text().splitlines():
        function = found[1] if (found := re.search(r"\bfn (\w+)", line)) else function
        yield function, line.strip()


def stale(root, entry):
    """What is no longer so of an entry."""
    if unknown := entry.keys() - KEYS:
        return f"unknown: {', '.join(sorted(unknown))}"
    path = root / entry["file"]
    if path.is_dir() and not {"function", "line"} & entry.keys():
        return None
    if not path.is_file():
        return "no such file"
    lines = list(lines_of(path))
    if "function" in entry and not any(function == entry["function"] for function, _ in lines):
        return f"no function {entry['function']}"
    if "line" in entry and (entry.get("function", ""), entry["line"]) not in lines:
        return f"no such line in {entry.get('function', 'the file')}: {entry['line']}"
    return None


def main():
    root = HERE.parents[1]
    entries = read().entries
    faults = [f"{entry.get('file')}: {fault}" for entry in entries if (fault := stale(root, entry))]
    for fault in faults:
        print(f"host-tests/mutants/explained.toml: {fault}", file=sys.stderr)
    if not faults:
        print(f"{len(entries)} explanations of mutants, none stale")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
