import { readCode } from "../../src/content/access.ts";
import { type PathsRequest, pathsJson } from "../../src/content/files/paths.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { type Cache, textBytes } from "../../src/kernel/cache.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { RefKind } from "../links.ts";
import { placeOf } from "./place.ts";
import type { Sources } from "./sources.ts";

/** In a larger repository the finder searches only this many files. */
const MAX_PATHS = 50_000;
/** Size of trees with some thousand entries. */
const QUICK_TREE_BYTES = 64 * 1024;
const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];

/** All paths of a commit, for "Go to file". */
export function treeListPages(sources: Sources): Route[] {
  const texts = sources.services.caches.cache<string, string>(textBytes);
  return KINDS.map((kind) => ({
    method: "GET",
    path: `/:owner/:repo/tree-list/${kind}/*`,
    surface: "page",
    access: readCode,
    handle: (call) => treeList(sources, call, kind, texts),
  }));
}

async function treeList(
  { services }: Sources,
  call: Call,
  kind: RefKind,
  texts: Cache<string, string>,
): Promise<Response> {
  const { seen, at, path } = placeOf(services, call, "tree-list", kind);
  if (path !== "") throw new NotFound();
  const key = `${seen.repo.id} ${at.commit}`;
  let text = texts.get(key);
  if (text === undefined) {
    const { oid } = services.files.entry(seen, at.commit, "");
    text = await pathsOf(services, seen, oid);
    texts.set(key, text);
  }
  return new Response(text, { headers: { "content-type": "application/json;charset=utf-8" } });
}

/** The paths of a tree's files as JSON. Uses a worker for all but short histories and a few hundred paths. */
export function pathsOf(
  { history, pool, storage }: Sources["services"],
  seen: SeenRepo,
  tree: Oid,
  named?: PathsRequest["named"],
): Promise<string> {
  const request = { tree, limit: MAX_PATHS, ...(named ? { named } : {}) };
  return history.quickly(
    seen,
    (objects) => pathsJson(objects, request),
    () => pool.run("content.paths", { repoDir: storage.dirOf(seen.repo.id), ...request }),
    QUICK_TREE_BYTES,
  );
}
