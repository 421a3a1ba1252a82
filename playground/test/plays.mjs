// How each scene is played. A step is done as a user does it, and says what must be seen then.
import assert from "node:assert/strict";

const message = async (hand, kind, words) => {
  const [found, text] = await hand.page.$eval(".message", (node) => [node.className, node.textContent]);
  assert.equal(found, `message ${kind}`, text);
  assert.match(text, words);
};

export const PLAYS = {
  async cube(hand) {
    await hand.pick("dims", "3");
    await message(hand, "note", /All nodes are free/);
    await hand.type("rows", 5);
    await hand.type("columns", 1);
    await hand.click("mesh");
    await message(hand, "granted", /Job A has a mesh of 5 × 1 in subcube \*\*\*\. It leaves 3 nodes/);
    await hand.pick("dim", "3");
    await hand.click("subcube");
    await message(hand, "refused", /dimension 3 is refused: too few are free\. Only 3 nodes/);
    await hand.click("undo");
    await message(hand, "granted", /Job A/);
    await hand.choose("tool-fail");
    await hand.click("node-4");
    await message(hand, "note", /Node 100 has failed\./);
    await hand.choose("tool-route");
    await hand.click("node-6");
    await hand.click("node-1");
    assert.equal(await hand.count(".graph > path.route"), 3, "three channels");
    await hand.choose("tool-release");
    await hand.click("node-0");
    await message(hand, "note", /Job A gave back 5 nodes/);
    await hand.click("node-0");
    await message(hand, "refused", /no job that could be released/);
    await hand.click("trap-pairs");
    await message(hand, "refused", /fragmented\. 5 nodes are free/);
    await hand.pick("strategy", "free_list");
    await message(hand, "granted", /in subcube \*1\*/);
    await hand.click("trap-lost");
    await message(hand, "refused", /^As printed, drawn by the page: .* node 101 stays in the auxiliary list/);
    assert.deepEqual([await hand.text(".map .kept"), await hand.count(".graph .kept")], ["aux", 1]);
    const lines = await hand.page.$eval(".command code", (code) => [code.textContent, code.getClientRects().length]);
    assert.deepEqual(lines, ["locox reproduce turner-1995/p40/restored", 1], "a command stays in one line");
    await hand.click("copy-command");
    await hand.page.waitForFunction(() => /Copied|Selected/.test(document.querySelector(".command button").textContent));
    await hand.choose("step-1");
    await message(hand, "granted", /Job D has 8 nodes/);
    assert.equal(await hand.count(".kept"), 0);
    await hand.click("trap-shared");
    await message(hand, "refused", /fragmented/);
    assert.equal(await hand.count(".graph > path.route.both"), 2, "both routes use one channel");
    assert.ok(await hand.page.evaluate(() => {
      const caption = [...document.querySelectorAll("figcaption")].find((node) => /Both use the channel/.test(node.textContent));
      return caption.compareDocumentPosition(document.querySelector(".graph")) & Node.DOCUMENT_POSITION_FOLLOWING;
    }), "what the picture shows is said above it");
    await hand.fill("hop", 1);
    assert.equal(await hand.count(".graph > path.route"), 2, "a channel of each route");
    await hand.plays("cube", () => hand.count(".graph > path.route"), 4);
    await hand.click("undo");
    assert.equal(await hand.count(".graph > path.route"), 2, "undo goes back to before it played");
    await hand.click("trap-partition");
    await hand.choose("tool-fail");
    await hand.page.click(".map button.leftover");
    await message(hand, "note", /the mesh of A, whose messages may pass it/);
    await hand.focus("node-0");
    await hand.page.keyboard.press("ArrowRight");
    assert.equal(await hand.focused(), "node-1");
  },

  async queue(hand) {
    const first = await hand.text("table.answers");
    assert.match(await hand.text(".starts-words"), /^EASY starts jobs 4–10, 14–20 earlier and jobs 3, 11–13 later than FCFS\. Conservative starts jobs 4–20 earlier and job 3 later/);
    await hand.page.click(".starts summary");
    const row = await hand.text(".starts tbody tr:nth-child(4)");
    assert.match(row, /^4\d+\d+, \d+ earlier/, "job 4 overtakes under EASY");
    await hand.page.hover('.starts tr[data-job="4"]');
    assert.equal(await hand.count(".gantt .lit"), 3, "a job is lit in all charts");
    assert.equal(await hand.count('.gantt .lit:not([data-job="4"])'), 0);
    await hand.focus("strip-3");
    for (let i = 0; i < 3; i++) await hand.page.keyboard.press("ArrowRight");
    assert.equal(await hand.focused(), "strip-3", "the bar keeps the focus");
    const arrival = await hand.value("job-arrival");
    const totals = await hand.text(".totals");
    assert.match(totals, /EASY: makespan \d+, mean wait \d/);
    await hand.drag('[data-key="strip-3"] .grip', 90, async () => {
      assert.match(await hand.text(".totals"), /EASY: .* → .*This job: asks for 10 → \d+, runs 10 → \d+$/);
      const seen = await hand.page.$eval(".totals", (line) => line.getBoundingClientRect().bottom <= innerHeight + 1);
      assert.ok(seen, "what it would come to is in view");
    });
    await hand.click("undo");
    assert.equal(await hand.text(".totals"), totals);
    await hand.drag(".gantt .bar", 90);
    assert.equal(await hand.page.evaluate(() => getSelection().toString()), "", "a drag in a chart selects no text");
    await hand.drag('[data-key="strip-3"] rect:nth-of-type(2)', 60);
    assert.ok((await hand.value("job-arrival")) > arrival, "a drag moves the arrival");
    await hand.click("undo");
    assert.equal(await hand.value("job-arrival"), arrival);
    for (let i = 0; i < 3; i++) await hand.click("undo");
    assert.equal(await hand.text("table.answers"), first);
    await hand.fill("job-pes", 12);
    assert.notEqual(await hand.text("table.answers"), first, "a wider job changes what it comes to");
    await hand.click("later");
    assert.equal(await hand.count("path.mark.now"), 3);
    assert.equal(await hand.count("path.mark.shadow"), 2, "EASY and conservative promise the head a start");
    const before = await hand.value("time");
    await hand.plays("queue", () => hand.value("time"), before + 2, true);
    await hand.click("add");
    assert.equal(await hand.count(".strip .bar"), 21);
    await hand.click("delete");
    assert.equal(await hand.count(".strip .bar"), 20);
  },

  async torus(hand) {
    await message(hand, "note", /^At 8: job 5, 6 × 8 nodes, is first in line; it is promised columns 1–6 and rows 1–8 from 20 on\. .*At 13 the promise moved to 15\. It started at 15/);
    const promise = () => hand.text(".promised .note");
    assert.equal(await promise(), "job 5, promised from 20 on");
    assert.match(await hand.text(".starts-words"), /^One promise starts job 5 earlier/);
    await hand.drag('[data-key="strip-1"] .grip', 90, async () => {
      assert.match(await hand.text(".totals"), /one promise: .*This job: asks for 20 → \d+$/);
    });
    const [, later] = /^job 5, promised from (\d+) on$/.exec(await promise());
    assert.ok(Number(later) > 20, "the promise waits for a job that asks for longer");
    await message(hand, "note", new RegExp(`from ${later} on\\. Job 2 came at 0`));
    await hand.click("undo");
    await hand.focus("strip-4");
    await hand.page.keyboard.press("ArrowLeft");
    assert.equal(await hand.focused(), "strip-4", "the bar keeps the focus");
    await message(hand, "note", /Job 5 came at 2\. At 2 it was promised 20\./);
    await hand.click("undo");
    await hand.click("box-0");
    await message(hand, "note", /Job 1 came at 0\. It started at 0 on columns 1–4 and rows 1–4, after a wait of 0\.$/);
    await hand.focus("box-1");
    await hand.page.keyboard.press("Enter");
    await message(hand, "note", /Job 2 came at 0\./);
    assert.equal(await hand.focused(), "box-1");
    await hand.page.click(".promised .plate");
    await message(hand, "note", /Job 5 came at 3\./);
    await hand.page.hover('.strip [data-job="4"]');
    assert.equal(await hand.count(".board .lit"), 1, "a job is lit on the torus");
    await hand.choose("rule-none");
    await message(hand, "note", /job 5, 6 × 8 nodes, is first in line; it has no promise\. Job 5 came at 3\. It started at 37/);
    assert.equal(await hand.count(".promised"), 0);
    await hand.choose("rule-each");
    await hand.fill("time", 48);
    await message(hand, "note", /^At 48: nobody waits\. Job 5 /);
    const boxes = await hand.count(".box");
    await hand.plays("torus", () => hand.value("time"), 49);
    assert.ok((await hand.count(".box")) < boxes, "all jobs have ended");
    await hand.fill("time", 8);
    await hand.click("add");
    assert.equal(await hand.count(".strip .bar"), 13);
    await hand.fill("job-columns", 8);
    assert.match(await hand.text(".strip .chosen .note:last-of-type"), /^8×8 × 10$/);
    await hand.click("delete");
    assert.equal(await hand.count(".strip .bar"), 12);
  },

  async shares(hand) {
    await message(hand, "note", /At 10: C gets a processor of A: its index is better/);
    assert.equal(await hand.count(".lines .line"), 5);
    await hand.click("later");
    await message(hand, "note", /At 11: nothing changes hands/);
    await hand.pick("ranking", "random");
    assert.equal(await hand.count(".lines .line"), 0, "a ranking by lot has no index");
    await hand.click("undo");
    assert.equal(await hand.count(".lines .line"), 5);
    await hand.click("station-2");
    await hand.fill("wants", 0);
    await hand.click("earlier");
    await message(hand, "note", /At 10: nothing changes hands/);
    // What two stations that wanted all for a year have gathered by the printed table, and by the one that forgets.
    await hand.pick("ranking", "updown");
    await hand.pick("year", "yes");
    assert.match(await hand.text(".lines"), /2\.1M/);
    await hand.pick("ranking", "timed");
    assert.match(await hand.text(".lines"), /^05\.8/);
    await hand.pick("year", "no");
    await hand.fill("time", 55);
    await hand.plays("shares", () => hand.value("time"), 59);
    await hand.click("add");
    assert.equal(await hand.count(".lines .line"), 6);
    await hand.click("remove");
    assert.equal(await hand.count(".lines .line"), 5);
  },

  async timeline(hand) {
    assert.equal(await hand.count(".answers tbody tr"), 7);
    const window = await hand.value("ready");
    await hand.drag('[data-key="bar-ghost"] rect', 120);
    const dragged = await hand.value("ready");
    assert.ok(dragged > window, "a drag moves the request");
    await hand.focus("bar-ghost");
    await hand.page.keyboard.press("ArrowRight");
    assert.ok((await hand.value("ready")) > dragged, "so does an arrow");
    assert.equal(await hand.focused(), "bar-ghost");
    await hand.click("undo");
    await hand.click("undo");
    assert.equal(await hand.value("ready"), window);
    await hand.fill("pes", 12);
    await hand.fill("duration", 10);
    await hand.fill("deadline", 20);
    assert.equal(await hand.count(".answers td.refused"), 7);
    const late = /^Refused: it cannot end by the deadline, 20\. The earliest end would be \d+/;
    await message(hand, "refused", late);
    await hand.click("reserve");
    await message(hand, "refused", late);
    // A number that was typed stays, and the kernel says what is wrong with it.
    await hand.fill("deadline", 3);
    await message(hand, "refused", /^Refused: the deadline comes too early for the duration\.$/);
    assert.equal(await hand.value("deadline"), 3);
    await hand.fill("deadline", "");
    await message(hand, "note", /^FF would give the request 12 processors from \d+ to \d+/);
    await hand.choose("policy-3");
    await message(hand, "note", /^Du_B would give/);
    await hand.click("reserve");
    await message(hand, "granted", /12 processors from/);
    await hand.focus("bar-1");
    await hand.page.keyboard.press("Enter");
    await message(hand, "note", /Reservation A is cancelled/);
    await hand.fill("pes", 13);
    await message(hand, "refused", /^Refused: larger than the machine/);
    assert.match(await hand.text(".answers"), /larger than the machine, which has 12 processors/);
  },

  async hosts(hand) {
    const passed = /First level: job C runs above the earlier job B on host \d\. First level on calm hosts: job C/;
    await message(hand, "refused", passed);
    await hand.click("first_level-host-0");
    await message(hand, "refused", passed);
    await hand.choose("tool-load");
    await hand.click("non_interfering-host-4");
    assert.equal(await hand.count(".shared th button.busy"), 3, "a host is loaded under all placements");
    await hand.click("undo");
    assert.equal(await hand.count(".shared th button.busy"), 0);
    await hand.choose("tool-end");
    await hand.focus("non_interfering-0-0");
    await hand.page.keyboard.press("Enter");
    await message(hand, "refused", passed);
    assert.doesNotMatch(await hand.text(".trio"), /A: /, "job A has ended");
    await hand.type("wanted", 6);
    await hand.tap("submit");
    assert.match(await hand.text(".trio"), /D: /);
    await hand.fill("levels", 1);
    assert.match(await hand.text(".trio"), /3 hosts refused: too few are free/);
    await hand.click("clear");
    await message(hand, "note", /No job has hosts/);
    await hand.type("wanted", 2);
    await hand.click("barrier");
    await hand.click("submit");
    await message(hand, "granted", /Under no placement/);
  },

  async mapping(hand) {
    await message(hand, "note", /PJS has the last job end at 76\. On both machines together: G\./);
    assert.equal(await hand.count(".gantt .bar"), 9);
    await hand.tap("mapper-max_min");
    await message(hand, "note", /Max-min has the last job end at 88\. No job runs on both/);
    await hand.type("time-6-4", 99);
    await hand.page.keyboard.press("Tab");
    assert.equal(await hand.focused(), "time-7-0", "the next cell has the focus");
    await hand.choose("mapper-pjs");
    await message(hand, "note", /No job runs on both machines together/);
    await hand.fill("time-6-4", "");
    await hand.choose("mapper-genetic");
    assert.equal(await hand.count(".answers strong") > 0, true, "the smallest figures are marked");
    await hand.choose("best-execution");
    await message(hand, "note", /Genetic search has the last job end/);
    await hand.click("undo");
    await hand.click("add");
    assert.equal(await hand.count(".gantt .bar"), 10);
    await hand.click("remove");
    await hand.focus("mapper-genetic");
    await hand.page.keyboard.press("ArrowUp");
    await message(hand, "note", /Sufferage has/);
    assert.equal(await hand.focused(), "mapper-sufferage");
  },

  async recorded(hand) {
    await hand.page.waitForSelector(".corpus");
    assert.equal(await hand.count(".corpus td.same"), 9, "all runs of the corpus lead to the digests of hosts");
    await message(hand, "granted", /^cluster-first-level: the digest is that of hosts/);
    await hand.tap("run-site");
    await message(hand, "granted", /^site: the digest is that of hosts/);
    await hand.type("turned", 3000);
    await hand.page.keyboard.press("Enter");
    await message(hand, "granted", /The bit that had turned was found/);
    const row = () => hand.text(".corpus tr.chosen td:last-child");
    assert.equal(await row(), "the same: repaired");
    await hand.fill("turned", 0);
    await message(hand, "refused", /^site: refused\. Line 1: it is no recorded run/);
    assert.equal(await row(), "refused: the file is damaged");
    assert.equal(await hand.count(".corpus td.same"), 8);
    await hand.click("undo");
    await message(hand, "granted", /The bit that had turned was found/);
    await hand.fill("turned", 99999);
    await message(hand, "refused", /there is no byte 99999: there are 18660/i);
    const places = [[/refused\. Line/i, "refused: the file is damaged"], [/image is damaged/, "refused: the file is damaged"],
      [/turned back/, "the same: repaired"], [/cut or damaged.*two cannot/, "refused: the file is damaged"],
      [/a record is missing.*numbered/, "refused: the file is damaged"], [/another one.*The last command is left out/, "another"]];
    for (const [at, [words, verdict]] of places.entries()) {
      await hand.click(`damage-${at}`);
      assert.match(await hand.text(".message"), words);
      assert.equal(await row(), verdict, `place ${at}`);
    }
    await hand.tap("run-cluster-first-level");
    await hand.fill("turned", 89);
    await message(hand, "granted", /now says “degree \d+”\. What these commands lead to does not depend on it/);
    await hand.page.$eval(hand.at("drop"), (node) => {
      const files = new DataTransfer();
      files.items.add(new File(["no run"], "mine.run"));
      node.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    });
    await hand.page.waitForFunction(() => document.querySelector(".message").textContent.startsWith("mine.run: refused. Line 1"));
    await hand.choose("run-updown");
    await hand.focus("run-updown");
    await hand.page.keyboard.press("ArrowUp");
    await message(hand, "granted", /^updown-recall/);
  },
};
