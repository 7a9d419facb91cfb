import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { twoFactorAdminPages } from "./admin-routes.tsx";
import { secondStepPages } from "./second-step-routes.tsx";
import { twoFactorSettingsPages } from "./settings-routes.tsx";

/** Second factors: asking for them, and setting them up. */
export function twoFactorPages(services: WebServices): Route[] {
  return [...secondStepPages(services), ...twoFactorSettingsPages(services), ...twoFactorAdminPages(services)];
}
