import { atLeast, type Level } from "../access/levels.ts";
import { accountOf, type Principal } from "../access/principal.ts";
import type { BlockService } from "../blocks/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { type EventContext, storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import type { LabelService } from "../labels/service.ts";
import type { MilestoneService } from "../milestones/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { IssueEvent } from "./events.ts";
import * as store from "./store.ts";
import type { Timeline } from "./timeline/service.ts";
import { type Issue, type IssueParts, type SeenIssue, unitOf } from "./types.ts";
import { checkBody, checkTitle } from "./values.ts";

export interface NewIssue {
  readonly title: string;
  readonly body?: string | undefined;
  readonly ref?: string | undefined;
  readonly dueAt?: number | undefined;
}

export interface IssueNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly blocks: BlockService;
  readonly labels: LabelService;
  readonly milestones: MilestoneService;
  readonly repos: RepoService;
  readonly timeline: Timeline;
}

/** Issues, and what pull requests have in common with them (contract issues.md 3). */
export class IssueService {
  constructor(private readonly needs: IssueNeeds) {}

  /** What the principal may do with items of a kind; an empty repository has no pull requests to read. */
  levelOn({ access, repo }: SeenRepo, item: Pick<Issue, "isPull">): Level {
    return item.isPull && repo.isEmpty ? "none" : access.on(unitOf(item));
  }

  /** @throws NotFound neither kind of item may be read */
  requireReadable(seen: SeenRepo): { readonly issues: boolean; readonly pulls: boolean } {
    const issues = atLeast(this.levelOn(seen, { isPull: false }), "read");
    const pulls = atLeast(this.levelOn(seen, { isPull: true }), "read");
    if (!issues && !pulls) throw new NotFound();
    return { issues, pulls };
  }

  /** The item of a repository with this number. @throws NotFound missing, or of a kind the principal may not read */
  see(seen: SeenRepo, number: number): SeenIssue {
    const issue = store.findIssue(this.needs.db, seen.repo.id, number);
    const found = issue && this.seenAs(seen, issue);
    if (!found) throw new NotFound();
    return found;
  }

  /** Those of the items with these ids that the principal may read, in the order of the ids. */
  seeEach(principal: Principal, ids: readonly number[]): SeenIssue[] {
    const { db, repos } = this.needs;
    const issues = new Map(store.findIssuesById(db, ids).map((issue) => [issue.id, issue]));
    const repoIds = [...new Set([...issues.values()].map(({ repoId }) => repoId))];
    const seen = new Map(repos.seeEach(principal, repoIds).map((each) => [each.repo.id, each]));
    return ids.flatMap((id) => {
      const issue = issues.get(id);
      const repo = issue && seen.get(issue.repoId);
      const found = issue && repo && this.seenAs(repo, issue);
      return found ? [found] : [];
    });
  }

  /** Labels and assignees of many items at once, by the items' ids. */
  partsOf(items: readonly SeenIssue[]): Map<number, IssueParts> {
    return store.partsOf(
      this.needs.db,
      items.map(({ issue }) => issue.id),
    );
  }

  /**
   * Makes an issue.
   * @throws Forbidden who may not read issues here, or is blocked; ValidationFailed a value
   */
  create(seen: SeenRepo, given: NewIssue): SeenIssue {
    const { db } = this.needs;
    const level = this.levelOn(seen, { isPull: false });
    if (!atLeast(level, "read")) throw new Forbidden("repository.needs-read");
    return db.transaction(() => {
      const item = this.insert(seen, { isPull: false, ...given });
      this.tell(item, "issue.created");
      return item;
    });
  }

  /**
   * The row of a new issue or pull request, with the next number. Who may make one is decided by the caller, and the
   * caller tells of it. Joins the running transaction.
   * @throws Forbidden the owner blocked who makes it; ValidationFailed a value
   */
  insert(seen: SeenRepo, given: NewIssue & { readonly isPull: boolean }): SeenIssue {
    const { blocks, clock, db } = this.needs;
    const { owner, principal, repo } = seen;
    const poster = accountOf(principal);
    blocks.requireUnblocked(owner, poster);
    const values = {
      title: checkTitle(given.title),
      body: checkBody(given.body ?? ""),
      ref: given.ref ?? "",
      dueAt: given.dueAt,
    };
    const issue = store.insertIssue(db, {
      ...values,
      repoId: repo.id,
      number: store.takeNumber(db, repo.id),
      isPull: given.isPull,
      posterId: poster.id,
      milestoneId: undefined,
      createdAt: clock(),
    });
    return { seen, issue, level: this.levelOn(seen, issue) };
  }

  /** Tells of something that happened to the item as such. Joins the running transaction. */
  tell({ issue, seen }: SeenIssue, kind: "issue.created"): void {
    this.needs.outbox.append(kind, contextOf(seen, issue), eventOf(issue));
  }

  private seenAs(seen: SeenRepo, issue: Issue): SeenIssue | undefined {
    const level = this.levelOn(seen, issue);
    return atLeast(level, "read") ? { seen, issue, level } : undefined;
  }
}

/** Where an item's event happened. */
export function contextOf({ owner, principal, repo }: SeenRepo, issue: Issue): EventContext {
  return { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal), unit: unitOf(issue) };
}

/** What every event of an item says. */
export function eventOf({ id, isPull, number }: Issue): IssueEvent {
  return { issueId: id, number, isPull };
}
