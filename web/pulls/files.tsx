import { SubmitButton } from "../components/button.tsx";
import { DiffView } from "../components/diff-view.tsx";
import { CheckField, FormActions, RadioField, TextArea, TextField } from "../components/form.tsx";
import { Pager } from "../components/navigation.tsx";
import { Card } from "../components/surface.tsx";
import type { AskedDiff } from "../content/asked-diff.tsx";
import { CommitRow, type CommitSummary } from "../content/commit-line.tsx";
import { useWords } from "../language.ts";
import { PullPage, type PullPageProps } from "./head.tsx";
import { pullWords } from "./words/index.ts";

export interface FilesProps extends PullPageProps {
  readonly diff: AskedDiff;
  readonly from: string;
  readonly to: string;
  readonly may: { readonly review: boolean; readonly decide: boolean };
}

/** `GET {W}/pulls/{index}/files`. */
export function FilesPage(props: FilesProps) {
  const { diff, from, may, pull, repo, to } = props;
  return (
    <PullPage {...props} tab="files">
      <DiffView {...diff} repo={repo} newCommit={to} oldCommit={from} />
      {may.review ? <ReviewCard action={`${pull.href}/files/reviews/submit`} to={to} mayDecide={may.decide} /> : null}
    </PullPage>
  );
}

function ReviewCard({ action, mayDecide, to }: { action: string; mayDecide: boolean; to: string }) {
  const t = useWords(pullWords);
  const verdicts = [
    { value: "approve", label: t("approve") },
    { value: "reject", label: t("reject") },
  ];
  return (
    <Card title={t("review")} id="review">
      <form class="form" method="post" action={action}>
        <input type="hidden" name="commit_id" value={to} />
        <TextArea name="content" label={t("yourComment")} rows={4} />
        <TextField name="path" label={t("commentFile")} autocomplete="off" code />
        <TextField name="line" label={t("commentLine")} type="number" inputmode="numeric" />
        <CheckField name="old" label={t("commentOld")} />
        <TextArea name="comment" label={t("commentText")} rows={2} />
        <RadioField
          name="type"
          label={t("verdict")}
          value="comment"
          choices={[{ value: "comment", label: t("justComment") }, ...(mayDecide ? verdicts : [])]}
        />
        <FormActions>
          <SubmitButton kind="primary">{t("submitReview")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}

export interface PullCommitsProps extends PullPageProps {
  readonly commits: readonly CommitSummary[];
  readonly newer?: string;
  readonly older?: string;
}

/** `GET {W}/pulls/{index}/commits`. */
export function PullCommitsPage(props: PullCommitsProps) {
  const { commits, repo } = props;
  const t = useWords(pullWords);
  return (
    <PullPage {...props} tab="commits">
      <h2 class="hidden-text">{t("fileCommits")}</h2>
      <Card flush>
        <ol class="list">
          {commits.map((commit) => (
            <CommitRow repo={repo} commit={commit} />
          ))}
        </ol>
      </Card>
      <Pager newer={props.newer} older={props.older} />
    </PullPage>
  );
}
