// What may happen to a recorded run: bits that turn, a command that is left out.
import { commandsBegin, historyBegins, RECORD, withBits, withoutCommand } from "../kernel/recorded.js";
import { button, el, number } from "../ui/dom.js";

// Of the address, and of the number that somebody types: what is larger is no byte of a file that a page could hold.
const MOST_BYTE = 999_999_999;

// Damage is null, {bits: bytes in each of which one turns} or {without: the number of a command}.
export function encodeDamage(damage) {
  if (damage === null) return {};
  return damage.bits ? { bit: damage.bits.join(".") } : { without: damage.without };
}

export function decodeDamage(given) {
  const without = Math.trunc(Number(given.get("without")));
  if (without >= 1) return { without };
  const bits = (given.get("bit") ?? "").split(".").filter((text) => /^\d{1,9}$/.test(text)).slice(0, 2).map(Number);
  return bits.length > 0 ? { bits } : null;
}

// The bytes of a run of so many commands after the damage, or why there is nothing that could be damaged.
export function damaged(bytes, commands, damage) {
  if (damage === null) return { bytes };
  if (damage.bits) {
    const none = damage.bits.find((at) => at >= bytes.length);
    return none === undefined ? { bytes: withBits(bytes, damage.bits) } : { none: `there is no byte ${none}: there are ${bytes.length}, from 0 to ${bytes.length - 1}` };
  }
  if (damage.without > commands) return { none: `there is no command ${damage.without}: there are ${commands}` };
  return { bytes: withoutCommand(bytes, commands, damage.without) };
}

// What the damage means, after what came of it.
export function damageWords({ bits, without }, commands) {
  if (without === commands) return "The last command is left out: a run that ends earlier is a run too, and leads elsewhere.";
  if (without) return "Commands are numbered, so none can be left out.";
  return bits.length > 1 ? "One bit of a command can be turned back, two cannot." : "";
}

// `onchange` is told of other damage. A file that is damaged already has no known commands: null.
export function damageControls({ bytes, commands, damage, onchange }) {
  const history = historyBegins(bytes);
  const begin = commands ? commandsBegin(bytes, commands) : null;
  const middle = begin === null ? null : begin + RECORD * (commands >> 1);
  const places = begin === null ? [] : [
    ["In the lines", { bits: [history >> 1] }],
    ["In the image", { bits: [(history + begin) >> 1] }],
    ["In a command", { bits: [middle + 20] }],
    ["Two bits of a command", { bits: [middle + 20, middle + 30] }],
    ["Leave a command out", { without: 1 + (commands >> 1) }],
    ["Leave the last out", { without: commands }],
  ];
  const pressed = (of) => ({ "aria-pressed": String(JSON.stringify(of) === JSON.stringify(damage)) });
  const one = damage?.bits?.length === 1 ? damage.bits[0] : null;
  const parts = begin === null ? "" : ` 0 to ${history - 1} are lines of text, ${history} to ${begin - 1} an image, and the rest ${commands} commands.`;
  return el("section", { "aria-label": "Damage" },
    el("div", { class: "controls" },
      el("div", {},
        number("Turn one bit in byte", "turned", one, [0, MOST_BYTE], (at) => onchange(at === null ? null : { bits: [at] }), "none"),
        places.map(([name, of], at) => button(name, `damage-${at}`, () => onchange(of), pressed(of))),
        button("No damage", "whole", () => onchange(null), { disabled: damage === null }))),
    el("p", { class: "hint" }, `The file has ${bytes.length} bytes, 0 to ${bytes.length - 1}.${parts} Damage is found; one bit of a command is turned back.`));
}
