import type { User } from "../../src/access/user.ts";
import type { AuditActions } from "../../src/audit/actions.ts";
import { type Flash, languageCookie, secondStepCookie, signInCookies } from "../../src/http/cookies.ts";
import type { Call } from "../../src/http/route.ts";
import { languageOfCode } from "../../src/language/choose.ts";
import type { WebServices } from "../area.ts";
import { isSecure, redirectAfterPost } from "../visit.ts";

export interface SignInHow {
  /** "Stay signed in on this device". */
  readonly remember: boolean;
  /** A checked path of this site. */
  readonly target: string | undefined;
  readonly flash?: Flash;
}

/** After the first step: in, or on to the second factor if the account has one. */
export async function continueSignIn(
  services: WebServices,
  call: Call,
  user: User,
  { remember, target, flash }: SignInHow,
): Promise<Response> {
  const { passcodes, passkeys } = services.twoFactor.factorsOf(user.id);
  if (!passcodes && !passkeys) {
    await openSession(services, call, user, remember);
    return redirectAfterPost(services, call, target ?? "/", flash);
  }
  const secret = services.secondSteps.begin(user, { remember, target });
  call.header("set-cookie", secondStepCookie(secret, isSecure(services)));
  return redirectAfterPost(services, call, passkeys ? "/user/webauthn" : "/user/two_factor");
}

/** A new session for the browser; the one it brought ends (security rule H4). */
export async function openSession(
  services: WebServices,
  call: Call,
  user: User,
  remember: boolean,
  method: AuditActions["sign-in"]["method"] = "password",
): Promise<void> {
  services.sessions.signOut(call.principal);
  const { secret } = await services.sessions.open(user.id, {
    address: call.address,
    userAgent: call.request.headers.get("user-agent") ?? "",
  });
  services.identity.signedIn(user);
  services.audit.append({ ...call.principal, user }, "sign-in", user, { method });
  const rememberSeconds = remember ? services.config["session.days"] * 86_400 : undefined;
  for (const cookie of signInCookies(secret, { secure: isSecure(services), rememberSeconds }))
    call.header("set-cookie", cookie);
  // The pages after signing out stay in the account's language.
  const language = languageOfCode(user.language);
  if (language) call.header("set-cookie", languageCookie(language.code, isSecure(services)));
}
