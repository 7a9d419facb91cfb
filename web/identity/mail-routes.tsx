import type { User } from "../../src/access/user.ts";
import type { Flash } from "../../src/http/cookies.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { beforeSigningIn } from "../../src/identity/access.ts";
import { BadRequest, TooManyRequests } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm, someErrors } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { attemptOf, redirectAfterPost, shellOf, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import { ActivatePage, ConfirmAddressPage, GateMessage, MailRequestPage, RecoverPage } from "./mail-pages.tsx";
import { continueSignIn, openSession } from "./open-session.ts";
import { identityWords } from "./words/index.ts";

/** The pages that emails link to: a new password, account activation, confirmation of an email address. */
export function mailPages(services: WebServices): Route[] {
  const page = { surface: "page", access: beforeSigningIn } as const;
  return [
    { ...page, method: "GET", path: "/user/forgot_password", handle: (call) => forgotForm(services, call) },
    { ...page, method: "POST", path: "/user/forgot_password", handle: (call) => forgot(services, call) },
    { ...page, method: "GET", path: "/user/recover_account", handle: (call) => recoverForm(services, call) },
    { ...page, method: "POST", path: "/user/recover_account", handle: (call) => recover(services, call) },
    { ...page, method: "GET", path: "/user/activate", handle: (call) => activateForm(services, call) },
    { ...page, method: "POST", path: "/user/activate", handle: (call) => activate(services, call) },
    { ...page, method: "GET", path: "/user/activate_email", handle: (call) => confirmForm(services, call) },
    { ...page, method: "POST", path: "/user/activate_email", handle: (call) => confirm(services, call) },
  ];
}

interface Told {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

const tell = (services: WebServices, call: Call, told: Told, status = 200) =>
  show(call, <GateMessage shell={shellOf(services, call)} {...told} />, { status });

/** The result for a code; undefined when it is invalid or has expired. */
function unlessDead<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

const say = (call: Call) => wordsFor(call, identityWords);

/** @param ask the URL where a new link can be requested */
function deadLink(services: WebServices, call: Call, ask: string): Response {
  const t = say(call);
  const link = { href: ask, label: t("newLink") };
  return tell(services, call, { title: t("deadLinkTitle"), text: t("deadLink"), link }, 400);
}

/** Sends the requested email, with the same response whether or not the address exists; too many requests must wait. */
function requestMail(
  services: WebServices,
  call: Call,
  email: string,
  refused: (errors: RequestErrors, status: number) => Response,
  request: (email: string) => void,
): Response {
  if (email === "") return refused({ email: wordsFor(call, siteWords)("value.required") }, 422);
  try {
    request(email);
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    call.header("retry-after", String(error.retryAfterSeconds));
    return refused({ form: say(call)("tooManyRequests", { count: error.retryAfterSeconds }) }, 429);
  }
  const t = say(call);
  const link = { href: "/user/login", label: t("signIn") };
  return tell(services, call, { title: t("lookIntoMail"), text: t("mailSent"), link });
}

type RequestErrors = { email?: string; form?: string };

/** The page that asks for an email address. */
function requestPage(
  services: WebServices,
  call: Call,
  words: { title: string; lead: string; action: string; submit: string },
  errors?: RequestErrors,
  status = 200,
): Response {
  const view = <MailRequestPage shell={shellOf(services, call)} {...words} form={errors ? { errors } : {}} />;
  return show(call, view, { status });
}

function forgotForm(services: WebServices, call: Call, errors?: RequestErrors, status?: number): Response {
  const t = say(call);
  const title = t("forgottenTitle");
  if (!services.recovery.isAvailable) return tell(services, call, { title, text: t("noMailForPassword") });
  const words = { title, lead: t("forgottenLead"), action: FORGOTTEN, submit: t("sendMail") };
  return requestPage(services, call, words, errors, status);
}

async function forgot(services: WebServices, call: Call): Promise<Response> {
  if (!services.recovery.isAvailable) return forgotForm(services, call);
  return requestMail(
    services,
    call,
    (await readForm(call)).text("email"),
    (errors, status) => forgotForm(services, call, errors, status),
    (email) => services.recovery.request(call.address, email),
  );
}

const FORGOTTEN = "/user/forgot_password";

type RecoverErrors = { password?: string; retype?: string; passcode?: string };

function recoverForm(services: WebServices, call: Call): Response {
  return recoverPage(services, call, call.query.get("code") ?? "", undefined);
}

function recoverPage(services: WebServices, call: Call, code: string, errors: RecoverErrors | undefined): Response {
  const user = unlessDead(() => services.recovery.recovering(code));
  if (!user) return deadLink(services, call, FORGOTTEN);
  const view = (
    <RecoverPage
      shell={shellOf(services, call)}
      code={code}
      login={user.login}
      minPassword={services.config["password.min_length"]}
      asksPasscode={services.twoFactor.factorsOf(user.id).passcodes}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function recover(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const code = form.text("code") || (call.query.get("code") ?? "");
  const password = form.exact("password");
  const wrong = someErrors({
    password: password === "" ? wordsFor(call, siteWords)("value.required") : undefined,
    retype:
      form.has("retype") && form.exact("retype") !== password
        ? wordsFor(call, siteWords)("passwordsDiffer")
        : undefined,
  });
  if (wrong) return recoverPage(services, call, code, wrong);
  let user: User;
  let proven: boolean;
  try {
    services.accountPasswords.check(password);
    proven = await proveFactor(services, call, code, form);
    user = await services.recovery.reset(call.principal, code, password);
  } catch (error) {
    if (error instanceof BadRequest) return deadLink(services, call, FORGOTTEN);
    if (error instanceof TooManyRequests) {
      call.header("retry-after", String(error.retryAfterSeconds));
      const text = say(call)("tooManyAttempts", { count: error.retryAfterSeconds });
      return recoverPage(services, call, code, { passcode: text });
    }
    const fields = { password: "password", passcode: "passcode", token: "passcode" } as const;
    return recoverPage(services, call, code, formErrors(call, error, fields));
  }
  const flash = { kind: "success", text: say(call)("recovered") } as const;
  const remember = form.checked("remember");
  // Passcodes were requested together with the new password; a passkey is requested now.
  if (services.twoFactor.factorsOf(user.id).passkeys && !proven)
    return continueSignIn(services, call, user, { remember, target: undefined, flash });
  await openSession(services, call, user, { remember });
  return redirectAfterPost(services, call, "/", flash);
}

/**
 * Access to the mailbox alone must not give access to an account with passcodes (contract identity.md 5.5): the link
 * also consumes a passcode or recovery code.
 * @returns whether one was required and correct
 */
async function proveFactor(services: WebServices, call: Call, code: string, form: Form): Promise<boolean> {
  const user = services.recovery.recovering(code);
  const { passcodes } = services.twoFactor.factorsOf(user.id);
  if (!passcodes) return false;
  const recoveryCode = form.text("scratch_code") || (form.checked("has_scratch_code") ? form.text("passcode") : "");
  if (recoveryCode !== "")
    await services.twoFactor.proveRecoveryCode(call.principal, user, recoveryCode, attemptOf(call));
  else await services.twoFactor.provePasscode(call.principal, user, form.text("passcode"), attemptOf(call));
  return true;
}

const ACTIVATION = "/user/activate";

function activateForm(services: WebServices, call: Call): Response {
  const code = call.query.get("code") ?? "";
  return code === "" ? activationRequest(services, call) : activatePage(services, call, code, undefined);
}

function activationRequest(services: WebServices, call: Call, errors?: RequestErrors, status?: number): Response {
  const t = say(call);
  const title = t("activateTitle");
  if (!services.confirmation.canSend) return tell(services, call, { title, text: t("noMailToActivate") });
  const words = { title, lead: t("activateAgainLead"), action: ACTIVATION, submit: t("sendAgain") };
  return requestPage(services, call, words, errors, status);
}

function activatePage(
  services: WebServices,
  call: Call,
  code: string,
  errors: { password?: string } | undefined,
): Response {
  const user = unlessDead(() => services.confirmation.awaiting(code));
  if (!user) return deadLink(services, call, ACTIVATION);
  const view = (
    <ActivatePage shell={shellOf(services, call)} code={code} login={user.login} {...(errors ? { errors } : {})} />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function activate(services: WebServices, call: Call): Promise<Response> {
  const { confirmation } = services;
  const form = await readForm(call);
  const code = form.text("code") || (call.query.get("code") ?? "");
  if (code === "") {
    if (!confirmation.canSend) return activationRequest(services, call);
    const refused = (errors: { email?: string; form?: string }, status: number) =>
      activationRequest(services, call, errors, status);
    return requestMail(services, call, form.text("email"), refused, (email) =>
      confirmation.requestActivation(call.address, email),
    );
  }
  const waiting = unlessDead(() => confirmation.awaiting(code));
  if (!waiting) return deadLink(services, call, ACTIVATION);
  let user: User;
  try {
    user = await confirmation.activate(code, form.exact("password"), attemptOf(call));
  } catch (error) {
    if (error instanceof BadRequest) return deadLink(services, call, ACTIVATION);
    formErrors(call, error, {});
    return activatePage(services, call, code, { password: say(call)("passwordWrong") });
  }
  const flash = { kind: "success", text: say(call)("activated", { name: user.login }) } as const;
  return continueSignIn(services, call, user, { remember: false, target: undefined, flash });
}

const ADDRESSES = "/user/settings/account";

function confirmForm(services: WebServices, call: Call): Response {
  const code = call.query.get("code") ?? "";
  const open = unlessDead(() => services.confirmation.confirming(call.principal, code));
  if (!open) return toAddresses(services, call, { kind: "error", text: say(call)("deadLink") });
  const shell = shellOf(services, call);
  return show(call, <ConfirmAddressPage shell={shell} code={code} email={open.email} name={open.user.login} />);
}

async function confirm(services: WebServices, call: Call): Promise<Response> {
  const code = (await readForm(call)).text("code") || (call.query.get("code") ?? "");
  const email = unlessDead(() => services.confirmation.confirm(call.principal, code));
  if (email === undefined) return toAddresses(services, call, { kind: "error", text: say(call)("deadLink") });
  return toAddresses(services, call, { kind: "success", text: say(call)("addressConfirmed", { email }) });
}

const toAddresses = (services: WebServices, call: Call, flash: Flash) =>
  redirectAfterPost(services, call, ADDRESSES, flash);
