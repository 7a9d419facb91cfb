import { CorruptObject } from "../../errors.ts";
import type { Commits } from "../../graph/commits.ts";

/** Reads the stored bytes of commits. @throws CorruptObject when one is missing */
export function messageReader(commits: Commits): (number: number) => Uint8Array {
  return (number) => {
    const object = commits.store.read(commits.oidOf(number));
    if (object?.type !== "commit") throw new CorruptObject(`commit ${commits.oidOf(number)} is missing`);
    return object.data;
  };
}

/** Tells author dates, in seconds since 1970; 0 when the line is malformed. */
export function authorTimeOf(commits: Commits): (number: number) => number {
  const read = messageReader(commits);
  return (number) => {
    const text = Buffer.from(read(number)).toString("latin1");
    const line = /^author [^\n]*> (\d+)/m.exec(text.slice(0, text.indexOf("\n\n")));
    return Number(line?.[1] ?? 0);
  };
}
