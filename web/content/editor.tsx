import { defaultMessage } from "../../src/content/edits/message.ts";
import { CancelLink, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  RadioField,
  SelectField,
  TextArea,
  TextField,
  UploadField,
} from "../components/form.tsx";
import { Breadcrumb } from "../components/navigation.tsx";
import { PageModule, PageSheet } from "../components/page-module.tsx";
import { Card, Notice } from "../components/surface.tsx";
import type { Children, JSX } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { pathCrumbs } from "./code-bar.tsx";
import { ConflictActions, type EditConflict, OtherChange } from "./edit-conflict.tsx";
import { canRender, type PreviewKind } from "./preview.tsx";
import { contentWords } from "./words/index.ts";

export type EditField =
  | "tree_path"
  | "content"
  | "files"
  | "commit_summary"
  | "commit_message"
  | "commit_email"
  | "new_branch_name";

/** How to make the commit of an edit. */
export interface CommitForm {
  readonly summary: string;
  readonly message: string;
  readonly choice: "direct" | "commit-to-new-branch";
  readonly newBranch: string;
  /** The email address for the commit; empty: the default one. */
  readonly email: string;
  /** The email addresses to choose from, the default one first. */
  readonly emails?: readonly string[];
  readonly signoff: boolean;
}

/**
 * Where the commit may go: `new-branch` when a rule forbids commits to the branch itself, `branch` for users who can
 * write to no other branch of the repository.
 */
export type CommitTarget = "either" | "branch" | "new-branch";

export interface EditProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly branch: string;
  /** The form's own URL. */
  readonly action: string;
  /** The commit the form was opened at, to detect concurrent changes. */
  readonly lastCommit: string;
  readonly commit: CommitForm;
  readonly target: CommitTarget;
  readonly errors?: FormErrors<EditField>;
  /** Someone else changed the file in the meantime. */
  readonly conflict?: EditConflict | undefined;
  /** Target of "Cancel". */
  readonly back: string;
}

export interface EditorProps extends EditProps {
  /** The file's path, or the path of a new one. */
  readonly path: string;
  readonly content: string;
  readonly isNew: boolean;
  /** Where the text is sent for a preview. */
  readonly previewAction: string;
  /** One step of indentation, if `.editorconfig` defines it. */
  readonly indent: string | undefined;
  /** Both changes of a conflict are merged in the text. */
  readonly isMerged?: boolean;
  /** The preview requested without JavaScript. */
  readonly preview?: JSX.Element | undefined;
}

/** Labels of the fields. Only inside a component. */
export function useLabels(): Record<EditField, string> {
  const t = useWords(contentWords);
  return {
    tree_path: t("path"),
    content: t("content"),
    files: t("files"),
    commit_summary: t("summary"),
    commit_message: t("description"),
    commit_email: t("commitEmail"),
    new_branch_name: t("newBranchName"),
  };
}

/** `GET/POST {W}/_edit/{branch}/{path}` and `{W}/_new/…`: a file as a text field, and the form that commits it. */
export function EditorPage(props: EditorProps) {
  const { path, isNew, errors } = props;
  const t = useWords(contentWords);
  const labels = useLabels();
  const title = isNew ? t("newFile") : t("editNamed", { path });
  return (
    <EditFrame of={props} title={title} crumbs={isNew ? "" : path} wide>
      <form class="form" method="post" action={props.action}>
        <ErrorSummary errors={errors} labels={labels} />
        <input type="hidden" name="last_commit" value={props.lastCommit} />
        {isNew ? <input type="hidden" name="is_new" value="true" /> : null}
        {props.isMerged ? (
          <Notice kind="info">
            <p>{t("mergedBoth")}</p>
          </Notice>
        ) : null}
        <TextField
          name="tree_path"
          label={labels.tree_path}
          value={path}
          error={errors?.tree_path}
          hint={t("pathHint")}
          maxLength={500}
          autocomplete="off"
          autofocus={isNew}
          required
          code
        />
        <Editor of={props} label={labels.content} />
        <CommitCard
          of={props}
          placeholder={isNew ? undefined : defaultMessage([{ kind: "update", path }]).trim()}
          button={t("commitChanges")}
        />
      </form>
    </EditFrame>
  );
}

