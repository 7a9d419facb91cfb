import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Conflict, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoService } from "../../repos/service.ts";
import { trackerSettings } from "../../repos/settings/defaults.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { mayWrite } from "../rights.ts";
import type { IssueService } from "../service.ts";
import type { Timeline } from "../timeline/service.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

/** Per item and direction; each is checked when it is shown. */
const MAX_DEPENDENCIES = 500;

export interface DependencyNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly issues: IssueService;
  readonly repos: RepoService;
  readonly timeline: Timeline;
  /** Whether items may depend on items of other repositories. */
  readonly acrossRepos: boolean;
}

/** Names another item; owner and repository default to the current ones. */
export interface ItemName {
  readonly owner?: string | undefined;
  readonly repo?: string | undefined;
  readonly number: number;
}

/** An item that blocks another, or a placeholder if the viewer may not read it. */
export type Blocker = SeenIssue | "hidden";

/**
 * Dependencies between items (contract issues.md 8): a blocked item cannot be closed while a blocker is open. They do
 * not exist if the blocked item's repository has disabled them.
 */
export class DependencyService {
  constructor(private readonly needs: DependencyNeeds) {}

  isOn({ repo }: SeenRepo): boolean {
    return trackerSettings(repo.settings).enableIssueDependencies;
  }

  /** The item named in a request about another one. @throws NotFound missing, or not readable */
  named(from: SeenIssue, { owner, repo, number }: ItemName): SeenIssue {
    const { issues, repos } = this.needs;
    const names = [owner || from.seen.owner.login, repo || from.seen.repo.name] as const;
    const seen = repos.seeNamed(from.seen.principal, [names]).get(names.join("/").toLowerCase());
    if (!seen) throw new NotFound();
    return issues.see(seen, number);
  }

  /** The items that block it. @throws NotFound the repository has dependencies disabled */
  blockersOf(item: SeenIssue, paging: Pick<Paging, "limit" | "offset">): Slice<Blocker> {
    this.requireOn(item);
    const ids = store.blockersOf(this.needs.db, item.issue.id, item.seen.repo.id);
    const page = ids.slice(paging.offset, paging.offset + paging.limit);
    const readable = new Map(this.seeEach(item, page).map((each) => [each.issue.id, each]));
    return { items: page.map((id) => readable.get(id) ?? "hidden"), total: ids.length };
  }

  /**
   * The items it blocks, as far as the principal may read them.
   * @throws NotFound the repository has dependencies disabled
   */
  blockedBy(item: SeenIssue, paging: Pick<Paging, "limit" | "offset">): Slice<SeenIssue> {
    this.requireOn(item);
    const all = this.seeEach(item, store.blockedBy(this.needs.db, item.issue.id, item.seen.repo.id));
    return { items: all.slice(paging.offset, paging.offset + paging.limit), total: all.length };
  }

  /**
   * @throws NotFound no write access to the blocked item's repository, which must not be archived; ValidationFailed
   * itself, circular, too many; BadRequest in another repository while that is disabled; Conflict it already exists
   */
  add(blocked: SeenIssue, blocker: SeenIssue): void {
    this.requireChangeable(blocked);
    const { acrossRepos, clock, db } = this.needs;
    const { id, repoId } = blocked.issue;
    // Existing ones may still be removed.
    if (!acrossRepos && repoId !== blocker.issue.repoId) throw new BadRequest("issue.dependency-across");
    if (id === blocker.issue.id) throw new ValidationFailed("issue.depends-on-itself", { field: "index" });
    db.transaction(() => {
      if (store.isDependency(db, blocker.issue.id, id))
        throw new ValidationFailed("issue.circular-dependency", { field: "index" });
      if ([id, blocker.issue.id].some((each) => store.countDependencies(db, each) >= MAX_DEPENDENCIES))
        throw new ValidationFailed("issue.too-many-dependencies", {
          field: "index",
          params: { max: MAX_DEPENDENCIES },
        });
      const userId = blocked.seen.principal.user?.id;
      if (!store.insertDependency(db, id, blocker.issue.id, userId, clock()))
        throw new Conflict("issue.dependency-exists");
      this.tellBoth(blocked, blocker, "add_dependency");
    });
  }

  /** @throws NotFound no write access to the blocked item, or no such dependency */
  remove(blocked: SeenIssue, blocker: SeenIssue): void {
    this.requireChangeable(blocked);
    const { db } = this.needs;
    db.transaction(() => {
      if (!store.deleteDependency(db, blocked.issue.id, blocker.issue.id)) throw new NotFound();
      this.tellBoth(blocked, blocker, "remove_dependency");
    });
  }

  private tellBoth(blocked: SeenIssue, blocker: SeenIssue, kind: "add_dependency" | "remove_dependency"): void {
    const { timeline } = this.needs;
    timeline.append(blocked, { kind, otherIssueId: blocker.issue.id });
    timeline.append(blocker, { kind, otherIssueId: blocked.issue.id });
  }

  private seeEach({ seen }: SeenIssue, ids: readonly number[]): SeenIssue[] {
    return this.needs.issues.seeEach(seen.principal, ids);
  }

  private requireOn({ seen }: SeenIssue): void {
    if (!this.isOn(seen)) throw new NotFound();
  }

  private requireChangeable(blocked: SeenIssue): void {
    this.requireOn(blocked);
    if (!mayWrite(blocked) || blocked.seen.repo.isArchived) throw new NotFound();
  }
}
