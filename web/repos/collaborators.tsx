import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, type FormState, TextField } from "../components/form.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "./settings-frame.tsx";

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
  readonly form: FormState<"collaborator">;
}

const MODES = [
  { value: "1", label: "Read", mode: "read" },
  { value: "2", label: "Write", mode: "write" },
  { value: "3", label: "Administer", mode: "admin" },
] as const;

/** `GET/POST {W}/settings/collaboration`. */
export function CollaboratorsPage({ shell, repo, collaborators, form }: CollaboratorsProps) {
  const action = repoHref(repo, "settings/collaboration");
  return (
    <RepoSettings shell={shell} repo={repo} section="collaborators" title="Collaborators">
      <Card title="Who may work on it" flush>
        {collaborators.length === 0 ? (
          <EmptyState icon="people" title="No collaborators yet">
            Only the owner can change this repository.
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
                    <select name="mode" aria-label={`Access of ${person.name}`}>
                      {MODES.map((choice) => (
                        <option value={choice.value} selected={choice.mode === mode}>
                          {choice.label}
                        </option>
                      ))}
                    </select>
                    <SubmitButton>Set</SubmitButton>
                  </form>
                  <form method="post" action={`${action}/delete`}>
                    <input type="hidden" name="id" value={String(id)} />
                    <SubmitButton kind="quiet" icon="x">
                      Remove
                    </SubmitButton>
                  </form>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Add a collaborator">
        <form class="form" method="post" action={action}>
          <TextField
            name="collaborator"
            label="User name"
            value={form.values?.collaborator}
            error={form.errors?.collaborator ?? form.errors?.form}
            hint="They get write access at first; change it above."
            autocomplete="off"
            required
            code
          />
          <FormActions>
            <SubmitButton kind="primary">Add</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </RepoSettings>
  );
}
