import { BadRequest } from "../../../kernel/errors.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import type { RpmSections } from "./facts.ts";
import { type ReadRpm, run } from "./read.job.ts";

/** Longer headers, with thousands of files, are parsed in a worker. */
const SHORT_BYTES = 128 << 10;

/** Parses the header of a package. @throws BadRequest */
export async function readRpm(pool: WorkerPool, { header, signatures }: RpmSections): Promise<ReadRpm> {
  const isLong = header.byteLength + signatures.byteLength > SHORT_BYTES;
  const sections = { header, signatures };
  const found = await (isLong ? pool.run("packages.rpm", sections) : run(sections));
  if ("invalid" in found) throw new BadRequest(found.invalid);
  return found;
}
