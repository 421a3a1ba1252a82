/* A C program that uses a pool, a timeline and a coordinator of workstations, on any host. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void failed(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  exit(1);
}

static void count(const locox_lease *lease, void *user) {
  (void)lease;
  ++*(int *)user;
}

/* A cube of 1024 nodes, with a node that fails under a lease. */
static void subcubes(void) {
  static locox_pool pool; /* zeros: not started */
  static size_t storage[LOCOX_POOL_WORDS(FREE_LIST, 10)];
  const size_t words = sizeof storage / sizeof *storage;
  const uint32_t node = 5;
  uint64_t detail = 0;
  locox_lease lease, other;
  locox_pool_stats figures;
  int hits = 0;

  CHECK(locox_pool_allocate(&pool, 3, &lease, &detail) == LOCOX_NOT_STARTED);
  CHECK(locox_pool_start_free_list(&pool, 1, 10, storage, words - 1, &detail) == LOCOX_TOO_SHORT);
  CHECK(detail == words);
  CHECK(locox_pool_start_free_list(&pool, 1, 10, storage, words, &detail) == LOCOX_OK);

  CHECK(locox_pool_allocate(&pool, 3, &lease, &detail) == LOCOX_OK);
  printf("8 nodes from %u on, mask %#x\n", (unsigned)lease.handle.index, (unsigned)lease.mask);
  CHECK(lease.handle.index == 0 && lease.mask == 7);
  CHECK(locox_pool_allocate(&pool, 10, &other, &detail) == LOCOX_TOO_FEW_FREE);
  CHECK(detail == 1016 && locox_is_refusal(LOCOX_TOO_FEW_FREE));
  CHECK(locox_pool_withdraw(&pool, &node, 1, LOCOX_FAILED, count, &hits, &detail) == LOCOX_OK);
  CHECK(hits == 1);
  CHECK(locox_pool_lease_at(&pool, node, &other) == LOCOX_OK);
  CHECK(memcmp(&lease, &other, sizeof lease) == 0);
  CHECK(locox_pool_release(&pool, &lease) == LOCOX_OK);
  CHECK(locox_pool_release(&pool, &lease) == LOCOX_STALE && !locox_is_refusal(LOCOX_STALE));
  CHECK(locox_pool_figures(&pool, &figures) == LOCOX_OK);
  CHECK(figures.free == 1023 && figures.out == 1 && figures.largest == 9);
  CHECK(locox_pool_repair(&pool, &node, 1, NULL) == LOCOX_OK);
  CHECK(locox_pool_would_fit(&pool, 10, NULL) == LOCOX_OK);
}

/* 64 PEs, reserved with deadlines. */
static void reservations(void) {
  static locox_timeline timeline;
  static size_t storage[LOCOX_TIMELINE_WORDS(64, 15)];
  const locox_request request = {0, 100, 150, 48, 0};
  locox_reservation first, second;
  locox_interval given_back;
  size_t pes[LOCOX_SET_WORDS(64)];
  uint64_t detail = 0;

  CHECK(locox_timeline_start(
            &timeline, 2, 64, 15, storage, sizeof storage / sizeof *storage, &detail) == LOCOX_OK);
  CHECK(locox_timeline_reserve(&timeline, &request, NULL, &first, &detail) == LOCOX_OK);
  printf("48 PEs from %u to %u\n", (unsigned)first.at.start, (unsigned)first.at.end);
  CHECK(first.at.start == 0 && first.at.end == 100);
  CHECK(locox_timeline_reserve(&timeline, &request, NULL, &second, &detail) == LOCOX_LATE);
  CHECK(detail == 200);
  CHECK(locox_timeline_pes_of(&timeline, &first.id, pes, LOCOX_SET_WORDS(64), NULL) == LOCOX_OK);
  CHECK(LOCOX_SET_HAS(pes, 47) && !LOCOX_SET_HAS(pes, 48));
  CHECK(locox_timeline_advance(&timeline, 60) == LOCOX_OK);
  CHECK(locox_timeline_cancel(&timeline, &first.id, &given_back) == LOCOX_OK);
  CHECK(given_back.start == 60 && given_back.end == 100);
  CHECK(locox_timeline_cancel(&timeline, &first.id, NULL) == LOCOX_STALE);
}

