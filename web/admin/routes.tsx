import { visibilities } from "../../src/access/levels.ts";
import type { User, UserKind } from "../../src/access/user.ts";
import { administersAccounts } from "../../src/admin/access.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route, signedIn } from "../../src/http/route.ts";
import type { CreateUser } from "../../src/identity/account-creation.ts";
import type { EditUser } from "../../src/identity/edits.ts";
import { numberedVisibility } from "../../src/identity/values.ts";
import { type Failure, NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalOf, refusalText, someErrors } from "../form-data.ts";
import type { Children } from "../jsx/types.ts";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { ACCOUNT_ORDERS, accountSortOf } from "./account-orders.ts";
import { backgroundPages } from "./background-routes.tsx";
import { badgePages } from "./badge-routes.tsx";
import { listPages } from "./lists-routes.tsx";
import { monitorPages } from "./monitor-routes.tsx";
import { noticePages } from "./notice-routes.tsx";
import { overviewPages } from "./overview-routes.tsx";
import { EditUserPage, NewUserPage, type UserField } from "./user-forms.tsx";
import { type AdminUser, AdminUsersPage } from "./users.tsx";
import { adminWords } from "./words/index.ts";

const USERS = "/-/admin/users";
const PER_PAGE = 50;
const PEOPLE: readonly UserKind[] = ["individual", "bot"];
/** Filters of the list. */
const STATES = {
  active: { isActive: true },
  inactive: { isActive: false },
  admin: { isAdmin: true },
  restricted: { isRestricted: true },
  prohibited: { prohibitLogin: true },
  "two-factor": { hasSecondFactor: true },
  "no-two-factor": { hasSecondFactor: false },
} as const;
const SERVICE_FIELDS = {
  username: "user_name",
  full_name: "full_name",
  email: "email",
  password: "password",
  website: "website",
  location: "location",
  description: "description",
} as const;

type Field = UserField | "password";

/** The administration of the site. */
export function adminPages(services: WebServices): Route[] {
  return [
    ...overviewPages(services),
    ...accountPages(services),
    ...listPages(services),
    ...badgePages(services),
    ...noticePages(services),
    ...backgroundPages(services),
    ...monitorPages(services),
  ];
}

/** Its accounts. */
function accountPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersAccounts } as const;
  return [
    { ...page, method: "GET", path: USERS, handle: (call) => list(services, call) },
    { ...page, method: "GET", path: `${USERS}/new`, handle: (call) => newPage(services, call, undefined) },
    { ...page, method: "POST", path: `${USERS}/new`, handle: (call) => create(services, call) },
    {
      ...page,
      method: "GET",
      path: `${USERS}/:id`,
      handle: (call) => redirect(`${USERS}/${accountOf(services, call).id}/edit`),
    },
    { ...page, method: "GET", path: `${USERS}/:id/edit`, handle: (call) => editPage(services, call, undefined) },
    { ...page, method: "POST", path: `${USERS}/:id/edit`, handle: (call) => save(services, call) },
    { ...page, method: "POST", path: "/-/admin/emails/activate", handle: (call) => confirmEmail(services, call) },
    { ...page, method: "POST", path: `${USERS}/:id/delete`, handle: (call) => remove(services, call) },
  ];
}

function list(services: WebServices, call: Call): Response {
  const query = (call.query.get("q") ?? "").trim().slice(0, 100);
  const sort = accountSortOf(call);
  const slice = pageOf(call, PER_PAGE);
  const state = stateOf(call);
  const filter = { kinds: PEOPLE, text: query, ...(state ? STATES[state] : {}) };
  const found = services.identity.list(call.principal, filter, ACCOUNT_ORDERS[sort], slice);
  const counts = services.repos.countsOwned(found.items);
  const ids = found.items.map(({ id }) => id);
  const enrolled = services.twoFactor.enrolledAmong(call.principal, ids);
  const href = withQuery(USERS, { q: query, sort: sort === "alphabetically" ? undefined : sort, state });
  return show(
    call,
    <AdminUsersPage
      shell={shellOf(services, call)}
      users={found.items.map((user) => ({
        ...shown(user),
        repoCount: counts.get(user.id) ?? 0,
        hasSecondFactor: enrolled.has(user.id),
      }))}
      query={query}
      sort={sort}
      state={state}
      pages={{ page: slice.page, perPage: PER_PAGE, total: found.total, href }}
    />,
  );
}

