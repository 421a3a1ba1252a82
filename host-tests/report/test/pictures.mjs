// Pictures of the pages for README.md, at twice the pixels of a page.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { open } from "../../../browser/chromium.mjs";

const SCREEN = { width: 1000, scheme: "light" };

async function opened(browser, path) {
  const page = await open(browser, pathToFileURL(path).href, SCREEN, []);
  await page.setViewport({ width: SCREEN.width, height: 800, deviceScaleFactor: 1.5 });
  return page;
}

export async function takePictures(browser, folder, pictures) {
  const page = await opened(browser, join(folder, "main/index.html"));
  const plot = (await page.$$("figure.plot"))[2];
  await plot.evaluate((node) => node.scrollIntoView({ block: "center" }));
  const box = await (await plot.$(".handle")).boundingBox();
  await page.mouse.move(box.x + 0.53 * box.width, box.y + box.height / 2);
  await plot.screenshot({ path: join(pictures, "plot.png") });
  await page.$eval("tr[data-job]:nth-of-type(40) button", (node) => node.click()).catch(() => {});
  const map = await page.$(".cube-map .scenes");
  await map.screenshot({ path: join(pictures, "map.png") });
  await page.close();
}
