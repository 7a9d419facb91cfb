import type { FileService } from "../content/files/service.ts";
import type { NamedCommit, RevisionService } from "../content/revisions/service.ts";
import { readPath } from "../content/values.ts";
import type { Oid } from "../git/objects/types.ts";
import { TAGS, withByteNames } from "../git/refs/names.ts";
import { trimEndOf } from "../git/text-ends.ts";
import { BadRequest, Failure, NotFound } from "../kernel/errors.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import type { WorkerPool } from "../workers/pool.ts";
import type { ArchiveCache } from "./cache.ts";
import type { MakingSource, ReadableArchive } from "./making.ts";

export const ARCHIVE_FORMATS = ["zip", "tar.gz", "tar", "bundle"] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

/** An archive that can be made. */
export interface RepoArchive {
  readonly seen: SeenRepo;
  readonly commit: Oid;
  readonly format: ArchiveFormat;
  /** The commit's name in the request. */
  readonly ref: string;
  /** Only these, sorted; empty: everything. */
  readonly paths: readonly string[];
  /** Identifies the inputs that determine its bytes, as 64 hexadecimal digits. */
  readonly key: string;
  /** Whether it has the same bytes each time it is made. */
  readonly isStable: boolean;
}

/** Must be increased when the output for the same commit changes. */
const VERSION = 1;
const MAX_PATHS = 100;
const MAX_ATTRIBUTES_BYTES = 1024 * 1024;

/** Archives of commits, made in workers and cached on disk (contract git-content.md 5.5). */
export class ArchiveService {
  constructor(
    private readonly isEnabled: boolean,
    private readonly cache: ArchiveCache,
    private readonly revisions: RevisionService,
    private readonly files: FileService,
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /**
   * The archive named by a URL path: `v1.0.tar.gz`, `feature/a.zip`.
   * @throws BadRequest for an unknown format or path; NotFound for an unknown ref
   */
  named(seen: SeenRepo, name: string, paths: readonly string[]): RepoArchive {
    const format = ARCHIVE_FORMATS.find((ending) => name.endsWith(`.${ending}`) && name.length > ending.length + 1);
    if (!format) throw new BadRequest("archive.unknown-format", { params: { name } });
    return this.of(seen, name.slice(0, -format.length - 1), format, paths);
  }

  /**
   * @throws BadRequest for a missing path, or paths for a bundle; NotFound for an unknown ref, or if archives are
   *   disabled
   */
  of(seen: SeenRepo, ref: string, format: ArchiveFormat, paths: readonly string[]): RepoArchive {
    const { repo } = seen;
    if (!this.isEnabled) throw new NotFound();
    const commit = this.find(seen, ref)?.commit;
    if (commit === undefined) throw new NotFound("archive.ref-missing", { params: { ref } });
    if (format === "bundle" && paths.length > 0) throw new BadRequest("archive.paths-of-bundle");
    const cleaned = this.checkedPaths(seen, commit, paths);
    const tags = format === "bundle" ? "" : this.tagsThatCount(seen, commit);
    const facts = [VERSION, repo.id, commit, format, prefixOf(repo), cleaned, tags];
    const key = new Bun.CryptoHasher("sha256").update(JSON.stringify(facts)).digest("hex");
    // A bundle copies packed objects, which maintenance may have repacked meanwhile.
    return { seen, commit, format, ref, paths: cleaned, key, isStable: format !== "bundle" };
  }

  /** Its bytes, from disk or as they are made. @throws CorruptObject (from a worker) if something is missing */
  open(archive: RepoArchive): Promise<ReadableArchive> {
    return this.cache.open(archive.seen.repo.id, archive.key, () => this.make(archive));
  }

  /** Starts making it if it is not cached. @returns whether the complete archive is available */
  async prepare(archive: RepoArchive): Promise<boolean> {
    if (await this.cache.has(archive.key)) return true;
    const opened = await this.open(archive);
    opened
      .complete()
      .catch(() => {})
      .finally(() => opened.release());
    return false;
  }

  private make({ seen, commit, format, paths }: RepoArchive): MakingSource {
    const repoDir = this.storage.dirOf(seen.repo.id);
    const job =
      format === "bundle"
        ? this.pool.start("git.bundle", { repoDir, commit, refs: ["HEAD", "refs/heads/bundle"] })
        : this.pool.start("git.archive", {
            repoDir,
            oid: commit,
            format,
            prefix: prefixOf(seen.repo),
            paths,
            refs: this.substitutes(seen, commit) ? withByteNames(this.refs.list(seen.repo.id, TAGS)) : [],
          });
    job.end();
    return job;
  }

  /** A branch, a tag or an id; also by a full name. Nothing that requires walking the history. */
  private find(seen: SeenRepo, ref: string): NamedCommit | undefined {
    if (ref === "HEAD") return this.revisions.head(seen);
    const name = ref.replace(/^refs\/(heads|tags)\//, "");
    return (
      (ref.startsWith(TAGS) ? undefined : this.revisions.branch(seen, name)) ??
      (ref.startsWith("refs/heads/") ? undefined : this.revisions.tag(seen, name)) ??
      byId(ref, this.revisions.byDigits(seen, ref, 4))
    );
  }

  private checkedPaths(seen: SeenRepo, commit: Oid, paths: readonly string[]): string[] {
    const invalid = () => new BadRequest("archive.path-missing");
    if (paths.length > MAX_PATHS) throw invalid();
    const cleaned = paths.map((path) => {
      if (leavesTree(path)) throw invalid();
      try {
        const clean = readPath(trimEndOf(path, "/"));
        if (clean === "" || !this.files.find(seen, commit, clean)) throw invalid();
        return clean;
      } catch (error) {
        throw error instanceof Failure ? invalid() : error;
      }
    });
    return [...new Set(cleaned)].sort();
  }

  /**
   * Tags affect an archive only if files ask for their names (`export-subst`): then they are part of the key. Branches
   * never are, because the archive of a commit would change with every push.
   */
  private tagsThatCount(seen: SeenRepo, commit: Oid): string {
    if (!this.substitutes(seen, commit)) return "";
    const hasher = new Bun.CryptoHasher("sha256");
    for (const { name, oid } of this.refs.list(seen.repo.id, TAGS)) hasher.update(`${oid} ${name}\n`);
    return hasher.digest("hex");
  }

  /** Whether the root directory's attributes mention substitution. */
  private substitutes(seen: SeenRepo, commit: Oid): boolean {
    const file = this.files.find(seen, commit, ".gitattributes");
    const data = file?.kind === "file" ? this.files.bytes(seen, file.oid, MAX_ATTRIBUTES_BYTES) : undefined;
    return data !== undefined && Buffer.from(data).includes("export-subst");
  }
}

/** Whether a path starts above the tree, or climbs out of it along the way. */
function leavesTree(path: string): boolean {
  if (path.startsWith("/")) return true;
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

/** The directory that contains all entries. */
function prefixOf(repo: Repo): string {
  return `${repo.name.toLowerCase()}/`;
}

function byId(ref: string, commit: Oid | undefined): NamedCommit | undefined {
  return commit === undefined ? undefined : { kind: "commit", name: ref, commit };
}
