/*
 * locox: which processors a job gets, when, and at whose expense.
 *
 * Made by `cargo run -p locox-header` from bindings/c; do not edit. How to link it, and what holds
 * for all functions (status, storage, errors, threads), says bindings/c/README.md.
 *
 * In short: storage is yours and may be static; times are ticks of yours; what was not done has changed
 * nothing; results are written only if a call answers LOCOX_OK, `detail`, which may always be null, only
 * if it does not. A pointer that is not null must point to what the call says it does. Functions say
 * which refusals there are (below 100); that a call was wrong (from 100 on: a null pointer, a stale or
 * foreign name, a number out of range, a time in the past) any may answer. To a callback that is null
 * nothing is told.
 */

#ifndef LOCOX_H
#define LOCOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "locox_sizes.h"
/* The version of this header; `locox_version` says the library's. */
#define LOCOX_VERSION "0.1.0"
#define LOCOX_VERSION_MAJOR 0
#define LOCOX_VERSION_MINOR 1
#define LOCOX_VERSION_PATCH 0


/*
 What is said to a host: it is to run `assignment`, the job of this `number` in this `batch`; see
 `LOCOX_CLUSTER_ASSIGN`.
 */
#define LOCOX_HOST_ASSIGN 0

/*
 See `LOCOX_HOST_ASSIGN`: that was all of this `batch`, `number` jobs; see `LOCOX_CLUSTER_ASSIGNMENTS_END`.
 */
#define LOCOX_HOST_ASSIGNMENTS_END 1

/*
 See `LOCOX_HOST_ASSIGN`: jobs used so much of the processor, `load`.
 */
#define LOCOX_HOST_MEASURED 2

/*
 See `LOCOX_HOST_ASSIGN`: only that it is `now`.
 */
#define LOCOX_HOST_TICK 3

/*
 What is to be done on a host: kill whatever is left of the processes of `job`. This comes when it is to be killed, and
 again when it leaves the list of the host.
 */
#define LOCOX_HOST_KILL 0

/*
 See `LOCOX_HOST_KILL`: run the message helper of `user` above everything at `level`.
 */
#define LOCOX_HOST_RAISE_HELPER 1

/*
 See `LOCOX_HOST_KILL`: take the processes of `job` in and run them at `level`; start it if its
 `first` one is here.
 */
#define LOCOX_HOST_START 2

/*
 See `LOCOX_HOST_KILL`: run the processes of `job` at `level` from now on.
 */
#define LOCOX_HOST_SET_PRIORITY 3

/*
 See `LOCOX_HOST_KILL`: run the message helper of `user` as before: he has no job here.
 */
#define LOCOX_HOST_RESTORE_HELPER 4

/*
 See `LOCOX_HOST_KILL`: report `load` to the coordinator, and which batch was `heard`.
 */
#define LOCOX_HOST_REPORT 5

/*
 In which order jobs that wait are offered: first come, first served.
 */
#define LOCOX_DISCIPLINE_FCFS 0

/*
 See `LOCOX_DISCIPLINE_FCFS`: the first ones, as many as the `bound` says; of zero the first alone.
 */
#define LOCOX_DISCIPLINE_WINDOW 1

/*
 See `LOCOX_DISCIPLINE_FCFS`: one size after the other, from the smallest on.
 */
#define LOCOX_DISCIPLINE_SCAN_UP 2

/*
 See `LOCOX_DISCIPLINE_FCFS`: one size after the other, from the largest on.
 */
#define LOCOX_DISCIPLINE_SCAN_DOWN 3

/*
 See `LOCOX_DISCIPLINE_FCFS`: the first of each size of which no job runs or more than the `bound` wait.
 */
#define LOCOX_DISCIPLINE_LAZY 4

/*
 What is said to a coordinator of a cluster: `user` wants a job on so many `hosts` to run, on these
 `terms`. The answer is its name.
 */
#define LOCOX_CLUSTER_SUBMIT 0

/*
 See `LOCOX_CLUSTER_SUBMIT`: `job`, which waits, is wanted no more.
 */
#define LOCOX_CLUSTER_CANCEL 1

/*
 See `LOCOX_CLUSTER_SUBMIT`: `job`, which runs, is to be killed.
 */
#define LOCOX_CLUSTER_KILL 2

/*
 See `LOCOX_CLUSTER_SUBMIT`: `job`, which ran, has ended on all its hosts.
 */
#define LOCOX_CLUSTER_ENDED 3

/*
 See `LOCOX_CLUSTER_SUBMIT`: `host` is there, with this `load` and this `speed`, and has
 `heard` this batch. One that was lost is there again when it has started anew, or has heard its newest batch.
 */
#define LOCOX_CLUSTER_HOST_REPORT 4

/*
 See `LOCOX_CLUSTER_SUBMIT`: `host` is gone, and with it what ran there.
 */
#define LOCOX_CLUSTER_HOST_LOST 5

/*
 See `LOCOX_CLUSTER_SUBMIT`: only that it is `now`.
 */
#define LOCOX_CLUSTER_TICK 6

/*
 See `LOCOX_CLUSTER_SUBMIT`: `host` has so much memory for jobs, `terms.memory`.
 */
#define LOCOX_CLUSTER_HOST_MEMORY 7

/*
 See `LOCOX_CLUSTER_SUBMIT`: so many `hosts` from `host` on are in the set `terms.set` from now on, or
 are not if `named` is zero.
 */
#define LOCOX_CLUSTER_NAME_HOSTS 8

/*
 See `LOCOX_CLUSTER_SUBMIT`: the set `terms.set` is to hold so many `hosts`, those with the fewest
 jobs.
 */
#define LOCOX_CLUSTER_CHOOSE_HOSTS 9

/*
 What is to be done: `host` is to run `assignment`, the job of this `number` in this `batch`.
 */
#define LOCOX_CLUSTER_ASSIGN 0

/*
 See `LOCOX_CLUSTER_ASSIGN`: that was all of this `batch`, `number` jobs: what else it has is over.
 */
#define LOCOX_CLUSTER_ASSIGNMENTS_END 1

/*
 Where a job is: in the queue, with `number` before it.
 */
#define LOCOX_CLUSTER_WAITING 0

/*
 See `LOCOX_CLUSTER_WAITING`: on its hosts, its first process on that of this `number`. So many of them, `unheard`,
 have not reported that they heard of it, and may start it at any later time.
 */
#define LOCOX_CLUSTER_RUNNING 1

/*
 See `LOCOX_CLUSTER_WAITING`: to be killed, or killed and not yet reported to have ended. So many of its hosts,
 `unheard`, have not reported that they heard that, and may still start it. Lost hosts are not counted.
 */
#define LOCOX_CLUSTER_ENDING 2

/*
 When a job that waits is tried again: whenever anything happened that may have made room.
 */
#define LOCOX_RETRY_ALWAYS 0

/*
 See `LOCOX_RETRY_ALWAYS`: when a job ends; jobs until one does not fit.
 */
#define LOCOX_RETRY_ALL_AT_ENDS 1

/*
 See `LOCOX_RETRY_ALWAYS`: when a job ends; one job.
 */
#define LOCOX_RETRY_ONE_AT_ENDS 2

/*
 The most moves of a plan.
 */
#define LOCOX_MOVES_MOST 16

/*
 The most shapes of which a request may name any.
 */
#define LOCOX_SHAPES_MOST 16

/*
 Which of the free boxes a request gets: the first one.
 */
#define LOCOX_BOX_FIRST 0

/*
 See `LOCOX_BOX_FIRST`: the one with the most faces against what is not free.
 */
#define LOCOX_BOX_CORNER 1

/*
 See `LOCOX_BOX_FIRST`: of 16 such the one that destroys the fewest larger boxes.
 */
#define LOCOX_BOX_FEWEST 2

/*
 Kinds of `locox_box_request`: these sides along these axes.
 */
#define LOCOX_BOX_FIXED 0

/*
 See `LOCOX_BOX_FIXED`: in any rotation.
 */
#define LOCOX_BOX_TURNED 1

/*
 See `LOCOX_BOX_FIXED`: just so many nodes, in any box.
 */
#define LOCOX_BOX_NODES 2

/*
 See `LOCOX_BOX_FIXED`: the first of these shapes that fits.
 */
#define LOCOX_BOX_ANY_OF 3

/*
 What is said to the coordinator of a resource manager's machine: the job `key` is new, and waits for `nodes`, for
 no longer than `time`. A larger `priority` is served earlier. Its `user` is known from now on. If all rows for
 users are in use, a new user gets that of one without jobs, of weight 1, with an index of 0, or of -1, where one that rises ends.
 */
#define LOCOX_MANAGER_SEEN 0

/*
 See `LOCOX_MANAGER_SEEN`: `key` has other `nodes`, `time` and `priority`. It keeps its place among those of its
 priority. Of one that has nodes the number of nodes counts when it waits again.
 */
#define LOCOX_MANAGER_CHANGED 1

/*
 See `LOCOX_MANAGER_SEEN`: somebody holds `key`, or, if `number` is zero, lets it go. It keeps its place. One that was
 to be started waits again.
 */
#define LOCOX_MANAGER_HELD 2

/*
 See `LOCOX_MANAGER_SEEN`: `key` runs since `time` on so many `nodes` from `first` on, and on no others: as was decided, or
 begun by somebody else, or moved there. A time that is yet to come means now. What was to be started on these nodes
 waits again.
 */
#define LOCOX_MANAGER_RUNS 3

/*
 See `LOCOX_MANAGER_SEEN`: `key`, which runs, does so on so many `nodes` from `first` on as well.
 */
#define LOCOX_MANAGER_RUNS_ALSO 4

/*
 See `LOCOX_MANAGER_SEEN`: `key`, which ran, or was to be started or stopped, waits again, where it stood.
 */
#define LOCOX_MANAGER_WAITS 5

/*
 See `LOCOX_MANAGER_SEEN`: `key` has ended, was cancelled, or is gone.
 */
#define LOCOX_MANAGER_LEFT 6

/*
 See `LOCOX_MANAGER_SEEN`: so many `nodes` from `first` on are out of service, or taken by jobs that are not told. What
 runs there runs on; what was to be started there waits again.
 */
#define LOCOX_MANAGER_NODE_OUT 7

/*
 See `LOCOX_MANAGER_SEEN`: so many `nodes` from `first` on are in service again.
 */
#define LOCOX_MANAGER_NODE_BACK 8

/*
 See `LOCOX_MANAGER_SEEN`: `user` has a share of `number` (1 to 65,535) times that of a user of weight 1, if there are
 enough nodes, as `locox_ranking_set_weight` says. He is known from now on.
 */
#define LOCOX_MANAGER_WEIGHT 9

/*
 See `LOCOX_MANAGER_SEEN`: `user`, who has no jobs, is to be forgotten, with his weight and with what he has had.
 */
#define LOCOX_MANAGER_USER_GONE 10

/*
 See `LOCOX_MANAGER_SEEN`: all that is known has been told. Start what can start.
 */
#define LOCOX_MANAGER_DECIDE 11

/*
 See `LOCOX_MANAGER_SEEN`: `key` is to end by `time`; at `LOCOX_NEVER` it has no deadline, as at first.
 */
#define LOCOX_MANAGER_DEADLINE 12

/*
 See `LOCOX_MANAGER_SEEN`: `key` is to be a mesh of `first` by `nodes` by `number`. As long as these are not as many nodes
 as it asks for, as at first, it is the one nearest to a square. It has a meaning with `LOCOX_MANAGER_MESHES` only.
 */
#define LOCOX_MANAGER_SHAPE 13

/*
 See `LOCOX_MANAGER_SEEN`: `key` may be stopped for another job, as at first, or, if `number` is zero, may not.
 */
#define LOCOX_MANAGER_STOPPABLE 18

/*
 See `LOCOX_MANAGER_SEEN`: what `key` has done up to `time` is not lost if it is stopped, until it waits again. A time that
 is yet to come means now.
 */
#define LOCOX_MANAGER_SAVED 19

/*
 What is to be done, or to be known: `key` is to be started on so many `nodes`, which `locox_manager_nodes` tells.
 */
#define LOCOX_MANAGER_START 0

/*
 See `LOCOX_MANAGER_START`: `key` is to be stopped, and to wait again; `job` of `user` gets its nodes, and `why` says why.
 */
#define LOCOX_MANAGER_STOP 1

/*
 See `LOCOX_MANAGER_START`: `key` is the first in line, and will start at `from` at the latest, if no node goes out and
 no other job goes before it, and all end by their limits; `to` is when it ends then at the latest.
 */
#define LOCOX_MANAGER_PROMISE 2

/*
 See `LOCOX_MANAGER_START`: `key` asks for more nodes than there are, which are so many `nodes`: it waits for ever.
 Told again whenever it is changed, held or let go, or waits again.
 */
#define LOCOX_MANAGER_NEVER 3

/*
 See `LOCOX_MANAGER_START`: `key` will end after its deadline: at `to` at the earliest while it waits, and once it has
 nodes at the latest, if all jobs take as long as their limits. One that runs longer is taken to end at the next tick.
 */
#define LOCOX_MANAGER_LATE 4

/*
 See `LOCOX_MANAGER_STOP`: `key` will be stopped at `to`, unless it has ended by then, or its nodes are not needed any more.
 */
#define LOCOX_MANAGER_NOTICE 5

/*
 Why a job is stopped: it is the turn of `user`, who has nothing.
 */
#define LOCOX_MANAGER_STOP_TURN 0

/*
 See `LOCOX_MANAGER_STOP_TURN`: `job` has a larger priority.
 */
#define LOCOX_MANAGER_STOP_PRIORITY 1

/*
 Why a job waits: somebody holds it.
 */
#define LOCOX_MANAGER_WHY_HELD 0

/*
 See `LOCOX_MANAGER_WHY_HELD`: it asks for more than all `nodes`.
 */
#define LOCOX_MANAGER_WHY_TOO_LARGE 1

/*
 See `LOCOX_MANAGER_WHY_HELD`: it asks for more than the `nodes` that are in service.
 */
#define LOCOX_MANAGER_WHY_OUTAGE 2

/*
 See `LOCOX_MANAGER_WHY_HELD`: it asks for more than the `nodes` that are free.
 */
#define LOCOX_MANAGER_WHY_TOO_FEW_FREE 3

/*
 See `LOCOX_MANAGER_WHY_HELD`: the largest subcube in service has so many `nodes`.
 */
#define LOCOX_MANAGER_WHY_DIVIDED 4

/*
 See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and the largest free subcube has so many `nodes`.
 */
#define LOCOX_MANAGER_WHY_FRAGMENTED 5

/*
 See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and it would delay `first`, which is the first in line.
 */
#define LOCOX_MANAGER_WHY_WOULD_DELAY 6

/*
 See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and nothing was decided since the last fact.
 */
#define LOCOX_MANAGER_WHY_UNDECIDED 7

/*
 See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and they do not lie as it needs them.
 */
#define LOCOX_MANAGER_WHY_NO_FREE_PLACE 8

/*
 See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and it would run into a planned outage.
 */
#define LOCOX_MANAGER_WHY_PLANNED 9

/*
 See `LOCOX_MANAGER_WHY_HELD`: those in service do not lie as it needs them, even while nothing runs.
 */
#define LOCOX_MANAGER_WHY_NO_PLACE 10

/*
 See `LOCOX_MANAGER_WHY_HELD`: it is to start at a time of its own, which C cannot give it.
 */
#define LOCOX_MANAGER_WHY_RESERVED 11

/*
 See `LOCOX_MANAGER_WHY_HELD`: others stop for it, and it starts when they have.
 */
#define LOCOX_MANAGER_WHY_ROOM 12

/*
 Which nodes a job can have: any that are free; it gets those of the lowest numbers.
 */
#define LOCOX_MANAGER_ANY_NODES 0

/*
 See `LOCOX_MANAGER_ANY_NODES`: those of a subcube, where the numbers of nodes are their addresses in a
 hypercube. A job that asks for another number than a power of two gets all of the next larger subcube.
 */
#define LOCOX_MANAGER_SUBCUBES 1

/*
 See `LOCOX_MANAGER_ANY_NODES`: those of a mesh, in a subcube of which all are free; others get what it leaves
 over there.
 */
#define LOCOX_MANAGER_MESHES 2

/*
 Who stands before whom: the first job of each user, by the ranking of users; behind these all others, by
 priority and arrival.
 */
#define LOCOX_MANAGER_BY_USERS 0

/*
 See `LOCOX_MANAGER_BY_USERS`: by priority and arrival, whosever jobs they are.
 */
#define LOCOX_MANAGER_BY_PRIORITY 1

/*
 What a job does, as far as is known and decided: it waits in line.
 */
#define LOCOX_MANAGED_WAITING 0

/*
 See `LOCOX_MANAGED_WAITING`: it waits, and somebody holds it.
 */
#define LOCOX_MANAGED_HELD 1

/*
 See `LOCOX_MANAGED_WAITING`: it waits, and asks for more nodes than there are.
 */
#define LOCOX_MANAGED_NEVER 2

/*
 See `LOCOX_MANAGED_WAITING`: it is to be started, on its nodes; that it runs has not been told yet.
 */
#define LOCOX_MANAGED_STARTING 3

/*
 See `LOCOX_MANAGED_WAITING`: it runs.
 */
#define LOCOX_MANAGED_RUNNING 4

/*
 See `LOCOX_MANAGED_WAITING`: it runs, and is to be stopped, to wait again.
 */
#define LOCOX_MANAGED_STOPPING 5

/*
 By which mapper: as duplex, and on clusters what pays off there.
 */
#define LOCOX_MAP_PJS 0

/*
 See `LOCOX_MAP_PJS`: the better of min-min and max-min.
 */
#define LOCOX_MAP_DUPLEX 1

/*
 See `LOCOX_MAP_PJS`: the first job; the machine that is free first.
 */
#define LOCOX_MAP_OLB 2

/*
 See `LOCOX_MAP_PJS`: the first job; its best machine.
 */
#define LOCOX_MAP_BEST_ASSIGNMENT 3

/*
 See `LOCOX_MAP_PJS`: the job that ends first; its best machine.
 */
#define LOCOX_MAP_MIN_MIN 4

/*
 See `LOCOX_MAP_PJS`: the job that ends last; its best machine.
 */
#define LOCOX_MAP_MAX_MIN 5

/*
 See `LOCOX_MAP_PJS`: the job that would lose most; its best machine.
 */
#define LOCOX_MAP_SUFFERAGE 6

/*
 Which machine is the best for a job: the one on which it ends first.
 */
#define LOCOX_BEST_COMPLETION 0

/*
 See `LOCOX_BEST_COMPLETION`: the one on which it runs for the shortest time.
 */
#define LOCOX_BEST_EXECUTION 1

/*
 On which resources the runs were that an expectation rests on: on the very one.
 */
#define LOCOX_BASIS_RESOURCE 0

/*
 See `LOCOX_BASIS_RESOURCE`: on those of its class.
 */
#define LOCOX_BASIS_CLASS 1

/*
 See `LOCOX_BASIS_RESOURCE`: on any.
 */
#define LOCOX_BASIS_ANYWHERE 2

/*
 What becomes of the nodes that a mesh leaves over in its subcube: they stay with the mesh.
 */
#define LOCOX_LEFTOVER_KEPT 0

/*
 See `LOCOX_LEFTOVER_KEPT`: others may use them.
 */
#define LOCOX_LEFTOVER_REUSED 1

/*
 A processor that does nothing else, in hundredths of a percent.
 */
#define LOCOX_LOAD_FULL 10000

/*
 What happens to a station with room for a guest: nothing but time passes.
 */
#define LOCOX_GUEST_TIME 0

/*
 See `LOCOX_GUEST_TIME`: the coordinator places a guest.
 */
#define LOCOX_GUEST_PLACE 1

/*
 See `LOCOX_GUEST_TIME`: the coordinator wants the guest out.
 */
#define LOCOX_GUEST_PREEMPT 2

/*
 See `LOCOX_GUEST_TIME`: the coordinator wants a checkpoint; the guest goes on.
 */
#define LOCOX_GUEST_CHECKPOINT 3

/*
 See `LOCOX_GUEST_TIME`: the owner returned.
 */
#define LOCOX_GUEST_OWNER_RETURNED 4

/*
 See `LOCOX_GUEST_TIME`: the owner left.
 */
#define LOCOX_GUEST_OWNER_LEFT 5

/*
 See `LOCOX_GUEST_TIME`: checkpoint `writing` is safe at the guest's home.
 */
#define LOCOX_GUEST_CHECKPOINT_DONE 6

/*
 See `LOCOX_GUEST_TIME`: the guest ended by itself.
 */
#define LOCOX_GUEST_FINISHED 7

/*
 See `LOCOX_GUEST_TIME`: the guest that was killed is gone.
 */
#define LOCOX_GUEST_GONE 8

/*
 See `LOCOX_GUEST_TIME`: the guest must not outlive `until`, unless it is told a later one.
 */
#define LOCOX_GUEST_LEASED_UNTIL 9

/*
 See `LOCOX_GUEST_TIME`: the guest sent a message to its shadow. While one is outstanding no checkpoint
 is begun, and one with which the guest was to leave is void.
 */
#define LOCOX_GUEST_MESSAGE_SENT 10

/*
 See `LOCOX_GUEST_TIME`: a message of the guest was answered. A checkpoint that was put off is begun
 when none is outstanding.
 */
#define LOCOX_GUEST_MESSAGE_ANSWERED 11

/*
 What a station has to do with its guest, now: nothing.
 */
#define LOCOX_DO_NOTHING 0

/*
 See `LOCOX_DO_NOTHING`: start it.
 */
#define LOCOX_DO_START 1

/*
 See `LOCOX_DO_NOTHING`: stop it and keep it in memory: the owner may leave again, or its checkpoint is
 put off.
 */
#define LOCOX_DO_SUSPEND 2

/*
 See `LOCOX_DO_NOTHING`: let it go on.
 */
#define LOCOX_DO_CONTINUE 3

/*
 See `LOCOX_DO_NOTHING`: write checkpoint `writing`, and say `LOCOX_GUEST_CHECKPOINT_DONE`; stop the
 guest first if it is leaving.
 */
#define LOCOX_DO_CHECKPOINT 4

/*
 See `LOCOX_DO_NOTHING`: drop it: its checkpoint is safe. Tell the coordinator that it vacated.
 */
#define LOCOX_DO_VACATE 5

/*
 See `LOCOX_DO_NOTHING`: drop it without a checkpoint, say `LOCOX_GUEST_GONE` when it is, and tell the
 coordinator that it vacated. Until then this is said again and again.
 */
#define LOCOX_DO_KILL 6

/*
 Where a guest stands: there is none.
 */
#define LOCOX_PHASE_EMPTY 0

/*
 See `LOCOX_PHASE_EMPTY`: it runs.
 */
#define LOCOX_PHASE_RUNNING 1

/*
 See `LOCOX_PHASE_EMPTY`: it is in memory, stopped, until it has waited enough.
 */
#define LOCOX_PHASE_SUSPENDED 2

/*
 See `LOCOX_PHASE_EMPTY`: it is stopped, checkpoint `writing` is being written, or put off until its
 messages are answered, and then it is out.
 */
#define LOCOX_PHASE_LEAVING 3

