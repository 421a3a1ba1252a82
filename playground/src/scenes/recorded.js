// Recorded runs, replayed in the page: the digests of hosts and microcontrollers come out.
import { headOf, withBit } from "../kernel/recorded.js";
import { button, el, number } from "../ui/dom.js";

// A file that somebody opened. No link can hold it.
let opened = null;

export const recordedScene = {
  title: "Replay",
  initial: { run: null, turned: null },

  encode({ run, turned }) {
    const record = run === null || run === "file" ? {} : { run };
    return turned === null ? record : { ...record, bit: turned };
  },

  decode(given) {
    const turned = given.has("bit") ? Math.trunc(Number(given.get("bit"))) : null;
    return { run: /^[a-z-]{1,40}$/.test(given.get("run") ?? "") ? given.get("run") : null, turned: turned >= 0 ? turned : null };
  },

  draw({ recorded, state, set }) {
    const corpus = recorded();
    if (corpus === null) return [el("p", { class: "message note", "data-pending": true }, "The replay is being unpacked.")];
    const all = opened === null ? corpus.runs : [...corpus.runs, opened];
    const shown = all.find(({ name }) => name === state.run) ?? all[0];
    const turned = state.turned === null ? null : Math.min(state.turned, shown.bytes.length - 1);
    const answer = corpus.replay(turned === null ? shown.bytes : withBit(shown.bytes, turned));
    return [
      el("p", {}, "A recorded run holds all that a coordinator was told. The page gives it to the kernel again, by the code that does so on a Cortex-M4. What was answered and where it ended are hashed: the digest is the same everywhere."),
      controls(shown, turned, set),
      message(shown, turned, answer),
      el("div", { class: "pair" }, digests(shown, answer), head(shown)),
      corpusTable(corpus, shown, set),
    ];
  },
};

function controls({ bytes, name }, turned, set) {
  const open = async (file) => {
    if (!file) return;
    opened = { name: "file", title: file.name, bytes: new Uint8Array(await file.arrayBuffer()), digest: null };
    set({ run: "file", turned: null });
  };
  const drop = el("label", { class: "drop", "data-key": "drop" },
    el("span", {}, "Open or drop a file of locox record"),
    el("input", { type: "file", "data-key": "file", onchange: (event) => open(event.target.files[0]) }));
  drop.ondragover = (event) => event.preventDefault();
  drop.ondrop = (event) => { event.preventDefault(); open(event.dataTransfer.files[0]); };
  return el("section", { class: "controls", "aria-label": "The run" },
    el("div", {},
      number(`Turn a bit in byte 0 to ${bytes.length - 1}`, "turned", turned, [0, bytes.length - 1], (value) => set({ run: name, turned: value }), "none"),
      button("None", "whole", () => set({ turned: null }), { disabled: turned === null })),
    el("div", {}, drop));
}

function message({ digest, title, name }, turned, answer) {
  const what = title ?? name;
  if (answer.error) return el("p", { class: "message refused" }, `${what}: ${answer.error}.`);
  const mended = answer.mended > 0 ? ` The bit that had turned was found by the checksum of its record, and turned back.` : "";
  if (digest === null) return el("p", { class: "message note" }, `${what}: ${answer.commands} commands, effects ${answer.effects}, state ${answer.state}.${mended}`);
  if (answer.digest === digest) return el("p", { class: "message granted" }, `${what}: the digest is that of hosts and of the Cortex-M4, the Cortex-M0 and RV32IMC.${mended}`);
  return el("p", { class: "message refused" }, `${what}: the digest is another one than that of hosts. ${turned === null ? "" : "The bit lies in the lines before the history, and says something else."}`);
}

function digests({ digest }, answer) {
  const line = (name, text) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, el("code", { class: "lines-of" }, text)));
  return el("table", { class: "answers digest" }, el("caption", {}, "Digest"),
    el("tbody", {}, line("In this page", answer.error ?? answer.digest.trim()), digest === null ? null : line("On hosts and microcontrollers", digest.trim())));
}

function head({ bytes }) {
  return el("section", { "aria-label": "What it is of" }, el("h2", {}, "What it is of"),
    el("ul", { class: "chips head" }, headOf(bytes).map((line) => el("li", {}, el("code", {}, line)))));
}

function corpusTable({ runs, replay }, shown, set) {
  const rows = runs.map(({ name, bytes, digest }) => {
    const found = replay(bytes);
    const pick = el("input", { type: "radio", name: "run", checked: name === shown.name, "data-key": `run-${name}`, onchange: () => set({ run: name, turned: null }) });
    const same = found.digest === digest;
    return el("tr", { class: name === shown.name ? "chosen" : null },
      el("th", { scope: "row" }, el("label", {}, pick, el("span", {}, name))),
      el("td", {}, String(found.commands)), el("td", {}, el("code", {}, found.state ?? "")),
      el("td", { class: same ? "same" : "refused" }, same ? "the same" : "another"));
  });
  return el("table", { class: "answers corpus" }, el("caption", {}, "All runs of the corpus, replayed now"),
    el("thead", {}, el("tr", {}, ["Run", "Commands", "State", "Digest"].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows));
}
