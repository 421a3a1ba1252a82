//! The hosts of the platform, and their numbers in Batsim.

use std::fmt::Write;

/// Batsim's numbers of the computation hosts, in ascending order; a machine counts them from 0.
pub(crate) struct Hosts(Vec<u32>);

impl Hosts {
    /// # Errors
    ///
    /// That there are none, or that a number stands there twice.
    pub(crate) fn new(mut numbers: Vec<u32>) -> Result<Self, String> {
        numbers.sort_unstable();
        if numbers.is_empty() {
            return Err("the platform has no computation hosts".into());
        }
        match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("host {} stands there twice", pair[0])),
            None => Ok(Self(numbers)),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.len() as u32
    }

    /// Batsim's text for the first so many of the machine's processors, which are intervals such as `0-3 8`. A
    /// subcube has more than were asked for; the job must not get them.
    pub(crate) fn named(&self, allocated: &str, count: u32) -> String {
        let numbers = |text: &str| -> (usize, usize) {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            (first.parse().expect("a number"), last.parse().expect("a number"))
        };
        let each = allocated.split(' ').map(numbers).flat_map(|(first, last)| first..=last);
        let mut hosts = each.take(count as usize).map(|at| self.0[at]).peekable();
        let mut text = String::new();
        while let Some(first) = hosts.next() {
            let mut last = first;
            while let Some(next) = hosts.next_if_eq(&(last + 1)) {
                last = next;
            }
            let space = if text.is_empty() { "" } else { " " };
            _ = write!(text, "{space}{first}");
            if last > first {
                _ = write!(text, "-{last}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_named_by_their_hosts_and_no_more_than_were_asked_for() {
        let hosts = Hosts::new(vec![0, 1, 2, 4, 5, 9]).unwrap();
        assert_eq!(hosts.named("0-3 5", 5), "0-2 4 9");
        assert_eq!(hosts.named("0-3", 3), "0-2");
        assert_eq!(hosts.named("3-4", 2), "4-5");
        assert!(Hosts::new(vec![]).is_err() && Hosts::new(vec![1, 2, 1]).is_err());
    }
}
