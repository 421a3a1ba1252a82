//! Sums of durations.

use locox::time::Duration;

#[test]
fn durations_add_up_to_the_longest_one_and_no_further() {
    let sum = |one, other| {
        Duration::from_ticks(one).checked_add(Duration::from_ticks(other)).map(Duration::ticks)
    };
    assert_eq!(sum(3, 4), Some(7));
    assert_eq!(sum(u64::MAX - 4, 4), Some(u64::MAX));
    assert_eq!(sum(u64::MAX - 4, 5), None);
}
