//! Lots: a number that orders others by a draw of the caller's.

/// The lot of `number` under this draw: a bijection of the number, so that no two numbers draw the
/// same. One draw orders all of them.
///
/// It is m(m(number ^ draw) + r), with m the 32-bit finaliser of MurmurHash3 and r the draw rotated
/// by 16 bits. It stays so, or recorded runs would not replay.
pub(crate) const fn permute(draw: u32, number: u32) -> u32 {
    mix(mix(number ^ draw).wrapping_add(draw.rotate_left(16)))
}

const fn mix(mut bits: u32) -> u32 {
    bits = (bits ^ bits >> 16).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ bits >> 13).wrapping_mul(0xC2B2_AE35);
    bits ^ bits >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_of_four_numbers_is_drawn_about_equally_often() {
        const ROUNDS: u32 = 24_000;
        let mut seen = [0u32; 256];
        for round in 0..ROUNDS {
            // The draws themselves are the worst a caller could supply: a plain count.
            let mut order = [0u8, 1, 2, 3];
            order.sort_by_key(|&number| permute(round, number.into()));
            let code = order.iter().fold(0, |code, &number| code * 4 + usize::from(number));
            seen[code] += 1;
        }
        let orders = seen.iter().filter(|&&count| count > 0);
        assert_eq!(orders.clone().count(), 24);
        // 1000 expected each; 5 standard deviations are 155.
        assert!(orders.clone().all(|&count| count.abs_diff(1000) < 155), "{seen:?}");
    }

    #[test]
    fn no_two_numbers_draw_the_same_lot() {
        let mut lots = [0; 4096];
        for (number, slot) in (0..).zip(&mut lots) {
            *slot = permute(99, number);
        }
        lots.sort_unstable();
        assert!(lots.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
