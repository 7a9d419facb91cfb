import { atLeast } from "../../src/access/levels.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { changesLabels, readsLabels } from "../../src/labels/access.ts";
import { type Label, type LabelEdit, type LabelHome, type LabelOrder, labelOrders } from "../../src/labels/types.ts";
import { organizationOwner } from "../../src/organizations/access.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import { itemsLevel } from "../../src/repos/items-level.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm, refusalOf, requireShort } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { organizationProps } from "../organizations/view.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type ShownLabel, shownLabel } from "./chip.tsx";
import type { LabelField, LabelForm, LabelListProps } from "./labels.tsx";
import { OrganizationLabelsPage, organizationLabelsHref, RepoLabelsPage } from "./pages.tsx";
import { labelsWords } from "./words/index.ts";

const PER_PAGE = 50;
/** Initial colour of a new label. */
const FIRST_COLOR = "#0288d1";

/** Labels of repositories and organizations (contract web.md 1.8 and 2.13). */
export function labelPages(services: WebServices): Route[] {
  const repo = (path: string) => ({ surface: "page", path: `/:owner/:repo/labels${path}` }) as const;
  const org = (path: string) =>
    ({ surface: "page", path: `/org/:org/settings/labels${path}`, access: organizationOwner }) as const;
  const change = { method: "POST", access: changesLabels } as const;
  return [
    { ...repo(""), method: "GET", access: readsLabels, handle: (call) => repoLabels(services, call, undefined) },
    { ...repo("/new"), ...change, handle: (call) => save(services, repoPlace(call), call, undefined) },
    { ...repo("/edit"), ...change, handle: (call) => saveNamed(services, repoPlace(call), call) },
    { ...repo("/delete"), ...change, handle: (call) => remove(services, repoPlace(call), call) },
    { ...repo("/initialize"), ...change, handle: (call) => initialize(services, repoPlace(call), call) },
    { ...org(""), method: "GET", handle: (call) => organizationLabels(services, call, undefined) },
    { ...org("/new"), method: "POST", handle: (call) => save(services, orgPlace(call), call, undefined) },
    { ...org("/edit"), method: "POST", handle: (call) => saveNamed(services, orgPlace(call), call) },
    { ...org("/delete"), method: "POST", handle: (call) => remove(services, orgPlace(call), call) },
    { ...org("/initialize"), method: "POST", handle: (call) => initialize(services, orgPlace(call), call) },
  ];
}

/** The repository or organization whose labels a page shows. */
interface Place {
  readonly home: LabelHome;
  readonly base: string;
  list(services: WebServices, call: Call, form: LabelForm): Promise<Response> | Response;
}

const mayWrite = (seen: SeenRepo) => atLeast(itemsLevel(seen), "write") && !seen.repo.isArchived;

/** @throws NotFound for users who may not write: the page does not exist for them */
function repoPlace(call: Call): Place {
  const seen = seenRepo(call);
  if (!mayWrite(seen)) throw new NotFound();
  return { home: seen, base: homeOf(seen, "labels"), list: repoLabels };
}

function orgPlace(call: Call): Place {
  const home = seenOrganization(call);
  return { home, base: organizationLabelsHref(home.organization.login), list: organizationLabels };
}

/** URL of the items with a label. */
const itemsHref = (seen: SeenRepo) => (label: ShownLabel) => `${homeOf(seen, "issues")}?labels=${label.id}`;

