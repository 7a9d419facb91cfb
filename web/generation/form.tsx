import type { TemplateItem } from "../../src/generation/service.ts";
import { CheckField, type Choice, type FormState } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type CopyField, CopyForm } from "../repos/copy-form.tsx";
import { generationWords } from "./words/index.ts";

export interface GenerateProps {
  readonly shell: Shell;
  /** The template. */
  readonly repo: RepoFrameProps;
  readonly form: FormState<CopyField>;
  /** Accounts that the viewer may create repositories for; `value` is the account's id. */
  readonly owners: readonly Choice[];
  readonly isPrivate: boolean;
  readonly takesFiles: boolean;
  readonly items: readonly { readonly item: TemplateItem; readonly isChosen: boolean }[];
}

/** `GET/POST /{owner}/{repo}/generate`. */
export function GeneratePage({ shell, repo, form, owners, isPrivate, takesFiles, items }: GenerateProps) {
  const t = useWords(generationWords);
  const labels = { uid: t("owner"), repo_name: t("name"), description: t("description") };
  return (
    <RepoPage shell={shell} repo={repo} tab={undefined} title={[t("use")]}>
      <h1>{t("use")}</h1>
      <p class="muted">{t("about")}</p>
      <CopyForm repo={repo} action="generate" form={form} owners={owners} labels={labels} button={t("create")}>
        <CheckField name="private" label={t("private")} hint={t("privateHint")} checked={isPrivate} />
        <fieldset>
          <legend>{t("copy")}</legend>
          <CheckField name="git_content" label={t("files")} hint={t("filesHint")} checked={takesFiles} />
          {items.map(({ item, isChosen }) => (
            <CheckField name={item} label={t(`item-${item}`)} checked={isChosen} />
          ))}
        </fieldset>
      </CopyForm>
    </RepoPage>
  );
}