/** `state`, or the contract's `status_filter[is_active]=1` and similar. */
function stateOf({ query }: Call): keyof typeof STATES | undefined {
  const asked = query.get("state") ?? "";
  if (Object.hasOwn(STATES, asked)) return asked as keyof typeof STATES;
  const filter = (name: string) => query.get(`status_filter[${name}]`) ?? "";
  if (filter("is_active") !== "") return filter("is_active") === "1" ? "active" : "inactive";
  if (filter("is_admin") === "1") return "admin";
  if (filter("is_restricted") === "1") return "restricted";
  const factor = filter("is_2fa_enabled");
  if (factor !== "") return factor === "1" ? "two-factor" : "no-two-factor";
  return filter("is_prohibit_login") === "1" ? "prohibited" : undefined;
}

function shown(user: User): AdminUser {
  return {
    ...personOf(user),
    id: user.id,
    fullName: user.fullName,
    email: user.email,
    isActive: user.isActive,
    isSiteAdmin: user.isAdmin,
    mayNotSignIn: user.prohibitLogin,
    mustChangePassword: user.mustChangePassword,
    isRestricted: user.isRestricted,
    mayCreateOrganizations: user.allowCreateOrganization,
    maxRepoCreation: user.maxRepoCreation,
    website: user.website,
    location: user.location,
    description: user.description,
    createdAt: user.createdAt,
    ...(user.lastLoginAt === undefined ? {} : { lastSignInAt: user.lastLoginAt }),
  };
}

const typed = (form: Form) => ({
  user_name: form.text("user_name").slice(0, 255),
  full_name: form.text("full_name").slice(0, 255),
  email: form.text("email").slice(0, 255),
  visibility: form.text("visibility").slice(0, 1),
  website: form.text("website").slice(0, 1000),
  location: form.text("location").slice(0, 255),
  description: form.text("description").slice(0, 1000),
});

/**
 * The checkboxes as submitted. Administrators cannot remove their own rights by accident: those boxes are disabled
 * there.
 */
const ticked = (form: Form, isSelf: boolean) => ({
  mustChangePassword: form.checked("must_change_password"),
  isRestricted: form.checked("restricted"),
  mayCreateOrganizations: form.checked("allow_create_organization"),
  ...(isSelf
    ? {}
    : {
        isActive: form.checked("active"),
        isSiteAdmin: form.checked("admin"),
        mayNotSignIn: form.checked("prohibit_login"),
      }),
});

/** An account's maximum number of repositories, -1 for no limit; undefined when the text is not a valid number. */
function repoLimitOf(text: string): number | undefined {
  return /^(-1|\d{1,9})$/.test(text) ? Number(text) : undefined;
}

