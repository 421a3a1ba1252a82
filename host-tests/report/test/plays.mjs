// What a user does on a page of a report, and what must be seen then. Each play does nothing on a page without its
// subject, and leaves the page as it was.
import assert from "node:assert/strict";

const shown = (node) => node.checkVisibility() && node.getBoundingClientRect().height > 0;

async function pointAt(page, node, share) {
  await node.evaluate((node) => node.scrollIntoView({ block: "center" }));
  const box = await node.boundingBox();
  await page.mouse.move(box.x + share * box.width, box.y + box.height / 2, { steps: 2 });
}

// The first plots of the page, those of one axis among them.
async function charts(page) {
  return (await page.$$(".drawn")).slice(0, 3);
}

export const PLAYS = {
  async "values under the pointer"(page) {
    for (const chart of await charts(page)) {
      await pointAt(page, await chart.$(".handle"), 0.4);
      const values = await chart.$(".values");
      assert.ok(await values.evaluate(shown), "the values are seen");
      const told = await values.evaluate((node) => [...node.querySelectorAll("div")].map((row) => row.querySelector("b").textContent));
      assert.ok(told.length > 0 && told.every((value) => /^(≈ )?−?-?[\d.,E]+( ± [\d.,E-]+)?$/.test(value)), `${told}`);
      const box = await values.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= page.viewport().width, "they are on the screen");
      await page.mouse.move(1, 1);
      assert.ok(!(await values.evaluate(shown)), "they go with the pointer");
    }
  },

  async "values by keys"(page) {
    for (const chart of await charts(page)) {
      const handle = await chart.$(".handle");
      await handle.focus();
      const texts = new Set();
      for (const key of ["Home", "ArrowRight", "End"]) {
        await page.keyboard.press(key);
        texts.add(await handle.evaluate((node) => node.getAttribute("aria-valuetext")));
      }
      assert.ok(texts.size > 1, `${[...texts]}`);
      await handle.evaluate((node) => node.blur());
    }
  },

  async "values by a finger"(page) {
    for (const chart of await charts(page)) {
      const handle = await chart.$(".handle");
      await handle.evaluate((node) => node.scrollIntoView({ block: "center" }));
      await handle.tap();
      assert.ok(await chart.$eval(".values", shown), "the values stay when the finger is lifted");
      await handle.evaluate((node) => node.blur());
      assert.ok(!(await chart.$eval(".values", shown)), "they go when it asks elsewhere");
    }
  },

  async "curves on and off"(page) {
    const button = await page.$(".legend button");
    if (!button) return;
    const isSeen = () => page.evaluate((button) => {
      const item = button.closest("li");
      const series = item.closest("figure").querySelector(`.series[data-series="${item.dataset.series}"]`);
      return [getComputedStyle(series).display !== "none", button.getAttribute("aria-pressed")].join();
    }, button);
    assert.equal(await isSeen(), "true,true");
    await button.evaluate((node) => node.scrollIntoView({ block: "center" }));
    await button.click();
    assert.equal(await isSeen(), "false,false");
    await button.focus();
    await page.keyboard.press("Enter");
    assert.equal(await isSeen(), "true,true");
  },

  async "zoom by a brush, in all plots of the axis"(page) {
    const [chart] = await charts(page);
    if (!chart) return;
    const zoomed = () => page.evaluate((chart) => {
      const of = [...document.querySelectorAll(".drawn")].filter((other) => other.dataset.axis === chart.dataset.axis);
      return of.map((other) => other.querySelector(".chart").classList.contains("zoomed"));
    }, chart);
    const labels = () => chart.$$eval(".columns text", (nodes) => nodes.map((node) => node.textContent).join());
    const before = await labels();
    const handle = await chart.$(".handle");
    await pointAt(page, handle, 0.3);
    await page.mouse.down();
    await pointAt(page, handle, 0.6);
    await page.mouse.up();
    assert.ok((await zoomed()).every(Boolean), "all are zoomed");
    // What the box says right away is what it says when the pointer comes anew.
    const told = () => chart.$eval(".values", (node) => node.hidden ? "" : node.textContent);
    const atOnce = await told();
    await page.mouse.move(1, 1);
    await pointAt(page, handle, 0.6);
    assert.equal(await told(), atOnce, "the values are those of the zoomed curve");
    assert.notEqual(await labels(), before);
    const view = await chart.$eval(".view", (node) => node.getAttribute("viewBox")).catch(() => "3000 0 3000 0");
    const [from, , width] = view.split(" ").map(Number);
    assert.ok(Math.abs(from - 3000) < 120 && Math.abs(width - 3000) < 120, view);
    await chart.$eval(".reset", (node) => node.click());
    assert.ok(!(await zoomed()).some(Boolean), "none is zoomed");
    assert.equal(await labels(), before);
    await handle.focus();
    await page.keyboard.press("+");
    assert.ok((await zoomed()).every(Boolean), "a key zooms, too");
    await page.keyboard.press("0");
    assert.equal(await labels(), before);
    await handle.evaluate((node) => node.blur());
  },

  async "tables in another order"(page) {
    const table = await page.$("figure.table table");
    if (!table) return;
    const at = await table.$$eval("thead th", (heads) => heads.findIndex((head) => head.classList.contains("number") && head.checkVisibility()));
    if (at < 0) return;
    const column = () => table.$$eval("tbody tr", (rows, at) => rows.map((row) => row.cells[at].textContent), at);
    const first = await column();
    const button = (await table.$$("th button"))[at];
    const numbers = (texts) => texts.map((text) => parseFloat(text.replaceAll(",", ""))).filter((number) => !Number.isNaN(number));
    await button.evaluate((node) => node.click());
    const falling = numbers(await column());
    assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
    await button.focus();
    await page.keyboard.press("Enter");
    const rising = numbers(await column());
    assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
    assert.equal(await table.$eval("th[aria-sort]", (node) => node.getAttribute("aria-sort")), "ascending");
    await page.keyboard.press("Enter");
    assert.deepEqual(await column(), first);
  },

  async "promised places as time passes"(page) {
    const map = await page.$(".node-map:has(.promises)");
    if (!map) return;
    const slider = await map.$("input");
    const move = (to) => slider.evaluate((node, to) => {
      node.value = to;
      node.dispatchEvent(new Event("input"));
    }, to);
    const [now, last] = await slider.evaluate((node) => [node.value, Number(node.max)]);
    let most = 0;
    for (let at = 0; at <= last; at += 5) {
      await move(at);
      const seen = await map.$$eval("figure:has(.promises)", (scenes) => scenes.map((scene) => ({
        told: [...scene.querySelectorAll(".promises li")].map((item) => item.textContent),
        hatched: scene.querySelectorAll(".promised .lines").length,
        titles: [...new Set([...scene.querySelectorAll("[data-node] title")].flatMap((title) => title.textContent.split("; ")))],
      })));
      for (const { told, hatched, titles } of seen) {
        assert.equal(told.length, hatched);
        assert.ok(told.every((text) => /^job \d+, promised from -?[\d,.]+ s on: /.test(text)), `${told}`);
        assert.deepEqual(titles.sort(), told.map((text) => text.split(": ")[0]).sort());
        most = Math.max(most, hatched);
      }
    }
    assert.ok(most >= 1 && most <= 4, `${most} places at once`);
    await move(now);
  },

  async "rows chosen by a value and by words"(page) {
    const select = await page.$(".tools select");
    if (!select) return;
    const figure = await select.evaluateHandle((node) => node.closest("figure"));
    const rows = () => figure.$$eval("tbody tr", (rows) => rows.filter((row) => !row.hidden).length);
    const all = await rows();
    const said = () => figure.$eval(".tools output:not(.note)", (node) => node.textContent);
    for (const one of await figure.$$(".tools select")) {
      const options = await one.$$eval("option", (nodes) => nodes.slice(1).map((node) => [node.value, node.textContent]));
      for (const [value, text] of options) {
        await one.select(value);
        assert.equal(text, `${value} (${await rows()})`, "an option says how many rows it leaves");
        assert.equal(await said(), (await rows()) ? `${await rows()} of ${all} rows` : "No row matches.");
      }
      await one.select("");
    }
    const search = await figure.$("input[type=search]");
    await search.type("no such words");
    assert.equal(await rows(), 0);
    assert.equal(await said(), "No row matches.");
    await figure.$eval(".clear", (node) => node.click());
    assert.equal(await rows(), all);
    assert.equal(await search.evaluate((node) => node.value), "");
  },

  async "a table as CSV"(page) {
    const figure = await page.$("figure.table");
    if (!figure) return;
    await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
    await figure.$eval(".copy", (node) => node.click());
    await page.waitForFunction(() => window.copied !== undefined);
    const lines = await page.evaluate(() => window.copied.trimEnd().split("\n"));
    const rows = await figure.$$eval("tbody tr", (rows) => rows.length);
    assert.equal(lines.length, rows + 1);
    assert.match(lines[0], /^[\w ,]+$/);
    assert.match(await figure.$eval("output.note", (node) => node.textContent), new RegExp(`^${rows} rows, all \\d+ columns copied$`));
  },

  async "the hint names what is there"(page) {
    const hint = await page.$eval("header > .note:last-child", (node) => node.textContent);
    for (const [name, selector] of [["Curves", ".drawn"], ["Gantt charts", ".gantt"], ["Tables", "figure.table"]]) {
      assert.equal(hint.includes(`${name}: `), (await page.$(selector)) !== null, hint);
    }
  },

  async "a claim that a link leads to says whose it is"(page) {
    const claim = await page.$(".claims li");
    if (!claim) return;
    const title = () => claim.evaluate((node) => getComputedStyle(node, "::before").content);
    assert.equal(await title(), "none");
    await claim.evaluate((node) => { location.hash = node.id; });
    assert.match(await title(), /\w{4}/);
    await page.evaluate(() => { location.hash = ""; });
  },

  async "what tells most is seen at once"(page) {
    const refused = await page.$('th[data-key="refused_fragmented"]');
    if (!refused || page.viewport().width < 1000) return;
    const [end, edge] = await refused.evaluate((node) => [node, node.closest(".scroll")].map((one) => one.getBoundingClientRect().right));
    assert.ok(end <= edge, "refusals stand on the page without a scroll");
  },

  async "all columns"(page) {
    const box = await page.$(".all-columns input");
    if (!box) return;
    const seen = () => page.$$eval("th.detail", (heads) => heads.filter((head) => head.checkVisibility()).length);
    assert.equal(await seen(), 0);
    await box.evaluate((node) => node.click());
    assert.ok((await seen()) > 0);
    await box.evaluate((node) => node.click());
  },
};

