import type { User } from "../../src/access/user.ts";
import { dropProviderCookie, type Flash, providerCookie, providerCookieOf } from "../../src/http/cookies.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { beforeSigningIn } from "../../src/identity/access.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import type { OAuth2Source, OutsideIdentity } from "../../src/sources/types.ts";
import type { WebServices } from "../area.ts";
import { refusalText } from "../form-data.ts";
import { continueSignIn } from "../identity/open-session.ts";
import { identityWords } from "../identity/words/index.ts";
import { wordsFor } from "../language.ts";
import { localPath } from "../redirect-target.ts";
import { isSecure, redirectAfterPost } from "../visit.ts";
import { callbackAddress } from "./hrefs.ts";
import { createAccount, mayJoin } from "./new-account.ts";
import { sourceWords } from "./words/index.ts";

/** Redirects to a provider, and handles its callback (contract web.md 1.2). */
export function providerPages(services: WebServices): Route[] {
  const page = { surface: "page", access: beforeSigningIn, method: "GET" } as const;
  return [
    { ...page, path: "/user/oauth2/:source", handle: (call) => depart(services, call) },
    { ...page, path: "/user/oauth2/:source/callback", handle: (call) => arrive(services, call) },
  ];
}

function sourceOf(services: WebServices, call: Call): OAuth2Source {
  const source = services.sources.provider(param(call, "source"));
  if (!source) throw new NotFound();
  return source;
}

async function depart(services: WebServices, call: Call): Promise<Response> {
  const source = sourceOf(services, call);
  try {
    const { location, attempt } = await services.oauth2Client.begin(
      source,
      callbackAddress(services.links.rootUrl, source.name).href,
    );
    const target = localPath(call.query.get("redirect_to"));
    const cookie = services.roundTrips.begin({ ...attempt, sourceId: source.id, target });
    call.header("set-cookie", providerCookie("hearth_round_trip", cookie, isSecure(services)));
    return redirect(location, 307);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refused(services, call, refusalText(call, error));
  }
}

async function arrive(services: WebServices, call: Call): Promise<Response> {
  const source = sourceOf(services, call);
  const t = wordsFor(call, sourceWords);
  const secure = isSecure(services);
  const trip = services.roundTrips.find(providerCookieOf("hearth_round_trip", call.request, secure));
  call.header("set-cookie", dropProviderCookie("hearth_round_trip", secure));
  if (!trip || trip.sourceId !== source.id) return refused(services, call, t("roundTripOver"));
  if (call.query.get("error") === "access_denied")
    return refused(services, call, t("cancelled", { name: source.name }));
  const returned = callbackAddress(services.links.rootUrl, source.name);
  returned.search = call.query.toString();
  try {
    const identity = await services.oauth2Client.finish(source, returned, trip);
    return await admit(services, call, source, identity, trip.target);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refused(services, call, refusalText(call, error));
  }
}

/** @throws Failure when sign-in is refused */
async function admit(
  services: WebServices,
  call: Call,
  source: OAuth2Source,
  identity: OutsideIdentity,
  target: string | undefined,
): Promise<Response> {
  const { outsideAccounts, newcomers } = services;
  const own = call.principal.user;
  const found = outsideAccounts.find(source, identity);
  if (found && !own) return signIn(services, call, source, identity, found, target);
  if (found && own) {
    const t = wordsFor(call, sourceWords);
    const flash: Flash =
      found.id === own.id
        ? { kind: "success", text: t("linkedAlready", { name: source.name }) }
        : { kind: "error", text: t("source.linked-elsewhere") };
    return redirectAfterPost(services, call, target ?? "/user/settings/security", flash);
  }
  if (!own && services.config["sign_in.newcomers"] === "auto") {
    const made = await createAccount(services, call, source, identity, outsideAccounts.proposed(identity));
    if (made instanceof Response) return made;
    if (!made.isConflict || !mayJoin(services).anyhow) throw made.refusal;
  } else if (!own && !mayJoin(services).anyhow) throw new Failure(403, "source.no-account");
  const secret = newcomers.begin({ source, identity, target });
  call.header("set-cookie", providerCookie("hearth_newcomer", secret, isSecure(services)));
  return redirectAfterPost(services, call, "/user/link_account");
}

async function signIn(
  services: WebServices,
  call: Call,
  source: OAuth2Source,
  identity: OutsideIdentity,
  user: User,
  target: string | undefined,
): Promise<Response> {
  const problem = services.identity.accountProblem(user);
  if (services.confirmation.isAwaited(user)) return redirectAfterPost(services, call, "/user/activate");
  // An administrator's decision stands, whatever the provider says (security rule H16).
  if (problem === "prohibited" || problem === "inactive")
    return refused(services, call, wordsFor(call, identityWords)(problem));
  await services.outsideAccounts.update(source, identity, user);
  return continueSignIn(services, call, user, {
    remember: false,
    target,
    sourceId: source.id,
    skipsSecondFactor: source.skipsSecondFactor,
  });
}

/** Back to the sign-in page, or to the page of linked accounts. */
function refused(services: WebServices, call: Call, text: string): Response {
  const place = call.principal.user ? "/user/settings/security" : "/user/login?stay=1";
  return redirectAfterPost(services, call, place, { kind: "error", text });
}
