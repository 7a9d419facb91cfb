import { CancelLink, SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, TextField, UploadField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { TextBox } from "../conversation/comment-form.tsx";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import type { AssetItem } from "./list.tsx";
import { releasesWords } from "./words/index.ts";

export type ReleaseField =
  | "tag_name"
  | "tag_target"
  | "title"
  | "content"
  | "previous_tag"
  | "add_tag_msg"
  | "prerelease"
  | "files";

export interface ReleaseFormProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** URL that it posts to. */
  readonly action: string;
  /** Absent: a new one. */
  readonly release?: { readonly isDraft: boolean; readonly assets: readonly (AssetItem & { readonly id: number })[] };
  readonly form: FormState<ReleaseField>;
  readonly isPrerelease: boolean;
  /** The tag of the release being edited; empty: none. */
  readonly editing: string;
  /** Existing tags and branches to choose from. */
  readonly tags: readonly string[];
  readonly branches: readonly string[];
}

/** `GET {W}/releases/new` and `/edit/{tag}`. */
export function ReleaseFormPage(props: ReleaseFormProps) {
  const { action, branches, form, isPrerelease, release, repo, shell, tags } = props;
  const t = useWords(releasesWords);
  const title = release ? t("editRelease") : t("newRelease");
  const value = (name: ReleaseField) => form.values?.[name] ?? "";
  const isDraft = release?.isDraft ?? true;
  return (
    <RepoPage shell={shell} repo={repo} tab="releases" title={[title]} noIndex>
      <h1>{title}</h1>
      <Card>
        <form class="form" method="post" action={action} enctype="multipart/form-data">
          <ErrorSummary errors={form.errors} />
          <TextField
            name="tag_name"
            label={t("tag")}
            hint={t("tagHint")}
            value={value("tag_name")}
            error={form.errors?.tag_name}
            list="tags-there"
            required
            maxLength={255}
          />
          <datalist id="tags-there">
            {tags.map((name) => (
              <option value={name} />
            ))}
          </datalist>
          <TextField
            name="tag_target"
            label={t("target")}
            hint={t("targetHint")}
            value={value("tag_target")}
            error={form.errors?.tag_target}
            list="branches-there"
            maxLength={255}
          />
          <datalist id="branches-there">
            {branches.map((name) => (
              <option value={name} />
            ))}
          </datalist>
          <TextField
            name="title"
            label={t("title")}
            value={value("title")}
            error={form.errors?.title}
            maxLength={255}
          />
          <TextBox
            id="f-content"
            name="content"
            label={t("notes")}
            value={value("content")}
            error={form.errors?.content}
            rows={12}
            previewAction={repoHref(repo, "issues/preview")}
            suggestAction={repoHref(repo, "issues/suggestions")}
            uploadAction={undefined}
          />
          <TextField
            name="previous_tag"
            label={t("previousTag")}
            hint={t("previousTagHint")}
            value={value("previous_tag")}
            error={form.errors?.previous_tag}
            list="tags-there"
            maxLength={255}
          />
          <input type="hidden" name="editing" value={props.editing} />
          <p>
            <SubmitButton small elsewhere={repoHref(repo, "releases/generate-notes")}>
              {t("generateNotes")}
            </SubmitButton>
          </p>
          {release ? <ReleaseFiles assets={release.assets} /> : null}
          <UploadField name="files" label={t("addFiles")} error={form.errors?.files} multiple />
          <CheckField name="prerelease" label={t("isPrerelease")} hint={t("prereleaseHint")} checked={isPrerelease} />
          {release ? null : <CheckField name="add_tag_msg" label={t("annotate")} hint={t("annotateHint")} />}
          <FormActions>
            <SubmitButton kind="primary">{isDraft ? t("publish") : t("save")}</SubmitButton>
            {isDraft ? (
              <SubmitButton name="draft" value="on">
                {t("saveDraft")}
              </SubmitButton>
            ) : null}
            {release ? null : (
              <SubmitButton name="tag_only" value="on">
                {t("tagOnly")}
              </SubmitButton>
            )}
            <CancelLink href={repoHref(repo, "releases")} />
          </FormActions>
        </form>
      </Card>
    </RepoPage>
  );
}

function ReleaseFiles({ assets }: { assets: readonly (AssetItem & { readonly id: number })[] }) {
  const t = useWords(releasesWords);
  const language = useLanguage();
  if (assets.length === 0) return null;
  return (
    <fieldset class="field">
      <legend>{t("filesThere")}</legend>
      <ul class="list">
        {assets.map(({ id, name, sizeBytes }) => (
          <li class="row">
            <input
              class="grow"
              name={`attachment-edit-${id}`}
              value={name}
              maxlength={255}
              aria-label={t("nameOfFile", { name })}
            />
            <span class="muted">{language.size(sizeBytes)}</span>
            <label>
              <input type="checkbox" name={`attachment-del-${id}`} /> {t("removeFile")}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
