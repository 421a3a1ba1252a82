//! Unlike machines: which machine or cluster runs each of these jobs, and in which order.

use crate::prelude::*;
use crate::station::LOCOX_NOBODY;
use locox::mapping::*;

numbers! {
    /// By which mapper: as duplex, and on clusters what pays off there.
    LOCOX_MAP_PJS = 0;
    /// See `LOCOX_MAP_PJS`: the better of min-min and max-min.
    LOCOX_MAP_DUPLEX = 1;
    /// See `LOCOX_MAP_PJS`: the first job; the machine that is free first.
    LOCOX_MAP_OLB = 2;
    /// See `LOCOX_MAP_PJS`: the first job; its best machine.
    LOCOX_MAP_BEST_ASSIGNMENT = 3;
    /// See `LOCOX_MAP_PJS`: the job that ends first; its best machine.
    LOCOX_MAP_MIN_MIN = 4;
    /// See `LOCOX_MAP_PJS`: the job that ends last; its best machine.
    LOCOX_MAP_MAX_MIN = 5;
    /// See `LOCOX_MAP_PJS`: the job that would lose most; its best machine.
    LOCOX_MAP_SUFFERAGE = 6;
}

numbered! {
    Best {
        /// Which machine is the best for a job: the one on which it ends first.
        LOCOX_BEST_COMPLETION = Completion = 0,
        /// See `LOCOX_BEST_COMPLETION`: the one on which it runs for the shortest time.
        LOCOX_BEST_EXECUTION = Execution = 1,
    }

    Basis {
        /// On which resources the runs were that an expectation rests on: on the very one.
        LOCOX_BASIS_RESOURCE = Resource = 0,
        /// See `LOCOX_BASIS_RESOURCE`: on those of its class.
        LOCOX_BASIS_CLASS = Class = 1,
        /// See `LOCOX_BASIS_RESOURCE`: on any.
        LOCOX_BASIS_ANYWHERE = Anywhere = 2,
    }
}

opaque! {
    /// Room for what is kept of a cluster of machines.
    locox_cluster_row: [usize; LOCOX_CLUSTER_ROW_LENGTH], locox_size_of_cluster_row, for Cluster<'static>;

    /// Room for a job that has no place yet.
    locox_unplaced_row: [u64; LOCOX_UNPLACED_ROW_LENGTH], locox_size_of_unplaced_row, for UnplacedJob;

    /// Room for where and when a job runs.
    locox_mapped_row: [u64; LOCOX_MAPPED_ROW_LENGTH], locox_size_of_mapped_row, for PlannedRun;

    /// What past runs took. Opaque, small, and may be moved; its words may not.
    locox_experience: [u64; LOCOX_EXPERIENCE_LENGTH], locox_size_of_experience, as Learnt, b"RUNS";
}

