//! How a call went.

use core::ffi::{CStr, c_char};

/// Statuses with their numbers, and what they mean in English.
macro_rules! statuses {
    (
        $(#[$comment:meta])*
        enum $name:ident {
            $($(#[$meaning:meta])* $status:ident = $number:literal, $text:literal;)*
        }
    ) => {
        $(#[$comment])*
        #[repr(i32)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$meaning])* $status = $number,)*
        }

        const TEXTS: &[($name, &CStr)] = &[$(($name::$status, $text),)*];
    };
}

statuses! {
    /// How a call went.
    ///
    /// - Zero: done.
    /// - 1 to 99, a refusal: a state of affairs; another call may succeed later.
    /// - From 100 on, a wrong call: a defect of the caller, or words from outside that are no good.
    ///
    /// Of what was not done nothing has changed. Where a status has a number, it goes to `detail`.
    enum locox_status {
        /// Done.
        LOCOX_OK = 0, c"done";

        /// Never possible: larger than the machine. Of PEs and of hosts there are so many (detail).
        LOCOX_TOO_LARGE = 1, c"larger than the machine";
        /// Not before something is repaired. Of PEs so many (detail) are in service.
        LOCOX_FAULTY = 2, c"impossible until something is repaired";
        /// Not now: so many (detail) are free.
        LOCOX_TOO_FEW_FREE = 3, c"too few are free";
        /// Not known: the search was given up.
        LOCOX_UNDECIDED = 4, c"undecided: the search was given up";
        /// Not now, although enough are free: the largest dimension that would be granted is the detail.
        LOCOX_FRAGMENTED = 5, c"enough are free, but fragmented";
        /// This node (detail) is not free; of several that are named together without a detail.
        LOCOX_NOT_FREE = 6, c"a node is not free";
        /// Not before the deadline: the earliest finish would be the detail.
        LOCOX_LATE = 7, c"not before the deadline";
        /// Not before the end of time.
        LOCOX_END_OF_TIME = 8, c"not before the end of time";
        /// Too few PEs are free, or not those, from when (detail) on.
        LOCOX_BUSY = 9, c"not free in the interval";
        /// All rows are in use. A timeline, a profile or a queue has so many (detail).
        LOCOX_FULL = 10, c"all rows are in use";
        /// Never: the mask allows so many PEs (detail).
        LOCOX_MASKED = 11, c"the mask allows fewer PEs";
        /// There is room to note so many steps (detail), and no more.
        LOCOX_NO_STEP = 12, c"no room to note another step";
        /// Never: only conservative backfilling gives intervals.
        LOCOX_UNPLANNED = 13, c"only conservative backfilling gives intervals";
        /// There is none.
        LOCOX_NONE = 14, c"there is none";
        /// The message was answered already. From a coordinator of workstations or of shared hosts with a detail that
        /// is not zero: its boot is over, and its host restarts, with the boot of that number or a later one.
        LOCOX_OLD = 15, c"an old message";
        /// A message before it is missing: the number that is expected is the detail.
        LOCOX_EARLY = 16, c"a message before it is missing";
        /// Not before hosts come back: so many (detail) are there.
        LOCOX_LOST = 17, c"impossible until hosts come back";
        /// No machine that is present can run this job, or this class of jobs (detail).
        LOCOX_NO_MACHINE = 18, c"no machine that is present can run the job";
        /// The times are so long that their sum is beyond any clock.
        LOCOX_TOO_LONG = 19, c"the times are too long for any clock";
        /// The owner has the station.
        LOCOX_OWNER_PRESENT = 20, c"the owner has the station";
        /// There is a guest already.
        LOCOX_OCCUPIED = 21, c"there is a guest already";
        /// The queue takes jobs only of users with at least this clearance (detail).
        LOCOX_NO_ACCESS = 22, c"the user's clearance is too low for the queue";
        /// Not as sets and memory of hosts are now: so many hosts (detail) suit the job.
        LOCOX_UNSUITED = 23, c"too few hosts of the set have the memory";
        /// All rows for users are in use: forget one without jobs.
        LOCOX_USERS_FULL = 24, c"all rows for users are in use";
        /// The user has so many jobs (detail).
        LOCOX_HAS_JOBS = 25, c"the user has jobs";
        /// Never: the machine has no such place, even if nothing runs.
        LOCOX_NO_PLACE = 26, c"the machine has no such place";

        /// A pointer is null that must not be.
        LOCOX_NULL = 100, c"a null pointer";
        /// A pointer is not a multiple of the alignment of what it points to.
        LOCOX_MISALIGNED = 101, c"a misaligned pointer";
        /// A buffer or storage is too short: so much (detail) is needed.
        LOCOX_TOO_SHORT = 102, c"a buffer or storage is too short";
        /// The structure was never started.
        LOCOX_NOT_STARTED = 103, c"never started";
        /// A callback came back to the structure that called it.
        LOCOX_REENTERED = 104, c"called from its own callback";
        /// A number stands for nothing, or is out of range.
        LOCOX_BAD_ARGUMENT = 105, c"a number that stands for nothing";
        /// The name is another structure's.
        LOCOX_FOREIGN = 106, c"the name is another structure's";
        /// What the name stood for is over.
        LOCOX_STALE = 107, c"what the name stood for is over";
        /// There is no such node (detail).
        LOCOX_NO_SUCH_NODE = 108, c"no such node";
        /// There is no such PE.
        LOCOX_NO_SUCH_PE = 109, c"no such PE";
        /// No PE is asked for.
        LOCOX_NO_PES = 110, c"no PE is asked for";
        /// No time is asked for, or the interval ends before it starts.
        LOCOX_NO_TIME = 111, c"no time is asked for";
        /// The end lies at or after the end of time.
        LOCOX_BEYOND_TIME = 112, c"the end lies beyond the end of time";
        /// The deadline comes before ready time plus duration.
        LOCOX_DEADLINE_TOO_EARLY = 113, c"the deadline comes too early for the duration";
        /// The time lies before the present.
        LOCOX_PAST = 114, c"the time lies in the past";
        /// The set is not one of the machine's PEs.
        LOCOX_WRONG_SET = 115, c"not a set of the machine's PEs";
        /// The mask requires a PE that it does not allow, or more than are asked for; or there are
        /// speeds, and it allows only some.
        LOCOX_WRONG_MASK = 116, c"the mask contradicts itself or the request";
        /// No alternative is named.
        LOCOX_NO_REQUEST = 117, c"no alternative is named";
        /// A series of none, or of intervals that overlap.
        LOCOX_WRONG_SERIES = 118, c"a series of none, or of intervals that overlap";
        /// The job waits: it cannot end, only be cancelled.
        LOCOX_WAITS = 119, c"the job waits";
        /// The job runs: it cannot be cancelled, only end.
        LOCOX_RUNS = 120, c"the job runs";
        /// The job has an interval of its own, and no place in line.
        LOCOX_RESERVED = 121, c"the job has an interval of its own";
        /// A period, threshold or limit must not be zero.
        LOCOX_ZERO = 122, c"a parameter must not be zero";
        /// There is no such station (detail).
        LOCOX_NO_SUCH_STATION = 123, c"no such station";
        /// The submission is neither the next one of its station or user, whose number is the detail, nor the last again.
        LOCOX_WRONG_SERIAL = 124, c"the submission is not the next one of its station or user";
        /// The job lives, but this run of it is over.
        LOCOX_RUN_OVER = 125, c"this run is over";
        /// The job is cancelled, and only leaves its processor yet.
        LOCOX_CANCELLED = 126, c"the job is cancelled";
        /// Nothing keeps the job from a processor.
        LOCOX_NOT_STOPPED = 127, c"nothing keeps the job from a processor";
        /// Boots and messages are counted from 1 on.
        LOCOX_UNNUMBERED = 128, c"boots and messages are counted from 1 on";
        /// Only reports of hosts are numbered.
        LOCOX_NO_REPORT = 129, c"only reports of hosts are numbered";
        /// There is no such host (detail).
        LOCOX_NO_SUCH_HOST = 130, c"no such host";
        /// There is no such job (detail).
        LOCOX_NO_SUCH_JOB = 131, c"no such job";
        /// The job (detail) has hosts already.
        LOCOX_PLACED = 132, c"the job has hosts already";
        /// The job (detail) has no hosts.
        LOCOX_NOT_PLACED = 133, c"the job has no hosts";
        /// No host is asked for.
        LOCOX_NO_HOSTS = 134, c"no host is asked for";
        /// There are not so many levels.
        LOCOX_WRONG_LEVELS = 135, c"there are not so many levels";
        /// Tables do not fit each other: rows, columns, members, numbers of machines.
        LOCOX_WRONG_TABLE = 136, c"tables do not fit each other";
        /// There is no such user (detail).
        LOCOX_NO_SUCH_USER = 137, c"no such user";
        /// There is no such queue (detail).
        LOCOX_NO_SUCH_QUEUE = 138, c"no such queue";
        /// There is no such class of jobs (detail).
        LOCOX_NO_SUCH_CLASS = 139, c"no such class of jobs";
        /// There is no such machine (detail).
        LOCOX_NO_SUCH_MACHINE = 140, c"no such machine";
        /// No cluster is served by such an interconnect (detail).
        LOCOX_NO_SUCH_LINK = 141, c"no such interconnect";
        /// There is no guest of which something could be asked or said.
        LOCOX_NO_GUEST = 142, c"no guest";
        /// A suspended guest cannot end by itself.
        LOCOX_GUEST_SUSPENDED = 143, c"the guest is suspended";
        /// A guest that nobody killed cannot be gone.
        LOCOX_NOT_KILLED = 144, c"nobody killed the guest";
        /// The job is not the next of which a host is told: the number of that is the detail, or 0.
        LOCOX_WRONG_NUMBER = 145, c"not the next job of which the host is told";
        /// No message of the guest is outstanding.
        LOCOX_NO_MESSAGE = 146, c"no message of the guest is outstanding";
        /// The guest has as many messages outstanding as can be counted.
        LOCOX_TOO_MANY_MESSAGES = 147, c"the guest has too many messages outstanding";
        /// Speeds are none, zero, do not fall, or one lacks PEs of the one before it.
        LOCOX_WRONG_SPEEDS = 148, c"the speeds contradict each other";
        /// There is no such set of hosts (detail), or it is that of all, which is not changed.
        LOCOX_NO_SUCH_SET = 149, c"no such set of hosts";
        /// The coordinator was started without memory of hosts.
        LOCOX_NO_MEMORY = 150, c"memory of hosts is not looked at";
        /// There is such a job already.
        LOCOX_KNOWN = 151, c"there is such a job already";
        /// A job needs at least one node, and runs on one at least.
        LOCOX_NO_NODES = 152, c"no node is asked for";
        /// The job has this node (detail) already.
        LOCOX_TWICE = 153, c"the job has the node already";
        /// A reason that this version of the interface has no status for.
        LOCOX_UNKNOWN = 199, c"a reason without a status";

        /// The words are no image.
        LOCOX_NO_IMAGE = 200, c"the words are no image";
        /// The image ends too early, a word is not what was written, or its contents contradict each
        /// other. The structure is as new if the image was one of it.
        LOCOX_BAD_IMAGE = 201, c"the image is damaged";
        /// The image is of another kind, version, pool, configuration or size.
        LOCOX_OTHER_IMAGE = 202, c"the image is of something else";
        /// The words are no record of a command.
        LOCOX_NO_RECORD = 203, c"the words are no record";
        /// A word of the record is not what was written, or it is of another coordinator.
        LOCOX_BAD_RECORD = 204, c"the record is damaged, or of another coordinator";
        /// The record is of another version.
        LOCOX_OTHER_RECORD = 205, c"the record is of another version";
        /// Records before it are missing: the number of the next one is the detail.
        LOCOX_OUT_OF_TURN = 206, c"a record before it is missing";
        /// The record is whole, but cannot follow on what was.
        LOCOX_CONTRADICTION = 207, c"the record cannot follow on what was";

        /// An invariant does not hold: a defect of this library, or memory that others wrote to.
        LOCOX_INVARIANT_VIOLATION = 300, c"an invariant does not hold";
    }
}

/// What a status means, in English; `"no status"` for a number that is none. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn locox_status_str(status: i32) -> *const c_char {
    let found = TEXTS.iter().find(|(of, _)| *of as i32 == status);
    found.map_or(c"no status", |(_, text)| *text).as_ptr()
}

/// Whether a status is a refusal: nothing is wrong with the call, and it may succeed later.
#[unsafe(no_mangle)]
pub extern "C" fn locox_is_refusal(status: i32) -> bool {
    (1..100).contains(&status)
}
