import type { Finding } from "./types.ts";

/** A finding in one line, for the terminal and logs: the file, what is wrong, what it hits. */
export function describeFinding({ file, message, hits }: Finding): string {
  const parts = [`${file}: ${message}`];
  if (hits.objectCount > 0) {
    const lost =
      hits.lostCount === 0 ? "all of them also stored elsewhere" : `${hits.lostCount} of them stored nowhere else`;
    parts.push(`${hits.objectCount} objects (${lost}): ${listed(hits.objects, hits.objectCount)}`);
  }
  if (hits.refCount > 0) parts.push(`${hits.refCount} refs lead to them: ${listed(hits.refs, hits.refCount)}`);
  if (hits.owners.length > 0) parts.push(`used by ${hits.owners.join(", ")}`);
  return parts.join("; ");
}

/** Names as bytes may hold anything: what is no plain text is escaped. */
function listed(names: readonly string[], count: number): string {
  const shown = names.map((name) => (/^[\x21-\x7e]+$/.test(name) ? name : JSON.stringify(name)));
  return count > names.length ? `${shown.join(" ")} and ${count - names.length} more` : shown.join(" ");
}