structures! {
    /// Machines that run one job together.
    pub struct locox_machine_cluster {
        /// Numbers of machines, each once.
        pub members: *const u32,
        /// How many.
        pub member_count: usize,
        /// So many members must be present, or the cluster takes no job; not zero.
        pub least: usize,
        /// The number of the interconnect that serves it; `LOCOX_NOBODY`: one that is always up.
        pub link: u32,
        /// Of no meaning.
        pub padding: u32,
    }

    /// Jobs to map: where they can run for how long, and when each machine is free. Resources are numbered:
    /// first the machines, then the clusters. Only read.
    pub struct locox_problem {
        /// Nothing starts before.
        pub now: u64,
        /// How many machines, one at least.
        pub machines: usize,
        /// Clusters of them.
        pub clusters: *const locox_machine_cluster,
        /// How many.
        pub cluster_count: usize,
        /// How many jobs.
        pub jobs: usize,
        /// Null, or the row of the table for each job.
        pub row_of: *const u32,
        /// The table of expected times: a row for each job, or as many as there are, and in it a time for
        /// each resource; `LOCOX_NEVER` where a job cannot run.
        pub times: *const u64,
        /// Rows of the table; as many as jobs if `row_of` is null.
        pub rows: usize,
        /// When each machine is free; `LOCOX_NEVER`: it is away.
        pub free_from: *const u64,
        /// Interconnects that are down, by number.
        pub down: *const u32,
        /// How many.
        pub down_count: usize,
    }

    /// Room to map jobs, of any content. The structure itself is only read.
    pub struct locox_map_workspace {
        /// One a job.
        pub unplaced: *mut locox_unplaced_row,
        /// How many.
        pub unplaced_count: usize,
        /// Three a job.
        pub placements: *mut locox_mapped_row,
        /// How many.
        pub placement_count: usize,
        /// Four a machine; for `locox_map_bound` two a job and one a machine.
        pub instants: *mut u64,
        /// How many.
        pub instant_count: usize,
        /// One a cluster.
        pub clusters: *mut locox_cluster_row,
        /// How many.
        pub cluster_count: usize,
    }

    /// A genetic search. Only read, but for the words of the population.
    pub struct locox_genetic {
        /// `LOCOX_BEST_...`, for the start.
        pub best: u32,
        /// What is random is drawn from it.
        pub seed: u32,
        /// So many times as many children as there are chromosomes are made.
        pub generations: u32,
        /// Of no meaning.
        pub padding: u32,
        /// Room for the population, of any content: for so many chromosomes as many words as
        /// `locox_map_genes` says.
        pub genes: *mut u32,
        /// How many words.
        pub gene_count: usize,
    }

    /// Where and when a job runs.
    pub struct locox_mapped {
        /// The machine or cluster.
        pub resource: u32,
        /// Of no meaning.
        pub padding: u32,
        /// When it is to start.
        pub start: u64,
        /// When it is expected to end.
        pub end: u64,
    }

    /// An interconnect: what it can do, and what of that is taken.
    pub struct locox_link {
        /// What a message takes however short it is.
        pub latency: u64,
        /// The bandwidth: so many bytes,
        pub bytes: u64,
        /// in so much time.
        pub per: u64,
        /// So many of these bytes are others'.
        pub taken: u64,
    }

    /// What each process of a job sends, one message behind the other, in its whole run.
    pub struct locox_traffic {
        /// Messages.
        pub messages: u64,
        /// Bytes of all of them.
        pub bytes: u64,
    }

    /// What a run may take.
    pub struct locox_expected {
        /// Rounded to the nearest tick.
        pub mean: u64,
        /// The standard deviation of single runs, rounded down.
        pub deviation: u64,
        /// How many runs it rests on.
        pub runs: u32,
        /// `LOCOX_BASIS_...`.
        pub basis: u32,
    }
}

type Learnt = Experience<'static, &'static mut [Runs]>;

mirrors! {
    locox_link = Link { latency, bytes, per, taken }
    locox_traffic = Traffic { messages, bytes }
    locox_expected <- Expectation { mean, deviation, runs, basis }
}
values! {
    PlannedRun as locox_mapped: |it| locox_mapped {
        resource: it.resource().map_or(LOCOX_NOBODY, |resource| resource as u32),
        padding: 0,
        start: it.start().into_c(),
        end: it.end().into_c(),
    };
}

/// A mapper by number.
pub(crate) fn with_mapper<T>(
    mapper: u32,
    best: Best,
    act: impl FnOnce(&dyn Mapper) -> Answer<T>,
) -> Answer<T> {
    match mapper {
        LOCOX_MAP_PJS => act(&Pjs { best }),
        LOCOX_MAP_DUPLEX => act(&Duplex { best }),
        LOCOX_MAP_OLB => act(&Olb),
        LOCOX_MAP_BEST_ASSIGNMENT => act(&BestAssignment { best }),
        LOCOX_MAP_MIN_MIN => act(&MinMin { best }),
        LOCOX_MAP_MAX_MIN => act(&MaxMin { best }),
        LOCOX_MAP_SUFFERAGE => act(&Sufferage),
        _ => Err(LOCOX_BAD_ARGUMENT.into()),
    }
}

/// Clusters of the caller's, in rows of his.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn clusters_in(
    (given, count): (*const locox_machine_cluster, usize),
    (rows, len): (*mut locox_cluster_row, usize),
) -> Answer<&'static [Cluster<'static>]> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let given = inputs(given, count)?;
        for one in given {
            inputs(one.members, one.member_count)?;
        }
        let rows = any_storage(rows, len, count)?.cleared(Cluster::of(&[]));
        for (row, one) in rows.iter_mut().zip(given) {
            let interconnect = (one.link != LOCOX_NOBODY).then_some(one.link);
            let members = inputs(one.members, one.member_count)?;
            *row = Cluster { members, least: one.least, interconnect };
        }
        Ok(rows)
    }
}

/// Times of the caller's, of so many rows of so many columns.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn cells_in(
    times: *const u64,
    rows: usize,
    columns: usize,
) -> Answer<&'static [Duration]> {
    let cells = rows.checked_mul(columns).ok_or(LOCOX_BAD_ARGUMENT)?;
    // SAFETY: the caller keeps the contract; a duration is a number of 64 bits and nothing else.
    unsafe { inputs(times.cast(), cells) }
}

