import { SubmitButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { MarkTools } from "./mark-tools.tsx";
import { conversationWords } from "./words/index.ts";

export interface TextBoxProps {
  /** Unique on the page. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  /** The label is only for screen readers. */
  readonly hidesLabel?: boolean;
  readonly value: string;
  readonly rows?: number;
  /** The maximum length of a comment by default. */
  readonly maxLength?: number;
  readonly required?: boolean;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
  /** URL that renders a preview. */
  readonly previewAction: string;
  /** URL for autocompletion of names and numbers. */
  readonly suggestAction: string;
  /** URL for file uploads; absent when none may be attached. */
  readonly uploadAction: string | undefined;
  /** Key under which the browser stores an unsent draft; absent: no drafts. */
  readonly draft?: string;
}

/** A Markdown text box with preview; files can be dropped or pasted into it. */
export function TextBox(of: TextBoxProps) {
  const t = useWords(conversationWords);
  const preview = `${of.id}-preview`;
  const describedBy = of.error ? `${of.id}-error` : `${of.id}-hint`;
  return (
    <div
      class={of.error ? "field text-box field-bad" : "field text-box"}
      data-text-box=""
      data-upload={of.uploadAction}
      data-suggest={of.suggestAction}
      data-keep={of.draft}
    >
      <label for={of.id} class={of.hidesLabel ? "hidden-text" : undefined}>
        {of.label}
      </label>
      <div class="text-box-tabs needs-script">
        <button type="button" class="btn btn-small btn-quiet" data-show="text" aria-pressed="true">
          {t("write")}
        </button>
        <button
          type="button"
          class="btn btn-small btn-quiet"
          data-show="preview"
          aria-pressed="false"
          hx-post={of.previewAction}
          hx-include={`#${of.id}`}
          hx-vals={JSON.stringify({ field: of.name })}
          hx-target={`#${preview}`}
          hx-swap="innerHTML"
        >
          {t("preview")}
        </button>
        {of.uploadAction ? (
          <label class="btn btn-small btn-quiet push-end">
            <Icon name="paperclip" /> {t("attach")}
            <input type="file" multiple class="hidden-text" data-pick-files="" />
          </label>
        ) : null}
        <MarkTools />
      </div>
      <textarea
        id={of.id}
        name={of.name}
        rows={of.rows ?? 6}
        maxlength={of.maxLength ?? 65_535}
        required={of.required}
        autofocus={of.autofocus}
        aria-describedby={describedBy}
        aria-invalid={of.error ? "true" : undefined}
      >
        {`\n${of.value}`}
      </textarea>
      <div class="text-box-preview" id={preview} hidden />
      <ul class="attached" data-files="" aria-live="polite" />
      {of.error ? (
        <p class="field-error" id={`${of.id}-error`}>
          {of.error}
        </p>
      ) : null}
      <p class="hint" id={`${of.id}-hint`}>
        {t("markdownHint")} {of.uploadAction ? t("filesHint") : null}
      </p>
      <p class="hint" data-kept="" hidden>
        {t("draftRestored")}{" "}
        <button type="button" class="btn btn-small btn-quiet" data-forget="">
          {t("draftDiscard")}
        </button>
      </p>
    </div>
  );
}

/** The form at the end of a conversation. */
export function NewComment(props: {
  action: string;
  box: Omit<TextBoxProps, "name" | "label" | "hidesLabel">;
  /** The button that also closes or reopens the item; absent when the viewer may not. */
  state: "close" | "reopen" | undefined;
  isPull: boolean;
  children?: Children;
}) {
  const t = useWords(conversationWords);
  const { isPull, state } = props;
  const closing = isPull ? t("closePull") : t("closeIssue");
  const reopening = isPull ? t("reopenPull") : t("reopenIssue");
  return (
    <form class="form new-comment" method="post" action={props.action} id="new-comment">
      <TextBox {...props.box} name="content" label={t("addComment")} hidesLabel />
      {props.children}
      <div class="form-actions">
        {/* The Enter key presses a form's first button. */}
        <SubmitButton kind="primary">{t("comment")}</SubmitButton>
        {state ? (
          <SubmitButton name="status" value={state} icon={state === "close" ? "issue-closed" : "issue-reopened"}>
            {state === "close" ? closing : reopening}
          </SubmitButton>
        ) : null}
      </div>
    </form>
  );
}