/** Longer texts are not highlighted while typing. */
const MAX_COLOURED = 100_000;

/** The text with line numbers, highlighting and previews. The script adds what a text field lacks. */
function Editor({ of, label }: { of: EditorProps; label: string }) {
  const t = useWords(contentWords);
  const { previewAction, content, path } = of;
  const show = (kind: PreviewKind, text: string) => (
    <button
      type="submit"
      class="btn btn-small"
      name="kind"
      value={kind}
      formaction={previewAction}
      formnovalidate
      hx-post={previewAction}
      hx-target="#editor-preview"
      hx-swap="innerHTML"
      data-editor-view="preview"
    >
      {text}
    </button>
  );
  return (
    <div
      class="field editor"
      data-editor={of.action}
      data-indent={of.indent}
      data-commit={of.lastCommit}
      data-view={of.preview ? "preview" : "text"}
    >
      <div class="row">
        <label for="f-content">{label}</label>
        {/* The Enter key presses a form's first button, which must commit. */}
        <button type="submit" hidden />
        <span class="btn-row push-end">
          <button type="button" class="btn btn-small needs-script" data-editor-view="text">
            {t("edit")}
          </button>
          {canRender(path) ? show("rendered", t("preview")) : null}
          {show("diff", t("changes"))}
        </span>
      </div>
      <p class="flash flash-info" data-draft="" hidden>
        <span class="grow">{t("draftFound")}</span>
        <button type="button" class="btn btn-small" data-draft-restore="">
          {t("draftRestore")}
        </button>
        <button type="button" class="btn btn-small btn-quiet" data-draft-discard="">
          {t("draftDiscard")}
        </button>
      </p>
      <PageSheet name="editor" />
      <div class="editor-box">
        <div class="editor-lines" aria-hidden="true" />
        <pre
          class="editor-colours"
          aria-hidden="true"
          hx-post={previewAction}
          hx-vals='{"kind":"colours"}'
          hx-include="#f-content, #f-tree_path"
          hx-trigger={content.length <= MAX_COLOURED ? "load, colours" : "colours"}
          hx-sync="this:replace"
          hx-swap="innerHTML"
        />
        <textarea
          id="f-content"
          name="content"
          rows={24}
          spellcheck={false}
          wrap="off"
          autocapitalize="none"
          aria-describedby="editor-keys"
        >
          {/* The parser drops a newline right after the tag. */}
          {`\n${content}`}
        </textarea>
      </div>
      <div class="editor-preview" id="editor-preview">
        {of.preview}
      </div>
      <p class="hint needs-script" id="editor-keys">
        {t("editorKeys")}
      </p>
      <PageModule name="editor" />
    </div>
  );
}

export interface DeleteProps extends EditProps {
  readonly path: string;
  /** A directory is deleted with all its content. */
  readonly isDirectory: boolean;
}

/** `GET/POST {W}/_delete/{branch}/{path}`. */
export function DeletePage(props: DeleteProps) {
  const { path, branch, isDirectory } = props;
  const t = useWords(contentWords);
  const labels = useLabels();
  return (
    <EditFrame of={props} title={t("deleteNamed", { path })} crumbs={path} deletes>
      <form class="form" method="post" action={props.action}>
        <ErrorSummary errors={props.errors} labels={labels} />
        <input type="hidden" name="last_commit" value={props.lastCommit} />
        <p>{isDirectory ? t("deleteDirectoryAbout", { branch }) : t("deleteFileAbout", { branch })}</p>
        <CommitCard
          of={props}
          placeholder={defaultMessage([{ kind: isDirectory ? "delete-directory" : "delete", path }]).trim()}
          button={isDirectory ? t("deleteDirectory") : t("deleteFile")}
          danger
        />
      </form>
    </EditFrame>
  );
}

export interface UploadProps extends EditProps {
  /** The target directory of the files; empty: the root. */
  readonly path: string;
}

