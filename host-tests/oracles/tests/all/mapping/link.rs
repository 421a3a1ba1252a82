//! What communication takes beside a clock that ticks: all small interconnects and traffics.

use locox::mapping::{Link, Times, Traffic};
use locox::time::Duration;

/// Message by message, and then tick by tick until all bytes are sent: in `per` ticks as many as are left of `bytes`.
fn naive(link: &Link, traffic: &Traffic, sharing: usize) -> Duration {
    let mut ticks = 0;
    for _ in 0..traffic.messages {
        ticks += link.latency.ticks();
    }
    let to_send = traffic.bytes * sharing as u64 * link.per.ticks();
    let left = link.bytes.saturating_sub(link.taken);
    if left == 0 && to_send > 0 {
        return Times::NEVER;
    }
    let mut sent = 0;
    while sent < to_send {
        sent += left;
        ticks += 1;
    }
    Duration::from_ticks(ticks)
}

#[test]
fn all_small_interconnects_take_as_long_as_the_clock_says() {
    let mut never = 0;
    for case in 0..4 * 5 * 5 * 6 * 3 * 6 * 4 {
        let mut rest = case;
        let mut digit = |base: u64| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        let link = Link {
            latency: Duration::from_ticks(digit(4)),
            bytes: digit(5),
            per: Duration::from_ticks(digit(5)),
            taken: digit(6),
        };
        let traffic = Traffic { messages: digit(3), bytes: digit(6) };
        let sharing = digit(4) as usize;
        let expected = naive(&link, &traffic, sharing);
        assert_eq!(link.time(&traffic, sharing), expected, "{link:?}, {traffic:?}, {sharing}");
        never += u32::from(expected == Times::NEVER);
    }
    assert!(never > 1_000, "{never}");
}
