import { createGzip } from "node:zlib";
import type { WorkerPool } from "../../../workers/pool.ts";
import { throughStream, throughWorker } from "./through.ts";

/** Compresses a stream. @throws (while iterating) what reading the source throws */
export const gzipped = (source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  throughStream(source, createGzip());

export const xzipped = (file: Blob, pool: WorkerPool): AsyncIterable<Uint8Array> =>
  throughWorker(file.stream(), pool.start("packages.packXz", {}));
