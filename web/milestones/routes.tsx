import { atLeast } from "../../src/access/levels.ts";
import { type Call, param, type Route, signedIn } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { changesMilestones, readsMilestones } from "../../src/milestones/access.ts";
import { type Milestone, type MilestoneFilter, milestoneOrders, milestoneStates } from "../../src/milestones/types.ts";
import { endOfDay } from "../../src/milestones/values.ts";
import { organizationMember, teamReader } from "../../src/organizations/access.ts";
import { seenOrganization, seenTeam } from "../../src/organizations/subject.ts";
import type { SeenOrganization, SeenTeam } from "../../src/organizations/types.ts";
import { itemsLevel } from "../../src/repos/items-level.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm, requireShort } from "../form-data.ts";
import { shownLabel } from "../labels/chip.tsx";
import { wordsFor } from "../language.ts";
import { organizationHref, pageHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { organizationProps } from "../organizations/view.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { renderedText } from "../repos/texts.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type MilestoneField, MilestoneFormPage } from "./form.tsx";
import { type MilestoneEntry, MilestonePage } from "./milestone.tsx";
import {
  type MilestoneItem,
  type MilestoneListProps,
  MilestonesPage,
  OrganizationMilestonesPage,
  OwnMilestonesPage,
} from "./milestones.tsx";
import { milestonesWords } from "./words/index.ts";

const PER_PAGE = 20;
/** A limit of the form only; the API allows longer ones. */
const MAX_TITLE = 50;
/** The form's name for the description. */
const TEXT: MilestoneField = "content";
const fieldNames: Readonly<Record<string, MilestoneField>> = { title: "title", description: TEXT };
/** Maximum repositories whose milestones the user's own list shows. */
const MAX_REPOS = 1000;

/** Milestones of repositories (contract web.md 1.8 and 2.13). */
export function milestonePages(services: WebServices): Route[] {
  const at = (path: string) => ({ surface: "page", path: `/:owner/:repo/${path}` }) as const;
  const read = { method: "GET", access: readsMilestones } as const;
  const open = { method: "GET", access: changesMilestones } as const;
  const change = { method: "POST", access: changesMilestones } as const;
  return [
    { ...at("milestones"), ...read, handle: (call) => list(services, call) },
    { ...at("milestones/new"), ...open, handle: (call) => form(services, call, undefined, {}) },
    { ...at("milestones/new"), ...change, handle: (call) => save(services, call, undefined) },
    { ...at("milestones/delete"), ...change, handle: (call) => remove(services, call) },
    { ...at("milestones/:id/edit"), ...open, handle: (call) => editForm(services, call) },
    {
      ...at("milestones/:id/edit"),
      ...change,
      handle: (call) => save(services, call, named(services, call)),
    },
    { ...at("milestones/:id/open"), ...change, handle: (call) => setClosed(services, call, false) },
    { ...at("milestones/:id/close"), ...change, handle: (call) => setClosed(services, call, true) },
    { ...at("milestone/:id"), ...read, handle: (call) => milestone(services, call) },
    {
      surface: "page",
      method: "GET",
      path: "/milestones",
      access: { who: "user", scopes: [], publicOnly: "refused" },
      handle: (call) => own(services, call),
    },
    {
      surface: "page",
      method: "GET",
      path: "/org/:org/milestones",
      access: organizationMember,
      handle: (call) => ofOrganization(services, call, seenOrganization(call), undefined),
    },
    {
      surface: "page",
      method: "GET",
      path: "/org/:org/milestones/:team",
      access: teamReader,
      handle: (call) => ofOrganization(services, call, seenTeam(call).seen, seenTeam(call)),
    },
  ];
}

const mayWrite = (seen: SeenRepo) => atLeast(itemsLevel(seen), "write") && !seen.repo.isArchived;

/** @throws NotFound for users who may not write: the page does not exist for them */
function writersRepo(call: Call): SeenRepo {
  const seen = seenRepo(call);
  if (!mayWrite(seen)) throw new NotFound();
  return seen;
}

/** @throws NotFound */
function named({ milestones }: WebServices, call: Call): Milestone {
  const id = param(call, "id");
  const found = /^\d{1,15}$/.test(id) ? milestones.find(seenRepo(call), Number(id)) : undefined;
  if (!found || !atLeast(itemsLevel(seenRepo(call)), "read")) throw new NotFound();
  return found;
}

