/*
 * locox: which processors a job gets, when, and at whose expense.
 *
 * Made by `cargo run -p locox-header` from bindings/c; do not edit. How to link it, and what holds
 * for all functions (status, storage, errors, threads), says bindings/c/README.md.
 *
 * In short: storage is yours and may be static; what was not done has changed nothing; results are
 * written only if a call answers LOCOX_OK, `detail`, which may always be null, only if it does not. A
 * pointer that is not null must point to what the call says it does.
 */

#ifndef LOCOX_H
#define LOCOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "locox_sizes.h"

/*
 What becomes of the nodes that a mesh leaves over in its subcube: others may use them.
 */
#define LOCOX_LEFTOVER_REUSED 0

/*
 See `LOCOX_LEFTOVER_REUSED`: they stay with the mesh.
 */
#define LOCOX_LEFTOVER_KEPT 1

/*
 The strategies of a pool, for `locox_pool_words` and `locox_mesh_words`.
 */
#define LOCOX_BUDDY 0

/*
 See `LOCOX_BUDDY`: runs of the Gray code.
 */
#define LOCOX_GRAY_CODE 1

/*
 See `LOCOX_BUDDY`: lists of free subcubes with a search behind them. The one to start from.
 */
#define LOCOX_FREE_LIST 2

/*
 See `LOCOX_BUDDY`: the free list of the literature.
 */
#define LOCOX_FREE_LIST_PLAIN 3

/*
 See `LOCOX_BUDDY`: complete recognition.
 */
#define LOCOX_COMPLETE 4

/*
 Why a node is withdrawn: it broke.
 */
#define LOCOX_FAILED 1

/*
 Why a node is withdrawn: it shall do no new work.
 */
#define LOCOX_DRAINED 2

/*
 However often: no bound on being overtaken.
 */
#define LOCOX_PATIENCE_ENDLESS UINT64_MAX

/*
 What else makes a coordinator schedule, but the end of an interval: nothing.
 */
#define LOCOX_TRIGGER_INTERVAL_ONLY 0

/*
 See `LOCOX_TRIGGER_INTERVAL_ONLY`: a processor becomes free.
 */
#define LOCOX_TRIGGER_CAPACITY 1

/*
 See `LOCOX_TRIGGER_INTERVAL_ONLY`: also a job is submitted, or leaves.
 */
#define LOCOX_TRIGGER_DEMAND 2

/*
 No processor, no station, no number.
 */
#define LOCOX_NOBODY UINT32_MAX

/*
 All processors of the bank.
 */
#define LOCOX_BANK UINT32_MAX

/*
 What is said to a coordinator: only that it is `now`. In a message it is a sign of life.
 */
#define LOCOX_TICK 0

/*
 See `LOCOX_TICK`: a job waits at station `node`; `number` is one more than at its submission before,
 1 at its first, and the same if it is said again. The answer is the job's name.
 */
#define LOCOX_SUBMIT 1

/*
 See `LOCOX_TICK`: processor `node` is available.
 */
#define LOCOX_NODE_IDLE 2

/*
 See `LOCOX_TICK`: the owner is at station `node`.
 */
#define LOCOX_OWNER_BACK 3

/*
 See `LOCOX_TICK`: the owner left while `run` was suspended, and it goes on.
 */
#define LOCOX_CONTINUED 4

/*
 See `LOCOX_TICK`: a checkpoint of `run`, called `number`, is safe.
 */
#define LOCOX_CHECKPOINTED 5

/*
 See `LOCOX_TICK`: `run` is no longer where it was.
 */
#define LOCOX_VACATED 6

/*
 See `LOCOX_TICK`: `run` finished its job.
 */
#define LOCOX_FINISHED 7

/*
 See `LOCOX_TICK`: processor `node` is gone, and what ran there.
 */
#define LOCOX_NODE_LOST 8

/*
 See `LOCOX_TICK`: the host has `run`.
 */
#define LOCOX_HEARD 9

/*
 See `LOCOX_TICK`: the job of `run` is not wanted any more.
 */
#define LOCOX_CANCEL 10

/*
 See `LOCOX_TICK`: the job of `run` shall have no processor until it is released.
 */
#define LOCOX_HOLD 11

/*
 See `LOCOX_TICK`: the job of `run` may have a processor again.
 */
#define LOCOX_RELEASE 12

/*
 See `LOCOX_TICK`: all runs of the job of `run` together may take `limit`; zero is no limit.
 */
#define LOCOX_LIMIT 13

/*
 See `LOCOX_TICK`: processor `node`, or `LOCOX_BANK`, is given to nobody until it is restored.
 */
#define LOCOX_DRAIN 14

/*
 See `LOCOX_TICK`: processor `node`, or `LOCOX_BANK`, may be given to jobs again.
 */
#define LOCOX_RESTORE 15

/*
 What is to be done: ask every station whether its owner is there and which jobs wait.
 */
#define LOCOX_POLL 0

/*
 See `LOCOX_POLL`: start `run`, a job of station `home`, on `node` from its beginning.
 */
#define LOCOX_PLACE 1

/*
 See `LOCOX_POLL`: start `run`, a job of station `home`, on `node` from checkpoint `number`.
 */
#define LOCOX_RESUME 2

/*
 See `LOCOX_POLL`: checkpoint `run` and have it out of `node`; `why` and `to` say why.
 */
#define LOCOX_PREEMPT 3

/*
 See `LOCOX_POLL`: checkpoint `run` on `node`; it goes on.
 */
#define LOCOX_CHECKPOINT 4

/*
 See `LOCOX_POLL`: ask `node` what became of `run`.
 */
#define LOCOX_ASK 5

/*
 See `LOCOX_POLL`: so many runs failed on `node` that it is given to nobody any more.
 */
#define LOCOX_SET_ASIDE 6

/*
 Why a run is preempted: the processor goes to station `to`.
 */
#define LOCOX_WHY_FAIRNESS 0

/*
 See `LOCOX_WHY_FAIRNESS`: the job has a new place, processor `to`.
 */
#define LOCOX_WHY_MOVED 1

/*
 See `LOCOX_WHY_FAIRNESS`: the owner came back too early.
 */
#define LOCOX_WHY_WITHDRAWN 2

/*
 See `LOCOX_WHY_FAIRNESS`: the job was cancelled; no checkpoint is needed.
 */
#define LOCOX_WHY_CANCELLED 3

/*
 See `LOCOX_WHY_FAIRNESS`: the job is held.
 */
#define LOCOX_WHY_HELD 4

/*
 See `LOCOX_WHY_FAIRNESS`: the job ran for longer than it may.
 */
#define LOCOX_WHY_LIMIT 5

/*
 See `LOCOX_WHY_FAIRNESS`: the processor is drained.
 */
#define LOCOX_WHY_DRAINED 6

/*
 Where a job is: at home, waiting.
 */
#define LOCOX_JOB_WAITING 0

/*
 See `LOCOX_JOB_WAITING`: at home; its last run failed, and it waits from `until` on.
 */
#define LOCOX_JOB_BACKING_OFF 1

/*
 See `LOCOX_JOB_WAITING`: at home; it is held.
 */
#define LOCOX_JOB_HELD 2

/*
 See `LOCOX_JOB_WAITING`: at home; too many of its runs failed.
 */
#define LOCOX_JOB_FAILED 3

/*
 See `LOCOX_JOB_WAITING`: at home; it ran for longer than it may.
 */
#define LOCOX_JOB_LIMIT 4

/*
 See `LOCOX_JOB_WAITING`: `node` is kept for it.
 */
#define LOCOX_JOB_PLACED 5

/*
 See `LOCOX_JOB_WAITING`: on its way to `node`, or running there.
 */
#define LOCOX_JOB_RUNNING 6

/*
 See `LOCOX_JOB_WAITING`: still on `node`; `next`, if any, is kept for it.
 */
#define LOCOX_JOB_LEAVING 7

/*
 No deadline, no limit: the end of time.
 */
#define LOCOX_NEVER UINT64_MAX

/*
 Which of the feasible starts: the earliest.
 */
#define LOCOX_FIT_FIRST 0

/*
 See `LOCOX_FIT_FIRST`: the fewest free PEs (PE_B).
 */
#define LOCOX_FIT_PE_BEST 1

/*
 See `LOCOX_FIT_FIRST`: the most free PEs (PE_W).
 */
#define LOCOX_FIT_PE_WORST 2

/*
 See `LOCOX_FIT_FIRST`: the shortest rectangle (Du_B).
 */
#define LOCOX_FIT_DURATION_BEST 3

/*
 See `LOCOX_FIT_FIRST`: the longest rectangle (Du_W).
 */
#define LOCOX_FIT_DURATION_WORST 4

