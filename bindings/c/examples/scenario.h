/* A few thousand pseudo-random calls of pools, a timeline, a queue and a coordinator, all in static
   storage, and a digest of all answers: the same on every target. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "check.h"

enum { LIVE = 16, STATIONS = 8, PROCESSORS = 12, JOBS = 32 };

static uint64_t digest = 14695981039346656037u;
static uint32_t random_state = 1;

static void note(uint64_t number) {
  int byte;
  for (byte = 0; byte < 8; byte++) {
    digest = (digest ^ (number >> (8 * byte) & 255)) * 1099511628211u;
  }
}

static uint32_t below(uint32_t bound) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % bound;
}

static void use_pool(void) {
  static locox_pool pool;
  static size_t storage[LOCOX_POOL_WORDS(FREE_LIST, 7)];
  static locox_lease live[LIVE];
  int step;
  CHECK(!locox_pool_start_free_list(&pool, 1, 7, storage, sizeof storage / sizeof *storage, NULL));
  for (step = 0; step < 1000; step++) {
    uint64_t detail = 0;
    locox_lease *lease = &live[below(LIVE)];
    if (below(2)) {
      locox_lease new_one;
      locox_status status = locox_pool_allocate(&pool, below(6), &new_one, &detail);
      note((uint64_t)status);
      note(detail);
      if (status == LOCOX_OK) {
        locox_pool_release(&pool, lease);
        *lease = new_one;
        note(new_one.handle.index);
        note(new_one.mask);
      }
    } else {
      note((uint64_t)locox_pool_release(&pool, lease));
    }
  }
  CHECK(locox_pool_check(&pool) == LOCOX_OK);
}

/* Boxes in a torus of 4x4x4 whose sides are asked for in any rotation, and now and then moves that make room. */
static void use_grid(void) {
  static const locox_grid torus = {{4, 4, 4, 1}, 7};
  static locox_grid_pool pool;
  static uint64_t storage[LOCOX_GRID_WORDS(4, 4, 4, 1)];
  static uint32_t scratch[64];
  static locox_box_lease live[LIVE];
  int step;
  CHECK(!locox_grid_start(
      &pool, 4, &torus, LOCOX_BOX_CORNER, NULL, 0, storage, sizeof storage / sizeof *storage, NULL));
  for (step = 0; step < 300; step++) {
    uint64_t detail = 0;
    locox_box_lease *lease = &live[below(LIVE)];
    locox_sides sides = {{1, 1, 1, 1}};
    locox_box_request request = {LOCOX_BOX_TURNED, 0, NULL, 1};
    request.shapes = &sides;
    sides.sides[0] = (uint8_t)(1 + below(4));
    sides.sides[1] = (uint8_t)(1 + below(3));
    if (below(2)) {
      locox_box_lease new_one;
      locox_status status = locox_grid_allocate(&pool, &request, &new_one, &detail);
      note((uint64_t)status);
      note(detail);
      if (status == LOCOX_OK) {
        locox_grid_release(&pool, lease);
        *lease = new_one;
        note(new_one.handle.index);
        note(new_one.sides.sides[0]);
      } else if (status == LOCOX_FRAGMENTED) {
        locox_box_move moves[LOCOX_MOVES_MOST];
        size_t count = 0;
        note((uint64_t)locox_grid_defragment(&pool, &request, 2, 200, scratch, 64, moves, &count, NULL));
        note(count);
      }
    } else {
      note((uint64_t)locox_grid_release(&pool, lease));
    }
  }
  CHECK(locox_grid_check(&pool) == LOCOX_OK);
}

/* Slices of an accelerator, one of which fails in between. */
static void use_slices(void) {
  static locox_slice_pool pool;
  static locox_slice_lease live[4];
  uint64_t detail = 0;
  int step;
  CHECK(!locox_slices_start(&pool, 5, LOCOX_A100));
  for (step = 0; step < 1000; step++) {
    locox_slice_lease *lease = &live[below(4)];
    if (step == 500) {
      CHECK(!locox_slices_withdraw(&pool, 1, LOCOX_FAILED, NULL, NULL, NULL));
    }
    if (below(2)) {
      locox_slice_lease new_one;
      if (locox_slices_allocate(&pool, below(5), &new_one, &detail) == LOCOX_OK) {
        locox_slices_release(&pool, lease);
        *lease = new_one;
        note(new_one.slices);
      }
      note(detail);
    } else {
      note((uint64_t)locox_slices_release(&pool, lease));
    }
  }
  CHECK(locox_slices_check(&pool) == LOCOX_OK);
}

