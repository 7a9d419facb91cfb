import type { Route } from "../src/http/route.ts";
import type { Services } from "../src/services.ts";
import { profilePages } from "./account/profile-routes.tsx";
import { accountSettingsPages } from "./account/settings-routes.tsx";
import { adminPages } from "./admin/routes.tsx";
import { blobPages } from "./content/blob-routes.ts";
import { codePages } from "./content/code-routes.tsx";
import { commitPages } from "./content/commit-routes.tsx";
import { editPages } from "./content/edit-routes.tsx";
import { historyPages } from "./content/history-routes.tsx";
import { legacyPages, unknownRepoPages } from "./content/legacy-routes.ts";
import { livePages } from "./content/live-routes.ts";
import { refPages } from "./content/refs-routes.tsx";
import { Sources } from "./content/sources.ts";
import { treeListPages } from "./content/tree-list-routes.ts";
import { explorePages } from "./explore/routes.tsx";
import { homePages } from "./home/routes.tsx";
import { identityPages } from "./identity/routes.tsx";
import { createRepoPages } from "./repos/create-routes.tsx";
import { RefFacts } from "./repos/ref-facts.ts";
import { repoSettingsPages } from "./repos/settings-routes.tsx";
import { sitePages } from "./site/routes.ts";

/** Every page of the site, and the files pages load. */
export function pageRoutes(services: Services): Route[] {
  const facts = new RefFacts(services.refs, services.caches);
  const sources = new Sources(services, facts);
  return [
    ...sitePages(services),
    ...homePages(services),
    ...explorePages(services),
    ...identityPages(services),
    ...accountSettingsPages(services),
    ...adminPages(services),
    ...profilePages(services),
    ...createRepoPages(services),
    ...repoSettingsPages(services, facts),
    ...codePages(sources),
    ...historyPages(sources),
    ...commitPages(sources),
    ...refPages(sources),
    ...editPages(sources),
    ...livePages(sources),
    ...blobPages(sources),
    ...unknownRepoPages(),
    ...treeListPages(sources),
    ...legacyPages(sources),
  ];
}
