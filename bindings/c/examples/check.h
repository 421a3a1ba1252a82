/* What the examples share: CHECK, and whether the sizes of the header are those of the library. */
#ifndef CHECK_H
#define CHECK_H

#include "locox.h"

/* Says which line is wrong, and never returns; each program has its own. */
void failed(const char *file, int line, const char *what);

#define CHECK(condition) ((condition) ? (void)0 : failed(__FILE__, __LINE__, #condition))

/* What a macro says, as a function would: zero for what is out of range. */
static uint64_t words_of(uint64_t macro) { return macro == SIZE_MAX ? 0 : macro; }

/* What the header says of sizes suits the library; one without its feature `leaf-index` may need less, for
   timelines and the like. */
#ifdef WITHOUT_LEAF_INDEX
#define FITS >=
#define SUITS(macro, function) ((macro) >= (function))
#else
#define FITS ==
#define SUITS(macro, function) (words_of(macro) == (function))
#endif

static void check_dims(uint32_t dims) {
  CHECK(words_of(LOCOX_POOL_WORDS(BUDDY, dims)) == locox_pool_words(LOCOX_BUDDY, dims));
  CHECK(words_of(LOCOX_POOL_WORDS(GRAY_CODE, dims)) == locox_pool_words(LOCOX_GRAY_CODE, dims));
  CHECK(words_of(LOCOX_POOL_WORDS(FREE_LIST, dims)) == locox_pool_words(LOCOX_FREE_LIST, dims));
  CHECK(words_of(LOCOX_POOL_WORDS(FREE_LIST_PLAIN, dims)) == locox_pool_words(LOCOX_FREE_LIST_PLAIN, dims));
  CHECK(words_of(LOCOX_POOL_WORDS(COMPLETE, dims)) == locox_pool_words(LOCOX_COMPLETE, dims));
  CHECK(words_of(LOCOX_MESH_WORDS(BUDDY, dims)) == locox_mesh_words(LOCOX_BUDDY, dims));
  CHECK(words_of(LOCOX_MESH_WORDS(GRAY_CODE, dims)) == locox_mesh_words(LOCOX_GRAY_CODE, dims));
  CHECK(words_of(LOCOX_MESH_WORDS(FREE_LIST, dims)) == locox_mesh_words(LOCOX_FREE_LIST, dims));
  CHECK(words_of(LOCOX_MESH_WORDS(FREE_LIST_PLAIN, dims)) == locox_mesh_words(LOCOX_FREE_LIST_PLAIN, dims));
  CHECK(words_of(LOCOX_MESH_WORDS(COMPLETE, dims)) == locox_mesh_words(LOCOX_COMPLETE, dims));
  if (dims < 32) {
    size_t nodes = (size_t)1 << dims;
    CHECK(words_of(LOCOX_MANAGER_CUBE_WORDS(dims)) == locox_manager_words(nodes, LOCOX_MANAGER_SUBCUBES, 0));
    CHECK(words_of(LOCOX_MANAGER_CUBE_WORDS(dims)) == locox_manager_words(nodes, LOCOX_MANAGER_SUBCUBES, 1));
    CHECK(words_of(LOCOX_MANAGER_CUBE_SUMS(dims)) == locox_manager_sums(nodes, LOCOX_MANAGER_SUBCUBES));
    CHECK(LOCOX_MANAGER_WORDS(nodes) == locox_manager_words(nodes, LOCOX_MANAGER_ANY_NODES, 0));
    CHECK(LOCOX_MANAGER_PLACE_WORDS(nodes) == locox_manager_words(nodes, LOCOX_MANAGER_ANY_NODES, 1));
    CHECK(LOCOX_MANAGER_SUMS(nodes / 2) == locox_manager_sums(nodes / 2, LOCOX_MANAGER_ANY_NODES));
  }
}

/* The words of a mesh, of which its rings change nothing. */
static void check_grid(uint8_t x, uint8_t y, uint8_t z, uint8_t w) {
  locox_grid grid = {{0, 0, 0, 0}, 0};
  grid.sides[0] = x;
  grid.sides[1] = y;
  grid.sides[2] = z;
  grid.sides[3] = w;
  CHECK(words_of(LOCOX_GRID_WORDS(x, y, z, w)) == locox_grid_words(&grid));
  CHECK(words_of(LOCOX_BOX_QUEUE_WORDS(x, y, z, w)) == locox_box_queue_words(&grid));
}

