//! Handles, ids and actions as text: a line each, and what was granted before a restart is told from what
//! was granted after it.

use locox::dispatch::Ticket;
use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox::mesh::{Leftover, MeshLease, MeshPool, Shape};
use locox::reserve::ReservationId;
use locox::subcube::{FreeList, Pool};
use locox::{dispatch, mesh, node, subcube, timeshare};

fn handle(epoch: u16) -> Handle {
    Handle::from_parts(PoolId(7), 3, Generation::from_raw(5), Epoch(epoch))
}

#[test]
fn a_handle_is_its_entry_and_generation_and_what_was_granted_after_a_restart_says_so() {
    assert_eq!(handle(0).to_string(), "3.5");
    assert_eq!(handle(2).to_string(), "3.5@2");
    assert_eq!(format!("{:#}", handle(0)), "3.5 (pool 7)");
    assert_eq!(format!("{:#}", handle(2)), "3.5@2 (pool 7)");
}

#[test]
fn what_a_handle_names_is_called_by_it_in_both_forms() {
    let both = |short: String, long: String| [short, long];
    let id = ReservationId::from_handle(handle(2));
    let texts = ["reservation 3.5@2", "reservation 3.5@2 (pool 7)"];
    assert_eq!(both(format!("{id}"), format!("{id:#}")), texts);
    let ticket = Ticket::from_handle(handle(0));
    assert_eq!(
        both(format!("{ticket}"), format!("{ticket:#}")),
        ["ticket 3.5", "ticket 3.5 (pool 7)"]
    );
}

/// Programs print leases where they mean nodes; logs add the flag.
#[test]
fn a_lease_is_its_subcube_and_in_the_alternate_form_its_handle_too() {
    let dims = 4.try_into().unwrap();
    let mut pool =
        Pool::<FreeList, _>::new(PoolId(7), dims, [0; subcube::words::<FreeList>(4)]).unwrap();
    let three = 3.try_into().unwrap();
    let first = pool.allocate(three).unwrap();
    pool.release(first).unwrap();
    let second = pool.allocate(three).unwrap();
    assert_eq!([first.to_string(), second.to_string()], ["0***", "0***"]);
    assert_eq!(format!("{first:#}"), "0*** as 0.1 (pool 7)");
    assert_eq!(format!("{second:#}"), "0*** as 0.3 (pool 7)");
}

#[test]
fn a_lease_of_a_mesh_is_its_mesh_and_in_the_alternate_form_its_handle_too() {
    let dims = 4.try_into().unwrap();
    let mut pool = MeshPool::<FreeList, _>::new(
        PoolId(7),
        dims,
        [0; mesh::words::<FreeList>(4)],
        Leftover::Reused,
    )
    .unwrap();
    let lease: MeshLease = pool.allocate(Shape::rectangle(3, 3).unwrap()).unwrap();
    assert_eq!(lease.to_string(), "3x3 in ****");
    assert_eq!(format!("{lease:#}"), "3x3 in **** as 0.1 (pool 7)");
}

#[test]
fn what_is_after_an_epoch_has_begun_differs_from_all_before() {
    let dims = 4.try_into().unwrap();
    let mut pool =
        Pool::<FreeList, _>::new(PoolId(7), dims, [0; subcube::words::<FreeList>(4)]).unwrap();
    pool.begin(Epoch(9));
    let lease = pool.allocate(dims).unwrap();
    assert_eq!(format!("{lease:#}"), "**** as 0.1@9 (pool 7)");
}

#[test]
fn each_action_of_a_workstation_is_a_line_and_one_of_a_thing_is_in_the_singular() {
    use node::Action::{Checkpoint, Continue, Kill, Start, Suspend, Vacate};
    let actions = [Start, Suspend, Continue, Checkpoint(node::Writing(4)), Vacate, Kill];
    let lines = [
        "start the guest",
        "stop the guest and keep it in memory",
        "let the guest go on",
        "write checkpoint 4 of the guest",
        "drop the guest, whose checkpoint is safe",
        "kill the guest",
    ];
    assert_eq!(actions.map(|action| action.to_string()), lines);

    let refusals = [
        dispatch::Refusal::TooLarge { pes: 1 }.to_string(),
        dispatch::Refusal::Faulty { serving: 1 }.to_string(),
        dispatch::Refusal::Full { entries: 1 }.to_string(),
        timeshare::Refusal::Lost { there: 1 }.to_string(),
        timeshare::Refusal::TooFew { free: 1 }.to_string(),
        dispatch::Job::new(6, 1).to_string(),
    ];
    let lines = [
        "the machine has 1 PE only",
        "the machine has 1 PE in service only, until some are repaired",
        "there is room for 1 job only",
        "the cluster has 1 host there only: wait until others are back",
        "now the job can have 1 host only: wait until a job ends",
        "job 6 (1 PE)",
    ];
    assert_eq!(refusals, lines);
}
