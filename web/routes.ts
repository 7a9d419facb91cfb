import type { Route } from "../src/http/route.ts";
import type { Services } from "../src/services.ts";
import { webServices } from "./area.ts";
import { WEB_AREAS } from "./areas.ts";

/** Every page of the site, and the files pages load. */
export function pageRoutes(services: Services): Route[] {
  const web = webServices(services, WEB_AREAS);
  return WEB_AREAS.flatMap((area) => area.routes(web));
}