/* Each order of axes, the largest machines and those beyond included. */
static void check_grids(void) {
  static const uint8_t sides[] = {0, 1, 2, 5, 16, 17, 63, 64, 65, 255};
  enum { SIDES = sizeof sides };
  uint32_t code;
  for (code = 0; code < SIDES * SIDES * SIDES * SIDES; code++) {
    check_grid(sides[code % SIDES], sides[code / SIDES % SIDES], sides[code / SIDES / SIDES % SIDES],
               sides[code / SIDES / SIDES / SIDES]);
  }
}

/* A machine of so many PEs with room for so many reservations or jobs. */
static void check_limits(uint32_t pes, uint32_t many) {
  CHECK(SUITS(LOCOX_TIMELINE_WORDS(pes, many), locox_timeline_words(pes, many)));
  CHECK(SUITS(LOCOX_PROFILE_WORDS(pes, many), locox_profile_words(pes, many)));
  CHECK(SUITS(LOCOX_BACKFILL_WORDS(pes, many), locox_backfill_words(pes, many)));
}

/* Every number around which something changes, the largest and those beyond included. */
static void check_capacities(void) {
  uint32_t pes_bit, many_bit, least = (uint32_t)-2;
  for (pes_bit = 0; pes_bit < 33; pes_bit++) {
    for (many_bit = 0; many_bit < 33; many_bit++) {
      uint32_t pes = (uint32_t)((uint64_t)1 << pes_bit), many = (uint32_t)((uint64_t)1 << many_bit), more;
      for (more = least; more != 3; more++) {
        check_limits(pes + more, many - 1);
        check_limits(pes + more, many);
        check_limits(pes - 1, many + more);
        check_limits(pes, many + more);
      }
    }
  }
  for (pes_bit = 1; pes_bit < 300; pes_bit += 37) {
    for (many_bit = 1; many_bit < 300; many_bit++) {
      check_limits(pes_bit, many_bit);
      check_limits(many_bit, pes_bit);
    }
  }
}

/* Of nodes of one class there may be fewer quantities in common than the macro has room for. */
static void check_nodes(uint32_t devices) {
  static const uint8_t class_of[5] = {0, 0, 0, 0, 0};
  static locox_amounts class_ = {{1, 2}};
  static locox_nodes nodes;
  class_.of[2] = devices;
  nodes.classes = &class_;
  nodes.class_count = 1;
  nodes.class_of = class_of;
  nodes.count = 5;
  nodes.common.of[7] = 1;
  nodes.parts = 0;
  CHECK(words_of(LOCOX_NODES_WORDS(5, devices ? 3 : 2, 0)) == locox_nodes_words(&nodes));
  nodes.device = 2;
  nodes.parts = 100;
  CHECK(words_of(LOCOX_NODES_WORDS(5, 3, devices)) == locox_nodes_words(&nodes));
}

/* The macros are constant expressions. */
enum { FEW = 3 };
struct constants {
  char nodes[LOCOX_NODES_WORDS(FEW, 3, 16)];
  char grid[LOCOX_GRID_WORDS(FEW, 4, 1, 1)], boxes[LOCOX_BOX_QUEUE_WORDS(FEW, 4, 1, 1) + LOCOX_BOX_QUEUE_ROWS(FEW, 1)];
  char pool[LOCOX_POOL_WORDS(FREE_LIST, FEW + 3)], mesh[LOCOX_MESH_WORDS(COMPLETE, 0)];
  char timeline[LOCOX_TIMELINE_WORDS(100, 20)], profile[LOCOX_PROFILE_WORDS(FEW, 1)];
  char manager[LOCOX_MANAGER_CUBE_WORDS(FEW) + LOCOX_MANAGER_WORDS(3) + LOCOX_MANAGER_INDEX(FEW, 2)];
  char room[LOCOX_MANAGER_PLACE_WORDS(FEW) + LOCOX_MANAGER_SUMS(FEW) + LOCOX_MANAGER_CUBE_SUMS(FEW)];
  char queue[LOCOX_BACKFILL_WORDS(3, 1000)], table[LOCOX_TIMESHARE_WORDS(FEW, 8)];
  char cluster[LOCOX_CLUSTER_WORDS(1, 1) + LOCOX_CLUSTER_MORE_WORDS(1, 2, 1)], set[LOCOX_SET_WORDS(65)], runs[LOCOX_EXPERIENCE_WORDS(1, 1, 1)];
};

