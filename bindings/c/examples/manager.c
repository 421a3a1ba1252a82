/*
 * A tiny resource manager that starts what locox decides. It looks at its jobs every so often, tells what has
 * changed, says LOCOX_MANAGER_DECIDE once, and does what it is told. Each record is kept before an effect is taken, so
 * that after a crash all is as it was.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS 8
#define USERS 4
#define NODES 10
#define RECORDS 64

void failed(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  exit(1);
}

/* What the resource manager knows of a job. */
enum state { ABSENT, PENDING, RUNNING };
struct job {
  enum state state, told;
  uint32_t user, nodes;
  uint64_t limit, length, ends;
};
static struct job jobs[JOBS];

/* Ours: the coordinator, and what lies on the disk. */
static locox_manager manager; /* zeros: not started */
static locox_record records[RECORDS];
static size_t kept;

static void start(void) {
  static locox_backfill_row entries[JOBS];
  static locox_manager_job_row rows_of_jobs[JOBS];
  static locox_manager_user_row rows_of_users[USERS];
  static locox_timed_row ranks[USERS];
  static locox_manager_node_row rows_of_nodes[NODES];
  static uint32_t index[LOCOX_MANAGER_INDEX(JOBS, USERS)];
  static size_t words[LOCOX_MANAGER_WORDS(NODES)];
  const locox_manager_rows rows = {
      .entries = entries, .jobs = rows_of_jobs, .job_count = JOBS,
      .users = rows_of_users, .ranks = ranks, .user_count = USERS,
      .nodes = rows_of_nodes, .node_count = NODES,
      .index = index, .index_count = LOCOX_MANAGER_INDEX(JOBS, USERS),
      .words = words, .word_count = LOCOX_MANAGER_WORDS(NODES)};
  locox_manager_config config;
  CHECK(locox_manager_standard(60, &config) == LOCOX_OK);
  CHECK(locox_manager_start(&manager, &config, &rows, 0, NULL) == LOCOX_OK);
}

static locox_key key_of(size_t job) {
  const locox_key key = {.id = job, .born = 7};
  return key;
}

static void tell(uint64_t now, locox_manager_command command) {
  uint64_t detail = 0;
  CHECK(kept < RECORDS);
  CHECK(locox_manager_apply(&manager, now, &command, &records[kept++], &detail) == LOCOX_OK);
}

/* The nodes of a job, which need not follow each other. */
struct ranges {
  size_t count;
  locox_node_range of[NODES];
};

static void keep_range(const locox_node_range *range, void *user) {
  struct ranges *ranges = user;
  CHECK(locox_manager_check(&manager) == LOCOX_REENTERED);
  CHECK(ranges->count < NODES);
  ranges->of[ranges->count++] = *range;
}

static struct ranges nodes_of(locox_key key) {
  struct ranges ranges = {0};
  CHECK(locox_manager_nodes(&manager, &key, keep_range, &ranges) == LOCOX_OK);
  return ranges;
}

static void act(uint64_t now) {
  locox_manager_effect effect;
  struct ranges ranges;
  size_t at;
  while (locox_manager_take_effect(&manager, &effect) == LOCOX_OK) {
    struct job *job = &jobs[effect.key.id];
    switch (effect.kind) {
      case LOCOX_MANAGER_START:
        if (job->state != PENDING) break; /* it runs already: told again after a crash */
        printf("%3u: start job %u on %u nodes:", (unsigned)now, (unsigned)effect.key.id, (unsigned)effect.nodes);
        ranges = nodes_of(effect.key);
        for (at = 0; at < ranges.count; at++) {
          printf(" %u to %u", (unsigned)ranges.of[at].first, (unsigned)(ranges.of[at].first + ranges.of[at].nodes - 1));
        }
        printf("\n");
        job->state = RUNNING;
        job->ends = now + job->length;
        break;
      case LOCOX_MANAGER_PROMISE:
        printf("%3u: job %u starts at %u at the latest\n", (unsigned)now, (unsigned)effect.key.id, (unsigned)effect.from);
        break;
      case LOCOX_MANAGER_NEVER:
        printf("%3u: job %u waits for ever: there are %u nodes\n", (unsigned)now, (unsigned)effect.key.id,
               (unsigned)effect.nodes);
        break;
      default:
        CHECK(!"nobody is stopped here, and no job has a deadline");
    }
  }
}

/* A job runs where it was decided: the first range, and then each other one. */
static void tell_runs(uint64_t now, locox_key key, uint64_t since) {
  const struct ranges ranges = nodes_of(key);
  locox_manager_command command = {.kind = LOCOX_MANAGER_RUNS, .key = key, .time = since};
  size_t at;
  for (at = 0; at < ranges.count; at++) {
    command.first = ranges.of[at].first;
    command.nodes = ranges.of[at].nodes;
    tell(now, command);
    command.kind = LOCOX_MANAGER_RUNS_ALSO;
  }
}