/** `GET/POST {W}/_upload/{branch}/{directory}`. */
export function UploadPage(props: UploadProps) {
  const { path, errors } = props;
  const t = useWords(contentWords);
  const labels = useLabels();
  return (
    <EditFrame of={props} title={t("uploadFiles")} crumbs={path}>
      <form class="form" method="post" action={props.action} enctype="multipart/form-data">
        <ErrorSummary errors={errors} labels={labels} />
        <UploadField name="files" label={t("files")} hint={t("uploadHint")} error={errors?.files} multiple required />
        <TextField
          name="tree_path"
          label={t("directory")}
          value={path}
          error={errors?.tree_path}
          hint={t("uploadPathHint")}
          maxLength={500}
          autocomplete="off"
          code
        />
        <CommitCard of={props} button={t("commitChanges")} />
      </form>
    </EditFrame>
  );
}

export function EditFrame(props: {
  of: EditProps;
  title: string;
  crumbs: string;
  deletes?: boolean;
  /** Code takes the full width. */
  wide?: boolean;
  children: Children;
}) {
  const { of, title, crumbs } = props;
  return (
    <RepoPage shell={of.shell} repo={of.repo} tab="code" title={[title]} width={props.wide ? "wide" : "normal"} noIndex>
      <h1>{title}</h1>
      {crumbs === "" ? null : <Breadcrumb crumbs={pathCrumbs(of.repo, { kind: "branch", name: of.branch }, crumbs)} />}
      {of.conflict ? <OtherChange repo={of.repo} conflict={of.conflict} deletes={props.deletes} /> : null}
      {props.children}
    </RepoPage>
  );
}

/** Maximum characters of a message's first line and of a new branch's name (contract git-content.md 11.4). */
export const MAX_SHORT = 100;

/** How to make the commit: message, branch, and the buttons. */
export function CommitCard(props: {
  of: Pick<EditProps, "branch" | "commit" | "target" | "conflict" | "errors" | "back">;
  /** The default message. */
  placeholder?: string | undefined;
  button: string;
  danger?: boolean;
}) {
  const t = useWords(contentWords);
  const labels = useLabels();
  const { of } = props;
  const { commit, errors } = of;
  return (
    <Card title={t("commit")}>
      <div class="form">
        <TextField
          name="commit_summary"
          label={labels.commit_summary}
          value={commit.summary}
          error={errors?.commit_summary}
          placeholder={props.placeholder}
          maxLength={Math.max(MAX_SHORT, commit.summary.length)}
          autocomplete="off"
        />
        <TextArea
          name="commit_message"
          label={labels.commit_message}
          value={commit.message}
          error={errors?.commit_message}
          rows={3}
        />
        <CommitTargetFields of={of} />
        {commit.emails && commit.emails.length > 1 ? (
          <SelectField
            name="commit_email"
            label={labels.commit_email}
            choices={commit.emails.map((email) => ({ value: email, label: email }))}
            value={commit.email || commit.emails[0]}
            error={errors?.commit_email}
          />
        ) : null}
        <CheckField name="signoff" label={t("signOff")} checked={commit.signoff} />
        <FormActions>
          {of.conflict ? (
            <ConflictActions conflict={of.conflict} deletes={props.danger} />
          ) : (
            <SubmitButton kind={props.danger ? "danger" : "primary"}>{props.button}</SubmitButton>
          )}
          <CancelLink href={of.back} />
        </FormActions>
      </div>
    </Card>
  );
}

/** The choice of the branch to commit to, if there is one. */
function CommitTargetFields({ of }: { of: Pick<EditProps, "branch" | "commit" | "target" | "errors"> }) {
  const t = useWords(contentWords);
  const { branch, commit, errors, target } = of;
  if (target === "branch") return <Notice kind="info">{t("commitAsMaintainer", { branch })}</Notice>;
  return (
    <>
      {target === "new-branch" ? (
        <>
          <input type="hidden" name="commit_choice" value="commit-to-new-branch" />
          <Notice kind="info">{t("branchIsClosed", { branch })}</Notice>
        </>
      ) : (
        <RadioField
          name="commit_choice"
          label={t("commitTo")}
          choices={[
            { value: "direct", label: t("commitToBranch", { branch }) },
            { value: "commit-to-new-branch", label: t("commitToNewBranch"), hint: t("commitToNewBranchHint") },
          ]}
          value={commit.choice}
        />
      )}
      <TextField
        name="new_branch_name"
        label={useLabels().new_branch_name}
        value={commit.newBranch}
        error={errors?.new_branch_name}
        autocomplete="off"
        code
      />
    </>
  );
}
