import { CorruptObject, GitError } from "./errors.ts";
import { readLinks } from "./graph/links.ts";
import { peelTags, peelToCommit, peelToTree } from "./graph/peel.ts";
import type { CommitGraph } from "./graph/reader.ts";
import type { ObjectSource } from "./objects/source.ts";
import { isOid, type ObjectType, type Oid } from "./objects/types.ts";
import { isRefName } from "./refs/names.ts";
import type { RefStore } from "./refs/types.ts";

/** The text names nothing here, or its syntax is not supported. */
export class UnknownRevision extends GitError {
  override name = "UnknownRevision";
  constructor(readonly revision: string) {
    super(`unknown revision: ${revision.slice(0, 200)}`);
  }
}

/** The text is an ambiguous abbreviation of several ids. */
export class AmbiguousRevision extends GitError {
  override name = "AmbiguousRevision";
  constructor(
    readonly revision: string,
    readonly candidates: readonly Oid[],
  ) {
    super(`revision ${revision} is ambiguous`);
  }
}

export interface Resolved {
  readonly oid: Oid;
  readonly type: ObjectType;
  /** The full name of the ref, if the text was just a ref name. */
  readonly ref?: string;
}

/** The ref operations needed to resolve revisions. */
export type RefLookup = Pick<RefStore, "resolve" | "head">;

const MAX_LENGTH = 1024;
/**
 * Longer walks by `~`, summed over one text, are an attack or a mistake: a step through a commit-graph takes a tenth of
 * a microsecond, one that reads the commit twenty. Only recently pushed commits are in no graph.
 */
const MAX_STEPS = 100_000;
const MAX_STEPS_READ = 2_000;
const MAX_CANDIDATES = 16;

/**
 * Resolves a revision as in gitrevisions(7): a ref (`main`, `tags/v1`, `refs/heads/x`, `HEAD`, `@`), a full or
 * abbreviated id (at least 4 digits), then any of `^`, `^2`, `~3`, `^{commit}`, `^{tree}`, `^{}`. Searches (`:/text`,
 * `^{/text}`), the reflog (`@{1}`), ranges and `rev:path` are not supported.
 * @param kind if an abbreviated id is ambiguous, take the only candidate that is, or peels to, this kind
 * @param graph the repository's, which speeds up long walks by `~`
 * @throws UnknownRevision, AmbiguousRevision; CorruptObject if an object on the way is missing
 */
