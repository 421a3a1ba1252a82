//! Work on several threads, with its results in the order of the items.
//!
//! A nested call takes only threads that are idle, so that never more work than were allowed.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};
use std::thread::{self, available_parallelism};

static THREADS: OnceLock<usize> = OnceLock::new();
/// How many threads may still be started.
static IDLE: LazyLock<AtomicUsize> = LazyLock::new(|| AtomicUsize::new(threads() - 1));

/// More threads for each core do nothing but take memory.
const MOST_PER_CORE: usize = 4;

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Allows at most `most` threads, that of the caller included, and no more than four for each core. Only the
/// first call counts.
pub fn limit(most: usize) {
    THREADS.get_or_init(|| most.clamp(1, MOST_PER_CORE * cores()));
}

/// How many threads work at the same time at most: as many as there are cores, without a limit.
pub fn threads() -> usize {
    *THREADS.get_or_init(cores)
}

/// The results of `work` on all items, in their order. All items are worked on, whatever the results.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    for_each(items.len(), &|at| {
        let result = work(&items[at]);
        *results[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let taken = |slot: Mutex<Option<R>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|slot| taken(slot).expect("each item was worked on")).collect()
}

/// Not generic: it is compiled once.
fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work_on = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return;
            }
            work(at);
        }
    };
    thread::scope(|scope| {
        let mut helpers = Vec::new();
        while helpers.len() + 1 < count && take_idle() {
            let helper = || {
                work_on();
                IDLE.fetch_add(1, Ordering::Relaxed);
            };
            match thread::Builder::new().spawn_scoped(scope, helper) {
                Ok(helper) => helpers.push(helper),
                // Those that there are do it alone.
                Err(_) => break,
            }
        }
        work_on();
        for helper in helpers {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

fn take_idle() -> bool {
    IDLE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |idle| idle.checked_sub(1)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items_in_nested_calls_too() {
        let rows: Vec<u64> = (0..20).collect();
        let squares = map(&rows, |row| map(&rows, |column| row * column).into_iter().sum::<u64>());
        assert_eq!(squares, rows.iter().map(|row| row * 190).collect::<Vec<_>>());
        assert!(map(&[0; 0], |it| *it).is_empty());
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_of_an_item_is_one_of_the_call() {
        map(&[1, 7, 3], |item| assert_ne!(*item, 7, "seven"));
    }
}
