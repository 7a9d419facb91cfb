import { administersBackground } from "../../src/admin/access.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Route } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import type { WebServices } from "../area.ts";
import { shellOf, show } from "../visit.ts";
import { ConfigPage, OverviewPage } from "./overview.tsx";

/** How the site is, and how it is configured. */
export function overviewPages(services: WebServices): Route[] {
  const { overview } = services;
  const page = { method: "GET", surface: "page", access: administersBackground } as const;
  return [
    {
      ...page,
      path: "/-/admin",
      handle: (call) =>
        show(call, <OverviewPage shell={shellOf(services, call)} overview={overview.show(call.principal)} />),
    },
    // Where forges of the dialect have it.
    ...["/admin", "/admin/*"].map(
      (path): Route => ({
        ...page,
        access: ownAccount,
        path,
        handle: (call) => redirect(`/-${call.target}`),
      }),
    ),
    {
      ...page,
      path: "/-/admin/config",
      handle: (call) =>
        show(call, <ConfigPage shell={shellOf(services, call)} settings={overview.settings(call.principal)} />),
    },
  ];
}
