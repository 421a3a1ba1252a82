// Lets time pass by itself: a button, and how many steps a second.
import { button, el } from "./dom.js";

const SPEEDS = [1, 2, 4, 8, 16];
let speed = 4;
let timer = null;
let playing = null;

// `name` tells players of different scenes apart. `at` goes from 0 to `last`; `step` shows another time, as a part of the
// same act, and `done` ends the act.
export function player({ name, at, last, begin, step, done }) {
  const key = `play-${name}`;
  const runs = timer !== null && playing.key === key;
  if (runs) playing = { key, at, last, step, done };
  const toggle = () => {
    if (timer !== null) return stop();
    begin();
    playing = { key, at, last, step, done };
    timer = setInterval(tick, 1000 / speed);
    step(at >= last ? 0 : at + 1);
  };
  const faster = (event) => {
    speed = SPEEDS[Number(event.target.value)];
    if (timer === null) return;
    clearInterval(timer);
    timer = setInterval(tick, 1000 / speed);
  };
  return [
    button(runs ? "Pause" : "Play", key, toggle, { class: "play" }),
    el("label", { class: "speed" }, el("span", {}, "Speed"),
      el("input", { type: "range", min: 0, max: SPEEDS.length - 1, value: SPEEDS.indexOf(speed), "data-key": `${key}-speed`, onchange: faster })),
  ];
}

function stop() {
  clearInterval(timer);
  timer = null;
  playing.done();
}

// Whoever left the scene does not want it to go on.
function tick() {
  if (!document.querySelector(`[data-key="${playing.key}"]`)) return stop();
  if (playing.at >= playing.last) return stop();
  playing.step(playing.at + 1);
}
