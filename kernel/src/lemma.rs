//! Lemmas: what tricks with bits rely on, stated beside them as expressions of the language.
//!
//! One statement is shown three ways: with random arguments and those at the edges in `cargo test`; for all arguments, words of
//! 32 and of 64 bits, by `ci/deep/lemmas`, which reads statements and functions from the sources and passes them to an SMT solver;
//! and by Kani, where it is installed, as a proof of the compiled code.

/// States lemmas about the functions of a file. An argument has a type, and a range if not all of it is meant; a
/// condition may stand before the statement.
///
/// ```text
/// lemmas! {
///     /// Decoding undoes encoding.
///     decode_undoes_encode(index: u32) => decode(encode(index)) == index;
///     /// The lowest one of a power of two is that power.
///     lowest(bits: u32, at: u32 = 0..32) if bits == 1 << at => bits.trailing_zeros() == at;
/// }
/// ```
macro_rules! lemmas {
    ($(
        $(#[$doc:meta])*
        $name:ident($($argument:ident: $kind:ident $(= $range:expr)?),+) $(if $condition:expr)? => $holds:expr;
    )+) => {
        #[cfg(test)]
        mod lemmas {
            #[allow(clippy::wildcard_imports)]
            use super::*;

            $(
                $(#[$doc])*
                #[test]
                fn $name() {
                    $crate::lemma::cases(|numbers| {
                        $(let $argument = $crate::lemma::argument!(numbers, $kind $(, $range)?);)+
                        $(if !$condition { return; })?
                        assert!($holds, concat!($(stringify!($argument), " = {:?}; "),+), $($argument),+);
                    });
                }
            )+
        }

        #[cfg(kani)]
        mod proofs {
            #[allow(clippy::wildcard_imports)]
            use super::*;

            $(
                #[kani::proof]
                fn $name() {
                    $(
                        let $argument: $kind = kani::any();
                        $(kani::assume(($range).contains(&$argument));)?
                    )+
                    $(kani::assume($condition);)?
                    assert!($holds);
                }
            )+
        }
    };
}

pub(crate) use lemmas;

/// An argument, of a range if there is one.
#[cfg(test)]
macro_rules! argument {
    ($numbers:expr, bool) => {
        $numbers.next() & 1 == 1
    };
    ($numbers:expr, $kind:ident) => {
        $numbers.next() as $kind
    };
    ($numbers:expr, $kind:ident, $range:expr) => {{
        let range: core::ops::Range<$kind> = $range;
        range.start + ($numbers.next() % (range.end - range.start) as u64) as $kind
    }};
}

#[cfg(test)]
pub(crate) use argument;

/// Numbers for the arguments of one case.
#[cfg(test)]
pub(crate) struct Numbers(u64);

#[cfg(test)]
impl Numbers {
    /// Any number; every other one has few ones or few zeros, as those at the edges have.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        for (shift, factor) in [(30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)] {
            mixed = (mixed ^ mixed >> shift).wrapping_mul(factor);
        }
        mixed ^= mixed >> 31;
        let run = u64::MAX.unbounded_shl((mixed >> 8) as u32 & 63);
        let bit = 1 << (mixed >> 16 & 63);
        match mixed & 7 {
            0 => bit,
            1 => run,
            2 => !run,
            3 => !run ^ bit,
            _ => mixed >> 3,
        }
    }
}

/// Tries a lemma.
#[cfg(test)]
pub(crate) fn cases(mut each: impl FnMut(&mut Numbers)) {
    for seed in 0..20_000u64 {
        each(&mut Numbers(seed << 32));
    }
}
