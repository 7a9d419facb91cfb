import { OpenButton } from "../components/button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../components/dialog.tsx";
import { Card } from "../components/surface.tsx";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";

/** What cannot be undone, or not by everyone: visibility, archiving, transfer, deletion. */
export function DangerZone({ repo, isOwner }: { repo: RepoFrameProps; isOwner: boolean }) {
  const isPrivate = repo.visibility === "private";
  const archived = repo.archivedAt !== undefined;
  const action = repoHref(repo, "settings");
  return (
    <Card title="Danger zone" id="danger" danger flush>
      <ul class="list">
        <Danger
          title={isPrivate ? "Make it public" : "Make it private"}
          text={
            isPrivate
              ? "Everyone who can reach this server will see it."
              : "Only you and the collaborators will see it."
          }
          opens="change-visibility"
          label={isPrivate ? "Make public" : "Make private"}
        />
        <Danger
          title={archived ? "Unarchive it" : "Archive it"}
          text={archived ? "It can be changed again." : "It stays readable, but no one can change it."}
          opens="archive-repo"
          label={archived ? "Unarchive" : "Archive"}
        />
        {isOwner ? (
          <Danger
            title="Delete it"
            text="The repository and everything that belongs to it. This cannot be undone."
            opens="delete-repo"
            label="Delete"
          />
        ) : null}
      </ul>
      <ConfirmDialog
        id="change-visibility"
        title={isPrivate ? "Make this repository public?" : "Make this repository private?"}
        action={action}
        field="confirm_repo_name"
        typed={`${repo.owner}/${repo.name}`}
        label={isPrivate ? "Make public" : "Make private"}
      >
        <input type="hidden" name="action" value="visibility" />
        <input type="hidden" name="private" value={isPrivate ? "false" : "true"} />
      </ConfirmDialog>
      <Dialog id="archive-repo" title={archived ? "Unarchive this repository?" : "Archive this repository?"}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value={archived ? "unarchive" : "archive"} />
          <p>{archived ? "It can be pushed to again." : "It becomes read-only. You can undo this at any time."}</p>
          <DialogActions label={archived ? "Unarchive" : "Archive"} danger />
        </form>
      </Dialog>
      {isOwner ? (
        <ConfirmDialog
          id="delete-repo"
          title="Delete this repository?"
          action={action}
          field="repo_name"
          typed={`${repo.owner}/${repo.name}`}
          label="Delete this repository"
        >
          <input type="hidden" name="action" value="delete" />
          <p>Commits, branches and settings are deleted. Clones that people have made are not affected.</p>
        </ConfirmDialog>
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