static void check_sizes(void) {
  uint32_t row, column;
  for (row = 0; row < 27; row++) {
    check_dims(row);
  }
  check_dims((uint32_t)-1);
  check_capacities();
  check_grids();
  for (row = 0; row < 18; row++) {
    check_nodes(row);
  }
  for (row = 0; row <= 70; row++) {
    for (column = 0; column <= 9; column++) {
      CHECK(words_of(LOCOX_TIMESHARE_WORDS(row, column)) == locox_timeshare_words(row, column));
      CHECK(words_of(LOCOX_CLUSTER_WORDS(row, column)) == locox_cluster_words(row, column));
      CHECK(LOCOX_CLUSTER_MORE_WORDS(row, column, 0) == locox_cluster_more_words(row, (uint16_t)column, 0));
      CHECK(LOCOX_CLUSTER_MORE_WORDS(row, column, 1) == locox_cluster_more_words(row, (uint16_t)column, 1));
      CHECK(LOCOX_EXPERIENCE_WORDS(row, column, 3) - locox_experience_words(row, column, 3) <= 1);
    }
    CHECK(LOCOX_SET_WORDS(row) == locox_set_words(row));
    CHECK(LOCOX_BOX_QUEUE_ROWS(row, 3) == locox_box_queue_rows(row, 3));
  }
  CHECK(LOCOX_SET_WORDS(UINT32_MAX) == locox_set_words(UINT32_MAX));
  CHECK(sizeof(struct constants) > 0);
  CHECK(sizeof(locox_timeshare) FITS locox_size_of_timeshare());
  CHECK(sizeof(locox_shared_entry) FITS locox_size_of_shared_entry());
  CHECK(sizeof(locox_shared_host) FITS locox_size_of_shared_host());
  CHECK(sizeof(locox_shared_job) FITS locox_size_of_shared_job());
  CHECK(sizeof(locox_pool) FITS locox_size_of_pool());
  CHECK(sizeof(locox_mesh_pool) FITS locox_size_of_mesh_pool());
  CHECK(sizeof(locox_grid_pool) FITS locox_size_of_grid_pool());
  CHECK(sizeof(locox_slice_pool) FITS locox_size_of_slice_pool());
  CHECK(sizeof(locox_node_pool) FITS locox_size_of_node_pool());
  CHECK(sizeof(locox_node_lease_row) FITS locox_size_of_node_lease_row());
  CHECK(sizeof(locox_profile_row) FITS locox_size_of_profile_row());
  CHECK(sizeof(locox_timeline) FITS locox_size_of_timeline());
  CHECK(sizeof(locox_step) FITS locox_size_of_step());
  CHECK(sizeof(locox_profile) FITS locox_size_of_profile());
  CHECK(sizeof(locox_queue) FITS locox_size_of_queue());
  CHECK(sizeof(locox_queue_row) FITS locox_size_of_queue_row());
  CHECK(sizeof(locox_backfill_row) FITS locox_size_of_backfill_row());
  CHECK(sizeof(locox_box_queue) FITS locox_size_of_box_queue());
  CHECK(sizeof(locox_box_row) FITS locox_size_of_box_row());
  CHECK(sizeof(locox_user_row) FITS locox_size_of_user_row());
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
  CHECK(sizeof(locox_manager) FITS locox_size_of_manager());
  CHECK(sizeof(locox_manager_job_row) FITS locox_size_of_manager_job_row());
  CHECK(sizeof(locox_manager_user_row) FITS locox_size_of_manager_user_row());
  CHECK(sizeof(locox_manager_node_row) FITS locox_size_of_manager_node_row());
  CHECK(sizeof(locox_manager_plan_row) FITS locox_size_of_manager_plan_row());
  CHECK(sizeof(locox_manager_stake_row) FITS locox_size_of_manager_stake_row());
  CHECK(sizeof(locox_wide_counter) FITS locox_size_of_wide_counter());
}

#endif
