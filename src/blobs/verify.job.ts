import { fstatSync, readSync } from "node:fs";
import { Pacer } from "../git/scrub/pacer.ts";
import { closeFile, openFile } from "../workers/descriptors.ts";
import type { JobContext } from "../workers/job.ts";

export interface VerifyInput {
  readonly files: readonly { readonly path: string; readonly digest: string; readonly sizeBytes: number }[];
  /** The share of one core it may use: above 0, at most 1. */
  readonly coreShare: number;
}

const PIECE_BYTES = 256 * 1024;

/** Compares uploaded files with their digests. @returns the problems, by digest */
export async function run(
  { files, coreShare }: VerifyInput,
  { signal }: Pick<JobContext, "signal">,
): Promise<readonly { readonly digest: string; readonly message: string }[]> {
  const pacer = new Pacer(coreShare, signal);
  const piece = new Uint8Array(PIECE_BYTES);
  const troubles: { digest: string; message: string }[] = [];
  for (const { path, digest, sizeBytes } of files) {
    const message = troubleWith(path, digest, sizeBytes, piece, pacer);
    if (message !== undefined) troubles.push({ digest, message });
  }
  return troubles;
}

function troubleWith(path: string, digest: string, sizeBytes: number, piece: Uint8Array, pacer: Pacer) {
  let fd: number;
  try {
    fd = openFile(path, "r");
  } catch (error) {
    return `its file cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
  try {
    const { size } = fstatSync(fd);
    if (size !== sizeBytes) return `its file has ${size} bytes instead of ${sizeBytes}`;
    const hasher = new Bun.CryptoHasher("sha256");
    for (let got = readSync(fd, piece); got > 0; got = readSync(fd, piece)) {
      hasher.update(piece.subarray(0, got));
      pacer.rest();
    }
    return hasher.digest("hex") === digest ? undefined : "its file holds other bytes";
  } catch (error) {
    if (signalled(error)) throw error;
    return `its file cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    closeFile(fd);
  }
}

/** A failed read has a code from the system; anything else thrown means that this job was told to stop. */
const signalled = (error: unknown): boolean => !(error instanceof Error && "syscall" in error);
