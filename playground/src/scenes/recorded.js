// Recorded runs, replayed in the page: the digests of hosts and microcontrollers come out.
import { headOf } from "../kernel/recorded.js";
import { el } from "../ui/dom.js";
import { damageControls, damaged, damageWords, decodeDamage, encodeDamage } from "./recorded_damage.js";

// A file that somebody opened. No link can hold it.
let opened = null;

export const recordedScene = {
  title: "Replay",
  initial: { run: null, damage: null },

  encode({ run, damage }) {
    return { ...(run === null || run === "file" ? {} : { run }), ...encodeDamage(damage) };
  },

  decode(given) {
    return { run: /^[a-z-]{1,40}$/.test(given.get("run") ?? "") ? given.get("run") : null, damage: decodeDamage(given) };
  },

  draw({ recorded, state, set }) {
    const corpus = recorded();
    if (corpus === null) return [el("p", { class: "message note", "data-pending": true }, "The replay is being unpacked.")];
    const all = opened === null ? corpus.runs : [...corpus.runs, opened];
    const run = all.find(({ name }) => name === state.run) ?? all[0];
    const whole = corpus.replay(run.bytes);
    const { bytes, none } = damaged(run.bytes, whole.commands ?? 0, state.damage);
    const answer = none ? { error: none } : state.damage === null ? whole : corpus.replay(bytes);
    const shown = { ...run, bytes: bytes ?? run.bytes, commands: whole.commands, whole: run.bytes, damage: none ? null : state.damage, answer };
    return [
      el("p", {}, "A recorded run holds all that a coordinator was told. The page gives it to the kernel again, by the code that does so on a Cortex-M4. What was answered and where it ended are hashed: the digest is the same everywhere."),
      el("div", { class: "controls" }, drop(set)),
      damageControls({ bytes: run.bytes, commands: whole.commands ?? null, damage: state.damage, onchange: (damage) => set({ run: run.name, damage }) }),
      message(shown),
      el("div", { class: "pair" }, digests(shown), head(shown)),
      corpusTable(corpus, shown, set),
    ];
  },
};

function drop(set) {
  const open = async (file) => {
    if (!file) return;
    opened = { name: "file", title: file.name, bytes: new Uint8Array(await file.arrayBuffer()), digest: null };
    set({ run: "file", damage: null });
  };
  const place = el("label", { class: "drop", "data-key": "drop" },
    el("span", {}, "Open or drop a file of locox record"),
    el("input", { type: "file", "data-key": "file", onchange: (event) => open(event.target.files[0]) }));
  place.ondragover = (event) => event.preventDefault();
  place.ondrop = (event) => { event.preventDefault(); open(event.dataTransfer.files[0]); };
  return place;
}

// What came of a replay, in a word or two for a table.
function verdict({ error, digest, mended }, wanted, damage) {
  if (error) return ["refused", damage ? "refused: the file is damaged" : "refused"];
  if (digest !== wanted) return ["refused", "another"];
  return ["same", mended > 0 ? "the same: repaired" : "the same"];
}

function message({ digest, title, name, commands, damage, answer, bytes, whole }) {
  const what = title ?? name;
  const why = damage === null ? "" : ` ${damageWords(damage, commands)}`;
  const line = (kind, text) => el("p", { class: `message ${kind}` }, text.trim());
  if (answer.error) return line("refused", `${what}: refused. ${answer.error[0].toUpperCase()}${answer.error.slice(1)}.${why}`);
  const mended = answer.mended > 0 ? " The bit that had turned was found by the checksum of its record, and turned back." : "";
  if (digest === null) return line("note", `${what}: ${answer.commands} commands, effects ${answer.effects}, state ${answer.state}.${mended}`);
  if (answer.digest !== digest) return line("refused", `${what}: the digest is another one than that of hosts.${why}${otherLines(bytes, whole)}`);
  const idle = damage !== null && answer.mended === 0 ? `${otherLines(bytes, whole)} What these commands lead to does not depend on it.` : "";
  return line("granted", `${what}: the digest is that of hosts and of the Cortex-M4, the Cortex-M0 and RV32IMC.${mended}${idle}`);
}

function otherLines(bytes, whole) {
  const known = new Set(headOf(whole));
  const changed = headOf(bytes).filter((text) => !known.has(text));
  return changed.length === 0 ? "" : ` A line before the history now says “${changed.join(", ")}”.`;
}

function digests({ digest, answer }) {
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
    const chosen = name === shown.name;
    const found = chosen ? shown.answer : replay(bytes);
    const pick = el("input", { type: "radio", name: "run", checked: chosen, "data-key": `run-${name}`, onchange: () => set({ run: name, damage: null }) });
    const [kind, words] = verdict(found, digest, chosen ? shown.damage : null);
    return el("tr", { class: chosen ? "chosen" : null },
      el("th", { scope: "row" }, el("label", {}, pick, el("span", {}, name))),
      el("td", {}, String(found.commands ?? "")), el("td", {}, el("code", {}, found.state ?? "")), el("td", { class: kind }, words));
  });
  return el("table", { class: "answers corpus" }, el("caption", {}, "All runs of the corpus, replayed now"),
    el("thead", {}, el("tr", {}, ["Run", "Commands", "State", "Digest"].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows));
}
