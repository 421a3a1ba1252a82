//! How a call went.

use core::ffi::{CStr, c_char};

/// How a call went.
///
/// - Zero: done.
/// - 1 to 99, a refusal: a state of affairs; another call may succeed later.
/// - From 100 on, a wrong call: a defect of the caller, or words from outside that are no good.
///
/// Of what was not done nothing has changed. Where a status has a number, it goes to `detail`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum locox_status {
    /// Done.
    LOCOX_OK = 0,

    /// Never possible: larger than the machine.
    LOCOX_TOO_LARGE = 1,
    /// Not before something is repaired.
    LOCOX_FAULTY = 2,
    /// Not now: so many (detail) are free.
    LOCOX_TOO_FEW_FREE = 3,
    /// Not known: the search was given up.
    LOCOX_UNDECIDED = 4,
    /// Not now, although enough are free: the largest dimension that would be granted is the detail.
    LOCOX_FRAGMENTED = 5,
    /// This node (detail) is not free.
    LOCOX_NOT_FREE = 6,
    /// Not before the deadline: the earliest finish would be the detail.
    LOCOX_LATE = 7,
    /// Not before the end of time.
    LOCOX_END_OF_TIME = 8,
    /// Too few PEs are free, or not those, from when (detail) on.
    LOCOX_BUSY = 9,
    /// All rows are in use.
    LOCOX_FULL = 10,
    /// Never: the mask allows fewer PEs.
    LOCOX_MASKED = 11,
    /// There is no room to note another step.
    LOCOX_NO_STEP = 12,
    /// Never: the queue knows no times.
    LOCOX_UNPLANNED = 13,
    /// There is none.
    LOCOX_NONE = 14,
    /// The message was answered already, or is of an earlier boot.
    LOCOX_OLD = 15,
    /// A message before it is missing: the number that is expected is the detail.
    LOCOX_EARLY = 16,
    /// Not before hosts come back: so many (detail) are there.
    LOCOX_LOST = 17,
    /// No machine that is present can run this job, or this class of jobs (detail).
    LOCOX_NO_MACHINE = 18,
    /// The times are so long that their sum is beyond any clock.
    LOCOX_TOO_LONG = 19,
    /// The owner has the station.
    LOCOX_OWNER_PRESENT = 20,
    /// There is a guest already.
    LOCOX_OCCUPIED = 21,

    /// A pointer is null that must not be.
    LOCOX_NULL = 100,
    /// A pointer is not a multiple of the alignment of what it points to.
    LOCOX_MISALIGNED = 101,
    /// A buffer or storage is too short: so much (detail) is needed.
    LOCOX_TOO_SHORT = 102,
    /// The structure was never started.
    LOCOX_NOT_STARTED = 103,
    /// A callback came back to the structure that called it.
    LOCOX_REENTERED = 104,
    /// A number stands for nothing, or is out of range.
    LOCOX_BAD_ARGUMENT = 105,
    /// The name is another structure's.
    LOCOX_FOREIGN = 106,
    /// What the name stood for is over.
    LOCOX_STALE = 107,
    /// There is no such node (detail).
    LOCOX_NO_SUCH_NODE = 108,
    /// There is no such PE.
    LOCOX_NO_SUCH_PE = 109,
    /// No PE is asked for.
    LOCOX_NO_PES = 110,
    /// No time is asked for, or the interval ends before it starts.
    LOCOX_NO_TIME = 111,
    /// The end lies at or after the end of time.
    LOCOX_BEYOND_TIME = 112,
    /// The deadline comes before ready time plus duration.
    LOCOX_DEADLINE_TOO_EARLY = 113,
    /// The time lies before the present.
    LOCOX_PAST = 114,
    /// The set is not one of the machine's PEs.
    LOCOX_WRONG_SET = 115,
    /// The mask requires a PE that it does not allow, or more than are asked for.
    LOCOX_WRONG_MASK = 116,
    /// No alternative is named.
    LOCOX_NO_REQUEST = 117,
    /// A series of none, or of intervals that overlap.
    LOCOX_WRONG_SERIES = 118,
    /// The job waits: it cannot end, only be cancelled.
    LOCOX_WAITS = 119,
    /// The job runs: it cannot be cancelled, only end.
    LOCOX_RUNS = 120,
    /// The job has an interval of its own, and no place in line.
    LOCOX_RESERVED = 121,
    /// A period, threshold or limit must not be zero.
    LOCOX_ZERO = 122,
    /// There is no such station (detail).
    LOCOX_NO_SUCH_STATION = 123,
    /// The submission is neither the station's next, whose number is the detail, nor its last again.
    LOCOX_WRONG_SERIAL = 124,
    /// The job lives, but this run of it is over.
    LOCOX_RUN_OVER = 125,
    /// The job is cancelled, and only leaves its processor yet.
    LOCOX_CANCELLED = 126,
    /// Nothing keeps the job from a processor.
    LOCOX_NOT_STOPPED = 127,
    /// Boots and messages are counted from 1 on.
    LOCOX_UNNUMBERED = 128,
    /// Only reports of hosts are numbered.
    LOCOX_NO_REPORT = 129,
    /// There is no such host (detail).
    LOCOX_NO_SUCH_HOST = 130,
    /// There is no such job (detail).
    LOCOX_NO_SUCH_JOB = 131,
    /// The job (detail) has hosts already.
    LOCOX_PLACED = 132,
    /// The job (detail) has no hosts.
    LOCOX_NOT_PLACED = 133,
    /// No host is asked for.
    LOCOX_NO_HOSTS = 134,
    /// There are not so many levels.
    LOCOX_WRONG_LEVELS = 135,
    /// Tables do not fit each other: rows, columns, members, numbers of machines.
    LOCOX_WRONG_TABLE = 136,
    /// There is no such user (detail).
    LOCOX_NO_SUCH_USER = 137,
    /// There is no such queue (detail).
    LOCOX_NO_SUCH_QUEUE = 138,
    /// There is no such class of jobs (detail).
    LOCOX_NO_SUCH_CLASS = 139,
    /// There is no such machine (detail).
    LOCOX_NO_SUCH_MACHINE = 140,
    /// No cluster is served by such an interconnect (detail).
    LOCOX_NO_SUCH_LINK = 141,
    /// There is no guest of which something could be asked or said.
    LOCOX_NO_GUEST = 142,
    /// A suspended guest cannot end by itself.
    LOCOX_GUEST_SUSPENDED = 143,
    /// A guest that nobody killed cannot be gone.
    LOCOX_NOT_KILLED = 144,
    /// The job is not the next of which a host is told: the number of that is the detail, or 0.
    LOCOX_WRONG_NUMBER = 145,

    /// The words are no image.
    LOCOX_NO_IMAGE = 200,
    /// The image ends too early, a word is not what was written, or its contents contradict each
    /// other. The structure is as new if the image was one of it.
    LOCOX_BAD_IMAGE = 201,
    /// The image is of another kind, version, pool, configuration or size.
    LOCOX_OTHER_IMAGE = 202,
    /// The words are no record of a command.
    LOCOX_NO_RECORD = 203,
    /// A word of the record is not what was written, or it is of another coordinator.
    LOCOX_BAD_RECORD = 204,
    /// The record is of another version.
    LOCOX_OTHER_RECORD = 205,
    /// Records before it are missing: the number of the next one is the detail.
    LOCOX_OUT_OF_TURN = 206,
    /// The record is whole, but cannot follow on what was.
    LOCOX_CONTRADICTION = 207,

    /// An invariant does not hold: a defect of this library, or memory that others wrote to.
    LOCOX_BROKEN = 300,
}

