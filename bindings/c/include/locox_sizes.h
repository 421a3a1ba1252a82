/*
 * Sizes of locox, for words of 32 and of 64 bits.
 *
 * Made by `cargo run -p locox-header`; do not edit. A word is a size_t. A storage may be longer than
 * needed. The macros are integer constant expressions if their arguments are, and for lengths of
 * arrays; functions of nearly the same names say the same of variables. Arguments out of range give
 * SIZE_MAX, of which no array can be.
 */
#ifndef LOCOX_SIZES_H
#define LOCOX_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Words of a pool of subcubes or of meshes: strategy BUDDY, GRAY_CODE, FREE_LIST, FREE_LIST_PLAIN or
   COMPLETE, and 0 to 24 dimensions, as in LOCOX_POOL_WORDS(FREE_LIST, 10). */
#define LOCOX_POOL_WORDS(strategy, dims) LOCOX_PASTE_(LOCOX_POOL_WORDS_, strategy)(dims)
#define LOCOX_MESH_WORDS(strategy, dims) LOCOX_PASTE_(LOCOX_MESH_WORDS_, strategy)(dims)

/* Words of a timeline or a profile of so many PEs and reservations, of each 1 to 2^30 - 1. */
#define LOCOX_TIMELINE_WORDS(pes, reservations) \
  LOCOX_LIMITED_(pes, reservations, \
    LOCOX_SLOTS_WORDS_(LOCOX_ULL_(pes), LOCOX_SET_WORDS_(pes), LOCOX_SLOTS_(reservations), 32, 32) \
      + LOCOX_ENTRIES_WORDS_(LOCOX_SET_WORDS_(pes), LOCOX_ULL_(reservations)))
#define LOCOX_PROFILE_WORDS(pes, reservations) \
  LOCOX_LIMITED_(pes, reservations, \
    LOCOX_SLOTS_WORDS_(2 * LOCOX_ULL_(pes), 0, LOCOX_SLOTS_(reservations), 192, 64) \
      + LOCOX_ENTRIES_WORDS_(1, LOCOX_ULL_(reservations)))
/* Words of a queue that plans, for so many jobs on a machine of so many PEs, of each 1 to 2^30 - 1. */
#define LOCOX_BACKFILL_WORDS(pes, jobs) LOCOX_PROFILE_WORDS(pes, jobs)

/* Words of 64 bits of a pool of boxes in a mesh or torus of so many nodes along each axis, 1 along those that it does not
   have. */
#define LOCOX_GRID_WORDS(x, y, z, w) \
  LOCOX_OF_GRID_(x, y, z, w, LOCOX_GRID_NODES_(x, y, z, w) + 9 * LOCOX_GRID_ROWS_(x, y, z, w))
/* Words of 64 bits of a queue over such a machine, and its rows for boxes, with so many jobs and outages. */
#define LOCOX_BOX_QUEUE_WORDS(x, y, z, w) LOCOX_OF_GRID_(x, y, z, w, 11 * LOCOX_GRID_ROWS_(x, y, z, w))
#define LOCOX_BOX_QUEUE_ROWS(jobs, outages) (2 * LOCOX_ONE_ * (jobs) + (outages) + 1)

/* Words of 32 bits of a pool of so many nodes that jobs share, with so many quantities, 1 to 8, and so many devices a node, 0
   to 16, of which jobs can have parts: enough, whatever the nodes have in common. */
#define LOCOX_NODES_WORDS(nodes, quantities, devices) \
  (LOCOX_ULL_(nodes) - 1 < LOCOX_NODES_MOST && LOCOX_ULL_(quantities) - 1 < 8 && LOCOX_ULL_(devices) < 17 \
    ? LOCOX_ONE_ * (nodes) * ((quantities) + (devices) + 3) + 8 : SIZE_MAX)

/* Words of a table of hosts that are shared in time: any number of hosts, 1 to 8 levels. */
#define LOCOX_TIMESHARE_WORDS(hosts, levels) LOCOX_LEVELLED_(hosts, levels, 2)

/* Words of the coordinator of such hosts. */
#define LOCOX_CLUSTER_WORDS(hosts, levels) \
  (LOCOX_ULL_(levels) - 1 < 8 ? LOCOX_LEVELLED_(hosts, levels, 3) + 2 * LOCOX_ONE_ * (hosts) : SIZE_MAX)
