"""The lemmas that the kernel's sources state (`lemmas!`). Alone it only judges names, which needs nothing installed.

  python stated.py NAME...     fails unless each is a part of the name of a lemma
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALL = re.compile(r"^(?:crate::lemma::)?lemmas! \{\n(.*?)^\}$", re.M | re.S)
LEMMA = re.compile(r"(?P<name>\w+)\((?P<arguments>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*(?:if (?P<condition>.*?)\s)?=>\s(?P<holds>.*)", re.S)


class Lemma:
    def __init__(self, file, statement):
        found = LEMMA.fullmatch(statement)
        if not found:
            raise SystemExit(f"ci/deep/lemmas: {file}: no lemma: {statement}")
        self.file, self.name = file, found["name"]
        self.arguments = [re.fullmatch(r"(\w+): (\w+)(?: = (.*))?", one.strip(), re.S).groups()
                          for one in re.split(r",(?![^(]*\))", found["arguments"]) if one.strip()]
        self.condition, self.holds = found["condition"], found["holds"]


def lemmas_of(path):
    for call in CALL.findall(path.read_text()):
        body = re.sub(r"^\s*//.*$", "", call, flags=re.M)
        for statement in re.split(r";\n", body + "\n"):
            if statement.strip():
                yield Lemma(str(path.relative_to(ROOT)), statement.strip())


def every():
    files = sorted((ROOT / "kernel/src").rglob("*.rs"))
    return [lemma for path in files if path.name != "lemma.rs" for lemma in lemmas_of(path)]


def chosen(names):
    """The lemmas whose name contains one of these; all of them if there are none."""
    lemmas = every()
    for name in names:
        if name.startswith("-"):
            raise SystemExit(f"ci/deep/lemmas: no option is called `{name}`; it takes parts of names of lemmas")
        if not any(name in lemma.name for lemma in lemmas):
            known = ", ".join(lemma.name for lemma in lemmas)
            raise SystemExit(f"ci/deep/lemmas: no lemma has `{name}` in its name; there are {known}")
    return [lemma for lemma in lemmas if not names or any(name in lemma.name for name in names)]


if __name__ == "__main__":
    chosen(sys.argv[1:])
