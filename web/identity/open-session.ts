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
  /** A validated path of this site. */
  readonly target: string | undefined;
  readonly flash?: Flash;
  /** The provider of the first step; absent: a password. */
  readonly sourceId?: number | undefined;
  /** The provider has already asked for a second factor. */
  readonly skipsSecondFactor?: boolean;
}

/** After the first step: signs in, or goes on to the second factor if the account has one. */
export async function continueSignIn(
  services: WebServices,
  call: Call,
  user: User,
  { remember, target, flash, sourceId, skipsSecondFactor = false }: SignInHow,
): Promise<Response> {
  const { passcodes, passkeys } = services.twoFactor.askedOf(user);
  if (skipsSecondFactor || (!passcodes && !passkeys)) {
    const method = sourceId === undefined ? "password" : "source";
    await openSession(services, call, user, { remember, method, sourceId });
    return redirectAfterPost(services, call, target ?? "/", flash);
  }
  const secret = services.secondSteps.begin(user, { remember, target, sourceId });
  call.header("set-cookie", secondStepCookie(secret, isSecure(services)));
  return redirectAfterPost(services, call, passkeys ? "/user/webauthn" : "/user/two_factor");
}

interface OpenedHow extends Pick<SignInHow, "remember" | "sourceId"> {
  /** The last step; a password by default. */
  readonly method?: AuditActions["sign-in"]["method"];
}

/** Starts a new session for the browser and ends its old one (security rule H4). */
export async function openSession(
  services: WebServices,
  call: Call,
  user: User,
  { remember, method = "password", sourceId }: OpenedHow,
): Promise<void> {
  services.sessions.signOut(call.principal);
  const { secret, session } = await services.sessions.open(user.id, fromOf(call), sourceId);
  services.identity.signedIn(user);
  services.audit.append({ ...call.principal, user }, "sign-in", user, { method });
  const remembered = remember ? services.remembered.remember(session.id) : undefined;
  sendSession(services, call, user, secret, remembered);
}

/** Signs in a remembered browser. @returns the account, or why not: `stolen` means that someone else used its cookie */
export async function openRemembered(
  services: WebServices,
  call: Call,
  value: string,
): Promise<User | "just-used" | "stolen" | "over"> {
  const recalled = await services.remembered.recall(call.principal, value, fromOf(call));
  if (typeof recalled === "string") return recalled;
  const user = services.identity.byId(recalled.userId);
  if (!user) return "over";
  services.identity.signedIn(user);
  sendSession(services, call, user, recalled.secret, recalled.value);
  return user;
}

const fromOf = (call: Call) => ({
  address: call.address,
  userAgent: call.request.headers.get("user-agent") ?? "",
});

function sendSession(
  services: WebServices,
  call: Call,
  user: User,
  secret: string,
  remembered: string | undefined,
): void {
  const secure = isSecure(services);
  const maxAgeSeconds = services.config["session.days"] * 86_400;
  const stays = remembered === undefined ? undefined : { value: remembered, maxAgeSeconds };
  for (const cookie of signInCookies(secret, { secure, remembered: stays })) call.header("set-cookie", cookie);
  // After signing out, pages stay in the account's language.
  const language = languageOfCode(user.language);
  if (language) call.header("set-cookie", languageCookie(language.code, isSecure(services)));
}
