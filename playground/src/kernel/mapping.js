// Has the kernel map jobs to unlike machines, by each of its mappers.
import { NEVER, OK } from "./memory.js";

// In the order of LOCOX_MAP_...; the genetic search is a function of its own.
export const MAPPERS = [
  ["pjs", "PJS"],
  ["duplex", "Duplex"],
  ["olb", "OLB"],
  ["best", "Best assignment"],
  ["min_min", "Min-min"],
  ["max_min", "Max-min"],
  ["sufferage", "Sufferage"],
  ["genetic", "Genetic search"],
];
export const BESTS = [["completion", "ends first"], ["execution", "runs shortest"]];
const CHROMOSOMES = 20;
const GENERATIONS = 30;
const SEED = 1;
const NOBODY = 0xffff_ffff;

// `times` has a row for each job: a time for each machine, then for each cluster; null where it cannot run. `clusters` are
// lists of machines. Answers where and when each job runs, the makespan, and the merit: the sum of the times to their ends.
export function playMapping(kernel, mapper, { times, clusters, best }) {
  kernel.forget();
  const jobs = times.length;
  const machines = times[0].length - clusters.length;
  const problem = problemOf(kernel, { times, machines, clusters });
  const mapped = kernel.room(24 * jobs);
  const merit = kernel.room(8);
  const rule = BESTS.findIndex(([of]) => of === best);
  const number = MAPPERS.findIndex(([of]) => of === mapper);
  const room = workspace(kernel, jobs, machines, clusters.length);
  const status = mapper === "genetic"
    ? kernel.c.locox_map_genetic(problem, genetic(kernel, jobs, rule), 0, room, mapped, merit, kernel.detailAt)
    : kernel.c.locox_map(problem, number, rule, 0, room, mapped, merit, kernel.detailAt);
  if (status !== OK) return kernel.outcome(status);
  const runs = [...Array(jobs).keys()].map((job) => {
    const at = mapped + 24 * job;
    return { job, resource: kernel.u32(at), start: Number(kernel.u64(at + 8)), end: Number(kernel.u64(at + 16)) };
  });
  return { ...kernel.outcome(status), runs, makespan: Math.max(...runs.map(({ end }) => end)), merit: Number(kernel.u64(merit)) };
}

function numbers(kernel, values, bytes) {
  const at = kernel.room(bytes * values.length);
  values.forEach((value, i) => (bytes === 8 ? kernel.put64(at + 8 * i, value) : kernel.put32(at + 4 * i, value)));
  return at;
}

function problemOf(kernel, { times, machines, clusters }) {
  const table = numbers(kernel, times.flat().map((time) => time ?? NEVER), 8);
  const free = numbers(kernel, Array(machines).fill(0), 8);
  const described = clusters.flatMap((members) => [numbers(kernel, members, 4), members.length, members.length, NOBODY, 0]);
  const jobs = times.length;
  const problem = kernel.room(48);
  const fields = [machines, numbers(kernel, described, 4), clusters.length, jobs, 0, table, jobs, free, 0, 0];
  fields.forEach((value, i) => kernel.put32(problem + 8 + 4 * i, value));
  return problem;
}

function workspace(kernel, jobs, machines, clusters) {
  const { c } = kernel;
  const parts = [[jobs, c.locox_size_of_unplaced_row()], [3 * jobs, c.locox_size_of_mapped_row()], [4 * machines, 8], [clusters, c.locox_size_of_cluster_row()]];
  return numbers(kernel, parts.flatMap(([count, bytes]) => [kernel.room(count * bytes), count]), 4);
}

function genetic(kernel, jobs, best) {
  const words = kernel.c.locox_map_genes(jobs, CHROMOSOMES);
  return numbers(kernel, [best, SEED, GENERATIONS, 0, kernel.room(4 * words), words], 4);
}
