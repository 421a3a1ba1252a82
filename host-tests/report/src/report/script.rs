//! What a page does where scripts run. Without them it says the same, and lies still.

/// Each file defines what the later ones use; the last one starts all of it.
const FILES: [&str; 11] = [
    include_str!("script/elements.js"),
    include_str!("script/ticks.js"),
    include_str!("script/chart.js"),
    include_str!("script/values.js"),
    include_str!("script/reading.js"),
    include_str!("script/zoom.js"),
    include_str!("script/legend.js"),
    include_str!("script/sort.js"),
    include_str!("script/choices.js"),
    include_str!("script/copy.js"),
    include_str!("script/marks.js"),
];
const START: &str = include_str!("script/start.js");

/// All of it, with names that other scripts of the page do not see.
pub(super) fn whole() -> String {
    format!("(() => {{\n'use strict';\n{}{START}}})();", FILES.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_script_ends_its_element() {
        assert!(!whole().contains("</") && !whole().contains("<!--"));
    }

    #[test]
    fn no_name_is_given_twice() {
        let named = |line: &str| {
            let words = line
                .split_once(' ')
                .filter(|(first, _)| ["const", "function", "class", "let"].contains(first));
            words.map(|(_, rest)| rest.split([' ', '(']).next().unwrap_or_default().to_owned())
        };
        let script = whole();
        let mut names: Vec<String> = script.lines().filter_map(named).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert!(count > 20 && names.len() == count, "{names:?}");
    }
}
