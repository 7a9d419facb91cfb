import type { Visibility } from "../../src/access/levels.ts";
import type { User } from "../../src/access/user.ts";
import { signOutCookies } from "../../src/http/cookies.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { NotFound, TooManyRequests } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalOf, someErrors, tooLong } from "../form-data.ts";
import { identityWords } from "../identity/words/index.ts";
import { wordsFor } from "../language.ts";
import { uploadedPicture } from "../links.ts";
import { attemptOf, isSecure, person, redirectAfterPost, shellOf, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import { securityPages } from "./security-routes.tsx";
import { AccountSettingsPage, AppearanceSettingsPage, ProfileSettingsPage } from "./settings.tsx";
import { tokenPages } from "./token-routes.tsx";
import { accountWords } from "./words/index.ts";

type ProfileField = "name" | "full_name" | "website" | "location" | "description" | "visibility";

/** As the form numbers them (contract web.md 1.4). */
const VISIBILITIES: readonly Visibility[] = ["public", "limited", "private"];
const saved = (text: string) => ({ kind: "success", text }) as const;

/** What people change of their own account. */
export function accountSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: person } as const;
  const at = (path: string) => ({ ...page, path: `/user/settings${path}` });
  return [
    { ...at(""), method: "GET", handle: (call) => profile(services, call) },
    { ...at(""), method: "POST", handle: (call) => saveProfile(services, call) },
    { ...at("/account"), method: "GET", handle: (call) => account(services, call, {}) },
    { ...at("/account"), method: "POST", handle: (call) => changePassword(services, call) },
    { ...at("/account/email"), method: "POST", handle: (call) => addOrPromoteEmail(services, call) },
    { ...at("/account/email/delete"), method: "POST", handle: (call) => removeEmail(services, call) },
    { ...at("/account/delete"), method: "POST", handle: (call) => deleteAccount(services, call) },
    {
      ...at("/appearance"),
      method: "GET",
      handle: (call) => show(call, <AppearanceSettingsPage shell={shellOf(services, call)} />),
    },
    ...tokenPages(services),
    ...securityPages(services),
  ];
}

function profile(services: WebServices, call: Call): Response {
  const user = signedIn(call);
  return profilePage(services, call, {
    values: {
      name: user.login,
      full_name: user.fullName,
      website: user.website,
      location: user.location,
      description: user.description,
      visibility: String(VISIBILITIES.indexOf(user.visibility)),
    },
    hideEmail: user.hideEmail,
    hideActivity: user.hideActivity,
  });
}

interface ProfileShown {
  readonly values: Partial<Record<ProfileField, string>>;
  readonly hideEmail: boolean;
  readonly hideActivity: boolean;
  readonly errors?: FormErrors<ProfileField>;
}

function profilePage(services: WebServices, call: Call, shown: ProfileShown): Response {
  const user = signedIn(call);
  const view = (
    <ProfileSettingsPage
      shell={shellOf(services, call)}
      form={{ values: shown.values, ...(shown.errors ? { errors: shown.errors } : {}) }}
      keepEmailPrivate={shown.hideEmail}
      keepActivityPrivate={shown.hideActivity}
      picture={{
        action: "/user/settings/avatar",
        name: user.login,
        ...uploadedPicture(user),
      }}
    />
  );
  return show(call, view, { status: shown.errors ? 422 : 200 });
}

async function saveProfile(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const form = await readForm(call);
  const edit = profileEdit(form, user);
  const refuse = (errors: FormErrors<ProfileField>) =>
    profilePage(services, call, {
      values: Object.fromEntries(form.starting("").map(([name, value]) => [name, value.slice(0, 2000)])),
      hideEmail: edit.hideEmail,
      hideActivity: edit.hideActivity,
      errors,
    });
  const wrong = profileErrors(call, form, edit);
  if (wrong) return refuse(wrong);
  try {
    const name = form.text("name");
    const renames = name !== "" && name !== user.login;
    if (renames) services.identity.requireRenameable(user, name);
    await services.identity.edit(user, edit);
    if (renames) services.identity.rename(call.principal, user, name);
  } catch (error) {
    return refuse(formErrors(call, error, { username: "name", website: "website" }));
  }
  return redirectAfterPost(services, call, "/user/settings", {
    kind: "success",
    text: wordsFor(call, accountWords)("saved"),
    form: "profile",
  });
}

/** Fields a shorter form leaves out stay as they are; boxes that are not sent are not ticked. */
function profileEdit(form: Form, user: User) {
  const text = (name: string, now: string) => (form.has(name) ? form.text(name) : now);
  return {
    fullName: text("full_name", user.fullName),
    website: text("website", user.website),
    location: text("location", user.location),
    description: text("description", user.description),
    visibility: VISIBILITIES[form.number("visibility") ?? -1] ?? user.visibility,
    hideEmail: form.checked("keep_email_private"),
    hideActivity: form.checked("keep_activity_private"),
  };
}

