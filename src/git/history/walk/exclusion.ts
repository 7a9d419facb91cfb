import type { Commits } from "../../graph/commits.ts";
import { Painter } from "../paint.ts";
import type { WalkOptions } from "./options.ts";

const WANTED = 1;
const UNINTERESTING = 2;

/** All commits reachable from both the wanted and the excluded starts, by generation numbers where there are any. */
export function uninterestingExactly(commits: Commits, { starts, firstParent }: WalkOptions): number[] {
  const painter = paintRange(commits, starts, firstParent ?? false);
  return painter.met.filter((position) => painter.flags.get(position) === (WANTED | UNINTERESTING));
}

/** The number of commits reachable from the wanted starts but not from the excluded ones. */
export function countExactly(commits: Commits, { starts, firstParent }: WalkOptions): number {
  const painter = paintRange(commits, starts, firstParent ?? false);
  let count = 0;
  for (const position of painter.met) if (painter.flags.get(position) === WANTED) count++;
  return count;
}

function paintRange(commits: Commits, starts: WalkOptions["starts"], firstParent: boolean): Painter {
  const painter = new Painter(commits, UNINTERESTING, firstParent ? WANTED : 0);
  for (const { oid, side } of starts) painter.add(commits.positionOf(oid), side === "not" ? UNINTERESTING : WANTED);
  painter.run();
  return painter;
}
