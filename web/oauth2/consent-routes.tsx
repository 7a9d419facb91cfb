import type { Call, Route } from "../../src/http/route.ts";
import { letsIn } from "../../src/oauth2/access.ts";
import type { Application } from "../../src/oauth2/types.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type AskingApplication, ConsentPage } from "./consent.tsx";

/** Neither the consent page nor the response to it may be cached. */
const NO_STORE = { "cache-control": "no-store" };

/** The page to which a program sends users to authorize it. */
export function consentPages(services: WebServices): Route[] {
  const page = { surface: "page", access: letsIn } as const;
  return [
    { ...page, method: "GET", path: "/login/oauth/authorize", handle: (call) => ask(services, call) },
    { ...page, method: "POST", path: "/login/oauth/grant", handle: (call) => answer(services, call) },
  ];
}

function ask(services: WebServices, call: Call): Response {
  const begun = services.oauth2Authorizations.begin(call.principal, call.query);
  if ("sendTo" in begun) return redirectAfterPost(services, call, begun.sendTo);
  const { application, ask: request } = begun;
  const view = (
    <ConsentPage shell={shellOf(services, call)} application={asking(services, application)} request={request} />
  );
  // Browsers also apply form-action to the redirect after a form is submitted.
  return show(call, view, { headers: NO_STORE, formsTo: policySource(request.redirectUri) });
}

async function answer(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const about = {
    clientId: form.exact("client_id"),
    redirectUri: form.exact("redirect_uri"),
    state: form.exact("state"),
  };
  const sendTo = services.oauth2Authorizations.answer(call.principal, about, form.text("granted") === "true");
  return redirectAfterPost(services, call, sendTo);
}

/** What the user is shown of the requesting application. */
export function asking({ identity }: WebServices, application: Application): AskingApplication {
  const owner = application.ownerId === undefined ? undefined : identity.byId(application.ownerId);
  return {
    name: application.name,
    isBuiltIn: application.isBuiltIn,
    ...(owner ? { owner: owner.login } : {}),
  };
}

/** The origin of a URL as a CSP source; CSP has no notation for IPv6. */
export function policySource(uri: string): string {
  const { host, origin, protocol } = new URL(uri);
  return /^https?:$/.test(protocol) && !host.startsWith("[") ? origin : protocol;
}
