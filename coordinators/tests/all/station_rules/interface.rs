//! What a caller sees besides: effects before they are taken, a coordinator in a static, ids.

use super::*;

#[test]
fn an_effect_can_be_looked_at_before_it_is_taken() {
    let mut pool =
        Pool::with(Config { poll: Some(Duration::from_ticks(3)), ..config(Trigger::Demand) });
    assert_eq!(pool.coordinator.peek_effect(), None);
    pool.coordinator.apply(at(4), Command::NodeIdle { node: BANK[0] }).unwrap();
    pool.coordinator.apply(at(4), Command::Submit { home: StationId(0), serial: 1 }).unwrap();
    let mut seen = 0;
    while let Some(next) = pool.coordinator.peek_effect() {
        assert_eq!(pool.coordinator.peek_effect(), Some(next), "looking takes nothing");
        assert_eq!(pool.coordinator.take_effect(), Some(next));
        pool.coordinator.check_invariants().unwrap();
        seen += 1;
    }
    assert_eq!(seen, 2, "a poll and a placement");
}

/// A coordinator in a static, as on a host.
static POOL: std::sync::Mutex<Coordinator<UpDown<[ScheduleIndex; 3]>, Table>> =
    std::sync::Mutex::new(Coordinator::new_static(config_of_zeros(), Instant::ZERO));

const fn config_of_zeros() -> Config {
    let config = Config::study(Duration::from_ticks(1));
    Config { interval: Duration::ZERO, poll: None, trigger: Trigger::Demand, ..config }
}

#[test]
fn a_coordinator_can_stand_in_a_static_and_a_period_of_zero_is_a_tick_there() {
    let mut pool = POOL.lock().unwrap();
    assert_eq!(pool.wake_at(), Some(at(1)));
    pool.apply(at(1), Command::NodeIdle { node: BANK[0] }).unwrap();
    pool.apply(at(1), Command::Submit { home: StationId(0), serial: 1 }).unwrap();
    assert!(matches!(pool.take_effect(), Some(Effect::Place { .. })));
    pool.check_invariants().unwrap();
    assert_eq!(pool.wake_at(), Some(at(2)));
}

#[test]
fn ids_print_as_numbers() {
    let (_, job) = one_running();
    let printed = format!("{} {} {} {}", StationId(3), NodeId(4), job, run(job, 2));
    assert_eq!(printed, "3 4 0.1 0.1/2");
}
