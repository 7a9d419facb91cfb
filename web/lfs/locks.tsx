import type { LfsLock } from "../../src/lfs/types.ts";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { refHref, repoHref } from "../links.ts";
import { LfsFrame, type LfsPageProps, PAGE } from "./frame.tsx";
import { lfsWords } from "./words/index.ts";

export interface LocksProps extends LfsPageProps {
  readonly locks: readonly (LfsLock & { readonly owner: string })[];
  readonly pages: PageOf;
  readonly form: FormState<"path">;
}

/** `GET/POST {W}/settings/lfs/locks`. */
export function LfsLocksPage({ form, locks, pages, repo, shell }: LocksProps) {
  const t = useWords(lfsWords);
  const base = `${repoHref(repo, PAGE)}/locks`;
  const branch = { kind: "branch", name: repo.defaultBranch } as const;
  return (
    <LfsFrame shell={shell} repo={repo} tab="locks">
      <Card title={t("locks")} flush>
        {locks.length === 0 ? (
          <EmptyState icon="lock" title={t("noLocks")}>
            {t("noLocksHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {locks.map(({ createdAt, id, owner, path }) => (
              <li class="danger-row">
                <div>
                  <p>
                    <a href={refHref(repo, "src", branch, path)}>{path}</a>
                  </p>
                  <p class="repo-facts">
                    <span>{t("lockedBy", { name: owner })}</span>
                    <Time at={createdAt} text={TIME} />
                  </p>
                </div>
                <OpenButton small kind="danger" opens={`unlock-${id}`}>
                  {t("unlock")}
                </OpenButton>
                <QuestionDialog
                  id={`unlock-${id}`}
                  title={t("unlockTitle", { path })}
                  action={`${base}/${id}/unlock`}
                  fields={{}}
                  label={t("unlock")}
                >
                  {t("unlockWarning", { name: owner })}
                </QuestionDialog>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
      <Card title={t("lockFile")}>
        <form class="form" method="post" action={base}>
          <ErrorSummary errors={form.errors} />
          <TextField
            name="path"
            label={t("path")}
            hint={t("pathHint")}
            value={form.values?.path}
            error={form.errors?.path}
            maxLength={4096}
            autocomplete="off"
            required
            code
          />
          <FormActions>
            <SubmitButton kind="primary">{t("lock")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </LfsFrame>
  );
}
