// What the rules come to beside the list of jobs, and while a job is dragged what they would come to.
import { el } from "../ui/dom.js";

// `played` has for each rule a `short` name, its `makespan` and its `meanWait`.
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
