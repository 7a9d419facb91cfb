import { BadSetting } from "../src/config/load.ts";
import { DatabaseTooNew } from "../src/db/migrate.ts";
import { diskTrouble, wordsForTrouble } from "../src/kernel/disk.ts";
import { Failure } from "../src/kernel/errors.ts";
import { FolderInUse } from "../src/server.ts";
import { UsageError } from "./arguments.ts";
import { commandGroups, commands } from "./commands.ts";
import { dispatch } from "./dispatch.ts";

/** Runs one command line. Exit status 0: done; 1: it could not be done, with one line on standard error saying why. */
export async function main(words: string[]): Promise<void> {
  try {
    await dispatch(words, commands, commandGroups);
  } catch (error) {
    const trouble = diskTrouble(error);
    if (trouble !== undefined) {
      const detail = error instanceof Error ? ` (${error.message})` : "";
      console.error(`Command error: ${wordsForTrouble(trouble)}${detail}`);
      process.exitCode = 1;
      return;
    }
    if (
      !(
        error instanceof Failure ||
        error instanceof UsageError ||
        error instanceof BadSetting ||
        error instanceof DatabaseTooNew ||
        error instanceof FolderInUse
      )
    )
      throw error;
    console.error(`Command error: ${error instanceof Failure ? await wordsFor(error) : error.message}`);
    process.exitCode = 1;
  }
}

/** The words are every area's, so they are loaded only when something was refused. */
async function wordsFor(failure: Failure): Promise<string> {
  const { errorMessages } = await import("../src/messages.ts");
  return errorMessages().of(failure);
}
