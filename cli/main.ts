import { BackupError } from "../src/backup/error.ts";
import { BadSetting } from "../src/config/load.ts";
import { isDamagedDatabase } from "../src/db/database.ts";
import { FolderInUse } from "../src/db/folder-lock.ts";
import { DatabaseLost } from "../src/db/lost.ts";
import { DatabaseTooNew } from "../src/db/migrate.ts";
import { type DiskTrouble, diskTrouble } from "../src/kernel/disk.ts";
import { Failure } from "../src/kernel/errors.ts";
import { KeyFileDamaged } from "../src/secrets/key-file.ts";
import { UsageError } from "./arguments.ts";
import { dispatch } from "./dispatch.ts";
import { say } from "./language.ts";
import { refusalText } from "./refusals.ts";
import { serveCommand } from "./serve.ts";

/** Runs one command line. Exit status 0: success; 1: failure, with one line on standard error that says why. */
export async function main(words: string[]): Promise<void> {
  try {
    // The server starts without loading the other commands.
    if (words[0] === serveCommand.name) await dispatch(words, [serveCommand], []);
    else {
      const { commandGroups, commands } = await import("./commands.ts");
      await dispatch(words, commands, commandGroups);
    }
  } catch (error) {
    const message = await messageOf(error);
    // Not the error itself: Bun would print the surrounding source code, which is the executable's.
    if (message === undefined) console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    else console.error(say("commandError", { message }));
    process.exitCode = 1;
  }
}

/** A message for errors the user can do something about, in their language; undefined for our own bugs. */
async function messageOf(error: unknown): Promise<string | undefined> {
  const trouble = diskTrouble(error);
  if (trouble !== undefined) return `${troubleText(trouble)}${error instanceof Error ? ` (${error.message})` : ""}`;
  if (error instanceof Failure) return refusalText(error);
  if (error instanceof BackupError) return say(`backup-${error.reason}`, { detail: error.detail });
  if (error instanceof FolderInUse) return say("folderInUse", { path: error.path });
  if (error instanceof DatabaseTooNew)
    return say("databaseTooNew", { found: String(error.found), known: String(error.known) });
  if (error instanceof DatabaseLost)
    return say(error.reason === "missing" ? "databaseMissing" : "databaseForeign", { path: error.path });
  if (error instanceof KeyFileDamaged)
    return say(error.isMissing ? "keyFileMissing" : "keyFileDamaged", { path: error.path });
  if (isDamagedDatabase(error)) return say("databaseDamaged", { detail: error.message });
  if (error instanceof UsageError || error instanceof BadSetting) return error.message;
  return undefined;
}

function troubleText(trouble: DiskTrouble): string {
  if (trouble === "full") return say("diskFull");
  return trouble === "readonly" ? say("diskReadOnly") : say("diskFailed");
}
