//! Random numbers: one seeded stream for each source of randomness.
//!
//! Two experiments that differ in one thing see the same arrivals and the same service times
//! (common random numbers), and a source that draws once more does not shift the others.

use rand::SeedableRng;
pub use rand::rngs::ChaCha8Rng as Stream;

/// Longest name of a stream, in bytes.
pub const NAME_LEN: usize = 24;

/// The stream of random numbers of the source `name` in one replication of an experiment.
///
/// The key of the cipher is `seed` followed by `name`, its stream number is `replication`: all
/// three together name one stream, and the same three give the same numbers on every machine.
///
/// # Panics
///
/// If `name` is longer than [`NAME_LEN`]; names are literals.
///
/// ```
/// use locox_models::streams::stream;
/// use rand::Rng;
/// let mut arrivals = stream(1, "arrivals", 0);
/// let mut service = stream(1, "service", 0);
/// assert_ne!(arrivals.next_u64(), service.next_u64());
/// ```
pub fn stream(seed: u64, name: &str, replication: u64) -> Stream {
    assert!(name.len() <= NAME_LEN, "the name of stream `{name}` is over {NAME_LEN} bytes long");
    let mut key = [0; 8 + NAME_LEN];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..8 + name.len()].copy_from_slice(name.as_bytes());
    let mut stream = Stream::from_seed(key);
    stream.set_stream(replication);
    stream
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use std::collections::HashSet;

    #[test]
    fn seed_name_and_replication_each_make_another_stream() {
        let mut seen = HashSet::new();
        for seed in 0..4 {
            for name in ["", "a", "b", "ab", "arrivals", "service"] {
                for replication in 0..4 {
                    assert!(seen.insert(stream(seed, name, replication).next_u64()));
                }
            }
        }
    }

    /// Published results name their seed; if this fails, they can no longer be repeated.
    #[test]
    fn the_numbers_of_a_seed_stay_the_same() {
        let mut numbers = stream(42, "arrivals", 7);
        let first: Vec<_> = (0..3).map(|_| numbers.next_u64()).collect();
        let pinned = [13644588376656018612, 9876646252311788009, 11152839856688394305];
        assert_eq!(first, pinned);
    }

    #[test]
    #[should_panic = "over 24 bytes long"]
    fn a_name_that_would_be_cut_is_refused() {
        stream(0, "a name that goes on and on and on", 0);
    }
}
