#!/usr/bin/env python3
"""Writes the entries of the panic check from what rustdoc says of the kernel and of crates over it.

    entries.py ENTRIES_RS LOCOX_JSON...

An entry for each public function, each method of a public type, and each method of a trait, of one
of these crates or a foreign one, that a public type has. What is generic is taken with the types
below; a generic one that they do not cover is an error with its name. Items are called there as from
outside; those of the kernel without its name.
"""
import itertools, json, re, sys

WORDS, ARRAY = "&'static mut [usize]", "[usize; 64]"
STRATEGIES = ["Buddy", "GrayCode", "Lists<true>", "Lists<false>", "Complete"]
STRATEGIES = [f"locox::subcube::{name}" for name in STRATEGIES]
BY_MAP = [STRATEGIES[at] for at in (0, 1, 4)]
MACHINES = ["locox::machine::Count", "locox::machine::Tree<'static, 2>", "locox::grid::Boxes"]
MACHINES += ["locox::accelerator::Table<'static>", *(f"locox::subcube::Subcubes<{name}>" for name in BY_MAP)]
NUMBERED = [MACHINES[1], MACHINES[2], *MACHINES[4:]]
MACHINES += ["locox::nodes::Nodes<'static, 2>"]
ORDERS = ["()", "u32"]
PLACEMENTS = [f"locox::timeshare::FirstLevel<{o}>" for o in ORDERS]
PLACEMENTS += ["locox::timeshare::NonInterfering"]
DISCIPLINES = [f"locox::dispatch::{name}" for name in ("Fcfs", "Window", "Scan", "Lazy")]
BACKFILL = ["locox::dispatch::Easy"] + [f"locox::dispatch::Conservative<{words}>" for words in (WORDS, ARRAY)]
PLANNED = "fn(&locox::dispatch::Job) -> u32"
PROMISES = ("locox::machine::Count", PLANNED, "&'static mut [locox::machine::Held<u32>]", "&'static mut [u32]")
BOXES = "fn(&locox::dispatch::Job) -> locox::grid::BoxRequest<'static>"
PROMISED = [PROMISES, ("locox::grid::Boxes", BOXES, "&'static mut [locox::machine::Held<locox::grid::Cuboid>]", "&'static mut [u64]")]
FUNCTIONS = [f"locox::fair::{name}" for name in ("Condor", "Linear", "Saturating")]
INDICES = "locox::fair::ScheduleIndex"
TABLES = [f"locox::fair::UpDown<&'static mut [{INDICES}], {f}, {t}>" for f in FUNCTIONS for t in ORDERS]
TIMED = "locox::fair::TimedUpDown<&'static mut [locox::fair::TimedRow]>"
FAIR = [*TABLES, TIMED, "locox::fair::RoundRobin", "locox::fair::Random"]
STATION = "locox_coordinators::station::Slices<'static>"
STATIONS = [f"locox_coordinators::station::Coordinator<{f}, {STATION}>" for f in FAIR]
SITE, HOST_PART = "locox_coordinators::site::Coordinator<'static>", "locox_coordinators::cluster::HostPart"
CLUSTERS = [f"locox_coordinators::cluster::Coordinator<'static, {p}>" for p in PLACEMENTS]
QUEUED = [(PLACEMENTS[-1], d) for d in DISCIPLINES[1:]]
MANAGER = "locox_coordinators::manager::Coordinator<'static>"
COORDINATORS = [*STATIONS, SITE, HOST_PART, *CLUSTERS, MANAGER]
# What a store does is the same for each of a kind.
KEPT = [STATIONS[len(TABLES)], STATIONS[-1], SITE, HOST_PART, CLUSTERS[-1], MANAGER]
BANK, FLASH = "locox_bank::Bank<'static>", "locox_storage::Flash<medium::Medium>"
MAPPERS = ["Olb", "BestAssignment", "MinMin", "MaxMin", "Sufferage", "Duplex", "Pjs", "Genetic"]
MAPPERS = [f"locox::mapping::{name}" for name in MAPPERS]
CHOICES = [f"locox::reserve::{name}" for name in ("Lowest", "Contiguous", "AlignedSubcube")]
STORED = ["locox_coordinators::station::Command", "locox_coordinators::site::Command", "locox_coordinators::cluster::Command"]
STORED += ["locox_coordinators::station::Effect"]
PIN, DELAY, FAULT = "doubles::Pin", "doubles::Delay", "doubles::Fault"
FLASH = "locox_storage::Flash<medium::Medium>"
BANK = "locox_bank::Bank<'static>"


