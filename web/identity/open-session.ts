import type { User } from "../../src/access/user.ts";
import { signInCookies } from "../../src/http/cookies.ts";
import type { Call } from "../../src/http/route.ts";
import type { Services } from "../../src/services.ts";
import { isSecure } from "../visit.ts";

/** A new session for the browser; the one it brought ends (security rule H4). */
export async function openSession(services: Services, call: Call, user: User, remember: boolean): Promise<void> {
  if (call.principal.sessionId) await services.sessions.close(call.principal.sessionId);
  const { secret } = await services.sessions.open(user.id, {
    address: call.address,
    userAgent: call.request.headers.get("user-agent") ?? "",
  });
  services.identity.signedIn(user);
  const rememberSeconds = remember ? services.config["session.days"] * 86_400 : undefined;
  for (const cookie of signInCookies(secret, { secure: isSecure(services), rememberSeconds }))
    call.header("set-cookie", cookie);
}