/* Three nodes that are shared, one of them with four devices of which jobs have parts, and one that is away in between. */
static void use_nodes(void) {
  static const locox_amounts classes[2] = {{{8, 32}}, {{4, 64, 4}}};
  static const uint8_t class_of[3] = {0, 0, 1};
  static const uint32_t away = 1;
  static locox_node_pool pool;
  static uint32_t words[LOCOX_NODES_WORDS(3, 3, 4)];
  static locox_node_lease_row rows[LIVE];
  static locox_handle live[LIVE];
  static locox_nodes nodes;
  static locox_node_request request;
  uint64_t detail = 0;
  int step;
  nodes.classes = classes;
  nodes.class_count = 2;
  nodes.class_of = class_of;
  nodes.count = 3;
  nodes.placement = LOCOX_NODES_FEWEST;
  nodes.device = nodes.keep = 2;
  nodes.parts = 10;
  CHECK(!locox_nodes_start(&pool, 6, &nodes, words, sizeof words / sizeof *words, rows, LIVE, NULL));
  for (step = 0; step < 600; step++) {
    locox_handle *lease = &live[below(LIVE)];
    if (step == 200) {
      CHECK(!locox_nodes_withdraw(&pool, &away, 1, LOCOX_DRAINED, NULL, NULL, NULL));
    }
    if (step == 400) {
      CHECK(!locox_nodes_repair(&pool, &away, 1, NULL));
    }
    if (below(2)) {
      locox_node_lease new_one;
      locox_status status;
      request.kind = below(3);
      request.count = 1 + below(4);
      request.amounts.of[0] = 1 + below(3);
      request.amounts.of[1] = below(16);
      request.amounts.of[2] = below(2);
      CHECK(!locox_nodes_learn(&pool, &request));
      status = locox_nodes_allocate(&pool, &request, &new_one, &detail);
      note((uint64_t)status);
      note(detail);
      if (status == LOCOX_OK) {
        locox_nodes_release(&pool, lease);
        *lease = new_one.handle;
        note(new_one.node);
        note(new_one.nodes);
        note(new_one.device);
      }
    } else {
      note((uint64_t)locox_nodes_release(&pool, lease));
    }
  }
  CHECK(locox_nodes_check(&pool) == LOCOX_OK);
}

static void use_timeline(void) {
  static locox_timeline timeline;
  static size_t storage[LOCOX_TIMELINE_WORDS(64, 31)];
  static locox_reservation live[LIVE];
  uint64_t now = 0;
  int step;
  CHECK(!locox_timeline_start(&timeline, 2, 64, 31, storage, sizeof storage / sizeof *storage, NULL));
  for (step = 0; step < 1000; step++) {
    uint64_t detail = 0;
    locox_reservation *known = &live[below(LIVE)];
    now += below(4);
    note((uint64_t)locox_timeline_advance(&timeline, now));
    if (below(3)) {
      locox_request request = {0, 0, LOCOX_NEVER, 0, 0};
      locox_choice choice = {0, 0, NULL, NULL, 0};
      request.ready = now + below(20);
      request.duration = 1 + below(30);
      request.pes = 1 + below(64);
      request.deadline = request.ready + request.duration + below(60);
      choice.fit = below(7);
      note((uint64_t)locox_timeline_reserve(&timeline, &request, &choice, known, &detail));
      note(known->at.start);
    } else {
      note((uint64_t)locox_timeline_cancel(&timeline, &known->id, NULL));
    }
    note(detail);
  }
  CHECK(locox_timeline_check(&timeline) == LOCOX_OK);
}

