import type { User } from "../../src/access/user.ts";
import { dropRememberCookie, rememberedOf } from "../../src/http/cookies.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { signedIn } from "../../src/http/route.ts";
import { beforeSigningIn, ownUnfinishedAccount } from "../../src/identity/access.ts";
import { Failure, Forbidden, TooManyRequests } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { localPath } from "../redirect-target.ts";
import { attemptOf, isSecure, redirectAfterPost, shellOf, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import { endSession } from "./end-session.ts";
import { mailPages } from "./mail-routes.tsx";
import { continueSignIn, openRemembered } from "./open-session.ts";
import { openid2Pages } from "./openid2-routes.ts";
import { ChangePasswordPage } from "./register.tsx";
import { registrationPages } from "./registration-routes.tsx";
import { SignInPage, SignOutPage } from "./sign-in.tsx";
import { identityWords } from "./words/index.ts";

/** Signing in and out, and changing a password when required. */
export function identityPages(services: WebServices): Route[] {
  const page = { surface: "page", access: beforeSigningIn } as const;
  const own = { surface: "page", access: ownUnfinishedAccount } as const;
  return [
    { ...page, method: "GET", path: "/user/login", handle: (call) => signInForm(services, call) },
    { ...page, method: "POST", path: "/user/login", handle: (call) => signIn(services, call) },
    { ...page, method: "GET", path: "/user/logout", handle: (call) => signOutForm(services, call) },
    { ...page, method: "POST", path: "/user/logout", handle: (call) => signOut(services, call) },
    {
      ...own,
      method: "GET",
      path: "/user/settings/change_password",
      handle: (call) => newPasswordForm(services, call),
    },
    // The URL in the API's error message (contract identity.md 1.4).
    { ...own, method: "GET", path: "/user/change_password", handle: () => redirect("/user/settings/change_password") },
    { ...own, method: "POST", path: "/user/settings/change_password", handle: (call) => newPassword(services, call) },
    ...registrationPages(services),
    ...mailPages(services),
    ...openid2Pages(),
  ];
}

async function signInForm(services: WebServices, call: Call): Promise<Response> {
  const target = localPath(call.query.get("redirect_to"));
  if (call.principal.user) return redirectAfterPost(services, call, target ?? "/");
  const value = rememberedOf(call.request, isSecure(services));
  const again = value ? await openRemembered(services, call, value) : "over";
  // When two tabs open at once, the other one signs in.
  if (typeof again !== "string" || again === "just-used") return redirectAfterPost(services, call, target ?? "/");
  if (value) call.header("set-cookie", dropRememberCookie(isSecure(services)));
  const links = linksOf(services, target);
  const [only, ...more] = links;
  if (!services.config["sign_in.password_form"] && only && more.length === 0 && !call.query.has("stay"))
    return redirectAfterPost(services, call, only.href);
  const warning = again === "stolen" ? { errors: { form: wordsFor(call, identityWords)("rememberStolen") } } : {};
  return show(
    call,
    <SignInPage
      shell={shellOf(services, call)}
      takesPasskeys={services.passkeys.isAvailable}
      takesPasswords={services.config["sign_in.password_form"]}
      links={links}
      form={{ ...warning, values: { user_name: (call.query.get("user_name") ?? "").slice(0, 254) } }}
      {...(target ? { redirectTo: target } : {})}
    />,
  );
}

const linksOf = (services: WebServices, target: string | undefined) =>
  services.signInWays.flatMap((way) => way.links(services, target));

async function signIn(services: WebServices, call: Call): Promise<Response> {
  if (!services.config["sign_in.password_form"]) throw new Forbidden("account.password-form-off");
  const t = wordsFor(call, identityWords);
  const form = await readForm(call);
  const target = localPath(form.text("redirect_to") || call.query.get("redirect_to"));
  const refuse = (message: string, status: number, headers: Record<string, string> = {}) =>
    show(
      call,
      <SignInPage
        shell={shellOf(services, call)}
        takesPasskeys={services.passkeys.isAvailable}
        takesPasswords={services.config["sign_in.password_form"]}
        links={linksOf(services, target)}
        form={{ values: { user_name: form.text("user_name").slice(0, 254) }, errors: { form: message } }}
        remember={form.checked("remember")}
        {...(target ? { redirectTo: target } : {})}
      />,
      { status, headers },
    );
  let user: User | undefined;
  try {
    user = await checkedUser(services, call, form);
  } catch (error) {
    // The directory that checks the password does not respond.
    if (error instanceof Failure && error.code === "source.unreachable") return refuse(refusalText(call, error), 503);
    if (!(error instanceof TooManyRequests)) throw error;
    return refuse(t("tooManyAttempts", { count: error.retryAfterSeconds }), 429, {
      "retry-after": String(error.retryAfterSeconds),
    });
  }
  if (!user) return refuse(t("wrongCredentials"), 200);
  const problem = services.identity.accountProblem(user);
  // The password was correct, so it may be revealed that the account is not confirmed yet.
  if (services.confirmation.isAwaited(user)) return redirectAfterPost(services, call, "/user/activate");
  if (problem === "prohibited" || problem === "inactive") return refuse(t(problem), 200);
  return continueSignIn(services, call, user, { remember: form.checked("remember"), target });
}

/** @throws TooManyRequests */
async function checkedUser(services: WebServices, call: Call, form: Form): Promise<User | undefined> {
  const name = form.text("user_name").slice(0, 254);
  const password = form.exact("password");
  // Longer than any valid password: not worth a hash.
  return services.accountPasswords.checkCredentials(name, password.length > 255 ? "" : password, attemptOf(call));
}

function signOutForm(services: WebServices, call: Call): Response {
  if (!call.principal.user) return redirectAfterPost(services, call, "/");
  return show(call, <SignOutPage shell={shellOf(services, call)} />);
}

async function signOut(services: WebServices, call: Call): Promise<Response> {
  const elsewhere = await signOutElsewhere(services, call);
  endSession(services, call);
  return elsewhere === undefined ? redirectAfterPost(services, call, "/") : redirect(elsewhere);
}

/** The sign-out URL of the provider that authenticated the session; undefined: none. */
async function signOutElsewhere(services: WebServices, call: Call): Promise<string | undefined> {
  const id = services.sessions.sourceOf(call.principal);
  const source = id === undefined ? undefined : services.sources.byId(id);
  if (source?.kind !== "oauth2" || !source.settings.signsOutThere) return undefined;
  return services.oauth2Client.signOutAddress(source, services.links.rootUrl);
}

function newPasswordForm(services: WebServices, call: Call): Response {
  if (!signedIn(call).mustChangePassword) return redirectAfterPost(services, call, "/user/settings/account");
  return newPasswordPage(services, call, {});
}

function newPasswordPage(
  services: WebServices,
  call: Call,
  errors: { password?: string; retype?: string; form?: string },
): Response {
  const minPassword = services.config["password.min_length"];
  const refused = Object.keys(errors).length > 0;
  return show(
    call,
    <ChangePasswordPage shell={shellOf(services, call)} form={{ errors }} minPassword={minPassword} />,
    { status: refused ? 422 : 200 },
  );
}

async function newPassword(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  // Only when the change is required: otherwise the old password must be entered first.
  if (!user.mustChangePassword) return redirectAfterPost(services, call, "/user/settings/account");
  const t = wordsFor(call, identityWords);
  const form = await readForm(call);
  const password = form.exact("password");
  if (password !== form.exact("retype"))
    return newPasswordPage(services, call, { retype: wordsFor(call, siteWords)("passwordsDiffer") });
  try {
    await services.accountPasswords.chooseNew(call.principal, password, attemptOf(call));
  } catch (error) {
    if (error instanceof Failure && error.code === "account.same-password")
      return newPasswordPage(services, call, { password: t("samePassword") });
    return newPasswordPage(services, call, formErrors(call, error, { password: "password" }));
  }
  return redirectAfterPost(services, call, localPath(form.text("redirect_to")) ?? "/", {
    kind: "success",
    text: t("passwordChanged"),
  });
}
