// The page: its scenes as tabs, undo, and the link to what is shown.
import { Kernel } from "./kernel/memory.js";
import { replay } from "./kernel/recorded.js";
import { cubeScene } from "./scenes/cube.js";
import { hostsScene } from "./scenes/hosts.js";
import { mappingScene } from "./scenes/mapping.js";
import { queueScene } from "./scenes/queue.js";
import { recordedScene } from "./scenes/recorded.js";
import { sharesScene } from "./scenes/shares.js";
import { timelineScene } from "./scenes/timeline.js";
import { torusScene } from "./scenes/torus.js";
import { copy } from "./ui/copy.js";
import { button, el, redraw } from "./ui/dom.js";
import { lightJobs } from "./ui/lit.js";
import { Store } from "./ui/store.js";

const SCENES = {
  cube: cubeScene, queue: queueScene, torus: torusScene, timeline: timelineScene, shares: sharesScene, hosts: hostsScene,
  mapping: mappingScene, recorded: recordedScene,
};

function bytesOf(text) {
  return Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
}

// What is large stands in the page compressed, as text.
function unpacked(id) {
  const stream = new Blob([bytesOf(document.getElementById(id).textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream);
}

async function kernelOfPage() {
  return Kernel.from(await unpacked("kernel").arrayBuffer());
}

// Recorded runs with the digests that others find, and what replays them.
async function recordedOfPage() {
  const module = await WebAssembly.compile(await unpacked("replay").arrayBuffer());
  const runs = Object.entries(await unpacked("runs").json()).map(([name, { run, digest }]) => ({ name, bytes: bytesOf(run), digest }));
  return { runs, replay: (bytes) => replay(module, bytes) };
}

// What only one scene needs is unpacked when that asks for it first.
function lazily(load, show) {
  let found = null;
  let asked = false;
  return () => {
    if (!asked) load().then((what) => { found = what; show(); });
    asked = true;
    return found;
  };
}

function bar(store) {
  const open = (name) => {
    store.open(name);
    scrollTo(0, 0);
  };
  const tabs = Object.entries(SCENES).map(([name, scene]) => button(scene.title, `tab-${name}`, () => open(name), {
    role: "tab", id: `tab-${name}`, "aria-controls": "scene", "aria-selected": String(name === store.name),
    tabindex: name === store.name ? 0 : -1,
  }));
  const turn = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = Object.keys(SCENES);
    const next = names[(names.indexOf(store.name) + step + names.length) % names.length];
    store.open(next);
    document.getElementById(`tab-${next}`).focus();
  };
  return [
    el("div", { role: "tablist", "aria-label": "Scenes", onkeydown: turn }, tabs),
    el("div", { class: "tools" },
      button("Undo", "undo", () => store.undo(), { disabled: store.before.length === 0, title: "Ctrl+Z" }),
      button("Link", "link", (event) => copyLink(store, event.target), { title: "Copy a link to what is shown" })),
  ];
}

function copyLink(store, where) {
  return copy(location.href.split("#")[0] + store.hash(), where, () => {
    history.replaceState(null, "", store.hash());
    return "See address";
  });
}

async function start() {
  // In a frame of another page there is one scene, and no room for more.
  document.documentElement.toggleAttribute("data-framed", self !== top);
  const kernel = await kernelOfPage();
  const scene = document.getElementById("scene");
  let store = null;
  const show = () => {
    if (!store) return;
    redraw(document.getElementById("bar"), bar(store));
    scene.setAttribute("aria-labelledby", `tab-${store.name}`);
    redraw(scene, SCENES[store.name].draw({ kernel, recorded, state: store.state, set: (change) => store.set(change), time: passing, width: Math.max(scene.clientWidth, 280) }));
    // One element that stays, so that screen readers tell what changed in it.
    document.getElementById("said").textContent = scene.querySelector(".message").textContent;
    if (!scene.querySelector("[data-pending]")) document.documentElement.dataset.ready = "yes";
  };
  const recorded = lazily(recordedOfPage, show);
  // For a time that passes by itself.
  const passing = { begin: () => store.note(), step: (change) => store.pass(change), done: () => store.settle() };
  store = new Store(SCENES, show);
  document.getElementById("version").textContent = kernel.version();
  addEventListener("keydown", (event) => {
    const typing = event.target.matches("input[type=number]");
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || typing) return;
    event.preventDefault();
    store.undo();
  });
  lightJobs();
  let width = scene.clientWidth;
  new ResizeObserver(() => {
    if (scene.clientWidth === width) return;
    width = scene.clientWidth;
    show();
  }).observe(scene);
  show();
}

start();
