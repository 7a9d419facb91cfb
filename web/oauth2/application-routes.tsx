import { administersAccounts } from "../../src/admin/access.ts";
import { type Access, type Call, param, type Route } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { ShownOnce } from "../../src/kernel/shown-once.ts";
import type { ApplicationOwner, WithSecret } from "../../src/oauth2/applications/service.ts";
import { organizationOwner } from "../../src/organizations/access.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import { UserSettings } from "../account/settings.tsx";
import { AdminFrame } from "../admin/admin-frame.tsx";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm } from "../form-data.ts";
import type { Children } from "../jsx/types.ts";
import { wordsFor } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref } from "../links.ts";
import type { OrganizationProps } from "../organizations/frame.tsx";
import { OrganizationSettings } from "../organizations/settings.tsx";
import { organizationProps } from "../organizations/view.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { ApplicationCards, ApplicationDetails, type ApplicationForm, type ApplicationValues } from "./applications.tsx";
import { applicationsOf, OWN_APPLICATIONS } from "./panels.tsx";
import { oauth2Words } from "./words/index.ts";

/** Where applications are managed: an account's in its settings, the site's in the administration. */
interface Place {
  readonly owner: ApplicationOwner;
  /** The page that lists them. */
  readonly list: string;
  /** URL that a new one is posted to, and the base of each one's page. */
  readonly base: string;
  /** The organization that owns them. */
  readonly organization?: OrganizationProps;
}

/** A kind of place: its route patterns, and the place that a request names. */
interface Places {
  readonly access: Access;
  readonly list: string;
  readonly base: string;
  readonly of: (call: Call) => Place;
}

const OWN_PLACE: Place = { owner: "own", list: "/user/settings/applications", base: OWN_APPLICATIONS };
const SITE_PLACE: Place = {
  owner: "site",
  list: "/-/admin/applications",
  base: "/-/admin/applications/oauth2",
};

const OWN: Places = { ...OWN_PLACE, access: ownAccount, of: () => OWN_PLACE };
const OF_SITE: Places = { ...SITE_PLACE, access: administersAccounts, of: () => SITE_PLACE };
const OF_ORGANIZATION: Places = {
  access: organizationOwner,
  list: "/org/:org/settings/applications",
  base: "/org/:org/settings/applications/oauth2",
  of: (call) => {
    const seen = seenOrganization(call);
    const list = organizationHref(seen.organization.login, "settings/applications");
    return { owner: seen, list, base: `${list}/oauth2`, organization: organizationProps(seen) };
  },
};

interface ShownSecret {
  readonly applicationId: number;
  readonly secret: string;
}

/** Registers applications, and revokes their grants. */
export function applicationPages(services: WebServices): Route[] {
  const secrets = new ShownOnce<ShownSecret>(services.clock);
  return [
    ...[OF_SITE, OF_ORGANIZATION].map(
      ({ access, list, of }): Route => ({
        method: "GET",
        path: list,
        surface: "page",
        access,
        handle: (call) => listPage(services, call, of(call), {}),
      }),
    ),
    ...[OWN, OF_SITE, OF_ORGANIZATION].flatMap((places) => pagesOf(services, places, secrets)),
    {
      method: "POST",
      path: `${OWN.base}/:id/revoke/:grant`,
      surface: "page",
      access: ownAccount,
      handle: (call) => {
        services.oauth2Grants.revoke(call.principal, numberOf(call, "grant"));
        return redirectAfterPost(services, call, OWN.list, {
          kind: "success",
          text: wordsFor(call, oauth2Words)("revoked"),
        });
      },
    },
  ];
}

function pagesOf(services: WebServices, places: Places, secrets: ShownOnce<ShownSecret>): Route[] {
  const page = { surface: "page", access: places.access } as const;
  const { of } = places;
  const one = `${places.base}/:id`;
  return [
    { ...page, method: "POST", path: places.base, handle: (call) => create(services, call, of(call), secrets) },
    { ...page, method: "GET", path: one, handle: (call) => details(services, call, of(call), {}, secrets) },
    { ...page, method: "POST", path: one, handle: (call) => edit(services, call, of(call)) },
    {
      ...page,
      method: "POST",
      path: `${one}/regenerate_secret`,
      handle: (call) => {
        const place = of(call);
        const made = services.oauth2Applications.renewSecret(call.principal, place.owner, numberOf(call, "id"));
        return toDetails(services, call, place, made, secrets);
      },
    },
    { ...page, method: "POST", path: `${one}/delete`, handle: (call) => remove(services, call, of(call)) },
  ];
}