function profileErrors(
  call: Call,
  form: Form,
  edit: ReturnType<typeof profileEdit>,
): FormErrors<ProfileField> | undefined {
  const t = wordsFor(call, siteWords);
  const isWebsite = edit.website === "" || (/^https?:\/\//i.test(edit.website) && URL.canParse(edit.website));
  return someErrors<ProfileField>({
    name: form.has("name") && form.text("name") === "" ? t("value.required") : undefined,
    full_name: tooLong(call, edit.fullName, 100),
    website: tooLong(call, edit.website, 255) ?? (isWebsite ? undefined : t("value.not-a-url")),
    location: tooLong(call, edit.location, 50),
    description: tooLong(call, edit.description, 255),
  });
}

interface AccountShown {
  readonly passwordErrors?: FormErrors<"old_password" | "password" | "retype">;
  readonly email?: { readonly value: string; readonly error: string };
  readonly deleteError?: string;
}

function account(services: WebServices, call: Call, shown: AccountShown, status?: number): Response {
  const emails = services.identity.emails(signedIn(call)).map((own) => ({ ...own, address: own.email }));
  const view = (
    <AccountSettingsPage
      shell={shellOf(services, call)}
      emails={emails}
      canConfirm={services.confirmation.canSend}
      emailForm={shown.email ? { values: { email: shown.email.value }, errors: { email: shown.email.error } } : {}}
      minPassword={services.config["password.min_length"]}
      {...(shown.passwordErrors ? { passwordErrors: shown.passwordErrors } : {})}
      {...(shown.deleteError ? { deleteError: shown.deleteError } : {})}
    />
  );
  return show(call, view, { status: status ?? (Object.keys(shown).length > 0 ? 422 : 200) });
}

async function changePassword(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const form = await readForm(call);
  if (form.exact("password") !== form.exact("retype"))
    return account(services, call, { passwordErrors: { retype: wordsFor(call, siteWords)("passwordsDiffer") } });
  try {
    await services.identity.changePassword(
      user,
      form.exact("old_password"),
      form.exact("password"),
      call.principal.sessionId,
      attemptOf(call),
    );
  } catch (error) {
    if (error instanceof TooManyRequests) {
      call.header("retry-after", String(error.retryAfterSeconds));
      const sentence = wordsFor(call, identityWords)("tooManyAttempts", { count: error.retryAfterSeconds });
      const passwordErrors = { old_password: sentence };
      return account(services, call, { passwordErrors }, 429);
    }
    const passwordErrors = formErrors(call, error, { password: "password", old_password: "old_password" });
    return account(services, call, { passwordErrors });
  }
  return redirectAfterPost(services, call, "/user/settings/account", {
    kind: "success",
    text: wordsFor(call, accountWords)("passwordChanged"),
    form: "password",
  });
}

async function addOrPromoteEmail(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const form = await readForm(call);
  const t = wordsFor(call, accountWords);
  const done = (text: string) => redirectAfterPost(services, call, "/user/settings/account", saved(text));
  if (form.text("_method") === "PRIMARY") {
    services.identity.makePrimary(user, form.number("id") ?? 0);
    return done(t("primaryChanged"));
  }
  if (form.text("_method") === "SENDACTIVATION") return sendAgain(services, call, form.number("id") ?? 0);
  const email = form.text("email");
  try {
    services.confirmation.add(call.principal, [email]);
  } catch (error) {
    const text = refusalOf(call, error);
    return account(services, call, {
      email: { value: email.slice(0, 255), error: email === "" ? wordsFor(call, siteWords)("value.required") : text },
    });
  }
  return done(services.confirmation.canSend ? t("emailAddedMailSent") : t("emailAdded"));
}

function sendAgain(services: WebServices, call: Call, emailId: number): Response {
  const t = wordsFor(call, accountWords);
  const back = "/user/settings/account";
  if (!services.confirmation.canSend) throw new NotFound();
  try {
    services.confirmation.resend(call.principal, emailId);
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    const text = t("mailJustSent");
    return redirectAfterPost(services, call, back, { kind: "info", text });
  }
  return redirectAfterPost(services, call, back, saved(t("mailSent")));
}

async function removeEmail(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const id = (await readForm(call)).number("id");
  const own = services.identity.emails(user).find((email) => email.id === id);
  try {
    services.identity.removeEmails(user, [own?.email ?? ""]);
  } catch (error) {
    return redirectAfterPost(services, call, "/user/settings/account", { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(
    services,
    call,
    "/user/settings/account",
    saved(wordsFor(call, accountWords)("emailRemoved")),
  );
}

/** An account leaves only with its password, and only when it leaves nothing behind. */
async function deleteAccount(services: WebServices, call: Call): Promise<Response> {
  const { identity, repos } = services;
  const t = wordsFor(call, accountWords);
  const user = signedIn(call);
  const password = (await readForm(call)).exact("password");
  if (password === "" || !(await identity.isPassword(user, password, attemptOf(call))))
    return account(services, call, { deleteError: t("passwordWrong") });
  if (repos.ownedBy(user).length > 0) return account(services, call, { deleteError: t("stillOwns") });
  try {
    identity.remove(call.principal, user);
  } catch (error) {
    return account(services, call, { deleteError: refusalOf(call, error) });
  }
  for (const cookie of signOutCookies(isSecure(services))) call.header("set-cookie", cookie);
  return redirectAfterPost(services, call, "/", { kind: "info", text: t("accountDeleted") });
}
