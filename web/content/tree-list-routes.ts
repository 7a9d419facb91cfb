import { peelToTree } from "../../src/git/graph/peel.ts";
import { isFolder, MODE_GITLINK } from "../../src/git/objects/tree.ts";
import { walkTree } from "../../src/git/trees.ts";
import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { WeightedLru } from "../../src/kernel/lru.ts";
import type { RefKind } from "../links.ts";
import { readCode } from "./access.ts";
import { placeOf } from "./place.ts";
import type { Sources } from "./sources.ts";

/** The finder of a larger repository finds among its first files. */
const MOST_PATHS = 50_000;
const CACHE_BYTES = 16 * 1024 * 1024;
const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];

/** All paths of a commit, for "Go to file". */
export function treeListPages(sources: Sources): Route[] {
  const known = new WeightedLru<string, string>(CACHE_BYTES, (text) => text.length * 2);
  return KINDS.map((kind) => ({
    method: "GET",
    path: `/:owner/:repo/tree-list/${kind}/*`,
    surface: "page",
    access: readCode,
    handle: (call) => treeList(sources, call, kind, known),
  }));
}

function treeList({ services }: Sources, call: Call, kind: RefKind, known: WeightedLru<string, string>): Response {
  const { seen, at, path } = placeOf(services, call, "tree-list", kind);
  if (path !== "") throw new NotFound();
  const key = `${seen.repo.id} ${at.commit}`;
  const before = known.get(key);
  if (before !== undefined) return new Response(before, { headers: { "content-type": "application/json" } });
  const objects = services.storage.objects(seen.repo.id);
  const tree = peelToTree(objects, at.commit);
  if (tree === undefined) throw new NotFound();
  const paths: string[] = [];
  for (const entry of walkTree(objects, tree)) {
    if (isFolder(entry.mode) || entry.mode === MODE_GITLINK) continue;
    paths.push(entry.path.toWellFormed());
    if (paths.length >= MOST_PATHS) break;
  }
  known.set(key, JSON.stringify(paths));
  return json(paths);
}
