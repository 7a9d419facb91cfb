import { atLeast } from "../../access/levels.ts";
import { accountOf, type Principal } from "../../access/principal.ts";
import { type Made, makeTag } from "../../git/edit/make.ts";
import type { Oid } from "../../git/objects/types.ts";
import { TAGS } from "../../git/refs/names.ts";
import { gitIdentityOf } from "../../identity/git-identity.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { SignedObject } from "../../keys/verification/service.ts";
import type { TagProtections } from "../../protections/tags/service.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { Repo, SeenRepo } from "../../repos/types.ts";
import type { CommitService } from "../commits/service.ts";
import { signedCommit, signedTag } from "../commits/signed.ts";
import type { RuledChange, RuledRefs } from "../refs/ruled.ts";
import type { RefListService } from "../refs/service.ts";
import type { RevisionService } from "../revisions/service.ts";
import { checkNewRefName } from "../values.ts";

export interface RepoTag {
  readonly name: string;
  /** The target of the ref: the tag object, or the commit itself for a lightweight tag. */
  readonly oid: Oid;
  /** The commit (or, rarely, other object) behind it. */
  readonly target: Oid;
  readonly isAnnotated: boolean;
  /** The time of the tag, or of its commit; seconds since 1970. */
  readonly time: number;
  readonly message: string;
}

/** Lists, creates and deletes tags (contract git-content.md 10.1). */
export class TagService {
  private readonly holds: ((seen: SeenRepo, name: string) => void)[] = [];

  constructor(
    private readonly refs: RefService,
    private readonly ruled: RuledRefs,
    private readonly protections: TagProtections,
    private readonly storage: RepoStorage,
    private readonly commits: CommitService,
    private readonly revisions: RevisionService,
    private readonly links: Links,
    private readonly clock: Clock,
    private readonly lists: RefListService,
  ) {}

  /**
   * A page of the tags, newest first.
   * @param part of the name, case-insensitive; empty: all
   */
  async list(seen: SeenRepo, paging: Paging, part = ""): Promise<Slice<RepoTag>> {
    const all = await this.lists.tags(seen);
    const { items, total } = all.page(part, paging);
    return { items: items.map(({ shortName, oid, peeled }) => this.tagOf(seen, shortName, oid, peeled)), total };
  }

  /** The names of the newest tags that contain `part`. */
  async newestNames(seen: SeenRepo, part: string, limit: number): Promise<string[]> {
    return (await this.lists.tags(seen)).firstNames(part, limit);
  }

  /** @throws NotFound */
  get(seen: SeenRepo, name: string): RepoTag {
    const found = this.find(seen, name);
    if (!found) throw new NotFound("tag.missing", { params: { name } });
    return found;
  }

  find(seen: SeenRepo, name: string): RepoTag | undefined {
    const ref = this.refs.find(seen.repo.id, TAGS + name);
    return ref && this.tagOf(seen, name, ref.oid, ref.peeled);
  }

  /** Lets an area that depends on tags veto their deletion by pages and the API. @param check throws a Failure */
  addHold(check: (seen: SeenRepo, name: string) => void): void {
    this.holds.push(check);
  }

  /** Whether `remove` would allow the caller to delete each of these tags. */
  mayRemove(seen: SeenRepo, names: readonly string[]): boolean[] {
    const mayWrite = !seen.repo.isArchived && atLeast(seen.access.on("code"), "write");
    const mayChange = this.protections.permission(seen);
    return names.map((name) => mayWrite && mayChange(name));
  }

  /**
   * @param requested `target`: a branch, tag or id, absent: the default branch; a message makes it an annotated tag
   * @param more permission check and further effects, as for `RuledRefs.change`
   * @throws ValidationFailed for the name, or if a rule refuses it; NotFound for the target; Conflict if the name is
   *   taken
   */
  async create(
    seen: SeenRepo,
    requested: { name: string; message?: string | undefined; target?: string | undefined },
    more: Pick<RuledChange, "alongside" | "permit"> = {},
  ): Promise<RepoTag> {
    const { repo, principal } = seen;
    checkNewRefName(requested.name, "TagName");
    const target = await this.revisions.settled(() =>
      requested.target ? this.revisions.named(seen, requested.target) : this.revisions.head(seen),
    );
    if (!target)
      throw new NotFound("tag.target-missing", { params: { target: requested.target ?? repo.defaultBranch } });
    const taken = () => new Conflict("tag.name-taken", { params: { name: requested.name } });
    if (this.refs.find(repo.id, TAGS + requested.name)) throw taken();
    const message = (requested.message ?? "").replaceAll("\0", "").trim();
    const made = message === "" ? undefined : this.makeTag(repo, requested.name, target.commit, message, principal);
    const [result] = await this.ruled.change(seen, {
      via: "ref",
      changes: [{ name: TAGS + requested.name, oldOid: null, newOid: made?.oid ?? target.commit }],
      objects: made ? [made] : [],
      ...more,
      store: async () => {
        if (made) await this.storage.write(repo.id, [made]);
      },
    });
    if (!result?.ok) throw taken();
    return this.get(seen, requested.name);
  }

  /**
   * @throws NotFound; ValidationFailed if a rule refuses it; Conflict if it was moved in the meantime, or something
   *   depends on it
   */
  async remove(seen: SeenRepo, name: string): Promise<void> {
    const tag = this.find(seen, name);
    if (!tag) throw new NotFound();
    for (const check of this.holds) check(seen, name);
    const [result] = await this.ruled.change(seen, {
      via: "ref",
      changes: [{ name: TAGS + name, oldOid: tag.oid, newOid: null }],
    });
    if (!result?.ok) throw new Conflict("tag.changed-meanwhile", { params: { name } });
  }

  /** The signed object of each of these tags, in order: the tag, or else the commit it names. */
  signedObjects(seen: SeenRepo, tags: readonly RepoTag[]): (SignedObject | undefined)[] {
    return tags.map(({ oid, target, isAnnotated }) => {
      const tag = isAnnotated ? this.commits.readTag(seen, oid) : undefined;
      if (tag?.signed) return signedTag(tag);
      const commit = this.commits.read(seen, target);
      return commit?.signed && signedCommit(commit);
    });
  }

  private makeTag(repo: Repo, name: string, target: Oid, message: string, principal: Principal): Made {
    const tagger = {
      ...gitIdentityOf(accountOf(principal), this.links),
      timestamp: Math.floor(this.clock() / 1000),
      offsetMinutes: 0,
    };
    const { format } = this.storage.objects(repo.id);
    return makeTag(format, { object: target, type: "commit", name, tagger, message: `${message}\n` });
  }

  private tagOf(seen: SeenRepo, name: string, oid: Oid, peeled: Oid | undefined): RepoTag {
    const target = peeled ?? oid;
    const read = peeled === undefined ? undefined : this.commits.readTag(seen, oid);
    if (read) {
      const { tag } = read;
      return { name, oid, target, isAnnotated: true, time: tag.tagger?.timestamp ?? 0, message: tag.message };
    }
    const found = this.commits.read(seen, target);
    return {
      name,
      oid,
      target,
      isAnnotated: false,
      time: found?.commit.committer.timestamp ?? 0,
      message: found?.commit.message ?? "",
    };
  }
}
