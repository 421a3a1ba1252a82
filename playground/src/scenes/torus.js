// Jobs that need boxes of a torus, in a line: who runs where, and what the first in line is promised.
import { playBoxes, RULES, SIDE } from "../kernel/boxes.js";
import { headAt } from "../kernel/line.js";
import { clock } from "../ui/clock.js";
import { button, choice, el } from "../ui/dom.js";
import { decodeJobs, encodeJobs } from "../ui/fields.js";
import { gantt } from "../ui/gantt.js";
import { jobList } from "../ui/job_list.js";
import { startsTable, startsWords } from "../ui/starts.js";
import { summary, totalled } from "../ui/totals.js";
import { board } from "./torus_board.js";
import { boxWords, FIELDS, FIRST, size } from "./torus_jobs.js";

const NODES = SIDE * SIDE;
const WIDEST = 420; // pixels of the board
const GAP = 24;
const SHORT = { none: "no promise", one: "one promise", each: "one for each" };

export const torusScene = {
  title: "Torus",
  initial: { rule: "one", jobs: FIRST, selected: 4, time: 8 },

  encode({ rule, jobs, selected, time }) {
    return { by: rule, jobs: encodeJobs(FIELDS, jobs), job: selected + 1, t: time };
  },

  decode(given) {
    const rule = RULES.some(([of]) => of === given.get("by")) ? given.get("by") : "one";
    const jobs = given.has("jobs") ? decodeJobs(FIELDS, given.get("jobs")) : FIRST;
    const whole = (name, least, most, usual) => (given.has(name) ? Math.min(most, Math.max(least, Math.trunc(Number(given.get(name))) || least)) : usual);
    const most = Math.max(1, jobs.length);
    return { rule, jobs, selected: whole("job", 1, most, Math.min(5, most)) - 1, time: whole("t", 0, 99999, 8) };
  },

  draw({ kernel, state, set, time: passing, width }) {
    const { rule, jobs, selected } = state;
    const play = (jobs) => RULES.map(([of, name]) => totalled({ rule: of, name, short: SHORT[of], ...playBoxes(kernel, of, jobs) }, jobs));
    const played = play(jobs);
    const last = Math.max(1, ...played.map(({ makespan }) => makespan));
    const time = Math.min(state.time, last);
    const until = Math.max(last, ...jobs.map(({ arrival, requested }) => arrival + requested));
    const shown = { run: played.find((run) => run.rule === rule), jobs, time, selected, onselect: (id) => set({ selected: id }) };
    const first = button("First jobs", "first", () => set({ jobs: FIRST, selected: 4 }), { title: "The jobs that the scene starts with" });
    return [
      el("p", {}, `Each job asks for a box of nodes of a torus of ${SIDE} × ${SIDE}; a box may be turned, and may pass the edges. Without promises, small jobs keep starting before a large one, such as job 5. With a promise, the first job in line has a time and a box, and other jobs start before it only if they leave it both.`),
      el("section", { class: "controls", "aria-label": "Promises" }, choice("Promises", "rule", RULES, rule, (of) => set({ rule: of }))),
      clock({ name: "torus", unit: "tick", time, last, set, passing }),
      el("p", { class: "message note" }, `${headWords(shown)} ${jobWords(shown)}`),
      pictures(shown, width),
      summary(played, NODES),
      el("p", { class: "starts-words" }, startsWords(played)),
      startsTable(played),
      ...jobList({ fields: FIELDS, size, usual: { arrival: 0, columns: 4, rows: 4, requested: 8, runs: 8 }, state, set, played, play, until, width, more: first }),
    ];
  },
};

// What the head of the line is promised at that time, with its box; null if nothing.
function promiseAt({ run, time }) {
  const { id, promised } = headAt(run.heads, time);
  return promised === null ? null : { id, ...run.promises[id].filter((promise) => promise.time <= time).at(-1) };
}

function headWords({ run, jobs, time }) {
  const { id } = headAt(run.heads, time);
  if (id === null) return `At ${time}: nobody waits.`;
  const promise = promiseAt({ run, time });
  const told = promise ? `it is promised ${boxWords(promise.pes)} from ${promise.start} on` : "it has no promise";
  return `At ${time}: job ${id + 1}, ${size(jobs[id]).words}, is first in line; ${told}.`;
}

// What became of the job that is selected.
function jobWords({ run, jobs, selected }) {
  const ran = run.ran[selected];
  if (!ran) return "";
  const promises = run.promises[selected];
  const starts = promises.filter(({ start }, at) => start !== promises[at - 1]?.start);
  const told = starts.map(({ time, start }, at) => (at === 0 ? `At ${time} it was promised ${start}.` : `At ${time} the promise moved to ${start}.`));
  return [`Job ${selected + 1} came at ${jobs[selected].arrival}.`, ...told,
    `It started at ${ran.start} on ${boxWords(ran.pes)}, after a wait of ${ran.start - jobs[selected].arrival}.`].join(" ");
}

function pictures(shown, width) {
  const small = Math.min(width, WIDEST);
  const besides = width - small - GAP;
  return el("div", { class: "torus" },
    el("figure", {}, torus(shown, small), el("figcaption", {}, "Hatched: the box that is promised to the first in line.")),
    el("figure", {}, chart(shown, besides >= 300 ? besides : width), el("figcaption", {}, "The nodes upwards, row by row; time to the right.")));
}

function torus({ run, jobs, time, selected, onselect }, width) {
  const boxes = run.ran.filter(({ start, end }) => start <= time && time < end)
    .map(({ id, start, end, pes }) => ({ id, pes, label: `Job ${id + 1}: ${boxWords(pes)} from ${start} to ${end}` }));
  const promise = promiseAt({ run, time });
  const label = promise && `Job ${promise.id + 1}: promised ${boxWords(promise.pes)} from ${promise.start} on`;
  return board({ width, label: `The torus at ${time}`, boxes, promise: promise && { ...promise, label }, selected, onselect });
}

function chart({ run, jobs, time, onselect }, width) {
  const promise = promiseAt({ run, time });
  const marks = [{ time, name: "now", kind: "now" }];
  if (promise) marks.push({ time: promise.start, name: `promise to ${promise.id + 1}`, kind: "shadow" });
  const bars = run.ran.map(({ id, start, end, pes }) => ({
    number: id + 1, job: id + 1, name: String(id + 1), start, end, pes, requestedEnd: start + jobs[id].requested, onclick: () => onselect(id),
    label: `Job ${id + 1}: ${boxWords(pes)} from ${start} to ${end}, waited ${start - jobs[id].arrival}`,
  }));
  return gantt({ label: "Nodes upwards, time to the right", width, pes: NODES, until: run.makespan + 1, bars, marks });
}
