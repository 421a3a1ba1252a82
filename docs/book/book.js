// What pages of the book do with a script: search, copy code, keep the list of chapters closed on a telephone. Without a
// script they are pages to read.
"use strict";

const MOST_FOUND = 12;
// Words that say nothing about where to look.
const SMALL = new Set(("a an and are as at be by can could did do does for from has have how i if in into is it its may me must my of on "
  + "one or our shall should so that the their them then there these they this to us was we what when where which who whom whose why "
  + "will with would you your").split(" "));
const BETWEEN = /[\n\r\p{Z}\p{P}]+/u;
const form = document.querySelector("form");
const field = document.getElementById("search");
const list = document.getElementById("found");
const count = document.getElementById("count");
const chapters = document.querySelector(".chapters");
let index = null;

// The text of all pages is only read when somebody searches.
function load() {
  index ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "search.js";
    script.onerror = failed;
    script.onload = () => {
      const made = new MiniSearch({
        fields: ["title", "heading", "text"],
        storeFields: ["title", "heading", "address", "text"],
        searchOptions: {
          boost: { title: 4, heading: 3 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false),
          // The begin of a chapter before its sections.
          boostDocument: (id, term, { title, heading }) => (heading === title ? 2 : 1),
        },
      });
      made.addAll(SECTIONS.map(([title, heading, address, text], id) => ({ id, title, heading, address, text })));
      done(made);
    };
    document.head.append(script);
  });
  return index;
}

async function search() {
  const words = field.value.trim();
  list.hidden = words === "";
  if (words === "") return (count.textContent = "");
  const found = withMost(await load(), words);
  if (field.value.trim() !== words) return;
  list.replaceChildren(...found.slice(0, MOST_FOUND).map(entry));
  count.textContent = found.length === 0 ? "Nothing found." : `${found.length} found`;
}

// Places with more than half of the words that say something; where there are none, those with the most.
function withMost(index, words) {
  const all = [...new Set(words.toLowerCase().split(BETWEEN).filter(Boolean))];
  const asked = all.some((word) => !SMALL.has(word)) ? all.filter((word) => !SMALL.has(word)) : all;
  const found = index.search(asked.join(" "));
  const most = Math.max(0, ...found.map(({ queryTerms }) => queryTerms.length));
  const least = Math.min(most, Math.floor(asked.length / 2) + 1);
  return found.filter(({ queryTerms }) => queryTerms.length >= least);
}

function entry({ title, heading, address, text, terms }) {
  const link = document.createElement("a");
  link.href = address;
  const name = document.createElement("strong");
  name.textContent = heading && heading !== title ? `${title}: ${heading}` : title;
  link.append(name, excerpt(text, terms));
  const item = document.createElement("li");
  item.append(link);
  return item;
}

// Some words around the first that was found.
function excerpt(text, terms) {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - 40);
  const shown = document.createElement("span");
  shown.textContent = places.length === 0 ? text.slice(0, 110) : `${from > 0 ? "…" : ""}${text.slice(from, from + 110)}`;
  return shown;
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
field.addEventListener("focus", load);
field.addEventListener("input", search);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement === field) {
    field.value = "";
    search();
  }
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input, textarea")) return;
  event.preventDefault();
  field.focus();
});

for (const figure of document.querySelectorAll("figure.code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () => copy(figure, button));
  figure.append(button);
}

async function copy(figure, button) {
  const code = figure.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

// Beside the text the list is open; above it, it is not.
const beside = matchMedia("(min-width: 900px)");
const arrange = () => (chapters.open = beside.matches);
beside.addEventListener("change", arrange);
arrange();
document.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
scrollTo(0, 0);
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
document.documentElement.dataset.ready = "yes";