/* What has changed since the last look, then one decision. */
static void look(uint64_t now) {
  const locox_manager_command decide = {.kind = LOCOX_MANAGER_DECIDE};
  size_t at;
  for (at = 0; at < JOBS; at++) {
    struct job *job = &jobs[at];
    const locox_key key = key_of(at);
    const locox_manager_command seen = {
        .kind = LOCOX_MANAGER_SEEN, .key = key, .user = job->user, .nodes = job->nodes, .time = job->limit};
    const locox_manager_command left = {.kind = LOCOX_MANAGER_LEFT, .key = key};
    if (job->state == RUNNING && job->ends <= now) job->state = ABSENT;
    if (job->state == job->told) continue;
    if (job->state == PENDING) tell(now, seen);
    if (job->state == RUNNING) tell_runs(now, key, job->ends - job->length);
    if (job->state == ABSENT) tell(now, left);
    job->told = job->state;
  }
  tell(now, decide);
  act(now);
}

/* All in memory is gone. The records are on the disk, and the jobs are where they were. */
static void crash(uint64_t now) {
  static uint32_t before[4096], after[4096];
  size_t words = 0, same = 0, at;
  uint32_t is_new = 0;
  CHECK(locox_manager_export(&manager, before, 4096, &words, NULL) == LOCOX_OK);
  memset(&manager, 0, sizeof manager);
  start();
  for (at = 0; at < kept; at++) {
    CHECK(locox_manager_replay(&manager, &records[at], NULL, NULL, &is_new, NULL) == LOCOX_OK && is_new == 1);
  }
  CHECK(kept < RECORDS && locox_manager_resync(&manager, &records[kept++]) == LOCOX_OK);
  act(now);
  CHECK(locox_manager_check(&manager) == LOCOX_OK);
  CHECK(locox_manager_export(&manager, after, 4096, &same, NULL) == LOCOX_OK && same == words);
  printf("%3u: after a crash all is as it was\n", (unsigned)now);
}

static void submit(size_t at, uint32_t user, uint32_t nodes, uint64_t limit, uint64_t length) {
  const struct job job = {PENDING, ABSENT, user, nodes, limit, length, 0};
  jobs[at] = job;
}

int main(void) {
  locox_key key;
  locox_managed_job job;
  locox_managed_node node;
  locox_manager_reason reason;
  locox_interval planned;
  uint32_t ahead = 9, known = 9, free_nodes = 9;
  static locox_profile scratch;
  static size_t words[LOCOX_PROFILE_WORDS(NODES, JOBS)];

  (void)check_sizes; /* see host.c */
  start();
  submit(1, 1000, 6, 3600, 20);
  submit(2, 1000, 8, 3600, 20);
  submit(3, 1000, 2, 3600, 50);
  submit(4, 1001, 12, 3600, 1);
  look(5);
  CHECK(jobs[1].state == RUNNING && jobs[2].state == PENDING && jobs[3].state == RUNNING);

  /* Why does job 2 wait, and until when? */
  key = key_of(2);
  CHECK(locox_manager_reason_of(&manager, &key, &reason) == LOCOX_OK);
  CHECK(reason.kind == LOCOX_MANAGER_WHY_TOO_FEW_FREE && reason.nodes == 2);
  CHECK(locox_manager_ahead(&manager, &key, &ahead) == LOCOX_OK && ahead == 0);
  CHECK(locox_profile_start(&scratch, 1, NODES, JOBS, words, LOCOX_PROFILE_WORDS(NODES, JOBS), NULL) == LOCOX_OK);
  CHECK(locox_manager_estimate(&manager, &key, &scratch, &planned) == LOCOX_OK && planned.start == 3605);
  CHECK(locox_manager_count(&manager, &known, &free_nodes) == LOCOX_OK && known == 4 && free_nodes == 2);

  look(10); /* both run: told as facts */
  CHECK(locox_manager_job(&manager, &key, &job) == LOCOX_OK && job.status == LOCOX_MANAGED_WAITING);
  key = key_of(1);
  CHECK(locox_manager_job(&manager, &key, &job) == LOCOX_OK && job.status == LOCOX_MANAGED_RUNNING && job.since == 5);
  CHECK(locox_manager_node(&manager, 0, &node, NULL) == LOCOX_OK && node.has_job && node.key.id == 1);
  crash(12);
  look(30); /* job 1 has ended */
  CHECK(jobs[2].state == RUNNING);
  CHECK(nodes_of(key_of(2)).count == 2); /* around job 3 */
  look(45);
  CHECK(locox_manager_node(&manager, 9, &node, NULL) == LOCOX_OK && node.has_job && node.key.id == 2);
  look(60);
  look(70);
  for (ahead = 1; ahead < 4; ahead++) CHECK(jobs[ahead].state == ABSENT);
  CHECK(locox_manager_count(&manager, &known, &free_nodes) == LOCOX_OK && known == 1 && free_nodes == NODES);
  key = key_of(2);
  CHECK(locox_manager_job(&manager, &key, &job) == LOCOX_NO_SUCH_JOB);
  return 0;
}
