import { CorruptObject } from "../../errors.ts";
import type { Commits } from "../../graph/commits.ts";

/** Returns a reader of the stored bytes of commits. @throws CorruptObject when one is missing */
export function messageReader(commits: Commits): (position: number) => Uint8Array {
  return (position) => {
    const object = commits.store.read(commits.oidOf(position));
    if (object?.type !== "commit") throw new CorruptObject(`commit ${commits.oidOf(position)} is missing`);
    return object.data;
  };
}

/** Returns a reader of author dates, in seconds since 1970; 0 if the line is malformed. */
export function authorTimeOf(commits: Commits): (position: number) => number {
  const read = messageReader(commits);
  return (position) => {
    const text = Buffer.from(read(position)).toString("latin1");
    const line = /^author [^\n]*> (\d+)/m.exec(text.slice(0, text.indexOf("\n\n")));
    return Number(line?.[1] ?? 0);
  };
}