static void use_queue(void) {
  static locox_queue queue;
  static locox_backfill_row rows[16];
  static locox_handle tickets[16];
  uint64_t now = 0;
  int step;
  CHECK(!locox_queue_start_easy(&queue, 3, 32, 0, rows, 16));
  for (step = 0; step < 1000; step++) {
    locox_job job = {0, 0, 0, 0};
    locox_handle ticket;
    now += below(5);
    job.id = (uint32_t)step;
    job.pes = 1 + below(32);
    job.requested = 1 + below(40);
    note((uint64_t)locox_queue_push(&queue, now, &job, &tickets[below(16)]));
    while (locox_queue_next(&queue, now, NULL, NULL, &ticket, &job) == LOCOX_OK) {
      note(job.id);
      tickets[below(16)] = ticket;
    }
    note((uint64_t)locox_queue_finished(&queue, now, &tickets[below(16)], NULL));
    note((uint64_t)locox_queue_finished(&queue, now, &tickets[below(16)], NULL));
  }
  CHECK(locox_queue_check(&queue) == LOCOX_OK);
}

static void use_station(void) {
  static locox_station station;
  static locox_demand_row demand[STATIONS];
  static locox_home_row homes[STATIONS];
  static locox_node_row nodes[PROCESSORS];
  static locox_job_row jobs[JOBS];
  static locox_contender scratch[8];
  static locox_timed_row ranking[STATIONS];
  static locox_run runs[LIVE];
  static uint32_t serials[STATIONS];
  const locox_station_rows rows = {demand, homes, STATIONS, nodes, PROCESSORS, jobs, JOBS, scratch, 8};
  locox_station_config config;
  uint64_t now = 0;
  int step;
  CHECK(locox_station_standard(60, &config) == LOCOX_OK);
  CHECK(!locox_station_start_timed(
      &station, &config, &rows, ranking, STATIONS, NULL, 86400, 600, 0, NULL));
  for (step = 0; step < 1000; step++) {
    locox_station_command command = {0, 0, {{0, 0, 0, 0}, 0}, 0, 0, 0};
    locox_station_effect effect;
    locox_handle job = {0, 0, 0, 0};
    uint64_t detail = 0;
    now += below(120);
    command.kind = below(10);
    command.node = below(command.kind == LOCOX_NODE_IDLE ? PROCESSORS : STATIONS);
    command.run = runs[below(LIVE)];
    command.number = command.kind == LOCOX_SUBMIT ? serials[command.node] + 1 : below(100);
    if (locox_station_apply(&station, now, NULL, &command, 0, &job, NULL, &detail) == LOCOX_OK &&
        command.kind == LOCOX_SUBMIT) {
      serials[command.node]++;
    }
    note(job.index);
    note(job.generation);
    note(detail);
    while (locox_station_take_effect(&station, &effect) == LOCOX_OK) {
      note(effect.kind);
      note(effect.node);
      note(effect.run.attempt);
      note(effect.begins);
      if (effect.kind == LOCOX_PLACE || effect.kind == LOCOX_RESUME) {
        runs[below(LIVE)] = effect.run;
      }
    }
  }
  CHECK(locox_station_check(&station) == LOCOX_OK);
}

static void use_profile(void) {
  static locox_profile profile;
  static size_t storage[LOCOX_PROFILE_WORDS(64, 31)];
  static locox_reservation live[LIVE];
  uint64_t now = 0;
  int step;
  CHECK(!locox_profile_start(&profile, 4, 64, 31, storage, sizeof storage / sizeof *storage, NULL));
  for (step = 0; step < 300; step++) {
    locox_request request = {0, 0, LOCOX_NEVER, 0, 0};
    locox_reservation *known = &live[below(LIVE)];
    now += below(4);
    note((uint64_t)locox_profile_advance(&profile, now));
    note((uint64_t)locox_profile_cancel(&profile, &known->id, NULL));
    request.ready = now + below(20);
    request.duration = 1 + below(30);
    request.pes = 1 + below(64);
    note((uint64_t)locox_profile_reserve(&profile, &request, below(7), known, NULL));
    note(known->at.start);
  }
  CHECK(locox_profile_check(&profile) == LOCOX_OK);
}

static void note_decision(const locox_decision *decision, void *user) {
  (void)user;
  note(decision->to);
  note(decision->from);
  note(decision->reason);
}

