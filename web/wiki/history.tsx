import { Avatar, PersonName } from "../components/avatar.tsx";
import { IconLink, LinkButton, SubmitButton } from "../components/button.tsx";
import { DiffView } from "../components/diff-view.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import type { AskedDiff } from "../content/asked-diff.tsx";
import type { CommitSummary } from "../content/commit-line.tsx";
import { contentWords } from "../content/words/index.ts";
import { useWords } from "../language.ts";
import { wikiActionHref, wikiCommitHref, wikiHref } from "./addresses.ts";
import { type PageLink, WikiFrame, type WikiPageProps } from "./frame.tsx";
import { wikiWords } from "./words/index.ts";

/** `GET {W}/wiki/{Page}?action=_revision` */
export function RevisionsPage(
  props: WikiPageProps & { page: PageLink; revisions: readonly CommitSummary[]; total: number; pages: PageOf },
) {
  const { page, repo, revisions, total } = props;
  const t = useWords(wikiWords);
  return (
    <WikiFrame
      of={props}
      title={t("historyOf", { title: page.title })}
      heading={t("historyOf", { title: page.title })}
      actions={<LinkButton href={wikiHref(repo, page.address)}>{t("showPage")}</LinkButton>}
      noIndex
    >
      <form method="get" action={wikiHref(repo, page.address)}>
        <input type="hidden" name="action" value="_compare" />
        <div class="row">
          <p class="muted grow">
            {t("revisions", { count: total })}
            {revisions.length > 1 ? ` · ${t("compareHint")}` : ""}
          </p>
          {revisions.length > 1 ? <SubmitButton icon="git-compare">{t("compare")}</SubmitButton> : null}
        </div>
        <div class="card">
          <ol class="list">
            {revisions.map((commit, at) => (
              <Revision commit={commit} at={at} of={props} />
            ))}
          </ol>
        </div>
      </form>
      <Pagination of={props.pages} />
    </WikiFrame>
  );
}

function Revision(props: {
  commit: CommitSummary;
  at: number;
  of: WikiPageProps & { page: PageLink; revisions: readonly CommitSummary[] };
}) {
  const { at, commit } = props;
  const { page, repo, revisions } = props.of;
  const t = useWords(wikiWords);
  const words = useWords(contentWords);
  const short = commit.sha.slice(0, 10);
  return (
    <li class="row">
      {revisions.length > 1 ? (
        <span class="nowrap">
          <input
            type="radio"
            name="from"
            value={commit.sha}
            checked={at === 1}
            aria-label={t("revisionFrom", { sha: short })}
          />{" "}
          <input
            type="radio"
            name="to"
            value={commit.sha}
            checked={at === 0}
            aria-label={t("revisionTo", { sha: short })}
          />
        </span>
      ) : null}
      <div class="grow">
        <a class="subject" href={wikiCommitHref(repo, commit.sha)}>
          {commit.subject || words("noMessage")}
        </a>
        <p class="commit-who">
          <Avatar person={commit.author} />
          <PersonName person={commit.author} /> <Time at={commit.at} text={words("committed", { time: TIME })} />
        </p>
      </div>
      <IconLink
        small
        icon="eye"
        href={wikiHref(repo, `${page.address}?version=${commit.sha}`)}
        label={t("pageAt", { title: `${page.title}, ${short}` })}
      />
    </li>
  );
}

/** `GET {W}/wiki/{Page}?action=_compare`: one page at two revisions. */
export function ComparePage(props: WikiPageProps & { page: PageLink; from: string; to: string; diff: AskedDiff }) {
  const { diff, from, page, repo, to } = props;
  const t = useWords(wikiWords);
  const title = t("changesOf", { title: page.title });
  return (
    <WikiFrame
      of={props}
      title={title}
      heading={title}
      actions={
        <LinkButton icon="history" href={wikiActionHref(repo, page.address, "_revision")}>
          {t("history")}
        </LinkButton>
      }
      noIndex
    >
      <p class="muted">
        {t("revisionFrom", { sha: from.slice(0, 10) })} · {t("revisionTo", { sha: to.slice(0, 10) })}
      </p>
      <DiffView {...diff} repo={repo} />
    </WikiFrame>
  );
}

/** `GET {W}/wiki/commit/{sha}`: one revision. */
export function RevisionPage(props: WikiPageProps & { commit: CommitSummary; diff: AskedDiff }) {
  const { commit, diff, repo } = props;
  const words = useWords(contentWords);
  const subject = commit.subject || words("noMessage");
  const href = wikiCommitHref(repo, commit.sha);
  return (
    <WikiFrame of={props} title={`${subject} · ${commit.sha.slice(0, 10)}`} heading={subject} noIndex>
      <Card>
        {commit.body.trim() === "" ? null : (
          <pre class="commit-message" hx-ignore="">
            {commit.body}
          </pre>
        )}
        <p class="commit-who">
          <Avatar person={commit.author} />
          <PersonName person={commit.author} /> <Time at={commit.at} text={words("committed", { time: TIME })} />{" "}
          <code title={commit.sha}>{commit.sha.slice(0, 10)}</code>
          <span class="btn-row push-end">
            <LinkButton small href={`${href}.diff`}>
              {words("diff")}
            </LinkButton>
            <LinkButton small href={`${href}.patch`}>
              {words("patch")}
            </LinkButton>
          </span>
        </p>
      </Card>
      <DiffView {...diff} repo={repo} />
    </WikiFrame>
  );
}
