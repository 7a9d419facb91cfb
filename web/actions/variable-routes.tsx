import type { Variable } from "../../src/actions/types.ts";
import { type Call, idParam, type Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { pageOf } from "../list-query.ts";
import { placeProps } from "../settings-place.tsx";
import { redirectAfterPost, show } from "../visit.ts";
import { type ActionsPagePlace, hrefOf, routeOf, subOf } from "./places.ts";
import type { ValueForm } from "./value-form.tsx";
import { VariablePage, VariablesPage } from "./variables.tsx";
import { actionsWords } from "./words/index.ts";

const PER_PAGE = 50;

/** The variables of one kind of place. */
export function variablePages(services: WebServices, place: ActionsPagePlace): Route[] {
  const path = routeOf(place, "variables");
  const page = { surface: "page", access: place.access } as const;
  return [
    { ...page, method: "GET", path, handle: (call) => list(services, place, call) },
    { ...page, method: "POST", path: `${path}/new`, handle: (call) => create(services, place, call) },
    { ...page, method: "GET", path: `${path}/:id/edit`, handle: (call) => view(services, place, call) },
    { ...page, method: "POST", path: `${path}/:id/edit`, handle: (call) => edit(services, place, call) },
    { ...page, method: "POST", path: `${path}/:id/delete`, handle: (call) => remove(services, place, call) },
  ];
}

async function list(
  services: WebServices,
  place: ActionsPagePlace,
  call: Call,
  form: ValueForm = {},
): Promise<Response> {
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = services.actionsVariables.list(place.home(call), paging);
  const props = await placeProps(services, place.kind, call, subOf("variables"));
  const pages = { page: paging.page, perPage: PER_PAGE, total, href: props.base };
  const page = <VariablesPage place={props} variables={items} pages={pages} form={form} />;
  return show(call, page, { status: form.errors ? 422 : 200 });
}

/** The form's values, as the service expects them. */
const typed = (form: Form) => ({
  name: form.text("name"),
  value: form.exact("data"),
  description: form.text("description"),
});

function refused(call: Call, error: unknown, { description, name, value }: ReturnType<typeof typed>): ValueForm {
  const errors = formErrors(call, error, { name: "name", value: "data" });
  return { values: { name, data: value, description }, errors };
}

async function create(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const home = place.home(call);
  const variable = typed(await readForm(call));
  try {
    services.actionsVariables.create(home, variable);
  } catch (error) {
    return list(services, place, call, refused(call, error, variable));
  }
  return done(services, place, call, "variableAdded");
}

const find = (services: WebServices, place: ActionsPagePlace, call: Call): Variable =>
  services.actionsVariables.byId(place.home(call), idParam(call, "id"));

async function view(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const variable = find(services, place, call);
  const { description, name, value } = variable;
  return showVariable(services, place, call, variable, { values: { name, data: value, description } });
}

async function showVariable(
  services: WebServices,
  place: ActionsPagePlace,
  call: Call,
  variable: Variable,
  form: ValueForm,
): Promise<Response> {
  const props = await placeProps(services, place.kind, call, subOf("variables"));
  const page = <VariablePage place={props} variable={variable} form={form} />;
  return show(call, page, { status: form.errors ? 422 : 200 });
}

async function edit(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const variable = find(services, place, call);
  const change = typed(await readForm(call));
  try {
    services.actionsVariables.edit(place.home(call), variable.name, change);
  } catch (error) {
    return showVariable(services, place, call, variable, refused(call, error, change));
  }
  return done(services, place, call, "variableSaved");
}

function remove(services: WebServices, place: ActionsPagePlace, call: Call): Response {
  services.actionsVariables.delete(place.home(call), find(services, place, call).name);
  return done(services, place, call, "variableDeleted");
}

function done(
  services: WebServices,
  place: ActionsPagePlace,
  call: Call,
  said: "variableAdded" | "variableSaved" | "variableDeleted",
): Response {
  const text = wordsFor(call, actionsWords)(said);
  return redirectAfterPost(services, call, hrefOf(place, "variables", call), { kind: "success", text });
}
