"""How much stack a function of an image for Cortex-M takes at most, with all that it calls.

A frame is what the function's code pushes. Calls are those that the image has relocations for
(--emit-relocs), and those of oneself, which need none. A call through a pointer may reach each function to which the code called from here on
points, itself or by a table of functions, if it stands in that place of its table: what was called does not
get pointers from elsewhere. Of what NOT_NESTED names one is on its way at most, as whoever has the same place in
another table would else be taken for it. What calls itself has a bound where RECURSIONS says one.
"""

import bisect
import collections
import pathlib
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "no-panic"))
from image import FUNCTION, Image, readable

# Relocations of Thumb code: calls and jumps; halves of an address; a word of data.
CALLS, LOW, HIGH, WORD = (10, 30, 51), 47, 48, 2
# What calls itself, and how deep.
RECURSIONS = {
    # With a dimension fewer each time, from the ten of the pools that are measured to the five of a word.
    "locox::subcube::fold::Walk::first": 6,
    # To the six that are counted at once.
    "locox::subcube::counter::count": 5,
    # A window of 64 windows of 64 nodes.
    "locox::subcube::window::Windows::choose": 2,
    "locox::subcube::window::Windows::free": 2,
    "locox::subcube::window::Windows::leases": 2,
    # Down a tree of 64 jobs, of whose weight a side has three quarters at most, and below its leaves.
    "locox::dispatch::line::least_after": 14,
}
# Who calls through pointers that were stored before, and what.
STORED = {
    # A planner of jobs reaches its profile, if it has one, through a function that it was given.
    re.compile(r"<?locox::dispatch::backfill::.*"): re.compile(
        r"locox::dispatch::backfill::booked::open|.* as locox::dispatch::backfill::booked::Booked>::.*"
    ),
}
# What is called through pointers, and calls nothing that calls it.
NOT_NESTED = (
    # A search for a place in a timeline calls the choice, its mask and the policy. No load has one of those
    # search a timeline.
    re.compile(r"<.* as locox::reserve::search::best::Best<.*>>::start"),
)
# Where the stack pointer or the frame pointer leads to is no table.
STACK = (13, 7)
# Before the methods of a table: drop, size, alignment.
METHODS = 12
# From there nothing comes back.
PANICS = re.compile(
    r"core::panicking::.*|core::(option|result)::\w+_failed|core::slice::.*_fail|core::str::\w*_fail.*|"
    r"alloc::(alloc::handle_alloc_error|raw_vec::(capacity_overflow|handle_error))"
)


class Unbounded(Exception):
    pass


def plain(i, three, eight):
    """The constant that a wide subtraction has."""
    return i << 11 | three << 8 | eight


def modified(i, three, eight):
    """The same, where it is eight bits that are repeated or turned."""
    turned = plain(i, three, eight)
    if turned < 0x400:
        return eight * (1, 0x00010001, 0x01000100, 0x01010101)[turned >> 8]
    return (0x80 | eight & 0x7F) << (32 - (turned >> 7))


