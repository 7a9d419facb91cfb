import type { User } from "../../src/access/user.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { BadRequest, TooManyRequests } from "../../src/kernel/errors.ts";
import type { Services } from "../../src/services.ts";
import { formErrors, readForm, someErrors } from "../form-data.ts";
import { gate, person, redirectAfterPost, shellOf, show } from "../visit.ts";
import { ActivatePage, ConfirmAddressPage, GateMessage, MailRequestPage, RecoverPage } from "./mail-pages.tsx";
import { openSession } from "./open-session.ts";

const SENT =
  "If an account of this site has this address, a mail with a link is on its way to it. Look among the unwanted mail, too. Another can be sent in three minutes.";
const NO_MAIL = "This site sends no mail. Its administrator can set a new password for you.";
const NO_MAIL_TO_ACTIVATE = "This site sends no mail. Its administrator can activate your account.";
const DEAD_LINK = "The link was used already, has expired, or is not complete. Ask for a new one.";

/** What mails link to: a new password, the activation of an account, the confirmation of an address. */
export function mailPages(services: Services): Route[] {
  const page = { surface: "page", access: gate } as const;
  const own = { surface: "page", access: person } as const;
  return [
    { ...page, method: "GET", path: "/user/forgot_password", handle: (call) => forgotForm(services, call) },
    { ...page, method: "POST", path: "/user/forgot_password", handle: (call) => forgot(services, call) },
    { ...page, method: "GET", path: "/user/recover_account", handle: (call) => recoverForm(services, call) },
    { ...page, method: "POST", path: "/user/recover_account", handle: (call) => recover(services, call) },
    { ...page, method: "GET", path: "/user/activate", handle: (call) => activateForm(services, call) },
    { ...page, method: "POST", path: "/user/activate", handle: (call) => activate(services, call) },
    { ...own, method: "GET", path: "/user/activate_email", handle: (call) => confirmForm(services, call) },
    { ...own, method: "POST", path: "/user/activate_email", handle: (call) => confirm(services, call) },
  ];
}

