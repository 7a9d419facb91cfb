import type { Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import type { WebServices } from "../area.ts";
import { mirrorsPage } from "./settings-routes.tsx";

/** Forms here post to the common settings URL (contract web.md 1.11). */
export function mirrorPages(services: WebServices): Route[] {
  return [
    {
      method: "GET",
      surface: "page",
      access: administersRepo,
      path: "/:owner/:repo/settings/mirrors",
      handle: (call) => mirrorsPage(services, call, undefined),
    },
  ];
}
