//! `locox network`: a list of messages sent through the routers of a hypercube.

use super::delivery::leaves_something;
use crate::cli::{Network, NetworkFormat};
use crate::input;
use crate::output::{Stdout, unprintable};
use locox::cube::Dim;
use locox_models::network::list::{List, read};
use locox_models::network::traffic::Message;
use locox_models::network::wormhole::{Router, Trip, deliver};
use locox_models::stats::percentile;
use locox_report::failure::Failure;
use locox_report::report::{Block, Cell, Report, Section, Table, terminal};
use locox_report::screen;
use std::io::{self, Write};
use std::ops::Range;

pub(super) fn run(options: &Network) -> Result<(), Failure> {
    leaves_something(options.format == NetworkFormat::Table)?;
    let dims = options.cube.and_then(Dim::new);
    let list = read(&options.list, dims).map_err(|error| Failure::Input(error.to_string()))?;
    let router = router(options);
    let trips = deliver(&router, list.dims, &list.messages, options.window.window());
    let mut out = Stdout::lock();
    let printed = match options.format {
        NetworkFormat::Table => {
            let report = report(options, &router, &list, &trips);
            terminal::write(&report, screen::width(), &mut out)
        }
        NetworkFormat::Csv => write_messages(&list, &trips, &mut out),
    };
    printed.and_then(|()| out.flush()).map_err(|error| unprintable(&error))
}

fn router(options: &Network) -> Router {
    Router {
        buffer: options.buffers,
        virtual_channels: options.virtual_channels,
        length: options.length,
        hop: options.hop,
        ..Router::default()
    }
}

fn report(options: &Network, router: &Router, list: &List, trips: &[Trip]) -> Report {
    let Router { buffer, virtual_channels, length, hop, .. } = *router;
    let lanes = match virtual_channels {
        1 => String::new(),
        many => format!(" for each of {many} virtual channels"),
    };
    let blocks = vec![Block::Table(table(router, list, trips))];
    Report {
        title: format!(
            "Messages of {} on a {}-cube",
            input::shown(&options.list).display(),
            list.dims
        ),
        lead: format!(
            "Wormhole routing, E-cube: messages of {length} flits, buffers of {buffer} flits{lanes}, \
             {hop} cycles a hop. A node sends {}.",
            options.window.told()
        ),
        provenance: vec![],
        sections: vec![Section { id: "network".into(), title: "Network".into(), blocks }],
    }
}

fn table(router: &Router, list: &List, trips: &[Trip]) -> Table {
    let mut table =
        Table::new("Cycles, and flits a node and cycle", &[("what", "what"), ("value", "value")]);
    let mut push = |what: &str, cell| table.push(vec![Cell::text(what), cell]);
    let mut latencies: Vec<f64> = trips.iter().map(|trip| trip.latency() as f64).collect();
    latencies.sort_by(f64::total_cmp);
    let hops = |message: &Message| message.source.distance(message.target);
    let unhindered = list.messages.iter().map(|it| router.zero_load(hops(it))).sum::<u64>();
    let count = trips.len() as f64;
    push("messages", Cell::Count(trips.len() as u64));
    push("mean latency", Cell::Number(latencies.iter().sum::<f64>() / count, 2));
    push("of that without any waiting", Cell::Number(unhindered as f64 / count, 2));
    for (what, share) in [("median latency", 0.5), ("95th percentile", 0.95), ("longest", 1.0)] {
        push(what, percentile(&latencies, share).map_or(Cell::Missing, |it| Cell::Number(it, 0)));
    }
    let (first, last) = (list.messages[0].at, list.messages[trips.len() - 1].at);
    let end = trips.iter().map(|trip| trip.delivered).max().unwrap_or(last);
    let settled = first + (last - first) / 3..last + 1;
    push("last delivery", Cell::Count(end));
    let at_once = first == last;
    let load = |count: usize, cycles: Range<u64>| {
        let flits = count as f64 * f64::from(router.length) / f64::from(list.dims.nodes());
        Cell::Number(flits / (cycles.end - cycles.start) as f64, 4)
    };
    let delivered = trips.iter().filter(|trip| settled.contains(&trip.delivered)).count();
    let missing = |cell| if at_once { Cell::Missing } else { cell };
    push("offered", missing(load(trips.len(), first..last + 1)));
    push("accepted meanwhile, from a third on", missing(load(delivered, settled)));
    push("throughput until the last delivery", load(trips.len(), first..end));
    table
}

/// Each message in the order of the list.
fn write_messages(list: &List, trips: &[Trip], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "src,dst,at,delivered")?;
    for (Message { source, target, at }, trip) in list.messages.iter().zip(trips) {
        writeln!(out, "{},{},{at},{}", source.0, target.0, trip.delivered)?;
    }
    Ok(())
}
