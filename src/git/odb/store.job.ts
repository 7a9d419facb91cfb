import type { JobContext } from "../../workers/job.ts";
import type { GitObject, Oid } from "../objects/types.ts";
import { writeObjects } from "./write.ts";

export interface StoreInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly objects: readonly GitObject[];
}

/** Compresses and stores loose objects durably. Each costs a flush, which the serving thread must not wait for. */
export async function run({ repoDir, objects }: StoreInput, { crash }: JobContext): Promise<Oid[]> {
  return writeObjects(repoDir, objects, { crashPoint: crash });
}
