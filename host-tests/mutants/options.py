"""The options of `ci/deep/mutants`. Alone it only judges them, which needs nothing that has to be installed."""
import argparse
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those that may be judged again: what is left out or not viable is known from the build.
JUDGED = ["survived", "unreached", "open", "caught", "explained"]
MOST_JOBS = 1024


class Parser(argparse.ArgumentParser):
    def error(self, message):
        """One line, without the usage."""
        print(f"ci/deep/mutants: {message}; see ci/deep/mutants --help", file=sys.stderr)
        sys.exit(2)


def shard(text):
    found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    part, parts = map(int, found.groups()) if found else (0, 0)
    if not 1 <= part <= parts:
        raise argparse.ArgumentTypeError(f"`{text}` is not K/N with 1 <= K <= N, such as 2/8")
    return part, parts


def budget(text):
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds above 0")
    return seconds


def jobs(text):
    if not re.fullmatch(r"\d{1,9}", text) or not 1 <= int(text) <= MOST_JOBS:
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from 1 to {MOST_JOBS}")
    return int(text)


CHANGED = ["kernel/src", "coordinators/src"]


def prefix(text):
    files = (path.relative_to(ROOT).as_posix() for folder in CHANGED for path in (ROOT / folder).rglob("*.rs"))
    if not any(file.startswith(text) for file in files):
        raise argparse.ArgumentTypeError(f"no file of kernel or coordinators begins with `{text}`; one does with kernel/src/bits")
    return text


def read():
    parser = Parser(prog="ci/deep/mutants", allow_abbrev=False)
    parser.add_argument("--files", nargs="+", type=prefix, default=CHANGED, metavar="PREFIX")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="K/N")
    parser.add_argument("--again", nargs="+", choices=JUDGED, default=[], metavar="VERDICT")
    parser.add_argument("--budget", type=budget, default=120, metavar="SECONDS")
    parser.add_argument("--jobs", type=jobs, default=2)
    parser.add_argument("--summary", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    read()