/*
 See `LOCOX_PHASE_EMPTY`: it was killed, and is killed again from `until` on.
 */
#define LOCOX_PHASE_DYING 4

/*
 The most nodes.
 */
#define LOCOX_NODES_MOST 4096

/*
 Which of the nodes where a request fits it gets: the first.
 */
#define LOCOX_NODES_FIRST 0

/*
 See `LOCOX_NODES_FIRST`: those where the least is left.
 */
#define LOCOX_NODES_BEST 1

/*
 See `LOCOX_NODES_FIRST`: those that lose the least of what they could still give to requests that were learnt.
 */
#define LOCOX_NODES_FEWEST 2

/*
 Kinds of `locox_node_request`: so many nodes, and so much on each.
 */
#define LOCOX_NODES_EACH 0

/*
 See `LOCOX_NODES_EACH`: so many tasks on the fewest nodes that have equally many of them.
 */
#define LOCOX_NODES_TASKS 1

/*
 See `LOCOX_NODES_EACH`: so many parts of one device, and so much on its node.
 */
#define LOCOX_NODES_PART 2

/*
 Which hosts and which level a job gets: the most urgent level that is free on enough hosts.
 */
#define LOCOX_PLACING_FIRST_LEVEL 1

/*
 See `LOCOX_PLACING_FIRST_LEVEL`: the same, among hosts that are not busy.
 */
#define LOCOX_PLACING_FIRST_CALM_LEVEL 2

/*
 See `LOCOX_PLACING_FIRST_LEVEL`: idle hosts, then hosts of one owner that are not busy, below all
 others.
 */
#define LOCOX_PLACING_NON_INTERFERING 3

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
 Each job in line is promised a time and a box.
 */
#define LOCOX_PROMISES_ALL UINT32_MAX

/*
 Why a promise became later: nodes went out of service, or are to.
 */
#define LOCOX_LATER_OUTAGE 0

/*
 See `LOCOX_LATER_OUTAGE`: a job ran longer than it had asked for.
 */
#define LOCOX_LATER_OVERRUN 1

/*
 See `LOCOX_LATER_OUTAGE`: a job that was running already was added on nodes that were promised.
 */
#define LOCOX_LATER_ADOPTION 2

/*
 See `LOCOX_LATER_OUTAGE`: the job itself did not start when its time came.
 */
#define LOCOX_LATER_NOT_STARTED 3

/*
 See `LOCOX_LATER_OUTAGE`: others got in front of the job, whose promise was taken back.
 */
#define LOCOX_LATER_PASSED 4

/*
 The job waits in line.
 */
#define LOCOX_STANDING_WAITS 0

/*
 The job waits in line, and is held.
 */
#define LOCOX_STANDING_HELD 1

/*
 The job waits for an interval of its own.
 */
#define LOCOX_STANDING_RESERVED 2

/*
 The job runs.
 */
#define LOCOX_STANDING_RUNS 3

/*
 Why a station was chosen: none that wants a processor has a better index.
 */
#define LOCOX_REASON_BEST_INDEX 0

/*
 See `LOCOX_REASON_BEST_INDEX`: its index is better than that of the one that yields.
 */
#define LOCOX_REASON_BETTER_INDEX 1

/*
 See `LOCOX_REASON_BEST_INDEX`: it was its turn.
 */
#define LOCOX_REASON_TURN 2

/*
 See `LOCOX_REASON_BEST_INDEX`: the lot fell on it.
 */
#define LOCOX_REASON_LOT 3

/*
 What is said to a coordinator of a site: `user` wants a job of `job_class` to run, through `queue`;
 `number` is one more than at his submission before, 1 at his first, and the same if it is said again.
 The answer is the job's name.
 */
#define LOCOX_SITE_SUBMIT 0

/*
 See `LOCOX_SITE_SUBMIT`: `run` has done its job, for which it `took` so long.
 */
#define LOCOX_SITE_FINISHED 1

/*
 See `LOCOX_SITE_SUBMIT`: `run` is no longer on its machines. Its job begins anew.
 */
#define LOCOX_SITE_VACATED 2

/*
 See `LOCOX_SITE_SUBMIT`: `machine` is gone, and its start `number` is over.
 */
#define LOCOX_SITE_MACHINE_LOST 3

/*
 See `LOCOX_SITE_SUBMIT`: `machine` is there, at its start `number`, from 1 on.
 */
#define LOCOX_SITE_MACHINE_BACK 4

/*
 See `LOCOX_SITE_SUBMIT`: the interconnect of this `number` is down.
 */
#define LOCOX_SITE_LINK_DOWN 5

/*
 See `LOCOX_SITE_SUBMIT`: the interconnect of this `number` is up again.
 */
#define LOCOX_SITE_LINK_UP 6

/*
 See `LOCOX_SITE_SUBMIT`: `queue` has another `policy` from the next mapping on.
 */
#define LOCOX_SITE_SET_POLICY 7

/*
 See `LOCOX_SITE_SUBMIT`: `user` may have `number` jobs that wait or run; zero for any number.
 */
#define LOCOX_SITE_SET_LIMIT 8

/*
 See `LOCOX_SITE_SUBMIT`: only that it is `now`.
 */
#define LOCOX_SITE_TICK 9

/*
 See `LOCOX_SITE_SUBMIT`: `user` has a clearance, `number`, up to 255; queues may ask for one.
 */
#define LOCOX_SITE_SET_CLEARANCE 10

/*
 What is to be done: `run` is to be on `resource`; of a cluster on those machines that were present.
 */
#define LOCOX_SITE_DISPATCH 0

/*
 See `LOCOX_SITE_DISPATCH`: `run` is to leave the machines that it has.
 */
#define LOCOX_SITE_PREEMPT 1

/*
 Where a job is: it waits; `resource` is its place, or `LOCOX_NOBODY`, and `until` when it was
 expected to start there.
 */
#define LOCOX_SITE_WAITING 0

/*
 See `LOCOX_SITE_WAITING`: it runs on `resource`, and is expected to end at `until`.
 */
#define LOCOX_SITE_RUNNING 1

/*
 See `LOCOX_SITE_WAITING`: it is to leave `resource`.
 */
#define LOCOX_SITE_LEAVING 2

/*
 Which jobs are mapped when a quantum ends: all that have not started.
 */
#define LOCOX_REMAP_WAITING 0

/*
 See `LOCOX_REMAP_WAITING`: those without a place only.
 */
#define LOCOX_REMAP_NEW 1

/*
 What the jobs of a queue do with places that others have: they take none and lose none.
 */
#define LOCOX_CLAIM_NEITHER 0

/*
 See `LOCOX_CLAIM_NEITHER`: they take places from jobs of queues that lose them.
 */
#define LOCOX_CLAIM_TAKES 1

/*
 See `LOCOX_CLAIM_NEITHER`: they lose them.
 */
#define LOCOX_CLAIM_LOSES 2

/*
 Published tables, for `locox_slices_start`: an A100 of NVIDIA, with the profiles 1g, 2g, 3g, 4g, 7g.
 */
#define LOCOX_A100 0

/*
 See `LOCOX_A100`: an H100, with 1g, 1g+ (of two memory slices), 2g, 3g, 4g, 7g.
 */
#define LOCOX_H100 1

/*
 See `LOCOX_A100`: an A30, with 1g, 2g, 4g.
 */
#define LOCOX_A30 2

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
 What is said to a coordinator: a job waits at station `node`; `number` is one more than at its
 submission before, 1 at its first, and the same if it is said again. The answer is the job's name.
 */
#define LOCOX_SUBMIT 0

/*
 See `LOCOX_SUBMIT`: processor `node` is available.
 */
#define LOCOX_NODE_IDLE 1

/*
 See `LOCOX_SUBMIT`: the owner is at station `node`.
 */
#define LOCOX_OWNER_BACK 2

/*
 See `LOCOX_SUBMIT`: the owner left while `run` was suspended, and it goes on.
 */
#define LOCOX_CONTINUED 3

/*
 See `LOCOX_SUBMIT`: a checkpoint of `run`, called `number`, is safe.
 */
#define LOCOX_CHECKPOINTED 4

/*
 See `LOCOX_SUBMIT`: `run` is no longer where it was.
 */
#define LOCOX_VACATED 5

/*
 See `LOCOX_SUBMIT`: `run` finished its job.
 */
#define LOCOX_FINISHED 6

/*
 See `LOCOX_SUBMIT`: processor `node` is gone, and what ran there.
 */
#define LOCOX_NODE_LOST 7

/*
 See `LOCOX_SUBMIT`: only that it is `now`. In a message it is a sign of life.
 */
#define LOCOX_TICK 8

/*
 See `LOCOX_SUBMIT`: the host has `run`.
 */
#define LOCOX_HEARD 9

/*
 See `LOCOX_SUBMIT`: the job of `run` is not wanted any more.
 */
#define LOCOX_CANCEL 10

/*
 See `LOCOX_SUBMIT`: the job of `run` shall have no processor until it is released.
 */
#define LOCOX_HOLD 11

/*
 See `LOCOX_SUBMIT`: the job of `run` may have a processor again.
 */
#define LOCOX_RELEASE 12

/*
 See `LOCOX_SUBMIT`: all runs of the job of `run` together may take `limit`; zero is no limit.
 */
#define LOCOX_LIMIT 13

/*
 See `LOCOX_SUBMIT`: processor `node`, or `LOCOX_BANK`, is given to nobody until it is restored.
 */
#define LOCOX_DRAIN 14

/*
 See `LOCOX_SUBMIT`: processor `node`, or `LOCOX_BANK`, may be given to jobs again.
 */
#define LOCOX_RESTORE 15

/*
 See `LOCOX_TICK`: station `node` has a share of `number` times that of a station of weight 1, from 1 to 65,535, if there
 are enough processors, as `locox_ranking_set_weight` says. Under other rankings than Up-Down by elapsed time: `LOCOX_BAD_ARGUMENT`.
 */
#define LOCOX_SET_WEIGHT 16

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
#define LOCOX_PREEMPT_FAIRNESS 0

/*
 See `LOCOX_PREEMPT_FAIRNESS`: the job has a new place, processor `to`.
 */
#define LOCOX_PREEMPT_MOVED 1

/*
 See `LOCOX_PREEMPT_FAIRNESS`: the owner came back too early.
 */
#define LOCOX_PREEMPT_WITHDRAWN 2

/*
 See `LOCOX_PREEMPT_FAIRNESS`: the job was cancelled; no checkpoint is needed.
 */
#define LOCOX_PREEMPT_CANCELLED 3

/*
 See `LOCOX_PREEMPT_FAIRNESS`: the job is held.
 */
#define LOCOX_PREEMPT_HELD 4

/*
 See `LOCOX_PREEMPT_FAIRNESS`: the job ran for longer than it may.
 */
#define LOCOX_PREEMPT_LIMIT 5

/*
 See `LOCOX_PREEMPT_FAIRNESS`: the processor is drained.
 */
#define LOCOX_PREEMPT_DRAINED 6

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
 The most speeds of one machine.
 */
#define LOCOX_SPEEDS_MOST 8

/*
 The most machines of one call.
 */
#define LOCOX_MACHINES_MOST 32

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
 What a change of `locox_timeline_attempt` or `locox_profile_attempt` does: reserve.
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
 The most reservations of one series, and alternatives of one request.
 */
#define LOCOX_SERIES_MOST 32

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
   Never possible: larger than the machine. Of PEs and of hosts there are so many (detail).
   */
  LOCOX_TOO_LARGE = 1,
  /*
   Not before something is repaired. Of PEs so many (detail) are in service.
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
   This node (detail) is not free; of several that are named together without a detail.
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
   All rows are in use. A timeline, a profile or a queue has so many (detail).
   */
  LOCOX_FULL = 10,
  /*
   Never: the mask allows so many PEs (detail).
   */
  LOCOX_MASKED = 11,
  /*
   There is room to note so many steps (detail), and no more.
   */
  LOCOX_NO_STEP = 12,
  /*
   Never: only conservative backfilling gives intervals.
   */
  LOCOX_UNPLANNED = 13,
  /*
   There is none.
   */
  LOCOX_NONE = 14,
  /*
   The message was answered already. From a coordinator of workstations or of shared hosts with a detail that
   is not zero: its boot is over, and its host restarts, with the boot of that number or a later one.
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
   No machine that is present can run this job, or this class of jobs (detail).
   */
  LOCOX_NO_MACHINE = 18,
  /*
   The times are so long that their sum is beyond any clock.
   */
  LOCOX_TOO_LONG = 19,
  /*
   The owner has the station.
   */
  LOCOX_OWNER_PRESENT = 20,
  /*
   There is a guest already.
   */
  LOCOX_OCCUPIED = 21,
  /*
   The queue takes jobs only of users with at least this clearance (detail).
   */
  LOCOX_NO_ACCESS = 22,
  /*
   Not as sets and memory of hosts are now: so many hosts (detail) suit the job.
   */
  LOCOX_UNSUITED = 23,
  /*
   All rows for users are in use: forget one without jobs.
   */
  LOCOX_USERS_FULL = 24,
  /*
   The user has so many jobs (detail).
   */
  LOCOX_HAS_JOBS = 25,
  /*
   Never: the machine has no such place, even if nothing runs.
   */
  LOCOX_NO_PLACE = 26,
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
   The mask requires a PE that it does not allow, or more than are asked for; or there are
   speeds, and it allows only some.
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
   The submission is neither the next one of its station or user, whose number is the detail, nor the last again.
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
   There is no such user (detail).
   */
  LOCOX_NO_SUCH_USER = 137,
  /*
   There is no such queue (detail).
   */
  LOCOX_NO_SUCH_QUEUE = 138,
  /*
   There is no such class of jobs (detail).
   */
  LOCOX_NO_SUCH_CLASS = 139,
  /*
   There is no such machine (detail).
   */
  LOCOX_NO_SUCH_MACHINE = 140,
  /*
   No cluster is served by such an interconnect (detail).
   */
  LOCOX_NO_SUCH_LINK = 141,
  /*
   There is no guest of which something could be asked or said.
   */
  LOCOX_NO_GUEST = 142,
  /*
   A suspended guest cannot end by itself.
   */
  LOCOX_GUEST_SUSPENDED = 143,
  /*
   A guest that nobody killed cannot be gone.
   */
  LOCOX_NOT_KILLED = 144,
  /*
   The job is not the next of which a host is told: the number of that is the detail, or 0.
   */
  LOCOX_WRONG_NUMBER = 145,
  /*
   No message of the guest is outstanding.
   */
  LOCOX_NO_MESSAGE = 146,
  /*
   The guest has as many messages outstanding as can be counted.
   */
  LOCOX_TOO_MANY_MESSAGES = 147,
  /*
   Speeds are none, zero, do not fall, or one lacks PEs of the one before it.
   */
  LOCOX_WRONG_SPEEDS = 148,
  /*
   There is no such set of hosts (detail), or it is that of all, which is not changed.
   */
  LOCOX_NO_SUCH_SET = 149,
  /*
   The coordinator was started without memory of hosts.
   */
  LOCOX_NO_MEMORY = 150,
  /*
   There is such a job already.
   */
  LOCOX_KNOWN = 151,
  /*
   A job needs at least one node, and runs on one at least.
   */
  LOCOX_NO_NODES = 152,
  /*
   The job has this node (detail) already.
   */
  LOCOX_TWICE = 153,
  /*
   A reason that this version of the interface has no status for.
   */
  LOCOX_UNKNOWN = 199,
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
   The words are no record of a command.
   */
  LOCOX_NO_RECORD = 203,
  /*
   A word of the record is not what was written, or it is of another coordinator.
   */
  LOCOX_BAD_RECORD = 204,
  /*
   The record is of another version.
   */
  LOCOX_OTHER_RECORD = 205,
  /*
   Records before it are missing: the number of the next one is the detail.
   */
  LOCOX_OUT_OF_TURN = 206,
  /*
   The record is whole, but cannot follow on what was.
   */
  LOCOX_CONTRADICTION = 207,
  /*
   An invariant does not hold: a defect of this library, or memory that others wrote to.
   */
  LOCOX_INVARIANT_VIOLATION = 300,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum locox_status locox_status;
#else
typedef int32_t locox_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 Parameters of a coordinator.
 */
typedef struct locox_cluster_config {
  /*
   After which silence a host is taken for lost, and at the latest after twice that; not zero. Time for which the
   coordinator gets no command counts: if it was down for longer, go on with the clock from the restored image.
   `LOCOX_NEVER`: only when that is said.
   */
  uint64_t silence;
  /*
   `LOCOX_RETRY_...`.
   */
  uint32_t retry;
  /*
   The number that its jobs' names carry: to other coordinators they are foreign.
   */
  uint16_t pool;
  /*
   How many sets of hosts may be named, besides that of all, which is number 0.
   */
  uint16_t sets;
  /*
   Not zero: a job gets only hosts with the memory that it needs.
   */
  uint32_t memory;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_cluster_config;

/*
 The coordinator of a cluster whose hosts run several parallel jobs. Opaque, small, and may be
 moved; its rows may not.
 */
typedef struct locox_cluster {
  uint64_t opaque[LOCOX_CLUSTER_LENGTH];
} locox_cluster;

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
   First calm level, non-interfering: the load up to which a host is shared, in thousandths, 1 to
   999.
   */
  uint32_t threshold;
  /*
   First level, first calm level: not zero to pick hosts by lot, from the draw; zero to pick them by
   number.
   */
  uint32_t shuffled;
  /*
   First calm level, non-interfering: the age up to which a reading of a load is believed.
   */
  uint64_t believed;
  /*
   Non-interfering: how long after a job came or went a reading begins to tell anything.
   */
  uint64_t settled;
} locox_placing;

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
typedef struct locox_cluster_job {
  uint32_t opaque[LOCOX_CLUSTER_JOB_LENGTH];
} locox_cluster_job;

/*
 Room for what is kept of a job.
 */
typedef struct locox_shared_job {
  uint32_t opaque[LOCOX_SHARED_JOB_LENGTH];
} locox_shared_job;

/*
 Where a coordinator keeps its rows, of any content. The structure itself is only read.
 */
typedef struct locox_cluster_rows {
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
   One for each job that waits or runs.
   */
  struct locox_cluster_job *jobs;
  /*
   As many.
   */
  struct locox_shared_job *placed;
  /*
   How many of each.
   */
  size_t job_count;
  /*
   As many as `LOCOX_CLUSTER_WORDS` says, and `LOCOX_CLUSTER_MORE_WORDS` more.
   */
  size_t *words;
  /*
   How many.
   */
  size_t word_count;
} locox_cluster_rows;

/*
 An order of jobs that wait.
 */
typedef struct locox_discipline {
  /*
   `LOCOX_DISCIPLINE_...`.
   */
  uint32_t kind;
  /*
   Of a window and of lazy; others do not look at it.
   */
  uint32_t bound;
} locox_discipline;

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
 What a job asks for besides a number of hosts; zeros are nothing.
 */
typedef struct locox_cluster_terms {
  /*
   The set of hosts among which it runs; 0 for all.
   */
  uint16_t set;
  /*
   Where it stands in the queue: behind those of smaller keys.
   */
  uint16_t key;
  /*
   How much memory each of its processes needs at most, in any unit; 0 if that does not matter.
   */
  uint32_t memory;
} locox_cluster_terms;

/*
 All that a host is to run at some time, as it is told; a later one is greater, by `boot` and then by
 `number`. A host takes none that is older than the one it has, and reports which one that is.
 */
typedef struct locox_batch {
  /*
   How often the host has started.
   */
  uint32_t boot;
  /*
   Counts the batches since then; 0: it has heard none.
   */
  uint32_t number;
} locox_batch;

/*
 What is said to a coordinator: of the fields those that its kind names.
 */
typedef struct locox_cluster_command {
  /*
   `LOCOX_CLUSTER_SUBMIT`, `LOCOX_CLUSTER_CANCEL`, ...
   */
  uint32_t kind;
  /*
   A user.
   */
  uint32_t user;
  /*
   How many hosts, at least one.
   */
  uint32_t hosts;
  /*
   Not zero: the job's first process synchronises the others.
   */
  uint32_t synchronising;
  /*
   A job.
   */
  struct locox_handle job;
  /*
   A host.
   */
  uint32_t host;
  /*
   In thousandths, up to 65,535.
   */
  uint32_t load;
  /*
   `LOCOX_SPEED_NOMINAL`; up to 255.
   */
  uint32_t speed;
  /*
   The terms of a job; the number of a set, the memory of a host.
   */
  struct locox_cluster_terms terms;
  /*
   Not zero: hosts come into the set.
   */
  uint32_t named;
  /*
   The latest batch that the host heard as a whole.
   */
  struct locox_batch heard;
} locox_cluster_command;

/*
 What a coordinator was told, sealed, to be stored: its words are the same on every target.
 */
typedef struct locox_record {
  /*
   In little-endian order behind those of an image they are a history as `locox-storage` keeps it.
   */
  uint32_t words[16];
} locox_record;

/*
 Where a job is.
 */
typedef struct locox_cluster_status {
  /*
   `LOCOX_CLUSTER_WAITING`, ...
   */
  uint32_t kind;
  /*
   Jobs before it, or the host of its first process.
   */
  uint32_t number;
  /*
   Hosts that may not have heard of it, or that it is to be killed. Its end is reported when there is none.
   */
  uint32_t unheard;
} locox_cluster_status;

/*
 A job on a host, as the host is told of it.
 */
typedef struct locox_assignment {
  /*
   The job.
   */
  struct locox_handle job;
  /*
   Whose it is.
   */
  uint32_t user;
  /*
   How urgent it is there: the smaller, the more; below 8.
   */
  uint32_t level;
  /*
   1 if its first process is there, which starts the others.
   */
  uint32_t first;
  /*
   1 if it is to be killed.
   */
  uint32_t terminating;
} locox_assignment;

/*
 What is to be done: of the fields those that its kind names.
 */
typedef struct locox_cluster_effect {
  /*
   `LOCOX_CLUSTER_ASSIGN`, `LOCOX_CLUSTER_ASSIGNMENTS_END`.
   */
  uint32_t kind;
  /*
   The host that is told.
   */
  uint32_t host;
  /*
   What tells this telling from others.
   */
  struct locox_batch batch;
  /*
   Counts the jobs of the batch, from 0 on, or how many they were.
   */
  uint32_t number;
  /*
   A job.
   */
  struct locox_assignment assignment;
} locox_cluster_effect;

/*
 How far a coordinator is.
 */
typedef struct locox_place {
  /*
   How many commands it took, restarts included.
   */
  uint64_t commands;
  /*
   The number of the effect that was taken last. They rise; after a restart the upper half is one
   more.
   */
  uint64_t effects;
} locox_place;

/*
 Called for each effect that a call has to name.
 */
typedef void (*locox_cluster_effect_fn)(const struct locox_cluster_effect *effect, void *user);

/*
 Its part on a host. Opaque, a few kilobytes at most, and may be moved. It needs no other storage.
 */
typedef struct locox_host {
  uint64_t opaque[LOCOX_HOST_LENGTH];
} locox_host;

/*
 What is said to a host: of the fields those that its kind names.
 */
