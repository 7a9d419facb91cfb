import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { numberedVisibility } from "../../src/identity/values.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { userHref } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type NewOrganizationField, NewOrganizationPage } from "./create.tsx";
import { organizationHomePages } from "./home-routes.tsx";
import { invitationPages } from "./invitation-routes.tsx";
import { memberPages } from "./members-routes.tsx";
import { OwnOrganizationsPage } from "./own.tsx";
import { repoTeamPages } from "./repo-team-routes.ts";
import { organizationSettingsPages } from "./settings-routes.tsx";
import { teamPages } from "./team-routes.tsx";
import { organizationWords } from "./words/index.ts";

const PER_PAGE = 20;

const FIELDS: Readonly<Record<string, NewOrganizationField>> = { username: "org_name" };

/** Organizations: creating them, the user's own, and the pages of each. */
export function organizationPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount } as const;
  return [
    { ...page, method: "GET", path: "/org/create", handle: (call) => newForm(services, call, undefined) },
    { ...page, method: "POST", path: "/org/create", handle: (call) => create(services, call) },
    { ...page, method: "GET", path: "/user/settings/organization", handle: (call) => own(services, call) },
    { ...page, method: "POST", path: "/user/settings/organization/leave", handle: (call) => leave(services, call) },
    ...organizationHomePages(services),
    ...invitationPages(services),
    ...memberPages(services),
    ...teamPages(services),
    ...organizationSettingsPages(services),
    ...repoTeamPages(services),
  ];
}

function newForm(
  services: WebServices,
  call: Call,
  refused: { form: Form; errors: FormErrors<NewOrganizationField> } | undefined,
): Response {
  const given = refused?.form;
  const view = (
    <NewOrganizationPage
      shell={shellOf(services, call)}
      form={{
        values: {
          org_name: (given?.text("org_name") ?? "").slice(0, 100),
          visibility: String(given?.number("visibility") ?? 0),
        },
        ...(refused ? { errors: refused.errors } : {}),
      }}
      repoAdminsChangeTeams={given?.checked("repo_admin_change_team_access") ?? false}
      mayCreate={services.organizations.mayCreate(signedIn(call))}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function create(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const name = form.text("org_name");
  try {
    services.organizations.create(call.principal, signedIn(call), name, {
      visibility: numberedVisibility(form.number("visibility")) ?? "public",
      repoAdminsChangeTeams: form.checked("repo_admin_change_team_access"),
    });
  } catch (error) {
    return newForm(services, call, { form, errors: formErrors(call, error, FIELDS) });
  }
  return redirectAfterPost(services, call, userHref(name));
}

function own(services: WebServices, call: Call): Response {
  const slice = pageOf(call, PER_PAGE);
  const user = signedIn(call);
  const { items, total } = services.organizations.ofUser(call.principal, user, slice);
  const view = (
    <OwnOrganizationsPage
      shell={shellOf(services, call)}
      organizations={items.map(({ account }) => ({
        id: account.id,
        person: personOf(account),
        fullName: account.fullName,
        visibility: account.visibility,
      }))}
      mayCreate={services.organizations.mayCreate(user)}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: "/user/settings/organization" }}
    />
  );
  return show(call, view);
}

async function leave(services: WebServices, call: Call): Promise<Response> {
  const back = "/user/settings/organization";
  const id = (await readForm(call)).number("id") ?? 0;
  const seen = services.organizations.seeById(call.principal, id);
  try {
    services.members.remove(seen, signedIn(call));
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, organizationWords)("youLeft", { name: seen.organization.login });
  return redirectAfterPost(services, call, back, { kind: "success", text });
}
