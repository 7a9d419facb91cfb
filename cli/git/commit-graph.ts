import { RepositoryFolder } from "../../src/git/folder.ts";
import type { GraphScope } from "../../src/git/graph/rows.ts";
import { verifyCommitGraph } from "../../src/git/graph/verify.ts";
import { writeCommitGraph } from "../../src/git/graph/writer.ts";
import { isOid, type Oid } from "../../src/git/objects/types.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { readWords } from "./options.ts";

export const commitGraphCommand: GitCommand = {
  name: "commit-graph",
  usage: "(write [--reachable | --stdin-commits] [--append] [--split[=replace]] [--changed-paths] | verify)",
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
    });
    if ((action !== "write" && action !== "verify") || options.rest.length > 0) throw new GitUsage("");
    const repository = RepositoryFolder.find(terminal.folder);
    try {
      if (action === "verify") return verify(repository, terminal);
      const tips = options.has("stdin-commits") ? await readTips(terminal) : everyTip(repository);
      await writeCommitGraph(repository.commonDir, repository.store, tips, { scope: scopeOf(options) });
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
  if (split !== "" && split !== "replace") throw new Fatal(`unrecognized --split argument, ${split}`);
  return split === "replace" ? "reachable" : "append";
}

function everyTip(repository: RepositoryFolder): Oid[] {
  const head = repository.headOid();
  return [...repository.refs.list().map(({ oid }) => oid), ...(head === undefined ? [] : [head])];
}

async function readTips(terminal: Terminal): Promise<Oid[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of terminal.stdin()) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString("latin1").split("\n").filter(Boolean);
  const wrong = lines.find((line) => !isOid(line));
  if (wrong !== undefined) throw new Fatal(`unexpected non-hex object ID: ${wrong}`);
  return lines;
}
