import { isSiteAdmin, type Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import { type Database, violatesUnique } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import { type ObjectFormat, SHA1 } from "../../git/objects/format.ts";
import type { GitObject, Oid } from "../../git/objects/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import { Conflict, Forbidden, NotFound } from "../../kernel/errors.ts";
import { checkRepoName } from "../../kernel/names.ts";
import * as bin from "../bin/store.ts";
import type { GitFolders } from "../folders/service.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoStorage } from "../storage.ts";
import * as store from "../store.ts";
import type { Repo, RepoSettings } from "../types.ts";
import { checkDefaultBranch, checkDescription } from "../values.ts";

export interface CreateRepo {
  readonly owner: User;
  readonly name: string;
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly isTemplate?: boolean;
  readonly defaultBranch?: string;
  /** SHA-1 when absent. */
  readonly objectFormat?: ObjectFormat;
  readonly licenses?: readonly string[];
  /** The built-in label set it starts with. */
  readonly labels?: string;
  readonly settings?: RepoSettings;
  /** Created by a push that is about to fill it: `pushEnded` decides whether it stays. */
  readonly awaitsPush?: boolean;
  /** Objects and first commit, for a repository that does not start empty. */
  readonly initial?: (repo: { name: string; defaultBranch: string }) => { objects: GitObject[]; commit: Oid };
}

/** A repository whose folder is on disk. */
export interface RegisterRepo
  extends Pick<
    CreateRepo,
    "owner" | "name" | "description" | "isPrivate" | "isTemplate" | "licenses" | "labels" | "settings"
  > {
  readonly id: number;
  readonly defaultBranch: string;
  readonly objectFormat: ObjectFormat;
  readonly forkOf?: number;
  /** It mirrors a repository elsewhere. */
  readonly isMirror?: boolean;
  /** Where it is imported from, without credentials. */
  readonly originalUrl?: string;
}

export interface RegistrationParts {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly folders: GitFolders;
  readonly refs: RefService;
  readonly storage: RepoStorage;
  readonly clock: Clock;
  readonly crash: CrashPoint;
}

/** What is known about a repository that an owner is about to get. */
export interface ComingRepo {
  readonly isPrivate: boolean;
  /** Disk space it needs in bytes, as far as known. */
  readonly moreBytes: number;
  /** Forks do not count towards the owner's repository limit (contract repositories.md 7). */
  readonly isFork?: boolean;
}

/** Lets an area refuse another repository for an owner. @throws Failure */
export type RepoGuard = (owner: User, coming: ComingRepo) => void;

/** Brings repositories into existence, whatever they are made from. */
export class RepoRegistration {
  private readonly guards: RepoGuard[] = [];

  constructor(
    private readonly parts: RegistrationParts,
    private readonly options: { readonly defaultBranch: string; readonly forcePrivate: boolean },
  ) {}

  /** Called by areas while they are wired. */
  addGuard(guard: RepoGuard): void {
    this.guards.push(guard);
  }

  /**
   * Creates a repository: first the folder and initial objects, durably, then everything else in one transaction. Of
   * several concurrent calls with the same name exactly one succeeds.
   * @throws ValidationFailed bad name; Conflict taken; Forbidden the owner has reached the repository limit
   */
  async create(principal: Principal, input: CreateRepo): Promise<Repo> {
    checkDefaultBranch(input.defaultBranch ?? "");
    // Any initial content takes some space.
    const expected = { ...input, moreBytes: input.initial ? 1 : 0 };
    this.checkNew(principal, expected);
    const id = this.parts.folders.reserve();
    const defaultBranch = input.defaultBranch || this.options.defaultBranch;
    const objectFormat = input.objectFormat ?? SHA1;
    try {
      const initial = input.initial?.({ name: input.name, defaultBranch });
      await this.parts.storage.init(id, { defaultBranch, format: objectFormat, objects: initial?.objects ?? [] });
      this.parts.crash("create.after-objects");
      this.parts.db.transaction(() => {
        // Others may have been created meanwhile.
        this.checkNew(principal, expected);
        this.register(principal, { ...input, id, defaultBranch, objectFormat });
        if (input.awaitsPush) store.addAwaitingPush(this.parts.db, id);
        this.parts.crash("create.in-transaction");
        if (initial)
          this.parts.refs.change(id, {
            principal,
            changes: [{ name: `refs/heads/${defaultBranch}`, oldOid: null, newOid: initial.commit }],
            atomic: true,
            isInitial: true,
          });
        else this.parts.refs.projectAfterCommit(id);
      });
    } catch (error) {
      this.parts.folders.discardIncomplete(id);
      throw error;
    }
    this.parts.crash("create.after-transaction");
    const repo = store.findRepoById(this.parts.db, id);
    if (!repo) throw new NotFound();
    return repo;
  }

  /**
   * Checks a new repository's input before anything is created.
   * @throws ValidationFailed bad name; Conflict taken; Forbidden the owner has reached the repository limit
   */
  checkNew(
    principal: Principal,
    {
      owner,
      name,
      description,
      isPrivate = false,
      moreBytes = 0,
      isFork = false,
    }: Pick<CreateRepo, "owner" | "name" | "description" | "isPrivate"> &
      Partial<Pick<ComingRepo, "moreBytes" | "isFork">>,
  ): void {
    checkRepoName(name);
    checkDescription(description ?? "");
    this.requireRoom(principal, owner, { isPrivate: isPrivate || this.options.forcePrivate, moreBytes, isFork });
    if (store.findRepo(this.parts.db, owner.id, name)) throw nameTaken();
  }

  /** @throws Forbidden the owner has reached the repository limit; whatever areas' guards throw */
  requireRoom(principal: Principal, owner: User, coming: ComingRepo): void {
    const limit = owner.maxRepoCreation;
    // Reserved accounts, such as the one jobs act as, may own no repositories, not even forks.
    const isLimited = owner.kind === "reserved" || !coming.isFork;
    if (isLimited && !isSiteAdmin(principal) && limit >= 0 && store.countOwned(this.parts.db, owner.id) >= limit)
      throw new Forbidden("repository.limit-reached", { params: { limit } });
    for (const guard of this.guards) guard(owner, coming);
  }

  /**
   * Creates a hidden row so that other rows can refer to a repository about to be registered. If registration fails,
   * `RepoRemoval.abandon` or the next start removes it. Joins the running transaction.
   * @param id of a reserved folder
   */
  stage(id: number): void {
    bin.stage(this.parts.db, id, this.parts.clock());
  }

  /**
   * Registers a repository whose folder is on disk. Runs in a transaction, which must be rolled back entirely if this
   * throws.
   * @throws Conflict the name is taken
   */
  register(principal: Principal, input: RegisterRepo): void {
    const { id, owner, name, defaultBranch, objectFormat } = input;
    store.removeRepoRedirect(this.parts.db, owner.id, name);
    try {
      store.insertRepo(this.parts.db, {
        id,
        ownerId: owner.id,
        name,
        description: input.description ?? "",
        isPrivate: input.isPrivate === true || this.options.forcePrivate,
        isTemplate: input.isTemplate ?? false,
        forkOf: input.forkOf,
        isMirror: input.isMirror ?? false,
        originalUrl: input.originalUrl ?? "",
        settings: input.settings ?? {},
        licenses: input.licenses ?? [],
        now: this.parts.clock(),
      });
    } catch (error) {
      throw violatesUnique(error, "lower_name") ? nameTaken() : error;
    }
    this.parts.folders.add({ id, repoId: id, kind: "code", objectFormat, defaultBranch });
    this.parts.outbox.append(
      "repo.created",
      { repoId: id, ownerId: owner.id, principal: storedPrincipal(principal) },
      { name, ...(input.labels === undefined ? {} : { labels: input.labels }) },
    );
  }
}

const nameTaken = () => new Conflict("repository.name-taken", { field: "name" });
