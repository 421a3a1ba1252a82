/* A few thousand pseudo-random calls of a pool, a timeline, a queue and a coordinator, all in static
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
  static size_t words[LOCOX_BACKFILL_WORDS(32, 16)];
  static locox_backfill_row rows[16];
  static locox_handle tickets[16];
  uint64_t now = 0;
  int step;
  CHECK(!locox_queue_start_easy(&queue, 3, 32, 0, words, sizeof words / sizeof *words, rows, 16, NULL));
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
      &station, &config, &rows, ranking, STATIONS, 86400, 600, 0, NULL));
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
    if (locox_station_hear(&station, now, NULL, &command, 0, &job, &detail) == LOCOX_OK &&
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

static uint64_t scenario(void) {
  use_pool();
  use_timeline();
  use_queue();
  use_station();
  return digest;
}

#endif