/* PEs of unlike speed, and a broker over two machines. */
static void reserve_on_machines(void) {
  static size_t small_words[LOCOX_TIMELINE_WORDS(8, 4)], large_words[LOCOX_TIMELINE_WORDS(16, 4)];
  static locox_timeline small, large;
  size_t fast[LOCOX_SET_WORDS(16)] = {0}, all[LOCOX_SET_WORDS(16)] = {0}, chosen = 9;
  uint32_t pe;
  locox_reservation held;
  locox_interval place;
  locox_request request = {.ready = 0, .duration = 10, .deadline = LOCOX_NEVER, .pes = 8};
  /* PEs 0 to 7 at 2 GHz, 8 to 15 at 1 GHz; durations are those at 1 GHz. */
  locox_speed speeds[2] = {{.speed = 2000, .pes = fast}, {.speed = 1000, .pes = all}};
  locox_speeds table = {.standard = 1000, .count = 2, .speeds = speeds, .words = LOCOX_SET_WORDS(16)};
  locox_machine machines[2] = {{.timeline = &small}, {.timeline = &large, .speeds = &table}};
  for (pe = 0; pe < 16; pe++) {
    if (pe < 8) LOCOX_SET_ADD(fast, pe);
    LOCOX_SET_ADD(all, pe);
  }
  CHECK(!locox_timeline_start(&small, 3, 8, 4, small_words, LOCOX_TIMELINE_WORDS(8, 4), NULL));
  CHECK(!locox_timeline_start(&large, 4, 16, 4, large_words, LOCOX_TIMELINE_WORDS(16, 4), NULL));
  CHECK(!locox_timeline_would_reserve(&large, &request, &table, NULL, &place, NULL));
  CHECK(place.start == 0 && place.end == 5);
  CHECK(!locox_reserve_on_one_of(machines, 2, &request, &chosen, &held, NULL));
  CHECK(chosen == 1 && held.at.end == 5);
  /* On the small one until 10, on the fast ones of the large one from 5 to 10: the first of equal ones. */
  CHECK(!locox_reserve_on_one_of(machines, 2, &request, &chosen, &held, NULL));
  CHECK(chosen == 0 && held.at.end == 10);
  CHECK(!locox_timeline_reserve_at_speeds(&large, &request, &table, NULL, &held, NULL));
  CHECK(held.at.start == 5 && held.at.end == 10);
  speeds[1].speed = 2000;
  CHECK(locox_timeline_reserve_at_speeds(&large, &request, &table, NULL, &held, NULL) == LOCOX_WRONG_SPEEDS);
}

/* Two workstations and a processor for both. */
static void workstations(void) {
  static locox_station station;
  static locox_demand_row demand[2];
  static locox_home_row homes[2];
  static locox_node_row nodes[3];
  static locox_job_row jobs[8];
  static locox_contender scratch[8];
  static locox_timed_row ranking[2];
  const locox_station_rows rows = {demand, homes, 2, nodes, 3, jobs, 8, scratch, 8};
  const uint64_t minute = 60, day = 24 * 60 * 60;
  locox_station_config config;
  locox_station_command command = {0, 0, {{0, 0, 0, 0}, 0}, 0, 0, 0};
  locox_station_effect effect;
  locox_job_status status;
  locox_handle job;
  uint64_t detail = 0;

  CHECK(locox_station_standard(minute, &config) == LOCOX_OK);
  CHECK(locox_station_start_timed(
            &station, &config, &rows, ranking, 2, NULL, day, 10 * minute, 0, &detail) == LOCOX_OK);
  command.kind = LOCOX_NODE_IDLE;
  command.node = 2;
  CHECK(locox_station_apply(&station, 1, NULL, &command, 0, NULL, NULL, &detail) == LOCOX_OK);
  command.kind = LOCOX_SUBMIT;
  command.node = 0;
  command.number = 1;
  CHECK(locox_station_apply(&station, 2, NULL, &command, 0, &job, NULL, &detail) == LOCOX_OK);
  CHECK(locox_station_job(&station, &job, &status) == LOCOX_OK);
  if (status.kind == LOCOX_JOB_WAITING) { /* not before the interval ends */
    uint64_t then;
    CHECK(locox_station_wake_at(&station, &then) == LOCOX_OK);
    command.kind = LOCOX_TICK;
    CHECK(locox_station_apply(&station, then, NULL, &command, 0, NULL, NULL, &detail) == LOCOX_OK);
  }
  do {
    CHECK(locox_station_take_effect(&station, &effect) == LOCOX_OK);
  } while (effect.kind == LOCOX_POLL);
  CHECK(effect.kind == LOCOX_PLACE && effect.node == 2 && effect.home == 0);
  printf("job %u goes to processor %u\n", (unsigned)job.index, (unsigned)effect.node);
  CHECK(locox_station_take_effect(&station, &effect) == LOCOX_NONE);
  CHECK(locox_station_job(&station, &job, &status) == LOCOX_OK);
  CHECK(status.kind == LOCOX_JOB_RUNNING && status.node == 2);
  command.kind = LOCOX_SUBMIT;
  command.number = 7;
  CHECK(locox_station_apply(&station, 1, NULL, &command, 0, &job, NULL, &detail) == LOCOX_PAST);
  CHECK(locox_station_apply(&station, 10000, NULL, &command, 0, &job, NULL, &detail) == LOCOX_WRONG_SERIAL);
  CHECK(detail == 2);
}

