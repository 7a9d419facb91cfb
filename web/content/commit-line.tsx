import type { StatusSummary } from "../../src/statuses/types.ts";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { CopyButton, IconLink } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { commitHref, type RepoName, refHref } from "../links.ts";
import { type ShownSignature, SignatureBadge } from "./signature.tsx";
import { contentWords } from "./words/index.ts";

export interface CommitSummary {
  readonly sha: string;
  readonly subject: string;
  /** The message without its first line, as text. */
  readonly body: string;
  readonly author: Person;
  /** Only when it differs from the author. */
  readonly committer?: Person;
  /** Commit time. */
  readonly at: Instant;
  readonly tags?: readonly string[];
  readonly signature?: ShownSignature;
  /** Summary of its checks; absent: none. */
  readonly checks?: StatusSummary;
}

/** A commit's short id, linked. */
export function Sha({ repo, sha }: { repo: RepoName; sha: string }) {
  return (
    <a class="sha" href={commitHref(repo, sha)} title={sha}>
      {sha.slice(0, 10)}
    </a>
  );
}

const checkLooks = {
  success: { icon: "check", tone: "ok" },
  failure: { icon: "x", tone: "danger" },
  pending: { icon: "clock", tone: "warn" },
} as const;

/** A commit's check status as an icon that links to the details. */
export function CheckMark({ repo, commit: { checks, sha } }: { repo: RepoName; commit: CommitSummary }) {
  const t = useWords(contentWords);
  if (!checks) return null;
  const { passed, state, total } = checks;
  const { icon, tone } = checkLooks[state];
  const words = t("checksPassed", { passed, count: total });
  return (
    <a class={`badge badge-${tone}`} href={`${commitHref(repo, sha)}#checks`} aria-label={words} title={words}>
      <Icon name={icon} /> {passed}/{total}
    </a>
  );
}

/** The newest commit of what is shown, in one line above it. */
export function LatestCommit({
  repo,
  commit,
  historyHref,
}: {
  repo: RepoName;
  commit: CommitSummary;
  historyHref?: string;
}) {
  const t = useWords(contentWords);
  return (
    <div class="latest-commit">
      <Avatar person={commit.author} />
      <PersonName person={commit.author} />
      <a class="clip subject" href={commitHref(repo, commit.sha)}>
        {commit.subject || t("noMessage")}
      </a>
      <CheckMark repo={repo} commit={commit} />
      <span class="grow" />
      <Sha repo={repo} sha={commit.sha} />
      <span class="muted">
        <Time at={commit.at} />
      </span>
      {historyHref ? <a href={historyHref}>{t("history")}</a> : null}
    </div>
  );
}

/** A commit as a row of a list. */
export function CommitRow({ repo, commit, path }: { repo: RepoName; commit: CommitSummary; path?: string }) {
  const t = useWords(contentWords);
  const short = commit.sha.slice(0, 10);
  return (
    <li class="commit-row">
      <div class="commit-text">
        <a class="subject" href={commitHref(repo, commit.sha)}>
          {commit.subject || t("noMessage")}
        </a>
        {commit.tags?.map((tag) => (
          <a class="badge" href={refHref(repo, "src", { kind: "tag", name: tag })}>
            <span class="i i-tag" aria-hidden="true" />
            {tag}
          </a>
        ))}
        <CheckMark repo={repo} commit={commit} />
        {commit.signature ? <SignatureBadge signature={commit.signature} short /> : null}
        {commit.body.trim() ? (
          <details class="commit-body">
            <summary aria-label={t("showMessage")}>…</summary>
            {commit.body}
          </details>
        ) : null}
        <p class="commit-who">
          <Avatar person={commit.author} />
          {commit.committer ? (
            <span>
              {t.jsx("authorAndCommitter", {
                author: <PersonName person={commit.author} />,
                committer: <PersonName person={commit.committer} />,
              })}
            </span>
          ) : (
            <PersonName person={commit.author} />
          )}{" "}
          <Time at={commit.at} text={t("committed", { time: TIME })} />
        </p>
      </div>
      <div class="commit-tools">
        <Sha repo={repo} sha={commit.sha} />
        <CopyButton small text={commit.sha} label={t("copyCommitId")} />
        <IconLink
          small
          icon="code"
          href={refHref(repo, "src", { kind: "commit", name: commit.sha }, path)}
          label={path ? t("fileAt", { path, commit: short }) : t("filesAt", { commit: short })}
          title={path ? t("fileAtCommit") : t("filesAtCommit")}
        />
      </div>
    </li>
  );
}
