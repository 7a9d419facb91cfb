import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormState,
  SelectField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Card, Dialog, EmptyState } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { SettingsFrame, type SettingsLink } from "../layout/settings-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";

type Section = "general" | "collaborators" | "branches";

function RepoSettings(props: {
  shell: Shell;
  repo: RepoFrameProps;
  section: Section;
  title: string;
  children: Children;
}) {
  const { repo, section } = props;
  const links: SettingsLink[] = [
    { label: "General", href: repoHref(repo, "settings"), icon: "gear", current: section === "general" },
    {
      label: "Collaborators",
      href: repoHref(repo, "settings/collaboration"),
      icon: "people",
      current: section === "collaborators",
    },
    {
      label: "Branches",
      href: repoHref(repo, "settings/branches"),
      icon: "git-branch",
      current: section === "branches",
    },
  ];
  return (
    <RepoPage shell={props.shell} repo={repo} tab="settings" title={[props.title, "Settings"]} noIndex>
      <SettingsFrame title={props.title} menuLabel="Repository settings" links={links}>
        {props.children}
      </SettingsFrame>
    </RepoPage>
  );
}

export interface RepoGeneralProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly form: FormState<"repo_name" | "description" | "website">;
  readonly isTemplate: boolean;
  /** Only an owner deletes. */
  readonly isOwner: boolean;
}

/** `GET/POST {W}/settings`: name and description, then what is dangerous. */
export function RepoGeneralSettingsPage({ shell, repo, form, isTemplate, isOwner }: RepoGeneralProps) {
  const action = repoHref(repo, "settings");
  const { values, errors } = form;
  return (
    <RepoSettings shell={shell} repo={repo} section="general" title="General">
      <ErrorSummary errors={errors} labels={{ repo_name: "Name", description: "Description", website: "Website" }} />
      <Card title="Repository">
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value="update" />
          <TextField
            name="repo_name"
            label="Name"
            value={values?.repo_name ?? repo.name}
            error={errors?.repo_name}
            hint="The old address leads on to the new one until somebody else takes the name."
            maxLength={100}
            required
            code
          />
          <TextArea
            name="description"
            label="Description"
            value={values?.description ?? repo.description}
            error={errors?.description}
            rows={2}
            maxLength={2048}
          />
          <TextField
            name="website"
            label="Website"
            type="url"
            value={values?.website}
            error={errors?.website}
            maxLength={1024}
          />
          <CheckField
            name="template"
            label="Template repository"
            hint="New repositories can start with its files."
            checked={isTemplate}
          />
          <FormActions>
            <SubmitButton kind="primary">Save</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <DangerZone repo={repo} isOwner={isOwner} />
    </RepoSettings>
  );
}

function DangerZone({ repo, isOwner }: { repo: RepoFrameProps; isOwner: boolean }) {
  const isPrivate = repo.visibility === "private";
  const archived = repo.archivedAt !== undefined;
  return (
    <Card title="Danger zone" id="danger" danger flush>
      <ul class="list">
        <Danger
          title={isPrivate ? "Make it public" : "Make it private"}
          text={
            isPrivate ? "Everybody who reaches this server will see it." : "Only you and the collaborators will see it."
          }
          opens="change-visibility"
          label={isPrivate ? "Make public" : "Make private"}
        />
        <Danger
          title={archived ? "Unarchive it" : "Archive it"}
          text={archived ? "It can be changed again." : "It stays readable, and nobody can change it."}
          opens="archive-repo"
          label={archived ? "Unarchive" : "Archive"}
        />
        {isOwner ? (
          <Danger
            title="Delete it"
            text="The repository and all that belongs to it. There is no way back."
            opens="delete-repo"
            label="Delete"
          />
        ) : null}
      </ul>
      <DangerDialog
        id="change-visibility"
        title={isPrivate ? "Make public?" : "Make private?"}
        repo={repo}
        action="visibility"
        field="confirm_repo_name"
        typed={`${repo.owner}/${repo.name}`}
        button={isPrivate ? "Make public" : "Make private"}
      >
        <input type="hidden" name="private" value={isPrivate ? "false" : "true"} />
      </DangerDialog>
      <Dialog id="archive-repo" title={archived ? "Unarchive this repository?" : "Archive this repository?"}>
        <form class="form" method="post" action={repoHref(repo, "settings")}>
          <input type="hidden" name="action" value={archived ? "unarchive" : "archive"} />
          <p>{archived ? "It can be pushed to again." : "It becomes read-only. You can undo this at any time."}</p>
          <FormActions>
            <SubmitButton kind="danger">{archived ? "Unarchive" : "Archive"}</SubmitButton>
          </FormActions>
        </form>
      </Dialog>
      {isOwner ? (
        <DangerDialog
          id="delete-repo"
          title="Delete this repository"
          repo={repo}
          action="delete"
          field="repo_name"
          typed={repo.name}
          button="Delete for good"
        >
          <p>Commits, branches and settings are deleted. Clones that people have stay theirs.</p>
        </DangerDialog>
      ) : null}
    </Card>
  );
}

function Danger(props: { title: string; text: string; opens: string; label: string }) {
  return (
    <li class="danger-row">
      <div>
        <h3>{props.title}</h3>
        <p class="muted">{props.text}</p>
      </div>
      <OpenButton kind="danger" opens={props.opens}>
        {props.label}
      </OpenButton>
    </li>
  );
}

/** Asks for a name to be typed; the server checks it, the script only keeps the button off until it fits. */
function DangerDialog(props: {
  id: string;
  title: string;
  repo: RepoFrameProps;
  action: string;
  field: string;
  typed: string;
  button: string;
  children?: Children;
}) {
  return (
    <Dialog id={props.id} title={props.title}>
      <form class="form" method="post" action={repoHref(props.repo, "settings")}>
        <input type="hidden" name="action" value={props.action} />
        {props.children}
        <div class="field">
          <label for={`${props.id}-typed`}>
            Type <code>{props.typed}</code> to go on
          </label>
          <input
            id={`${props.id}-typed`}
            name={props.field}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            data-must-equal={props.typed}
            required
          />
        </div>
        <FormActions>
          <SubmitButton kind="danger">{props.button}</SubmitButton>
        </FormActions>
      </form>
    </Dialog>
  );
}

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

export interface RepoBranchSettingsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly branches: readonly string[];
  readonly form: FormState<"branch">;
}

/** `GET/POST {W}/settings/branches`: the default branch. */
export function RepoBranchSettingsPage({ shell, repo, branches, form }: RepoBranchSettingsProps) {
  return (
    <RepoSettings shell={shell} repo={repo} section="branches" title="Branches">
      <Card title="Default branch">
        <form class="form" method="post" action={repoHref(repo, "settings/branches")}>
          <input type="hidden" name="action" value="default_branch" />
          <SelectField
            name="branch"
            label="Default branch"
            hint="What visitors and clones see first."
            choices={branches.map((name) => ({ value: name, label: name }))}
            value={form.values?.branch ?? repo.defaultBranch}
            error={form.errors?.branch}
          />
          <FormActions>
            <SubmitButton kind="primary">Save</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </RepoSettings>
  );
}
