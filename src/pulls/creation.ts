import { atLeast } from "../access/levels.ts";
import { accountOf, isSiteAdmin } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { BlockService } from "../blocks/service.ts";
import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { Attachments } from "../issues/attachments/service.ts";
import type { IssueService } from "../issues/service.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { SeenIssue } from "../issues/types.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { MilestoneService } from "../milestones/service.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import type { CollaboratorService } from "../repos/collaborators/service.ts";
import type { RefService } from "../repos/refs/service.ts";
import { mergeSettings } from "../repos/settings/defaults.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { WorkerPool } from "../workers/pool.ts";
import type { PullChecks } from "./checks/service.ts";
import type { HeadBranch, PullHeads } from "./heads.ts";
import type { PullObjects } from "./objects.ts";
import type { CodeOwners } from "./review/owners.ts";
import type { RequestedReviewers, ResolvedReviewers, ReviewRequests } from "./review/requests.ts";
import type { PullService } from "./service.ts";
import * as store from "./store.ts";
import { type Pull, type PullCheck, pullRef, type SeenPull } from "./types.ts";
import { requireText } from "./values.ts";

export interface NewPull {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body?: string | undefined;
  readonly dueAt?: number | undefined;
  readonly allowsMaintainerEdit?: boolean | undefined;
  readonly reviewers?: RequestedReviewers | undefined;
  /** Account names. */
  readonly assignees?: readonly string[] | undefined;
  /** Ids; those that don't belong to the repository are ignored. */
  readonly labels?: readonly number[] | undefined;
  /** 0: none. */
  readonly milestoneId?: number | undefined;
  /** Board ids. */
  readonly projects?: readonly number[] | undefined;
  /** Uploaded files that belong to its text. */
  readonly files?: readonly string[] | undefined;
}

/** A pull request created by a push: it has no branch. */
export interface PushedPull {
  readonly base: string;
  readonly head: string;
  readonly headOid: Oid;
  readonly title: string;
  readonly body: string;
}

export interface CreationParts {
  readonly attachments: Attachments;
  readonly blocks: BlockService;
  readonly checks: PullChecks;
  readonly collaborators: CollaboratorService;
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly heads: PullHeads;
  readonly issues: IssueService;
  readonly milestones: MilestoneService;
  readonly objects: PullObjects;
  readonly owners: CodeOwners;
  readonly pool: WorkerPool;
  readonly pulls: PullService;
  readonly refs: RefService;
  readonly requests: ReviewRequests;
  readonly storage: RepoStorage;
  readonly teams: TeamService;
  readonly timeline: Timeline;
}

/** How often creation is retried because a branch moved meanwhile. */
const MAX_ATTEMPTS = 5;

interface Found {
  readonly head: HeadBranch;
  readonly baseOid: Oid;
  readonly headOid: Oid;
  readonly check: PullCheck;
  readonly commits: readonly Oid[];
}

/** Creates pull requests (contract pulls.md 5.3). */
export class PullCreation {
  constructor(private readonly parts: CreationParts) {}

  /**
   * @throws ValidationFailed for a bad value, the same branch twice, or something other than branches; NotFound;
   *   BadRequest if the head is not in the fork network; Forbidden; Conflict if these branches already have one
   *   (`pull.exists`)
   */
  async create(seen: SeenRepo, given: NewPull): Promise<SeenPull> {
    const { checks, heads, objects, pulls, storage } = this.parts;
    pulls.requireReadable(seen);
    const poster = accountOf(seen.principal);
    requireText(given.title, "title", "Title");
    if (given.head === given.base) throw new ValidationFailed("pull.no-changes");
    const head = heads.requested(seen, given.head);
    if (head.seen.repo.id === seen.repo.id && head.branch === given.base) throw new ValidationFailed("pull.no-changes");
    for (let attempt = 1; ; attempt++) {
      const baseOid = await heads.tip(seen, given.base);
      const headOid = await heads.tip(head.seen, head.branch);
      this.requireMayCreate(seen, head.seen, poster);
      this.requireNone(seen, given.base, head);
      this.requireMilestone(seen, given.milestoneId);
      const asked = given.reviewers && this.parts.requests.resolve(seen, poster.id, given.reviewers);
      const release = storage.writing(seen.repo.id);
      try {
        await objects.bring(head.seen.repo.id, seen.repo.id, headOid);
        const check = await checks.examine(seen, given.base, baseOid, headOid);
        const commits = await this.commitsOf(seen, baseOid, headOid);
        const made = this.insert(seen, given, { head, baseOid, headOid, check, commits }, asked);
        if (made) return await this.finish(made);
      } finally {
        release();
      }
      if (attempt === MAX_ATTEMPTS) throw new Conflict("branch.changed");
    }
  }