/* The printed table, moved and asked each interval. */
static void use_ranking(void) {
  static locox_ranking ranking;
  static int32_t indices[STATIONS];
  static locox_contender scratch[8];
  int step, station;
  CHECK(!locox_ranking_start_updown(&ranking, indices, STATIONS, 2560, 0, NULL));
  for (step = 0; step < 100; step++) {
    locox_demand demand[STATIONS];
    int64_t index = 0;
    for (station = 0; station < STATIONS; station++) {
      demand[station].wants = (uint16_t)below(3);
      demand[station].holds = (uint16_t)below(3);
    }
    note((uint64_t)locox_ranking_update(&ranking, demand, STATIONS, NULL));
    note((uint64_t)locox_ranking_round(
        &ranking, demand, STATIONS, 20, below(4), 0, scratch, 8, note_decision, NULL, NULL));
    note((uint64_t)locox_ranking_index(&ranking, below(STATIONS), &index));
    note((uint64_t)index);
  }
}

/* Four jobs on two machines, and on both as a cluster; the site of use_site as well. */
static const uint32_t members[2] = {0, 1};
static const locox_machine_cluster pair[1] = {{members, 2, 2, LOCOX_NOBODY, 0}};
static const uint64_t times[6] = {90, 100, 30, 80, 70, 60};

static void use_mapping(void) {
  static locox_unplaced_row unplaced[4];
  static locox_mapped_row placements[3 * 4];
  static uint64_t instants[4 * 2];
  static locox_cluster_row clusters[1];
  static const locox_map_workspace workspace = {unplaced, 4, placements, 12, instants, 8, clusters, 1};
  const uint32_t row_of[4] = {0, 1, 1, 0};
  const uint64_t free_from[2] = {0, 5};
  const locox_problem problem = {0, 2, pair, 1, 4, row_of, times, 2, free_from, NULL, 0};
  uint32_t mapper;
  for (mapper = LOCOX_MAP_PJS; mapper <= LOCOX_MAP_SUFFERAGE; mapper++) {
    locox_mapped mapped[4];
    uint64_t merit = 0;
    int job;
    CHECK(!locox_map(&problem, mapper, LOCOX_BEST_COMPLETION, NULL, &workspace, mapped, &merit, NULL));
    note(merit);
    for (job = 0; job < 4; job++) {
      note(mapped[job].resource);
      note(mapped[job].start);
    }
  }
}

/* A site whose history is kept, and which goes on from it. */
static void use_site(void) {
  enum { MOST = 8, KEPT = 64 };
  static locox_site site;
  static locox_site_job jobs[MOST];
  static locox_unplaced_row unplaced[MOST];
  static locox_mapped_row placements[3 * MOST];
  static locox_running_row running[MOST];
  static uint32_t numbers[2 * MOST], next[2], down[1];
  static uint8_t levels[MOST];
  static locox_site_user users[1];
  static locox_site_queue queues[1];
  static locox_site_machine machines[2];
  static uint64_t instants[5 * 2], expected[6];
  static locox_cluster_row clusters[1];
  static locox_record kept[KEPT];
  static uint32_t image[256];
  static const uint32_t kinds[] = {LOCOX_SITE_TICK, LOCOX_SITE_SUBMIT, LOCOX_SITE_FINISHED, LOCOX_SITE_VACATED};
  const locox_site_model known = {2, pair, 1, times, 2, NULL};
  const locox_site_rows rows = {jobs, unplaced, placements, running, numbers, levels, MOST,
                                users, 1, queues, 1, machines, next, instants, 2,
                                clusters, down, 1, expected, 6, NULL, 0};
  locox_site_config config;
  locox_site_command command = {0};
  locox_site_effect effect;
  locox_place before, after;
  locox_run last = {{0, 0, 0, 0}, 0};
  size_t words = 0;
  uint64_t now = 0;
  uint32_t serial = 0;
  int step, count = 0;
  CHECK(locox_site_standard(10, &config) == LOCOX_OK);
  CHECK(locox_site_start(&site, &config, &known, &rows, 0, NULL) == LOCOX_OK);
  CHECK(locox_site_export(&site, image, 256, &words, NULL) == LOCOX_OK);
  for (step = 0; step < KEPT; step++) {
    now += below(8);
    command.kind = step < 2 ? LOCOX_SITE_MACHINE_BACK : kinds[below(4)];
    command.machine = (uint32_t)step;
    command.number = command.kind == LOCOX_SITE_SUBMIT ? serial + 1 : 1;
    command.job_class = below(2);
    command.run = last;
    command.took = below(50);
    if (locox_site_apply(&site, now, &command, NULL, &kept[count], NULL) == LOCOX_OK) {
      serial += command.kind == LOCOX_SITE_SUBMIT;
      count++;
    }
    while (locox_site_take_effect(&site, &effect) == LOCOX_OK) {
      note(effect.kind);
      note(effect.resource);
      last = effect.run;
    }
  }
  CHECK(locox_site_place(&site, &before) == LOCOX_OK && before.effects > 0);
  CHECK(locox_site_load(&site, image, words) == LOCOX_OK);
  for (step = 0; step < count; step++) {
    CHECK(locox_site_replay(&site, &kept[step], NULL, NULL, NULL, NULL) == LOCOX_OK);
    note(kept[step].words[15]);
  }
  while (locox_site_take_effect(&site, &effect) == LOCOX_OK) {
  }
  CHECK(locox_site_place(&site, &after) == LOCOX_OK);
  CHECK(before.commands == after.commands && before.effects == after.effects);
  CHECK(locox_site_check(&site) == LOCOX_OK);
}

