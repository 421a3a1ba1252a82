//! Storage that is too short is refused with the length that it must have, an array when a program is
//! compiled.

const TEXT: &[u8] = b"the array is too short; words needed: ";

/// Digits of the largest number.
const DIGITS: usize = usize::MAX.ilog10() as usize + 1;

/// Fails where it is computed as a constant, if an array of `has` words is shorter than `needed`.
pub(crate) const fn require_words(has: usize, needed: usize) {
    if has >= needed {
        return;
    }
    match core::str::from_utf8(&message(needed)) {
        Ok(text) => panic!("{}", text),
        Err(_) => panic!("the array is too short"),
    }
}

/// The text with the number behind it.
const fn message(needed: usize) -> [u8; TEXT.len() + DIGITS] {
    let mut bytes = [b' '; TEXT.len() + DIGITS];
    let mut at = 0;
    while at < TEXT.len() {
        bytes[at] = TEXT[at];
        at += 1;
    }
    let (mut left, mut end) = (needed, TEXT.len() + needed.ilog10() as usize + 1);
    while end > TEXT.len() {
        end -= 1;
        bytes[end] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    bytes
}

/// The storage has fewer words than the pool needs; nothing was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StorageTooSmall {
    /// Words that are needed.
    pub needed: usize,
}

crate::display::error! { StorageTooSmall: it => "the pool needs a storage of {} words" (it.needed) }

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;

    #[test]
    fn a_message_names_the_length_that_is_needed() {
        for needed in [1, 9, 10, 1234, usize::MAX] {
            let text = std::format!("the array is too short; words needed: {needed}");
            assert_eq!(core::str::from_utf8(&message(needed)).unwrap().trim_end(), text);
        }
    }

    #[test]
    #[should_panic = "words needed: 8"]
    fn an_array_that_is_too_short_is_refused() {
        require_words(8, 8);
        require_words(7, 8);
    }
}
