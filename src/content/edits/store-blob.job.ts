import type { Oid } from "../../git/objects/types.ts";
import { writeObjects } from "../../git/objects/write.ts";
import type { JobContext } from "../../workers/job.ts";

/** Compresses and stores contents too large for the thread that serves requests, in the bare repository `repoDir`. */
export async function run(
  input: { readonly repoDir: string; readonly blobs: readonly Uint8Array[] },
  { crash }: JobContext,
): Promise<Oid[]> {
  return writeObjects(
    input.repoDir,
    input.blobs.map((data) => ({ type: "blob", data })),
    { crashPoint: crash },
  );
}
