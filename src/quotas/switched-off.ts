import type { Access, Route } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import type { QuotaService } from "./service.ts";

const anyone: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };

/** Where quotas are off, none of it is there, whoever asks (contract identity.md 14). */
export function whileQuotasAreOn({ isEnabled }: QuotaService, routes: readonly Route[]): Route[] {
  if (isEnabled) return [...routes];
  return routes.map((route) => ({
    ...route,
    access: anyone,
    handle: () => {
      throw new NotFound();
    },
  }));
}
