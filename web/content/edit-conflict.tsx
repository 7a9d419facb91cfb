import { LinkButton, SubmitButton } from "../components/button.tsx";
import { DiffFileBox } from "../components/diff-file.tsx";
import type { FileDiff } from "../components/diff-types.ts";
import { Notice } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { commitHref, type RepoName } from "../links.ts";
import type { CommitSummary } from "./commit-line.tsx";
import { contentWords } from "./words/index.ts";

/** What someone else made of a file while a visitor had it in a form. */
export interface EditConflict {
  /** The newest commit that changed the file. */
  readonly other: CommitSummary;
  /** What the branch is at with it: who saves over the change says that they have seen it. */
  readonly head: string;
  /** What the form was opened at. */
  readonly opened: string | undefined;
  /** What changed between the two; undefined when that is not known. */
  readonly file: FileDiff | undefined;
  /** The form again, with the file as it is now. */
  readonly anewHref: string;
  /** Both changes fit into one text. */
  readonly canMerge: boolean;
}

/** The other change, above a form that still has what the visitor wrote. */
export function OtherChange(props: { repo: RepoName; conflict: EditConflict; deletes?: boolean }) {
  const t = useWords(contentWords);
  const { repo, conflict } = props;
  const { file, head, opened, other } = conflict;
  const href = commitHref(repo, other.sha);
  return (
    <section class="other-change">
      <Notice kind="warning">
        <p>
          <strong>{t("changedMeanwhile", { name: other.author.name })}</strong> <a href={href}>{other.subject}</a>{" "}
          <Time at={other.at} />
        </p>
        <p>{props.deletes ? t("changedBeforeDeletion") : t("changedBeforeSaving")}</p>
      </Notice>
      {file ? (
        <DiffFileBox
          file={file}
          of={{ repo, style: "unified", href, newCommit: head, ...(opened === undefined ? {} : { oldCommit: opened }) }}
        />
      ) : null}
    </section>
  );
}

/** The ways out: over the other change, or from it. Without JavaScript: the button tells which commit was seen. */
export function ConflictActions({ conflict, deletes }: { conflict: EditConflict; deletes: boolean | undefined }) {
  const t = useWords(contentWords);
  return (
    <>
      {/* The Enter key presses the first button of a form, and is no decision. */}
      <button type="submit" hidden />
      {conflict.canMerge ? (
        <SubmitButton kind="primary" name="merge" value={conflict.head}>
          {t("mergeChanges")}
        </SubmitButton>
      ) : null}
      <SubmitButton kind="danger" name="over" value={conflict.head}>
        {deletes ? t("deleteAnyway") : t("saveOver")}
      </SubmitButton>
      {deletes ? null : <LinkButton href={conflict.anewHref}>{t("startAnew")}</LinkButton>}
    </>
  );
}
