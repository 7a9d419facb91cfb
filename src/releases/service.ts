import { atLeast } from "../access/levels.ts";
import { accountOf } from "../access/principal.ts";
import { hasScope } from "../access/scopes.ts";
import type { TagService } from "../content/tags/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { type EventContext, storedPrincipal } from "../events/types.ts";
import { TAGS } from "../git/refs/names.ts";
import type { Clock } from "../kernel/clock.ts";
import { Conflict, Failure, Forbidden, Locked, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { QuotaService } from "../quotas/service.ts";
import type { RefMove } from "../repos/events.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";
import type { ImportedRelease, NewRelease, Release, ReleaseEdit, ReleaseFilter } from "./types.ts";
import { checkReleaseBody, checkReleaseTag, shownTitle } from "./values.ts";

export interface ReleaseNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly quotas: QuotaService;
  readonly tags: TagService;
}

/** Releases of repositories (contract repositories.md 17). */
export class ReleaseService {
  constructor(private readonly needs: ReleaseNeeds) {}

  /** Newest first; drafts only for people with write access. */
  list(seen: SeenRepo, filter: ReleaseFilter, paging: Pick<Paging, "limit" | "offset">): Slice<Release> {
    const { db } = this.needs;
    if (this.maySeeDrafts(seen)) return store.listReleases(db, seen.repo.id, filter, paging);
    if (filter.isDraft === true) return { items: [], total: 0 };
    return store.listReleases(db, seen.repo.id, { ...filter, isDraft: false }, paging);
  }

  /** @throws NotFound; drafts look missing without write access */
  get(seen: SeenRepo, id: number): Release {
    return this.shown(seen, store.findRelease(this.needs.db, id));
  }

  /** Without an access check. */
  byId(id: number): Release | undefined {
    return store.findRelease(this.needs.db, id);
  }

  /**
   * @param tag in any letter case.
   * @throws NotFound
   */
  ofTag(seen: SeenRepo, tag: string): Release {
    return this.shown(seen, store.findReleaseOfTag(this.needs.db, seen.repo.id, tag));
  }

  /** The same; undefined if there is none, or the principal may not see it. */
  findOfTag(seen: SeenRepo, tag: string): Release | undefined {
    const found = store.findReleaseOfTag(this.needs.db, seen.repo.id, tag);
    return found?.isDraft && !this.maySeeDrafts(seen) ? undefined : found;
  }

  findLatest({ repo }: SeenRepo): Release | undefined {
    return store.findLatest(this.needs.db, repo.id);
  }

  /** Number of published releases. */
  count({ repo }: SeenRepo): number {
    return store.countPublished(this.needs.db, repo.id);
  }

  /** The newest that is neither a draft nor a pre-release. @throws NotFound */
  latest(seen: SeenRepo): Release {
    return this.shown(seen, store.findLatest(this.needs.db, seen.repo.id));
  }

  maySeeDrafts({ access, principal }: SeenRepo): boolean {
    return atLeast(access.on("releases"), "write") && hasScope(principal, "repository", "write");
  }

  /**
   * Creates a release or draft. Publishing creates the tag if it is missing.
   * @throws ValidationFailed the repository is empty, a bad value, or a rule protects the tag; NotFound the target;
   * Conflict the tag already has a release; Forbidden; Locked
   */
  async create(seen: SeenRepo, given: NewRelease): Promise<Release> {
    requireReleaser(seen);
    const { repo, principal } = seen;
    this.needs.quotas.requireForContent(seen);
    if (repo.isEmpty) throw new ValidationFailed("release.repository-empty", { field: "tag_name" });
    const tag = checkReleaseTag(given.tag);
    this.requireFree(seen, tag, undefined);
    const values = {
      repoId: repo.id,
      tag,
      title: shownTitle(given.title),
      body: checkReleaseBody(given.body),
      isDraft: given.isDraft,
      isPrerelease: given.isPrerelease,
      authorId: accountOf(principal).id,
    };
    const tagTime = this.timeOfTag(seen, tag);
    const target = given.target ?? (tagTime === undefined ? repo.defaultBranch : "");
    return this.published(
      seen,
      { tag, target, message: given.tagMessage, isMade: given.isDraft || tagTime !== undefined },
      () => this.insert(seen, { ...values, target, createdAt: tagTime ?? this.needs.clock() }),
    );
  }

  /**
   * Imports a release from another forge without emitting an event; it becomes a draft if its tag is missing. The
   * caller has checked that the principal administers the repository.
   * @returns the existing release of that tag, if there is one
   * @throws ValidationFailed a bad value
   */
  bring(seen: SeenRepo, { createdAt, ...given }: ImportedRelease): Release {
    const { clock, db } = this.needs;
    const tag = checkReleaseTag(given.tag);
    return db.transaction(() => {
      const there = store.findReleaseOfTag(db, seen.repo.id, tag);
      if (there) return there;
      const tagTime = this.timeOfTag(seen, tag);
      return store.insertRelease(db, {
        repoId: seen.repo.id,
        tag,
        target: given.target,
        title: shownTitle(given.title),
        body: checkReleaseBody(given.body),
        isDraft: given.isDraft || tagTime === undefined,
        isPrerelease: given.isPrerelease,
        authorId: accountOf(seen.principal).id,
        createdAt: createdAt ?? tagTime ?? clock(),
      });
    });
  }

