// Chromium without a window, and pages in it that note what goes wrong.
import puppeteer from "puppeteer-core";

export const SMALLEST = 11; // pixels of a letter's height, as style sheets count
export const CONTRAST = 4.5; // of a text to what lies behind it, the least
// On a telephone, a laptop and a wide screen, light and dark.
export const SCREENS = [375, 1280, 2560].flatMap((width) => ["light", "dark"].map((scheme) => ({ width, scheme })));

export function launch(chromium) {
  return puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--force-color-profile=srgb"] });
}

// A page that loads nothing from a network; `errors` gets what its console says, and what it asks the network for.
export async function open(browser, address, { width, scheme }, errors) {
  const page = await browser.newPage();
  page.on("console", (said) => ["error", "warning"].includes(said.type()) && errors.push(said.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => /^https?:/.test(request.url()) && errors.push(`it asks the network for ${request.url()}`));
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setViewport({ width, height: 800 });
  await page.goto(address);
  return page;
}
