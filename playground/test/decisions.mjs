// Plays random commands through what the page uses, and prints commands and answers: one case in JSON a line.
// `native.py` plays them to the library of this host and compares.
//
//   node decisions.mjs locox.wasm | python3 native.py liblocox_c.so
import { readFileSync } from "node:fs";
import { playBoxes, RULES as PROMISES, SIDE } from "../src/kernel/boxes.js";
import { playCube, STRATEGIES } from "../src/kernel/cube.js";
import { playHosts, PLACEMENTS } from "../src/kernel/hosts.js";
import { MAPPERS, playMapping } from "../src/kernel/mapping.js";
import { Kernel } from "../src/kernel/memory.js";
import { playQueue, RULES } from "../src/kernel/queue.js";
import { playShares, RANKINGS } from "../src/kernel/shares.js";
import { playTimeline, POLICIES } from "../src/kernel/timeline.js";
import { twentyJobs } from "../src/scenes/queue_jobs.js";

const kernel = await Kernel.from(readFileSync(process.argv[2]));
let state = 12345;
function draw(below) {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >> 12) % below;
}

const print = (value) => console.log(JSON.stringify(value, (_, of) => (typeof of === "bigint" ? String(of) : of)));

function cubeCommand(dims) {
  const node = draw(1 << dims);
  const kinds = ["release", "release", "release", "fail", "drain", "repair"];
  if (draw(2) === 0) return { do: kinds[draw(kinds.length)], node };
  return draw(2) === 0 ? { do: "allocate", sides: [1 << draw(dims), 1] } : { do: "allocate", sides: [1 + draw(6), 1 + draw(4)] };
}

for (const strategy of STRATEGIES) {
  for (let dims = 3; dims <= 7; dims++) {
    const log = [...Array(60)].map(() => cubeCommand(dims));
    const answers = log.map((_, at) => {
      const { nodes, last, free, largest } = playCube(kernel, { dims, strategy, log: log.slice(0, at + 1) });
      return { status: last.status, detail: last.detail, held: nodes.map(({ job }) => (job === null ? 0 : 1)).join(""), free, largest };
    });
    print({ kind: "cube", dims, strategy: STRATEGIES.indexOf(strategy), log, answers });
  }
}

for (let policy = 0; policy < POLICIES.length; policy++) {
  const log = [...Array(40)].map(() => {
    const [duration, ready] = [1 + draw(12), draw(60)];
    return { do: "reserve", policy, request: { pes: 1 + draw(13), duration, ready, deadline: draw(2) ? null : ready + duration + draw(9) } };
  });
  const answers = log.map((_, at) => {
    const { last } = playTimeline(kernel, { pes: 12, log: log.slice(0, at + 1), request: log[at].request });
    return { status: last.status, detail: last.detail, start: last.start ?? null, pes: last.pes ?? null };
  });
  print({ kind: "timeline", pes: 12, log, answers });
}

for (let seed = 1; seed <= 20; seed++) {
  const jobs = twentyJobs(seed, 12);
  for (const [rule] of RULES) {
    const { ran, heads } = playQueue(kernel, rule, 12, jobs);
    print({ kind: "queue", rule, pes: 12, jobs, starts: ran.map(({ start }) => start), heads: heads.map(({ id, promised }) => [id, promised]) });
  }
}

for (let seed = 1; seed <= 8; seed++) {
  let arrival = 0;
  const jobs = [...Array(20)].map(() => {
    arrival += draw(4);
    const [columns, rows, requested] = [1 + draw(SIDE), 1 + draw(4), 2 + draw(16)];
    return { arrival, columns, rows, pes: columns * rows, requested, runs: requested - draw(Math.min(requested, 6)) };
  });
  for (const [rule] of PROMISES) {
    const { ran, promises } = playBoxes(kernel, rule, jobs);
    print({ kind: "boxes", rule, side: SIDE, pes: SIDE * SIDE, jobs, starts: ran.map(({ start }) => start), places: ran.map(({ pes }) => pes),
      promises: promises.map((of) => of.map(({ start, pes }) => [start, pes])) });
  }
}

for (const [ranking] of RANKINGS) {
  const stations = [...Array(6)].map(() => ({ from: draw(20), until: 20 + draw(40), wants: draw(9) }));
  const before = 500;
  stations[0].from = 0;
  const intervals = playShares(kernel, ranking, 8, stations, 60, before);
  print({ kind: "shares", ranking, processors: 8, stations, before, decisions: intervals.map(({ decisions }) => decisions.map(({ to, from }) => [to, from])) });
}

for (const [placement] of PLACEMENTS) {
  for (let seed = 1; seed <= 4; seed++) {
    const log = [...Array(40)].map(() => {
      const kind = draw(4);
      if (kind < 2) return { do: "submit", hosts: 1 + draw(5), barrier: draw(3) === 0 };
      return kind === 2 ? { do: "end", job: 1 + draw(20) } : { do: "load", host: draw(6), busy: draw(2) === 0 };
    });
    const setup = { hosts: 6, levels: 3, seed };
    const answers = log.map((_, at) => {
      const { columns, asked } = playHosts(kernel, placement, { ...setup, log: log.slice(0, at + 1) });
      return { columns: columns.map(({ jobs }) => jobs.map(({ level, job }) => [level, job])), statuses: asked.map(({ status }) => status) };
    });
    print({ kind: "hosts", placement, ...setup, log, answers });
  }
}

for (let seed = 1; seed <= 10; seed++) {
  const times = [...Array(2 + draw(8))].map(() => [...Array(5)].map((_, at) => (at > 0 && draw(5) === 0 ? null : 5 + draw(90))));
  for (const [mapper] of MAPPERS) {
    for (const best of ["completion", "execution"]) {
      const { runs, merit } = playMapping(kernel, mapper, { times, clusters: [[0, 1]], best });
      print({ kind: "mapping", mapper, best, times, clusters: [[0, 1]], merit, runs: runs.map(({ resource, start, end }) => [resource, start, end]) });
    }
  }
}
