import type { Route } from "../../src/http/route.ts";

const ITEM = "/:owner/:repo/issues/:index/";
/** Paths where a pull request has its own page. */
const ownOfPulls = new Set(["comments", "-/events"]);

/** Pages and forms of an item are below its number, for issues and pull requests alike (contract web.md 1.9). */
export function ofBothKinds(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => {
    const sub = route.path.startsWith(ITEM) ? route.path.slice(ITEM.length) : "";
    if (sub === "" || ownOfPulls.has(sub)) return [route];
    return [route, { ...route, path: `/:owner/:repo/pulls/:index/${sub}` }];
  });
}