/* Three hosts with two levels each, and the part of the coordinator on the first of them. */
static void use_cluster(void) {
  enum { HOSTS = 3, LEVELS = 2, MOST = 4 };
  static locox_cluster cluster;
  static locox_host host;
  static locox_shared_entry entries[HOSTS * LEVELS];
  static locox_shared_host hosts[HOSTS];
  static locox_cluster_job jobs[MOST];
  static locox_shared_job placed[MOST];
  static size_t words[LOCOX_CLUSTER_WORDS(HOSTS, LEVELS) + LOCOX_CLUSTER_MORE_WORDS(HOSTS, 2, 1)];
  const locox_cluster_rows rows = {entries, HOSTS * LEVELS, hosts, HOSTS, jobs, placed, MOST,
                                   words, sizeof words / sizeof *words};
  const locox_placing placing = {LOCOX_PLACING_NON_INTERFERING, LEVELS, 800, 0, 10, 2};
  const locox_discipline discipline = {LOCOX_DISCIPLINE_WINDOW, 2};
  locox_cluster_config config;
  locox_handle live = {0, 0, 0, 0};
  uint64_t now = 0;
  int step;
  CHECK(locox_cluster_standard(&config) == LOCOX_OK);
  config.sets = 2;
  config.memory = 1;
  CHECK(!locox_cluster_start_ordered(&cluster, &config, &placing, &discipline, LEVELS, &rows, 0, NULL));
  CHECK(locox_host_start(&host, 0, 0, 20, 0) == LOCOX_OK);
  for (step = 0; step < 100; step++) {
    locox_cluster_command command = {0, 0, 0, 0, {0, 0, 0, 0}, 0, 0, 0, {0, 0, 0}, 0, {0, 0}};
    locox_cluster_effect effect;
    locox_host_effect deed;
    now += below(4);
    command.kind = below(10);
    command.user = below(2);
    command.hosts = 1 + below(HOSTS);
    command.job = live;
    command.host = below(HOSTS);
    command.load = below(400);
    command.speed = LOCOX_SPEED_NOMINAL;
    command.terms.set = (uint16_t)below(3);
    command.terms.key = (uint16_t)below(2);
    command.terms.memory = below(4);
    command.named = below(2);
    command.heard.number = below(8);
    note((uint64_t)locox_cluster_apply(&cluster, now, &command, 0, &live, NULL, NULL));
    while (locox_cluster_take_effect(&cluster, &effect) == LOCOX_OK) {
      locox_host_command told = {0, {0, 0}, 0, {{0, 0, 0, 0}, 0, 0, 0, 0}, 0};
      if (effect.host != 0) {
        continue;
      }
      told.kind = effect.kind == LOCOX_CLUSTER_ASSIGN ? LOCOX_HOST_ASSIGN : LOCOX_HOST_ASSIGNMENTS_END;
      told.batch = effect.batch;
      told.number = effect.number;
      told.assignment = effect.assignment;
      CHECK(locox_host_apply(&host, now, &told, NULL, NULL) == LOCOX_OK);
    }
    while (locox_host_take_effect(&host, &deed) == LOCOX_OK) {
      note(deed.kind);
      note(deed.level);
    }
  }
  CHECK(locox_cluster_check(&cluster) == LOCOX_OK && locox_host_check(&host) == LOCOX_OK);
}

