/* Nodes with cores, memory and GPUs that jobs share: who gets what, and what becomes of that when a node breaks. */
#include "locox.h"

#include <stdio.h>

enum { CORES, MEMORY, GPUS, NODES = 4, JOBS = 100, PARTS = 100 };

/* Three nodes without GPUs, and one with four. */
static const locox_amounts classes[2] = {{{64, 256}}, {{32, 512, 4}}};
static const uint8_t class_of[NODES] = {0, 0, 0, 1};

static locox_node_pool pool; /* zeros: not started */
static uint32_t words[LOCOX_NODES_WORDS(NODES, 3, 4)];
static locox_node_lease_row rows[JOBS];

static int failures;

static void check(int right, const char *what) {
  if (!right) {
    printf("wrong: %s\n", what);
    failures++;
  }
}

static locox_status start(void) {
  const locox_nodes nodes = {.classes = classes,
                             .class_count = sizeof classes / sizeof *classes,
                             .class_of = class_of,
                             .count = NODES,
                             .placement = LOCOX_NODES_FEWEST,
                             .keep = GPUS,
                             .device = GPUS,
                             .parts = PARTS};
  return locox_nodes_start(&pool, 1, &nodes, words, sizeof words / sizeof *words, rows, JOBS, NULL);
}

static void print_lease(const locox_node_lease *lease, void *user) {
  uint32_t nodes[NODES];
  size_t count, at;
  (void)user;
  if (locox_nodes_of(&pool, &lease->handle, nodes, NODES, &count, NULL) != LOCOX_OK) return;
  for (at = 0; at < count; at++) printf(" node %u", nodes[at]);
  if (lease->parts) printf(", %u %% of a GPU", lease->parts);
  printf("\n");
}

/* Each request is learnt, so that those who need no GPU leave room for those who do. */
static locox_status ask(const char *who, const locox_node_request *request, locox_node_lease *lease) {
  uint64_t detail = 0;
  locox_status status = locox_nodes_learn(&pool, request);
  if (status == LOCOX_OK) status = locox_nodes_allocate(&pool, request, lease, &detail);
  printf("%s:", who);
  if (status == LOCOX_OK)
    print_lease(lease, NULL);
  else
    printf(" %s\n", locox_status_str(status));
  return status;
}

/* Callbacks may not come back to the pool. */
static void note_hit(const locox_node_lease *lease, void *user) { *(locox_handle *)user = lease->handle; }

int main(void) {
  const locox_node_request two = {.kind = LOCOX_NODES_EACH, .count = 2, .amounts = {{48, 64}}};
  const locox_node_request half = {.kind = LOCOX_NODES_PART, .count = 50, .amounts = {{4, 16}}};
  const locox_node_request tasks = {.kind = LOCOX_NODES_TASKS, .count = 96, .amounts = {{1, 2}}};
  size_t set[LOCOX_SET_WORDS(NODES)] = {0};
  locox_node_request alone = {.kind = LOCOX_NODES_EACH, .count = 1, .exclusive = 1, .amounts = {{1}}};
  locox_node_lease a, b, c, d, e;
  locox_handle hit = {0, 0, 0, 0};
  locox_amounts left;
  const uint32_t broken = 3;

  check(start() == LOCOX_OK, "a start");
  check(ask("two nodes", &two, &a) == LOCOX_OK && a.nodes == 2, "two nodes");
  check(ask("half a GPU", &half, &b) == LOCOX_OK && b.node == 3, "the node with GPUs");
  check(ask("the other half", &half, &c) == LOCOX_OK && c.device == b.device, "the same GPU");
  check(locox_nodes_free(&pool, 3, &left, NULL) == LOCOX_OK && left.of[GPUS] == 3, "three GPUs are left whole");

  LOCOX_SET_ADD(set, 2);
  alone.allowed = set;
  alone.allowed_len = sizeof set / sizeof *set;
  check(ask("node 2 alone", &alone, &d) == LOCOX_OK && d.node == 2, "a node of the set");
  check(ask("96 tasks", &tasks, &e) == LOCOX_TOO_FEW_FREE, "too few cores are free");
  check(locox_nodes_release(&pool, &a.handle) == LOCOX_OK, "a release");
  check(locox_nodes_release(&pool, &a.handle) == LOCOX_STALE, "a second release");
  check(ask("96 tasks", &tasks, &e) == LOCOX_OK && e.nodes == 2, "48 on each of two");

  check(locox_nodes_release(&pool, &b.handle) == LOCOX_OK, "another one");
  check(locox_nodes_withdraw(&pool, &broken, 1, LOCOX_FAILED, note_hit, &hit, NULL) == LOCOX_OK, "an outage");
  check(hit.index == c.handle.index && hit.generation == c.handle.generation, "whom it hit");
  check(ask("half a GPU", &half, &b) == LOCOX_FAULTY, "no GPU in service");
  return failures || locox_nodes_check(&pool) != LOCOX_OK;
}
