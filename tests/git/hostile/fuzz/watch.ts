import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "../../../../src/git/errors.ts";
import { Choice, type FuzzTarget } from "./target.ts";

/** CPU time a case may take, whatever it is fed. */
export const MAX_CPU_MS = 2000;

/** What a case came to: undefined when it did as it should, else what went wrong. */
export async function flawOf(target: FuzzTarget, seed: number, scratch: string): Promise<string | undefined> {
  const first = await once(target, seed, scratch);
  if (first.flaw !== undefined || first.leaked <= 0) return first.flaw;
  // The runtime opens files of its own now and then; what leaks does so again.
  const again = await once(target, seed, scratch);
  return again.leaked > 0 ? `leaks ${again.leaked} file descriptors` : again.flaw;
}

async function once(target: FuzzTarget, seed: number, scratch: string): Promise<{ flaw?: string; leaked: number }> {
  const folder = join(scratch, `case-${seed}`);
  mkdirSync(folder, { recursive: true });
  const filesBefore = openFiles();
  const cpu = process.cpuUsage();
  let flaw: string | undefined;
  try {
    await target.run(new Choice(seed), folder);
  } catch (error) {
    if (!(error instanceof GitError)) flaw = told(error);
  }
  const { user, system } = process.cpuUsage(cpu);
  if ((user + system) / 1000 > MAX_CPU_MS) flaw ??= `took ${Math.round((user + system) / 1000)} ms of CPU`;
  const leaked = openFiles() - filesBefore;
  rmSync(folder, { recursive: true, force: true });
  return { leaked, ...(flaw === undefined ? {} : { flaw }) };
}

function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\n  because ${told(error.cause)}`;
  return `${error.name}: ${error.message}\n${error.stack?.split("\n").slice(1, 6).join("\n")}${cause}`;
}

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}
