//! The common path of each system, so many times on a system of some size, for a counter of instructions around this
//! process: `ci/callgrind` runs it twice, and the difference leaves out what is not measured.
//!
//! Arguments: a path, a size, and how often. Without arguments it prints the paths: a name, the sizes, how often for a
//! count, the exponent with which the cost is to grow at most, what is counted, and what there are so many of.

mod managers;
mod pools;
mod random;
mod reservations;
mod shares;
mod sites;

/// The common path of a system.
struct Path {
    name: &'static str,
    /// What is done each time.
    what: &'static str,
    /// What there are so many of.
    of: &'static str,
    /// Each twice the one before. The first is the one whose count is kept.
    sizes: &'static [usize],
    /// How often it is done for a count.
    times: usize,
    /// The cost is to grow with this power of the size at most: as documented, or less where only the worst states take that.
    exponent: f64,
    run: fn(size: usize, times: usize),
}

const PATHS: &[Path] = &[
    Path {
        name: "subcube",
        what: "a subcube of 1 to 16 nodes allocated and released, half of them held",
        of: "nodes",
        sizes: &[1024, 2048, 4096, 8192],
        times: 4000,
        // The list keeps a summary for each dimension.
        exponent: 0.2,
        run: pools::subcube,
    },
    Path {
        name: "node",
        what: "what a free node does: of those that are free, half of all, the one with the most ones in its address",
        of: "nodes",
        sizes: &[1024, 2048, 4096, 8192],
        times: 4000,
        // A look at each list, and at the cubes in it whose base the address covers.
        exponent: 0.2,
        run: pools::node,
    },
    Path {
        name: "mesh",
        what: "a mesh of up to 6x6 nodes allocated and released, half of them held",
        of: "nodes",
        sizes: &[1024, 2048, 4096, 8192],
        times: 4000,
        // The words of the leftovers, of which few are looked at.
        exponent: 0.6,
        run: pools::mesh,
    },
    Path {
        name: "box",
        what: "a box of up to 4x4x4 nodes allocated and released, half of them held",
        of: "nodes of a torus",
        sizes: &[512, 1024, 2048, 4096],
        times: 1000,
        // A search of one shape is a pass over the rows.
        exponent: 1.0,
        run: pools::cuboid,
    },
    Path {
        name: "slices",
        what: "a profile of an H100 allocated and released",
        of: "accelerators, each by itself",
        sizes: &[1],
        times: 4000,
        exponent: 0.0,
        run: pools::slices,
    },
    Path {
        name: "fair-update",
        what: "one station's demand changes, and a decision",
        of: "stations",
        sizes: &[1024, 2048, 4096, 8192],
        times: 4000,
        // The logarithm of the stations, and a look at each rate.
        exponent: 0.2,
        run: shares::decide,
    },
    Path {
        name: "station-command",
        what: "an owner comes back and leaves again, with what that sets off",
        of: "stations",
        sizes: &[512, 1024, 2048, 4096],
        times: 1000,
        exponent: 0.2,
        run: shares::command,
    },
    Path {
        name: "station-tick",
        what: "an interval ends, and nothing is to do",
        of: "stations",
        sizes: &[512, 1024, 2048, 4096],
        times: 200,
        // A pass over processors and jobs.
        exponent: 1.0,
        run: shares::tick,
    },
    Path {
        name: "reserve",
        what: "the earliest place found and booked, and given back",
        of: "reservations",
        sizes: &[1024, 2048, 4096, 8192],
        times: 2000,
        // A logarithm, for identity in rows of bits.
        exponent: 0.3,
        run: reservations::book,
    },
    Path {
        name: "reserve-choice",
        what: "a search for two PEs side by side, which are not to be had until half of the reservations have ended",
        of: "reservations",
        sizes: &[1024, 2048, 4096, 8192],
        times: 4,
        // A look at each slot, and at few leaves from there on.
        exponent: 1.0,
        run: reservations::refused_by_choice,
    },
    Path {
        name: "reserve-rectangle",
        what: "a search by Du_W for two PEs for as long as half of the reservations take",
        of: "reservations",
        sizes: &[1024, 2048, 4096, 8192],
        times: 4,
        // The same for each candidate.
        exponent: 1.0,
        run: reservations::rectangles,
    },
    Path {
        name: "dispatch",
        what: "a job ends, another comes, and what may start does, under EASY",
        of: "jobs in line",
        sizes: &[1024, 2048, 4096, 8192],
        times: 1000,
        exponent: 0.4,
        run: reservations::dispatch,
    },
    Path {
        name: "dispatch-planned",
        what: "a job is held and released, a PE goes out and comes back, a job is cancelled and another comes, under \
               conservative:100",
        of: "jobs in line",
        sizes: &[1024, 2048, 4096, 8192],
        times: 100,
        // The bound holds for each of these calls.
        exponent: 0.3,
        run: reservations::planned,
    },
    Path {
        name: "site-round",
        what: "a quantum ends, and all jobs that wait are mapped by PJS to 16 machines",
        of: "jobs that wait",
        sizes: &[16, 32, 64, 128],
        times: 20,
        // For each place given away a look at all that are left.
        exponent: 2.0,
        run: sites::round,
    },
    Path {
        name: "timeshare",
        what: "a job of eight hosts placed without interference, and removed",
        of: "hosts",
        sizes: &[1024, 2048, 4096, 8192],
        times: 1000,
        // Some word operations for 64 hosts.
        exponent: 1.0,
        run: sites::place,
    },
    Path {
        name: "manager",
        what: "a job ends and another comes, then a decision and its effects",
        of: "jobs in line",
        sizes: &[1024, 2048, 4096, 8192],
        times: 500,
        exponent: 0.4,
        run: managers::decide,
    },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, size, times] = arguments.as_slice() else {
        for Path { name, what, of, sizes, times, exponent, .. } in PATHS {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            println!("{name}\t{}\t{times}\t{exponent}\t{what}\t{of}", sizes.join(" "));
        }
        return;
    };
    let path = PATHS.iter().find(|path| path.name == name).expect("a path by its name");
    let number = |text: &String| text.parse().expect("a number");
    (path.run)(number(size), number(times));
}
