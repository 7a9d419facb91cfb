import type { BlobService } from "../../blobs/service.ts";
import type { StoredBlob } from "../../blobs/types.ts";
import { TreeAttributes } from "../../git/attributes/tree.ts";
import { parseLfsPointer, writeLfsPointer } from "../../git/lfs/pointer.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { ObjectStore } from "../../git/odb/store.ts";
import { PatternsTooCostly } from "../../git/patterns/glob.ts";
import type { LfsObjects } from "../../lfs/service.ts";
import type { LfsUploads } from "../../lfs/uploads.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { FileService } from "../files/service.ts";
import { writePath } from "../values.ts";
import type { FileOperation } from "./types.ts";

/** Larger files are not converted when they are moved: their content would have to be in memory. */
const MAX_MOVED_BYTES = 64 * 2 ** 20;

export interface LargeFileParts {
  readonly blobs: BlobService;
  readonly files: FileService;
  readonly lfs: LfsObjects;
  readonly lfsUploads: LfsUploads;
}

/** The tree of a commit, and the objects to read it from. */
export interface EditBase {
  readonly commit: Oid;
  readonly tree: Oid;
  readonly objects: ObjectStore;
}

/** Operations with pointers in place of large files. Must be disposed of when the edit is finished. */
export interface ConvertedEdit extends Disposable {
  readonly operations: readonly FileOperation[];
  /**
   * Links the large files to the repository, in the transaction of the commit.
   * @throws TooLarge if over the owner's quota
   */
  link(seen: SeenRepo): void;
}

/**
 * Edits of files that `.gitattributes` assigns to git LFS: their bytes are stored beside the repository (contract
 * git-content.md 4.7).
 */
export class LargeFileEdits {
  constructor(private readonly parts: LargeFileParts) {}

  /**
   * @param base undefined: the repository is empty and has no attributes
   * @throws as `BlobService.receive`; ValidationFailed for a path
   */
  async converted(
    seen: SeenRepo,
    base: EditBase | undefined,
    operations: readonly FileOperation[],
  ): Promise<ConvertedEdit> {
    const { lfs, lfsUploads } = this.parts;
    const held = new DisposableStack();
    const stored: StoredBlob[] = [];
    const isLarge = base && lfs.isEnabled ? largeIn(base) : undefined;
    const store = async (content: Uint8Array): Promise<Uint8Array> => {
      const blob = held.use(await this.received(content));
      stored.push(blob);
      return writeLfsPointer({ oid: blob.digest, sizeBytes: blob.sizeBytes });
    };
    try {
      const changed: FileOperation[] = [];
      for (const operation of operations)
        changed.push(base && isLarge ? await this.one(seen, base, operation, isLarge, store) : operation);
      return {
        operations: changed,
        link: ({ owner, repo }) => {
          for (const blob of stored) lfsUploads.add(owner, repo, blob);
        },
        [Symbol.dispose]: () => held.dispose(),
      };
    } catch (error) {
      held.dispose();
      throw error;
    }
  }

  private async one(
    seen: SeenRepo,
    base: EditBase,
    operation: FileOperation,
    isLarge: (path: string) => boolean,
    store: (content: Uint8Array) => Promise<Uint8Array>,
  ): Promise<FileOperation> {
    const { content, fromPath, kind } = operation;
    if (kind === "delete" || kind === "delete-directory" || kind === "move-directory") return operation;
    const path = writePath(operation.path);
    const becomesLarge = isLarge(path);
    // An empty file is its own pointer (git-lfs, docs/spec.md).
    const isPlain = (bytes: Uint8Array | undefined) => bytes && bytes.length > 0 && !parseLfsPointer(bytes);
    if (content) return becomesLarge && isPlain(content) ? { ...operation, content: await store(content) } : operation;
    if (!fromPath || isLarge(writePath(fromPath)) === becomesLarge) return operation;
    const { files, lfs } = this.parts;
    const file = files.find(seen, base.commit, writePath(fromPath));
    if (file?.kind !== "file") return operation;
    if (becomesLarge) {
      const bytes = files.bytes(seen, file.oid, MAX_MOVED_BYTES);
      return bytes && isPlain(bytes) ? { ...operation, content: await store(bytes) } : operation;
    }
    const pointer = files.lfsPointer(seen, file);
    const found = pointer && pointer.sizeBytes <= MAX_MOVED_BYTES ? lfs.pointedAt(seen, pointer) : undefined;
    return found ? { ...operation, content: await found.body.file.bytes() } : operation;
  }

  private received(content: Uint8Array): Promise<StoredBlob> {
    const pieces = async function* () {
      yield content;
    };
    return this.parts.blobs.receive(pieces(), { maxBytes: content.length });
  }
}

/**
 * Returns a test for paths that a tree's attributes assign to git LFS. Patterns designed to take forever match none.
 */
function largeIn({ objects, tree }: EditBase): (path: string) => boolean {
  const attributes = new TreeAttributes(objects, tree, { only: ["filter"] });
  return (path) => {
    try {
      return attributes.of(path).filter === "lfs";
    } catch (error) {
      if (error instanceof PatternsTooCostly) return false;
      throw error;
    }
  };
}
