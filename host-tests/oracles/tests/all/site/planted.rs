//! Images of sites with a word altered.

use super::rules::{begun, config, fresh, pass, run_of, set_policy, submit, ticks};
use crate::forged::{agree, of_equal_words, of_one_word, of_small_words, said};
use locox::mapping::Basis;
use locox_coordinators::site::{Claim, Command, Config, Coordinator, Learning, MachineId, UserId};

fn image_of(site: &Coordinator) -> Vec<u32> {
    let mut image = vec![];
    site.export(|word| image.push(word));
    image
}

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
    let image = image_of(&site);
    let mut other = fresh(config);
    let forged = of_one_word(&image).chain(of_small_words(&image));
    agree(
        &said(forged, |words| other.restore(words)),
        &[
            ("a half of a word says nothing", 55),
            ("a job that runs or leaves has machines", 56),
            ("a job that waits has no machine", 2),
            ("a machine's job is one of a resource that it belongs to", 38),
            ("a place can take a job", 8),
            ("a place is a resource", 41),
            ("an interconnect is down once", 16),
            ("it has too few words", 4),
            ("it has too many words", 6),
            ("levels agree with who takes places from whom", 14),
            ("taken", 5_001),
            ("the class, user and queue of a job are there", 205),
            ("the count of a user's jobs", 44),
            ("the count of jobs that wait", 31),
            ("the count of open rows", 62),
            ("the image is of another size than the storage", 22),
            ("the list of all jobs", 204),
            ("the pool of the jobs", 15),
            ("the vacant rows are closed ones, linked without a circle", 17),
            ("there is no such policy", 24),
            ("what is due is of a job that has machines", 21),
        ],
    );
}

/// Rows of jobs that have ended, and those that an image does not have, keep what they were of.
#[test]
fn rows_without_a_job_are_neither_listed_nor_have_machines() {
    let mut site = begun(config(), 4);
    let jobs = [1, 2].map(|serial| submit(&mut site, (0, serial), 0, 0));
    pass(&mut site, 10);
    let run = run_of(&site, jobs[0]);
    site.apply(site.now(), Command::Finished { run, took: ticks(38) }).unwrap();
    let image = image_of(&site);

    let mut other = begun(config(), 4);
    (1..=4).for_each(|serial| {
        submit(&mut other, (0, serial), 0, 0);
    });
    pass(&mut other, 10);
    // As links count rows: that of the job that ended, and the one behind the last.
    let forged = [1, 3].into_iter().flat_map(|row| of_equal_words(&image, row));
    agree(
        &said(forged, |words| other.restore(words)),
        &[
            ("a half of a word says nothing", 614),
            ("a job that runs or leaves has machines", 588),
            ("a machine's job is one of a resource that it belongs to", 2332),
            ("it has too few words", 609),
            ("it has too many words", 1),
            ("taken", 82381),
            ("the class, user and queue of a job are there", 879),
            ("the count of a user's jobs", 1152),
            ("the count of jobs that wait", 593),
            ("the count of open rows", 300),
            ("the image is of another size than the storage", 305),
            ("the list of all jobs", 2392),
            ("the pool of the jobs", 303),
            ("the vacant rows are closed ones, linked without a circle", 1515),
            ("there is no such policy", 306),
            ("what is due is of a job that has machines", 286),
        ],
    );
}
