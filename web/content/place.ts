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

/** Pages that are about a path at a branch, tag or commit: `src/branch/main/docs/a.md`. */
export type PlacePage = "src" | "raw" | "media" | "commits" | "find" | "tree-list" | "tree-view" | "blame" | "render";

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
  const found = services.revisions.leadingOfAnyKind(seen, parts);
  if (found) {
    const { kind, name } = found.value;
    const shown = kind === "commit" ? (parts[0] ?? "") : name;
    return typed(seen, page, kind, shown, raw.slice(found.count)) + queryOf(call);
  }
  return typed(seen, page, "branch", seen.repo.defaultBranch, raw) + queryOf(call);
}
