import type { Database } from "../../db/database.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Package, PackageFile, PackageType } from "../types.ts";
import type { PackageIndices } from "./service.ts";
import { noteChange } from "./store.ts";

const BUILD = "packages.index";
/** What is published together is in the index together. */
const DELAY_MS = 2_000;

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Makes the indices of an owner's packages of a type that have changed. */
    "packages.index": { ownerId: number; type: PackageType };
  }
}

/** Every part of all indices of a type. */
export const EVERY_PART = "*";

/** Types of which an owner's packages have an index that is kept. */
const indexedTypes = ["alpine", "arch", "debian", "rpm"] as const;
export type IndexedType = (typeof indexedTypes)[number];
export const isIndexed = (type: PackageType): type is IndexedType =>
  (indexedTypes as readonly PackageType[]).includes(type);

/** What has changed since an index was made: noted with the change, whatever made it. */
export class IndexChanges {
  constructor(
    private readonly db: Database,
    private readonly jobs: JobQueue,
  ) {}

  /** Files of a package came or go. In the transaction. */
  note(
    { isInternal, ownerId, type }: Pick<Package, "isInternal" | "ownerId" | "type">,
    files: readonly Pick<PackageFile, "compositeKey">[],
  ): void {
    if (isInternal || !isIndexed(type)) return;
    for (const part of new Set(files.map(({ compositeKey }) => compositeKey))) noteChange(this.db, ownerId, type, part);
    this.jobs.enqueue(BUILD, { ownerId, type }, { uniqueKey: `${BUILD}:${ownerId}:${type}`, delayMs: DELAY_MS });
  }

  /** All of a type has to be made again. In the transaction. */
  noteAll(ownerId: number, type: IndexedType): void {
    noteChange(this.db, ownerId, type, EVERY_PART);
  }
}

/** Makes them soon after a change, so that few have to wait. */
export function handleIndexJobs(jobs: JobQueue, indices: Pick<PackageIndices, "build">): void {
  jobs.handle(BUILD, {
    parse: (payload) => {
      const { ownerId, type } = payload as { ownerId: number; type: IndexedType };
      if (!Number.isInteger(ownerId) || !isIndexed(type)) throw new Error("no account and type");
      return { ownerId, type };
    },
    run: ({ ownerId, type }) => (isIndexed(type) ? indices.build(ownerId, type) : undefined),
  });
}
