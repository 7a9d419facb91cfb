import { administersAccounts } from "../../src/admin/access.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { Secret } from "../../src/secrets/secret.ts";
import { type SourceKind, settingsFrom, sourceFields } from "../../src/sources/settings.ts";
import type { SourceEdit } from "../../src/sources/types.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { SourcePage, type SourceValues } from "./source-form.tsx";
import { SourcesPage } from "./sources.tsx";
import { sourceWords } from "./words/index.ts";

const LIST = "/-/admin/auths";

/** Administration of sign-in sources (contract web.md 1.12). */
export function adminSourcePages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersAccounts } as const;
  return [
    { ...page, method: "GET", path: LIST, handle: (call) => list(services, call) },
    { ...page, method: "GET", path: `${LIST}/new`, handle: (call) => newForm(services, call) },
    { ...page, method: "POST", path: `${LIST}/new`, handle: (call) => add(services, call) },
    { ...page, method: "GET", path: `${LIST}/:id`, handle: (call) => editForm(services, call) },
    { ...page, method: "POST", path: `${LIST}/:id`, handle: (call) => edit(services, call) },
    { ...page, method: "POST", path: `${LIST}/:id/delete`, handle: (call) => remove(services, call) },
  ];
}

function list(services: WebServices, call: Call): Response {
  const sources = services.sources.list(call.principal);
  return show(call, <SourcesPage shell={shellOf(services, call)} sources={sources} />);
}

/** The kinds by the numbers in forms of compatible forges (contract identity.md 7), or by their names. */
const KINDS: Readonly<Record<string, SourceKind>> = {
  "2": "ldap",
  "3": "smtp",
  "5": "ldap-simple",
  "6": "oauth2",
  ldap: "ldap",
  "ldap-simple": "ldap-simple",
  oauth2: "oauth2",
  smtp: "smtp",
};

const emptyValues = (kind: SourceKind): SourceValues => ({
  name: "",
  isActive: true,
  isSynchronized: false,
  skipsSecondFactor: false,
  settings: settingsFrom<Readonly<Record<string, (typeof sourceFields.ldap)["port" | "host" | "usesGroups"]>>>(
    sourceFields[kind],
    {},
  ),
});

function newForm(services: WebServices, call: Call): Response {
  const kind = KINDS[call.query.get("type") ?? ""] ?? "oauth2";
  return showForm(services, call, { kind, values: emptyValues(kind) });
}

async function add(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const kind = KINDS[form.text("type")];
  if (!kind) throw new NotFound();
  const edit = editOf(kind, form);
  try {
    await services.sources.add(call.principal, kind, edit);
  } catch (error) {
    return showForm(services, call, { kind, values: edit, errors: errorsOf(call, kind, error) });
  }
  return redirectAfterPost(services, call, LIST, { kind: "success", text: wordsFor(call, sourceWords)("saved") });
}

function editForm(services: WebServices, call: Call): Response {
  const source = services.sources.get(call.principal, idOf(call));
  return showForm(services, call, { kind: source.kind, id: source.id, values: source, hasSecret: source.hasSecret });
}

async function edit(services: WebServices, call: Call): Promise<Response> {
  const { id, kind, hasSecret } = services.sources.get(call.principal, idOf(call));
  const edit = editOf(kind, await readForm(call));
  try {
    await services.sources.edit(call.principal, id, edit);
  } catch (error) {
    return showForm(services, call, { kind, id, values: edit, hasSecret, errors: errorsOf(call, kind, error) });
  }
  return redirectAfterPost(services, call, LIST, { kind: "success", text: wordsFor(call, sourceWords)("saved") });
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const t = wordsFor(call, sourceWords);
  const source = services.sources.get(call.principal, idOf(call));
  if (!(await readForm(call)).confirms("source_name", source.name))
    return redirectAfterPost(services, call, `${LIST}/${source.id}`, { kind: "error", text: t("nameDiffers") });
  try {
    services.sources.remove(call.principal, source.id);
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 409) throw error;
    return redirectAfterPost(services, call, `${LIST}/${source.id}`, { kind: "error", text: refusalText(call, error) });
  }
  return redirectAfterPost(services, call, LIST, { kind: "success", text: t("deleted") });
}

interface Shown {
  readonly kind: SourceKind;
  /** Absent: a new one. */
  readonly id?: number;
  readonly values: SourceValues;
  readonly hasSecret?: boolean;
  readonly errors?: Readonly<Record<string, string | undefined>>;
}

function showForm(services: WebServices, call: Call, shown: Shown): Response {
  const view = (
    <SourcePage
      shell={shellOf(services, call)}
      kind={shown.kind}
      action={shown.id === undefined ? `${LIST}/new` : `${LIST}/${shown.id}`}
      values={shown.values}
      hasSecret={shown.hasSecret ?? false}
      errors={shown.errors}
      rootUrl={services.links.rootUrl}
      {...(shown.id === undefined ? {} : { deletable: !services.sources.isUsed(call.principal, shown.id) })}
    />
  );
  return show(call, view, { status: shown.errors ? 422 : 200 });
}

/** The form's values: missing checkboxes are unchecked, and an empty secret is left unchanged. */
function editOf(kind: SourceKind, form: Form): SourceEdit & SourceValues {
  const settings = Object.entries(sourceFields[kind]).map(([key, { option, standard }]) => {
    const name = fieldName(option);
    if (typeof standard === "boolean") return [key, form.checked(name)];
    if (typeof standard === "number") return [key, form.number(name) ?? standard];
    return [key, form.text(name).slice(0, 100_000)];
  });
  const secret = form.exact("secret");
  return {
    name: form.text("name").slice(0, 1000),
    isActive: form.checked("is_active"),
    isSynchronized: form.checked("is_sync_enabled"),
    skipsSecondFactor: form.checked("skip_local_2fa"),
    settings: Object.fromEntries(settings),
    ...(secret === "" ? {} : { secret: new Secret(secret) }),
  };
}

const fieldName = (option: string) => option.replaceAll("-", "_");

function errorsOf(call: Call, kind: SourceKind, error: unknown) {
  const names = Object.entries(sourceFields[kind]).map(([key, { option }]) => [key, fieldName(option)]);
  return formErrors<string>(call, error, { ...Object.fromEntries(names), name: "name" });
}

/** @throws NotFound when it is not a number */
function idOf(call: Call): number {
  const text = param(call, "id");
  if (!/^\d{1,15}$/.test(text)) throw new NotFound();
  return Number(text);
}
