// A time that is chosen, or that passes by itself.
import { button, el } from "./dom.js";
import { player } from "./player.js";

// `name` is that of the scene, `unit` what a step of its time is called; `passing` is for a time that passes.
export function clock({ name, unit, time, last, set, passing: { begin, step, done } }) {
  const to = (value) => set({ time: Math.min(last, Math.max(0, value)) });
  return el("div", { class: "clock" },
    button("−", "earlier", () => to(time - 1), { "aria-label": `One ${unit} earlier` }),
    el("label", {}, el("span", {}, `Time ${time}`),
      el("input", { type: "range", min: 0, max: last, value: time, "data-key": "time", onchange: (event) => to(Number(event.target.value)) })),
    button("+", "later", () => to(time + 1), { "aria-label": `One ${unit} later` }),
    player({ name, at: time, last, begin, step: (at) => step({ time: at }), done }));
}
