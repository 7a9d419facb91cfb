import type { Unit } from "../access/levels.ts";
import { isSiteAdmin, type Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Consumer } from "../events/delivery.ts";
import type { DomainEvent, EventPayloads } from "../events/types.ts";
import { TAGS } from "../git/refs/names.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { LiveHub } from "../live/hub.ts";
import type { RefMove } from "../repos/events.ts";
import { ALL_REPOS } from "../repos/live.ts";
import type { RepoSearch } from "../repos/search/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import { withGroupedPushes } from "./grouped-pushes.ts";
import { type ItemEntryNeeds, itemEntryOf } from "./item-entries.ts";
import {
  type ActivityRow,
  activitiesAround,
  activitiesBy,
  aroundAccount,
  byAccount,
  contributionsOf,
  deleteActivitiesBefore,
  type FeedFilter,
  type FeedViewer,
  feedLength,
  feedOf,
  inRepositories,
  insertActivity,
  type Viewer,
} from "./store.ts";
import type { Contributions } from "./types.ts";

/** One entry of a feed. */
export interface Activity {
  readonly id: number;
  readonly principal: User;
  readonly seen: SeenRepo;
  /**
   * create_repo, rename_repo, push, create_branch, delete_branch, create_tag, delete_tag, mirror_sync_create,
   * mirror_sync_push, mirror_sync_delete, more_refs, and those of items
   */
  readonly kind: string;
  readonly refName: string;
  readonly content: string;
  /** The issue or pull request concerned, and the comment. */
  readonly issueId: number | undefined;
  readonly entryId: number | undefined;
  readonly createdAt: number;
}

/** A set of repositories, as an SQL condition on `repositories` with its parameters. */
export interface RepoFilter {
  readonly sql: string;
  readonly params: Readonly<Record<string, number>>;
}

/** The repositories of an account. */
export function reposOf(owner: { readonly id: number }): RepoFilter {
  return { sql: "repositories.owner_id = $feedOwner", params: { feedOwner: owner.id } };
}

/** Kinds of entries about the repository as a whole. */
const WHOLE_REPO: ReadonlySet<string> = new Set(["create_repo", "rename_repo", "transfer_repo"]);

const unitOf = (kind: string) => (WHOLE_REPO.has(kind) ? "" : "code");

/** How many refs of one push get an entry of their own. */
const SHOWN_REFS = 3;
/** Rows read per requested entry, since several pushes become one entry. */
const PUSHES_PER_ENTRY = 4;

/** Maximum number of entries counted; a longer feed reports another page. */
const MAX_COUNTED = 10_000;

/** The spans reported to API clients. */
export const QUARTER_HOUR_MS = 900_000;

/** A heat map covers a year and the week it begins in (contract identity.md 8.8). */
const HEAT_MAP_MS = (366 + 7) * 86_400_000;

/** Activities: written from the outbox, shown according to the viewer's current permissions (security rule C1). */
export class ActivityService implements Consumer {
  readonly name = "activity";

  constructor(
    private readonly db: Database,
    private readonly access: AccessControl,
    private readonly identity: IdentityService,
    private readonly repos: RepoService,
    private readonly repoSearch: RepoSearch,
    private readonly items: ItemEntryNeeds,
    private readonly clock: Clock,
    private readonly live: LiveHub,
  ) {}

  handle(event: DomainEvent): void {
    const { repoId } = event;
    const actorId = event.principal.userId;
    if (repoId === undefined || actorId === undefined) return;
    const add = (kind: string, refName = "", content = "", unit: "" | "code" | "releases" = unitOf(kind)) => {
      this.tell(event, unit);
      insertActivity(this.db, {
        eventId: event.id,
        actorId,
        repoId,
        kind,
        unit,
        refName,
        content,
        issueId: null,
        entryId: null,
        createdAt: event.at,
      });
    };
    const item = itemEntryOf(event, this.items);
    if (item) {
      this.tell(event, item.unit);
      insertActivity(this.db, { eventId: event.id, actorId, repoId, refName: "", ...item, createdAt: event.at });
    }
    switch (event.kind) {
      case "repo.created":
        add("create_repo");
        break;
      case "repo.renamed":
        add("rename_repo", "", event.payload.from);
        break;
      case "repo.transferred":
        add("transfer_repo", "", event.payload.from);
        break;
      case "release.published":
        add("publish_release", TAGS + event.payload.tag, event.payload.title, "releases");
        break;
      case "refs.changed":
        // The initial refs of a repository are part of its creation (contract webhooks.md 8.2).
        if (!event.payload.isInitial) this.addMoves(event.payload, add);
        break;
    }
  }

