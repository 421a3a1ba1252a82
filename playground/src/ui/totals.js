// What rules come to, and while a job is dragged what they would come to.
import { el } from "./dom.js";

// A run of `jobs`, with what it comes to.
export function totalled(run, jobs) {
  const waits = run.ran.map(({ id, start }) => start - jobs[id].arrival);
  return { ...run, waits, meanWait: mean(waits), makespan: Math.max(0, ...run.ran.map(({ end }) => end)) };
}

function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

// `pes` is how many the machine has.
export function summary(played, pes) {
  const rows = played.map(({ name, ran, waits, meanWait, makespan }) => {
    const used = ran.reduce((sum, { start, end, pes }) => sum + (end - start) * pes.length, 0);
    const share = makespan === 0 ? 0 : (100 * used) / (makespan * pes);
    return el("tr", {}, el("th", { scope: "row" }, name),
      [makespan, meanWait.toFixed(1), Math.max(0, ...waits), `${share.toFixed(0)} %`].map((value) => el("td", {}, String(value))));
  });
  return el("table", { class: "answers" }, el("caption", {}, "What it comes to"),
    el("thead", {}, el("tr", {}, ["Rule", "Makespan", "Mean wait", "Longest wait", "In use"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows));
}

// The line next to the list of jobs.
export function totalsLine(played) {
  return el("p", { class: "totals" }, played.map((run) => el("span", {}, words(run, run))));
}

// The same line in the page: `played` as it is, `would` as it would be, and what changes of a job.
export function previewTotals(played, would, before, after) {
  const line = document.querySelector(".totals");
  const spans = played.map((run, at) => el("span", {}, words(run, would[at])));
  line.replaceChildren(...spans, el("span", { class: "of-job" }, changes(before, after)));
}

function words(is, would) {
  return `${is.short}: makespan ${arrow(is.makespan, would.makespan)}, mean wait ${arrow(is.meanWait.toFixed(1), would.meanWait.toFixed(1))}`;
}

function changes(before, after) {
  const parts = [["arrives at", "arrival"], ["asks for", "requested"], ["runs", "runs"]]
    .filter(([, name]) => before[name] !== after[name]).map(([what, name]) => `${what} ${arrow(before[name], after[name])}`);
  return parts.length === 0 ? "" : `This job: ${parts.join(", ")}`;
}

function arrow(before, after) {
  return before === after ? before : `${before} → ${after}`;
}
