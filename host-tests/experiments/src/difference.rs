//! Differences between methods, and how sure one may be of them.

use locox_models::stats::Estimate;

/// A difference with its sign: `+5.0 ± 0.2`.
pub(super) fn signed(Estimate { mean, half_width, .. }: Estimate) -> String {
    half_width.map_or(format!("{mean:+.1}"), |half_width| format!("{mean:+.1} ± {half_width:.1}"))
}
