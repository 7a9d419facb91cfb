import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { CommitService } from "../content/commits/service.ts";
import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import { gitIdentityOf } from "../identity/git-identity.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import type { LfsSharing } from "../lfs/sharing.ts";
import { sshAddress } from "../repos/addresses.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import { checkDefaultBranch, checkDescription } from "../repos/values.ts";
import type { ServerSigning } from "../signing/service.ts";
import { JobFailed, type WorkerPool } from "../workers/pool.ts";
import { type NamedRepo, templateVariables } from "./variables.ts";

/** What can be copied from a template besides its files; each by the area that owns it. */
export const TEMPLATE_ITEMS = ["topics", "avatar", "labels", "protected_branch", "webhooks", "git_hooks"] as const;
export type TemplateItem = (typeof TEMPLATE_ITEMS)[number];

/** Copies an item, in the transaction that creates the repository. */
export type CopyItem = (template: SeenRepo, made: Repo, principal: Principal) => void;

export interface GenerateRequest {
  /** The future owner; the caller has checked that the principal may create repositories there. */
  readonly owner: User;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  /** Empty: the template's. */
  readonly defaultBranch: string;
  readonly files: boolean;
  readonly items: readonly TemplateItem[];
}

export interface GenerationParts {
  readonly clock: Clock;
  readonly commits: CommitService;
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly lfsSharing: LfsSharing;
  readonly links: Links;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repoRegistration: RepoRegistration;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly signing: ServerSigning;
  readonly storage: RepoStorage;
}

const EXPAND_TIMEOUT_MS = 30_000;

/** Creates repositories from templates: their files as one commit, and other requested items. */
export class GenerationService {
  private readonly copies = new Map<TemplateItem, CopyItem>();

  constructor(private readonly parts: GenerationParts) {}

  /** Registers, during wiring, how an area copies an item. */
  addItem(item: TemplateItem, copy: CopyItem): void {
    if (this.copies.has(item)) throw new Error(`two areas copy the ${item} of templates`);
    this.copies.set(item, copy);
  }

  /** What can be copied besides files. */
  get items(): TemplateItem[] {
    return TEMPLATE_ITEMS.filter((item) => this.copies.has(item));
  }

  /**
   * Creates a repository from a template, all or nothing.
   * @throws ValidationFailed not a template, nothing is requested, a bad value; Conflict the name is taken; Forbidden
   * the owner has as many repositories as allowed; NotFound the template was deleted meanwhile
   */
  async generate(template: SeenRepo, request: GenerateRequest): Promise<Repo> {
    const { crash, db, folders, lfsSharing, refs, repoRegistration, repoRemoval, repos, storage } = this.parts;
    const { principal, repo: from } = template;
    const { owner, name, description, isPrivate } = request;
    this.check(template, request);
    const defaultBranch = request.defaultBranch || from.defaultBranch;
    const id = folders.reserve();
    const held = storage.writing(from.id);
    try {
      await storage.init(id, { defaultBranch, format: from.objectFormat });
      crash("generate.after-init");
      const tip = request.files ? refs.find(from.id, `refs/heads/${from.defaultBranch}`)?.oid : undefined;
      const commit = tip && (await this.commit(template, request, id, tip));
      const shared = { fromRepoId: from.id, toRepoId: id, wants: commit ? [commit] : [], haves: [], owner };
      const bringLargeFiles = await lfsSharing.prepare(shared);
      crash("generate.after-objects");
      db.transaction(() => {
        const now = this.stillReadable(template);
        this.check(now, request);
        const fields = { owner, name, description, isPrivate, defaultBranch, objectFormat: from.objectFormat };
        repoRegistration.register(principal, { id, ...fields });
        if (commit) {
          const changes = [{ name: `refs/heads/${defaultBranch}`, oldOid: null, newOid: commit }];
          refs.change(id, { principal, changes, atomic: true, isInitial: true });
          bringLargeFiles();
        } else refs.projectAfterCommit(id);
        const made = repos.byId(id);
        if (made) for (const item of request.items) this.copies.get(item)?.(now, made, principal);
        crash("generate.in-transaction");
      });
    } catch (error) {
      storage.noteFailure(error);
      repoRemoval.abandon(id);
      if (error instanceof JobFailed && error.originalName === "EditRefused")
        throw new ValidationFailed("generation.same-path", { params: { path: String(error.fields["path"] ?? "") } });
      throw error;
    } finally {
      held();
    }
    const made = repos.byId(id);
    if (!made) throw new NotFound();
    return made;
  }

  /** Copies the template's files to the new directory, and commits them. */
  private async commit(template: SeenRepo, request: GenerateRequest, id: number, tip: Oid): Promise<Oid> {
    const { clock, commits, links, pool, signing, storage } = this.parts;
    const { repo: from, owner } = template;
    const tree = commits.read(template, tip)?.commit.tree;
    if (tree === undefined) throw new NotFound();
    const repoDir = storage.dirOf(id);
    const input = { fromDir: storage.dirOf(from.id), repoDir, tips: [tree], connectedTo: [] };
    await pool.run("git.fetchLocally", input, { lane: "bulk" });
    const named = (login: string, name: string, description: string): NamedRepo => {
      const pageUrl = `${links.rootUrl}${login}/${name}`;
      return {
        owner: login,
        name,
        description,
        pageUrl,
        httpsUrl: `${pageUrl}.git`,
        sshUrl: sshAddress(links, login, name),
      };
    };
    const now = clock();
    const variables = templateVariables(
      named(request.owner.login, request.name, request.description),
      named(owner.login, from.name, from.description),
      now,
    );
    const doer = template.principal.user ?? request.owner;
    const key = await signing.keyFor("initial", doer.id);
    const expand = {
      repoDir,
      tree,
      variables: [...variables],
      author: gitIdentityOf(doer, links),
      at: Math.floor(now / 1000),
      message: "Initial commit\n",
      signing: key && { ...key, committer: signing.committerIn(undefined) },
    };
    return pool.run("generation.expand", expand, { lane: "interactive", timeoutMs: EXPAND_TIMEOUT_MS });
  }

  /** Checked before the owner. @throws ValidationFailed not a template, or nothing of it is requested */
  checkChoice({ repo }: SeenRepo, { files, items }: Pick<GenerateRequest, "files" | "items">): void {
    if (!repo.isTemplate) throw new ValidationFailed("generation.no-template");
    if (!files && items.length === 0) throw new ValidationFailed("generation.nothing-selected");
  }

  private check(template: SeenRepo, request: GenerateRequest): void {
    this.checkChoice(template, request);
    checkDescription(request.description);
    checkDefaultBranch(request.defaultBranch);
    this.parts.repoRegistration.checkNew(template.principal, request);
  }

  /** @throws NotFound it is gone, or no longer visible to the principal */
  private stillReadable({ principal, repo }: SeenRepo): SeenRepo {
    const now = this.parts.repos.seeById(principal, repo.id);
    if (!now || !atLeast(now.access.on("code"), "read")) throw new NotFound();
    return now;
  }
}