class Walk(Image):
    def __init__(self, path):
        super().__init__(path)
        shown = readable([symbol[0] for _, symbol in self.functions])
        self.names = {start: shown.get(symbol[0], symbol[0]) for start, symbol in self.functions}
        self.sizes = {start: symbol[2] for start, symbol in self.functions}
        self.marks = sorted((s[1] & ~1, s[0][1]) for s in self.symbols if s[0][:2] in ("$t", "$d"))
        self.called, self.mentioned = collections.defaultdict(set), collections.defaultdict(set)
        self.stored = {}
        self.read_relocations()
        # A call of oneself needs no relocation.
        for start in self.starts:
            if any(self.called_by(*it) == start for it in self.placed(start)):
                self.called[start].add(start)
        self.pointers = {start: self.slots_called(start) for start in self.starts}

    def read_relocations(self):
        """Who calls whom, which addresses code mentions, and which functions lie in data."""
        halves = {}
        for section in self.sections:
            if section[1] != 9 or not self.sections[section[7]][2] & 2:
                continue
            for at in range(section[4], section[4] + section[5], 8):
                offset, info = struct.unpack_from("<II", self.data, at)
                _, value, _, sort = self.symbols[info >> 8]
                caller, kind, target = self.function_at(offset), info & 0xFF, value & ~1
                if kind in CALLS and caller is not None:
                    self.called[caller].add(target)
                elif kind == LOW and caller is not None:
                    register, half = self.move(offset)
                    halves[caller, register] = half
                elif kind == HIGH and caller is not None:
                    register, half = self.move(offset)
                    self.mentioned[caller].add(half << 16 | halves.get((caller, register), 0))
                elif kind == WORD and caller is not None:
                    self.mentioned[caller].add(self.word(offset))
                elif kind == WORD and sort == FUNCTION:
                    self.stored[offset] = target

    def move(self, at):
        """Register and half of a word that a movw or movt has."""
        first, second = struct.unpack("<HH", struct.pack("<I", self.word(at)))
        half = (first & 15) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xFF
        return second >> 8 & 15, half

    def called_by(self, at, first, second):
        """What the instruction there calls by its place."""
        if second is None or first & 0xF800 != 0xF000 or second & 0xD000 != 0xD000:
            return None
        sign = first >> 10 & 1
        high = [~(second >> place ^ sign) & 1 for place in (13, 11)]
        offset = (high[0] << 23 | high[1] << 22 | (first & 0x3FF) << 12 | (second & 0x7FF) << 1) - (sign << 24)
        return at + 4 + offset

    def instructions(self, start):
        """First and second halfword of each instruction; what lies between as data is left out."""
        return ((first, second) for _, first, second in self.placed(start))

    def placed(self, start):
        """The same, each with its address."""
        at, end = start, start + self.sizes[start]
        while at < end:
            mark = bisect.bisect_right(self.marks, (at, "~")) - 1
            if mark >= 0 and self.marks[mark][1] == "d":
                at = self.marks[mark + 1][0] if mark + 1 < len(self.marks) else end
                continue
            word = self.word(at)
            first, second = word & 0xFFFF, word >> 16
            is_wide = first >> 11 in (0x1D, 0x1E, 0x1F)
            yield at, first, second if is_wide else None
            at += 4 if is_wide else 2

    def slots_called(self, start):
        """The places in tables that a function calls; None where that cannot be seen."""
        loaded, slots = {}, set()
        for first, second in self.instructions(start):
            if second is None and first & 0xF800 == 0x6800:
                loaded[first & 7] = (first >> 6 & 31) * 4 if first >> 3 & 7 not in STACK else None
            elif second is None and first & 0xF800 == 0x9800:
                loaded[first >> 8 & 7] = None
            elif second is None and first & 0xFF00 == 0x4600:
                loaded[first >> 4 & 8 | first & 7] = loaded.get(first >> 3 & 15)
            elif second is None and first & 0xFF07 == 0x4700 and first != 0x4770:
                slot = loaded.get(first >> 3 & 15)
                slots.add(slot if slot and slot >= METHODS else None)
            elif second is not None and first & 0xFFF0 == 0xF8D0:
                loaded[second >> 12] = second & 0xFFF if first & 15 not in STACK else None
            elif second is not None and first & 0xFF50 == 0xE950:
                offset = (second & 0xFF) * 4
                known = first & 15 not in STACK
                loaded[second >> 12] = offset if known else None
                loaded[second >> 8 & 15] = offset + 4 if known else None
        return slots

    def frame(self, function):
        """What all pushes and subtractions from the stack pointer add up to."""
        pushed = 0
        for first, second in self.instructions(function):
            if second is None and first & 0xFE00 == 0xB400:
                pushed += 4 * (first & 0x1FF).bit_count()
            elif second is None and first & 0xFF80 == 0xB080:
                pushed += 4 * (first & 0x7F)
            elif first == 0xE92D:
                pushed += 4 * second.bit_count()
            elif first == 0xF84D and second & 0xF00 == 0xD00:
                pushed += second & 0xFF
            elif first == 0xE96D:
                pushed += 4 * (second & 0xFF)
            elif first & 0xFFBF == 0xED2D and second & 0xE00 == 0xA00:
                pushed += 4 * (second & 0xFF)
            elif first & 0xFBFF in (0xF1AD, 0xF2AD) and second & 0x8F00 == 0x0D00:
                parts = first >> 10 & 1, second >> 12 & 7, second & 0xFF
                pushed += (modified if first & 0x200 == 0 else plain)(*parts)
            elif first == 0xEBAD and second & 0xF00 == 0xD00:
                raise Unbounded(f"{self.names[function]} takes as much as it is told to")
        return pushed

    def methods(self, address):
        """What lies in a table of functions at this address, by its place."""
        found, slot = {}, METHODS
        if self.word(address + 8) in (1, 2, 4, 8, 16):
            while address + slot in self.stored:
                found[slot] = self.stored[address + slot]
                slot += 4
        return found

    def pointed_to(self, functions):
        """Functions that pointers may point to which these functions make, by place in a table."""
        found = collections.defaultdict(set)
        for address in set().union(*(self.mentioned[function] for function in functions)):
            if address & 1 and address & ~1 in self.sizes:
                found[None].add(address & ~1)
            for slot, method in self.methods(address).items():
                found[slot].add(method)
        return found

    def next(self, function, targets):
        """What a function calls, and through pointers."""
        direct, through = set(self.called[function]), set()
        for slot in self.pointers[function]:
            # What lies in no table at this place was loaded from something else.
            through |= targets.get(slot) if targets.get(slot) and slot else set().union(*targets.values())
        for callers, called in STORED.items():
            if self.pointers[function] and callers.fullmatch(self.names[function]):
                through |= {f for f, name in self.names.items() if called.fullmatch(name)}
        comes_back = lambda found: {f for f in found if not PANICS.fullmatch(self.names.get(f, ""))}
        return comes_back(direct), comes_back(through)

    def reached(self, entry):
        """All functions that may be called, and what pointers may point to that they make."""
        targets, reached = {}, set()
        while True:
            before, reached, todo = len(reached), set(), [entry]
            while todo:
                function = todo.pop()
                if function not in reached:
                    reached.add(function)
                    todo += set().union(*self.next(function, targets))
            targets = self.pointed_to(reached)
            if len(reached) == before:
                return reached, targets

    def barred(self, functions, open_):
        """Those that are not called within what is on its way."""
        matches = lambda kind, f: kind.fullmatch(self.names.get(f, ""))
        kinds = [kind for kind in NOT_NESTED if any(matches(kind, f) for f, _ in open_)]
        return {f for f in functions if any(matches(kind, f) for kind in kinds)}

    def depth(self, entry):
        """Bytes at most; None and why if there is no bound."""
        reached, targets = self.reached(entry)
        lost = sorted(self.names[f] for f in reached if self.pointers[f] and not any(targets.values()))
        if lost:
            return None, f"{lost[0]} calls through a pointer from elsewhere"
        known, open_ = {}, []

        def deepest(function, by_pointer):
            """Bytes, and whether that holds whatever is on its way already."""
            if function in known:
                return known[function], True
            times = RECURSIONS.get(self.names[function], 1)
            direct, through = self.next(function, targets)
            if function in {f for f, _ in open_[last_pointer():]} or function in direct and times == 1:
                raise Unbounded(f"{self.names[function]} calls itself")
            open_.append((function, by_pointer))
            # A closure is borrowed while it runs, so it is not called from within itself.
            busy = {f for f, _ in open_} | self.barred(through, open_)
            below, whole = 0, not through & busy
            calls = [(f, False) for f in direct - {function}] + [(f, True) for f in through - busy]
            for called in calls:
                bytes_, always = deepest(*called)
                below, whole = max(below, bytes_), whole and always
            open_.pop()
            bytes_ = times * self.frame(function) + below
            if whole:
                known[function] = bytes_
            return bytes_, whole

        def last_pointer():
            return max((at for at, (_, by_pointer) in enumerate(open_) if by_pointer), default=0)

        try:
            return deepest(entry, True)[0], ""
        except Unbounded as why:
            return None, str(why)
