import { BadRequest } from "../../../kernel/errors.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import type { ReadPackage } from "./read.job.ts";

/** Large packages are unpacked completely. */
const TIMEOUT_MS = 600_000;

/** Reads a package's metadata. @throws BadRequest */
export async function readPackage(pool: WorkerPool, path: string): Promise<ReadPackage> {
  const found = await pool.run("packages.arch", { path }, { lane: "bulk", timeoutMs: TIMEOUT_MS });
  if ("invalid" in found) throw new BadRequest(found.invalid);
  return found;
}
