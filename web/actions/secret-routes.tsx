import { unixLines } from "../../src/actions/values.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { Secret } from "../../src/secrets/secret.ts";
import type { WebServices } from "../area.ts";
import { formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { pageOf } from "../list-query.ts";
import { placeProps } from "../settings-place.tsx";
import { redirectAfterPost, show } from "../visit.ts";
import { type ActionsPagePlace, hrefOf, routeOf, subOf } from "./places.ts";
import { SecretsPage } from "./secrets.tsx";
import type { ValueForm } from "./value-form.tsx";
import { actionsWords } from "./words/index.ts";

const PER_PAGE = 50;

/** The secrets of one kind of place. */
export function secretPages(services: WebServices, place: ActionsPagePlace): Route[] {
  const path = routeOf(place, "secrets");
  const page = { surface: "page", access: place.access } as const;
  return [
    { ...page, method: "GET", path, handle: (call) => list(services, place, call) },
    { ...page, method: "POST", path, handle: (call) => put(services, place, call) },
    { ...page, method: "POST", path: `${path}/delete`, handle: (call) => remove(services, place, call) },
  ];
}

async function list(
  services: WebServices,
  place: ActionsPagePlace,
  call: Call,
  form: ValueForm = {},
): Promise<Response> {
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = services.actionsSecrets.list(place.home(call), paging);
  const props = await placeProps(services, place.kind, call, subOf("secrets"));
  const pages = { page: paging.page, perPage: PER_PAGE, total, href: props.base };
  const page = <SecretsPage place={props} secrets={items} pages={pages} form={form} />;
  return show(call, page, { status: form.errors ? 422 : 200 });
}

async function put(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const home = place.home(call);
  const form = await readForm(call);
  const [name, description] = [form.text("name"), form.text("description")];
  try {
    const value = new Secret(unixLines(form.exact("data")));
    services.actionsSecrets.put(home, { name, value, description });
  } catch (error) {
    const errors = formErrors(call, error, { name: "name", value: "data" });
    return list(services, place, call, { values: { name, description }, errors });
  }
  return done(services, place, call, "secretSaved");
}

async function remove(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  services.actionsSecrets.delete(place.home(call), (await readForm(call)).text("name"));
  return done(services, place, call, "secretDeleted");
}

function done(
  services: WebServices,
  place: ActionsPagePlace,
  call: Call,
  said: "secretSaved" | "secretDeleted",
): Response {
  const text = wordsFor(call, actionsWords)(said);
  return redirectAfterPost(services, call, hrefOf(place, "secrets", call), { kind: "success", text });
}
