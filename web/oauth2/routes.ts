import type { Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { applicationPages } from "./application-routes.tsx";
import { consentPages } from "./consent-routes.tsx";
import { devicePages } from "./device-routes.tsx";
import { signOutPages } from "./sign-out-routes.tsx";

/** OAuth2 authorization and registration of programs (contract web.md 1.4, 1.5 and 1.11). */
export function oauth2Pages(services: WebServices): Route[] {
  const routes = [
    ...consentPages(services),
    ...devicePages(services),
    ...applicationPages(services),
    ...signOutPages(services),
  ];
  if (services.config["oauth2.enabled"]) return routes;
  return routes.map((route) => ({
    ...route,
    handle: () => {
      throw new NotFound();
    },
  }));
}
