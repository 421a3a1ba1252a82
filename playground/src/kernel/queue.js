// Runs jobs through a queue of the kernel. The queue says which job starts; a timeline says on which processors.
import { copyHandle, OK } from "./memory.js";
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

class Run {
  constructor(kernel, rule, pes, jobs) {
    Object.assign(this, { kernel, jobs, rule });
    this.machine = new Timeline(kernel, pes);
    this.at = kernel.structure("queue");
    this.jobAt = kernel.room(24);
    this.ticket = kernel.room(12);
    this.time = kernel.room(16);
    this.tickets = new Map();
    this.running = [];
    this.line = [];
    this.done = jobs.map(() => null);
    this.heads = [];
    this.open(pes);
  }

  open(pes) {
    const { kernel, at } = this;
    const { c } = kernel;
    const count = Math.max(this.jobs.length, 1);
    if (this.rule === "fcfs") {
      const rows = kernel.room(count * c.locox_size_of_queue_row());
      return kernel.must(c.locox_queue_start_fcfs(at, 1, rows, count));
    }
    const rows = kernel.room(count * c.locox_size_of_backfill_row());
    if (this.rule === "easy") return kernel.must(c.locox_queue_start_easy(at, 1, pes, 0, rows, count));
    const words = c.locox_backfill_words(pes, count);
    const storage = kernel.room(4 * words);
    return kernel.must(
      c.locox_queue_start_conservative(at, 1, pes, 0, storage, words, rows, count, kernel.detailAt));
  }

  all() {
    const arrivals = this.jobs.map((job, id) => ({ ...job, id })).sort((a, b) => a.arrival - b.arrival || a.id - b.id);
    for (let now = this.next(arrivals, -1); now !== null; now = this.next(arrivals, now)) {
      this.machine.advance(now);
      for (const job of this.running.filter((job) => job.end === now)) this.finish(job, now);
      while (arrivals.length > 0 && arrivals[0].arrival === now) this.push(arrivals.shift(), now);
      while (this.startOne(now));
      this.noteHead(now);
    }
    return { ran: this.done, heads: this.heads };
  }

  // The next instant at which something happens, or null.
  next(arrivals, after) {
    const times = this.running.map((job) => job.end);
    if (arrivals.length > 0) times.push(arrivals[0].arrival);
    if (this.kernel.c.locox_queue_wake_at(this.at, this.time) === OK) times.push(Number(this.kernel.u64(this.time)));
    const later = times.filter((time) => time > after);
    return later.length === 0 ? null : Math.min(...later);
  }

  push(job, now) {
    const { kernel } = this;
    kernel.put32(this.jobAt, job.id);
    kernel.put32(this.jobAt + 4, job.pes);
    kernel.put64(this.jobAt + 8, job.requested);
    kernel.put64(this.jobAt + 16, 0);
    kernel.must(kernel.c.locox_queue_push(this.at, BigInt(now), this.jobAt, this.ticket));
    this.tickets.set(job.id, copyHandle(kernel, this.ticket));
    this.line.push(job.id);
  }

  finish(job, now) {
    this.kernel.must(this.kernel.c.locox_queue_finished(this.at, BigInt(now), this.tickets.get(job.id), 0));
    this.running = this.running.filter((other) => other !== job);
  }

  // Queues that plan know what is free; first come, first served asks the machine.
  startOne(now) {
    const { kernel } = this;
    let placed = null;
    const asks = (job) => ((placed = this.place(kernel.u32(job), now)) === null ? 0 : 1);
    const start = this.rule === "fcfs" ? kernel.asking(asks) : 0;
    const status = kernel.c.locox_queue_next(this.at, BigInt(now), start, 0, this.ticket, this.jobAt);
    if (status !== OK) return false;
    const id = kernel.u32(this.jobAt);
    placed ??= this.place(id, now);
    if (placed === null) throw new Error(`job ${id} has no processors at ${now}`);
    this.line.splice(this.line.indexOf(id), 1);
    this.done[id] = { id, start: placed.start, end: placed.end, pes: placed.pes };
    this.running.push(this.done[id]);
    return true;
  }

  place(id, now) {
    const { pes, runs } = this.jobs[id];
    const answer = this.machine.reserveTogether({ pes, duration: runs, ready: now, deadline: now + runs });
    return answer.status === OK ? answer : null;
  }

  noteHead(now) {
    if (this.line.length === 0) return this.heads.push({ time: now, id: null, promised: null });
    const id = this.line[0];
    const known = this.kernel.c.locox_queue_planned(this.at, this.tickets.get(id), this.time) === OK;
    this.heads.push({ time: now, id, promised: known ? Number(this.kernel.u64(this.time)) : null });
  }
}