/*
 See `LOCOX_FIT_FIRST`: the smallest product of PEs and duration (PEDu_B).
 */
#define LOCOX_FIT_PE_DURATION_BEST 5

/*
 See `LOCOX_FIT_FIRST`: the largest product of PEs and duration (PEDu_W).
 */
#define LOCOX_FIT_PE_DURATION_WORST 6

/*
 Which of the free PEs: the lowest.
 */
#define LOCOX_PICK_LOWEST 0

/*
 See `LOCOX_PICK_LOWEST`: the first run without gaps.
 */
#define LOCOX_PICK_CONTIGUOUS 1

/*
 See `LOCOX_PICK_LOWEST`: the first aligned block of a power of two.
 */
#define LOCOX_PICK_ALIGNED_SUBCUBE 2

/*
 What a change of `locox_timeline_attempt` does: reserve.
 */
#define LOCOX_CHANGE_RESERVE 0

/*
 See `LOCOX_CHANGE_RESERVE`: cancel.
 */
#define LOCOX_CHANGE_CANCEL 1

/*
 See `LOCOX_CHANGE_RESERVE`: move to another start.
 */
#define LOCOX_CHANGE_MOVE 2

/*
 The most reservations of one series, alternatives of one request, and changes of one attempt.
 */
#define LOCOX_SERIES_MOST 32

/*
 Which hosts and which level a job gets: the most urgent level that is free on enough hosts.
 */
#define LOCOX_PLACING_V1 1

/*
 See `LOCOX_PLACING_V1`: the same, among hosts that are not busy.
 */
#define LOCOX_PLACING_V2 2

/*
 See `LOCOX_PLACING_V1`: idle hosts, then hosts of one owner that are not busy, below all others.
 */
#define LOCOX_PLACING_V3 3

/*
 Why a job was placed so: no more urgent level than `level` is free on so many hosts.
 */
#define LOCOX_PLACED_LEVEL 0

/*
 See `LOCOX_PLACED_LEVEL`: these hosts have no other job.
 */
#define LOCOX_PLACED_IDLE 1

/*
 See `LOCOX_PLACED_LEVEL`: `shared` of its hosts have this `owner`, the others no job.
 */
#define LOCOX_PLACED_BESIDE 2

/*
 See `LOCOX_PLACED_LEVEL`: `shared` of its hosts have owners, more than one.
 */
#define LOCOX_PLACED_SPANNING 3

/*
 The speed of a host like most.
 */
#define LOCOX_SPEED_NOMINAL 16

/*
 How a call went.

 - Zero: done.
 - 1 to 99, a refusal: a state of affairs; another call may succeed later.
 - From 100 on, a wrong call: a defect of the caller, or words from outside that are no good.

 Of what was not done nothing has changed. Where a status has a number, it goes to `detail`.
 */
enum locox_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   Done.
   */
  LOCOX_OK = 0,
  /*
   Never possible: larger than the machine.
   */
  LOCOX_TOO_LARGE = 1,
  /*
   Not before something is repaired.
   */
  LOCOX_FAULTY = 2,
  /*
   Not now: so many (detail) are free.
   */
  LOCOX_TOO_FEW_FREE = 3,
  /*
   Not known: the search was given up.
   */
  LOCOX_UNDECIDED = 4,
  /*
   Not now, although enough are free: the largest dimension that would be granted is the detail.
   */
  LOCOX_FRAGMENTED = 5,
  /*
   This node (detail) is not free.
   */
  LOCOX_NOT_FREE = 6,
  /*
   Not before the deadline: the earliest finish would be the detail.
   */
  LOCOX_LATE = 7,
  /*
   Not before the end of time.
   */
  LOCOX_END_OF_TIME = 8,
  /*
   Too few PEs are free, or not those, from when (detail) on.
   */
  LOCOX_BUSY = 9,
  /*
   All rows are in use.
   */
  LOCOX_FULL = 10,
  /*
   Never: the mask allows fewer PEs.
   */
  LOCOX_MASKED = 11,
  /*
   There is no room to note another step.
   */
  LOCOX_NO_STEP = 12,
  /*
   Never: the queue knows no times.
   */
  LOCOX_UNPLANNED = 13,
  /*
   There is none.
   */
  LOCOX_NONE = 14,
  /*
   The message was answered already, or is of an earlier boot.
   */
  LOCOX_OLD = 15,
  /*
   A message before it is missing: the number that is expected is the detail.
   */
  LOCOX_EARLY = 16,
  /*
   Not before hosts come back: so many (detail) are there.
   */
  LOCOX_LOST = 17,
  /*
   No machine that is present can run this job (detail).
   */
  LOCOX_NO_MACHINE = 18,
  /*
   The times are so long that their sum is beyond any clock.
   */
  LOCOX_TOO_LONG = 19,
  /*
   A pointer is null that must not be.
   */
  LOCOX_NULL = 100,
  /*
   A pointer is not a multiple of the alignment of what it points to.
   */
  LOCOX_MISALIGNED = 101,
  /*
   A buffer or storage is too short: so much (detail) is needed.
   */
  LOCOX_TOO_SHORT = 102,
  /*
   The structure was never started.
   */
  LOCOX_NOT_STARTED = 103,
  /*
   A callback came back to the structure that called it.
   */
  LOCOX_REENTERED = 104,
  /*
   A number stands for nothing, or is out of range.
   */
  LOCOX_BAD_ARGUMENT = 105,
  /*
   The name is another structure's.
   */
  LOCOX_FOREIGN = 106,
  /*
   What the name stood for is over.
   */
  LOCOX_STALE = 107,
  /*
   There is no such node (detail).
   */
  LOCOX_NO_SUCH_NODE = 108,
  /*
   There is no such PE.
   */
  LOCOX_NO_SUCH_PE = 109,
  /*
   No PE is asked for.
   */
  LOCOX_NO_PES = 110,
  /*
   No time is asked for, or the interval ends before it starts.
   */
  LOCOX_NO_TIME = 111,
  /*
   The end lies at or after the end of time.
   */
  LOCOX_BEYOND_TIME = 112,
  /*
   The deadline comes before ready time plus duration.
   */
  LOCOX_DEADLINE_TOO_EARLY = 113,
  /*
   The time lies before the present.
   */
  LOCOX_PAST = 114,
  /*
   The set is not one of the machine's PEs.
   */
  LOCOX_WRONG_SET = 115,
  /*
   The mask requires a PE that it does not allow, or more than are asked for.
   */
  LOCOX_WRONG_MASK = 116,
  /*
   No alternative is named.
   */
  LOCOX_NO_REQUEST = 117,
  /*
   A series of none, or of intervals that overlap.
   */
  LOCOX_WRONG_SERIES = 118,
  /*
   The job waits: it cannot end, only be cancelled.
   */
  LOCOX_WAITS = 119,
  /*
   The job runs: it cannot be cancelled, only end.
   */
  LOCOX_RUNS = 120,
  /*
   The job has an interval of its own, and no place in line.
   */
  LOCOX_RESERVED = 121,
  /*
   A period, threshold or limit must not be zero.
   */
  LOCOX_ZERO = 122,
  /*
   There is no such station (detail).
   */
  LOCOX_NO_SUCH_STATION = 123,
  /*
   The submission is neither the station's next, whose number is the detail, nor its last again.
   */
  LOCOX_WRONG_SERIAL = 124,
  /*
   The job lives, but this run of it is over.
   */
  LOCOX_RUN_OVER = 125,
  /*
   The job is cancelled, and only leaves its processor yet.
   */
  LOCOX_CANCELLED = 126,
  /*
   Nothing keeps the job from a processor.
   */
  LOCOX_NOT_STOPPED = 127,
  /*
   Boots and messages are counted from 1 on.
   */
  LOCOX_UNNUMBERED = 128,
  /*
   Only reports of hosts are numbered.
   */
  LOCOX_NO_REPORT = 129,
  /*
   There is no such host (detail).
   */
  LOCOX_NO_SUCH_HOST = 130,
  /*
   There is no such job (detail).
   */
  LOCOX_NO_SUCH_JOB = 131,
  /*
   The job (detail) has hosts already.
   */
  LOCOX_PLACED = 132,
  /*
   The job (detail) has no hosts.
   */
  LOCOX_NOT_PLACED = 133,
  /*
   No host is asked for.
   */
  LOCOX_NO_HOSTS = 134,
  /*
   There are not so many levels.
   */
  LOCOX_WRONG_LEVELS = 135,
  /*
   Tables do not fit each other: rows, columns, members, numbers of machines.
   */
  LOCOX_WRONG_TABLE = 136,
  /*
   The words are no image.
   */
  LOCOX_NO_IMAGE = 200,
  /*
   The image ends too early, a word is not what was written, or its contents contradict each
   other. The structure is as new if the image was one of it.
   */
  LOCOX_BAD_IMAGE = 201,
  /*
   The image is of another kind, version, pool, configuration or size.
   */
  LOCOX_OTHER_IMAGE = 202,
  /*
   An invariant does not hold: a defect of this library, or memory that others wrote to.
   */
  LOCOX_BROKEN = 300,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum locox_status locox_status;