/* Words more of one with so many sets of hosts, and with the memory of hosts if that is not zero. */
#define LOCOX_CLUSTER_MORE_WORDS(hosts, sets, memory) \
  (((sets) + LOCOX_ONE_ * ((sets) != 0 || (memory) != 0)) * LOCOX_SET_WORDS(hosts) \
    + LOCOX_ONE_ * ((memory) != 0) * (hosts))

/* Words of the coordinator of a resource manager's machine of so many nodes, and of one that stops jobs for others; of one
   of 0 to 16 dimensions where jobs need subcubes; entries of its index, for so many jobs and users. */
#define LOCOX_MANAGER_WORDS(nodes) LOCOX_SET_WORDS(nodes)
#define LOCOX_MANAGER_PLACE_WORDS(nodes) (10 * LOCOX_SET_WORDS(nodes))
#define LOCOX_MANAGER_CUBE_WORDS(dims) LOCOX_MANAGER_CUBE_WORDS_(dims)
/* Its sums, where it stops jobs for others: of so many nodes, and of 0 to 16 dimensions where jobs need subcubes. */
#define LOCOX_MANAGER_SUMS(nodes) (2 * LOCOX_ONE_ * (nodes) + 2)
#define LOCOX_MANAGER_CUBE_SUMS(dims) (LOCOX_ULL_(dims) < 17 ? (4 * LOCOX_ONE_) << (LOCOX_ULL_(dims) % 17) : SIZE_MAX)
#define LOCOX_MANAGER_INDEX(jobs, users) (2 * LOCOX_ONE_ * ((jobs) + (users)))

/* Words of 64 bits for the experience of so many resources in so many classes, and so many classes of
   jobs. It may be one more than the function says: on some targets rows need no alignment. */
#define LOCOX_EXPERIENCE_WORDS(resources, classes, job_classes) \
  (4 * LOCOX_ONE_ * ((resources) + (classes) + 1) * (job_classes) + 1)

/* A set of PEs: PE p is bit p % LOCOX_WORD_BITS of word p / LOCOX_WORD_BITS. */
#define LOCOX_SET_WORDS(pes) LOCOX_PARTS_(LOCOX_ONE_ * (pes), LOCOX_WORD_BITS)
#define LOCOX_SET_ADD(set, pe) \
  ((set)[(pe) / LOCOX_WORD_BITS] |= LOCOX_ONE_ << ((pe) % LOCOX_WORD_BITS))
#define LOCOX_SET_HAS(set, pe) ((set)[(pe) / LOCOX_WORD_BITS] >> ((pe) % LOCOX_WORD_BITS) & 1)

/* What follows is for the macros above only. */

#define LOCOX_PASTE_(prefix, strategy) LOCOX_JOIN_(prefix, strategy)
#define LOCOX_JOIN_(prefix, strategy) prefix##strategy
/* One as a size_t, and a number of 64 bits, without a cast, of which C++ may warn. */
#define LOCOX_ONE_ sizeof(char)
#define LOCOX_ULL_(number) (0ull + (number))
/* How many parts of this size, the last of which need not be full. */
#define LOCOX_PARTS_(number, size) ((number) / (size) + ((number) % (size) != 0))
#define LOCOX_SET_WORDS_(pes) LOCOX_PARTS_(LOCOX_ULL_(pes), LOCOX_WORD_BITS)
/* These words, if both limits are in range and there can be so many. */
#define LOCOX_LIMITED_(pes, reservations, words) \
  (LOCOX_ULL_(pes) - 1 < 0x3FFFFFFF && LOCOX_ULL_(reservations) - 1 < 0x3FFFFFFF && (words) < SIZE_MAX \
    ? (words) : SIZE_MAX)
#define LOCOX_IS_SIDE_(side) (LOCOX_ULL_(side) - 1 < 64)
#define LOCOX_GRID_NODES_(x, y, z, w) (LOCOX_ONE_ * (x) * (y) * (z) * (w))
#define LOCOX_GRID_ROWS_(x, y, z, w) \
  (LOCOX_GRID_NODES_(x, y, z, w) / LOCOX_LONGER_(LOCOX_LONGER_(x, y), LOCOX_LONGER_(z, w)))
#define LOCOX_OF_GRID_(x, y, z, w, words) \
  (LOCOX_IS_SIDE_(x) && LOCOX_IS_SIDE_(y) && LOCOX_IS_SIDE_(z) && LOCOX_IS_SIDE_(w) && LOCOX_GRID_NODES_(x, y, z, w) <= 65536 \
    ? (words) : SIZE_MAX)