/* What calls back is busy until it returns, for calls that only look too. */
static void look_at_pool(const locox_lease *lease, void *user) {
  static size_t storage[LOCOX_POOL_WORDS(BUDDY, 2)];
  locox_pool *pool = user;
  uint32_t free_nodes = 77;
  CHECK(locox_pool_free(pool, &free_nodes) == LOCOX_REENTERED && free_nodes == 77);
  CHECK(locox_pool_leases(pool, look_at_pool, pool) == LOCOX_REENTERED);
  CHECK(locox_pool_release(pool, lease) == LOCOX_REENTERED);
  CHECK(locox_pool_start_buddy(pool, 1, 2, storage, sizeof storage / sizeof *storage, NULL) == LOCOX_REENTERED);
}

static void look_at_timeline(const locox_slot *slot, void *user) {
  uint32_t free_pes = 77;
  (void)slot;
  CHECK(locox_timeline_free_at(user, 0, &free_pes) == LOCOX_REENTERED && free_pes == 77);
}

static uint32_t look_at_queue(const locox_job *job, void *user) {
  locox_handle ticket;
  CHECK(locox_queue_push(user, 0, job, &ticket) == LOCOX_REENTERED);
  CHECK(locox_queue_check(user) == LOCOX_REENTERED);
  return 1;
}

static void callbacks(void) {
  static locox_pool pool;
  static size_t nodes[LOCOX_POOL_WORDS(BUDDY, 2)];
  static locox_timeline timeline;
  static size_t slots[LOCOX_TIMELINE_WORDS(10, 5)];
  static locox_queue queue;
  static locox_queue_row rows[2];
  const locox_job job = {1, 4, 10, 0};
  locox_job started;
  locox_lease lease;
  locox_handle ticket;

  CHECK(locox_pool_start_buddy(&pool, 1, 2, nodes, sizeof nodes / sizeof *nodes, NULL) == LOCOX_OK);
  CHECK(locox_pool_allocate(&pool, 1, &lease, NULL) == LOCOX_OK);
  CHECK(locox_pool_leases(&pool, look_at_pool, &pool) == LOCOX_OK);
  CHECK(locox_pool_release(&pool, &lease) == LOCOX_OK && locox_pool_check(&pool) == LOCOX_OK);

  CHECK(locox_timeline_start(&timeline, 2, 10, 5, slots, sizeof slots / sizeof *slots, NULL) == LOCOX_OK);
  CHECK(locox_timeline_slots(&timeline, look_at_timeline, &timeline) == LOCOX_OK);

  CHECK(locox_queue_start_fcfs(&queue, 3, rows, 2) == LOCOX_OK);
  CHECK(locox_queue_push(&queue, 0, &job, &ticket) == LOCOX_OK);
  CHECK(locox_queue_next(&queue, 0, look_at_queue, &queue, &ticket, &started) == LOCOX_OK && started.id == 1);
  CHECK(locox_queue_next(&queue, 0, look_at_queue, &queue, &ticket, &started) == LOCOX_NONE);
}

/* Users by the numbers of their jobs. A limit may not be looked at while it asks. */
struct users {
  locox_queue queue;
  uint32_t of[4];
  int asked;
};

