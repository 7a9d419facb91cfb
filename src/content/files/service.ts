import { submoduleUrls } from "../../git/config/gitmodules.ts";
import { CostlyObject } from "../../git/errors.ts";
import { peelToTree } from "../../git/graph/peel.ts";
import type { LfsPointer } from "../../git/lfs/pointer.ts";
import type { ObjectHeader, Oid } from "../../git/objects/types.ts";
import type { ObjectStore } from "../../git/odb/store.ts";
import { entryAt } from "../../git/trees.ts";
import { NotFound, TooLarge } from "../../kernel/errors.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { entryOf, type FileEntry } from "./entry.ts";
import { type ListedEntry, type Listing, type ListOptions, listDirectory, readPointer, readTarget } from "./listing.ts";

/** The maximum size of a file's content in memory. */
export const MAX_BLOB_BYTES = 10 * 1024 * 1024;
/**
 * A tree of this many bytes has some eight hundred entries, two milliseconds: larger ones are listed in a worker; with
 * details the threshold is lower.
 */
const QUICK_TREE_BYTES = 32 * 1024;
const QUICK_DETAILED_BYTES = 2 * 1024;
/** No tree with a single entry is longer: file names are at most 255 bytes. */
const ONE_ENTRY_BYTES = 320;
const plain: ListOptions = { sizes: false, targets: false, lfs: false, max: Number.POSITIVE_INFINITY };
const MAX_GITMODULES_BYTES = 256 * 1024;

/** Reads files and directories of commits. */
export class FileService {
  constructor(
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /**
   * The entry at a path in a commit (or tree).
   * @param path as returned by `readPath`
   * @throws NotFound naming the first missing component
   */
  entry(seen: SeenRepo, commit: Oid, path: string): FileEntry {
    const found = this.find(seen, commit, path);
    if (found) return found;
    throw new NotFound("path.missing", { params: { path: this.firstMissing(seen, commit, path) } });
  }

  /** Like `entry`; undefined if there is nothing. */
  find(seen: SeenRepo, commit: Oid, path: string): FileEntry | undefined {
    const objects = this.objects(seen);
    const tree = peelToTree(objects, commit);
    const found = tree === undefined ? undefined : entryAt(objects, tree, path);
    return found && entryOf(objects, path, found.mode, found.oid);
  }

  /**
   * The entries of a directory in git's order; large ones are read in a worker.
   * @param directory as returned by `entry`; its `path` is prefixed to the names
   * @param request only names and ids if absent
   * @throws NotFound; TooLarge if there are more than `max`
   */
  async list(
    seen: SeenRepo,
    directory: Pick<FileEntry, "oid" | "path">,
    request: Partial<ListOptions> = {},
  ): Promise<readonly ListedEntry[]> {
    return (await this.listing(seen, directory, request)).entries;
  }

  /** Like `list`, with the total number of entries, for callers that display only some. */
  async listing(
    seen: SeenRepo,
    directory: Pick<FileEntry, "oid" | "path">,
    request: Partial<ListOptions>,
  ): Promise<Listing> {
    const objects = this.objects(seen);
    const options = { ...plain, ...request };
    const { oid: tree, path } = directory;
    const before = path === "" ? "" : `${path}/`;
    const isDetailed = options.sizes || options.targets || options.lfs;
    const quickBytes = isDetailed ? QUICK_DETAILED_BYTES : QUICK_TREE_BYTES;
    const isQuick = (objects.header(tree)?.sizeBytes ?? 0) <= quickBytes;
    const found = isQuick
      ? listDirectory(objects, tree, before, options)
      : await this.pool.run("content.listing", { repoDir: this.storage.dirOf(seen.repo.id), tree, before, options });
    if (!found) throw new NotFound("object.missing", { params: { id: tree } });
    const { count } = found;
    if (count > options.max)
      throw new TooLarge("directory.too-large", {
        params: { path: path || "the root directory", entries: count, max: options.max },
      });
    return found;
  }

  /** The directory that is the only entry of a directory; undefined if it has other entries, or none. */
  onlyDirectory(seen: SeenRepo, { oid, path }: Pick<FileEntry, "oid" | "path">): FileEntry | undefined {
    const objects = this.objects(seen);
    if ((objects.header(oid)?.sizeBytes ?? 0) > ONE_ENTRY_BYTES) return undefined;
    const [only, ...others] = listDirectory(objects, oid, `${path}/`, plain)?.entries ?? [];
    return others.length === 0 && only?.kind === "dir" ? only : undefined;
  }

  /** Type and size of any object; undefined if there is none with that id. */
  header(seen: SeenRepo, oid: Oid): ObjectHeader | undefined {
    return this.objects(seen).header(oid);
  }

  /** The whole content of an object; undefined if it is larger than `maxBytes`. @throws NotFound */
  bytes(seen: SeenRepo, oid: Oid, maxBytes = MAX_BLOB_BYTES): Uint8Array | undefined {
    const objects = this.objects(seen);
    const header = objects.header(oid);
    if (!header) throw new NotFound("object.missing", { params: { id: oid } });
    return header.sizeBytes > maxBytes ? undefined : objects.read(oid)?.data;
  }

  /** The content as a stream, for files of any size. @throws NotFound */
  stream(seen: SeenRepo, oid: Oid): ReadableStream<Uint8Array> {
    let stream: ReadableStream<Uint8Array> | undefined;
    try {
      stream = this.objects(seen).stream(oid);
    } catch (error) {
      if (!(error instanceof CostlyObject)) throw error;
      // A delta must be reconstructed as a whole: not in this thread.
      const job = this.pool.start("git.blobStream", { repoDir: this.storage.dirOf(seen.repo.id), oid });
      job.end();
      return job.output;
    }
    if (!stream) throw new NotFound("object.missing", { params: { id: oid } });
    return stream;
  }

  /** The target of a symbolic link. */
  linkTarget(seen: SeenRepo, entry: FileEntry): string {
    return readTarget(this.objects(seen), entry.oid);
  }

  /** The contents of an LFS pointer; undefined if the file is not one. */
  lfsPointer(seen: SeenRepo, entry: FileEntry): LfsPointer | undefined {
    return readPointer(this.objects(seen), entry);
  }

  /** The URLs of a commit's submodules, by path. */
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
