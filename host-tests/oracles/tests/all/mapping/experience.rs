//! What past runs let expect, where a naive sum knows it.

use locox::mapping::{Experience, Misuse, Runs, runs};
use locox::time::Duration;

/// The mean of these times.
fn mean(took: &[u64]) -> u64 {
    let mut alone = Experience::new(&[0], 1, [Runs::EMPTY; runs(1, 1, 1)], u32::MAX).unwrap();
    for &took in took {
        alone.ran(0, 0, Duration::from_ticks(took)).unwrap();
    }
    alone.expected(0, 0).unwrap().unwrap().mean.ticks()
}

#[test]
fn a_mean_is_rounded_to_the_nearest_tick_and_half_ticks_up() {
    assert_eq!(mean(&[1, 2]), 2);
    assert_eq!(mean(&[1, 1, 2]), 1);
    assert_eq!(mean(&[1, 2, 2]), 2);
    assert_eq!(mean(&[5, 6, 5, 6, 5]), 5);
}

#[test]
fn there_is_room_for_as_many_job_classes_as_rows() {
    for classes in 0..4 {
        let storage = vec![Runs::EMPTY; runs(3, 2, classes)];
        let mut experience = Experience::new(&[0, 0, 1], 2, storage, 9).unwrap();
        assert_eq!(experience.job_classes(), classes);
        for class in 0..5 {
            let is_there = experience.ran(class, 2, Duration::from_ticks(1));
            let expected = if class < classes { Ok(()) } else { Err(Misuse::Unknown) };
            assert_eq!(is_there, expected, "{class} of {classes}");
        }
    }
}
