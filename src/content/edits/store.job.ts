import type { GitObject, Oid } from "../../git/objects/types.ts";
import { writeObjects } from "../../git/objects/write.ts";

export interface StoreInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly objects: readonly GitObject[];
}

/** Compresses and stores the objects of an edit durably: each costs a flush, which the serving thread must not wait for. */
export async function run({ repoDir, objects }: StoreInput): Promise<Oid[]> {
  return writeObjects(repoDir, objects);
}
