import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog, QuestionDialog } from "../components/dialog.tsx";
import { FormActions, type FormState, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { type PageOf, Pagination, Tabs } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref, repoHref, teamHref } from "../links.ts";
import { OrganizationPage, type OrganizationProps } from "./frame.tsx";
import type { TeamFacts } from "./team-form.tsx";
import { organizationWords } from "./words/index.ts";

export interface TeamItem extends TeamFacts {
  readonly memberCount: number;
  /** Number of repositories that were added individually. */
  readonly repoCount: number;
}

/** `GET /org/{org}/teams`. */
export function TeamsPage(props: {
  shell: Shell;
  organization: OrganizationProps;
  teams: readonly TeamItem[];
  pages: PageOf;
}) {
  const t = useWords(organizationWords);
  const { organization } = props;
  return (
    <OrganizationPage shell={props.shell} organization={organization} tab="teams" title={[t("teams")]} noIndex>
      <div class="row end-row">
        <h1 class="hidden-text">{t("teams")}</h1>
        {organization.isOwner ? (
          <LinkButton kind="primary" icon="plus" href={organizationHref(organization.name, "teams/new")}>
            {t("newTeam")}
          </LinkButton>
        ) : null}
      </div>
      <Card flush>
        {props.teams.length === 0 ? (
          <EmptyState icon="people" title={t("noTeams")} />
        ) : (
          <ul class="list">
            {props.teams.map((team) => (
              <li class="danger-row">
                <div>
                  <h2 class="strong">
                    <a href={teamHref(organization.name, team.name)}>{team.name}</a>
                  </h2>
                  {team.description ? <p class="muted">{team.description}</p> : null}
                  <p class="repo-facts">
                    <span>
                      <Icon name="person" /> {t("memberCount", { count: team.memberCount })}
                    </span>
                    <span>
                      <Icon name="repo" />{" "}
                      {team.includesAll ? t("everyRepository") : t("repositoryCount", { count: team.repoCount })}
                    </span>
                  </p>
                </div>
                <TeamLevel team={team} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={props.pages} />
    </OrganizationPage>
  );
}

function TeamLevel({ team }: { team: TeamFacts }) {
  const t = useWords(organizationWords);
  if (team.level === "owner") return <Badge icon="shield-lock">{t("owner")}</Badge>;
  return team.level === "admin" ? <Badge icon="gear">{t("administrator")}</Badge> : null;
}

export interface TeamPageProps {
  readonly shell: Shell;
  readonly organization: OrganizationProps;
  readonly team: TeamFacts;
  readonly isInTeam: boolean;
  /** One of the two lists. */
  readonly members?: readonly (Person & { readonly id: number })[] | undefined;
  readonly repos?: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** Email addresses that were invited; for owners. */
  readonly invitations: readonly { readonly id: number; readonly email: string; readonly expiresAt: number }[];
  /** The site sends email. */
  readonly invites: boolean;
  readonly pages: PageOf;
  /** Names that the form offers: members outside the team, or repositories it does not have. */
  readonly offered: readonly string[];
  readonly memberForm: FormState<"uname">;
  readonly repoForm: FormState<"repo_name">;
}

/** `GET /org/{org}/teams/{team}`. */
export function TeamPage(props: TeamPageProps) {
  const t = useWords(organizationWords);
  const { organization, team } = props;
  return (
    <OrganizationPage
      shell={props.shell}
      organization={organization}
      tab="teams"
      title={[team.name, t("teams")]}
      noIndex
    >
      <div class="danger-row">
        <div>
          <h1>{team.name}</h1>
          {team.description ? <p class="muted">{team.description}</p> : null}
        </div>
        <div class="row">
          {props.isInTeam ? (
            <>
              <OpenButton opens="leave-team">{t("leaveTeam")}</OpenButton>
              <QuestionDialog
                id="leave-team"
                title={t("leaveTeamTitle", { name: team.name })}
                action={teamHref(organization.name, team.name, "action/leave")}
                fields={{}}
                label={t("leaveTeam")}
              >
                {t("leaveTeamWarning")}
              </QuestionDialog>
            </>
          ) : organization.isOwner ? (
            <form method="post" action={teamHref(organization.name, team.name, "action/join")}>
              <SubmitButton>{t("joinTeam")}</SubmitButton>
            </form>
          ) : null}
          {organization.isOwner ? (
            <LinkButton icon="pencil" href={teamHref(organization.name, team.name, "edit")}>
              {t("editTeam")}
            </LinkButton>
          ) : null}
        </div>
      </div>
      <div class="with-side">
        <div class="stack">
          <Tabs
            label={t("team")}
            tabs={[
              {
                label: t("members"),
                icon: "person",
                href: teamHref(organization.name, team.name),
                current: props.members !== undefined,
              },
              {
                label: t("repositories"),
                icon: "repo",
                href: teamHref(organization.name, team.name, "repositories"),
                current: props.repos !== undefined,
              },
            ]}
          />
          {props.members ? <TeamMembers {...props} members={props.members} /> : null}
          {props.repos ? <TeamRepos {...props} repos={props.repos} /> : null}
          <Pagination of={props.pages} />
        </div>
        <div class="stack">
          <TeamRights team={team} />
          {organization.isOwner && team.level !== "owner" ? <DeleteTeam {...props} /> : null}
        </div>
      </div>
    </OrganizationPage>
  );
}

function TeamRights({ team }: { team: TeamFacts }) {
  const t = useWords(organizationWords);
  const given = Object.entries(team.units).filter(([, level]) => level !== "none");
  return (
    <Card title={t("rights")}>
      <TeamLevel team={team} />
      {team.level === "owner" ? <p>{t("ownersRights")}</p> : null}
      {team.level === "admin" ? <p>{t("administratorHint")}</p> : null}
      {team.level === "none" && given.length > 0 ? (
        <ul class="facts rights">
          {given.map(([unit, level]) => (
            <li>
              {t("levelOf", {
                unit: t(`unit-${unit as keyof TeamFacts["units"]}`),
                level: t(`level-${level}`),
              })}
            </li>
          ))}
        </ul>
      ) : null}
      {team.canCreateRepos && team.level !== "owner" ? <p>{t("canCreateRepos")}</p> : null}
    </Card>
  );
}

function TeamMembers({
  organization,
  team,
  members,
  memberForm,
  invitations,
  invites,
  offered,
}: TeamPageProps & { members: NonNullable<TeamPageProps["members"]> }) {
  const t = useWords(organizationWords);
  const action = (what: string) => teamHref(organization.name, team.name, `action/${what}`);
  return (
    <Card flush>
      {members.length === 0 ? <p class="list-row muted">{t("noTeamMembers")}</p> : null}
      <ul class="list">
        {members.map((person) => (
          <li class="danger-row">
            <div class="row">
              <Avatar person={person} size={32} />
              <PersonName person={person} />
            </div>
            {organization.isOwner ? (
              <form method="post" action={action("remove")}>
                <input type="hidden" name="uid" value={String(person.id)} />
                <SubmitButton kind="quiet" icon="x">
                  {t("remove")}
                  <span class="hidden-text">{t("removeFromTeam", { name: person.name })}</span>
                </SubmitButton>
              </form>
            ) : null}
          </li>
        ))}
        {invitations.map(({ id, email, expiresAt }) => (
          <li class="danger-row">
            <div>
              <Icon name="mail" /> {email}
              <p class="hint">
                <Time at={expiresAt} text={t("invitedUntil", { time: TIME })} />
              </p>
            </div>
            <form method="post" action={action("remove_invite")}>
              <input type="hidden" name="iid" value={String(id)} />
              <SubmitButton kind="quiet" icon="x">
                {t("withdraw")}
                <span class="hidden-text">{t("withdrawInvitation", { email })}</span>
              </SubmitButton>
            </form>
          </li>
        ))}
      </ul>
      {organization.isOwner ? (
        <form class="form list-row" method="post" action={action("add")}>
          <TextField
            name="uname"
            label={t("addMember")}
            hint={invites ? t("orInvite") : undefined}
            value={memberForm.values?.uname}
            error={memberForm.errors?.uname ?? memberForm.errors?.form}
            placeholder={invites ? t("userNameOrEmail") : t("userName")}
            list="offered-names"
            autocomplete="off"
            required
            code
          />
          <OfferedNames names={offered} />
          <FormActions>
            <SubmitButton>{t("add")}</SubmitButton>
          </FormActions>
        </form>
      ) : null}
    </Card>
  );
}

function TeamRepos({
  organization,
  team,
  repos,
  repoForm,
  offered,
}: TeamPageProps & { repos: NonNullable<TeamPageProps["repos"]> }) {
  const t = useWords(organizationWords);
  const action = (what: string) => teamHref(organization.name, team.name, `action/repo/${what}`);
  const mayChange = organization.isOwner && !team.includesAll;
  return (
    <Card flush>
      {team.includesAll ? <p class="list-row muted">{t("hasEveryRepository")}</p> : null}
      {repos.length === 0 && !team.includesAll ? <p class="list-row muted">{t("noTeamRepositories")}</p> : null}
      <ul class="list">
        {repos.map((repo) => (
          <li class="danger-row">
            <a href={repoHref({ owner: organization.name, name: repo.name })}>{repo.name}</a>
            {mayChange ? (
              <form method="post" action={action("remove")}>
                <input type="hidden" name="repoid" value={String(repo.id)} />
                <SubmitButton kind="quiet" icon="x">
                  {t("remove")}
                  <span class="hidden-text">{t("removeRepository", { name: repo.name })}</span>
                </SubmitButton>
              </form>
            ) : null}
          </li>
        ))}
      </ul>
      {mayChange ? (
        <form class="form list-row" method="post" action={action("add")}>
          <TextField
            name="repo_name"
            label={t("addRepository")}
            value={repoForm.values?.repo_name}
            error={repoForm.errors?.repo_name ?? repoForm.errors?.form}
            placeholder={t("repositoryName")}
            list="offered-names"
            autocomplete="off"
            required
            code
          />
          <OfferedNames names={offered} />
          <FormActions>
            <SubmitButton>{t("add")}</SubmitButton>
          </FormActions>
        </form>
      ) : null}
      {mayChange ? (
        <div class="list-row row">
          <form method="post" action={action("addall")}>
            <SubmitButton>{t("addEveryRepository")}</SubmitButton>
          </form>
          {repos.length > 0 ? (
            <>
              <OpenButton kind="danger" opens="remove-every-repository">
                {t("removeEveryRepository")}
              </OpenButton>
              <ConfirmDialog
                id="remove-every-repository"
                title={t("removeEveryRepository")}
                action={action("removeall")}
                field="team_name"
                typed={team.name}
                label={t("removeEveryRepository")}
              >
                <p>{t("removeEveryRepositoryWarning")}</p>
              </ConfirmDialog>
            </>
          ) : null}
        </div>
      ) : null}
    </Card>
  );
}

function OfferedNames({ names }: { names: readonly string[] }) {
  return (
    <datalist id="offered-names">
      {names.map((name) => (
        <option value={name} />
      ))}
    </datalist>
  );
}

function DeleteTeam({ organization, team }: TeamPageProps) {
  const t = useWords(organizationWords);
  return (
    <Card title={t("dangerZone")} danger>
      <p>{t("deleteTeamWarning")}</p>
      <OpenButton kind="danger" opens="delete-team">
        {t("deleteTeam")}
      </OpenButton>
      <ConfirmDialog
        id="delete-team"
        title={t("deleteTeam")}
        action={teamHref(organization.name, team.name, "delete")}
        field="team_name"
        typed={team.name}
        label={t("deleteTeam")}
      >
        <p>{t("deleteTeamWarning")}</p>
      </ConfirmDialog>
    </Card>
  );
}
