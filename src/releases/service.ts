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

  /** The newest first; drafts only for those who may write. */
  list(seen: SeenRepo, filter: ReleaseFilter, paging: Pick<Paging, "limit" | "offset">): Slice<Release> {
    const { db } = this.needs;
    if (this.maySeeDrafts(seen)) return store.listReleases(db, seen.repo.id, filter, paging);
    if (filter.isDraft === true) return { items: [], total: 0 };
    return store.listReleases(db, seen.repo.id, { ...filter, isDraft: false }, paging);
  }

  /** @throws NotFound; a draft is missing to those who may not write */
  get(seen: SeenRepo, id: number): Release {
    return this.shown(seen, store.findRelease(this.needs.db, id));
  }

  /** Whoever may see it. */
  byId(id: number): Release | undefined {
    return store.findRelease(this.needs.db, id);
  }

  /** @param tag in any letter case. @throws NotFound */
  ofTag(seen: SeenRepo, tag: string): Release {
    return this.shown(seen, store.findReleaseOfTag(this.needs.db, seen.repo.id, tag));
  }

  /** The same; undefined: there is none, or none for them. */
  findOfTag(seen: SeenRepo, tag: string): Release | undefined {
    const found = store.findReleaseOfTag(this.needs.db, seen.repo.id, tag);
    return found?.isDraft && !this.maySeeDrafts(seen) ? undefined : found;
  }

  findLatest({ repo }: SeenRepo): Release | undefined {
    return store.findLatest(this.needs.db, repo.id);
  }

  /** How many were published. */
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
   * Publishes a tag, which is made where it is missing, or keeps a draft of that.
   * @throws ValidationFailed the repository is empty, a value, or a rule keeps the tag; NotFound the target;
   * Conflict the tag has a release; Forbidden; Locked
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
   * Brings one in from another forge: nobody is told of it, and one without its tag is a draft. The caller has decided that
   * the principal administers the repository.
   * @returns the one of that tag where there is one already
   * @throws ValidationFailed a value
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
      // It may have gone meanwhile.
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

  /** Its files go, its tag stays. @throws NotFound; Forbidden; Locked */
  delete(seen: SeenRepo, id: number): void {
    requireReleaser(seen);
    const { db, outbox } = this.needs;
    db.transaction(() => {
      const { isDraft, tag } = this.get(seen, id);
      // While it is there: whoever tells of it looks once more.
      if (!isDraft) outbox.append("release.deleted", contextOf(seen), { releaseId: id, tag });
      store.deleteRelease(db, id);
    });
  }

  /** @throws Conflict a release stands on the tag */
  requireUnreleased({ repo }: SeenRepo, tag: string): void {
    const found = store.findReleaseOfTag(this.needs.db, repo.id, tag);
    if (found?.tag === tag && !found.isDraft) throw new Conflict("release.holds-tag");
  }

  /** Releases whose tags went with a push are drafts again. Joins the running transaction. */
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

  /** Does `work` in one transaction, with the making of the tag where that is missing. */
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

  /** When the tag was made, in milliseconds; undefined: there is none. */
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

/** What is refused about a tag, in the words of releases. */
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