use locox_status::*;

const ALL: [(locox_status, &CStr); 78] = [
    (LOCOX_OK, c"done"),
    (LOCOX_TOO_LARGE, c"larger than the machine"),
    (LOCOX_FAULTY, c"impossible until something is repaired"),
    (LOCOX_TOO_FEW_FREE, c"too few are free"),
    (LOCOX_UNDECIDED, c"undecided: the search was given up"),
    (LOCOX_FRAGMENTED, c"enough are free, but fragmented"),
    (LOCOX_NOT_FREE, c"a node is not free"),
    (LOCOX_LATE, c"not before the deadline"),
    (LOCOX_END_OF_TIME, c"not before the end of time"),
    (LOCOX_BUSY, c"not free in the interval"),
    (LOCOX_FULL, c"all rows are in use"),
    (LOCOX_MASKED, c"the mask allows fewer PEs"),
    (LOCOX_NO_STEP, c"no room to note another step"),
    (LOCOX_UNPLANNED, c"the queue knows no times"),
    (LOCOX_NONE, c"there is none"),
    (LOCOX_OLD, c"an old message"),
    (LOCOX_EARLY, c"a message before it is missing"),
    (LOCOX_LOST, c"impossible until hosts come back"),
    (LOCOX_NO_MACHINE, c"no machine that is present can run the job"),
    (LOCOX_TOO_LONG, c"the times are too long for any clock"),
    (LOCOX_OWNER_PRESENT, c"the owner has the station"),
    (LOCOX_OCCUPIED, c"there is a guest already"),
    (LOCOX_NULL, c"a null pointer"),
    (LOCOX_MISALIGNED, c"a misaligned pointer"),
    (LOCOX_TOO_SHORT, c"a buffer or storage is too short"),
    (LOCOX_NOT_STARTED, c"never started"),
    (LOCOX_REENTERED, c"called from its own callback"),
    (LOCOX_BAD_ARGUMENT, c"a number that stands for nothing"),
    (LOCOX_FOREIGN, c"the name is another structure's"),
    (LOCOX_STALE, c"what the name stood for is over"),
    (LOCOX_NO_SUCH_NODE, c"no such node"),
    (LOCOX_NO_SUCH_PE, c"no such PE"),
    (LOCOX_NO_PES, c"no PE is asked for"),
    (LOCOX_NO_TIME, c"no time is asked for"),
    (LOCOX_BEYOND_TIME, c"the end lies beyond the end of time"),
    (LOCOX_DEADLINE_TOO_EARLY, c"the deadline comes too early for the duration"),
    (LOCOX_PAST, c"the time lies in the past"),
    (LOCOX_WRONG_SET, c"not a set of the machine's PEs"),
    (LOCOX_WRONG_MASK, c"the mask contradicts itself or the request"),
    (LOCOX_NO_REQUEST, c"no alternative is named"),
    (LOCOX_WRONG_SERIES, c"a series of none, or of intervals that overlap"),
    (LOCOX_WAITS, c"the job waits"),
    (LOCOX_RUNS, c"the job runs"),
    (LOCOX_RESERVED, c"the job has an interval of its own"),
    (LOCOX_ZERO, c"a parameter must not be zero"),
    (LOCOX_NO_SUCH_STATION, c"no such station"),
    (LOCOX_WRONG_SERIAL, c"the submission is not the station's next"),
    (LOCOX_RUN_OVER, c"this run is over"),
    (LOCOX_CANCELLED, c"the job is cancelled"),
    (LOCOX_NOT_STOPPED, c"nothing keeps the job from a processor"),
    (LOCOX_UNNUMBERED, c"boots and messages are counted from 1 on"),
    (LOCOX_NO_REPORT, c"only reports of hosts are numbered"),
    (LOCOX_NO_SUCH_HOST, c"no such host"),
    (LOCOX_NO_SUCH_JOB, c"no such job"),
    (LOCOX_PLACED, c"the job has hosts already"),
    (LOCOX_NOT_PLACED, c"the job has no hosts"),
    (LOCOX_NO_HOSTS, c"no host is asked for"),
    (LOCOX_WRONG_LEVELS, c"there are not so many levels"),
    (LOCOX_WRONG_TABLE, c"tables do not fit each other"),
    (LOCOX_NO_SUCH_USER, c"no such user"),
    (LOCOX_NO_SUCH_QUEUE, c"no such queue"),
    (LOCOX_NO_SUCH_CLASS, c"no such class of jobs"),
    (LOCOX_NO_SUCH_MACHINE, c"no such machine"),
    (LOCOX_NO_SUCH_LINK, c"no such interconnect"),
    (LOCOX_NO_GUEST, c"no guest"),
    (LOCOX_GUEST_SUSPENDED, c"the guest is suspended"),
    (LOCOX_NOT_KILLED, c"nobody killed the guest"),
    (LOCOX_WRONG_NUMBER, c"not the next job of which the host is told"),
    (LOCOX_NO_IMAGE, c"the words are no image"),
    (LOCOX_BAD_IMAGE, c"the image is damaged"),
    (LOCOX_OTHER_IMAGE, c"the image is of something else"),
    (LOCOX_NO_RECORD, c"the words are no record"),
    (LOCOX_BAD_RECORD, c"the record is damaged, or of another coordinator"),
    (LOCOX_OTHER_RECORD, c"the record is of another version"),
    (LOCOX_OUT_OF_TURN, c"a record before it is missing"),
    (LOCOX_CONTRADICTION, c"the record cannot follow on what was"),
    (LOCOX_BROKEN, c"an invariant does not hold"),
    (LOCOX_OK, c"no status"),
];

