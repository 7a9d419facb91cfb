import { OpenButton } from "../components/button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../components/dialog.tsx";
import { Card } from "../components/surface.tsx";
import { DetachRow } from "../forks/settings-row.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";
import { TransferRow } from "../transfers/settings-row.tsx";
import { DeleteWikiRow } from "../wiki/settings-row.tsx";
import { reposWords } from "./words/index.ts";

/** What cannot be undone, or not by everyone: visibility, archiving, transfer, deletion. */
export function DangerZone({
  repo,
  isOwner,
  isFork,
  hasWiki,
  binDays,
  offeredTo,
}: {
  repo: RepoFrameProps;
  isOwner: boolean;
  isFork: boolean;
  hasWiki: boolean;
  /** Days in which a deleted repository can be restored. */
  binDays: number;
  /** Who has to accept a pending transfer. */
  offeredTo?: string | undefined;
}) {
  const t = useWords(reposWords);
  const isPrivate = repo.visibility === "private";
  const archived = repo.archivedAt !== undefined;
  const action = repoHref(repo, "settings");
  return (
    <Card title={t("dangerZone")} id="danger" danger flush>
      <ul class="list">
        <Danger
          title={isPrivate ? t("makePublic") : t("makePrivate")}
          text={isPrivate ? t("makePublicAbout") : t("makePrivateAbout")}
          opens="change-visibility"
          label={isPrivate ? t("makePublic") : t("makePrivate")}
        />
        <Danger
          title={archived ? t("unarchive") : t("archive")}
          text={archived ? t("unarchiveAbout") : t("archiveAbout")}
          opens="archive-repo"
          label={archived ? t("unarchive") : t("archive")}
        />
        {isOwner || offeredTo !== undefined ? <TransferRow repo={repo} offeredTo={offeredTo} /> : null}
        {isOwner && isFork ? <DetachRow repo={repo} /> : null}
        {isOwner && hasWiki && !archived ? <DeleteWikiRow repo={repo} /> : null}
        {isOwner ? (
          <Danger
            title={t("delete")}
            text={binDays > 0 ? t("deleteAboutBin", { count: binDays }) : t("deleteAbout")}
            opens="delete-repo"
            label={t("delete")}
          />
        ) : null}
      </ul>
      <ConfirmDialog
        id="change-visibility"
        title={isPrivate ? t("makePublicTitle") : t("makePrivateTitle")}
        action={action}
        field="confirm_repo_name"
        typed={`${repo.owner}/${repo.name}`}
        label={isPrivate ? t("makePublic") : t("makePrivate")}
      >
        <input type="hidden" name="action" value="visibility" />
        <input type="hidden" name="private" value={isPrivate ? "false" : "true"} />
      </ConfirmDialog>
      <Dialog id="archive-repo" title={archived ? t("unarchiveTitle") : t("archiveTitle")}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value={archived ? "unarchive" : "archive"} />
          <p>{archived ? t("unarchiveWarning") : t("archiveWarning")}</p>
          <DialogActions label={archived ? t("unarchive") : t("archive")} danger />
        </form>
      </Dialog>
      {isOwner ? (
        <ConfirmDialog
          id="delete-repo"
          title={t("deleteTitle")}
          action={action}
          field="repo_name"
          typed={`${repo.owner}/${repo.name}`}
          label={t("deleteThis")}
        >
          <input type="hidden" name="action" value="delete" />
          <p>{t("deleteWarning")}</p>
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
