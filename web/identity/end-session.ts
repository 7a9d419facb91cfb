import { sessionSecretOf, signOutCookies } from "../../src/http/cookies.ts";
import type { Call } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { isSecure } from "../visit.ts";

/** The session that a request came with is over, and what its browser keeps of it. */
export function endSession(services: WebServices, call: Call): void {
  services.sessions.signOut(call.principal);
  if (sessionSecretOf(call.request, isSecure(services)))
    for (const cookie of signOutCookies(isSecure(services))) call.header("set-cookie", cookie);
}
