//! Times as people read and write them.

use crate::facts::{LONGEST, is_endless};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A length of time, such as `1h 30m`.
pub(super) fn length(text: &str) -> Result<Duration, String> {
    let why = |error| format!("{error}; write 30m, 2h or 1d");
    match humantime::parse_duration(text).map_err(why)? {
        length if length.as_secs() == 0 => Err("a job needs a second at least".into()),
        length if length.as_secs() > LONGEST => {
            Err("a job runs for ten years at most; write less".into())
        }
        length => Ok(Duration::from_secs(length.as_secs())),
    }
}

/// A time in seconds since 1970: so long after `now`, or in full.
pub(super) fn deadline(text: &str, now: u64) -> Result<u64, String> {
    if let Ok(length) = humantime::parse_duration(text) {
        return Ok(now.saturating_add(length.as_secs()));
    }
    let time = humantime::parse_rfc3339_weak(text);
    let time =
        time.map_err(|_| format!("`{text}` is no time; write 8h, or 2026-11-25T18:00:00Z"))?;
    Ok(time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// A time.
pub(super) fn clock(seconds: u64) -> String {
    let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds.min(1 << 36)));
    time.map_or_else(
        || seconds.to_string(),
        |time| humantime::format_rfc3339_seconds(time).to_string(),
    )
}

/// A time, and how far it is from now.
pub(super) fn at(seconds: u64, now: u64) -> String {
    let time = clock(seconds);
    match seconds.checked_sub(now) {
        Some(0) => format!("{time} (now)"),
        Some(after) => format!("{time} (in {})", span(after)),
        None => format!("{time} ({} ago)", span(now - seconds)),
    }
}

/// A length of time if it is one, and not that of what has no limit.
pub(super) fn known(seconds: u64) -> Option<u64> {
    (!is_endless(seconds)).then_some(seconds)
}

/// The limit of a job, if it has one.
pub(super) fn limit(seconds: Option<u64>) -> String {
    seconds.map_or_else(|| "without a limit".into(), span)
}

/// When a job ends, if that is known.
pub(super) fn end(seconds: Option<u64>, now: u64) -> String {
    let unknown = "at no known time, as a job runs without a limit";
    seconds.map_or_else(|| unknown.into(), |seconds| at(seconds, now))
}

/// A length of time.
pub(super) fn span(seconds: u64) -> String {
    humantime::format_duration(Duration::from_secs(seconds)).to_string()
}

/// This host's clock.
pub(super) fn host_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_deadlines() {
        assert_eq!(length("1h 30m").unwrap(), Duration::from_secs(5400));
        assert!(length("30").unwrap_err().contains("write 30m"));
        assert!(length("0s").is_err());
        assert!(length("9years").is_ok());
        assert!(length("8000y").unwrap_err().contains("ten years"));
        assert_eq!(deadline("2m", 100), Ok(220));
        assert_eq!(deadline("1970-01-01T00:05:00Z", 100), Ok(300));
        assert!(deadline("soon", 100).unwrap_err().starts_with("`soon` is no time"));
    }

    #[test]
    fn times_are_told_with_their_distance() {
        assert_eq!(at(160, 100), "1970-01-01T00:02:40Z (in 1m)");
        assert_eq!(at(40, 100), "1970-01-01T00:00:40Z (1m ago)");
        assert_eq!(at(100, 100), "1970-01-01T00:01:40Z (now)");
        assert_eq!(clock(100), "1970-01-01T00:01:40Z");
        assert_eq!((known(1 << 59), known(1 << 60)), (Some(1 << 59), None));
        assert_eq!((limit(Some(90)), limit(None)), ("1m 30s".into(), "without a limit".into()));
        assert_eq!(end(Some(160), 100), at(160, 100));
        assert!(end(None, 100).starts_with("at no known time"));
    }
}
