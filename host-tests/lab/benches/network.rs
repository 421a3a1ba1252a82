//! Speed of the routers of a hypercube, flit by flit.
//!
//! `cargo bench -p locox-lab --bench network`. Bars: 0.2 s for some 13,000 messages on an 8-cube,
//! 5 s for a 10-cube at a load of .5 for 1,800 cycles, which are 600 times those of a hop.

use divan::Bencher;
use divan::counter::ItemsCount;
use locox::cube::{Dim, Node};
use locox_models::network::traffic::{Mesh, Message, Pattern};
use locox_models::network::wormhole::{Router, Window, deliver};
use locox_models::streams::stream;

fn main() {
    divan::main();
}

/// Messages between nodes drawn at random, for 1,800 cycles at `load` flits a node and cycle.
fn messages(dims: Dim, load: f64) -> Vec<Message> {
    let mesh = Mesh::new([dims.nodes(), 1, 1], (0..dims.nodes()).map(Node).collect());
    let interval = f64::from(Router::default().length) / load;
    mesh.offered(Pattern::RandomPairs, interval, 1_800, &mut stream(1, "traffic", 0))
}

fn bench(bencher: Bencher, router: &Router, dims: u8, load: f64) {
    let dims = Dim::new(dims).unwrap();
    let messages = messages(dims, load);
    let run = || deliver(router, dims, &messages, Window::Stream);
    bencher.counter(ItemsCount::new(messages.len())).bench_local(run);
}

/// More is offered than gets through, so that every router is busy.
#[divan::bench(args = [1, 4], sample_count = 20)]
fn cube_8_saturated(bencher: Bencher, virtual_channels: u32) {
    bench(bencher, &Router { virtual_channels, ..Router::default() }, 8, 1.35);
}

#[divan::bench(args = [1, 4], sample_count = 10)]
fn cube_10_half_load(bencher: Bencher, virtual_channels: u32) {
    bench(bencher, &Router { virtual_channels, ..Router::default() }, 10, 0.5);
}
