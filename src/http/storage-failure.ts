import { isDenied } from "../kernel/disk.ts";
import { Failure } from "../kernel/errors.ts";
import { JobFailed } from "../workers/pool.ts";

/** Errors, by name, that mean something is wrong with stored data; a worker's errors carry only their name. */
const FAILURES: Readonly<Record<string, () => Failure>> = {
  // An unmounted disk can come back: the caller may retry later.
  MissingRepository: () => new Failure(503, "storage.repository-missing"),
  CorruptObject: () => new Failure(500, "storage.repository-damaged"),
  BlobDamaged: () => new Failure(500, "storage.upload-damaged"),
};

/**
 * Maps an error about missing, damaged or unreadable stored data to a code that every surface has a message for;
 * undefined for other errors.
 */
export function storageFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = error instanceof JobFailed ? error.originalName : error.name;
  if (Object.hasOwn(FAILURES, name)) return FAILURES[name]?.();
  return isDenied(error) ? new Failure(503, "storage.denied") : undefined;
}
