//! Names of nodes as Slurm shortens them: `node[1-3,007],gpu1`.

/// The most names that one text may stand for. Slurm itself has no more nodes than 65,533.
const MOST: usize = 1 << 17;

/// The names that a text stands for, in its order.
///
/// # Errors
///
/// It is not such a text, or stands for more than 131,072 names.
pub fn expand(text: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for part in split_outside(text)? {
        let mut stems = vec![String::new()];
        append(part, &mut stems, MOST - names.len())
            .map_err(|why| format!("`{}`: {why}", short(text)))?;
        names.append(&mut stems);
    }
    match names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(format!("`{}`: `{}` is no name of a node", short(text), short(name))),
        None => Ok(names),
    }
}

/// A shorter text for names, in their order: runs of numbers of the same width become ranges.
#[must_use]
pub fn compress(names: &[String]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(first) = names.get(at) {
        let length = 1 + names
            .iter()
            .skip(at)
            .zip(names.iter().skip(at + 1))
            .take_while(|(a, b)| follows(a, b))
            .count();
        parts.push(match names.get(at + length - 1) {
            Some(last) if length > 1 => {
                let (stem, low) = stem_and_number(first);
                format!("{stem}[{low}-{}]", stem_and_number(last).1)
            }
            _ => first.clone(),
        });
        at += length;
    }
    parts.join(",")
}

/// Whether Slurm would take this for the name of one node.
#[must_use]
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// Parts between commas that do not stand in brackets.
fn split_outside(text: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut inside, mut start) = (false, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' if !inside => inside = true,
            ']' if inside => inside = false,
            '[' | ']' => return Err(format!("`{}`: a bracket too many", short(text))),
            ',' if !inside => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if inside {
        return Err(format!("`{}`: a bracket is not closed", short(text)));
    }
    parts.push(&text[start..]);
    Ok(parts)
}

/// Puts all that a part without outer commas stands for behind each stem.
fn append(part: &str, stems: &mut Vec<String>, most: usize) -> Result<(), String> {
    let mut rest = part;
    while let Some((before, inner)) = rest.split_once('[') {
        let Some((ranges, after)) = inner.split_once(']') else {
            return Err("a bracket is not closed".into());
        };
        let numbers = numbers(ranges, most)?;
        if stems.len().saturating_mul(numbers.len()) > most {
            return Err(format!("more than {MOST} names"));
        }
        *stems = stems
            .iter()
            .flat_map(|stem| numbers.iter().map(move |n| format!("{stem}{before}{n}")))
            .collect();
        rest = after;
    }
    stems.iter_mut().for_each(|stem| stem.push_str(rest));
    if stems.len() > most { Err(format!("more than {MOST} names")) } else { Ok(()) }
}

/// What stands in brackets: `1-3,007`.
fn numbers(ranges: &str, most: usize) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for range in ranges.split(',') {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (number(low)?, number(high)?);
        if last < first || last - first >= (most.saturating_sub(all.len())) as u64 {
            return Err(format!("the range `{}` is empty or too long", short(range)));
        }
        let width = low.len();
        all.extend((first..=last).map(|number| format!("{number:0width$}")));
    }
    Ok(all)
}

fn number(text: &str) -> Result<u64, String> {
    let digits =
        !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| format!("`{}` is no number", short(text)))
}

/// A name without the figures at its end, and these.
pub(super) fn stem_and_number(name: &str) -> (&str, &str) {
    name.split_at(name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len())
}

/// Whether `b` is the name after `a`, in figures of the same width.
fn follows(a: &str, b: &str) -> bool {
    let ((stem, low), (other, high)) = (stem_and_number(a), stem_and_number(b));
    let next = number(low).map(|n| n + 1);
    stem == other && low.len() == high.len() && next.is_ok() && next == number(high)
}

/// As much of a text as an error shows.
pub(super) fn short(text: &str) -> String {
    text.chars().take(60).map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{compress, expand};

    #[test]
    fn ranges_lists_and_widths_are_expanded() {
        assert_eq!(
            expand("node[1-3,007],gpu1").unwrap(),
            ["node1", "node2", "node3", "node007", "gpu1"]
        );
        assert_eq!(expand("r[1-2]n[09-10]x").unwrap(), ["r1n09x", "r1n10x", "r2n09x", "r2n10x"]);
        assert_eq!(expand("a").unwrap(), ["a"]);
    }

    #[test]
    fn what_is_no_list_of_nodes_is_refused() {
        for text in [
            "",
            ",",
            "a,",
            "n[",
            "n]",
            "n[1",
            "n[[1]]",
            "n[]",
            "n[3-1]",
            "n[1-]",
            "n[x]",
            "n[-1]",
            "(null)",
            "a b",
            "n[1-3",
            "é",
            "n[0-99999999999]",
            "n[1-400]m[1-400]",
            "n[18446744073709551616]",
            "a\n",
        ] {
            assert!(expand(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn names_that_follow_each_other_become_a_range() {
        let names = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(compress(&names("n8 n9 n10 n11 x n3")), "n[8-9],n[10-11],x,n3");
        assert_eq!(compress(&names("n08 n09 n10")), "n[08-10]");
        assert_eq!(compress(&[]), "");
    }

    proptest! {
        #[test]
        fn what_is_made_shorter_is_what_is_read_again(numbers in prop::collection::vec(0_u32..200, 1..40), width in 1_usize..4) {
            let names: Vec<_> = numbers.iter().map(|n| format!("rack2-n{n:0width$}")).collect();
            prop_assert_eq!(expand(&compress(&names)).unwrap(), names);
        }

        #[test]
        fn any_text_is_answered(text in "[a-c0-9\\[\\],\\- ]{0,20}") {
            let _ = expand(&text);
        }
    }
}
