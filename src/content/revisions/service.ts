import { CorruptObject } from "../../git/errors.ts";
import type { CommitGraph } from "../../git/graph/reader.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { isOid } from "../../git/objects/types.ts";
import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import {
  AmbiguousRevision,
  type Resolved,
  resolveCommit,
  resolveRevision,
  UnknownRevision,
} from "../../git/revisions.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Reachability } from "../../repos/refs/reachability.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { RenamedBranches } from "../branches/renamed-store.ts";
import type { HistoryService } from "../history/service.ts";
import { NamedObjects } from "./named-objects.ts";

/** The resolved ref of a request. */
export interface NamedCommit {
  readonly kind: "branch" | "tag" | "commit";
  /** Short name of the branch or tag, or the full id. */
  readonly name: string;
  readonly commit: Oid;
}

/** The revision named by the first segments of a path, and the number of those segments. */
export interface Leading {
  readonly value: NamedCommit;
  readonly count: number;
}

/**
 * Resolves the commits named in requests (contract git-content.md 2.1 and 2.2). An id names an object only if it is
 * reachable from a ref visible to clients. That may have to be determined first: work that reads revisions runs within
 * `settled`, as every GET does.
 */
export class RevisionService {
  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly reachability: Reachability,
    private readonly renamed: RenamedBranches,
    private readonly history: HistoryService,
  ) {}

  /** Runs work that names objects by id and has no other effect; repeats it once it is known which may be shown. */
  settled<T>(work: () => T | Promise<T>): Promise<T> {
    return this.storage.reading(work);
  }

  /** Whether an object named by its full id may be shown. @throws Deferred outside of `settled` */
  mayShow({ repo }: SeenRepo, oid: Oid): boolean {
    return this.storage.objects(repo.id).has(oid) && this.reachability.has(repo.id, oid);
  }

  /** @throws CorruptObject if its commit is missing */
  branch(seen: SeenRepo, name: string): NamedCommit | undefined {
    const ref = this.refs.find(seen.repo.id, BRANCHES + name);
    return ref && { kind: "branch", name, commit: this.stored(seen, ref.oid) };
  }

  /** Also undefined for a tag of something other than a commit. @throws CorruptObject if its target is missing */
  tag(seen: SeenRepo, name: string): NamedCommit | undefined {
    const ref = this.refs.find(seen.repo.id, TAGS + name);
    const commit = ref && this.stored(seen, ref.peeled ?? ref.oid);
    if (!commit || this.storage.objects(seen.repo.id).header(commit)?.type !== "commit") return undefined;
    return { kind: "tag", name, commit };
  }

  /** The target of a ref: if it is missing, that does not mean there is no such ref. */
  private stored({ repo }: SeenRepo, oid: Oid): Oid {
    if (!this.storage.objects(repo.id).has(oid)) throw new CorruptObject(`object ${oid} is missing`);
    return oid;
  }

  /** The default branch; undefined while the repository is empty. */
  head(seen: SeenRepo): NamedCommit | undefined {
    return this.branch(seen, seen.repo.defaultBranch);
  }

  /**
   * A branch, a tag or an id, in this order; `HEAD`, full names and abbreviated ids are accepted, too.
   * @param ref empty: the default branch
   * @throws NotFound
   */
  strict(seen: SeenRepo, ref: string): NamedCommit {
    const found = ref === "" ? this.head(seen) : this.named(seen, ref);
    if (!found) throw new NotFound("object.missing", { params: { id: ref || seen.repo.defaultBranch } });
    return found;
  }

  /** Like `strict`, but returns undefined if it does not exist. */
  named(seen: SeenRepo, ref: string): NamedCommit | undefined {
    if (ref === "HEAD") return this.head(seen);
    const simple = this.branch(seen, ref) ?? this.tag(seen, ref);
    if (simple) return simple;
    const found = this.commit(seen, ref);
    if (!found) return undefined;
    if (found.ref?.startsWith(BRANCHES))
      return { kind: "branch", name: found.ref.slice(BRANCHES.length), commit: found.oid };
    if (found.ref?.startsWith(TAGS)) return { kind: "tag", name: found.ref.slice(TAGS.length), commit: found.oid };
    return { kind: "commit", name: found.oid, commit: found.oid };
  }

  /**
   * Splits `ref/and/path`: the shortest prefix that is a branch, otherwise a tag, otherwise an id; if none is, all of
   * it is a path on the default branch.
   * @param ref a ref given separately from the path; unknown ones mean the default branch
   * @throws NotFound if the repository is empty
   */
  lenient(seen: SeenRepo, path: string, ref: string): { at: NamedCommit; path: string } {
    const parts = (ref === "" ? path : `${ref}/${path}`).split("/");
    const found =
      shortest(parts, (name) =>
        name === "HEAD" ? this.head(seen) : (this.branch(seen, name) ?? this.renamedBranch(seen, name)),
      ) ??
      shortest(parts, (name) => this.tag(seen, name)) ??
      this.leadingId(seen, parts);
    if (found) return { at: found.value, path: parts.slice(found.count).join("/") };
    const at = this.head(seen);
    if (!at) throw new NotFound(seen.repo.isEmpty ? "repository.empty" : "ref.missing");
    return { at, path };
  }

  /**
   * The ref named by the first segments of a URL path, and their number: for branches and tags the shortest prefix that
   * is one (git allows no other name to start with it), for commits a full or abbreviated id. `HEAD` is the default
   * branch, and its commit.
   * @param minDigits of an abbreviated id
   */
  leading(seen: SeenRepo, kind: NamedCommit["kind"], parts: readonly string[], minDigits = 7): Leading | undefined {
    if (kind === "branch")
      return shortest(parts, (name) => (name === "HEAD" ? this.head(seen) : this.branch(seen, name)));
    if (kind === "tag") return shortest(parts, (name) => this.tag(seen, name));
    const commit = parts[0] === "HEAD" ? this.head(seen)?.commit : this.byDigits(seen, parts[0] ?? "", minDigits);
    return commit === undefined ? undefined : { value: { kind, name: commit, commit }, count: 1 };
  }

  /** Like `leading`, for any kind: branches before tags before commits. */
  leadingOfAnyKind(seen: SeenRepo, parts: readonly string[]): Leading | undefined {
    return (
      this.leading(seen, "branch", parts) ?? this.leading(seen, "tag", parts) ?? this.leading(seen, "commit", parts)
    );
  }

  /** The branch whose former name is given by the first segments, and their number. */
  leadingFormer(seen: SeenRepo, parts: readonly string[]): Leading | undefined {
    return shortest(parts, (name) => (this.branch(seen, name) ? undefined : this.renamedBranch(seen, name)));
  }

  /** The commit with a full or abbreviated id. undefined if there is none, several, or it is not an id. */
  byDigits(seen: SeenRepo, digits: string, minDigits = 7): Oid | undefined {
    if (digits.length < minDigits || !/^[0-9a-f]{4,64}$/i.test(digits)) return undefined;
    const found = this.commit(seen, digits.toLowerCase());
    return found?.ref === undefined ? found?.oid : undefined;
  }

  /** Resolves any revision to a commit: names, full or abbreviated ids, `~2`, `^`. undefined if none, or several. */
  commit(seen: SeenRepo, revision: string): Resolved | undefined {
    return unlessUnknown(() =>
      resolveCommit(this.source(seen), this.refs.readerOf(seen.repo), revision, this.graphFor(seen, revision)),
    );
  }

  /** Any revision that names an object. */
  object(seen: SeenRepo, revision: string): Resolved | undefined {
    return unlessUnknown(() =>
      resolveRevision(
        this.source(seen),
        this.refs.readerOf(seen.repo),
        revision,
        undefined,
        this.graphFor(seen, revision),
      ),
    );
  }

  /** Only walks need it. */
  private graphFor(seen: SeenRepo, revision: string): CommitGraph | undefined {
    return revision.includes("~") ? this.history.graph(seen) : undefined;
  }

  private renamedBranch(seen: SeenRepo, name: string): NamedCommit | undefined {
    const present = this.renamed.presentName(seen.repo.id, name);
    return present === undefined ? undefined : this.branch(seen, present);
  }

  /** The objects as seen by name resolution: an id that may not be shown does not exist. */
  private source({ repo }: SeenRepo): ObjectSource {
    const objects = this.storage.objects(repo.id);
    return new NamedObjects(objects, (oids) => this.reachability.only(repo.id, oids));
  }

  private leadingId(seen: SeenRepo, [id = ""]: readonly string[]): Leading | undefined {
    if (!isOid(id) || this.storage.objects(seen.repo.id).header(id)?.type !== "commit") return undefined;
    if (!this.mayShow(seen, id)) return undefined;
    return { value: { kind: "commit", name: id, commit: id }, count: 1 };
  }
}

/** A ref name has at most 255 characters, so no more segments than that need to be tried. */
const MAX_SEGMENTS = 128;

function shortest(parts: readonly string[], find: (name: string) => NamedCommit | undefined): Leading | undefined {
  for (let count = 1; count <= Math.min(parts.length, MAX_SEGMENTS); count++) {
    const value = find(parts.slice(0, count).join("/"));
    if (value) return { value, count };
  }
  return undefined;
}

function unlessUnknown<T>(resolve: () => T): T | undefined {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof UnknownRevision || error instanceof AmbiguousRevision) return undefined;
    throw error;
  }
}
