import { NotFound } from "../kernel/errors.ts";
import type { Access, Route } from "./route.ts";

const anyone: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };

/** Routes of a disabled feature: they answer 404 to everyone. */
export function disabled(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    access: anyone,
    handle: () => {
      throw new NotFound();
    },
  }));
}
