import { AdminFrame } from "../admin/admin-frame.tsx";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { reposWords } from "./words/index.ts";

export interface AdoptionProps {
  readonly shell: Shell;
  /** As `owner/name`. */
  readonly names: readonly string[];
  /** The directory that is searched. */
  readonly folder: string;
  readonly action: string;
  readonly pages: PageOf;
}

/** `GET /-/admin/repos/unadopted`: git directories that can be adopted as repositories. */
export function AdoptionPage({ shell, names, folder, action, pages }: AdoptionProps) {
  const t = useWords(reposWords);
  return (
    <AdminFrame shell={shell} page="adoption" title={t("adoption")}>
      <p class="muted">
        {t.jsx("adoptionAbout", { folder: <code>{folder}</code> })} {t("adoptionLeftOut")}
      </p>
      <Card flush>
        {names.length === 0 ? (
          <EmptyState icon="repo" title={t("nothingToAdopt")} />
        ) : (
          <ul class="list">
            {names.map((name, at) => (
              <li class="danger-row">
                <p class="strong">{name}</p>
                <span class="row">
                  <form method="post" action={action}>
                    <input type="hidden" name="id" value={name} />
                    <input type="hidden" name="action" value="adopt" />
                    <SubmitButton small>{t("adopt")}</SubmitButton>
                  </form>
                  <OpenButton small kind="quiet" opens={`remove-${at}`}>
                    {t("delete")}
                  </OpenButton>
                </span>
                <Dialog id={`remove-${at}`} title={t("deleteFolderNamed", { name })}>
                  <form class="form" method="post" action={action}>
                    <input type="hidden" name="id" value={name} />
                    <input type="hidden" name="action" value="delete" />
                    <p>{t("deleteFolderWarning")}</p>
                    <DialogActions label={t("delete")} danger />
                  </form>
                </Dialog>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </AdminFrame>
  );
}
