import { LinkButton, SubmitButton } from "../components/button.tsx";
import { DiffView } from "../components/diff-view.tsx";
import { TextField } from "../components/form.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type RepoName, repoHref, withQuery } from "../links.ts";
import type { AskedDiff } from "./asked-diff.tsx";
import { CommitRow, type CommitSummary } from "./commit-line.tsx";
import { contentWords } from "./words/index.ts";

/** The differences between two revisions. */
export interface ShownComparison {
  /** The URL of the comparison; append `.diff` or `.patch` for the text forms. */
  readonly href: string;
  /** The repository of the commits and files. */
  readonly of: RepoName;
  readonly headCommit: string;
  /** The commit that the change is compared to; undefined: the histories are unrelated. */
  readonly from: string | undefined;
  readonly commits: readonly CommitSummary[];
  /** Number of further commits, listed on demand. */
  readonly rest: number;
  readonly total: number;
  /** Sections that areas add. */
  readonly parts: readonly (Children | null)[];
  readonly diff: AskedDiff;
}

export interface ComparePageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** As written in the URL. */
  readonly base: string;
  readonly head: string;
  /** Suggestions for both sides. */
  readonly branches: readonly string[];
  /** Absent until both are chosen. */
  readonly found?: ShownComparison;
}

/** `GET {W}/compare[/{base}...{head}]`. */
export function ComparePage(props: ComparePageProps) {
  const { repo, base, head, found } = props;
  const t = useWords(contentWords);
  const title = found ? t("compareTitle", { base, head }) : t("compare");
  return (
    <RepoPage shell={props.shell} repo={repo} tab="commits" title={[title]} noIndex>
      <h1 class="hidden-text">{title}</h1>
      <CompareForm of={props} />
      {found ? <Found repo={repo} base={base} head={head} found={found} /> : null}
    </RepoPage>
  );
}

function CompareForm({ of }: { of: ComparePageProps }) {
  const { repo, base, head, branches } = of;
  const t = useWords(contentWords);
  const action = repoHref(repo, "compare");
  const swapped = new URLSearchParams({ base: head, head: base });
  return (
    <form class="compare-form" method="get" action={action}>
      <TextField name="base" label={t("compareBase")} value={base} list="compare-refs" autocomplete="off" code />
      <TextField
        name="head"
        label={t("compareHead")}
        value={head}
        hint={t("compareHint", { example: "owner:branch" })}
        list="compare-refs"
        autocomplete="off"
        code
      />
      <datalist id="compare-refs">
        {branches.map((name) => (
          <option value={name} />
        ))}
      </datalist>
      <span class="btn-row">
        <SubmitButton kind="primary">{t("compare")}</SubmitButton>
        {head === "" ? null : (
          <LinkButton kind="quiet" href={`${action}?${swapped}`}>
            {t("compareSwap")}
          </LinkButton>
        )}
      </span>
    </form>
  );
}

function Found(props: { repo: RepoFrameProps; base: string; head: string; found: ShownComparison }) {
  const { base, head, found } = props;
  const t = useWords(contentWords);
  if (found.from === undefined)
    return (
      <Notice kind="warning">
        <p>{t("compareUnrelated", { base, head })}</p>
      </Notice>
    );
  if (found.total === 0 && found.diff.files.length === 0)
    return (
      <>
        <EmptyState icon="git-compare" title={t("compareEqual", { base, head })} />
        {found.parts}
      </>
    );
  return (
    <>
      <div class="row">
        <p>
          {found.total > found.commits.length + found.rest
            ? t("compareMore", { count: found.total })
            : t("commitCount", { count: found.total })}
        </p>
        <span class="btn-row push-end">
          <LinkButton small href={`${found.href}.diff`}>
            {t("diff")}
          </LinkButton>
          <LinkButton small href={`${found.href}.patch`}>
            {t("patch")}
          </LinkButton>
        </span>
      </div>
      {found.parts}
      {found.commits.length > 0 ? (
        <Card flush>
          <ol class="list" id="commits">
            {found.commits.map((commit) => (
              <CommitRow repo={found.of} commit={commit} />
            ))}
            {found.rest > 0 ? <RestOfCommits found={found} /> : null}
          </ol>
        </Card>
      ) : null}
      <DiffView {...found.diff} repo={found.of} newCommit={found.headCommit} oldCommit={found.from} />
    </>
  );
}

function RestOfCommits({ found }: { found: ShownComparison }) {
  const t = useWords(contentWords);
  const href = withQuery(found.diff.href, { commits: "all" });
  return (
    <li class="commit-row">
      <a href={href} hx-get={href} hx-select="#commits" hx-target="#commits" hx-swap="outerHTML">
        {t("restOfCommits", { count: found.rest })}
      </a>
    </li>
  );
}