  /** Creates one without a branch; its objects are present, and the pusher has been authorized (`RefsFor`). */
  async createPushed(seen: SeenRepo, request: PushedPull): Promise<SeenPull> {
    const { checks, heads } = this.parts;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const baseOid = await heads.tip(seen, request.base);
      const { headOid } = request;
      const check = await checks.examine(seen, request.base, baseOid, headOid);
      const commits = await this.commitsOf(seen, baseOid, headOid);
      const head = { seen, branch: request.head };
      const found = { head, baseOid, headOid, check, commits };
      const made = this.insert(seen, { ...request, isAgit: true }, found, undefined);
      if (made) return await this.finish(made);
    }
    throw new Conflict("branch.changed");
  }

  /** Checks whether the caller may create one from that head (contract pulls.md 5.3). @throws Forbidden */
  requireMayCreate(seen: SeenRepo, head: SeenRepo, poster: User): void {
    const { blocks, collaborators, teams } = this.parts;
    const belongs =
      isSiteAdmin(seen.principal) ||
      seen.owner.id === poster.id ||
      collaborators.isCollaborator(seen, poster) ||
      atLeast(head.access.on("code"), "write") ||
      (seen.owner.kind === "organization" &&
        teams
          .ofMember(seen.owner, poster)
          .some(
            (team) =>
              teams.repos.has({ team }, seen) && (team.level !== "none" || (team.units.code ?? "none") !== "none"),
          ));
    if (!belongs) throw new Forbidden("pull.needs-collaborator");
    blocks.requireUnblocked(seen.owner, poster);
  }

  /** @throws Conflict */
  private requireNone(seen: SeenRepo, baseBranch: string, head: HeadBranch): void {
    const pair = {
      repoId: seen.repo.id,
      baseBranch,
      headRepoId: head.seen.repo.id,
      headBranch: head.branch,
    };
    const found = this.parts.pulls.openBetween(pair);
    if (found) throw pullExists(found);
  }

  /** @throws NotFound if it doesn't belong to the repository */
  private requireMilestone(seen: SeenRepo, id = 0): void {
    if (id > 0 && !this.parts.milestones.find(seen, id)) throw new NotFound();
  }

  private async commitsOf({ repo }: SeenRepo, base: Oid, newHead: Oid): Promise<readonly Oid[]> {
    const { pool, storage } = this.parts;
    const input = { repoDir: storage.dirOf(repo.id), oldHead: undefined, newHead, base };
    return (await pool.run("pulls.pushed", input)).commits;
  }

  /** Inserts everything at once, including its ref. @returns undefined if a branch moved meanwhile */
  private insert(
    seen: SeenRepo,
    given: Omit<NewPull, "head"> & { readonly isAgit?: boolean },
    { head, baseOid, headOid, check, commits }: Found,
    asked: ResolvedReviewers | undefined,
  ): SeenPull | undefined {
    const { attachments, crash, db, issues, pulls, requests, timeline } = this.parts;
    const isAgit = given.isAgit === true;
    return db.transaction(() => {
      const tips = {
        baseBranch: given.base,
        headBranch: head.branch,
        headRepoId: head.seen.repo.id,
        repoId: seen.repo.id,
      };
      if (pulls.baseTip(tips) !== baseOid || (!isAgit && pulls.headTip({ ...tips, isAgit }) !== headOid))
        return undefined;
      if (!isAgit) this.requireNone(seen, given.base, head);
      const { assignees, body, dueAt, labels, milestoneId = 0, projects, title } = given;
      const fields = { projects };
      const planned = { assignees, dueAt, fields, labels, ...(milestoneId > 0 ? { milestoneId } : {}) };
      let requestIds: readonly number[] = [];
      const item = issues.insert(seen, { isPull: true, title, body, ...planned }, (begun) => {
        const pull = this.begin(begun, given, { head, baseOid, headOid, check });
        if (asked) requestIds = requests.begin(pull, asked);
      });
      attachments.use({ item, entry: undefined }, given.files ?? []);
      crash("pull.in-transaction");
      const pull = this.pullOf(item);
      if (commits.length > 0)
        timeline.append(pull, {
          kind: "pull_push",
          body: JSON.stringify({ is_force_push: false, commit_ids: commits }),
        });
      requests.enter(pull, requestIds);
      return pull;
    });
  }

  /** Inserts the row that accompanies the item, and its ref. Joins the running transaction. */
  private begin(
    item: SeenIssue,
    { allowsMaintainerEdit, base, isAgit = false }: Omit<NewPull, "head"> & { readonly isAgit?: boolean },
    { head, baseOid, headOid, check }: Omit<Found, "commits">,
  ): SeenPull {
    const { db, refs } = this.parts;
    const { issue, seen } = item;
    const made = store.insertPull(db, {
      issueId: issue.id,
      repoId: seen.repo.id,
      number: issue.number,
      baseBranch: base,
      headRepoId: head.seen.repo.id,
      headBranch: head.branch,
      isAgit,
      headOid,
      allowsMaintainerEdit: allowsMaintainerEdit ?? mergeSettings(seen.repo.settings).defaultAllowMaintainerEdit,
    });
    store.setCheck(db, issue.id, check, baseOid, headOid);
    const name = pullRef(made);
    const changes = [{ name, oldOid: refs.find(seen.repo.id, name)?.oid ?? null, newOid: headOid }];
    const [result] = refs.change(seen.repo.id, { principal: seen.principal, changes, atomic: true });
    if (!result?.ok) throw new Conflict("branch.changed");
    return this.pullOf(item);
  }

  private pullOf(item: SeenIssue): SeenPull {
    const pull = this.parts.pulls.of(item);
    if (!pull) throw new Error("a pull request that was made is there");
    return pull;
  }

  private async finish(item: SeenPull): Promise<SeenPull> {
    const { crash, owners, pulls, refs } = this.parts;
    crash("pull.after-transaction");
    await refs.projected();
    await owners.ask(item);
    return pulls.refreshed(item);
  }
}

export function pullExists({ baseBranch, headBranch, headRepoId, id, number, repoId }: Pull): Conflict {
  const params = { id, number, headRepoId: headRepoId ?? 0, repoId, headBranch, baseBranch };
  return new Conflict("pull.exists", { params });
}