  /** Notifies open feed pages about an entry of that unit, once it is written. */
  private tell({ id, repoId }: DomainEvent, unit: Unit | ""): void {
    const message = { event: "activity.changed", data: String(id), repoId, unit: unit || undefined };
    this.db.onCommit(() => this.live.publish(ALL_REPOS, message));
  }

  /** A push of hundreds of tags becomes a few entries: the first refs by name, branches before tags, and a count. */
  private addMoves(
    { isMirrored, moves }: EventPayloads["refs.changed"],
    add: (kind: string, refName?: string, content?: string) => void,
  ): void {
    const shown = moves.flatMap((move) => {
      const kind = kindOf(move);
      return kind ? [{ kind: isMirrored ? mirroredKindOf(move) : kind, move }] : [];
    });
    shown.sort((a, b) => (a.move.name < b.move.name ? -1 : 1));
    if (shown.length > SHOWN_REFS) add("more_refs", "", String(shown.length - SHOWN_REFS));
    // Newest entries come first, so the first ref is written last.
    for (const { kind, move } of shown.slice(0, SHOWN_REFS).reverse())
      add(kind, move.name, JSON.stringify({ old: move.oldOid, new: move.newOid }));
  }

  /** Removes entries from before that time (milliseconds since 1970), up to the limit. @returns how many */
  prune(before: number, limit: number): number {
    return deleteActivitiesBefore(this.db, before, limit);
  }

  /** The feed of a person's dashboard. */
  around(principal: Principal, user: User, limit: number): Activity[] {
    const rows = activitiesAround(
      this.db,
      this.viewer(principal),
      user.id,
      this.repoSearch.sharedWith("$user"),
      limit * PUSHES_PER_ENTRY,
    );
    return this.shown(principal, withGroupedPushes(rows).slice(0, limit));
  }

  /** A person's activities, as far as the principal may see them. */
  by(principal: Principal, user: User, limit: number): Activity[] {
    if (user.hideActivity && principal.user?.id !== user.id && !isSiteAdmin(principal)) return [];
    const rows = activitiesBy(this.db, this.viewer(principal), user.id, limit * PUSHES_PER_ENTRY);
    return this.shown(principal, withGroupedPushes(rows).slice(0, limit));
  }

  /**
   * Activities in some repositories, newest first; the caller has checked that their owner is visible.
   * @param day `YYYY-MM-DD` of the server's zone; anything else means any day
   */
  feed(principal: Principal, among: RepoFilter, day: string, paging: Paging): Slice<Activity> {
    return this.pageOf(
      principal,
      { among: inRepositories(among.sql), params: among.params, between: dayOf(day) },
      paging,
    );
  }

  /** Activities in a repository, newest first. @param day as for `feed` */
  feedOfRepo({ principal, repo }: SeenRepo, day: string, paging: Paging): Slice<Activity> {
    const filter = { among: "activities.repo_id = $feedRepo", params: { feedRepo: repo.id }, between: dayOf(day) };
    return this.pageOf(principal, filter, paging);
  }

  /**
   * A person's activities and, unless `onlyBy` is set, those in their repositories, newest first; private ones for
   * the person and administrators only. The caller has checked that the person is visible.
   * @param request.day `YYYY-MM-DD` of the server's zone; anything else means any day
   */
  feedOfAccount(
    principal: Principal,
    user: User,
    request: { readonly onlyBy: boolean; readonly day: string },
    paging: Paging,
  ): Slice<Activity> {
    const among = request.onlyBy ? byAccount : aroundAccount;
    return this.pageOf(principal, { among, params: { user: user.id }, between: dayOf(request.day) }, paging);
  }

