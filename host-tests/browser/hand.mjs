// A user's hand: it finds things by the keys that the page gives them, or by selectors.
export class Hand {
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
    // Not under what sticks to the top.
    await this.page.$eval(this.at(key), (node) => node.scrollIntoView({ block: "center" }));
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
  // `before` is what is done before the button is let go.
  async drag(selector, by, before = () => {}) {
    const node = await this.page.$(selector);
    await node.scrollIntoView();
    const box = await node.boundingBox();
    const [x, y] = [box.x + Math.min(4, box.width / 2), box.y + box.height / 2];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + by, y, { steps: 4 });
    await before();
    await this.page.mouse.up();
  }
}
