import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { profilePages } from "./profile-routes.tsx";
import { accountSettingsPages } from "./settings-routes.tsx";

/** The settings of an account, and its public page. */
export function accountPages(services: WebServices): Route[] {
  return [...accountSettingsPages(services), ...profilePages(services)];
}
