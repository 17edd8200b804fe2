// Curves in which a moment can be clicked, and the arrow keys of a moment. All of it works as links, too.
const KEYS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

for (const figure of document.querySelectorAll(".pickable")) {
  const numbers = [...document.querySelectorAll(".one-round .judged .at")].map((at) => Number(at.textContent));
  const line = document.createElement("span"), label = document.createElement("span");
  line.className = "picked";
  label.className = "picked-words num";
  line.append(label);
  line.hidden = true;
  figure.append(line);

  // The action at a point of the plot, and the x of that point in the figure.
  function picked(event) {
    const field = event.target.closest?.(".pick");
    if (!field) return null;
    const box = field.getBoundingClientRect();
    const { low, high } = field.dataset;
    const share = (event.clientX - box.left) / box.width;
    const wanted = Number(low) + share * (high - low);
    const number = numbers.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best));
    const x = box.left + ((number - low) / (high - low)) * box.width;
    return { number, x, box };
  }

  figure.addEventListener("pointermove", (event) => {
    const found = picked(event);
    line.hidden = !found;
    if (!found) return;
    const around = figure.getBoundingClientRect();
    line.style.left = `${found.x - around.left}px`;
    line.style.top = `${found.box.top - around.top}px`;
    line.style.height = `${found.box.height}px`;
    label.textContent = figure.dataset.words.replace("{number}", found.number);
  });
  figure.addEventListener("pointerleave", () => { line.hidden = true; });
  figure.addEventListener("click", (event) => {
    const found = picked(event);
    if (found) location.assign(`${figure.dataset.moments}${found.number}/`);
  });
}

if (document.querySelector("[data-moment]")) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("select, input, textarea, [popover], .scroll")) return;
    const link = KEYS[event.key] && document.querySelector(`[data-key="${KEYS[event.key]}"]`);
    if (!link) return;
    event.preventDefault();
    location.assign(link.href);
  });
}
