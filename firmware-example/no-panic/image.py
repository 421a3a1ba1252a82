#!/usr/bin/env python3
"""Judges the linked image of the panic check.

    image.py ELF ENTRIES_RS [--every]

The image is linked with --emit-relocs and with the function that the panic handler calls at address
0. Who refers to what is read from the relocations, so nothing is disassembled and every target is
alike. Fails if an entry is not in the image, and if anything in it refers to the handler's function;
then says which functions of the crates reach a panic, where in the sources, and by which entries.
With `--every` it also fails if something is let be that is not there.
"""
import bisect, collections, re, shutil, struct, subprocess, sys

HANDLER = "a_public_entry_can_panic"
FUNCTION, OBJECT = 2, 1
# Panics of others' code that no call can bring about: what is called, by whom, and why it holds; the
# rest of what their callers do is looked at. Those of core are in what `{:?}` prints. That of postcard
# is left in at level z only, and `locox_bank::encode` reaches it, and so each `SerialServer` that says something.
STR_DEBUG = r"<(&T|str) as core::fmt::Debug>::fmt"
POSTCARD = "|".join([
    r".*postcard::ser::serializer::Serializer<F>.*", r".*<impl serde_core::ser::Serialize for .*>::serialize",
    r"locox_bank::frame::encode",
])
LET_BE = [
    (r"core::panicking::assert_failed.*", r"<core::fmt::Formatter>::debug_\w+_fields_finish",
     "asserts that the two tables which a derived Debug of six fields or more gives are of one length"),
    (r"core::.*", r"<char>::escape_debug_ext", "slices an array of its own at the length that it wrote"),
    (r"core::str::slice_error_fail", STR_DEBUG, "slices a text where it has just found a character"),
    (r"(core::array::<impl core::ops::index::IndexMut|<core::ops::range::RangeToInclusive<usize> as ).*::index_mut", POSTCARD,
     "slices the bytes of a varint at the one that it has just written"),
]


class Image:
    def __init__(self, path):
        self.path = path
        self.data = open(path, "rb").read()
        assert self.data[:6] == b"\x7fELF\x01\x01", "32-bit little-endian ELF"
        offset, = struct.unpack_from("<I", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 46)
        self.sections = [struct.unpack_from("<10I", self.data, offset + size * at) for at in range(count)]
        self.symbols = self.read_symbols()
        functions = [s for s in self.symbols if s[3] == FUNCTION and s[2]]
        # Bit 0 of an address says Thumb.
        self.functions = sorted({s[1] & ~1: s for s in reversed(functions)}.items())
        self.starts = [start for start, _ in self.functions]
        self.references = list(self.read_references())

    def read_symbols(self):
        table = next(s for s in self.sections if s[1] == 2)
        names = self.sections[table[6]]
        symbols = []
        for at in range(table[4], table[4] + table[5], 16):
            name, value, size, info, _, _ = struct.unpack_from("<IIIBBH", self.data, at)
            end = self.data.index(b"\0", names[4] + name)
            symbols.append((self.data[names[4] + name:end].decode(), value, size, info & 15))
        return symbols

    def read_references(self):
        """From where, and to which symbol. RELA (RISC-V) has a third word."""
        for section in self.sections:
            width = {9: 8, 4: 12}.get(section[1])
            # Only what is loaded: debugging data refers to everything.
            if not width or not self.sections[section[7]][2] & 2:
                continue
            for at in range(section[4], section[4] + section[5], width):
                offset, info = struct.unpack_from("<II", self.data, at)
                yield offset, self.symbols[info >> 8]

    def function_at(self, address):
        at = bisect.bisect_right(self.starts, address & ~1) - 1
        if at < 0:
            return None
        start, symbol = self.functions[at]
        return start if (address & ~1) < start + symbol[2] else None

    def word(self, address):
        for section in self.sections:
            if section[2] & 2 and section[1] != 8 and section[3] <= address < section[3] + section[5]:
                return struct.unpack_from("<I", self.data, section[4] + address - section[3])[0]
        return 0

    def callers(self):
        """For each function, who refers to it and from where; and who refers to the handler's."""
        found, handler = collections.defaultdict(set), set()
        for offset, (name, value, _, kind) in self.references:
            caller = self.function_at(offset)
            if name == HANDLER:
                handler.add((caller, offset))
            elif kind == FUNCTION and caller is not None and caller != value & ~1:
                found[value & ~1].add((caller, offset))
        return found, handler


def readable(names):
    """Names as in the source, where c++filt knows Rust's."""
    if not shutil.which("c++filt"):
        return dict(zip(names, names))
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True)
    shown = [re.sub(r"\[[0-9a-f]+\]|::h[0-9a-f]{16}", "", line) for line in done.stdout.splitlines()]
    return dict(zip(names, shown))


def is_own(name):
    return re.match(r"<*(&mut |&|dyn )*locox(_storage|_bank)?::", name) is not None


