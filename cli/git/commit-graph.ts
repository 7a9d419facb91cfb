import { RepositoryFolder } from "../../src/git/folder.ts";
import type { GraphScope } from "../../src/git/graph/rows.ts";
import { verifyCommitGraph } from "../../src/git/graph/verify.ts";
import { writeCommitGraph } from "../../src/git/graph/writer.ts";
import { isOid, type Oid } from "../../src/git/objects/types.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { readWords } from "./options.ts";

export const commitGraphCommand: GitCommand = {
  name: "commit-graph",
  usage:
    "(write [--reachable | --stdin-commits] [--append] [--split[=no-merge|replace]] [--changed-paths] | verify [--shallow])",
  doc: "Writes the commit-graph, or compares it with the objects; changed-path filters are always written",
  async run(words, terminal) {
    const [action, ...more] = words;
    const options = readWords(more, {
      "--reachable": ["flag", "reachable"],
      "--stdin-commits": ["flag", "stdin-commits"],
      "--append": ["flag", "append"],
      "--split": ["attached", "split"],
      "--changed-paths": ["flag", "changed-paths"],
      "--progress": ["flag", "progress"],
      "--no-progress": ["flag", "no-progress"],
      "--shallow": ["flag", "shallow"],
      // How layers are merged and kept, and how many filters are made, follows rules of our own.
      "--no-changed-paths": ["flag", "changed-paths"],
      "--size-multiple": ["value", "kept"],
      "--max-commits": ["value", "kept"],
      "--expire-time": ["value", "kept"],
      "--max-new-filters": ["value", "kept"],
    });
    if ((action !== "write" && action !== "verify") || options.rest.length > 0) throw new GitUsage("");
    const repository = RepositoryFolder.find(terminal.folder);
    try {
      if (action === "verify") return verify(repository, terminal);
      if (options.has("stdin-commits") && options.has("reachable"))
        throw new Fatal("use at most one of --reachable, --stdin-commits, or --stdin-packs");
      const scope = scopeOf(options);
      const tips = options.has("stdin-commits") ? await readTips(terminal) : everyTip(repository);
      if (!tips) return 1;
      // A graph has no room for parents that are cut off or replaced: git leaves such repositories alone.
      if (repository.shallow.size > 0 || repository.refs.list("refs/replace/").length > 0) return 0;
      const { commonDir, store } = repository;
      await writeCommitGraph(commonDir, store, tips, { scope, chained: options.has("split") });
      return 0;
    } finally {
      repository.close();
    }
  },
};

function verify(repository: RepositoryFolder, terminal: Terminal): number {
  const problems = verifyCommitGraph(repository.commonDir, repository.store);
  for (const problem of problems) terminal.err(problem);
  return problems.length > 0 ? 1 : 0;
}

function scopeOf(options: { has(name: string): boolean; value(name: string): string | undefined }): GraphScope {
  const split = options.value("split");
  if (split === undefined) return options.has("append") ? "whole" : "reachable";
  if (!["", "no-merge", "replace"].includes(split)) throw new Fatal(`unrecognized --split argument, ${split}`);
  return split === "replace" ? "reachable" : "append";
}

function everyTip(repository: RepositoryFolder): Oid[] {
  const head = repository.headOid();
  return [...repository.refs.list().map(({ oid }) => oid), ...(head === undefined ? [] : [head])];
}

/** Undefined when a line is no id, which is told then. */
async function readTips(terminal: Terminal): Promise<Oid[] | undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of terminal.stdin()) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString("latin1").split("\n").filter(Boolean);
  const wrong = lines.find((line) => !isOid(line));
  if (wrong === undefined) return lines;
  terminal.err(`error: unexpected non-hex object ID: ${wrong}`);
  return undefined;
}
