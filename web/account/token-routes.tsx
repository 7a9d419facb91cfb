import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { ShownOnce } from "../../src/kernel/shown-once.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { settingsPanels } from "./panels.ts";
import { type ScopeName, TOKEN_SCOPES, TokensPage, type TokensProps } from "./tokens.tsx";
import { accountWords } from "./words/index.ts";

const PAGE = "/user/settings/applications";
/** Nobody has more; the list is not paginated. */
const MAX_TOKENS = 500;

interface MadeToken {
  readonly name: string;
  readonly secret: string;
}

/** Access tokens: list, create and delete. */
export function tokenPages(services: WebServices): Route[] {
  const made = new ShownOnce<MadeToken>(services.clock);
  const page = { surface: "page", access: ownAccount } as const;
  return [
    { ...page, method: "GET", path: PAGE, handle: (call) => list(services, call, made) },
    { ...page, method: "POST", path: PAGE, handle: (call) => create(services, call, made) },
    { ...page, method: "POST", path: `${PAGE}/regenerate`, handle: (call) => regenerate(services, call, made) },
    { ...page, method: "POST", path: `${PAGE}/delete`, handle: (call) => remove(services, call) },
  ];
}

function list(services: WebServices, call: Call, made: ShownOnce<MadeToken>): Promise<Response> {
  const created = call.principal.sessionId ? made.take(call.principal.sessionId) : undefined;
  return tokensPage(services, call, {}, created);
}

async function tokensPage(
  services: WebServices,
  call: Call,
  form: TokensProps["form"],
  created?: MadeToken,
): Promise<Response> {
  const { items } = services.tokens.list(call.principal, signedIn(call), { page: 1, limit: MAX_TOKENS, offset: 0 });
  const tokens = items.map(({ lastUsedAt, expiresAt, ...token }) => ({
    ...token,
    ...(lastUsedAt === undefined ? {} : { usedAt: lastUsedAt }),
    ...(expiresAt === undefined ? {} : { expiresAt, isExpired: expiresAt <= services.clock() }),
  }));
  const panels = await settingsPanels(services, call, "applications");
  const view = (
    <TokensPage
      shell={shellOf(services, call)}
      tokens={tokens}
      form={form}
      panels={panels}
      {...(created ? { created } : {})}
    />
  );
  return show(call, view, {
    status: form.errors ? 422 : 200,
    // The only page that shows the secret must not be cached, not even for the back button.
    ...(created ? { headers: { "cache-control": "no-store" } } : {}),
  });
}

async function create(services: WebServices, call: Call, made: ShownOnce<MadeToken>): Promise<Response> {
  const user = signedIn(call);
  const form = await readForm(call);
  const name = form.text("name");
  const refuse = (errors: FormErrors<"name" | "scopes" | "expires">) =>
    tokensPage(services, call, { values: typed(form, name), errors });
  const scopes = form
    .starting("scope-")
    .map(([, value]) => value)
    .filter((value) => value !== "");
  try {
    const { secret } = services.tokens.create(call.principal, user, name, scopes, form.number("expires"));
    if (call.principal.sessionId) made.keep(call.principal.sessionId, { name, secret });
  } catch (error) {
    return refuse(formErrors(call, error, { name: "name", scopes: "scopes", expires: "expires" }));
  }
  return redirectAfterPost(services, call, PAGE);
}

/** The form again with the submitted values. */
function typed(form: Form, name: string): TokensProps["form"]["values"] {
  const scopes: Partial<Record<ScopeName, "read" | "write">> = {};
  for (const scope of TOKEN_SCOPES) {
    const [level] = form.text(`scope-${scope}`).split(":");
    if (level === "read" || level === "write") scopes[scope] = level;
  }
  return {
    name: name.slice(0, 255),
    scopes,
    publicOnly: form.text("scope-public-only") !== "",
    expires: form.text("expires"),
  };
}

async function regenerate(services: WebServices, call: Call, made: ShownOnce<MadeToken>): Promise<Response> {
  const id = (await readForm(call)).number("id") ?? 0;
  const { token, secret } = services.tokens.regenerate(call.principal, signedIn(call), id);
  if (call.principal.sessionId) made.keep(call.principal.sessionId, { name: token.name, secret });
  return redirectAfterPost(services, call, PAGE);
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const id = (await readForm(call)).number("id") ?? 0;
  services.tokens.remove(call.principal, signedIn(call), String(id));
  return redirectAfterPost(services, call, PAGE, {
    kind: "success",
    text: wordsFor(call, accountWords)("tokenDeleted"),
  });
}
