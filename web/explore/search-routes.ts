import { json } from "../../src/http/respond.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { userResources } from "../../src/identity/resource.ts";
import { searchedRepos } from "../../src/repos/api-lists.ts";
import { repoResources } from "../../src/repos/resource.ts";
import type { WebServices } from "../area.ts";
import { pageOf, wordsOf } from "../list-query.ts";

/** Suggestions while the user types. */
const SUGGESTED = 20;

/** Searches for signed-in users, for pickers and other programs (contract web.md 1.3). */
export function searchPages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page", access: ownAccount } as const;
  return [
    { ...page, path: "/repo/search", handle: (call) => repos(services, call) },
    { ...page, path: "/user/search_candidates", handle: (call) => people(services, call) },
  ];
}

function repos(services: WebServices, call: Call): Response {
  const found = searchedRepos(services, call, pageOf(call, SUGGESTED));
  const data = repoResources(services, found.items).map((repository) => ({ repository }));
  return json({ ok: true, data }, 200, { "x-total-count": String(found.total) });
}

function people({ identity, links }: WebServices, call: Call): Response {
  signedIn(call);
  const { items } = identity.search(call.principal, wordsOf(call), { page: 1, limit: SUGGESTED, offset: 0 });
  return json({ ok: true, data: userResources({ identity, links }, call.principal, items) });
}
