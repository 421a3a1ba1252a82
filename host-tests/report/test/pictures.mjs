// Pictures of the pages for README.md, at twice the pixels of a page.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { open } from "../../browser/chromium.mjs";

const SCREEN = { width: 1000, scheme: "light" };
const PAPER = 10; // pixels around what is shown

// Nothing is scrolled on the way, so that the pointer stays where it is.
async function take(page, node, path) {
  const box = await node.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  });
  const clip = { x: box.x - PAPER, y: box.y - PAPER, width: box.width + 2 * PAPER, height: box.height + 2 * PAPER };
  await page.screenshot({ path, clip, captureBeyondViewport: false });
}

async function middle(node) {
  await node.evaluate((node) => node.scrollIntoView({ block: "center" }));
}

export async function takePictures(browser, folder, pictures) {
  await takePlot(browser, folder, pictures);
  await takeMaps(browser, folder, pictures);
  await takeSlices(browser, folder, pictures);
}

// Jobs that wait, with the values under the pointer.
async function takePlot(browser, folder, pictures) {
  const page = await open(browser, pathToFileURL(join(folder, "main/index.html")).href, SCREEN, []);
  await page.setViewport({ width: SCREEN.width, height: 900, deviceScaleFactor: 2 });
  const plot = (await page.$$("figure.plot"))[2];
  await middle(plot);
  const box = await (await plot.$(".handle")).boundingBox();
  await page.mouse.move(box.x + 0.53 * box.width, box.y + box.height / 2);
  await take(page, plot, join(pictures, "plot.png"));
  await page.close();
}

// A marked job in the maps of the nodes, and in the chart of who held them.
async function takeMaps(browser, folder, pictures) {
  const page = await open(browser, pathToFileURL(join(folder, "cube/index.html")).href, SCREEN, []);
  await page.setViewport({ width: SCREEN.width, height: 900, deviceScaleFactor: 2 });
  const [cell] = (await page.$$(".node-map g.busy")).slice(20);
  await cell.evaluate((node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  for (const [name, selector] of [["map", ".node-map .scenes"], ["gantt", "figure:has(.gantt)"]]) {
    const figure = await page.$(selector);
    await middle(figure);
    await page.$eval(".marked-bar", (node) => { node.style.visibility = "hidden"; });
    await take(page, figure, join(pictures, `${name}.png`));
  }
  await page.close();
}

// The slices of a torus under the first of its placements.
async function takeSlices(browser, folder, pictures) {
  const page = await open(browser, pathToFileURL(join(folder, "boxes/index.html")).href, SCREEN, []);
  await page.setViewport({ width: SCREEN.width, height: 1400, deviceScaleFactor: 2 });
  const map = await page.$(".node-map .scenes > figure svg");
  await middle(map);
  await take(page, map, join(pictures, "slices.png"));
  await page.close();
}
