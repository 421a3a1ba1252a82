// Jobs as bars from their arrival on, to be dragged: the bar moves the arrival, its end the time that is asked for.
import { svg } from "./dom.js";
import { draggable } from "./drag.js";
import { colour } from "./jobs.js";

const ROW = 22;
const LEFT = 26;

// `size(job)` says how much of the machine a job needs. `onchange(id, job)` when a drag or a key is over; `onselect(id)` when a
// job is touched; `onpreview(id, job)` while it is dragged.
export function strip({ jobs, size, selected, until, width, onchange, onselect, onpreview }) {
  const scale = (width - LEFT - 70) / Math.max(until, 1);
  const height = jobs.length * ROW + 4;
  const chart = svg("svg", { class: "strip", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Jobs by arrival" });
  jobs.forEach((job, id) => chart.append(row(job, id, { scale, size, chosen: id === selected, onchange, onselect, onpreview })));
  return chart;
}

function row(job, id, { scale, size, chosen, onchange, onselect, onpreview }) {
  const y = id * ROW + 2;
  const words = `Job ${id + 1}: arrives at ${job.arrival}, ${size(job).words}, asks for ${job.requested}, runs ${job.runs}`;
  const asked = svg("rect", { class: "unused", y: y + 2, height: ROW - 6 });
  const ran = svg("rect", { y: y + 2, height: ROW - 6 });
  const grip = svg("rect", { class: "grip", y, width: 18, height: ROW - 2 });
  const note = svg("text", { class: "note", y: y + 14 });
  const group = svg("g", {
    class: `bar live ${colour(id + 1)}${chosen ? " chosen" : ""}`, tabindex: 0, role: "button", "aria-label": words,
    "aria-pressed": String(chosen), "data-key": `strip-${id}`, "data-job": id + 1,
  }, svg("title", {}, words), svg("text", { class: "note", x: LEFT - 6, y: y + 14, "text-anchor": "end" }, String(id + 1)), asked, ran, note, grip);
  const place = ({ arrival, requested, runs }) => {
    const x = LEFT + arrival * scale;
    asked.setAttribute("x", x);
    asked.setAttribute("width", requested * scale);
    ran.setAttribute("x", x);
    ran.setAttribute("width", runs * scale);
    grip.setAttribute("x", x + requested * scale - 7);
    note.setAttribute("x", x + requested * scale + 8);
    note.textContent = `${size(job).short} × ${requested}`;
  };
  place(job);
  const show = (changed) => (place(changed), onpreview(id, changed));
  drag({ group, grip, job, scale, show, done: (changed) => (changed ? onchange(id, changed) : onselect(id)) });
  group.addEventListener("keydown", (event) => keys(event, job, (changed) => (changed ? onchange(id, changed) : onselect(id))));
  return group;
}

function drag({ group, grip, job, scale, show, done }) {
  draggable(group, (down) => {
    const end = down.target === grip;
    let changed = null;
    return {
      move(pixels) {
        const by = Math.round(pixels / scale);
        changed = by === 0 ? null : end ? stretched(job, by) : { ...job, arrival: Math.max(0, job.arrival + by) };
        show(changed ?? job);
      },
      done: () => done(changed),
      cancel: () => show(job),
    };
  });
}

// A job that runs as long as it asked for goes on doing so.
function stretched(job, by) {
  const requested = Math.max(1, job.requested + by);
  return { ...job, requested, runs: job.runs === job.requested ? requested : Math.min(job.runs, requested) };
}

// Arrows move the arrival, with Shift the time that is asked for.
function keys(event, job, done) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by) done(event.shiftKey ? stretched(job, by) : { ...job, arrival: Math.max(0, job.arrival + by) });
  else if (event.key === "Enter" || event.key === " ") done(null);
  else return;
  event.preventDefault();
}
