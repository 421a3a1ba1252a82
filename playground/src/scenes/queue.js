// The same jobs under three rules: first come, first served, EASY and conservative backfilling.
import { headAt } from "../kernel/line.js";
import { playQueue, RULES } from "../kernel/queue.js";
import { clock } from "../ui/clock.js";
import { button, el } from "../ui/dom.js";
import { decodeJobs, encodeJobs } from "../ui/fields.js";
import { gantt } from "../ui/gantt.js";
import { jobList } from "../ui/job_list.js";
import { plural } from "../ui/jobs.js";
import { startsTable, startsWords } from "../ui/starts.js";
import { summary, totalled } from "../ui/totals.js";
import { queueFields, twentyJobs } from "./queue_jobs.js";

const PES = 12;
const FIELDS = queueFields(PES);
const SHORT = { fcfs: "FCFS", easy: "EASY", conservative: "Conservative" };

export const queueScene = {
  title: "Queue",
  initial: { jobs: twentyJobs(330, PES), selected: 0, time: 12, seed: 330 },

  encode({ jobs, selected, time, seed }) {
    return { jobs: encodeJobs(FIELDS, jobs), job: selected + 1, t: time, seed };
  },

  decode(given) {
    const jobs = decodeJobs(FIELDS, given.get("jobs"));
    const whole = (name, least, most) => Math.min(most, Math.max(least, Math.trunc(Number(given.get(name))) || least));
    return { jobs, selected: whole("job", 1, Math.max(1, jobs.length)) - 1, time: whole("t", 0, 99999), seed: whole("seed", 1, 99999) };
  },

  draw({ kernel, state, set, time: passing, width }) {
    const { jobs, time, seed } = state;
    const play = (jobs) => playAll(kernel, jobs);
    const played = play(jobs);
    const last = Math.max(1, ...played.map(({ makespan }) => makespan));
    const until = Math.max(last, ...jobs.map(({ arrival, requested }) => arrival + requested));
    const shown = Math.min(time, last);
    const other = button("Other jobs", "other", () => set({ jobs: twentyJobs(seed + 1, PES), selected: 0, seed: seed + 1 }));
    return [
      el("p", {}, `${jobs.length} jobs for ${PES} processors. The kernel’s queue says who starts; each chart is one rule. A job under the pointer is lit in all.`),
      el("p", { class: "message", hidden: true }, heads(played, shown)),
      summary(played, PES),
      el("p", { class: "starts-words" }, startsWords(played)),
      startsTable(played),
      clock({ name: "queue", unit: "tick", time: shown, last, set, passing }),
      ...played.map((run) => chart(run, { jobs, time: shown, until: last, width })),
      ...jobList({ fields: FIELDS, size, usual: { arrival: 0, pes: 1, requested: 4, runs: 4 }, state, set, played, play, until, width, more: other }),
    ];
  },
};

function playAll(kernel, jobs) {
  return RULES.map(([rule, name]) => totalled({ rule, name, short: SHORT[rule], ...playQueue(kernel, rule, PES, jobs) }, jobs));
}

function size({ pes }) {
  return { words: plural(pes, "processor"), short: pes };
}

function headWords(rule, head, ran) {
  if (head.id === null) return "Nobody waits.";
  const name = `Job ${head.id + 1}`;
  const actual = ran[head.id] ? `; it starts at ${ran[head.id].start}` : "";
  if (rule === "fcfs") return `${name} is the head of the line. This rule promises nothing${actual}.`;
  if (head.promised === null) return `${name} is the head of the line, and has no promise${actual}.`;
  return `${name} is the head of the line. Its promised start, the shadow, is ${head.promised}${actual}.`;
}

// Whom the line waits for, in one sentence for all rules.
function heads(played, time) {
  const words = played.map(({ name, heads: all }) => {
    const { id, promised } = headAt(all, time);
    if (id === null) return `${name}: nobody waits`;
    return `${name}: job ${id + 1} is first in line${promised === null ? "" : `, promised ${promised}`}`;
  });
  return `At ${time}. ${words.join(". ")}.`;
}

function chart({ rule, name, ran, heads }, { jobs, time, until, width }) {
  const head = headAt(heads, time);
  const marks = [{ time, name: "now", kind: "now" }];
  if (head.promised !== null) marks.push({ time: head.promised, name: `shadow of ${head.id + 1}`, kind: "shadow" });
  const bars = ran.filter(Boolean).map(({ id, start, end, pes }) => ({
    number: id + 1, job: id + 1, name: String(id + 1), start, end, pes, requestedEnd: start + jobs[id].requested,
    label: `Job ${id + 1}: ${pes.length} processors from ${start} to ${end}, waited ${start - jobs[id].arrival}`,
  }));
  return el("figure", {}, el("h2", {}, name), gantt({ label: `${name}: processors upwards, time to the right`, width, pes: PES, until: until + 1, bars, marks }),
    el("figcaption", {}, headWords(rule, head, ran)));
}
