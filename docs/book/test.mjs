// Reads the book in headless Chromium, on a telephone and on a wide screen, light and dark.
//
//   node test.mjs CHROMIUM FOLDER     FOLDER has the pages of ci/book
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SMALLEST, launch, open } from "../../host-tests/browser/chromium.mjs";
import { paleTexts } from "../../host-tests/browser/contrast.mjs";
import { faults } from "../../host-tests/browser/faults.mjs";

const [chromium, folder] = process.argv.slice(2);
const address = (page) => pathToFileURL(join(folder, page)).href;
const CONTRAST = 4.5;

async function opened(browser, page, how, errors) {
  const tab = await open(browser, address(page), how, errors);
  await tab.waitForSelector("html[data-ready]");
  return tab;
}

async function look(tab, what) {
  assert.deepEqual([...await tab.evaluate(faults, SMALLEST), ...await tab.evaluate(paleTexts, CONTRAST)], [], what);
}

async function search(browser, errors) {
  const tab = await opened(browser, "index.html", { width: 375, scheme: "light" }, errors);
  const says = (words) => tab.waitForFunction((words) => new RegExp(words).test(document.getElementById("count").textContent), {}, words);
  await tab.keyboard.press("/");
  await tab.keyboard.type("meshes");
  await says("^\\d+ found");
  await look(tab, "what was found");
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press("Enter")]);
  assert.match(tab.url(), /meshes\.html/, "the page of that name is the first");
  // Small words do not count, and a word that is nowhere does not empty the list.
  for (const words of ["try the agent on eight nodes", "how would I run the agent on eight qqqqq nodes"]) {
    await tab.focus("#search");
    await tab.keyboard.press("Escape");
    await tab.keyboard.type(words);
    await says("^[1-9]");
    await tab.waitForFunction(() => document.querySelector("#found a")?.getAttribute("href").startsWith("eight-nodes.html#tutorial"));
  }
  await tab.keyboard.press("Escape");
  await tab.keyboard.type("resrvation");
  await says("^[1-9]");
  await tab.keyboard.press("Escape");
  assert.equal(await tab.$eval("#found", (list) => list.hidden), true);
  await tab.keyboard.type("qqqqq");
  await says("Nothing found");
  await tab.close();
}

async function turns(browser, errors) {
  const tab = await opened(browser, "index.html", { width: 1280, scheme: "light" }, errors);
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
  const tab = await opened(browser, "corrections.html", { width: 1280, scheme: "dark" }, errors);
  await tab.click("details.scene summary");
  const frame = await (await tab.waitForSelector("details.scene[open] iframe")).contentFrame();
  await frame.waitForSelector("html[data-ready]");
  const message = () => frame.$eval(".message", (said) => said.textContent);
  assert.match(await message(), /^As printed/);
  await frame.$eval('[data-key="step-1"]', (step) => step.click());
  assert.match(await message(), /Job D has 8 nodes/);
  await tab.close();
}

async function copies(browser, errors) {
  const tab = await opened(browser, "gateway.html", { width: 375, scheme: "light" }, errors);
  await tab.click("figure.code button");
  await tab.waitForFunction(() => /Copied|Selected/.test(document.querySelector("figure.code button").textContent));
  await tab.close();
}

const browser = await launch(chromium);
try {
  const errors = [];
  const pages = readdirSync(folder).filter((name) => name.endsWith(".html") && name !== "scenes.html");
  for (const how of [{ width: 375, scheme: "dark" }, { width: 1280, scheme: "light" }]) {
    const tab = await opened(browser, "index.html", how, errors);
    for (const page of pages) {
      await tab.goto(address(page), { waitUntil: "domcontentloaded" });
      await tab.waitForSelector("html[data-ready]");
      await look(tab, `${page} at ${how.width}, ${how.scheme}`);
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
