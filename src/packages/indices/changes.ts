import type { Database } from "../../db/database.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Package, PackageFile, PackageType } from "../types.ts";
import type { PackageIndices } from "./service.ts";
import { noteChange } from "./store.ts";

const BUILD = "packages.index";
/** Files published together appear in the index together. */
const DELAY_MS = 2_000;

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Rebuilds the changed indices of an owner's packages of a type. */
    "packages.index": { ownerId: number; type: PackageType };
  }
}

/** Stands for every part of all indices of a type. */
export const EVERY_PART = "*";

/** Types whose indices are generated and stored. */
const indexedTypes = ["alpine", "arch", "debian", "rpm"] as const;
export type IndexedType = (typeof indexedTypes)[number];
export const isIndexed = (type: PackageType): type is IndexedType =>
  (indexedTypes as readonly PackageType[]).includes(type);

/** Changes since an index was built: recorded with each change, whatever caused it. */
export class IndexChanges {
  constructor(
    private readonly db: Database,
    private readonly jobs: JobQueue,
  ) {}

  /** Records that files of a package were added or removed. Runs in the transaction. */
  note(
    { isInternal, ownerId, type }: Pick<Package, "isInternal" | "ownerId" | "type">,
    files: readonly Pick<PackageFile, "compositeKey">[],
  ): void {
    if (isInternal || !isIndexed(type)) return;
    for (const part of new Set(files.map(({ compositeKey }) => compositeKey))) noteChange(this.db, ownerId, type, part);
    this.jobs.enqueue(BUILD, { ownerId, type }, { uniqueKey: `${BUILD}:${ownerId}:${type}`, delayMs: DELAY_MS });
  }

  /** Records that all indices of a type must be rebuilt. Runs in the transaction. */
  noteAll(ownerId: number, type: IndexedType): void {
    noteChange(this.db, ownerId, type, EVERY_PART);
  }
}

/** Rebuilds indices soon after a change, so that few readers have to wait. */
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
