import { OpenButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";
import { forksWords } from "./words/index.ts";

/** A row of a fork's danger zone: turns it into an independent repository. */
export function DetachRow({ repo }: { repo: RepoFrameProps }) {
  const t = useWords(forksWords);
  return (
    <li class="danger-row">
      <div>
        <h3>{t("detach")}</h3>
        <p class="muted">{t("detachAbout")}</p>
      </div>
      <OpenButton kind="danger" opens="detach-fork">
        {t("detach")}
      </OpenButton>
      <ConfirmDialog
        id="detach-fork"
        title={t("detach")}
        action={repoHref(repo, "settings")}
        field="repo_name"
        typed={`${repo.owner}/${repo.name}`}
        label={t("detach")}
      >
        <input type="hidden" name="action" value="convert_fork" />
        <p>{t("detachAbout")}</p>
      </ConfirmDialog>
    </li>
  );
}
