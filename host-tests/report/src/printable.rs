//! Text from outside, such as names of files, that is not to command a terminal.

use std::borrow::Cow;

/// The text with control characters, but for line breaks, and marks that turn the direction of
/// writing replaced by how Rust writes them: `\u{1b}`.
///
/// ```
/// use locox_report::printable::printable;
/// assert_eq!(printable("a\u{1b}[31m"), r"a\u{1b}[31m");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if is_command(c) { clean.extend(c.escape_unicode()) } else { clean.push(c) }
    }
    clean.into()
}

fn is_command(c: char) -> bool {
    let turns = matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n') || turns
}
