import type { Access, Call, Route } from "../../src/http/route.ts";
import { idParam, param } from "../../src/http/route.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { hooksOfAccount, hooksOfOrganization, hooksOfRepo, hooksOfSite } from "../../src/webhooks/access.ts";
import type { HookHome, HookLevel, HookType, Webhook } from "../../src/webhooks/types.ts";
import { hookTypeOf } from "../../src/webhooks/values.ts";
import type { WebServices } from "../area.ts";
import { formErrors, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { type PlaceOf, placeProps, settingsPlaces } from "../settings-place.tsx";
import { redirectAfterPost, show } from "../visit.ts";
import { HookPage, NewHookPage } from "./hook.tsx";
import { HooksPage } from "./list.tsx";
import { newHref } from "./place.tsx";
import { editFrom, formOf, hookFrom, newForm, typedForm } from "./typed.ts";
import { webhooksWords } from "./words/index.ts";

const PER_PAGE = 50;
const DELIVERIES = 10;
/** Below the settings of each place. */
const SUB = "hooks";

/** Where webhooks are managed, and who may access them. */
interface Place {
  readonly kind: PlaceOf["kind"];
  readonly path: string;
  readonly access: Access;
  home(services: WebServices, call: Call): HookHome;
  /** Level of a new webhook. */
  readonly level: HookLevel;
}

const repository: Place = {
  kind: "repository",
  path: `${settingsPlaces.repository.path}/${SUB}`,
  access: hooksOfRepo,
  home: ({ webhooks }, call) => webhooks.ofRepo(seenRepo(call)),
  level: "repository",
};
const organization: Place = {
  kind: "organization",
  path: `${settingsPlaces.organization.path}/${SUB}`,
  access: hooksOfOrganization,
  home: ({ webhooks }, call) => webhooks.ofOrganization(seenOrganization(call)),
  level: "account",
};
const account: Place = {
  kind: "account",
  path: `${settingsPlaces.account.path}/${SUB}`,
  access: hooksOfAccount,
  home: ({ webhooks }, { principal }) => webhooks.ofAccount(principal),
  level: "account",
};
const site: Place = {
  kind: "site",
  path: `${settingsPlaces.site.path}/${SUB}`,
  access: hooksOfSite,
  home: ({ webhooks }, { principal }) => webhooks.ofSite(principal, "write"),
  level: "default",
};

const baseOf = ({ kind }: Place, call: Call) => `${settingsPlaces[kind].base(call)}/${SUB}`;

/** Webhooks on pages (contract webhooks.md 1.11). */
export function webhookPages(services: WebServices): Route[] {
  const siteNew = (["system", "default"] as const).flatMap((level) =>
    newRoutes(services, { ...site, level }, `/-/admin/${level}-hooks`),
  );
  return [
    ...[repository, organization, account].flatMap((place) => [
      ...commonRoutes(services, place),
      ...newRoutes(services, place, place.path),
    ]),
    ...commonRoutes(services, site),
    ...siteNew,
    {
      surface: "page",
      method: "POST",
      path: `${repository.path}/:id/test`,
      access: repository.access,
      handle: (call) => test(services, call),
    },
  ];
}

function commonRoutes(services: WebServices, place: Place): Route[] {
  const page = { surface: "page", access: place.access } as const;
  return [
    { ...page, method: "GET", path: place.path, handle: (call) => list(services, place, call) },
    { ...page, method: "POST", path: `${place.path}/delete`, handle: (call) => remove(services, place, call) },
    { ...page, method: "GET", path: `${place.path}/:id`, handle: (call) => view(services, place, call) },
    // The first of the two is the type, which cannot change.
    { ...page, method: "POST", path: `${place.path}/:id/:hook`, handle: (call) => edit(services, place, call) },
    {
      ...page,
      method: "POST",
      path: `${place.path}/:id/replay/:uuid`,
      handle: (call) => replay(services, place, call),
    },
  ];
}

function newRoutes(services: WebServices, place: Place, path: string): Route[] {
  const page = { surface: "page", access: place.access, path: `${path}/:id/new` } as const;
  return [
    { ...page, method: "GET", handle: (call) => showNew(services, place, call) },
    { ...page, method: "POST", handle: (call) => create(services, place, call) },
  ];
}

async function list(services: WebServices, place: Place, call: Call): Promise<Response> {
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = services.webhooks.list(place.home(services, call), paging);
  const props = await placeProps(services, place.kind, call, SUB);
  const pages = { page: paging.page, perPage: PER_PAGE, total, href: props.base };
  return show(call, <HooksPage place={props} hooks={items} pages={pages} />);
}

/** The type named in the path. @throws NotFound */
function typeOf(call: Call): HookType {
  try {
    return hookTypeOf(param(call, "id"));
  } catch (error) {
    throw error instanceof Failure ? new NotFound() : error;
  }
}

async function showNew(
  services: WebServices,
  place: Place,
  call: Call,
  form = newForm(typeOf(call)),
): Promise<Response> {
  place.home(services, call);
  const props = await placeProps(services, place.kind, call, SUB);
  const action = newHref(props, place.level, form.type);
  return show(call, <NewHookPage place={props} action={action} form={form} />, { status: form.errors ? 422 : 200 });
}

async function create(services: WebServices, place: Place, call: Call): Promise<Response> {
  const type = typeOf(call);
  const home = place.home(services, call);
  const form = await readForm(call);
  try {
    services.webhooks.create(home, place.level, hookFrom(type, form));
  } catch (error) {
    return showNew(services, place, call, { ...typedForm(type, form), errors: refused(call, error) });
  }
  return done(services, place, call, "", "added");
}

async function view(services: WebServices, place: Place, call: Call): Promise<Response> {
  const hook = services.webhooks.get(place.home(services, call), idParam(call, "id"));
  return showHook(services, place, call, hook);
}

async function showHook(
  services: WebServices,
  place: Place,
  call: Call,
  hook: Webhook,
  form = formOf(hook),
): Promise<Response> {
  const paging = pageOf(call, DELIVERIES);
  const home = place.home(services, call);
  const { items, total } = services.webhookDeliveries.list(home, hook.id, paging);
  const props = await placeProps(services, place.kind, call, SUB);
  const pages = { page: paging.page, perPage: DELIVERIES, total, href: withQuery(`${props.base}/${hook.id}`, {}) };
  const page = <HookPage place={props} hook={hook} form={form} deliveries={items} pages={pages} />;
  return show(call, page, { status: form.errors ? 422 : 200 });
}

async function edit(services: WebServices, place: Place, call: Call): Promise<Response> {
  const home = place.home(services, call);
  const hook = services.webhooks.get(home, idParam(call, "hook"));
  if (hook.type !== typeOf(call)) throw new NotFound();
  const form = await readForm(call);
  try {
    services.webhooks.edit(home, hook.id, editFrom(hook.type, form));
  } catch (error) {
    const typed = { ...formOf(hook), ...typedForm(hook.type, form), errors: refused(call, error) };
    return showHook(services, place, call, hook, typed);
  }
  return done(services, place, call, `/${hook.id}`, "saved");
}

async function remove(services: WebServices, place: Place, call: Call): Promise<Response> {
  services.webhooks.delete(place.home(services, call), (await readForm(call)).number("id") ?? 0);
  return done(services, place, call, "", "deleted");
}

function replay(services: WebServices, place: Place, call: Call): Response {
  const id = idParam(call, "id");
  services.webhookDeliveries.replay(place.home(services, call), id, param(call, "uuid"));
  return done(services, place, call, `/${id}`, "redelivered");
}

async function test(services: WebServices, call: Call): Promise<Response> {
  const id = idParam(call, "id");
  try {
    await services.webhookDeliveries.test(repository.home(services, call), id, seenRepo(call), "");
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "webhook.repository-empty") throw error;
    const href = `${baseOf(repository, call)}/${id}`;
    return redirectAfterPost(services, call, href, { kind: "error", text: refusalText(call, error) });
  }
  return done(services, repository, call, `/${id}`, "tested");
}

function done(
  services: WebServices,
  place: Place,
  call: Call,
  path: string,
  said: "added" | "saved" | "deleted" | "redelivered" | "tested",
): Response {
  const text = wordsFor(call, webhooksWords)(said);
  return redirectAfterPost(services, call, baseOf(place, call) + path, { kind: "success", text });
}

/** The errors, beside the form's fields. */
function refused(call: Call, error: unknown) {
  const fields = {
    name: "name",
    url: "payload_url",
    branch_filter: "branch_filter",
    secret: "secret",
    authorization_header: "authorization_header",
    channel: "channel",
    username: "username",
    icon_url: "icon_url",
    color: "color",
    bot_token: "bot_token",
    chat_id: "chat_id",
    thread_id: "thread_id",
    homeserver_url: "homeserver_url",
    room_id: "room_id",
    access_token: "access_token",
    api_token: "api_token",
    package_url: "package_url",
  } as const;
  return formErrors(call, error, fields);
}
