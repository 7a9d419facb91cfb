import { administersAccounts } from "../../src/admin/access.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { repoListHref, repoQueryOf, searchOf } from "../explore/repo-query.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { userHref, withQuery } from "../links.ts";
import { pageOf, wordsOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { ACCOUNT_ORDERS, accountSortOf } from "./account-orders.ts";
import { EMAIL_SORTS, EMAIL_STATES, EmailsPage, OrganizationsPage, ReposPage } from "./lists.tsx";
import { adminWords } from "./words/index.ts";

const PER_PAGE = 50;
const EMAILS = "/-/admin/emails";
const ORGANIZATIONS = "/-/admin/orgs";
const REPOS = "/-/admin/repos";

/** Email addresses, organizations and repositories of the whole site. */
export function listPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersAccounts } as const;
  return [
    { ...page, method: "GET", path: EMAILS, handle: (call) => emails(services, call) },
    { ...page, method: "POST", path: `${EMAILS}/delete`, handle: (call) => removeEmail(services, call) },
    { ...page, method: "GET", path: ORGANIZATIONS, handle: (call) => organizations(services, call) },
    { ...page, method: "GET", path: REPOS, handle: (call) => repositories(services, call) },
    { ...page, method: "POST", path: `${REPOS}/delete`, handle: (call) => removeRepo(services, call) },
  ];
}

function emails(services: WebServices, call: Call): Response {
  const query = wordsOf(call);
  const slice = pageOf(call, PER_PAGE);
  const sort = EMAIL_SORTS.find((one) => one === call.query.get("sort")) ?? "oldest";
  const state = EMAIL_STATES.find((one) => one === call.query.get("state"));
  const isProven = state && state === "confirmed";
  const { items, total } = services.emails.search(call.principal, { part: query, isProven, order: sort }, slice);
  const href = withQuery(EMAILS, { q: query, sort: sort === "oldest" ? undefined : sort, state });
  return show(
    call,
    <EmailsPage
      shell={shellOf(services, call)}
      items={items.map(({ email, owner }) => ({
        ...email,
        userId: owner.id,
        owner: { name: owner.login, href: userHref(owner.login) },
      }))}
      query={query}
      sort={sort}
      state={state}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href }}
    />,
  );
}

/** Takes `uid` and `id`: the ids of the account and of its email address. */
async function removeEmail(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const user = services.identity.byId(form.number("uid") ?? 0);
  if (!user) throw new NotFound();
  try {
    services.emails.removeOf(call.principal, user, [form.number("id") ?? 0]);
  } catch (error) {
    return redirectAfterPost(services, call, EMAILS, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, adminWords)("addressRemoved", { name: user.login });
  return redirectAfterPost(services, call, EMAILS, { kind: "success", text });
}

function organizations(services: WebServices, call: Call): Response {
  const query = wordsOf(call);
  const slice = pageOf(call, PER_PAGE);
  const sort = accountSortOf(call);
  const { items, total } = services.organizations.list(call.principal, slice, query, ACCOUNT_ORDERS[sort]);
  const counts = services.repos.countsOwned(items.map(({ account }) => account));
  return show(
    call,
    <OrganizationsPage
      shell={shellOf(services, call)}
      items={items.map(({ account }) => ({
        person: personOf(account),
        fullName: account.fullName,
        visibility: account.visibility,
        repoCount: counts.get(account.id) ?? 0,
        createdAt: account.createdAt,
      }))}
      query={query}
      sort={sort}
      pages={{
        page: slice.page,
        perPage: PER_PAGE,
        total,
        href: withQuery(ORGANIZATIONS, { q: query, sort: sort === "alphabetically" ? undefined : sort }),
      }}
    />,
  );
}

function repositories(services: WebServices, call: Call): Response {
  const asked = repoQueryOf(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.repoSearch.search(call.principal, searchOf(asked), slice);
  return show(
    call,
    <ReposPage
      shell={shellOf(services, call)}
      items={items.map(({ owner, repo }) => ({ ...repo, owner: owner.login }))}
      query={asked.query}
      sort={asked.sort}
      asked={asked}
      binDays={services.config["repository.bin_days"]}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: repoListHref(REPOS, asked) }}
    />,
  );
}

/** Takes `id` in the URL, and the name typed to confirm. */
async function removeRepo(services: WebServices, call: Call): Promise<Response> {
  const { repos } = services;
  const t = wordsFor(call, adminWords);
  const form = await readForm(call);
  const asked = call.query.get("id") ?? form.text("id");
  const seen = /^\d{1,15}$/.test(asked) ? repos.seeById(call.principal, Number(asked)) : undefined;
  if (!seen) throw new NotFound();
  const name = `${seen.owner.login}/${seen.repo.name}`;
  if (!form.confirms("confirm_name", name))
    return redirectAfterPost(services, call, REPOS, { kind: "error", text: t("typeToDeleteRepository", { name }) });
  services.repoRemoval.remove(call.principal, seen.repo);
  return redirectAfterPost(services, call, REPOS, { kind: "success", text: t("repositoryDeleted", { name }) });
}
