// Hosts that parallel jobs share in time: the table of levels under three placements.
import { LOADS, PLACEMENTS, playHosts } from "../kernel/hosts.js";
import { button, choice, el, number, select } from "../ui/dom.js";
import { colour, letter, plural } from "../ui/jobs.js";

const MOST_HOSTS = 8;
const MOST_LEVELS = 4;
const MOST_JOBS = 26;
// Jobs of 4, 3 and 2 hosts: the third one may pass the second (docs/corrections.md).
const FIRST = "4-3-2";

export const hostsScene = {
  title: "Hosts",
  initial: { hosts: 6, levels: 2, seed: 1, log: decodeLog(FIRST, 6), wanted: 2, barrier: false, tool: "end" },

  encode({ hosts, levels, seed, log, tool }) {
    const record = { hosts, levels, seed, log: log.map(encode).join("-") };
    return tool === "end" ? record : { ...record, tool };
  },

  decode(given) {
    const whole = (name, least, most, usual) => (given.has(name) ? Math.min(most, Math.max(least, Math.trunc(Number(given.get(name))) || least)) : usual);
    const hosts = whole("hosts", 1, MOST_HOSTS, 6);
    const tool = given.get("tool") === "load" ? "load" : "end";
    return { hosts, levels: whole("levels", 1, MOST_LEVELS, 2), seed: whole("seed", 1, 9999, 1), log: decodeLog(given.get("log") ?? FIRST, hosts), tool };
  },

  draw({ kernel, state, set }) {
    const played = PLACEMENTS.map(([placement, name]) => ({ placement, name, ...playHosts(kernel, placement, state) }));
    return [
      el("p", {}, "Parallel jobs share hosts in time. On each host the job of the highest level runs, and others use the time in which it waits. A placement picks hosts and level for a new job."),
      controls(state, set, played),
      message(state, played),
      el("div", { class: "trio" }, played.map((run) => table(run, state, set))),
      legend(),
    ];
  },
};

// 4: a job of four hosts, 4b: whose first process is a barrier, e2: job 2 ends, l3 and c3: host 3 is loaded, calm.
function encode(command) {
  if (command.do === "submit") return `${command.hosts}${command.barrier ? "b" : ""}`;
  if (command.do === "end") return `e${command.job}`;
  return `${command.busy ? "l" : "c"}${command.host + 1}`;
}

// What makes no sense is left out.
function decodeLog(text, hosts) {
  return text.split("-").slice(0, 99).map((word) => decode(word, hosts)).filter(Boolean);
}

function decode(word, hosts) {
  const [, kind, value, barrier] = /^([elc]?)(\d{1,2})(b?)$/.exec(word) ?? [];
  const count = Number(value);
  if (!count) return null;
  if (kind === "e") return { do: "end", job: count };
  if (kind === "") return count <= hosts ? { do: "submit", hosts: count, barrier: barrier === "b" } : null;
  return count <= hosts ? { do: "load", host: count - 1, busy: kind === "l" } : null;
}

function controls(state, set, played) {
  const { hosts, levels, seed, log, wanted, barrier, tool } = state;
  const submitted = log.filter((command) => command.do === "submit").length;
  const submit = () => set({ log: [...log, { do: "submit", hosts: Math.min(wanted, hosts), barrier }] });
  return el("section", { class: "controls", "aria-label": "Hosts and jobs" },
    el("div", {},
      number("Hosts of the job", "wanted", Math.min(wanted, hosts), [1, hosts], (value) => set({ wanted: value })),
      el("label", { class: "tick" }, el("input", { type: "checkbox", checked: barrier, "data-key": "barrier", onchange: (event) => set({ barrier: event.target.checked }) }),
        el("span", {}, "its first process is a barrier")),
      button("Submit", "submit", submit, { class: "main", disabled: submitted >= MOST_JOBS })),
    el("div", {},
      number("Hosts", "hosts", hosts, [1, MOST_HOSTS], (value) => set({ hosts: value, log: decodeLog(log.map(encode).join("-"), value) })),
      number("Levels", "levels", levels, [1, MOST_LEVELS], (value) => set({ levels: value })),
      button("Other lots", "lots", () => set({ seed: seed + 1 }), { title: "Two placements pick among equal hosts by lot" }),
      button("Clear", "clear", () => set({ log: [] }))),
    choice("A click on a job, or on a host", "tool", [["end", "Ends the job"], ["load", "Loads the host"]], tool, (value) => set({ tool: value })));
}

