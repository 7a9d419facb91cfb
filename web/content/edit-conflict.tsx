import { LinkButton, SubmitButton } from "../components/button.tsx";
import { DiffFileBox } from "../components/diff-file.tsx";
import type { FileDiff } from "../components/diff-types.ts";
import { Notice } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { commitHref, type RepoName } from "../links.ts";
import type { CommitSummary } from "./commit-line.tsx";
import { contentWords } from "./words/index.ts";

/** A change someone else made to a file while a visitor was editing it. */
export interface EditConflict {
  /** The newest commit that changed the file. */
  readonly other: CommitSummary;
  /** The branch head with that change; saving over it confirms that the visitor has seen it. */
  readonly head: string;
  /** The commit the form was opened at. */
  readonly opened: string | undefined;
  /** The diff between the two; undefined when it is not known. */
  readonly file: FileDiff | undefined;
  /** Reopens the form with the current file. */
  readonly startOverHref: string;
  /** Both changes can be merged into one text. */
  readonly canMerge: boolean;
}

/** The other change, above a form that still has the visitor's text. */
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

/**
 * Ways to resolve it: save over the other change, or start from it. Without JavaScript, the button sends the commit
 * seen.
 */
export function ConflictActions({ conflict, deletes }: { conflict: EditConflict; deletes: boolean | undefined }) {
  const t = useWords(contentWords);
  return (
    <>
      {/* The Enter key presses a form's first button, which must not decide anything. */}
      <button type="submit" hidden />
      {conflict.canMerge ? (
        <SubmitButton kind="primary" name="merge" value={conflict.head}>
          {t("mergeChanges")}
        </SubmitButton>
      ) : null}
      <SubmitButton kind="danger" name="over" value={conflict.head}>
        {deletes ? t("deleteAnyway") : t("saveOver")}
      </SubmitButton>
      {deletes ? null : <LinkButton href={conflict.startOverHref}>{t("startAnew")}</LinkButton>}
    </>
  );
}
