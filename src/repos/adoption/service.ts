import { join } from "node:path";
import { isSiteAdmin, type Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import { formatNamed, SHA1 } from "../../git/objects/format.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import { diskTrouble } from "../../kernel/disk.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { JobFailed, type WorkerPool } from "../../workers/pool.ts";
import type { RepoRegistration } from "../creation/registration.ts";
import type { GitFolders } from "../folders/service.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoService } from "../service.ts";
import type { RepoStorage } from "../storage.ts";
import type { Repo } from "../types.ts";
import type { FoundFolder } from "./read.job.ts";

export interface AdoptionParts {
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly identity: IdentityService;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repoRegistration: RepoRegistration;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
  /** The data folder. */
  readonly dataDir: string;
  readonly defaultBranch: string;
}

/** A folder that can be adopted. */
export interface Unadopted {
  readonly owner: string;
  readonly name: string;
}

/** Matches the name checks; nothing else is looked up on disk. */
const NAME = /^[A-Za-z0-9_.-]{1,100}$/;
const MAX_PATTERN = 200;

/**
 * Git folders that an operator put at `unadopted/<owner>/<name>.git`: they become repositories of that owner, with
 * their branches and tags. Hearth names repository folders by id, so the folder is copied and the original removed.
 */
export class Adoption {
  readonly root: string;

  constructor(private readonly parts: AdoptionParts) {
    this.root = join(parts.dataDir, "unadopted");
  }

  /**
   * Adoptable folders of existing accounts, by name.
   * @param pattern `owner/name` with `*`; empty: all
   * @throws Forbidden not a site administrator
   */
  async list(principal: Principal, pattern: string, { limit, offset }: Paging): Promise<Slice<Unadopted>> {
    this.require(principal);
    const glob = pattern === "" ? undefined : new Bun.Glob(pattern.slice(0, MAX_PATTERN).toLowerCase());
    const found: Unadopted[] = [];
    for (const ownerName of await namesIn(this.root)) {
      const owner = this.parts.identity.byLogin(ownerName);
      if (!owner) continue;
      for (const entry of await namesIn(join(this.root, ownerName))) {
        const name = nameOf(entry);
        if (name === undefined || this.parts.repos.find(owner, name)) continue;
        if (!glob || glob.match(`${ownerName}/${name}`.toLowerCase())) found.push({ owner: owner.login, name });
      }
    }
    found.sort((a, b) => (`${a.owner}/${a.name}` < `${b.owner}/${b.name}` ? -1 : 1));
    return { items: found.slice(offset, offset + limit), total: found.length };
  }

  /**
   * Makes a private repository from a folder, then removes the folder.
   * @throws Forbidden not a site administrator; NotFound no such folder or owner, or the repository already exists;
   * ValidationFailed not a git repository, or damaged
   */
  async adopt(principal: Principal, ownerName: string, name: string): Promise<Repo> {
    this.require(principal);
    const { crash, db, folders, pool, refs, repoRegistration, repos, storage } = this.parts;
    const { owner, dir } = await this.find(ownerName, name);
    repoRegistration.checkNew(principal, { owner, name, isPrivate: true });
    const found = await this.read(dir);
    const objectFormat = formatNamed(found.objectFormat) ?? SHA1;
    const defaultBranch = found.defaultBranch ?? this.parts.defaultBranch;
    const id = folders.reserve();
    try {
      await storage.init(id, { defaultBranch, format: objectFormat });
      const tips = [...new Set(found.refs.map(({ oid }) => oid))];
      const input = { fromDir: dir, repoDir: storage.dirOf(id), tips, connectedTo: [] };
      if (tips.length > 0)
        await pool.run("git.fetchLocally", input, { lane: "bulk" }).catch((error: unknown) => {
          throw unreadable(error);
        });
      crash("adopt.after-objects");
      db.transaction(() => {
        repoRegistration.checkNew(principal, { owner, name, isPrivate: true });
        repoRegistration.register(principal, { id, owner, name, defaultBranch, objectFormat, isPrivate: true });
        const changes = found.refs.map((ref) => ({ name: ref.name, oldOid: null, newOid: ref.oid }));
        if (changes.length > 0) refs.change(id, { principal, changes, atomic: true, isInitial: true });
        crash("adopt.in-transaction");
      });
    } catch (error) {
      storage.noteFailure(error);
      folders.discardIncomplete(id);
      throw error;
    }
    await refs.projected();
    await removeDirectory(dir);
    const made = repos.byId(id);
    if (!made) throw new NotFound();
    return made;
  }

  /** Deletes a folder. @throws Forbidden not a site administrator; NotFound no such folder */
  async remove(principal: Principal, ownerName: string, name: string): Promise<void> {
    this.require(principal);
    const { dir } = await this.find(ownerName, name);
    await removeDirectory(dir);
  }

  private async read(dir: string): Promise<FoundFolder> {
    try {
      return await this.parts.pool.run("repos.readFolder", { dir });
    } catch (error) {
      throw unreadable(error);
    }
  }

  private async find(ownerName: string, name: string): Promise<{ readonly owner: User; readonly dir: string }> {
    const owner = NAME.test(ownerName) && NAME.test(name) ? this.parts.identity.byLogin(ownerName) : undefined;
    if (!owner || this.parts.repos.find(owner, name)) throw new NotFound();
    const lower = (text: string) => text.toLowerCase();
    const directory = (await namesIn(this.root)).find((each) => lower(each) === lower(owner.login));
    const inside = directory === undefined ? [] : await namesIn(join(this.root, directory));
    const entry = inside.find((each) => lower(nameOf(each) ?? "") === lower(name));
    if (directory === undefined || entry === undefined) throw new NotFound();
    return { owner, dir: join(this.root, directory, entry) };
  }

  private require(principal: Principal): void {
    if (!isSiteAdmin(principal)) throw new Forbidden("access.site-admin-required");
  }
}

/** The error to report when a job could not read the folder; trouble with our own disk is not the folder's fault. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof JobFailed) || diskTrouble(error) !== undefined) return error;
  return new ValidationFailed("adoption.unreadable", { params: { reason: error.message } });
}

/** `name.git` or `name`; undefined if it is not a valid repository name. */
function nameOf(entry: string): string | undefined {
  const name = entry.replace(/\.git$/, "");
  return NAME.test(name) && name !== "." && name !== ".." ? name : undefined;
}

/** Subdirectories of a directory, not following symbolic links; empty if it does not exist. */
async function namesIn(directory: string): Promise<string[]> {
  const { readdir } = await import("node:fs/promises");
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

async function removeDirectory(directory: string): Promise<void> {
  const { rm } = await import("node:fs/promises");
  await rm(directory, { recursive: true, force: true });
}
