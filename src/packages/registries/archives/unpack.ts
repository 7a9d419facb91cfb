import { createGunzip, createZstdDecompress } from "node:zlib";
import { Failure } from "../../../kernel/errors.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { brokenArchive, MAX_UNPACKED_BYTES } from "./broken.ts";
import { throughStream, throughWorker } from "./through.ts";
import type { Unpacking } from "./unpack.job.ts";

/** The compression of a file, detected from its first bytes. */
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
 * The decompressed bytes of a file as they arrive; the work is done by other threads.
 * @param where bzip2 and xz, which are slow, are decompressed: in the pool, or "here" in a worker; absent: not at all
 * @throws BadRequest (while iterating) if the format does not match, or the content exceeds the limit
 */
export async function* unpacked(
  file: Blob,
  packing: Packing,
  maxBytes = MAX_UNPACKED_BYTES,
  where?: WorkerPool | "here",
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  try {
    for await (const chunk of streamOf(file, packing, maxBytes, where)) {
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
  where: WorkerPool | "here" | undefined,
): AsyncIterable<Uint8Array> {
  if (packing === "none") return file.stream();
  if (packing === "gzip") return throughStream(file.stream(), createGunzip());
  if (packing === "zstd") return throughStream(file.stream(), createZstdDecompress());
  if (!where || packing === "zip") throw brokenArchive();
  return where === "here"
    ? inThisThread(file, { packing, maxBytes })
    : throughWorker(file.stream(), where.start("packages.unpack", { packing, maxBytes }));
}

async function* inThisThread(file: Blob, how: Unpacking): AsyncGenerator<Uint8Array> {
  const { unpackedBytes } = await import("./unpack.job.ts");
  yield* unpackedBytes(file.stream(), how);
}
