use crate::{read, tell};
use core::hint::black_box;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::machine::{MakeRoom, Stake};
use locox::nodes::{
    Amounts, NodeLease, NodePlace, NodePool, NodeRequest, NodeRow, Nodes, Outage, Placement,
};

const NODES: usize = 8;
const LEASES: usize = 12;
/// Three quantities, and four devices in parts.
const MAP: usize = NODES * 7;
const ROOM: usize = NODES * 3;

/// Leases, a map, and room for a search.
pub struct NodeRows([NodeRow<1>; LEASES], [u32; MAP + ROOM]);

impl NodeRows {
    /// No leases.
    pub const EMPTY: Self = Self([NodeRow::EMPTY; LEASES], [0; MAP + ROOM]);
}

type Pool<'n> = NodePool<'n, 1, &'static mut [NodeRow<1>], &'static mut [u32]>;

/// Nodes with quantities.
pub fn nodes(rows: &'static mut NodeRows) -> Option<()> {
    run(rows, |pool| {
        tell(&pool.free(Node(read())));
        Some(())
    })
}

/// Nodes with quantities, and which leases would have to end for a request.
pub fn nodes_making_room(rows: &'static mut NodeRows) -> Option<()> {
    run(rows, |pool| {
        let none = NodePlace::new([], Amounts::NONE);
        let mut stakes = [Stake::new(none, 0, 0); LEASES];
        let leases = pool.leases().zip(&mut stakes);
        leases.for_each(|(it, to)| *to = Stake::new(*it.place(), read(), read().into()));
        let (mut map, mut room, mut sums) = ([read(); MAP], [0; ROOM], [0; NODES * 2]);
        let machine = pool.machine();
        tell(&machine.make_room(&mut map, &request(), &mut stakes, &mut room, &mut sums));
        tell(&stakes);
        Some(())
    })
}

fn amounts() -> Amounts {
    Amounts::of(&[read(), read(), read()])
}

fn request() -> NodeRequest<'static> {
    match read() {
        0 => NodeRequest::part(read(), amounts()),
        1 => NodeRequest::tasks(read(), amounts()),
        2 => NodeRequest::of(read(), amounts()).exclusive(),
        _ => NodeRequest::of(read(), amounts()).up_to(read()),
    }
}

/// The header stays where it is built.
fn run(rows: &'static mut NodeRows, ask: fn(&mut Pool<'_>) -> Option<()>) -> Option<()> {
    let classes = [amounts(), amounts()];
    let class_of = [0; NODES].map(|_| read() as u8);
    let placement = match read() {
        0 => Placement::First,
        1 => Placement::Best,
        _ => Placement::Fewest,
    };
    let machine = Nodes::new(&classes, &class_of, placement).ok()?.with_parts(2, read()).ok()?;
    let mut pool = NodePool::new(PoolId(1), machine, &mut rows.0[..], &mut rows.1[..]);
    let pool = black_box(pool.as_mut().ok()?);
    let mut last: Option<NodeLease<1>> = None;
    loop {
        match read() {
            0 => {
                last = pool.allocate(&request()).ok();
                tell(&last);
            }
            1 => tell(&pool.release((*black_box(&last))?)),
            2 => tell(&pool.withdraw(&[Node(read())], Outage::Failed, |lease| tell(&lease))),
            3 => tell(&pool.repair(&[Node(read())])),
            4 => tell(&pool.would_fit(&request())),
            5 => pool.learn(&request()),
            _ => ask(pool)?,
        }
    }
}
