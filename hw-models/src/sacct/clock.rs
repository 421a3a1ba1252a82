//! Points in time, as `sacct` prints them.

const DAY: i64 = 86_400;
/// Beyond it no clock of a cluster is; sums stay far from the ends of an i64.
const LATEST: i64 = 253_402_300_799; // the last second of the year 9999

/// Seconds since 1970 of `2026-03-01T08:00:00`, taken as UTC, or of a plain number of seconds, which is what
/// `SLURM_TIME_FORMAT=%s` prints. `None` of anything else.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let value = match text.split_once('T') {
        None => whole(text)?,
        Some((date, time)) => days(date)? * DAY + of_day(time)?,
    };
    (0..=LATEST).contains(&value).then_some(value)
}

fn days(date: &str) -> Option<i64> {
    let [year, month, day] = parts(date, '-')?;
    let is_date = (1970..=9999).contains(&year) && (1..=12).contains(&month);
    (is_date && (1..=month_days(year, month)).contains(&day)).then(|| {
        let before = (1..month).map(|month| month_days(year, month)).sum::<i64>();
        (year - 1970) * 365 + leap_days(year) - leap_days(1970) + before + day - 1
    })
}

fn of_day(time: &str) -> Option<i64> {
    let [hour, minute, second] = parts(time, ':')?;
    // 60 is a leap second.
    let is_time = hour < 24 && minute < 60 && second <= 60;
    is_time.then_some(hour * 3600 + minute * 60 + second)
}

/// Three numbers with a mark between them.
pub(super) fn parts(text: &str, mark: char) -> Option<[i64; 3]> {
    let mut words = text.split(mark).map(whole);
    let parts = [words.next()??, words.next()??, words.next()??];
    words.next().is_none().then_some(parts)
}

/// A number of digits alone: no sign, no space.
pub(super) fn whole(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Days in February 29 before this year.
fn leap_days(year: i64) -> i64 {
    let last = year - 1;
    last / 4 - last / 100 + last / 400
}

fn month_days(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_count_from_1970() {
        for (text, value) in [
            ("1970-01-01T00:00:00", 0),
            ("1970-03-01T00:00:01", 59 * DAY + 1),
            ("2000-02-29T00:00:00", 951_782_400),
            ("2000-03-01T00:00:00", 951_868_800),
            ("2026-03-01T08:00:00", 1_772_352_000),
            ("2100-03-01T00:00:00", 4_107_542_400),
            ("9999-12-31T23:59:59", LATEST),
            ("1772352000", 1_772_352_000),
        ] {
            assert_eq!(seconds(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "Unknown",
            "None",
            "2026-02-29T00:00:00",
            "2026-13-01T00:00:00",
            "2026-00-01T00:00:00",
            "2026-01-00T00:00:00",
            "2026-01-01T24:00:00",
            "2026-01-01T00:60:00",
            "2026-01-01T00:00",
            "2026-01-01T00:00:00:00",
            "2026-01-01",
            "1969-12-31T23:59:59",
            "+2026-01-01T00:00:00",
            "-5",
            "99999999999999999999",
            "999999999999999",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
