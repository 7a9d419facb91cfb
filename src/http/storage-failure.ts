import { isDenied } from "../kernel/disk.ts";
import { Failure } from "../kernel/errors.ts";
import { JobFailed } from "../workers/pool.ts";

/** Errors, by their names, that say what is wrong with what is stored; a worker's come by name alone. */
const FAILURES: Readonly<Record<string, () => Failure>> = {
  // A disk that is not mounted comes back: whoever asks may ask again later.
  MissingRepository: () => new Failure(503, "storage.repository-missing"),
  CorruptObject: () => new Failure(500, "storage.repository-damaged"),
  BlobDamaged: () => new Failure(500, "storage.upload-damaged"),
};

/** Something that is stored is missing, damaged or not to be read, in a code that every edge has words for; undefined: it is not that. */
export function storageFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = error instanceof JobFailed ? error.originalName : error.name;
  if (Object.hasOwn(FAILURES, name)) return FAILURES[name]?.();
  return isDenied(error) ? new Failure(503, "storage.denied") : undefined;
}
