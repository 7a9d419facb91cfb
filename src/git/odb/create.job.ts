import { dirname } from "node:path";
import type { JobContext } from "../../workers/job.ts";
import { makeDirectory } from "../durable.ts";
import { formatNamed, type ObjectFormat } from "../objects/format.ts";
import type { GitObject } from "../objects/types.ts";
import { initRepository, writeObjects } from "./write.ts";

export interface CreateInput {
  /** Where the bare repository is to be, which is nowhere yet. */
  readonly repoDir: string;
  readonly defaultBranch: string;
  readonly format: ObjectFormat["name"];
  /** What it begins with, each after what it points to. */
  readonly objects: readonly GitObject[];
}

/**
 * Makes a bare repository durably, with the directories above it: a dozen flushes, which the serving thread must not
 * wait for.
 * @throws the file system's error; objects that could not be written leave the repository behind
 */
export async function run(input: CreateInput, { crash }: JobContext): Promise<void> {
  const { repoDir, defaultBranch, objects } = input;
  makeDirectory(dirname(repoDir), 0o700);
  const format = formatNamed(input.format);
  initRepository(repoDir, { defaultBranch, ...(format ? { format } : {}), crashPoint: crash });
  if (objects.length > 0) writeObjects(repoDir, objects, { crashPoint: crash });
}