static uint32_t user_of(uint32_t id, void *user) {
  struct users *users = user;
  size_t waiting = 77;
  CHECK(locox_queue_waiting(&users->queue, &waiting) == LOCOX_REENTERED && waiting == 77);
  CHECK(locox_queue_limit(&users->queue, 0, 1, user_of, users, NULL, 0, NULL) == LOCOX_REENTERED);
  users->asked++;
  return users->of[id];
}

static void limits(void) {
  static struct users users = {.of = {7, 7, 8, 7}};
  static locox_backfill_row rows[4];
  static locox_user_row user_rows[4];
  locox_handle tickets[4], started;
  locox_job job = {0, 1, 10, 0};
  uint64_t detail = 0;

  CHECK(locox_queue_limit(&users.queue, 0, 1, user_of, &users, user_rows, 4, NULL) == LOCOX_NOT_STARTED);
  CHECK(locox_queue_start_easy(&users.queue, 4, 16, 0, rows, 4) == LOCOX_OK);
  CHECK(locox_queue_limit(&users.queue, 0, 1, NULL, &users, user_rows, 4, NULL) == LOCOX_NULL);
  CHECK(locox_queue_limit(&users.queue, 0, 0, user_of, &users, user_rows, 4, NULL) == LOCOX_ZERO);
  CHECK(locox_queue_limit(&users.queue, 0, 1, user_of, &users, user_rows, 3, &detail) == LOCOX_TOO_SHORT && detail == 4);
  for (job.id = 0; job.id < 3; job.id++) {
    CHECK(locox_queue_push(&users.queue, 0, &job, &tickets[job.id]) == LOCOX_OK);
  }
  /* Jobs that are there already count. */
  CHECK(locox_queue_next(&users.queue, 0, NULL, NULL, &started, &job) == LOCOX_OK && job.id == 0);
  CHECK(locox_queue_limit(&users.queue, 0, 1, user_of, &users, user_rows, 4, NULL) == LOCOX_OK && users.asked == 3);
  job.id = 3;
  CHECK(locox_queue_push(&users.queue, 0, &job, &tickets[3]) == LOCOX_OK && users.asked == 4);
  /* User 7 has one that runs, so only user 8 starts another. */
  CHECK(locox_queue_next(&users.queue, 0, NULL, NULL, &started, &job) == LOCOX_OK && job.id == 2);
  CHECK(locox_queue_next(&users.queue, 0, NULL, NULL, &started, &job) == LOCOX_NONE);
  CHECK(locox_queue_finished(&users.queue, 5, &tickets[0], NULL) == LOCOX_OK);
  CHECK(locox_queue_next(&users.queue, 5, NULL, NULL, &started, &job) == LOCOX_OK && job.id == 1);
  CHECK(locox_queue_next(&users.queue, 5, NULL, NULL, &started, &job) == LOCOX_NONE);
  /* Another limit takes the place of the first one, in the same rows. */
  CHECK(locox_queue_limit(&users.queue, 5, 2, user_of, &users, user_rows, 4, NULL) == LOCOX_OK);
  CHECK(locox_queue_next(&users.queue, 5, NULL, NULL, &started, &job) == LOCOX_OK && job.id == 3);
  CHECK(locox_queue_check(&users.queue) == LOCOX_OK);
}

/* A torus of 4 x 4, of which the queue may not be looked at while it asks for the sides of a job. */
static void sides_of(uint32_t id, locox_sides *sides, void *user) {
  const locox_sides slab = {{2, 4, 1, 1}};
  size_t waiting = 77;
  CHECK(locox_box_queue_waiting(user, &waiting) == LOCOX_REENTERED && waiting == 77);
  if (id == 1) *sides = slab; /* others: any box */
}

static uint32_t start_in_box(const locox_placed_job *it, void *user) {
  uint64_t then;
  CHECK(locox_box_queue_wake_at(user, &then) == LOCOX_REENTERED);
  CHECK(locox_box_queue_check(user) == LOCOX_REENTERED);
  return it->job.id != 5;
}

