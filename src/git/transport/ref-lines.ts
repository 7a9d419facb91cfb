import type { Ref } from "../refs/types.ts";

/**
 * Refs on their way to a worker: one text, as copying a hundred thousand small objects between threads would hold the
 * event loop up for longer than anything may. A line each: id, name, and what a tag points to; names have no spaces.
 */
export function encodeRefs(refs: readonly Ref[]): string {
  let text = "";
  for (const ref of refs) text += ref.peeled ? `${ref.oid} ${ref.name} ${ref.peeled}\n` : `${ref.oid} ${ref.name}\n`;
  return text;
}

/** The same refs again. */
export function decodeRefs(text: string): Ref[] {
  const refs: Ref[] = [];
  for (const line of text.split("\n")) {
    const [oid, name, peeled] = line.split(" ");
    if (oid === undefined || name === undefined) continue;
    refs.push(peeled === undefined ? { name, oid } : { name, oid, peeled });
  }
  return refs;
}
