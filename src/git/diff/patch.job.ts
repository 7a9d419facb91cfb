import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import { PatchTooLarge } from "../errors.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { openTogether } from "../odb/together.ts";
import { oldTreeOf, treeOf } from "./diff.job.ts";
import { diffPatch, formatPatch } from "./format-patch.ts";

export interface PatchInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly what:
    | {
        readonly kind: "diff";
        readonly from?: Oid;
        readonly to: Oid;
        /** The bare repository of `from`, if different. */
        readonly fromDir?: string | undefined;
        /** Whether to include the changes in binary files, so that they can be applied; true by default. */
        readonly binary?: boolean;
      }
    /** Commits as mails, oldest first. */
    | { readonly kind: "mails"; readonly commits: readonly Oid[] }
    /** One commit as a mail without a signature line. */
    | { readonly kind: "mail"; readonly commit: Oid };
  /** The job fails with PatchTooLarge beyond this; 64 MiB by default. */
  readonly maxPatchBytes?: number;
}

const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/** Streams a `.diff` or `.patch`, one file or mail at a time. */
export async function run(input: PatchInput, context: JobContext): Promise<{ bytes: number }> {
  const fromDir = input.what.kind === "diff" ? input.what.fromDir : undefined;
  if (fromDir === undefined) return patch(cachedRepository(context, input.repoDir).store, input, context);
  const store = openTogether(input.repoDir, fromDir);
  try {
    return await patch(store, input, context);
  } finally {
    store.close();
  }
}

async function patch(store: ObjectStore, input: PatchInput, context: JobContext): Promise<{ bytes: number }> {
  let left = input.maxPatchBytes ?? MAX_PATCH_BYTES;
  const total = left;
  const put = async (piece: Uint8Array) => {
    left -= piece.length;
    if (left < 0) throw new PatchTooLarge();
    if (piece.length > 0) await context.emit(new Uint8Array(piece));
  };
  const { what } = input;
  if (what.kind === "diff") {
    const options = { maxPatchBytes: left, binary: what.binary ?? true };
    const pieces = diffPatch(store, oldTreeOf(store, what.from, what.to), treeOf(store, what.to), options);
    for (const piece of pieces) await put(piece);
  } else if (what.kind === "mail") {
    await put(formatPatch(store, what.commit, undefined, { maxPatchBytes: left, signature: "" }));
  } else {
    const count = what.commits.length;
    for (const [i, commit] of what.commits.entries()) {
      await put(formatPatch(store, commit, { number: i + 1, total: count }, { maxPatchBytes: left }));
    }
  }
  return { bytes: total - left };
}