ROWS = "locox_coordinators::station::JobRow"


def combinations(*choices):
    return list(itertools.product(*choices))


# The arguments of each generic type: over borrowed storage, and with what it owns, as a constant
# constructor and what is derived want it.
BORROWED = {
    "bits::BitSet": [(WORDS,)],
    "locox_coordinators::cluster::Coordinator": [*combinations(PLACEMENTS, DISCIPLINES[:1]), *QUEUED],
    "locox_coordinators::cluster::Arrays": [("8", "4", "8", "16")],
    "locox_coordinators::coordinate::Durable": combinations(COORDINATORS),
    "locox_coordinators::coordinate::CommandRecord": [("locox_coordinators::station::Command", "u32")],
    "locox_coordinators::coordinate::EffectRecord": [("locox_coordinators::station::Effect",)],
    "error::Error": [("locox::subcube::Refusal", "locox::handle::Misuse")],
    "dispatch::Backfill": [
        (p, "&'static mut [locox::dispatch::Entry]")
        for p in [*BACKFILL[:2], *(f"locox::dispatch::Promises<{', '.join(of)}>" for of in PROMISED)]
    ],
    "dispatch::Conservative": [(WORDS,)],
    "dispatch::Promises": PROMISED,
    "dispatch::JobSlot": [("()",)],
    "dispatch::Ordered": [(d, "&'static mut [locox::dispatch::Slot]") for d in DISCIPLINES],
    "dispatch::UserLimit": [
        (f"locox::dispatch::Backfill<{BACKFILL[0]}, &'static mut [locox::dispatch::Entry]>", "fn(u32) -> u32",
         "&'static mut [locox::dispatch::UserRow]")
    ],
    "fair::TimedUpDown": [("&'static mut [locox::fair::TimedRow]",)],
    "fair::UpDown": combinations([f"&'static mut [{INDICES}]"], FUNCTIONS, ORDERS),
    "grid::GridPool": [("&'static mut [u64]",)],
    "ground::HeldRows": [("u32",)],
    "ground::Reader": [("&'static mut dyn Iterator<Item = u32>",)],
    "locox_coordinators::manager::Arrays": [("8", "4", "8", "24", "1")],
    "machine::Held": [("u32",)],
    "machine::Move": [("locox::grid::Cuboid",), ("locox::cube::Subcube",)],
    "machine::Plan": [("locox::grid::Cuboid",), ("locox::cube::Subcube",)],
    "machine::Stake": [("u32",)],
    "machine::Tenant": [("locox::cube::Dim", "locox::cube::Subcube")],
    "machine::Timetable": combinations(MACHINES),
    "machine::Tree": [("2",)],
    "mapping::ByEnd": [("false",), ("true",)],
    "mapping::Experience": [("&'static mut [locox::mapping::Runs]",)],
    "mesh::MeshPool": combinations(STRATEGIES, [WORDS]),
    "node::DriverError": [(FAULT,)],
    "node::NodeDriver": [(PIN, PIN, DELAY)],
    "node::Polled": [(FAULT, FAULT)],
    "nodes::NodeLease": [("2",)],
    "nodes::NodePlace": [("2",)],
    "nodes::NodePool": [("2", "&'static mut [locox::nodes::NodeRow<2>]", "&'static mut [u32]")],
    "nodes::Nodes": [("2",)],
    "nodes::PlaceRow": [("locox::nodes::NodePlace<2>",)],
    "reserve::Attempt": [("true",), ("false",)],
    "reserve::Candidates": [("true",), ("false",)],
    "reserve::Masked": combinations(CHOICES),
    "reserve::Profile": [(WORDS,)],
    "reserve::Timeline": [(WORDS,)],
    "reserve::Together": combinations(NUMBERED),
    "locox_coordinators::site::Arrays": [("8", "2", "3", "2", "2", "2", "1", "5")],
    "locox_coordinators::station::Coordinator": [(f, STATION) for f in FAIR],
    "locox_coordinators::station::Columns": [STATION],
    "subcube::Lists": [("true",), ("false",)],
    "subcube::Pool": combinations(STRATEGIES, [WORDS]),
    "subcube::Start": combinations(STRATEGIES),
    "subcube::Starts": combinations(STRATEGIES),
    "subcube::Subcubes": combinations(BY_MAP),
    "timeshare::FirstLevel": combinations(ORDERS),
    "timeshare::Columns": ["locox::timeshare::Slices<'static>"],
    "timeshare::Table": [("locox::timeshare::Slices<'static>",)],
    "locox_bank::SerialServer": [(FLASH,)],
    "locox_bank::Hosts": [(PIN, PIN, DELAY, "8")],
    "locox_storage::ApplyError": [("locox_bank::Error", f"locox_storage::StoreError<{FAULT}>")],
    "locox_storage::StoreError": [(FAULT,)],
    "locox_storage::Flash": [("medium::Medium",)],
    "locox_storage::DurableCoordinator": combinations([*KEPT, BANK], [FLASH]),
    "locox_storage::Batch": combinations(KEPT, [FLASH]),
}
OWNED = {
    "locox_coordinators::coordinate::Durable": [("locox_coordinators::cluster::HostPart",)],
    "bits::BitSet": [(ARRAY,)],
    "dispatch::Backfill": [(p, "[locox::dispatch::Entry; 4]") for p in (BACKFILL[0], BACKFILL[2])],
    "dispatch::Conservative": [(ARRAY,)],
    "dispatch::Promises": [(*PROMISES[:2], "[locox::machine::Held<u32>; 9]", "[u32; 2]")],
    "dispatch::Ordered": [(d, "[locox::dispatch::Slot; 4]") for d in DISCIPLINES],
    "dispatch::UserLimit": [
        (f"locox::dispatch::Ordered<{DISCIPLINES[0]}, [locox::dispatch::Slot; 4]>", "fn(u32) -> u32",
         "[locox::dispatch::UserRow; 4]")
    ],
    "fair::TimedUpDown": [("[locox::fair::TimedRow; 4]",)],
    "fair::UpDown": [(f"[{INDICES}; 4]", "locox::fair::Condor", t) for t in ORDERS],
    "grid::GridPool": [("[u64; 64]",)],
    "mapping::Experience": [("[locox::mapping::Runs; 4]",)],
    "mesh::MeshPool": combinations(STRATEGIES, [ARRAY]),
    "nodes::NodePool": [("2", "[locox::nodes::NodeRow<2>; 4]", "[u32; 64]")],
    "reserve::Profile": [(ARRAY,)],
    "reserve::Timeline": [(ARRAY,)],
    "locox_coordinators::station::Coordinator": [
        (f"locox::fair::UpDown<[{INDICES}; 4]>", "locox_coordinators::station::Arrays<4, 6, 8, 4>"),
        ("locox::fair::TimedUpDown<[locox::fair::TimedRow; 4]>", "locox_coordinators::station::Arrays<4, 6, 8, 4>"),
    ],
    "locox_coordinators::station::Columns": ["locox_coordinators::station::Arrays<4, 6, 8, 4>"],
    "subcube::Pool": combinations(STRATEGIES, [ARRAY]),
    "timeshare::Columns": ["locox::timeshare::Arrays<8, 4, 8, 16>"],
    "timeshare::Table": [("locox::timeshare::Arrays<8, 4, 8, 16>",)],
    "locox_storage::DurableCoordinator": [(HOST_PART, FLASH)],
}
# The arguments of generic functions.
GENERIC = {
    "bits::BitSet::*": [("&'static [usize]",)],
    "locox_coordinators::coordinate::Record::of_command": [(c, "u32") for c in STORED[:3]],
    "locox_coordinators::coordinate::Record::of_joined": [(c, "u32") for c in STORED[:3]],
    "locox_coordinators::coordinate::Record::of_effect": [(e,) for e in STORED[3:]],
    "locox_coordinators::coordinate::Record::command": [(c, "u32") for c in STORED[:3]],
    "locox_coordinators::coordinate::Record::effect": [(e,) for e in STORED[3:]],
    "dispatch::Backfill::estimate": [(WORDS,)],
    "dispatch::Backfill::new_static": [("8",)],
    "first_of": [("&'static mut dyn Iterator<Item = locox::fair::StationId>",)],
    "fair::Round::*": [(f,) for f in FAIR],
    "ground::heap::insert": [("locox::fair::TimedRow",)],
    "ground::heap::remove": [("locox::fair::TimedRow",)],
    "ground::heap::is_sound": [("locox::fair::TimedRow",)],
    "ground::load_all": [("u32",)],
    "ground::copy": [("u32",)],
    "ground::put": [("u32",)],
    "ground::edit": [(ROWS,)],
    "ground::sort_backwards": [("u32",)],
    "ground::List::*": [(ROWS,)],
    "dispatch::Backfill::estimate_at": [(WORDS,)],
    "grid::GridPool::withdraw": [("fn(locox::grid::BoxLease)",)],
    "locox_coordinators::manager::Coordinator::estimate": [(WORDS,)],
    "grid::Boxes::cheapest": [("&'static mut dyn Iterator<Item = (u32, locox::grid::Cuboid, u64)>",)],
    "machine::least_sum": [("u32",)],
    "machine::defragment": [
        ("locox::subcube::Subcubes<locox::subcube::Complete>",), ("locox::grid::Boxes",), ("locox::accelerator::Table<'static>",)
    ],
    "machine::Tree::least": [("u32",)],
    "mapping::Preemption::map": [(m,) for m in MAPPERS],
    "mesh::words": combinations(STRATEGIES),
    "mesh::MeshPool::new_static": [("0",)],
    "mesh::MeshPool::withdraw": [("fn(locox::mesh::MeshLease)",)],
    "reserve::Mask::*": [(WORDS,)],
    "reserve::Profile::new_static": [("8", "3")],
    "reserve::SpeedClass::*": [(WORDS,)],
    "reserve::reserve_on_one_of": [(f"locox::reserve::Timeline<{WORDS}>",)],
    "reserve::Timeline::new_static": [("8", "3")],
    "reserve::Timeline::*": [(WORDS,)],
    "subcube::words": combinations(STRATEGIES),
    "subcube::Subcubes::cheapest": [
        ("&'static mut dyn Iterator<Item = (u32, locox::cube::Subcube, u64)>", "&'static mut dyn Iterator<Item = (locox::cube::Subcube, u64)>")
    ],
    "subcube::Pool::new_static": [("0",)],
    "subcube::Pool::claim_nodes": [("fn(locox::subcube::Lease)",)],
    "subcube::Pool::withdraw": [("fn(locox::subcube::Lease)",)],
    "subcube::Start::new": [("2",)],
    "timeshare::Table::*": combinations(PLACEMENTS),
    "locox_bank::decode": [("locox_bank::Request",), ("locox_bank::Reply",)],
    "locox_storage::Flash::*": combinations([*KEPT, BANK]),
    "locox_storage::replay_history": combinations([*KEPT, BANK]),
}
# What stands for an argument whose type is up to the caller.
ARGUMENTS = {
    "impl Fn(&T) -> bool": "fn(&locox::fair::TimedRow) -> bool",
    "impl FnOnce(&mut T)": f"fn(&mut {ROWS})",
    "impl Fn(&T, &T) -> bool": "fn(&u32, &u32) -> bool",
    "impl Fn(u32, &T) -> bool": f"fn(u32, &{ROWS}) -> bool",
    "impl Rows + ?Sized": f"[{ROWS}]",
    "impl RowsMut + ?Sized": f"[{ROWS}]",
    "impl Fn(&Stake<P>) -> u32": "fn(&locox::machine::Stake<u32>) -> u32",
    "impl Fn(&Stake<P>, &Range<u32>) -> u32": "fn(&locox::machine::Stake<u32>, &core::ops::Range<u32>) -> u32",
    "impl Fn() -> I": "fn() -> _",
    "impl Fn() -> J": "fn() -> _",
    "impl Discipline": "locox::dispatch::Fcfs",
    "impl Iterator<Item = u64>": "&'static mut dyn Iterator<Item = u64>",
    "impl Fn(&mut dyn FnMut(u32))": "fn(&mut dyn FnMut(u32))",
    "impl Fn(u32) -> u32": "fn(u32) -> u32",
    "impl Into<Message>": "locox_coordinators::station::Message",
    "impl Serialize": "locox_bank::Reply",
    "impl Fn(Run) -> bool": "fn(locox_coordinators::station::Run) -> bool",
    "impl FnMut(u32)": "&'static mut dyn FnMut(u32)",
    "impl FnMut(Yields)": "fn(locox_coordinators::manager::Yields)",
    "impl FnMut(SliceLease)": "fn(locox::accelerator::SliceLease)",
    "impl FnMut(NodeLease<W>)": "fn(locox::nodes::NodeLease<2>)",
    "impl FnMut() -> u32": "&'static mut dyn FnMut() -> u32",
    "impl FnMut() -> C": "&'static mut dyn FnMut() -> {0}",
    "impl FnMut() -> Result<u32, BadImage>":
        "&'static mut dyn FnMut() -> Result<u32, locox::image::BadImage>",
    "impl IntoIterator<Item = u32>": "&'static mut dyn Iterator<Item = u32>",
    "impl Iterator<Item = u32>": "&'static mut dyn Iterator<Item = u32>",
    "impl IntoIterator<Item = Node>": "&'static mut dyn Iterator<Item = locox::cube::Node>",
    "impl Iterator<Item = Node> + Clone": "core::iter::Copied<core::slice::Iter<'static, locox::cube::Node>>",
    "impl Iterator<Item = Node>": "&'static mut dyn Iterator<Item = locox::cube::Node>",
    "impl Iterator<Item = StationId>": "&'static mut dyn Iterator<Item = locox::fair::StationId>",
    "impl Policy + ?Sized": "dyn locox::reserve::Policy",
    "impl FnMut(&mut M) -> Result<Interval, Error>":
        f"fn(&mut locox::reserve::Timeline<{WORDS}>) -> Result<locox::reserve::Interval, locox::reserve::Error>",
    "impl FnOnce(&mut M) -> Result<(ReservationId, Interval), Error>":
        f"fn(&mut locox::reserve::Timeline<{WORDS}>) -> "
        "Result<(locox::reserve::ReservationId, locox::reserve::Interval), locox::reserve::Error>",
    "impl FnMut(EffectRecord<C::Effect>)":
        "fn(locox_coordinators::coordinate::EffectRecord<<{0} as locox_coordinators::coordinate::Coordinate>::Effect>)",
}
FOREIGN = {
    "Clone": "Clone", "Debug": "core::fmt::Debug", "Default": "Default", "Deref": "core::ops::Deref",
    "Deserialize": "serde::Deserialize<'static>", "Display": "core::fmt::Display",
    "Format": "defmt::Format", "From": "From", "FromStr": "core::str::FromStr",
    "Hash": "core::hash::Hash", "Iterator": "Iterator", "Ord": "Ord", "PartialEq": "PartialEq",
    "PartialOrd": "PartialOrd", "Serialize": "serde::Serialize", "TryFrom": "TryFrom",
    "Error": "core::error::Error", "NorFlash": "embedded_storage::nor_flash::NorFlash",
    "NorFlashError": "embedded_storage::nor_flash::NorFlashError",
    "ReadNorFlash": "embedded_storage::nor_flash::ReadNorFlash", "ErrorType": None, "Drop": None, "Copy": None, "Eq": None, "StructuralPartialEq": None,
    "TrivialClone": None,
}
DERIVED = {"Clone", "Copy", "Debug", "Default", "Deserialize", "Format", "Hash", "Ord", "PartialEq",
           "PartialOrd", "Serialize"}
