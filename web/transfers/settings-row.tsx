import { OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { TextField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";
import { transferWords } from "./words/index.ts";

/** A row of a repository's danger zone: starts a transfer, or cancels a pending one. */
export function TransferRow({ repo, offeredTo }: { repo: RepoFrameProps; offeredTo: string | undefined }) {
  const t = useWords(transferWords);
  const action = repoHref(repo, "settings");
  return (
    <li class="danger-row">
      <div>
        <h3>{t("transfer")}</h3>
        <p class="muted">{offeredTo === undefined ? t("transferAbout") : t("pendingAbout", { name: offeredTo })}</p>
      </div>
      {offeredTo === undefined ? (
        <>
          <OpenButton kind="danger" opens="transfer-repo">
            {t("transfer")}
          </OpenButton>
          <ConfirmDialog
            id="transfer-repo"
            title={t("transferTitle")}
            action={action}
            field="repo_name"
            typed={`${repo.owner}/${repo.name}`}
            label={t("transferThis")}
          >
            <input type="hidden" name="action" value="transfer" />
            <p>{t("transferWarning")}</p>
            <TextField name="new_owner_name" label={t("newOwner")} maxLength={40} autocomplete="off" required code />
          </ConfirmDialog>
        </>
      ) : (
        <form method="post" action={action}>
          <input type="hidden" name="action" value="cancel_transfer" />
          <SubmitButton>{t("cancelTransfer")}</SubmitButton>
        </form>
      )}
    </li>
  );
}
