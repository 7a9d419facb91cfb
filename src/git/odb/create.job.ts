import { dirname } from "node:path";
import type { JobContext } from "../../workers/job.ts";
import { makeDirectory } from "../durable.ts";
import { formatNamed, type ObjectFormat } from "../objects/format.ts";
import type { GitObject } from "../objects/types.ts";
import { initRepository, writeObjects } from "./write.ts";

export interface CreateInput {
  /** Path of the bare repository to create, which must not exist yet. */
  readonly repoDir: string;
  readonly defaultBranch: string;
  readonly format: ObjectFormat["name"];
  /** Initial objects, each after the objects it points to. */
  readonly objects: readonly GitObject[];
}

/**
 * Creates a bare repository durably, including its parent directories: a dozen flushes, which the serving thread must
 * not wait for.
 * @throws the file system's error; if writing the objects fails, the repository is left behind
 */
export async function run(input: CreateInput, { crash }: JobContext): Promise<void> {
  const { repoDir, defaultBranch, objects } = input;
  makeDirectory(dirname(repoDir), 0o700);
  const format = formatNamed(input.format);
  initRepository(repoDir, { defaultBranch, ...(format ? { format } : {}), crashPoint: crash });
  if (objects.length > 0) writeObjects(repoDir, objects, { crashPoint: crash });
}