#else
typedef int32_t locox_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 A pool of the nodes of a hypercube that grants meshes. Opaque, small, and may be moved; its storage
 may not.
 */
typedef struct locox_mesh_pool {
  uint64_t opaque[LOCOX_MESH_POOL_LENGTH];
} locox_mesh_pool;

/*
 Nodes along each axis, at least one; the last axis runs fastest.
 */
typedef struct locox_shape {
  /*
   Of one, two or three axes; 1 for those that are not wanted.
   */
  uint32_t sides[3];
} locox_shape;

/*
 A name that was granted, as plain numbers.
 */
typedef struct locox_handle {
  /*
   The row that it names.
   */
  uint32_t index;
  /*
   Tells it from others that named this row.
   */
  uint32_t generation;
  /*
   The structure that granted it.
   */
  uint16_t pool;
  /*
   Since which restart.
   */
  uint16_t epoch;
} locox_handle;

/*
 A subcube granted to somebody: the nodes whose address is `base` but for the bits of `mask`.
 */
typedef struct locox_lease {
  /*
   Its name; the index is the base, its lowest address.
   */
  struct locox_handle handle;
  /*
   The bits of an address that are free: one for each dimension.
   */
  uint32_t mask;
  /*
   Dimensions of the machine.
   */
  uint32_t dims;
} locox_lease;

/*
 A mesh granted to somebody.
 */
typedef struct locox_mesh_lease {
  /*
   The subcube that it lies in.
   */
  struct locox_lease cube;
  /*
   Its sides.
   */
  struct locox_shape shape;
} locox_mesh_lease;

/*
 Called for each lease that a call has to name.
 */
typedef void (*locox_mesh_lease_fn)(const struct locox_mesh_lease *lease, void *user);

/*
 What a node is doing.
 */
typedef struct locox_node_state {
  /*
   1 if a lease holds it.
   */
  uint32_t leased;
  /*
   Zero in service, else `LOCOX_FAILED` or `LOCOX_DRAINED`.
   */
  uint32_t outage;
} locox_node_state;

/*
 Figures of a pool.
 */
typedef struct locox_pool_stats {
  /*
   Nodes that a new lease may take.
   */
  uint32_t free;
  /*
   Nodes held by leases.
   */
  uint32_t leased;
  /*
   Nodes out of service, leased or not.
   */
  uint32_t out;
  /*
   The largest dimension that would be granted now; -1 if no node is free.
   */
  int32_t largest;
  /*
   The share of the free nodes outside the largest free subcube, in thousandths.
   */
  uint32_t fragmentation_permille;
} locox_pool_stats;

/*
 Figures of a pool of meshes.
 */
typedef struct locox_mesh_stats {
  /*
   As of a pool of subcubes.
   */
  struct locox_pool_stats nodes;
  /*
   Free nodes that are leftover of a live mesh.
   */
  uint32_t auxiliary;
  /*
   Nodes of the live meshes.
   */
  uint32_t asked;
} locox_mesh_stats;

/*
 A pool of the nodes of a hypercube. Opaque, small, and may be moved; its storage may not.
 */
typedef struct locox_pool {
  uint64_t opaque[LOCOX_POOL_LENGTH];
} locox_pool;

/*
 Called for each lease that a call has to name.
 */
typedef void (*locox_lease_fn)(const struct locox_lease *lease, void *user);

/*
 Jobs that wait or run. Opaque, small, and may be moved; its storage may not.
 */
typedef struct locox_queue {
  uint64_t opaque[LOCOX_QUEUE_LENGTH];
} locox_queue;

/*
 Room for one job of a queue that knows an order only. Its content does not matter.
 */
typedef struct locox_queue_row {
  uint64_t opaque[LOCOX_QUEUE_ROW_LENGTH];
} locox_queue_row;

/*
 Room for one job of a queue that plans. Its content does not matter.
 */
typedef struct locox_backfill_row {
  uint64_t opaque[LOCOX_BACKFILL_ROW_LENGTH];
} locox_backfill_row;

/*
 A job in front of a machine.
 */
typedef struct locox_job {
  /*
   The caller's number for it; no queue looks at it.
   */
  uint32_t id;
  /*
   How many PEs, at least one.
   */
  uint32_t pes;
  /*
   How long it may run; queues that know no times do not look at it.
   */
  uint64_t requested;
  /*
   Where it stands in line: jobs of smaller keys before it, those of the same key as they came.
   */
  uint64_t key;
} locox_job;

/*
 What is asked for. Times are ticks of the caller's.
 */
