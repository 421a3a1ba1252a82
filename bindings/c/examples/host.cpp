// A C++ program with a queue in front of a pool: EASY backfilling over subcubes.
#include "locox.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

void check(locox_status status, const char *what) {
  if (status != LOCOX_OK) throw std::runtime_error(std::string(what) + ": " + locox_status_str(status));
}

void expect(bool holds, const char *what) {
  if (!holds) throw std::logic_error(what);
}

// A cube of 2^4 nodes in storage of its own; the pool points into it, so it is not copied.
class Cube {
 public:
  Cube() { check(locox_pool_start_buddy(&pool_, 1, 4, words_.data(), words_.size(), nullptr), "start"); }
  Cube(const Cube &) = delete;
  Cube &operator=(const Cube &) = delete;

  bool take(std::uint32_t nodes) {
    std::uint32_t dim = 0;
    while (1u << dim < nodes) dim++;
    locox_lease lease;
    return locox_pool_allocate(&pool_, dim, &lease, nullptr) == LOCOX_OK;
  }

  std::uint32_t free() const {
    std::uint32_t free = 0;
    check(locox_pool_free(&pool_, &free), "free");
    return free;
  }

 private:
  locox_pool pool_{};
  std::array<std::size_t, LOCOX_POOL_WORDS(BUDDY, 4)> words_{};
};

std::uint32_t start(const locox_job *job, void *cube) { return static_cast<Cube *>(cube)->take(job->pes); }

void run() {
  Cube cube;
  locox_queue queue{};
  std::array<locox_backfill_row, 8> rows{};
  check(locox_queue_start_easy(&queue, 2, 16, 0, rows.data(), rows.size()), "start");

  // The second job waits for the first; the third would delay it, the fourth does not.
  const locox_job jobs[] = {{1, 8, 20, 0}, {2, 16, 10, 0}, {3, 4, 25, 0}, {4, 4, 20, 0}};
  locox_handle ticket{};
  for (const locox_job &job : jobs) check(locox_queue_push(&queue, 0, &job, &ticket), "push");
  std::string started;
  locox_job job{};
  while (locox_queue_next(&queue, 0, start, &cube, &ticket, &job) == LOCOX_OK) {
    started += std::to_string(job.id) + " ";
  }
  std::printf("started: %swith %u nodes left\n", started.c_str(), static_cast<unsigned>(cube.free()));
  expect(started == "1 4 ", "EASY starts jobs 1 and 4");
  expect(cube.free() == 4, "4 nodes are left");
  expect(locox_queue_cancel(&queue, 0, &ticket, nullptr) == LOCOX_RUNS, "what runs is not cancelled");
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "host.cpp: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
