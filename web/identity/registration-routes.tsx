import type { User } from "../../src/access/user.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { beforeSigningIn } from "../../src/identity/access.ts";
import type { Failure } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, someErrors } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { localPath } from "../redirect-target.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import { GateMessage } from "./mail-pages.tsx";
import { openSession } from "./open-session.ts";
import { RegisterPage, SetupPage } from "./register.tsx";
import { identityWords } from "./words/index.ts";

type Field = "user_name" | "email" | "password" | "retype";

const SERVICE_FIELDS = { username: "user_name", email: "email", password: "password" } as const;

/** Registration. While there is no account, the first one can only be created with the link from the console. */
export function registrationPages(services: WebServices): Route[] {
  const page = { surface: "page", access: beforeSigningIn, path: "/user/sign_up" } as const;
  return [
    { ...page, method: "GET", handle: (call) => form(services, call) },
    { ...page, method: "POST", handle: (call) => register(services, call) },
  ];
}

function form(services: WebServices, call: Call): Response {
  if (call.principal.user) return redirectAfterPost(services, call, localPath(call.query.get("redirect_to")) ?? "/");
  if (services.identity.hasAnyUser()) return registerPage(services, call, undefined, undefined);
  const token = call.query.get("setup") ?? "";
  const wrong = token !== "" && !services.setup.isToken(token);
  return setupPage(
    services,
    call,
    { token, values: {} },
    wrong ? { token: wordsFor(call, identityWords)("setUpTokenWrong") } : undefined,
  );
}

async function register(services: WebServices, call: Call): Promise<Response> {
  if (call.principal.user) return redirectAfterPost(services, call, "/");
  const t = wordsFor(call, identityWords);
  const given = await readForm(call);
  const isFirst = !services.identity.hasAnyUser();
  const token = given.text("token") || call.query.get("setup") || "";
  const values = { user_name: given.text("user_name").slice(0, 255), email: given.text("email").slice(0, 255) };
  const refuse = (errors: FormErrors<Field | "token">) =>
    isFirst
      ? setupPage(services, call, { token, values }, errors)
      : registerPage(services, call, values, errors, 422, localPath(given.text("redirect_to")));
  if (isFirst && !services.setup.isToken(token)) return refuse({ token: t("setUpTokenWrong") });
  if (!isFirst && !services.accountCreation.isRegistrationOpen())
    return registerPage(services, call, undefined, undefined, 403);
  const wrong = problemsOf(services, call, given);
  if (wrong) return refuse(wrong);
  let user: User;
  try {
    const input = { login: values.user_name, email: values.email, password: given.exact("password") };
    user = isFirst
      ? await services.accountCreation.setUp(call.principal, input)
      : await services.confirmation.register(call.principal, input);
  } catch (error) {
    return refuse(formErrors(call, error, SERVICE_FIELDS));
  }
  if (!user.isActive) return waitsPage(services, call, user);
  await openSession(services, call, user, { remember: false });
  return redirectAfterPost(services, call, localPath(given.text("redirect_to")) ?? "/", {
    kind: "success",
    text: isFirst ? t("welcome", { name: user.login }) : t("accountCreated"),
  });
}

/** The account was created and waits for email confirmation, or for the administrator when the site sends no email. */
function waitsPage(services: WebServices, call: Call, user: User): Response {
  const t = wordsFor(call, identityWords);
  const { canSend } = services.confirmation;
  const text = canSend
    ? t("activationSent", { email: user.email, name: user.login })
    : t("waitsForAdministrator", { name: user.login });
  const link = canSend ? { href: "/user/activate", label: t("sendAgain") } : undefined;
  const title = canSend ? t("lookIntoMail") : t("accountCreated");
  return show(
    call,
    <GateMessage shell={shellOf(services, call)} title={title} text={text} {...(link ? { link } : {})} />,
  );
}

/** All errors, so that they can be corrected in one go. */
function problemsOf({ accountCreation }: WebServices, call: Call, form: Form): FormErrors<Field> | undefined {
  const t = wordsFor(call, siteWords);
  const [login, email, password] = [form.text("user_name"), form.text("email"), form.exact("password")];
  const found = accountCreation.problemsOfNew({ login, email, password });
  const say = (value: string, problem: Failure | undefined) =>
    value === "" ? t("value.required") : problem && formErrors(call, problem, {}).form;
  return someErrors<Field>({
    user_name: say(login, found.login),
    email: say(email, found.email),
    password: say(password, found.password),
    retype: password === form.exact("retype") ? undefined : t("passwordsDiffer"),
  });
}

function registerPage(
  services: WebServices,
  call: Call,
  values: { user_name: string; email: string } | undefined,
  errors: FormErrors<Field> | undefined,
  status = errors ? 422 : 200,
  redirectTo = localPath(call.query.get("redirect_to")),
): Response {
  const view = (
    <RegisterPage
      shell={shellOf(services, call)}
      redirectTo={redirectTo}
      form={{ ...(values ? { values } : {}), ...(errors ? { errors } : {}) }}
      minPassword={services.config["password.min_length"]}
    />
  );
  return show(call, view, { status });
}

function setupPage(
  services: WebServices,
  call: Call,
  given: { token: string; values: { user_name?: string; email?: string } },
  errors: FormErrors<Field | "token"> | undefined,
): Response {
  const view = (
    <SetupPage
      shell={shellOf(services, call)}
      form={{ values: { ...given.values, token: given.token.slice(0, 100) }, ...(errors ? { errors } : {}) }}
      minPassword={services.config["password.min_length"]}
      action="/user/sign_up"
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}