// Jobs that run above an earlier one on some host.
function passes({ columns }) {
  const found = [];
  for (const { host, jobs } of columns) {
    for (const late of jobs) {
      const early = jobs.find(({ job, level }) => job < late.job && level > late.level);
      if (early) found.push({ host, late: late.job, early: early.job });
    }
  }
  return found;
}

function message({ log }, played) {
  const last = log.at(-1);
  if (!last) return el("p", { class: "message note" }, "No job has hosts. Submit some.");
  const passing = played.filter((run) => passes(run).length > 0);
  const said = passing.map((run) => {
    const { host, late, early } = passes(run)[0];
    return `${run.name}: job ${letter(late)} runs above the earlier job ${letter(early)} on host ${host + 1}.`;
  });
  const words = said.length > 0 ? said.join(" ") : "Under no placement does a later job run above an earlier one.";
  return el("p", { class: `message ${said.length > 0 ? "refused" : "granted"}` }, words);
}

function table({ placement, name, columns, asked }, { levels, log, tool }, set) {
  const more = (command) => set({ log: [...log, command] });
  const host = ({ host, busy }) => {
    const key = `${placement}-host-${host}`;
    const change = () => more({ do: "load", host, busy: !busy });
    const words = `Host ${host + 1}, load ${(busy ? LOADS.busy : LOADS.calm) / 1000}`;
    return el("th", { scope: "col" }, button(String(host + 1), key, tool === "load" ? change : () => {}, { class: busy ? "busy" : "calm", "aria-label": words, title: words }));
  };
  const cell = (level) => ({ host, busy, jobs }) => {
    const here = jobs.find((of) => of.level === level);
    if (!here) return el("td", {}, el("span", { class: "empty", "aria-label": `Host ${host + 1}, level ${level + 1}: free` }, "·"));
    const act = tool === "end" ? { do: "end", job: here.job } : { do: "load", host, busy: !busy };
    return el("td", {}, button(letter(here.job), `${placement}-${host}-${level}`, () => more(act),
      { class: colour(here.job), "aria-label": `Host ${host + 1}, level ${level + 1}: job ${letter(here.job)}` }));
  };
  const rows = [...Array(levels).keys()].map((level) => el("tr", {}, el("th", { scope: "row" }, String(level + 1)), columns.map(cell(level))));
  return el("figure", {}, el("h2", {}, name),
    el("table", { class: "map shared", "aria-label": `${name}: levels by hosts` },
      el("thead", {}, el("tr", {}, el("td", { class: "corner" }, "level"), columns.map(host))), el("tbody", {}, rows)),
    el("ul", { class: "told-jobs" }, asked.filter(({ ended }) => !ended).map((job) => el("li", {}, `${letter(job.job)}: ${why(job)}`))));
}

function why({ status, text, detail, hosts, why: placed }) {
  if (status !== 0) return `${plural(hosts, "host")} refused: ${text} (${detail})`;
  const { kind, level, owner, shared } = placed;
  if (kind === 0) return `level ${level + 1}, the highest that is free on ${plural(hosts, "host")}`;
  if (kind === 1) return "idle hosts";
  const others = shared < hosts ? ", idle ones besides" : "";
  return `below ${kind === 2 ? letter(owner) : "several jobs"} on ${plural(shared, "host")}${others}`;
}

function legend() {
  return el("p", { class: "hint" }, "Level 1 goes first. A host with a line below its number is loaded: calm placements and the non-interfering one share only calm hosts. The first two pick among equal hosts by lot, as the thesis does.");
}
