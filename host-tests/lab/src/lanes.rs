//! On which processors of its nodes a job is drawn, where jobs share nodes: nobody knows which ones it had, only how many.

use locox::time::Instant;
use locox_models::machine::Cluster;
use locox_models::replay::JobRecord;
use locox_models::reservations::PeRange;
use std::collections::HashMap;

/// The processors of each node one below the other, and which of them are drawn as held until when, in their order.
pub(crate) struct Lanes {
    first: Vec<u32>,
    held: Vec<Vec<(PeRange, Instant)>>,
}

impl Lanes {
    /// The rows of each job, by its number: the first processors of its nodes that are free when it starts. There are enough, as
    /// long as nodes have what their jobs hold.
    pub(crate) fn of(cluster: Cluster, jobs: &[JobRecord]) -> HashMap<u64, Vec<PeRange>> {
        let ends = (0..cluster.nodes()).scan(0, |end, node| {
            *end += cluster.has_node(node).get(0);
            Some(*end)
        });
        let first = std::iter::once(0).chain(ends).collect();
        let mut lanes = Self { first, held: vec![vec![]; cluster.nodes() as usize] };
        let mut jobs: Vec<_> = jobs.iter().filter(|job| job.success).collect();
        jobs.sort_by_key(|job| job.start);
        jobs.into_iter().map(|job| (job.id, lanes.draw(job))).collect()
    }

    fn draw(&mut self, job: &JobRecord) -> Vec<PeRange> {
        let held = job.allocated.as_deref().and_then(ranges).unwrap_or_default();
        let nodes: Vec<usize> = held.into_iter().flatten().map(|node| node as usize).collect();
        let has = |node: usize| self.first[node + 1] - self.first[node];
        // Alone on its nodes it has all of them, and else equally much of each.
        let is_alone = job.held == nodes.iter().map(|&node| has(node)).sum::<u32>();
        let each = job.held / (nodes.len() as u32).max(1);
        let mut rows = vec![];
        for node in nodes {
            let count = if is_alone { u32::MAX } else { each };
            self.draw_on(node, count, job).into_iter().for_each(|own| join(&mut rows, own));
        }
        rows
    }

    fn draw_on(&mut self, node: usize, mut count: u32, job: &JobRecord) -> Vec<PeRange> {
        let (mut from, end) = (self.first[node], self.first[node + 1]);
        let held = &mut self.held[node];
        held.retain(|(_, until)| *until > job.start);
        let mut own = vec![];
        for (next, behind) in
            held.iter().map(|(it, _)| (*it.start(), it.end() + 1)).chain([(end, end)])
        {
            let free = (next - from).min(count);
            if free > 0 {
                own.push(from..=from + free - 1);
            }
            (count, from) = (count - free, behind);
        }
        held.extend(own.iter().map(|it| (it.clone(), job.finish)));
        held.sort_by_key(|(it, _)| *it.start());
        own
    }
}

/// More rows, behind the last one.
fn join(rows: &mut Vec<PeRange>, own: PeRange) {
    match rows.last_mut().filter(|last| *last.end() + 1 == *own.start()) {
        Some(last) => *last = *last.start()..=*own.end(),
        None => rows.push(own),
    }
}

/// `0-3 8-11`.
pub(crate) fn ranges(text: &str) -> Option<Vec<PeRange>> {
    text.split(' ').map(range).collect()
}

/// `8-11` or `8`.
fn range(text: &str) -> Option<PeRange> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::nodes::Amounts;

    fn job(id: u64, [start, finish]: [u64; 2], held: u32, nodes: &str) -> JobRecord {
        let at = Instant::from_ticks;
        JobRecord {
            id,
            submit: at(0),
            start: at(start),
            finish: at(finish),
            processors: held,
            held,
            requested: None,
            success: true,
            allocated: Some(nodes.into()),
            token: None,
            promise: None,
            promised_places: vec![],
        }
    }

    #[test]
    fn jobs_of_a_node_lie_one_below_the_other_and_where_others_have_ended() {
        let classes = [(2, Amounts::of(&[4])), (1, Amounts::of(&[2]))];
        let cluster = Cluster::new("lanes", &classes, &["cores"]);
        let jobs = [
            job(1, [0, 10], 2, "0"),
            job(2, [0, 20], 2, "0-1"),
            job(3, [5, 30], 1, "0"),
            job(4, [10, 40], 2, "0"),
            // All of two nodes that differ.
            job(5, [50, 60], 6, "1-2"),
            // Between those of another job.
            job(7, [60, 80], 1, "0"),
            job(8, [60, 70], 2, "0"),
            job(9, [60, 80], 1, "0"),
            job(10, [70, 80], 2, "0"),
            JobRecord { success: false, ..job(6, [0, 60], 4, "0") },
        ];
        let rows = Lanes::of(cluster, &jobs);
        let of = |id: u64| rows.get(&id).map(Vec::as_slice);
        assert_eq!(of(1), Some(&[0..=1][..]));
        assert_eq!(of(2), Some(&[2..=2, 4..=4][..]));
        assert_eq!(of(3), Some(&[3..=3][..]));
        assert_eq!(of(4), Some(&[0..=1][..]));
        assert_eq!(of(5), Some(&[4..=9][..]));
        assert_eq!(of(6), None);
        assert_eq!(
            (of(8), of(9), of(10)),
            (Some(&[1..=2][..]), Some(&[3..=3][..]), Some(&[1..=2][..]))
        );
    }
}
