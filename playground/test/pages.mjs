// Plays each scene in headless Chromium, at three widths, light and dark.
//
//   node pages.mjs CHROMIUM PAGE FOLDER     pictures go to the folder
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { CONTRAST, SCREENS, SMALLEST, launch, open } from "../../host-tests/browser/chromium.mjs";
import { paleTexts } from "../../host-tests/browser/contrast.mjs";
import { faults } from "../../host-tests/browser/faults.mjs";
import { Hand } from "../../host-tests/browser/hand.mjs";
import { PLAYS } from "./plays.mjs";

const [chromium, page, folder] = process.argv.slice(2);
const address = pathToFileURL(page).href;

async function opened(browser, hash, how, errors) {
  const page = await open(browser, address + hash, how, errors);
  await page.waitForSelector("html[data-ready]");
  return page;
}

async function play(browser, scene, how) {
  const errors = [];
  const name = `${scene}-${how.width}-${how.scheme}`;
  const page = await opened(browser, `#${scene}`, how, errors);
  const look = async () => {
    assert.deepEqual(await page.evaluate(faults, SMALLEST), [], name);
    assert.deepEqual(await page.evaluate(paleTexts, CONTRAST), [], name);
  };
  await look();
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  await PLAYS[scene](new Hand(page));
  await look();
  await page.screenshot({ path: `${folder}/${name}-played.png`, fullPage: true });
  const shown = () => document.getElementById("scene").textContent;
  const again = await opened(browser, await page.evaluate(() => location.hash), how, errors);
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
    "#queue?jobs=", "#timeline?log=c9-1.0.0.n.0-99.9.9.n.6-1.1.1.1.9&ask=0.0.0.0&by=12", "#shares?by=x&stations=1.2-99.1.1-x.y.z&station=9&t=-3", "#torus?by=x&jobs=1.99.0.5.9-x.1.1.1.1-0.8.8.0.0&job=9&t=-3", "#torus?jobs=&job=0", "#nothing?", "#cube?log=%E0%A4%A",
    "#cube?trap=x&hop=-9", "#cube?trap=shared&hop=1e9", "#cube?trap=lost&step=9", "#cube?n=3&trap=lost&step=x&log=a1x1", "#hosts?hosts=99&levels=0&seed=x&log=9-0-e99-l9-x-4bb-e1-e1", "#mapping?times=n.n.n.n.n-1.2.3-0.0.0.0.0&by=x&best=y",
    "#mapping?times=n.n.n.5.n&by=genetic", "#recorded?run=none&bit=-5", "#recorded?run=site&bit=1e99",
    "#recorded?run=site&bit=999999999.3.x", "#recorded?run=site&without=9999", "#recorded?without=-1&bit=..7"];
  for (const link of links) await (await opened(browser, link, { width: 375, scheme: "light" }, errors)).close();
  assert.deepEqual(errors, [], "links that make no sense");
}

const browser = await launch(chromium);
try {
  const paints = [];
  for (const scene of Object.keys(PLAYS)) {
    for (const screen of SCREENS) paints.push(await play(browser, scene, screen));
  }
  await hostile(browser);
  paints.sort((a, b) => a - b);
  console.log(`${paints.length} plays in the browser; first paint after ${Math.round(paints[paints.length >> 1])} ms, ${Math.round(paints.at(-1))} at most`);
} finally {
  await browser.close();
}