function listPage(services: WebServices, call: Call, place: Place, form: ApplicationForm): Response {
  const applications = applicationsOf(services, call, place.owner);
  return show(
    call,
    <PlaceFrame shell={shellOf(services, call)} place={place} title={wordsFor(call, oauth2Words)("applications")}>
      <ApplicationCards applications={applications} action={place.base} form={form} />
    </PlaceFrame>,
    { status: form.errors ? 422 : 200 },
  );
}

async function create(
  services: WebServices,
  call: Call,
  place: Place,
  secrets: ShownOnce<ShownSecret>,
): Promise<Response> {
  const values = valuesOf(await readForm(call));
  try {
    const made = services.oauth2Applications.create(call.principal, place.owner, values);
    return toDetails(services, call, place, made, secrets);
  } catch (error) {
    return listPage(services, call, place, { values, errors: errorsOf(call, error) });
  }
}

function details(
  services: WebServices,
  call: Call,
  place: Place,
  form: ApplicationForm,
  secrets?: ShownOnce<ShownSecret>,
): Response {
  const application = services.oauth2Applications.get(call.principal, place.owner, numberOf(call, "id"));
  const shown = call.principal.sessionId ? secrets?.take(call.principal.sessionId) : undefined;
  const isShown = shown?.applicationId === application.id;
  return show(
    call,
    <PlaceFrame shell={shellOf(services, call)} place={place} title={application.name}>
      <ApplicationDetails
        application={application}
        action={`${place.base}/${application.id}`}
        form={form}
        {...(isShown ? { secret: shown.secret } : {})}
      />
    </PlaceFrame>,
    { status: form.errors ? 422 : 200, ...(isShown ? { headers: { "cache-control": "no-store" } } : {}) },
  );
}

async function edit(services: WebServices, call: Call, place: Place): Promise<Response> {
  const id = numberOf(call, "id");
  const values = valuesOf(await readForm(call));
  try {
    services.oauth2Applications.edit(call.principal, place.owner, id, values);
  } catch (error) {
    return details(services, call, place, { values, errors: errorsOf(call, error) });
  }
  return redirectAfterPost(services, call, `${place.base}/${id}`, {
    kind: "success",
    text: wordsFor(call, oauth2Words)("saved"),
  });
}

async function remove(services: WebServices, call: Call, place: Place): Promise<Response> {
  const id = numberOf(call, "id");
  const { name } = services.oauth2Applications.get(call.principal, place.owner, id);
  const t = wordsFor(call, oauth2Words);
  if (!(await readForm(call)).confirms("application_name", name))
    return redirectAfterPost(services, call, `${place.base}/${id}`, { kind: "error", text: t("nameDiffers") });
  services.oauth2Applications.remove(call.principal, place.owner, id);
  return redirectAfterPost(services, call, place.list, { kind: "success", text: t("applicationDeleted") });
}

function toDetails(
  services: WebServices,
  call: Call,
  place: Place,
  { application, secret }: WithSecret,
  secrets: ShownOnce<ShownSecret>,
): Response {
  if (call.principal.sessionId) secrets.keep(call.principal.sessionId, { applicationId: application.id, secret });
  return redirectAfterPost(services, call, `${place.base}/${application.id}`);
}

function PlaceFrame(props: { shell: Shell; place: Place; title: string; children: Children }) {
  const { owner, organization } = props.place;
  if (organization)
    return (
      <OrganizationSettings shell={props.shell} organization={organization} section="applications">
        {props.children}
      </OrganizationSettings>
    );
  if (owner === "own")
    return (
      <UserSettings shell={props.shell} section="applications">
        {props.children}
      </UserSettings>
    );
  return (
    <AdminFrame shell={props.shell} title={props.title} page="applications">
      {props.children}
    </AdminFrame>
  );
}

function valuesOf(form: Form): ApplicationValues {
  return {
    name: form.text("application_name"),
    // One per line; similar forms elsewhere send commas.
    redirectUris: form
      .text("redirect_uris")
      .split(/[\s,]+/)
      .filter((uri) => uri !== ""),
    isConfidential: form.checked("confidential_client"),
    skipsLaterConsent: form.checked("skip_secondary_authorization"),
  };
}

function errorsOf(call: Call, error: unknown) {
  return formErrors(call, error, { name: "application_name", redirect_uris: "redirect_uris" });
}

/** @throws NotFound when it is not a number */
function numberOf(call: Call, name: "id" | "grant"): number {
  const text = param(call, name);
  if (!/^\d{1,15}$/.test(text)) throw new NotFound();
  return Number(text);
}
