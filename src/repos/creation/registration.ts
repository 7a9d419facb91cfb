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
  /** The built-in set of labels it begins with. */
  readonly labels?: string;
  readonly settings?: RepoSettings;
  /** A push makes it and is about to fill it: `pushEnded` decides whether it stays. */
  readonly awaitsPush?: boolean;
  /** Objects and the commit of the first branch, for a repository that does not start empty. */
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
  /** It comes to follow a repository elsewhere. */
  readonly isMirror?: boolean;
  /** Where it is brought in from, without credentials. */
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

/** What is known of a repository that is to count for an owner. */
export interface ComingRepo {
  readonly isPrivate: boolean;
  /** What it takes of the disk, as far as that is known. */
  readonly moreBytes: number;
  /** Forks are beyond the number of repositories that an owner may have (contract repositories.md 7). */
  readonly isFork?: boolean;
}

/** An area's say in whether an owner may have one more. @throws Failure */
export type RepoGuard = (owner: User, coming: ComingRepo) => void;

/** Repositories coming to exist, whatever they are made from. */
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
   * Makes a repository: folder and first objects durably, then everything that makes it exist in one transaction.
   * Of several concurrent calls for one name exactly one succeeds.
   * @throws ValidationFailed bad name; Conflict taken; Forbidden the owner has as many as allowed
   */
  async create(principal: Principal, input: CreateRepo): Promise<Repo> {
    checkDefaultBranch(input.defaultBranch ?? "");
    // Whatever it begins with takes something.
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
        // Others may have been made meanwhile.
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
   * What must hold of a repository that is to be made, before anything is.
   * @throws ValidationFailed bad name; Conflict taken; Forbidden the owner has as many as allowed
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

  /** @throws Forbidden the owner has as many as allowed; what areas refuse */
  requireRoom(principal: Principal, owner: User, coming: ComingRepo): void {
    const limit = owner.maxRepoCreation;
    // Accounts that are nobody's, as the one that jobs act as, have none of any kind.
    const isLimited = owner.kind === "reserved" || !coming.isFork;
    if (isLimited && !isSiteAdmin(principal) && limit >= 0 && store.countOwned(this.parts.db, owner.id) >= limit)
      throw new Forbidden("repository.limit-reached", { params: { limit } });
    for (const guard of this.guards) guard(owner, coming);
  }

  /**
   * Lets other rows refer to a repository that is about to be registered; until then no one sees it. When that does not
   * come to pass, `RepoRemoval.abandon` takes it away, or the next start. Joins the running transaction.
   * @param id of a reserved folder
   */
  stage(id: number): void {
    bin.stage(this.parts.db, id, this.parts.clock());
  }

  /**
   * A repository whose folder is on disk comes to exist. In a transaction, which must undo all of it when this throws.
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
