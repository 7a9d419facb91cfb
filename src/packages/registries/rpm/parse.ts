import { BadRequest } from "../../../kernel/errors.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import type { RpmSections } from "./facts.ts";
import { type ReadRpm, run } from "./read.job.ts";

/** A longer head, of thousands of files, is read by a worker. */
const SHORT_BYTES = 128 << 10;

/** What the head of a package says. @throws BadRequest */
export async function readRpm(pool: WorkerPool, { header, signatures }: RpmSections): Promise<ReadRpm> {
  const isLong = header.byteLength + signatures.byteLength > SHORT_BYTES;
  const sections = { header, signatures };
  const found = await (isLong ? pool.run("packages.rpm", sections) : run(sections));
  if ("invalid" in found) throw new BadRequest(found.invalid);
  return found;
}
