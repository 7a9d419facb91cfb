import { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { type RefLogging, RefRefused, RefTransaction } from "../../src/git/refs/transaction.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { signatureOf } from "./identity.ts";
import { readWords, type Words } from "./options.ts";
import { booleanOf, isYes, numberOf, settingOf } from "./settings.ts";

export const updateRefCommand: GitCommand = {
  name: "update-ref",
  usage: "[-m <reason>] [--no-deref] [--create-reflog] (-d <ref> [<old>] | <ref> <new> [<old>])",
  doc: "Moves refs when they still are where they are expected to be",
  run(words, terminal) {
    const options = readWords(words, {
      "-d": ["flag", "delete"],
      "-m": ["value", "reason"],
      "--no-deref": ["flag", "no-deref"],
      "--deref": ["flag", "deref"],
      "--create-reflog": ["flag", "log"],
    });
    if (options.value("reason") === "") throw new Fatal("Refusing to perform update with empty message.");
    const rest = [...options.rest, ...(options.paths ?? [])];
    checkUsage(options, rest.length);
    const repository = RepositoryFolder.open(terminal.directory);
    try {
      const { gitDir, store } = repository;
      const withPeeled = repository.withPeeled.bind(repository);
      const logging = loggingOf(repository, terminal, options);
      const transaction = new RefTransaction({
        gitDir,
        store,
        withPeeled,
        logging,
        refLockTimeoutMs: numberOf(repository, terminal, "core.filesreflocktimeout"),
        packedLockTimeoutMs: numberOf(repository, terminal, "core.packedrefstimeout"),
      });
      const noDeref = options.has("no-deref");
      return changeOne(transaction, repository, terminal, { rest, isDelete: options.has("delete"), noDeref });
    } finally {
      repository.close();
    }
  },
};

function checkUsage(options: Words, count: number): void {
  const isDelete = options.has("delete");
  if (count < (isDelete ? 1 : 2) || count > (isDelete ? 2 : 3)) throw new GitUsage("");
}

function changeOne(
  transaction: RefTransaction,
  repository: RepositoryFolder,
  terminal: Terminal,
  { rest, isDelete, noDeref }: { rest: readonly string[]; isDelete: boolean; noDeref: boolean },
): number {
  const [name = "", ...values] = rest;
  const [newValue, oldValue] = isDelete ? [undefined, values[0]] : values;
  const newOid = newValue === undefined ? null : idOf(repository, newValue, "SHA1");
  let oldOid = oldValue === undefined ? undefined : oldValue === "" ? null : idOf(repository, oldValue, "old SHA1");
  // As git does, for the sake of old scripts.
  if (isDelete && oldOid === null) oldOid = undefined;
  try {
    transaction.add({ name, newOid, oldOid, noDeref });
    transaction.commit();
    return 0;
  } catch (error) {
    if (!(error instanceof RefRefused)) throw error;
    if (!isDelete) throw new Fatal(`update_ref failed for ref '${name}': ${error.message}`);
    terminal.err(`error: ${error.message}`);
    return 1;
  }
}

/** An id; null for the all-zero one. @throws Fatal */
function idOf(repository: RepositoryFolder, text: string, what: string): Oid | null {
  if (text === repository.store.format.zeroOid) return null;
  const oid = repository.find(text);
  if (oid === undefined) throw new Fatal(`${text}: not a valid ${what}`);
  return oid;
}

/** As set by `core.logAllRefUpdates` (git-config): by default on except in bare repositories. */
function loggingOf(repository: RepositoryFolder, terminal: Terminal, options: Words): RefLogging {
  const setting = settingOf(repository, terminal, "core.logallrefupdates");
  const bare = settingOf(repository, terminal, "core.bare");
  const isBare = bare === undefined ? repository.isBare : isYes(bare) === true;
  const isAlways = setting?.toLowerCase() === "always";
  const always = isAlways || options.has("log");
  const usual = setting === undefined ? !isBare : isAlways || booleanOf("core.logallrefupdates", setting);
  return {
    who: () => signatureOf(repository, terminal, "COMMITTER", false),
    reason: options.value("reason") ?? "",
    begins: (name) => always || (usual && /^(?:HEAD$|refs\/(?:heads|remotes|notes)\/)/.test(name)),
  };
}
