// Reads the book in headless Chromium, on a telephone and on a wide screen, light and dark.
//
//   node test.mjs CHROMIUM FOLDER     FOLDER has the pages of ci/book
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [chromium, folder] = process.argv.slice(2);
const address = (page) => pathToFileURL(join(folder, page)).href;
const SMALLEST = 11; // pixels of a letter's height
const CONTRAST = 4.5;

// What a look at the page finds wrong.
function faults(smallest, contrast) {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (colour) => numbers(colour).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (numbers(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const parent = walker.currentNode.parentElement;
    const style = getComputedStyle(parent);
    const key = `${style.color} ${behind(parent)} ${style.fontSize}`;
    if (!text || parent.closest("script") || !parent.checkVisibility() || seen.has(key)) continue;
    seen.add(key);
    if (parseFloat(style.fontSize) < smallest) found.push(`“${text}” has ${style.fontSize}`);
    const [a, b] = [light(style.color), light(behind(parent))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < contrast) found.push(`“${text.slice(0, 40)}” has a contrast of ${ratio.toFixed(1)}`);
  }
  return found;
}

async function open(browser, page, { width, scheme }, errors) {
  const tab = await browser.newPage();
  tab.on("console", (said) => ["error", "warning"].includes(said.type()) && errors.push(`${page}: ${said.text()}`));
  tab.on("pageerror", (error) => errors.push(`${page}: ${error.message}`));
  tab.on("request", (request) => /^https?:/.test(request.url()) && errors.push(`${page} asks the network for ${request.url()}`));
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await tab.setViewport({ width, height: 800 });
  await tab.goto(address(page));
  await tab.waitForSelector("html[data-ready]");
  return tab;
}

async function search(browser, errors) {
  const tab = await open(browser, "index.html", { width: 375, scheme: "light" }, errors);
  const says = (words) => tab.waitForFunction((words) => new RegExp(words).test(document.getElementById("count").textContent), {}, words);
  await tab.keyboard.press("/");
  await tab.keyboard.type("meshes");
  await says("^\\d+ found");
  assert.deepEqual(await tab.evaluate(faults, SMALLEST, CONTRAST), [], "what was found");
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press("Enter")]);
  assert.match(tab.url(), /meshes\.html/, "the page of that name is the first");
  await tab.focus("#search");
  await tab.keyboard.type("resrvation");
  await says("^[1-9]");
  await tab.keyboard.press("Escape");
  assert.equal(await tab.$eval("#found", (list) => list.hidden), true);
  await tab.keyboard.type("qqqqq");
  await says("Nothing found");
  await tab.close();
}

async function turns(browser, errors) {
  const tab = await open(browser, "index.html", { width: 1280, scheme: "light" }, errors);
  const pages = [];
  for (;;) {
    pages.push(tab.url().split("/").at(-1));
    const next = await tab.$('a[rel="next"]');
    if (!next) break;
    await Promise.all([tab.waitForNavigation(), next.click()]);
  }
  await tab.close();
  return pages;
}

async function scene(browser, errors) {
  const tab = await open(browser, "corrections.html", { width: 1280, scheme: "dark" }, errors);
  await tab.click("details.scene summary");
  const frame = await (await tab.waitForSelector("details.scene[open] iframe")).contentFrame();
  await frame.waitForSelector("html[data-ready]");
  assert.match(await frame.$eval(".message", (said) => said.textContent), /Job D has 8 nodes/);
  await tab.close();
}

async function copies(browser, errors) {
  const tab = await open(browser, "gateway.html", { width: 375, scheme: "light" }, errors);
  await tab.click("figure.code button");
  await tab.waitForFunction(() => /Copied|Selected/.test(document.querySelector("figure.code button").textContent));
  await tab.close();
}

const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--force-color-profile=srgb"] });
try {
  const errors = [];
  const pages = readdirSync(folder).filter((name) => name.endsWith(".html") && name !== "scenes.html");
  for (const how of [{ width: 375, scheme: "dark" }, { width: 1280, scheme: "light" }]) {
    const tab = await open(browser, "index.html", how, errors);
    for (const page of pages) {
      await tab.goto(address(page), { waitUntil: "domcontentloaded" });
      await tab.waitForSelector("html[data-ready]");
      assert.deepEqual(await tab.evaluate(faults, SMALLEST, CONTRAST), [], `${page} at ${how.width}, ${how.scheme}`);
    }
    await tab.close();
  }
  const turned = await turns(browser, errors);
  assert.deepEqual([...turned].sort(), pages.sort(), "next leads through all chapters");
  await search(browser, errors);
  await scene(browser, errors);
  await copies(browser, errors);
  assert.deepEqual(errors, []);
  console.log(`${pages.length} chapters read; search, scenes and copies work`);
} finally {
  await browser.close();
}
