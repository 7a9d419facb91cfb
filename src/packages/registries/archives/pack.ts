import { createGzip } from "node:zlib";
import type { WorkerPool } from "../../../workers/pool.ts";
import { throughStream, throughWorker } from "./through.ts";

/** The bytes of a file, packed. @throws (while it is read) what reading the file throws */
export const gzipped = (file: Blob): AsyncIterable<Uint8Array> => throughStream(file, createGzip());

export const xzipped = (file: Blob, pool: WorkerPool): AsyncIterable<Uint8Array> =>
  throughWorker(file, pool.start("packages.packXz", {}));
