import { pageRoutes } from "../web/routes.ts";
import { areas } from "./areas.ts";
import { ErrorMessages, type ErrorWords, frameErrorWords } from "./http/error-words.ts";
import type { Route } from "./http/route.ts";
import type { Services } from "./services.ts";
import { swaggerRoutes } from "./site/swagger/api.ts";

/** Every way in, from every area. The server serves these and nothing else. */
export function allRoutes(services: Services): Route[] {
  const routes: Route[] = [
    ...areas.flatMap((area) => area.routes?.(services) ?? []),
    ...swaggerRoutes(services, () => routes),
    ...pageRoutes(services),
  ];
  return routes;
}

/** The API's words for what services refuse, from the frame and every area. */
export function errorMessages(): ErrorMessages {
  return new ErrorMessages([
    frameErrorWords,
    ...areas.flatMap(({ errorWords }): ErrorWords[] => (errorWords ? [errorWords] : [])),
  ]);
}
