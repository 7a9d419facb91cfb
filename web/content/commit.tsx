import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { CopyButton, LinkButton } from "../components/button.tsx";
import { DiffView } from "../components/diff-view.tsx";
import { Icon } from "../components/icon.tsx";
import { Card } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { raw, type SafeHtml } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, refHref, repoHref } from "../links.ts";
import { CheckList, type ShownChecks } from "../merging/checks.tsx";
import type { AskedDiff } from "./asked-diff.tsx";
import { Sha } from "./commit-line.tsx";
import { type ShownSignature, SignatureBadge } from "./signature.tsx";
import { contentWords } from "./words/index.ts";

export interface CommitPageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly commit: {
    readonly sha: string;
    readonly subject: string;
    /** The message without its first line. */
    readonly body: { readonly text: string } | { readonly html: SafeHtml };
    readonly author: Person;
    readonly authoredAt: Instant;
    /** Only when it differs from the author. */
    readonly committer?: Person;
    readonly committedAt: Instant;
    readonly coAuthors?: readonly Person[];
    readonly parents: readonly string[];
    /** Branches and tags that contain it, as far as known. */
    readonly branches?: readonly string[];
    readonly tags?: readonly string[];
    readonly signature?: ShownSignature;
  };
  /** Its checks; absent: none. */
  readonly checks?: ShownChecks;
  readonly diff: AskedDiff;
}

/** `GET {W}/commit/{sha}`. */
export function CommitPage(props: CommitPageProps) {
  const { repo, commit } = props;
  const t = useWords(contentWords);
  const href = commitHref(repo, commit.sha);
  return (
    <RepoPage
      shell={props.shell}
      repo={repo}
      tab="commits"
      title={[`${commit.subject} · ${commit.sha.slice(0, 10)}`]}
      noIndex
    >
      <section class="card commit-page">
        <div class="card-body">
          <div class="page-head">
            <h1>{commit.subject || t("noMessage")}</h1>
            <LinkButton href={refHref(repo, "src", { kind: "commit", name: commit.sha })} icon="code">
              {t("browseFiles")}
            </LinkButton>
          </div>
          <div class="commit-meta">
            <People commit={commit} />
            <span class="row nowrap push-end">
              <code title={commit.sha}>{commit.sha.slice(0, 10)}</code>
              <CopyButton small text={commit.sha} label={t("copyCommitId")} />
            </span>
          </div>
          <Message commit={commit} />
        </div>
        <div class="commit-foot">
          <Refs props={props} />
          {commit.signature ? <SignatureBadge signature={commit.signature} /> : null}
          <span class="muted">
            {commit.parents.length === 0
              ? t("noParent")
              : t.jsx("parents", {
                  count: commit.parents.length,
                  list: commit.parents.map((parent) => (
                    <>
                      <Sha repo={repo} sha={parent} />{" "}
                    </>
                  )),
                })}
          </span>
          <span class="btn-row push-end">
            {repo.may.write ? (
              <>
                <LinkButton small href={repoHref(repo, `cherry-pick/${commit.sha}`)}>
                  {t("cherryPick")}
                </LinkButton>
                <LinkButton small href={repoHref(repo, `cherry-pick/${commit.sha}?cherry-pick-type=revert`)}>
                  {t("revert")}
                </LinkButton>
              </>
            ) : null}
            <LinkButton small href={`${href}.diff`}>
              {t("diff")}
            </LinkButton>
            <LinkButton small href={`${href}.patch`}>
              {t("patch")}
            </LinkButton>
          </span>
        </div>
      </section>
      {props.checks === undefined || props.checks.statuses.length === 0 ? null : (
        <Card title={t("checks")} id="checks">
          <CheckList checks={props.checks} />
        </Card>
      )}
      <DiffView {...props.diff} repo={repo} newCommit={commit.sha} oldCommit={commit.parents[0]} />
    </RepoPage>
  );
}

/** Longer messages are folded, so that the changes stay within reach. */
const MAX_LINES = 8;
const MAX_LETTERS = 900;

function Message({ commit }: { commit: CommitPageProps["commit"] }) {
  const t = useWords(contentWords);
  const { body } = commit;
  const text = "html" in body ? body.html.toString() : body.text;
  if (text.trim() === "") return null;
  const message = (
    <pre class="commit-message" hx-ignore="">
      {"html" in body ? raw(body.html) : body.text}
    </pre>
  );
  if (text.length <= MAX_LETTERS && text.trim().split("\n").length <= MAX_LINES) return message;
  return (
    <details class="commit-long">
      <summary>{t("showMessage")}</summary>
      {message}
    </details>
  );
}

function People({ commit }: { commit: CommitPageProps["commit"] }) {
  const t = useWords(contentWords);
  return (
    <ul class="commit-who">
      <Who person={commit.author} text={t("authored", { time: TIME })} at={commit.authoredAt} />
      {commit.committer ? (
        <Who person={commit.committer} text={t("committed", { time: TIME })} at={commit.committedAt} />
      ) : null}
      {commit.coAuthors?.map((person) => (
        <Who person={person} text={t("coAuthored")} />
      ))}
    </ul>
  );
}

/** One person per line, so that a relative time that gets shorter moves nobody else. */
function Who({ person, text, at }: { person: Person; text: string; at?: Instant }) {
  return (
    <li class="who">
      <Avatar person={person} />
      <PersonName person={person} />
      <span class="muted">{at === undefined ? text : <Time at={at} text={text} />}</span>
    </li>
  );
}

function Refs({ props }: { props: CommitPageProps }) {
  const { repo, commit } = props;
  return (
    <>
      {commit.branches?.map((name) => (
        <a class="badge" href={refHref(repo, "src", { kind: "branch", name })}>
          <Icon name="git-branch" /> {name}
        </a>
      ))}
      {commit.tags?.map((name) => (
        <a class="badge" href={refHref(repo, "src", { kind: "tag", name })}>
          <Icon name="tag" /> {name}
        </a>
      ))}
    </>
  );
}
