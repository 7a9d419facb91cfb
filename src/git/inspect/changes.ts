import { diffTrees, TreeTooLarge } from "../diff/tree.ts";
import type { Commits } from "../graph/commits.ts";
import { isAncestor } from "../history/ancestry.ts";
import { log } from "../history/log.ts";
import { parseCommit, signedPayload } from "../objects/commit.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { parseTagLink, signedTagPayload } from "../objects/tag.ts";
import type { Oid } from "../objects/types.ts";
import { compileGlob } from "../patterns/rule-glob.ts";
import type { RefChange } from "../refs/types.ts";
import {
  type ChangeFacts,
  type Fact,
  type InspectLimits,
  MAX_MESSAGE,
  type NewCommit,
  type PathMatch,
  type PathQuery,
} from "./facts.ts";

/** Maximum number of nested tags that are followed. */
const MAX_PEELED = 20;

/** Aborts the inspection of one change because it exceeds the limits. */
class Overrun extends Error {
  constructor(readonly what: NonNullable<ChangeFacts["overrun"]>) {
    super(what);
  }
}

/** Inspects changes of refs whose objects can be read but are not permanently stored yet. */
export class ChangeInspector {
  /** @param knownTips the tips of all existing refs; a new ref brings whatever is not reachable from any of them */
  constructor(
    private readonly objects: ObjectSource,
    private readonly commits: Commits,
    private readonly knownTips: readonly Oid[],
    private readonly limits: InspectLimits,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws CorruptObject if an object is missing */
  inspect(change: RefChange, facts: readonly Fact[], queries: readonly PathQuery[] = []): ChangeFacts {
    const oldCommit = this.commitOf(change.oldOid);
    const newCommit = this.commitOf(change.newOid);
    try {
      return {
        ...(facts.includes("forced") ? { isForced: this.isForced(oldCommit, newCommit) } : {}),
        ...(facts.includes("commits") ? this.commitFacts(change, oldCommit, newCommit) : {}),
        ...this.pathFacts(oldCommit, newCommit, facts.includes("paths"), queries),
      };
    } catch (error) {
      if (error instanceof Overrun) return { overrun: error.what };
      throw error;
    }
  }

  /** One path for each of these blobs, if the changes contain it. */
  pathsOf(blobs: ReadonlySet<Oid>, changes: readonly RefChange[]): Map<Oid, string> {
    const found = new Map<Oid, string>();
    try {
      for (const change of changes) {
        const newCommit = this.commitOf(change.newOid);
        if (newCommit === undefined) continue;
        for (const oid of this.newCommits(this.commitOf(change.oldOid), newCommit)) {
          if (found.size === blobs.size) return found;
          const { tree, parents } = this.links(oid);
          const before = parents[0] === undefined ? undefined : this.links(parents[0]).tree;
          this.diff(before, tree, (path, newOid) => {
            if (newOid !== undefined && blobs.has(newOid) && !found.has(newOid)) found.set(newOid, path);
          });
        }
      }
    } catch (error) {
      if (!(error instanceof Overrun)) throw error;
    }
    return found;
  }

  private isForced(oldCommit: Oid | undefined, newCommit: Oid | undefined): boolean {
    if (oldCommit === undefined || newCommit === undefined) return false;
    return !isAncestor(this.commits, oldCommit, newCommit);
  }

  private commitFacts(
    { newOid }: RefChange,
    oldCommit: Oid | undefined,
    newCommit: Oid | undefined,
  ): Pick<ChangeFacts, "commits" | "signedTag"> {
    const tag = newOid === null ? undefined : this.objects.read(newOid);
    const signedTag = tag?.type === "tag" ? signedTagPayload(tag.data) : undefined;
    const commits: NewCommit[] = [];
    let bytes = 0;
    for (const oid of newCommit === undefined ? [] : this.newCommits(oldCommit, newCommit)) {
      const object = this.objects.read(oid);
      if (object?.type !== "commit") continue;
      bytes += object.data.length;
      if (bytes > this.limits.commitBytes) throw new Overrun("commits");
      const { message, author, committer } = parseCommit(object.data);
      const signed = signedPayload(object.data);
      commits.push({
        oid,
        message: message.slice(0, MAX_MESSAGE),
        authorEmail: author.email,
        committerEmail: committer.email,
        ...(signed ? { signed: { payload: signed.payload.slice(), signature: signed.signature } } : {}),
      });
    }
    return { commits, ...(signedTag ? { signedTag: { ...signedTag, payload: signedTag.payload.slice() } } : {}) };
  }

  private pathFacts(
    oldCommit: Oid | undefined,
    newCommit: Oid | undefined,
    areTold: boolean,
    queries: readonly PathQuery[],
  ): Pick<ChangeFacts, "paths" | "pathMatches"> {
    if (!areTold && queries.length === 0) return {};
    const paths = [...this.paths(oldCommit, newCommit)];
    const pathMatches: Record<string, PathMatch> = {};
    for (const { key, globs } of queries) pathMatches[key] = this.match(paths, globs);
    return { ...(areTold ? { paths } : {}), ...(queries.length > 0 ? { pathMatches } : {}) };
  }

  private match(paths: readonly string[], globs: readonly string[]): PathMatch {
    const compiled = globs.map((glob) => compileGlob(glob.toLowerCase(), "./"));
    let matching: string | undefined;
    let other: string | undefined;
    for (const path of paths) {
      if (matching !== undefined && other !== undefined) break;
      this.signal.throwIfAborted();
      const folded = path.toLowerCase();
      if (compiled.some((glob) => glob.matches(folded))) matching ??= path;
      else other ??= path;
    }
    return { matching, other };
  }

  /**
   * The paths of an update are those that differ between its ends. The paths of a new ref are those changed by its new
   * commits, each compared with its parents: for a merge, the paths that differ from all of them.
   */
  private paths(oldCommit: Oid | undefined, newCommit: Oid | undefined): Set<string> {
    const paths = new Set<string>();
    const add = (path: string) => {
      if (paths.size === this.limits.paths) throw new Overrun("paths");
      paths.add(path);
    };
    if (newCommit === undefined) return paths;
    if (oldCommit !== undefined) {
      this.diff(this.links(oldCommit).tree, this.links(newCommit).tree, add);
      return paths;
    }
    for (const oid of this.newCommits(undefined, newCommit)) {
      const { tree, parents } = this.links(oid);
      if (parents.length < 2) {
        this.diff(parents[0] === undefined ? undefined : this.links(parents[0]).tree, tree, add);
        continue;
      }
      const [first, ...others] = parents.map((parent) => this.pathsBetween(this.links(parent).tree, tree));
      for (const path of first ?? []) if (others.every((other) => other.has(path))) add(path);
    }
    return paths;
  }

  private pathsBetween(before: Oid, after: Oid): Set<string> {
    const paths = new Set<string>();
    this.diff(before, after, (path) => {
      if (paths.size === this.limits.paths) throw new Overrun("paths");
      paths.add(path);
    });
    return paths;
  }

  private diff(before: Oid | undefined, after: Oid, visit: (path: string, newOid: Oid | undefined) => void): void {
    this.signal.throwIfAborted();
    try {
      diffTrees(
        this.objects,
        before,
        after,
        ({ path, newOid }) => {
          visit(decodeName(Buffer.from(path, "latin1")), newOid);
          return true;
        },
        { maxTrees: this.limits.trees },
      );
    } catch (error) {
      if (error instanceof TreeTooLarge) throw new Overrun("paths");
      throw error;
    }
  }

  private newCommits(oldCommit: Oid | undefined, newCommit: Oid): readonly Oid[] {
    const not = oldCommit === undefined ? this.knownCommits() : [oldCommit];
    const { oids, more } = log(this.commits, { tips: [newCommit], not }, 0, this.limits.commits);
    if (more) throw new Overrun("commits");
    return oids;
  }

  private cached: readonly Oid[] | undefined;

  private knownCommits(): readonly Oid[] {
    this.cached ??= [...new Set(this.knownTips.flatMap((oid) => this.commitOf(oid) ?? []))];
    return this.cached;
  }

  /** The commit that an id peels to; undefined if there is none. */
  private commitOf(oid: Oid | null): Oid | undefined {
    let at = oid;
    for (let depth = 0; at !== null && depth < MAX_PEELED; depth++) {
      const type = this.objects.header(at)?.type;
      if (type === "commit") return at;
      const tag = type === "tag" ? this.objects.read(at) : undefined;
      if (!tag) return undefined;
      at = parseTagLink(tag.data).object;
    }
    return undefined;
  }

  private links(commit: Oid) {
    const position = this.commits.positionOf(commit);
    const tree = this.commits.treeOf(position);
    return { tree, parents: this.commits.parentsOf(position).map((parent) => this.commits.oidOf(parent)) };
  }
}
