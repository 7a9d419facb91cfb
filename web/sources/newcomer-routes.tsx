import type { User } from "../../src/access/user.ts";
import { dropProviderCookie, providerCookieOf } from "../../src/http/cookies.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { beforeSigningIn } from "../../src/identity/access.ts";
import { Failure, TooManyRequests } from "../../src/kernel/errors.ts";
import type { Newcomer } from "../../src/sources/oauth2/newcomers.ts";
import type { WebServices } from "../area.ts";
import type { FormState } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalText } from "../form-data.ts";
import { continueSignIn } from "../identity/open-session.ts";
import { identityWords } from "../identity/words/index.ts";
import { wordsFor } from "../language.ts";
import { attemptOf, isSecure, redirectAfterPost, shellOf, show } from "../visit.ts";
import { createAccount, mayJoin } from "./new-account.ts";
import { NewcomerPage } from "./newcomer.tsx";
import { sourceWords } from "./words/index.ts";

const PAGE = "/user/link_account";

interface Forms {
  readonly signIn?: FormState<"user_name">;
  readonly signUp?: FormState<"user_name" | "email">;
  readonly status?: number;
}

/** Links a user sent by a provider to an existing account or a new one (contract web.md 1.2). */
export function newcomerPages(services: WebServices): Route[] {
  const page = { surface: "page", access: beforeSigningIn } as const;
  return [
    { ...page, method: "GET", path: PAGE, handle: (call) => form(services, call, {}) },
    { ...page, method: "POST", path: "/user/link_account_signin", handle: (call) => link(services, call) },
    { ...page, method: "POST", path: "/user/link_account_signup", handle: (call) => join(services, call) },
  ];
}

function newcomerOf(services: WebServices, call: Call): { newcomer: Newcomer; secret: string } | undefined {
  const secret = providerCookieOf("hearth_newcomer", call.request, isSecure(services));
  const newcomer = services.newcomers.find(secret);
  return newcomer && secret ? { newcomer, secret } : undefined;
}

function form(services: WebServices, call: Call, forms: Forms): Response {
  const found = newcomerOf(services, call);
  if (!found) return over(services, call);
  const { source, identity } = found.newcomer;
  const own = call.principal.user;
  const may = mayJoin(services);
  const proposed = services.outsideAccounts.proposed(identity);
  return show(
    call,
    <NewcomerPage
      shell={shellOf(services, call)}
      source={source.name}
      name={identity.name || identity.email || identity.subject}
      {...(own ? { own: own.login } : {})}
      signIn={own || may.link ? (forms.signIn ?? {}) : undefined}
      signUp={
        !own && may.register
          ? (forms.signUp ?? { values: { user_name: proposed.login, email: proposed.email } })
          : undefined
      }
    />,
    { status: forms.status ?? 200 },
  );
}

/**
 * Links the signed-in account; otherwise requires its name and password, which only the owner knows (security rule
 * H17).
 */
async function link(services: WebServices, call: Call): Promise<Response> {
  const found = newcomerOf(services, call);
  if (!found) return over(services, call);
  const { user: own } = call.principal;
  if (own) return linkOwn(services, call, found, own);
  if (!mayJoin(services).link) throw new Failure(403, "source.no-account");
  const given = await readForm(call);
  const values = { user_name: given.text("user_name").slice(0, 254) };
  const refuse = (text: string, status: number) =>
    form(services, call, { signIn: { values, errors: { form: text } }, status });
  const user = await signedInUser(services, call, given);
  if (user instanceof Failure) return refuse(refusalText(call, user), user.status);
  const t = wordsFor(call, identityWords);
  if (!user) return refuse(t("wrongCredentials"), 422);
  const problem = services.identity.accountProblem(user);
  if (problem === "must-change-password") return refuse(t("wrongCredentials"), 422);
  if (problem === "prohibited" || problem === "inactive") return refuse(t(problem), 422);
  // With a second factor, the account is only authenticated after that: this page then asks once more.
  const { passcodes, passkeys } = services.twoFactor.askedOf(user);
  if (passcodes || passkeys)
    return continueSignIn(services, call, user, { remember: given.checked("remember"), target: PAGE });
  services.outsideAccounts.link({ ...call.principal, user }, found.newcomer.source, found.newcomer.identity, user);
  await finish(services, call, found, user);
  return continueSignIn(services, call, user, {
    remember: given.checked("remember"),
    target: found.newcomer.target,
    flash: { kind: "success", text: wordsFor(call, sourceWords)("linked", { name: found.newcomer.source.name }) },
  });
}

async function linkOwn(
  services: WebServices,
  call: Call,
  found: { newcomer: Newcomer; secret: string },
  own: User,
): Promise<Response> {
  const { source, identity, target } = found.newcomer;
  services.outsideAccounts.link(call.principal, source, identity, own);
  await finish(services, call, found, own);
  const text = wordsFor(call, sourceWords)("linked", { name: source.name });
  return redirectAfterPost(services, call, target ?? "/user/settings/security", { kind: "success", text });
}

async function join(services: WebServices, call: Call): Promise<Response> {
  const found = newcomerOf(services, call);
  if (!found) return over(services, call);
  if (call.principal.user) return redirectAfterPost(services, call, PAGE);
  if (!mayJoin(services).register) throw new Failure(403, "account.registration-closed");
  const { source, identity, target } = found.newcomer;
  const given = await readForm(call);
  const values = { user_name: given.text("user_name").slice(0, 255), email: given.text("email").slice(0, 255) };
  const made = await createAccount(
    services,
    call,
    source,
    identity,
    { login: values.user_name, email: values.email },
    target,
  );
  if (made instanceof Response) {
    end(services, call, found.secret);
    return made;
  }
  const errors = formErrors(call, made.refusal, { username: "user_name", email: "email" });
  return form(services, call, { signUp: { values, errors }, status: 422 });
}

/** @returns undefined when the name or password is wrong */
async function signedInUser(services: WebServices, call: Call, given: Form): Promise<User | Failure | undefined> {
  const name = given.text("user_name").slice(0, 254);
  const password = given.exact("password");
  try {
    return await services.accountPasswords.checkCredentials(
      name,
      password.length > 255 ? "" : password,
      attemptOf(call),
    );
  } catch (error) {
    if (error instanceof TooManyRequests || (error instanceof Failure && error.code === "source.unreachable"))
      return error;
    throw error;
  }
}

/** The account is known: from now on, the provider's group memberships apply. */
async function finish(
  services: WebServices,
  call: Call,
  { newcomer, secret }: { newcomer: Newcomer; secret: string },
  user: User,
): Promise<void> {
  end(services, call, secret);
  await services.outsideAccounts.update(newcomer.source, newcomer.identity, user);
}

function end(services: WebServices, call: Call, secret: string): void {
  services.newcomers.end(secret);
  call.header("set-cookie", dropProviderCookie("hearth_newcomer", isSecure(services)));
}

function over(services: WebServices, call: Call): Response {
  const place = call.principal.user ? "/user/settings/security" : "/user/login?stay=1";
  const text = wordsFor(call, sourceWords)("roundTripOver");
  return redirectAfterPost(services, call, place, { kind: "error", text });
}
