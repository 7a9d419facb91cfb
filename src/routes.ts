import { pageRoutes } from "../web/routes.ts";
import { adminRoutes } from "./admin/api.ts";
import { contentRoutes } from "./content/api.ts";
import { ErrorMessages, frameErrorWords } from "./http/error-words.ts";
import type { Route } from "./http/route.ts";
import { identityRoutes } from "./identity/api.ts";
import { identityErrorWords } from "./identity/error-words.ts";
import { signInErrorWords } from "./identity/sign-in-words.ts";
import { repoRoutes } from "./repos/api.ts";
import { repoErrorWords } from "./repos/error-words.ts";
import type { Services } from "./services.ts";
import { siteRoutes } from "./site/api.ts";
import { swaggerRoutes } from "./site/swagger/api.ts";
import { transportRoutes } from "./transport/api.ts";

/** Every way in, from every area. The server serves these and nothing else. */
export function allRoutes(services: Services): Route[] {
  const routes: Route[] = [
    ...siteRoutes(services),
    ...swaggerRoutes(services, () => routes),
    ...adminRoutes(services),
    ...contentRoutes(services),
    ...identityRoutes(services),
    ...pageRoutes(services),
    ...repoRoutes(services),
    ...transportRoutes(services),
  ];
  return routes;
}

/** The API's words for what services refuse, from the frame and every area. */
export function errorMessages(): ErrorMessages {
  return new ErrorMessages([frameErrorWords, identityErrorWords, repoErrorWords, signInErrorWords]);
}