def let_be(called, caller):
    """Which of those panics that is, if one."""
    found = (at for at, (a, b, _) in enumerate(LET_BE) if re.fullmatch(a, called) and re.fullmatch(b, caller))
    return next(found, None)


def sources(path, addresses):
    """The places in the crates' sources that became these instructions, inlining undone."""
    tool = next((t for t in ("llvm-symbolizer", "addr2line") if shutil.which(t)), None)
    if not tool or not addresses:
        return []
    command = [tool, "-e", path, "-i", "-f", *(["--output-style=GNU"] if tool.startswith("llvm") else [])]
    done = subprocess.run([*command, *map(hex, addresses)], capture_output=True, text=True)
    found = re.findall(r"(?:kernel|storage|bank)/src/\S+?:\d+", done.stdout)
    return list(dict.fromkeys(found))


def main(path, listing, every=""):
    lines = [line for line in open(listing) if line.startswith("    ")]
    entries = [line.strip().split(", //")[0].rstrip(",") for line in lines]
    image = Image(path)
    table = [s for s in image.symbols if s[3] == OBJECT and "ENTRIES" in s[0]]
    if len(table) != 1 or table[0][2] != 4 * len(entries):
        sys.exit("image.py: the table of entries is not in the image as it was written")
    slots = [image.function_at(image.word(table[0][1] + 4 * at)) for at in range(len(entries))]
    missing = [entry for entry, slot in zip(entries, slots) if slot is None]
    if missing:
        sys.exit("\n".join(f"image.py: not in the image: {entry}" for entry in missing))
    callers, handler = image.callers()
    mangled = {start: symbol[0] for start, symbol in image.functions}
    shown = readable(list(mangled.values()))
    name = lambda function: shown.get(mangled.get(function), "?")
    bad, used = report(image, callers, handler, entries, slots, name)
    unused = [why for at, (_, _, why) in enumerate(LET_BE) if at not in used] if every else []
    for why in unused:
        print(f"  nothing is met that is let be as it {why}: take it out of LET_BE")
    if bad or unused:
        sys.exit(1)
    of = collections.Counter(crate_of(entry) for entry in entries)
    each = ", ".join(f"{count} of {crate}" for crate, count in of.most_common())
    print(f"{len(entries)} entries in the image ({each}), none reaches a panic")


def report(image, callers, handler, entries, slots, name):
    entries_at = collections.defaultdict(list)
    for entry, slot in zip(entries, slots):
        entries_at[slot].append(plain(entry))

    # Upwards from the panic to the first function of the crates, or to an entry.
    culprits, tables, seen, used = collections.defaultdict(set), [], set(), set()
    todo = [caller for caller, _ in handler]
    while todo:
        function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        for caller, offset in callers[function]:
            rule = let_be(name(function), name(caller))
            if rule is not None:
                used.add(rule)
            elif is_own(name(caller)) or caller in entries_at:
                culprits[caller].add((offset, name(function)))
            else:
                todo.append(caller)
        if function in entries_at:
            culprits[function] |= set()
        elif not callers[function]:
            tables.append(name(function))

    for culprit, calls in sorted(culprits.items(), key=lambda pair: name(pair[0])):
        # What is called as the culprit is comes first: an iterator's function is inside another.
        own = bare(name(culprit))
        by = list(dict.fromkeys(entries_above(culprit, callers, entries_at)))
        by.sort(key=lambda entry: bare(entry) != own)
        places = sources(image.path, sorted(offset for offset, _ in calls))
        print(f"  {name(culprit)}")
        print(f"    calls  {', '.join(sorted({call for _, call in calls}))}")
        if places:
            print(f"    at     {', '.join(places)}")
        more = f" and {len(by) - 3} more" if len(by) > 3 else ""
        print(f"    entry  {', '.join(by[:3])}{more}")
    for function in sorted(tables):
        print(f"  {function}\n    is called through a table of functions")
    return culprits or tables, used


def plain(entry):
    """Which function an entry is, without what it takes to point to it."""
    return re.sub(r"^Entry\((.*) as \*const \(\)\)$|^\w+?_\d(?:::<.*?_>)?\((.*)\)$", r"\1\2", entry)


def crate_of(entry):
    """The crate whose function or type an entry is: the first that it names."""
    return re.search(r"\b(locox\w*)::", plain(entry))[1]


def bare(name):
    """The last word of a function's name, without what stands in angle brackets."""
    shorter = re.sub(r"<[^<>]*>", "", name.replace("->", ""))
    return bare(shorter) if shorter != name else name.rstrip(":").rsplit("::", 1)[-1]


def entries_above(function, callers, entries_at):
    found, seen, todo = [], {function}, collections.deque([function])
    while todo:
        at = todo.popleft()
        found += entries_at.get(at, [])
        for caller, _ in sorted(callers[at]):
            if caller not in seen:
                seen.add(caller)
                todo.append(caller)
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
