import { submoduleUrls } from "../../git/config/gitmodules.ts";
import { CostlyObject } from "../../git/errors.ts";
import { peelToTree } from "../../git/graph/peel.ts";
import { type LfsPointer, MAX_POINTER_BYTES, parseLfsPointer } from "../../git/lfs/pointer.ts";
import { decodeName } from "../../git/objects/names.ts";
import { isTreeMode, MODE_GITLINK, MODE_SYMLINK, parseTree } from "../../git/objects/tree.ts";
import type { ObjectHeader, Oid } from "../../git/objects/types.ts";
import type { ObjectStore } from "../../git/odb/store.ts";
import { entryAt } from "../../git/trees.ts";
import { NotFound, TooLarge } from "../../kernel/errors.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";

export type EntryKind = "file" | "dir" | "symlink" | "submodule";

/** Something a tree holds. */
export interface FileEntry {
  /** Names as `decodeName` gives them, joined by slashes; empty for the root folder. */
  readonly path: string;
  readonly name: string;
  readonly kind: EntryKind;
  readonly isExecutable: boolean;
  readonly oid: Oid;
  /** 0 for folders and submodules. */
  readonly sizeBytes: number;
}

/** A file's content in memory is never larger than this. */
export const MAX_BLOB_BYTES = 10 * 1024 * 1024;
/** No system follows a longer link; git's own would fail to make it. */
const MAX_TARGET_BYTES = 4096;
const MAX_GITMODULES_BYTES = 256 * 1024;

/** Reads files and folders of commits. */
export class FileService {
  constructor(
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /**
   * What is at a path of a commit (or tree).
   * @param path as `readPath` gives it
   * @throws NotFound naming the first element that is missing
   */
  entry(seen: SeenRepo, commit: Oid, path: string): FileEntry {
    const found = this.find(seen, commit, path);
    if (found) return found;
    throw new NotFound("path.missing", { params: { path: this.firstMissing(seen, commit, path) } });
  }

  /** The same; undefined when there is nothing. */
  find(seen: SeenRepo, commit: Oid, path: string): FileEntry | undefined {
    const objects = this.objects(seen);
    const tree = peelToTree(objects, commit);
    const found = tree === undefined ? undefined : entryAt(objects, tree, path);
    return found && entryOf(objects, path, found.mode, found.oid);
  }

  /**
   * The entries of a folder in git's order.
   * @param folder what `entry` found; its `path` is put before the names
   * @param sizes false: sizes stay 0, which saves a look at every object
   * @param most entries that the caller is willing to take
   * @throws TooLarge when there are more
   */
  list(
    seen: SeenRepo,
    folder: Pick<FileEntry, "oid" | "path">,
    { sizes = true, most = Number.POSITIVE_INFINITY } = {},
  ): FileEntry[] {
    const objects = this.objects(seen);
    if (folder.oid === objects.format.emptyTree) return [];
    const object = objects.read(folder.oid);
    if (object?.type !== "tree") throw new NotFound("object.missing", { params: { id: folder.oid } });
    const before = folder.path === "" ? "" : `${folder.path}/`;
    const entries = parseTree(object.data, objects.format);
    if (entries.length > most)
      throw new TooLarge("directory.too-large", {
        params: { path: folder.path || "the root folder", entries: entries.length, max: most },
      });
    return entries.map(({ mode, name, oid }) => entryOf(sizes ? objects : undefined, before + name, mode, oid));
  }

  /** Type and size of any object; undefined when there is none of that id. */
  header(seen: SeenRepo, oid: Oid): ObjectHeader | undefined {
    return this.objects(seen).header(oid);
  }

  /** The whole content of an object; undefined when it is larger than `maxBytes`. @throws NotFound */
  bytes(seen: SeenRepo, oid: Oid, maxBytes = MAX_BLOB_BYTES): Uint8Array | undefined {
    const objects = this.objects(seen);
    const header = objects.header(oid);
    if (!header) throw new NotFound("object.missing", { params: { id: oid } });
    return header.sizeBytes > maxBytes ? undefined : objects.read(oid)?.data;
  }

  /** The content in pieces, for files of any size. @throws NotFound */
  stream(seen: SeenRepo, oid: Oid): ReadableStream<Uint8Array> {
    let stream: ReadableStream<Uint8Array> | undefined;
    try {
      stream = this.objects(seen).stream(oid);
    } catch (error) {
      if (!(error instanceof CostlyObject)) throw error;
      // A delta, which is made whole: not in this thread.
      const job = this.pool.start("git.blobStream", { repoDir: this.storage.dirOf(seen.repo.id), oid });
      job.end();
      return job.output;
    }
    if (!stream) throw new NotFound("object.missing", { params: { id: oid } });
    return stream;
  }

  /** Where a symbolic link points. */
  linkTarget(seen: SeenRepo, entry: FileEntry): string {
    const data = this.bytes(seen, entry.oid, MAX_TARGET_BYTES) ?? new Uint8Array(0);
    return decodeName(data, 0, data.length);
  }

  /** What a file points to when it is an LFS pointer. */
  lfsPointer(seen: SeenRepo, entry: FileEntry): LfsPointer | undefined {
    if (entry.kind !== "file" || entry.sizeBytes > MAX_POINTER_BYTES || entry.sizeBytes < 100) return undefined;
    const data = this.bytes(seen, entry.oid);
    return data && parseLfsPointer(data);
  }

  /** The addresses of a commit's submodules, by path. */
  submodules(seen: SeenRepo, commit: Oid): ReadonlyMap<string, string> {
    const file = this.find(seen, commit, ".gitmodules");
    const data = file?.kind === "file" ? this.bytes(seen, file.oid, MAX_GITMODULES_BYTES) : undefined;
    return data ? submoduleUrls(data) : new Map();
  }

  private firstMissing(seen: SeenRepo, commit: Oid, path: string): string {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) {
      const found = this.find(seen, commit, parts.slice(0, count).join("/"));
      if (found?.kind !== "dir") return parts[found ? count : count - 1] ?? path;
    }
    return parts.at(-1) ?? path;
  }

  private objects({ repo }: SeenRepo): ObjectStore {
    return this.storage.objects(repo.id);
  }
}

export function kindOfMode(mode: number): EntryKind {
  if (isTreeMode(mode)) return "dir";
  if (mode === MODE_GITLINK) return "submodule";
  return mode === MODE_SYMLINK ? "symlink" : "file";
}

function entryOf(objects: ObjectStore | undefined, path: string, mode: number, oid: Oid): FileEntry {
  const kind = kindOfMode(mode);
  return {
    path,
    name: path.slice(path.lastIndexOf("/") + 1),
    kind,
    isExecutable: kind === "file" && (mode & 0o111) !== 0,
    oid,
    sizeBytes: kind === "file" || kind === "symlink" ? (objects?.header(oid)?.sizeBytes ?? 0) : 0,
  };
}
