// The offline page opens what was asked for as soon as the server answers again.

const BETWEEN = 10000; // milliseconds between two attempts

async function attempt() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" }); // any answer will do
    location.reload();
  } catch { /* still no connection */ }
}

addEventListener("online", attempt);
setInterval(attempt, BETWEEN);
document.getElementById("again").addEventListener("click", (event) => {
  event.preventDefault();
  location.reload();
});