export function resolveRevision(
  store: ObjectSource,
  refs: RefLookup,
  revision: string,
  kind?: "commit" | "tree" | "blob",
  graph?: CommitGraph,
): Resolved {
  const unknown = () => new UnknownRevision(revision);
  if (revision.length > MAX_LENGTH) throw unknown();
  const parsed = /^(@|[^\x00-\x20\x7f~^:?*[\\]+)((?:\^\{[a-z]*\}|\^\d*|~\d*)*)$/.exec(revision);
  if (!parsed) throw unknown();
  const name = parsed[1]!;
  const suffixes = parsed[2]!.match(/\^\{[a-z]*\}|\^\d*|~\d*/g) ?? [];
  const first = suffixes[0];
  const base = resolveName(store, refs, name, first && !first.startsWith("^{") ? "commit" : kind);
  if (base?.ref !== undefined && !store.has(base.oid)) throw new CorruptObject(`object ${base.oid} is missing`);
  let oid = base?.oid;
  const walk = new AncestorWalk(store, graph);
  for (const suffix of suffixes) oid = oid && follow(store, walk, oid, suffix);
  const type = oid ? store.header(oid)?.type : undefined;
  if (!oid || !type) throw unknown();
  return { oid, type, ...(base?.ref !== undefined && suffixes.length === 0 ? { ref: base.ref } : {}) };
}

/**
 * As `resolveRevision`, then peels tags to a commit.
 * @throws UnknownRevision (also if the object is not a commit), AmbiguousRevision
 */
export function resolveCommit(store: ObjectSource, refs: RefLookup, revision: string, graph?: CommitGraph): Resolved {
  const found = resolveRevision(store, refs, revision, "commit", graph);
  const oid = peelToCommit(store, found.oid);
  if (!oid) throw new UnknownRevision(revision);
  return { ...found, oid, type: "commit" };
}

function resolveName(
  store: ObjectSource,
  refs: RefLookup,
  name: string,
  kind: "commit" | "tree" | "blob" | undefined,
): { oid: Oid; ref?: string } | undefined {
  const lower = name.toLowerCase();
  if (isOid(lower) && lower.length === store.format.oidDigits) return store.has(lower) ? { oid: lower } : undefined;
  if (name === "HEAD" || name === "@") {
    const ref = refs.resolve(refs.head());
    return ref ? { oid: ref.oid, ref: ref.name } : undefined;
  }
  if (isRefName(name, { allowOneLevel: true })) {
    for (const full of candidates(name)) {
      const ref = refs.resolve(full);
      if (ref) return { oid: ref.oid, ref: ref.name };
    }
  }
  return abbreviated(store, lower, kind);
}

function candidates(name: string): string[] {
  const places = [`refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`];
  return name.startsWith("refs/") ? [name, ...places] : places;
}

function abbreviated(
  store: ObjectSource,
  prefix: string,
  kind: "commit" | "tree" | "blob" | undefined,
): { oid: Oid } | undefined {
  if (!/^[0-9a-f]{4,}$/.test(prefix) || prefix.length >= store.format.oidDigits) return undefined;
  const found = store.findByPrefix(prefix, MAX_CANDIDATES);
  if (found.length === 1) return { oid: found[0]! };
  if (found.length === 0) return undefined;
  const fitting = kind ? found.filter((oid) => leadsTo(store, oid, kind)) : found;
  if (fitting.length === 1 && found.length < MAX_CANDIDATES) return { oid: fitting[0]! };
  throw new AmbiguousRevision(prefix, found);
}

function leadsTo(store: ObjectSource, oid: Oid, kind: "commit" | "tree" | "blob"): boolean {
  const target = peelTags(store, oid);
  const type = target && store.header(target)?.type;
  return type === kind || (kind === "tree" && type === "commit");
}

/** Applies one suffix; undefined if there is nothing. */
function follow(store: ObjectSource, walk: AncestorWalk, oid: Oid, suffix: string): Oid | undefined {
  if (suffix.startsWith("^{")) return peelTo(store, oid, suffix.slice(2, -1));
  const count = suffix.length === 1 ? 1 : Number(suffix.slice(1));
  const at = peelToCommit(store, oid);
  if (suffix.startsWith("^")) {
    if (count === 0 || !at) return at;
    return readLinks(store, at)?.parents[count - 1];
  }
  return at && walk.firstParents(at, count);
}

/** Follows first parents, with a limit on the total steps of one text. */
class AncestorWalk {
  private steps = 0;
  private read = 0;

  constructor(
    private readonly store: ObjectSource,
    private readonly graph: CommitGraph | undefined,
  ) {}

  /** The commit `count` first parents away; undefined if there is none, or it is too far. */
  firstParents(from: Oid, count: number): Oid | undefined {
    this.steps += count;
    if (this.steps > MAX_STEPS) return undefined;
    let at: Oid | undefined = from;
    for (let left = count; left > 0 && at; left--) {
      const position = this.graph?.positionOf(at) ?? -1;
      if (this.graph && position >= 0) return this.through(this.graph, position, left);
      if (++this.read > MAX_STEPS_READ) return undefined;
      at = readLinks(this.store, at)?.parents[0];
    }
    return at;
  }

  /** A graph that holds a commit holds all its ancestors. */
  private through(graph: CommitGraph, from: number, count: number): Oid | undefined {
    let position = from;
    for (let left = count; left > 0 && position >= 0; left--) position = graph.firstParentAt(position);
    return position < 0 ? undefined : graph.oidAt(position);
  }
}

function peelTo(store: ObjectSource, oid: Oid, type: string): Oid | undefined {
  if (type === "object") return oid;
  if (type === "tag") return store.header(oid)?.type === "tag" ? oid : undefined;
  if (type === "tree") return peelToTree(store, oid);
  const target = peelTags(store, oid);
  if (!target || type === "") return target;
  return store.header(target)?.type === type ? target : undefined;
}
