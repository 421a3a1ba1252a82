/* What the examples share: CHECK, and whether the sizes of the header are those of the library. */
#ifndef CHECK_H
#define CHECK_H

#include "locox.h"

/* Says which line is wrong, and never returns; each program has its own. */
void failed(const char *file, int line, const char *what);

#define CHECK(condition) ((condition) ? (void)0 : failed(__FILE__, __LINE__, #condition))

#define BY_DIMS(table, strategy) \
  { table(strategy, 1), table(strategy, 2), table(strategy, 3), table(strategy, 4), \
    table(strategy, 5), table(strategy, 6), table(strategy, 7), table(strategy, 8), \
    table(strategy, 9), table(strategy, 10), table(strategy, 11), table(strategy, 12) }
#define BY_STRATEGY(table) \
  { BY_DIMS(table, BUDDY), BY_DIMS(table, GRAY_CODE), BY_DIMS(table, FREE_LIST), \
    BY_DIMS(table, FREE_LIST_PLAIN), BY_DIMS(table, COMPLETE) }
#define BY_RESERVATIONS(pes) \
  { LOCOX_TIMELINE_WORDS(pes, 7), LOCOX_TIMELINE_WORDS(pes, 15), LOCOX_TIMELINE_WORDS(pes, 31), \
    LOCOX_TIMELINE_WORDS(pes, 63), LOCOX_TIMELINE_WORDS(pes, 127), LOCOX_TIMELINE_WORDS(pes, 255) }
#define BY_COUNTS(pes) \
  { LOCOX_PROFILE_WORDS(pes, 7), LOCOX_PROFILE_WORDS(pes, 15), LOCOX_PROFILE_WORDS(pes, 31), \
    LOCOX_PROFILE_WORDS(pes, 63), LOCOX_PROFILE_WORDS(pes, 127), LOCOX_PROFILE_WORDS(pes, 255) }
#define BY_JOBS(pes) \
  { LOCOX_BACKFILL_WORDS(pes, 8), LOCOX_BACKFILL_WORDS(pes, 16), LOCOX_BACKFILL_WORDS(pes, 32), \
    LOCOX_BACKFILL_WORDS(pes, 64), LOCOX_BACKFILL_WORDS(pes, 128), LOCOX_BACKFILL_WORDS(pes, 256) }
#define BY_PES(row) \
  { row(8), row(16), row(32), row(64), row(128), row(256), row(512), row(1024) }

/* What the header says of sizes suits the library; one without its feature `leaf-index` may need less. */
#ifdef WITHOUT_LEAF_INDEX
#define FITS >=
#else
#define FITS ==
#endif

static void check_sizes(void) {
  static const size_t pools[5][12] = BY_STRATEGY(LOCOX_POOL_WORDS);
  static const size_t meshes[5][12] = BY_STRATEGY(LOCOX_MESH_WORDS);
  static const size_t timelines[8][6] = BY_PES(BY_RESERVATIONS);
  static const size_t profiles[8][6] = BY_PES(BY_COUNTS);
  static const size_t queues[8][6] = BY_PES(BY_JOBS);
  uint32_t row, column;
  for (row = 0; row < 5; row++) {
    for (column = 0; column < 12; column++) {
      CHECK(pools[row][column] FITS locox_pool_words(row, column + 1));
      CHECK(meshes[row][column] FITS locox_mesh_words(row, column + 1));
    }
  }
  for (row = 0; row < 8; row++) {
    for (column = 0; column < 6; column++) {
      CHECK(timelines[row][column] FITS locox_timeline_words(8u << row, (8u << column) - 1));
      CHECK(profiles[row][column] FITS locox_profile_words(8u << row, (8u << column) - 1));
      CHECK(queues[row][column] FITS locox_backfill_words(8u << row, 8u << column));
    }
  }
  for (row = 1; row <= 70; row++) {
    for (column = 1; column <= 8; column++) {
      CHECK(LOCOX_TIMESHARE_WORDS(row, column) FITS locox_timeshare_words(row, column));
      CHECK(LOCOX_CLUSTER_WORDS(row, column) FITS locox_cluster_words(row, column));
    }
  }
  CHECK(sizeof(locox_timeshare) FITS locox_size_of_timeshare());
  CHECK(sizeof(locox_shared_entry) FITS locox_size_of_shared_entry());
  CHECK(sizeof(locox_shared_host) FITS locox_size_of_shared_host());
  CHECK(sizeof(locox_shared_job) FITS locox_size_of_shared_job());
  CHECK(sizeof(locox_pool) FITS locox_size_of_pool());
  CHECK(sizeof(locox_mesh_pool) FITS locox_size_of_mesh_pool());
  CHECK(sizeof(locox_timeline) FITS locox_size_of_timeline());
  CHECK(sizeof(locox_step) FITS locox_size_of_step());
  CHECK(sizeof(locox_profile) FITS locox_size_of_profile());
  CHECK(sizeof(locox_queue) FITS locox_size_of_queue());
  CHECK(sizeof(locox_queue_row) FITS locox_size_of_queue_row());
  CHECK(sizeof(locox_backfill_row) FITS locox_size_of_backfill_row());
  CHECK(sizeof(locox_ranking) FITS locox_size_of_ranking());
  CHECK(sizeof(locox_demand) == 4);
  CHECK(sizeof(locox_station) FITS locox_size_of_station());
  CHECK(sizeof(locox_demand_row) FITS locox_size_of_demand_row());
  CHECK(sizeof(locox_home_row) FITS locox_size_of_home_row());
  CHECK(sizeof(locox_node_row) FITS locox_size_of_node_row());
  CHECK(sizeof(locox_job_row) FITS locox_size_of_job_row());
  CHECK(sizeof(locox_contender) FITS locox_size_of_contender());
  CHECK(sizeof(locox_timed_row) FITS locox_size_of_timed_row());
  CHECK(sizeof(locox_cluster_row) FITS locox_size_of_cluster_row());
  CHECK(sizeof(locox_unplaced_row) FITS locox_size_of_unplaced_row());
  CHECK(sizeof(locox_mapped_row) FITS locox_size_of_mapped_row());
  CHECK(sizeof(locox_experience) FITS locox_size_of_experience());
  CHECK(sizeof(locox_cluster) FITS locox_size_of_cluster());
  CHECK(sizeof(locox_cluster_job) FITS locox_size_of_cluster_job());
  CHECK(sizeof(locox_host) FITS locox_size_of_host());
  CHECK(sizeof(locox_site) FITS locox_size_of_site());
  CHECK(sizeof(locox_site_job) FITS locox_size_of_site_job());
  CHECK(sizeof(locox_site_machine) FITS locox_size_of_site_machine());
  CHECK(sizeof(locox_site_user) FITS locox_size_of_site_user());
  CHECK(sizeof(locox_site_queue) FITS locox_size_of_site_queue());
  CHECK(sizeof(locox_running_row) FITS locox_size_of_running_row());
  CHECK(sizeof(locox_owner) FITS locox_size_of_owner());
  CHECK(sizeof(locox_guest) FITS locox_size_of_guest());
  CHECK(LOCOX_SET_WORDS(1000) FITS locox_set_words(1000));
}

#endif
