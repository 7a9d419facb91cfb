import { OpenButton, SubmitButton } from "../components/button.tsx";
import { FormActions } from "../components/form.tsx";
import { Card, Dialog } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";

/** What cannot be undone, or not by everyone: visibility, archiving, transfer, deletion. */
export function DangerZone({ repo, isOwner }: { repo: RepoFrameProps; isOwner: boolean }) {
  const isPrivate = repo.visibility === "private";
  const archived = repo.archivedAt !== undefined;
  return (
    <Card title="Danger zone" id="danger" danger flush>
      <ul class="list">
        <Danger
          title={isPrivate ? "Make it public" : "Make it private"}
          text={
            isPrivate ? "Everyone who reaches this server will see it." : "Only you and the collaborators will see it."
          }
          opens="change-visibility"
          label={isPrivate ? "Make public" : "Make private"}
        />
        <Danger
          title={archived ? "Unarchive it" : "Archive it"}
          text={archived ? "It can be changed again." : "It stays readable, and no one can change it."}
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