#define LOCOX_LONGER_(one, other) ((one) > (other) ? (one) : (other))
#define LOCOX_LEVELLED_(hosts, levels, more) \
  (LOCOX_ULL_(levels) - 1 < 8 ? (LOCOX_ONE_ * (levels) + (more)) * LOCOX_SET_WORDS(hosts) : SIZE_MAX)
/* As the kernel lays out slots (kernel/src/reserve/slots/layout.rs): in one array of at most `flat`, or in
   leaves of `leaf` under a directory. A slot has a time, a count of at most `most` and a row. */
#define LOCOX_SLOTS_WORDS_(most, row, slots, flat, leaf) \
  ((slots) <= (flat) \
    ? LOCOX_ARRAY_WORDS_(most, row, slots) \
    : LOCOX_LEAVES_(slots, leaf) * (LOCOX_ARRAY_WORDS_(most, row, (leaf)) + 2 * (row) + LOCOX_TIME_WORDS_) + 2 \
      + LOCOX_COUNTS_WORDS_(LOCOX_LEAVES_(slots, leaf), LOCOX_LEAVES_(slots, leaf)) \
      + 3 * LOCOX_COUNTS_WORDS_(most, LOCOX_LEAVES_(slots, leaf)))
#define LOCOX_SLOTS_(reservations) (2 * LOCOX_ULL_(reservations) + 1)
#define LOCOX_ARRAY_WORDS_(most, row, slots) \
  ((slots) * ((row) + LOCOX_TIME_WORDS_) + LOCOX_COUNTS_WORDS_(most, slots) + 1)
#define LOCOX_LEAVES_(slots, leaf) (2 * ((slots) / ((leaf) / 2 + 1)) + 1)
#define LOCOX_TIME_WORDS_ (64 / LOCOX_WORD_BITS)
/* Numbers of at most `most`, in 8, 16 or 32 bits each. */
#define LOCOX_COUNTS_WORDS_(most, count) \
  LOCOX_PARTS_(count, LOCOX_WORD_BITS / ((most) < 0x80 ? 8 : (most) < 0x8000 ? 16 : 32))
/* As the kernel lays out reservations (kernel/src/reserve/ledger.rs): start, end, generation and PEs of each,
   and a time for 64 of them. */
#define LOCOX_ENTRIES_WORDS_(pes, count) \
  ((count) * (2 * LOCOX_TIME_WORDS_ + 1 + (pes)) + LOCOX_PARTS_(count, 64) * LOCOX_TIME_WORDS_)
#define LOCOX_BY_DIMS_(dims, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15, n16, n17, n18, n19, n20, n21, n22, n23, n24) \
  ((dims) == 0 ? n0 : (dims) == 1 ? n1 : (dims) == 2 ? n2 : (dims) == 3 ? n3 : (dims) == 4 ? n4 : (dims) == 5 ? n5 : (dims) == 6 ? n6 : (dims) == 7 ? n7 : (dims) == 8 ? n8 : (dims) == 9 ? n9 : (dims) == 10 ? n10 : (dims) == 11 ? n11 : (dims) == 12 ? n12 : (dims) == 13 ? n13 : (dims) == 14 ? n14 : (dims) == 15 ? n15 : (dims) == 16 ? n16 : (dims) == 17 ? n17 : (dims) == 18 ? n18 : (dims) == 19 ? n19 : (dims) == 20 ? n20 : (dims) == 21 ? n21 : (dims) == 22 ? n22 : (dims) == 23 ? n23 : (dims) == 24 ? n24 : SIZE_MAX)