// A job is marked in lists, charts and maps, wherever it was clicked.
export async function JOBS(page) {
  const marked = (where) => page.$$eval(`${where}.marked`, (nodes) => nodes.map((node) => node.dataset.job));
  const jobs = await page.$$eval(".gantt [data-job]", (nodes) => nodes.map((node) => node.dataset.job));
  const listed = await page.$$eval("tr[data-job]", (nodes) => nodes.map((node) => node.dataset.job));
  const job = listed.find((job) => jobs.includes(job));
  if (job === undefined) return;
  const click = (selector) => page.$eval(selector, (node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await click(`tr[data-job="${job}"] button`);
  assert.ok((await marked("tr")).includes(job) && (await marked(".gantt g")).includes(job), "from the list to the chart");
  const hasMap = await page.$(".node-map");
  if (hasMap) assert.ok((await marked(".node-map g")).includes(job), "and to the map");
  assert.equal(await page.$eval(".marked-bar strong", (node) => node.textContent), `Job ${job}`);
  await barLiesOnTop(page);
  await rowsStayInPlace(page);
  await click(".marked-bar button:last-child");
  assert.deepEqual(await marked(""), []);
  await everyListedJobIsFound(page, click);
  await barsTellTheirValues(page);
  await page.$eval(`.gantt [data-job="${job}"]`, (node) => node.focus());
  await page.keyboard.press("Enter");
  assert.ok((await marked("tr")).every((one) => one === job) && (await marked("tr")).length > 0, "from the chart to the list");
  await page.keyboard.press("Enter");
  assert.deepEqual(await marked(""), []);
  if (!hasMap) return;
  const cell = await page.$eval(".node-map g.busy", (node) => node.dataset.job);
  await click(".node-map g.busy rect");
  assert.ok((await marked(".gantt g")).includes(cell), "from the map to the chart");
  await click(".marked-bar button:last-child");
}

// Tables have heads that are sticky, too: where a button is seen, it is what a click meets.
async function barLiesOnTop(page) {
  const covered = await page.evaluate(() => {
    const found = [];
    for (const head of document.querySelectorAll(".tall th")) {
      head.closest(".tall").scrollIntoView({ block: "start" });
      scrollBy(0, -innerHeight);
      const bar = document.querySelector(".marked-bar");
      for (let step = 0; step < 40; step++) {
        scrollBy(0, 10);
        for (const button of bar.querySelectorAll("button")) {
          const { x, y, width, height } = button.getBoundingClientRect();
          if (document.elementFromPoint(x + width / 2, y + height / 2)?.closest("button") !== button) found.push(button.textContent);
        }
      }
      break;
    }
    return found;
  });
  assert.deepEqual(covered, []);
  const height = await page.$eval(".marked-bar", (node) => node.getBoundingClientRect().height);
  const most = page.viewport().width < 500 ? 56 : 100; // one line on a telephone
  assert.ok(height < most, `the bar is ${height} px high`);
}

// "Next" goes round all places and moves no table sideways.
async function rowsStayInPlace(page) {
  const next = await page.$(".marked-bar .next");
  const count = Number((await next.evaluate((node) => node.textContent)).match(/of (\d+)\):/)[1]);
  for (let at = 0; at < count; at++) {
    assert.match(await next.evaluate((node) => node.textContent), new RegExp(`^Next \\(${at + 1} of ${count}\\): .+`));
    await next.evaluate((node) => node.click());
  }
  const moved = await page.$$eval(".table .scroll", (nodes) => nodes.filter((node) => node.scrollLeft > 0).length);
  assert.equal(moved, 0, "tables stay where they are");
  const away = await page.$$eval(".table .scroll", (nodes) => nodes.filter((node) => node.scrollWidth > node.clientWidth && node.querySelector(".job")).map((node) => {
    node.scrollLeft = 60;
    const gone = node.querySelector("tbody td").getBoundingClientRect().left - node.getBoundingClientRect().left;
    node.scrollLeft = 0;
    return gone;
  }));
  assert.ok(away.every((gone) => Math.abs(gone) < 2), `the first column moves by ${away}`);
}

// Of each job of a list each chart shows a mark that can be seen, or says where the job is.
async function everyListedJobIsFound(page, click) {
  const listed = new Set(await page.$$eval("tr[data-job]", (nodes) => nodes.map((node) => node.dataset.job)));
  for (const job of [...listed].slice(0, 12)) {
    await click(`tr[data-job="${job}"] button`);
    const found = await page.$$eval(".gantt", (charts) => charts.map((chart) => {
      const said = chart.parentElement.querySelector(".unseen");
      const mark = chart.querySelector("g.mark path");
      if (!mark) return { said: said.hidden ? "" : said.textContent };
      mark.scrollIntoView({ block: "center", inline: "center" });
      const { width, height } = mark.getBoundingClientRect();
      const line = parseFloat(getComputedStyle(mark).strokeWidth);
      const { x, y } = mark.getPointAtLength(0).matrixTransform(mark.getScreenCTM());
      const hit = document.elementFromPoint(x, y)?.closest("[data-job]")?.dataset.job;
      return { size: Math.min(width, height) + line, name: chart.querySelector("text.mark").textContent, hit };
    }));
    for (const { said, size, name, hit } of found) {
      if (size === undefined) assert.match(said, new RegExp(`^Job ${job} is not shown: under .+ it (starts at|ends|runs in|has no)`));
      else assert.ok(size >= 8 && name === job && hit === job, `job ${job}: ${size} px, ${name}, a click hits ${hit}`);
    }
    await click(".marked-bar button:last-child");
  }
}

async function barsTellTheirValues(page) {
  const chart = await page.$("figure:has(.gantt)");
  const bar = await chart.$("[data-told]:focus, [data-told]");
  await bar.evaluate((node) => node.scrollIntoView({ block: "center", inline: "center" }));
  // A job that has processors here and there is a bar with gaps: its first corner is in none.
  const corner = await bar.evaluate((node) => {
    const mark = node.querySelector("path, rect");
    const { x, y } = mark.getPointAtLength(0).matrixTransform(mark.getScreenCTM());
    return { x: x + 1, y: y + 1 };
  });
  await page.mouse.move(corner.x, corner.y, { steps: 2 });
  const told = await chart.$(".told");
  assert.ok(await told.evaluate(shown), "a bar tells its values");
  const { x, y, width, height } = await told.boundingBox();
  const screen = page.viewport();
  assert.ok(x >= 0 && y >= 0 && x + width <= screen.width && y + height <= screen.height, "on the screen");
  assert.equal(await chart.$("svg svg title"), null, "and nothing tells them twice");
  await page.mouse.move(1, 1);
  assert.ok(!(await told.evaluate(shown)));
}
