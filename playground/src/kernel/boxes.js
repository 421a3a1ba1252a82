// Runs jobs through a queue over the boxes of a torus, which says who starts, when and where.
import { Line } from "./line.js";
import { OK } from "./memory.js";

export const SIDE = 8;
export const RULES = [
  ["none", "No promise", 0],
  ["one", "One promise (EASY)", 1],
  ["each", "One for each (conservative)", 0xffff_ffff],
];

// `jobs` have `arrival`, `columns`, `rows`, `requested` and `runs` (not more than requested). Answers what a line does, with
// the nodes of each job as its `pes`, and `promises`: for each job each promise that differed from the one before, as
// `{ time, start, pes }`.
export function playBoxes(kernel, rule, jobs) {
  kernel.forget();
  const run = new Run(kernel, rule, jobs.map((job) => ({ ...job, pes: job.columns * job.rows })));
  return { ...run.all(), promises: run.promises };
}

class Run extends Line {
  constructor(kernel, rule, jobs) {
    super(kernel, "box_queue", jobs);
    this.placeAt = kernel.room(8);
    this.promises = jobs.map(() => []);
    this.open(RULES.find(([name]) => name === rule)[2]);
  }

  open(promises) {
    const { kernel } = this;
    const { c } = kernel;
    const count = Math.max(this.jobs.length, 1);
    const torus = kernel.room(8);
    kernel.bytes(torus).set([SIDE, SIDE, 1, 1, 3]);
    const words = c.locox_box_queue_words(torus);
    const storage = kernel.room(8 * words);
    const places = c.locox_box_queue_rows(count, 0);
    const rows = kernel.room(places * c.locox_size_of_box_row());
    const jobs = kernel.room(count * c.locox_size_of_backfill_row());
    const sides = kernel.filling((id, at) => kernel.bytes(at).set([this.jobs[id].columns, this.jobs[id].rows, 1, 1]));
    kernel.must(this.call("start", 1, torus, 0, 0, 0, promises, sides, 0, storage, words, rows, places, jobs, count, kernel.detailAt));
  }

  startOne(now) {
    const { kernel } = this;
    if (this.call("next", BigInt(now), 0, 0, this.ticket, this.jobAt) !== OK) return null;
    const id = kernel.u32(this.jobAt);
    return { id, start: now, end: now + this.jobs[id].runs, pes: this.nodes(this.jobAt + 24) };
  }

  noteHead(now) {
    super.noteHead(now);
    for (const id of this.line) this.notePromise(id, now);
  }

  notePromise(id, time) {
    const start = this.promised(id);
    if (start === null) return;
    this.kernel.must(this.call("place", this.tickets.get(id), this.placeAt));
    const pes = this.nodes(this.placeAt);
    const last = this.promises[id].at(-1);
    if (last?.start !== start || String(last.pes) !== String(pes)) this.promises[id].push({ time, start, pes });
  }

  // The nodes of a box, row by row; it may pass the edges.
  nodes(at) {
    const origin = this.kernel.u32(at);
    const [columns, rows] = this.kernel.bytes(at + 4);
    const [left, top] = [origin % SIDE, Math.floor(origin / SIDE)];
    const along = (from, count) => [...Array(count).keys()].map((step) => (from + step) % SIDE);
    return along(top, rows).flatMap((row) => along(left, columns).map((column) => row * SIDE + column)).sort((a, b) => a - b);
  }
}
