import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, type FormState, SelectField, TextField } from "../components/form.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoTeams, type RepoTeamsProps } from "../organizations/repo-teams.tsx";
import { RepoSettings } from "./settings-frame.tsx";
import { reposWords } from "./words/index.ts";

export type AccessMode = "read" | "write" | "admin";

export interface Collaborator {
  readonly id: number;
  readonly person: Person;
  readonly mode: AccessMode;
}

export interface CollaboratorsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly collaborators: readonly Collaborator[];
  readonly form: FormState<"collaborator" | "mode">;
  /** For an organization's repository. */
  readonly teams?: RepoTeamsProps | undefined;
}

const MODES = [
  { value: "1", mode: "read" },
  { value: "2", mode: "write" },
  { value: "3", mode: "admin" },
] as const;

/** `GET/POST {W}/settings/collaboration`. */
export function CollaboratorsPage({ shell, repo, collaborators, form, teams }: CollaboratorsProps) {
  const t = useWords(reposWords);
  const action = repoHref(repo, "settings/collaboration");
  return (
    <RepoSettings shell={shell} repo={repo} section="collaborators" title={t("collaborators")}>
      <Card title={t("peopleWithAccess")} flush>
        {collaborators.length === 0 ? (
          <EmptyState icon="people" title={t("noCollaborators")}>
            {t("noCollaboratorsHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {collaborators.map(({ id, person, mode }) => (
              <li class="danger-row">
                <div class="row">
                  <Avatar person={person} size={32} />
                  <PersonName person={person} />
                </div>
                <div class="row">
                  <form class="row" method="post" action={`${action}/access_mode`}>
                    <input type="hidden" name="uid" value={String(id)} />
                    <select name="mode" aria-label={t("accessOf", { name: person.name })}>
                      {MODES.map((choice) => (
                        <option value={choice.value} selected={choice.mode === mode}>
                          {t(`mode-${choice.mode}`)}
                        </option>
                      ))}
                    </select>
                    <SubmitButton>{t("setAccess")}</SubmitButton>
                  </form>
                  <form method="post" action={`${action}/delete`}>
                    <input type="hidden" name="id" value={String(id)} />
                    <SubmitButton kind="quiet" icon="x">
                      {t("remove")}
                    </SubmitButton>
                  </form>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={t("addCollaborator")}>
        <form class="form" method="post" action={action}>
          <TextField
            name="collaborator"
            label={t("userName")}
            value={form.values?.collaborator}
            error={form.errors?.collaborator ?? form.errors?.form}
            autocomplete="off"
            required
            code
          />
          <SelectField
            name="mode"
            label={t("access")}
            value={MODES.find(({ mode }) => mode === (form.values?.mode ?? "write"))?.value ?? ""}
            choices={MODES.map(({ value, mode }) => ({ value, label: t(`mode-${mode}`) }))}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("add")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      {teams ? <RepoTeams {...teams} /> : null}
    </RepoSettings>
  );
}
