import { sessionSecretOf, signOutCookies } from "../../src/http/cookies.ts";
import type { Call } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { isSecure } from "../visit.ts";

/** Ends the session of a request, and clears what its browser stores of it. */
export function endSession(services: WebServices, call: Call): void {
  services.sessions.signOut(call.principal);
  if (sessionSecretOf(call.request, isSecure(services)))
    for (const cookie of signOutCookies(isSecure(services))) call.header("set-cookie", cookie);
}
