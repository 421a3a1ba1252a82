//! A whole pool, naively: live leases, outages, and where boxes are.

use super::ask::Ask;
use super::cells::{Cells, plain};
use super::rule::{Placed, boxes, choose, keeps_routes, may_ever_lie, may_lie};
use locox::cube::Node;
use locox::grid::{
    Anchors, BoxLease, ClaimError, Cuboid, Grid, GridStats, NoSuchNode, NodeState, NotFree, Outage,
    Placement, Refusal, Sides,
};

/// Predicts every answer of a pool. All that can be derived is derived anew at each question.
#[derive(Clone, Debug)]
pub struct Model {
    grid: Grid,
    placement: Placement,
    anchors: Anchors,
    /// Whether none but isolated boxes are granted.
    pub isolating: bool,
    /// The machine, cell by cell.
    pub cells: Cells,
    live: Vec<BoxLease>,
    outages: Vec<Option<Outage>>,
}

impl Model {
    /// The machine, all free.
    pub fn new(grid: Grid, placement: Placement, anchors: Anchors) -> Self {
        let cells = Cells::new(grid);
        let outages = vec![None; cells.count()];
        Self { grid, placement, anchors, isolating: false, cells, live: vec![], outages }
    }

    /// The machine.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The numbers of a box's nodes.
    fn cells_of(&self, cuboid: &Cuboid) -> Vec<usize> {
        let from = self.cells.at(cuboid.origin().0 as usize);
        self.cells.of_box(from, plain(cuboid.sides())).expect("a box lies in its machine")
    }

    /// The lease that holds `node`.
    pub fn lease_at(&self, node: Node) -> Option<BoxLease> {
        let holds = |lease: &&BoxLease| self.cells_of(&lease.cuboid()).contains(&(node.0 as usize));
        self.live.iter().find(holds).copied()
    }

    fn check(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let stranger = nodes.iter().find(|node| node.0 as usize >= self.cells.count());
        stranger.map_or(Ok(()), |&node| Err(NoSuchNode(node)))
    }

    /// What `node` is doing.
    pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.check(&[node])?;
        let outage = self.outages[node.0 as usize];
        Ok(NodeState { leased: self.lease_at(node).is_some(), outage })
    }

    /// Which nodes are held.
    fn held(&self) -> Vec<bool> {
        let mut held = vec![false; self.cells.count()];
        for lease in &self.live {
            self.cells_of(&lease.cuboid()).into_iter().for_each(|cell| held[cell] = true);
        }
        held
    }

    /// Which nodes a new lease may take.
    pub fn free(&self) -> Vec<bool> {
        let held = self.held();
        (0..held.len()).map(|cell| !held[cell] && self.outages[cell].is_none()).collect()
    }

    /// All boxes of these shapes.
    fn boxes(&self, shapes: &[[usize; 4]]) -> impl Iterator<Item = Placed> {
        let may = |sides: &&[usize; 4]| !self.isolating || keeps_routes(&self.cells, **sides);
        shapes.iter().filter(may).flat_map(|&sides| boxes(&self.cells, sides))
    }

    /// The boxes of these shapes that a request may get.
    fn candidates(&self, shapes: &[[usize; 4]], free: &[bool]) -> Vec<Placed> {
        let may = |place: &Placed| may_lie(&self.cells, place, &self.anchors, free);
        self.boxes(shapes).filter(may).collect()
    }

    /// The boxes of these sides that a request for them may get.
    pub fn places(&self, sides: Sides) -> Vec<Cuboid> {
        let all = self.candidates(&[plain(sides)], &self.free());
        all.into_iter().map(|place| self.cells.cuboid(place.from, place.sides)).collect()
    }

    /// Which box a request gets, or why none.
    pub fn choose(&self, ask: &Ask) -> Result<Cuboid, Refusal> {
        let (free, ranks) = (self.free(), ask.ranks(&self.cells));
        for rank in &ranks {
            let candidates = self.candidates(rank, &free);
            if let Some(place) =
                choose(&self.cells, self.placement, &self.anchors, &free, &candidates)
            {
                return Ok(self.cells.cuboid(place.from, place.sides));
            }
        }
        let all = ranks.concat();
        let least = |serving: &[bool]| {
            let may = |place: &Placed| may_ever_lie(&self.cells, place, &self.anchors, serving);
            self.boxes(&all).filter(may).map(|place| place.cells.len() as u32).min()
        };
        let serving: Vec<_> = self.outages.iter().map(Option::is_none).collect();
        let free = free.iter().filter(|&&it| it).count() as u32;
        match (least(&vec![true; serving.len()]), least(&serving)) {
            (None, _) => Err(Refusal::TooLarge),
            (_, None) => Err(Refusal::Faulty),
            (_, Some(needed)) if needed > free => Err(Refusal::TooFewFree { needed, free }),
            _ => Err(Refusal::Fragmented),
        }
    }

    /// Which box a claim gets, or why none.
    pub fn claim(&self, cuboid: Cuboid) -> Result<Cuboid, ClaimError> {
        let machine = Cells::new(cuboid.grid());
        let from = machine.at(cuboid.origin().0 as usize);
        let cells = machine.of_box(from, plain(cuboid.sides())).expect("a box lies in its machine");
        if cuboid.grid() != self.grid {
            let last = *cells.iter().max().expect("a box has nodes");
            return Err(ClaimError::Misused(NoSuchNode(Node(last as u32))));
        }
        let free = self.free();
        let taken = cells.into_iter().find(|&cell| !free[cell]);
        taken.map_or(Ok(cuboid), |cell| Err(ClaimError::Refused(NotFree(Node(cell as u32)))))
    }

    /// These are the live leases from now on, some under other names.
    pub fn rename(&mut self, live: &[BoxLease]) {
        self.live = live.to_vec();
    }

    /// `lease` has been granted.
    pub fn open(&mut self, lease: BoxLease) {
        self.live.push(lease);
    }

    /// Takes nodes out of service; returns the leases hit, in the order in which they were named.
    pub fn withdraw(&mut self, nodes: &[Node], why: Outage) -> Result<Vec<BoxLease>, NoSuchNode> {
        self.check(nodes)?;
        let mut hit = vec![];
        for &node in nodes {
            let outage = &mut self.outages[node.0 as usize];
            if *outage != Some(Outage::Failed) {
                *outage = Some(why);
            }
            hit.extend(self.lease_at(node).filter(|lease| !hit.contains(lease)));
        }
        Ok(hit)
    }

    /// Puts nodes back into service.
    pub fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.check(nodes)?;
        nodes.iter().for_each(|node| self.outages[node.0 as usize] = None);
        Ok(())
    }

    /// The leases by rising origin.
    pub fn leases(&self) -> Vec<BoxLease> {
        let mut live = self.live.clone();
        live.sort_by_key(|lease| lease.cuboid().origin());
        live
    }

    /// All counts.
    pub fn stats(&self) -> GridStats {
        let count = |which: Vec<bool>| which.into_iter().filter(|&it| it).count() as u32;
        GridStats {
            grid: self.grid,
            free: count(self.free()),
            leased: count(self.held()),
            out: self.outages.iter().flatten().count() as u32,
        }
    }

    /// Free nodes that lie in no box that the request may get.
    pub fn stranded(&self, ask: &Ask) -> u32 {
        let mut free = self.free();
        let all = ask.ranks(&self.cells).concat();
        for place in self.candidates(&all, &free.clone()) {
            place.cells.into_iter().for_each(|cell| free[cell] = false);
        }
        free.into_iter().filter(|&it| it).count() as u32
    }
}
