import { OpenButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";
import { wikiWords } from "./words/index.ts";

/** A row of a repository's danger zone: deletes its whole wiki. */
export function DeleteWikiRow({ repo }: { repo: RepoFrameProps }) {
  const t = useWords(wikiWords);
  return (
    <li class="danger-row">
      <div>
        <h3>{t("deleteWiki")}</h3>
        <p class="muted">{t("deleteWikiAbout")}</p>
      </div>
      <OpenButton kind="danger" opens="delete-wiki">
        {t("deleteWiki")}
      </OpenButton>
      <ConfirmDialog
        id="delete-wiki"
        title={t("deleteWikiTitle")}
        action={repoHref(repo, "settings")}
        field="repo_name"
        typed={`${repo.owner}/${repo.name}`}
        label={t("deleteWiki")}
      >
        <input type="hidden" name="action" value="delete-wiki" />
        <p>{t("deleteWikiAbout")}</p>
      </ConfirmDialog>
    </li>
  );
}
