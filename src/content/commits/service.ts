import type { Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import { type Commit, parseCommit, signedPayload } from "../../git/objects/commit.ts";
import { parseTag, signedTagPayload, type Tag } from "../../git/objects/tag.ts";
import type { Oid } from "../../git/objects/types.ts";
import { accountsBehind } from "../../identity/git-identity.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Links } from "../../kernel/links.ts";
import { perSeen } from "../../repos/rules/per-seen.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";

/** A commit and its id. */
export interface ReadCommit {
  readonly oid: Oid;
  readonly commit: Commit;
  /** The exact bytes covered by its signature; undefined if it has none. */
  readonly signed: Uint8Array | undefined;
}

export interface ReadTag {
  readonly oid: Oid;
  readonly tag: Tag;
  readonly signed: Uint8Array | undefined;
}

/** Accounts by the addresses in commits, in lower case. */
export type People = ReadonlyMap<string, User>;

/** Single commits and tags, and the accounts behind them. */
export class CommitService {
  /** A page of tags may refer to one commit fifty times, and its message may be a megabyte. */
  private readonly cache = perSeen(() => new Map<Oid, ReadCommit>());

  constructor(
    private readonly storage: RepoStorage,
    private readonly identity: IdentityService,
    private readonly links: Links,
  ) {}

  /** undefined if there is none with that id. */
  read(seen: SeenRepo, oid: Oid): ReadCommit | undefined {
    const cached = this.cache(seen).get(oid);
    if (cached) return cached;
    const object = this.storage.objects(seen.repo.id).read(oid);
    if (object?.type !== "commit") return undefined;
    const commit = parseCommit(object.data);
    const signed = commit.signature === undefined ? undefined : signedPayload(object.data);
    const read = { oid, commit, signed: signed?.payload };
    this.cache(seen).set(oid, read);
    return read;
  }

  /** The ids that are commits, in order. */
  readAll(seen: SeenRepo, oids: readonly Oid[]): ReadCommit[] {
    return oids.flatMap((oid) => this.read(seen, oid) ?? []);
  }

  /** undefined if there is no tag object with that id. */
  readTag({ repo }: SeenRepo, oid: Oid): ReadTag | undefined {
    const object = this.storage.objects(repo.id).read(oid);
    if (object?.type !== "tag") return undefined;
    const tag = parseTag(object.data);
    const signed = tag.signature === undefined ? undefined : signedTagPayload(object.data);
    return { oid, tag, signed: signed?.payload };
  }

  /** The accounts of the authors and committers of many commits, as far as they are visible to the principal. */
  peopleOf(principal: Principal, commits: readonly ReadCommit[]): People {
    const emails = new Set<string>();
    for (const { commit } of commits) {
      emails.add(commit.author.email.toLowerCase());
      emails.add(commit.committer.email.toLowerCase());
    }
    return this.peopleBehind(principal, [...emails]);
  }

  /** @param emails in lower case */
  peopleBehind(principal: Principal, emails: readonly string[]): People {
    const people = accountsBehind(this.identity, this.links, emails);
    for (const [email, user] of people) if (!this.identity.sees(principal, user)) people.delete(email);
    return people;
  }
}
