//! So many pairs of allocate and release of a random mesh, for a counter of instructions around
//! this process: `ci/callgrind` runs it twice, and the difference leaves out what is not measured.
//!
//! Arguments: the number of a case, `alone` or `full`, and the pairs.

mod common;

use common::{CASES, Churn};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let [case, machine, pairs] = arguments.as_slice() else {
        println!("run ci/callgrind; cases:");
        CASES.iter().enumerate().for_each(|(number, case)| println!("{number} {case}"));
        return;
    };
    let case: usize = case.parse().expect("the number of a case");
    let pairs: usize = pairs.parse().expect("a number of pairs");
    let mut churn = Churn::new(&CASES[case]);
    match machine.as_str() {
        "alone" => (0..pairs).for_each(|_| {
            churn.allocate();
            churn.release();
        }),
        _ => fill(&mut churn, pairs),
    }
}

/// The machine stays about as full as it gets.
fn fill(churn: &mut Churn, pairs: usize) {
    let mut released = 0;
    while released < pairs {
        if churn.coin() {
            churn.allocate();
        } else {
            released += usize::from(churn.release());
        }
    }
}
