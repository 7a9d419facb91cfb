import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../db/database.ts";
import { CostlyObject } from "../git/errors.ts";
import { SHA1 } from "../git/objects/format.ts";
import type { Oid } from "../git/objects/types.ts";
import { objectFormatOf } from "../git/odb/folder-format.ts";
import type { ObjectStore } from "../git/odb/store.ts";
import { refNameText } from "../git/refs/names.ts";
import { readProjection } from "../git/refs/projection.ts";
import type { FailureParams } from "../kernel/errors.ts";
import { findFolder, type StorageRow, storageOverview } from "./folders/store.ts";
import { folderName } from "./folders/types.ts";
import type { RefService } from "./refs/service.ts";
import { secondOpinion } from "./second-opinion.ts";
import type { RepoStorage } from "./storage.ts";

/** A problem found in a repository. */
export interface RepoProblem {
  /** `owner/name`, or the folder if it belongs to no repository. */
  readonly subject: string;
  readonly code: string;
  readonly params: FailureParams;
  /** How to repair it: remove leftovers, or write the refs to the folder again. */
  readonly repair: "sweep" | "project" | undefined;
  readonly folderId: number;
}

/** Lock files live for milliseconds: an old one was left by a process that died. */
const STALE_LOCK_MS = 60_000;
/** A running server writes the projection right after each commit; only a longer-lasting difference is a problem. */
const STALL_TIMEOUT_MS = 100;

/** Compares the database's view of repositories with what is on disk. Writes nothing. */
export class RepoInspector {
  constructor(
    private readonly db: Database,
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
  ) {}

  /** @returns how many repositories and refs were examined, and the problems found */
  inspect(): { repositories: number; refs: number; problems: RepoProblem[] } {
    const rows = storageOverview(this.db);
    const problems = this.strayFolders(new Set(rows.map((row) => row.id)));
    let [repositories, refs] = [0, 0];
    for (const row of rows) {
      if (row.name === null) {
        const found = this.withoutRepository(row);
        if (found) problems.push(found);
        continue;
      }
      if (row.kind === "code") repositories++;
      const examined = this.inspectOne(row.id, nameOf(row));
      refs += examined.refs;
      // It may have been removed meanwhile.
      if (examined.problems.length > 0 && findFolder(this.db, row.id)) problems.push(...examined.problems);
    }
    return { repositories, refs, problems };
  }

  /**
   * Checks that another git implementation reads the folders as we do.
   * @returns how many were read, and those that differ
   */
  async askAnother(): Promise<{ repositories: number; problems: RepoProblem[] }> {
    const problems: RepoProblem[] = [];
    let repositories = 0;
    for (const row of storageOverview(this.db)) {
      if (row.name === null || !existsSync(this.storage.dirOf(row.id))) continue;
      // It only supports SHA-1.
      if (findFolder(this.db, row.id)?.objectFormat !== SHA1) continue;
      if (row.kind === "code") repositories++;
      const difference = await secondOpinion(this.storage.dirOf(row.id));
      if (difference) problems.push({ subject: nameOf(row), ...difference, repair: undefined, folderId: row.id });
    }
    return { repositories, problems };
  }

  private withoutRepository(row: StorageRow): RepoProblem | undefined {
    const subject = this.storage.dirOf(row.id);
    // Trashed folders wait for their deletion; one being created belongs to a running server, unless it is old.
    if (row.state === "trash" || (row.state === "making" && Date.now() - row.changedAt < STALE_LOCK_MS))
      return undefined;
    return { subject, code: "repository-folder.unfinished", params: {}, repair: "sweep", folderId: row.id };
  }

  private inspectOne(folderId: number, subject: string): { refs: number; problems: RepoProblem[] } {
    const problem = (code: string, params: FailureParams = {}, repair?: RepoProblem["repair"]): RepoProblem => ({
      subject,
      code,
      params,
      repair,
      folderId,
    });
    const dir = this.storage.dirOf(folderId);
    if (!existsSync(join(dir, "objects")))
      return { refs: 0, problems: [problem("repository-folder.missing", { path: dir })] };
    const refs = this.refs.list(folderId);
    const problems: RepoProblem[] = [];
    try {
      const known = findFolder(this.db, folderId)?.objectFormat ?? SHA1;
      const found = objectFormatOf(dir);
      if (found !== known)
        problems.push(problem("repository-folder.object-format", { found: found.name, known: known.name }));
      const objects = this.storage.objects(folderId);
      for (const ref of refs) {
        const trouble = troubleWith(objects, ref.oid);
        if (trouble) problems.push(problem(trouble, { ref: ref.name, oid: ref.oid }));
      }
    } catch (error) {
      problems.push(
        problem("repository-folder.unreadable", { detail: error instanceof Error ? error.message : String(error) }),
      );
    }
    if (this.differsForLong(folderId, dir)) problems.push(problem("repository-folder.differs", {}, "project"));
    for (const name of ["HEAD.lock", "packed-refs.lock"])
      if (isOld(join(dir, name))) problems.push(problem("repository-folder.stale-lock", { file: name }, "project"));
    return { refs: refs.length, problems };
  }

  private differsForLong(folderId: number, dir: string): boolean {
    for (let attempt = 1; this.differs(folderId, dir); attempt++) {
      if (attempt === 3) return true;
      Bun.sleepSync(STALL_TIMEOUT_MS);
    }
    return false;
  }

  private differs(folderId: number, dir: string): boolean {
    const folder = findFolder(this.db, folderId);
    if (!folder) return false;
    const known = this.refs.list(folderId);
    const found = readProjection(dir);
    if (refNameText(found.head) !== `refs/heads/${folder.defaultBranch}` || found.refs.length !== known.length)
      return true;
    const byName = new Map(found.refs.map((ref) => [refNameText(ref.name), ref.oid]));
    return known.some((ref) => byName.get(ref.name) !== ref.oid);
  }

  private strayFolders(known: ReadonlySet<number>): RepoProblem[] {
    const root = this.storage.root;
    const problems: RepoProblem[] = [];
    for (const shelf of existsSync(root) ? readdirSync(root) : [])
      for (const name of statSync(join(root, shelf)).isDirectory() ? readdirSync(join(root, shelf)) : []) {
        const id = Number(/^(\d+)\.git$/.exec(name)?.[1] ?? Number.NaN);
        if (known.has(id)) continue;
        const subject = join(root, shelf, name);
        problems.push({ subject, code: "repository-folder.stray", params: {}, repair: undefined, folderId: id });
      }
    return problems;
  }
}

function nameOf({ login, name, kind }: StorageRow): string {
  return folderName(login ?? "", name ?? "", kind ?? "");
}

function troubleWith(
  objects: ObjectStore,
  oid: Oid,
): "repository-folder.ref-missing" | "repository-folder.ref-damaged" | undefined {
  const header = objects.header(oid);
  if (!header) return "repository-folder.ref-missing";
  try {
    // Commits and tags are small; of larger tagged objects only the header is read.
    if (header.type === "commit" || header.type === "tag") objects.read(oid);
    return undefined;
  } catch (error) {
    return error instanceof CostlyObject ? undefined : "repository-folder.ref-damaged";
  }
}

function isOld(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > STALE_LOCK_MS;
  } catch {
    return false;
  }
}