function itemOf(found: Milestone, seen: SeenRepo): MilestoneItem {
  const { closedAt, closedItems, dueAt, id, openItems, title } = found;
  const isOverdue = closedAt === undefined && dueAt !== undefined && dueAt < Date.now();
  return { id, title, href: homeOf(seen, `milestone/${id}`), openItems, closedItems, dueAt, closedAt, isOverdue };
}

function filterOf({ query }: Call): MilestoneFilter {
  return {
    state: milestoneStates.find((state) => state === query.get("state")) ?? "open",
    name: (query.get("q") ?? "").trim().slice(0, 255),
    order: milestoneOrders.find((order) => order === query.get("sort")) ?? "closestduedate",
  };
}

function listProps(
  call: Call,
  base: string,
  filter: MilestoneFilter,
  found: { readonly total: number; readonly open: number; readonly closed: number },
): Omit<MilestoneListProps, "milestones"> {
  const { name, order, state } = filter;
  const href = withQuery(base, { state, q: name, sort: order === "closestduedate" ? undefined : order });
  return {
    base,
    state,
    counts: found,
    query: name,
    sort: order,
    pages: { page: pageOf(call, PER_PAGE).page, perPage: PER_PAGE, total: found.total, href },
  };
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const { milestones } = services;
  const filter = filterOf(call);
  const found = milestones.list(seen, filter, pageOf(call, PER_PAGE));
  const base = homeOf(seen, "milestones");
  const props: MilestoneListProps = {
    ...listProps(call, base, filter, { ...milestones.counts(seen), total: found.total }),
    milestones: await Promise.all(
      found.items.map(async (each) => ({
        ...itemOf(each, seen),
        description: await renderedText(services, seen.principal, seen, each.description),
      })),
    ),
    ...(mayWrite(seen) ? { newHref: `${base}/new` } : {}),
  };
  const view = <MilestonesPage shell={shellOf(services, call)} repo={await repoFrame(services, seen)} list={props} />;
  return show(call, view);
}

function own(services: WebServices, call: Call): Response {
  const all = { page: 1, limit: MAX_REPOS, offset: 0 };
  const repos = services.repoSearch.ownAndShared(call.principal, signedIn(call), all).items;
  return show(
    call,
    <OwnMilestonesPage shell={shellOf(services, call)} list={amongRepos(services, call, repos, "/milestones")} />,
  );
}

/** For all repositories of an organization, or those of one of its teams. */
function ofOrganization(
  services: WebServices,
  call: Call,
  seen: SeenOrganization,
  team: SeenTeam | undefined,
): Response {
  const { organization } = seen;
  const all = { page: 1, limit: MAX_REPOS, offset: 0 };
  const home = organizationHref(organization.login, "milestones");
  const repos = team
    ? services.teams.repos.list(team, all).items
    : services.repoSearch.ownedBy(call.principal, organization, all).items;
  const base = team ? `${home}/${encodeURIComponent(team.team.name)}` : home;
  const view = (
    <OrganizationMilestonesPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      list={amongRepos(services, call, repos, base)}
    />
  );
  return show(call, view);
}

function amongRepos(
  { milestones }: WebServices,
  call: Call,
  repos: readonly SeenRepo[],
  base: string,
): MilestoneListProps {
  const seenById = new Map(repos.map((seen) => [seen.repo.id, seen]));
  const filter = filterOf(call);
  const found = milestones.listEverywhere(repos, filter, pageOf(call, PER_PAGE));
  const items = found.items.flatMap((each) => {
    const seen = seenById.get(each.repoId);
    return seen ? [{ ...itemOf(each, seen), repository: `${seen.owner.login}/${seen.repo.name}` }] : [];
  });
  return { ...listProps(call, base, filter, found), milestones: items };
}

