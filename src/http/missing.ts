import { NotFound } from "../kernel/errors.ts";
import type { Access, Route } from "./route.ts";

const anyone: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };

/** The ways in to something that the site has switched off: there is nothing, whoever asks. */
export function missing(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    access: anyone,
    handle: () => {
      throw new NotFound();
    },
  }));
}
