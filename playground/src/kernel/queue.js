// Runs jobs through a queue of the kernel. The queue says which job starts; a timeline says on which processors.
import { Line } from "./line.js";
import { OK } from "./memory.js";
import { Timeline } from "./timeline.js";

export const RULES = [
  ["fcfs", "First come, first served"],
  ["easy", "EASY backfilling"],
  ["conservative", "Conservative backfilling"],
];

// `jobs` have `arrival`, `pes`, `requested` and `runs` (not more than requested). Answers when and where each ran, and
// at each instant which job was the head of the line and when it was promised to start.
export function playQueue(kernel, rule, pes, jobs) {
  kernel.forget();
  return new Run(kernel, rule, pes, jobs).all();
}

class Run extends Line {
  constructor(kernel, rule, pes, jobs) {
    super(kernel, "queue", jobs);
    this.rule = rule;
    this.machine = new Timeline(kernel, pes);
    this.open(pes);
  }

  open(pes) {
    const { kernel } = this;
    const { c } = kernel;
    const count = Math.max(this.jobs.length, 1);
    if (this.rule === "fcfs") {
      const rows = kernel.room(count * c.locox_size_of_queue_row());
      return kernel.must(this.call("start_fcfs", 1, rows, count));
    }
    const rows = kernel.room(count * c.locox_size_of_backfill_row());
    if (this.rule === "easy") return kernel.must(this.call("start_easy", 1, pes, 0, rows, count));
    const words = c.locox_backfill_words(pes, count);
    const storage = kernel.room(4 * words);
    return kernel.must(this.call("start_conservative", 1, pes, 0, storage, words, rows, count, kernel.detailAt));
  }

  advance(now) {
    this.machine.advance(now);
  }

  // Queues that plan know what is free; first come, first served asks the machine.
  startOne(now) {
    const { kernel } = this;
    let placed = null;
    const asks = (job) => ((placed = this.place(kernel.u32(job), now)) === null ? 0 : 1);
    const start = this.rule === "fcfs" ? kernel.asking(asks) : 0;
    if (this.call("next", BigInt(now), start, 0, this.ticket, this.jobAt) !== OK) return null;
    const id = kernel.u32(this.jobAt);
    placed ??= this.place(id, now);
    if (placed === null) throw new Error(`job ${id} has no processors at ${now}`);
    return { id, start: placed.start, end: placed.end, pes: placed.pes };
  }

  place(id, now) {
    const { pes, runs } = this.jobs[id];
    const answer = this.machine.reserveTogether({ pes, duration: runs, ready: now, deadline: now + runs });
    return answer.status === OK ? answer : null;
  }
}