/// Acts on a problem of the caller's, which is checked first.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn with_problem<T>(
    problem: *const locox_problem,
    workspace: &locox_map_workspace,
    act: impl FnOnce(&Problem<'_>) -> Answer<T>,
) -> Answer<T> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let it = input(problem)?;
        let resources = it.machines.checked_add(it.cluster_count).ok_or(LOCOX_BAD_ARGUMENT)?;
        let cells = cells_in(it.times, it.rows, resources)?;
        let times = if it.row_of.is_null() {
            if it.rows != it.jobs {
                return Err(LOCOX_WRONG_TABLE.with_len(it.jobs));
            }
            Times::new(cells, resources)
        } else {
            Times::by_class(cells, resources, inputs(it.row_of, it.jobs)?)
        };
        let free_from = inputs(it.free_from.cast::<Instant>(), it.machines)?;
        let down = inputs(it.down, it.down_count)?;
        let clusters = (it.clusters, it.cluster_count);
        let clusters = clusters_in(clusters, (workspace.clusters, workspace.cluster_count))?;
        let site = Site::new(it.machines, clusters)?;
        let times = times.ok_or(LOCOX_WRONG_TABLE)?;
        act(&Problem { now: at(it.now), site, times, free_from, down })
    }
}

/// Gives all jobs of a problem places by the mapper that `choose` passes on.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn map_by(
    problem: *const locox_problem,
    levels: *const u8,
    workspace: *const locox_map_workspace,
    genes: &mut [u32],
    (mapped, merit): (*mut locox_mapped, *mut u64),
    choose: impl FnOnce(&mut dyn FnMut(&dyn Mapper) -> Answer<Duration>) -> Answer<Duration>,
) -> Answer<()> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (workspace, merit) = (input(workspace)?, optional_out(merit)?);
        let found = with_problem(problem, &workspace, |problem| {
            let (jobs, machines) = (problem.times.jobs(), problem.site.machines());
            let results = outputs(mapped, jobs)?;
            let levels = if levels.is_null() { None } else { Some(inputs(levels, jobs)?) };
            let open = any_storage(workspace.unplaced, workspace.unplaced_count, jobs)?;
            let (placed, free) = (jobs.saturating_mul(3), machines.saturating_mul(4));
            let placements = any_storage(workspace.placements, workspace.placement_count, placed)?;
            let instants = any_storage(workspace.instants, workspace.instant_count, free)?;
            let placements = placements.cleared(PlannedRun::EMPTY);
            let instants = instants.cleared(Instant::ZERO);
            let (mine, others) = placements.split_at_mut_checked(jobs).ok_or(LOCOX_TOO_SHORT)?;
            let (free, times) = instants.split_at_mut_checked(machines).ok_or(LOCOX_TOO_SHORT)?;
            let mut plan = Plan::new(mine, free);
            let room = Workspace::new(open.cleared(UnplacedJob::EMPTY), others, times);
            let mut room = room.with_genes(genes);
            let merit = choose(&mut |mapper| {
                Ok(match levels {
                    None => mapper.map(problem, &mut plan, &mut room)?,
                    Some(levels) => mapper.map_by_level(problem, levels, &mut plan, &mut room)?,
                })
            })?;
            for (job, result) in results.iter_mut().enumerate() {
                result.write(plan.placement(job).unwrap_or(PlannedRun::EMPTY).into_c());
            }
            Ok(merit)
        })?;
        merit.put(found)
    }
}

interface! {
    /// Gives all jobs of a problem places by a mapper (`LOCOX_MAP_...`; `best` is `LOCOX_BEST_...`, and
    /// not looked at by OLB and sufferage): `mapped` has one for each job, and is of no meaning after an
    /// error. `levels` is null, or has a level for each job: those of level 0 are mapped first, and less
    /// urgent ones never change their places. `merit`, which may be null, is the sum of the times from
    /// now to the ends.
    ///
    /// Refused as `LOCOX_NO_MACHINE` or `LOCOX_TOO_LONG`. `LOCOX_WRONG_TABLE` for tables that do not
    /// fit, or for a cluster (detail) whose members or their number make no sense.
    fn locox_map(
        problem: *const locox_problem, mapper: u32, best: u32, levels: *const u8,
        workspace: *const locox_map_workspace, mapped: *mut locox_mapped, merit: *mut u64; detail
    ) {
        map_by(problem, levels, workspace, &mut [], (mapped, merit), |map| {
            with_mapper(mapper, FromC::from_c(best)?, map)
        })
    }