/* A line of jobs, of which the first one is promised a time and a box. */
static void boxes_in_line(void) {
  static locox_box_queue queue;
  static uint64_t words[LOCOX_BOX_QUEUE_WORDS(4, 4, 1, 1)];
  static locox_box_row rows[LOCOX_BOX_QUEUE_ROWS(8, 1)];
  static locox_backfill_row jobs[8];
  const size_t most = sizeof words / sizeof *words, places = sizeof rows / sizeof *rows;
  const locox_grid torus = {{4, 4, 1, 1}, 3};
  const locox_box node = {0, {{1, 1, 1, 1}}}, beyond = {16, {{1, 1, 1, 1}}};
  const locox_interval repair = {50, 60};
  const locox_job line[] = {{1, 8, 40, 0}, {2, 16, 20, 0}, {3, 4, 80, 0}, {4, 4, 50, 0}, {5, 4, 10, 0}};
  const locox_request asked = {0, 10, 85, 16, 0};
  locox_handle tickets[5], ticket;
  locox_placed_job started;
  locox_interval at;
  locox_box place;
  uint64_t detail = 0;
  uint32_t later = 77;
  int job;

  CHECK(locox_box_queue_push(&queue, 0, line, &ticket, NULL) == LOCOX_NOT_STARTED);
  CHECK(locox_box_queue_start(&queue, 4, &torus, LOCOX_BOX_FIRST, NULL, 0, 1, sides_of, &queue, words, most - 1, rows,
                              places, jobs, 8, &detail) == LOCOX_TOO_SHORT && detail == most);
  CHECK(locox_box_queue_start(&queue, 4, &torus, LOCOX_BOX_FIRST, NULL, 0, 1, sides_of, &queue, words, most, rows,
                              places, jobs, 8, &detail) == LOCOX_OK);
  /* A node is to be repaired from 50 to 60. */
  CHECK(locox_box_queue_withdraw(&queue, 0, &beyond, &repair, &detail) == LOCOX_NO_SUCH_NODE && detail == 16);
  CHECK(locox_box_queue_withdraw(&queue, 0, &node, &repair, NULL) == LOCOX_OK);
  CHECK(locox_box_queue_withdraw(&queue, 0, &node, &repair, NULL) == LOCOX_FULL);
  for (job = 0; job < 5; job++) {
    CHECK(locox_box_queue_push(&queue, 0, &line[job], &tickets[job], NULL) == LOCOX_OK);
  }
  CHECK(locox_box_queue_next(&queue, 0, start_in_box, &queue, &ticket, &started) == LOCOX_OK && started.job.id == 1);
  CHECK(started.place.sides.sides[0] * started.place.sides.sides[1] == 8);
  CHECK(locox_box_queue_next(&queue, 0, start_in_box, &queue, &ticket, &started) == LOCOX_OK && started.job.id == 4);
  CHECK(locox_box_queue_next(&queue, 0, start_in_box, &queue, &ticket, &started) == LOCOX_NONE);
  CHECK(locox_box_queue_place(&queue, &ticket, &place) == LOCOX_OK);
  CHECK(memcmp(&place, &started.place, sizeof place) == 0);
  /* The whole torus is free at 50, but not for 20 ticks before the repair. */
  CHECK(locox_box_queue_planned(&queue, &tickets[1], &at) == LOCOX_OK && at.start == 60);
  CHECK(locox_box_queue_place(&queue, &tickets[2], &place) == LOCOX_NONE);
  CHECK(locox_box_queue_reserve(&queue, 0, 6, &asked, &ticket, &at, &detail) == LOCOX_LATE && detail == 90);
  CHECK(locox_box_queue_repair(&queue, 0, &node, NULL) == LOCOX_OK);
  CHECK(locox_box_queue_repair(&queue, 0, &node, NULL) == LOCOX_NONE);
  CHECK(locox_box_queue_planned(&queue, &tickets[1], &at) == LOCOX_OK && at.start == 50);
  CHECK(locox_box_queue_moved_later(&queue, LOCOX_LATER_OUTAGE, &later) == LOCOX_OK && later == 0);
  CHECK(locox_box_queue_check(&queue) == LOCOX_OK);
  printf("the whole torus is promised from %u to %u\n", (unsigned)at.start, (unsigned)at.end);
}

int main(void) {
  uint64_t all;
  check_sizes();
  subcubes();
  reservations();
  reserve_on_machines();
  workstations();
  callbacks();
  limits();
  boxes_in_line();
  CHECK(strcmp(locox_version(), LOCOX_VERSION) == 0);
  CHECK(strcmp(locox_status_str(LOCOX_STALE), "what the name stood for is over") == 0);
  CHECK(strcmp(locox_status_str(12345), "no status") == 0);
  all = scenario();
  printf("digest %08lx%08lx\n", (unsigned long)(all >> 32), (unsigned long)(all & 0xffffffff));
  return 0;
}
