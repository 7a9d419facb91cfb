import type { User } from "../../src/access/user.ts";
import { languageCookie, signInCookies } from "../../src/http/cookies.ts";
import type { Call } from "../../src/http/route.ts";
import { languageOfCode } from "../../src/language/choose.ts";
import type { WebServices } from "../area.ts";
import { isSecure } from "../visit.ts";

/** A new session for the browser; the one it brought ends (security rule H4). */
export async function openSession(services: WebServices, call: Call, user: User, remember: boolean): Promise<void> {
  services.sessions.signOut(call.principal);
  const { secret } = await services.sessions.open(user.id, {
    address: call.address,
    userAgent: call.request.headers.get("user-agent") ?? "",
  });
  services.identity.signedIn(user);
  const rememberSeconds = remember ? services.config["session.days"] * 86_400 : undefined;
  for (const cookie of signInCookies(secret, { secure: isSecure(services), rememberSeconds }))
    call.header("set-cookie", cookie);
  // The pages after signing out stay in the account's language.
  const language = languageOfCode(user.language);
  if (language) call.header("set-cookie", languageCookie(language.code, isSecure(services)));
}
