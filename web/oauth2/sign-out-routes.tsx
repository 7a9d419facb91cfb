import type { Call, Route } from "../../src/http/route.ts";
import { beforeSigningIn } from "../../src/identity/access.ts";
import type { SignOutQuery, SignOutRequest } from "../../src/oauth2/sign-outs.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { endSession } from "../identity/end-session.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { policySource } from "./consent-routes.tsx";
import { LeavePage } from "./sign-out.tsx";

/** The page to which a program sends users who signed out of it, so that they can sign out here as well. */
export function signOutPages(services: WebServices): Route[] {
  const page = { surface: "page", access: beforeSigningIn } as const;
  return [
    { ...page, method: "GET", path: "/login/oauth/logout", handle: (call) => ask(services, call) },
    { ...page, method: "POST", path: "/login/oauth/logout/answer", handle: (call) => answer(services, call) },
  ];
}

async function ask(services: WebServices, call: Call): Promise<Response> {
  const field = (name: string) => call.query.get(name) ?? "";
  const query = {
    clientId: field("client_id"),
    idTokenHint: field("id_token_hint"),
    returnTo: field("post_logout_redirect_uri"),
    state: field("state"),
  };
  const request = await services.oauth2SignOuts.read(call.principal, query);
  if (!call.principal.user || request.isProven) return leave(services, call, request);
  const { application, returnTo } = request;
  return show(
    call,
    <LeavePage
      shell={shellOf(services, call)}
      request={{ ...query, clientId: application?.clientId ?? "" }}
      {...(application ? { name: application.name } : {})}
    />,
    { headers: { "cache-control": "no-store" }, ...(returnTo ? { formsTo: policySource(returnTo) } : {}) },
  );
}

async function answer(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const query: SignOutQuery = {
    clientId: form.exact("client_id"),
    idTokenHint: "",
    returnTo: form.exact("post_logout_redirect_uri"),
    state: form.exact("state"),
  };
  return leave(services, call, await services.oauth2SignOuts.read(call.principal, query));
}

function leave(services: WebServices, call: Call, { returnTo }: SignOutRequest): Response {
  endSession(services, call);
  return redirectAfterPost(services, call, returnTo ?? "/");
}
