import type { JobContext } from "../../workers/job.ts";
import { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import { writeBundle } from "./create.ts";

export interface BundleInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** The commit that all refs of the bundle point to; included with its whole history. */
  readonly commit: Oid;
  /** Full names of the refs, all of them pointing to the commit. */
  readonly refs: readonly string[];
}

/** Streams a bundle of one commit and its history. @throws CorruptObject if something is missing */
export async function run({ repoDir, commit, refs }: BundleInput, context: JobContext): Promise<{ bytes: number }> {
  const store = ObjectStore.open(repoDir);
  let bytes = 0;
  try {
    const header = {
      version: store.format.name === "sha1" ? (2 as const) : (3 as const),
      format: store.format,
      filter: undefined,
      prerequisites: [],
      refs: refs.map((name) => ({ oid: commit, name: Buffer.from(name).toString("latin1") })),
    };
    await writeBundle(store, Commits.open(repoDir, store), header, async (piece) => {
      context.signal.throwIfAborted();
      bytes += piece.length;
      await context.emit(piece);
    });
    return { bytes };
  } finally {
    store.close();
  }
}