  /** @throws as for `create` */
  async edit(seen: SeenRepo, id: number, edit: ReleaseEdit): Promise<Release> {
    requireReleaser(seen);
    const { clock, db, outbox } = this.needs;
    const before = this.get(seen, id);
    const after: Release = {
      ...before,
      tag: edit.tag === undefined ? before.tag : checkReleaseTag(edit.tag),
      target: edit.target ?? before.target,
      title: edit.title === undefined ? before.title : shownTitle(edit.title),
      body: edit.body === undefined ? before.body : checkReleaseBody(edit.body),
      isDraft: edit.isDraft ?? before.isDraft,
      isPrerelease: edit.isPrerelease ?? before.isPrerelease,
    };
    const isNews = before.isDraft && !after.isDraft;
    const isMade = after.isDraft || this.timeOfTag(seen, after.tag) !== undefined;
    return this.published(seen, { tag: after.tag, target: after.target, message: edit.tagMessage, isMade }, () => {
      // It may have been deleted meanwhile.
      this.get(seen, id);
      this.requireFree(seen, after.tag, id);
      const changed = isNews ? { ...after, createdAt: clock() } : after;
      store.updateRelease(db, changed);
      const told = { releaseId: id, tag: changed.tag };
      if (isNews)
        outbox.append("release.published", contextOf(seen), { ...told, title: changed.title, wasTagged: isMade });
      else if (!changed.isDraft) outbox.append("release.edited", contextOf(seen), told);
      return changed;
    });
  }

  /** Deletes its files, but keeps its tag. @throws NotFound; Forbidden; Locked */
  delete(seen: SeenRepo, id: number): void {
    requireReleaser(seen);
    const { db, outbox } = this.needs;
    db.transaction(() => {
      const { isDraft, tag } = this.get(seen, id);
      // Before the deletion: listeners look it up.
      if (!isDraft) outbox.append("release.deleted", contextOf(seen), { releaseId: id, tag });
      store.deleteRelease(db, id);
    });
  }

  /** @throws Conflict the tag has a published release */
  requireUnreleased({ repo }: SeenRepo, tag: string): void {
    const found = store.findReleaseOfTag(this.needs.db, repo.id, tag);
    if (found?.tag === tag && !found.isDraft) throw new Conflict("release.holds-tag");
  }

  /** Turns releases whose tags were deleted into drafts. Joins the running transaction. */
  refsMoved({ repoId }: EventContext, moves: readonly RefMove[]): void {
    if (repoId === undefined) return;
    const gone = moves.flatMap(({ name, newOid }) =>
      newOid === null && name.startsWith(TAGS) ? [name.slice(TAGS.length)] : [],
    );
    if (gone.length === 0) return;
    const { db } = this.needs;
    store.unpublish(
      db,
      store.releasesOfTags(db, repoId, gone).map(({ id }) => id),
    );
  }

  /** Runs `work` in one transaction, together with creating the tag if it is missing. */
  private async published(
    seen: SeenRepo,
    tag: { tag: string; target: string; message: string | undefined; isMade: boolean },
    work: () => Release,
  ): Promise<Release> {
    const { db, tags } = this.needs;
    if (tag.isMade) return db.transaction(work);
    let done: Release | undefined;
    const making = { name: tag.tag, message: tag.message, target: tag.target || undefined };
    const more = {
      permit: requireReleaser,
      alongside: () => {
        done = work();
      },
    };
    await tags.create(seen, making, more).catch((error) => {
      throw releaseRefusal(error, tag.tag);
    });
    if (!done) throw new Error("a tag was made without its release");
    return done;
  }

  private insert(seen: SeenRepo, release: Omit<Release, "id">): Release {
    const { db, outbox } = this.needs;
    this.requireFree(seen, release.tag, undefined);
    const made = store.insertRelease(db, release);
    if (!made.isDraft)
      outbox.append("release.published", contextOf(seen), { releaseId: made.id, tag: made.tag, title: made.title });
    return made;
  }

  /** @throws Conflict another release has the tag */
  private requireFree({ repo }: SeenRepo, tag: string, id: number | undefined): void {
    const found = store.findReleaseOfTag(this.needs.db, repo.id, tag);
    if (found && found.id !== id) throw new Conflict("release.tag-taken", { field: "tag_name" });
  }

  /** When the tag was created, in milliseconds; undefined if it does not exist. */
  private timeOfTag(seen: SeenRepo, tag: string): number | undefined {
    const found = this.needs.tags.find(seen, tag);
    return found && found.time * 1000;
  }

  private shown(seen: SeenRepo, release: Release | undefined): Release {
    if (!release || release.repoId !== seen.repo.id) throw new NotFound();
    if (release.isDraft && !this.maySeeDrafts(seen)) throw new NotFound();
    return release;
  }
}

/** @throws Forbidden; Locked archived */
function requireReleaser({ access, repo }: SeenRepo): void {
  if (repo.isArchived) throw new Locked("repository.archived");
  if (!atLeast(access.on("releases"), "write")) throw new Forbidden("repository.needs-write");
}

/** Converts an error about a tag to the one that releases report. */
function releaseRefusal(error: unknown, tag: string): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === "tag.target-missing") return new NotFound("release.target-missing", { field: "target" });
  if (error.code === "protection.tag-create-refused")
    return new ValidationFailed("release.tag-protected", { field: "tag_name", params: { tag } });
  return error;
}

function contextOf({ owner, principal, repo }: SeenRepo): EventContext {
  return { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal), unit: "releases" };
}
