//! The rhythm of a week: when owners are more likely to come.

/// Hours in a week; hour 0 begins on Monday at midnight.
const HOURS: usize = 168;
const HOUR: f64 = 3600.0;

/// How eager owners are, hour by hour of the week: an available period ages so many times as fast.
///
/// At a constant 1 it changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Week {
    /// One entry an hour.
    eagerness: Vec<f64>,
}

impl Week {
    /// An office: on working days most eager from 2 to 3 pm, hardly at night, and at weekends a
    /// third of that. Scaled so that stations with the periods of the study are available for
    /// about 70 % of all time and for about half of the busiest hour.
    pub fn office() -> Self {
        const DAY: [f64; 24] = [
            0.6, 0.5, 0.4, 0.4, 0.4, 0.5, 0.6, 1.0, 1.6, 2.1, 2.3, 2.4, 2.3, 2.5, 2.8, 2.5, 2.4,
            2.2, 1.9, 1.6, 1.5, 1.4, 1.1, 0.8,
        ];
        let hour = |hour: usize| if hour / 24 < 5 { DAY[hour % 24] } else { DAY[hour % 24] / 3.0 };
        Self { eagerness: (0..HOURS).map(hour).collect() }
    }

    /// The hour of the week, 0 to 167, at `seconds` after the begin of one.
    pub fn hour_of(seconds: f64) -> usize {
        ((seconds / HOUR) as usize) % HOURS
    }

    /// When a period that begins at `from` and would last `length` at eagerness 1 ends; both in
    /// seconds after the begin of a week.
    pub fn end_of(&self, from: f64, length: f64) -> f64 {
        let (mut at, mut left) = (from, length);
        loop {
            let pace = self.eagerness[Self::hour_of(at)];
            let hour_ends = ((at / HOUR).floor() + 1.0) * HOUR;
            let aged = (hour_ends - at) * pace;
            if aged >= left {
                return at + left / pace;
            }
            left -= aged;
            at = hour_ends;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_week_changes_nothing() {
        let even = Week { eagerness: vec![1.0; HOURS] };
        for (from, length) in [(0.0, 10.0), (3599.0, 3.0), (1e6, 1e6)] {
            assert!((even.end_of(from, length) - (from + length)).abs() < 1e-6);
        }
    }

    #[test]
    fn a_period_ages_hour_by_hour() {
        let mut week = Week { eagerness: vec![1.0; HOURS] };
        week.eagerness[0] = 0.5;
        week.eagerness[1] = 4.0;
        // Half an hour at 0.5 is a quarter; the other three quarters take 3/16 of an hour at 4.
        assert!((week.end_of(0.5 * HOUR, HOUR) - (1.0 + 3.0 / 16.0) * HOUR).abs() < 1e-6);
        // Round the end of the week.
        assert!((week.end_of(167.5 * HOUR, 0.75 * HOUR) - 168.5 * HOUR).abs() < 1e-6);
    }

    #[test]
    fn the_office_is_busiest_on_working_days_from_2_to_3() {
        let office = Week::office();
        let most = office.eagerness.iter().copied().fold(0.0, f64::max);
        for day in 0..7 {
            assert_eq!(office.eagerness[day * 24 + 14] == most, day < 5);
        }
    }
}
