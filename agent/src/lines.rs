//! Small files of lines, which are replaced as a whole. The last line says how many others there are, so one that was
//! cut is not taken.

use locox_coordinators::manager::Key;
use locox_storage::Folder;
use std::io;

/// The lines of such a file of so many `things`; `None` if it is damaged.
pub(crate) fn parse<'a>(bytes: &'a [u8], things: &str) -> Option<Vec<&'a str>> {
    let text = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    let (lines, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let lines: Vec<&str> = lines.lines().collect();
    (last == end(lines.len(), things)).then_some(lines)
}

/// What such a file has, each line read by `one`: nothing if it is missing, `None` if it is damaged.
///
/// # Errors
///
/// Those of the system.
pub(crate) fn load<T>(
    folder: &mut impl Folder,
    file: &str,
    things: &str,
    one: impl Fn(&str) -> Option<T>,
) -> io::Result<Option<Vec<T>>> {
    let Some(bytes) = folder.read(file)? else { return Ok(Some(vec![])) };
    Ok(parse(&bytes, things).and_then(|lines| lines.into_iter().map(one).collect()))
}

/// Replaces such a file. When this returns it is durable; cut at any point, the one or the other is there.
///
/// # Errors
///
/// Those of the system.
pub(crate) fn store(
    folder: &mut impl Folder,
    file: &str,
    lines: &[String],
    things: &str,
) -> io::Result<()> {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text += &end(lines.len(), things);
    text.push('\n');
    let new = format!("{file}.new");
    folder.write(&new, text.as_bytes())?;
    folder.rename(&new, file)?;
    folder.sync_names()
}

/// A key, and what stands behind it.
pub(crate) fn key(text: &str) -> Option<(Key, &str)> {
    let [id, born, rest] = text.splitn(3, ' ').collect::<Vec<_>>().try_into().ok()?;
    Some((Key { id: id.parse().ok()?, born: born.parse().ok()? }, rest))
}

fn end(count: usize, things: &str) -> String {
    format!("# {count} {things}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copied::Copied;

    #[test]
    fn what_was_cut_at_any_byte_or_is_of_other_things_is_not_taken() {
        for lines in [vec![], vec!["a".to_string(), "b c".to_string()]] {
            let mut folder = Copied::default();
            store(&mut folder, "list", &lines, "things").unwrap();
            let stored = folder.read("list").unwrap().unwrap();
            assert_eq!(parse(&stored, "things").unwrap(), lines);
            assert_eq!(parse(&stored, "others"), None);
            for cut in 0..stored.len() {
                assert_eq!(parse(&stored[..cut], "things"), None, "{cut}");
            }
        }
    }
}
