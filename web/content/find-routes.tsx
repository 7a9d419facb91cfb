import { readCode } from "../../src/content/access.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { RefKind } from "../links.ts";
import { shellOf, show } from "../visit.ts";
import { best } from "./client/fuzzy.ts";
import { FindPage } from "./find.tsx";
import { placeOf } from "./place.ts";
import type { Sources } from "./sources.ts";
import { pathsOf } from "./tree-list-routes.ts";

const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];
const SHOWN = 100;
const MAX_TYPED = 200;

/** "Go to file" as a page, for browsers without JavaScript. */
export function findPages(sources: Sources): Route[] {
  return KINDS.map((kind) => ({
    method: "GET",
    path: `/:owner/:repo/find/${kind}/*`,
    surface: "page",
    access: readCode,
    handle: (call) => findFile(sources, call, kind),
  }));
}

async function findFile(sources: Sources, call: Call, kind: RefKind): Promise<Response> {
  const { services } = sources;
  const { seen, at, ref, path } = placeOf(services, call, "find", kind);
  if (path !== "") throw new NotFound();
  const typed = (call.query.get("q") ?? "").slice(0, MAX_TYPED);
  const [frame, json] = await Promise.all([
    sources.frame(seen),
    typed.trim() === "" ? "[]" : pathsOf(services, seen, sources.root(seen, at.commit).oid),
  ]);
  const paths = JSON.parse(json) as string[];
  const found = best(paths, (each) => each, typed, SHOWN).map(({ entry }) => entry);
  return show(call, <FindPage shell={shellOf(services, call)} repo={frame} at={ref} typed={typed} found={found} />);
}
