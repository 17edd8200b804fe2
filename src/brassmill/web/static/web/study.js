// The position editor: a click on the map, and every control, sends the form. The server knows the rules.


// A narrow window gets the tall drawing of the map.
const TALL = matchMedia("(max-width: 30rem), (max-width: 46rem) and (orientation: portrait), (max-width: 72rem) and (min-height: 30.01rem) and (orientation: landscape)");

const form = () => document.getElementById("edit");
const KEPT = ["owner", "tool", "kind", "on"]; // controls that change nothing by themselves

function send(button) {
  form().requestSubmit(button);
}

// A click on a space, a line or a merchant uses the tool there.
document.addEventListener("click", (event) => {
  const there = event.target.closest("#map-frame [data-on]");
  if (there) {
    document.getElementById("on").value = there.id;
    send(document.getElementById("put"));
    return;
  }
  const stack = event.target.closest("#mat-frame [id^=mat-]");
  if (stack) pick(event.target);
});

// A tile on the mat becomes the tile to place.
function pick(target) {
  for (let part = target; part && part.id !== "mat-frame"; part = part.parentElement) {
    const found = /^mat-\d-(\w+)-(\d)$/.exec(part.id);
    if (!found) continue;
    document.getElementById("kind").value = `${found[1]} ${found[2]}`;
    document.getElementById("tool-tile").checked = true;
    mean();
    return;
  }
}

// The tile that will be placed is marked on the mat.
function mean() {
  document.querySelectorAll("#mat-frame .meant").forEach((tile) => tile.classList.remove("meant"));
  const owner = form().elements.owner.value, kind = document.getElementById("kind").value.replace(" ", "-");
  if (form().elements.tool.value === "tile") document.getElementById(`mat-${owner}-${kind}`)?.classList.add("meant");
}

document.addEventListener("change", (event) => {
  const { name, form: of } = event.target;
  if (of !== form()) return;
  if (!KEPT.includes(name) || name === "owner") send();
  else mean();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("#edit input")) {
    event.preventDefault();
    send();
  }
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest("#share");
  if (!link) return;
  event.preventDefault();
  await navigator.clipboard.writeText(link.href);
  const before = link.textContent;
  link.textContent = link.dataset.copied;
  setTimeout(() => { link.textContent = before; }, 2000);
});

document.addEventListener("htmx:after:swap", mean);

// A narrow screen gets the tall map: a cookie tells the server which one.
function tellShape() {
  const shape = TALL.matches ? "tall" : "wide";
  document.cookie = `shape=${shape};path=/;max-age=31536000;samesite=lax`;
  if (document.getElementById("content").dataset.shape !== shape && document.cookie.includes(`shape=${shape}`)) location.reload();
}
TALL.addEventListener("change", tellShape);
tellShape();
mean();
