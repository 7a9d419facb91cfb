import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { branchRoutes } from "./branches/api.ts";
import { commitRoutes } from "./commits/api.ts";
import { compareRoutes } from "./compare/api.ts";
import { editorconfigRoutes } from "./editorconfig/api.ts";
import { editRoutes } from "./edits/api.ts";
import { fileRoutes } from "./files/api.ts";
import { gitDataRoutes } from "./git/api.ts";
import { rawRoutes } from "./raw/api.ts";
import { tagRoutes } from "./tags/api.ts";

/** The content of repositories over REST (contract git-content.md 3 to 8 and 10.1). */
export function contentRoutes(services: Services): Route[] {
  return [
    ...branchRoutes(services),
    ...commitRoutes(services),
    ...compareRoutes(services),
    ...editorconfigRoutes(services),
    ...editRoutes(services),
    ...fileRoutes(services),
    ...gitDataRoutes(services),
    ...rawRoutes(services),
    ...tagRoutes(services),
  ];
}