function newPage(
  services: WebServices,
  call: Call,
  refused: { form: Form; errors: FormErrors<Field> } | undefined,
): Response {
  const view = (
    <NewUserPage
      shell={shellOf(services, call)}
      form={refused ? { values: typed(refused.form), errors: refused.errors } : {}}
      mustChangePassword={refused ? refused.form.checked("must_change_password") : true}
      minPassword={services.config["password.min_length"]}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function create(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const { email, full_name: fullName, user_name: login } = typed(form);
  const password = form.exact("password");
  const wrong = problemsOfNew(services, call, { login, email, password });
  if (wrong) return newPage(services, call, { form, errors: wrong });
  const input: CreateUser = {
    login,
    fullName,
    email,
    password,
    mustChangePassword: form.checked("must_change_password"),
    visibility: numberedVisibility(form.number("visibility")) ?? "public",
  };
  let user: User;
  try {
    user = await services.accountCreation.create(call.principal, input);
  } catch (error) {
    return newPage(services, call, { form, errors: formErrors<Field>(call, error, SERVICE_FIELDS) });
  }
  return redirectAfterPost(services, call, USERS, {
    kind: "success",
    text: wordsFor(call, adminWords)("accountCreated", { name: user.login }),
  });
}

/** All errors, so that they can be corrected in one go. */
function problemsOfNew(
  { accountCreation }: WebServices,
  call: Call,
  input: { login: string; email: string; password: string },
): FormErrors<Field> | undefined {
  const found = accountCreation.problemsOfNew(input);
  const say = (problem: Failure | undefined) => problem && refusalText(call, problem);
  return someErrors<Field>({
    user_name: say(found.login),
    email: say(found.email),
    password: say(found.password),
  });
}

function idOf(call: Call): number {
  const id = param(call, "id");
  if (!/^\d{1,15}$/.test(id)) throw new NotFound();
  return Number(id);
}

function accountOf(services: WebServices, call: Call): User {
  const user = services.identity.byId(idOf(call));
  if (!user || !PEOPLE.includes(user.kind)) throw new NotFound();
  return user;
}

async function editPage(
  services: WebServices,
  call: Call,
  refused: { form: Form; errors: FormErrors<Field> } | undefined,
): Promise<Response> {
  const user = accountOf(services, call);
  const isSelf = user.id === signedIn(call).id;
  const cards: Children[] = [];
  for (const card of services.adminAccountCards) cards.push(await card.show(services, call, user));
  const view = (
    <EditUserPage
      shell={shellOf(services, call)}
      user={{ ...shown(user), ...(refused ? ticked(refused.form, isSelf) : {}) }}
      form={
        refused
          ? {
              values: {
                ...typed(refused.form),
                max_repo_creation: refused.form.text("max_repo_creation").slice(0, 20),
              },
              errors: refused.errors,
            }
          : { values: { visibility: String(visibilities.indexOf(user.visibility)) } }
      }
      isSelf={isSelf}
      cards={cards}
      unconfirmed={services.emails.list(call.principal, user).filter((email) => !email.isProven)}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function save(services: WebServices, call: Call): Promise<Response> {
  const admin = signedIn(call);
  const user = accountOf(services, call);
  const form = await readForm(call);
  const name = form.text("user_name");
  const password = form.exact("password");
  const limit = form.has("max_repo_creation") ? repoLimitOf(form.text("max_repo_creation")) : user.maxRepoCreation;
  if (limit === undefined)
    return editPage(services, call, {
      form,
      errors: { max_repo_creation: wordsFor(call, adminWords)("badRepoLimit") },
    });
  const { isSiteAdmin, mayNotSignIn, mayCreateOrganizations, ...ticks } = ticked(form, user.id === admin.id);
  const edit: EditUser = {
    ...(name === "" ? {} : { login: name }),
    fullName: form.text("full_name"),
    email: form.text("email"),
    visibility: numberedVisibility(form.number("visibility")) ?? user.visibility,
    website: form.text("website"),
    location: form.text("location"),
    description: form.text("description"),
    ...ticks,
    isAdmin: isSiteAdmin,
    prohibitLogin: mayNotSignIn,
    allowCreateOrganization: mayCreateOrganizations,
    maxRepoCreation: limit,
    ...(password === "" ? {} : { password }),
  };
  try {
    await services.identity.edit(call.principal, user, edit);
  } catch (error) {
    return editPage(services, call, { form, errors: formErrors<Field>(call, error, SERVICE_FIELDS) });
  }
  return redirectAfterPost(services, call, USERS, {
    kind: "success",
    text: wordsFor(call, adminWords)("accountSaved", { name: name || user.login }),
  });
}

/** Takes `uid` and `id`: the ids of the account and of its email address. */
async function confirmEmail(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const user = services.identity.byId(form.number("uid") ?? 0);
  if (!user || !PEOPLE.includes(user.kind)) throw new NotFound();
  services.emails.confirm(call.principal, user, form.number("id") ?? 0);
  const text = wordsFor(call, adminWords)("addressConfirmed", { name: user.login });
  const back = form.text("from") === "emails" ? "/-/admin/emails" : `${USERS}/${user.id}/edit`;
  return redirectAfterPost(services, call, back, { kind: "success", text });
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const user = accountOf(services, call);
  const form = await readForm(call);
  const t = wordsFor(call, adminWords);
  const purge = form.checked("purge");
  const back = `${USERS}/${user.id}/edit`;
  const refuse = (text: string) => redirectAfterPost(services, call, back, { kind: "error", text });
  if (!form.confirms("confirm_name", user.login)) return refuse(t("typeToDelete", { name: user.login }));
  try {
    await services.admin.deleteUser(call.principal, user, { purge });
  } catch (error) {
    return refuse(refusalOf(call, error));
  }
  return redirectAfterPost(services, call, USERS, { kind: "success", text: t("accountDeleted", { name: user.login }) });
}
