import { DiffPrinter } from "../../src/git/diff/print/print.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags, peelToTree } from "../../src/git/graph/peel.ts";
import { isTreeMode, MODE_FILE } from "../../src/git/objects/tree.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { entryAt } from "../../src/git/trees.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { comparedByAttributes } from "./diff-attributes.ts";
import { diffOptionTable, readDiffOptions } from "./diff-options.ts";
import { diffSettings } from "./diff-settings.ts";
import { fromMergeBase, sidesOf } from "./diff-sides.ts";
import { readWords } from "./options.ts";
import { RenameWarning } from "./rename-limit.ts";
import { openForReading } from "./repository.ts";
import { type NamedObject, readRange } from "./revision-words.ts";

export const diffCommand: GitCommand = {
  name: "diff",
  usage: "[<options>] (<commit> <commit> | <commit>..<commit> | <commit>...<commit> | <blob> <blob>) [--] [<path>…]",
  doc: "Shows what differs between two commits, trees or files",
  run(words, terminal) {
    const given = readWords(words, { ...diffOptionTable, "--merge-base": ["flag", "merge-base"] });
    const repository = openForReading(terminal);
    try {
      const typed = { options: given, revisions: given.rest, namesFrom: 0, paths: given.paths };
      const range = readRange(repository, terminal.directory, typed);
      if (range.ends.length < 2) throw new Fatal("this operation must be run in a work tree");
      const sides = given.has("merge-base") ? fromMergeBase(repository, range.ends) : sidesOf(range, terminal);
      const [first, second] = sides;
      if (!first || !second || sides.length > 2) throw new Fatal("more than two sides are not compared");
      const request = readDiffOptions(
        given,
        { format: "patch", renames: true, abbrev: true, settings: diffSettings(repository, terminal) },
        range.paths,
      );
      const warning = new RenameWarning();
      const byAttributes = comparedByAttributes(repository, terminal);
      const printer = new DiffPrinter(repository.store, {
        ...request.print,
        ...byAttributes,
        onLimit: warning.onLimit,
      });
      const out = request.quiet ? () => {} : (bytes: Uint8Array) => terminal.out(bytes);
      const oldFile = fileOf(repository, first);
      const newFile = fileOf(repository, second);
      if (!oldFile !== !newFile) throw new GitUsage("");
      let changed: boolean;
      if (oldFile && newFile) {
        const same = oldFile.oid === newFile.oid && oldFile.mode === newFile.mode;
        const [from, to] = request.print.reverse ? [newFile, oldFile] : [oldFile, newFile];
        const change = {
          status: "modified",
          oldPath: from.path,
          newPath: to.path,
          oldMode: from.mode,
          newMode: to.mode,
          oldOid: from.oid,
          newOid: to.oid,
        } as const;
        changed = printer.print(same ? [] : [change], out);
      } else {
        changed = printer.printTrees(treeOf(repository, first), treeOf(repository, second), out);
      }
      if (!request.quiet) warning.tell(terminal);
      return changed && request.exitCode ? 1 : 0;
    } finally {
      repository.close();
    }
  },
};

function treeOf({ store }: RepositoryFolder, { oid, name }: NamedObject): Oid {
  const tree = peelToTree(store, oid);
  if (tree === undefined) throw new Fatal(`unable to read tree ${name}`);
  return tree;
}

/** The file a word names, with path and mode if it was named by path. */
function fileOf(
  repository: RepositoryFolder,
  { name, oid: named }: NamedObject,
): { path: string; mode: number; oid: Oid } | undefined {
  const { store } = repository;
  const oid = peelTags(store, named);
  if (oid === undefined || store.header(oid)?.type !== "blob") return undefined;
  const colon = name.indexOf(":");
  if (colon <= 0) return { path: name, mode: MODE_FILE, oid };
  const path = name.slice(colon + 1);
  const tree = peelToTree(store, repository.oidOf(name.slice(0, colon)));
  const mode = tree === undefined ? MODE_FILE : (entryAt(store, tree, path)?.mode ?? MODE_FILE);
  return { path, mode: isTreeMode(mode) ? MODE_FILE : mode, oid };
}
