import type { Visibility } from "../../src/access/levels.ts";
import { type Team, teamUnits, type UnitLevels } from "../../src/organizations/types.ts";
import { CancelLink, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  RadioField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref, teamHref } from "../links.ts";
import { OrganizationPage, type OrganizationProps } from "./frame.tsx";
import { organizationWords } from "./words/index.ts";

/** The properties of a team, for its pages and its form. */
export interface TeamFacts {
  readonly name: string;
  readonly description: string;
  readonly level: Team["level"];
  readonly units: UnitLevels;
  readonly includesAll: boolean;
  readonly canCreateRepos: boolean;
  readonly visibility: Visibility;
}

export type TeamField = "team_name" | "description" | "permission" | "visibility" | "repo_access";

export interface TeamFormProps {
  readonly shell: Shell;
  readonly organization: OrganizationProps;
  readonly team: TeamFacts;
  /** The current name of the team being edited; absent for a new one. */
  readonly present?: string;
  readonly errors?: FormErrors<TeamField>;
}

const FORM_LEVELS = ["none", "read", "write"] as const;

/** `GET/POST /org/{org}/teams/new` and `…/{team}/edit`. */
export function TeamFormPage({ shell, organization, team, present, errors }: TeamFormProps) {
  const t = useWords(organizationWords);
  const isNew = present === undefined;
  const title = isNew ? t("newTeam") : t("editTeam");
  const action = isNew
    ? organizationHref(organization.name, "teams/new")
    : teamHref(organization.name, present, "edit");
  const back = isNew ? organizationHref(organization.name, "teams") : teamHref(organization.name, present);
  const isOwners = team.level === "owner";
  const labels = { team_name: t("teamName"), description: t("description"), permission: t("permission") };
  return (
    <OrganizationPage shell={shell} organization={organization} tab="teams" title={[title]} noIndex>
      <h1>{title}</h1>
      <form class="form team-form" method="post" action={action}>
        <ErrorSummary errors={errors} labels={labels} />
        {isOwners ? null : (
          <TextField
            name="team_name"
            label={labels.team_name}
            value={team.name}
            error={errors?.team_name}
            maxLength={255}
            autocomplete="off"
            autofocus={isNew}
            required
            code
          />
        )}
        <TextArea
          name="description"
          label={labels.description}
          value={team.description}
          error={errors?.description}
          rows={2}
          maxLength={255}
        />
        {isOwners ? <p class="muted">{t("ownersRights")}</p> : <TeamRightsFields team={team} errors={errors} />}
        <FormActions>
          <SubmitButton kind="primary">{isNew ? t("createTeam") : t("saveTeam")}</SubmitButton>
          <CancelLink href={back} />
        </FormActions>
      </form>
    </OrganizationPage>
  );
}

function TeamRightsFields({ team, errors }: { team: TeamFacts; errors: FormErrors<TeamField> | undefined }) {
  const t = useWords(organizationWords);
  return (
    <>
      <RadioField
        name="visibility"
        label={t("teamVisibility")}
        value={team.visibility}
        choices={(["private", "limited", "public"] as const).map((value) => ({
          value,
          label: t(`teamVisibility-${value}`),
        }))}
      />
      <RadioField
        name="repo_access"
        label={t("repositoryAccess")}
        value={team.includesAll ? "all" : "specified"}
        choices={[
          { value: "specified", label: t("someRepositories"), hint: t("someRepositoriesHint") },
          { value: "all", label: t("allRepositories"), hint: t("allRepositoriesHint") },
        ]}
      />
      <CheckField name="can_create_org_repo" label={t("canCreateRepos")} checked={team.canCreateRepos} />
      <RadioField
        name="permission"
        label={t("permission")}
        value={team.level === "admin" ? "admin" : "read"}
        error={errors?.permission}
        choices={[
          { value: "read", label: t("byUnit"), hint: t("byUnitHint") },
          { value: "admin", label: t("administrator"), hint: t("administratorHint") },
        ]}
      />
      <UnitTable units={team.units} />
    </>
  );
}

function UnitTable({ units }: { units: UnitLevels }) {
  const t = useWords(organizationWords);
  return (
    <div class="table-box">
      <table class="table unit-rights">
        <caption class="hidden-text">{t("unitRights")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("unit")}</th>
            {FORM_LEVELS.map((level) => (
              <th scope="col">{t(`level-${level}`)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {teamUnits.map((unit) => (
            <tr>
              <th scope="row">{t(`unit-${unit}`)}</th>
              {FORM_LEVELS.map((level) => (
                <td>
                  {level === "write" && unit.startsWith("ext_") ? null : (
                    <input
                      type="radio"
                      name={`unit_${unit}`}
                      value={level}
                      checked={shownLevel(units[unit]) === level}
                      aria-label={t("levelOf", { unit: t(`unit-${unit}`), level: t(`level-${level}`) })}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A unit with a higher level, set through REST, shows the highest one that forms offer. */
function shownLevel(level: UnitLevels[keyof UnitLevels]): (typeof FORM_LEVELS)[number] {
  return level === undefined ? "none" : level === "admin" ? "write" : level;
}
