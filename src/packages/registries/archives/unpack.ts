import { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { Failure } from "../../../kernel/errors.ts";
import type { Job } from "../../../workers/options.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { brokenArchive, MAX_UNPACKED_BYTES } from "./broken.ts";

/** How a file is packed, told from its first bytes. */
export type Packing = "gzip" | "bzip2" | "xz" | "zstd" | "zip" | "none";

const signatures: readonly (readonly [Packing, readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["zip", [0x50, 0x4b]],
];

export async function packingOf(file: Blob): Promise<Packing> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return signatures.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0] ?? "none";
}

/**
 * The unpacked bytes of a file as they come; threads besides ours do the work.
 * @param pool for bzip2 and xz, which are not unpacked without it
 * @throws BadRequest (while it is read) it is not packed so, or has more than is read of any
 */
export async function* unpacked(
  file: Blob,
  packing: Packing,
  maxBytes = MAX_UNPACKED_BYTES,
  pool?: WorkerPool,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  try {
    for await (const chunk of streamOf(file, packing, maxBytes, pool)) {
      received += chunk.byteLength;
      if (received > maxBytes) throw brokenArchive();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Failure ? error : brokenArchive();
  }
}

function streamOf(
  file: Blob,
  packing: Packing,
  maxBytes: number,
  pool: WorkerPool | undefined,
): AsyncIterable<Uint8Array> {
  if (packing === "none") return file.stream();
  if (packing === "gzip") return unzipped(file, createGunzip());
  if (packing === "zstd") return unzipped(file, createZstdDecompress());
  if (pool && (packing === "bzip2" || packing === "xz"))
    return throughWorker(file, pool.start("packages.unpack", { packing, maxBytes }));
  throw brokenArchive();
}

async function* unzipped(file: Blob, inflate: NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>) {
  const source = Readable.from(file.stream());
  source.on("error", () => inflate.end());
  source.pipe(inflate);
  try {
    yield* inflate;
  } finally {
    source.destroy();
  }
}

/** The bytes of a file as xz. @throws (while it is read) what reading the file throws */
export function xzipped(file: Blob, pool: WorkerPool): AsyncIterable<Uint8Array> {
  return throughWorker(file, pool.start("packages.packXz", {}));
}

async function* throughWorker(file: Blob, job: Job<"packages.packXz" | "packages.unpack">): AsyncGenerator<Uint8Array> {
  let isWanted = true;
  const send = async () => {
    for await (const chunk of file.stream()) {
      if (!isWanted) return;
      await job.send(chunk);
    }
    job.end();
  };
  const sending = send();
  sending.catch(() => job.abort());
  job.result.catch(() => {});
  try {
    yield* job.output;
    await Promise.all([sending, job.result]);
  } finally {
    isWanted = false;
    job.abort();
  }
}
