import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { listsItems, searchesEverywhere } from "../../src/issues/list/api.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { avatarHref } from "../links.ts";
import { ownLists, readsRepoPage } from "./access.ts";

/** Maximum people offered at once. */
const MAX_POSTERS = 30;
/** The same as for list pages. */
const sizes = { standard: 20, largest: 50 };

/** JSON for scripts of the reference's pages: who wrote items, and items as in the API (contract web.md 1.9). */
export function itemJsonPages(services: WebServices): Route[] {
  const page = { surface: "page", method: "GET" } as const;
  return [
    { ...page, path: "/issues/search", access: ownLists, handle: searchesEverywhere(services, { sizes }).handle },
    {
      ...page,
      path: "/:owner/:repo/issues/search",
      access: readsRepoPage,
      handle: listsItems(services, { sizes }).handle,
    },
    ...(["issues", "pulls"] as const).map(
      (kind): Route => ({
        ...page,
        path: `/:owner/:repo/${kind}/posters`,
        access: readsRepoPage,
        handle: (call) => posters(services, call, kind === "pulls"),
      }),
    ),
  ];
}

function posters({ itemLists }: WebServices, call: Call, isPull: boolean): Response {
  const start = (call.query.get("q") ?? "").trim().slice(0, 100);
  const people = itemLists.posters(seenRepo(call), isPull, start, MAX_POSTERS);
  return json({
    results: people.map((user) => ({
      user_id: user.id,
      username: user.login,
      full_name: user.fullName,
      avatar_link: avatarHref(user),
    })),
  });
}
