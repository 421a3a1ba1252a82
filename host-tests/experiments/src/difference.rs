//! Differences between methods, and how sure one may be of them.

use locox_models::stats::Estimate;

/// A difference with its sign: `+5.0 ± 0.2`.
pub(super) fn signed(Estimate { mean, half_width, .. }: Estimate) -> String {
    half_width.map_or(format!("{mean:+.1}"), |half_width| format!("{mean:+.1} ± {half_width:.1}"))
}

/// What the first ones are more than the others, pair by pair.
pub(super) fn minus(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| one - other).collect()
}

/// What the others are more than the first ones, in per cent of these, pair by pair.
pub(super) fn percent_above(base: &[f64], others: &[f64]) -> Vec<f64> {
    base.iter().zip(others).map(|(base, other)| 100.0 * (other / base - 1.0)).collect()
}

/// Sums over several figures, replication by replication.
pub(super) fn sums<'f>(figures: impl IntoIterator<Item = &'f [f64]>) -> Vec<f64> {
    let add = |sums: Vec<f64>, figure: &[f64]| match sums.is_empty() {
        true => figure.to_vec(),
        false => sums.iter().zip(figure).map(|(sum, value)| sum + value).collect(),
    };
    figures.into_iter().fold(vec![], add)
}

/// The means over these.
pub(super) fn means(figures: &[impl AsRef<[f64]>]) -> Vec<f64> {
    let sums = sums(figures.iter().map(AsRef::as_ref));
    sums.into_iter().map(|sum| sum / figures.len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_go_from_the_second_to_the_first_and_per_cent_the_other_way() {
        assert_eq!(minus(&[3.0, 5.0], &[1.0, 9.0]), [2.0, -4.0]);
        assert_eq!(percent_above(&[2.0, 4.0], &[3.0, 3.0]), [50.0, -25.0]);
    }

    #[test]
    fn sums_and_means_are_of_each_replication() {
        let figures = [vec![1.0, 2.0], vec![3.0, 6.0]];
        assert_eq!(sums(figures.iter().map(Vec::as_slice)), [4.0, 8.0]);
        assert_eq!(means(&figures), [2.0, 4.0]);
        assert!(sums([]).is_empty());
    }
}