#if UINTPTR_MAX == 0xFFFFFFFFu
#define LOCOX_WORD_BITS 32
#define LOCOX_POOL_LENGTH 17
#define LOCOX_MESH_POOL_LENGTH 27
#define LOCOX_GRID_POOL_LENGTH 14
#define LOCOX_SLICE_POOL_LENGTH 87
#define LOCOX_PROFILE_ROW_LENGTH 4
#define LOCOX_TIMELINE_LENGTH 21
#define LOCOX_STEP_LENGTH 4
#define LOCOX_PROFILE_LENGTH 21
#define LOCOX_QUEUE_LENGTH 104
#define LOCOX_QUEUE_ROW_LENGTH 12
#define LOCOX_BACKFILL_ROW_LENGTH 17
#define LOCOX_USER_ROW_LENGTH 6
#define LOCOX_BOX_QUEUE_LENGTH 98
#define LOCOX_BOX_ROW_LENGTH 5
#define LOCOX_RANKING_LENGTH 15
#define LOCOX_STATION_LENGTH 43
#define LOCOX_HOME_ROW_LENGTH 8
#define LOCOX_NODE_ROW_LENGTH 6
#define LOCOX_JOB_ROW_LENGTH 8
#define LOCOX_CONTENDER_LENGTH 2
#define LOCOX_TIMED_ROW_LENGTH 8
#define LOCOX_TIMESHARE_LENGTH 7
#define LOCOX_SHARED_ENTRY_LENGTH 2
#define LOCOX_SHARED_HOST_LENGTH 3
#define LOCOX_SHARED_JOB_LENGTH 7
#define LOCOX_CLUSTER_ROW_LENGTH 5
#define LOCOX_UNPLACED_ROW_LENGTH 7
#define LOCOX_MAPPED_ROW_LENGTH 3
#define LOCOX_EXPERIENCE_LENGTH 4
#define LOCOX_CLUSTER_LENGTH 49
#define LOCOX_CLUSTER_JOB_LENGTH 8
#define LOCOX_HOST_LENGTH 92
#define LOCOX_SITE_LENGTH 38
#define LOCOX_SITE_JOB_LENGTH 6
#define LOCOX_SITE_MACHINE_LENGTH 3
#define LOCOX_SITE_USER_LENGTH 4
#define LOCOX_SITE_QUEUE_LENGTH 4
#define LOCOX_RUNNING_ROW_LENGTH 3
#define LOCOX_WIDE_COUNTER_LENGTH 4
#define LOCOX_OWNER_LENGTH 10
#define LOCOX_GUEST_LENGTH 10
#define LOCOX_MANAGER_LENGTH 290
#define LOCOX_MANAGER_JOB_ROW_LENGTH 22
#define LOCOX_MANAGER_USER_ROW_LENGTH 10
#define LOCOX_MANAGER_NODE_ROW_LENGTH 5
#define LOCOX_MANAGER_PLAN_ROW_LENGTH 4
#define LOCOX_MANAGER_STAKE_ROW_LENGTH 4
#define LOCOX_NODE_POOL_LENGTH 570
#define LOCOX_NODE_LEASE_ROW_LENGTH 149
#define LOCOX_POOL_WORDS_BUDDY(dims) LOCOX_BY_DIMS_(dims, 6, 7, 10, 16, 28, 54, 107, 213, 425, 849, 1699, 3397, 6793, 13585, 27169, 54339, 108677, 282889, 565777, 1131553, 2263107, 4526213, 9052425, 18104849, 36209697)
#define LOCOX_POOL_WORDS_GRAY_CODE(dims) LOCOX_BY_DIMS_(dims, 6, 7, 10, 16, 28, 53, 106, 212, 424, 848, 1696, 3392, 6784, 13568, 27136, 54272, 108544, 282624, 565248, 1130496, 2260992, 4521984, 9043968, 18087936, 36175872)
#define LOCOX_POOL_WORDS_FREE_LIST(dims) LOCOX_BY_DIMS_(dims, 7, 9, 13, 20, 33, 58, 123, 244, 489, 986, 1995, 4066, 8253, 16758, 34031, 69104, 140337, 350422, 709283, 1435460, 2904725, 5877120, 11889519, 24049616, 48640409)
#define LOCOX_POOL_WORDS_FREE_LIST_PLAIN(dims) LOCOX_BY_DIMS_(dims, 6, 8, 12, 19, 32, 57, 121, 240, 481, 970, 1963, 4002, 8125, 16502, 33519, 68080, 138289, 346326, 701091, 1419076, 2871957, 5811584, 11758447, 23787472, 48116121)
#define LOCOX_POOL_WORDS_COMPLETE(dims) LOCOX_BY_DIMS_(dims, 16, 17, 20, 26, 38, 62, 124, 248, 496, 992, 1984, 3968, 7936, 15872, 31744, 63488, 126976, 319488, 638976, 1277952, 2555904, 5111808, 10223616, 20447232, 40894464)
#define LOCOX_MESH_WORDS_BUDDY(dims) LOCOX_BY_DIMS_(dims, 13, 15, 22, 35, 60, 111, 228, 453, 906, 1819, 3662, 7399, 14918, 30087, 60688, 122419, 246966, 694751, 1397940, 2812773, 5659352, 11386373, 22908024, 46086625, 92714426)
#define LOCOX_MESH_WORDS_GRAY_CODE(dims) LOCOX_BY_DIMS_(dims, 13, 15, 22, 35, 60, 110, 227, 452, 905, 1818, 3659, 7394, 14909, 30070, 60655, 122352, 246833, 694486, 1397411, 2811716, 5657237, 11382144, 22899567, 46069712, 92680601)
#define LOCOX_MESH_WORDS_FREE_LIST(dims) LOCOX_BY_DIMS_(dims, 14, 17, 25, 39, 65, 115, 244, 484, 970, 1956, 3958, 8068, 16378, 33260, 67550, 137184, 278626, 762284, 1541446, 3116680, 6300970, 12737280, 25745118, 52031392, 105145138)
#define LOCOX_MESH_WORDS_FREE_LIST_PLAIN(dims) LOCOX_BY_DIMS_(dims, 13, 16, 24, 38, 64, 114, 242, 480, 962, 1940, 3926, 8004, 16250, 33004, 67038, 136160, 276578, 758188, 1533254, 3100296, 6268202, 12671744, 25614046, 51769248, 104620850)
#define LOCOX_MESH_WORDS_COMPLETE(dims) LOCOX_BY_DIMS_(dims, 23, 25, 32, 45, 70, 119, 245, 488, 977, 1962, 3947, 7970, 16061, 32374, 65263, 131568, 265265, 731350, 1471139, 2959172, 5952149, 11971968, 24079215, 48429008, 97399193)
#define LOCOX_MANAGER_CUBE_WORDS_(dims) LOCOX_BY_DIMS_(dims, 29, 29, 37, 53, 85, 149, 298, 596, 1192, 2384, 4768, 9536, 19072, 38144, 76288, 152576, 305152, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX)
#elif UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu
#define LOCOX_WORD_BITS 64
#define LOCOX_POOL_LENGTH 27
#define LOCOX_MESH_POOL_LENGTH 46
#define LOCOX_GRID_POOL_LENGTH 19
#define LOCOX_SLICE_POOL_LENGTH 89
#define LOCOX_PROFILE_ROW_LENGTH 4
#define LOCOX_TIMELINE_LENGTH 37
#define LOCOX_STEP_LENGTH 4
#define LOCOX_PROFILE_LENGTH 37
#define LOCOX_QUEUE_LENGTH 125
#define LOCOX_QUEUE_ROW_LENGTH 12
#define LOCOX_BACKFILL_ROW_LENGTH 17
#define LOCOX_USER_ROW_LENGTH 6
#define LOCOX_BOX_QUEUE_LENGTH 108
#define LOCOX_BOX_ROW_LENGTH 5
#define LOCOX_RANKING_LENGTH 17
#define LOCOX_STATION_LENGTH 50
#define LOCOX_HOME_ROW_LENGTH 8
#define LOCOX_NODE_ROW_LENGTH 6
#define LOCOX_JOB_ROW_LENGTH 8
#define LOCOX_CONTENDER_LENGTH 2
#define LOCOX_TIMED_ROW_LENGTH 8
#define LOCOX_TIMESHARE_LENGTH 12
#define LOCOX_SHARED_ENTRY_LENGTH 2
#define LOCOX_SHARED_HOST_LENGTH 3
#define LOCOX_SHARED_JOB_LENGTH 7
#define LOCOX_CLUSTER_ROW_LENGTH 4
#define LOCOX_UNPLACED_ROW_LENGTH 7
#define LOCOX_MAPPED_ROW_LENGTH 3
#define LOCOX_EXPERIENCE_LENGTH 7
#define LOCOX_CLUSTER_LENGTH 60
#define LOCOX_CLUSTER_JOB_LENGTH 8
#define LOCOX_HOST_LENGTH 94
#define LOCOX_SITE_LENGTH 57
#define LOCOX_SITE_JOB_LENGTH 6
#define LOCOX_SITE_MACHINE_LENGTH 3
#define LOCOX_SITE_USER_LENGTH 4
#define LOCOX_SITE_QUEUE_LENGTH 4
#define LOCOX_RUNNING_ROW_LENGTH 4
#define LOCOX_WIDE_COUNTER_LENGTH 4
#define LOCOX_OWNER_LENGTH 10
#define LOCOX_GUEST_LENGTH 10
#define LOCOX_MANAGER_LENGTH 429
#define LOCOX_MANAGER_JOB_ROW_LENGTH 22
#define LOCOX_MANAGER_USER_ROW_LENGTH 10
#define LOCOX_MANAGER_NODE_ROW_LENGTH 5
#define LOCOX_MANAGER_PLAN_ROW_LENGTH 4
#define LOCOX_MANAGER_STAKE_ROW_LENGTH 4
#define LOCOX_NODE_POOL_LENGTH 578
#define LOCOX_NODE_LEASE_ROW_LENGTH 75
#define LOCOX_POOL_WORDS_BUDDY(dims) LOCOX_BY_DIMS_(dims, 6, 6, 7, 10, 16, 28, 54, 107, 213, 425, 849, 1697, 3395, 6789, 13577, 27153, 54305, 141377, 282755, 565509, 1131017, 2262033, 4524065, 9048129, 18096259)
#define LOCOX_POOL_WORDS_GRAY_CODE(dims) LOCOX_BY_DIMS_(dims, 6, 6, 7, 10, 16, 28, 53, 106, 212, 424, 848, 1696, 3392, 6784, 13568, 27136, 54272, 141312, 282624, 565248, 1130496, 2260992, 4521984, 9043968, 18087936)
#define LOCOX_POOL_WORDS_FREE_LIST(dims) LOCOX_BY_DIMS_(dims, 7, 8, 10, 14, 21, 34, 59, 126, 249, 498, 1003, 2028, 4109, 8360, 16967, 34440, 69905, 174642, 353427, 715194, 1447013, 2927294, 5921143, 11975416, 24217113)
#define LOCOX_POOL_WORDS_FREE_LIST_PLAIN(dims) LOCOX_BY_DIMS_(dims, 6, 7, 9, 13, 20, 33, 58, 124, 245, 490, 987, 1996, 4045, 8232, 16711, 33928, 68881, 172594, 349331, 707002, 1430629, 2894526, 5855607, 11844344, 23954969)
#define LOCOX_POOL_WORDS_COMPLETE(dims) LOCOX_BY_DIMS_(dims, 17, 17, 18, 21, 27, 39, 63, 126, 252, 504, 1008, 2016, 4032, 8064, 16128, 32256, 64512, 161792, 323584, 647168, 1294336, 2588672, 5177344, 10354688, 20709376)
#define LOCOX_MESH_WORDS_BUDDY(dims) LOCOX_BY_DIMS_(dims, 13, 14, 16, 23, 36, 61, 112, 231, 458, 915, 1836, 3693, 7440, 15021, 30288, 61081, 123186, 346739, 697622, 1403583, 2823790, 5680847, 11428248, 22989625, 46245532)
#define LOCOX_MESH_WORDS_GRAY_CODE(dims) LOCOX_BY_DIMS_(dims, 13, 14, 16, 23, 36, 61, 111, 230, 457, 914, 1835, 3692, 7437, 15016, 30279, 61064, 123153, 346674, 697491, 1403322, 2823269, 5679806, 11426167, 22985464, 46237209)
#define LOCOX_MESH_WORDS_FREE_LIST(dims) LOCOX_BY_DIMS_(dims, 14, 16, 19, 27, 41, 67, 117, 250, 494, 988, 1990, 4024, 8154, 16592, 33678, 68368, 138786, 380004, 768294, 1553268, 3139786, 6346108, 12825326, 25916912, 52366386)
#define LOCOX_MESH_WORDS_FREE_LIST_PLAIN(dims) LOCOX_BY_DIMS_(dims, 13, 15, 18, 26, 40, 66, 116, 248, 490, 980, 1974, 3992, 8090, 16464, 33422, 67856, 137762, 377956, 764198, 1545076, 3123402, 6313340, 12759790, 25785840, 52104242)
#define LOCOX_MESH_WORDS_COMPLETE(dims) LOCOX_BY_DIMS_(dims, 24, 25, 27, 34, 47, 72, 121, 250, 497, 994, 1995, 4012, 8077, 16296, 32839, 66184, 133393, 367154, 738451, 1485242, 2987109, 6007486, 12081527, 24296184, 48858649)
#define LOCOX_MANAGER_CUBE_WORDS_(dims) LOCOX_BY_DIMS_(dims, 30, 30, 30, 38, 54, 86, 150, 300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 76800, 153600, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX)
#else
#error "locox knows no words of this width"
#endif

#endif