METHOD = {"Hash": "<doubles::Sink>", "Serialize": "<formats::Writer>", "Deserialize": "<formats::Reader>"}
# Implementations for what is not a crate's own: by trait, for which types.
FOREIGN_TYPES = {
    "ground::Rows [T]": [f"[{ROWS}]"],
    "ground::RowsMut [T]": [f"[{ROWS}]"],
    # Halves of a word of a row: of private types, and only rows call it.
    "image::Stored (A, B)": [],
    "image::Stored [u32; N]": ["[u32; 3]"],
    "image::Stored [locox::bits::Word; N]": ["[usize; 2]"],
    "dispatch::Discipline &mut D": [f"&'static mut {DISCIPLINES[2]}"],
    # Queues with promises call it, of which there are entries.
    "dispatch::Requests F": [],
    "dispatch::UserOf F": ["fn(u32) -> u32"],
    "reserve::Choice &C": [f"&'static {choice}" for choice in CHOICES],
    "locox_coordinators::station::Storage &mut T": [f"&'static mut {STATION}"],
    "timeshare::Storage &mut T": ["&'static mut locox::timeshare::Slices<'static>"],
}
# Whoever has what a trait provides, where every type of the kernel has something of its own.
DOUBLES = {
    "reserve::Policy": ["doubles::Always"],
    # What check provides is an answer, and no strategy takes it.
    "subcube::Strategy": [],
    # What identity provides is a number, and all of ours have their own.
    "fair::Fairness": [],
    "fair::IndexFunctions": [],
    # What wake_at provides is none, and all of ours know when to wake.
    "locox_coordinators::coordinate::Coordinate": [],
    # Only rows call them, whose halves are of private types.
    "ground::Half": [],
}
# Public functions without an entry, with the reason.
LEFT_OUT = {
    # The only machine beside that of plain PEs is the manager's, whose methods call them.
    "dispatch::Backfill::next_on", "dispatch::Backfill::earliest_on",
    # An iterator over rows, which the coordinators' checks and images use.
    "ground::Slab::open_rows",
}


