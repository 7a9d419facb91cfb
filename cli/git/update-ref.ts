import { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords } from "./options.ts";
import { runRefScript } from "./ref-script.ts";
import { RefTransaction } from "./ref-transaction.ts";

export const updateRefCommand: GitCommand = {
  name: "update-ref",
  usage:
    "[-m <reason>] [--no-deref] [--create-reflog] (-d <ref> [<old>] | <ref> <new> [<old>] | --stdin [-z]); refs/… and HEAD only",
  doc: "Moves a ref when it still is where it is expected to be",
  async run(words, terminal) {
    const options = readWords(words, {
      "-d": ["flag", "delete"],
      "-m": ["value", "reason"],
      "--no-deref": ["flag", "no-deref"],
      "--create-reflog": ["flag", "log"],
      "--stdin": ["flag", "stdin"],
      "-z": ["flag", "nul"],
    });
    const repository = RepositoryFolder.find(terminal.folder);
    const reason = options.value("reason");
    if (reason === "") throw new Fatal("Refusing to perform update with empty message.");
    const how = { reason: reason ?? "", deref: !options.has("no-deref"), beginLog: options.has("log") };
    try {
      const transaction = new RefTransaction(repository, terminal, how);
      if (options.has("stdin")) {
        if (options.rest.length > 0) throw new GitUsage("");
        return await runRefScript(transaction, repository, terminal, options.has("nul"));
      }
      const isDelete = options.has("delete");
      const [name, ...values] = options.rest;
      const [newValue, oldValue] = isDelete ? ["", values[0]] : values;
      if (name === undefined || newValue === undefined || values.length > (isDelete ? 1 : 2)) throw new GitUsage("");
      const newOid = isDelete ? null : idOrNull(repository, newValue, "SHA1");
      const oldOid = oldValue === undefined ? undefined : idOrNull(repository, oldValue, "old SHA1");
      transaction.add({ name, newOid, oldOid });
      const refusal = transaction.commit();
      if (refusal === undefined) return 0;
      if (!isDelete) throw new Fatal(`update_ref failed for ref '${name}': ${refusal}`);
      terminal.err(`error: ${refusal}`);
      return 1;
    } finally {
      repository.close();
    }
  },
};

/** An id, null for the one of zeros and for the empty text of an old value. @throws Fatal */
function idOrNull(repository: RepositoryFolder, text: string, what: string): Oid | null {
  if (text === repository.store.format.zeroOid || (text === "" && what !== "SHA1")) return null;
  const oid = repository.find(text);
  if (oid === undefined) throw new Fatal(`${text}: not a valid ${what}`);
  return oid;
}