typedef struct locox_host_command {
  /*
   `LOCOX_HOST_ASSIGN`, `LOCOX_HOST_ASSIGNMENTS_END`, ...
   */
  uint32_t kind;
  /*
   A batch.
   */
  struct locox_batch batch;
  /*
   Counts the jobs.
   */
  uint32_t number;
  /*
   A job.
   */
  struct locox_assignment assignment;
  /*
   In thousandths, up to 65,535.
   */
  uint32_t load;
} locox_host_command;

/*
 What is to be done on a host: of the fields those that its kind names.
 */
typedef struct locox_host_effect {
  /*
   `LOCOX_HOST_KILL`, ...
   */
  uint32_t kind;
  /*
   A job.
   */
  struct locox_handle job;
  /*
   A user.
   */
  uint32_t user;
  /*
   A level.
   */
  uint32_t level;
  /*
   1 if the job's first process is here.
   */
  uint32_t first;
  /*
   In thousandths.
   */
  uint32_t load;
  /*
   The latest batch that was heard as a whole.
   */
  struct locox_batch heard;
} locox_host_effect;

/*
 Called for each effect that a call has to name.
 */
typedef void (*locox_host_effect_fn)(const struct locox_host_effect *effect, void *user);

/*
 A machine of one to four axes, 65,536 nodes at most. The node at (x, y, z) has the number
 x + X (y + Y z).
 */
typedef struct locox_grid {
  /*
   Nodes along each axis, 1 to 64; 1 along those that it does not have.
   */
  uint8_t sides[4];
  /*
   Bit i: axis i is a ring; else it is a line.
   */
  uint32_t rings;
} locox_grid;

/*
 A pool of the nodes of a mesh or torus that grants boxes. Opaque, small, and may be moved; its
 storage may not.
 */
typedef struct locox_grid_pool {
  uint64_t opaque[LOCOX_GRID_POOL_LENGTH];
} locox_grid_pool;

/*
 Where boxes may begin.
 */
typedef struct locox_anchors {
  /*
   At which step along each axis; 0 is the side of the box itself.
   */
  uint8_t step[4];
  /*
   At which offset.
   */
  uint8_t offset[4];
  /*
   What becomes of what boxes leave over of the blocks between steps: `LOCOX_LEFTOVER_KEPT`, which is zero,
   or `LOCOX_LEFTOVER_REUSED`.
   */
  uint32_t leftover;
} locox_anchors;

/*
 Nodes along each axis, 1 to 64; 1 along those that are not wanted.
 */
typedef struct locox_sides {
  /*
   Along each axis.
   */
  uint8_t sides[4];
} locox_sides;

/*
 What is asked for.
 */
typedef struct locox_box_request {
  /*
   `LOCOX_BOX_FIXED`, `LOCOX_BOX_TURNED`, `LOCOX_BOX_NODES` or `LOCOX_BOX_ANY_OF`.
   */
  uint32_t kind;
  /*
   The number of nodes, for `LOCOX_BOX_NODES`.
   */
  uint32_t nodes;
  /*
   The sides, for `LOCOX_BOX_FIXED` and `LOCOX_BOX_TURNED`; for `LOCOX_BOX_ANY_OF` so many shapes.
   */
  const struct locox_sides *shapes;
  /*
   How many shapes there are, at most `LOCOX_SHAPES_MOST`; 1 for fixed and turned ones.
   */
  size_t count;
} locox_box_request;

/*
 A box granted to somebody.
 */
typedef struct locox_box_lease {
  /*
   Its name; the index is its first node.
   */
  struct locox_handle handle;
  /*
   Its sides.
   */
  struct locox_sides sides;
} locox_box_lease;

/*
 Called for each lease that a call has to name.
 */
typedef void (*locox_box_lease_fn)(const struct locox_box_lease *lease, void *user);

/*
 A coordinate along each axis of a box.
 */
typedef struct locox_place_in_box {
  /*
   Along each axis, from the first node of the box on.
   */
  uint8_t at[4];
} locox_place_in_box;

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
 Counts of nodes.
 */
typedef struct locox_grid_stats {
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
} locox_grid_stats;

/*
 A box moves to another place.
 */
typedef struct locox_box_move {
  /*
   The first node of the box that moves.
   */
  uint32_t from;
  /*
   The first node of where it goes.
   */
  uint32_t to;
  /*
   Its sides.
   */
  struct locox_sides sides;
} locox_box_move;

/*
 Parameters of a coordinator; `locox_manager_standard` has some to start from. Times are ticks.
 */
typedef struct locox_manager_config {
  /*
   After so long half of what a user had counts; not zero.
   */
  uint64_t half_life;
  /*
   For about so long a user keeps what he took from one like himself; not zero.
   */
  uint64_t quantum;
  /*
   With `preempt`: a job waits for so long, as far as that is known beforehand, before others are stopped for it; and none
   is stopped that ends by then.
   */
  uint64_t patience;
  /*
   With `preempt`: a job runs for so long before it is stopped.
   */
  uint64_t least_run;
  /*
   With `preempt`: one that was stopped, and whose nodes another job had for it, runs for so long the next time.
   */
  uint64_t protection;
  /*
   With `preempt`: from `LOCOX_MANAGER_NOTICE` to `LOCOX_MANAGER_STOP`.
   */
  uint64_t notice;
  /*
   `LOCOX_MANAGER_BY_...`.
   */
  uint32_t ranking;
  /*
   `LOCOX_MANAGER_ANY_NODES` or `LOCOX_MANAGER_SUBCUBES`.
   */
  uint32_t places;
  /*
   Not zero: jobs are stopped for one of a user whose turn it is and who has nothing, or by priority for the first in line
   if its priority is larger, where that loses the least work.
   */
  uint32_t preempt;
  /*
   The number that tells its images from those of others.
   */
  uint16_t pool;
  /*
   Not looked at.
   */
  uint16_t padding;
} locox_manager_config;

/*
 The coordinator of a machine whose hosts do not talk: a resource manager starts its jobs. Opaque, small, and may
 be moved; its rows may not.
 */
typedef struct locox_manager {
  uint64_t opaque[LOCOX_MANAGER_LENGTH];
} locox_manager;

/*
 Room for one job of a queue that plans. Its content does not matter.
 */
typedef struct locox_backfill_row {
  uint64_t opaque[LOCOX_BACKFILL_ROW_LENGTH];
} locox_backfill_row;

/*
 Room for what is kept of a job, beside the queue.
 */
typedef struct locox_manager_job_row {
  uint64_t opaque[LOCOX_MANAGER_JOB_ROW_LENGTH];
} locox_manager_job_row;

/*
 Room for what is kept of a user, beside the ranking.
 */
typedef struct locox_manager_user_row {
  uint32_t opaque[LOCOX_MANAGER_USER_ROW_LENGTH];
} locox_manager_user_row;

/*
 Room for what Up-Down by time keeps of a station.
 */
typedef struct locox_timed_row {
  uint64_t opaque[LOCOX_TIMED_ROW_LENGTH];
} locox_timed_row;

/*
 Room for what is kept of a node.
 */
typedef struct locox_manager_node_row {
  uint32_t opaque[LOCOX_MANAGER_NODE_ROW_LENGTH];
} locox_manager_node_row;

/*
 Room for who holds nodes in a decision.
 */
typedef struct locox_manager_plan_row {
  uint64_t opaque[LOCOX_MANAGER_PLAN_ROW_LENGTH];
} locox_manager_plan_row;

/*
 Room for who could stop for a job in a decision.
 */
typedef struct locox_manager_stake_row {
  uint64_t opaque[LOCOX_MANAGER_STAKE_ROW_LENGTH];
} locox_manager_stake_row;

/*
 Where a coordinator keeps its rows, of any content. The structure itself is only read.
 */
typedef struct locox_manager_rows {
  /*
   One a job.
   */
  struct locox_backfill_row *entries;
  /*
   One a job.
   */
  struct locox_manager_job_row *jobs;
  /*
   For how many jobs that are known at once.
   */
  size_t job_count;
  /*
   One a user.
   */
  struct locox_manager_user_row *users;
  /*
   One a user.
   */
  struct locox_timed_row *ranks;
  /*
   For how many users that are known at once.
   */
  size_t user_count;
  /*
   One a node.
   */
  struct locox_manager_node_row *nodes;
  /*
   How many nodes there are; those that come later are out of service until then.
   */
  size_t node_count;
  /*
   As many as `LOCOX_MANAGER_INDEX` says, or more, which makes it faster.
   */
  uint32_t *index;
  /*
   How many.
   */
  size_t index_count;
  /*
   As many as `locox_manager_words` says.
   */
  size_t *words;
  /*
   How many.
   */
  size_t word_count;
  /*
   One a job, where these need a subcube or are stopped for others; else it may be null.
   */
  struct locox_manager_plan_row *plan;
  /*
   One a job, where jobs are stopped for others; else it may be null.
   */
  struct locox_manager_stake_row *stakes;
  /*
   As many as `locox_manager_sums` says, where jobs are stopped for others; else it may be null.
   */
  uint64_t *sums;
  /*
   How many.
   */
  size_t sum_count;
} locox_manager_rows;

/*
 The name of a job: its number in the resource manager, and when it was submitted there, in seconds. Managers give
 a number again when they have lost a job or have run out of numbers; the time tells the two apart.
 */
typedef struct locox_key {
  /*
   The manager's number.
   */
  uint64_t id;
  /*
   When it was submitted there, in seconds.
   */
  uint32_t born;
  /*
   Not looked at; zero in results.
   */
  uint32_t padding;
} locox_key;

/*
 What is said to a coordinator: of the fields those that its kind names.
 */
typedef struct locox_manager_command {
  /*
   `LOCOX_MANAGER_SEEN`, `LOCOX_MANAGER_CHANGED`, ...
   */
  uint32_t kind;
  /*
   A user.
   */
  uint32_t user;
  /*
   A job.
   */
  struct locox_key key;
  /*
   The first of several nodes.
   */
  uint32_t first;
  /*
   How many nodes.
   */
  uint32_t nodes;
  /*
   A priority.
   */
  uint32_t priority;
  /*
   A weight, or whether a job is held or may be stopped.
   */
  uint32_t number;
  /*
   A limit, a start, a deadline, or up to when work is saved.
   */
  uint64_t time;
} locox_manager_command;

/*
 A job, as it is known.
 */
typedef struct locox_managed_job {
  /*
   Its name.
   */
  struct locox_key key;
  /*
   For how long it may run.
   */
  uint64_t limit;
  /*
   Since when it has nodes; of one that is to be started, when that was decided; `LOCOX_NEVER` of one that has
   none.
   */
  uint64_t since;
  /*
   By when it is to end, or `LOCOX_NEVER`.
   */
  uint64_t deadline;
  /*
   When it ends, if that is after its deadline, as of the last decision; else `LOCOX_NEVER`.
   */
  uint64_t late;
  /*
   Whose it is.
   */
  uint32_t user;
  /*
   How many nodes it asks for.
   */
  uint32_t nodes;
  /*
   Its priority; a larger one is served earlier.
   */
  uint32_t priority;
  /*
   1 if somebody holds it.
   */
  uint32_t held;
  /*
   `LOCOX_MANAGED_WAITING`, ...
   */
  uint32_t status;
  /*
   How often it got nodes, counting those that it has.
   */
  uint32_t attempt;
  /*
   How many nodes have to be free for it: those of a subcube if it needs one.
   */
  uint32_t needs;
  /*
   The sides of the mesh that it is to be, if they were told; else zeros.
   */
  uint32_t sides[3];
} locox_managed_job;

/*
 Called for each job that a call has to tell of.
 */
typedef void (*locox_managed_job_fn)(const struct locox_managed_job *job, void *user);

/*
 Nodes that follow each other.
 */
typedef struct locox_node_range {
  /*
   The first of them.
   */
  uint32_t first;
  /*
   How many they are.
   */
  uint32_t nodes;
} locox_node_range;

/*
 Called for all nodes that a call has to name, those that follow each other together.
 */
typedef void (*locox_node_range_fn)(const struct locox_node_range *range, void *user);

/*
 A node, as it is known.
 */
typedef struct locox_managed_node {
  /*
   The job that has it, or is to get it, if any has.
   */
  struct locox_key key;
  /*
   1 if a job has it.
   */
  uint32_t has_job;
  /*
   1 if it is out of service.
   */
  uint32_t out;
} locox_managed_node;

/*
 A user, as he is known.
 */
typedef struct locox_managed_user {
  /*
   His index in the ranking, in units of 2^-40 nodes times half-lives. A lower one is served earlier.
   */
  int64_t index;
  /*
   His number.
   */
  uint32_t id;
  /*
   His jobs.
   */
  uint32_t jobs;
  /*
   Those of them that wait, and that nobody holds.
   */
  uint32_t waiting;
  /*
   Nodes that they have.
   */
  uint32_t nodes;
  /*
   His share.
   */
  uint32_t weight;
  /*
   Zero.
   */
  uint32_t padding;
} locox_managed_user;

/*
 Called for each user that a call has to tell of.
 */
typedef void (*locox_managed_user_fn)(const struct locox_managed_user *account, void *user);

/*
 Called for each job that a call has to name.
 */
typedef void (*locox_key_fn)(const struct locox_key *key, void *user);

/*
 Why a job waits: of the fields those that its kind names.
 */
typedef struct locox_manager_reason {
  /*
   `LOCOX_MANAGER_WHY_...`.
   */
  uint32_t kind;
  /*
   How many nodes.
   */
  uint32_t nodes;
  /*
   A job.
   */
  struct locox_key first;
} locox_manager_reason;

/*
 From when to when.
 */
typedef struct locox_interval {
  /*
   The first instant.
   */
  uint64_t start;
  /*
   The first instant after it.
   */
  uint64_t end;
} locox_interval;

/*
 How many PEs are busy from when to when. Opaque, small, and may be moved; its storage may not.
 */
typedef struct locox_profile {
  uint64_t opaque[LOCOX_PROFILE_LENGTH];
} locox_profile;

/*
 What is to be done, or to be known: of the fields those that its kind names.
 */
typedef struct locox_manager_effect {
  /*
   `LOCOX_MANAGER_START`, `LOCOX_MANAGER_STOP`, ...
   */
  uint32_t kind;
  /*
   How many nodes.
   */
  uint32_t nodes;
  /*
   A job.
   */
  struct locox_key key;
  /*
   A user, or `LOCOX_NOBODY`.
   */
  uint32_t user;
  /*
   `LOCOX_MANAGER_STOP_...`.
   */
  uint32_t why;
  /*
   The job for which `key` is stopped.
   */
  struct locox_key job;
  /*
   A start.
   */
  uint64_t from;
  /*
   An end.
   */
  uint64_t to;
} locox_manager_effect;

/*
 Called for each effect that a call has to name.
 */
typedef void (*locox_manager_effect_fn)(const struct locox_manager_effect *effect, void *user);

/*
 Machines that run one job together.
 */
