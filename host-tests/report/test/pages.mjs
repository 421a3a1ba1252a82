// Opens pages of reports in headless Chromium, at three widths, light and dark, and does what a user does on them.
//
//   node pages.mjs CHROMIUM FOLDER PICTURES
//
// Each folder in FOLDER has a report; pictures of parts of the pages go to PICTURES.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CONTRAST, SCREENS, SMALLEST, launch, open } from "../../browser/chromium.mjs";
import { paleTexts } from "../../browser/contrast.mjs";
import { faults } from "../../browser/faults.mjs";
import { JOBS, PLAYS } from "./plays.mjs";
import { takePictures } from "./pictures.mjs";

const MOST_BYTES = 2_000_000;
const [chromium, folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });

async function look(page, name) {
  assert.deepEqual(await page.evaluate(faults, SMALLEST), [], name);
  assert.deepEqual(await page.evaluate(paleTexts, CONTRAST), [], name);
}

async function play(browser, path, how) {
  const errors = [];
  const name = `${path} ${how.width} ${how.scheme}`;
  const page = await open(browser, pathToFileURL(join(folder, path)).href, how, errors);
  await look(page, name);
  for (const [what, act] of Object.entries(PLAYS)) {
    await act(page).catch((error) => assert.fail(`${name}, ${what}: ${error.stack}`));
    await look(page, `${name}, after ${what}`);
  }
  if (await page.$(".gantt [data-job]")) {
    await JOBS(page).catch((error) => assert.fail(`${name}, jobs: ${error.stack}`));
    await look(page, `${name}, after jobs`);
  }
  assert.deepEqual(errors, [], name);
  await page.close();
}

// The page says the same where no script runs, and on paper.
async function still(browser, path) {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width: 375, height: 800 });
  await page.goto(pathToFileURL(join(folder, path)).href);
  await look(page, `${path} without scripts`);
  assert.equal(await page.$(".handle, .tools, th button"), null, "what does nothing is not there");
  await page.emulateMediaType("print");
  await page.setViewport({ width: 700, height: 1000 });
  const cut = await page.$$eval(".scroll", (nodes) => nodes.filter((node) => node.scrollHeight > node.clientHeight + 2).length);
  assert.equal(cut, 0, `${path}: on paper nothing is cut off below`);
  await page.close();
}

const browser = await launch(chromium);
try {
  const reports = readdirSync(folder).filter((name) => existsSync(join(folder, name, "index.html")));
  const pages = reports.flatMap((name) => readdirSync(join(folder, name)).filter((file) => file.endsWith(".html")).map((file) => join(name, file)));
  assert.ok(pages.length > 3, `only ${pages} in ${folder}`);
  for (const path of pages) {
    assert.ok(statSync(join(folder, path)).size < MOST_BYTES, `${path} is too large`);
    for (const screen of SCREENS) await play(browser, path, screen);
    await still(browser, path);
  }
  await takePictures(browser, folder, pictures);
  console.log(`${pages.length} pages of reports on ${SCREENS.length} screens`);
} finally {
  await browser.close();
}