    /// As `locox_map`, by genetic search from `LOCOX_MAP_PJS` on; never worse than that.
    fn locox_map_genetic(
        problem: *const locox_problem, genetic: *const locox_genetic, levels: *const u8,
        workspace: *const locox_map_workspace, mapped: *mut locox_mapped, merit: *mut u64; detail
    ) {
        let locox_genetic { best, seed, generations, genes, gene_count, .. } = input(genetic)?;
        let genes = any_storage::<u32, _>(genes, gene_count, gene_count)?.cleared(0);
        map_by(problem, levels, workspace, genes, (mapped, merit), |map| {
            map(&Genetic { best: FromC::from_c(best)?, seed, generations })
        })
    }

    /// A merit that no plan can be below: a plan at 1.2 times as much is at most a fifth from the best.
    /// Of the workspace, clusters and instants are used.
    fn locox_map_bound(
        problem: *const locox_problem, workspace: *const locox_map_workspace, bound: *mut u64; detail
    ) {
        let (result, workspace) = (out(bound)?, input(workspace)?);
        result.put(with_problem(problem, &workspace, |problem| {
            let needed = bound_workspace(problem.times.jobs(), problem.site.machines());
            let instants = any_storage(workspace.instants, workspace.instant_count, needed)?;
            Ok(lower_bound(problem, instants.cleared(Instant::ZERO))?)
        })?)
    }
}

plain! {
    /// Words of 32 bits for a population of so many chromosomes of so many jobs.
    fn locox_map_genes(jobs: usize, chromosomes: usize) -> usize { genes(jobs, chromosomes) }
}

interface! {
    /// What the traffic of each process adds to the time of a job on a cluster, where so many processes
    /// share the bandwidth: all members on a bus, one on a switch. `LOCOX_NEVER` if there are bytes and no
    /// bandwidth is left, or if it is beyond any clock.
    fn locox_link_time(link: *const locox_link, traffic: *const locox_traffic, sharing: usize, time: *mut u64) {
        let (link, traffic) = (Link::from_c(input(link)?)?, FromC::from_c(input(traffic)?)?);
        out(time)?.put(link.time(&traffic, sharing))
    }
}

plain! {
    /// Words of 64 bits for the experience of so many resources in so many classes, and so many classes of
    /// jobs.
    fn locox_experience_words(resources: usize, classes: usize, job_classes: usize) -> usize {
        spaced_words::<Runs>(runs(resources, classes, job_classes))
    }
}

methods! { experience: locox_experience |it| it =>
    /// Starts an experience of nothing. `class_of` is the class of each resource, below `classes`; it
    /// stays where it is. After `memory` runs it forgets. `words` may have any content.
    start fn locox_experience_start(
        class_of: *const u16, resources: usize, classes: usize, job_classes: usize, memory: u32, words: *mut u64,
        len: usize
    ) -> (; detail) {
        let class_of = inputs(class_of, resources)?;
        if class_of.iter().any(|&class| usize::from(class) >= classes) {
            return Err(LOCOX_WRONG_TABLE.into());
        }
        let rows = spaced::<Runs>(words, len, runs(resources, classes, job_classes))?;
        Experience::new(class_of, classes, rows.cleared(Runs::EMPTY), memory)?
    }

    /// A job of this class took so long on this resource.
    act fn locox_experience_ran(job_class: usize, resource: usize, took: u64) {
        it.ran(job_class, resource, ticks(took))?
    }

    /// What a job of this class may take on this resource; `LOCOX_NONE` if nothing is known of it
    /// anywhere.
    look fn locox_experience_expected(job_class: usize, resource: usize) -> (expected: locox_expected) {
        it.expected(job_class, resource)?.ok_or(LOCOX_NONE)?
    }
}

faults! {
    BadSite {
        NoMachines => LOCOX_WRONG_TABLE, Members(cluster) => LOCOX_WRONG_TABLE.with_len(cluster),
        UnknownMachine(cluster, _) => LOCOX_WRONG_TABLE.with_len(cluster),
        Twice(cluster, _) => LOCOX_WRONG_TABLE.with_len(cluster),
    }
    Refusal { NoMachine(job) => LOCOX_NO_MACHINE.with_len(job), TooLong => LOCOX_TOO_LONG }
    Misuse {
        Columns => LOCOX_WRONG_TABLE, Machines => LOCOX_WRONG_TABLE, Levels => LOCOX_WRONG_TABLE,
        Running => LOCOX_WRONG_TABLE, Storage => LOCOX_TOO_SHORT, Unknown => LOCOX_BAD_ARGUMENT,
    }
}
