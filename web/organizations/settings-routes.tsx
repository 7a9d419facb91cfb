import type { Call, Route } from "../../src/http/route.ts";
import { numberedVisibility } from "../../src/identity/values.ts";
import { BadRequest } from "../../src/kernel/errors.ts";
import { organizationOwner } from "../../src/organizations/access.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import type { WebServices } from "../area.ts";
import { changePicture, readPicture } from "../avatars/routes.tsx";
import { blockItem, changeBlock } from "../blocks/change.ts";
import type { FormErrors, FormState } from "../components/form.tsx";
import { formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { organizationHref, uploadedPicture } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { BlockedUsersPage, type OrganizationField, OrganizationSettingsPage } from "./settings.tsx";
import { organizationProps } from "./view.ts";
import { organizationWords } from "./words/index.ts";

const BLOCKS_PER_PAGE = 20;

const FIELDS: Readonly<Record<string, OrganizationField>> = Object.fromEntries(
  (["full_name", "email", "description", "website", "location"] as const).map((name) => [name, name]),
);

/** Lets owners edit their organization. */
export function organizationSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: organizationOwner } as const;
  const at = (sub: string) => ({ ...page, path: `/org/:org/settings${sub}` });
  return [
    { ...at(""), method: "GET", handle: (call) => profile(services, call, undefined) },
    { ...at(""), method: "POST", handle: (call) => saveProfile(services, call) },
    {
      ...at("/avatar"),
      method: "POST",
      handle: (call) =>
        changePicture(services, call, home(call), "changed", async () => {
          await services.organizations.setAvatar(seenOrganization(call), await readPicture(call));
        }),
    },
    {
      ...at("/avatar/delete"),
      method: "POST",
      handle: (call) =>
        changePicture(services, call, home(call), "removed", () => {
          services.organizations.removeAvatar(seenOrganization(call));
        }),
    },
    { ...at("/visibility"), method: "POST", handle: (call) => setVisibility(services, call) },
    { ...at("/rename"), method: "POST", handle: (call) => rename(services, call) },
    { ...at("/delete"), method: "POST", handle: (call) => remove(services, call) },
    { ...at("/blocked_users"), method: "GET", handle: (call) => blocked(services, call, undefined) },
    { ...at("/blocked_users"), method: "POST", handle: (call) => block(services, call) },
  ];
}

const home = (call: Call) => organizationHref(seenOrganization(call).organization.login, "settings");

interface ProfileShown {
  readonly values: Partial<Record<OrganizationField, string>>;
  readonly repoAdminsChangeTeams: boolean;
  readonly errors: FormErrors<OrganizationField>;
}

function profile(services: WebServices, call: Call, refused: ProfileShown | undefined): Response {
  const seen = seenOrganization(call);
  const { organization } = seen;
  const values = refused?.values ?? {
    full_name: organization.fullName,
    email: organization.email,
    description: organization.description,
    website: organization.website,
    location: organization.location,
  };
  const view = (
    <OrganizationSettingsPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      form={{ values, ...(refused ? { errors: refused.errors } : {}) }}
      repoAdminsChangeTeams={refused?.repoAdminsChangeTeams ?? seen.repoAdminsChangeTeams}
      picture={{ action: `${home(call)}/avatar`, name: organization.login, ...uploadedPicture(organization) }}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function saveProfile(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const text = (name: string) => (form.has(name) ? form.text(name) : undefined);
  const repoAdminsChangeTeams = form.checked("repo_admin_change_team_access");
  try {
    services.organizations.edit(seenOrganization(call), {
      fullName: text("full_name"),
      email: text("email"),
      description: text("description"),
      website: text("website"),
      location: text("location"),
      repoAdminsChangeTeams,
    });
  } catch (error) {
    return profile(services, call, {
      values: Object.fromEntries(Object.keys(FIELDS).map((name) => [name, form.text(name).slice(0, 2000)])),
      repoAdminsChangeTeams,
      errors: formErrors(call, error, FIELDS),
    });
  }
  return done(services, call, home(call), "saved", "organization");
}

async function setVisibility(services: WebServices, call: Call): Promise<Response> {
  const visibility = numberedVisibility((await readForm(call)).number("visibility"));
  if (!visibility) throw new BadRequest("value.not-allowed", { field: "visibility", params: { name: "Visibility" } });
  services.organizations.edit(seenOrganization(call), { visibility });
  return done(services, call, home(call), "saved");
}

/** Reports an error when the typed name does not match. */
async function confirmed(services: WebServices, call: Call) {
  const form = await readForm(call);
  if (form.text("org_name") === seenOrganization(call).organization.login) return { form };
  const text = wordsFor(call, organizationWords)("nameDiffers");
  return { refused: redirectAfterPost(services, call, home(call), { kind: "error", text }) };
}

async function rename(services: WebServices, call: Call): Promise<Response> {
  const { form, refused } = await confirmed(services, call);
  if (refused) return refused;
  const name = form.text("new_org_name");
  try {
    services.organizations.rename(seenOrganization(call), name);
  } catch (error) {
    return redirectAfterPost(services, call, home(call), { kind: "error", text: refusalOf(call, error) });
  }
  return done(services, call, organizationHref(name, "settings"), "renamed");
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const { refused } = await confirmed(services, call);
  if (refused) return refused;
  try {
    services.organizations.remove(seenOrganization(call));
  } catch (error) {
    return redirectAfterPost(services, call, home(call), { kind: "error", text: refusalOf(call, error) });
  }
  return done(services, call, "/", "deleted");
}

function done(
  services: WebServices,
  call: Call,
  to: string,
  key: "saved" | "renamed" | "deleted",
  form?: string,
): Response {
  const text = wordsFor(call, organizationWords)(key);
  return redirectAfterPost(services, call, to, { kind: "success", text, ...(form === undefined ? {} : { form }) });
}

function blocked(services: WebServices, call: Call, refused: FormState<"blockee" | "note"> | undefined): Response {
  const seen = seenOrganization(call);
  const slice = pageOf(call, BLOCKS_PER_PAGE);
  const { items, total } = services.blocks.list(seen.organization, slice);
  const view = (
    <BlockedUsersPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      blocks={items.map(blockItem)}
      pages={{ page: slice.page, perPage: BLOCKS_PER_PAGE, total, href: `${home(call)}/blocked_users` }}
      form={refused ?? {}}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function block(services: WebServices, call: Call): Promise<Response> {
  const seen = seenOrganization(call);
  const outcome = await changeBlock(services, call, {
    account: seen.organization,
    named: (login) => services.members.named(seen, login),
    mayBlock: (user) => !services.members.isMember(seen, user),
  });
  if ("refused" in outcome) return blocked(services, call, outcome.refused);
  return redirectAfterPost(services, call, `${home(call)}/blocked_users`, { kind: "success", text: outcome.done });
}
