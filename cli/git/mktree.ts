import { RepositoryFolder } from "../../src/git/folder.ts";
import { isObjectType } from "../../src/git/objects/tag.ts";
import { serializeTree, type TreeEntry, typeOfMode } from "../../src/git/objects/tree.ts";
import { isOid } from "../../src/git/objects/types.ts";
import { writeObjects } from "../../src/git/objects/write.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { linesOf, upToNul } from "./input.ts";
import { readWords } from "./options.ts";
import { unquoteStart } from "./quoted.ts";

export const mktreeCommand: GitCommand = {
  name: "mktree",
  usage: "[-z] [--missing] [--batch]",
  doc: "Makes a tree of the lines that ls-tree prints",
  async run(words, terminal) {
    const options = readWords(words, {
      "-z": ["flag", "nul"],
      "--missing": ["flag", "missing"],
      "--batch": ["flag", "batch"],
    });
    if (options.rest.length > 0) throw new GitUsage("");
    const repository = RepositoryFolder.find(terminal.folder);
    const { store } = repository;
    try {
      let entries: TreeEntry[] = [];
      const finish = () => {
        const object = { type: "tree", data: serializeTree(entries) } as const;
        const [oid] = writeObjects(repository.commonDir, [object], { isStored: (known) => store.has(known) });
        entries = [];
        terminal.out(`${oid}\n`);
      };
      const read = (line: string) => {
        const entry = entryOf(line, options.has("nul"));
        const { mode, name, oid } = entry;
        const type = /^\s*\d+ ([a-z]+) /.exec(line)?.[1];
        if (type === undefined || !isObjectType(type)) throw new Fatal(`invalid object type "${type}"`);
        const expected = typeOfMode(mode);
        if (type !== expected)
          throw new Fatal(`entry '${name}' object type (${type}) doesn't match mode type (${expected})`);
        const found = store.header(oid)?.type;
        if (found === undefined && !options.has("missing") && expected !== "commit")
          throw new Fatal(`entry '${name}' object ${oid} is unavailable`);
        if (found !== undefined && found !== expected)
          throw new Fatal(`entry '${name}' object ${oid} is a ${found} but specified type was (${expected})`);
        return entry;
      };
      for await (const line of linesOf(terminal.stdin(), options.has("nul") ? 0 : 0x0a)) {
        if (line !== "") entries.push(read(upToNul(line)));
        else if (options.has("batch")) finish();
        else throw new Fatal("input format error: (blank line only valid in batch mode)");
      }
      // A batch that ends with a blank line has said everything.
      if (!options.has("batch") || entries.length > 0) finish();
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** `<mode> <type> <id>\t<name>` @throws Fatal when the line is something else */
function entryOf(line: string, isNul: boolean): TreeEntry {
  const [, mode = "", digits = "", written = ""] = /^\s*([0-7]+) [a-z]+ ([0-9a-fA-F]+)\t(.*)$/s.exec(line) ?? [];
  const oid = digits.toLowerCase();
  if (!isOid(oid)) throw new Fatal(`input format error: ${line}`);
  const name = !isNul && written.startsWith('"') ? unquoteStart(written)?.text : written;
  if (name === undefined) throw new Fatal("invalid quoting");
  if (name.includes("/")) throw new Fatal(`path ${name} contains slash`);
  return { mode: Number.parseInt(mode, 8), name, oid };
}
