//! For which requests *fewest lost* keeps room.

use locox::machine::Machine;
use locox::nodes::{Amounts, NodeRequest, Nodes, Placement};

/// The node that one processor is taken of, after so much was asked for.
fn chosen(asked: &[u32]) -> Option<Vec<u32>> {
    let classes = [Amounts::of(&[2]), Amounts::of(&[5])];
    let mut machine = Nodes::<1>::new(&classes, &[0, 1], Placement::Fewest).unwrap();
    machine.learn(&NodeRequest::of(1, Amounts::of(asked)));
    let (mut map, mut room) = (vec![0; machine.words().map], vec![0; machine.words().room]);
    machine.open(&mut map);
    let place = machine.find(&map, &NodeRequest::of(1, Amounts::of(&[1])), &mut room)?;
    Some(place.nodes().map(|node| node.0).collect())
}

#[test]
fn room_is_kept_for_what_a_node_has_at_most() {
    assert_eq!(chosen(&[2]), Some(vec![1]));
}

#[test]
fn no_room_is_kept_for_a_quantity_that_no_node_has() {
    assert_eq!(chosen(&[2, 1]), Some(vec![0]));
}
