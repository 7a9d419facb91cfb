import type { Oid } from "../objects/types.ts";
import type { Ref } from "../refs/types.ts";

/** A name shown next to a commit. */
export interface Decoration {
  readonly kind: "head" | "branch" | "remote" | "tag" | "stash" | "other";
  /** The displayed name: `main`, `v1`, `HEAD`. */
  readonly name: string;
  /** The branch HEAD points to, if shown together: `HEAD -> main`. */
  readonly pointsTo?: string;
  /** Full name. */
  readonly ref: string;
}

export interface DecorationSource {
  /** Sorted by name. */
  readonly refs: readonly Ref[];
  /** The target of HEAD; undefined when it does not resolve. */
  readonly head?: { readonly oid: Oid; readonly ref?: string } | undefined;
  /** Commits at which a shallow clone ends. */
  readonly shallow?: Iterable<Oid> | undefined;
  /** Whether object replacement is enabled, so that objects in `refs/replace/` are shown as replaced. */
  readonly replaces?: boolean | undefined;
}

const REPLACE = "refs/replace/";

const PLACES: readonly (readonly [prefix: string, kind: Decoration["kind"]])[] = [
  ["refs/heads/", "branch"],
  ["refs/remotes/", "remote"],
  ["refs/tags/", "tag"],
];

export interface DecorationOptions {
  /** Show full names, as with `--decorate=full`. */
  readonly full?: boolean;
  /** Also show refs anywhere else below `refs/`. */
  readonly everywhere?: boolean;
}

/**
 * The decorations of each object, as in `git log --decorate` by default: HEAD, branches, remote branches, tags and
 * the stash. Tags decorate both themselves and their targets.
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
  // git prepends each new name.
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
