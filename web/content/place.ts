import { MAX_PATH_DEPTH } from "../../src/content/paths.ts";
import type { NamedCommit } from "../../src/content/revisions/service.ts";
import { decodeSegment } from "../../src/http/path.ts";
import { type Call, param } from "../../src/http/route.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { RefKind, RefName } from "../links.ts";
import { homeOf } from "../repos/frame.ts";

/** Pages that are about a path at a branch, tag or commit: `src/branch/main/docs/a.md`. */
export type PlacePage = "src" | "raw" | "media" | "commits" | "tree-list" | "blame";

/** What such an address names. */
export interface Place {
  readonly seen: SeenRepo;
  /** The branch, tag or commit, and the commit it stands for. */
  readonly at: NamedCommit;
  /** The same as it stands in addresses. */
  readonly ref: RefName;
  /** Names as git has them, joined by slashes; empty for the root. */
  readonly path: string;
}

/**
 * Reads the `*` of `/:owner/:repo/<page>/<kind>/*`: the name of a branch or tag may hold slashes, so the shortest
 * beginning that is one counts (git lets no other name begin with it).
 * @throws NotFound; Redirected to the present name of a renamed branch
 */
export function placeOf(services: WebServices, call: Call, page: PlacePage, kind: RefKind): Place {
  const seen = seenRepo(call);
  const raw = rawSegments(call);
  const parts = raw.map(decodeSegment);
  const found = kind === "commit" ? byId(services, seen, parts) : byName(services, seen, kind, parts);
  if (found) {
    const ref = { kind, name: kind === "commit" ? (parts[0] ?? "") : found.at.name };
    return { seen, at: found.at, ref, path: pathOf(parts.slice(found.count)) };
  }
  if (kind === "branch") throw renamed(services, seen, call, page, raw, parts);
  throw new NotFound();
}

/** The segments of the `*`, still escaped: an escaped slash does not separate. A slash at the end is dropped. */
export function rawSegments(call: Call): string[] {
  const raw = param(call, "raw*").split("/");
  if (raw.at(-1) === "") raw.pop();
  return raw;
}

/** @throws NotFound what no tree can hold */
export function pathOf(parts: readonly string[]): string {
  if (parts.length > MAX_PATH_DEPTH) throw new NotFound();
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("/"))) throw new NotFound();
  return parts.join("/");
}

function byName(
  services: WebServices,
  { repo }: SeenRepo,
  kind: "branch" | "tag",
  parts: readonly string[],
): { at: NamedCommit; count: number } | undefined {
  for (let count = 1; count <= Math.min(parts.length, 128); count++) {
    const name = parts.slice(0, count).join("/");
    const at = kind === "branch" ? services.revisions.branch(repo, name) : services.revisions.tag(repo, name);
    if (at) return { at, count };
  }
  return undefined;
}

function byId(
  services: WebServices,
  { repo }: SeenRepo,
  parts: readonly string[],
): { at: NamedCommit; count: number } | undefined {
  const commit = commitOf(services, repo, parts[0] ?? "");
  return commit === undefined ? undefined : { at: { kind: "commit", name: commit, commit }, count: 1 };
}

/** The commit of an id, or of the beginning of one with at least seven digits. */
export function commitOf(services: WebServices, repo: SeenRepo["repo"], id: string): string | undefined {
  if (!/^[0-9a-f]{7,64}$/i.test(id)) return undefined;
  const found = services.revisions.commit(repo, id.toLowerCase());
  return found?.ref === undefined ? found?.oid : undefined;
}

function renamed(
  services: WebServices,
  seen: SeenRepo,
  call: Call,
  page: PlacePage,
  raw: readonly string[],
  parts: readonly string[],
): Error {
  for (let count = 1; count <= Math.min(parts.length, 128); count++) {
    const present = services.branches.renamedTo(seen.repo, parts.slice(0, count).join("/"));
    if (present !== undefined)
      return new Redirected(303, typed(seen, page, "branch", present, raw.slice(count)) + queryOf(call));
  }
  return new NotFound();
}

/** An address with its kind; `rest` keeps the escaping it came with. */
function typed(seen: SeenRepo, page: PlacePage, kind: RefKind, name: string, rest: readonly string[]): string {
  return homeOf(seen, [page, kind, segments(name), ...rest].join("/"));
}

export function queryOf(call: Call): string {
  return call.target.slice(call.path.length);
}

/**
 * Where an address without a kind leads: to the branch, else the tag, else the commit that its beginning names, else to
 * the whole as a path of the default branch (contract web.md 3.4).
 */
export function typedAddress(services: WebServices, call: Call, page: PlacePage): string {
  const seen = seenRepo(call);
  const raw = rawSegments(call);
  const parts = raw.map(decodeSegment);
  for (const kind of ["branch", "tag"] as const) {
    const found = byName(services, seen, kind, parts);
    if (found) return typed(seen, page, kind, found.at.name, raw.slice(found.count)) + queryOf(call);
  }
  const id = byId(services, seen, parts);
  if (id) return typed(seen, page, "commit", parts[0] ?? "", raw.slice(1)) + queryOf(call);
  return typed(seen, page, "branch", seen.repo.defaultBranch, raw) + queryOf(call);
}
