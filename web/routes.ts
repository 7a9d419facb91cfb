import type { Route } from "../src/http/route.ts";
import type { Services } from "../src/services.ts";
import { accountSettingsPages } from "./account/settings-routes.tsx";
import { adminPages } from "./admin/routes.tsx";
import { identityPages } from "./identity/routes.tsx";
import { sitePages } from "./site/routes.ts";

/** Every page of the site, and the files pages load. */
export function pageRoutes(services: Services): Route[] {
  return [
    ...sitePages(services),
    ...identityPages(services),
    ...accountSettingsPages(services),
    ...adminPages(services),
  ];
}
