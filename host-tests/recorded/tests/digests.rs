//! What loads answer, and whether a digest sees a difference. Recorded runs are compared where they
//! are made, in `locox-models`; `ci/recorded` compares both with what microcontrollers find.

use locox_recorded::loads::{Load, Watch, digest};
use std::fmt::Debug;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// `LOCOX_RECORD=1` writes the digests anew, for a change of what systems answer.
#[test]
fn loads_are_answered_as_ever() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/loads.digests");
    let mut found = String::new();
    for load in Load::ALL {
        let digest = digest(load).unwrap_or_else(|| panic!("{}", load.name()));
        writeln!(found, "{} {digest:016x}", load.name()).unwrap();
    }
    if env::var_os("LOCOX_RECORD").is_some() {
        fs::write(&file, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(file).unwrap());
}

#[derive(Default)]
struct Answers {
    given: u32,
    refused: u32,
}

impl Watch for Answers {
    fn call<T: Debug, E: Debug>(
        &mut self,
        _: &'static str,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let answer = call();
        *(if answer.is_ok() { &mut self.given } else { &mut self.refused }) += 1;
        answer
    }
}

#[test]
fn loads_are_granted_and_refused() {
    let never_refused = ["fair", "mapping", "station-crowd"];
    for load in Load::ALL {
        let mut answers = Answers::default();
        load.run(&mut answers).unwrap_or_else(|| panic!("{}", load.name()));
        let Answers { given, refused } = answers;
        assert!(given > 20, "{}: {given}", load.name());
        assert_eq!(
            refused == 0,
            never_refused.contains(&load.name()),
            "{}: {refused}",
            load.name()
        );
    }
}
