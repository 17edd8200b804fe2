// Search: hide the rules without the words, and the chapters without rules.

const search = document.getElementById("rule-search"), words = document.getElementById("rule-words"), count = document.getElementById("rule-count");
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const rules = [...document.querySelectorAll(".rule-entry")].map((rule) => ({ rule, text: plain(rule.textContent) }));
const chapters = [...document.querySelectorAll(".chapter")];

function filter() {
  const wanted = plain(words.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { rule, text } of rules) {
    const fits = wanted.every((word) => text.includes(word));
    rule.hidden = !fits;
    found += fits;
  }
  for (const chapter of chapters) chapter.hidden = wanted.length > 0 && !chapter.querySelector(".rule-entry:not([hidden])");
  for (const link of document.querySelectorAll(".rulebook-contents a")) {
    link.parentElement.hidden = Boolean(document.querySelector(link.hash)?.closest(".chapter")?.hidden);
  }
  count.textContent = !wanted.length ? "" : found ? count.dataset.some.replace("{number}", found) : count.dataset.none;
}

// A link to a rule that is hidden ends the search.
function reveal() {
  const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (rule && (rule.hidden || rule.closest("[hidden]"))) {
    words.value = "";
    filter();
    rule.scrollIntoView();
  }
}

search.hidden = false;
search.addEventListener("submit", (event) => event.preventDefault());
words.addEventListener("input", filter);
window.addEventListener("hashchange", reveal);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  words.focus();
});
if (words.value) filter(); // kept by the browser over a reload
