import type { Oid } from "../objects/types.ts";
import type { Ref } from "../refs/types.ts";

/** The names that are shown next to a commit, in the order in which they are shown. */
export interface Decoration {
  readonly kind: "head" | "branch" | "remote" | "tag" | "stash" | "other";
  /** As it is shown: `main`, `v1`, `HEAD`. */
  readonly name: string;
  /** The branch HEAD names, when it is shown with it: `HEAD -> main`. */
  readonly pointsTo?: string;
  /** Full name. */
  readonly ref: string;
}

export interface DecorationSource {
  /** Sorted by name. */
  readonly refs: readonly Ref[];
  /** What HEAD is; undefined when it leads nowhere. */
  readonly head?: { readonly oid: Oid; readonly ref?: string } | undefined;
  /** Commits that a shallow clone ends at. */
  readonly shallow?: Iterable<Oid> | undefined;
  /** Whether objects may be replaced: `refs/replace/` then says of which to tell. */
  readonly replaces?: boolean | undefined;
}

const REPLACE = "refs/replace/";

const PLACES: readonly (readonly [prefix: string, kind: Decoration["kind"]])[] = [
  ["refs/heads/", "branch"],
  ["refs/remotes/", "remote"],
  ["refs/tags/", "tag"],
];

export interface DecorationOptions {
  /** Show whole names, as `--decorate=full`. */
  readonly full?: boolean;
  /** Show refs anywhere below `refs/`, too. */
  readonly everywhere?: boolean;
}

/**
 * What each object is decorated with, as `git log --decorate` does by default: HEAD, branches, remote ones, tags and
 * the stash. Tags decorate what they lead to, and themselves.
 */
export function decorationsOf(
  { refs, head, shallow, replaces }: DecorationSource,
  { full = false, everywhere = false }: DecorationOptions = {},
): Map<Oid, Decoration[]> {
  const found = new Map<Oid, Decoration[]>();
  const add = (oid: Oid, decoration: Decoration) => {
    const existing = found.get(oid);
    if (existing) existing.push(decoration);
    else found.set(oid, [decoration]);
  };
  // git puts each new name before the others.
  for (const ref of refs.toReversed()) {
    if (replaces && ref.name.startsWith(REPLACE))
      add(ref.name.slice(REPLACE.length), { kind: "other", name: "replaced", ref: ref.name });
    const place = PLACES.find(([prefix]) => ref.name.startsWith(prefix));
    const kind = place?.[1] ?? (ref.name === "refs/stash" ? "stash" : everywhere ? "other" : undefined);
    if (!kind) continue;
    const name = full || !place ? ref.name : ref.name.slice(place[0].length);
    const decoration: Decoration = { kind, name, ref: ref.name };
    add(ref.oid, decoration);
    if (ref.peeled && ref.peeled !== ref.oid) add(ref.peeled, decoration);
  }
  if (head) {
    const own = found.get(head.oid) ?? [];
    const branch = own.find((decoration) => decoration.ref === head.ref);
    const first: Decoration = {
      kind: "head",
      name: "HEAD",
      ref: "HEAD",
      ...(branch ? { pointsTo: branch.name } : {}),
    };
    found.set(head.oid, [first, ...own.filter((decoration) => decoration !== branch)]);
  }
  for (const oid of shallow ?? [])
    found.set(oid, [{ kind: "other", name: "grafted", ref: "grafted" }, ...(found.get(oid) ?? [])]);
  return found;
}

/** `HEAD -> main, tag: v1, next` */
export function decorationText(decorations: readonly Decoration[]): string {
  return decorations
    .map(({ kind, name, pointsTo }) => {
      if (kind === "tag") return `tag: ${name}`;
      return pointsTo === undefined ? name : `${name} -> ${pointsTo}`;
    })
    .join(", ");
}