/// What a status means, in English; `"no status"` for a number that is none. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn locox_status_str(status: i32) -> *const c_char {
    let [known @ .., (_, none)] = &ALL;
    let found = known.iter().find(|(of, _)| *of as i32 == status);
    found.map_or(*none, |(_, text)| *text).as_ptr()
}

/// Whether a status is a refusal: nothing is wrong with the call, and it may succeed later.
#[unsafe(no_mangle)]
pub extern "C" fn locox_is_refusal(status: i32) -> bool {
    (1..100).contains(&status)
}

impl From<locox::handle::Misuse> for locox_status {
    fn from(misuse: locox::handle::Misuse) -> Self {
        match misuse {
            locox::handle::Misuse::Foreign => LOCOX_FOREIGN,
            locox::handle::Misuse::Stale => LOCOX_STALE,
        }
    }
}

impl From<locox::coordinate::BadImage> for locox_status {
    fn from(bad: locox::coordinate::BadImage) -> Self {
        use locox::coordinate::BadImage::*;
        match bad {
            NoImage => LOCOX_NO_IMAGE,
            TooShort | Damaged | Contradiction(_) => LOCOX_BAD_IMAGE,
            OtherKind | OtherVersion | OtherPool | OtherConfiguration | OtherSize => {
                LOCOX_OTHER_IMAGE
            }
        }
    }
}

impl From<locox::invariant::InvariantViolation> for locox_status {
    fn from(_: locox::invariant::InvariantViolation) -> Self {
        LOCOX_BROKEN
    }
}
