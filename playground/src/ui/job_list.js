// The list of jobs of a scene, in which they are changed: by fields, by dragging, by keys.
import { button, el, number } from "./dom.js";
import { isFull, sensible } from "./fields.js";
import { strip } from "./strip.js";
import { previewTotals, totalsLine } from "./totals.js";

// `fields` as in fields.js; `size(job)` says how much of the machine a job needs; `play(jobs)` answers what `played` is for the
// jobs as they are; `usual` is a job to start with; `more` are buttons of the scene.
export function jobList({ fields, size, usual, state: { jobs, selected }, set, played, play, until, width, more }) {
  const withJob = (id, job) => jobs.map((other, at) => (at === id ? sensible(fields, job) : other));
  const onchange = (id, job) => set({ jobs: withJob(id, job), selected: id });
  const onselect = (id) => id !== selected && set({ selected: id });
  const onpreview = (id, job) => previewTotals(played, play(withJob(id, job)), jobs[id], sensible(fields, job));
  return [
    el("h2", {}, "Jobs"),
    el("p", { class: "hint" }, "Drag a bar of this list to change the arrival, its right end to change the time asked for. If a job runs all of that, the end changes both. Keys: arrows, with Shift the end. The pale part is asked for, but not used."),
    editor({ fields, usual, jobs, selected, set, onchange, more }),
    // The line sticks to the lower edge of the screen only as far as the list goes.
    el("div", {}, el("div", { class: "wide" }, strip({ jobs, size, selected, until, width, onchange, onpreview, onselect })), totalsLine(played)),
  ];
}

function editor({ fields, usual, jobs, selected, set, onchange, more }) {
  const job = jobs[selected];
  const without = () => set({ jobs: jobs.filter((_, id) => id !== selected), selected: Math.max(0, Math.min(selected, jobs.length - 2)) });
  const another = () => set({ jobs: [...jobs, job ?? usual], selected: jobs.length });
  const field = ([name, [label, least, most]]) =>
    number(label, `job-${name}`, job[name], [least, name === "runs" ? job.requested : most], (value) => onchange(selected, { ...job, [name]: value }));
  return el("section", { class: "controls", "aria-label": "The job that is selected" },
    job && el("div", { class: "wrap" }, el("strong", {}, `Job ${selected + 1}`), Object.entries(fields).map(field)),
    el("div", {},
      job && button("Delete", "delete", without),
      button("Add a job", "add", another, { disabled: isFull(jobs) }), more));
}
