// Runs jobs through a queue of the kernel, which says who starts; a kind of queue says what a machine adds to that.
import { copyHandle, OK } from "./memory.js";

const JOB = 24;
const BOX = 8; // queues over boxes write one behind a job that starts

// `prefix` is that of the queue's functions. A kind has `startOne(now)`, which answers what started as
// `{ id, start, end, pes }` or null, and may have `advance(now)`.
export class Line {
  constructor(kernel, prefix, jobs) {
    Object.assign(this, { kernel, prefix, jobs });
    this.at = kernel.structure(prefix);
    this.jobAt = kernel.room(JOB + BOX);
    this.ticket = kernel.room(12);
    this.time = kernel.room(16);
    this.tickets = new Map();
    this.running = [];
    this.line = [];
    this.done = jobs.map(() => null);
    this.heads = [];
  }

  call(name, ...more) {
    return this.kernel.c[`locox_${this.prefix}_${name}`](this.at, ...more);
  }

  // When and where each job ran, and at each instant which one was the head of the line and what it was promised.
  all() {
    const arrivals = this.jobs.map((job, id) => ({ ...job, id })).sort((a, b) => a.arrival - b.arrival || a.id - b.id);
    for (let now = this.next(arrivals, -1); now !== null; now = this.next(arrivals, now)) {
      this.advance?.(now);
      for (const job of this.running.filter((job) => job.end === now)) this.finish(job, now);
      while (arrivals.length > 0 && arrivals[0].arrival === now) this.push(arrivals.shift(), now);
      for (let job = this.startOne(now); job !== null; job = this.startOne(now)) this.started(job);
      this.noteHead(now);
    }
    return { ran: this.done, heads: this.heads };
  }

  // The next instant at which something happens, or null.
  next(arrivals, after) {
    const times = this.running.map((job) => job.end);
    if (arrivals.length > 0) times.push(arrivals[0].arrival);
    if (this.call("wake_at", this.time) === OK) times.push(Number(this.kernel.u64(this.time)));
    const later = times.filter((time) => time > after);
    return later.length === 0 ? null : Math.min(...later);
  }

  push(job, now) {
    const { kernel } = this;
    kernel.put32(this.jobAt, job.id);
    kernel.put32(this.jobAt + 4, job.pes);
    kernel.put64(this.jobAt + 8, job.requested);
    kernel.put64(this.jobAt + 16, 0);
    kernel.must(this.call("push", BigInt(now), this.jobAt, this.ticket));
    this.tickets.set(job.id, copyHandle(kernel, this.ticket));
    this.line.push(job.id);
  }

  finish(job, now) {
    this.kernel.must(this.call("finished", BigInt(now), this.tickets.get(job.id), 0));
    this.running = this.running.filter((other) => other !== job);
  }

  started(job) {
    this.line.splice(this.line.indexOf(job.id), 1);
    this.done[job.id] = job;
    this.running.push(job);
  }

  noteHead(now) {
    const id = this.line[0] ?? null;
    this.heads.push({ time: now, id, promised: id === null ? null : this.promised(id) });
  }

  // The promised start of a job that waits, or null.
  promised(id) {
    return this.call("planned", this.tickets.get(id), this.time) === OK ? Number(this.kernel.u64(this.time)) : null;
  }
}

// The head of the line as it was after the last event up to that time.
export function headAt(heads, time) {
  return heads.filter((head) => head.time <= time).at(-1) ?? { id: null, promised: null };
}
