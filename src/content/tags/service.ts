import { accountOf, type Principal } from "../../access/principal.ts";
import { makeTag } from "../../git/edit/make.ts";
import type { Oid } from "../../git/objects/types.ts";
import { gitIdentityOf } from "../../identity/git-identity.ts";
import { type Cache, type CacheBudget, textBytes } from "../../kernel/cache.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { Repo, SeenRepo } from "../../repos/types.ts";
import type { CommitService } from "../commits/service.ts";
import { checkNewRefName, TAGS } from "../ref-names.ts";
import type { RevisionService } from "../revisions/service.ts";

export interface RepoTag {
  readonly name: string;
  /** What the ref points to: the tag object, or the commit itself for a lightweight tag. */
  readonly oid: Oid;
  /** The commit (or, rarely, other object) behind it. */
  readonly target: Oid;
  readonly isAnnotated: boolean;
  /** When it was made, or its commit; seconds since 1970. */
  readonly time: number;
  readonly message: string;
}

const TAG_BYTES = 300;

/** Tags: listing, making and deleting them (contract git-content.md 10.1). */
export class TagService {
  private readonly sorted: Cache<string, readonly RepoTag[]>;

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly commits: CommitService,
    private readonly revisions: RevisionService,
    private readonly links: Links,
    private readonly clock: Clock,
    caches: CacheBudget,
  ) {
    this.sorted = caches.cache((tags) => tags.reduce((bytes, tag) => bytes + TAG_BYTES + textBytes(tag.message), 0));
  }

  /** All tags, the newest first. */
  all(repo: Repo): readonly RepoTag[] {
    const key = `${repo.id} ${repo.refsVersion}`;
    const known = this.sorted.get(key);
    if (known) return known;
    const tags = this.refs
      .list(repo.id, TAGS)
      .map(({ name, oid, peeled }) => this.tagOf(repo, name.slice(TAGS.length), oid, peeled));
    tags.sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
    this.sorted.set(key, tags);
    return tags;
  }

  list(repo: Repo, paging: Paging): Slice<RepoTag> {
    const all = this.all(repo);
    return { items: all.slice(paging.offset, paging.offset + paging.limit), total: all.length };
  }

  /** @throws NotFound */
  get(repo: Repo, name: string): RepoTag {
    const ref = this.refs.find(repo.id, TAGS + name);
    if (!ref) throw new NotFound("tag.missing", { params: { name } });
    return this.tagOf(repo, name, ref.oid, ref.peeled);
  }

  /**
   * @param wished `target`: a branch, tag or id, absent: the default branch; a message makes it an annotated tag
   * @throws ValidationFailed the name; NotFound the target; Conflict the name is taken
   */
  create(
    { repo, principal }: SeenRepo,
    wished: { name: string; message?: string | undefined; target?: string | undefined },
  ): RepoTag {
    checkNewRefName(wished.name, "TagName");
    const target = wished.target ? this.revisions.named(repo, wished.target) : this.revisions.head(repo);
    if (!target) throw new NotFound("tag.target-missing", { params: { target: wished.target ?? repo.defaultBranch } });
    const taken = () => new Conflict("tag.name-taken", { params: { name: wished.name } });
    if (this.refs.find(repo.id, TAGS + wished.name)) throw taken();
    const message = (wished.message ?? "").replaceAll("\0", "").trim();
    const oid = message === "" ? target.commit : this.writeTag(repo, wished.name, target.commit, message, principal);
    const [result] = this.refs.change(repo.id, {
      principal,
      changes: [{ name: TAGS + wished.name, oldOid: null, newOid: oid }],
      atomic: true,
    });
    if (!result?.ok) throw taken();
    return this.get(repo, wished.name);
  }

  /** @throws NotFound; Conflict it was moved in the meantime */
  remove({ repo, principal }: SeenRepo, name: string): void {
    const { oid } = this.get(repo, name);
    const [result] = this.refs.change(repo.id, {
      principal,
      changes: [{ name: TAGS + name, oldOid: oid, newOid: null }],
      atomic: true,
    });
    if (!result?.ok) throw new Conflict("tag.changed-meanwhile", { params: { name } });
  }

  private writeTag(repo: Repo, name: string, target: Oid, message: string, principal: Principal): Oid {
    const tagger = {
      ...gitIdentityOf(accountOf(principal), this.links),
      timestamp: Math.floor(this.clock() / 1000),
      offsetMinutes: 0,
    };
    const { format } = this.storage.objects(repo.id);
    const tag = makeTag(format, { object: target, type: "commit", name, tagger, message: `${message}\n` });
    this.storage.write(repo.id, [tag]);
    return tag.oid;
  }

  private tagOf(repo: Repo, name: string, oid: Oid, peeled: Oid | undefined): RepoTag {
    const target = peeled ?? oid;
    const read = peeled === undefined ? undefined : this.commits.readTag(repo, oid);
    if (read) {
      const { tag } = read;
      return { name, oid, target, isAnnotated: true, time: tag.tagger?.timestamp ?? 0, message: tag.message };
    }
    const found = this.commits.read(repo, target);
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
