import { visibilities } from "../../src/access/levels.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { ValidationFailed } from "../../src/kernel/errors.ts";
import { organizationOwner, teamOwner } from "../../src/organizations/access.ts";
import { seenOrganization, seenTeam } from "../../src/organizations/subject.ts";
import type { TeamEdit } from "../../src/organizations/teams/service.ts";
import { type Team, teamUnits } from "../../src/organizations/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { organizationHref, teamHref } from "../links.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type TeamFacts, type TeamField, TeamFormPage } from "./team-form.tsx";
import { organizationProps, teamFacts } from "./view.ts";
import { organizationWords } from "./words/index.ts";

const FIELDS: Readonly<Record<string, TeamField>> = {
  name: "team_name",
  description: "description",
  permission: "permission",
  units: "permission",
  units_map: "permission",
};

/** Creates, edits and deletes teams. */
export function teamFormPages(services: WebServices): Route[] {
  const page = { surface: "page" } as const;
  const teams = "/org/:org/teams";
  const team = `${teams}/:team`;
  return [
    {
      ...page,
      method: "GET",
      path: `${teams}/new`,
      access: organizationOwner,
      handle: (call) => newForm(services, call, {}),
    },
    {
      ...page,
      method: "POST",
      path: `${teams}/new`,
      access: organizationOwner,
      handle: (call) => create(services, call),
    },
    {
      ...page,
      method: "GET",
      path: `${team}/edit`,
      access: teamOwner,
      handle: (call) => editForm(services, call, teamFacts(seenTeam(call).team), undefined),
    },
    { ...page, method: "POST", path: `${team}/edit`, access: teamOwner, handle: (call) => edit(services, call) },
    { ...page, method: "POST", path: `${team}/delete`, access: teamOwner, handle: (call) => remove(services, call) },
  ];
}

const blank: TeamFacts = {
  name: "",
  description: "",
  level: "none",
  units: Object.fromEntries(teamUnits.filter((unit) => !unit.startsWith("ext_")).map((unit) => [unit, "read"])),
  includesAll: false,
  canCreateRepos: false,
  visibility: "private",
};

function newForm(services: WebServices, call: Call, refused: { team?: TeamFacts; errors?: FormErrors<TeamField> }) {
  const view = (
    <TeamFormPage
      shell={shellOf(services, call)}
      organization={organizationProps(seenOrganization(call))}
      team={refused.team ?? blank}
      {...(refused.errors ? { errors: refused.errors } : {})}
    />
  );
  return show(call, view, { status: refused.errors ? 422 : 200 });
}

function editForm(
  services: WebServices,
  call: Call,
  team: TeamFacts,
  errors: FormErrors<TeamField> | undefined,
): Response {
  const { seen, team: present } = seenTeam(call);
  const view = (
    <TeamFormPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      team={team}
      present={present.name}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

/** The form's values; a unit that is not sent has no access. */
function teamEdit(form: Form): TeamEdit & { readonly name: string } {
  const units = teamUnits.flatMap((unit): [string, string][] => {
    const level = form.text(`unit_${unit}`);
    return level === "" || level === "none" ? [] : [[`repo.${unit}`, level]];
  });
  const isAdmin = form.text("permission") === "admin";
  return {
    name: form.text("team_name"),
    description: form.text("description"),
    // Without units, the service reports what is missing.
    permission: isAdmin ? "admin" : "read",
    ...(isAdmin ? {} : { unitsMap: Object.fromEntries(units) }),
    includesAll: form.text("repo_access") === "all",
    canCreateRepos: form.checked("can_create_org_repo"),
    visibility: visibilities.find((known) => known === form.text("visibility")) ?? "private",
  };
}

/** The typed values, to show them again. */
function typed(form: Form): TeamFacts {
  const edit = teamEdit(form);
  const units = Object.fromEntries(
    teamUnits.flatMap((unit) => {
      const level = form.text(`unit_${unit}`);
      return level === "read" || level === "write" ? [[unit, level]] : [];
    }),
  );
  return {
    name: edit.name.slice(0, 255),
    description: (edit.description ?? "").slice(0, 2000),
    level: edit.permission === "admin" ? "admin" : "none",
    units,
    includesAll: edit.includesAll ?? false,
    canCreateRepos: edit.canCreateRepos ?? false,
    visibility: edit.visibility ?? "private",
  };
}

async function create(services: WebServices, call: Call): Promise<Response> {
  const seen = seenOrganization(call);
  const form = await readForm(call);
  let team: Team;
  try {
    team = services.teams.create(seen, teamEdit(form));
  } catch (error) {
    return newForm(services, call, { team: typed(form), errors: formErrors(call, error, FIELDS) });
  }
  return redirectAfterPost(services, call, teamHref(seen.organization.login, team.name), {
    kind: "success",
    text: wordsFor(call, organizationWords)("teamCreated"),
  });
}

async function edit(services: WebServices, call: Call): Promise<Response> {
  const found = seenTeam(call);
  const form = await readForm(call);
  const isOwners = found.team.level === "owner";
  let team: Team;
  try {
    team = services.teams.edit(found, isOwners ? { description: form.text("description") } : withUnits(form));
  } catch (error) {
    const shown = isOwners ? { ...teamFacts(found.team), description: form.text("description") } : typed(form);
    return editForm(services, call, shown, formErrors(call, error, FIELDS));
  }
  return redirectAfterPost(services, call, teamHref(found.seen.organization.login, team.name), {
    kind: "success",
    text: wordsFor(call, organizationWords)("teamSaved"),
  });
}

/** A permission without units would apply to the team's existing units; here it means none. @throws ValidationFailed */
function withUnits(form: Form): TeamEdit {
  const edit = teamEdit(form);
  if (edit.permission !== "admin" && Object.keys(edit.unitsMap ?? {}).length === 0)
    throw new ValidationFailed("team.no-units", { field: "units" });
  return edit;
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const found = seenTeam(call);
  const form = await readForm(call);
  const t = wordsFor(call, organizationWords);
  if (!form.confirms("team_name", found.team.name))
    return redirectAfterPost(services, call, teamHref(found.seen.organization.login, found.team.name), {
      kind: "error",
      text: t("nameDiffers"),
    });
  try {
    services.teams.remove(found);
  } catch (error) {
    return redirectAfterPost(services, call, teamHref(found.seen.organization.login, found.team.name), {
      kind: "error",
      text: refusalOf(call, error),
    });
  }
  const back = organizationHref(found.seen.organization.login, "teams");
  return redirectAfterPost(services, call, back, { kind: "success", text: t("teamDeleted") });
}