class Crates:
    """What rustdoc says of some crates, each in a document of its own."""

    def __init__(self, documents):
        self.problems = []
        self.entries = []
        # By where an item is written, which is how another crate's document calls it.
        self.homes = {}
        self.crates = [Crate(json.load(open(document)), self) for document in documents]
        for crate in self.crates:
            crate.all()
        for crate in self.crates:
            crate.all_provided()


class Crate:
    def __init__(self, document, crates):
        self.index = document["index"]
        self.named = document["paths"]
        self.paths = {}
        self.problems, self.entries, self.homes = crates.problems, crates.entries, crates.homes
        # What traits provide and some type has from there.
        self.inherited = set()
        self.walk(document["root"], [self.item(document["root"])[0]["name"]])
        for id in self.paths:
            if str(id) in self.named:
                self.homes[tuple(self.named[str(id)]["path"])] = (self, id)

    def home(self, id):
        """The crate that an item is of, and its number there, if it is one of these."""
        if id in self.paths:
            return self, id
        named = self.named.get(str(id))
        return self.homes.get(tuple(named["path"])) if named else None

    def path(self, id):
        """How an item of these crates is named from outside."""
        home = self.home(id)
        return home and home[0].paths[home[1]]

    def item(self, id):
        item = self.index.get(str(id))
        return (item, *next(iter(item["inner"].items()))) if item else (None, None, None)

    def walk(self, module, path):
        """Where each item can be named from outside; the first path found."""
        for child in self.item(module)[2]["items"]:
            item, kind, inner = self.item(child)
            if kind == "use":
                child, name = inner["id"], inner["name"]
                kind = self.item(child)[1] if child is not None else None
                if inner["is_glob"] and kind == "module":
                    self.walk(child, path)
                    continue
                # Of a macro that has the name of a private module.
                if kind == "module" and self.item(child)[0]["visibility"] != "public":
                    continue
            elif item is None or item["visibility"] != "public":
                continue
            else:
                name = item["name"]
            if kind == "module":
                self.walk(child, path + [name])
            elif kind:
                self.paths.setdefault(child, "::".join(path + [name]))

    def problem(self, text):
        self.problems.append(text)

    def shown(self, type):
        """A type as in Rust, with everything in it named from outside; None if something cannot be."""
        kind, inner = next(iter(type.items()))
        if kind == "primitive":
            return inner
        if kind == "generic":
            return inner
        if kind == "tuple":
            parts = [self.shown(part) for part in inner]
            return None if None in parts else "(" + ", ".join(parts) + ")"
        if kind == "array":
            element = self.shown(inner["type"])
            return element and f"[{element}; {inner['len']}]"
        if kind == "slice":
            element = self.shown(inner)
            return element and f"[{element}]"
        if kind == "borrowed_ref":
            target = self.shown(inner["type"])
            return target and "&" + ("mut " if inner["is_mutable"] else "") + target
        path = self.path(inner["id"]) if kind == "resolved_path" else None
        if path:
            arguments = [self.shown(a["type"]) for a in arguments_of(inner) if "type" in a]
            if None in arguments:
                return None
            return path + (f"<{', '.join(arguments)}>" if arguments else "")
        return None

    def subjects(self, implementation, trait):
        """The types for which an implementation is called, each with its generic arguments."""
        kind, inner = next(iter(implementation["for"].items()))
        if kind != "resolved_path" or inner["id"] not in self.paths:
            if kind == "resolved_path":
                return []
            shown = self.shown(implementation["for"])
            key = f"{trait} {shown}"
            if implementation["generics"]["params"]:
                if key not in FOREIGN_TYPES:
                    self.problem(f"impl of {key} is generic: say for which types in FOREIGN_TYPES")
                return [(type, ()) for type in FOREIGN_TYPES.get(key, [])]
            return [(shown, ())]
        path, key = self.paths[inner["id"]], key_of(self.paths[inner["id"]])
        declared = self.item(inner["id"])[2]["generics"]["params"]
        if all("lifetime" in parameter["kind"] for parameter in declared):
            return [(path, ())]
        if not any("lifetime" not in p["kind"] for p in implementation["generics"]["params"]):
            shown = self.shown(implementation["for"])
            return [(shown, ())] if shown else []
        patterns = [a for a in arguments_of(inner) if "lifetime" not in a]
        patterns += [{"type": p["kind"]["type"]["default"]} for p in declared[len(patterns):]
                     if p["kind"].get("type", {}).get("default")]
        undrawn, by_number = wants_no_draw(implementation), wants_numbers(implementation)
        owned = trait in DERIVED or any("array" in p.get("type", {}) for p in patterns)
        owned |= any(p.get("type", {}).get("resolved_path", {}).get("path", "").endswith("Arrays") for p in patterns)
        table = OWNED if owned and key in OWNED else BORROWED
        if key not in table:
            self.problem(f"{key} is generic: say with which types in BORROWED")
        found = []
        for arguments in table.get(key, []):
            if isinstance(arguments, str):
                found.append((arguments, ()))
            elif undrawn and draws(arguments) or by_number and "Promises" in arguments[0]:
                continue
            elif all(map(fits, patterns, arguments)):
                found.append((f"{path}<{', '.join(arguments)}>", arguments))
        if not found:
            self.problem(f"no types of {key} fit {json.dumps(patterns)[:200]}")
        return found

    def implementation(self, implementation):
        trait = implementation["trait"]
        if trait is None:
            for id in implementation["items"]:
                item, kind, inner = self.item(id)
                if kind == "function" and item["visibility"] == "public":
                    for subject, arguments in self.subjects(implementation, None):
                        self.method(f"<{subject}>::{item['name']}", item, inner, subject, arguments)
            return
        name = trait["path"].rsplit("::", 1)[-1]
        home, own_path = self.home(trait["id"]), self.path(trait["id"])
        if not home and str(trait["id"]) in self.index:
            return
        if not home and name not in FOREIGN:
            self.problem(f"foreign trait {trait['path']}: say its path in FOREIGN")
            return
        path = own_path or FOREIGN[name]
        generics = [self.shown(a["type"]) for a in arguments_of(trait) if "type" in a]
        constants = [a["const"]["expr"] for a in arguments_of(trait) if "const" in a]
        for subject, arguments in self.subjects(implementation, key_of(own_path) if home else name):
            if name == "Drop":
                self.entry(f"core::ptr::drop_in_place::<{subject}>", None)
            if path is None:
                continue
            full = path
            if constants:
                full += "<4>"
            elif generics and name not in ("PartialEq", "PartialOrd"):
                if None in generics:
                    continue
                full += f"<{', '.join(generics)}>"
            elif name == "PartialEq" and "BitSet" in subject:
                full += f"<{subject}>"
            if not home:
                for id in implementation["items"]:
                    self.of_trait(id, name, f"<{subject} as {full}>", subject, arguments, self.item(id)[0])
                continue
            own = {self.item(id)[0]["name"]: self.item(id)[0] for id in implementation["items"]}
            crate, id = home
            for id in crate.item(id)[2]["items"]:
                item, kind, inner = crate.item(id)
                where = own.get(item["name"], item)
                crate.of_trait(id, name, f"<{subject} as {full}>", subject, arguments, where)
                if kind == "function" and inner["has_body"] and item["name"] not in own:
                    crate.inherited.add(id)

    def of_trait(self, id, trait, prefix, subject, arguments, written):
        """A method as the trait declares it, and as it is written: for this type or for all."""
        item, kind, inner = self.item(id)
        if kind != "function":
            return
        item = written
        call = f"{prefix}::{item['name']}"
        if trait == "Format":
            # What is derived is logged by methods without a name; the one with a name panics.
            self.entry(f"formats::log::<{subject}>", item)
        elif trait in METHOD:
            self.entry(f"{call}::{METHOD[trait]}", item)
        else:
            self.method(call, item, inner, subject, arguments)

    def provided(self, trait, items):
        """What a trait provides is somebody's: of a type of the kernel, or of a double."""
        path = self.paths[trait]
        for id in items:
            item, kind, inner = self.item(id)
            if kind != "function" or not inner["has_body"] or id in self.inherited:
                continue
            if key_of(path) not in DOUBLES:
                self.problem(f"nobody has what {path}::{item['name']} provides: add to DOUBLES who does")
            for double in DOUBLES.get(key_of(path), []):
                self.of_trait(id, path, f"<{double} as {path}>", double, (), item)

    def method(self, call, item, function, subject, arguments):
        """An entry for each choice of what a function leaves open."""
        where = key_of(re.sub(r"<.*", "", subject) if subject else self.paths[item["id"]])
        key = f"{where}::{item['name']}" if subject else where
        if key in LEFT_OUT or wants_no_draw(function) and draws(subject):
            return
        declared = function["generics"]["params"]
        open_types = [p for p in declared if "const" in p["kind"] or
                      "type" in p["kind"] and not p["kind"]["type"]["is_synthetic"]]
        choices = [()]
        if open_types:
            choices = GENERIC.get(key) or GENERIC.get(f"{where}::*") or GENERIC.get(item["name"])
            if not choices:
                return self.problem(f"{key} is generic: say with which types in GENERIC")
        for choice in choices:
            turbofish = f"::<{', '.join(choice)}>" if choice else ""
            self.shaped(call + turbofish, item, function, key, arguments)

    def shaped(self, call, item, function, key, arguments):
        inputs = [type for _, type in function["sig"]["inputs"]]
        given = [self.argument(type, function, key, arguments) for type in inputs]
        output = function["sig"]["output"]
        if "impl_trait" in json.dumps(output):
            if "impl_trait" not in output or any(given) or len(inputs) > 4:
                return self.problem(f"{key} returns something without a name that is no iterator")
            self.entry(f"each_{len(inputs)}({call})", item)
            if "DoubleEndedIterator" in json.dumps(output):
                self.entry(f"back_{len(inputs)}({call})", item)
        elif any(given):
            types = ", ".join([type or "_" for type in given] + ["_"])
            self.entry(f"of_{len(inputs)}::<{types}>({call})", item)
        else:
            self.entry(call, item)

    def argument(self, type, function, key, arguments):
        if "impl_trait" not in json.dumps(type):
            return None
        reference = ""
        if "borrowed_ref" in type:
            type, mutable = type["borrowed_ref"]["type"], type["borrowed_ref"]["is_mutable"]
            reference = "&'static mut " if mutable else "&'static "
        names = [p["name"] for p in function["generics"]["params"]
                 if "type" in p["kind"] and p["kind"]["type"]["is_synthetic"]
                 and p["kind"]["type"]["bounds"] == type.get("impl_trait")]
        name = names[0].replace("crate::coordinate::", "") if names else json.dumps(type)[:200]
        if name not in ARGUMENTS:
            return self.problem(f"{key} takes {name}: say what stands for it in ARGUMENTS")
        return reference + ARGUMENTS[name].format(*arguments)

    def entry(self, expression, item):
        call = expression
        if not expression.startswith(("of_", "each_", "back_")):
            call = f"Entry({expression} as *const ())"
        where = item and item["span"] and f"{item['span']['filename']}:{item['span']['begin'][0]}"
        self.entries.append((call, where or ""))

    def all(self):
        for id, path in self.paths.items():
            item, kind, inner = self.item(id)
            if kind == "function":
                self.method(path, item, inner, None, ())
        for id in sorted(self.index, key=int):
            item, kind, inner = self.item(id)
            if kind == "impl" and item["crate_id"] == 0 and not (inner["is_synthetic"] or inner["blanket_impl"]):
                self.implementation(inner)

    def all_provided(self):
        for id in self.paths:
            item, kind, inner = self.item(id)
            if kind == "trait":
                self.provided(id, inner["items"])


