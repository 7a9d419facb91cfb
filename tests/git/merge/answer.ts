import { submoduleAdvice } from "../../../cli/git/merge-tree.ts";
import type { MergeResult } from "../../../src/git/merge/result.ts";
import { encodeName, toLatin1 } from "../../../src/git/objects/names.ts";

/** A result as `git merge-tree --write-tree -z --messages` prints it; bytes as latin1 text. */
export function asPrinted(result: MergeResult): string {
  let text = `${result.tree}\0`;
  for (const { path, base, ours, theirs } of result.conflicts) {
    [base, ours, theirs].forEach((entry, at) => {
      if (entry) text += `${entry.mode.toString(8).padStart(6, "0")} ${entry.oid} ${at + 1}\t${path}\0`;
    });
  }
  text += "\0";
  for (const { type, paths, text: told } of result.messages)
    text += `${paths.length}\0${paths.join("\0")}\0${type}\0${told}\n\0`;
  if (result.submodules.length > 0) text += submoduleAdvice(result.submodules);
  return toLatin1(encodeName(text));
}