typedef struct locox_machine_cluster {
  /*
   Numbers of machines, each once.
   */
  const uint32_t *members;
  /*
   How many.
   */
  size_t member_count;
  /*
   So many members must be present, or the cluster takes no job; not zero.
   */
  size_t least;
  /*
   The number of the interconnect that serves it; `LOCOX_NOBODY`: one that is always up.
   */
  uint32_t link;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_machine_cluster;

/*
 Jobs to map: where they can run for how long, and when each machine is free. Resources are numbered:
 first the machines, then the clusters. Only read.
 */
typedef struct locox_problem {
  /*
   Nothing starts before.
   */
  uint64_t now;
  /*
   How many machines, one at least.
   */
  size_t machines;
  /*
   Clusters of them.
   */
  const struct locox_machine_cluster *clusters;
  /*
   How many.
   */
  size_t cluster_count;
  /*
   How many jobs.
   */
  size_t jobs;
  /*
   Null, or the row of the table for each job.
   */
  const uint32_t *row_of;
  /*
   The table of expected times: a row for each job, or as many as there are, and in it a time for
   each resource; `LOCOX_NEVER` where a job cannot run.
   */
  const uint64_t *times;
  /*
   Rows of the table; as many as jobs if `row_of` is null.
   */
  size_t rows;
  /*
   When each machine is free; `LOCOX_NEVER`: it is away.
   */
  const uint64_t *free_from;
  /*
   Interconnects that are down, by number.
   */
  const uint32_t *down;
  /*
   How many.
   */
  size_t down_count;
} locox_problem;

/*
 Room for a job that has no place yet.
 */
typedef struct locox_unplaced_row {
  uint64_t opaque[LOCOX_UNPLACED_ROW_LENGTH];
} locox_unplaced_row;

/*
 Room for where and when a job runs.
 */
typedef struct locox_mapped_row {
  uint64_t opaque[LOCOX_MAPPED_ROW_LENGTH];
} locox_mapped_row;

/*
 Room for what is kept of a cluster of machines.
 */
typedef struct locox_cluster_row {
  size_t opaque[LOCOX_CLUSTER_ROW_LENGTH];
} locox_cluster_row;

/*
 Room to map jobs, of any content. The structure itself is only read.
 */
typedef struct locox_map_workspace {
  /*
   One a job.
   */
  struct locox_unplaced_row *unplaced;
  /*
   How many.
   */
  size_t unplaced_count;
  /*
   Three a job.
   */
  struct locox_mapped_row *placements;
  /*
   How many.
   */
  size_t placement_count;
  /*
   Four a machine; for `locox_map_bound` two a job and one a machine.
   */
  uint64_t *instants;
  /*
   How many.
   */
  size_t instant_count;
  /*
   One a cluster.
   */
  struct locox_cluster_row *clusters;
  /*
   How many.
   */
  size_t cluster_count;
} locox_map_workspace;

/*
 Where and when a job runs.
 */
typedef struct locox_mapped {
  /*
   The machine or cluster.
   */
  uint32_t resource;
  /*
   Of no meaning.
   */
  uint32_t padding;
  /*
   When it is to start.
   */
  uint64_t start;
  /*
   When it is expected to end.
   */
  uint64_t end;
} locox_mapped;

/*
 A genetic search. Only read, but for the words of the population.
 */
typedef struct locox_genetic {
  /*
   `LOCOX_BEST_...`, for the start.
   */
  uint32_t best;
  /*
   What is random is drawn from it.
   */
  uint32_t seed;
  /*
   So many times as many children as there are chromosomes are made.
   */
  uint32_t generations;
  /*
   Of no meaning.
   */
  uint32_t padding;
  /*
   Room for the population, of any content: for so many chromosomes as many words as
   `locox_map_genes` says.
   */
  uint32_t *genes;
  /*
   How many words.
   */
  size_t gene_count;
} locox_genetic;

/*
 An interconnect: what it can do, and what of that is taken.
 */
typedef struct locox_link {
  /*
   What a message takes however short it is.
   */
  uint64_t latency;
  /*
   The bandwidth: so many bytes,
   */
  uint64_t bytes;
  /*
   in so much time.
   */
  uint64_t per;
  /*
   So many of these bytes are others'.
   */
  uint64_t taken;
} locox_link;

/*
 What each process of a job sends, one message behind the other, in its whole run.
 */
typedef struct locox_traffic {
  /*
   Messages.
   */
  uint64_t messages;
  /*
   Bytes of all of them.
   */
  uint64_t bytes;
} locox_traffic;

/*
 What past runs took. Opaque, small, and may be moved; its words may not.
 */
typedef struct locox_experience {
  uint64_t opaque[LOCOX_EXPERIENCE_LENGTH];
} locox_experience;

/*
 What a run may take.
 */
typedef struct locox_expected {
  /*
   Rounded to the nearest tick.
   */
  uint64_t mean;
  /*
   The standard deviation of single runs, rounded down.
   */
  uint64_t deviation;
  /*
   How many runs it rests on.
   */
  uint32_t runs;
  /*
   `LOCOX_BASIS_...`.
   */
  uint32_t basis;
} locox_expected;

/*
 A pool of the nodes of a hypercube that grants meshes. Opaque, small, and may be moved; its
 storage may not.
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
 When a station counts as available. Times are ticks.
 */
typedef struct locox_owner_rule {
  /*
   How long there must have been no activity before the station is available.
   */
  uint64_t quiet;
  /*
   Time between samples while the owner is present; not zero.
   */
  uint64_t sample_present;
  /*
   Time between samples while the owner is away; not zero.
   */
  uint64_t sample_away;
  /*
   A load above this is activity of the owner, in hundredths of a percent.
   */
  uint32_t threshold;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_owner_rule;

/*
 Whether the owner has a station. Opaque, small, and may be moved. It needs no other storage.
 */
typedef struct locox_owner {
  uint64_t opaque[LOCOX_OWNER_LENGTH];
} locox_owner;

/*
 The scheduler of one station with room for one guest. Opaque, small, and may be moved. It needs
 no other storage.
 */
typedef struct locox_guest {
  uint64_t opaque[LOCOX_GUEST_LENGTH];
} locox_guest;

/*
 How a station treats guests. Times are ticks.
 */
typedef struct locox_guest_rule {
  /*
   Zero: when the owner returns the guest is checkpointed at once. Else it is kept in memory,
   stopped, for `wait`, in case he leaves again.
   */
  uint32_t suspends;
  /*
   Of no meaning.
   */
  uint32_t padding;
  /*
   How long a suspended guest waits before it is checkpointed after all.
   */
  uint64_t wait;
  /*
   How long a checkpoint may take before the guest is killed without it.
   */
  uint64_t grace;
  /*
   After how long a guest that was killed and is not gone is killed again.
   */
  uint64_t kill_again;
} locox_guest_rule;

/*
 What has to be done with the guest.
 */
typedef struct locox_guest_action {
  /*
   `LOCOX_DO_...`.
   */
  uint32_t kind;
  /*
   The number of a checkpoint.
   */
  uint32_t writing;
} locox_guest_action;

/*
 Where a guest stands: of the fields those that its phase names.
 */
typedef struct locox_guest_phase {
  /*
   `LOCOX_PHASE_...`.
   */
  uint32_t phase;
  /*
   The number of a checkpoint.
   */
  uint32_t writing;
  /*
   When it is over.
   */
  uint64_t until;
  /*
   1 if the owner is present.
   */
  uint32_t owner_present;
  /*
   1 if the guest needs the processor.
   */
  uint32_t busy;
} locox_guest_phase;

/*
 How much of each of up to eight quantities, in units of the caller's. The first one is processors.
 */
typedef struct locox_amounts {
  /*
   Of each.
   */
  uint32_t of[8];
} locox_amounts;

/*
 Nodes, and by which rule they are granted. The arrays are not copied: they stay as they are while a pool is used.
 */
typedef struct locox_nodes {
  /*
   What a node of each class has.
   */
  const struct locox_amounts *classes;
  /*
   How many classes there are, 1 to 64.
   */
  size_t class_count;
  /*
   The class of each node.
   */
  const uint8_t *class_of;
  /*
   How many nodes there are, 1 to `LOCOX_NODES_MOST`.
   */
  size_t count;
  /*
   What the nodes have in common, such as licences.
   */
  struct locox_amounts common;
  /*
   `LOCOX_NODES_FIRST`, `LOCOX_NODES_BEST` or `LOCOX_NODES_FEWEST`.
   */
  uint32_t placement;
  /*
   The quantity for which `LOCOX_NODES_FEWEST` keeps room.
   */
  uint32_t keep;
  /*
   The quantity that is devices of which jobs can have parts, at most 16 a node, unless `parts` is zero.
   */
  uint32_t device;
  /*
   Of how many parts each device is; zero if they are only granted as a whole.
   */
  uint32_t parts;
} locox_nodes;

/*
 A pool of nodes that jobs share. Opaque, and may be moved; its storage may not.
 */
typedef struct locox_node_pool {
  uint64_t opaque[LOCOX_NODE_POOL_LENGTH];
} locox_node_pool;

/*
 Room for a lease. Its content does not matter.
 */
typedef struct locox_node_lease_row {
  size_t opaque[LOCOX_NODE_LEASE_ROW_LENGTH];
} locox_node_lease_row;

/*
 What is asked for.
 */
typedef struct locox_node_request {
  /*
   `LOCOX_NODES_EACH`, `LOCOX_NODES_TASKS` or `LOCOX_NODES_PART`.
   */
  uint32_t kind;
  /*
   How many nodes at least, tasks, or parts of a device; zero nodes or tasks mean one.
   */
  uint32_t count;
  /*
   For `LOCOX_NODES_EACH`: more nodes up to so many, if there are. Zero for none.
   */
  uint32_t most;
  /*
   Not zero: nobody else may have anything on these nodes.
   */
  uint32_t exclusive;
  /*
   How much on each node, for each task, or next to the part.
   */
  struct locox_amounts amounts;
  /*
   How much of what the nodes have in common.
   */
  struct locox_amounts common;
  /*
   Bit c: nodes of class c will do. Zero for all classes.
   */
  uint64_t classes;
  /*
   The set of nodes that will do (`LOCOX_SET_WORDS`); others are out of it.
   */
  const size_t *allowed;
  /*
   How many words it has; zero for all nodes.
   */
  size_t allowed_len;
} locox_node_request;

/*
 Nodes granted to somebody, or some of what they have.
 */
typedef struct locox_node_lease {
  /*
   Its name.
   */
  struct locox_handle handle;
  /*
   Its first node; `locox_nodes_of` lists all of them.
   */
  uint32_t node;
  /*
   How many nodes it has.
   */
  uint32_t nodes;
  /*
   How many parts of a device it has; zero for none.
   */
  uint32_t parts;
  /*
   Which device of its node that is.
   */
  uint32_t device;
} locox_node_lease;

/*
 Called for each lease that a call has to name.
 */
typedef void (*locox_node_lease_fn)(const struct locox_node_lease *lease, void *user);

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
 What is asked for. Times are ticks of the caller's.
 */
typedef struct locox_request {
  /*
   The earliest start. An instant in the past means the present.
   */
  uint64_t ready;
  /*
   How long the PEs are needed; not zero.
   */
  uint64_t duration;
  /*
   The latest finish, not before `ready` and `duration` together; `LOCOX_NEVER` for none.
   */
  uint64_t deadline;
  /*
   How many PEs, at least one.
   */
  uint32_t pes;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_request;

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
  struct locox_interval at;
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
 A start at which a request fits, and how much room there is around it.
 */
typedef struct locox_candidate {
  /*
   The start.
   */
  uint64_t start;
  /*
   From when to when all PEs that are free from the start on for the duration are free;
   the end is `LOCOX_NEVER` if for good.
   */
  struct locox_interval room;
  /*
   How many these are.
   */
  uint32_t pes;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_candidate;

/*
 Called for each start at which a request fits, the earliest first.
 */
typedef void (*locox_candidate_fn)(const struct locox_candidate *candidate, void *user);

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
 Called with the number of a job: the number of its user, always the same.
 */
typedef uint32_t (*locox_user_fn)(uint32_t id, void *user);

/*
 What a limit of jobs a user knows of one job. Its content does not matter.
 */
typedef struct locox_user_row {
  uint32_t opaque[LOCOX_USER_ROW_LENGTH];
} locox_user_row;

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
 Called with a job whose turn it is: zero to leave it, anything else if it was started.
 */
typedef uint32_t (*locox_start_fn)(const struct locox_job *job, void *user);

/*
 A job of a queue.
 */
typedef struct locox_queued {
  /*
   What the queue knows it by.
   */
  struct locox_handle ticket;
  /*
   What was pushed.
   */
  struct locox_job job;
  /*
   Its number of arrival: among jobs of the same key in line the smaller one comes first.
   */
  uint64_t arrival;
  /*
   What it does: `LOCOX_STANDING_...`.
   */
  uint32_t standing;
  /*
   Zero.
   */
  uint32_t padding;
} locox_queued;

/*
 Called with a job of a queue.
 */
typedef void (*locox_queued_fn)(const struct locox_queued *job, void *user);

/*
 Jobs that wait for a box or run in one. Opaque, small, and may be moved; its storage may not.
 */
typedef struct locox_box_queue {
  uint64_t opaque[LOCOX_BOX_QUEUE_LENGTH];
} locox_box_queue;

/*
 Called with the number of a job: writes the sides of its box, which may be turned, always the same for a job. `sides` are
 zero before; if they stay so the job gets any box of as many nodes as its `pes`. Others that are not 1 to 64 fit nowhere.
 */
typedef void (*locox_sides_fn)(uint32_t id, struct locox_sides *sides, void *user);

/*
 Room for a box that is held, promised or out of service. Its content does not matter.
 */
typedef struct locox_box_row {
  uint64_t opaque[LOCOX_BOX_ROW_LENGTH];
} locox_box_row;

/*
 A box of a machine.
 */
typedef struct locox_box {
  /*
   Its first node. Along a ring that it fills a box begins at 0.
   */
  uint32_t origin;
  /*
   Its sides.
   */
  struct locox_sides sides;
} locox_box;

/*
 A job, and its box.
 */
typedef struct locox_placed_job {
  /*
   The job.
   */
  struct locox_job job;
  /*
   Where it starts.
   */
  struct locox_box place;
} locox_placed_job;

/*
 Called with a job whose turn it is, and its box: zero to leave it, anything else if it was started.
 */
typedef uint32_t (*locox_placed_job_fn)(const struct locox_placed_job *job, void *user);

/*
 A ranking of stations, and what it remembers of them. Opaque, small, and may be moved; its rows
 may not.
 */
typedef struct locox_ranking {
  uint64_t opaque[LOCOX_RANKING_LENGTH];
} locox_ranking;

/*
 What a station asks of the others.
 */
typedef struct locox_demand {
  /*
   Jobs that wait for a processor.
   */
  uint16_t wants;
  /*
   Processors of others that it holds.
   */
  uint16_t holds;
} locox_demand;

/*
 Room for a round of allocation.
 */
typedef struct locox_contender {
  uint64_t opaque[LOCOX_CONTENDER_LENGTH];
} locox_contender;

/*
 What a round decides: one processor changes hands.
 */
typedef struct locox_decision {
  /*
   The station that gets it.
   */
  uint32_t to;
  /*
   The station that yields it; `LOCOX_NOBODY` if it was free.
   */
  uint32_t from;
  /*
   `LOCOX_REASON_...`.
   */
  uint32_t reason;
  /*
   The index of the one that gets it, in 256ths, if that is the reason.
   */
  int32_t to_index;
  /*
   The index of the one that yields it.
   */
  int32_t from_index;
} locox_decision;

/*
 Called for each decision of a round, in its order.
 */
typedef void (*locox_decision_fn)(const struct locox_decision *decision, void *user);

/*
 Parameters of a coordinator; `locox_site_standard` has some to start from. Times are ticks.
 */
typedef struct locox_site_config {
  /*
   Time between two mappings; not zero.
   */
  uint64_t quantum;
  /*
   If `heeds_gain`: jobs are preempted only where those who take their places gain more than this
   for each.
   */
  uint64_t gain;
  /*
   Not zero: see `gain`. Zero: jobs are preempted as others want their places.
   */
  uint32_t heeds_gain;
  /*
   So often a job is preempted at most; `LOCOX_NOBODY`: without a bound.
   */
  uint32_t preemptions;
  /*
   `LOCOX_REMAP_...`.
   */
  uint32_t remap;
  /*
   `LOCOX_BEST_...`.
   */
  uint32_t best;
  /*
   Not zero: runs tell what others will take. Zero: the table does, for ever.
   */
  uint32_t learns;
  /*
   If it learns: after so many runs it forgets.
   */
  uint32_t memory;
  /*
   If it learns: runs on which resources go before the table, `LOCOX_BASIS_...`.
   */
  uint32_t basis;
  /*
   The number that its jobs' names carry: to other coordinators they are foreign.
   */
  uint16_t pool;
  /*
   If it learns: so many sixteenths of the standard deviation are added to a mean; zero: none.
   */
  uint16_t risk;
  /*
   So many mappings give a job a place in the order of its queue's algorithm; then it is mapped before the
   others of its queue. Zero: as many as `locox_site_standard` has; `LOCOX_NOBODY`: without a bound.
   */
  uint32_t patience;
  /*
   Of no meaning.
   */
  uint32_t padding;
} locox_site_config;

/*
 The coordinator of a site of unlike machines, and of clusters of them. Opaque, small, and may be
 moved; its rows may not.
 */
typedef struct locox_site {
  uint64_t opaque[LOCOX_SITE_LENGTH];
} locox_site;

/*
 What is known of a site beforehand. The structure itself is only read at the start; what it points
 to stays where and as it is.
 */
typedef struct locox_site_model {
  /*
   How many machines, one at least. Resources are numbered: first the machines, then the clusters.
   */
  size_t machines;
  /*
   Clusters of them; themselves read at the start only, their members later, too.
   */
  const struct locox_machine_cluster *clusters;
  /*
   How many.
   */
  size_t cluster_count;
  /*
   A row for each class of jobs, and in it a time for each resource; `LOCOX_NEVER` where such jobs
   cannot run.
   */
  const uint64_t *times;
  /*
   How many classes of jobs.
   */
  size_t job_classes;
  /*
   The class of each resource, whose runs tell of each other; null where nothing is learnt.
   */
  const uint16_t *classes;
} locox_site_model;

/*
 Room for what is kept of a job.
 */
typedef struct locox_site_job {
  uint64_t opaque[LOCOX_SITE_JOB_LENGTH];
} locox_site_job;

/*
 Room for a job that runs while others are mapped.
 */
typedef struct locox_running_row {
  uint64_t opaque[LOCOX_RUNNING_ROW_LENGTH];
} locox_running_row;

/*
 Room for what is kept of a user.
 */
typedef struct locox_site_user {
  uint64_t opaque[LOCOX_SITE_USER_LENGTH];
} locox_site_user;

/*
 Room for what is kept of a queue.
 */
typedef struct locox_site_queue {
  uint8_t opaque[LOCOX_SITE_QUEUE_LENGTH];
} locox_site_queue;

/*
 Room for what is kept of a machine.
 */
typedef struct locox_site_machine {
  uint32_t opaque[LOCOX_SITE_MACHINE_LENGTH];
} locox_site_machine;

/*
 Where a coordinator keeps its rows, of any content. The structure itself is only read.
 */
typedef struct locox_site_rows {
  /*
   One a job.
   */
  struct locox_site_job *jobs;
  /*
   One a job.
   */
  struct locox_unplaced_row *unplaced;
  /*
   Three a job.
   */
  struct locox_mapped_row *placements;
  /*
   One a job.
   */
  struct locox_running_row *running;
  /*
   Two a job.
   */
  uint32_t *numbers;
  /*
   One a job.
   */
  uint8_t *levels;
  /*
   For how many jobs that wait or run.
   */
  size_t job_count;
  /*
   One a user.
   */
  struct locox_site_user *users;
  /*
   How many.
   */
  size_t user_count;
  /*
   One a queue.
   */
  struct locox_site_queue *queues;
  /*
   How many, 254 at most.
   */
  size_t queue_count;
  /*
   One a machine.
   */
  struct locox_site_machine *machines;
  /*
   One a machine.
   */
  uint32_t *next;
  /*
   Five a machine.
   */
  uint64_t *instants;
  /*
   For how many machines.
   */
  size_t machine_count;
  /*
   One a cluster.
   */
  struct locox_cluster_row *clusters;
  /*
   One a cluster.
   */
  uint32_t *down;
  /*
   For how many clusters.
   */
  size_t cluster_count;
  /*
   One for each class of jobs and resource.
   */
  uint64_t *expected;
  /*
   How many.
   */
  size_t expected_count;
  /*
   As many as `locox_experience_words` says; none where nothing is learnt.
   */
  uint64_t *runs;
  /*
   How many.
   */
  size_t run_count;
} locox_site_rows;

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
 How the jobs of a queue are served. A queue that takes places has a level before all that do not,
 and one that loses them a level behind all that do not.
 */
typedef struct locox_policy {
  /*
   `LOCOX_MAP_...`.
   */
  uint32_t algorithm;
  /*
   The smaller, the more urgent; up to 255.
   */
  uint32_t level;
  /*
   `LOCOX_CLAIM_...`.
   */
  uint32_t claim;
  /*
   Who may submit to it: users of this clearance and of higher ones. Zero: all. Up to 255.
   */
  uint32_t clearance;
} locox_policy;

/*
 What is said to a coordinator: of the fields those that its kind names.
 */
typedef struct locox_site_command {
  /*
   `LOCOX_SITE_SUBMIT`, `LOCOX_SITE_FINISHED`, ...
   */
  uint32_t kind;
  /*
   A user.
   */
  uint32_t user;
  /*
   A queue.
   */
  uint32_t queue;
  /*
   A class of jobs.
   */
  uint32_t job_class;
  /*
   A machine.
   */
  uint32_t machine;
  /*
   A number of a submission, a start, an interconnect or jobs, or a clearance.
   */
  uint32_t number;
  /*
   A run.
   */
  struct locox_run run;
  /*
   A policy.
   */
  struct locox_policy policy;
  /*
   How long a run took.
   */
  uint64_t took;
} locox_site_command;

/*
 Where a job is: of the fields those that its kind names.
 */
typedef struct locox_site_status {
  /*
   `LOCOX_SITE_WAITING`, ...
   */
  uint32_t kind;
  /*
   Its resource, or `LOCOX_NOBODY`.
   */
  uint32_t resource;
  /*
   Its run, if it runs or leaves.
   */
  struct locox_run run;
  /*
   When it is expected to start, or to end.
   */
  uint64_t until;
} locox_site_status;

/*
 Called for each machine that a call has to name.
 */
typedef void (*locox_machine_fn)(uint32_t machine, void *user);

/*
 What is known of a user.
 */
typedef struct locox_site_user_status {
  /*
   What his jobs took that have ended: the time of the run that ended, for each machine that it had.
   */
  uint64_t machine_time;
  /*
   How many those are.
   */
  uint32_t ended;
  /*
   His jobs that wait or run.
   */
  uint32_t jobs;
  /*
   How many he may have; zero for any number.
   */
  uint32_t limit;
  /*
   His clearance.
   */
  uint32_t clearance;
} locox_site_user_status;

/*
 What is to be done: of the fields those that its kind names.
 */
typedef struct locox_site_effect {
  /*
   `LOCOX_SITE_DISPATCH`, `LOCOX_SITE_PREEMPT`.
   */
  uint32_t kind;
  /*
   Where.
   */
  uint32_t resource;
  /*
   What the job is like; of a dispatch.
   */
  uint32_t job_class;
  /*
   The run.
   */
  struct locox_run run;
} locox_site_effect;

/*
 Called for each effect that a call has to name.
 */
typedef void (*locox_site_effect_fn)(const struct locox_site_effect *effect, void *user);

/*
 A pool of the slices of one accelerator. Opaque, and may be moved; it has all that it needs inside.
 */
typedef struct locox_slice_pool {
  uint64_t opaque[LOCOX_SLICE_POOL_LENGTH];
} locox_slice_pool;

/*
 What may be asked for: any one of these sets of slices, of which bit s stands for slice s.
 */
typedef struct locox_slice_profile {
  /*
   The sets, in the order in which they are tried; they stay where they are while the pool is used.
   */
  const uint32_t *placements;
  /*
   How many, 1 to 32.
   */
  size_t count;
} locox_slice_profile;

/*
 A row of a table of one's own, for `locox_slices_start_table`.
 */
typedef struct locox_profile_row {
  size_t opaque[LOCOX_PROFILE_ROW_LENGTH];
} locox_profile_row;

/*
 Slices granted to somebody.
 */
typedef struct locox_slice_lease {
  /*
   Its name.
   */
  struct locox_handle handle;
  /*
   What was asked for: the place of the profile in the table.
   */
  uint32_t profile;
  /*
   Bit s: slice s.
   */
  uint32_t slices;
} locox_slice_lease;

/*
 Called for each lease that a call has to name.
 */
typedef void (*locox_slice_lease_fn)(const struct locox_slice_lease *lease, void *user);

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
  uint16_t padding;
  /*
   How many processors change hands in a command at the most; 0 for as many as there are to decide.
   */
  uint32_t decisions;
} locox_station_config;

/*
 The coordinator of a network of workstations and a processor bank. Opaque, small, and may be
 moved; its rows may not.
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
 What is said to a coordinator: of the fields those that its kind names.
 */
typedef struct locox_station_command {
  /*
   `LOCOX_SUBMIT`, `LOCOX_NODE_IDLE`, ...
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
   The number of a submission, a host's name for a checkpoint, or a weight.
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
   `LOCOX_PREEMPT_...`.
   */
  uint32_t why;
  /*
   The station or processor that is meant.
   */
  uint32_t to;
} locox_station_effect;

/*
 Called for each effect that a call has to name.
 */
typedef void (*locox_station_effect_fn)(const struct locox_station_effect *effect, void *user);

/*
 A clock of 64 bits out of a counter of the hardware that wraps. Opaque, small, and may be moved.
 */
typedef struct locox_wide_counter {
  uint64_t opaque[LOCOX_WIDE_COUNTER_LENGTH];
} locox_wide_counter;

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
 A speed, and the PEs of a machine that have at least that.
 */
typedef struct locox_speed {
  /*
   The speed, in a unit of the caller's.
   */
  uint32_t speed;
  /*
   Of no meaning.
   */
  uint32_t padding;
  /*
   A set of PEs.
   */
  const size_t *pes;
} locox_speed;

/*
 How fast the PEs of a machine are. A null pointer to one means that all are standard PEs.
 */
typedef struct locox_speeds {
  /*
   The speed of a standard PE, which takes for a request just its duration.
   */
  uint32_t standard;
  /*
   How many speeds there are, 1 to `LOCOX_SPEEDS_MOST`.
   */
  uint32_t count;
  /*
   The speeds, the highest first. Each has all PEs of the one before it. PEs that none has are not
   reserved.
   */
  const struct locox_speed *speeds;
  /*
   Words of each set: `LOCOX_SET_WORDS` of the machine's PEs.
   */
  size_t words;
} locox_speeds;

/*
 One of several machines, and how it is to be asked.
 */
typedef struct locox_machine {
  /*
   Its timeline.
   */
  struct locox_timeline *timeline;
  /*
   How to choose on this machine, or null.
   */
  const struct locox_choice *choice;
  /*
   How fast its PEs are, or null.
   */
  const struct locox_speeds *speeds;
} locox_machine;

/*
 Which jobs a host has, and at which levels. Opaque, small, and may be moved; its rows may not.
 */
typedef struct locox_timeshare {
  uint64_t opaque[LOCOX_TIMESHARE_LENGTH];
} locox_timeshare;

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
 Words of storage for a coordinator of so many hosts and levels; zero for levels out of range (1 to
 8). `LOCOX_CLUSTER_WORDS` is the same as a constant.
 */
size_t locox_cluster_words(size_t hosts, uint32_t levels);

/*
 Words of storage more for so many sets of hosts, and if `memory` is not zero for that of hosts.
 `LOCOX_CLUSTER_MORE_WORDS` is the same as a constant.
 */
size_t locox_cluster_more_words(size_t hosts, uint16_t sets, uint32_t memory);

/*
 Writes parameters to start from to `config`.
 */
locox_status locox_cluster_standard(struct locox_cluster_config *config);

/*
 Starts a coordinator of which no host has reported, with so many levels (1 to 8) a host, that
 gives a job the most urgent level that is free on enough hosts. Of `placing` the degree is looked
 at, and `shuffled`.
 */
locox_status locox_cluster_start_first_level(struct locox_cluster *cluster,
                                             const struct locox_cluster_config *config,
                                             const struct locox_placing *placing,
                                             uint32_t levels,
                                             const struct locox_cluster_rows *rows,
                                             uint64_t now,
                                             uint64_t *detail);

/*
 As `locox_cluster_start_first_level`, among hosts that are not busy. Of `placing` all but its
 kind and `settled` is looked at.
 */
locox_status locox_cluster_start_first_calm_level(struct locox_cluster *cluster,
                                                  const struct locox_cluster_config *config,
                                                  const struct locox_placing *placing,
                                                  uint32_t levels,
                                                  const struct locox_cluster_rows *rows,
                                                  uint64_t now,
                                                  uint64_t *detail);

/*
 As `locox_cluster_start_first_level`, on idle hosts, then on hosts of one owner that are not
 busy, below all others: the one to start from. Of `placing` all but its kind and `shuffled` is
 looked at.
 */
locox_status locox_cluster_start_non_interfering(struct locox_cluster *cluster,
                                                 const struct locox_cluster_config *config,
                                                 const struct locox_placing *placing,
                                                 uint32_t levels,
                                                 const struct locox_cluster_rows *rows,
                                                 uint64_t now,
                                                 uint64_t *detail);

/*
 As those, with the placement that `placing` says by its kind, for a queue in the order of a
 discipline. A program that calls it links all placements and disciplines.
 */
locox_status locox_cluster_start_ordered(struct locox_cluster *cluster,
                                         const struct locox_cluster_config *config,
                                         const struct locox_placing *placing,
                                         const struct locox_discipline *discipline,
                                         uint32_t levels,
                                         const struct locox_cluster_rows *rows,
                                         uint64_t now,
                                         uint64_t *detail);

/*
 Takes note of what happened at `now`, and does whatever was due by then. `draw` is for placements
 by lot. `job`, which may be null, is written for `LOCOX_CLUSTER_SUBMIT`. `record`, which may be
 null, is to be stored before an effect is taken, by who keeps a history.

 Refused as `LOCOX_FULL`, `LOCOX_TOO_LARGE` or `LOCOX_UNSUITED`. Afterwards, see `locox_cluster_take_effect`.
 */
locox_status locox_cluster_apply(struct locox_cluster *cluster,
                                 uint64_t now,
                                 const struct locox_cluster_command *command,
                                 uint32_t draw,
                                 struct locox_handle *job,
                                 struct locox_record *record,
                                 uint64_t *detail);

/*
 Where a job is.
 */
locox_status locox_cluster_status_of(const struct locox_cluster *cluster,
                                     const struct locox_handle *job,
                                     struct locox_cluster_status *status);

/*
 The terms of a job.
 */
locox_status locox_cluster_terms_of(const struct locox_cluster *cluster,
                                    const struct locox_handle *job,
                                    struct locox_cluster_terms *terms);

/*
 Whether a host is in a set: 1 or 0.
 */
locox_status locox_cluster_is_named(const struct locox_cluster *cluster,
                                    uint16_t set,
                                    uint32_t host,
                                    uint32_t *is_named);

/*
 How much memory a host has for jobs, as was told.
 */
locox_status locox_cluster_memory_of(const struct locox_cluster *cluster,
                                     uint32_t host,
                                     uint32_t *memory);

/*
 When to say `LOCOX_CLUSTER_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to
 wait for.
 */
locox_status locox_cluster_wake_at(const struct locox_cluster *cluster, uint64_t *time);

/*
 The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is.
 To be called after each command until then.
 */
locox_status locox_cluster_take_effect(struct locox_cluster *coordinator,
                                       struct locox_cluster_effect *effect);

/*
 The effect that `locox_cluster_take_effect` will take, for callers that must find
 room first.
 */
locox_status locox_cluster_peek_effect(const struct locox_cluster *coordinator,
                                       struct locox_cluster_effect *effect);

/*
 The latest time given.
 */
locox_status locox_cluster_now(const struct locox_cluster *coordinator, uint64_t *now);

/*
 How far it is: how many commands it took, and the number of the effect that was taken last.
 */
locox_status locox_cluster_place(const struct locox_cluster *coordinator,
                                 struct locox_place *place);

/*
 Writes an image of it, and how many words the image has to `written`. `LOCOX_TOO_SHORT` says
 how many there must be; what is in `image` is of no use then. The records before the image
 are of no use any more.
 */
locox_status locox_cluster_export(const struct locox_cluster *coordinator,
                                  uint32_t *image,
                                  size_t len,
                                  size_t *written,
                                  uint64_t *detail);

/*
 Goes on from an image of one of the same configuration and as many rows, without records.
 Everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
 */
locox_status locox_cluster_restore(struct locox_cluster *coordinator,
                                   const uint32_t *image,
                                   size_t len);

/*
 As `locox_cluster_restore`, for a history: `locox_cluster_replay` of the records
 behind the image follows, and then `locox_cluster_resync`.
 */
locox_status locox_cluster_load(struct locox_cluster *coordinator,
                                const uint32_t *image,
                                size_t len);

/*
 Takes a command from its record. `taken`, which may be null, is called for each effect that
 was taken before it. `is_new`, which may be null, is 0 for a record from before the image,
 which changes nothing.

 `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may
 have been taken.
 While `taken` runs, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_cluster_replay(struct locox_cluster *coordinator,
                                  const struct locox_record *record,
                                  locox_cluster_effect_fn taken,
                                  void *user,
                                  uint32_t *is_new,
                                  uint64_t *detail);

/*
 After a restart: everybody is told again what he should be doing. `record`, which may be
 null, is to be stored before an effect is taken, by who keeps a history.
 */
locox_status locox_cluster_resync(struct locox_cluster *coordinator, struct locox_record *record);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should
 never be seen.
 */
locox_status locox_cluster_check(const struct locox_cluster *coordinator);

/*
 Starts a host that runs nothing. It reports each `period`, which is not zero. Its images carry
 `pool`. `boot` says how often the host has started, so that nothing of what it was told before starts
 anything: counted also when the part begins anew without its image. A batch of another `boot` is none for it.
 */
locox_status locox_host_start(struct locox_host *host,
                              uint16_t pool,
                              uint32_t boot,
                              uint64_t period,
                              uint64_t now);

/*
 Takes note of what happened on the host at `now`, or was said to it. `record`, which may be null,
 is to be stored before an effect is taken, by who keeps a history. Afterwards, see
 `locox_host_take_effect`.
 */
locox_status locox_host_apply(struct locox_host *host,
                              uint64_t now,
                              const struct locox_host_command *command,
                              struct locox_record *record,
                              uint64_t *detail);

/*
 When to say `LOCOX_HOST_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to wait
 for.
 */
locox_status locox_host_wake_at(const struct locox_host *host, uint64_t *time);

/*
 The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is.
 To be called after each command until then.
 */
locox_status locox_host_take_effect(struct locox_host *coordinator,
                                    struct locox_host_effect *effect);

/*
 The effect that `locox_host_take_effect` will take, for callers that must find
 room first.
 */
locox_status locox_host_peek_effect(const struct locox_host *coordinator,
                                    struct locox_host_effect *effect);

/*
 The latest time given.
 */
locox_status locox_host_now(const struct locox_host *coordinator, uint64_t *now);

/*
 How far it is: how many commands it took, and the number of the effect that was taken last.
 */
locox_status locox_host_place(const struct locox_host *coordinator, struct locox_place *place);

/*
 Writes an image of it, and how many words the image has to `written`. `LOCOX_TOO_SHORT` says
 how many there must be; what is in `image` is of no use then. The records before the image
 are of no use any more.
 */
locox_status locox_host_export(const struct locox_host *coordinator,
                               uint32_t *image,
                               size_t len,
                               size_t *written,
                               uint64_t *detail);

/*
 Goes on from an image of one of the same configuration and as many rows, without records.
 Everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
 */
locox_status locox_host_restore(struct locox_host *coordinator, const uint32_t *image, size_t len);

/*
 As `locox_host_restore`, for a history: `locox_host_replay` of the records
 behind the image follows, and then `locox_host_resync`.
 */
locox_status locox_host_load(struct locox_host *coordinator, const uint32_t *image, size_t len);

/*
 Takes a command from its record. `taken`, which may be null, is called for each effect that
 was taken before it. `is_new`, which may be null, is 0 for a record from before the image,
 which changes nothing.

 `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may
 have been taken.
 While `taken` runs, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_host_replay(struct locox_host *coordinator,
                               const struct locox_record *record,
                               locox_host_effect_fn taken,
                               void *user,
                               uint32_t *is_new,
                               uint64_t *detail);

/*
 After a restart: everybody is told again what he should be doing. `record`, which may be
 null, is to be stored before an effect is taken, by who keeps a history.
 */
locox_status locox_host_resync(struct locox_host *coordinator, struct locox_record *record);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should
 never be seen.
 */
locox_status locox_host_check(const struct locox_host *coordinator);

/*
 Bytes of a `locox_host`, for callers who do not compile its header.
 */
size_t locox_size_of_host(void);

/*
 Bytes of a `locox_cluster`, for callers who do not compile its header.
 */
size_t locox_size_of_cluster(void);

/*
 Bytes of a `locox_cluster_job`, for callers who do not compile its header.
 */
size_t locox_size_of_cluster_job(void);

/*
 Bytes of a `locox_grid_pool`, for callers who do not compile its header.
 */
size_t locox_size_of_grid_pool(void);

/*
 Words of 64 bits of storage for a pool of this machine; zero if `grid` is null or no machine.
 `LOCOX_GRID_WORDS` is the same as a constant.

 # Safety

 The contract of the library.
 */
size_t locox_grid_words(const struct locox_grid *grid);

/*
 Starts a pool of all nodes of a machine over `len` words of storage with any content. `placement` is
 `LOCOX_BOX_FIRST`, `LOCOX_BOX_CORNER` or `LOCOX_BOX_FEWEST`. Boxes begin at any node if `anchors`
 is null. If `isolated` is not zero only boxes are granted that keep their routes to themselves.
 Its leases carry `id`: to other pools they are foreign.
 */
locox_status locox_grid_start(struct locox_grid_pool *pool,
                              uint16_t id,
                              const struct locox_grid *grid,
                              uint32_t placement,
                              const struct locox_anchors *anchors,
                              uint32_t isolated,
                              uint64_t *storage,
                              size_t len,
                              uint64_t *detail);

/*
 Grants a box. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_TOO_FEW_FREE` or
 `LOCOX_FRAGMENTED`.
 */
locox_status locox_grid_allocate(struct locox_grid_pool *pool,
                                 const struct locox_box_request *request,
                                 struct locox_box_lease *lease,
                                 uint64_t *detail);

/*
 Whether `locox_grid_allocate` would grant a box; refused as there.
 */
locox_status locox_grid_would_fit(const struct locox_grid_pool *pool,
                                  const struct locox_box_request *request,
                                  uint64_t *detail);

/*
 Grants the box with this first node and these sides, wherever it begins, if all its nodes are free:
 `LOCOX_NOT_FREE` names one that is not. `LOCOX_NO_SUCH_NODE` if it does not lie in the machine.
 */
locox_status locox_grid_claim(struct locox_grid_pool *pool,
                              uint32_t origin,
                              const struct locox_sides *sides,
                              struct locox_box_lease *lease,
                              uint64_t *detail);

/*
 Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
 */
locox_status locox_grid_release(struct locox_grid_pool *pool, const struct locox_box_lease *lease);

/*
 Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
 null, is called once for each lease that has one of them.
 None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
 While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_grid_withdraw(struct locox_grid_pool *pool,
                                 const uint32_t *nodes,
                                 size_t count,
                                 uint32_t outage,
                                 locox_box_lease_fn hit,
                                 void *user,
                                 uint64_t *detail);

/*
 Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
 */
locox_status locox_grid_repair(struct locox_grid_pool *pool,
                               const uint32_t *nodes,
                               size_t count,
                               uint64_t *detail);

/*
 The lease that holds a node; `LOCOX_NONE` if there is none.
 */
locox_status locox_grid_lease_at(const struct locox_grid_pool *pool,
                                 uint32_t node,
                                 struct locox_box_lease *lease);

/*
 Calls `visit` for each live lease, by rising first node.
 While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_grid_leases(const struct locox_grid_pool *pool,
                               locox_box_lease_fn visit,
                               void *user);

/*
 The node at a coordinate of each axis of a granted box, from its first node on, around the ends of
 rings; `LOCOX_NO_SUCH_NODE` outside it, `LOCOX_FOREIGN` if the box does not lie in the machine.
 */
locox_status locox_grid_node_at(const struct locox_grid_pool *pool,
                                const struct locox_box_lease *lease,
                                const struct locox_place_in_box *at,
                                uint32_t *node);

/*
 What a node is doing.
 */
locox_status locox_grid_node(const struct locox_grid_pool *pool,
                             uint32_t node,
                             struct locox_node_state *state,
                             uint64_t *detail);

/*
 How many nodes are free.
 */
locox_status locox_grid_free(const struct locox_grid_pool *pool, uint32_t *free);

/*
 Counts of nodes.
 */
locox_status locox_grid_figures(const struct locox_grid_pool *pool, struct locox_grid_stats *stats);

/*
 How many free nodes lie in no free box that a request might get.
 */
locox_status locox_grid_stranded(const struct locox_grid_pool *pool,
                                 const struct locox_box_request *request,
                                 uint32_t *stranded);

/*
 The fewest moves of leases after which a request fits, `most` and `LOCOX_MOVES_MOST` at most, in
 the order in which they are possible: to `moves`, and how many to `count`, which is zero if it fits already.
 `scratch` has a number a node, with any content. The search takes `steps` steps at most. Refused as
 `locox_grid_allocate` whatever moves, as `LOCOX_NONE` if there is no plan of so few moves, and as
 `LOCOX_UNDECIDED` if the steps did not suffice to know. Nothing is moved.
 */
locox_status locox_grid_defragment(const struct locox_grid_pool *pool,
                                   const struct locox_box_request *request,
                                   size_t most,
                                   uint32_t steps,
                                   uint32_t *scratch,
                                   size_t len,
                                   struct locox_box_move *moves,
                                   size_t *count,
                                   uint64_t *detail);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_grid_begin(struct locox_grid_pool *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_grid_export(const struct locox_grid_pool *structure,
                               uint32_t *image,
                               size_t len,
                               size_t *written,
                               uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_grid_restore(struct locox_grid_pool *structure,
                                const uint32_t *image,
                                size_t len,
                                uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_grid_check(const struct locox_grid_pool *structure);

/*
 Words of storage for so many nodes; `places` is `LOCOX_MANAGER_ANY_NODES` or another of these, and `preempt` not zero
 if jobs are stopped for others. Zero for numbers that stand for nothing: nodes of subcubes and meshes are a power of two,
 and 65,536 at the most. `LOCOX_MANAGER_WORDS` is the same as a constant, with `preempt` `LOCOX_MANAGER_PLACE_WORDS`, and
 for subcubes and meshes `LOCOX_MANAGER_CUBE_WORDS`.
 */
size_t locox_manager_words(size_t nodes,
                           uint32_t places,
                           uint32_t preempt);

/*
 Sums for so many nodes, where jobs are stopped for others; `places` as for `locox_manager_words`. Zero for numbers that
 stand for nothing. `LOCOX_MANAGER_SUMS` is the same as a constant, and for subcubes and meshes `LOCOX_MANAGER_CUBE_SUMS`.
 */
size_t locox_manager_sums(size_t nodes,
                          uint32_t places);

/*
 Writes parameters to start from to `config`: any nodes, users by their ranking, with a half-life of a day, and
 nobody stopped; with `preempt`, half an hour of patience, ten minutes that each job runs, a day of protection, and no
 notice. A `minute` is so many ticks long.
 */
locox_status locox_manager_standard(uint64_t minute,
                                    struct locox_manager_config *config);

/*
 Starts a coordinator that knows of no job, and of which all nodes are in service and free.

 `LOCOX_BAD_ARGUMENT` for nodes that are no cube where jobs need subcubes: see `locox_manager_words`.
 */
locox_status locox_manager_start(struct locox_manager *manager,
                                 const struct locox_manager_config *config,
                                 const struct locox_manager_rows *rows,
                                 uint64_t now,
                                 uint64_t *detail);

/*
 Takes note of what is so in the resource manager at `now`, which starts nothing, or, as `LOCOX_MANAGER_DECIDE`, starts
 what can start. `record`, which may be null, is to be stored before an effect is taken, by who keeps a history.

 Refused as `LOCOX_FULL` (all rows for jobs are in use), `LOCOX_USERS_FULL`, `LOCOX_HAS_JOBS`, or `LOCOX_NOT_FREE`:
 another job runs on this node (detail), or is being stopped; tell first that it has left, or that it waits.
 `LOCOX_BEYOND_TIME` for a `now` beyond 2^63 - 1. Afterwards, see `locox_manager_take_effect`.
 */
locox_status locox_manager_apply(struct locox_manager *manager,
                                 uint64_t now,
                                 const struct locox_manager_command *command,
                                 struct locox_record *record,
                                 uint64_t *detail);

/*
 What is known of a job; `LOCOX_NO_SUCH_JOB` of one that was not seen, or has left.
 */
locox_status locox_manager_job(const struct locox_manager *manager,
                               const struct locox_key *key,
                               struct locox_managed_job *job);

/*
 Calls `visit` for each job, in no order of note.
 While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_manager_jobs(const struct locox_manager *manager,
                                locox_managed_job_fn visit,
                                void *user);

/*
 Calls `visit` for the nodes of a job, in the order in which they were given or told; never for a job that waits.
 While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_manager_nodes(const struct locox_manager *manager,
                                 const struct locox_key *key,
                                 locox_node_range_fn visit,
                                 void *user);

/*
 What is known of a node.
 */
locox_status locox_manager_node(const struct locox_manager *manager,
                                uint32_t node,
                                struct locox_managed_node *known,
                                uint64_t *detail);

/*
 Calls `visit` for each user who is known, in no order of note.
 While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_manager_users(const struct locox_manager *manager,
                                 locox_managed_user_fn visit,
                                 void *user);

/*
 Calls `visit` for each job in line in order: those that wait, that nobody holds, and that are not too large. Which
 are the first jobs of their users, and their order, is as of the last decision; one that came since is behind them.
 While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_manager_line(const struct locox_manager *manager,
                                locox_key_fn visit,
                                void *user);

/*
 How many jobs stand in line before this one; `LOCOX_NONE` of one that does not.
 */
locox_status locox_manager_ahead(const struct locox_manager *manager,
                                 const struct locox_key *key,
                                 uint32_t *jobs);

/*
 Why a job waits; `LOCOX_NONE` of one that does not.
 */
locox_status locox_manager_reason_of(const struct locox_manager *manager,
                                     const struct locox_key *key,
                                     struct locox_manager_reason *reason);

/*
 Which job is the first in line that has to wait, and when it will start and end at the latest, as of the last
 decision; `LOCOX_NONE` if there is none, or if it waits for a job that may run for 2^60 ticks or more.
 */
locox_status locox_manager_promise(const struct locox_manager *manager,
                                   struct locox_key *key,
                                   struct locox_interval *interval);

/*
 When a job will start and end if every job takes as long as its limit, and each in line starts when it delays none
 before it; of a job that has nodes, when it has started, and of one for which others stop, when that was decided. It
 counts nodes: where jobs need a subcube they may start later. `LOCOX_NONE` if too few nodes are in service, or if somebody holds it. `scratch` is a profile of as many PEs as
 there are nodes, for no fewer reservations than there are rows for jobs, of which nothing is left afterwards;
 `LOCOX_TOO_SHORT` if it is another one.
 */
locox_status locox_manager_estimate(const struct locox_manager *manager,
                                    const struct locox_key *key,
                                    struct locox_profile *scratch,
                                    struct locox_interval *interval);

/*
 How many jobs are known, and how many nodes have no job and are in service. Either pointer may be null.
 */
locox_status locox_manager_count(const struct locox_manager *manager,
                                 uint32_t *jobs,
                                 uint32_t *free);

/*
 The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is.
 To be called after each command until then.
 */
locox_status locox_manager_take_effect(struct locox_manager *coordinator,
                                       struct locox_manager_effect *effect);

/*
 The effect that `locox_manager_take_effect` will take, for callers that must find
 room first.
 */
locox_status locox_manager_peek_effect(const struct locox_manager *coordinator,
                                       struct locox_manager_effect *effect);

/*
 The latest time given.
 */
locox_status locox_manager_now(const struct locox_manager *coordinator, uint64_t *now);

/*
 How far it is: how many commands it took, and the number of the effect that was taken last.
 */
locox_status locox_manager_place(const struct locox_manager *coordinator,
                                 struct locox_place *place);

/*
 Writes an image of it, and how many words the image has to `written`. `LOCOX_TOO_SHORT` says
 how many there must be; what is in `image` is of no use then. The records before the image
 are of no use any more.
 */
locox_status locox_manager_export(const struct locox_manager *coordinator,
                                  uint32_t *image,
                                  size_t len,
                                  size_t *written,
                                  uint64_t *detail);

/*
 Goes on from an image of one of the same configuration and as many rows, without records.
 Everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
 */
locox_status locox_manager_restore(struct locox_manager *coordinator,
                                   const uint32_t *image,
                                   size_t len);

/*
 As `locox_manager_restore`, for a history: `locox_manager_replay` of the records
 behind the image follows, and then `locox_manager_resync`.
 */
locox_status locox_manager_load(struct locox_manager *coordinator,
                                const uint32_t *image,
                                size_t len);

/*
 Takes a command from its record. `taken`, which may be null, is called for each effect that
 was taken before it. `is_new`, which may be null, is 0 for a record from before the image,
 which changes nothing.

 `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may
 have been taken.
 While `taken` runs, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_manager_replay(struct locox_manager *coordinator,
                                  const struct locox_record *record,
                                  locox_manager_effect_fn taken,
                                  void *user,
                                  uint32_t *is_new,
                                  uint64_t *detail);

/*
 After a restart: everybody is told again what he should be doing. `record`, which may be
 null, is to be stored before an effect is taken, by who keeps a history.
 */
locox_status locox_manager_resync(struct locox_manager *coordinator, struct locox_record *record);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should
 never be seen.
 */
locox_status locox_manager_check(const struct locox_manager *coordinator);

/*
 Bytes of a `locox_manager`, for callers who do not compile its header.
 */
size_t locox_size_of_manager(void);

/*
 Bytes of a `locox_manager_job_row`, for callers who do not compile its header.
 */
size_t locox_size_of_manager_job_row(void);

/*
 Bytes of a `locox_manager_user_row`, for callers who do not compile its header.
 */
size_t locox_size_of_manager_user_row(void);

/*
 Bytes of a `locox_manager_node_row`, for callers who do not compile its header.
 */
size_t locox_size_of_manager_node_row(void);

/*
 Bytes of a `locox_manager_plan_row`, for callers who do not compile its header.
 */
size_t locox_size_of_manager_plan_row(void);

/*
 Bytes of a `locox_manager_stake_row`, for callers who do not compile its header.
 */
size_t locox_size_of_manager_stake_row(void);

/*
 Bytes of a `locox_cluster_row`, for callers who do not compile its header.
 */
size_t locox_size_of_cluster_row(void);

/*
 Bytes of a `locox_unplaced_row`, for callers who do not compile its header.
 */
size_t locox_size_of_unplaced_row(void);

/*
 Bytes of a `locox_mapped_row`, for callers who do not compile its header.
 */
size_t locox_size_of_mapped_row(void);

/*
 Bytes of a `locox_experience`, for callers who do not compile its header.
 */
size_t locox_size_of_experience(void);

/*
 Gives all jobs of a problem places by a mapper (`LOCOX_MAP_...`; `best` is `LOCOX_BEST_...`, and
 not looked at by OLB and sufferage): `mapped` has one for each job, and is of no meaning after an
 error. `levels` is null, or has a level for each job: those of level 0 are mapped first, and less
 urgent ones never change their places. `merit`, which may be null, is the sum of the times from
 now to the ends.

 Refused as `LOCOX_NO_MACHINE` or `LOCOX_TOO_LONG`. `LOCOX_WRONG_TABLE` for tables that do not
 fit, or for a cluster (detail) whose members or their number make no sense.
 */
locox_status locox_map(const struct locox_problem *problem,
                       uint32_t mapper,
                       uint32_t best,
                       const uint8_t *levels,
                       const struct locox_map_workspace *workspace,
                       struct locox_mapped *mapped,
                       uint64_t *merit,
                       uint64_t *detail);

/*
 As `locox_map`, by genetic search from `LOCOX_MAP_PJS` on; never worse than that.
 */
locox_status locox_map_genetic(const struct locox_problem *problem,
                               const struct locox_genetic *genetic,
                               const uint8_t *levels,
                               const struct locox_map_workspace *workspace,
                               struct locox_mapped *mapped,
                               uint64_t *merit,
                               uint64_t *detail);

/*
 A merit that no plan can be below: a plan at 1.2 times as much is at most a fifth from the best.
 Of the workspace, clusters and instants are used.
 */
locox_status locox_map_bound(const struct locox_problem *problem,
                             const struct locox_map_workspace *workspace,
                             uint64_t *bound,
                             uint64_t *detail);

/*
 Words of 32 bits for a population of so many chromosomes of so many jobs.
 */
size_t locox_map_genes(size_t jobs, size_t chromosomes);

/*
 What the traffic of each process adds to the time of a job on a cluster, where so many processes
 share the bandwidth: all members on a bus, one on a switch. `LOCOX_NEVER` if there are bytes and no
 bandwidth is left, or if it is beyond any clock.
 */
locox_status locox_link_time(const struct locox_link *link,
                             const struct locox_traffic *traffic,
                             size_t sharing,
                             uint64_t *time);

/*
 Words of 64 bits for the experience of so many resources in so many classes, and so many classes of
 jobs.
 */
size_t locox_experience_words(size_t resources, size_t classes, size_t job_classes);

/*
 Starts an experience of nothing. `class_of` is the class of each resource, below `classes`; it
 stays where it is. After `memory` runs it forgets. `words` may have any content.
 */
locox_status locox_experience_start(struct locox_experience *experience,
                                    const uint16_t *class_of,
                                    size_t resources,
                                    size_t classes,
                                    size_t job_classes,
                                    uint32_t memory,
                                    uint64_t *words,
                                    size_t len,
                                    uint64_t *detail);

/*
 A job of this class took so long on this resource.
 */
locox_status locox_experience_ran(struct locox_experience *experience,
                                  size_t job_class,
                                  size_t resource,
                                  uint64_t took);

/*
 What a job of this class may take on this resource; `LOCOX_NONE` if nothing is known of it
 anywhere.
 */
locox_status locox_experience_expected(const struct locox_experience *experience,
                                       size_t job_class,
                                       size_t resource,
                                       struct locox_expected *expected);

/*
 Bytes of a `locox_mesh_pool`, for callers who do not compile its header.
 */
size_t locox_size_of_mesh_pool(void);

/*
 Words of storage for a pool of meshes of an n-cube under a strategy; zero for numbers that stand
 for none. `LOCOX_MESH_WORDS` is the same as a constant.
 */
size_t locox_mesh_words(uint32_t strategy, uint32_t dims);

/*
 Starts a pool of all nodes of an n-cube (`dims` up to 24) that finds subcubes for its meshes by
 the buddy strategy, over `len` words of storage with any content. `leftover` is
 `LOCOX_LEFTOVER_...`. Its leases carry `id`: to other pools they are foreign.
 */
locox_status locox_mesh_start_buddy(struct locox_mesh_pool *pool,
                                    uint16_t id,
                                    uint32_t dims,
                                    uint32_t leftover,
                                    size_t *storage,
                                    size_t len,
                                    uint64_t *detail);

/*
 As `locox_mesh_start_buddy`, by the Gray code strategy.
 */
locox_status locox_mesh_start_gray_code(struct locox_mesh_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        uint32_t leftover,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 As `locox_mesh_start_buddy`, by the free list with a search behind it: the strategy to start
 from.
 */
locox_status locox_mesh_start_free_list(struct locox_mesh_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        uint32_t leftover,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 As `locox_mesh_start_buddy`, by the free list of the literature.
 */
locox_status locox_mesh_start_free_list_plain(struct locox_mesh_pool *pool,
                                              uint16_t id,
                                              uint32_t dims,
                                              uint32_t leftover,
                                              size_t *storage,
                                              size_t len,
                                              uint64_t *detail);

/*
 As `locox_mesh_start_buddy`, by complete recognition.
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
 None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
 While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_mesh_withdraw(struct locox_mesh_pool *pool,
                                 const uint32_t *nodes,
                                 size_t count,
                                 uint32_t outage,
                                 locox_mesh_lease_fn hit,
                                 void *user,
                                 uint64_t *detail);

/*
 Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
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
 While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
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
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_mesh_begin(struct locox_mesh_pool *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_mesh_export(const struct locox_mesh_pool *structure,
                               uint32_t *image,
                               size_t len,
                               size_t *written,
                               uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_mesh_restore(struct locox_mesh_pool *structure,
                                const uint32_t *image,
                                size_t len,
                                uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_mesh_check(const struct locox_mesh_pool *structure);

/*
 Bytes of a `locox_owner`, for callers who do not compile its header.
 */
size_t locox_size_of_owner(void);

/*
 Bytes of a `locox_guest`, for callers who do not compile its header.
 */
size_t locox_size_of_guest(void);

/*
 Writes the rule of the study to `rule`; a `minute` is so many ticks long.
 */
locox_status locox_owner_standard(uint64_t minute, struct locox_owner_rule *rule);

/*
 Starts with an owner who is taken to be present, to be sampled at once.
 */
locox_status locox_owner_start(struct locox_owner *owner,
                               const struct locox_owner_rule *rule,
                               uint64_t now);

/*
 Takes note of the owner's load, in hundredths of a percent up to `LOCOX_LOAD_FULL`. `changed` and
 `present`, which may be null, are 1 if he came or left by that, and if he is present now.
 */
locox_status locox_owner_sample(struct locox_owner *owner,
                                uint64_t now,
                                uint32_t load,
                                uint32_t *changed,
                                uint32_t *present);

/*
 Writes 1 to `present` if the owner is present, else 0.
 */
locox_status locox_owner_present(const struct locox_owner *owner, uint32_t *present);

/*
 When to sample next. A sample before that counts as well.
 */
locox_status locox_owner_next_sample(const struct locox_owner *owner, uint64_t *time);

/*
 The clock went back to `now`, from where sampling goes on.
 */
locox_status locox_owner_clock_went_back(struct locox_owner *owner, uint64_t now);

/*
 Starts without a guest, at a station whose owner is taken to be present.
 */
locox_status locox_guest_start(struct locox_guest *guest, const struct locox_guest_rule *rule);

/*
 Takes note of what happens (`LOCOX_GUEST_...`, with `writing` or `until` if it names them), and
 writes what has to be done. A guest that cannot be placed is refused as `LOCOX_OWNER_PRESENT` or
 `LOCOX_OCCUPIED`.
 */
locox_status locox_guest_step(struct locox_guest *guest,
                              uint64_t now,
                              uint32_t what,
                              uint32_t writing,
                              uint64_t until,
                              struct locox_guest_action *action);

/*
 Where the guest stands, and whether the owner is present.
 */
locox_status locox_guest_stands(const struct locox_guest *guest, struct locox_guest_phase *phase);

/*
 When to say `LOCOX_GUEST_TIME` if nothing happens before; `LOCOX_NONE` if there is nothing to
 wait for.
 */
locox_status locox_guest_wake_at(const struct locox_guest *guest, uint64_t *time);

/*
 The clock was at `before` and is at `now`, which is earlier. A lease is over then.
 */
locox_status locox_guest_clock_went_back(struct locox_guest *guest, uint64_t before, uint64_t now);

/*
 When a guest has to be killed by the host's clock, if the coordinator answered a report that was
 sent at `sent` and nothing after it. `length` is after how long without a report it takes the host
 for lost; a clock may be off by so many parts in a million (`drift`), and a kill take so long.
 */
uint64_t locox_lease_until(uint64_t length, uint32_t drift, uint64_t kill, uint64_t sent);

/*
 Bytes of a `locox_node_pool`, for callers who do not compile its header.
 */
size_t locox_size_of_node_pool(void);

/*
 Bytes of a `locox_node_lease_row`, for callers who do not compile its header.
 */
size_t locox_size_of_node_lease_row(void);

/*
 Words of 32 bits of storage for a pool of these nodes; zero if they make no machine. `LOCOX_NODES_WORDS` is enough, as a
 constant.

 # Safety

 The contract of the library.
 */
size_t locox_nodes_words(const struct locox_nodes *nodes);

/*
 Starts a pool of nodes that are all free, over `len` words of storage with any content, and with room for a lease in
 each row. `LOCOX_WRONG_TABLE` if a node (detail) is of no class. Its leases carry `id`: to other pools they are foreign.
 */
locox_status locox_nodes_start(struct locox_node_pool *pool,
                               uint16_t id,
                               const struct locox_nodes *nodes,
                               uint32_t *words,
                               size_t len,
                               struct locox_node_lease_row *rows,
                               size_t rows_len,
                               uint64_t *detail);

/*
 Grants nodes, now. Refused as `LOCOX_NO_PLACE`, `LOCOX_FAULTY`, `LOCOX_TOO_FEW_FREE` (so many processors are),
 `LOCOX_FRAGMENTED` or, if no row is left, as `LOCOX_FULL`.
 */
locox_status locox_nodes_allocate(struct locox_node_pool *pool,
                                  const struct locox_node_request *request,
                                  struct locox_node_lease *lease,
                                  uint64_t *detail);

/*
 Whether `locox_nodes_allocate` would grant a request; refused as there.
 */
locox_status locox_nodes_would_fit(const struct locox_node_pool *pool,
                                   const struct locox_node_request *request,
                                   uint64_t *detail);

/*
 `LOCOX_NODES_FEWEST` keeps room for requests like this one, too. No image has anything of it.
 */
locox_status locox_nodes_learn(struct locox_node_pool *pool,
                               const struct locox_node_request *request);

/*
 Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
 */
locox_status locox_nodes_release(struct locox_node_pool *pool, const struct locox_handle *lease);

/*
 The live lease of this name.
 */
locox_status locox_nodes_lease(const struct locox_node_pool *pool,
                               const struct locox_handle *name,
                               struct locox_node_lease *lease);

/*
 Writes the nodes of a lease, by rising number, and how many they are to `count`. `LOCOX_TOO_SHORT` says how many there
 must be room for; what is in `nodes` is of no use then.
 */
locox_status locox_nodes_of(const struct locox_node_pool *pool,
                            const struct locox_handle *lease,
                            uint32_t *nodes,
                            size_t len,
                            size_t *count,
                            uint64_t *detail);

/*
 Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
 null, is called once for each lease that has one of them.
 None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
 While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_nodes_withdraw(struct locox_node_pool *pool,
                                  const uint32_t *nodes,
                                  size_t count,
                                  uint32_t outage,
                                  locox_node_lease_fn hit,
                                  void *user,
                                  uint64_t *detail);

/*
 Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
 */
locox_status locox_nodes_repair(struct locox_node_pool *pool,
                                const uint32_t *nodes,
                                size_t count,
                                uint64_t *detail);

/*
 Calls `visit` for each live lease.
 While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_nodes_leases(const struct locox_node_pool *pool,
                                locox_node_lease_fn visit,
                                void *user);

/*
 What a node is doing; it is leased if any lease has something of it.
 */
locox_status locox_nodes_node(const struct locox_node_pool *pool,
                              uint32_t node,
                              struct locox_node_state *state,
                              uint64_t *detail);

/*
 What a new lease may have of a node: nothing if it is out of service. Devices of which somebody has a part are not in it.
 */
locox_status locox_nodes_free(const struct locox_node_pool *pool,
                              uint32_t node,
                              struct locox_amounts *free,
                              uint64_t *detail);

/*
 The parts that a new lease may have of a device of a node.
 */
locox_status locox_nodes_free_parts(const struct locox_node_pool *pool,
                                    uint32_t node,
                                    uint32_t device,
                                    uint32_t *parts,
                                    uint64_t *detail);

/*
 What is free of what the nodes have in common.
 */
locox_status locox_nodes_free_common(const struct locox_node_pool *pool,
                                     struct locox_amounts *free);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_nodes_begin(struct locox_node_pool *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_nodes_export(const struct locox_node_pool *structure,
                                uint32_t *image,
                                size_t len,
                                size_t *written,
                                uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_nodes_restore(struct locox_node_pool *structure,
                                 const uint32_t *image,
                                 size_t len,
                                 uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_nodes_check(const struct locox_node_pool *structure);

/*
 Takes the state of an image exactly, in the epoch in which it was made. It is for a journal of the caller's:
 whoever makes the calls again that followed gets the names that those gave. After `LOCOX_BAD_IMAGE` all is
 as new.
 */
locox_status locox_nodes_load(struct locox_node_pool *structure,
                              const uint32_t *image,
                              size_t len);

/*
 Bytes of a `locox_pool`, for callers who do not compile its header.
 */
size_t locox_size_of_pool(void);

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
 As `locox_pool_start_buddy`, under the Gray code strategy.
 */
locox_status locox_pool_start_gray_code(struct locox_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 As `locox_pool_start_buddy`, under the free list with a search behind it: the strategy to start
 from.
 */
locox_status locox_pool_start_free_list(struct locox_pool *pool,
                                        uint16_t id,
                                        uint32_t dims,
                                        size_t *storage,
                                        size_t len,
                                        uint64_t *detail);

/*
 As `locox_pool_start_buddy`, under the free list of the literature.
 */
locox_status locox_pool_start_free_list_plain(struct locox_pool *pool,
                                              uint16_t id,
                                              uint32_t dims,
                                              size_t *storage,
                                              size_t len,
                                              uint64_t *detail);

/*
 As `locox_pool_start_buddy`, under complete recognition.
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
 Grants each of these nodes as a lease of its own, or none: `LOCOX_NOT_FREE` and
 `LOCOX_NO_SUCH_NODE` name one that is not free. `granted`, which may be null, is called for each.
 While `granted` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
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
 None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
 While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_pool_withdraw(struct locox_pool *pool,
                                 const uint32_t *nodes,
                                 size_t count,
                                 uint32_t outage,
                                 locox_lease_fn hit,
                                 void *user,
                                 uint64_t *detail);

/*
 Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
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
 While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
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
 How many free nodes lie in no free subcube of dimension `dim`, whatever the strategy recognises.
 `scratch` has the words of three bit vectors over the nodes, with any content; `LOCOX_TOO_SHORT` says how
 many that are. `LOCOX_TOO_LARGE` beyond 24 dimensions.
 */
locox_status locox_pool_stranded(const struct locox_pool *pool,
                                 uint32_t dim,
                                 size_t *scratch,
                                 size_t len,
                                 uint32_t *stranded,
                                 uint64_t *detail);

/*
 Figures of the moment; passes over all nodes.
 */
locox_status locox_pool_figures(const struct locox_pool *pool, struct locox_pool_stats *stats);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_pool_begin(struct locox_pool *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_pool_export(const struct locox_pool *structure,
                               uint32_t *image,
                               size_t len,
                               size_t *written,
                               uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_pool_restore(struct locox_pool *structure,
                                const uint32_t *image,
                                size_t len,
                                uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_pool_check(const struct locox_pool *structure);

/*
 Bytes of a `locox_profile`, for callers who do not compile its header.
 */
size_t locox_size_of_profile(void);

/*
 Words of storage for a profile of so many PEs and reservations; zero for limits out of range (1 to
 2^30 - 1). `LOCOX_PROFILE_WORDS` is the same as a constant.
 */
size_t locox_profile_words(uint32_t pes, uint32_t reservations);

/*
 Starts an empty profile at time zero, over `len` words of storage with any content. Its
 reservations carry `id`: to other profiles they are foreign.
 */
locox_status locox_profile_start(struct locox_profile *profile,
                                 uint16_t id,
                                 uint32_t pes,
                                 uint32_t reservations,
                                 size_t *storage,
                                 size_t len,
                                 uint64_t *detail);

/*
 Reserves PEs for a request, where `fit` (`LOCOX_FIT_...`) prefers it. Refused as
 `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`, `LOCOX_END_OF_TIME` or `LOCOX_FULL`.
 */
locox_status locox_profile_reserve(struct locox_profile *profile,
                                   const struct locox_request *request,
                                   uint32_t fit,
                                   struct locox_reservation *reservation,
                                   uint64_t *detail);

/*
 Where `locox_profile_reserve` would put a request.
 */
locox_status locox_profile_find(const struct locox_profile *profile,
                                const struct locox_request *request,
                                uint32_t fit,
                                struct locox_interval *interval,
                                uint64_t *detail);

/*
 Where `locox_profile_reserve` would put a request, with the same answer if it is refused. Nothing
 changes.
 */
locox_status locox_profile_would_reserve(struct locox_profile *profile,
                                         const struct locox_request *request,
                                         uint32_t fit,
                                         struct locox_interval *interval,
                                         uint64_t *detail);

/*
 Where a request would be put if this reservation were not there: as `locox_profile_find`.
 */
locox_status locox_profile_find_instead(struct locox_profile *profile,
                                        const struct locox_handle *reservation,
                                        const struct locox_request *request,
                                        uint32_t fit,
                                        struct locox_interval *interval,
                                        uint64_t *detail);

/*
 Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first,
 and writes which one to `chosen`.
 */
locox_status locox_profile_reserve_one_of(struct locox_profile *profile,
                                          const struct locox_request *alternatives,
                                          size_t count,
                                          size_t *chosen,
                                          struct locox_reservation *reservation,
                                          uint64_t *detail);

/*
 Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it,
 at the earliest start at which all have a place, or not at all.
 */
locox_status locox_profile_reserve_series(struct locox_profile *profile,
                                          const struct locox_request *request,
                                          uint64_t period,
                                          struct locox_handle *series,
                                          size_t count,
                                          struct locox_interval *first,
                                          uint64_t *detail);

/*
 Makes `count` changes in their order, all of them or none; with `keep` zero none even if all are
 possible. `fit` is for those that reserve. `results` has a reservation for each: what was
 reserved, what was cancelled with the interval that was given back, what was moved. `steps` is
 room for as many. Both are of no meaning after an error, which is that of the first change that
 cannot be made. Undoing costs as much as doing.
 */
locox_status locox_profile_attempt(struct locox_profile *profile,
                                   const struct locox_change *changes,
                                   size_t count,
                                   uint32_t fit,
                                   uint32_t keep,
                                   struct locox_step *steps,
                                   struct locox_reservation *results,
                                   uint64_t *detail);

/*
 Reserves `pes` PEs for an interval chosen by the caller. Refused as `LOCOX_BUSY`,
 `LOCOX_TOO_LARGE` or `LOCOX_FULL`.
 */
locox_status locox_profile_add(struct locox_profile *profile,
                               const struct locox_interval *interval,
                               uint32_t pes,
                               struct locox_handle *reservation,
                               uint64_t *detail);

/*
 Gives a reservation another interval and another number of PEs. Refused as `LOCOX_BUSY` or
 `LOCOX_TOO_LARGE`.
 */
locox_status locox_profile_replace(struct locox_profile *profile,
                                   const struct locox_handle *reservation,
                                   const struct locox_interval *interval,
                                   uint32_t pes,
                                   uint64_t *detail);

/*
 Calls `visit` for each start at which a request fits, the earliest first, with how many PEs are
 free around it and for how long.
 While `visit` runs, every call on this profile, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_profile_candidates(const struct locox_profile *profile,
                                      const struct locox_request *request,
                                      locox_candidate_fn visit,
                                      void *user,
                                      uint64_t *detail);

/*
 Moves a reservation to the earliest start from now on, if that is earlier than the one it has;
 never back. `interval`, which may be null, is where it is then.
 */
locox_status locox_profile_bring_forward(struct locox_profile *profile,
                                         const struct locox_handle *reservation,
                                         struct locox_interval *interval);

/*
 Makes `pes` the number of PEs out of service. Reservations stay, even if more is promised then
 than there is.
 */
locox_status locox_profile_set_out_of_service(struct locox_profile *profile, uint32_t pes);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_profile_begin(struct locox_profile *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_profile_export(const struct locox_profile *structure,
                                  uint32_t *image,
                                  size_t len,
                                  size_t *written,
                                  uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_profile_restore(struct locox_profile *structure,
                                   const uint32_t *image,
                                   size_t len,
                                   uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_profile_check(const struct locox_profile *structure);

/*
 Takes the state of an image exactly, in the epoch in which it was made. It is for a journal of the caller's:
 whoever makes the calls again that followed gets the names that those gave. After `LOCOX_BAD_IMAGE` all is
 as new.
 */
locox_status locox_profile_load(struct locox_profile *structure,
                                const uint32_t *image,
                                size_t len);

/*
 Moves the present forward to `now`; `LOCOX_PAST` for a time before it. Reservations that end by
 then are over, and their names stale.
 */
locox_status locox_profile_advance(struct locox_profile *structure, uint64_t now);

/*
 The present.
 */
locox_status locox_profile_now(const struct locox_profile *structure, uint64_t *now);

/*
 Ends a reservation now. `given_back`, which may be null, is the interval that is free again.
 */
locox_status locox_profile_cancel(struct locox_profile *structure,
                                  const struct locox_handle *reservation,
                                  struct locox_interval *given_back);

/*
 Gives a reservation another end. Refused as `LOCOX_BUSY`.
 */
locox_status locox_profile_set_end(struct locox_profile *structure,
                                   const struct locox_handle *reservation,
                                   uint64_t end,
                                   uint64_t *detail);

/*
 Moves a reservation to another start. It keeps its PEs and its duration. Refused as `LOCOX_BUSY`.
 */
locox_status locox_profile_move_to(struct locox_profile *structure,
                                   const struct locox_handle *reservation,
                                   uint64_t start,
                                   uint64_t *detail);

/*
 What is known of a reservation.
 */
locox_status locox_profile_reservation(const struct locox_profile *structure,
                                       const struct locox_handle *reservation,
                                       struct locox_reservation *known);

/*
 Calls `visit` for each reservation, by rising index.
 While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_profile_reservations(const struct locox_profile *structure,
                                        locox_reservation_fn visit,
                                        void *user);

/*
 Calls `visit` for each slot from the present on. The last one has no end.
 While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_profile_slots(const struct locox_profile *structure,
                                 locox_slot_fn visit,
                                 void *user);

/*
 How many PEs are free at a time.
 */
locox_status locox_profile_free_at(const struct locox_profile *structure,
                                   uint64_t time,
                                   uint32_t *free);

/*
 How many PEs are free at the least, at any time of an interval.
 */
locox_status locox_profile_fewest_free(const struct locox_profile *structure,
                                       const struct locox_interval *interval,
                                       uint32_t *free);

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
 Bytes of a `locox_user_row`, for callers who do not compile its header.
 */
size_t locox_size_of_user_row(void);

/*
 Words of storage for conservative backfilling, on a machine of so many PEs with room for so many
 jobs; zero for numbers out of range (1 to 2^30 - 1). `LOCOX_BACKFILL_WORDS` is the same as a
 constant.
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
 As `locox_queue_start_fcfs`, but what starts is the first of the `width` oldest jobs that can
 start. `patience` is how often a job may be overtaken.
 */
locox_status locox_queue_start_window(struct locox_queue *queue,
                                      uint16_t id,
                                      uint32_t width,
                                      uint64_t patience,
                                      struct locox_queue_row *rows,
                                      size_t len);

/*
 As `locox_queue_start_window`, but what starts are all jobs of a size, then those of the next
 larger one, or, with `upwards` zero, of the next smaller one.
 */
locox_status locox_queue_start_scan(struct locox_queue *queue,
                                    uint16_t id,
                                    uint32_t upwards,
                                    uint64_t patience,
                                    struct locox_queue_row *rows,
                                    size_t len);

/*
 As `locox_queue_start_window`, but first come sizes of which few jobs run, until more than
 `backlog` wait.
 */
locox_status locox_queue_start_lazy(struct locox_queue *queue,
                                    uint16_t id,
                                    uint32_t backlog,
                                    uint64_t patience,
                                    struct locox_queue_row *rows,
                                    size_t len);

/*
 Starts an idle machine of `pes` PEs with an empty line, under EASY backfilling: of the jobs
 behind the first one the `depth` first are looked at (zero: all), and none delays it. As many
 jobs may wait and run together as there are rows.
 */
locox_status locox_queue_start_easy(struct locox_queue *queue,
                                    uint16_t id,
                                    uint32_t pes,
                                    uint32_t depth,
                                    struct locox_backfill_row *rows,
                                    size_t rows_len);

/*
 As `locox_queue_start_easy`, under conservative backfilling: no job delays an earlier one. After
 an early end the `depth` first jobs are moved forward (zero: all). It takes
 `locox_backfill_words`.
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
 From now on no job starts while `most` others of its user run: it is held until one of those
 ends, in nobody's way. `user_of` says whose a job is, with `user`, both of which are used as long as the
 limit lasts. It takes as many rows as the queue has, or `LOCOX_TOO_SHORT` says how many. `LOCOX_ZERO` if
 `most` is. The queue may have jobs in it; what is held already is released when fewer of its user
 run, as it is after `locox_queue_restore` and `locox_queue_load`. A second limit takes the place of the first one. Jobs of
 `locox_queue_reserve` neither count nor wait for it.
 While `user_of` runs, in this call, a push, a restore or a load, every call on this queue, `const` ones
 too, answers `LOCOX_REENTERED`.
 */
locox_status locox_queue_limit(struct locox_queue *queue,
                               uint64_t now,
                               uint32_t most,
                               locox_user_fn user_of,
                               void *user,
                               struct locox_user_row *rows,
                               size_t len,
                               uint64_t *detail);

/*
 Adds a job to the line. It may ask for more PEs than are in service. Refused as `LOCOX_FULL`, of queues that plan
 also as `LOCOX_TOO_LARGE` or `LOCOX_END_OF_TIME`. In every call of a queue a time before the last one told means
 that one.
 */
locox_status locox_queue_push(struct locox_queue *queue,
                              uint64_t now,
                              const struct locox_job *job,
                              struct locox_handle *ticket);

/*
 A job runs already, since `started`, that this queue did not start: it has a ticket and its PEs until it has
 finished. Refused as `LOCOX_FULL`, of queues that plan also as `LOCOX_TOO_LARGE` or `LOCOX_TOO_FEW_FREE`.
 */
locox_status locox_queue_adopt(struct locox_queue *queue,
                               uint64_t now,
                               const struct locox_job *job,
                               uint64_t started,
                               struct locox_handle *ticket);

/*
 Gives a job the earliest interval that delays none with a promise, and keeps it. Refused as `LOCOX_LATE`, as
 `LOCOX_FAULTY` while too few PEs are in service, as `LOCOX_UNPLANNED` unless backfilling is conservative, and as
 `locox_queue_push`.
 */
locox_status locox_queue_reserve(struct locox_queue *queue,
                                 uint64_t now,
                                 uint32_t id,
                                 const struct locox_request *request,
                                 struct locox_handle *ticket,
                                 struct locox_interval *interval,
                                 uint64_t *detail);

/*
 Offers jobs whose turn it is to `start` until it takes one. That one runs from now on; its ticket
 and the job itself are written. `LOCOX_NONE` if none was taken. To be called until then.

 A null `start` takes the first job that is offered.
 While `start` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_queue_next(struct locox_queue *queue,
                              uint64_t now,
                              locox_start_fn start,
                              void *user,
                              struct locox_handle *ticket,
                              struct locox_job *job);

/*
 So many more PEs are out of service. Jobs that run on them run until it is told that they have
 finished or wait again. The queue does not know on which PEs they run: to drain a busy one,
 withdraw it when its job ends, right before that is told. Jobs that ask for more PEs
 than are in service wait until enough are repaired, and stand in nobody's way. `LOCOX_UNPLANNED` unless backfilling, `LOCOX_NO_SUCH_PE` if
 fewer are in service.
 */
locox_status locox_queue_withdraw(struct locox_queue *queue,
                                  uint64_t now,
                                  uint32_t pes);

/*
 So many PEs are back in service. `LOCOX_UNPLANNED` unless backfilling, `LOCOX_NO_SUCH_PE` if
 fewer are out of it.
 */
locox_status locox_queue_repair(struct locox_queue *queue, uint64_t now, uint32_t pes);

/*
 When a job will start if each takes as long as it requested and, under EASY backfilling, nobody
 overtakes: `LOCOX_NONE` if too few PEs are in service, if it is held, or of queues that do not plan.
 `scratch` is a profile of as many PEs, for no fewer reservations than there are rows, of which
 nothing is left afterwards; `LOCOX_TOO_SHORT` if it is another one.
 */
locox_status locox_queue_estimate(const struct locox_queue *queue,
                                  const struct locox_handle *ticket,
                                  struct locox_profile *scratch,
                                  struct locox_interval *interval);

/*
 How many jobs wait.
 */
locox_status locox_queue_waiting(const struct locox_queue *queue, size_t *count);

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
 A running job has failed, and its PEs are free: it waits again, under the same ticket, where its key
 and its first arrival say.
 */
locox_status locox_queue_requeue(struct locox_queue *queue,
                                 uint64_t now,
                                 const struct locox_handle *ticket);

/*
 Passes over a waiting job until it is released: it keeps its place in line, and stands in nobody's
 way. What it was promised is others'.
 */
locox_status locox_queue_hold(struct locox_queue *queue,
                              uint64_t now,
                              const struct locox_handle *ticket);

/*
 A job that was held is offered again, from its place in line.
 */
locox_status locox_queue_release(struct locox_queue *queue,
                                 uint64_t now,
                                 const struct locox_handle *ticket);

/*
 Calls `visit` for each job that waits or runs, in no order of note.
 While `visit` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_queue_jobs(const struct locox_queue *queue, locox_queued_fn visit, void *user);

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
                                 struct locox_interval *interval);

/*
 When to ask for the next job if nothing happens before; `LOCOX_NONE` if there is nothing to
 wait for.
 */
locox_status locox_queue_wake_at(const struct locox_queue *queue, uint64_t *time);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_queue_begin(struct locox_queue *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_queue_export(const struct locox_queue *structure,
                                uint32_t *image,
                                size_t len,
                                size_t *written,
                                uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_queue_restore(struct locox_queue *structure,
                                 const uint32_t *image,
                                 size_t len,
                                 uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_queue_check(const struct locox_queue *structure);

/*
 Takes the state of an image exactly, in the epoch in which it was made. It is for a journal of the caller's:
 whoever makes the calls again that followed gets the names that those gave. After `LOCOX_BAD_IMAGE` all is
 as new.
 */
locox_status locox_queue_load(struct locox_queue *structure,
                              const uint32_t *image,
                              size_t len);

/*
 Bytes of a `locox_box_queue`, for callers who do not compile its header.
 */
size_t locox_size_of_box_queue(void);

/*
 Bytes of a `locox_box_row`, for callers who do not compile its header.
 */
size_t locox_size_of_box_row(void);

/*
 Rows for boxes that a queue of so many jobs needs, with so many outages known at a time. `LOCOX_BOX_QUEUE_ROWS` is
 the same as a constant.
 */
size_t locox_box_queue_rows(size_t jobs,
                            size_t outages);

/*
 Words of 64 bits of storage for a queue over this machine; zero if `grid` is null or no machine.
 `LOCOX_BOX_QUEUE_WORDS` is the same as a constant.

 # Safety

 The contract of the library.
 */
size_t locox_box_queue_words(const struct locox_grid *grid);

/*
 Starts an idle machine with an empty line. The first `promises` jobs in line for which there is a box at any time are
 each promised a time and a box. With 1 this is EASY backfilling for boxes, with `LOCOX_PROMISES_ALL` conservative
 backfilling. `grid`, `placement`, `anchors` and `isolated` are those of `locox_grid_start`.

 `sides_of` says which sides a job asks for, with `user`, both of which are used as long as the queue is. If it is null
 each job gets any box of as many nodes as its `pes`.

 It takes `locox_box_queue_words`, `locox_box_queue_rows` for boxes, and a row for each job that waits or runs.
 `LOCOX_BAD_ARGUMENT` also if a box might fit only as long as other nodes are held: leftover is
 `LOCOX_LEFTOVER_REUSED`, and along a line the step is 0 and the offset is not.

 While `sides_of` runs, in whatever call on this queue, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_box_queue_start(struct locox_box_queue *queue,
                                   uint16_t id,
                                   const struct locox_grid *grid,
                                   uint32_t placement,
                                   const struct locox_anchors *anchors,
                                   uint32_t isolated,
                                   uint32_t promises,
                                   locox_sides_fn sides_of,
                                   void *user,
                                   uint64_t *words,
                                   size_t words_len,
                                   struct locox_box_row *rows,
                                   size_t rows_len,
                                   struct locox_backfill_row *jobs,
                                   size_t jobs_len,
                                   uint64_t *detail);

/*
 Adds a job to the line. Refused as `LOCOX_FULL`, as `LOCOX_TOO_LARGE`, and as `LOCOX_NO_PLACE` if the machine has no
 box for it even when all is free, or only boxes of fewer nodes than its `pes`. In every call of a
 queue a time before the last one told means that one.
 */
locox_status locox_box_queue_push(struct locox_box_queue *queue,
                                  uint64_t now,
                                  const struct locox_job *job,
                                  struct locox_handle *ticket,
                                  uint64_t *detail);

/*
 A job that this queue did not start runs already, since `started`: it has a ticket and its box until it has
 finished. The box should have no fewer nodes than its `pes`; if `place` is null it gets some box on which no job
 runs. Promises that need these nodes get another box or a later time. Refused as `LOCOX_NOT_FREE` if a job runs on one of them, or if there is no such box, as `LOCOX_TOO_FEW_FREE`,
 `LOCOX_TOO_LARGE` or `LOCOX_FULL`. `LOCOX_NO_SUCH_NODE` if the box does not lie in the machine.
 */
locox_status locox_box_queue_adopt(struct locox_box_queue *queue,
                                   uint64_t now,
                                   const struct locox_job *job,
                                   uint64_t started,
                                   const struct locox_box *place,
                                   struct locox_handle *ticket,
                                   uint64_t *detail);

/*
 Gives a job the earliest interval that moves no promise and no other such job, and keeps it. Refused as `LOCOX_LATE`, as
 `LOCOX_END_OF_TIME`, and as `locox_box_queue_push`.
 */
locox_status locox_box_queue_reserve(struct locox_box_queue *queue,
                                     uint64_t now,
                                     uint32_t id,
                                     const struct locox_request *request,
                                     struct locox_handle *ticket,
                                     struct locox_interval *interval,
                                     uint64_t *detail);

/*
 Offers jobs whose turn it is, with their boxes, to `start` until it takes one. That one runs from now on; its
 ticket, the job and its box are written. `LOCOX_NONE` if none was taken. To be called until then.

 A null `start` takes the first job that is offered.
 While `start` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_box_queue_next(struct locox_box_queue *queue,
                                  uint64_t now,
                                  locox_placed_job_fn start,
                                  void *user,
                                  struct locox_handle *ticket,
                                  struct locox_placed_job *started);

/*
 Where a job runs, or is to; `LOCOX_NONE` of one that waits without a promise. The place of one that waits may be
 replaced by another one.
 */
locox_status locox_box_queue_place(const struct locox_box_queue *queue,
                                   const struct locox_handle *ticket,
                                   struct locox_box *place);

/*
 When and where a job that is not in this queue could start if it were promised something now; `LOCOX_NONE` if there
 is no such time.
 */
locox_status locox_box_queue_earliest(struct locox_box_queue *queue,
                                      uint64_t now,
                                      const struct locox_job *job,
                                      struct locox_interval *interval,
                                      struct locox_box *place);

/*
 Takes the nodes of a box out of service for an interval, now or later; until `locox_box_queue_repair` if its end is
 `LOCOX_NEVER`. Jobs on these nodes run on until they finish or are requeued. Promises that need these nodes get another
 box or a later time. Refused as `LOCOX_FULL` if no row is left: an outage that has ended needs none.
 `LOCOX_NO_SUCH_NODE` if the box does not lie in the machine, `LOCOX_NO_TIME` if the interval is empty.
 */
locox_status locox_box_queue_withdraw(struct locox_box_queue *queue,
                                      uint64_t now,
                                      const struct locox_box *place,
                                      const struct locox_interval *during,
                                      uint64_t *detail);

/*
 An outage of exactly this box ends now, or does not take place; of several the one that would end first.
 `LOCOX_NONE` if none is known: one that has ended is forgotten. `LOCOX_NO_SUCH_NODE` if the box does not lie in the
 machine.
 */
locox_status locox_box_queue_repair(struct locox_box_queue *queue,
                                    uint64_t now,
                                    const struct locox_box *place,
                                    uint64_t *detail);

/*
 How often a promise, or an interval of `locox_box_queue_reserve`, became later for this cause: `LOCOX_LATER_...`.
 */
locox_status locox_box_queue_moved_later(const struct locox_box_queue *queue,
                                         uint32_t cause,
                                         uint32_t *count);

/*
 How many jobs wait.
 */
locox_status locox_box_queue_waiting(const struct locox_box_queue *queue, size_t *count);

/*
 A running job has ended and its PEs are free. `job`, which may be null, is which one it was.
 */
locox_status locox_box_queue_finished(struct locox_box_queue *queue,
                                      uint64_t now,
                                      const struct locox_handle *ticket,
                                      struct locox_job *job);

/*
 Removes a waiting job. `job`, which may be null, is which one it was.
 */
locox_status locox_box_queue_cancel(struct locox_box_queue *queue,
                                    uint64_t now,
                                    const struct locox_handle *ticket,
                                    struct locox_job *job);

/*
 A running job has failed, and its PEs are free: it waits again, under the same ticket, where its key
 and its first arrival say.
 */
locox_status locox_box_queue_requeue(struct locox_box_queue *queue,
                                     uint64_t now,
                                     const struct locox_handle *ticket);

/*
 Passes over a waiting job until it is released: it keeps its place in line, and stands in nobody's
 way. What it was promised is others'.
 */
locox_status locox_box_queue_hold(struct locox_box_queue *queue,
                                  uint64_t now,
                                  const struct locox_handle *ticket);

/*
 A job that was held is offered again, from its place in line.
 */
locox_status locox_box_queue_release(struct locox_box_queue *queue,
                                     uint64_t now,
                                     const struct locox_handle *ticket);

/*
 Calls `visit` for each job that waits or runs, in no order of note.
 While `visit` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_box_queue_jobs(const struct locox_box_queue *queue,
                                  locox_queued_fn visit,
                                  void *user);

/*
 Gives a job in line another key, so that it stands elsewhere.
 */
locox_status locox_box_queue_rekey(struct locox_box_queue *queue,
                                   uint64_t now,
                                   const struct locox_handle *ticket,
                                   uint64_t key);

/*
 From when to when a job is to run; `LOCOX_NONE` of one that has no promise.
 */
locox_status locox_box_queue_planned(const struct locox_box_queue *queue,
                                     const struct locox_handle *ticket,
                                     struct locox_interval *interval);

/*
 When to ask for the next job if nothing happens before; `LOCOX_NONE` if there is nothing to
 wait for.
 */
locox_status locox_box_queue_wake_at(const struct locox_box_queue *queue, uint64_t *time);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_box_queue_begin(struct locox_box_queue *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_box_queue_export(const struct locox_box_queue *structure,
                                    uint32_t *image,
                                    size_t len,
                                    size_t *written,
                                    uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_box_queue_restore(struct locox_box_queue *structure,
                                     const uint32_t *image,
                                     size_t len,
                                     uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_box_queue_check(const struct locox_box_queue *structure);

/*
 Takes the state of an image exactly, in the epoch in which it was made. It is for a journal of the caller's:
 whoever makes the calls again that followed gets the names that those gave. After `LOCOX_BAD_IMAGE` all is
 as new.
 */
locox_status locox_box_queue_load(struct locox_box_queue *structure,
                                  const uint32_t *image,
                                  size_t len);

/*
 Bytes of a `locox_ranking`, for callers who do not compile its header.
 */
size_t locox_size_of_ranking(void);

/*
 Starts a ranking by Up-Down over elapsed time, the one to start from, of as many stations as
 `rows`, which may have any content. After `half_life` half of an index is left; for about a
 `quantum` a station keeps a processor that it took from one like itself. Neither is zero.
 */
locox_status locox_ranking_start_timed(struct locox_ranking *ranking,
                                       struct locox_timed_row *rows,
                                       size_t stations,
                                       uint64_t half_life,
                                       uint64_t quantum,
                                       uint64_t *detail);

/*
 Starts a ranking by the printed table of Up-Down, of as many stations as `indices`, which may
 have any content. At each update it moves by `step`, in 256ths; not zero: 2560 in the study. With
 `shuffled` not zero stations of one index come in an order drawn for each round, else by number.
 */
locox_status locox_ranking_start_updown(struct locox_ranking *ranking,
                                        int32_t *indices,
                                        size_t stations,
                                        uint32_t step,
                                        uint32_t shuffled,
                                        uint64_t *detail);

/*
 Starts a ranking under which stations take turns, from station `first` on.
 */
locox_status locox_ranking_start_round_robin(struct locox_ranking *ranking, uint32_t first);

/*
 Starts a ranking that draws lots.
 */
locox_status locox_ranking_start_random(struct locox_ranking *ranking);

/*
 It is `now`: for Up-Down over elapsed time. A time before the one told last begins another count
 of time.
 */
locox_status locox_ranking_advance(struct locox_ranking *ranking, uint64_t now);

/*
 From now on a station wants and holds so much: for Up-Down over elapsed time.
 */
locox_status locox_ranking_note(struct locox_ranking *ranking,
                                uint32_t station,
                                const struct locox_demand *demand);

/*
 Takes note of what all stations want and hold: one step of the printed table. `LOCOX_WRONG_TABLE`
 if the ranking has more or fewer stations, so many (detail).
 */
locox_status locox_ranking_update(struct locox_ranking *ranking,
                                  const struct locox_demand *demand,
                                  size_t stations,
                                  uint64_t *detail);

/*
 A round of allocation over what the stations want and hold: the `free` ones of `nodes` processors
 are granted, and then processors change hands. `draw` is for rankings by lot. `decided` is called
 for each decision. The room is for four contenders at least; its content does not matter.

 `LOCOX_WRONG_TABLE` if the ranking has more or fewer stations, so many (detail), or if they hold
 more processors than there are, so many (detail). Nothing is decided then.
 While `decided` runs, every call on this ranking, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_ranking_round(struct locox_ranking *ranking,
                                 const struct locox_demand *demand,
                                 size_t stations,
                                 uint32_t nodes,
                                 uint32_t free,
                                 uint32_t draw,
                                 struct locox_contender *scratch,
                                 size_t scratch_count,
                                 locox_decision_fn decided,
                                 void *user,
                                 uint64_t *detail);

/*
 Which of these stations is served first; `LOCOX_NONE` if there are none. `draw` is for rankings
 by lot.
 */
locox_status locox_ranking_first_of(struct locox_ranking *ranking,
                                    uint32_t draw,
                                    const uint32_t *candidates,
                                    size_t count,
                                    uint32_t *station);

/*
 Outside of a round a station was given a processor.
 */
locox_status locox_ranking_served(struct locox_ranking *ranking, uint32_t station);

/*
 The index of a station; the lower, the better. Of the printed table in 256ths; of Up-Down over
 elapsed time in units of 2^-40 processors times half-lives. `LOCOX_NONE` where there are none.
 */
locox_status locox_ranking_index(const struct locox_ranking *ranking,
                                 uint32_t station,
                                 int64_t *index);

/*
 Gives a station a share of `weight` times that of a station of weight 1, under Up-Down over
 elapsed time; under others `LOCOX_BAD_ARGUMENT`. Shares follow weights if there are enough processors
 that each station that always wants more holds one all the time; with fewer they are nearer to equal.
 */
locox_status locox_ranking_set_weight(struct locox_ranking *ranking,
                                      uint32_t station,
                                      uint16_t weight);

/*
 Writes what the ranking remembers from round to round, without a checksum, and how many words
 that are to `written`. `LOCOX_TOO_SHORT` says how many there must be; what is in `words` is of no
 use then.
 */
locox_status locox_ranking_export(const struct locox_ranking *ranking,
                                  uint32_t *words,
                                  size_t len,
                                  size_t *written,
                                  uint64_t *detail);

/*
 Remembers what was exported by a ranking of the same kind and parameters and as many stations.
 `LOCOX_OTHER_IMAGE` if there are more or fewer words than it exports; after `LOCOX_BAD_IMAGE`,
 for words that make no sense, it has forgotten all.
 */
locox_status locox_ranking_restore(struct locox_ranking *ranking,
                                   const uint32_t *words,
                                   size_t len);

/*
 Forgets everything but weights, as if no round had been.
 */
locox_status locox_ranking_forget(struct locox_ranking *ranking);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_ranking_check(const struct locox_ranking *ranking);

/*
 Writes parameters to start from to `config`, with a quantum of so many ticks.
 */
locox_status locox_site_standard(uint64_t quantum, struct locox_site_config *config);

/*
 Starts a coordinator that knows of no job, and of no machine that is there. All queues are of the
 most urgent level, by PJS and without preemption.

 `LOCOX_WRONG_TABLE` for a cluster (detail) whose members or their number make no sense, or if there
 is no machine; `LOCOX_TOO_LONG` for a time that is too long to be added up for all jobs. After
 these two a coordinator that was started before is so no more.
 */
locox_status locox_site_start(struct locox_site *site,
                              const struct locox_site_config *config,
                              const struct locox_site_model *model,
                              const struct locox_site_rows *rows,
                              uint64_t now,
                              uint64_t *detail);

/*
 Takes note of what happened at `now`, and does whatever was due by then. `job`, which may be
 null, is written for `LOCOX_SITE_SUBMIT`. `record`, which may be null, is to be stored before an
 effect is taken, by who keeps a history.

 Refused as `LOCOX_NO_ACCESS`, `LOCOX_FULL` (with the user's limit as detail, or zero if all rows are in use),
 `LOCOX_NO_MACHINE` (for this class of jobs) or `LOCOX_OLD`. Misused as `LOCOX_WRONG_SERIAL` (with the next serial
 of the user as detail) where a submission is neither the user's next nor the last one again. Afterwards, see
 `locox_site_take_effect`.
 */
locox_status locox_site_apply(struct locox_site *site,
                              uint64_t now,
                              const struct locox_site_command *command,
                              struct locox_handle *job,
                              struct locox_record *record,
                              uint64_t *detail);

/*
 Where a job is.
 */
locox_status locox_site_status_of(const struct locox_site *site,
                                  const struct locox_handle *job,
                                  struct locox_site_status *status);

/*
 Calls `visit` for each machine that a job has, by rising number; none if it waits.
 While `visit` runs, every call on this site, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_site_machines_of(const struct locox_site *site,
                                    const struct locox_handle *job,
                                    locox_machine_fn visit,
                                    void *user);

/*
 What jobs of a class are expected to take on a resource; `LOCOX_NONE` if they cannot run there.
 */
locox_status locox_site_expected(const struct locox_site *site,
                                 uint32_t job_class,
                                 uint32_t resource,
                                 uint64_t *time);

/*
 What a user has, may and has used.
 */
locox_status locox_site_user_of(const struct locox_site *site,
                                uint32_t user,
                                struct locox_site_user_status *status);

/*
 The policy of a queue.
 */
locox_status locox_site_policy(const struct locox_site *site,
                               uint32_t queue,
                               struct locox_policy *policy);

/*
 When to say `LOCOX_SITE_TICK` if nothing happens before: at the end of the
 quantum, if jobs wait; else `LOCOX_NONE`, if there is nothing to wait for.
 */
locox_status locox_site_wake_at(const struct locox_site *site, uint64_t *time);

/*
 The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is.
 To be called after each command until then.
 */
locox_status locox_site_take_effect(struct locox_site *coordinator,
                                    struct locox_site_effect *effect);

/*
 The effect that `locox_site_take_effect` will take, for callers that must find
 room first.
 */
locox_status locox_site_peek_effect(const struct locox_site *coordinator,
                                    struct locox_site_effect *effect);

/*
 The latest time given.
 */
locox_status locox_site_now(const struct locox_site *coordinator, uint64_t *now);

/*
 How far it is: how many commands it took, and the number of the effect that was taken last.
 */
locox_status locox_site_place(const struct locox_site *coordinator, struct locox_place *place);

/*
 Writes an image of it, and how many words the image has to `written`. `LOCOX_TOO_SHORT` says
 how many there must be; what is in `image` is of no use then. The records before the image
 are of no use any more.
 */
locox_status locox_site_export(const struct locox_site *coordinator,
                               uint32_t *image,
                               size_t len,
                               size_t *written,
                               uint64_t *detail);

/*
 Goes on from an image of one of the same configuration and as many rows, without records.
 Everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
 */
locox_status locox_site_restore(struct locox_site *coordinator, const uint32_t *image, size_t len);

/*
 As `locox_site_restore`, for a history: `locox_site_replay` of the records
 behind the image follows, and then `locox_site_resync`.
 */
locox_status locox_site_load(struct locox_site *coordinator, const uint32_t *image, size_t len);

/*
 Takes a command from its record. `taken`, which may be null, is called for each effect that
 was taken before it. `is_new`, which may be null, is 0 for a record from before the image,
 which changes nothing.

 `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may
 have been taken.
 While `taken` runs, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_site_replay(struct locox_site *coordinator,
                               const struct locox_record *record,
                               locox_site_effect_fn taken,
                               void *user,
                               uint32_t *is_new,
                               uint64_t *detail);

/*
 After a restart: everybody is told again what he should be doing. `record`, which may be
 null, is to be stored before an effect is taken, by who keeps a history.
 */
locox_status locox_site_resync(struct locox_site *coordinator, struct locox_record *record);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should
 never be seen.
 */
locox_status locox_site_check(const struct locox_site *coordinator);

/*
 Bytes of a `locox_site`, for callers who do not compile its header.
 */
size_t locox_size_of_site(void);

/*
 Bytes of a `locox_site_job`, for callers who do not compile its header.
 */
size_t locox_size_of_site_job(void);

/*
 Bytes of a `locox_site_machine`, for callers who do not compile its header.
 */
size_t locox_size_of_site_machine(void);

/*
 Bytes of a `locox_site_user`, for callers who do not compile its header.
 */
size_t locox_size_of_site_user(void);

/*
 Bytes of a `locox_site_queue`, for callers who do not compile its header.
 */
size_t locox_size_of_site_queue(void);

/*
 Bytes of a `locox_running_row`, for callers who do not compile its header.
 */
size_t locox_size_of_running_row(void);

/*
 Words of a set of so many PEs: `LOCOX_SET_WORDS`.
 */
size_t locox_set_words(uint32_t pes);

/*
 Bytes of a `locox_slice_pool`, for callers who do not compile its header.
 */
size_t locox_size_of_slice_pool(void);

/*
 Bytes of a `locox_profile_row`, for callers who do not compile its header.
 */
size_t locox_size_of_profile_row(void);

/*
 Starts a pool of all slices of an accelerator with a published table: `LOCOX_A100` and so on. Its
 leases carry `id`: to other pools they are foreign.
 */
locox_status locox_slices_start(struct locox_slice_pool *pool, uint16_t id, uint32_t table);

/*
 Starts one with a table of one's own: of 1 to 32 slices and `count` profiles, 1 to 16, for each of which
 there is one of `rows`, with any content. `LOCOX_WRONG_TABLE` if a profile has no sets or too many, if they are not
 equally large, if one is empty, comes twice or has a slice that there is not.
 */
locox_status locox_slices_start_table(struct locox_slice_pool *pool,
                                      uint16_t id,
                                      uint32_t slices,
                                      const struct locox_slice_profile *profiles,
                                      size_t count,
                                      struct locox_profile_row *rows,
                                      size_t len,
                                      uint64_t *detail);

/*
 Grants the placement of a profile after which most is possible for others. Refused as `LOCOX_FAULTY`,
 `LOCOX_TOO_FEW_FREE` or `LOCOX_FRAGMENTED`; `LOCOX_TOO_LARGE` if the table has no such profile.
 */
locox_status locox_slices_allocate(struct locox_slice_pool *pool,
                                   uint32_t profile,
                                   struct locox_slice_lease *lease,
                                   uint64_t *detail);

/*
 Whether `locox_slices_allocate` would grant a profile; refused as there.
 */
locox_status locox_slices_would_fit(const struct locox_slice_pool *pool,
                                    uint32_t profile,
                                    uint64_t *detail);

/*
 Grants this very placement of a profile: `LOCOX_NOT_FREE` names a slice that is not free,
 `LOCOX_BAD_ARGUMENT` if the table does not have it.
 */
locox_status locox_slices_claim(struct locox_slice_pool *pool,
                                uint32_t profile,
                                uint32_t slices,
                                struct locox_slice_lease *lease,
                                uint64_t *detail);

/*
 Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
 */
locox_status locox_slices_release(struct locox_slice_pool *pool,
                                  const struct locox_slice_lease *lease);

/*
 Takes slices out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
 null, is called once for each lease that has one of them.
 None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
 While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_slices_withdraw(struct locox_slice_pool *pool,
                                   uint32_t slices,
                                   uint32_t outage,
                                   locox_slice_lease_fn hit,
                                   void *user,
                                   uint64_t *detail);

/*
 Puts slices back into service; none if `LOCOX_NO_SUCH_NODE` names one.
 */
locox_status locox_slices_repair(struct locox_slice_pool *pool, uint32_t slices, uint64_t *detail);

/*
 Calls `visit` for each live lease.
 While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_slices_leases(const struct locox_slice_pool *pool,
                                 locox_slice_lease_fn visit,
                                 void *user);

/*
 The slices that a new lease may take, and those out of service; `out` may be null.
 */
locox_status locox_slices_free(const struct locox_slice_pool *pool, uint32_t *free, uint32_t *out);

/*
 Free slices that lie in no free placement of a profile.
 */
locox_status locox_slices_stranded(const struct locox_slice_pool *pool,
                                   uint32_t profile,
                                   uint32_t *stranded);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_slices_begin(struct locox_slice_pool *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_slices_export(const struct locox_slice_pool *structure,
                                 uint32_t *image,
                                 size_t len,
                                 size_t *written,
                                 uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_slices_restore(struct locox_slice_pool *structure,
                                  const uint32_t *image,
                                  size_t len,
                                  uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_slices_check(const struct locox_slice_pool *structure);

/*
 Writes parameters to start from to `config`; a `minute` is so many ticks long.
 */
locox_status locox_station_standard(uint64_t minute, struct locox_station_config *config);

/*
 Starts a coordinator under Up-Down by elapsed time, the ranking to start from: `ranking` has a
 row a station, of any content. After `half_life` half of an index is left; for about a `quantum`
 a station keeps a processor that it took from one like itself. Neither is zero: a day and ten
 minutes are good. `weights` has a number a station, none of them zero: its share is so many times
 that of a station of weight 1. It may be null: all have 1. Weights and parameters are part of what images and
 journals have to agree with; `LOCOX_SET_WEIGHT` changes a weight later.
 */
locox_status locox_station_start_timed(struct locox_station *station,
                                       const struct locox_station_config *config,
                                       const struct locox_station_rows *rows,
                                       struct locox_timed_row *ranking,
                                       size_t ranking_count,
                                       const uint16_t *weights,
                                       uint64_t half_life,
                                       uint64_t quantum,
                                       uint64_t now,
                                       uint64_t *detail);

/*
 Starts a coordinator under the printed table of Up-Down, of which `indices` has an entry a
 station, of any content. It moves by `step` each time, in 256ths; not zero: 2560 in the study.
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
 Takes note of what happened at `now`, and does whatever was due by then. `sender` is null for
 what arrives once and in order. `draw` is for a ranking that draws lots; others do not look at
 it. `job`, which may be null, is written for `LOCOX_SUBMIT`. `record`, which may be null, is to
 be stored before an effect is taken, by who keeps a history.

 Refused as `LOCOX_FULL`, `LOCOX_OLD` or `LOCOX_EARLY`. Afterwards, see
 `locox_station_take_effect`.
 */
locox_status locox_station_apply(struct locox_station *station,
                                 uint64_t now,
                                 const struct locox_sender *sender,
                                 const struct locox_station_command *command,
                                 uint32_t draw,
                                 struct locox_handle *job,
                                 struct locox_record *record,
                                 uint64_t *detail);

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
 When to say `LOCOX_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to wait for.
 */
locox_status locox_station_wake_at(const struct locox_station *station, uint64_t *time);

/*
 The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is.
 To be called after each command until then.
 */
locox_status locox_station_take_effect(struct locox_station *coordinator,
                                       struct locox_station_effect *effect);

/*
 The effect that `locox_station_take_effect` will take, for callers that must find
 room first.
 */
locox_status locox_station_peek_effect(const struct locox_station *coordinator,
                                       struct locox_station_effect *effect);

/*
 The latest time given.
 */
locox_status locox_station_now(const struct locox_station *coordinator, uint64_t *now);

/*
 How far it is: how many commands it took, and the number of the effect that was taken last.
 */
locox_status locox_station_place(const struct locox_station *coordinator,
                                 struct locox_place *place);

/*
 Writes an image of it, and how many words the image has to `written`. `LOCOX_TOO_SHORT` says
 how many there must be; what is in `image` is of no use then. The records before the image
 are of no use any more.
 */
locox_status locox_station_export(const struct locox_station *coordinator,
                                  uint32_t *image,
                                  size_t len,
                                  size_t *written,
                                  uint64_t *detail);

/*
 Goes on from an image of one of the same configuration and as many rows, without records.
 Everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
 */
locox_status locox_station_restore(struct locox_station *coordinator,
                                   const uint32_t *image,
                                   size_t len);

/*
 As `locox_station_restore`, for a history: `locox_station_replay` of the records
 behind the image follows, and then `locox_station_resync`.
 */
locox_status locox_station_load(struct locox_station *coordinator,
                                const uint32_t *image,
                                size_t len);

/*
 Takes a command from its record. `taken`, which may be null, is called for each effect that
 was taken before it. `is_new`, which may be null, is 0 for a record from before the image,
 which changes nothing.

 `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may
 have been taken.
 While `taken` runs, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_station_replay(struct locox_station *coordinator,
                                  const struct locox_record *record,
                                  locox_station_effect_fn taken,
                                  void *user,
                                  uint32_t *is_new,
                                  uint64_t *detail);

/*
 After a restart: everybody is told again what he should be doing. `record`, which may be
 null, is to be stored before an effect is taken, by who keeps a history.
 */
locox_status locox_station_resync(struct locox_station *coordinator, struct locox_record *record);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should
 never be seen.
 */
locox_status locox_station_check(const struct locox_station *coordinator);

/*
 Bytes of a `locox_station`, for callers who do not compile its header.
 */
size_t locox_size_of_station(void);

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
 Bytes of a `locox_demand_row`, for callers who do not compile its header.
 */
size_t locox_size_of_demand_row(void);

/*
 What a status means, in English; `"no status"` for a number that is none. Never null.
 */
const char *locox_status_str(int32_t status);

/*
 Whether a status is a refusal: nothing is wrong with the call, and it may succeed later.
 */
bool locox_is_refusal(int32_t status);

/*
 Bytes of a `locox_wide_counter`, for callers who do not compile its header.
 */
size_t locox_size_of_wide_counter(void);

/*
 Starts a clock at zero out of a counter of `bits` bits, 1 to 64, that shows zero.
 */
locox_status locox_wide_counter_start(struct locox_wide_counter *counter, uint32_t bits);

/*
 Goes on from the instant `now`, at which the hardware shows `raw`. After a reset start the clock, and
 pass the last instant that was stored. How long the reset took no counter can tell: add it to `now` if
 you know it.
 */
locox_status locox_wide_counter_resume(struct locox_wide_counter *counter,
                                       uint64_t now,
                                       uint64_t raw);

/*
 The instant at which the hardware showed `raw`, of which bits above the counter's width are ignored.
 Readings are passed in the order in which they were made, at least one in each period of the
 counter: one that is less than the last counts as a wrap. Stops at the end of time.
 */
locox_status locox_wide_counter_extend(struct locox_wide_counter *counter,
                                       uint64_t raw,
                                       uint64_t *now);

/*
 The instant nearest to the one that the clock showed last, at which the hardware shows `raw`: for a time stamp that
 another made by the same counter. Of two equally near it is the earlier. The clock itself stays.
 */
locox_status locox_wide_counter_nearest(const struct locox_wide_counter *counter,
                                        uint64_t raw,
                                        uint64_t *stamp);

/*
 The instant that the clock showed last.
 */
locox_status locox_wide_counter_last(const struct locox_wide_counter *counter, uint64_t *last);

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
 Reserves PEs for a request. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`,
 `LOCOX_END_OF_TIME`, `LOCOX_FULL` or `LOCOX_MASKED`.
 */
locox_status locox_timeline_reserve(struct locox_timeline *timeline,
                                    const struct locox_request *request,
                                    const struct locox_choice *choice,
                                    struct locox_reservation *reservation,
                                    uint64_t *detail);

/*
 Where `locox_timeline_reserve` would put a request, and on which PEs: they are written to `pes`,
 a set of `words` words, which is of no meaning after an error.
 */
locox_status locox_timeline_find(const struct locox_timeline *timeline,
                                 const struct locox_request *request,
                                 const struct locox_choice *choice,
                                 struct locox_interval *interval,
                                 size_t *pes,
                                 size_t words,
                                 uint64_t *detail);

/*
 Calls `visit` for each start at which a request fits, the earliest first: the first is where
 `locox_timeline_find` would put it, the others are the alternatives to that. A mask is not looked
 at. `pes` is room for a set of `words` words: within a call of `visit` it has the PEs that are
 free from that start on for the duration, afterwards it is of no meaning.
 While `visit` runs, every call on this timeline, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeline_candidates(const struct locox_timeline *timeline,
                                       const struct locox_request *request,
                                       size_t *pes,
                                       size_t words,
                                       locox_candidate_fn visit,
                                       void *user,
                                       uint64_t *detail);

/*
 Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first,
 and writes which one to `chosen`. Of `choice` the fit is not looked at.
 */
locox_status locox_timeline_reserve_one_of(struct locox_timeline *timeline,
                                           const struct locox_request *alternatives,
                                           size_t count,
                                           const struct locox_choice *choice,
                                           size_t *chosen,
                                           struct locox_reservation *reservation,
                                           uint64_t *detail);

/*
 Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it,
 at the earliest start at which all have a place, or not at all. Of `choice` the fit is not looked
 at.
 */
locox_status locox_timeline_reserve_series(struct locox_timeline *timeline,
                                           const struct locox_request *request,
                                           uint64_t period,
                                           const struct locox_choice *choice,
                                           struct locox_handle *series,
                                           size_t count,
                                           struct locox_interval *first,
                                           uint64_t *detail);

/*
 Makes `count` changes in their order, all of them or none; with `keep` zero none even if all are
 possible. `results` has a reservation for each: what was reserved, what was cancelled with the
 interval that was given back, what was moved. `steps` is room for as many. Both are of no meaning
 after an error, which is that of the first change that cannot be made. Undoing costs as much as
 doing.
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
                                const struct locox_interval *interval,
                                const size_t *pes,
                                size_t words,
                                struct locox_handle *reservation,
                                uint64_t *detail);

/*
 Gives a reservation another interval and other PEs. Refused as `LOCOX_BUSY`.
 */
locox_status locox_timeline_replace(struct locox_timeline *timeline,
                                    const struct locox_handle *reservation,
                                    const struct locox_interval *interval,
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
                                         struct locox_interval *interval,
                                         size_t *pes,
                                         size_t words,
                                         uint64_t *detail);

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
                                     const struct locox_interval *interval,
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
locox_status locox_timeline_withdraw(struct locox_timeline *timeline, uint32_t pe);

/*
 Puts a PE back into service.
 */
locox_status locox_timeline_repair(struct locox_timeline *timeline, uint32_t pe);

/*
 Calls `hit` for each reservation that has a PE.
 While `hit` runs, every call on this timeline, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeline_holders(const struct locox_timeline *timeline,
                                    uint32_t pe,
                                    locox_reservation_fn hit,
                                    void *user);

/*
 Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
 but those of the last epoch for what is there already. `epoch` is never used twice.
 */
locox_status locox_timeline_begin(struct locox_timeline *structure, uint16_t epoch);

/*
 Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
 must be; what is in `image` is of no use then.
 */
locox_status locox_timeline_export(const struct locox_timeline *structure,
                                   uint32_t *image,
                                   size_t len,
                                   size_t *written,
                                   uint64_t *detail);

/*
 Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
 `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
 */
locox_status locox_timeline_restore(struct locox_timeline *structure,
                                    const uint32_t *image,
                                    size_t len,
                                    uint16_t epoch);

/*
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_timeline_check(const struct locox_timeline *structure);

/*
 Takes the state of an image exactly, in the epoch in which it was made. It is for a journal of the caller's:
 whoever makes the calls again that followed gets the names that those gave. After `LOCOX_BAD_IMAGE` all is
 as new.
 */
locox_status locox_timeline_load(struct locox_timeline *structure,
                                 const uint32_t *image,
                                 size_t len);

/*
 Moves the present forward to `now`; `LOCOX_PAST` for a time before it. Reservations that end by
 then are over, and their names stale.
 */
locox_status locox_timeline_advance(struct locox_timeline *structure, uint64_t now);

/*
 The present.
 */
locox_status locox_timeline_now(const struct locox_timeline *structure, uint64_t *now);

/*
 Ends a reservation now. `given_back`, which may be null, is the interval that is free again.
 */
locox_status locox_timeline_cancel(struct locox_timeline *structure,
                                   const struct locox_handle *reservation,
                                   struct locox_interval *given_back);

/*
 Gives a reservation another end. Refused as `LOCOX_BUSY`.
 */
locox_status locox_timeline_set_end(struct locox_timeline *structure,
                                    const struct locox_handle *reservation,
                                    uint64_t end,
                                    uint64_t *detail);

/*
 Moves a reservation to another start. It keeps its PEs and its duration. Refused as `LOCOX_BUSY`.
 */
locox_status locox_timeline_move_to(struct locox_timeline *structure,
                                    const struct locox_handle *reservation,
                                    uint64_t start,
                                    uint64_t *detail);

/*
 What is known of a reservation.
 */
locox_status locox_timeline_reservation(const struct locox_timeline *structure,
                                        const struct locox_handle *reservation,
                                        struct locox_reservation *known);

/*
 Calls `visit` for each reservation, by rising index.
 While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeline_reservations(const struct locox_timeline *structure,
                                         locox_reservation_fn visit,
                                         void *user);

/*
 Calls `visit` for each slot from the present on. The last one has no end.
 While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeline_slots(const struct locox_timeline *structure,
                                  locox_slot_fn visit,
                                  void *user);

/*
 How many PEs are free at a time.
 */
locox_status locox_timeline_free_at(const struct locox_timeline *structure,
                                    uint64_t time,
                                    uint32_t *free);

/*
 How many PEs are free at the least, at any time of an interval.
 */
locox_status locox_timeline_fewest_free(const struct locox_timeline *structure,
                                        const struct locox_interval *interval,
                                        uint32_t *free);

/*
 Where `locox_timeline_reserve`, or with `speeds` `locox_timeline_reserve_at_speeds`, would put a
 request, with the same answer if it is refused. Nothing changes.
 */
locox_status locox_timeline_would_reserve(struct locox_timeline *timeline,
                                          const struct locox_request *request,
                                          const struct locox_speeds *speeds,
                                          const struct locox_choice *choice,
                                          struct locox_interval *interval,
                                          uint64_t *detail);

/*
 Reserves PEs of unlike speed. The duration of the request is that on standard PEs; the reservation
 lasts as long as the slowest of its PEs takes, rounded up. For each speed the fit chooses a start
 among the PEs that have at least that; the place is taken that ends first, of equal ones that of
 the higher speed. Refused as by `locox_timeline_reserve`; a deadline too early for all speeds as
 `LOCOX_LATE`. A choice with a set of allowed PEs is `LOCOX_WRONG_MASK`: leave the others out of the
 speeds.
 */
locox_status locox_timeline_reserve_at_speeds(struct locox_timeline *timeline,
                                              const struct locox_request *request,
                                              const struct locox_speeds *speeds,
                                              const struct locox_choice *choice,
                                              struct locox_reservation *reservation,
                                              uint64_t *detail);

/*
 Reserves PEs on one of several machines (`LOCOX_MACHINES_MOST` at most), the one on which the
 request would finish first, of equal ones the first, and writes which one to `chosen`. Nothing
 changes on the others. A wrong call of one machine ends all. If none has a place, the refusal is the one
 that is nearest to a place: `LOCOX_LATE` with the earliest finish, else `LOCOX_FULL`, `LOCOX_FAULTY`,
 `LOCOX_END_OF_TIME`, `LOCOX_MASKED`, `LOCOX_TOO_LARGE`.
 */
locox_status locox_reserve_on_one_of(const struct locox_machine *machines,
                                     size_t count,
                                     const struct locox_request *request,
                                     size_t *chosen,
                                     struct locox_reservation *reservation,
                                     uint64_t *detail);

/*
 Bytes of a `locox_timeline`, for callers who do not compile its header.
 */
size_t locox_size_of_timeline(void);

/*
 Bytes of a `locox_step`, for callers who do not compile its header.
 */
size_t locox_size_of_step(void);

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
 The job has ended: later ones move up on its hosts. `changed`, which may be null, is called for
 each of these.
 While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
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
 While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeshare_terminate(struct locox_timeshare *table,
                                       uint32_t job,
                                       locox_host_fn changed,
                                       void *user,
                                       uint64_t *detail);

/*
 A host is gone: what it had is to be killed elsewhere. `changed`, which may be null, is called
 for each other host that this concerns.
 While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeshare_lose(struct locox_timeshare *table,
                                  uint32_t host,
                                  locox_host_fn changed,
                                  void *user,
                                  uint64_t *detail);

/*
 Calls `visit` for each job of a host, the most urgent first.
 While `visit` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeshare_column(const struct locox_timeshare *table,
                                    uint32_t host,
                                    locox_shared_place_fn visit,
                                    void *user);

/*
 Calls `visit` for each host of a job, by rising number.
 While `visit` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
 */
locox_status locox_timeshare_places(const struct locox_timeshare *table,
                                    uint32_t job,
                                    locox_shared_place_fn visit,
                                    void *user,
                                    uint64_t *detail);

/*
 What is known of a job that has hosts. `lead`, the host of its first process (`LOCOX_NOBODY` if
 that is lost), and `terminating`, 1 if it is to be killed, may be null.
 */
locox_status locox_timeshare_job(const struct locox_timeshare *table,
                                 uint32_t job,
                                 struct locox_shared_request *request,
                                 uint32_t *lead,
                                 uint32_t *terminating,
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
 Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
 be seen.
 */
locox_status locox_timeshare_check(const struct locox_timeshare *table);

/*
 The version of this library, such as "0.1.0"; `LOCOX_VERSION` is that of the header. Never null.
 */
const char *locox_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LOCOX_H */
