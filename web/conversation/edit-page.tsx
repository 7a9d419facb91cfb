import { CancelLink, SubmitButton } from "../components/button.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { TextBox, type TextBoxProps } from "./comment-form.tsx";
import { conversationWords } from "./words/index.ts";

export interface EditFormProps {
  readonly action: string;
  readonly back: string;
  readonly text: string;
  /** The version of the text being edited. */
  readonly version: number;
  readonly error: string | undefined;
  readonly box: Omit<TextBoxProps, "name" | "label" | "value">;
}

/** The form that edits the text of an item or a comment. */
export function EditForm({ action, back, box, error, text, version }: EditFormProps) {
  const t = useWords(conversationWords);
  return (
    <form class="form" method="post" action={action} data-edit-form="">
      <input type="hidden" name="content_version" value={String(version)} />
      <TextBox {...box} name="content" label={t("text")} value={text} error={error} rows={10} autofocus />
      <div class="form-actions">
        <CancelLink href={back} />
        <SubmitButton kind="primary">{t("save")}</SubmitButton>
      </div>
    </form>
  );
}

/** The form placed after the text it edits. */
export function EditInPlace(form: EditFormProps) {
  return (
    <div class="card-body" data-editing="">
      <EditForm {...form} />
    </div>
  );
}

export function EditPage(props: {
  shell: Shell;
  repo: RepoFrameProps;
  title: string;
  isPull: boolean;
  form: EditFormProps;
}) {
  const t = useWords(conversationWords);
  return (
    <RepoPage
      shell={props.shell}
      repo={props.repo}
      tab={props.isPull ? "pulls" : "issues"}
      title={[t("editText"), props.title]}
    >
      <h1>{t("editText")}</h1>
      <EditForm {...props.form} />
    </RepoPage>
  );
}