async function milestone(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const found = named(services, call);
  const { issues, labels, milestones } = services;
  const state = call.query.get("state") === "closed" ? "closed" : "open";
  const paging = pageOf(call, PER_PAGE);
  const of = { ...issues.requireReadable(seen), isClosed: state === "closed" };
  const ids = milestones.items(found, of, { limit: PER_PAGE + 1, offset: paging.offset });
  const items = issues.seeEach(seen.principal, ids.slice(0, PER_PAGE));
  const parts = issues.partsOf(items);
  const labelsById = labels.byIds([...new Set([...parts.values()].flatMap(({ labelIds }) => labelIds))]);
  const entries = items.map(
    ({ issue }): MilestoneEntry => ({
      number: issue.number,
      title: issue.title,
      href: homeOf(seen, `${issue.isPull ? "pulls" : "issues"}/${issue.number}`),
      isClosed: issue.isClosed,
      createdAt: issue.createdAt,
      labels: (parts.get(issue.id)?.labelIds ?? []).flatMap((id) => {
        const label = labelsById.get(id);
        return label ? [shownLabel(label)] : [];
      }),
    }),
  );
  const item = itemOf(found, seen);
  const href = withQuery(item.href, { state: state === "open" ? undefined : state });
  const view = (
    <MilestonePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      milestone={item}
      description={await renderedText(services, seen.principal, seen, found.description)}
      burnDown={milestones.burnDown(found)}
      state={state}
      items={entries}
      pages={{
        newer: paging.page > 1 ? pageHref(href, paging.page - 1) : undefined,
        older: ids.length > PER_PAGE ? pageHref(href, paging.page + 1) : undefined,
      }}
      mayWrite={mayWrite(seen)}
    />
  );
  return show(call, view);
}

async function form(
  services: WebServices,
  call: Call,
  found: Milestone | undefined,
  state: Parameters<typeof MilestoneFormPage>[0]["form"],
): Promise<Response> {
  const seen = writersRepo(call);
  const view = (
    <MilestoneFormPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      milestone={found}
      form={state}
    />
  );
  return show(call, view, { status: state.errors ? 422 : 200 });
}

async function editForm(services: WebServices, call: Call): Promise<Response> {
  const found = named(services, call);
  const deadline = found.dueAt === undefined ? "" : new Date(found.dueAt).toISOString().slice(0, 10);
  return form(services, call, found, { values: { title: found.title, content: found.description, deadline } });
}

/** The form's day in milliseconds; null: none; undefined: invalid. */
function dayOf(sent: Form): number | null | undefined {
  const text = sent.text("deadline");
  if (text === "") return null;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? undefined : endOfDay(at);
}

async function save(services: WebServices, call: Call, found: Milestone | undefined): Promise<Response> {
  const seen = writersRepo(call);
  const sent = await readForm(call);
  const t = wordsFor(call, milestonesWords);
  const values = {
    title: sent.text("title").slice(0, 1000),
    content: sent.exact("content").slice(0, 100_000),
    deadline: sent.text("deadline").slice(0, 20),
  };
  const dueAt = dayOf(sent);
  if (dueAt === undefined) return form(services, call, found, { values, errors: { deadline: t("noDay") } });
  const edit = { title: sent.text("title"), description: sent.exact("content").replaceAll("\r\n", "\n"), dueAt };
  try {
    requireShort("title", edit.title, MAX_TITLE, found?.title);
    if (found) services.milestones.edit(seen, found.id, edit);
    else services.milestones.create(seen, edit);
  } catch (error) {
    const names = fieldNames;
    return form(services, call, found, { values, errors: formErrors<MilestoneField>(call, error, names) });
  }
  return redirectAfterPost(services, call, homeOf(seen, "milestones"), {
    kind: "success",
    text: t("saved", { title: edit.title }),
  });
}

function setClosed(services: WebServices, call: Call, isClosed: boolean): Response {
  const seen = writersRepo(call);
  const { id } = services.milestones.edit(seen, named(services, call).id, { isClosed });
  return redirectAfterPost(services, call, homeOf(seen, `milestone/${id}`));
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = writersRepo(call);
  const found = services.milestones.find(seen, (await readForm(call)).number("id") ?? 0);
  if (!found) throw new NotFound();
  services.milestones.delete(seen, found.id);
  const text = wordsFor(call, milestonesWords)("deleted", { title: found.title });
  return redirectAfterPost(services, call, homeOf(seen, "milestones"), { kind: "success", text });
}
