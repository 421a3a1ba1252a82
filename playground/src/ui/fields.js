// The numbers of a job. `fields` has for each its label and its range, in the order in which the address has them; among them
// are `requested` and `runs`, which is not more.

const MOST_JOBS = 40;
const MOST_TIME = 999;

// `size` has the fields that say how much of the machine a job needs.
export function fieldsWith(size) {
  return { arrival: ["Arrival", 0, MOST_TIME], ...size, requested: ["Asks for", 1, MOST_TIME], runs: ["Runs", 1, MOST_TIME] };
}

export function encodeJobs(fields, jobs) {
  return jobs.map((job) => Object.keys(fields).map((name) => job[name]).join(".")).join("-");
}

// Each number is brought into its range; what is no job is left out.
export function decodeJobs(fields, text) {
  const names = Object.keys(fields);
  return (text ?? "").split("-").slice(0, MOST_JOBS).map((word) => word.split(".").map(Number))
    .filter((numbers) => numbers.length === names.length && numbers.every(Number.isInteger))
    .map((numbers) => sensible(fields, Object.fromEntries(names.map((name, at) => [name, numbers[at]]))));
}

export function sensible(fields, job) {
  const within = Object.entries(fields).map(([name, [, least, most]]) => [name, Math.min(most, Math.max(least, job[name]))]);
  const found = Object.fromEntries(within);
  return { ...found, runs: Math.min(found.runs, found.requested) };
}

export function isFull(jobs) {
  return jobs.length >= MOST_JOBS;
}