  /**
   * The number of a person's activities in each span of the last year, oldest first, without empty spans. Empty for
   * others if the person hides it.
   */
  contributions(principal: Principal, user: User, spanMs: number): Contributions[] {
    if (user.hideActivity && principal.user?.id !== user.id && !isSiteAdmin(principal)) return [];
    const since = Math.floor((this.clock() - HEAT_MAP_MS) / spanMs) * spanMs;
    return contributionsOf(this.db, this.viewer(principal), user.id, { since, spanMs });
  }

  private pageOf(principal: Principal, filter: FeedFilter, paging: Paging): Slice<Activity> {
    const viewer = this.feedViewer(principal);
    const rows = feedOf(this.db, viewer, filter, { limit: paging.limit + 1, offset: paging.offset });
    const reached = rows.length === 0 ? 0 : paging.offset + rows.length;
    const total = Math.max(reached, feedLength(this.db, viewer, filter, MAX_COUNTED));
    return { items: this.shown(principal, rows.slice(0, paging.limit)), total };
  }

  private feedViewer(principal: Principal): FeedViewer {
    return { ...this.viewer(principal), seesActor: this.access.accountCondition("actors") };
  }

  /** The newest of `feed`, uncounted. */
  newest(principal: Principal, { sql, params }: RepoFilter, limit: number): Activity[] {
    const filter = { among: inRepositories(sql), params, between: undefined };
    return this.shown(principal, feedOf(this.db, this.feedViewer(principal), filter, { limit, offset: 0 }));
  }

  private viewer(principal: Principal): Viewer {
    return { isVisible: this.access.repoConditionByUnit("activities.unit"), params: this.access.params(principal) };
  }

  private shown(principal: Principal, rows: readonly ActivityRow[]): Activity[] {
    const people = this.identity.byIds([...new Set(rows.map((row) => row.actorId))]);
    const repos = new Map(
      this.repos.seeEach(principal, [...new Set(rows.map((row) => row.repoId))]).map((seen) => [seen.repo.id, seen]),
    );
    const formerOwners = rows.flatMap(({ kind, content }) => (kind === "transfer_repo" ? formerOwnerIn(content) : []));
    const shownOwners = this.identity.seenByLogins(principal, formerOwners);
    return rows.flatMap((row) => {
      const [seen, by] = [repos.get(row.repoId), people.get(row.actorId)];
      if (!seen || !by) return [];
      const { id, kind, refName, createdAt, issueId, entryId } = row;
      // The former owner is only named to those who may see that account.
      const isHidden = kind === "transfer_repo" && !shownOwners.has(formerOwnerIn(row.content).toLowerCase());
      const content = isHidden ? "" : row.content;
      const about = { issueId: issueId ?? undefined, entryId: entryId ?? undefined };
      return [{ id, principal: by, seen, kind, refName, content, ...about, createdAt }];
    });
  }
}

const formerOwnerIn = (content: string) => content.slice(0, content.indexOf("/"));

function dayOf(day: string): readonly [number, number] | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const [from, before] = [0, 1].map((later) =>
    new Date(Number(year), Number(month) - 1, Number(date) + later).getTime(),
  );
  return from === undefined || before === undefined || Number.isNaN(from) ? undefined : [from, before];
}

function mirroredKindOf({ newOid, oldOid }: RefMove): string {
  return oldOid === null ? "mirror_sync_create" : newOid === null ? "mirror_sync_delete" : "mirror_sync_push";
}

function kindOf(move: RefMove): string | undefined {
  const thing = move.name.startsWith("refs/heads/") ? "branch" : move.name.startsWith("refs/tags/") ? "tag" : undefined;
  if (!thing) return undefined;
  if (move.oldOid === null) return `create_${thing}`;
  if (move.newOid === null) return `delete_${thing}`;
  return thing === "branch" ? "push" : "create_tag";
}
