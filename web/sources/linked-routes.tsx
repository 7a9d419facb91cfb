import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { Failure } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost } from "../visit.ts";
import { LinkedCard } from "./linked.tsx";
import { sourceWords } from "./words/index.ts";

const PAGE = "/user/settings/security";

/** External accounts that the user can sign in with. */
export function linkedPages(services: WebServices): Route[] {
  return [
    {
      surface: "page",
      access: ownAccount,
      method: "POST",
      path: `${PAGE}/account_link`,
      handle: (call) => unlink(services, call),
    },
  ];
}

export function linkedCard(services: WebServices, call: Call) {
  const linked = services.outsideAccounts.of(call.principal, signedIn(call));
  const providers = services.sources.providers().map(({ name }) => name);
  if (linked.length === 0 && providers.length === 0) return null;
  return <LinkedCard linked={linked} providers={providers} />;
}

async function unlink(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const key = { sourceId: form.number("id") ?? 0, issuer: form.exact("issuer"), subject: form.exact("subject") };
  try {
    services.outsideAccounts.unlink(call.principal, signedIn(call), key);
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 409) throw error;
    return redirectAfterPost(services, call, PAGE, { kind: "error", text: refusalText(call, error) });
  }
  return redirectAfterPost(services, call, PAGE, { kind: "success", text: wordsFor(call, sourceWords)("unlinked") });
}
