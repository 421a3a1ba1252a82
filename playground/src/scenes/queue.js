// The same jobs under three rules: first come, first served, EASY and conservative backfilling.
import { playQueue, RULES } from "../kernel/queue.js";
import { button, el, number } from "../ui/dom.js";
import { gantt } from "../ui/gantt.js";
import { player } from "../ui/player.js";
import { decodeJobs, encodeJobs, sensible, twentyJobs } from "./queue_jobs.js";
import { startsTable, startsWords } from "./queue_starts.js";
import { strip } from "./queue_strip.js";
import { previewTotals, totalsLine } from "./queue_totals.js";

const PES = 12;
const MOST_JOBS = 40;
const SHORT = { fcfs: "FCFS", easy: "EASY", conservative: "Conservative" };

export const queueScene = {
  title: "Queue",
  initial: { jobs: twentyJobs(330, PES), selected: 0, time: 12, seed: 330 },

  encode({ jobs, selected, time, seed }) {
    return { jobs: encodeJobs(jobs), job: selected + 1, t: time, seed };
  },

  decode(given) {
    const jobs = decodeJobs(given.get("jobs"), PES);
    const whole = (name, least, most) => Math.min(most, Math.max(least, Math.trunc(Number(given.get(name))) || least));
    return { jobs, selected: whole("job", 1, Math.max(1, jobs.length)) - 1, time: whole("t", 0, 99999), seed: whole("seed", 1, 99999) };
  },

  draw({ kernel, state, set, time: passing, width }) {
    const { jobs, selected, time } = state;
    const played = playAll(kernel, jobs);
    const last = Math.max(1, ...played.flatMap(({ ran }) => ran.map(({ end }) => end)));
    const until = Math.max(last, ...jobs.map(({ arrival, requested }) => arrival + requested));
    const withJob = (id, job) => jobs.map((other, at) => (at === id ? sensible(job, PES) : other));
    const onchange = (id, job) => set({ jobs: withJob(id, job), selected: id });
    const onpreview = (id, job) => previewTotals(played, playAll(kernel, withJob(id, job)), jobs[id], sensible(job, PES));
    const shown = Math.min(time, last);
    return [
      el("p", {}, `${jobs.length} jobs for ${PES} processors. The kernel’s queue says who starts; each chart is one rule. A job under the pointer is lit in all.`),
      el("p", { class: "message", hidden: true }, heads(played, shown)),
      summary(played),
      el("p", { class: "starts-words" }, startsWords(played)),
      startsTable(played),
      clock(shown, last, set, passing),
      ...played.map((run) => chart(run, { jobs, time: shown, until: last, width })),
      el("h2", {}, "Jobs"),
      el("p", { class: "hint" }, "Drag a bar of this list to change the arrival, its right end to change the time asked for. If a job runs all of that, the end changes both. Keys: arrows, with Shift the end. The pale part is asked for, but not used."),
      editor(state, set, onchange),
      // The line sticks to the lower edge of the screen only as far as the list goes.
      el("div", {}, el("div", { class: "wide" }, strip({ jobs, selected, until, width, onchange, onpreview, onselect: (id) => id !== selected && set({ selected: id }) })), totalsLine(played)),
    ];
  },
};

function playAll(kernel, jobs) {
  return RULES.map(([rule, name]) => {
    const run = playQueue(kernel, rule, PES, jobs);
    const waits = run.ran.map(({ id, start }) => start - jobs[id].arrival);
    return { rule, name, short: SHORT[rule], ...run, waits, meanWait: mean(waits), makespan: Math.max(0, ...run.ran.map(({ end }) => end)) };
  });
}

function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function summary(played) {
  const rows = played.map(({ name, ran, waits, meanWait, makespan }) => {
    const used = ran.reduce((sum, { start, end, pes }) => sum + (end - start) * pes.length, 0);
    const share = makespan === 0 ? 0 : (100 * used) / (makespan * PES);
    return el("tr", {}, el("th", { scope: "row" }, name),
      [makespan, meanWait.toFixed(1), Math.max(0, ...waits), `${share.toFixed(0)} %`].map((value) => el("td", {}, String(value))));
  });
  return el("table", { class: "answers" }, el("caption", {}, "What it comes to"),
    el("thead", {}, el("tr", {}, ["Rule", "Makespan", "Mean wait", "Longest wait", "In use"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows));
}

function clock(time, last, set, { begin, step, done }) {
  const to = (value) => set({ time: Math.min(last, Math.max(0, value)) });
  return el("div", { class: "clock" },
    button("−", "earlier", () => to(time - 1), { "aria-label": "One tick earlier" }),
    el("label", {}, el("span", {}, `Time ${time}`),
      el("input", { type: "range", min: 0, max: last, value: time, "data-key": "time", onchange: (event) => to(Number(event.target.value)) })),
    button("+", "later", () => to(time + 1), { "aria-label": "One tick later" }),
    player({ name: "queue", at: time, last, begin, step: (at) => step({ time: at }), done }));
}

// The head of the line as it stood after the last event up to that time.
function headAt(heads, time) {
  return heads.filter((head) => head.time <= time).at(-1) ?? { id: null, promised: null };
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

function editor({ jobs, selected, seed }, set, onchange) {
  const job = jobs[selected];
  const without = () => set({ jobs: jobs.filter((_, id) => id !== selected), selected: Math.max(0, Math.min(selected, jobs.length - 2)) });
  const more = () => set({ jobs: [...jobs, job ?? { arrival: 0, pes: 1, requested: 4, runs: 4 }], selected: jobs.length });
  const field = (label, name, range) => number(label, `job-${name}`, job[name], range, (value) => onchange(selected, { ...job, [name]: value }));
  return el("section", { class: "controls", "aria-label": "The job that is selected" },
    job && el("div", { class: "wrap" }, el("strong", {}, `Job ${selected + 1}`),
      field("Arrival", "arrival", [0, 999]), field("Processors", "pes", [1, PES]),
      field("Asks for", "requested", [1, 999]), field("Runs", "runs", [1, job.requested])),
    el("div", {},
      job && button("Delete", "delete", without),
      button("Add a job", "add", more, { disabled: jobs.length >= MOST_JOBS }),
      button("Other jobs", "other", () => set({ jobs: twentyJobs(seed + 1, PES), selected: 0, seed: seed + 1 }))));
}
