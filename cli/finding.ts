import type { Finding } from "../src/integrity/types.ts";
import { say } from "./language.ts";

/** A damaged file in one line: the file, what is wrong with it, what it affects. */
export function findingText({ file, message, hits }: Finding): string {
  const parts = [`${file}: ${message}`];
  if (hits.objectCount > 0) {
    const facts = { objects: hits.objectCount, names: listed(hits.objects, hits.objectCount) };
    parts.push(
      hits.lostCount === 0 ? say("findingHitsSafe", facts) : say("findingHits", { ...facts, lost: hits.lostCount }),
    );
  }
  if (hits.refCount > 0)
    parts.push(say("findingRefs", { refs: hits.refCount, names: listed(hits.refs, hits.refCount) }));
  if (hits.owners.length > 0) parts.push(say("findingOwners", { owners: hits.owners.join(", ") }));
  return parts.join("; ");
}

/** Names may contain arbitrary bytes: anything but plain text is escaped. */
function listed(names: readonly string[], count: number): string {
  const shown = names.map((name) => (/^[\x21-\x7e]+$/.test(name) ? name : JSON.stringify(name))).join(" ");
  return count > names.length ? say("findingMore", { names: shown, count: count - names.length }) : shown;
}
