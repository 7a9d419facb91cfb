import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { RepositoryFolder } from "../../src/git/folder.ts";
import { serializeCommit } from "../../src/git/objects/commit.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { writeObjects } from "../../src/git/objects/write.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { wholeOf } from "./input.ts";
import { readWords, type Words } from "./options.ts";
import { personOf } from "./persons.ts";

export const commitTreeCommand: GitCommand = {
  name: "commit-tree",
  usage: "<tree> [(-p <parent>)…] [(-m <message>)…] [(-F <file>)…]",
  doc: "Makes a commit of a tree; the message comes from standard input when it is not given",
  async run(words, terminal) {
    const options = readWords(words, {
      "-p": ["value", "parent"],
      "-m": ["value", "message"],
      "-F": ["value", "file"],
    });
    const [tree, ...more] = options.rest;
    if (tree === undefined || more.length > 0) throw new GitUsage("");
    const repository = RepositoryFolder.find(terminal.folder);
    try {
      const parents = new Set<Oid>();
      for (const name of options.all("parent")) {
        const parent = idOf(repository, name, "commit");
        if (parents.has(parent)) terminal.err(`error: duplicate parent ${parent} ignored`);
        parents.add(parent);
      }
      const data = serializeCommit({
        tree: idOf(repository, tree, "tree"),
        parents: [...parents],
        message: await messageOf(options, terminal),
        author: personOf(terminal, "AUTHOR"),
        committer: personOf(terminal, "COMMITTER"),
      });
      const [oid] = writeObjects(repository.commonDir, [{ type: "commit", data }], {
        isStored: (known) => repository.store.has(known),
      });
      terminal.out(`${oid}\n`);
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** @throws Fatal when the name leads to no object of the type */
function idOf(repository: RepositoryFolder, name: string, type: "tree" | "commit"): Oid {
  const oid = repository.find(name);
  if (oid === undefined) throw new Fatal(`not a valid object name ${name}`);
  const found = repository.store.header(oid)?.type;
  if (found !== type) throw new Fatal(`${oid} is not a valid '${type}' object`);
  return oid;
}

/** Each `-m` and `-F` is a paragraph, in the order typed. */
async function messageOf(options: Words, terminal: Terminal): Promise<string> {
  const paragraphs: string[] = [];
  for (const { name, value } of options.options) {
    if (name === "message") paragraphs.push(value.endsWith("\n") ? value : `${value}\n`);
    else if (name === "file") paragraphs.push(await fileText(value, terminal));
  }
  const text = paragraphs.length > 0 ? paragraphs.join("\n") : await fileText("-", terminal);
  if (text.includes("\0")) throw new Fatal("a NUL byte in commit log message not allowed.", 1);
  return text;
}

async function fileText(path: string, terminal: Terminal): Promise<string> {
  if (path === "-") return Buffer.from(await wholeOf(terminal.stdin())).toString("utf8");
  try {
    return readFileSync(resolve(terminal.folder, path), "utf8");
  } catch {
    throw new Fatal(`git commit-tree: failed to open '${path}': No such file or directory`);
  }
}
