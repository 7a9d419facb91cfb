import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { blamePages } from "./blame-routes.tsx";
import { blobPages } from "./blob-routes.ts";
import { codePages } from "./code-routes.tsx";
import { commitPages } from "./commit-routes.tsx";
import { comparePages } from "./compare-routes.tsx";
import { editPages } from "./edit-routes.tsx";
import { excerptPages } from "./excerpt-routes.tsx";
import { findPages } from "./find-routes.tsx";
import { graphPages } from "./graph-routes.tsx";
import { historyPages } from "./history-routes.tsx";
import { legacyPages, unknownRepoPages } from "./legacy-routes.ts";
import { livePages } from "./live-routes.ts";
import { patchPages } from "./patch-routes.tsx";
import { pickPages } from "./pick-routes.tsx";
import { proposePages } from "./propose-routes.tsx";
import { refPages } from "./refs-routes.tsx";
import { Sources } from "./sources.ts";
import { treeListPages } from "./tree-list-routes.ts";
import { treeViewPages } from "./tree-view-routes.ts";
import { uploadPages } from "./upload-routes.tsx";

/** The pages about a repository's content. */
export function contentPages(services: WebServices): Route[] {
  const sources = new Sources(services);
  return [
    ...codePages(sources),
    ...historyPages(sources),
    ...blamePages(sources),
    ...commitPages(sources),
    ...comparePages(sources),
    ...excerptPages(sources),
    ...graphPages(sources),
    ...refPages(sources),
    ...editPages(sources),
    ...uploadPages(sources),
    ...patchPages(sources),
    ...pickPages(sources),
    ...proposePages(sources),
    ...livePages(sources),
    ...blobPages(sources),
    ...unknownRepoPages(),
    ...findPages(sources),
    ...treeListPages(sources),
    ...treeViewPages(sources),
    ...legacyPages(sources),
  ];
}