async function repoLabels(services: WebServices, call: Call, refused: LabelForm | undefined): Promise<Response> {
  const seen = seenRepo(call);
  const base = homeOf(seen, "labels");
  const list = listProps(services, call, { home: seen, base, mayWrite: mayWrite(seen), refused });
  const inherited = services.labels.allUsable(seen).filter(({ ownerId }) => ownerId !== undefined);
  const view = (
    <RepoLabelsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      list={{ ...list, itemsHref: itemsHref(seen) }}
      inherited={inherited.map(shownLabel)}
      itemsHref={itemsHref(seen)}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

function organizationLabels(services: WebServices, call: Call, refused: LabelForm | undefined): Response {
  const seen = seenOrganization(call);
  const base = organizationLabelsHref(seen.organization.login);
  const view = (
    <OrganizationLabelsPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      list={listProps(services, call, { home: seen, base, mayWrite: true, refused })}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

function listProps(
  { labels, labelSets }: WebServices,
  call: Call,
  place: { home: LabelHome; base: string; mayWrite: boolean; refused: LabelForm | undefined },
): LabelListProps {
  const { base, home, refused } = place;
  const query = (call.query.get("q") ?? "").trim().slice(0, 255);
  const sort: LabelOrder = labelOrders.find((order) => order === call.query.get("sort")) ?? "name";
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = labels.list(home, sort, paging, query);
  const href = withQuery(base, { q: query, sort: sort === "name" ? undefined : sort });
  return {
    base,
    labels: items.map((label) => ({
      ...shownLabel(label),
      openItems: label.openItems,
      isExclusive: label.isExclusive,
    })),
    query,
    sort,
    pages: { page: paging.page, perPage: PER_PAGE, total, href },
    mayWrite: place.mayWrite,
    form: refused ?? (place.mayWrite ? askedForm(labels, call, home) : undefined),
    sets: total === 0 && query === "" ? labelSets.names() : [],
  };
}

/** The form requested in the URL. @throws NotFound when there is no such label */
function askedForm(labels: WebServices["labels"], call: Call, home: LabelHome): LabelForm | undefined {
  const edited = call.query.get("edit");
  if (edited !== null) return formOf(labels.get(home, /^\d{1,15}$/.test(edited) ? Number(edited) : 0));
  if (call.query.get("new") === null) return undefined;
  return { id: undefined, name: "", isExclusive: false, isArchived: false, values: { color: FIRST_COLOR } };
}

function formOf(label: Label): LabelForm {
  const { color, description, exclusiveOrder, id, isExclusive, name } = label;
  return {
    id,
    name,
    isExclusive,
    isArchived: label.archivedAt !== undefined,
    values: { title: name, color: `#${color}`, description, exclusive_order: String(exclusiveOrder || "") },
  };
}

/** A limit of the form only; the API allows more. */
const MAX_TITLE = 50;
const MAX_DESCRIPTION = 200;

const fieldNames: Readonly<Record<string, LabelField>> = {
  name: "title",
  color: "color",
  description: "description",
};

async function save(
  services: WebServices,
  { base, home, list }: Place,
  call: Call,
  label: Label | undefined,
  given?: Form,
): Promise<Response> {
  const form = given ?? (await readForm(call));
  const { labels } = services;
  const edit: LabelEdit & { name: string; color: string } = {
    name: form.text("title"),
    color: form.text("color"),
    description: form.text("description"),
    isExclusive: form.checked("exclusive"),
    exclusiveOrder: form.number("exclusive_order") ?? 0,
    isArchived: form.checked("is_archived"),
  };
  try {
    requireShort("name", edit.name, MAX_TITLE, label?.name);
    requireShort("description", edit.description ?? "", MAX_DESCRIPTION, label?.description);
    if (label) labels.edit(home, label.id, edit);
    else labels.create(home, edit);
  } catch (error) {
    const errors = formErrors<LabelField>(call, error, fieldNames);
    const values = {
      title: edit.name.slice(0, 1000),
      color: /^#[0-9a-f]{6}$/i.test(edit.color) ? edit.color : FIRST_COLOR,
      description: (edit.description ?? "").slice(0, 1000),
      exclusive_order: form.text("exclusive_order").slice(0, 20),
    };
    const shown = { isExclusive: edit.isExclusive ?? false, isArchived: edit.isArchived ?? false };
    return list(services, call, { id: label?.id, name: label?.name ?? "", ...shown, values, errors });
  }
  const text = wordsFor(call, labelsWords)("saved", { name: edit.name });
  return redirectAfterPost(services, call, base, { kind: "success", text });
}

async function saveNamed(services: WebServices, place: Place, call: Call): Promise<Response> {
  const form = await readForm(call);
  return save(services, place, call, services.labels.get(place.home, form.number("id") ?? 0), form);
}

async function remove(services: WebServices, { base, home }: Place, call: Call): Promise<Response> {
  const id = (await readForm(call)).number("id") ?? 0;
  const { name } = services.labels.get(home, id);
  services.labels.delete(home, id);
  const text = wordsFor(call, labelsWords)("deleted", { name });
  return redirectAfterPost(services, call, base, { kind: "success", text });
}

async function initialize(services: WebServices, { base, home }: Place, call: Call): Promise<Response> {
  const template = (await readForm(call)).text("template");
  try {
    services.labels.addTemplate(home, template);
  } catch (error) {
    return redirectAfterPost(services, call, base, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, labelsWords)("setAdded", { name: template });
  return redirectAfterPost(services, call, base, { kind: "success", text });
}