def arguments_of(path):
    return ((path.get("args") or {}).get("angle_bracketed") or {}).get("args", [])


def key_of(path):
    """How the tables above call an item."""
    return path.removeprefix("locox::")


def wants_no_draw(generic):
    """Is it for coordinators only that draw no lots?"""
    return '"name": "Draw"' in json.dumps(generic["generics"])


def wants_numbers(generic):
    """Is it for queues only that plan with numbers of PEs?"""
    return '"path": "ByNumber"' in json.dumps(generic["generics"])


def draws(types):
    return re.search("Level<u32>|UpDown<.*, u32>|fair::Random", str(types)) is not None


def fits(pattern, argument):
    """Is a type of a table one that an implementation is for?"""
    if pattern.get("type", {}).get("tuple") == []:
        return argument == "()"
    found = pattern.get("type", {}).get("resolved_path")
    return not found or found["path"].rsplit("::")[-1] in re.findall(r"\w+", argument.split("<")[0])


def main(out, *documents):
    crates = Crates(documents)
    if crates.problems:
        sys.exit("\n".join(f"entries.py: {text}" for text in dict.fromkeys(crates.problems)))
    entries = list(dict.fromkeys(crates.entries))
    lines = [f"    {call}, // {where}".rstrip(" /") for call, where in entries]
    text = "\n".join([f"static ENTRIES: [Entry; {len(entries)}] = [", *lines, "];", ""])
    with open(out, "w") as file:
        file.write(text)
    print(f"{len(entries)} entries")


if __name__ == "__main__":
    main(*sys.argv[1:])
