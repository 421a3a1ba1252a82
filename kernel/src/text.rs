//! Texts that are read, without a panic: those in the standard library's `split` stay in firmware.

/// What is before the first `mark`, of ASCII, and what is behind it if there is one.
fn cut(text: &str, mark: u8) -> (&str, Option<&str>) {
    let at = text.bytes().position(|byte| byte == mark).unwrap_or(text.len());
    (text.get(..at).unwrap_or(text), text.get(at.wrapping_add(1)..))
}

/// What is written as `20x30`, up to N sides, each made something by `read`; those left out as `missing`.
pub(crate) fn read_sides<T: Copy, const N: usize>(
    text: &str,
    missing: T,
    read: impl Fn(&str) -> Option<T>,
) -> Option<[T; N]> {
    let mut sides = [missing; N];
    let mut rest = Some(text);
    for place in &mut sides {
        let Some(text) = rest else { break };
        let (side, more) = cut(text, b'x');
        *place = read(side)?;
        rest = more;
    }
    rest.is_none().then_some(sides)
}
