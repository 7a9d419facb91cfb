import type { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { type ClosedPack, closedPacks } from "../pack-objects/closures.ts";
import { planPack } from "../pack-objects/plan.ts";
import { type LfsPointer, MAX_POINTER_BYTES, MIN_POINTER_BYTES, parseLfsPointer } from "./pointer.ts";

/** A pointer file, regardless of its paths. */
export interface PointerBlob extends LfsPointer {
  readonly blob: Oid;
}

export interface FoundPointers {
  readonly pointers: readonly PointerBlob[];
  /** The search stopped at the maximum: there are more. */
  readonly isCut: boolean;
}

export interface PointerSearch {
  readonly store: ObjectStore;
  readonly commits: Commits;
  readonly repoDir: string;
  /** Where to start: commits, tags, trees. */
  readonly wants: readonly Oid[];
  /** Objects reachable from these are skipped; ids that are not stored here are ignored. */
  readonly haves: readonly Oid[];
  readonly max: number;
  readonly signal: AbortSignal;
}

/**
 * Finds the pointers among the files reachable from `wants` but not from `haves`, as a fetch would transfer them.
 * @throws CorruptObject if something reachable from `wants` is missing
 */
export function findPointers({ commits, haves, max, repoDir, signal, store, wants }: PointerSearch): FoundPointers {
  const closed: readonly ClosedPack[] = closedPacks(repoDir, store);
  const onProgress = () => signal.throwIfAborted();
  const common = { filter: undefined, cuts: undefined, followTags: [], mayCopyPacks: true };
  const { catalog, contents } = planPack({ store, commits, closed, onProgress }, { wants, haves, ...common });
  const pointers: PointerBlob[] = [];
  let isCut = false;
  const look = (blob: Oid, sizeBytes: number) => {
    if (sizeBytes < MIN_POINTER_BYTES || sizeBytes > MAX_POINTER_BYTES) return;
    const data = store.read(blob)?.data;
    const pointer = data && parseLfsPointer(data);
    if (!pointer) return;
    if (pointers.length < max) pointers.push({ ...pointer, blob });
    else isCut = true;
  };
  for (const pack of contents.copied)
    for (let row = 0; row < pack.index.objectCount && !isCut; row++) {
      if (row % 1024 === 0) onProgress();
      const { sizeBytes, type } = pack.objectHeader(pack.index.offsetOf(row));
      if (type === "blob") look(pack.index.oidOf(row), sizeBytes);
    }
  for (const group of contents.groups)
    for (const number of group) {
      if (isCut) break;
      const { sizeBytes, type } = catalog.header(number);
      if (type === "blob") look(catalog.oidOf(number), sizeBytes);
    }
  return { pointers, isCut };
}
