//! Images of sites with a word altered.

use super::rules::{begun, config, fresh, pass, run_of, set_policy, submit, ticks};
use crate::planted::{images, said};
use locox::mapping::Basis;
use locox::site::{Claim, Command, Config, Learning, MachineId, UserId};

#[test]
fn each_invariant_of_a_site_refuses_the_images_that_break_it() {
    let learning = Learning { memory: 9, basis: Basis::Class, risk: 4 };
    let config = Config { learning: Some(learning), ..config() };
    let mut site = begun(config, 4);
    set_policy(&mut site, 2, 9, Claim::Loses);
    set_policy(&mut site, 1, 5, Claim::Neither);
    set_policy(&mut site, 0, 1, Claim::Takes);
    // One has ended, one runs on the pair, one leaves the last machine for one that waits.
    let ended = submit(&mut site, (0, 1), 1, 0);
    let low = submit(&mut site, (0, 2), 2, 2);
    pass(&mut site, 10);
    let run = run_of(&site, ended);
    site.apply(site.now(), Command::Finished { run, took: ticks(38) }).unwrap();
    let limit = Command::SetLimit { user: UserId(1), jobs: 5 };
    site.apply(site.now(), limit).unwrap();
    (1..=4).for_each(|serial| {
        submit(&mut site, (1, serial), 0, 0);
    });
    pass(&mut site, 20);
    assert!(site.status(low).is_ok());
    let lost = Command::MachineLost { machine: MachineId(2), boot: 1 };
    site.apply(site.now(), lost).unwrap();
    site.apply(site.now(), Command::LinkDown { link: 9 }).unwrap();
    let mut image = vec![];
    site.export(|word| image.push(word));
    let mut other = fresh(config);
    assert_eq!(
        images(&image, |words| other.restore(words)),
        said([
            ("a half of a word says nothing", 56),
            ("a job that runs or leaves has machines", 51),
            ("a job that waits has no machine", 2),
            ("a machine's job is one of a resource that it belongs to", 28),
            ("a place can take a job", 5),
            ("a place is a resource", 50),
            ("an interconnect is down once", 15),
            ("it has too few words", 2),
            ("it has too many words", 5),
            ("levels agree with who takes places from whom", 14),
            ("taken", 4718),
            ("the class, user and queue of a job are there", 215),
            ("the count of a user's jobs", 37),
            ("the count of jobs that wait", 25),
            ("the count of open rows", 51),
            ("the image is of another size than the storage", 24),
            ("the list of all jobs", 192),
            ("the pool of the jobs", 13),
            ("the vacant rows are closed ones, linked without a circle", 16),
            ("there is no such policy", 24),
            ("what is due is of a job that has machines", 22),
        ])
    );
}
