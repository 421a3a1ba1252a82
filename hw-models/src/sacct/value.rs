//! Durations and numbers of processors, as `sacct` prints them.

use super::clock::{parts, whole};

/// More seconds than this no job runs or may run: a thousand years.
const LONGEST: i64 = 1000 * 366 * 86_400;

/// Seconds of `[[days-]hours:]minutes:seconds`, with or without a fraction, or of a plain number of seconds.
pub(super) fn duration(text: &str) -> Option<i64> {
    if let Some(seconds) = whole(text) {
        return Some(seconds).filter(|&it| it <= LONGEST);
    }
    let (days, time) = match text.split_once('-') {
        Some((days, time)) => (whole(days)?, time),
        None => (0, text),
    };
    let time = time.split_once('.').map_or(time, |(time, _)| time);
    let [hours, minutes, seconds] = match time.matches(':').count() {
        1 if !text.contains('-') => parts(&format!("0:{time}"), ':')?,
        _ => parts(time, ':')?,
    };
    let all = [(days, 86_400), (hours, 3600), (minutes, 60), (seconds, 1)];
    let sum =
        all.iter().try_fold(0i64, |sum, &(count, of)| sum.checked_add(count.checked_mul(of)?));
    sum.filter(|&it| it <= LONGEST)
}

/// What a job may run, in seconds: `Some(None)` if it is not bounded, or the partition says by what.
pub(super) fn limit(text: &str) -> Option<Option<i64>> {
    match text.to_ascii_lowercase().as_str() {
        "" | "unlimited" | "partition_limit" | "invalid" | "unknown" | "none" => Some(None),
        _ => duration(text).map(Some),
    }
}

/// What a job may run, from minutes.
pub(super) fn limit_of_minutes(text: &str) -> Option<Option<i64>> {
    let Some(minutes) = whole(text) else { return limit(text).filter(Option::is_none) };
    let seconds = minutes.checked_mul(60).filter(|&it| it <= LONGEST);
    seconds.map(Some)
}

/// How many of `what` a list such as `billing=8,cpu=8,mem=4G,node=1` has; 0 if it has none.
pub(super) fn tres(text: &str, what: &str) -> Option<u32> {
    let mut entries = text.split(',').filter_map(|entry| entry.split_once('='));
    entries.find(|&(name, _)| name == what).map_or(Some(0), |(_, number)| count(number))
}

/// A number of processors or nodes; older versions shorten large ones to `16K` or `1.50M`.
pub(super) fn count(text: &str) -> Option<u32> {
    if text.is_empty() {
        return Some(0);
    }
    if let Some(plain) = whole(text) {
        return plain.try_into().ok();
    }
    let unit = match text.chars().last()? {
        'K' => 1024.0,
        'M' => 1024.0 * 1024.0,
        _ => return None,
    };
    let number = text.strip_suffix(['K', 'M'])?;
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = number.parse().ok().filter(|_| is_plain)?;
    let scaled = (number * unit).round();
    (scaled <= f64::from(u32::MAX)).then_some(scaled as u32)
}

/// Memory in MiB, rounded up, such as `4000M` or `1.50T`; 0 of nothing.
pub(super) fn mebibytes(text: &str) -> Option<u32> {
    if text.is_empty() {
        return Some(0);
    }
    let (number, unit) = match text.split_at_checked(text.len() - 1)? {
        (number, "K") => (number, 1.0 / 1024.0),
        (number, "M") => (number, 1.0),
        (number, "G") => (number, 1024.0),
        (number, "T") => (number, 1024.0 * 1024.0),
        (number, "P") => (number, 1024.0 * 1024.0 * 1024.0),
        _ => (text, 1.0),
    };
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = number.parse().ok().filter(|_| is_plain)?;
    let scaled = (number * unit).ceil();
    (scaled <= f64::from(u32::MAX)).then_some(scaled as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_days_hours_or_neither() {
        for (text, value) in [
            ("00:00", 0),
            ("05:07", 307),
            ("01:00:00", 3600),
            ("2-03:04:05", 183_845),
            ("00:01.500", 1),
            ("86400", 86_400),
            ("100:00:00", 360_000),
        ] {
            assert_eq!(duration(text), Some(value), "{text}");
        }
        for text in ["", "x", "1-", "1-05:07", "-1:00", "1:2:3:4", "9223372036854775807", "1e5"] {
            assert_eq!(duration(text), None, "{text}");
        }
        assert_eq!(duration("99999999999999-00:00:00"), None);
    }

    #[test]
    fn a_limit_may_be_none_and_may_be_wrong() {
        assert_eq!(limit("UNLIMITED"), Some(None));
        assert_eq!(limit("Partition_Limit"), Some(None));
        assert_eq!(limit("1-00:00:00"), Some(Some(86_400)));
        assert_eq!(limit("soon"), None);
        assert_eq!(limit_of_minutes("90"), Some(Some(5400)));
        assert_eq!(limit_of_minutes("UNLIMITED"), Some(None));
        assert_eq!(limit_of_minutes("01:00"), None);
        assert_eq!(limit_of_minutes("9223372036854775807"), None);
    }

    #[test]
    fn numbers_come_plain_shortened_or_in_a_list() {
        assert_eq!(count("128"), Some(128));
        assert_eq!(count(""), Some(0));
        assert_eq!(count("16K"), Some(16_384));
        assert_eq!(count("1.50K"), Some(1536));
        for text in ["-1", "K", "1e9K", "99999999999", "99999999M", "infK", "x"] {
            assert_eq!(count(text), None, "{text}");
        }
        for (text, value) in
            [("", 0), ("4000M", 4000), ("1.50G", 1536), ("512K", 1), ("2T", 2 << 20), ("7", 7)]
        {
            assert_eq!(mebibytes(text), Some(value), "{text}");
        }
        for text in ["M", "-1M", "1e3M", "4X", "99999P", "é"] {
            assert_eq!(mebibytes(text), None, "{text}");
        }
        assert_eq!(tres("billing=9,cpu=8,mem=4G,node=2", "cpu"), Some(8));
        assert_eq!(tres("billing=9,cpu=8,mem=4G,node=2", "node"), Some(2));
        assert_eq!(tres("mem=4G", "cpu"), Some(0));
        assert_eq!(tres("cpu=many", "cpu"), None);
    }
}
