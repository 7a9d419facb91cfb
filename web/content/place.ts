import type { NamedCommit } from "../../src/content/revisions/service.ts";
import { MAX_PATH_DEPTH } from "../../src/content/values.ts";
import { decodeSegment } from "../../src/http/path.ts";
import { type Call, param } from "../../src/http/route.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { RefKind, RefName } from "../links.ts";
import { homeOf } from "../repos/frame.ts";

/** Pages about a path at a branch, tag or commit: `src/branch/main/docs/a.md`. */
export type PlacePage = "src" | "raw" | "media" | "commits" | "find" | "tree-list" | "tree-view" | "blame" | "render";

/** What such a URL names. */
export interface Place {
  readonly seen: SeenRepo;
  /** The branch, tag or commit, and the commit it resolves to. */
  readonly at: NamedCommit;
  /** The same as it appears in URLs. */
  readonly ref: RefName;
  /** Names as in git, joined by slashes; empty for the root. */
  readonly path: string;
}

/**
 * Parses the `*` of `/:owner/:repo/<page>/<kind>/*`: branch and tag names may contain slashes, so the shortest prefix
 * that is an existing ref wins (git allows no other ref name to begin with it).
 * @throws NotFound; Redirected to the current name of a renamed branch
 */
export function placeOf(services: WebServices, call: Call, page: PlacePage, kind: RefKind): Place {
  const seen = seenRepo(call);
  const raw = rawSegments(call);
  const parts = raw.map(decodeSegment);
  const found = services.revisions.leading(seen, kind, parts);
  if (found) {
    const [first = ""] = parts;
    const ref = { kind, name: kind === "commit" && first !== "HEAD" ? first : found.value.name };
    return { seen, at: found.value, ref, path: pathOf(parts.slice(found.count)) };
  }
  const former = kind === "branch" ? services.revisions.leadingFormer(seen, parts) : undefined;
  if (!former) throw new NotFound();
  const present = typed(seen, page, "branch", former.value.name, raw.slice(former.count));
  throw new Redirected(303, present + queryOf(call));
}

/** The segments of the `*`, still escaped: an escaped slash does not separate. Drops a trailing slash. */
export function rawSegments(call: Call): string[] {
  const raw = param(call, "raw*").split("/");
  if (raw.at(-1) === "") raw.pop();
  return raw;
}

/** @throws NotFound for a path that no tree can contain */
export function pathOf(parts: readonly string[]): string {
  if (parts.length > MAX_PATH_DEPTH) throw new NotFound();
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("/"))) throw new NotFound();
  return parts.join("/");
}

/** A URL with its kind; `rest` keeps its original escaping. */
function typed(seen: SeenRepo, page: PlacePage, kind: RefKind, name: string, rest: readonly string[]): string {
  return homeOf(seen, [page, kind, segments(name), ...rest].join("/"));
}

export function queryOf(call: Call): string {
  return call.target.slice(call.path.length);
}

/**
 * The target of a URL without a kind: the branch, else the tag, else the commit that its prefix names, else the whole
 * as a path on the default branch (contract web.md 3.4).
 */
export function typedAddress(services: WebServices, call: Call, page: PlacePage): string {
  const seen = seenRepo(call);
  const raw = rawSegments(call);
  const parts = raw.map(decodeSegment);
  const found = services.revisions.leadingOfAnyKind(seen, parts);
  if (found) {
    const { kind, name } = found.value;
    const shown = kind === "commit" ? (parts[0] ?? "") : name;
    return typed(seen, page, kind, shown, raw.slice(found.count)) + queryOf(call);
  }
  return typed(seen, page, "branch", seen.repo.defaultBranch, raw) + queryOf(call);
}