interface Told {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

const tell = (services: Services, call: Call, told: Told, status = 200) =>
  show(call, <GateMessage shell={shellOf(services, call)} {...told} />, { status });

/** What the service said of a code; undefined when it is dead. */
function unlessDead<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

function deadLink(services: Services, call: Call, link: { href: string; label: string }): Response {
  return tell(services, call, { title: "This link does not work any more", text: DEAD_LINK, link }, 400);
}

/** Sends what a form asks for and says the same whoever has the address; too many requests are told to wait. */
function requestMail(
  services: Services,
  call: Call,
  email: string,
  refused: (errors: { email?: string; form?: string }, status: number) => Response,
  request: (email: string) => void,
): Response {
  if (email === "") return refused({ email: "This is required." }, 422);
  try {
    request(email);
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    call.header("retry-after", String(error.retryAfterSeconds));
    return refused({ form: `Too many requests. Try again in ${error.retryAfterSeconds} seconds.` }, 429);
  }
  return tell(services, call, {
    title: "Look into your mail",
    text: SENT,
    link: { href: "/user/login", label: "Sign in" },
  });
}

function forgotForm(
  services: Services,
  call: Call,
  errors?: { email?: string; form?: string },
  status = 200,
): Response {
  if (!services.recovery.isAvailable) return tell(services, call, { title: "Forgotten password", text: NO_MAIL });
  return show(
    call,
    <MailRequestPage
      shell={shellOf(services, call)}
      title="Forgotten password"
      lead="A mail with a link for a new password goes to your address."
      action="/user/forgot_password"
      form={errors ? { errors } : {}}
      submit="Send the mail"
    />,
    { status },
  );
}

async function forgot(services: Services, call: Call): Promise<Response> {
  if (!services.recovery.isAvailable) return forgotForm(services, call);
  return requestMail(
    services,
    call,
    (await readForm(call)).text("email"),
    (errors, status) => forgotForm(services, call, errors, status),
    (email) => services.recovery.request(call.address, email),
  );
}

const forgottenLink = { href: "/user/forgot_password", label: "Ask for a new link" };

function recoverForm(services: Services, call: Call): Response {
  return recoverPage(services, call, call.query.get("code") ?? "", undefined);
}

function recoverPage(
  services: Services,
  call: Call,
  code: string,
  errors: { password?: string; retype?: string } | undefined,
): Response {
  const user = unlessDead(() => services.recovery.recovering(code));
  if (!user) return deadLink(services, call, forgottenLink);
  const view = (
    <RecoverPage
      shell={shellOf(services, call)}
      code={code}
      login={user.login}
      minPassword={services.config["password.min_length"]}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function recover(services: Services, call: Call): Promise<Response> {
  const form = await readForm(call);
  const code = form.text("code") || (call.query.get("code") ?? "");
  const password = form.exact("password");
  const wrong = someErrors({
    password: password === "" ? "This is required." : undefined,
    retype: form.has("retype") && form.exact("retype") !== password ? "The two passwords are not the same." : undefined,
  });
  if (wrong) return recoverPage(services, call, code, wrong);
  let user: User;
  try {
    user = await services.recovery.reset(code, password);
  } catch (error) {
    if (error instanceof BadRequest) return deadLink(services, call, forgottenLink);
    return recoverPage(services, call, code, formErrors(error, { password: "password" }));
  }
  await openSession(services, call, user, form.checked("remember"));
  const text = "Your new password is set, and all your other sessions ended.";
  return redirectAfterPost(services, call, "/", { kind: "success", text });
}

const activationLink = { href: "/user/activate", label: "Ask for a new link" };

function activateForm(services: Services, call: Call): Response {
  const code = call.query.get("code") ?? "";
  return code === "" ? activationRequest(services, call) : activatePage(services, call, code, undefined);
}

function activationRequest(
  services: Services,
  call: Call,
  errors?: { email?: string; form?: string },
  status = 200,
): Response {
  if (!services.confirmation.canSend)
    return tell(services, call, { title: "Activate your account", text: NO_MAIL_TO_ACTIVATE });
  return show(
    call,
    <MailRequestPage
      shell={shellOf(services, call)}
      title="Activate your account"
      lead="Your account waits until you open the link in the mail that was sent to you. It can be sent again."
      action="/user/activate"
      form={errors ? { errors } : {}}
      submit="Send the mail again"
    />,
    { status },
  );
}

function activatePage(
  services: Services,
  call: Call,
  code: string,
  errors: { password?: string } | undefined,
): Response {
  const user = unlessDead(() => services.confirmation.awaiting(code));
  if (!user) return deadLink(services, call, activationLink);
  const view = (
    <ActivatePage shell={shellOf(services, call)} code={code} login={user.login} {...(errors ? { errors } : {})} />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function activate(services: Services, call: Call): Promise<Response> {
  const { confirmation, throttle } = services;
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
  if (!waiting) return deadLink(services, call, activationLink);
  throttle.check(waiting.login, call.address);
  let user: User;
  try {
    user = await confirmation.activate(code, form.exact("password"));
  } catch (error) {
    if (error instanceof BadRequest) return deadLink(services, call, activationLink);
    formErrors(error, {});
    throttle.failed(waiting.login, call.address);
    return activatePage(services, call, code, { password: "The password is incorrect." });
  }
  throttle.succeeded(waiting.login, call.address);
  await openSession(services, call, user, false);
  return redirectAfterPost(services, call, "/", {
    kind: "success",
    text: `Welcome, ${user.login}. Your account is active.`,
  });
}

const addressesLink = { href: "/user/settings/account", label: "Your addresses" };

function confirmForm(services: Services, call: Call): Response {
  const code = call.query.get("code") ?? "";
  const email = unlessDead(() => services.confirmation.confirming(call.principal, code));
  if (email === undefined) return deadLink(services, call, addressesLink);
  return show(call, <ConfirmAddressPage shell={shellOf(services, call)} code={code} email={email} />);
}

async function confirm(services: Services, call: Call): Promise<Response> {
  const code = (await readForm(call)).text("code") || (call.query.get("code") ?? "");
  const email = unlessDead(() => services.confirmation.confirm(call.principal, code));
  if (email === undefined) return deadLink(services, call, addressesLink);
  return redirectAfterPost(services, call, "/user/settings/account", {
    kind: "success",
    text: `The address ${email} is confirmed.`,
  });
}
