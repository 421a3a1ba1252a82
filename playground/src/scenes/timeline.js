// A request put into a timeline of reservations: what each policy answers.
import { playTimeline, POLICIES } from "../kernel/timeline.js";
import { button, el, number } from "../ui/dom.js";
import { gantt } from "../ui/gantt.js";
import { letter, plural, runs } from "../ui/jobs.js";
import { decodeBookings, encodeBookings, decodeRequest, encodeRequest } from "./timeline_log.js";

const PES = 12;
const FIRST = "4.6.0.n.0-8.4.12.n.0-3.9.9.n.0-5.5.24.n.0-10.4.34.n.0-2.12.20.n.0";
const TOO_LARGE = 1;
const LATE = 7;

export const timelineScene = {
  title: "Timeline",
  initial: { log: decodeBookings(FIRST), request: { pes: 4, duration: 4, ready: 0, deadline: null }, policy: 0, told: false },

  // `told`: the message says what the last command led to, and not what the request would get.
  encode({ log, request, policy, told }) {
    return { log: encodeBookings(log), ask: encodeRequest(request), by: policy, ...(told ? { told: 1 } : {}) };
  },

  decode(given) {
    const policy = Number(given.get("by"));
    const request = decodeRequest((given.get("ask") ?? "").split("."));
    return { log: decodeBookings(given.get("log")), ...(request ? { request } : {}), policy: POLICIES[policy] ? policy : 0, told: given.has("told") };
  },

  draw({ kernel, state, set, width }) {
    const played = playTimeline(kernel, { pes: PES, ...state });
    const answer = played.answers[state.policy];
    return [
      el("p", {}, `A machine of ${PES} processors with reservations. Describe a request: each policy chooses among the starts at which it fits.`),
      controls(state, set),
      said(played, state),
      chart(played, answer, state, set, width),
      el("p", { class: "hint" }, "The window of the request is shaded. Drag the request, or move it by the arrows: not before there. Click on a reservation to cancel it."),
      answers(played, state, set),
    ];
  },
};

function controls({ request, policy, log }, set) {
  const change = (name) => (value) => set({ request: { ...request, [name]: value }, told: false });
  const reserve = () => set({ log: [...log, { do: "reserve", request, policy }], told: true });
  return el("section", { class: "controls", "aria-label": "The request" },
    el("div", {},
      number("Processors", "pes", request.pes, [1, 2 * PES], change("pes")),
      number("Duration", "duration", request.duration, [1, 99], change("duration")),
      number("Not before", "ready", request.ready, [0, 99], change("ready")),
      number("Deadline", "deadline", request.deadline, [1, 198], change("deadline"), "none")),
    el("div", {},
      button(`Reserve by ${POLICIES[policy][0]}`, "reserve", reserve, { class: "main" }),
      button("Clear", "clear", () => set({ log: [], told: true }))));
}

function reason({ status, detail, text }, { deadline }) {
  if (status === LATE) return `Refused: it cannot end by the deadline, ${deadline}. The earliest end would be ${detail}.`;
  if (status === TOO_LARGE) return `Refused: ${text}, which has ${plural(Number(detail), "processor")}.`;
  return `Refused: ${text}.`;
}

function said({ last, reservations, answers }, { request, policy, told }) {
  const line = (kind, text) => el("p", { class: `message ${kind}` }, text);
  if (!told) return line(...wouldGet(answers[policy], request, POLICIES[policy][0]));
  if (!last) return line("note", "Nothing is reserved.");
  if (last.status !== 0) return line("refused", reason(last, last.command.request ?? request));
  if (last.command.do === "cancel") return line("note", `Reservation ${letter(last.command.number)} is cancelled.`);
  const name = letter(reservations.at(-1).number);
  return line("granted", `Reservation ${name}: ${plural(last.pes.length, "processor")} from ${last.start} to ${last.end}.`);
}

function wouldGet(answer, request, policy) {
  if (answer.status !== 0) return ["refused", reason(answer, request)];
  return ["note", `${policy} would give the request ${plural(answer.pes.length, "processor")} from ${answer.start} to ${answer.end}.`];
}

function chart({ reservations }, answer, { request, log }, set, width) {
  const ends = [...reservations.map(({ end }) => end), answer.end ?? 0, request.ready + request.duration, request.deadline ?? 0];
  const bars = reservations.map(({ number, start, end, pes }) => ({
    number, name: letter(number), start, end, pes,
    label: `Cancel reservation ${letter(number)}: ${plural(pes.length, "processor")} from ${start} to ${end}`,
    onclick: () => set({ log: [...log, { do: "cancel", number }], told: true }),
  }));
  if (answer.status === 0) {
    const onmove = (by) => set({ request: { ...request, ready: Math.min(99, Math.max(0, answer.start + by)) }, told: false });
    bars.push({ ghost: true, name: "?", label: `The request from ${answer.start} to ${answer.end}; arrows move it`, onmove, ...answer });
  }
  return gantt({
    label: "Reservations: processors upwards, time to the right", width, pes: PES, until: Math.max(...ends) + 2, bars,
    window: [request.ready, request.deadline],
  });
}

function answers({ answers }, { policy, request }, set) {
  const processors = (pes) => runs(pes).map(([first, count]) => (count === 1 ? first + 1 : `${first + 1}–${first + count}`)).join(", ");
  const rows = POLICIES.map(([name, what], at) => {
    const { status, start, end, pes } = answers[at];
    const pick = el("input", { type: "radio", name: "policy", checked: at === policy, "data-key": `policy-${at}`, onchange: () => set({ policy: at, told: false }) });
    const cells = status === 0
      ? [el("td", {}, `${start} to ${end}`), el("td", {}, processors(pes))]
      : [el("td", { colspan: 2, class: "refused" }, reason(answers[at], request))];
    return el("tr", { class: at === policy ? "chosen" : null },
      el("th", { scope: "row" }, el("label", {}, pick, el("span", {}, name)), el("small", {}, what)), cells);
  });
  return el("table", { class: "answers" }, el("caption", {}, "The answers of the seven policies"),
    el("thead", {}, el("tr", {}, ["Policy prefers", "When", "Processors"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows));
}