typedef struct locox_request {
  /*
   The earliest start. An instant in the past means the present.
   */
  uint64_t ready;
  /*
   How long the PEs are needed.
   */
  uint64_t duration;
  /*
   The latest finish; `LOCOX_NEVER` for none.
   */
  uint64_t deadline;
  /*
   How many PEs.
   */
  uint32_t pes;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_request;

/*
 From when to when.
 */
typedef struct locox_placement {
  /*
   The first instant.
   */
  uint64_t start;
  /*
   The first instant after it.
   */
  uint64_t end;
} locox_placement;

/*
 Called with a job whose turn it is: zero to leave it, anything else if it was started.
 */
typedef uint32_t (*locox_start_fn)(const struct locox_job *job, void *user);

/*
 Parameters of a coordinator; `locox_station_standard` has some to start from. Times are ticks.
 */
typedef struct locox_station_config {
  /*
   Scheduling interval; not zero.
   */
  uint64_t interval;
  /*
   Time between polls of the stations, not zero; `LOCOX_NEVER` if they report by themselves.
   */
  uint64_t poll;
  /*
   Time between checkpoints of all that runs, not zero; `LOCOX_NEVER`: at preemption only.
   */
  uint64_t checkpoint;
  /*
   How long it takes to move a job to another processor.
   */
  uint64_t transfer;
  /*
   How long a host that numbers its messages may be silent, not zero; `LOCOX_NEVER`: for ever.
   */
  uint64_t lease;
  /*
   How long a job stays out after a run that failed; twice as long after each further one.
   */
  uint64_t back_off;
  /*
   `LOCOX_TRIGGER_...`.
   */
  uint32_t trigger;
  /*
   How many rounds it holds at the most whenever it schedules; not zero.
   */
  uint32_t rounds;
  /*
   Not zero: a job comes home as soon as its own station's processor is free.
   */
  uint32_t recall;
  /*
   After so many failed runs in a row a job waits for a release; 0 for never.
   */
  uint16_t retries;
  /*
   After so many failed runs in a row a processor is set aside; 0 for never.
   */
  uint16_t faults;
  /*
   The number that its jobs' names carry: to other coordinators they are foreign.
   */
  uint16_t pool;
  /*
   Of no meaning.
   */
  uint16_t padding[3];
} locox_station_config;

/*
 The coordinator of a network of workstations and a processor bank. Opaque, small, and may be moved;
 its rows may not.
 */
typedef struct locox_station {
  uint64_t opaque[LOCOX_STATION_LENGTH];
} locox_station;

/*
 Room for what a station wants and holds.
 */
typedef struct locox_demand_row {
  uint32_t opaque[1];
} locox_demand_row;

/*
 Room for what is kept of a station.
 */
typedef struct locox_home_row {
  uint32_t opaque[LOCOX_HOME_ROW_LENGTH];
} locox_home_row;

/*
 Room for what is kept of a processor.
 */
typedef struct locox_node_row {
  uint64_t opaque[LOCOX_NODE_ROW_LENGTH];
} locox_node_row;

/*
 Room for what is kept of a job.
 */
typedef struct locox_job_row {
  uint64_t opaque[LOCOX_JOB_ROW_LENGTH];
} locox_job_row;

/*
 Room for a round of allocation.
 */
typedef struct locox_contender {
  uint64_t opaque[LOCOX_CONTENDER_LENGTH];
} locox_contender;

/*
 Where a coordinator keeps its rows, of any content. The structure itself is only read.
 */
typedef struct locox_station_rows {
  /*
   One a station.
   */
  struct locox_demand_row *demand;
  /*
   One a station.
   */
  struct locox_home_row *homes;
  /*
   How many stations.
   */
  size_t stations;
  /*
   One a processor: first those of the stations, then those of the bank.
   */
  struct locox_node_row *nodes;
  /*
   How many processors, as many as stations at least.
   */
  size_t node_count;
  /*
   One for each job that is not finished.
   */
  struct locox_job_row *jobs;
  /*
   How many jobs.
   */
  size_t job_count;
  /*
   Room for a round of allocation: four at least, and fast with two for each decision.
   */
  struct locox_contender *scratch;
  /*
   How many.
   */
  size_t scratch_count;
} locox_station_rows;

/*
 Room for what Up-Down by time keeps of a station.
 */
typedef struct locox_timed_row {
  uint64_t opaque[LOCOX_TIMED_ROW_LENGTH];
} locox_timed_row;

/*
 Which host says it, of hosts that number their messages.
 */
typedef struct locox_sender {
  /*
   The host's processor.
   */
  uint32_t node;
  /*
   How often it restarted, from 1 on.
   */
  uint32_t boot;
  /*
   Counts the messages of this boot, from 1 on; not those of submissions.
   */
  uint32_t number;
} locox_sender;

/*
 One attempt of a job on one processor.
 */
typedef struct locox_run {
  /*
   The job.
   */
  struct locox_handle job;
  /*
   Counts the attempts of the job.
   */
  uint32_t attempt;
} locox_run;

/*
 What is said to a coordinator: of the fields those that its kind names.
 */
typedef struct locox_station_command {
  /*
   `LOCOX_TICK`, `LOCOX_SUBMIT`, ...
   */
  uint32_t kind;
  /*
   A processor or a station.
   */
  uint32_t node;
  /*
   A run, or a job of which any attempt is meant.
   */
  struct locox_run run;
  /*
   The number of a submission, or a host's name for a checkpoint.
   */
  uint32_t number;
  /*
   Of no meaning.
   */
  uint32_t padding;
  /*
   A limit in ticks.
   */
  uint64_t limit;
} locox_station_command;

/*
 What is to be done: of the fields those that its kind names.
 */
typedef struct locox_station_effect {
  /*
   `LOCOX_POLL`, `LOCOX_PLACE`, ...
   */
  uint32_t kind;
  /*
   The processor.
   */
  uint32_t node;
  /*
   The run.
   */
  struct locox_run run;
  /*
   The station whose job it is.
   */
  uint32_t home;
  /*
   The host's name for the checkpoint to resume from.
   */
  uint32_t number;
  /*
   When the transfer should be over.
   */
  uint64_t begins;
  /*
   `LOCOX_WHY_...`.
   */
  uint32_t why;
  /*
   The station or processor that is meant.
   */
  uint32_t to;
} locox_station_effect;

/*
 Where a job is: of the fields those that its kind names.
 */
typedef struct locox_job_status {
  /*
   `LOCOX_JOB_...`.
   */
  uint32_t kind;
  /*
   A processor, or `LOCOX_NOBODY`.
   */
  uint32_t node;
  /*
   The processor that is kept for it, or `LOCOX_NOBODY`.
   */
  uint32_t next;
  /*
   Of no meaning.
   */
  uint32_t padding;
  /*
   Until when it backs off.
   */
  uint64_t until;
} locox_job_status;

/*
 Which PEs are busy from when to when. Opaque, small, and may be moved; its storage may not.
 */
typedef struct locox_timeline {
  uint64_t opaque[LOCOX_TIMELINE_LENGTH];
} locox_timeline;

/*
 How to choose among what is feasible. A null pointer to one means zeros: the earliest start, the
 lowest PEs, any of them.
 */
typedef struct locox_choice {
  /*
   `LOCOX_FIT_...`.
   */
  uint32_t fit;
  /*
   `LOCOX_PICK_...`.
   */
  uint32_t pick;
  /*
   A set of PEs: no others; null for any.
   */
  const size_t *allowed;
  /*
   A set of PEs: these in any case; null for none.
   */
  const size_t *required;
  /*
   Words of each set: `LOCOX_SET_WORDS` of the machine's PEs.
   */
  size_t words;
} locox_choice;

/*
 A reservation: its name, and what is known of it.
 */
typedef struct locox_reservation {
  /*
   Its name.
   */
  struct locox_handle id;
  /*
   How many PEs.
   */
  uint32_t pes;
  /*
   From when to when.
   */
  struct locox_placement at;
} locox_reservation;

/*
 One of several changes that are made together.
 */
typedef struct locox_change {
  /*
   `LOCOX_CHANGE_...`.
   */
  uint32_t kind;
  /*
   What to cancel or move.
   */
  struct locox_handle id;
  /*
   Where to move it.
   */
  uint64_t start;
  /*
   What to reserve.
   */
  struct locox_request request;
} locox_change;

/*
 Room to note one change that may be undone. Its content does not matter.
 */
typedef struct locox_step {
  uint64_t opaque[LOCOX_STEP_LENGTH];
} locox_step;

/*
 Called for each reservation that a call has to name.
 */
typedef void (*locox_reservation_fn)(const struct locox_reservation *reservation, void *user);

/*
 From one instant at which a set of busy PEs changes to the next.
 */
typedef struct locox_slot {
  /*
   The first instant.
   */
  uint64_t start;
  /*
   How many PEs are reserved or out of service.
   */
  uint32_t busy;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_slot;

/*
 Called for each slot.
 */
typedef void (*locox_slot_fn)(const struct locox_slot *slot, void *user);

/*
 Which jobs a host has, and at which levels. Opaque, small, and may be moved; its rows may not.
 */
typedef struct locox_timeshare {
  uint64_t opaque[LOCOX_TIMESHARE_LENGTH];
} locox_timeshare;

/*
 Room for a level of a host.
 */
typedef struct locox_shared_entry {
  uint32_t opaque[LOCOX_SHARED_ENTRY_LENGTH];
} locox_shared_entry;

/*
 Room for what is kept of a host.
 */
typedef struct locox_shared_host {
  uint64_t opaque[LOCOX_SHARED_HOST_LENGTH];
} locox_shared_host;

/*
 Room for what is kept of a job.
 */
typedef struct locox_shared_job {
  uint32_t opaque[LOCOX_SHARED_JOB_LENGTH];
} locox_shared_job;

/*
 Where a table keeps its rows, of any content. The structure itself is only read.
 */
typedef struct locox_timeshare_rows {
  /*
   For each host one for each level.
   */
  struct locox_shared_entry *entries;
  /*
   How many.
   */
  size_t entry_count;
  /*
   One a host.
   */
  struct locox_shared_host *hosts;
  /*
   How many.
   */
  size_t host_count;
  /*
   One for each job that may have hosts.
   */
  struct locox_shared_job *jobs;
  /*
   How many.
   */
  size_t job_count;
  /*
   As many as `LOCOX_TIMESHARE_WORDS` says.
   */
  size_t *words;
  /*
   How many.
   */
  size_t word_count;
} locox_timeshare_rows;

/*
 How to place a job: of the fields those that its kind names.
 */
typedef struct locox_placing {
  /*
   `LOCOX_PLACING_...`.
   */
  uint32_t kind;
  /*
   How many jobs a host has at most, 1 to the levels of the table.
   */
  uint32_t degree;
  /*
   V2, V3: the load up to which a host is shared, in thousandths, 1 to 999.
   */
  uint32_t threshold;
  /*
   V1, V2: not zero to pick hosts by lot, from the draw; zero to pick them by number.
   */
  uint32_t shuffled;
  /*
   V2, V3: the age up to which a reading of a load is believed.
   */
  uint64_t believed;
  /*
   V3: how long after a job came or went a reading begins to tell anything.
   */
  uint64_t settled;
} locox_placing;

/*
 What a job asks for.
 */
typedef struct locox_shared_request {
  /*
   Whose job it is.
   */
  uint32_t user;
  /*
   How many hosts, at least one.
   */
  uint32_t hosts;
  /*
   Not zero: its first process synchronises the others, as that of a barrier does.
   */
  uint32_t synchronising;
} locox_shared_request;

/*
 Why a job was placed so: of the fields those that its kind names.
 */
typedef struct locox_shared_why {
  /*
   `LOCOX_PLACED_...`.
   */
  uint32_t kind;
  /*
   The level; the smaller is the more urgent.
   */
  uint32_t level;
  /*
   The job at the top of the hosts that it shares.
   */
  uint32_t owner;
  /*
   How many hosts it shares.
   */
  uint32_t shared;
} locox_shared_why;

/*
 Called for each host whose jobs or levels changed.
 */
typedef void (*locox_host_fn)(uint32_t host, void *user);

/*
 A job at a level of a host.
 */
typedef struct locox_shared_place {
  /*
   The host.
   */
  uint32_t host;
  /*
   The level; the smaller is the more urgent.
   */
  uint32_t level;
  /*
   The job.
   */
  uint32_t job;
  /*
   Whose job it is.
   */
  uint32_t user;
} locox_shared_place;

/*
 Called for each place that a call has to name.
 */
typedef void (*locox_shared_place_fn)(const struct locox_shared_place *place, void *user);













#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Words of storage for a pool of meshes of an n-cube under a strategy; zero for numbers that stand
 for none. `LOCOX_MESH_WORDS` is the same as a constant.
 */
size_t locox_mesh_words(uint32_t strategy, uint32_t dims);

/*
 Starts a pool of all nodes of an n-cube (`dims` up to 24) that finds subcubes for its meshes by the
 buddy strategy, over `len` words of storage with any content. `leftover` is `LOCOX_LEFTOVER_...`.
 */
locox_status locox_mesh_start_buddy(struct locox_mesh_pool *pool,
                                    uint16_t id,
                                    uint32_t dims,
                                    uint32_t leftover,
                                    size_t *storage,
                                    size_t len,
                                    uint64_t *detail);

/*
 The same by the Gray code strategy.
 */
locox_status locox_mesh_start_gray_code(struct locox_mesh_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        uint32_t leftover,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 The same by the free list with a search behind it: the strategy to start from.
 */
locox_status locox_mesh_start_free_list(struct locox_mesh_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        uint32_t leftover,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 The same by the free list of the literature.
 */
locox_status locox_mesh_start_free_list_plain(struct locox_mesh_pool *pool,
                                              uint16_t id,
                                              uint32_t dims,
                                              uint32_t leftover,
                                              size_t *storage,
                                              size_t len,
                                              uint64_t *detail);

/*
 The same by complete recognition.
 */
locox_status locox_mesh_start_complete(struct locox_mesh_pool *pool,
                                       uint16_t id,
                                       uint32_t dims,
                                       uint32_t leftover,
                                       size_t *storage,
                                       size_t len,
                                       uint64_t *detail);

/*
 Grants a mesh. Refused as `locox_pool_allocate` refuses the subcube that it needs.
 */
locox_status locox_mesh_allocate(struct locox_mesh_pool *pool,
                                 const struct locox_shape *shape,
                                 struct locox_mesh_lease *lease,
                                 uint64_t *detail);

/*
 Whether `locox_mesh_allocate` would grant a mesh; refused as there.
 */
locox_status locox_mesh_would_fit(const struct locox_mesh_pool *pool,
                                  const struct locox_shape *shape,
                                  uint64_t *detail);

/*
 Grants the mesh of this shape in the subcube of this base and mask, if all its nodes are free:
 `LOCOX_NOT_FREE` and `LOCOX_NO_SUCH_NODE` name one that is not. `LOCOX_BAD_ARGUMENT` if it is
 not a subcube of the shape's dimension.
 */
locox_status locox_mesh_claim(struct locox_mesh_pool *pool,
                              uint32_t base,
                              uint32_t mask,
                              const struct locox_shape *shape,
                              struct locox_mesh_lease *lease,
                              uint64_t *detail);

/*
 Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
 */
locox_status locox_mesh_release(struct locox_mesh_pool *pool, const struct locox_mesh_lease *lease);

/*
 Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
 null, is called once for each lease that has one of them.
 */
locox_status locox_mesh_withdraw(struct locox_mesh_pool *pool,
                                 const uint32_t *nodes,
                                 size_t count,
                                 uint32_t outage,
                                 locox_mesh_lease_fn hit,
                                 void *user,
                                 uint64_t *detail);

/*
 Puts nodes back into service.
 */
locox_status locox_mesh_repair(struct locox_mesh_pool *pool,
                               const uint32_t *nodes,
                               size_t count,
                               uint64_t *detail);

/*
 The lease that holds a node; `LOCOX_NONE` if there is none.
 */
locox_status locox_mesh_lease_at(const struct locox_mesh_pool *pool,
                                 uint32_t node,
                                 struct locox_mesh_lease *lease);

/*
 Calls `visit` for each live lease, by rising base.
 */
locox_status locox_mesh_leases(const struct locox_mesh_pool *pool,
                               locox_mesh_lease_fn visit,
                               void *user);

/*
 The node at a coordinate of each axis of a mesh; `LOCOX_NO_SUCH_NODE` outside it.
 */
locox_status locox_mesh_node_at(const struct locox_mesh_lease *lease,
                                uint32_t x,
                                uint32_t y,
                                uint32_t z,
                                uint32_t *node);

/*
 What a node is doing.
 */
locox_status locox_mesh_node(const struct locox_mesh_pool *pool,
                             uint32_t node,
                             struct locox_node_state *state,
                             uint64_t *detail);

/*
 How many nodes are free.
 */
locox_status locox_mesh_free(const struct locox_mesh_pool *pool, uint32_t *free);

/*
 Figures of the moment; passes over all nodes.
 */
locox_status locox_mesh_figures(const struct locox_mesh_pool *pool, struct locox_mesh_stats *stats);

/*
 Begins another epoch in a pool that is built anew after a restart: leases of the last one stay
 good. `epoch` is never used twice.
 */
locox_status locox_mesh_begin(struct locox_mesh_pool *pool, uint16_t epoch);

/*
 Writes an image of the pool, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how
 many there must be; what is in `image` is of no use then.
 */
locox_status locox_mesh_export(const struct locox_mesh_pool *pool,
                               uint32_t *image,
                               size_t len,
                               size_t *written,
                               uint64_t *detail);

/*
 Goes on from an image of a pool of the same id, dimensions, strategy and leftover, in an epoch that
 was never used. After `LOCOX_BAD_IMAGE` the pool is as new.
 */
locox_status locox_mesh_restore(struct locox_mesh_pool *pool,
                                const uint32_t *image,
                                size_t len,
                                uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
 */
locox_status locox_mesh_check(const struct locox_mesh_pool *pool);

/*
 Words of storage for a pool of an n-cube under a strategy; zero for numbers that stand for none.
 `LOCOX_POOL_WORDS` is the same as a constant.
 */
size_t locox_pool_words(uint32_t strategy, uint32_t dims);

/*
 Starts a pool of all nodes of an n-cube (`dims` up to 24) under the buddy strategy, over `len`
 words of storage with any content. Its leases carry `id`: to other pools they are foreign.
 */
locox_status locox_pool_start_buddy(struct locox_pool *pool,
                                    uint16_t id,
                                    uint32_t dims,
                                    size_t *storage,
                                    size_t len,
                                    uint64_t *detail);

/*
 The same under the Gray code strategy.
 */
locox_status locox_pool_start_gray_code(struct locox_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 The same under the free list with a search behind it: the strategy to start from.
 */
locox_status locox_pool_start_free_list(struct locox_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 The same under the free list of the literature.
 */
locox_status locox_pool_start_free_list_plain(struct locox_pool *pool,
                                              uint16_t id,
                                              uint32_t dims,
                                              size_t *storage,
                                              size_t len,
                                              uint64_t *detail);

/*
 The same under complete recognition.
 */
locox_status locox_pool_start_complete(struct locox_pool *pool,
                                       uint16_t id,
                                       uint32_t dims,
                                       size_t *storage,
                                       size_t len,
                                       uint64_t *detail);

/*
 Grants a subcube of dimension `dim`. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`,
 `LOCOX_TOO_FEW_FREE`, `LOCOX_UNDECIDED` or `LOCOX_FRAGMENTED`.
 */
locox_status locox_pool_allocate(struct locox_pool *pool,
                                 uint32_t dim,
                                 struct locox_lease *lease,
                                 uint64_t *detail);

/*
 Whether `locox_pool_allocate` would grant a subcube of dimension `dim`; refused as there.
 */
locox_status locox_pool_would_fit(const struct locox_pool *pool, uint32_t dim, uint64_t *detail);

/*
 Grants the subcube of this base and mask, if all its nodes are free: `LOCOX_NOT_FREE` and
 `LOCOX_NO_SUCH_NODE` name one that is not.
 */
locox_status locox_pool_claim(struct locox_pool *pool,
                              uint32_t base,
                              uint32_t mask,
                              struct locox_lease *lease,
                              uint64_t *detail);

/*
 Grants each of these nodes as a lease of its own, or none. `granted`, which may be null, is called
 for each.
 */
locox_status locox_pool_claim_nodes(struct locox_pool *pool,
                                    const uint32_t *nodes,
                                    size_t count,
                                    locox_lease_fn granted,
                                    void *user,
                                    uint64_t *detail);

/*
 Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
 */
locox_status locox_pool_release(struct locox_pool *pool, const struct locox_lease *lease);

/*
 Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
 null, is called once for each lease that has one of them.
 */
locox_status locox_pool_withdraw(struct locox_pool *pool,
                                 const uint32_t *nodes,
                                 size_t count,
                                 uint32_t outage,
                                 locox_lease_fn hit,
                                 void *user,
                                 uint64_t *detail);

/*
 Puts nodes back into service.
 */
locox_status locox_pool_repair(struct locox_pool *pool,
                               const uint32_t *nodes,
                               size_t count,
                               uint64_t *detail);

/*
 The lease that holds a node; `LOCOX_NONE` if there is none.
 */
locox_status locox_pool_lease_at(const struct locox_pool *pool,
                                 uint32_t node,
                                 struct locox_lease *lease);

/*
 Calls `visit` for each live lease, by rising base.
 */
locox_status locox_pool_leases(const struct locox_pool *pool, locox_lease_fn visit, void *user);

/*
 What a node is doing.
 */
locox_status locox_pool_node(const struct locox_pool *pool,
                             uint32_t node,
                             struct locox_node_state *state,
                             uint64_t *detail);

/*
 How many nodes are free.
 */
locox_status locox_pool_free(const struct locox_pool *pool, uint32_t *free);

/*
 Figures of the moment; passes over all nodes.
 */
locox_status locox_pool_figures(const struct locox_pool *pool, struct locox_pool_stats *stats);

/*
 Begins another epoch in a pool that is built anew after a restart: leases of the last one stay
 good. `epoch` is never used twice.
 */
locox_status locox_pool_begin(struct locox_pool *pool, uint16_t epoch);

/*
 Writes an image of the pool, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how
 many there must be; what is in `image` is of no use then.
 */
locox_status locox_pool_export(const struct locox_pool *pool,
                               uint32_t *image,
                               size_t len,
                               size_t *written,
                               uint64_t *detail);

/*
 Goes on from an image of a pool of the same id, dimensions and strategy, in an epoch that was
 never used. After `LOCOX_BAD_IMAGE` the pool is as new.
 */
locox_status locox_pool_restore(struct locox_pool *pool,
                                const uint32_t *image,
                                size_t len,
                                uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
 */
locox_status locox_pool_check(const struct locox_pool *pool);

/*
 Words of storage for a queue that plans, on a machine of so many PEs with room for so many jobs;
 zero for numbers out of range (1 to 2^30 - 1). `LOCOX_BACKFILL_WORDS` is the same as a constant.
 */
size_t locox_backfill_words(uint32_t pes, size_t jobs);

/*
 Starts an empty queue: first come, first served. As many jobs may wait and run together as there
 are rows. Its tickets carry `id`: to other queues they are foreign.
 */
locox_status locox_queue_start_fcfs(struct locox_queue *queue,
                                    uint16_t id,
                                    struct locox_queue_row *rows,
                                    size_t len);

/*
 The same: the first of the `width` oldest jobs that can start. `patience` is how often a job may be
 overtaken.
 */
locox_status locox_queue_start_window(struct locox_queue *queue,
                                      uint16_t id,
                                      uint32_t width,
                                      uint64_t patience,
                                      struct locox_queue_row *rows,
                                      size_t len);

/*
 The same: all jobs of a size, then those of the next larger one, or, with `upwards` zero, of the
 next smaller one.
 */
locox_status locox_queue_start_scan(struct locox_queue *queue,
                                    uint16_t id,
                                    uint32_t upwards,
                                    uint64_t patience,
                                    struct locox_queue_row *rows,
                                    size_t len);

/*
 The same: sizes of which few jobs run, until more than `backlog` wait.
 */
locox_status locox_queue_start_lazy(struct locox_queue *queue,
                                    uint16_t id,
                                    uint32_t backlog,
                                    uint64_t patience,
                                    struct locox_queue_row *rows,
                                    size_t len);

/*
 Starts an idle machine of `pes` PEs with an empty line, under EASY backfilling: of the jobs behind
 the first one the `depth` first are looked at (zero: all), and none delays it.
 */
locox_status locox_queue_start_easy(struct locox_queue *queue,
                                    uint16_t id,
                                    uint32_t pes,
                                    uint32_t depth,
                                    size_t *words,
                                    size_t words_len,
                                    struct locox_backfill_row *rows,
                                    size_t rows_len,
                                    uint64_t *detail);

/*
 The same under conservative backfilling: no job delays an earlier one. After an early end the
 `depth` first jobs are moved forward (zero: all).
 */
locox_status locox_queue_start_conservative(struct locox_queue *queue,
                                            uint16_t id,
                                            uint32_t pes,
                                            uint32_t depth,
                                            size_t *words,
                                            size_t words_len,
                                            struct locox_backfill_row *rows,
                                            size_t rows_len,
                                            uint64_t *detail);

/*
 How many jobs wait.
 */
locox_status locox_queue_waiting(const struct locox_queue *queue, size_t *count);

/*
 Adds a job to the line. Refused as `LOCOX_FULL`, of queues that plan also as `LOCOX_TOO_LARGE` or
 `LOCOX_END_OF_TIME`.
 */
locox_status locox_queue_push(struct locox_queue *queue,
                              uint64_t now,
                              const struct locox_job *job,
                              struct locox_handle *ticket);

/*
 Gives a job the earliest interval that delays none with a promise, and keeps it. Refused as
 `LOCOX_LATE`, as `LOCOX_UNPLANNED` by queues that know no times, and as `locox_queue_push`.
 */
locox_status locox_queue_reserve(struct locox_queue *queue,
                                 uint64_t now,
                                 uint32_t id,
                                 const struct locox_request *request,
                                 struct locox_handle *ticket,
                                 struct locox_placement *placement,
                                 uint64_t *detail);

/*
 Offers jobs whose turn it is to `start` until it takes one. That one runs from now on; its ticket
 and the job itself are written. `LOCOX_NONE` if none was taken. To be called until then.

 A null `start` takes the first job that is offered.
 */
locox_status locox_queue_next(struct locox_queue *queue,
                              uint64_t now,
                              locox_start_fn start,
                              void *user,
                              struct locox_handle *ticket,
                              struct locox_job *job);

/*
 A running job has ended and its PEs are free. `job`, which may be null, is which one it was.
 */
locox_status locox_queue_finished(struct locox_queue *queue,
                                  uint64_t now,
                                  const struct locox_handle *ticket,
                                  struct locox_job *job);

/*
 Removes a waiting job. `job`, which may be null, is which one it was.
 */
locox_status locox_queue_cancel(struct locox_queue *queue,
                                uint64_t now,
                                const struct locox_handle *ticket,
                                struct locox_job *job);

/*
 Gives a job in line another key, so that it stands elsewhere.
 */
locox_status locox_queue_rekey(struct locox_queue *queue,
                               uint64_t now,
                               const struct locox_handle *ticket,
                               uint64_t key);

/*
 From when to when a job is to run; `LOCOX_NONE` of one that has no promise.
 */
locox_status locox_queue_planned(const struct locox_queue *queue,
                                 const struct locox_handle *ticket,
                                 struct locox_placement *placement);

/*
 When to call `locox_queue_next` if nothing happens before; `LOCOX_NONE` if there is nothing to wait
 for.
 */
locox_status locox_queue_wake_at(const struct locox_queue *queue, uint64_t *time);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
 */
locox_status locox_queue_check(const struct locox_queue *queue);

/*
 Words of a set of so many PEs: `LOCOX_SET_WORDS`.
 */
size_t locox_set_words(uint32_t pes);

/*
 Bytes of a `locox_pool`, for callers who do not compile its header.
 */
size_t locox_size_of_pool(void);

/*
 Bytes of a `locox_mesh_pool`, for callers who do not compile its header.
 */
size_t locox_size_of_mesh_pool(void);

/*
 Bytes of a `locox_timeline`, for callers who do not compile its header.
 */
size_t locox_size_of_timeline(void);

/*
 Bytes of a `locox_step`, for callers who do not compile its header.
 */
size_t locox_size_of_step(void);

/*
 Bytes of a `locox_queue`, for callers who do not compile its header.
 */
size_t locox_size_of_queue(void);

/*
 Bytes of a `locox_queue_row`, for callers who do not compile its header.
 */
size_t locox_size_of_queue_row(void);

/*
 Bytes of a `locox_backfill_row`, for callers who do not compile its header.
 */
size_t locox_size_of_backfill_row(void);

/*
 Bytes of a `locox_station`, for callers who do not compile its header.
 */
size_t locox_size_of_station(void);

/*
 Bytes of a `locox_demand_row`, for callers who do not compile its header.
 */
size_t locox_size_of_demand_row(void);

/*
 Bytes of a `locox_home_row`, for callers who do not compile its header.
 */
size_t locox_size_of_home_row(void);

/*
 Bytes of a `locox_node_row`, for callers who do not compile its header.
 */
size_t locox_size_of_node_row(void);

/*
 Bytes of a `locox_job_row`, for callers who do not compile its header.
 */
size_t locox_size_of_job_row(void);

/*
 Bytes of a `locox_contender`, for callers who do not compile its header.
 */
size_t locox_size_of_contender(void);

/*
 Bytes of a `locox_timed_row`, for callers who do not compile its header.
 */
size_t locox_size_of_timed_row(void);

/*
 Bytes of a `locox_timeshare`, for callers who do not compile its header.
 */
size_t locox_size_of_timeshare(void);

/*
 Bytes of a `locox_shared_entry`, for callers who do not compile its header.
 */
size_t locox_size_of_shared_entry(void);

/*
 Bytes of a `locox_shared_host`, for callers who do not compile its header.
 */
size_t locox_size_of_shared_host(void);

/*
 Bytes of a `locox_shared_job`, for callers who do not compile its header.
 */
size_t locox_size_of_shared_job(void);

/*
 Writes parameters to start from to `config`; a `minute` is so many ticks long.
 */
locox_status locox_station_standard(uint64_t minute, struct locox_station_config *config);

/*
 Starts a coordinator under Up-Down by elapsed time, the ranking to start from: `ranking` has a row a
 station, of any content. After `half_life` half of an index is left; for about a `quantum` a station
 keeps a processor that it took from one like itself. Neither is zero: a day and ten minutes are good.
 */
locox_status locox_station_start_timed(struct locox_station *station,
                                       const struct locox_station_config *config,
                                       const struct locox_station_rows *rows,
                                       struct locox_timed_row *ranking,
                                       size_t ranking_count,
                                       uint64_t half_life,
                                       uint64_t quantum,
                                       uint64_t now,
                                       uint64_t *detail);

/*
 Starts a coordinator under the printed table of Up-Down, of which `indices` has an entry a station,
 of any content. It moves by `step` each time, in 256ths; not zero: 2560 in the study.
 */
locox_status locox_station_start_updown(struct locox_station *station,
                                        const struct locox_station_config *config,
                                        const struct locox_station_rows *rows,
                                        int32_t *indices,
                                        size_t index_count,
                                        uint32_t step,
                                        uint64_t now,
                                        uint64_t *detail);

/*
 Starts a coordinator under which stations take turns.
 */
locox_status locox_station_start_round_robin(struct locox_station *station,
                                             const struct locox_station_config *config,
                                             const struct locox_station_rows *rows,
                                             uint64_t now,
                                             uint64_t *detail);

/*
 Starts a coordinator that draws lots: each command comes with a draw from a random source.
 */
locox_status locox_station_start_random(struct locox_station *station,
                                        const struct locox_station_config *config,
                                        const struct locox_station_rows *rows,
                                        uint64_t now,
                                        uint64_t *detail);

/*
 Takes note of what happened at `now`, and does whatever was due by then. `sender` is null for what
 arrives once and in order. `draw` is for a ranking that draws lots; others do not look at it.
 `job`, which may be null, is written for `LOCOX_SUBMIT`.

 Refused as `LOCOX_FULL`, `LOCOX_OLD` or `LOCOX_EARLY`. Afterwards, see `locox_station_take_effect`.
 */
locox_status locox_station_hear(struct locox_station *station,
                                uint64_t now,
                                const struct locox_sender *sender,
                                const struct locox_station_command *command,
                                uint32_t draw,
                                struct locox_handle *job,
                                uint64_t *detail);

/*
 The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is. To be
 called after each command until then.
 */
locox_status locox_station_take_effect(struct locox_station *station,
                                       struct locox_station_effect *effect);

/*
 The effect that `locox_station_take_effect` will take, for callers that must find room first.
 */
locox_status locox_station_peek_effect(const struct locox_station *station,
                                       struct locox_station_effect *effect);

/*
 Where a job is.
 */
locox_status locox_station_job(const struct locox_station *station,
                               const struct locox_handle *job,
                               struct locox_job_status *status);

/*
 How many processors a station waits for, and how many of others it holds.
 */
locox_status locox_station_demand(const struct locox_station *station,
                                  uint32_t number,
                                  uint32_t *wants,
                                  uint32_t *holds);

/*
 How many processors anybody may have at once.
 */
locox_status locox_station_free(const struct locox_station *station, uint32_t *free);

/*
 The latest time given.
 */
locox_status locox_station_now(const struct locox_station *station, uint64_t *now);

/*
 When to say `LOCOX_TICK` if nothing happens before; `LOCOX_NONE` at the end of time.
 */
locox_status locox_station_wake_at(const struct locox_station *station, uint64_t *time);

/*
 Writes an image of the coordinator, and how many words it has to `written`. `LOCOX_TOO_SHORT` says
 how many there must be; what is in `image` is of no use then.
 */
locox_status locox_station_export(const struct locox_station *station,
                                  uint32_t *image,
                                  size_t len,
                                  size_t *written,
                                  uint64_t *detail);

/*
 Goes on from an image of a coordinator of the same configuration and as many rows; everybody is
 told again what he should be doing. After `LOCOX_BAD_IMAGE` the coordinator is as new.
 */
locox_status locox_station_restore(struct locox_station *station,
                                   const uint32_t *image,
                                   size_t len);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
 */
locox_status locox_station_check(const struct locox_station *station);

/*
 What a status means, in English; `"no status"` for a number that is none. Never null.
 */
const char *locox_status_str(int32_t status);

/*
 Whether a status is a refusal: nothing is wrong with the call, and it may succeed later.
 */
bool locox_is_refusal(int32_t status);

/*
 Words of storage for a timeline of so many PEs and reservations; zero for limits out of range (1 to
 2^30 - 1). `LOCOX_TIMELINE_WORDS` is the same as a constant.
 */
size_t locox_timeline_words(uint32_t pes, uint32_t reservations);

/*
 Starts an empty timeline at time zero, over `len` words of storage with any content. Its
 reservations carry `id`: to other timelines they are foreign.
 */
locox_status locox_timeline_start(struct locox_timeline *timeline,
                                  uint16_t id,
                                  uint32_t pes,
                                  uint32_t reservations,
                                  size_t *storage,
                                  size_t len,
                                  uint64_t *detail);

/*
 Moves the present forward to `now`.
 */
locox_status locox_timeline_advance(struct locox_timeline *timeline, uint64_t now);

/*
 The present.
 */
locox_status locox_timeline_now(const struct locox_timeline *timeline, uint64_t *now);

/*
 Reserves PEs for a request. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`,
 `LOCOX_END_OF_TIME`, `LOCOX_FULL` or `LOCOX_MASKED`.
 */
locox_status locox_timeline_reserve(struct locox_timeline *timeline,
                                    const struct locox_request *request,
                                    const struct locox_choice *choice,
                                    struct locox_reservation *reservation,
                                    uint64_t *detail);

/*
 Where `locox_timeline_reserve` would put a request, and on which PEs: they are written to `pes`, a
 set of `words` words, which is of no meaning after an error.
 */
locox_status locox_timeline_find(const struct locox_timeline *timeline,
                                 const struct locox_request *request,
                                 const struct locox_choice *choice,
                                 struct locox_placement *placement,
                                 size_t *pes,
                                 size_t words,
                                 uint64_t *detail);

/*
 Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first, and
 writes which one to `chosen`. Of `choice` the fit is not looked at.
 */
locox_status locox_timeline_reserve_one_of(struct locox_timeline *timeline,
                                           const struct locox_request *alternatives,
                                           size_t count,
                                           const struct locox_choice *choice,
                                           size_t *chosen,
                                           struct locox_reservation *reservation,
                                           uint64_t *detail);

/*
 Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it, at
 the earliest start at which all have a place, or not at all. Of `choice` the fit is not looked at.
 */
locox_status locox_timeline_reserve_series(struct locox_timeline *timeline,
                                           const struct locox_request *request,
                                           uint64_t period,
                                           const struct locox_choice *choice,
                                           struct locox_handle *series,
                                           size_t count,
                                           struct locox_placement *first,
                                           uint64_t *detail);

/*
 Makes several changes (`LOCOX_SERIES_MOST` at most), in their order, all of them or none; with
 `keep` zero none even if all are possible. `results` has a reservation for each: what was
 reserved, what was cancelled with the interval that was given back, what was moved. `steps` is room
 for as many. Both are of no meaning after an error.
 */
locox_status locox_timeline_attempt(struct locox_timeline *timeline,
                                    const struct locox_change *changes,
                                    size_t count,
                                    const struct locox_choice *choice,
                                    uint32_t keep,
                                    struct locox_step *steps,
                                    struct locox_reservation *results,
                                    uint64_t *detail);

/*
 Reserves PEs for an interval, both chosen by the caller. Refused as `LOCOX_BUSY` or `LOCOX_FULL`.
 */
locox_status locox_timeline_add(struct locox_timeline *timeline,
                                const struct locox_placement *placement,
                                const size_t *pes,
                                size_t words,
                                struct locox_handle *reservation,
                                uint64_t *detail);

/*
 Gives a reservation another interval and other PEs. Refused as `LOCOX_BUSY`.
 */
locox_status locox_timeline_replace(struct locox_timeline *timeline,
                                    const struct locox_handle *reservation,
                                    const struct locox_placement *placement,
                                    const size_t *pes,
                                    size_t words,
                                    uint64_t *detail);

/*
 Where a request would be put if this reservation were not there: as `locox_timeline_find`.
 */
locox_status locox_timeline_find_instead(struct locox_timeline *timeline,
                                         const struct locox_handle *reservation,
                                         const struct locox_request *request,
                                         const struct locox_choice *choice,
                                         struct locox_placement *placement,
                                         size_t *pes,
                                         size_t words,
                                         uint64_t *detail);

/*
 Ends a reservation now. `given_back`, which may be null, is the interval that is free again.
 */
locox_status locox_timeline_cancel(struct locox_timeline *timeline,
                                   const struct locox_handle *reservation,
                                   struct locox_placement *given_back);

/*
 Gives a reservation another end. Refused as `LOCOX_BUSY`.
 */
locox_status locox_timeline_set_end(struct locox_timeline *timeline,
                                    const struct locox_handle *reservation,
                                    uint64_t end,
                                    uint64_t *detail);

/*
 Moves a reservation to another start, with the same PEs and the same duration. Refused as
 `LOCOX_BUSY`.
 */
locox_status locox_timeline_move_to(struct locox_timeline *timeline,
                                    const struct locox_handle *reservation,
                                    uint64_t start,
                                    uint64_t *detail);

/*
 What is known of a reservation.
 */
locox_status locox_timeline_reservation(const struct locox_timeline *timeline,
                                        const struct locox_handle *reservation,
                                        struct locox_reservation *known);

/*
 Calls `visit` for each reservation, by rising index.
 */
locox_status locox_timeline_reservations(const struct locox_timeline *timeline,
                                         locox_reservation_fn visit,
                                         void *user);

/*
 Calls `visit` for each slot from the present on. The last one has no end.
 */
locox_status locox_timeline_slots(const struct locox_timeline *timeline,
                                  locox_slot_fn visit,
                                  void *user);

/*
 How many PEs are free at a time.
 */
locox_status locox_timeline_free_at(const struct locox_timeline *timeline,
                                    uint64_t time,
                                    uint32_t *free);

/*
 How many PEs are free at the least, at any time of an interval.
 */
locox_status locox_timeline_fewest_free(const struct locox_timeline *timeline,
                                        const struct locox_placement *placement,
                                        uint32_t *free);

/*
 Writes which PEs a reservation has to `pes`, a set of `words` words.
 */
locox_status locox_timeline_pes_of(const struct locox_timeline *timeline,
                                   const struct locox_handle *reservation,
                                   size_t *pes,
                                   size_t words,
                                   uint64_t *detail);

/*
 Writes which PEs are free all through an interval to `pes`, a set of `words` words, and how many
 to `count`.
 */
locox_status locox_timeline_free_pes(const struct locox_timeline *timeline,
                                     const struct locox_placement *placement,
                                     size_t *pes,
                                     size_t words,
                                     uint32_t *count,
                                     uint64_t *detail);

/*
 Writes which PEs are busy at a time to `pes`, a set of `words` words.
 */
locox_status locox_timeline_busy_pes(const struct locox_timeline *timeline,
                                     uint64_t time,
                                     size_t *pes,
                                     size_t words,
                                     uint64_t *detail);

/*
 Takes a PE out of service. Reservations that have it keep it: see `locox_timeline_holders`.
 */
locox_status locox_timeline_fail(struct locox_timeline *timeline, uint32_t pe);

/*
 Puts a PE back into service.
 */
locox_status locox_timeline_repair(struct locox_timeline *timeline, uint32_t pe);

/*
 Calls `hit` for each reservation that has a PE.
 */
locox_status locox_timeline_holders(const struct locox_timeline *timeline,
                                    uint32_t pe,
                                    locox_reservation_fn hit,
                                    void *user);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
 */
locox_status locox_timeline_check(const struct locox_timeline *timeline);

/*
 Words of storage for a table of so many hosts and levels; zero for levels out of range (1 to 8).
 `LOCOX_TIMESHARE_WORDS` is the same as a constant.
 */
size_t locox_timeshare_words(size_t hosts, uint32_t levels);

/*
 Starts a table of so many levels (1 to 8), in which no host is there.
 */
locox_status locox_timeshare_start(struct locox_timeshare *table,
                                   uint32_t levels,
                                   const struct locox_timeshare_rows *rows,
                                   uint64_t *detail);

/*
 A host says that it is there, how busy it is (`load` in thousandths, up to 65,535) and how fast
 (`LOCOX_SPEED_NOMINAL`; up to 255). `is_new`, which may be null, is 1 if it was not there before.
 */
locox_status locox_timeshare_report(struct locox_timeshare *table,
                                    uint64_t now,
                                    uint32_t host,
                                    uint32_t load,
                                    uint32_t speed,
                                    uint32_t *is_new,
                                    uint64_t *detail);

/*
 Gives the job of a row its hosts: see `locox_timeshare_places`. Refused as `LOCOX_TOO_LARGE`,
 `LOCOX_LOST` or `LOCOX_TOO_FEW_FREE`. `draw` is for placements by lot. `why` may be null.
 */
locox_status locox_timeshare_place(struct locox_timeshare *table,
                                   uint64_t now,
                                   const struct locox_placing *placing,
                                   uint32_t job,
                                   const struct locox_shared_request *request,
                                   uint32_t draw,
                                   struct locox_shared_why *why,
                                   uint64_t *detail);

/*
 Whether `locox_timeshare_place` would give a job its hosts; refused as there.
 */
locox_status locox_timeshare_would_place(const struct locox_timeshare *table,
                                         uint64_t now,
                                         const struct locox_placing *placing,
                                         const struct locox_shared_request *request,
                                         uint32_t draw,
                                         struct locox_shared_why *why,
                                         uint64_t *detail);

/*
 The job has ended: later ones move up on its hosts. `changed`, which may be null, is called for each
 of these.
 */
locox_status locox_timeshare_remove(struct locox_timeshare *table,
                                    uint64_t now,
                                    uint32_t job,
                                    locox_host_fn changed,
                                    void *user,
                                    uint64_t *detail);

/*
 The job is to be killed. It keeps its hosts until it is removed. `changed`, which may be null, is
 called for each of these.
 */
locox_status locox_timeshare_doom(struct locox_timeshare *table,
                                  uint32_t job,
                                  locox_host_fn changed,
                                  void *user,
                                  uint64_t *detail);

/*
 A host is gone: what it had is to be killed elsewhere. `changed`, which may be null, is called for
 each other host that this concerns.
 */
locox_status locox_timeshare_lose(struct locox_timeshare *table,
                                  uint32_t host,
                                  locox_host_fn changed,
                                  void *user,
                                  uint64_t *detail);

/*
 Calls `visit` for each job of a host, the most urgent first.
 */
locox_status locox_timeshare_column(const struct locox_timeshare *table,
                                    uint32_t host,
                                    locox_shared_place_fn visit,
                                    void *user);

/*
 Calls `visit` for each host of a job, by rising number.
 */
locox_status locox_timeshare_places(const struct locox_timeshare *table,
                                    uint32_t job,
                                    locox_shared_place_fn visit,
                                    void *user,
                                    uint64_t *detail);

/*
 What is known of a job that has hosts. `lead`, the host of its first process (`LOCOX_NOBODY` if that
 is lost), and `doomed`, 1 if it is to be killed, may be null.
 */
locox_status locox_timeshare_job(const struct locox_timeshare *table,
                                 uint32_t job,
                                 struct locox_shared_request *request,
                                 uint32_t *lead,
                                 uint32_t *doomed,
                                 uint64_t *detail);

/*
 How many hosts are there.
 */
locox_status locox_timeshare_there(const struct locox_timeshare *table, uint32_t *there);

/*
 When a host reported last; `LOCOX_NONE` of one that is not there.
 */
locox_status locox_timeshare_read_at(const struct locox_timeshare *table,
                                     uint32_t host,
                                     uint64_t *time);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
 */
locox_status locox_timeshare_check(const struct locox_timeshare *table);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LOCOX_H */
