// Stations that share processors: their indices over time, and who holds what.
import { HALF_LIFE, playShares, QUANTUM, RANKINGS } from "../kernel/shares.js";
import { clock } from "../ui/clock.js";
import { button, el, number, select } from "../ui/dom.js";
import { gantt } from "../ui/gantt.js";
import { colour, letter, plural } from "../ui/jobs.js";
import { lines } from "../ui/lines.js";

const PROCESSORS = 8;
const INTERVALS = 60;
const MOST_STATIONS = 8;
const FIRST = "0.60.8-0.60.8-10.18.3-24.30.4-36.44.2";
const YEAR = 365 * 24 * 6; // intervals of ten minutes, as in the study

export const sharesScene = {
  title: "Shares",
  initial: { ranking: "timed", stations: decodeStations(FIRST), selected: 0, time: 10, year: false },

  encode({ ranking, stations, selected, time, year }) {
    return { by: ranking, stations: encodeStations(stations), station: selected, t: time, ...(year ? { year: 1 } : {}) };
  },

  decode(given) {
    const ranking = RANKINGS.some(([of]) => of === given.get("by")) ? given.get("by") : "timed";
    const read = decodeStations(given.get("stations"));
    const stations = read.length > 0 ? read : decodeStations(FIRST);
    const within = (name, most) => Math.min(most, Math.max(0, Math.trunc(Number(given.get(name))) || 0));
    return { ranking, stations, selected: within("station", stations.length - 1), time: within("t", INTERVALS - 1), year: given.get("year") === "1" };
  },

  draw({ kernel, state, set, time: passing, width }) {
    const { ranking, stations, time } = state;
    const played = playedOnce(kernel, state);
    const chart = played[0].indices[0] === null
      ? el("p", {}, "This ranking keeps no index.")
      : lines({
        label: "The index of each station over time; the lower, the better", width, time,
        lines: stations.map((_, at) => ({ number: at + 1, name: letter(at + 1), values: played.map(({ indices }) => indices[at]) })),
      });
    return [
      el("p", {}, `${plural(stations.length, "station")} share ${PROCESSORS} processors. In each interval the ranking gives free ones away, and takes some from those above.`),
      controls(state, set, passing),
      stationControls(state, set),
      el("p", { class: "message note" }, say(played[time], time)),
      el("h2", {}, "Indices"), chart, el("p", { class: "hint" }, rankingWords(ranking)),
      el("h2", {}, "Processors"),
      gantt({ label: "Who holds processors: processors upwards, time to the right", width, pes: PROCESSORS, until: INTERVALS, bars: holdings(played, stations), marks: [{ time, name: `time ${time}`, kind: "now" }] }),
    ];
  },
};

// A year takes long enough to be played once only while its time goes on.
let last = { of: null };

function playedOnce(kernel, { ranking, stations, year }) {
  const of = JSON.stringify([ranking, stations, year]);
  if (last.of !== of) last = { of, played: playShares(kernel, ranking, PROCESSORS, stations, INTERVALS, year ? YEAR : 0) };
  return last.played;
}

function encodeStations(stations) {
  return stations.map(({ from, until, wants }) => [from, until, wants].join(".")).join("-");
}

function decodeStations(text) {
  return (text ?? "").split("-").slice(0, MOST_STATIONS).map((word) => word.split(".").map(Number))
    .filter((numbers) => numbers.length === 3 && numbers.every((value) => Number.isInteger(value) && value >= 0 && value <= INTERVALS))
    .map(([from, until, wants]) => ({ from, until, wants: Math.min(wants, PROCESSORS) }));
}

function rankingWords(ranking) {
  return {
    timed: `An index rises with what a station holds, falls while it waits with nothing, and halves in ${HALF_LIFE} intervals. For about ${QUANTUM} intervals a station keeps what it took. The lower, the better.`,
    updown: "By the printed table an index moves by steps of 10 at each interval. The lower, the better.",
    round_robin: "Free processors go to stations in turn. Nobody has to yield one.",
    random: "Free processors go to stations by lot. Nobody has to yield one.",
  }[ranking];
}

function say({ decisions, holds, wanted }, time) {
  const because = (reason) => ({ "best index": "nobody who wants one has a better index", "better index": "its index is better", turn: "it is its turn", lot: "the lot fell on it" })[reason];
  const told = decisions.map(({ to, from, reason }) =>
    `${letter(to + 1)} gets a ${from === null ? "free processor" : `processor of ${letter(from + 1)}`}: ${because(reason)}.`);
  const waits = wanted.map((wants, at) => [wants - holds[at], letter(at + 1)]).filter(([count]) => count > 0);
  const line = waits.length === 0 ? "Nobody waits." : `Still wanted: ${waits.map(([count, name]) => `${count} by ${name}`).join(", ")}.`;
  return `At ${time}: ${told.length === 0 ? "nothing changes hands." : told.join(" ")} ${line}`;
}

function controls({ ranking, time, year }, set, passing) {
  return el("section", { class: "controls", "aria-label": "Ranking and time" },
    el("div", {}, select("Ranking", "ranking", RANKINGS, ranking, (value) => set({ ranking: value })),
      select("Before time 0", "year", [["no", "nothing"], ["yes", "a year of what is wanted at 0"]], year ? "yes" : "no", (value) => set({ year: value === "yes" }))),
    clock({ name: "shares", unit: "interval", time, last: INTERVALS - 1, set, passing }));
}

function stationControls({ stations, selected }, set) {
  const station = stations[selected];
  const change = (name) => (value) => set({ stations: stations.map((other, at) => (at === selected ? { ...other, [name]: value } : other)) });
  const add = () => set({ stations: [...stations, { from: 20, until: 40, wants: 2 }], selected: stations.length });
  const remove = () => set({ stations: stations.filter((_, at) => at !== selected), selected: Math.max(0, selected - 1) });
  return el("section", { class: "controls", "aria-label": "Stations" },
    el("div", { role: "group", "aria-label": "Station to change" }, stations.map((_, at) =>
      button(letter(at + 1), `station-${at}`, () => set({ selected: at }), { class: `${colour(at + 1)} station`, "aria-pressed": String(at === selected), "aria-label": `Station ${letter(at + 1)}` }))),
    el("div", {},
      number(`${letter(selected + 1)} wants`, "wants", station.wants, [0, PROCESSORS], change("wants")),
      number("from", "from", station.from, [0, INTERVALS], change("from")),
      number("until", "until", station.until, [0, INTERVALS], change("until"))),
    el("div", {},
      button("Add a station", "add", add, { disabled: stations.length >= MOST_STATIONS }),
      button("Remove", "remove", remove, { disabled: stations.length === 1 })));
}

// What stations hold, stacked by their numbers: a bar for each stretch of time in which nothing moves.
function holdings(played, stations) {
  return stations.flatMap((_, at) => {
    const bars = [];
    played.forEach(({ holds }, time) => {
      const first = holds.slice(0, at).reduce((sum, count) => sum + count, 0);
      const last = bars.at(-1);
      if (last && last.end === time && last.first === first && last.pes.length === holds[at]) last.end = time + 1;
      else if (holds[at] > 0) bars.push(bar(at + 1, first, holds[at], time));
    });
    return bars.map((of) => ({ ...of, label: `Station ${of.name}: ${plural(of.pes.length, "processor")} from ${of.start} to ${of.end}` }));
  });
}

function bar(number, first, count, time) {
  return { number, name: letter(number), first, start: time, end: time + 1, pes: [...Array(count).keys()].map((pe) => first + pe) };
}
