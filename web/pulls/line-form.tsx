import { CancelLink, SubmitButton } from "../components/button.tsx";
import { TextField } from "../components/form.tsx";
import { TextBox, type TextBoxProps } from "../conversation/comment-form.tsx";
import { useWords } from "../language.ts";
import { Thread } from "./thread.tsx";
import type { ThreadView } from "./thread-data.ts";
import { pullWords } from "./words/index.ts";

/** A line of a diff (`R12`, `L3`), or `F` for the whole file. */
export interface NotedPlace {
  readonly path: string;
  readonly name: string;
}

export interface LineFormProps {
  readonly place: NotedPlace;
  /** URL of the pull request. */
  readonly href: string;
  readonly headOid: string;
  readonly hasPending: boolean;
  readonly box: Pick<TextBoxProps, "previewAction" | "suggestAction" | "uploadAction">;
  /** The text typed before a refusal. */
  readonly value?: string;
  readonly startLine?: string;
  readonly error?: string | undefined;
}

/** The comments on a line or file, and the form for another one. The response to any form in it replaces it. */
export function Notes(props: { place: NotedPlace; threads: readonly ThreadView[]; form?: LineFormProps | undefined }) {
  const { form, place, threads } = props;
  return (
    <div class="notes" data-place={place.name}>
      {threads.map((thread) => (
        <Thread thread={thread} inDiff />
      ))}
      {form ? <LineForm {...form} /> : null}
    </div>
  );
}

/** The form fields that name a place (contract pulls.md 22.4). */
export function placeFields({ name, path }: NotedPlace) {
  return {
    path,
    side: name.startsWith("L") ? "previous" : "proposed",
    line: name === "F" ? "0" : name.slice(1),
  };
}

function LineForm({ box, error, hasPending, headOid, href, place, startLine = "", value = "" }: LineFormProps) {
  const t = useWords(pullWords);
  const action = `${href}/files/reviews/comments`;
  const fields = { ...placeFields(place), latest_commit_id: headOid, origin: "diff" };
  const isOfFile = place.name === "F";
  return (
    <form
      class="form line-form"
      method="post"
      action={action}
      hx-post={action}
      hx-target="closest .notes"
      hx-swap="outerHTML"
    >
      {Object.entries(fields).map(([name, text]) => (
        <input type="hidden" name={name} value={text} />
      ))}
      <TextBox
        {...box}
        id={`note-${place.name}`}
        name="content"
        label={isOfFile ? t("commentOnFile") : t("yourComment")}
        value={value}
        error={error}
        rows={4}
        required
        autofocus
        draft={`${href}/files ${place.path} ${place.name}`}
      />
      {isOfFile ? null : (
        <TextField
          name="start_line"
          label={t("commentFrom")}
          type="number"
          inputmode="numeric"
          value={startLine}
          autocomplete="off"
        />
      )}
      <div class="form-actions">
        <CancelLink href={`${href}/files`} closesForm />
        {place.name.startsWith("R") ? (
          <button type="button" class="btn needs-script" data-suggest-change="">
            {t("suggest")}
          </button>
        ) : null}
        {hasPending ? null : (
          <SubmitButton name="single_review" value="true">
            {t("addSingle")}
          </SubmitButton>
        )}
        <SubmitButton kind="primary">{hasPending ? t("addToReview") : t("startReview")}</SubmitButton>
      </div>
    </form>
  );
}
