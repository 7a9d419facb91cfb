import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { RevisionService } from "../content/revisions/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { Oid } from "../git/objects/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";
import {
  type CommitStatus,
  combinedState,
  type StatusOrder,
  type StatusState,
  type StatusSummary,
  statusStates,
} from "./types.ts";

export interface NewStatus {
  readonly state: string;
  readonly context?: string | undefined;
  readonly description?: string | undefined;
  readonly targetUrl?: string | undefined;
}

/** A status from the server itself. */
export type OwnStatus = Omit<store.NewStatusRow, "createdAt" | "creatorId">;

/** Maximum per commit: each check reports a few times. */
const MAX_STATUSES = 10_000;
const MAX_CONTEXT = 255;
const MAX_DESCRIPTION = 1024;
const MAX_URL = 2048;

/** Statuses of commits (contract git-content.md 7.4). */
export class StatusService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly revisions: RevisionService,
  ) {}

  /** Resolves a branch, a tag or an id to its commit. @throws NotFound */
  async commitOf(seen: SeenRepo, ref: string): Promise<Oid> {
    const found = await this.revisions.settled(() => (ref === "" ? undefined : this.revisions.named(seen, ref)));
    if (!found) throw new NotFound("object.missing", { params: { id: ref } });
    return found.commit;
  }

  /** @throws Forbidden no write access; NotFound there is no such commit; ValidationFailed a value */
  async create(seen: SeenRepo, ref: string, given: NewStatus): Promise<CommitStatus> {
    if (!atLeast(seen.access.on("code"), "write")) throw new Forbidden("repository.needs-write");
    const state = statusStates.find((known) => known === given.state.trim());
    if (!state) throw new ValidationFailed("value.not-allowed", { field: "state", params: { name: "State" } });
    const text = (value: string | undefined, name: string, max: number): string => {
      const trimmed = (value ?? "").trim();
      if (trimmed.length <= max) return trimmed;
      throw new ValidationFailed("value.too-long", { field: name.toLowerCase(), params: { name } });
    };
    const status = {
      state,
      context: text(given.context, "Context", MAX_CONTEXT),
      description: text(given.description, "Description", MAX_DESCRIPTION),
      targetUrl: text(given.targetUrl, "TargetURL", MAX_URL),
    };
    const commit = await this.commitOf(seen, ref);
    const { repo, principal } = seen;
    return this.db.transaction(() => {
      if (store.countStatuses(this.db, repo.id, commit) >= MAX_STATUSES)
        throw new ValidationFailed("commit-status.too-many", { params: { max: MAX_STATUSES } });
      return this.insert(repo, { ...status, commit, source: "" }, principal);
    });
  }

  /**
   * Records a status of one of the server's own checks, unless unchanged or beyond the maximum per commit. Joins the
   * running transaction.
   */
  report(
    repo: Pick<Repo, "id" | "ownerId">,
    said: OwnStatus,
    principal: Pick<Principal, "user" | "via" | "tokenId">,
  ): void {
    const status = {
      ...said,
      context: said.context.slice(0, MAX_CONTEXT).toWellFormed(),
      description: said.description.slice(0, MAX_DESCRIPTION),
    };
    const last = store.lastOfCheck(this.db, repo.id, status);
    const isRepeated =
      last?.state === status.state && last.description === status.description && last.targetUrl === status.targetUrl;
    if (isRepeated || store.countStatuses(this.db, repo.id, status.commit) >= MAX_STATUSES) return;
    this.insert(repo, status, principal);
  }

  /** One by its number; undefined: it is gone. */
  find({ repo }: SeenRepo, commit: Oid, number: number): CommitStatus | undefined {
    return store.findStatus(this.db, repo.id, commit, number);
  }

  list(
    { repo }: SeenRepo,
    commit: Oid,
    wanted: { readonly order: StatusOrder | undefined; readonly state: StatusState | undefined },
    paging: Paging,
  ): Slice<CommitStatus> {
    return store.statusesOf(this.db, repo.id, commit, wanted, paging);
  }

  /** Status summaries of the commits that have any. */
  summaries({ repo }: SeenRepo, commits: readonly Oid[]): Map<Oid, StatusSummary> {
    const found = new Map<Oid, { states: StatusState[]; passed: number; total: number }>();
    for (const { commit, count, state } of commits.length === 0 ? [] : store.countStates(this.db, repo.id, commits)) {
      const sum = found.get(commit) ?? { states: [], passed: 0, total: 0 };
      sum.states.push(state);
      sum.total += count;
      if (state === "success" || state === "skipped") sum.passed += count;
      found.set(commit, sum);
    }
    return new Map(
      [...found].map(([commit, { passed, states, total }]) => [
        commit,
        { state: combinedState(states), passed, total },
      ]),
    );
  }

  /** The newest of every context, newest first: what counts for merging (`branchProtections.decideMerge`). */
  latest({ repo }: SeenRepo, commit: Oid): CommitStatus[] {
    return store.latestStatuses(this.db, repo.id, commit);
  }

  private insert(
    repo: Pick<Repo, "id" | "ownerId">,
    status: OwnStatus,
    principal: Pick<Principal, "user" | "via" | "tokenId">,
  ): CommitStatus {
    const made = store.insertStatus(this.db, repo.id, {
      ...status,
      creatorId: principal.user?.id,
      createdAt: this.clock(),
    });
    this.outbox.append(
      "commit-status.created",
      { repoId: repo.id, ownerId: repo.ownerId, principal: storedPrincipal(principal), unit: "code" },
      { commit: made.commit, number: made.number, context: made.context, state: made.state },
    );
    return made;
  }
}
