// Plays each scene in headless Chromium, at three widths, light and dark.
//
//   node pages.mjs CHROMIUM PAGE FOLDER     pictures go to the folder
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { PLAYS } from "./plays.mjs";

const [chromium, page, folder] = process.argv.slice(2);
const address = pathToFileURL(page).href;
const SMALLEST = 11; // pixels of a letter's height, as style sheets count

// A user's hand: it finds things by the keys that the page gives them.
class Hand {
  constructor(page) {
    this.page = page;
  }
  at(key) {
    return `[data-key="${key}"]`;
  }
  click(key) {
    return this.page.locator(this.at(key)).click();
  }
  // By a finger.
  async tap(key) {
    const node = await this.page.$(this.at(key));
    await node.scrollIntoView();
    await node.tap();
  }
  focus(key) {
    return this.page.$eval(this.at(key), (node) => node.focus());
  }
  // What lies under its own label.
  choose(key) {
    return this.page.$eval(this.at(key), (node) => node.click());
  }
  pick(key, value) {
    return this.page.select(this.at(key), value);
  }
  async fill(key, value) {
    await this.page.$eval(this.at(key), (node, value) => {
      node.value = value;
      node.dispatchEvent(new Event("change"));
    }, String(value));
  }
  // As a user types: what is typed counts when the field is left.
  async type(key, value) {
    await this.page.locator(this.at(key)).click({ count: 3 });
    await this.page.keyboard.type(String(value));
  }
  async value(key) {
    return Number(await this.page.$eval(this.at(key), (node) => node.value));
  }
  count(selector) {
    return this.page.$$eval(selector, (nodes) => nodes.length);
  }
  text(selector) {
    return this.page.$eval(selector, (node) => node.textContent);
  }
  focused() {
    return this.page.evaluate(() => document.activeElement.dataset.key);
  }
  // Lets time pass, fast, until `shown` is so much: by itself to the end, or up to a pause.
  async plays(name, shown, until, pause = false) {
    await this.page.$eval(this.at(`play-${name}-speed`), (node) => {
      node.value = node.max;
      node.dispatchEvent(new Event("change"));
    });
    await this.click(`play-${name}`);
    while ((await shown()) < until) await this.page.waitForFunction(() => new Promise((next) => requestAnimationFrame(() => next(true))));
    if (pause) await this.click(`play-${name}`);
    await this.page.waitForFunction((at) => document.querySelector(at).textContent === "Play", {}, this.at(`play-${name}`));
  }
  async drag(selector, by) {
    const node = await this.page.$(selector);
    await node.scrollIntoView();
    const box = await node.boundingBox();
    const [x, y] = [box.x + Math.min(4, box.width / 2), box.y + box.height / 2];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + by, y, { steps: 4 });
    await this.page.mouse.up();
  }
}

// What a look at the page finds wrong.
function faults(smallest) {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || parent.closest("script, title, noscript")) continue;
    const scale = parent instanceof SVGElement ? parent.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
    if (size < smallest - 0.01) found.push(`“${walker.currentNode.textContent.trim()}” has ${size} px`);
  }
  for (const node of document.querySelectorAll("button, input, select, [role=button]")) {
    const name = node.getAttribute("aria-label") || node.closest("label")?.textContent || node.textContent;
    if (!name.trim()) found.push(`no name: ${node.outerHTML.slice(0, 80)}`);
  }
  return found;
}

async function open(browser, hash, { width, scheme }, errors) {
  const page = await browser.newPage();
  page.on("console", (said) => ["error", "warning"].includes(said.type()) && errors.push(said.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => /^https?:/.test(request.url()) && errors.push(`it asks the network for ${request.url()}`));
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setViewport({ width, height: 800 });
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]");
  return page;
}

async function play(browser, scene, how) {
  const errors = [];
  const name = `${scene}-${how.width}-${how.scheme}`;
  const page = await open(browser, `#${scene}`, how, errors);
  const look = async () => assert.deepEqual(await page.evaluate(faults, SMALLEST), [], name);
  await look();
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  await PLAYS[scene](new Hand(page));
  await look();
  await page.screenshot({ path: `${folder}/${name}-played.png`, fullPage: true });
  const shown = () => document.getElementById("scene").textContent;
  const again = await open(browser, await page.evaluate(() => location.hash), how, errors);
  assert.equal(await again.evaluate(shown), await page.evaluate(shown), `${name}: the link shows the same`);
  assert.deepEqual(errors, [], name);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  await Promise.all([page.close(), again.close()]);
  return paint;
}

// A link that somebody made by hand, or cut off, must not break the page.
async function hostile(browser) {
  const errors = [];
  const links = ["#cube?n=99&by=x&log=a9x9-r999-q-a0x0&route=1-99_x", "#cube?n=3&log=a200x200", "#queue?jobs=1.2-9999.99.0.5-x.y.z.w&t=-4&job=77",
    "#queue?jobs=", "#timeline?log=c9-1.0.0.n.0-99.9.9.n.6-1.1.1.1.9&ask=0.0.0.0&by=12", "#shares?by=x&stations=1.2-99.1.1-x.y.z&station=9&t=-3", "#nothing?", "#cube?log=%E0%A4%A",
    "#cube?trap=x&hop=-9", "#cube?trap=shared&hop=1e9", "#hosts?hosts=99&levels=0&seed=x&log=9-0-e99-l9-x-4bb-e1-e1", "#mapping?times=n.n.n.n.n-1.2.3-0.0.0.0.0&by=x&best=y",
    "#mapping?times=n.n.n.5.n&by=genetic", "#recorded?run=none&bit=-5", "#recorded?run=site&bit=1e99"];
  for (const link of links) await (await open(browser, link, { width: 375, scheme: "light" }, errors)).close();
  assert.deepEqual(errors, [], "links that make no sense");
}

const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--force-color-profile=srgb"] });
try {
  const paints = [];
  for (const scene of Object.keys(PLAYS)) {
    for (const width of [375, 1280, 2560]) {
      for (const scheme of ["light", "dark"]) paints.push(await play(browser, scene, { width, scheme }));
    }
  }
  await hostile(browser);
  paints.sort((a, b) => a - b);
  console.log(`${paints.length} plays in the browser; first paint after ${Math.round(paints[paints.length >> 1])} ms, ${Math.round(paints.at(-1))} at most`);
} finally {
  await browser.close();
}
