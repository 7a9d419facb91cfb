import { NotFound } from "../kernel/errors.ts";
import type { Access, Route } from "./route.ts";

const anyone: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };

/** Routes of what is switched off: none of it is there, whoever asks. */
export function notThere(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    access: anyone,
    handle: () => {
      throw new NotFound();
    },
  }));
}
