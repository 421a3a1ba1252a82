// Stations that share processors: in each interval a ranking says who gets one, and who yields one.
import { OK } from "./memory.js";

export const RANKINGS = [
  ["timed", "Up-Down by time"],
  ["updown", "Up-Down, the printed table"],
  ["round_robin", "In turn"],
  ["random", "By lot"],
];
export const HALF_LIFE = 20;
export const QUANTUM = 4;
const STEP = 2560; // of the printed table: 10, as in the study
const NOBODY = 0xffff_ffff;
const CONTENDERS = 8;
const REASONS = ["best index", "better index", "turn", "lot"];

// `stations` want so many processors `from` a time `until` another. Answers for each interval what each station holds
// when it ends, their indices (null where the ranking has none), and the decisions: {to, from, reason}. For so many
// intervals `before` the first those have wanted theirs that do at time 0.
export function playShares(kernel, ranking, processors, stations, intervals, before) {
  kernel.forget();
  const shares = new Shares(kernel, ranking, processors, stations, before);
  for (let now = -before; now < 0; now++) shares.interval(now);
  return [...Array(intervals).keys()].map((now) => shares.interval(now));
}

class Shares {
  constructor(kernel, ranking, processors, stations, before) {
    Object.assign(this, { kernel, ranking, processors, stations, before });
    this.at = kernel.structure("ranking");
    this.demandAt = kernel.room(4 * stations.length);
    this.indexAt = kernel.room(8);
    this.scratch = kernel.room(CONTENDERS * kernel.c.locox_size_of_contender());
    this.holds = stations.map(() => 0);
    kernel.must(this.open(stations.length));
  }

  open(count) {
    const { kernel, at } = this;
    const { c, detailAt } = kernel;
    if (this.ranking === "round_robin") return c.locox_ranking_start_round_robin(at, 0);
    if (this.ranking === "random") return c.locox_ranking_start_random(at);
    if (this.ranking === "updown") return c.locox_ranking_start_updown(at, kernel.room(4 * count), count, STEP, 0, detailAt);
    const rows = kernel.room(count * c.locox_size_of_timed_row());
    return c.locox_ranking_start_timed(at, rows, count, BigInt(HALF_LIFE), BigInt(QUANTUM), detailAt);
  }

  // Who wants nothing more gives back what it holds; then the ranking decides.
  interval(now) {
    const { kernel, at } = this;
    const { c, detailAt } = kernel;
    const at0 = Math.max(now, 0);
    const wanted = this.stations.map(({ from, until, wants }) => (from <= at0 && at0 < until ? wants : 0));
    this.holds = this.holds.map((holds, station) => Math.min(holds, wanted[station]));
    kernel.must(c.locox_ranking_advance(at, BigInt(now + this.before)));
    wanted.forEach((wants, station) => this.tell(station, wants - this.holds[station], this.holds[station]));
    kernel.must(c.locox_ranking_update(at, this.demandAt, wanted.length, detailAt));
    const free = this.processors - this.holds.reduce((sum, holds) => sum + holds, 0);
    const decisions = [];
    const decided = kernel.telling((decision) => decisions.push(this.read(decision)));
    kernel.must(c.locox_ranking_round(
      at, this.demandAt, wanted.length, this.processors, free, lot(now), this.scratch, CONTENDERS, decided, 0, detailAt));
    for (const { to, from } of decisions) {
      this.holds[to] += 1;
      if (from !== null) this.holds[from] -= 1;
    }
    return { holds: [...this.holds], wanted, indices: wanted.map((_, station) => this.index(station)), decisions };
  }

  tell(station, wants, holds) {
    const { kernel } = this;
    const at = this.demandAt + 4 * station;
    kernel.put32(at, wants | (holds << 16));
    kernel.must(kernel.c.locox_ranking_note(this.at, station, at));
  }

  read(at) {
    const { kernel } = this;
    const from = kernel.u32(at + 4);
    return { to: kernel.u32(at), from: from === NOBODY ? null : from, reason: REASONS[kernel.u32(at + 8)] };
  }

  index(station) {
    const { kernel } = this;
    if (kernel.c.locox_ranking_index(this.at, station, this.indexAt) !== OK) return null;
    const raw = Number(BigInt.asIntN(64, kernel.u64(this.indexAt)));
    return this.ranking === "timed" ? raw / 2 ** 40 : raw / 256;
  }
}

// A number for rankings by lot, the same for the same interval.
function lot(now) {
  return Math.imul(now + 1, 0x9e3779b1) >>> 0;
}
