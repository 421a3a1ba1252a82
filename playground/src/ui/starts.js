// When each job starts under each rule, and who starts earlier or later than by the first rule.
import { el } from "./dom.js";
import { runs } from "./jobs.js";

// `played` has the rule to compare with first; each has a `short` name and what `ran`.
export function startsWords([first, ...others]) {
  return others.map((run) => against(first, run)).map((words) => words[0].toUpperCase() + words.slice(1)).join(" ");
}

function against(first, { short, ran }) {
  const sooner = numbers(ran, ({ id, start }) => start < first.ran[id].start);
  const later = numbers(ran, ({ id, start }) => start > first.ran[id].start);
  if (sooner === "" && later === "") return `${short} starts each job when ${first.short} does.`;
  const parts = [sooner && `${sooner} earlier`, later && `${later} later`].filter(Boolean);
  return `${short} starts ${parts.join(" and ")} than ${first.short}.`;
}

// Jobs by number, three and more neighbours as a range: jobs 1, 2, 4–9.
function numbers(ran, holds) {
  const those = ran.filter(holds).map(({ id }) => id + 1);
  if (those.length === 0) return "";
  return (those.length === 1 ? "job " : "jobs ") + runs(those).map(([from, count]) => (count > 2 ? `${from}–${from + count - 1}` : [from, from + 1].slice(0, count).join(", "))).join(", ");
}

export function startsTable(played) {
  const [first, ...others] = played;
  const rows = first.ran.map(({ id, start }) => el("tr", { "data-job": id + 1 },
    el("th", { scope: "row" }, String(id + 1)), el("td", {}, String(start)), others.map(({ ran }) => cell(ran[id].start, start))));
  return el("details", { class: "starts" }, el("summary", {}, "Starts of all jobs"),
    el("table", { class: "answers" },
      el("thead", {}, el("tr", {}, ["Job", ...played.map(({ short }) => short)].map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows)));
}

function cell(start, first) {
  if (start === first) return el("td", {}, String(start));
  const [kind, words] = start < first ? ["sooner", `${first - start} earlier`] : ["later", `${start - first} later`];
  return el("td", { class: kind }, `${start}, ${words}`);
}
