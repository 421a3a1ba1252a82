//! Entries of `locox::mapping`.

use core::fmt::Display;
use locox::mapping::{
    BadSite, BestAssignment, Cluster, Duplex, Experience, Mapper, MinMax, MinMin, Misuse, Olb,
    Open, Pjs, Placement, Plan, Preemption, Refusal, Room, Running, Runs, Site, Sufferage, Times,
    bound_room, lower_bound, runs,
};

type History<'a> = Experience<'a, &'a mut [Runs]>;

pub(crate) fn entries() {
    crate::keep![Cluster::of, Site::new, Site::machines, Site::resources, Site::cluster];
    crate::keep![Times::new, Times::by_class, Times::jobs, Times::resources, Times::on, Room::new];
    crate::keep![Placement::resource, Placement::start, Placement::end];
    crate::keep![Plan::new, Plan::placement, Plan::free_from, Plan::merit, Plan::makespan];
    crate::keep![
        runs,
        History::new,
        History::job_classes,
        History::ran,
        History::expected,
        bound_room,
        lower_bound,
        <BadSite as Display>::fmt,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
    ];
    crate::keep![Running::new, Running::loses, Open::job];
    mapper::<Olb>();
    mapper::<BestAssignment>();
    mapper::<MinMin>();
    mapper::<MinMax>();
    mapper::<Sufferage>();
    mapper::<Duplex>();
    mapper::<Pjs>();
}

fn mapper<M: Mapper>() {
    crate::keep![M::name, M::extend, M::map, M::map_by_level, Preemption::map::<M>];
}
