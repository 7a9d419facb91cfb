import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { RepositoryFolder } from "../../src/git/folder.ts";
import { serializeCommit } from "../../src/git/objects/commit.ts";
import { decodeName, encodeName, withoutBytes } from "../../src/git/objects/names.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { writeObjects } from "../../src/git/objects/write.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { wholeOf } from "./input.ts";
import { readWords, type Words } from "./options.ts";
import { personOf } from "./persons.ts";
import { settingOf } from "./settings.ts";

export const commitTreeCommand: GitCommand = {
  name: "commit-tree",
  usage: "<tree> [(-p <parent>)…] [(-m <message>)…] [(-F <file>)…]",
  doc: "Makes a commit of a tree; the message comes from standard input when it is not given",
  async run(words, terminal) {
    const options = readWords(words, {
      "-p": ["value", "parent"],
      "-m": ["value", "message"],
      "-F": ["value", "file"],
      "--no-gpg-sign": ["flag", "unsigned"],
    });
    if (words.length === 0) throw new GitUsage("");
    const [tree, ...more] = [...options.rest, ...(options.paths ?? [])];
    const repository = RepositoryFolder.find(terminal.folder);
    try {
      const parents = new Set<Oid>();
      for (const name of options.all("parent")) {
        const parent = idOf(repository, name, "commit");
        if (parents.has(parent)) terminal.err(`error: duplicate parent ${parent} ignored`);
        parents.add(parent);
      }
      const given = await givenMessage(options, terminal);
      if (tree === undefined || more.length > 0) throw new Fatal("must give exactly one tree");
      const treeOid = idOf(repository, tree, "tree");
      const message = given === "" ? await fileText("-", terminal) : given;
      if (message.includes("\0")) {
        terminal.err("error: a NUL byte in commit log message not allowed.");
        return 1;
      }
      const encoding = settingOf(repository, terminal, "i18n.commitencoding") ?? "UTF-8";
      const isUtf8 = /^utf-?8$/i.test(encoding);
      const header = serializeCommit({
        tree: treeOid,
        parents: [...parents],
        ...(isUtf8 ? {} : { extraHeaders: [{ name: "encoding", value: encoding }] }),
        message: "",
        author: personOf(repository, terminal, "AUTHOR"),
        committer: personOf(repository, terminal, "COMMITTER"),
      });
      const data = Buffer.concat([header, encodeName(isUtf8 ? utf8Of(message, terminal) : message)]);
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
  if (found === undefined) throw new Fatal(`${oid} is not a valid object`);
  if (found !== type) throw new Fatal(`${oid} is not a valid '${type}' object`);
  return oid;
}

/** Each `-m` and `-F` is a paragraph, in the order typed. */
async function givenMessage(options: Words, terminal: Terminal): Promise<string> {
  let text = "";
  for (const { name, value } of options.options) {
    if (name !== "message" && name !== "file") continue;
    if (text !== "") text += "\n";
    text += name === "message" ? value : await fileText(value, terminal);
    if (name === "message" && text !== "" && !text.endsWith("\n")) text += "\n";
  }
  return text;
}

/** Bytes that are no UTF-8 are taken for Latin-1, with a warning, as git does. */
function utf8Of(message: string, terminal: Terminal): string {
  const text = withoutBytes(message);
  if (text !== message) terminal.err(NOT_UTF8);
  return text;
}

const NOT_UTF8 = `Warning: commit message did not conform to UTF-8.
You may want to amend it after fixing the message, or set the config
variable i18n.commitEncoding to the encoding your project uses.`;

async function fileText(path: string, terminal: Terminal): Promise<string> {
  if (path === "-") return decodeName(await wholeOf(terminal.stdin()));
  try {
    return decodeName(readFileSync(resolve(terminal.folder, path)));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EISDIR")
      throw new Fatal(`git commit-tree: failed to read '${path}': Is a directory`);
    throw new Fatal(`could not open '${path}' for reading: No such file or directory`);
  }
}
