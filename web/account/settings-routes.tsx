import { visibilities } from "../../src/access/levels.ts";
import type { User } from "../../src/access/user.ts";
import { signOutCookies } from "../../src/http/cookies.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { numberedVisibility, type ProfileTexts, profileProblems } from "../../src/identity/values.ts";
import { Failure, NotFound, TooManyRequests } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalOf } from "../form-data.ts";
import { identityWords } from "../identity/words/index.ts";
import { wordsFor } from "../language.ts";
import { uploadedPicture } from "../links.ts";
import { attemptOf, isSecure, redirectAfterPost, shellOf, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import { settingsPanels } from "./panels.ts";
import { ownReposPages } from "./repos-routes.tsx";
import { securityPages } from "./security-routes.tsx";
import { AccountSettingsPage, AppearanceSettingsPage, ProfileSettingsPage } from "./settings.tsx";
import { tokenPages } from "./token-routes.tsx";
import { accountWords } from "./words/index.ts";

type ProfileField = "name" | "full_name" | "website" | "location" | "description" | "visibility";

/** Form field names by the service's field names. */
const PROFILE_FIELDS: Readonly<Record<string, ProfileField>> = {
  username: "name",
  ...Object.fromEntries((["full_name", "website", "location", "description"] as const).map((name) => [name, name])),
};
const saved = (text: string) => ({ kind: "success", text }) as const;

/** Lets users edit their own account. */
export function accountSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount } as const;
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
      handle: async (call) => {
        const panels = await settingsPanels(services, call, "appearance");
        return show(call, <AppearanceSettingsPage shell={shellOf(services, call)} panels={panels} />);
      },
    },
    ...tokenPages(services),
    ...securityPages(services),
    ...ownReposPages(services),
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
      visibility: String(visibilities.indexOf(user.visibility)),
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
  const wrong = profileErrors(call, edit);
  if (wrong) return refuse(wrong);
  try {
    await services.identity.edit(call.principal, user, edit);
  } catch (error) {
    return refuse(formErrors(call, error, PROFILE_FIELDS));
  }
  return redirectAfterPost(services, call, "/user/settings", {
    kind: "success",
    text: wordsFor(call, accountWords)("saved"),
    form: "profile",
  });
}

/** Fields missing from a shorter form keep their values; missing checkboxes are unchecked. */
function profileEdit(form: Form, user: User) {
  const text = (name: string, now: string) => (form.has(name) ? form.text(name) : now);
  return {
    login: text("name", user.login),
    fullName: text("full_name", user.fullName),
    website: text("website", user.website),
    location: text("location", user.location),
    description: text("description", user.description),
    visibility: numberedVisibility(form.number("visibility")) ?? user.visibility,
    hideEmail: form.checked("keep_email_private"),
    hideActivity: form.checked("keep_activity_private"),
  };
}

/** All errors in the texts, so that they can be corrected in one go. */
function profileErrors(call: Call, texts: ProfileTexts): FormErrors<ProfileField> | undefined {
  const errors = profileProblems(texts).map((problem) => formErrors<ProfileField>(call, problem, PROFILE_FIELDS));
  return errors.length === 0 ? undefined : Object.assign({}, ...errors);
}

interface AccountShown {
  readonly passwordErrors?: FormErrors<"old_password" | "password" | "retype">;
  readonly email?: { readonly value: string; readonly error: string };
  readonly deleteError?: string;
}

function account(services: WebServices, call: Call, shown: AccountShown, status?: number): Response {
  const user = signedIn(call);
  const emails = services.emails.list(call.principal, user).map((own) => ({ ...own, address: own.email }));
  const source = user.sourceId === 0 ? undefined : services.sources.byId(user.sourceId)?.name;
  const view = (
    <AccountSettingsPage
      shell={shellOf(services, call)}
      emails={emails}
      canConfirm={services.confirmation.canSend}
      emailForm={shown.email ? { values: { email: shown.email.value }, errors: { email: shown.email.error } } : {}}
      minPassword={services.config["password.min_length"]}
      {...(source === undefined ? {} : { source })}
      {...(shown.passwordErrors ? { passwordErrors: shown.passwordErrors } : {})}
      {...(shown.deleteError ? { deleteError: shown.deleteError } : {})}
    />
  );
  return show(call, view, { status: status ?? (Object.keys(shown).length > 0 ? 422 : 200) });
}

async function changePassword(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  if (form.exact("password") !== form.exact("retype"))
    return account(services, call, { passwordErrors: { retype: wordsFor(call, siteWords)("passwordsDiffer") } });
  try {
    const [old, password] = [form.exact("old_password"), form.exact("password")];
    await services.accountPasswords.change(call.principal, old, password, attemptOf(call));
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
  const form = await readForm(call);
  const t = wordsFor(call, accountWords);
  const done = (text: string) => redirectAfterPost(services, call, "/user/settings/account", saved(text));
  if (form.text("_method") === "PRIMARY") {
    services.emails.makePrimary(call.principal, form.number("id") ?? 0);
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
  const id = (await readForm(call)).number("id") ?? 0;
  try {
    services.emails.remove(call.principal, [id]);
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

/** Deleting an account requires its password, and that it owns nothing any more. */
async function deleteAccount(services: WebServices, call: Call): Promise<Response> {
  const password = (await readForm(call)).exact("password");
  try {
    await services.admin.deleteOwnAccount(call.principal, password, attemptOf(call));
  } catch (error) {
    return account(services, call, { deleteError: deletionRefusal(call, error) });
  }
  for (const cookie of signOutCookies(isSecure(services))) call.header("set-cookie", cookie);
  const text = wordsFor(call, accountWords)("accountDeleted");
  return redirectAfterPost(services, call, "/", { kind: "info", text });
}

function deletionRefusal(call: Call, error: unknown): string {
  const t = wordsFor(call, accountWords);
  if (error instanceof Failure && error.code === "account.password-wrong") return t("passwordWrong");
  if (error instanceof Failure && error.code === "account.still-owns-repositories") return t("stillOwns");
  return refusalOf(call, error);
}
