import { DiffView } from "../components/diff-view.tsx";
import { Pager } from "../components/navigation.tsx";
import { PageModule } from "../components/page-module.tsx";
import { Card } from "../components/surface.tsx";
import type { AskedDiff } from "../content/asked-diff.tsx";
import { CommitRow, type CommitSummary } from "../content/commit-line.tsx";
import { useWords } from "../language.ts";
import { FilesBar, type FilesBarProps, PartNote } from "./files-bar.tsx";
import { VIEWED_FORM } from "./files-data.tsx";
import { PullPage, type PullPageProps } from "./head.tsx";
import { SuggestionBatch } from "./thread.tsx";
import { pullWords } from "./words/index.ts";

export interface FilesProps extends PullPageProps {
  readonly diff: AskedDiff;
  readonly from: string;
  readonly to: string;
  readonly bar: FilesBarProps;
  readonly mayApply: boolean;
}

/** `GET {W}/pulls/{index}/files`. */
export function FilesPage(props: FilesProps) {
  const { bar, diff, from, mayApply, pull, repo, to } = props;
  return (
    <PullPage {...props} tab="files">
      {bar.range ? <PartNote href={bar.href} range={bar.range} /> : null}
      {diff.files.length === 0 ? <FilesBar {...bar} /> : null}
      <DiffView {...diff} bar={<FilesBar {...bar} />} repo={repo} newCommit={to} oldCommit={from} />
      {bar.review ? (
        <form id={VIEWED_FORM} method="post" action={`${pull.href}/viewed-files`}>
          <input type="hidden" name="head" value={bar.headOid} />
        </form>
      ) : null}
      {mayApply ? <SuggestionBatch href={pull.href} isOnFiles /> : null}
      <PageModule name="review" />
    </PullPage>
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
