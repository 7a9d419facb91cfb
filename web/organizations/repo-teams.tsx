import { SubmitButton } from "../components/button.tsx";
import { FormActions, SelectField } from "../components/form.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { teamHref } from "../links.ts";
import { organizationWords } from "./words/index.ts";

export interface RepoTeamsProps {
  /** URL that the forms post to; `/delete` below it removes a team. */
  readonly action: string;
  readonly organization: string;
  readonly teams: readonly {
    readonly id: number;
    readonly name: string;
    readonly includesAll: boolean;
    /** Only its members and owners may open its page. */
    readonly isShown: boolean;
  }[];
  /** Names of the teams without access to the repository. */
  readonly others: readonly string[];
  readonly mayChange: boolean;
}

/** The teams of a repository, in its settings. */
export function RepoTeams({ action, organization, teams, others, mayChange }: RepoTeamsProps) {
  const t = useWords(organizationWords);
  return (
    <>
      <Card title={t("teamsWithAccess")} flush>
        {teams.length === 0 ? (
          <EmptyState icon="people" title={t("noTeamsWithAccess")} />
        ) : (
          <ul class="list">
            {teams.map((team) => (
              <li class="danger-row">
                <div class="row">
                  {team.isShown ? (
                    <a href={teamHref(organization, team.name)}>{team.name}</a>
                  ) : (
                    <span>{team.name}</span>
                  )}
                  {team.includesAll ? <Badge>{t("everyRepository")}</Badge> : null}
                </div>
                {mayChange && !team.includesAll ? (
                  <form method="post" action={`${action}/delete`}>
                    <input type="hidden" name="id" value={String(team.id)} />
                    <SubmitButton kind="quiet" icon="x">
                      {t("remove")}
                      <span class="hidden-text">{team.name}</span>
                    </SubmitButton>
                  </form>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {mayChange ? (
        <Card title={t("addTeam")}>
          {others.length === 0 ? (
            <p class="muted">{t("noMoreTeams")}</p>
          ) : (
            <form class="form" method="post" action={action}>
              <SelectField
                name="team"
                label={t("team")}
                choices={others.map((name) => ({ value: name, label: name }))}
                required
              />
              <FormActions>
                <SubmitButton>{t("add")}</SubmitButton>
              </FormActions>
            </form>
          )}
        </Card>
      ) : (
        <p class="muted">{t("teamsNotYours")}</p>
      )}
    </>
  );
}