/* An owner who leaves and comes back, and a guest at his station. */
static void use_guest(void) {
  static locox_owner owner;
  static locox_guest guest;
  const locox_guest_rule rule = {0, 0, 0, 60, 5};
  locox_guest_action action;
  locox_owner_rule study;
  uint64_t now = 0;
  uint32_t present = 1;
  CHECK(locox_owner_standard(60, &study) == LOCOX_OK);
  CHECK(locox_owner_start(&owner, &study, 0) == LOCOX_OK);
  CHECK(locox_guest_start(&guest, &rule) == LOCOX_OK);
  CHECK(locox_guest_step(&guest, 0, LOCOX_GUEST_PLACE, 0, 0, &action) == LOCOX_OWNER_PRESENT);
  while (present) {
    CHECK(locox_owner_next_sample(&owner, &now) == LOCOX_OK);
    CHECK(locox_owner_sample(&owner, now, 0, NULL, &present) == LOCOX_OK);
  }
  note(now);
  CHECK(!locox_guest_step(&guest, now, LOCOX_GUEST_OWNER_LEFT, 0, 0, &action));
  CHECK(!locox_guest_step(&guest, now, LOCOX_GUEST_PLACE, 0, 0, &action));
  CHECK(action.kind == LOCOX_DO_START);
  CHECK(!locox_owner_sample(&owner, now + 9, LOCOX_LOAD_FULL, NULL, &present) && present);
  CHECK(!locox_guest_step(&guest, now + 5, LOCOX_GUEST_MESSAGE_SENT, 0, 0, &action));
  CHECK(!locox_guest_step(&guest, now + 9, LOCOX_GUEST_OWNER_RETURNED, 0, 0, &action));
  CHECK(action.kind == LOCOX_DO_SUSPEND);
  CHECK(!locox_guest_step(&guest, now + 9, LOCOX_GUEST_MESSAGE_ANSWERED, 0, 0, &action));
  CHECK(action.kind == LOCOX_DO_CHECKPOINT);
  CHECK(locox_guest_step(&guest, now + 9, LOCOX_GUEST_MESSAGE_ANSWERED, 0, 0, &action) == LOCOX_NO_MESSAGE);
  CHECK(locox_guest_wake_at(&guest, &now) == LOCOX_OK);
  CHECK(!locox_guest_step(&guest, now, LOCOX_GUEST_TIME, 0, 0, &action));
  CHECK(action.kind == LOCOX_DO_KILL);
  note(now);
}

/* A counter of 8 bits that wraps, and a reset after which its clock goes on from the instant stored. */
static void use_clock(void) {
  static locox_wide_counter clock, after;
  uint64_t shown = 0, stored = 0, now = 0;
  int step;
  CHECK(locox_wide_counter_resume(&clock, 0, 0) == LOCOX_NOT_STARTED);
  CHECK(locox_wide_counter_start(&clock, 65) == LOCOX_BAD_ARGUMENT);
  CHECK(locox_wide_counter_start(&clock, 8) == LOCOX_OK);
  for (step = 0; step < 100; step++) {
    shown += below(256);
    CHECK(locox_wide_counter_extend(&clock, shown & 255, &stored) == LOCOX_OK && stored == shown);
  }
  CHECK(locox_wide_counter_start(&after, 8) == LOCOX_OK);
  CHECK(locox_wide_counter_resume(&after, stored, 3) == LOCOX_OK);
  CHECK(locox_wide_counter_extend(&after, 2, &now) == LOCOX_OK && now == stored + 255);
  CHECK(locox_wide_counter_last(&after, &stored) == LOCOX_OK && stored == now);
  note(now);
}

static uint64_t scenario(void) {
  use_pool();
  use_grid();
  use_slices();
  use_nodes();
  use_timeline();
  use_queue();
  use_station();
  use_profile();
  use_ranking();
  use_mapping();
  use_site();
  use_cluster();
  use_guest();
  use_clock();
  return digest;
}

#endif
