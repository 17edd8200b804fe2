// Counts up the VP of an era over a map, step by step. The server has counted: every step has its figures,
// and without this script the finished count is shown.

const WHOLE = 9000, SLOWEST = 300, FASTEST = 90; // milliseconds: the whole count, and the limits of one step
const BREATH = 450; // before the first step, and between players

const all = (selector, root) => [...root.querySelectorAll(selector)];

// Start counting; `finish` shows the end at once, `stop` leaves it alone, `done` is settled by either.
export function count(scene) {
  const steps = all(".tally-steps li", scene);
  const pace = Math.max(FASTEST, Math.min(SLOWEST, WHOLE / steps.length));
  const figures = all("[data-start]", scene).map((figure) => [figure, valueOf(figure)]);
  let timer = 0, settle;
  const done = new Promise((settled) => { settle = settled; });

  function reset() {
    scene.classList.add("counting");
    for (const [figure] of figures) write(figure, figure.dataset.start);
    for (const figure of all(".score text", scene)) figure.dataset.last ??= figure.textContent;
  }

  function next(n) {
    const step = steps[n], tally = step.closest(".tally");
    const { on, shown, source, sourceTotal, total } = step.dataset;
    for (const other of all(".tally.now", scene)) other.classList.toggle("now", other === tally);
    tally.classList.add("now");
    if (!n || steps[n - 1].closest(".tally") !== tally) reveal(tally);
    write(tally.querySelector("[data-count=total]"), total);
    write(tally.querySelector(".tally-bar"), total);
    write(tally.querySelector(`[data-count="${source}"]`), sourceTotal);
    if (on) light(scene, on, shown);
    if (n + 1 === steps.length) timer = setTimeout(finish, 2 * BREATH);
    else timer = setTimeout(() => next(n + 1), steps[n + 1].closest(".tally") === tally ? pace : pace + BREATH);
  }

  function stop() {
    clearTimeout(timer);
    settle();
  }

  function finish() {
    stop();
    for (const [figure, value] of figures) write(figure, value);
    for (const figure of all(".score text", scene)) figure.textContent = figure.dataset.last;
    for (const element of all(".lit, .now", scene)) element.classList.remove("lit", "now");
    scene.classList.remove("counting");
    scene.querySelector(".scene-sheet").scrollTop = 0;
  }

  reset();
  timer = setTimeout(() => (steps.length ? next(0) : finish()), BREATH);
  return { finish, stop, done };
}

const valueOf = (figure) => (figure.matches("progress") ? String(figure.value) : figure.textContent);

function write(figure, value) {
  if (figure.matches("progress")) figure.value = Math.max(0, Number(value.replace("−", "-")));
  else figure.textContent = value;
}

// Light a link or a tile, and show its figure.
function light(scene, element, shown) {
  const lit = scene.querySelector(`[data-id="${element}"]`), score = scene.querySelector(`[data-on="${element}"].score`);
  score.querySelector("text").textContent = shown;
  lit.classList.add("lit");
  score.classList.remove("lit");
  score.getBoundingClientRect(); // so that the second score of a tile is seen, too
  score.classList.add("lit");
}

// Scroll the sheet, but never the page.
function reveal(tally) {
  const sheet = tally.closest(".scene-sheet");
  const hidden = tally.getBoundingClientRect().bottom - sheet.getBoundingClientRect().bottom;
  if (hidden > 0) sheet.scrollTop += hidden + 4;
}
