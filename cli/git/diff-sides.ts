import type { RepositoryFolder } from "../../src/git/folder.ts";
import { mergeBases } from "../../src/git/history/ancestry.ts";
import { Fatal, type Terminal } from "./command.ts";
import type { NamedObject, TypedRange } from "./revision-words.ts";

/**
 * The objects to compare among those named, older side first: `a b`, `a..b`, `^a b`, `b^!`, and for `a...b` the best
 * common ancestor and b. Any number other than two is left to the command.
 * @throws Fatal for `a...b` without a common ancestor
 */
export function sidesOf({ ends }: TypedRange, terminal: Terminal): readonly NamedObject[] {
  const left = ends.findIndex(({ role }) => role === "left");
  if (left >= 0) {
    const [from, to] = ends.slice(left);
    const [base, ...others] = ends.filter(({ role }) => role === "base");
    if (!base || !to) throw new Fatal(`${from?.name}...${to?.name}: no merge base`);
    if (others.length > 0) terminal.err(`warning: ${base.name}: multiple merge bases, using ${base.oid}`);
    return [base, to];
  }
  return inOrder(ends);
}

/** Of two, an excluded one comes first. */
export function inOrder(ends: readonly NamedObject[]): readonly NamedObject[] {
  return ends.length === 2 && ends[1]!.uninteresting ? [ends[1]!, ends[0]!] : ends;
}

/** For `--merge-base`: replaces the first of two commits by their merge base. @throws Fatal */
export function fromMergeBase(repository: RepositoryFolder, ends: readonly NamedObject[]): readonly NamedObject[] {
  if (ends.some(({ uninteresting }) => uninteresting)) throw new Fatal("--merge-base does not work with ranges");
  const [from, to] = ends;
  if (!from || !to || ends.length > 2) throw new Fatal("--merge-base only works with two commits");
  if (ends.some(({ oid }) => repository.store.header(oid)?.type !== "commit"))
    throw new Fatal("--merge-base only works with commits");
  const [base, ...others] = mergeBases(repository.commits, from.oid, to.oid);
  if (base === undefined) throw new Fatal("no merge base found");
  if (others.length > 0) throw new Fatal("multiple merge bases found");
  return [{ ...from, oid: base }, to];
}
