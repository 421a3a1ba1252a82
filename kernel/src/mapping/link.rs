//! What communication adds to the time of a job on a cluster.

use super::Times;
use crate::time::Duration;

crate::data::data! {
    /// An interconnect: what it can do, and what of that is taken.
    ///
    /// Collins and George 2001, section 3: "Each interconnect is defined in terms of its specifications such
    /// as bandwidth and latency"; figure 1 adds its current traffic. How long a job takes by them the source
    /// leaves open: here a message takes the latency, and then its bytes by the bandwidth that is left.
    ///
    /// ```
    /// use locox::mapping::{Link, Traffic};
    /// use locox::time::Duration;
    ///
    /// // Ticks are microseconds. 100 MB a second, of which 20 MB are taken; 50 microseconds a message.
    /// let link = Link {
    ///     latency: Duration::from_ticks(50),
    ///     bytes: 100_000_000,
    ///     per: Duration::from_ticks(1_000_000),
    ///     taken: 20_000_000,
    /// };
    /// // Each process sends a thousand messages, 4 MB in all; four of them share the link.
    /// let traffic = Traffic { messages: 1_000, bytes: 4_000_000 };
    /// assert_eq!(link.time(&traffic, 4).ticks(), 50_000 + 200_000);
    /// ```
    pub struct Link {
        /// What a message takes however short it is.
        pub latency: Duration,
        /// The bandwidth: so many bytes,
        pub bytes: u64,
        /// in so much time.
        pub per: Duration,
        /// So many of these bytes are others', by what a network monitor says or by what was promised.
        pub taken: u64,
    }

    /// What each process of a job sends, one message behind the other, in its whole run.
    #[derive(Default)]
    pub struct Traffic {
        /// Messages.
        pub messages: u64,
        /// Bytes of all of them.
        pub bytes: u64,
    }
}

impl Link {
    /// What `traffic` of each process adds to the time of a job, rounded up: for a cell of [`Times`] of
    /// a cluster. So many processes are `sharing` the bandwidth: all members on a bus, one on a switch.
    /// [`Times::NEVER`] if there are bytes and no bandwidth is left, or if it is beyond any clock.
    pub fn time(&self, traffic: &Traffic, sharing: usize) -> Duration {
        let product = |factors: [u64; 2]| {
            factors.into_iter().fold(1_u128, |product, it| product.saturating_mul(it.into()))
        };
        let waits = product([traffic.messages, self.latency.ticks()]);
        // What saturates here is beyond any clock even by the largest bandwidth.
        let work = product([traffic.bytes, sharing as u64]).saturating_mul(self.per.ticks().into());
        let left = u128::from(self.bytes.saturating_sub(self.taken));
        let sends = match work {
            0 => 0,
            _ => work
                .checked_next_multiple_of(left)
                .and_then(|up| up.checked_div(left))
                .unwrap_or(u128::MAX),
        };
        let all = u64::try_from(waits.saturating_add(sends));
        all.map_or(Times::NEVER, Duration::from_ticks)
    }
}
