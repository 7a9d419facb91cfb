import type { TemplateItem } from "../../src/generation/service.ts";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  type Choice,
  ErrorSummary,
  FormActions,
  type FormState,
  SelectField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { generationWords } from "./words/index.ts";

export type GenerateField = "uid" | "repo_name" | "description";

export interface GenerateProps {
  readonly shell: Shell;
  /** The template. */
  readonly repo: RepoFrameProps;
  readonly form: FormState<GenerateField>;
  /** Accounts that the viewer may create repositories for; `value` is the number. */
  readonly owners: readonly Choice[];
  readonly isPrivate: boolean;
  readonly takesFiles: boolean;
  readonly items: readonly { readonly item: TemplateItem; readonly isChosen: boolean }[];
}

/** `GET/POST /{owner}/{repo}/generate`. */
export function GeneratePage({ shell, repo, form, owners, isPrivate, takesFiles, items }: GenerateProps) {
  const t = useWords(generationWords);
  const { values, errors } = form;
  const labels = { uid: t("owner"), repo_name: t("name"), description: t("description") };
  return (
    <RepoPage shell={shell} repo={repo} tab={undefined} title={[t("use")]}>
      <h1>{t("use")}</h1>
      <p class="muted">{t("about")}</p>
      <form method="post" action={repoHref(repo, "generate")} class="form narrow">
        <ErrorSummary errors={errors} labels={labels} />
        <SelectField name="uid" label={labels.uid} choices={owners} value={values?.uid} error={errors?.uid} />
        <TextField
          name="repo_name"
          label={labels.repo_name}
          value={values?.repo_name}
          error={errors?.repo_name}
          autocomplete="off"
          autofocus
          required
        />
        <TextArea
          name="description"
          label={labels.description}
          value={values?.description}
          error={errors?.description}
          rows={2}
          maxLength={2048}
        />
        <CheckField name="private" label={t("private")} hint={t("privateHint")} checked={isPrivate} />
        <fieldset>
          <legend>{t("copy")}</legend>
          <CheckField name="git_content" label={t("files")} hint={t("filesHint")} checked={takesFiles} />
          {items.map(({ item, isChosen }) => (
            <CheckField name={item} label={t(`item-${item}`)} checked={isChosen} />
          ))}
        </fieldset>
        <FormActions>
          <SubmitButton kind="primary">{t("create")}</SubmitButton>
          <LinkButton kind="quiet" href={repoHref(repo)}>
            {t("cancel")}
          </LinkButton>
        </FormActions>
      </form>
    </RepoPage>
  );
}
