// Keep "3 minutes ago" up to date while the page is open. Below a minute and above a month the server's text stays.

const MINUTE = 60, HOUR = 3600, DAY = 86400, MONTH = 30 * DAY; // seconds
const UNITS = [[DAY, "day"], [HOUR, "hour"], [MINUTE, "minute"]];
const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });

function tick() {
  for (const time of document.querySelectorAll("time[data-ago]")) {
    const age = (Date.now() - Date.parse(time.dateTime)) / 1000;
    const [length, unit] = UNITS.find(([least]) => age >= least) || [];
    if (unit && age < MONTH) time.textContent = words.format(-Math.floor(age / length), unit);
  }
}

setInterval(tick, 20000);
document.addEventListener("visibilitychange", tick);
