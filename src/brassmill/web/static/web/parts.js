// The parts of the table that this page was sent last, by their digests. The server leaves them out of an
// update, and they are put back here: what follows gets the whole table.

const MOST = 240; // parts that are kept: about twice those of a table, so that undo finds some of its own
const PART = /<!--part (\S+)-->/;

const kept = new Map(); // by digest, those used last at the end

export const digests = () => [...kept.keys()].join(" ");

// The whole table; null if a part is missing.
export function whole(update) {
  const [first, ...found] = update.split(PART);
  if (first) return update; // it was sent whole
  const parts = [];
  for (let n = 0; n < found.length; n += 2) {
    const digest = found[n], part = found[n + 1] || kept.get(digest);
    if (part === undefined) return null;
    kept.delete(digest);
    kept.set(digest, part);
    parts.push(part);
  }
  for (const digest of kept.keys()) {
    if (kept.size <= MOST) break;
    kept.delete(digest);
  }
  return parts.join("");
}
