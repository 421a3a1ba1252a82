// Jobs on unlike machines: a table of expected times, and what eight mappers make of it.
import { BESTS, MAPPERS, playMapping } from "../kernel/mapping.js";
import { button, choice, el, number } from "../ui/dom.js";
import { gantt } from "../ui/gantt.js";
import { letter } from "../ui/jobs.js";

const MACHINES = 4;
const CLUSTERS = [[0, 1]]; // the last column: the first two machines together
const MOST_JOBS = 12;
const LONGEST = 999;
const FIRST = "20.24.38.60.n-34.30.40.22.14-18.50.44.60.n-60.58.21.40.26-44.40.36.70.n-12.18.26.30.n-90.84.78.95.12-28.22.34.16.n-50.60.34.41.18";

export const mappingScene = {
  title: "Mapping",
  initial: { times: decodeTimes(FIRST), mapper: "pjs", best: "completion" },

  encode({ times, mapper, best }) {
    const record = { times: times.map((row) => row.map((time) => time ?? "n").join(".")).join("-"), by: mapper };
    return best === "completion" ? record : { ...record, best };
  },

  decode(given) {
    const times = decodeTimes(given.get("times") ?? "");
    return {
      times: times.length > 0 ? times : decodeTimes(FIRST),
      mapper: MAPPERS.some(([of]) => of === given.get("by")) ? given.get("by") : "pjs",
      best: given.get("best") === "execution" ? "execution" : "completion",
    };
  },

  draw({ kernel, state, set, width }) {
    const { times, mapper, best } = state;
    const answers = MAPPERS.map(([of, name]) => ({ mapper: of, name, ...playMapping(kernel, of, { times, clusters: CLUSTERS, best }) }));
    const shown = answers.find((answer) => answer.mapper === mapper);
    return [
      el("p", {}, `What each job would take on each of ${MACHINES} unlike machines, and on machines 1 and 2 together. A mapper says which job runs where, and in which order.`),
      message(shown),
      el("div", { class: "pair" }, matrix(state, set), summary(answers, state, set)),
      el("h2", {}, `${shown.name}: who runs where`),
      chart(shown, width),
      el("p", { class: "hint" }, "Makespan is the end of the last job. Merit is the sum of all ends, which Duplex and PJS make small. PJS gives a job both machines together only where that makes the merit smaller."),
    ];
  },
};

function decodeTimes(text) {
  const time = (word) => (word === "n" ? null : Math.trunc(Number(word)));
  return text.split("-").slice(0, MOST_JOBS).map((row) => row.split(".").map(time))
    .filter((row) => row.length === MACHINES + CLUSTERS.length && row.every((value) => value === null || (value >= 1 && value <= LONGEST)))
    .filter((row) => row.slice(0, MACHINES).some((value) => value !== null));
}

function message(shown) {
  if (shown.status !== 0) return el("p", { class: "message refused" }, `${shown.name}: ${shown.text}.`);
  const together = shown.runs.filter(({ resource }) => resource >= MACHINES).map(({ job }) => letter(job + 1));
  const words = together.length === 0 ? "No job runs on both machines together." : `On both machines together: ${together.join(", ")}.`;
  return el("p", { class: "message note" }, `${shown.name} has the last job end at ${shown.makespan}. ${words}`);
}

function matrix({ times }, set) {
  const change = (job, at) => (value) => {
    const row = times[job].map((time, i) => (i === at ? value : time));
    if (row.slice(0, MACHINES).some((time) => time !== null)) set({ times: times.map((other, i) => (i === job ? row : other)) });
    else set({});
  };
  const heads = ["Job", ...[...Array(MACHINES).keys()].map((machine) => String(machine + 1)), "1+2"];
  const field = (job) => (time, at) => el("td", {},
    number(`${letter(job + 1)} on ${heads[at + 1]}`, `time-${job}-${at}`, time, [1, LONGEST], change(job, at), "–"));
  const rows = times.map((row, job) => el("tr", {}, el("th", { scope: "row" }, letter(job + 1)), row.map(field(job))));
  return el("section", { class: "matrix", "aria-label": "Expected times" },
    el("table", {}, el("caption", {}, "Expected times; empty where it cannot run"),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows)),
    el("div", { class: "controls" }, el("div", {},
      button("Add a job", "add", () => set({ times: [...times, times.at(-1)] }), { disabled: times.length >= MOST_JOBS }),
      button("Remove the last", "remove", () => set({ times: times.slice(0, -1) }), { disabled: times.length === 1 }),
      button("As at first", "first", () => set({ times: decodeTimes(FIRST) })))));
}

function summary(answers, { mapper, best }, set) {
  const least = (of) => Math.min(...answers.filter(({ status }) => status === 0).map((answer) => answer[of]));
  const [shortest, smallest] = [least("makespan"), least("merit")];
  const rows = answers.map((answer) => {
    const pick = el("input", { type: "radio", name: "mapper", checked: answer.mapper === mapper, "data-key": `mapper-${answer.mapper}`, onchange: () => set({ mapper: answer.mapper }) });
    const value = (of, most) => el("td", {}, answer[of] === most ? el("strong", {}, String(answer[of])) : String(answer[of]));
    const cells = answer.status === 0 ? [value("makespan", shortest), value("merit", smallest)] : [el("td", { colspan: 2, class: "refused" }, answer.text)];
    return el("tr", { class: answer.mapper === mapper ? "chosen" : null },
      el("th", { scope: "row" }, el("label", {}, pick, el("span", {}, answer.name))), cells);
  });
  return el("section", { "aria-label": "Mappers" },
    choice("A job’s best machine is the one on which it", "best", BESTS, best, (value) => set({ best: value })),
    el("table", { class: "answers" }, el("caption", {}, "What the eight mappers come to"),
      el("thead", {}, el("tr", {}, ["Mapper", "Makespan", "Merit"].map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows)));
}

function chart({ status, runs, makespan, name }, width) {
  if (status !== 0) return null;
  const bars = runs.map(({ job, resource, start, end }) => ({
    number: job + 1, name: letter(job + 1), start, end, pes: resource < MACHINES ? [resource] : CLUSTERS[resource - MACHINES],
    label: `Job ${letter(job + 1)} on ${resource < MACHINES ? `machine ${resource + 1}` : "machines 1 and 2"} from ${start} to ${end}`,
  }));
  return gantt({ label: `${name}: machines upwards, time to the right`, width, pes: MACHINES, until: makespan, bars, tallest: 30 });
}
