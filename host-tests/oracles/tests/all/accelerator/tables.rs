//! Tables of profiles, and slices as text.

use locox::accelerator::{BadTable, Profile, ProfileId, SliceSet, Table};

#[test]
fn each_profile_of_a_table_is_found_by_its_name_and_no_other_name_is() {
    for table in [Table::A100, Table::H100, Table::A30] {
        for (at, profile) in (0..).zip(table.profiles()) {
            assert_eq!(table.find(profile.name), Some(ProfileId(at)));
        }
        assert_eq!(table.find("5g"), None);
    }
    let twins = [Profile { name: "it", placements: &[SliceSet(1)] }; 2];
    assert_eq!(Table::new(1, &twins).unwrap().find("it"), Some(ProfileId(0)), "the first");
}

#[test]
fn a_profile_has_up_to_32_placements() {
    // Pairs of slice 0 and another one, and then some of slice 1 and another one.
    let pairs = (1..32).map(|at| 1 | 1 << at).chain([2 | 1 << 2, 2 | 1 << 3]).map(SliceSet);
    let pairs: Vec<_> = pairs.collect();
    let of = |count: usize| {
        Table::new(32, &[Profile { name: "pair", placements: &pairs[..count] }]).err()
    };
    assert_eq!([32, 33].map(of), [None, Some(BadTable::Limits)]);
}

#[test]
fn slices_are_told_as_ranges() {
    let texts = [
        (SliceSet::NONE, "none"),
        (SliceSet(1), "0"),
        (SliceSet(1 << 31), "31"),
        (SliceSet::run(2, 2), "2-3"),
        (SliceSet(0b1011_1001), "0,3-5,7"),
        (SliceSet::run(0, 32), "0-31"),
    ];
    for (slices, text) in texts {
        assert_eq!(slices.to_string(), text);
    }
}
