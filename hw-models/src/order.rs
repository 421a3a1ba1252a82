//! Whether the order of values looks like chance.

use crate::stats::standard_normal_cdf;

/// How likely neighbours are as alike as these, or more, if any order of the values is as likely as
/// any other: the one-sided p-value of von Neumann's ratio of ranks, by its normal approximation. 1
/// of fewer than eight values, or if all are equal, which say nothing.
///
/// It goes by ranks, so that a few extreme values do not decide. Cost: O(n log n).
///
/// Source: R. Bartels, *The rank version of von Neumann's ratio test for randomness*, 1982.
///
/// ```
/// use locox_models::order::p_of_alike_neighbours;
/// let rising: Vec<f64> = (0..20).map(f64::from).collect();
/// assert!(p_of_alike_neighbours(&rising) < 1e-4);
/// let zigzag: Vec<f64> = (0..20).map(|at| f64::from(at % 2)).collect();
/// assert!(p_of_alike_neighbours(&zigzag) > 0.999);
/// ```
pub fn p_of_alike_neighbours(values: &[f64]) -> f64 {
    const FEWEST: usize = 8;
    let ranks = ranks(values);
    let n = values.len() as f64;
    let spread: f64 = ranks.iter().map(|rank| (rank - (n + 1.0) / 2.0).powi(2)).sum();
    if values.len() < FEWEST || spread == 0.0 {
        return 1.0;
    }
    let steps: f64 = ranks.windows(2).map(|pair| (pair[0] - pair[1]).powi(2)).sum();
    let variance =
        4.0 * (n - 2.0) * (5.0 * n * n - 2.0 * n - 9.0) / (5.0 * n * (n + 1.0) * (n - 1.0).powi(2));
    standard_normal_cdf((steps / spread - 2.0) / variance.sqrt())
}

/// From 1 on; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = below as f64 + (equal.len() as f64 + 1.0) / 2.0;
        equal.iter().for_each(|&at| ranks[at] = rank);
        below += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;
    use rand::RngExt;

    #[test]
    fn equal_values_share_a_rank() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [2.5, 1.0, 2.5, 4.0]);
    }

    #[test]
    fn few_or_equal_values_say_nothing() {
        assert_eq!(p_of_alike_neighbours(&[]), 1.0);
        assert_eq!(p_of_alike_neighbours(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), 1.0);
        assert_eq!(p_of_alike_neighbours(&[3.0; 20]), 1.0);
    }

    /// Of 2,000 orders by chance 5 % are below 5 %, give or take four standard deviations.
    #[test]
    fn chance_is_taken_for_more_as_often_as_the_level_says() {
        let mut stream = stream(1, "order", 0);
        for count in [8, 13, 26, 104] {
            let mut low = || {
                let values: Vec<f64> = (0..count).map(|_| stream.random()).collect();
                p_of_alike_neighbours(&values) < 0.05
            };
            let share = (0..2_000).filter(|_| low()).count() as f64 / 2_000.0;
            assert!((0.03..0.07).contains(&share), "{count}: {share}");
        }
    }

    /// Each value is half of the one before and as much of its own.
    #[test]
    fn values_that_hang_together_are_found_out() {
        let mut stream = stream(2, "order", 0);
        let mut found = || {
            let mut value = 0.0;
            let values: Vec<f64> = (0..52)
                .map(|_| {
                    value = 0.5 * value + stream.random::<f64>();
                    value
                })
                .collect();
            p_of_alike_neighbours(&values) < 0.05
        };
        assert!((0..200).filter(|_| found()).count() > 170);
    }
}
